"""Nodes in the notation of card files: ``evaluate(notation(node)) == node`` for everything an expression can make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from lkicore.opcodes import (
    ChangeOp,
    Color,
    CopyFlag,
    CostOp,
    DamageFlag,
    Designation,
    Duration,
    EffectOp,
    EnterOp,
    EventKind,
    FactKind,
    FilterOp,
    HistoryKind,
    Keyword,
    KeywordAction,
    MoveFlag,
    PickFlag,
    PlayerFact,
    PlayFlag,
    RefOp,
    TriggerFlag,
    TypeBit,
    ValueOp,
    WayFlag,
    WayKind,
    Zone,
)

from . import changes as _changes
from . import references as _references
from .changes import Change, Enter
from .costs import FLAG_WORDS, X_OF_THEM, Cost, CostPart
from .deeds import ACTION_NAMES, DESIGNATION_NAMES
from .effects import EFFECT_SIGNATURES, Effect
from .face_down import FACE_DOWN
from .filters import Filter, creature, everything
from .giving import ManaUse
from .mana import COLOR_LETTERS, KIND_WORDS, NO_MANA
from .operands import INT_MAX, INT_MIN, Sort, covers
from .players import MONARCH
from .references import Ref
from .target_specs import ANY_NUMBER, TargetSpec
from .texts import TEXT_WORDS
from .triggers import Event
from .turns import ENDING_WORDS, EXTRA_WORDS, SKIP_WORDS
from .values import FACT_NAMES, HISTORY_NAMES, Value
from .vocabulary import (
    CHANGE_WORDS,
    DURATION_WORDS,
    FILTER_WORDS,
    KEYWORD_WORDS,
    REF_WORDS,
    STEP_WORDS,
    VALUE_WORDS,
    ZONE_WORDS,
)
from .way_words import WAY_WORDS
from .ways import PLAYED, Way

Node: TypeAlias = "Filter | Ref | Value | Effect | Change | Enter | Event | TargetSpec | CostPart"

_NAMED_FILTERS = {f: n for n, f in FILTER_WORDS.items()}
_NAMED_VALUES = {v: n for n, v in VALUE_WORDS.items()}
_NAMED_CHANGES = {c: n for n, c in CHANGE_WORDS.items()}
_NAMED_ENTERS = {v: n for n, v in vars(_changes).items() if isinstance(v, Enter)}
_FACT_WORDS = {c.args[0]: n for n, c in CHANGE_WORDS.items() if c.op is ChangeOp.PLAYER_FACTS}
_NAMED_REFS = {r: n for n, r in REF_WORDS.items()}
_ZONES = {z: n for n, z in ZONE_WORDS.items()}
_STEPS = {s: n for n, s in STEP_WORDS.items()}
_DURATIONS = {d: n for n, d in DURATION_WORDS.items()}
_FACTS = {k: n for n, k in FACT_NAMES.items()}
_WAYS = {k: w for w, k in WAY_WORDS.items()}
_HISTORY = {k: n for n, k in HISTORY_NAMES.items()}
_ACTIONS = {a: n for n, a in ACTION_NAMES.items()}
_DESIGNATIONS = {d: n for n, d in DESIGNATION_NAMES.items()}


# ------------------------------------------------------------------------------------------------- effects
@dataclass(frozen=True, slots=True)
class _Call:
    """How an effect is written: its word, operands in order, operands by name, marks by name.

    Attributes:
        word: the builder.
        order: numbers of the operands that are written in order.
        named: (name, number of the operand, what it is if it is left out).
        marks: (number of the operand, mark, what is written if it is there).
    """

    word: str
    order: tuple[int, ...] = ()
    named: tuple[tuple[str, int, object], ...] = ()
    marks: tuple[tuple[int, int, str], ...] = ()


def _entering(operand: int) -> tuple[tuple[int, int, str], ...]:
    return (
        (operand, MoveFlag.TAPPED, "tapped=True"),
        (operand, MoveFlag.ATTACKING, "attacking=True"),
        (operand, MoveFlag.LINK, "link=True"),
        (operand, MoveFlag.TRANSFORMED, "transformed=True"),
        (operand, MoveFlag.FACE_DOWN, "face_down=True"),
    )


_EFFECT_CALLS: dict[EffectOp, _Call] = {
    EffectOp.END: _Call("end"),
    EffectOp.DAMAGE: _Call("damage", (1, 2), (("by", 0, _references.source),)),
    EffectOp.DESTROY: _Call("destroy", (0,), marks=((1, MoveFlag.NO_REGENERATION, "regenerate=False"),)),
    EffectOp.EXILE: _Call("exile", (0,), marks=((1, MoveFlag.LINK, "link=True"),)),
    EffectOp.RETURN: _Call("return_to_hand", (0,)),
    EffectOp.DRAW: _Call("draw", (0, 1)),
    EffectOp.DISCARD: _Call("discard", (0, 1), (("what", 2, None), ("random", 3, False))),
    EffectOp.GAIN_LIFE: _Call("gain_life", (0, 1)),
    EffectOp.LOSE_LIFE: _Call("lose_life", (0, 1)),
    EffectOp.APPLY: _Call("apply", (0, 1), (("duration", 2, Duration.END_OF_TURN),)),
    EffectOp.TAP: _Call("tap", (0,)),
    EffectOp.UNTAP: _Call("untap", (0,)),
    EffectOp.COUNTERS: _Call("put_counters", (0, 2, 1)),
    EffectOp.FIGHT: _Call("fight", (0, 1)),
    EffectOp.TOKEN: _Call("create_tokens", (0, 1, 2), (("whom", 5, None),), _entering(3)),
    EffectOp.MANA: _Call("add_mana", (0, 1)),
    EffectOp.SEARCH_LAND: _Call(
        "search_library", (0, 1, 2), (("tapped", 3, False), ("amount", 4, Value(ValueOp.CONST, (1,))), ("of", 5, None))
    ),
    EffectOp.COUNTER: _Call("counter", (0,), (("to", 1, Zone.NONE),)),
    EffectOp.MILL: _Call("mill", (0, 1)),
    EffectOp.REMOVE_COUNTERS: _Call("remove_counters", (0, 2, 1)),
    EffectOp.SACRIFICE: _Call("sacrifice", (0,)),
    EffectOp.EDICT: _Call("edict", (0, 1, 2)),
    EffectOp.MOVE: _Call(
        "move",
        (0, 1),
        (("under", 3, None), ("place", 4, 0)),
        (*_entering(2), (2, MoveFlag.BOTTOM, "bottom=True"), (2, MoveFlag.RANDOM, "random=True")),
    ),
    EffectOp.JUMP: _Call("jump", (0,)),
    EffectOp.UNLESS: _Call("unless", (0, 1)),
    EffectOp.MAY: _Call("may", (0, 1)),
    EffectOp.PAY: _Call("pay", (0, 1, 2, 3)),
    EffectOp.PICK: _Call(
        "pick",
        (0, 1, 2, 3),
        (("zone", 4, Zone.BATTLEFIELD),),
        (
            (5, PickFlag.ADD, "add=True"),
            (5, PickFlag.HIDDEN, "hidden=True"),
            (5, PickFlag.OWN, "own=True"),
            (5, PickFlag.SOURCES, "sources=True"),
        ),
    ),
    EffectOp.PICK_PLAYER: _Call("pick_player", (0, 1)),
    EffectOp.PICK_COLOR: _Call("pick_color", (0,)),
    EffectOp.REGENERATE: _Call("regenerate", (0,)),
    EffectOp.PREVENT: _Call("prevent"),
    EffectOp.PREVENT_FROM: _Call("prevent_from"),
    EffectOp.DELAY: _Call("delay", (2, 1)),
    EffectOp.REFLEXIVE: _Call("reflexive"),
    EffectOp.ATTACH: _Call("attach", (0, 1)),
    EffectOp.SCRY: _Call("scry", (0, 1)),
    EffectOp.SURVEIL: _Call("surveil", (0, 1)),
    EffectOp.SHUFFLE: _Call("shuffle", (0,)),
    EffectOp.PLAYER_COUNTERS: _Call("give_counters", (0, 2, 1)),
    EffectOp.EXILE_LEAVING: _Call("exile_if_leaves", (0,), (("duration", 1, Duration.PERMANENT),)),
    EffectOp.EXILE_INSTEAD: _Call("exile_if_dies", (0,), (("duration", 1, Duration.END_OF_TURN),)),
    EffectOp.EXILE_UNTIL: _Call("exile_until_leaves", (0,)),
    EffectOp.DIG: _Call("dig", (0, 1, 2, 3), (("to", 4, Zone.HAND),)),
    EffectOp.EXTRA_TURN: _Call("extra_turn", (0,)),
    EffectOp.LINK: _Call("link", (0,), (("k", 1, 0), ("of", 2, None))),
    EffectOp.REMOVE_FROM_COMBAT: _Call("remove_from_combat", (0,)),
    EffectOp.LOSE_GAME: _Call("lose_game", (0,)),
    EffectOp.CAST: _Call("cast_now"),
    EffectOp.PERMIT: _Call("may_play"),
    EffectOp.COPY_SPELL: _Call(
        "copy_spell",
        (0, 1),
        (("amount", 2, Value(ValueOp.CONST, (1,))),),
        ((3, CopyFlag.NEW_TARGETS, "new_targets=True"),),
    ),
    EffectOp.NEW_TARGETS: _Call(
        "choose_targets",
        (0, 1),
        marks=(
            (2, CopyFlag.MUST, "must=True"),
            (2, CopyFlag.ONE, "one=True"),
            (2, CopyFlag.TO_SOURCE, "to_source=True"),
        ),
    ),
    EffectOp.DIG_UNTIL: _Call("dig_until", (0, 1), (("zone", 2, Zone.EXILE),)),
    EffectOp.COPY_CARD: _Call("copy_card", (0, 1)),
    EffectOp.ADD_MANA: _Call("give_mana", (0, 1, 2), (("use", 3, None), ("one", 4, False))),
    EffectOp.COPY_TOKEN: _Call("copy_token", (0, 1, 2), (("whom", 5, None),), _entering(3)),
    EffectOp.TRANSFORM: _Call("transform", (0,)),
    EffectOp.TURN_UP: _Call("turn_up", (0,)),
    EffectOp.TURN_DOWN: _Call("turn_down", (0,), (("form", 1, FACE_DOWN),)),
    EffectOp.PUT_FACE_DOWN: _Call("put_face_down", (0, 1, 2), marks=((3, MoveFlag.TAPPED, "tapped=True"),)),
    EffectOp.SET_LEVEL: _Call("set_level", (0, 1)),
    EffectOp.BECOME_COPY: _Call("become_copy", (0, 1), (("duration", 3, Duration.PERMANENT),)),
    EffectOp.REVEAL: _Call("reveal", (0,)),
    EffectOp.DISCARD_CARD: _Call("discard_cards", (0,)),
    EffectOp.ACT: _Call("act", (0, 1), (("about", 2, None),)),
    EffectOp.DESIGNATE: _Call("designate", (0, 1)),
    EffectOp.MOVE_COUNTERS: _Call("move_counters", (0, 1), (("kind", 2, None), ("amount", 3, None))),
    EffectOp.SET_LIFE: _Call("set_life", (0, 1)),
    EffectOp.EXCHANGE_LIFE: _Call("exchange_life", (0, 1)),
    EffectOp.REVEAL_UNTIL: _Call(
        "reveal_until",
        (0, 2, 3),
        (("amount", 1, Value(ValueOp.CONST, (1,))),),
        ((5, MoveFlag.TAPPED, "tapped=True"),),
    ),
    EffectOp.EXTRA_PHASE: _Call("additional", (0,)),
    EffectOp.SKIP: _Call("skip", (0, 1)),
    EffectOp.CUT_SHORT: _Call("end_the", (0,)),
    EffectOp.CONTROL_PLAYER: _Call("control_player", (0,)),
    EffectOp.PHASE_OUT: _Call("phase_out", (0,)),
    EffectOp.EXCHANGE_CONTROL: _Call("exchange_control", (0, 1)),
    EffectOp.GOAD: _Call("goad", (0,)),
    EffectOp.REQUIRE: _Call("must_attack_or_block", (0, 1)),
    EffectOp.APPLY_PLAYERS: _Call("apply_to_players", (0, 1), (("duration", 2, Duration.END_OF_TURN),)),
    EffectOp.WIN_GAME: _Call("win_game", (0,)),
    EffectOp.DRAW_GAME: _Call("draw_game"),
    EffectOp.PROLIFERATE: _Call("proliferate", (0,), (("times", 1, Value(ValueOp.CONST, (1,))),)),
    EffectOp.EMBLEM: _Call("get_emblem", (0, 1)),
    EffectOp.TITLE: _Call("title", (0,)),
    EffectOp.VENTURE: _Call("venture", (0,), (("dungeon", 1, "Undercity"),)),
    EffectOp.DAY: _Call("become_day"),
    EffectOp.FLIP: _Call("flip_coins", (0,), (("n", 1, Value(ValueOp.CONST, (1,))), ("until_lost", 2, False))),
    EffectOp.ROLL: _Call("roll", (0, 2), (("n", 1, Value(ValueOp.CONST, (1,))),)),
    EffectOp.PICK_NAME: _Call("pick_name", (0,), (("what", 1, everything),)),
    EffectOp.PICK_TYPE: _Call("pick_type", (0,)),
    EffectOp.PICK_NUMBER: _Call("pick_number", (0, 1, 2)),
    EffectOp.CHANGE_TEXT: _Call("change_text"),
    EffectOp.VOTE: _Call("vote", (0, 1)),
    EffectOp.ENTERS_WITH: _Call("enters_with", (1, 0)),
}
covers(EffectOp, _EFFECT_CALLS, "words of effects")
_RESTS = {MoveFlag(0): "top", MoveFlag.BOTTOM: "bottom", MoveFlag.BOTTOM | MoveFlag.RANDOM: "random_bottom"}

_VALUE_CALLS: dict[ValueOp, str] = {
    ValueOp.CONST: "",
    ValueOp.X: "x",
    ValueOp.POWER: "power_of",
    ValueOp.TOUGHNESS: "toughness_of",
    ValueOp.MANA_VALUE: "mana_value_of",
    ValueOp.COUNT: "count",
    ValueOp.HAND_SIZE: "hand_size",
    ValueOp.LIFE: "life_of",
    ValueOp.ADD: "+",
    ValueOp.SUB: "-",
    ValueOp.MUL: "*",
    ValueOp.MIN: "lesser",
    ValueOp.MAX: "greater",
    ValueOp.COUNTERS: "counters_on",
    ValueOp.DAMAGE: "damage_on",
    ValueOp.EVENT_AMOUNT: "event_amount",
    ValueOp.NUMBER_OF: "number_of",
    ValueOp.RESULT: "result",
    ValueOp.KICKED: "kicked_times",
    ValueOp.HALF_UP: "half_up",
    ValueOp.HALF_DOWN: "half_down",
    ValueOp.COUNT_ZONE: "count_in",
    ValueOp.HAPPENED: "happened",
    ValueOp.GREATEST_POWER: "greatest_power",
    ValueOp.COLORS: "colors_of",
    ValueOp.LIBRARY_SIZE: "library_size",
    ValueOp.GRAVEYARD_SIZE: "graveyard_size",
    ValueOp.AT_LEAST: ">=",
    ValueOp.EQUAL: "==",
    ValueOp.BOTH: "all_of",
    ValueOp.EITHER: "any_of",
    ValueOp.NOT: "not_",
    ValueOp.MATCHES: "matches",
    ValueOp.YOUR_TURN: "your_turn",
    ValueOp.EXISTS: "exists",
    ValueOp.STEP_IS: "step_is",
    ValueOp.ON_BATTLEFIELD: "on_battlefield",
    ValueOp.LEVEL: "level_of",
    ValueOp.MANA_SPENT: "mana_spent",
    ValueOp.WAS_CAST: "was_cast",
    ValueOp.CHOSEN_NUMBER: "chosen_number",
    ValueOp.SORCERY_TIME: "sorcery_time",
    ValueOp.CAST_BEFORE: "cast_before",
    ValueOp.QUOTIENT: "quotient",
    ValueOp.DIVIDED: "divided",
    ValueOp.CAST_WAY: "cast_by",
    ValueOp.DEVOTION: "devotion",
    ValueOp.GREATEST: "greatest",
    ValueOp.LEAST: "least",
    ValueOp.COUNT_OF: "count_of",
    ValueOp.PLAYER_COUNTERS: "counters_of",
    ValueOp.HAPPENED_LAST_TURN: "happened_last_turn",
    ValueOp.VOTES: "votes",
    ValueOp.DAY_IS: "day_is",
    ValueOp.HAS_TITLE: "has_title",
    ValueOp.HAS_FACT: "player_has",
}
covers(ValueOp, _VALUE_CALLS, "words of values")
_INFIX = {op: sign for op, sign in _VALUE_CALLS.items() if sign and not sign.isidentifier()}
#: Signs of conditions that don't hold.
_NEGATED = {ValueOp.AT_LEAST: "<", ValueOp.EQUAL: "!="}

_REF_CALLS: dict[RefOp, str] = {op: op.name.lower() for op in RefOp} | {RefOp.GRAVEYARD_TOP: "top_of_graveyard"}

_FILTER_CALLS: dict[FilterOp, str] = {
    FilterOp.ZONE: "in_zone",
    FilterOp.SUBTYPE: "subtype",
    FilterOp.CONTROLLED_BY: "controlled_by",
    FilterOp.OWNED_BY: "owned_by",
    FilterOp.IS: "is_",
    FilterOp.COUNTERS: "has_counters",
    FilterOp.NAMED: "named",
    FilterOp.SAME_NAME: "same_name",
    FilterOp.TARGETS: "targeting",
    FilterOp.COLOR_COUNT: "colors_between",
    FilterOp.SHARES_COLOR: "shares_color",
    FilterOp.PLAYER_IS: "is_player",
    FilterOp.SAME_CONTROLLER: "same_controller",
    FilterOp.SHARES_SUBTYPE: "shares_creature_type",
    FilterOp.DAMAGED_BY: "damaged_by",
    FilterOp.DESIGNATED: "designated",
    FilterOp.DID: "did",
}
_RANGE_CALLS = {FilterOp.POWER: "power", FilterOp.TOUGHNESS: "toughness", FilterOp.MANA_VALUE: "mana_value"}
_COMPARE_CALLS = {FactKind.POWER: "power", FactKind.TOUGHNESS: "toughness", FactKind.MANA_VALUE: "mana_value"}

_CHANGE_CALLS: dict[ChangeOp, str] = {
    ChangeOp.CONTROL: "control",
    ChangeOp.ADD_TYPES: "add_types",
    ChangeOp.SET_TYPES: "set_types",
    ChangeOp.ADD_SUBTYPE: "add_subtype",
    ChangeOp.TYPES_OF_LINKED: "creature_types_of_linked",
    ChangeOp.SET_SUBTYPE: "set_subtype",
    ChangeOp.ALL_CREATURE_TYPES: "all_creature_types",
    ChangeOp.SET_COLORS: "set_colors",
    ChangeOp.ADD_COLORS: "add_colors",
    ChangeOp.ADD_KEYWORDS: "gain",
    ChangeOp.LOSE_KEYWORDS: "lose",
    ChangeOp.ADD_ABILITY: "gain_ability",
    ChangeOp.ADD_CHOSEN_ABILITY: "gain_chosen_ability",
    ChangeOp.LOSE_ABILITIES: "lose_all_abilities",
    ChangeOp.CDA_PT: "cda_pt",
    ChangeOp.SET_PT: "sets_pt",
    ChangeOp.ADD_PT: "boost",
    ChangeOp.SWITCH_PT: "switch",
    ChangeOp.LOSE_TYPES: "lose_types",
    ChangeOp.KEEP_ABILITY: "this_ability",
    ChangeOp.SET_NAME: "has_name",
    ChangeOp.NO_COST: "no_mana_cost",
    ChangeOp.PLAYER_FACTS: "player_facts",
    ChangeOp.LAND_PLAYS: "land_plays",
    ChangeOp.HAND_SIZE: "maximum_hand_size",
    ChangeOp.ADD_HAND_SIZE: "add_hand_size",
    ChangeOp.PROTECT_PLAYER: "protect_player",
}
covers(ChangeOp, _CHANGE_CALLS, "words of changes")

_COST_CALLS: dict[CostOp, tuple[str, tuple[int, ...]]] = {
    CostOp.LIFE: ("pay_life", (0,)),
    CostOp.SACRIFICE: ("sacrifice", (0, 1)),
    CostOp.DISCARD: ("discard", (1, 0)),
    CostOp.EXILE_GRAVEYARD: ("exile_from_graveyard", (0, 1)),
    CostOp.EXILE_HAND: ("exile_from_hand", (0, 1)),
    CostOp.REMOVE_COUNTERS: ("remove", (1, 0)),
    CostOp.TAP_CREATURES: ("tap", (0, 1)),
    CostOp.RETURN: ("return", (0, 1)),
    CostOp.PUT_COUNTERS: ("put", (1, 0)),
    CostOp.EXILE_SELF: ("exile_this", ()),
    CostOp.DISCARD_SELF: ("discard_this", ()),
    CostOp.DISCARD_HAND: ("discard_hand", ()),
    CostOp.MILL: ("mill", (0,)),
    CostOp.REVEAL: ("reveal", (0, 1)),
    CostOp.CREW: ("crew", (1, 0)),
    CostOp.PLAYER_COUNTERS: ("pay_counters", (1, 0)),
}
covers(CostOp, _COST_CALLS, "words of costs")


def notation(node: Node) -> str:
    """Return `node` in the notation of card files."""
    for kind, write in _WRITERS.items():
        if isinstance(node, kind):
            return write(node)
    raise TypeError(f"no notation for {node!r}")


def _call(word: str, parts: list[str]) -> str:
    return f"{word}({', '.join(parts)})" if parts else word


def _named_number(operand: object) -> str | None:
    """What is written as a string: phases, and what is skipped or ended."""
    for words in (EXTRA_WORDS, SKIP_WORDS, ENDING_WORDS):
        for word, number in words.items():
            if type(number) is type(operand) and number == operand:
                return f'"{word}"'
    return None


#: Words that are written as strings, by the kind of operand.
_QUOTED: dict[type, dict[Any, str]] = {
    HistoryKind: _HISTORY,
    WayKind: _WAYS,
    FactKind: _FACTS,
    KeywordAction: _ACTIONS,
    Designation: _DESIGNATIONS,
}


def operand_notation(operand: object) -> str:
    """Return an operand of a node in the notation of card files."""
    if isinstance(operand, tuple(_WRITERS)):
        return notation(operand)  # type: ignore[arg-type]
    if isinstance(operand, tuple):
        return ", ".join(map(operand_notation, operand))
    if isinstance(operand, Keyword):
        return " | ".join(n for n, k in KEYWORD_WORDS.items() if k in operand) or "none"
    named = _named_number(operand)
    if named is not None:
        return named
    for words in (_ZONES, _STEPS, _DURATIONS, _RESTS):
        for word_of, word in words.items():
            if operand is word_of:
                return word
    if isinstance(operand, PlayerFact):
        return _FACT_WORDS[operand]
    if isinstance(operand, ManaUse):
        return _mana_use(operand)
    for kind, texts in _QUOTED.items():
        if isinstance(operand, kind):
            return quoted(texts[operand])
    if isinstance(operand, Color):
        return quoted(mana_words(operand))
    if isinstance(operand, TypeBit):
        return " | ".join(_mask_words(operand))
    return quoted(operand) if isinstance(operand, str) else str(operand)


def quoted(text: str) -> str:
    """Return `text` as a string of an expression."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def mana_words(colors: Color) -> str:
    """Return the kinds of mana in words: "G", "R/G", "any"."""
    word = next((w for w, kinds in KIND_WORDS.items() if kinds == colors), "")
    return word or "/".join(c for c in COLOR_LETTERS if Color[c] in colors)


