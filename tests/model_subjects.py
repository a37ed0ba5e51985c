"""Things to hold against the reference model that must pass (`Forgetful`) or must be noticed (all others)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lkicore.opcodes import Policy, Zone
from lkicore.reference import Answer, Model
from lkicore.reference.compare import DEFAULT_RING
from lkicore.reference.model import GameObject


class Forgetful(Model):
    """A store that forgets what it may: what the core does with its ring, said in plain words.

    `skip` names a kind of reference that its mark pass forgets.
    """

    def __init__(self, players: int, cards: int, *, skip: str | None = None, ring: int = 0, **rest: Any) -> None:
        super().__init__(players, cards, ring=ring, **rest)
        self.skip = skip
        self.ring = ring or DEFAULT_RING
        self.forgotten: set[int] = set()

    def _record(self, leaving: Any, zone_to: int) -> None:
        references = (i for what, i in self.references() if what != self.skip)
        kept = self.records.reachable(references, self.objects, through_records=self.skip != "lki.attached")
        leaving = list(leaving)
        known = [r.id for r in self.records.order if r.id not in self.forgotten and r.id not in kept]
        room = max(self.ring // 2 - len(leaving), 0)
        self.forgotten.update(known[: max(len(known) - room, 0)])
        super()._record(leaving, zone_to)

    def lki(self, object_id: int) -> dict[str, Any] | None:
        return None if object_id in self.forgotten else super().lki(object_id)

    def lki_at(self, card: int, tick: int) -> dict[str, Any] | None:
        record = super().lki_at(card, tick)
        return None if record is None or record["id"] in self.forgotten else record


# ---------------------------------------------------------------------------------------------- one answer at a time

VALUES = ("zone", "owner", "controller", "power", "toughness", "damage", "tapped", "types", "colors", "keywords")
LKI_KEYS = ("id", "tick", "zone_to", *VALUES, "counters", "attached_to", "became", "card")
FACT_KEYS = (*VALUES, "counters", "attached_to", "timestamp")


def other(value: Any) -> Any:
    """A wrong value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        return (other(value[0]), *value[1:])
    return value + 1


class Corrupt(Model):
    """Spoils every 10th answer of one kind: of the query or operation `name`, there the part `key`."""

    def __init__(self, players: int, cards: int, *, name: str, key: str | int | None = None, **rest: Any) -> None:
        super().__init__(players, cards, **rest)
        self.asked = 0

        def spoiled(*args: Any) -> Any:
            answer = getattr(super(Corrupt, self), name)(*args)
            if not answer and name not in ("live", "cease"):
                return answer
            self.asked += 1
            return spoil(answer, key) if self.asked % 10 == 0 else answer

        setattr(self, name, spoiled)


def spoil(answer: Any, key: str | int | None) -> Any:
    if isinstance(answer, dict):
        if key == "timestamp":
            return answer | {"timestamp": 0}
        return answer | {key: other(answer[key])}
    if isinstance(answer, list) and isinstance(answer[0], Answer):
        return [*answer[:-1], spoil(answer[-1], key)]
    if isinstance(answer, tuple):
        assert isinstance(key, int)
        return (*answer[:key], other(answer[key]), *answer[key + 1 :])
    if isinstance(answer, list):
        return answer[::-1] if len(answer) > 1 and key == "order" else [other(answer[0]), *answer[1:]]
    if isinstance(answer, set):
        return answer - {max(answer)}
    return other(answer)


CORRUPTIONS: dict[str, Callable[..., Model]] = {
    **{f"lki.{key}": partial(Corrupt, name="lki", key=key) for key in LKI_KEYS},
    **{f"lki_at.{key}": partial(Corrupt, name="lki_at", key=key) for key in LKI_KEYS},
    **{f"facts.{key}": partial(Corrupt, name="facts", key=key) for key in FACT_KEYS},
    **{f"resolve.{key}": partial(Corrupt, name="resolve", key=i) for i, key in enumerate(Answer._fields)},
    **{
        name: partial(Corrupt, name=name) for name in ("move", "token", "ability", "cease", "live", "tick", "reachable")
    },
    "zone_list": partial(Corrupt, name="zone_list"),
    "zone_list.order": partial(Corrupt, name="zone_list", key="order"),
}


