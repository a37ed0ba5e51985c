# Validating a block: what is going on in the game.
from lkicore._check_codes cimport Scratch
from lkicore._layout cimport Game

cdef int check_stack(const Game *g, Scratch *s) noexcept nogil
cdef int check_effects(const Game *g, Scratch *s) noexcept nogil
cdef int check_triggers(const Game *g, Scratch *s) noexcept nogil
cdef int check_special(const Game *g, Scratch *s) noexcept nogil
cdef int check_history(const Game *g, Scratch *s) noexcept nogil
cdef int check_frames(const Game *g, Scratch *s) noexcept nogil
cdef int check_choice(const Game *g) noexcept nogil
# What the engine itself says to the choice, in a block that is sound: who is asked; what has been seen to.
cdef int check_moment(const Game *g) noexcept nogil