# ------------------------------------------------------------------------------------ references and values
def _ref(node: Ref) -> str:
    return _NAMED_REFS.get(node) or _call(_REF_CALLS[node.op], [operand_notation(a) for a in node.args])


def _value(node: Value) -> str:
    if node in _NAMED_VALUES:
        return _NAMED_VALUES[node]
    if node.op is ValueOp.CONST:
        return str(node.args[0])
    if node.op in _INFIX:
        return _infix(node, _INFIX[node.op])
    inner = node.args[0] if node.args else None
    if node.op is ValueOp.NOT and isinstance(inner, Value) and inner.op in _NEGATED and inner not in _NAMED_VALUES:
        return _infix(inner, _NEGATED[inner.op])
    if node.op is ValueOp.COUNT_ZONE:
        objects, zone, of = node.args
        return _call("count_in", [operand_notation(zone), operand_notation(objects), operand_notation(of)])
    if node.op is ValueOp.HAS_TITLE:
        who, title = node.args
        return _call("is_monarch" if title == MONARCH else "has_initiative", [operand_notation(who)])
    if node.op is ValueOp.HAPPENED or node.op is ValueOp.HAPPENED_LAST_TURN:
        kind, by, of = node.args
        named = [f"{name}={operand_notation(a)}" for name, a in (("by", by), ("of", of)) if a is not None]
        return _call(_VALUE_CALLS[node.op], [operand_notation(kind), *named])
    return _call(_VALUE_CALLS[node.op], [operand_notation(a) for a in node.args if a is not None])


