"""Expectations: every fact is compared, and every difference reported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lkicore import _inspect
from lkicore import characteristics as chars
from lkicore.ir.players import MONARCH
from lkicore.ir.values import COUNTER_NAMES
from lkicore.opcodes import CounterKind, GameStatus, ObjectFlag, Step, Zone
from lkicore.records import ObjectFacts

from .errors import StepError
from .labels import Handle, all_objects, player_of, same_name
from .model import ALL_ZONES, STEP_WORDS, ZONE_WORDS, Action
from .table import Table

#: A difference: what was expected, what there is.
Difference = tuple[str, str]


def check_facts(table: Table, expected: Mapping[str, Any]) -> None:
    """Compare all expectations with the game; `StepError` with every difference."""
    found = [difference for key, value in expected.items() for difference in _CHECKS[key](table, key, value)]
    if found:
        raise StepError("; ".join(e for e, _ in found), "; ".join(g for _, g in found))


def _words(value: Any) -> str:
    """A value as a scenario would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, set | frozenset):
        value = sorted(value)
    return json.dumps(value, ensure_ascii=False)


def _differs(what: str, expected: Any, got: Any) -> Iterator[Difference]:
    if expected != got:
        yield f"{what} {_words(expected)}", _words(got)


# ------------------------------------------------------------------------------------------ players
def _by_player(read: Callable[[Table, int], int]) -> Callable[[Table, str, Any], Iterator[Difference]]:
    def check(table: Table, key: str, value: Mapping[int, int]) -> Iterator[Difference]:
        for player, n in value.items():
            yield from _differs(f"{key} of p{player}", n, read(table, player))

    return check


def _zone_size(zone: Zone) -> Callable[[Table, int], int]:
    return lambda table, player: len(table.game.zone(zone, player))


def player_counters(table: Table, player: int, word: str) -> int:
    """Counters of a kind that a player has (CR 122.1)."""
    names = table.pool.assembly.counter_names
    if word in COUNTER_NAMES:
        return _inspect.player_counters(table.game, player, int(COUNTER_NAMES[word]))
    if word not in names:
        return 0
    return _inspect.player_counters(table.game, player, len(CounterKind) + names.index(word))


def _monarch(table: Table, key: str, value: int | None) -> Iterator[Difference]:
    """The player who has the title, from the object in the command zone that stands for it (CR 724.1)."""
    game = table.game
    held = [o for o in map(game.object, game.zone(Zone.COMMAND)) if o is not None and o.name == MONARCH]
    got = f"p{held[0].owner}" if held else None
    yield from _differs(key, None if value is None else f"p{value}", got)


def _day(table: Table, key: str, value: str | None) -> Iterator[Difference]:
    yield from _differs(key, value, (None, "day", "night")[_inspect.day(table.game)])


def _mana_pool(table: Table, key: str, value: Mapping[int, Mapping[str, int]]) -> Iterator[Difference]:
    """Mana of the letters named; an empty map stands for an empty pool."""
    for player, mana in value.items():
        got = chars.pool_words(_inspect.mana_pool(table.game, player))
        if any(got.get(letter, 0) != n for letter, n in mana.items()) or (not mana and got):
            yield from _differs(f"{key} of p{player}", dict(mana), got if got != mana else {**got})


def _alive(table: Table, key: str, value: list[int]) -> Iterator[Difference]:
    """The players listed are in the game, or have left it; an empty list stands for nobody."""
    alive = set(_inspect.alive(table.game))
    got = alive if key == "alive" else set(range(table.game.players)) - alive
    if not set(value) <= got or (not value and got):
        yield f"{key} {_words([f'p{p}' for p in sorted(set(value))])}", _words([f"p{p}" for p in sorted(got)])


def _winner(table: Table, key: str, value: int | str) -> Iterator[Difference]:
    game = table.game
    got = "none: the game goes on"
    if game.status is GameStatus.ENDED:
        got = f"p{game.winner}" if game.winner >= 0 else "draw"
    yield from _differs(key, f"p{value}" if isinstance(value, int) else value, got)


def _turn(table: Table, key: str, value: Mapping[str, Any]) -> Iterator[Difference]:
    game = table.game
    got: dict[str, Any] = {"turn": table.turn, "active": game.active_player, "step": STEP_WORDS[Step(game.step)]}
    for part, wanted in value.items():
        show: Callable[[Any], Any] = (lambda p: f"p{p}") if part == "active" else lambda v: v
        yield from _differs(f"{key} {part}" if part != "turn" else key, show(wanted), show(got[part]))


