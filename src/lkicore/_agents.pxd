# Built-in agents: which option of the open choice to take.
from lkicore._layout cimport Game

cdef int agent_option(Game *g, int agent) noexcept nogil
