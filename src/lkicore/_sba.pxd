# State-based actions (CR 704).
from lkicore._layout cimport Game

cdef bint check_sba(Game *g) noexcept nogil
cdef void run_commander(Game *g) noexcept nogil
cdef void run_legend(Game *g) noexcept nogil
cdef void run_protector(Game *g) noexcept nogil
