"""Cards that players act with from their opening hands (CR 103.6), before the first turn."""

from __future__ import annotations

import pytest

from lkicore import Game
from lkicore.cards import CardPool, Deck
from lkicore.opcodes import ChoiceKind, OptionKind, Zone

POOL = CardPool.builtin()


def begin(*decks: str, seed: int = 1) -> Game:
    """Return a game in which all have kept their hands."""
    game = Game([Deck.load(d, POOL) for d in decks], pool=POOL, seed=seed)
    while game.choice is ChoiceKind.MULLIGAN:
        game.apply(next(i for i, o in enumerate(game.options()) if o.kind is OptionKind.KEEP))
    return game


def names(game: Game, zone: Zone, player: int) -> list[str]:
    """Return the names of the objects of a player in a zone."""
    found = [game.object(i) for i in game.zone(zone, player)]
    return [o.name for o in found if o is not None and (zone is not Zone.BATTLEFIELD or o.controller == player)]


def test_leylines_may_begin_on_the_battlefield() -> None:
    """CR 103.6a: each player in turn order, the starting player first; any number of them."""
    game = begin("60 Leyline of Sanctity", "60 Leyline of the Void")
    first = game.decider
    assert game.turn == 0
    assert game.choice is ChoiceKind.OPENING
    assert [o.kind for o in game.options()] == [OptionKind.OBJECT] * 7 + [OptionKind.DONE]
    game.apply(0)
    game.apply(0)
    assert game.decider == first
    assert len(names(game, Zone.BATTLEFIELD, first)) == 2
    game.apply(len(game.options()) - 1)
    assert game.decider != first
    game.apply(0)
    copy = Game.deserialize(game.serialize(), pool=POOL)
    assert copy.hash() == game.hash()
    game.apply(len(game.options()) - 1)
    assert game.turn >= 1
    assert [len(names(game, Zone.BATTLEFIELD, p)) for p in (first, 1 - first)] == [2, 1]


def test_without_such_cards_nobody_is_asked() -> None:
    assert begin("60 Forest", "60 Mountain").turn == 1


def test_a_chancellor_is_revealed_once_each() -> None:
    """CR 103.6b: what was revealed does something as the first upkeep begins."""
    game = begin("53 Mountain\n7 Chancellor of the Forge", "60 Forest", seed=0)
    tries = 1
    while game.choice is not ChoiceKind.OPENING:
        game = begin("30 Mountain\n30 Chancellor of the Forge", "60 Forest", seed=tries)
        tries += 1
    revealed = 0
    while game.choice is ChoiceKind.OPENING:
        if len(game.options()) > 1:
            game.apply(0)
            revealed += 1
        else:
            game.apply(0)
    assert revealed >= 1
    owner = next(p for p in range(2) if "Mountain" in names(game, Zone.HAND, p) + names(game, Zone.LIBRARY, p))
    while game.turn == 1 and game.choice is not ChoiceKind.PRIORITY:
        game.apply(0)
    assert names(game, Zone.BATTLEFIELD, owner).count("Goblin Token (haste)") == revealed


@pytest.mark.parametrize("seed", range(6))
def test_only_who_does_not_begin_uses_the_caverns(seed: int) -> None:
    """Its condition is asked of the starting player; a card is exiled from the hand besides."""
    game = begin("60 Gemstone Caverns", "60 Gemstone Caverns", seed=seed)
    assert game.choice is ChoiceKind.OPENING
    second = game.decider
    game.apply(0)
    while game.choice is ChoiceKind.PICK:
        game.apply(0)
    assert len(names(game, Zone.HAND, second)) == 5
    assert names(game, Zone.BATTLEFIELD, 1 - second) == []
