"""What a game tells about departed objects: records with all that a live object can be asked, histories, columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lkicore import Game, LkiRecord, simulate
from lkicore.opcodes import AbilityKind, Color, Keyword, ObjectFlag, Status, TypeBit, Zone
from lkicore.rings import row_dtype


def begin(**zones: Any) -> Game:
    """A position in p0's first main phase; mana is never short."""
    return Game.from_scenario({"zones": zones})


def take(game: Game, *wanted: str) -> None:
    """Take options by what they say; before a wanted option that is not there, players pass."""
    for text in wanted:
        for _ in range(12):
            options = [str(option) for option in game.options()]
            found = [i for i, option in enumerate(options) if option.startswith(text)]
            game.apply(found[0] if found else options.index("pass"))
            if found:
                break
        else:
            raise AssertionError(f"no option {text!r}")


def settle(game: Game) -> None:
    """Everybody passes until the stack is empty."""
    while game.zone(Zone.STACK):
        take(game, "pass")


def named(game: Game, name: str) -> int:
    """The id of the permanent of that name."""
    [found] = [obj.id for obj in game.objects(Zone.BATTLEFIELD) if obj.name == name]
    return found


def departure(game: Game, obj: int) -> LkiRecord:
    record = game.lki(obj)
    assert record is not None
    return record


def test_everything_that_was_on_it_and_about_it() -> None:
    """CR 608.2h: counters of each kind, damage, status, attachments and what they gave, ability instances."""
    game = begin(
        p0={
            "battlefield": [
                {
                    "card": "Blood Artist",
                    "counters": {"+1/+1": 2, "charge": 3, "stun": 1},
                    "damage": 1,
                    "tapped": True,
                },
                {"card": "Rancor", "attached_to": "Blood Artist"},
                {"card": "Vulshok Morningstar", "attached_to": "Blood Artist"},
                {"card": "Hermetic Study", "attached_to": "Blood Artist"},
            ],
        },
        p1={"hand": ["Murder"]},
    )
    artist = named(game, "Blood Artist")
    before = game.object(artist)
    assert before is not None
    take(game, "cast Murder", "object Blood Artist", "pass", "pass")
    record = departure(game, artist)
    for name in ("power", "toughness", "damage", "status", "types", "subtypes", "colors", "keywords", "abilities"):
        assert getattr(record, name) == getattr(before, name), name
    for name in ("counters", "attachments", "controller", "owner", "mana_value", "copiable", "timestamp"):
        assert getattr(record, name) == getattr(before, name), name
    assert (record.power, record.toughness, record.damage, record.tapped) == (6, 5, 1, True)
    assert record.counters == {"+1/+1": 2, "charge": 3, "stun": 1}
    assert record.counters["oil"] == 0
    assert record.keywords & Keyword.TRAMPLE
    assert record.subtypes == {"Vampire"}
    assert [ability.kind for ability in record.abilities] == [AbilityKind.TRIGGERED, AbilityKind.ACTIVATED]
    assert [ability.own for ability in record.abilities] == [True, False]
    assert "damage(target(0), 1)" in record.abilities[1].text
    assert record.copiable[:1] == ("Blood Artist",)
    assert (record.copiable.power, record.copiable.toughness, record.copiable.colors) == (0, 1, Color.B)
    assert [ability.kind for ability in record.copiable.abilities] == [AbilityKind.TRIGGERED]
    assert not record.copiable.keywords & Keyword.TRAMPLE


def test_attachments_are_kept_as_they_were_then() -> None:
    """CR 608.2h: the Aura is in the graveyard, the Equipment there; what they were as the host left stays."""
    game = begin(
        p0={
            "battlefield": [
                "Grizzly Bears",
                {"card": "Rancor", "attached_to": "Grizzly Bears"},
                {"card": "Vulshok Morningstar", "attached_to": "Grizzly Bears", "counters": {"charge": 2}},
            ]
        },
        p1={"hand": ["Murder", "Disenchant"]},
    )
    bears, rancor, star = (named(game, name) for name in ("Grizzly Bears", "Rancor", "Vulshok Morningstar"))
    take(game, "cast Murder", "object Grizzly Bears", "pass", "pass")
    record = departure(game, bears)
    assert record.attachments == (rancor, star)
    aura, equipment = record.attached
    assert (aura.id, aura.name, aura.attached_to, aura.zone_to) == (rancor, "Rancor", bears, Zone.BATTLEFIELD)
    assert (equipment.id, equipment.counters["charge"], equipment.tick) == (star, 2, record.tick)
    later = departure(game, rancor)
    assert (later.zone_to, later.attached_to) == (Zone.GRAVEYARD, bears)
    assert later.tick > record.tick
    still = game.object(star)
    assert still is not None
    assert still.attached_to == 0
    # What was kept is no departure.
    assert game.lki(star) is None
    assert star not in [row.id for row in game.departures()]
    settle(game)
    take(game, "cast Disenchant", "object Vulshok Morningstar", "pass", "pass")
    assert departure(game, star).zone_to is Zone.GRAVEYARD
    assert departure(game, bears).attached[1].counters["charge"] == 2