def _infix(node: Value, sign: str) -> str:
    # Inner sums and products keep their brackets: the shape of the tree is the card's.
    left, right = (
        f"({p})" if _loose(a) else p for a, p in zip(node.args, map(operand_notation, node.args), strict=True)
    )
    return f"{left} {sign} {right}"


def _loose(node: object) -> bool:
    """Return whether `node` is written with a sign, so that it needs brackets beside another."""
    if not isinstance(node, Value) or node in _NAMED_VALUES:
        return False
    inner = node.args[0] if node.op is ValueOp.NOT else None
    return node.op in _INFIX or (isinstance(inner, Value) and inner.op in _NEGATED)


# ------------------------------------------------------------------------------------------------- filters
def _filter(node: Filter) -> str:
    named = _NAMED_FILTERS.get(node)
    if named:
        return named
    operand = node.args[0] if node.args else None
    if isinstance(operand, TypeBit | Color):
        negative = node.op in (FilterOp.TYPES_NONE, FilterOp.COLORS_NONE)
        words = _mask_words(operand)
        text = " | ".join(words)
        if negative:
            return f"~({text})" if len(words) > 1 else f"~{text}"
        return text
    if node.op in (FilterOp.KEYWORDS_ALL, FilterOp.KEYWORDS_NONE):
        return ("~" if node.op is FilterOp.KEYWORDS_NONE else "") + f"has({operand_notation(operand)})"
    if node.op in _RANGE_CALLS or node.op is FilterOp.COMPARE:
        return _range(node)
    if node.op is FilterOp.NOT:
        return f"~{_tight(node.parts[0])}"
    if node.op is FilterOp.AND:
        left, right = node.parts
        return f"{_filter(left) if left.op is FilterOp.AND else _tight(left)} & {_tight(right)}"
    if node.op is FilterOp.OR:
        left, right = node.parts
        return f"{_filter(left)} | {_tight(right)}"
    return _call(_FILTER_CALLS[node.op], [operand_notation(a) for a in node.args])


