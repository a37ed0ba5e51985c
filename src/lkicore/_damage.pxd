# Damage (CR 120) and life (CR 119).
from libc.stdint cimport uint16_t
from lkicore._expr cimport Facts
from lkicore._layout cimport Game

cdef void change_life(Game *g, int player, int n) noexcept nogil
cdef void damage_player(Game *g, const Facts *source, int player, int n, bint combat) noexcept nogil
cdef void damage_object(Game *g, const Facts *source, uint16_t row, int n, bint combat) noexcept nogil