def test_what_leaves_together_knows_each_other() -> None:
    """CR 603.10: host and Equipment in one group; no third row of them."""
    game = begin(
        p0={
            "battlefield": [
                "Grizzly Bears",
                {"card": "Vulshok Morningstar", "attached_to": "Grizzly Bears"},
                "Nevinyrral's Disk",
            ]
        }
    )
    bears, star = named(game, "Grizzly Bears"), named(game, "Vulshok Morningstar")
    take(game, "activate Nevinyrral's Disk", "pass", "pass")
    record = departure(game, bears)
    assert record.attached == (departure(game, star),)
    assert record.attached[0].zone_to is Zone.GRAVEYARD
    assert {row.tick for row in game.departures() if row.zone is Zone.BATTLEFIELD} == {record.tick}


def test_a_phased_out_permanent_is_known_as_it_was() -> None:
    """CR 702.26: the same object; it did not leave, so its card has no departure."""
    game = begin(p0={"battlefield": [{"card": "Grizzly Bears", "tapped": True}], "hand": ["Slip Out the Back"]})
    bears = named(game, "Grizzly Bears")
    take(game, "cast Slip Out the Back", "object Grizzly Bears", "pass", "pass")
    there = game.object(bears)
    assert there is not None
    assert there.zone is Zone.PHASED_OUT
    record = departure(game, bears)
    assert (record.id, record.zone, record.zone_to, record.power) == (bears, Zone.BATTLEFIELD, Zone.PHASED_OUT, 3)
    assert game.lki(there.card, tick=game.tick) is None
    [now] = game.history(there.card)
    assert (now.id, now.zone, now.record) == (bears, Zone.PHASED_OUT, None)


def test_how_it_was_cast_is_remembered() -> None:
    """CR 202.3e, 400.7d: X and kicker of the spell, which the permanent and its record know."""
    game = begin(p0={"hand": ["Hangarback Walker"]}, p1={"hand": ["Murder"]})
    take(game, "cast Hangarback Walker", "number 3")
    [spell] = game.objects(Zone.STACK)
    assert spell.cast is not None
    assert (spell.mana_value, spell.cast.x) == (6, 3)
    take(game, "pass", "pass")
    walker = named(game, "Hangarback Walker")
    take(game, "cast Murder", "object Hangarback Walker", "pass", "pass")
    record = departure(game, walker)
    assert record.cast is not None
    assert (record.cast.x, record.mana_value, record.counters["+1/+1"]) == (3, 0, 3)
    was = departure(game, spell.id)
    assert (was.zone, was.became, was.mana_value, was.x) == (Zone.STACK, walker, 6, 3)


def test_linked_and_chosen_stay_with_the_record() -> None:
    """CR 607.2d: what was exiled with it, what was chosen for it."""
    game = begin(
        p0={"hand": ["Oblivion Ring"], "battlefield": [{"card": "Voice of All", "chosen": {"color": "red"}}]},
        p1={"battlefield": ["Hill Giant"], "hand": ["Disenchant", "Murder"]},
    )
    take(game, "cast Oblivion Ring", "pass", "pass", "object Hill Giant", "pass", "pass")
    ring, voice = named(game, "Oblivion Ring"), named(game, "Voice of All")
    [giant] = game.zone(Zone.EXILE)
    take(game, "cast Disenchant", "object Oblivion Ring", "pass", "pass")
    assert giant in [i for ids in departure(game, ring).linked.values() for i in ids]
    settle(game)
    take(game, "cast Murder", "object Voice of All", "pass", "pass")
    assert departure(game, voice).chosen == {"color": Color.R}