def _range(node: Filter) -> str:
    if node.op is FilterOp.COMPARE:
        fact, low, high = node.args
        assert isinstance(fact, FactKind)
        word = _COMPARE_CALLS.get(fact, "compare")
        parts = [] if fact in _COMPARE_CALLS else [operand_notation(fact)]
    else:
        low, high = node.args
        word, parts = _RANGE_CALLS[node.op], []
    ends = (("at_least", low, INT_MIN), ("at_most", high, INT_MAX))
    parts += [f"{name}={operand_notation(bound)}" for name, bound, no in ends if operand_notation(bound) != str(no)]
    return f"{word}({', '.join(parts)})"


def _tight(node: Filter) -> str:
    """Return `node` so that ``~``, ``&`` and ``|`` can stand before it."""
    text = _filter(node)
    several = node.op in (FilterOp.TYPES_ANY, FilterOp.COLORS_ANY) and " | " in text
    loose = several or node.op in (FilterOp.AND, FilterOp.OR)
    return f"({text})" if loose and node not in _NAMED_FILTERS else text


def _mask_words(mask: TypeBit | Color) -> list[str]:
    kind = type(mask)
    words = {f.args[0]: n for n, f in FILTER_WORDS.items() if len(f.args) == 1 and type(f.args[0]) is kind}
    return [words.get(bit, str(bit.name).lower()) for bit in kind if bit in mask]


