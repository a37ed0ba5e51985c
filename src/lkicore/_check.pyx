from lkicore._layout cimport Game
def explain(int code): return str(code)
cdef int check_block(Game *g) noexcept nogil:
    return 0
