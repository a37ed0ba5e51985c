# Zone changes: every departure is recorded, every arrival is a new object (CR 400.7).
from libc.stdint cimport uint16_t, uint32_t
from lkicore._layout cimport Game

cdef enum:
    TO_END = 0    # end of the zone's order: newest on the battlefield, bottom of a library
    TO_TOP = 1    # top of a library

cdef bint begin_event(Game *g, int departures) noexcept nogil
cdef void record(Game *g, uint16_t row, int zone_to) noexcept nogil
cdef void change_zone(Game *g, uint16_t row, int zone_to, int where) noexcept nogil
cdef void move_one(Game *g, uint16_t row, int zone_to, int where) noexcept nogil
cdef void enter_battlefield(Game *g, uint16_t row, int controller) noexcept nogil
cdef uint16_t make_token(Game *g, int player, int face) noexcept nogil
cdef uint16_t make_ability(Game *g, int player, uint16_t defn) noexcept nogil
cdef void cease(Game *g, uint16_t row) noexcept nogil
cdef bint draw(Game *g, int player) noexcept nogil
cdef void shuffle(Game *g, int player) noexcept nogil
cdef void tap(Game *g, uint16_t row) noexcept nogil
cdef void untap(Game *g, uint16_t row) noexcept nogil
cdef void leave_combat(Game *g, uint16_t row) noexcept nogil
cdef void put_counters(Game *g, uint16_t row, int kind, int n) noexcept nogil
