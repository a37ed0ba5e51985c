# Computed values (CR 613). Everybody reads computed values; only this module writes them.
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from lkicore._layout cimport Game
from lkicore._store cimport has_bit, set_bit


cdef void compute(Game *g, uint16_t row) noexcept nogil
cdef void compute_dirty(Game *g) noexcept nogil
cdef void reset_values(Game *g, uint16_t row) noexcept nogil
cdef void effect_add(Game *g, uint16_t row, int power, int toughness, uint64_t keywords, int duration, int player,
                     uint16_t source_row, uint32_t source_id) noexcept nogil
cdef void effects_leave(Game *g, uint16_t row) noexcept nogil
cdef void effects_expire(Game *g) noexcept nogil
cdef void set_kind_bits(Game *g, uint16_t row) noexcept nogil
cdef void change_controller(Game *g, uint16_t row, int player) noexcept nogil


cdef inline void dirty(Game *g, uint16_t row) noexcept nogil:
    """The object's values must be computed anew before anybody reads them."""
    set_bit(g.b_dirty, row)
    g.h.bits_dirty = 1


cdef inline void settle(Game *g) noexcept nogil:
    """Compute what is dirty: once after each group of events."""
    if g.h.bits_dirty:
        compute_dirty(g)
