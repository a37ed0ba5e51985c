"""Declared reads: what else than the object itself a static ability looks at (CR 613.5-6).

A change there makes the values of what it affects dirty. What is written about an object that it affects (types,
colours, subtypes, keywords, controller) needs no read: its own change makes it dirty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lkicore.ir.filters import Filter
from lkicore.ir.operands import covers
from lkicore.ir.references import Ref, it, source
from lkicore.ir.values import Value
from lkicore.ir.words import notation
from lkicore.opcodes import ChangeOp, FactKind, FilterOp, Read, RefOp, ValueOp, Zone

from .programs import nodes_in

if TYPE_CHECKING:
    from lkicore.ir.abilities import StaticAbility

_NOTHING = Read(0)

_OF_FILTERS: dict[FilterOp, Read] = {
    FilterOp.TAPPED: Read.TAPPED,
    FilterOp.UNTAPPED: Read.TAPPED,
    FilterOp.ATTACKING: Read.COMBAT,
    FilterOp.BLOCKING: Read.COMBAT,
    FilterOp.BLOCKED: Read.COMBAT,
    FilterOp.ATTACKS_YOU: Read.COMBAT,
    FilterOp.UNBLOCKED: Read.COMBAT,
    FilterOp.BLOCKS_SOURCE: Read.COMBAT,
    FilterOp.BLOCKED_BY_SOURCE: Read.COMBAT,
    FilterOp.COUNTERS: Read.COUNTERS,
    FilterOp.MODIFIED_BY_COUNTER: Read.COUNTERS,
    FilterOp.DAMAGED: Read.DAMAGE,
    FilterOp.ENCHANTED: Read.ATTACHED,
    FilterOp.EQUIPPED: Read.ATTACHED,
    FilterOp.HOST: Read.ATTACHED,
    FilterOp.POWER: Read.SIZE,
    FilterOp.TOUGHNESS: Read.SIZE,
    FilterOp.SAME_NAME: Read.BOARD,
    FilterOp.SHARES_COLOR: Read.BOARD,
    FilterOp.SHARES_SUBTYPE: Read.BOARD,
    FilterOp.SAME_CONTROLLER: Read.BOARD,
    FilterOp.DAMAGED_BY: Read.HISTORY | Read.TURN,
    FilterOp.DESIGNATED: Read.COUNTERS,
    FilterOp.ENTERED_NOW: Read.HISTORY | Read.TURN,
    FilterOp.ATTACKED_NOW: Read.HISTORY | Read.TURN,
}
_OF_FACTS: dict[FactKind, Read] = {
    FactKind.POWER: Read.SIZE,
    FactKind.TOUGHNESS: Read.SIZE,
    FactKind.MANA_VALUE: _NOTHING,
    FactKind.DAMAGE: Read.DAMAGE,
    FactKind.P1P1: Read.COUNTERS,
}
covers(FactKind, _OF_FACTS, "reads of facts")
_OF_VALUES: dict[ValueOp, Read] = {
    ValueOp.POWER: Read.SIZE,
    ValueOp.TOUGHNESS: Read.SIZE,
    ValueOp.MANA_VALUE: Read.BOARD,
    ValueOp.COUNT: Read.BOARD,
    ValueOp.EXISTS: Read.BOARD,
    ValueOp.GREATEST_POWER: Read.BOARD | Read.SIZE,
    ValueOp.GREATEST: Read.BOARD | Read.SIZE | Read.DAMAGE | Read.COUNTERS,
    ValueOp.LEAST: Read.BOARD | Read.SIZE | Read.DAMAGE | Read.COUNTERS,
    ValueOp.DEVOTION: Read.BOARD,
    ValueOp.COUNT_OF: Read.BOARD,
    ValueOp.NUMBER_OF: Read.BOARD,
    ValueOp.COLORS: Read.BOARD,
    ValueOp.MATCHES: Read.BOARD,
    ValueOp.ON_BATTLEFIELD: Read.BOARD,
    ValueOp.HAND_SIZE: Read.HAND,
    ValueOp.LIFE: Read.LIFE,
    ValueOp.GRAVEYARD_SIZE: Read.GRAVEYARD,
    ValueOp.COUNTERS: Read.COUNTERS,
    ValueOp.LEVEL: Read.COUNTERS,
    ValueOp.DAMAGE: Read.DAMAGE,
    ValueOp.YOUR_TURN: Read.TURN,
    ValueOp.STEP_IS: Read.TURN,
    ValueOp.SORCERY_TIME: Read.TURN,
    ValueOp.HAPPENED: Read.HISTORY | Read.TURN,
    ValueOp.HAPPENED_LAST_TURN: Read.HISTORY | Read.TURN,
    ValueOp.DAY_IS: Read.TURN,
    ValueOp.PLAYER_COUNTERS: Read.PLAYERS,
    ValueOp.HAS_TITLE: Read.PLAYERS,
    ValueOp.HAS_FACT: Read.PLAYERS,
}
_OF_ZONES = {
    Zone.BATTLEFIELD: Read.BOARD,
    Zone.HAND: Read.HAND,
    Zone.GRAVEYARD: Read.GRAVEYARD,
    Zone.EXILE: Read.EXILE,
}
_OF_REFS: dict[RefOp, Read] = {
    RefOp.HOST: Read.ATTACHED,
    RefOp.ATTACHED_TO: Read.ATTACHED,
    RefOp.EACH: Read.BOARD,
    RefOp.STATIC_LINKED: Read.BOARD | Read.EXILE,
    RefOp.CONTROLLER_OF: Read.BOARD,
    RefOp.ACTIVE_PLAYER: Read.TURN,
    RefOp.DEFENDING_PLAYER: Read.COMBAT,
    RefOp.BLOCKERS_OF: Read.COMBAT,
}
#: Values that ask about one object; about what the ability affects itself, they need no look at others.
_OF_ONE = (ValueOp.MATCHES, ValueOp.COLORS, ValueOp.MANA_VALUE, ValueOp.ON_BATTLEFIELD)
#: Values and filters whose changes nothing announces.
_UNSEEN = (
    *(ValueOp.VOTES, ValueOp.LIBRARY_SIZE, ValueOp.RESULT, ValueOp.EVENT_AMOUNT),
    *(FilterOp.TARGETS, FilterOp.NEWLY_CONTROLLED),
)


def reads_of(ability: StaticAbility) -> Read:
    """Return what `ability` looks at.

    Raises:
        ValueError: it looks at something whose changes nothing announces.
    """
    itself = ability.affects.op is FilterOp.SOURCE
    found = _reads(ability.affects, itself)
    roots = [ability.condition, *(a for change in ability.changes for a in change.args)]
    if any(change.op is ChangeOp.TYPES_OF_LINKED for change in ability.changes):
        found |= Read.BOARD | Read.EXILE
    for root in roots:
        if isinstance(root, Value):
            found |= _reads(root, itself)
    return found


def _reads(root: object, itself: bool) -> Read:
    """Return the reads of what `root` asks; `itself`: the ability affects nothing but its source."""
    found = _NOTHING
    for node in nodes_in(root):
        if isinstance(node, Filter | Value) and any(node.op is op for op in _UNSEEN):
            raise ValueError(f"a static ability cannot look at {notation(node)}")
        if isinstance(node, Filter):
            found |= _OF_FILTERS.get(node.op, _NOTHING)
            if node.op is FilterOp.COMPARE:
                fact = node.args[0]
                assert isinstance(fact, FactKind)
                found |= _OF_FACTS[fact]
        elif isinstance(node, Value):
            if not (itself and any(node.op is op for op in _OF_ONE) and node.args[0] in (source, it)):
                found |= _OF_VALUES.get(node.op, _NOTHING)
            found |= _zone_reads(node)
        elif isinstance(node, Ref):
            found |= _OF_REFS.get(node.op, _NOTHING)
    return found


def _zone_reads(node: Value) -> Read:
    if node.op is not ValueOp.COUNT_ZONE:
        return _NOTHING
    zone = node.args[1]
    assert isinstance(zone, Zone)
    if zone not in _OF_ZONES:
        raise ValueError(f"a static ability cannot count objects in {zone.name.lower()}")
    return _OF_ZONES[zone]
