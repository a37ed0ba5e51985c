"""The words of the notation: everything that an expression of a card file can name. One word, one meaning."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from lkicore.opcodes import Duration, HistoryKind, Keyword, Step, Zone

from . import ability_words as _ability_words
from . import changes as _changes
from . import conditions as _conditions
from . import deeds as _deeds
from . import effects as _effects
from . import face_down as _face_down
from . import filters as _filters
from . import giving as _giving
from . import keyword_actions as _keyword_actions
from . import lasting as _lasting
from . import players as _players
from . import plays as _plays
from . import references as _references
from . import relations as _relations
from . import spells as _spells
from . import target_specs as _targets
from . import texts as _texts
from . import triggers as _triggers
from . import turns as _turns
from . import values as _values
from .changes import Change
from .filters import Filter
from .operands import covers
from .references import Ref
from .values import Value

#: Words that stand for a node.
FILTER_WORDS: dict[str, Filter] = {n: v for n, v in vars(_filters).items() if isinstance(v, Filter)}
REF_WORDS: dict[str, Ref] = {n: v for n, v in vars(_references).items() if isinstance(v, Ref)}
VALUE_WORDS: dict[str, Value] = {
    n: v
    for module in (_values, _conditions, _ability_words, _players)
    for n, v in vars(module).items()
    if isinstance(v, Value)
}
CHANGE_WORDS: dict[str, Change] = {
    n: v for module in (_changes, _players) for n, v in vars(module).items() if isinstance(v, Change)
}
KEYWORD_WORDS: dict[str, Keyword] = {k.name.lower(): k for k in Keyword if k.name}
#: Zones by the word that names them: "exile" alone is what is done.
ZONE_WORDS: dict[str, Zone] = {
    "exile_zone" if z is Zone.EXILE else z.name.lower(): z for z in Zone if z not in (Zone.NONE, Zone.PHASED_OUT)
}
#: Steps: "untap", "draw" alone are what is done, "end_of_combat" is how long something lasts.
STEP_WORDS: dict[str, Step] = {
    "untap_step": Step.UNTAP,
    "upkeep": Step.UPKEEP,
    "draw_step": Step.DRAW,
    "main1": Step.MAIN1,
    "begin_combat": Step.BEGIN_COMBAT,
    "declare_attackers": Step.DECLARE_ATTACKERS,
    "declare_blockers": Step.DECLARE_BLOCKERS,
    "first_strike_damage": Step.FIRST_STRIKE_DAMAGE,
    "combat_damage": Step.COMBAT_DAMAGE,
    "end_combat": Step.END_COMBAT,
    "main2": Step.MAIN2,
    "end_step": Step.END,
    "cleanup": Step.CLEANUP,
}
covers((s for s in Step if s is not Step.NONE), {s: w for w, s in STEP_WORDS.items()}, "words of steps")
#: Durations: "permanent" alone is what a card is.
DURATION_WORDS: dict[str, Duration] = {"always" if d is Duration.PERMANENT else d.name.lower(): d for d in Duration}
#: Marks of builders.
OTHER_WORDS: dict[str, object] = {
    "all_damage": _effects.all_damage,
    "top": _effects.top,
    "bottom": _effects.bottom,
    "random_bottom": _effects.random_bottom,
    "none": Keyword(0),
}
#: Kinds of events of the turn that have a word of their own; the others are given as strings: ``happened("cast")``.
HISTORY_WORDS: dict[str, HistoryKind] = {
    name: _values.HISTORY_NAMES[name]
    for name in ("died", "attacked", "drew", "entered", "left", "discarded", "life_gain", "life_loss")
}

#: Builders, by the module that defines them.
_BUILDERS: dict[ModuleType, tuple[str, ...]] = {
    _filters: ("has", "subtype", "in_zone", "named", "targeting", "colors_between"),
    _relations: (
        *("power", "toughness", "mana_value", "compare", "has_counters", "controlled_by", "owned_by", "is_player"),
        *("is_", "same_name", "same_controller", "shares_color", "shares_creature_type", "damaged_by", "designated"),
        "did",
    ),
    _references: (
        *("target", "targets", "each", "controller_of", "owner_of", "paid", "linked", "static_linked", "blockers_of"),
        *("attached_to", "top_cards", "top_of_graveyard", "other_opponent"),
    ),
    _values: (
        *("power_of", "toughness_of", "mana_value_of", "count", "hand_size", "life_of", "lesser", "greater"),
        *("counters_on", "damage_on", "number_of", "kicked_times", "half_up", "half_down", "count_in", "happened"),
        *("greatest_power", "colors_of", "library_size", "graveyard_size", "cast_before", "quotient", "divided"),
        *("greatest", "least", "devotion", "count_of"),
        "level_of",
    ),
    _conditions: ("not_", "all_of", "any_of", "matches", "exists", "step_is", "on_battlefield", "cast_by"),
    _targets: ("up_to", "exactly", "any_number", "x_targets", "divided_among"),
    _changes: (
        *("boost", "sets_pt", "cda_pt", "gain", "lose", "add_types", "set_types", "add_subtype", "set_subtype"),
        *("set_colors", "add_colors", "counters", "choose_player", "choose_number", "tapped_unless", "devour"),
        *("lose_types", "has_name", "as_copy", "creature_types_of_linked", "counters_or"),
    ),
    _effects: (
        *("damage", "destroy", "exile", "return_to_hand", "sacrifice", "edict", "move", "put_on_library", "tap"),
        *("untap", "counter", "draw", "discard", "mill", "gain_life", "lose_life", "put_counters", "remove_counters"),
        "enters_with",
        *("give_counters", "fight", "create_tokens", "copy_token", "add_mana", "search_library", "pick"),
        *(
            "pick_player",
            "pick_color",
            "regenerate",
            "prevent",
            "prevent_from",
            "exile_if_dies",
            "exile_if_leaves",
            "exile_until_leaves",
            "attach",
        ),
        *("scry", "surveil", "shuffle", "dig", "dig_until", "exile_top", "extra_turn", "link"),
        *("remove_from_combat", "lose_game"),
        *("become_copy", "pick_source", "transform", "set_level"),
    ),
    _giving: ("give_mana", "spend_on"),
    _plays: ("cast_now", "may_play"),
    _texts: ("change_text",),
    _face_down: ("turn_up", "turn_down", "put_face_down", "manifest", "cloak", "manifest_dread"),
    _spells: ("copy_spell", "choose_targets", "copy_card"),
    _deeds: (
        *("reveal", "discard_cards", "act", "designate", "move_counters", "set_life", "exchange_life", "reveal_until"),
    ),
    _keyword_actions: (
        *("investigate", "explore", "connive", "amass", "adapt", "monstrosity", "bolster", "populate"),
        *("discover", "learn"),
    ),
    _lasting: (
        *("apply", "pump", "gains", "loses", "gain_control", "switch_pt", "becomes", "protection_from_chosen_color"),
    ),
    _turns: (
        *("additional", "end_the", "skip", "control_player", "phase_out", "exchange_control", "goad"),
        "must_attack_or_block",
    ),
    _triggers: (
        *("enters", "leaves", "dies", "moves", "sacrificed", "cast", "activated", "attacks", "attackers", "blocks"),
        *("becomes_blocked", "unblocked", "deals_damage", "is_dealt_damage", "gains_life", "loses_life", "draws"),
        *("scries", "loses_game", "discards", "land_played", "becomes_tapped", "becomes_untapped", "counters_put"),
        *("counters_removed", "begins", "tapped_for_mana", "copied", "becomes_target", "becomes_attached"),
        *("becomes_unattached", "transforms", "phases_out", "phases_in", "turned_up", "becomes_level", "is_countered"),
        "put_into",
        "does",
        "loses_control",
        "exerted",
        *("gets_counters", "becomes_monarch", "takes_initiative", "room", "flips_coin", "rolls_die", "proliferates"),
    ),
    _players: (
        *("land_plays", "add_hand_size", "protect_player", "apply_to_players", "win_game", "proliferate", "get_emblem"),
        *(
            "become_monarch",
            "take_initiative",
            "venture",
            "flip_coins",
            "roll",
            "pick_name",
            "pick_type",
            "pick_number",
        ),
        *("vote", "counters_of", "happened_last_turn", "votes", "is_monarch", "has_initiative", "player_has"),
    ),
}


def _namespace() -> dict[str, object]:
    made: dict[str, object] = {}
    builders: dict[str, Callable[..., object]] = {
        name: getattr(module, name) for module, names in _BUILDERS.items() for name in names
    }
    parts: tuple[dict[str, object], ...] = (
        dict(builders),
        dict(FILTER_WORDS),
        dict(REF_WORDS),
        dict(VALUE_WORDS),
        dict(CHANGE_WORDS),
        dict(KEYWORD_WORDS),
        dict(ZONE_WORDS),
        dict(STEP_WORDS),
        dict(DURATION_WORDS),
        dict(OTHER_WORDS),
        dict(HISTORY_WORDS),
        {n: v for n, v in vars(_changes).items() if isinstance(v, _changes.Enter)},
        {"maximum_hand_size": _players.hand_size},
        {"become_day": _players.become_day, "become_night": _players.become_night, "draw_game": _players.draw_game},
        {"day_comes": _triggers.day_comes, "night_comes": _triggers.night_comes},
        {"day_or_night_comes": _triggers.day_or_night_comes},
        {"state": _triggers.state},
    )
    for part in parts:
        clash = made.keys() & part.keys()
        if clash:
            raise RuntimeError(f"words with two meanings: {', '.join(sorted(clash))}")
        made |= part
    return made


#: Everything that an expression of a card file can name.
NAMESPACE: dict[str, object] = _namespace()
