# Numbers of events that are replaced or prevented, in the order that the affected player chooses (CR 616.1).
from libc.stdint cimport uint16_t, uint32_t
from lkicore._expr cimport Facts
from lkicore._layout cimport Game
from lkicore._opcodes cimport EK_PREVENT, RP_DAMAGE, RP_PREVENT_BY, RP_PREVENT_TO, RP_REDIRECT

cdef enum:
    # Kinds of replacements with a number that happens instead (1 << ReplaceOp).
    ANY_KIND = 0xFF

# An event that is about to happen: so many counters, tokens, so much damage, life.
cdef struct Event_:
    const Facts *source   # of damage, NULL none
    uint16_t row          # what it happens to, 0 a player
    int player            # the player, or the controller of what it happens to
    int what              # ReplaceOp
    int kind              # of counters, ANY_KIND none
    bint combat           # combat damage
    uint16_t to_row       # damage: what it is dealt to instead (CR 614.9)
    uint32_t to_id

cdef enum:
    DAMAGES = (1 << RP_PREVENT_TO | 1 << RP_PREVENT_BY | 1 << RP_DAMAGE | 1 << RP_REDIRECT)   # of h.replaces

# Permanents, and objects whose ability works elsewhere, that have or may have a replacement ability of this kind
# (ReplaceOp), by timestamp.
cdef int replacers(const Game *g, int what, uint16_t *rows) noexcept nogil
# How many there are instead of `n`; `ASKED`: the affected player must choose first which effect applies.
cdef int amount_instead(Game *g, Event_ *e, int n) noexcept nogil
# Counters put on a permanent by an effect or as it enters (CR 122.6), tokens created, life gained or lost.
cdef int counters_instead(Game *g, uint16_t row, int kind, int n) noexcept nogil
# The same in the middle of an event, when nobody can be asked any more.
cdef int counters_at_once(Game *g, uint16_t row, int kind, int n) noexcept nogil
cdef int life_at_once(Game *g, int player, int n) noexcept nogil
# Cards drawn together, milled, scried … (ReplaceOp `what`): how many instead, by order of timestamps.
cdef int of_player(Game *g, int what, int player, int n) noexcept nogil
cdef int player_at_once(Game *g, int what, int player, int n) noexcept nogil
# What follows on this ability's effect is resolving: what happens in it, it does not replace again (CR 614.5).
cdef bint is_following(const Game *g, uint16_t row, uint32_t id, int ability) noexcept nogil
cdef int tokens_instead(Game *g, int player, int n) noexcept nogil
cdef int life_instead(Game *g, int player, int n) noexcept nogil
# How much of `n` damage is dealt after replacement and prevention (CR 614, 615); `row` 0: to `player`. `to`: the
# permanent that it is dealt to instead, 0 the same. `really`: shields are used up.
cdef int damage_instead(Game *g, const Facts *source, uint16_t row, int player, int n, bint combat, bint really,
                        uint16_t *to) noexcept nogil
# Damage may be replaced or prevented at all.
cdef inline bint damage_heeds(const Game *g) noexcept nogil:
    return g.h.replaces & DAMAGES or g.h.shields & (1 << EK_PREVENT) or g.h.rule_counters
