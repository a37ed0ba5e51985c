"""Timing, priority and the stack (CR 117, 304, 307, 405, 608.1, 702.8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scene import Scene

from lkicore.opcodes import HistoryKind, OptionKind, Step, TypeBit, Zone

SLOW = ["Blast", "Cub"]
FAST = ["Zap", "Bear"]
EVERY_STEP = [
    Step.UPKEEP,
    Step.MAIN1,
    Step.BEGIN_COMBAT,
    Step.DECLARE_ATTACKERS,
    Step.END_COMBAT,
    Step.MAIN2,
    Step.END,
]
MAIN = (Step.MAIN1, Step.MAIN2)


def castable(scene: Scene) -> set[object]:
    return set(scene.offered(OptionKind.CAST))


@pytest.mark.parametrize("step", EVERY_STEP)
def test_307_1_and_304_1_what_can_be_cast_when(step: Step) -> None:
    """CR 307.1, 302.1: sorceries and creatures in one's own main phase with an empty stack; instants (304.1) and cards
    with flash (702.8a) whenever one has priority, in any player's turn.

    Kills: sorceries in combat or the upkeep, or in the other's turn; instants in main phases only; flash ignored.
    """
    scene = Scene([*SLOW, *FAST], [*SLOW, *FAST], later=4, begin=False)
    scene.to(step)
    assert scene.has_priority(0)
    assert castable(scene) == {*FAST, *(SLOW if step in MAIN else [])}
    scene.pick(OptionKind.PASS)
    assert scene.has_priority(1)
    assert castable(scene) == set(FAST)


def test_307_1_no_sorcery_while_something_is_on_the_stack() -> None:
    """CR 307.1, 302.1: an empty stack is needed, even in one's own main phase.

    Kills: timing by the phase alone.
    """
    scene = Scene(["Salve", *SLOW, *FAST], ["Zap"], later=3)
    scene.cast(0, "Salve")
    assert castable(scene) == set(FAST)
    scene.resolve()
    assert castable(scene) == {*SLOW, *FAST}


def test_117_3c_the_caster_keeps_priority() -> None:
    """CR 117.3c: whoever casts gets priority afterwards, active player or not.

    Kills: priority to the opponent after a cast, or always to the active player.
    """
    scene = Scene(["Salve", "Zap"], ["Salve", "Zap"])
    scene.cast(0, "Salve")
    assert scene.has_priority(0)
    scene.pick(OptionKind.PASS)
    scene.cast(1, "Salve")
    assert scene.has_priority(1)
    assert scene.stack() == ["Salve", "Salve"]


def test_117_3b_the_active_player_gets_priority_after_a_resolution() -> None:
    """CR 117.3b: after something resolves, whoever cast it.

    Kills: priority to the controller of what resolved, or to whoever passed last.
    """
    scene = Scene(["Salve"], ["Salve"])
    scene.cast(0, "Salve")
    scene.cast(1, "Salve")
    scene.resolve()
    assert scene.life() == [20, 24]
    assert scene.has_priority(0)
    assert scene.stack() == ["Salve"]


def test_405_5_the_stack_is_last_in_first_out(scene: Callable[..., Scene]) -> None:
    """CR 405.5, 608.1: the top object resolves first, and only one before there is priority again.

    Kills: a queue instead of a stack (the Bear would be dead before it grew), resolving the whole stack at once.
    """
    game = scene(["Bear", "Grow"], ["Bolt"])
    game.put(0, "Bear")
    game.priority(1)
    game.cast(1, "Bolt", "Bear")
    game.cast(0, "Grow", "Bear")
    assert game.stack() == ["Bolt", "Grow"] or not game.exact
    game.resolve_all()
    assert game.field() == ["Bear"]
    assert game.graveyard(1) == ["Bolt"]
    assert game.graveyard(0) == ["Grow"]


def test_608_1_one_object_resolves_at_a_time() -> None:
    """CR 117.4: all pass in succession, the top object resolves, then priority again.

    Kills: resolving all of the stack on one round of passing.
    """
    scene = Scene(["Salve", "Salve", "Salve"], ["Zap"])
    for _ in range(3):
        scene.cast(0, "Salve")
    for n in (1, 2, 3):
        scene.pick(OptionKind.PASS)
        scene.pick(OptionKind.PASS)
        assert scene.life()[0] == 20 + 4 * n
        assert len(scene.stack()) == 3 - n
        assert scene.has_priority(0)


def test_117_4_a_new_spell_starts_the_passing_anew() -> None:
    """CR 117.4: all players pass *in succession*: a pass before an action doesn't count after it.

    Kills: counting passes across actions (the first Salve would resolve after one pass more).
    """
    scene = Scene(["Salve", "Zap"], ["Salve"])
    scene.cast(0, "Salve")
    scene.pick(OptionKind.PASS)
    scene.cast(1, "Salve")
    scene.pick(OptionKind.PASS)
    assert scene.has_priority(0)
    assert len(scene.stack()) == 2
    scene.pick(OptionKind.PASS)
    assert scene.life() == [20, 24]


def test_117_4_three_players_all_pass() -> None:
    """CR 117.3d, 117.4: priority goes round in turn order; nothing resolves before the last has passed.

    Kills: two passes being enough with three players; going on from the active player instead of the caster.
    """
    scene = Scene(["Zap"], ["Salve"], ["Zap"], later=3)
    scene.cast(1, "Salve")
    order = []
    while scene.stack():
        order.append(scene.game.current_player)
        scene.pick(OptionKind.PASS)
    assert order == [1, 2, 0]
    assert scene.life() == [20, 24, 20]
    assert scene.has_priority(0)


def test_117_5_state_based_actions_before_priority() -> None:
    """CR 117.5, 704.3: nobody gets priority while a creature has lethal damage.

    Kills: checking when a step ends only, or after priority.
    """
    scene = Scene(["Bear"], ["Bolt"])
    scene.put(0, "Bear")
    scene.cast(1, "Bolt", "Bear")
    scene.resolve()
    assert scene.has_priority(0)
    assert scene.field() == []


def test_601_2i_a_cast_spell_is_on_the_stack_and_known_as_cast() -> None:
    """CR 601.2a, 601.2i: the card leaves the hand for the stack as a new object (400.7), under its caster's control.

    Kills: resolving at once, a spell that keeps the card's identity, a wrong controller.
    """
    scene = Scene(["Zap"], ["Salve"])
    card = scene.id("Salve", Zone.HAND, 1)
    scene.cast(1, "Salve")
    spell = scene.obj("Salve", Zone.STACK)
    assert spell.id != card
    assert scene.game.object(card) is None
    assert (spell.controller, spell.owner, spell.types) == (1, 1, TypeBit.INSTANT)
    assert scene.hand(1) == []
    cast = [event for event in scene.game.events() if event.kind is HistoryKind.CAST]
    assert [(event.player, event.object) for event in cast] == [(1, spell.id)]


def test_608_2n_and_608_3_where_spells_go(scene: Callable[..., Scene]) -> None:
    """CR 608.2n, 608.3a: an instant or sorcery goes to its owner's graveyard, a permanent spell to the battlefield
    under its controller's control.

    Kills: a spell that stays on the stack or goes to the caster's opponent, a creature in the graveyard.
    """
    game = scene(["Salve", "Cub", "Muster"], ["Zap"], later=3)
    game.put(0, "Salve", "Cub")
    assert game.graveyard(0) == ["Salve"]
    assert game.graveyard(1) == []
    cub = game.obj("Cub")
    assert (cub.controller, cub.power, cub.toughness, cub.damage, cub.tapped) == (0, 2, 2, 0, False)


def test_701_6a_countered_spells(scene: Callable[..., Scene]) -> None:
    """CR 701.6a: a countered spell goes to its owner's graveyard and does nothing; 115.5: no spell targets itself.

    Kills: a countered spell that resolves, or vanishes; a Denial that offers itself as a target.
    """
    game = scene(["Salve"], ["Denial", "Zap"])
    game.cast(0, "Salve")
    game.cast(1, "Denial", "Salve")
    game.resolve_all()
    assert game.life() == [20, 20]
    assert (game.graveyard(0), game.graveyard(1)) == (["Salve"], ["Denial"])


def test_608_2b_a_counterspell_without_its_spell() -> None:
    """CR 608.2b: two counterspells on one spell: the first to resolve counters it, the other has no target left.

    Kills: following the countered card into the graveyard.
    """
    scene = Scene(["Salve"], ["Denial", "Denial"])
    scene.cast(0, "Salve")
    salve = scene.id("Salve", Zone.STACK)
    scene.cast(1, "Denial", salve)
    scene.cast(1, "Denial", salve)
    assert len(scene.stack()) == 3
    scene.resolve()
    assert scene.stack() == ["Denial"]
    scene.resolve()
    assert scene.stack() == []
    assert (scene.graveyard(0), scene.graveyard(1)) == (["Salve"], ["Denial", "Denial"])


def test_116_2_mana_abilities_and_lands_do_not_use_the_stack() -> None:
    """CR 605.3b, 116.3: a mana ability resolves at once; whoever activated it still has priority.

    Kills: mana abilities on the stack, losing priority.
    """
    scene = Scene(["Forest", "Zap"], ["Zap"], payment="manual")
    scene.play(0, "Forest")
    scene.pick(OptionKind.MANA, "Forest")
    assert scene.stack() == []
    assert scene.obj("Forest").tapped
    assert scene.has_priority(0)
