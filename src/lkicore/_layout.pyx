"""The block of one game: sizes, offsets and their table, from spec/layout.toml."""
from libc.string cimport memset
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from lkicore._guard cimport GUARD
from lkicore._opcodes cimport N_Z

include "_layout.pxi"


cdef enum:
    MAX_PLAYERS = 8
    N_RINGS = 5

# One layout for each (ring, size class, players): ring 0 is the class's own, the others are tests' tiny rings.
cdef Layout layouts[N_RINGS][N_CLASSES][MAX_PLAYERS + 1]
cdef int tiny_ring[N_RINGS]


cdef inline uint32_t place(uint32_t at, uint32_t align) noexcept nogil:
    """Next offset for an array; the debug build leaves a red zone before it (see _guard)."""
    at += GUARD
    return (at + align - 1) & ~(align - 1)


cdef void make_layouts() noexcept nogil:
    cdef int r, c, p
    cdef Layout *lay
    for r in range(N_RINGS):
        for c in range(N_CLASSES):
            for p in range(1, MAX_PLAYERS + 1):
                lay = &layouts[r][c][p]
                memset(lay, 0, sizeof(Layout))
                lay.size_class = c
                lay.players = p
                fill_sizes(lay)
                if tiny_ring[r]:
                    lay.ring = <uint32_t>tiny_ring[r] << c
                lay.words = (lay.rows + 63) // 64
                lay.lists = N_Z * p
                fill_layout(lay)


tiny_ring[0] = 0
tiny_ring[1] = 8
tiny_ring[2] = 12
tiny_ring[3] = 16
tiny_ring[4] = 32
make_layouts()


cdef const Layout *layout_of(int size_class, int players, int ring) noexcept nogil:
    cdef int r
    if size_class < 0 or size_class >= N_CLASSES or players < 1 or players > MAX_PLAYERS:
        return NULL
    for r in range(N_RINGS):
        if tiny_ring[r] == ring:
            return &layouts[r][size_class][players]
    return NULL


cdef int class_for(int objects, int players) noexcept nogil:
    """Smallest class whose rows hold that many cards, an eighth more and eight; -1 none."""
    cdef int c
    cdef const Layout *lay
    for c in range(N_CLASSES):
        lay = &layouts[0][c][players]
        if <int>lay.rows > objects + objects // 8 + 8 and <int>lay.cards >= objects:
            return c
    return -1


cdef uint64_t layout_hash(const Layout *l) noexcept nogil:
    """Hash of sizes and offsets: bytes from another layout are refused."""
    cdef uint64_t h = 0x9E3779B97F4A7C15ULL
    cdef const uint8_t *p = <const uint8_t *>l
    cdef size_t i
    for i in range(sizeof(Layout)):
        h = (h ^ p[i]) * 0x100000001B3ULL
    return h


def layout(int players=2, int size_class=0, int ring=0):
    """The layout of a block.

    Parameters
    ----------
    players : int
        Number of players, 1 to 8.
    size_class : int
        Size class, from 0; each holds twice what the one before it holds.
    ring : int
        0, or the slots of a tiny LKI ring (tests).

    Returns
    -------
    dict
        ``bytes``: size of the block; ``sizes``: capacities (rows, ring, stack ...); ``arrays``: for each array its
        ``dtype`` (or struct name), ``offset`` in bytes, ``length``, ``table`` and ``doc``; ``structs``: for each struct
        its size and its fields as (name, dtype, meaning).

    Raises
    ------
    ValueError
        If there is no such class or number of players.
    """
    cdef const Layout *lay = layout_of(size_class, players, ring)
    if lay == NULL:
        raise ValueError(f"no layout for size_class={size_class}, players={players}, ring={ring}: "
                         f"classes 0 to {N_CLASSES - 1}, players 1 to 8")
    sizes = struct_sizes()
    arrays = {}
    for i, (name, kind, table, count) in enumerate(ARRAYS):
        arrays[name] = {"dtype": kind, "offset": lay.off[i], "length": lay.len[i], "table": table, "count": count,
                        "doc": COLUMN_DOC.get(name, "")}
    structs = {k: {"bytes": sizes[k], "fields": v} for k, v in STRUCTS.items()}
    return {
        "size_class": size_class,
        "players": players,
        "bytes": lay.bytes,
        "sizes": {"rows": lay.rows, "ring": lay.ring, "hash": lay.hash, "stack": lay.stack, "effects": lay.effects,
                  "triggers": lay.triggers,
                  "history": lay.history, "options": lay.options, "arena": lay.arena, "cards": lay.cards,
                  "defs": lay.defs, "frames": lay.frames},
        "arrays": arrays,
        "structs": structs,
    }
