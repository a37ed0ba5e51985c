"""Who knows what is face down (CR 406.3, 708.5, 708.9), and that the state of such objects can be kept and copied."""

from __future__ import annotations

from typing import Any

from lkicore.game import Game
from lkicore.opcodes import OptionKind, Status, Zone

EVERYONE = 0xFF


def start(**zones: Any) -> Game:
    return Game.from_scenario({"id": "x", "title": "x", "zones": zones})


def take(game: Game, kind: OptionKind, *, number: int | None = None) -> None:
    """Take the first option of the kind."""
    found = [i for i, o in enumerate(game.options()) if o.kind is kind and number in (None, o.number)]
    game.apply(found[0])


def settle(game: Game) -> None:
    """Pass until the stack is empty."""
    while game.zone(Zone.STACK):
        take(game, OptionKind.PASS)


def known_to(game: Game, zone: Zone, player: int = 0) -> int:
    (obj,) = game.zone(zone, player)
    facts = game.facts(obj)
    assert facts is not None
    return int(facts["known_to"])


def kept(game: Game) -> None:
    """A saved and a copied game are the same game."""
    again = Game.deserialize(game.serialize(), pool=game.pool)
    assert again.hash() == game.hash() == game.clone().hash()


def test_a_spell_cast_face_down_is_known_to_its_player_until_it_is_turned_up() -> None:
    game = start(p0={"hand": ["Exalted Angel"]}, p1={})
    take(game, OptionKind.CAST, number=1)
    assert known_to(game, Zone.STACK) == 1
    kept(game)
    settle(game)
    assert known_to(game, Zone.BATTLEFIELD) == 1
    (obj,) = game.objects(Zone.BATTLEFIELD)
    assert (obj.name, obj.power, Status.FACE_DOWN in obj.status) == ("Face-Down Creature", 2, True)
    kept(game)
    take(game, OptionKind.TURN_UP)
    assert known_to(game, Zone.BATTLEFIELD) == EVERYONE
    (up,) = game.objects(Zone.BATTLEFIELD)
    assert (up.id, up.name, up.power) == (obj.id, "Exalted Angel", 4)
    kept(game)


def test_what_was_face_down_is_shown_as_it_leaves() -> None:
    game = start(p0={"hand": ["Unsummon"]}, p1={"battlefield": [{"card": "Exalted Angel", "face_down": True}]})
    assert known_to(game, Zone.BATTLEFIELD) == 2
    take(game, OptionKind.CAST)
    take(game, OptionKind.OBJECT)
    settle(game)
    assert known_to(game, Zone.HAND, 1) == EVERYONE


def test_a_manifested_card_is_known_to_its_controller() -> None:
    game = start(p0={"hand": ["Soul Summons"], "library": ["Serra Angel", "Shock"]}, p1={})
    take(game, OptionKind.CAST)
    settle(game)
    assert known_to(game, Zone.BATTLEFIELD) == 1
    kept(game)


def test_a_foretold_card_is_known_to_its_owner() -> None:
    game = start(p0={"hand": ["Saw It Coming"]}, p1={})
    take(game, OptionKind.ACTIVATE)
    assert known_to(game, Zone.EXILE) == 1
    (card,) = game.objects(Zone.EXILE)
    assert Status.FACE_DOWN in card.status
    kept(game)
