"""One sequence of operations for two: the model, and whatever is held against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from lkicore.opcodes import Zone
from lkicore.reference.model import OWN_ZONES, Model

#: Ring slots of the smallest block.
DEFAULT_RING = 48


class Subject(Protocol):
    """What can be driven: the core's driver and the model itself."""

    def move(self, ids: list[int], zone: int, /) -> list[int]: ...
    def token(self, player: int, face: int, /) -> int: ...
    def cease(self) -> int: ...
    def tap(self, object_id: int, /) -> None: ...
    def untap(self, object_id: int, /) -> None: ...
    def damage(self, object_id: int, n: int, /) -> None: ...
    def counters(self, object_id: int, kind: int, n: int, /) -> None: ...
    def control(self, object_id: int, player: int, /) -> None: ...
    def attach(self, object_id: int, to: int, /) -> None: ...
    def pump(self, object_id: int, power: int, toughness: int, source: int = 0, /) -> None: ...
    def effect(
        self, name: str, object_id: int, x: int, y: int, duration: int, player: int, source: int = 0, /
    ) -> None: ...
    def become_copy(self, object_id: int, of: int, duration: int, but: str = "", /) -> None: ...
    def copy_token(self, player: int, of: int, but: str = "", /) -> int: ...
    def end_turn(self) -> None: ...
    def ability(self, source: int, targets: list[int], kind: int = 0, x: int = 0, paid: Any = (), /) -> int: ...
    def resolve(self) -> Sequence[Any]: ...
    def react(self) -> tuple[Any, ...]: ...
    def block_with(self, object_id: int, attacker: int, /) -> None: ...
    def life(self, player: int, n: int, /) -> None: ...
    def leave(self, player: int, /) -> bool: ...
    def log(self, kind: int, object_id: int, other: int, player: int, amount: int, /) -> None: ...
    def next_turn(self) -> None: ...

    def live(self, object_id: int, /) -> bool: ...
    def facts(self, object_id: int, /) -> dict[str, Any] | None: ...
    def lki(self, object_id: int, /) -> dict[str, Any] | None: ...
    def lki_at(self, card: int, tick: int, /) -> dict[str, Any] | None: ...
    def zone_list(self, zone: int, player: int, /) -> list[int]: ...
    def tick(self) -> int: ...
    def reachable(self) -> set[int]: ...


class MismatchError(AssertionError):
    """The subject answered something else than the model."""


class Pair:
    """A model and a subject that get the same operations.

    The model remembers everything. The subject may have forgotten a departed object if nothing refers to it any more
    and it is not among the newest departures: those of the newest group (CR 603.10), and a quarter of the ring before
    them (half of it may be pinned, and a group that doesn't fit in the rest of a revolution begins the next one early).
    A departed object that is answered must be answered exactly.
    """

    def __init__(self, model: Model, subject: Subject, ring: int = 0) -> None:
        self.model = model
        self.subject = subject
        self.ring = ring or DEFAULT_RING
        #: Look-ups that the subject was allowed to have forgotten.
        self.forgotten = 0
        #: Look-ups answered by records that only a reference can still have kept.
        self.kept_by_reference = 0

    def differ(self, what: str, subject: object, model: object) -> MismatchError:
        return MismatchError(f"{what}: subject {subject!r}, model {model!r}")

    def call(self, name: str, *args: Any) -> Any:
        """The same operation to both; the common answer."""
        expected = getattr(self.model, name)(*args)
        got = getattr(self.subject, name)(*args)
        if got != expected:
            raise self.differ(f"{name}{args!r}", got, expected)
        return expected

    def referable(self, object_id: int) -> bool:
        """Whether a new reference to this object can come about.

        References are made to live objects, to what has just left (CR 603.10), or from other references: nothing in a
        game can begin to ask about an object that it had lost sight of.
        """
        if object_id in self.model.objects:
            return True
        record = self.model.records.get(object_id)
        if record is None:
            return False
        return record.tick == self.model.records.newest_tick or object_id in self.model.reachable()

    # ------------------------------------------------------------------------------------------ look-ups

    def check_live(self, object_id: int) -> None:
        expected, got = self.model.facts(object_id), self.subject.facts(object_id)
        if expected is not None and got is not None:
            # Timestamps are an order (CR 613.7), compared by `check_order`.
            expected["timestamp"] = got["timestamp"]
        if got != expected:
            raise self.differ(f"facts({object_id})", got, expected)
        if bool(self.subject.live(object_id)) != self.model.live(object_id):
            raise self.differ(f"live({object_id})", self.subject.live(object_id), self.model.live(object_id))

    def check_lki(self, object_id: int) -> None:
        self._compare(f"lki({object_id})", self.subject.lki(object_id), self.model.lki(object_id))

    def check_reference(self, object_id: int) -> None:
        """A look-up of what something refers to."""
        self.check_lki(object_id)
        if object_id not in self.model.objects and self.model.records.newer(object_id) >= self.ring:
            self.kept_by_reference += 1

    def check_lki_at(self, card: int, tick: int) -> None:
        what = f"lki_at({card}, {tick})"
        self._compare(what, self.subject.lki_at(card, tick), self.model.lki_at(card, tick))

    def _compare(self, what: str, got: dict[str, Any] | None, expected: dict[str, Any] | None) -> None:
        if got == expected:
            return
        if got is not None or expected is None:
            raise self.differ(what, got, expected)
        records, object_id = self.model.records, expected["id"]
        newer = records.newer(object_id)
        if newer < self.ring // 4 or expected["tick"] == records.newest_tick:
            raise self.differ(f"{what}, forgotten after {newer} newer departures", got, expected)
        if object_id in self.model.reachable():
            raise self.differ(f"{what}, forgotten though something still refers to it", got, expected)
        self.forgotten += 1

    # ------------------------------------------------------------------------------------------ everything at once

    def check_reachable(self) -> None:
        """What something still refers to is known, exactly."""
        reachable = self.model.reachable()
        for object_id in sorted(reachable):
            self.check_reference(object_id)
        missing = reachable - set(self.subject.reachable())
        if missing:
            raise self.differ("reachable()", sorted(self.subject.reachable()), sorted(reachable))

    def check_order(self) -> None:
        """Objects come in the same order of timestamps, each with its own."""
        stamps: dict[int, int] = {}
        for object_id in self.model.objects:
            facts = self.subject.facts(object_id)
            if facts is None:
                raise self.differ(f"facts({object_id})", None, self.model.facts(object_id))
            stamps[object_id] = facts["timestamp"]
        expected = sorted(self.model.objects, key=lambda object_id: self.model.objects[object_id].timestamp)
        got = sorted(stamps, key=stamps.__getitem__)
        if got != expected or len(set(stamps.values())) != len(stamps):
            raise self.differ("order of timestamps", [(i, stamps[i]) for i in got], expected)

    def check_zones(self) -> None:
        for zone in Zone:
            if zone == Zone.NONE:
                continue
            for player in range(self.model.players if zone in OWN_ZONES else 1):
                self.call("zone_list", int(zone), player)

    def check_all(self) -> None:
        self.call("tick")
        self.check_zones()
        for object_id in self.model.objects:
            self.check_live(object_id)
        self.check_order()
        self.check_reachable()
