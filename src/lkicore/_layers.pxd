# Computed values (CR 613). Everybody reads computed values; only this module writes them.
#
# What others call in connection with that is taken from here, too:
#
# dirty, dirty_all, changed  values wait to be computed: of one object, of all permanents, of all if some static ability
#                            looks at facts of this kind (Read)
# reset_values               values that only the definition says something about: objects outside the battlefield
# effect_change              a continuous effect of a resolving spell or ability on one object: `n` changes from `what`
#                            on, with the numbers x, y; for ADD_CHOSEN_ABILITY x is the number of the chosen colour
# effect_add                 another entry of the table of effects (shield, delayed trigger); (row, id): what it is
#                            about, 0 none
# effect_on_player           facts of a player for a duration
# effect_remove              an entry ends
# effects_leave              a permanent leaves: continuous effects and shields on it don't follow (CR 400.7), those
#                            that last while it is on the battlefield end (611.2b); delayed triggers stay
# effects_follow             a permanent spell has become a permanent: what applied to it goes on (CR 400.7a)
# effects_unseen             effects that last "for as long as" something that can't be seen any more end (611.2b)
# effects_expire             effects with this duration end (of this player, for YOUR_NEXT_TURN)
# set_kind_bits              b_creature, b_acts and their numbers
# change_controller          another player controls it from now on, but for control effects: `base_ctrl`
# count_actor                b_acts and its numbers, for an object outside the battlefield
# index_object               an object with static, triggered or replacement abilities comes or goes: `h.reads`,
#                            `h.listening`, `h.replaces`, b_static, b_listen, b_replace and their numbers
from lkicore._changes cimport (LAYER_ABILITIES, LAYER_ADD, LAYER_CDA, LAYER_COLORS, LAYER_CONTROL, LAYER_COPY,
                               LAYER_SET, LAYER_SWITCH, LAYER_TEXT, LAYER_TYPES)
from lkicore._effects cimport (effect_add, effect_change, effect_on_player, effect_remove, effects_expire,
                               effects_follow, effects_leave, effects_unseen, permits_leave)
from lkicore._index cimport (change_controller, changed, count_actor, dirty, dirty_all, index_object, reset_values,
                             set_kind_bits)
from lkicore._guard cimport rare
from lkicore._layout cimport Game

cdef void compute_dirty(Game *g) noexcept nogil


cdef inline void settle(Game *g) noexcept nogil:
    """Compute what is dirty: once after each group of events."""
    if rare(g.h.bits_dirty):
        compute_dirty(g)
