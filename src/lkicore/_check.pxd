from lkicore._layout cimport Game
cdef int check_block(Game *g) noexcept nogil
