# Dependency (CR 613.8): which effects of a layer wait for others of it, whatever the timestamps.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._changes cimport Pass, Static, there
from lkicore._expr cimport Ctx, plain_context
from lkicore._layout cimport Game
from lkicore._store cimport is_live


cdef inline void context_of(const Game *g, const Static *s, Ctx *c) noexcept nogil:
    plain_context(g, s.row, g.id[s.row], g.controller[s.row], c)
    c.it_row = s.row
    c.it_id = g.id[s.row]
    c.live_only = 1


cdef inline uint16_t only_one(const Game *g, const Static *s, int own) noexcept nogil:
    """What an ability that affects its own permanent, or that permanent's host, affects; 0 nothing."""
    if own == 1:
        return s.row
    if is_live(g, g.attached_row[s.row], g.attached_id[s.row]) and there(g, g.attached_row[s.row]):
        return g.attached_row[s.row] if g.attached_id[s.row] else 0
    return 0


# A layer begins: true if some static ability asks for what something in it changes.
cdef bint order_matters(Game *g, Pass *p, int layer) noexcept nogil
# Static ability number i depends on something that has not been applied: a static ability whose turn is to come, an
# entry of the table of effects with a later timestamp than `now`.
cdef bint depends(Game *g, const Pass *p, int i, int layer, uint32_t now) noexcept nogil
# Some of these changes takes all abilities away, or in layer 4 those of lands (CR 305.7).
cdef bint loses(const Game *g, int first, int n, int layer) noexcept nogil
# A static ability would take all abilities of an object away, whether or not it is there still.
cdef bint takes_from(Game *g, const Static *s, uint16_t row, int layer) noexcept nogil
