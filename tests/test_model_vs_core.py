"""The core against the reference model: the same operations, every answer compared; and proof that it can fail."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lkicore.opcodes import CounterKind, Duration, HistoryKind, Zone
from lkicore.reference import MismatchError, Model, Pair
from lkicore.reference.cards import NUMBER_OF, TOKEN
from lkicore.reference.continuous import DURATIONS
from lkicore.reference.drive import MATTERS, ZONES, core, drive, main
from lkicore.reference.policies import KINDS
from model_subjects import CORRUPTIONS, WRONG_RULES, Forgetful

# Kinds of references that the operations of a driver can make, by the names of the core's mark pass.
REACHED = (
    "objects.attached",
    "objects.blocks",
    "stack.source",
    "effect.source",
    "history.obj",
    "history.other",
    "arena.lists",
    "lki.attached",
    "lki.blocks",
    "trigger.source",
    "trigger.object",
)
# Those that it can't: the driver has no combat, no half-done work, nothing that triggers. Games reach them.
NOT_REACHED = (
    "frame.obj",
    "effect.affected",
    "effect.maker",
    "trigger.other",
    "special.source",
    "lki.extra",
)


def model_factory(name: str) -> Any:
    return core() if name == "core" else Forgetful


# ---------------------------------------------------------------------------------------------- hypothesis


class Machine(RuleBasedStateMachine):
    """Random operations chosen by hypothesis, which shrinks what fails to a short list of steps."""

    subject = "core"
    ring = 0

    live = Bundle("live")
    gone = Bundle("gone")

    def __init__(self) -> None:
        super().__init__()
        self.pair: Pair | None = None

    @initialize(target=live, players=st.integers(2, 3), cards=st.integers(2, 6), matter=st.sampled_from(list(MATTERS)))
    def begin(self, players: int, cards: int, matter: str) -> Any:
        names, self.effects = MATTERS[matter]
        self.deck = tuple(NUMBER_OF[f"Driver {name}"] for name in names)
        model = Model(players, cards, deck=self.deck)
        subject = model_factory(self.subject)(players, cards, ring=self.ring, deck=self.deck)
        self.pair = Pair(model, subject, self.ring)
        self.players, self.cards = players, cards
        entered = self.pair.call("move", list(range(1, players * cards + 1, 2)), int(Zone.BATTLEFIELD))
        return multiple(*entered, *range(2, players * cards + 1, 2))

    @property
    def both(self) -> Pair:
        assert self.pair is not None
        return self.pair

    # An id comes out of `live` when an operation takes it away, and goes on in `gone`.

    @rule(target=live, ids=st.lists(consumes(live), min_size=1, max_size=4), zone=st.sampled_from(ZONES))
    def move(self, ids: list[int], zone: Zone) -> Any:
        if zone == Zone.STACK and len(self.both.model.zone(zone, 0)) > 6:
            zone = Zone.GRAVEYARD
        moved = self.both.call("move", ids, int(zone))
        return multiple(*(new or old for old, new in zip(ids, moved, strict=True)))

    @rule(target=gone, ids=st.lists(live, min_size=1, max_size=3), zone=st.sampled_from(ZONES))
    def move_and_remember(self, ids: list[int], zone: Zone) -> Any:
        if zone == Zone.STACK:
            zone = Zone.EXILE
        self.both.call("move", ids, int(zone))
        return multiple(*ids)

    @rule(target=live, object_id=gone)
    def come_back(self, object_id: int) -> int:
        """What the card of a departed object has become, on the battlefield again."""
        records = self.both.model.records
        while (record := records.get(object_id)) is not None and record.became:
            object_id = record.became
        [new] = self.both.call("move", [object_id], int(Zone.BATTLEFIELD))
        return new or object_id

    @rule(ids=st.lists(gone, min_size=1, max_size=3), zone=st.sampled_from(ZONES))
    def move_what_has_gone(self, ids: list[int], zone: Zone) -> None:
        if zone == Zone.STACK:
            zone = Zone.HAND
        self.both.call("move", ids, int(zone))

    @precondition(lambda self: sum(obj.token for obj in self.both.model.objects.values()) < 12)
    @rule(target=live, player=st.integers(0, 1), data=st.data())
    def token(self, player: int, data: st.DataObject) -> int:
        return self.both.call("token", player, data.draw(st.sampled_from((TOKEN, *self.deck))))

    @precondition(lambda self: sum(obj.token for obj in self.both.model.objects.values()) < 12)
    @rule(target=live, player=st.integers(0, 1), of=live | gone)
    def copy_token(self, player: int, of: int) -> Any:
        return self.both.call("copy_token", player, self.referable(of)) or multiple()

    @rule()
    def cease(self) -> None:
        self.both.call("cease")

    @rule(object_id=live | gone, on=st.booleans())
    def tap(self, object_id: int, on: bool) -> None:
        self.both.call("tap" if on else "untap", object_id)

    @rule(object_id=live | gone, n=st.integers(0, 5))
    def damage(self, object_id: int, n: int) -> None:
        self.both.call("damage", object_id, n)

    @rule(object_id=live | gone, kind=st.sampled_from(list(CounterKind)[: CounterKind.POISON]), n=st.integers(-3, 5))
    def counters(self, object_id: int, kind: CounterKind, n: int) -> None:
        self.both.call("counters", object_id, int(kind), n)

    @rule(object_id=live | gone, player=st.integers(0, 1))
    def control(self, object_id: int, player: int) -> None:
        self.both.call("control", object_id, player)

    @rule(object_id=live | gone, to=live | gone | st.just(0))
    def attach(self, object_id: int, to: int) -> None:
        self.both.call("attach", object_id, to)

    def referable(self, object_id: int) -> int:
        return object_id if self.both.referable(object_id) else 0

    @precondition(lambda self: len(self.both.model.effects) < 12)
    @rule(object_id=live | gone, power=st.integers(-3, 5), toughness=st.integers(-3, 5), source=live | gone)
    def pump(self, object_id: int, power: int, toughness: int, source: int) -> None:
        self.both.call("pump", object_id, power, toughness, self.referable(source))

    @precondition(lambda self: len(self.both.model.effects) < 12)
    @rule(
        data=st.data(),
        object_id=live | gone,
        x=st.integers(-3, 5),
        duration=st.sampled_from(DURATIONS),
        player=st.integers(0, 1),
        source=live | gone,
    )
    def effect(self, data: st.DataObject, object_id: int, x: int, duration: int, player: int, source: int) -> None:
        name = data.draw(st.sampled_from(self.effects))
        self.both.call("effect", name, object_id, x, 2, int(duration), player, self.referable(source))

    @precondition(lambda self: len(self.both.model.effects) < 12)
    @rule(object_id=live | gone, of=live | gone, duration=st.sampled_from((Duration.END_OF_TURN, Duration.PERMANENT)))
    def become_copy(self, object_id: int, of: int, duration: int) -> None:
        self.both.call("become_copy", object_id, self.referable(of), int(duration))

    @rule()
    def end_turn(self) -> None:
        self.both.call("end_turn")

    @precondition(lambda self: len(self.both.model.abilities) < 6)
    @rule(
        target=live,
        source=live | gone,
        aims=st.lists(live | gone, max_size=3),
        kind=st.integers(0, len(KINDS) - 1),
        paid=st.lists(live, max_size=2),
    )
    def ability(self, source: int, aims: list[int], kind: int, paid: list[int]) -> Any:
        new = self.both.call("ability", self.referable(source), aims, kind, kind, paid)
        return new or multiple()

    @rule()
    def react(self) -> None:
        self.both.call("react")

    @rule(object_id=live | gone, attacker=live | gone)
    def block_with(self, object_id: int, attacker: int) -> None:
        self.both.call("block_with", object_id, attacker)

    @rule(player=st.integers(0, 2), n=st.integers(-3, 3))
    def life(self, player: int, n: int) -> None:
        self.both.call("life", player % self.players, n)

    @precondition(lambda self: len(self.both.model.in_game) > 2)
    @rule(player=st.integers(0, 2), really=st.sampled_from((False, False, True)))
    def leave(self, player: int, really: bool) -> None:
        if really:
            self.both.call("leave", player)

    @precondition(lambda self: self.both.model.abilities)
    @rule(target=gone)
    def resolve(self) -> int:
        top: int = self.both.model.abilities[-1].object.id
        self.both.call("resolve")
        return top

    @precondition(lambda self: len(self.both.model.history) < 20)
    @rule(
        kind=st.sampled_from(list(HistoryKind)),
        obj=live | gone,
        other=live | gone | st.just(0),
        amount=st.integers(0, 9),
    )
    def log(self, kind: HistoryKind, obj: int, other: int, amount: int) -> None:
        self.both.call("log", int(kind), self.referable(obj), self.referable(other), 0, amount)

    @rule()
    def next_turn(self) -> None:
        self.both.call("next_turn")

    @rule(object_id=gone)
    def look_up(self, object_id: int) -> None:
        self.both.check_lki(object_id)
        self.both.check_live(object_id)

    @rule(object_id=live | gone | st.integers(0, 200))
    def look_up_anything(self, object_id: int) -> None:
        self.both.check_lki(object_id)
        self.both.check_live(object_id)

    @rule(data=st.data())
    def look_up_card(self, data: st.DataObject) -> None:
        card = data.draw(st.integers(0, self.players * self.cards - 1))
        self.both.check_lki_at(card, data.draw(st.integers(0, self.both.model.tick() + 1)))

    @invariant()
    def everything(self) -> None:
        if self.pair is None:
            return
        self.both.check_all()
        tick = self.both.model.tick()
        for card in range(self.players * self.cards):
            self.both.check_lki_at(card, tick)
            self.both.check_lki_at(card, tick * (card + 1) // (self.players * self.cards + 1))


@pytest.mark.parametrize("ring", [0, 8])
@pytest.mark.parametrize("subject", ["core", "forgetful"])
def test_stateful(subject: str, ring: int) -> None:
    machine = type("Machine", (Machine,), {"subject": subject, "ring": ring})
    examples = 250 if subject == "core" else 10
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=60,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )


# ---------------------------------------------------------------------------------------------- seeded runs


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "ring"), [(1, 0), (2, 8), (3, 8), (4, 12), (5, 16)])
def test_core_equals_model(seed: int, ring: int) -> None:
    """200,000 operations in all."""
    run = drive(40_000, seed, ring)
    assert run.operations == 40_000
    assert run.forgotten > 1_000, "a ring that never forgets proves nothing"
    assert run.kept_by_reference > 500, "answers that only a pin can have kept"


@pytest.mark.sanitize
@pytest.mark.parametrize("ring", [0, 8])
def test_core_equals_model_briefly(ring: int) -> None:
    assert drive(4_000, 11, ring).operations == 4_000


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_core_equals_model_long(seed: int) -> None:
    """5,000,000 operations in all."""
    assert drive(250_000, seed, (0, 8, 12, 32)[seed % 4]).operations == 250_000


def test_a_store_that_forgets_what_it_may_passes() -> None:
    run = drive(20_000, 1, 8, factory=Forgetful)
    assert run.forgotten > 1_000
    assert run.kept_by_reference > 1_000


# ---------------------------------------------------------------------------------------------- it can fail


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_a_corrupted_answer_is_noticed(kind: str) -> None:
    said = "order of timestamps" if kind == "facts.timestamp" else kind.split(".", maxsplit=1)[0]
    with pytest.raises(MismatchError, match=said):
        drive(20_000, 1, 8, factory=CORRUPTIONS[kind])


@pytest.mark.parametrize("model", WRONG_RULES)
def test_a_wrong_rule_is_noticed(model: type[Model]) -> None:
    with pytest.raises(MismatchError):
        drive(100_000, 1, 8, factory=model, matter=getattr(model, "matter", ""))


def matter_of(kind: str) -> str:
    """What an episode should be about for references of this kind to come up often."""
    return "watch" if kind.startswith("trigger.") else ""


@pytest.mark.parametrize("kind", REACHED)
def test_a_forgotten_kind_of_reference_is_noticed(kind: str) -> None:
    with pytest.raises(MismatchError, match="something still refers to it"):
        drive(100_000, 1, 8, factory=partial(Forgetful, skip=kind), matter=matter_of(kind))


@pytest.mark.parametrize("kind", REACHED)
def test_a_reference_column_forgotten_by_the_core_is_noticed(kind: str) -> None:
    from lkicore._lki import MARKED

    with pytest.raises(MismatchError, match=r"something still refers to it|react\(\)|resolve\(\)"):
        drive(200_000, 1, 8, factory=partial(core(), skip_ref=MARKED.index(kind)), matter=matter_of(kind))


def test_every_reference_column_is_accounted_for() -> None:
    from lkicore._lki import MARKED

    assert sorted(MARKED) == sorted((*REACHED, *NOT_REACHED))


def test_a_failure_is_one_line_that_can_be_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MismatchError) as first:
        drive(20_000, 3, 8, factory=CORRUPTIONS["lki.power"])
    line = str(first.value)
    assert line.startswith("seed 3 ring 8 episode ")
    assert "\n" not in line
    episode = int(re.findall(r"episode (\d+)", line)[0])
    with pytest.raises(MismatchError) as again:
        drive(20_000, 3, 8, factory=CORRUPTIONS["lki.power"], episode=episode)
    assert str(again.value) == line
    assert main(["--ops", "500", "--seed", "3", "--ring", "8", "--model"]) == 0
    assert capsys.readouterr().out.startswith("equal: 500 operations")
