"""Before the game: hands and London mulligans (CR 103.4-103.5)."""

from __future__ import annotations

import pytest
from scene import Scene

from lkicore.opcodes import ChoiceKind, OptionKind, Step, Zone

DECK = ["Bear", "Ogre", "Giant", "Wall", "Footman", "Zap", "Bolt"]
MORE = 5


def before(players: int = 2, first: int = 0) -> Scene:
    """Before the first decision; everybody has the same seven cards in hand, and five others in the library."""
    return Scene(*[DECK[:3] for _ in range(players)], later=MORE, first=first, keep=False)


def sizes(scene: Scene, player: int) -> tuple[int, int]:
    return len(scene.game.zone(Zone.HAND, player)), len(scene.game.zone(Zone.LIBRARY, player))


def keep_all(scene: Scene) -> None:
    while scene.game.choice is ChoiceKind.MULLIGAN:
        scene.pick(OptionKind.KEEP)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_103_5_declared_in_turn_order(first: int) -> None:
    """CR 103.5: whoever begins declares first, then the others in turn order; all have seven cards by then.

    Kills: seat order, drawing hands one after another.
    """
    scene = before(3, first)
    assert [sizes(scene, p) for p in range(3)] == [(7, MORE)] * 3
    asked = []
    while scene.game.choice is ChoiceKind.MULLIGAN:
        asked.append(scene.game.current_player)
        scene.pick(OptionKind.KEEP)
    assert asked == [(first + i) % 3 for i in range(3)]
    assert (scene.game.turn, scene.game.active_player) == (1, first)


def test_103_5_all_decide_before_anybody_draws() -> None:
    """CR 103.5: mulligans are taken at the same time, after all have declared.

    Kills: the first player's new hand before the second declares.
    """
    scene = before()
    hands = [scene.game.zone(Zone.HAND, p) for p in (0, 1)]
    scene.pick(OptionKind.MULLIGAN)
    assert scene.game.choice is ChoiceKind.MULLIGAN
    assert scene.game.current_player == 1
    assert [scene.game.zone(Zone.HAND, p) for p in (0, 1)] == hands
    scene.pick(OptionKind.MULLIGAN)
    assert all(scene.game.zone(Zone.HAND, p) != hands[p] for p in (0, 1))


def test_103_5_draw_seven_and_put_one_on_the_bottom() -> None:
    """CR 103.5 (London): shuffle, draw seven, then one card of one's choice on the bottom.

    Kills: drawing six, the bottom card before the draw, on top instead, by chance.
    """
    scene = before()
    scene.pick(OptionKind.MULLIGAN)
    scene.pick(OptionKind.KEEP)
    assert scene.game.choice is ChoiceKind.BOTTOM
    assert scene.game.current_player == 0
    assert sizes(scene, 0) == (7, MORE)
    assert len(scene.game.options()) == 7
    chosen = scene.game.options()[3]
    card = scene.game.card_of(chosen.object)
    scene.pick(OptionKind.OBJECT, chosen.object)
    assert sizes(scene, 0) == (6, MORE + 1)
    assert scene.game.card_of(scene.game.zone(Zone.LIBRARY, 0)[-1]) == card


def test_103_5_who_kept_is_not_asked_again() -> None:
    """CR 103.5: the others go on until all keep; who keeps, keeps for good.

    Kills: asking everybody each round; ending with the first who keeps.
    """
    scene = before()
    scene.pick(OptionKind.KEEP)
    kept = scene.game.zone(Zone.HAND, 0)
    for n in (1, 2, 3):
        assert scene.game.choice is ChoiceKind.MULLIGAN
        assert scene.game.current_player == 1
        scene.pick(OptionKind.MULLIGAN)
        for _ in range(n):
            assert scene.game.choice is ChoiceKind.BOTTOM
            scene.pick(OptionKind.OBJECT)
        assert sizes(scene, 1) == (7 - n, MORE + n)
    scene.pick(OptionKind.KEEP)
    assert (scene.game.turn, Step(scene.game.step)) == (1, Step.UPKEEP)
    assert scene.game.zone(Zone.HAND, 0) == kept