def test_the_incarnations_of_a_card() -> None:
    """CR 400.7: a new object after every zone change, each with its ticks."""
    game = begin(p0={"battlefield": ["Grizzly Bears"], "hand": ["Cloudshift"]})
    bears = named(game, "Grizzly Bears")
    [card] = game.cards("Grizzly Bears")
    take(game, "cast Cloudshift", "object Grizzly Bears", "pass", "pass")
    first, exiled, now = game.history(card)
    assert (first.id, first.zone, first.zone_to, first.since) == (bears, Zone.BATTLEFIELD, Zone.EXILE, -1)
    assert (exiled.zone, exiled.zone_to, exiled.since) == (Zone.EXILE, Zone.BATTLEFIELD, first.until)
    assert (now.id, now.zone, now.since, now.until) == (
        named(game, "Grizzly Bears"),
        Zone.BATTLEFIELD,
        exiled.until,
        -1,
    )
    assert first.record == game.lki(card, tick=first.until)
    assert exiled.record == game.lki(card, tick=exiled.until)
    assert game.lki(card, tick=first.until - 1) is None
    assert game.cards("Grizzly Bears", player=1) == []
    with pytest.raises(LookupError):
        game.cards("No Such Card")
    with pytest.raises(ValueError, match="no card 99"):
        game.history(99)


def test_a_copy_is_known_as_what_it_was() -> None:
    """CR 707.2: the copiable values of a departed copy are those that it had, a token copy of it has them too."""
    game = begin(
        p0={"battlefield": ["Serra Angel"], "hand": ["Clone"]},
        p1={"hand": ["Murder"]},
    )
    take(game, "cast Clone", "pass", "pass", "object Serra Angel")
    [clone] = [o.id for o in game.objects(Zone.BATTLEFIELD) if o.card == game.cards("Clone")[0]]
    take(game, "cast Murder", f"object Serra Angel #{clone}", "pass", "pass")
    record = departure(game, clone)
    assert (record.name, record.copiable.name, record.copiable.power) == ("Serra Angel", "Serra Angel", 4)
    assert record.copiable.keywords == Keyword.FLYING | Keyword.VIGILANCE
    became = game.object(record.became)
    assert became is not None
    assert (became.name, became.zone) == ("Clone", Zone.GRAVEYARD)


def test_rings_of_a_batch_as_columns() -> None:
    """The newest rows of every game's ring, the same on one thread and two; one entry a departure as a table."""
    run = simulate(["red", "green"], 60, seed=5, agents="random", departures=16)
    again = simulate(["red", "green"], 60, seed=5, agents="random", threads=2, chunk=7, departures=16)
    rows = run.departures
    assert rows is not None
    assert again.departures is not None
    assert (rows.shape, rows.dtype) == ((60, 16), row_dtype())
    for name in row_dtype().names or ():
        assert np.array_equal(rows[name], again.departures[name]), name
    assert (np.diff(rows["tick"].astype(np.int64), axis=1) <= 0).all(), "the newest first"
    table = run.departure_columns()
    assert len(table["game"]) == len(table["name"]) == np.count_nonzero(rows["id"])
    died = (table["zone"] == Zone.BATTLEFIELD) & (table["zone_to"] == Zone.GRAVEYARD)
    assert (died & (table["types"] & TypeBit.CREATURE > 0)).any()
    game = Game(["red", "green"], seed=5, game=3)
    while not game.is_terminal:
        game.step_agent("random")
    known = {(record.id, record.tick, record.name, record.power) for record in game.departures()}
    mine = table["game"] == 3
    found = set(zip(*(table[name][mine].tolist() for name in ("id", "tick", "name", "power")), strict=True))
    assert found <= known
    assert simulate(["red", "green"], 2).departures is None
    with pytest.raises(ValueError, match="no departures were kept"):
        simulate(["red", "green"], 2).departure_columns()


def test_tokens_and_statuses_in_words() -> None:
    game = begin(p0={"battlefield": [{"card": "Exalted Angel", "face_down": True}]}, p1={"hand": ["Murder"]})
    [angel] = game.zone(Zone.BATTLEFIELD)
    take(game, "cast Murder", "object", "pass", "pass")
    record = departure(game, angel)
    assert record.face_down
    assert not record.token
    assert (record.power, record.toughness, record.colors, record.copiable.power) == (2, 2, Color(0), 2)
    assert record.status & Status.FACE_DOWN
    assert not record.flags & ObjectFlag.TOKEN
    became = game.object(record.became)
    assert became is not None
    assert became.name == "Exalted Angel"
