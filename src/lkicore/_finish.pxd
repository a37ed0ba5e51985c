# A spell or ability that is announced and paid for is put on the stack (CR 601.2h-i, 602.2b, 603.3).
from libc.stdint cimport uint16_t
from lkicore._costs cimport Price
from lkicore._layout cimport Frame, Game

cdef void finish_cast(Game *g, Frame *f, Price *price) noexcept nogil
cdef void finish_activate(Game *g, Frame *f, Price *price) noexcept nogil
cdef void finish_trigger(Game *g, Frame *f) noexcept nogil
# Triggers on becoming a target, for all of a list of targets of what is on the stack (CR 603.2e).
cdef void tell_targets(Game *g, uint16_t list, uint16_t row, int player) noexcept nogil
