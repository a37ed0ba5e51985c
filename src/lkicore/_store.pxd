# The object store: rows, identity (CR 400.7), zone lists and bit sets. Everything here is inlined; nothing here knows
# any rule.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from lkicore._guard cimport check, rare
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._types cimport NONE16, TraceRecord

# Zones that each player has for itself (CR 400.1).
cdef enum:
    PRIVATE_ZONES = (1 << 1) | (1 << 2) | (1 << 4) | (1 << 8)
    HIDDEN_ZONES = (1 << 1) | (1 << 2) | (1 << 8)


cdef inline bint is_live(const Game *g, uint16_t row, uint32_t id) noexcept nogil:
    """The object is still the one that was referred to (CR 400.7)."""
    return g.id[row] == id


cdef inline int zone_list(const Game *g, int zone, int owner) noexcept nogil:
    return zone * <int>g.lay.players + (owner if (PRIVATE_ZONES >> zone) & 1 else 0)


cdef inline int zone_count(const Game *g, int zone, int owner) noexcept nogil:
    return g.z_n[zone_list(g, zone, owner)]


cdef inline uint16_t zone_first(const Game *g, int zone, int owner) noexcept nogil:
    return g.z_head[zone_list(g, zone, owner)]


cdef inline uint16_t zone_last(const Game *g, int zone, int owner) noexcept nogil:
    return g.z_tail[zone_list(g, zone, owner)]


cdef inline void link_tail(Game *g, int k, uint16_t row) noexcept nogil:
    cdef uint16_t t = g.z_tail[k]
    g.zprev[row] = t
    g.znext[row] = 0
    if t:
        g.znext[t] = row
    else:
        g.z_head[k] = row
    g.z_tail[k] = row
    g.z_n[k] += 1


cdef inline void link_head(Game *g, int k, uint16_t row) noexcept nogil:
    cdef uint16_t t = g.z_head[k]
    g.znext[row] = t
    g.zprev[row] = 0
    if t:
        g.zprev[t] = row
    else:
        g.z_tail[k] = row
    g.z_head[k] = row
    g.z_n[k] += 1


cdef inline void link_after(Game *g, int k, uint16_t above, uint16_t row) noexcept nogil:
    cdef uint16_t below = g.znext[above]
    g.zprev[row] = above
    g.znext[row] = below
    g.znext[above] = row
    if below:
        g.zprev[below] = row
    else:
        g.z_tail[k] = row
    g.z_n[k] += 1


cdef inline void unlink(Game *g, int k, uint16_t row) noexcept nogil:
    cdef uint16_t p = g.zprev[row]
    cdef uint16_t n = g.znext[row]
    check(g.z_n[k] > 0)
    if p:
        g.znext[p] = n
    else:
        g.z_head[k] = n
    if n:
        g.zprev[n] = p
    else:
        g.z_tail[k] = p
    g.z_n[k] -= 1


cdef inline void need_room(Game *g) noexcept nogil:
    """The block is too small for this step: the game is played on in a larger one."""
    if g.h.status == GS_RUNNING:
        g.h.status = GS_NEED_ROOM


cdef inline uint16_t take_row(Game *g) noexcept nogil:
    """A free row, or the null row 0 when there is none (the game then needs room)."""
    cdef uint16_t row = g.h.free_head
    if row == 0:
        need_room(g)
        return 0
    g.h.free_head = g.znext[row]
    g.h.n_free -= 1
    return row


cdef inline void free_row(Game *g, uint16_t row) noexcept nogil:
    g.id[row] = 0
    g.zone[row] = Z_NONE
    g.znext[row] = g.h.free_head
    g.h.free_head = row
    g.h.n_free += 1


cdef inline uint32_t new_id(Game *g) noexcept nogil:
    cdef uint32_t i = g.h.next_id
    g.h.next_id = i + 1
    return i


cdef inline uint32_t new_timestamp(Game *g) noexcept nogil:
    cdef uint32_t t = g.h.clock
    g.h.clock = t + 1
    return t


cdef inline void set_bit(uint64_t *set, uint16_t row) noexcept nogil:
    set[row >> 6] |= <uint64_t>1 << (row & 63)


cdef inline void clear_bit(uint64_t *set, uint16_t row) noexcept nogil:
    set[row >> 6] &= ~(<uint64_t>1 << (row & 63))


cdef inline bint has_bit(const uint64_t *set, uint16_t row) noexcept nogil:
    return (set[row >> 6] >> (row & 63)) & 1


cdef inline uint64_t *ctrl_set(const Game *g, int player) noexcept nogil:
    """Battlefield rows that a player controls."""
    return &g.b_ctrl[player * <int>g.lay.words]


cdef inline void touched(Game *g) noexcept nogil:
    """What players can do may have changed."""
    g.h.rev += 1


cdef inline void look_at(Game *g, uint16_t row) noexcept nogil:
    """State-based actions must look at this permanent."""
    set_bit(g.b_sba, row)
    g.h.sba |= SBA_OBJECTS


cdef void trace_add(Game *g, int kind, int a, int b, int c, int d, uint32_t id) noexcept nogil


cdef inline void trace(Game *g, int kind, int a, int b, int c, int d, uint32_t id) noexcept nogil:
    if rare(g.trace != NULL):
        trace_add(g, kind, a, b, c, d, id)