# ------------------------------------------------------------------------------------------ objects
def _each(
    read: Callable[[Table, str, str, Any], Iterator[Difference]],
) -> Callable[[Table, str, Any], Iterator[Difference]]:
    """A check of every label of a map; a label without an object is a difference of its own."""

    def check(table: Table, key: str, value: Mapping[str, Any]) -> Iterator[Difference]:
        for label, wanted in value.items():
            try:
                yield from read(table, key, label, wanted)
            except StepError as error:
                yield f"{key} of {label} {_words(wanted)}", error.got

    return check


def _object(table: Table, label: str) -> ObjectFacts:
    obj = table.labels.object(table.game, label)
    facts = table.game.object(obj) if obj else None
    if facts is None:
        raise StepError(label, f"{label} is nowhere")
    return facts


def _columns(table: Table, label: str) -> dict[str, Any]:
    obj = table.labels.object(table.game, label)
    facts = table.game.facts(obj)
    if facts is None:
        raise StepError(label, f"{label} is nowhere")
    return facts


def _zone_word(zone: Zone) -> str:
    """A zone as scenarios call it: what has phased out is on the battlefield (CR 702.26d)."""
    return "battlefield" if zone is Zone.PHASED_OUT else str(ZONE_WORDS[zone])


def _zone(table: Table, key: str, label: str, wanted: str) -> Iterator[Difference]:
    obj = table.labels.object(table.game, label)
    facts = table.game.object(obj) if obj else None
    yield from _differs(f"{key} of {label}", wanted, _zone_word(facts.zone) if facts else "none")


def _column(read: Callable[[ObjectFacts], Any]) -> Callable[[Table, str, str, Any], Iterator[Difference]]:
    def check(table: Table, key: str, label: str, wanted: Any) -> Iterator[Difference]:
        yield from _differs(f"{key} of {label}", wanted, read(_object(table, label)))

    return check


def _seat(read: Callable[[ObjectFacts], int]) -> Callable[[Table, str, str, Any], Iterator[Difference]]:
    def check(table: Table, key: str, label: str, wanted: int) -> Iterator[Difference]:
        yield from _differs(f"{key} of {label}", f"p{wanted}", f"p{read(_object(table, label))}")

    return check


def _counters(table: Table, key: str, label: str, wanted: Mapping[str, int]) -> Iterator[Difference]:
    """Counters of the kinds named, on an object or a player."""
    player = player_of(label, table.labels)
    if player >= 0:
        got = {word: player_counters(table, player, word) for word in wanted}
    else:
        got = chars.counters(table.pool, _columns(table, label))
    for word, n in wanted.items():
        yield from _differs(f"{key} ({word}) of {label}", n, got.get(word, 0))


def _listed(
    read: Callable[[Table, dict[str, Any]], set[str]],
) -> Callable[[Table, str, str, list[str]], Iterator[Difference]]:
    """All words that are listed are there, or with `not_` none of them."""

    def check(table: Table, key: str, label: str, wanted: list[str]) -> Iterator[Difference]:
        yield from _compare_words(key, label, wanted, read(table, _columns(table, label)))

    return check


def _compare_words(key: str, label: str, wanted: list[str], got: set[str]) -> Iterator[Difference]:
    there = {word for word in wanted if word in got or word.casefold() in got}
    if key.startswith("not_"):
        if there:
            yield f"{key} of {label} {_words(wanted)}", _words(got)
    elif len(there) < len(set(wanted)) or (key == "colors" and not wanted and got):
        yield f"{key} of {label} {_words(wanted)}", _words(got)


def _types(table: Table, key: str, label: str, wanted: list[str]) -> Iterator[Difference]:
    yield from _compare_types(table, key, label, wanted, _columns(table, label))


def _compare_types(
    table: Table, key: str, label: str, wanted: list[str], facts: Mapping[str, Any]
) -> Iterator[Difference]:
    there = [word for word in wanted if chars.has_type(table.pool, facts, word)]
    if there if key.startswith("not_") else len(there) < len(wanted):
        yield f"{key} of {label} {_words(wanted)}", _words(chars.types(table.pool, facts))


def _reference(table: Table, obj: int) -> str | None:
    return table.labels.word(table.game, obj) if obj else None


def _same(table: Table, label: str | None, obj: int) -> bool:
    """Whether a label means the object that a reference leads to."""
    if label is None or obj == 0:
        return label is None and obj == 0
    return player_of(label, table.labels) < 0 and table.labels.handle_of(table.game, obj) == table.labels.handle(label)


