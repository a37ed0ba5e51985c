# What follows at once on replacement and prevention effects (CR 614.6, 615.5).
from lkicore._layout cimport Game

# Something waits for that, and what it belongs to is over. (Only if `h.following`.)
cdef bint follows_now(const Game *g) noexcept nogil
# It begins to resolve.
cdef void begin_following(Game *g) noexcept nogil
