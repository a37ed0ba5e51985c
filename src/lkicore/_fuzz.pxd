# Random games in which every choice is looked at from all sides (tests).
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from lkicore._game cimport SeatDeck
from lkicore._layout cimport Game, Layout
from lkicore._types cimport CardTable, Trace

# What a departure looked like when it was recorded; `trace` must be first: the core sees no more of it.
cdef struct Watcher:
    Trace trace
    int code             # FuzzCode of the first departure that was recorded wrongly
    uint32_t id
    uint64_t records

# A game in a block of its own, and the block as it was before the step that runs.
cdef struct Lane:
    void *block
    void *before
    const Layout *lay
    Watcher *watcher
    uint32_t grown
    Game g

cdef struct Setting:
    const CardTable *cards
    const SeatDeck *decks
    uint64_t seed
    int players
    int ring
    int size_class
    int options
    uint32_t max_turns
    int skip_ref
    uint32_t watch
    int every
    int clones
    int tries
    int leave            # chance in a thousand, at each choice, that somebody concedes
    int plant
    bint twin
    int agents[8]

cdef struct Tally:
    uint64_t checksum
    uint64_t games
    uint64_t choices
    uint64_t checks
    uint64_t applied
    uint64_t cloned
    uint64_t grown
    uint64_t conceded
    uint64_t planted
    uint64_t records
    uint64_t kept_answers
    uint64_t ended
    uint64_t stalled     # stopped at the limit of steps
    uint64_t full        # stopped in the largest block
    # of the failure
    uint64_t game
    uint32_t choice
    uint32_t object
    int option
    int what             # FuzzCode, 0 none
    int code             # of check_block
