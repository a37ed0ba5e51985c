# The debug build (LKI_DEBUG) leaves a red zone before each array of a block and poisons it, so that the address
# sanitizer sees a step over a column's edge although the whole block is one allocation.
cdef extern from *:
    """
    #include <string.h>
    #ifdef LKI_DEBUG
    #include <assert.h>
    #include <sanitizer/asan_interface.h>
    #define LKI_GUARD 32
    #define LKI_POISON(p, n) __asan_poison_memory_region((p), (n))
    #define LKI_UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
    #define LKI_ASSERT(x) assert(x)
    #else
    #define LKI_GUARD 0
    #define LKI_POISON(p, n) ((void)(p), (void)(n))
    #define LKI_UNPOISON(p, n) ((void)(p), (void)(n))
    #define LKI_ASSERT(x) ((void)0)
    #endif
    #ifdef _WIN32
    #include <malloc.h>
    #define LKI_ON_STACK(n) _alloca(n)
    #else
    #include <alloca.h>
    #define LKI_ON_STACK(n) alloca(n)
    #endif
    #ifdef _MSC_VER
    #define LKI_APART __declspec(noinline)
    #else
    #define LKI_APART __attribute__((noinline))
    #endif
    #define LKI_CTZ(x) __builtin_ctzll(x)
    #define LKI_RARE(x) __builtin_expect(!!(x), 0)
    """
    enum: GUARD "LKI_GUARD"
    void poison "LKI_POISON"(const void *p, size_t n) noexcept nogil
    void unpoison "LKI_UNPOISON"(const void *p, size_t n) noexcept nogil
    void check "LKI_ASSERT"(bint x) noexcept nogil
    int ctz64 "LKI_CTZ"(unsigned long long x) noexcept nogil
    # Memory of the calling function, for lists as long as this game has rows: arrays for the largest game would lie
    # pages apart, each with cache lines and translations of its own. Never in a loop.
    void *on_stack "LKI_ON_STACK"(size_t n) noexcept nogil
    # Result of a function that is never laid out inside its caller: what is rare, so that the way that is usual needs
    # neither its stack nor its registers.
    ctypedef void apart "LKI_APART void"
    # A condition that seldom holds in the middle of a game: its branch is laid out apart from the way that is usual.
    bint rare "LKI_RARE"(bint x) noexcept nogil
