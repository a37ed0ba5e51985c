# What the engine finds by index instead of by looking at every object: creatures, objects that act, listen, have
# static or replacement abilities where they are; whose they are. And what waits for its values. Everybody takes these
# names from _layers.
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from lkicore._abilities cimport ability_of
from lkicore._guard cimport rare
from lkicore._layout cimport Game
from lkicore._store cimport set_bit

cdef void reset_values(Game *g, uint16_t row) noexcept nogil
cdef void set_kind_bits(Game *g, uint16_t row) noexcept nogil
# The plain change, without anything that hangs on it: only for whoever computes controllers (layer 2).
cdef void switch_controller(Game *g, uint16_t row, int player) noexcept nogil
cdef void change_controller(Game *g, uint16_t row, int player) noexcept nogil
# An object has, or has no more, an activated ability that works where it is: b_acts and its numbers.
cdef bint has_activated(const Game *g, uint16_t row) noexcept nogil
cdef void count_actor(Game *g, uint16_t row, bint acts) noexcept nogil
cdef void index_object(Game *g, uint16_t row, bint present) noexcept nogil
# `h.listening` anew: something that listened is gone.
cdef void listen_anew(Game *g) noexcept nogil


cdef enum:
    # Of `h.shields`: some continuous effect lasts only while its source is under somebody's control.
    WATCHED = 1 << 30


cdef enum:
    IN_PASS = 2   # of `h.bits_dirty`: values are being computed, and b_dirty holds the objects of the pass


cdef inline void dirty(Game *g, uint16_t row) noexcept nogil:
    """The object's values must be computed anew before anybody reads them."""
    set_bit(g.b_dirty, row)
    g.h.bits_dirty |= 1


cdef inline void dirty_all(Game *g) noexcept nogil:
    """So must those of all permanents: something changed that reaches beyond one object."""
    g.h.all_dirty = 1
    g.h.bits_dirty |= 1


cdef void reread(Game *g, int read) noexcept nogil


cdef inline void changed(Game *g, int read) noexcept nogil:
    """A fact of this kind (Read) changed: what the static abilities that look at it affect is dirty, and what players
    can do may be something else."""
    if rare(g.h.wakes & <uint32_t>read):
        reread(g, read)


# Permanents count as plain sources of mana again, or no more (see `_mana.tapping`).
cdef void count_sources(Game *g) noexcept nogil


cdef inline void listen_for(Game *g, int ability) noexcept nogil:
    """A triggered ability waits from now on."""
    g.h.listening |= <uint64_t>1 << ability_of(g, ability).event
