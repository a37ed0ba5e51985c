# Streams of chance: xoroshiro128++ (Blackman, Vigna 2019), two words of state each, seeded by mixing
# (seed, game, purpose, player), so that a game's chance depends on nothing else.
from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    S_SHUFFLE = 0   # the order of libraries
    S_CHANCE = 1    # coins, dice, "at random"
    S_AGENT = 2     # agents' own draws
    N_PURPOSES = 3


cdef inline uint64_t mix64(uint64_t z) noexcept nogil:
    """SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64 bits."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint64_t mix(uint64_t seed, uint64_t game, uint64_t purpose, uint64_t player) noexcept nogil:
    """Hash of the four that name a stream."""
    cdef uint64_t h = mix64(seed + 0x9E3779B97F4A7C15ULL)
    h = mix64(h ^ (game + 0xD1B54A32D192ED03ULL))
    return mix64(h ^ ((purpose << 32) + player + 0x8CB92BA72F3D8DD7ULL))


cdef inline void stream_seed(uint64_t *s, uint64_t h) noexcept nogil:
    """Start a stream; never the all-zero state, as mix64 is a bijection."""
    s[0] = mix64(h + 0x9E3779B97F4A7C15ULL)
    s[1] = mix64(h + 0x3C6EF372FE94F82AULL)


cdef inline uint64_t next64(uint64_t *s) noexcept nogil:
    cdef uint64_t s0 = s[0]
    cdef uint64_t s1 = s[1]
    cdef uint64_t t = s0 + s1
    cdef uint64_t r = ((t << 17) | (t >> 47)) + s0
    s1 ^= s0
    s[0] = ((s0 << 49) | (s0 >> 15)) ^ s1 ^ (s1 << 21)
    s[1] = (s1 << 28) | (s1 >> 36)
    return r


cdef inline uint32_t below(uint64_t *s, uint32_t n) noexcept nogil:
    """Uniform in [0, n), n > 0, without bias (Lemire 2019)."""
    cdef uint64_t m = (next64(s) >> 32) * n
    cdef uint32_t low = <uint32_t>m
    cdef uint32_t t
    if low < n:
        t = (<uint32_t>0 - n) % n
        while low < t:
            m = (next64(s) >> 32) * n
            low = <uint32_t>m
    return <uint32_t>(m >> 32)