def _attached_to(table: Table, key: str, label: str, wanted: str | None) -> Iterator[Difference]:
    obj = _object(table, label).attached_to
    if not _same(table, wanted, obj):
        yield f"{key} of {label} {_words(wanted)}", _words(_reference(table, obj))


def _attacking(table: Table, key: str, label: str, wanted: str | None) -> Iterator[Difference]:
    obj = _object(table, label)
    if obj.attacking >= 0 and obj.blocking:
        # A planeswalker or battle (CR 508.1b).
        if not _same(table, wanted, obj.blocking):
            yield f"{key} of {label} {_words(wanted)}", _words(_reference(table, obj.blocking))
        return
    got = None if obj.attacking < 0 else f"p{obj.attacking}"
    yield from _differs(f"{key} of {label}", wanted, got)


def _blocking(table: Table, key: str, label: str, wanted: str | None) -> Iterator[Difference]:
    found = _object(table, label)
    obj = 0 if found.attacking >= 0 else found.blocking
    if not _same(table, wanted, obj):
        yield f"{key} of {label} {_words(wanted)}", _words(_reference(table, obj))


# ------------------------------------------------------------------------------------------ numbers of objects
def _tokens(table: Table, key: str, value: Mapping[int, Mapping[str, int]]) -> Iterator[Difference]:
    there = [obj for obj in table.game.objects(Zone.BATTLEFIELD) if obj.flags & ObjectFlag.TOKEN]
    for player, counts in value.items():
        for name, n in counts.items():
            got = sum(obj.controller == player and same_name(table.pool, obj.name, name) for obj in there)
            yield from _differs(f"{key} of p{player} named {name}", n, got)


def _count(table: Table, key: str, value: list[dict[str, Any]]) -> Iterator[Difference]:
    for wanted in value:
        zone = ALL_ZONES[wanted["zone"]]
        what = [key, *([f"of p{wanted['player']}"] if "player" in wanted else []), f"in {wanted['zone']}"]
        what += [f"named {wanted['name']}"] if "name" in wanted else []
        what += [["untapped", "tapped"][wanted["tapped"]]] if "tapped" in wanted else []
        yield from _differs(" ".join(what), wanted["n"], _number(table, zone, wanted))


def _number(table: Table, zone: Zone, wanted: Mapping[str, Any]) -> int:
    game = table.game
    if zone is Zone.NONE:
        gone = [card for card in table.labels.cards if Handle(card=card).now(game) == 0]
        return sum("name" not in wanted or table.labels.cards[card] == wanted["name"] for card in gone)
    n = 0
    for obj in all_objects(game, zone):
        who = obj.controller if zone in (Zone.BATTLEFIELD, Zone.STACK) else obj.owner
        if "player" in wanted and who != wanted["player"]:
            continue
        if "tapped" in wanted and obj.tapped is not wanted["tapped"]:
            continue
        ability = bool(obj.flags & ObjectFlag.ABILITY)
        if "name" in wanted and (ability or not same_name(table.pool, obj.name, wanted["name"])):
            continue
        n += 1
    return n


def _stack(table: Table, key: str, value: int | list[str]) -> Iterator[Difference]:
    game = table.game
    stack = list(reversed(game.zone(Zone.STACK)))
    if isinstance(value, int):
        if len(stack) != value:
            yield f"{key} {value}", f"{len(stack)} ({table.labels.stack_words(game)})"
        return
    sources = [table.labels.source(obj) for obj in stack]
    if sources != [table.labels.handle(label.removeprefix("stack:")) for label in value]:
        yield f"{key} {_words(value)}", table.labels.stack_words(game)


# ------------------------------------------------------------------------------------------ what has happened
def _resolved(table: Table, key: str, value: list[str]) -> Iterator[Difference]:
    """Whether the newest spell or ability of a label that left the stack resolved."""
    for label in value:
        handle = table.labels.handle(label.removeprefix("stack:"))
        left = [resolved for obj, resolved in table.outcome.items() if table.labels.source(obj) == handle]
        if not left:
            yield f"{key} {label}", "nothing of it has left the stack"
        elif left[-1] is not (key == "resolved"):
            yield f"{key} {label}", "it resolved" if left[-1] else "it left the stack without resolving"