# ---------------------------------------------------------------------------------- effects, changes, costs
def _prevent_from(node: Effect) -> str:
    source, to, amount, duration, which, still, _ = node.args
    how = "all_damage" if isinstance(which, int) and which & DamageFlag.ALL else operand_notation(amount)
    parts = [operand_notation(source), "everything" if to is None else operand_notation(to), how]
    if still is not None:
        parts.append(f"still={operand_notation(still)}")
    if duration != Duration.END_OF_TURN:
        parts.append(f"duration={operand_notation(duration)}")
    if isinstance(which, int) and which & DamageFlag.TOTAL_BY:
        parts.append("each_time=True")
    return _call("prevent_from", parts)


def _effect(node: Effect) -> str:
    if node.op is EffectOp.APPLY:
        return _apply(node)
    if node.op is EffectOp.PREVENT:
        return _prevent(node)
    if node.op is EffectOp.PREVENT_FROM:
        return _prevent_from(node)
    if node.op in (EffectOp.CAST, EffectOp.PERMIT, EffectOp.CHANGE_TEXT):
        return _change_text(node) if node.op is EffectOp.CHANGE_TEXT else _play(node)
    if node.op is EffectOp.MILL and isinstance(node.args[2], MoveFlag) and MoveFlag.EXILED in node.args[2]:
        amount = [] if node.args[1] == Value(ValueOp.CONST, (1,)) else [operand_notation(node.args[1])]
        link = ["link=True"] * (MoveFlag.LINK in node.args[2])
        return _call("exile_top", [operand_notation(node.args[0]), *amount, *link])
    if node.op is EffectOp.DAY:
        return "become_day" if node.args[0] == 1 else "become_night"
    if node.op is EffectOp.TITLE:
        return _call(
            "become_monarch" if node.args[1] == MONARCH else "take_initiative", [operand_notation(node.args[0])]
        )
    call = _EFFECT_CALLS[node.op]
    parts = [operand_notation(node.args[i]) for i in call.order]
    parts += [f"{n}={operand_notation(node.args[i])}" for n, i, left_out in call.named if node.args[i] != left_out]
    for i, mark, text in call.marks:
        flags = node.args[i]
        assert isinstance(flags, int)
        parts += [text] * bool(flags & mark)
    for (_, sort), operand in zip(EFFECT_SIGNATURES[node.op], node.args, strict=True):
        if sort is Sort.EXCEPTIONS:
            parts += _exceptions(operand)
    if node.op is EffectOp.REVEAL_UNTIL and node.args[4] is not Zone.LIBRARY:
        parts.append(f"rest={operand_notation(node.args[4])}")
    if node.op is EffectOp.DIG and node.args[5:] != (Zone.LIBRARY, MoveFlag.BOTTOM):
        parts.append(f"rest={operand_notation(node.args[6] if node.args[5] is Zone.LIBRARY else node.args[5])}")
    return _call(call.word, parts)