def test_103_5_both_take_one_and_order_their_bottom_cards() -> None:
    """CR 103.5: each puts back as many as it has taken mulligans, in an order of its choice.

    Kills: counting the mulligans of all players; the bottom cards in hand order.
    """
    scene = before()
    scene.pick(OptionKind.MULLIGAN)
    scene.pick(OptionKind.MULLIGAN)
    for p in (0, 1):
        assert (scene.game.choice, scene.game.current_player) == (ChoiceKind.BOTTOM, p)
        scene.pick(OptionKind.OBJECT)
    scene.pick(OptionKind.MULLIGAN)
    scene.pick(OptionKind.KEEP)
    last = []
    for i in (5, 1):
        option = scene.game.options()[i]
        last.append(scene.game.card_of(option.object))
        scene.pick(OptionKind.OBJECT, option.object)
    assert [sizes(scene, p) for p in (0, 1)] == [(5, MORE + 2), (6, MORE + 1)]
    assert [scene.game.card_of(obj) for obj in scene.game.zone(Zone.LIBRARY, 0)[-2:]] == last
    keep_all(scene)
    assert scene.game.turn == 1


def test_103_5_down_to_nothing() -> None:
    """CR 103.5: until the hand would be of no cards; then there is no further mulligan.

    Kills: an eighth mulligan, a negative hand, a limit at one card.
    """
    scene = before()
    scene.pick(OptionKind.KEEP)
    for n in range(1, 8):
        assert scene.offers(OptionKind.MULLIGAN)
        scene.pick(OptionKind.MULLIGAN)
        for _ in range(n):
            scene.pick(OptionKind.OBJECT)
    assert scene.hand(1) == []
    assert [o.kind for o in scene.game.options()] == [OptionKind.KEEP]
    scene.pick(OptionKind.KEEP)
    assert scene.game.turn == 1


def test_103_5c_the_first_is_free_with_three_players() -> None:
    """CR 103.5c: in a game of more than two the first mulligan doesn't count.

    Kills: the two-player count, or free mulligans without end.
    """
    scene = before(3)
    scene.pick(OptionKind.KEEP)
    scene.pick(OptionKind.MULLIGAN)
    scene.pick(OptionKind.KEEP)
    assert scene.game.choice is ChoiceKind.MULLIGAN
    assert scene.game.current_player == 1
    assert sizes(scene, 1) == (7, MORE)
    scene.pick(OptionKind.MULLIGAN)
    assert scene.game.choice is ChoiceKind.BOTTOM
    scene.pick(OptionKind.OBJECT)
    assert sizes(scene, 1) == (6, MORE + 1)
    scene.pick(OptionKind.KEEP)
    assert scene.game.turn == 1


def test_103_5_it_is_the_same_deck_shuffled() -> None:
    """CR 103.5, 701.24: the whole hand is shuffled into the library first: no card is lost or doubled, and the new hand
    isn't always of the rest of the library.

    Kills: setting the old hand aside (with five cards left a new hand of seven needs old ones).
    """
    scene = before()
    cards = scene.game.zone(Zone.HAND, 0) + scene.game.zone(Zone.LIBRARY, 0)
    physical = {scene.game.card_of(obj) for obj in cards}
    scene.pick(OptionKind.MULLIGAN)
    scene.pick(OptionKind.KEEP)
    scene.pick(OptionKind.OBJECT)
    now = scene.game.zone(Zone.HAND, 0) + scene.game.zone(Zone.LIBRARY, 0)
    assert {scene.game.card_of(obj) for obj in now} == physical
    assert len(now) == len(cards) == 7 + MORE


def test_104_3a_conceding_before_the_game() -> None:
    """CR 104.3a: at any time; with three players the others go on deciding.

    Kills: asking the player who left, waiting for it.
    """
    scene = before(3)
    scene.pick(OptionKind.MULLIGAN)
    assert scene.game.current_player == 1
    scene.game.concede(1)
    assert (scene.game.choice, scene.game.current_player) == (ChoiceKind.MULLIGAN, 2)
    scene.pick(OptionKind.KEEP)
    assert scene.game.current_player == 0
    keep_all(scene)
    assert (scene.game.turn, scene.game.active_player) == (1, 0)
    two = before(2)
    two.game.concede(0)
    assert (two.game.winner, two.game.turn) == (1, 0)
