# The interpreter of effect programs.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Ctx
from lkicore._layout cimport Game

cdef enum:
    VM_DONE = 0
    VM_WAIT = 1    # a frame was pushed or a choice opened; the same instruction, or the next one, goes on afterwards

# Run the program of the frame on top, for the spell or ability of a context.
cdef int run_program(Game *g, Ctx *c) noexcept nogil
