"""Things to hold against the reference model that must pass (`Forgetful`) or must be noticed (all others)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from lkicore.opcodes import Policy, Zone
from lkicore.reference import FACES, Answer, Model
from lkicore.reference.cards import NUMBER_OF
from lkicore.reference.compare import DEFAULT_RING
from lkicore.reference.continuous import SEEN, Effect
from lkicore.reference.layers import Board, Part, Values
from lkicore.reference.model import GameObject
from lkicore.reference.policies import READS, Known


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
        kept = self.records.reachable(references, self.objects, skip=self.skip)
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

VALUES = (
    "zone",
    "owner",
    "controller",
    "power",
    "toughness",
    "damage",
    "tapped",
    "types",
    "subtypes",
    "colors",
    "keywords",
    "abilities",
    "name",
)
LKI_KEYS = ("id", "tick", "zone_to", *VALUES, "counters", "attached_to", "attachments", "blocks", "became", "card")
FACT_KEYS = (*VALUES, "counters", "attached_to", "blocks", "timestamp")


def other(value: Any) -> Any:
    """A wrong value of the same kind."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return 0
    if isinstance(value, tuple):
        return (other(value[0]), *value[1:]) if value else ("?",)
    return value + ("?" if isinstance(value, str) else 1)


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
        if isinstance(key, str):
            number = [read.name for read in READS].index(key)
            return [*answer[:-1], spoil(answer[-1], number)]
        return [*answer[:-2], spoil(answer[-2], key), answer[-1]]
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
        f"react.{key}": partial(Corrupt, name="react", key=i)
        for i, key in enumerate(("label", "controller", "source", "object"))
    },
    **{f"resolve.reads.{read.name}": partial(Corrupt, name="resolve", key=read.name) for read in READS},
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

    def read_target(self, target: int, legal: bool) -> Answer:  # noqa: ARG002
        return self.read(target, Policy.LIVE_THEN_LKI)


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
        record = self.records.get(obj.id)
        assert record is not None
        if zone == Zone.GRAVEYARD and record.controller != obj.owner:
            self.zone(zone, obj.owner).remove(new)
            self.objects[new].owner = record.controller
            self.zone(zone, record.controller).append(new)
        return new


class ForgetsEarly(Model):
    """Forgets what left three events ago, whoever refers to it."""

    def lki(self, object_id: int) -> dict[str, Any] | None:
        record = super().lki(object_id)
        return record if record and record["tick"] > self.tick() - 3 else None


# Policies of reading.


class PaidByCard(Model):
    """Asks the card of what was paid as a cost as it is now (CR 608.2h)."""

    def known(self, object_id: int, policy: Policy = Policy.LIVE_THEN_LKI) -> Known | None:
        record = self.records.get(object_id)
        if policy == Policy.COST_PAID and record is not None and record.became in self.objects:
            return super().known(record.became)
        return super().known(object_id, policy)


class CountsTheDead(Model):
    """Counts what has just died among what is there (CR 604.7)."""

    def creatures_of(self, player: int) -> int:
        newest = self.records.group(self.records.newest_tick)
        return super().creatures_of(player) + sum(bool(r.types & 4) and r.controller == player for r in newest)


class ForgetsX(Model):
    """Loses the X that was chosen on announcing (CR 113.7a)."""

    def ability(self, source: int, targets: Any, kind: int = 0, x: int = 0, paid: Any = ()) -> int:
        return super().ability(source, targets, kind, min(x, 6), paid)


class KeywordsLiveOnly(Model):
    """Knows of no keyword of a source that has left (CR 702.2e)."""

    def known(self, object_id: int, policy: Policy = Policy.LIVE_THEN_LKI) -> Known | None:
        known = super().known(object_id, policy)
        return replace(known, keywords=0) if known is not None and known.where == 2 else known


class LegalForEver(Model):
    """Looks at targets only as they are chosen (CR 608.2b)."""

    def legal(self, ability: Any, target: int) -> bool:
        if target in ability.targets:
            return target in self.objects
        return super().legal(ability, target)


class LegalityWithoutSource(Model):
    """Knows no quality of a source that has left as it looks at targets (CR 608.2b, 702.16)."""

    matter = "gear"

    def legal(self, ability: Any, target: int) -> bool:
        if ability.source in self.objects:
            return super().legal(ability, target)
        source, ability.source = ability.source, 0
        found = super().legal(ability, target)
        ability.source = source
        return found


class HostForgotten(Model):
    """Doesn't know what a departed source was attached to (CR 608.2h)."""

    matter = "gear"

    def known(self, object_id: int, policy: Policy = Policy.LIVE_THEN_LKI) -> Known | None:
        known = super().known(object_id, policy)
        return replace(known, attached_to=0) if known is not None and known.where == 2 else known


