"""Linked abilities of a source that has left (CR 607.2a): what it did after that is still what the same object did."""

from __future__ import annotations

import pytest

from lkicore import Game
from lkicore.opcodes import ChoiceKind, Step, Zone

POSITION = {
    "mana": "free",
    "zones": {"p0": {"hand": ["Petravark"]}, "p1": {"battlefield": ["Elesh Norn, Grand Cenobite", "Mutavault"]}},
}


def _take(game: Game, wanted: str) -> None:
    options = [str(option) for option in game.options()]
    found = [k for k, text in enumerate(options) if wanted in text]
    assert found, f"no {wanted!r} among {options}"
    game.apply(found[0])


@pytest.mark.parametrize(("first", "stays_exiled"), [(0, True), (1, False)])
def test_the_order_of_two_linked_abilities_of_what_died_as_it_entered(first: int, stays_exiled: bool) -> None:
    """Both abilities wait at once; their controller says which is put on the stack first (CR 603.3b)."""
    game = Game.from_scenario(POSITION)
    _take(game, "cast Petravark")
    while game.choice != ChoiceKind.ORDER:
        _take(game, "pass")
    assert len(game.options()) == 2
    game.apply(first)
    while not game.is_terminal and game.step == Step.MAIN1:
        # The one land that there is, or the passing of priority.
        _take(game, "Mutavault" if game.choice == ChoiceKind.TARGET else "pass")
    where = Zone.EXILE if stays_exiled else Zone.BATTLEFIELD
    assert "Mutavault" in [land.name for land in game.objects(where, 1)]