# ---------------------------------------------------------------------------------------------- one rule at a time


class RecordsAsItMoves(Model):
    """Records each object as it moves, not the group before (CR 603.10)."""

    def move(self, ids: Any, zone: int) -> list[int]:
        return [new for object_id in ids for new in Model.move(self, [object_id], zone)]


class AnswersByCard(Model):
    """Answers with the newest departure of the same card (CR 400.7)."""

    def lki(self, object_id: int) -> dict[str, Any] | None:
        record = super().lki(object_id)
        return record and (self.lki_at(record["card"], self.tick()) or record)


class RecordsAfterwards(Model):
    """Fills in the records once the objects have lost what they had (CR 608.2h)."""

    def _record(self, leaving: Any, zone_to: int) -> None:
        leaving = list(leaving)
        for obj in leaving:
            obj.damage = 0
        super()._record(leaving, zone_to)


class ForgetsCeased(Model):
    """Knows nothing of tokens that ceased to exist (CR 111.7)."""

    def lki(self, object_id: int) -> dict[str, Any] | None:
        record = super().lki(object_id)
        return None if record and record["card"] < 0 and record["zone_to"] == Zone.NONE else record


class TokensReturn(Model):
    """Lets tokens come back (CR 111.8)."""

    def _can_move(self, obj: GameObject, zone: int) -> bool:
        return obj.face is not None and obj.zone != zone


class CountersStay(Model):
    """Leaves the counters on a permanent that comes back (CR 122.2)."""

    def _change_zone(self, obj: GameObject, zone: int) -> int:
        new = super()._change_zone(obj, zone)
        self.objects[new].counters = obj.counters
        return new


class SourceFollowsItsCard(Model):
    """Takes the card that came back for the source of an ability (CR 400.7)."""

    def read(self, object_id: int, policy: Policy) -> Answer:
        while (record := self.records.get(object_id)) and record.became:
            object_id = record.became
        return super().read(object_id, policy)


class TargetsByLki(Model):
    """Knows what an illegal target was (CR 608.2b)."""

    def read(self, object_id: int, policy: Policy) -> Answer:  # noqa: ARG002
        return super().read(object_id, Policy.LIVE_THEN_LKI)


class SourcesLiveOnly(Model):
    """Knows nothing of a source that has left (CR 113.7a)."""

    def read(self, object_id: int, policy: Policy) -> Answer:  # noqa: ARG002
        return super().read(object_id, Policy.LIVE_ONLY)


class PumpsStay(Model):
    """Takes no notice of the end of a turn (CR 514.2)."""

    def end_turn(self) -> None:
        for obj in self.objects.values():
            obj.damage = 0


class StolenGraveyard(Model):
    """Puts a stolen permanent into its controller's graveyard (CR 400.3)."""

    def _change_zone(self, obj: GameObject, zone: int) -> int:
        new = super()._change_zone(obj, zone)
        if zone == Zone.GRAVEYARD and obj.controller != obj.owner:
            self.zone(zone, obj.owner).remove(new)
            self.objects[new].owner = obj.controller
            self.zone(zone, obj.controller).append(new)
        return new


class ForgetsEarly(Model):
    """Forgets what left three events ago, whoever refers to it."""

    def lki(self, object_id: int) -> dict[str, Any] | None:
        record = super().lki(object_id)
        return record if record and record["tick"] > self.tick() - 3 else None


WRONG_RULES: tuple[type[Model], ...] = (
    RecordsAsItMoves,
    AnswersByCard,
    RecordsAfterwards,
    ForgetsCeased,
    TokensReturn,
    CountersStay,
    SourceFollowsItsCard,
    TargetsByLki,
    SourcesLiveOnly,
    PumpsStay,
    StolenGraveyard,
    ForgetsEarly,
)
