# The interpreter of effect programs.
from lkicore._layout cimport Frame, Game

cdef enum:
    VM_DONE = 0
    VM_WAIT = 1    # a frame was pushed or a choice opened; come back to the same instruction's successor

cdef int run_program(Game *g, int entry) noexcept nogil