def _lki(table: Table, key: str, label: str, wanted: Mapping[str, Any]) -> Iterator[Difference]:
    """Last known information of a card's newest departure (CR 608.2h)."""
    handle = table.labels.handle(label.removeprefix("stack:"))
    rows = [
        row
        for row in table.departures.values()
        if (row["card"] == handle.card if handle.card >= 0 else row["id"] == handle.token)
    ]
    public = [row for row in rows if row["zone"] in (Zone.BATTLEFIELD, Zone.STACK)]
    if "zone" in wanted:
        rows = [row for row in rows if row["zone"] == ALL_ZONES[wanted["zone"]]]
    elif public:
        rows = public
    if not rows:
        where = f" from {wanted['zone']}" if "zone" in wanted else ""
        yield f"{key} of {label} {_words(dict(wanted))}", f"{label} has not departed{where}"
        return
    row = max(rows, key=lambda r: (r["tick"], r["id"]))
    for part, value in wanted.items():
        yield from _lki_part(table, f"{key} of {label}:", part, value, row)


def _lki_part(table: Table, what: str, part: str, wanted: Any, row: Mapping[str, Any]) -> Iterator[Difference]:
    pool = table.pool
    if part in ("power", "toughness", "damage"):
        yield from _differs(f"{what} {part}", wanted, row[part])
    elif part == "controller":
        yield from _differs(f"{what} {part}", f"p{wanted}", f"p{row[part]}")
    elif part == "tapped":
        yield from _differs(f"{what} {part}", wanted, bool(row["status"] & 1))
    elif part == "counters":
        got = chars.counters(pool, row)
        for word, n in wanted.items():
            yield from _differs(f"{what} {word} counters", n, got.get(word, 0))
    elif part == "keywords":
        yield from _prefixed(what, _compare_words(part, "it", wanted, chars.keywords(pool, row)))
    elif part == "colors":
        yield from _prefixed(what, _compare_words(part, "it", wanted, chars.colors(row)))
    elif part == "types":
        yield from _prefixed(what, _compare_types(table, part, "it", wanted, row))
    elif part == "attached_to" and not _same(table, wanted, row[part]):
        yield f"{what} {part} {_words(wanted)}", _words(_reference(table, row[part]))


def _prefixed(what: str, differences: Iterator[Difference]) -> Iterator[Difference]:
    for expected, got in differences:
        yield f"{what} {expected.replace(' of it', '', 1)}", got


def _possible(table: Table, key: str, value: list[Action]) -> Iterator[Difference]:
    """Whether actions would be legal now, with some choice of what they don't say."""
    from .script import try_action

    for action in value:
        why = try_action(table, action, anyhow=True)
        if key == "can" and why is not None:
            yield f"can {action.verb} {_words(action.value)}", why
        elif key == "cannot" and why is None:
            yield f"cannot {action.verb} {_words(action.value)}", "it is legal"


_CHECKS: dict[str, Callable[[Table, str, Any], Iterator[Difference]]] = {
    "life": _by_player(lambda table, player: table.game.life(player)),
    "poison": _by_player(lambda table, player: _inspect.poison(table.game, player)),
    "energy": _by_player(lambda table, player: player_counters(table, player, "energy")),
    "hand": _by_player(_zone_size(Zone.HAND)),
    "library": _by_player(_zone_size(Zone.LIBRARY)),
    "graveyard": _by_player(_zone_size(Zone.GRAVEYARD)),
    "zone": _each(_zone),
    "controller": _each(_seat(lambda obj: obj.controller)),
    "owner": _each(_seat(lambda obj: obj.owner)),
    "pt": _each(_column(lambda obj: [obj.power, obj.toughness])),
    "damage": _each(_column(lambda obj: obj.damage)),
    "tapped": _each(_column(lambda obj: obj.tapped)),
    "loyalty": _each(_column(lambda obj: obj.counters["loyalty"])),
    "counters": _each(_counters),
    "keywords": _each(_listed(lambda table, facts: chars.keywords(table.pool, facts))),
    "not_keywords": _each(_listed(lambda table, facts: chars.keywords(table.pool, facts))),
    "types": _each(_types),
    "not_types": _each(_types),
    "colors": _each(_listed(lambda _table, facts: chars.colors(facts))),
    "not_colors": _each(_listed(lambda _table, facts: chars.colors(facts))),
    "attached_to": _each(_attached_to),
    "attacking": _each(_attacking),
    "blocking": _each(_blocking),
    "tokens": _tokens,
    "count": _count,
    "stack": _stack,
    "resolved": _resolved,
    "not_resolved": _resolved,
    "lki": _each(_lki),
    "turn": _turn,
    "alive": _alive,
    "lost": _alive,
    "winner": _winner,
    "mana_pool": _mana_pool,
    "monarch": _monarch,
    "day": _day,
    "can": _possible,
    "cannot": _possible,
}