def _apply(node: Effect) -> str:
    """Return APPLY by the word that says it best."""
    what, changes, duration = node.args
    assert isinstance(changes, tuple)
    parts = [operand_notation(what)]
    ops = [c.op for c in changes]
    end = [] if duration is Duration.END_OF_TURN else [f"duration={operand_notation(duration)}"]
    if ChangeOp.ADD_CHOSEN_ABILITY in ops:
        return _call("protection_from_chosen_color", parts + end)
    plain = not any(c.keywords for c in changes)
    if plain and ops in ([ChangeOp.ADD_PT], [ChangeOp.ADD_KEYWORDS, ChangeOp.ADD_PT]):
        words = [operand_notation(a) for a in changes[-1].args]
        words += [operand_notation(a) for c in changes[:-1] for a in c.args]
        return _call("pump", parts + words + end)
    if ops == [ChangeOp.ADD_KEYWORDS]:
        return _call("gains", [*parts, *_gained(changes[0]), *end])
    return _call("apply", [*parts, *map(notation, changes), *end])


def _prevent(node: Effect) -> str:
    from lkicore.opcodes import DamageFlag

    to, amount, duration, which, _ = node.args
    assert isinstance(which, DamageFlag)
    parts = ["everything" if to is None else operand_notation(to)]
    parts.append("all_damage" if DamageFlag.ALL in which else operand_notation(amount))
    parts += ["combat=True"] * (DamageFlag.COMBAT in which)
    parts += [f"duration={operand_notation(duration)}"] * (duration is not Duration.END_OF_TURN)
    parts += ["by=True"] * (DamageFlag.BY in which)
    return _call("prevent", parts)


def _change_text(node: Effect) -> str:
    player, what, word, duration, to = node.args
    parts = [operand_notation(what), next(quoted(text) for text, kind in TEXT_WORDS.items() if kind is word)]
    parts += [f"duration={operand_notation(duration)}"] * (duration is not Duration.PERMANENT)
    parts += [f"to={quoted(str(to))}"] * (to is not None)
    parts += [f"player={operand_notation(player)}"] * (player != _references.you)
    return _call("change_text", parts)


def _play(node: Effect) -> str:
    """Return CAST or PERMIT with what their way means."""
    player, what, way, how, *limit = node.args
    assert isinstance(way, Way)
    parts = [operand_notation(player), operand_notation(what)]
    casting = node.op is EffectOp.CAST
    if not casting and how is not Duration.END_OF_TURN:
        parts.append(operand_notation(how))
    if way.kind is not (WayKind.FREE if casting else WayKind.NORMAL):
        parts.append(f"way={operand_notation(way.kind)}")
    if way.cost is not None and way.cost.mana != NO_MANA:
        parts.append(f"cost={quoted(str(way.cost.mana))}")
    if casting:
        assert isinstance(how, PlayFlag)
        parts += [f"{str(bit.name).lower()}=True" for bit in PlayFlag if bit in how]
    else:
        both = way.flags & (WayFlag.LANDS | WayFlag.SPELLS)
        parts += [f"played={quoted(word)}" for word, bits in PLAYED.items() if bits == both and word != "cards"]
    parts += [f"{name}=True" for name, bit in _WAY_MARKS if bit in way.flags]
    parts += [f"at_most={operand_notation(most)}" for most in limit if most is not None]
    return _call("cast_now" if casting else "may_play", parts)


