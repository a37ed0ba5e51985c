# One game, for Python.
from libc.stdint cimport uint16_t, uint32_t
from lkicore._cards cimport CardTable
from lkicore._layout cimport Game, Layout


cdef class Block:
    cdef void *memory
    cdef const Layout *lay
    cdef Py_ssize_t shape[1]
    cdef Py_ssize_t strides[1]


cdef class GameCore:
    cdef Game g
    cdef Block block      # views of columns keep it alive
    cdef Block spare      # the game as it was at its last choice, while a step runs
    cdef int ring_size
    cdef readonly CardTable table
    cdef bint tracing

    cdef void adopt(self, Block block) noexcept
    cdef void run_on(self, int option, int leaver) except *
    cdef bint grow(self) except -1
    cdef int seat(self, int player) except -1
    cdef uint16_t row_of(self, uint32_t id) noexcept
    cdef object made(self, uint16_t d)
    cdef int told(self, int d)
    cdef dict lki_dict(self, uint16_t s)
    cdef list entries(self, uint16_t chunk)
    cdef list attachments(self, uint32_t id)
    cdef dict definition(self, uint16_t d)
