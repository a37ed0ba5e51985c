"""What the conditions behind ability words say (CR 207.2c): the words have no meaning in the rules, these values do."""

from __future__ import annotations

import functools

from lkicore.opcodes import TypeBit, Zone

from . import filters as f
from . import references as r
from .conditions import equal, exists
from .relations import power
from .values import Value, count, count_in, graveyard_size, hand_size, happened

_BASIC = ("Plains", "Island", "Swamp", "Mountain", "Forest")
#: Card types that a card in a graveyard can have (CR 205.2a).
_CARD_TYPES = tuple(t for t in TypeBit if t.name and t <= TypeBit.KINDRED)


def _sum(values: list[Value]) -> Value:
    return functools.reduce(lambda a, b: a + b, values)


#: Basic land types among lands you control (domain).
domain = _sum([exists(f.land & f.yours & f.subtype(name)) for name in _BASIC])
#: Card types among cards in your graveyard.
types_in_graveyard = _sum([count_in(Zone.GRAVEYARD, f.has_type(t), r.you) >= 1 for t in _CARD_TYPES])
delirium = types_in_graveyard >= 4
#: Three artifacts.
metalcraft = count(f.artifact & f.yours) >= 3
#: Seven cards in your graveyard.
threshold = graveyard_size(r.you) >= 7
#: No cards in hand.
hellbent = equal(hand_size(r.you), 0)
#: A creature of power 4.
ferocious = exists(f.creature & f.yours & power(at_least=4))
#: A creature died this turn.
morbid = happened("died") >= 1
#: You attacked this turn.
raid = happened("attacked", by=r.you) >= 1
#: A permanent that you controlled left the battlefield this turn.
revolt = happened("left", by=r.you) >= 1
#: An opponent lost life this turn.
spectacle = happened("life_loss", by=r.each_opponent) >= 1
