# The interpreter of effect programs.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game
from lkicore._picks cimport VM_DONE, VM_WAIT

# Run the program of the frame on top, for the spell or ability of a context.
cdef int run_program(Game *g, Ctx *c) noexcept nogil
