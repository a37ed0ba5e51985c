"""Objects that enter face down (CR 708)."""

from __future__ import annotations

import pytest

from lkicore import Game
from lkicore.opcodes import ChoiceKind, Keyword, Status, Zone


@pytest.mark.parametrize("helpers", [["Homing Sliver"], ["Maskwood Nexus"], ["Homing Sliver", "Maskwood Nexus"]])
def test_708_3_what_a_card_was_given_in_the_hand_stays_behind(helpers: list[str]) -> None:
    """CR 708.3, 400.7: the card is turned face down before it enters; abilities and creature types that it was given in
    the hand are none of the permanent's.

    Kills: the list of what it was given, going on under the face-down form.
    """
    mine = {"battlefield": ["Vannifar, Evolved Enigma", *helpers], "hand": ["Changeling Hero", "Hill Giant"]}
    game = Game.from_scenario({"zones": {"p0": mine}})
    while not any(o.status & Status.FACE_DOWN for o in game.objects(Zone.BATTLEFIELD)):
        names = [game.object(o.object).name if o.object else "" for o in game.options()]
        game.apply(names.index("Changeling Hero") if game.choice is ChoiceKind.PICK else 0)
        assert game.check() is None
    cloaked = next(o for o in game.objects(Zone.BATTLEFIELD) if o.status & Status.FACE_DOWN)
    assert (cloaked.power, cloaked.toughness) == (2, 2)
    assert bool(cloaked.keywords & Keyword.CHANGELING) == ("Maskwood Nexus" in helpers)
