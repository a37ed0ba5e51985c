# Choices of an announcement about payment and division (CR 601.2b, 601.2d, 601.2h): each true while it is open.
from lkicore._expr cimport Ctx
from lkicore._layout cimport Frame, Game
from lkicore._types cimport TargetSpec

cdef bint ask_symbols(Game *g, Frame *f) noexcept nogil
cdef bint ask_division(Game *g, Frame *f, Ctx *c) noexcept nogil
cdef bint ask_help(Game *g, Frame *f) noexcept nogil
# What was chosen to help does so: permanents (Z_BATTLEFIELD) are tapped, cards (Z_GRAVEYARD) exiled.
cdef void help_pays(Game *g, Frame *f, int zone) noexcept nogil
# How much is divided among the targets of a specification, 0 where nothing is.
cdef int divided_in_all(Game *g, const Ctx *c, const TargetSpec *t) noexcept nogil