class AttachmentsForgotten(Model):
    """Doesn't know what was attached to what has left (CR 608.2h)."""

    matter = "gear"

    def record_of(self, obj: Any, zone_to: int) -> Any:
        return replace(super().record_of(obj, zone_to), attachments=())


class HistoryOfTheLiving(Model):
    """Finds no event of an object that has gone (CR 608.2i)."""

    def known(self, object_id: int, policy: Policy = Policy.LIVE_THEN_LKI) -> Known | None:
        return super().known(object_id, Policy.LIVE_ONLY if policy == Policy.HISTORY else policy)


# Triggered abilities.


class LooksForward(Model):
    """Lets only those watch that are still there after the event (CR 603.10a)."""

    matter = "watch"

    def look_back(self, watchers: Any, records: Any) -> None:
        gone = {record.id for record in records}
        super().look_back([watcher for watcher in watchers if watcher.source not in gone], records)


class GreetsAsPrinted(Model):
    """Looks at what enters as it is printed (CR 603.6d)."""

    matter = "watch"

    def entered(self, objects: Any) -> None:
        super().entered(obj for obj in objects if obj.face.power >= 3)


class EntersTogether(Model):
    """Lets what enters together change what each would be (CR 614.12)."""

    matter = "watch"

    def preview(self, obj: GameObject, newcomers: Any) -> Values:  # noqa: ARG002
        return super().preview(obj, [])


class EntersAsPrinted(Model):
    """Looks at what enters as it is printed (CR 614.12)."""

    matter = "watch"

    def preview(self, obj: GameObject, newcomers: Any) -> Values:  # noqa: ARG002
        assert obj.face is not None
        values = Values(obj.face, obj.owner)
        values.power = obj.face.power
        return values


class TriggersForget(Model):
    """Knows nothing of the object of an event that has left (CR 608.2h)."""

    matter = "watch"

    def react(self) -> Any:
        answer = super().react()
        return (*answer[:3], Answer()) if answer and answer[3].where == 2 else answer


class TriggersOfLeavers(Model):
    """Lets abilities of players who left go on waiting (CR 800.4d)."""

    matter = "watch"

    def react(self) -> Any:
        in_game, self.in_game = self.in_game, set(range(self.players))
        answer = super().react()
        self.in_game = in_game
        return answer


# Players who left (CR 800.4).


class NoLifeLeft(Model):
    """Takes the life total of a player who left for 0 (CR 800.4i)."""

    matter = "gear"

    def life_of(self, player: int) -> int:
        return super().life_of(player) if player in self.in_game else 0


class EmptyHanded(Model):
    """Counts the hand of a player who left as it is now (CR 800.4i)."""

    matter = "gear"

    def hand_of(self, player: int) -> int:
        return len(self.zone(Zone.HAND, player))


class OwnThingsStay(Model):
    """Lets those who leave leave behind what others control (CR 800.4a)."""

    matter = "gear"

    def leave(self, player: int) -> bool:
        kept = [
            o for o in self.objects.values() if o.owner == player and o.face and self.values(o).controller != player
        ]
        for obj in kept:
            obj.owner = next(p for p in self.in_game if p != player)
        return super().leave(player)


# Layers (CR 613).


class Undepending(Board):
    dependency = False


class IgnoresDependency(Model):
    """Applies effects by timestamp alone (CR 613.8)."""

    matter = "kinds"

    board_type = Undepending


class Shuffled(Board):
    def next_of(self, waiting: list[Part], layer: int) -> Part:
        return super().next_of(waiting, layer) if len(waiting) < 2 else waiting[-1]


class NewestFirst(Model):
    """Applies effects in the wrong order of timestamps (CR 613.7)."""

    matter = "kinds"

    board_type = Shuffled


class Forgiving(Board):
    def exists(self, part: Part) -> bool:  # noqa: ARG002
        return True


class LostAbilitiesWork(Model):
    """Applies the static abilities of what has lost all abilities (CR 613.1f)."""

    matter = "lords"

    board_type = Forgiving


class Restarting(Board):
    def apply(self, part: Part, layer: int) -> None:
        super().apply(part, layer)
        if part.source is not None:
            part.affected = None


class AsksAgain(Model):
    """Asks anew in each layer what an effect applies to (CR 613.6)."""

    matter = "lands"

    board_type = Restarting


class SizesBeforeSets(Board):
    def begin_sizes(self) -> None:
        super().begin_sizes()
        self.count_counters()

    def run(self) -> dict[int, Values]:
        values = super().run()
        for obj in self.permanents:
            if self.values[obj.id].types & 4 and (n := obj.counters[0] - obj.counters[1]):
                self.values[obj.id].power -= n
                self.values[obj.id].toughness -= n
        return values


