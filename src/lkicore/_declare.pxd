# Declarations under requirements and restrictions (CR 508.1c-d, 509.1b-c): which options can still be completed to a
# whole that obeys all restrictions and as many requirements as possible.
from libc.stdint cimport uint8_t, uint16_t
from lkicore._layout cimport Game

cdef enum:
    MOST_ITEMS = 48      # creatures whose choices are thought through; what further ones could do is left out
    MOST_TARGETS = 64    # defenders, or attackers
    MOST_CHOICES = 1024  # options of all of them together
    MOST_NODES = 20000   # of one search; the best found by then counts

# What may still be declared. Targets are players and planeswalkers, or attackers.
cdef struct Whole:
    int n                       # creatures that are still to be asked
    int first[MOST_ITEMS + 1]   # options of creature i: first[i] .. first[i + 1] - 1
    int most_of[MOST_ITEMS + 1]  # most points of the creatures from i on
    uint8_t alone[MOST_ITEMS]   # it can't attack, or block, alone
    signed char target[MOST_CHOICES]
    uint8_t points[MOST_CHOICES]
    int n_targets
    int count[MOST_TARGETS]     # creatures that are declared for it
    int least[MOST_TARGETS]     # if any, at least so many (menace)
    int most[MOST_TARGETS]      # at most so many
    int bonus[MOST_TARGETS]     # points if there is any ("must be blocked")
    int bonus_left
    int total                   # creatures declared
    int most_total
    int loners                  # of those, such as can't be alone
    int best
    int nodes

cdef void whole_begin(Whole *w, int most_total) noexcept nogil
cdef int whole_target(Whole *w, int least, int most, int bonus) noexcept nogil
# A further creature, then its options; target -1 none.
cdef bint whole_item(Whole *w, bint alone) noexcept nogil
cdef void whole_option(Whole *w, int target, int points) noexcept nogil
# One that is declared already.
cdef void whole_declared(Whole *w, int target, bint alone) noexcept nogil
# Points of the best whole if a creature takes this option now; -1: there is no legal one.
cdef int whole_points(Whole *w, int target, int points, bint alone) noexcept nogil