def _mana_use(node: ManaUse) -> str:
    marks = [f"{name}=True" for name in ("sure", "stays", "besides") if getattr(node, name)]
    return _call("spend_on", [operand_notation(node.what), *marks])


#: Names of the marks of a way, in the order in which they are written.
_WAY_MARKS = (
    ("any_color", WayFlag.ANY_COLOR),
    ("instant", WayFlag.INSTANT),
    ("sorcery", WayFlag.SORCERY),
    ("later", WayFlag.LATER),
    ("exiled", WayFlag.EXILE_INSTEAD),
    ("main_face", WayFlag.MAIN_FACE),
)


def _gained(node: Change) -> list[str]:
    (mask,) = node.args
    return [operand_notation(mask)] * bool(mask) + [quoted(text) for text in node.keywords]


def _change(node: Change) -> str:
    if node in _NAMED_CHANGES:
        return _NAMED_CHANGES[node]
    word = _CHANGE_CALLS[node.op]
    if node.op is ChangeOp.ADD_KEYWORDS:
        return _call(word, _gained(node))
    if node.op in (ChangeOp.ADD_ABILITY, ChangeOp.ADD_CHOSEN_ABILITY):
        return word
    if node.op is ChangeOp.PROTECT_PLAYER:
        return _call(word, [operand_notation(getattr(node.args[0], "source", None))])
    if node.op in (ChangeOp.SET_COLORS, ChangeOp.ADD_COLORS):
        (colors,) = node.args
        assert isinstance(colors, Color)
        return _call(word, [quoted("".join(c for c in COLOR_LETTERS if Color[c] in colors) or "colorless")])
    return _call(word, [operand_notation(a) for a in node.args])


def _enter(node: Enter) -> str:
    if node in _NAMED_ENTERS:
        return _NAMED_ENTERS[node]
    if node.op is EnterOp.CHOOSE:
        _, who, most = node.args
        return _call("choose_number", [str(most)]) if who is None else _call("choose_player", [operand_notation(who)])
    if node.op is EnterOp.UNLESS_PAID:
        (price,) = node.args
        assert isinstance(price, Cost)
        return _call("tapped_unless", [quoted(cost_notation(price))])
    if node.op is EnterOp.DELAY:
        return f"delay until {operand_notation(node.args[1])}"
    if node.op is EnterOp.DEVOUR:
        return _call("devour", [str(node.args[0])])
    if node.op is EnterOp.EITHER:
        kind, amount, other = node.args
        assert isinstance(other, tuple)
        gained = [str(change.args[0].name).lower() for change in other]
        return _call("counters_or", [operand_notation(amount), operand_notation(kind), *gained])
    if node.op is EnterOp.COPY:
        of, but, _ = node.args
        return _call("as_copy", [operand_notation(of), *_exceptions(but)])
    kind, amount = node.args
    return _call("counters", [operand_notation(amount), operand_notation(kind)])


def _exceptions(but: object) -> list[str]:
    """Return the exceptions of a copy as an operand, if there are any."""
    assert isinstance(but, tuple)
    told = ", ".join(map(operand_notation, but))
    return [f"but=({told})" if len(but) > 1 else f"but={told}"] * bool(but)


def _cost_part(node: CostPart) -> str:
    word, order = _COST_CALLS[node.op]
    operands = [node.args[i] for i in order]
    if node.op is CostOp.REMOVE_COUNTERS and operands[0] == X_OF_THEM:
        return _call(word, ["x", *(operand_notation(a) for a in operands[1:])])
    if node.op is CostOp.CREW:
        return _call(word, [operand_notation(a) for a in operands if a != creature])
    if len(operands) == 2 and operands[1] in (1, everything):
        operands.pop()
    return _call(word, [operand_notation(a) for a in operands])


def cost_notation(cost: Cost) -> str:
    """Return `cost` as it is written in card files."""
    parts = [str(cost.mana)] if cost.mana != NO_MANA or not (cost.flags or cost.parts) else []
    parts += [word for word, flag in FLAG_WORDS.items() if flag in cost.flags]
    return ", ".join([*parts, *map(_cost_part, cost.parts)])


def _target(node: TargetSpec) -> str:
    if node.divided is not None:
        return f"divided_among({operand_notation(node.divided)}, {_target(replace(node, divided=None))})"
    inner = _filter(node.filter)
    if node.x:
        return f"x_targets({inner})"
    if node.most == ANY_NUMBER and not node.least:
        return f"any_number({inner})"
    if node.least == node.most:
        return inner if node.most == 1 else f"exactly({node.most}, {inner})"
    return f"up_to({node.most}, {inner})"