class CountersFirst(Model):
    """Counts counters before effects that set the size (CR 613.4)."""

    board_type = SizesBeforeSets


class GroupOneByOne(Model):
    """Records a lord and what it boosts one after the other though they leave together (CR 603.10)."""

    def _record(self, leaving: Any, zone_to: int) -> None:
        leaving = list(leaving)
        for k, obj in enumerate(leaving):
            if k == 0:
                super()._record([obj], zone_to)
                continue
            before = leaving[:k]
            places = [(o, self.zone(o.zone, o.owner), self.zone(o.zone, o.owner).index(o.id)) for o in before]
            for o, place, _ in places:
                place.remove(o.id)
            self.touch()
            self.records.add(self.record_of(obj, zone_to))
            for o, place, at in reversed(places):
                place.insert(at, o.id)
            self.touch()


class EffectsFollow(Model):
    """Lets effects on a permanent apply to what comes back (CR 400.7)."""

    def _change_zone(self, obj: GameObject, zone: int) -> int:
        kept = [effect for effect in self.effects if effect.affected == obj.id]
        new = super()._change_zone(obj, zone)
        if zone == Zone.BATTLEFIELD or obj.zone == Zone.BATTLEFIELD:
            for effect in kept:
                effect.affected = new
                self.effects.append(effect)
            self.effects.sort(key=lambda effect: effect.timestamp)
        return new


class CopiesCounters(Model):
    """Copies more than copiable values: colours as they are (CR 707.2)."""

    matter = "colors"

    def original(self, object_id: int, but: str = "") -> Any:
        face = super().original(object_id, but)
        obj = self.objects.get(object_id)
        if face is None or obj is None:
            return face
        return replace(face, colors=self.values(obj).colors)


class ExceptionsAreNotCopied(Model):
    """Copies a copy without its exceptions (CR 707.9)."""

    def original(self, object_id: int, but: str = "") -> Any:
        face = super().original(object_id, but)
        return face if face is None or but else FACES[NUMBER_OF[face.name]]


class SizesWorkedOutLate(Model):
    """Records a card whose ability defines its size with the size that is printed (CR 604.3)."""

    matter = "sizes"

    def record_of(self, obj: GameObject, zone_to: int) -> Any:
        record = super().record_of(obj, zone_to)
        if obj.zone != Zone.BATTLEFIELD and obj.face is not None and obj.face.defines_size:
            record.power = obj.face.power
        return record


class ControlReturnsToOwner(Model):
    """Gives what a control effect ends for back to the owner, whatever else gives control of it (CR 613.1b)."""

    matter = "gear"

    def _end(self, ended: list[Effect]) -> None:
        freed = {e.affected for e in ended if e.changes and e.changes[0].what == "control"}
        super()._end(
            [
                *ended,
                *(
                    e
                    for e in self.effects
                    if e.affected in freed and e.changes and e.changes[0].what == "control" and e not in ended
                ),
            ]
        )


class WhileNeverEnds(Model):
    """Lets effects "for as long as" go on for ever (CR 611.2b)."""

    def settle(self) -> None:
        pass


class BeginsInVain(Model):
    """Begins an effect "for as long as" something that is not so (CR 611.2b)."""

    def _lasts(self, duration: int, source_id: int, player: int) -> bool:
        return super()._lasts(duration, source_id, player) or (duration in SEEN and source_id == 0)


class KeepsTimestamps(Model):
    """Gives no new timestamp to what becomes attached (CR 613.7e)."""

    matter = "gear"

    def attach(self, object_id: int, to: int) -> None:
        before = self.objects[object_id].timestamp if object_id in self.objects else 0
        super().attach(object_id, to)
        if before:
            self.objects[object_id].timestamp = before


WRONG_RULES: tuple[type[Model], ...] = (
    LooksForward,
    GreetsAsPrinted,
    EntersTogether,
    EntersAsPrinted,
    TriggersForget,
    TriggersOfLeavers,
    PaidByCard,
    CountsTheDead,
    ForgetsX,
    KeywordsLiveOnly,
    LegalForEver,
    LegalityWithoutSource,
    HostForgotten,
    AttachmentsForgotten,
    HistoryOfTheLiving,
    NoLifeLeft,
    EmptyHanded,
    OwnThingsStay,
    IgnoresDependency,
    NewestFirst,
    LostAbilitiesWork,
    AsksAgain,
    CountersFirst,
    GroupOneByOne,
    EffectsFollow,
    CopiesCounters,
    ExceptionsAreNotCopied,
    SizesWorkedOutLate,
    ControlReturnsToOwner,
    WhileNeverEnds,
    BeginsInVain,
    KeepsTimestamps,
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