# -------------------------------------------------------------------------------------------------- events
#: How events are written: the word, and names of operands by attribute; the first attribute is written in order.
_EVENT_CALLS: dict[EventKind, tuple[str, tuple[tuple[str, str], ...]]] = {
    EventKind.NONE: ("nothing", ()),
    EventKind.ENTERS: ("enters", (("object", ""), ("zone_from", "from_zone"))),
    EventKind.LEAVES: ("leaves", (("object", ""), ("zone_to", "to_zone"))),
    EventKind.MOVES: ("moves", (("object", ""), ("zone_from", "from_zone"), ("zone_to", "to_zone"))),
    EventKind.SACRIFICED: ("sacrificed", (("object", ""), ("player", "by"))),
    EventKind.CAST: ("cast", (("object", ""), ("player", "by"))),
    EventKind.ACTIVATED: ("activated", (("object", ""), ("player", "by"))),
    EventKind.ATTACKS: ("attacks", (("object", ""), ("player", "whom"))),
    EventKind.BLOCKS: ("blocks", (("object", ""), ("other", "what"))),
    EventKind.BECOMES_BLOCKED: ("becomes_blocked", (("object", ""),)),
    EventKind.DAMAGE: ("deals_damage", (("object", ""), ("other", "to"), ("player", "to"))),
    EventKind.GAINS_LIFE: ("gains_life", (("player", ""),)),
    EventKind.LOSES_LIFE: ("loses_life", (("player", ""),)),
    EventKind.DRAWS: ("draws", (("player", ""), ("object", "what"))),
    EventKind.DISCARDS: ("discards", (("player", ""), ("object", "what"))),
    EventKind.TAPPED: ("becomes_tapped", (("object", ""),)),
    EventKind.UNTAPPED: ("becomes_untapped", (("object", ""),)),
    EventKind.COUNTERS_PUT: ("counters_put", (("object", ""), ("counter", "kind"))),
    EventKind.STEP: ("begins", (("step", ""), ("player", "whose"))),
    EventKind.TARGETED: ("becomes_target", (("object", ""), ("other", "of"), ("player", "by"))),
    EventKind.PLAYER_TARGETED: ("becomes_target", (("player", ""), ("other", "of"))),
    EventKind.COUNTERS_REMOVED: ("counters_removed", (("object", ""), ("counter", "kind"))),
    EventKind.ATTACHED: ("becomes_attached", (("object", ""), ("other", "to"))),
    EventKind.UNATTACHED: ("becomes_unattached", (("object", ""), ("other", "from_"))),
    EventKind.UNBLOCKED: ("unblocked", (("object", ""),)),
    EventKind.EXERTED: ("exerted", (("object", ""), ("player", "by"))),
    EventKind.LAND_PLAYED: ("land_played", (("player", ""), ("object", "what"))),
    EventKind.SCRY: ("scries", (("player", ""),)),
    EventKind.COUNTERED: ("is_countered", (("object", ""),)),
    EventKind.ATTACKERS: ("attackers", (("player", ""),)),
    EventKind.TRANSFORMS: ("transforms", (("object", ""),)),
    EventKind.PHASES_OUT: ("phases_out", (("object", ""),)),
    EventKind.PHASES_IN: ("phases_in", (("object", ""),)),
    EventKind.TURNED_UP: ("turned_up", (("object", ""),)),
    EventKind.LEVEL: ("becomes_level", (("object", ""),)),
    EventKind.LOSES_CONTROL: ("loses_control", (("object", ""), ("player", "by"))),
    EventKind.LOSES_GAME: ("loses_game", (("player", ""),)),
    EventKind.REFLEXIVE: ("when_you_do", ()),
    EventKind.MANA: ("tapped_for_mana", (("object", ""), ("player", "by"))),
    EventKind.COPIED: ("copied", (("object", ""), ("player", "by"))),
    EventKind.DELAYED: ("when_the_time_has_come", ()),
    EventKind.PUT: (
        "put_into",
        (("object", ""), ("zone_to", "zone"), ("not_from", "not_from"), ("zone_from", "from_zone")),
    ),
    EventKind.ACTION: ("does", (("action", ""), ("object", "what"), ("player", "what"))),
    EventKind.STATE: ("state", ()),
    EventKind.PLAYER_COUNTERS: ("gets_counters", (("player", ""), ("counter", "kind"))),
    EventKind.TITLE: ("title", (("player", ""),)),
    EventKind.ROOM: ("room", ()),
    EventKind.DAY: ("day", ()),
    EventKind.FLIP: ("flips_coin", (("player", ""),)),
    EventKind.ROLL: ("rolls_die", (("player", ""),)),
    EventKind.PROLIFERATE: ("proliferates", (("player", ""),)),
}
covers(EventKind, _EVENT_CALLS, "words of events")


def _event(node: Event) -> str:
    word, attributes = _EVENT_CALLS[node.kind]
    if node.kind is EventKind.STATE:
        return word
    if node.kind is EventKind.LEAVES and node.zone_to is Zone.GRAVEYARD:
        word, attributes = "dies", attributes[:1]
    if node.kind is EventKind.CAST and node.object is None:
        word, attributes = "cast", attributes[1:]
    if node.kind is EventKind.DAY:
        return ("day_or_night_comes", "day_comes", "night_comes")[node.number]
    if node.kind is EventKind.ROOM:
        return _call("room", [str(n) for n in (node.number, *node.exits)])
    if node.kind is EventKind.TITLE:
        word = "becomes_monarch" if node.title == MONARCH else "takes_initiative"
    parts = []
    for attribute, name in attributes:
        operand = getattr(node, attribute)
        if not name:
            parts.append("everything" if operand is None else operand_notation(operand))
        elif operand is not None and operand != "":
            parts.append(f"{name}={operand_notation(operand)}")
    if node.kind is EventKind.ACTION and node.object is None and node.player is None:
        parts.append("everything")
    parts += ["alone=True"] * (TriggerFlag.ALONE in node.flags)
    if TriggerFlag.TOGETHER in node.flags:
        parts.append('together="power"' if TriggerFlag.TOTAL_POWER in node.flags else "together=True")
    parts += ["revealed=True"] * (TriggerFlag.REVEAL in node.flags)
    parts += ["combat=True"] * (TriggerFlag.COMBAT in node.flags)
    parts += ["combat=False"] * (TriggerFlag.NONCOMBAT in node.flags)
    return f"{word}({', '.join(parts)})"


_WRITERS: dict[type, Callable[..., str]] = {
    Filter: _filter,
    Ref: _ref,
    Value: _value,
    Effect: _effect,
    Change: _change,
    Enter: _enter,
    Event: _event,
    TargetSpec: _target,
    CostPart: _cost_part,
}
