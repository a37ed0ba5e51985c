"""The built-in cards: how many of which kind there are, what they agree with, and the decks made of them."""

from __future__ import annotations

import dataclasses
import enum
import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from lkicore import _batch, simulate
from lkicore.cards import CardPool, Deck, UnknownCard, bundled_decks
from lkicore.ir.faces import Face, color_letters
from lkicore.ir.keywords import KeywordAbility
from lkicore.opcodes import (
    ChangeOp,
    Color,
    CostFlag,
    CostOp,
    EffectOp,
    EnterOp,
    EventKind,
    Keyword,
    Layout,
    ReplaceOp,
    Timing,
    TypeBit,
    UseBit,
)
from lkicore.results import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

POOL = CardPool.builtin()
CARDS = [face for face in POOL.faces if not face.token and not face.test_only]


def parts(node: object) -> Iterator[object]:
    """Yield everything that a face is made of, however deep; keyword abilities are written out."""
    yield node
    if isinstance(node, KeywordAbility):
        yield from parts(node.parts)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        for item in dataclasses.fields(node):
            yield from parts(getattr(node, item.name))
    elif isinstance(node, tuple | list):
        for inner in node:
            yield from parts(inner)


@cache
def used(name: str) -> frozenset[tuple[type, int]]:
    """Return the opcodes, events, costs … that the face called `name` uses, as pairs of enumeration and number."""
    found: set[tuple[type, int]] = set()
    for part in parts(POOL[name]):
        if isinstance(part, enum.Flag):
            found |= {(type(part), bit.value) for bit in part}
        elif isinstance(part, enum.Enum):
            found.add((type(part), part.value))
    return frozenset(found)


def users(member: enum.Enum) -> list[str]:
    """Return the cards that use `member`."""
    return [f.name for f in CARDS if (type(member), member.value) in used(f.name)]


def with_abilities(face: Face) -> bool:
    """Whether the text of `face` says more than keywords and intrinsic mana abilities."""
    return face.spell is not None or bool(face.abilities)


# --------------------------------------------------------------------------------------------------- numbers
def test_the_pool_is_large_enough() -> None:
    assert len(CARDS) >= 115
    assert sum(with_abilities(f) for f in CARDS) >= 70
    assert len(users(EventKind.LEAVES)) >= 25


#: What no card has to be written with: control flow and marks that the assembler makes, triggers that instructions
#: make, and what no card of the pool needs so far.
UNUSED: dict[type[enum.Enum], set[str]] = {
    EffectOp: {
        *("END", "JUMP", "UNLESS", "MAY", "PAY", "COPY_TOKEN", "COPY_CARD", "ADD_MANA", "DRAW_GAME"),
        *("VENTURE", "DAY", "PICK_NAME", "PICK_TYPE", "PICK_NUMBER"),
    },
    EventKind: {
        *("NONE", "ACTIVATED", "LOSES_GAME", "MANA", "COPIED", "PLAYER_COUNTERS", "TITLE", "ROOM", "ROLL"),
        "PROLIFERATE",
    },
    CostOp: {"MILL"},
    ReplaceOp: {"PROLIFERATE", "SCRY"},
    EnterOp: {"UNDER"},
    ChangeOp: {"SET_TYPES", "ADD_COLORS", "HAND_SIZE"},
}
#: Used by one card.
RARE: dict[type[enum.Enum], set[str]] = {
    EffectOp: {"LINK", "LOSE_GAME", "PICK_PLAYER"},
    EventKind: {"COUNTERED", "PLAYER_TARGETED", "FLIP", "TRANSFORMS", "LEVEL", "PHASES_OUT"},
    CostOp: {"REVEAL"},
    ReplaceOp: {"DRAWS", "LIFE_LOSS", "UNPREVENTABLE"},
    EnterOp: {"DELAY"},
    Timing: {"COMBAT"},
    CostFlag: {"SOME_X"},
    ChangeOp: {"TYPES_OF_LINKED", "PROTECT_PLAYER"},
}


@pytest.mark.parametrize("kind", [EffectOp, EventKind, CostOp, CostFlag, ChangeOp, ReplaceOp, EnterOp, Timing, Keyword])
def test_cards_use_the_whole_language(kind: type[enum.Enum]) -> None:
    for member in kind:
        if member.name in UNUSED.get(kind, ()):
            continue
        least = 1 if member.name in RARE.get(kind, ()) else 2
        assert len(users(member)) >= least, f"{kind.__name__}.{member.name}: {users(member)}"


def test_every_token_is_made_by_a_card() -> None:
    tokens = {f.name for f in POOL.faces if f.token}
    named = {p for f in POOL.faces for p in parts(f) if isinstance(p, str) and p != f.name}
    assert tokens <= named


# ----------------------------------------------------------------------------------------------------- facts
def symbols(cost: str) -> list[str]:
    """Return the symbols of a mana cost in a fixed order, halves of hybrid ones too: sources differ in both."""
    found = re.findall(r"\{([^{}]*)\}", cost)
    return sorted("/".join(sorted(s.split("/") if "/" in s or not re.fullmatch("[WUBRG]{2}", s) else s)) for s in found)


def printed_size(face: Face) -> str | None:
    """Return power and toughness as they are printed."""
    if face.power is None:
        return None
    return face.size or f"{face.power}/{face.toughness}"


def test_every_card_agrees_with_the_facts(shared_dir: Path, record_property: Any) -> None:
    rows: dict[str, dict[str, Any]] = {}
    parts_of_cards: dict[str, dict[str, Any]] = {}
    with gzip.open(shared_dir / "data" / "oracle_cards.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            rows.setdefault(row["name"], row)
            for part in row.get("card_faces", ()):
                parts_of_cards.setdefault(part["name"], part)
    rows = parts_of_cards | rows
    missing = [f.name for f in CARDS if f.name not in rows]
    assert not missing
    for face in CARDS:
        row = rows[face.name]
        if face.layout is Layout.SPLIT and not face.back:
            continue  # the rows have its halves
        assert symbols(row.get("mana_cost") or "") == symbols(str(face.cost or "")), face.name
        # Older rows have the name that the type Kindred bore before.
        assert row["type_line"].replace("Tribal", "Kindred") == face.type_line, face.name
        if face.layout is Layout.MODAL and TypeBit.CREATURE in face.types and row.get("power") in (None, ""):
            continue  # a row that lacks the size
        size = f"{row['power']}/{row['toughness']}" if row.get("power") not in (None, "") else None
        assert size == printed_size(face), face.name
        # Some rows say no colours: those of the mana cost (CR 105.2).
        colors = row.get("colors") or re.findall("[WUBRG]", row.get("mana_cost") or "")
        if "Devoid" in row.get("keywords", ()):
            colors = []  # CR 702.114
        assert set(colors) == set(color_letters(face.real_colors)), face.name
    record_property("compared", len(CARDS))


# ----------------------------------------------------------------------------------------------------- decks
@pytest.mark.parametrize("name", bundled_decks())
def test_decks_are_legal_and_can_be_played(name: str) -> None:
    deck = Deck.load(name)
    deck.validate()
    assert len(deck) == 60
    lands = [card for n, card in deck.cards for _ in range(n) if TypeBit.LAND in POOL[card].types]
    assert 20 <= len(lands) <= 25
    # Each colour of its cards has lands that make it.
    made = Counter(letter for card in lands for letter in mana_letters(POOL[card]))
    for _, card in deck.cards:
        assert all(made[letter] >= 8 for letter in needed(POOL[card])), card


def mana_letters(face: Face) -> set[str]:
    """Return the colours of mana that a land makes."""
    return {letter for ability in face.all_abilities for letter in color_letters(getattr(ability, "colors", Color(0)))}


def needed(face: Face) -> set[str]:
    """Return the colours without which a card cannot be cast; of hybrid symbols any will do."""
    if face.cost is None:
        return set()
    return {c for c, n in zip("WUBRG", face.cost.pips, strict=False) if n}


def test_there_are_decks_of_five_kinds_at_least() -> None:
    assert len(bundled_decks()) >= 5
    assert {"red", "green", "skies", "sacrifice", "weenie", "auras"} <= set(bundled_decks())


@pytest.mark.parametrize("name", ["skies", "sacrifice", "weenie", "auras"])
def test_new_decks_use_abilities(name: str) -> None:
    cards = [POOL[card] for _, card in Deck.load(name).cards]
    assert sum(with_abilities(face) or bool(face.keyword_abilities) for face in cards) >= 10


# ---------------------------------------------------------------------------------------------- the cards of a game


@pytest.mark.parametrize("first", range(0, len(POOL), 100))
def test_a_card_alone_brings_what_it_names(first: int) -> None:
    for face in POOL.faces[first : first + 100]:
        alone = POOL.only([face.name])
        assert face in alone.faces
        assert len(alone) < 16, alone.names(tokens=True, test_only=True)
        assert len(alone.table) == len(alone)


def test_only_keeps_the_order_and_takes_what_is_named_in_turn() -> None:
    pool = CardPool.from_yaml("""
- {name: Seed, type: Creature — Plant, pt: 0/1, token: true, abilities: [
   {when: dies(this), do: ['create_tokens(you, 1, "Sprout")']}]}
- {name: Other, cost: "{G}", type: Creature — Plant, pt: 1/1}
- {name: Sprout, type: Creature — Plant, pt: 1/1, token: true}
- {name: Sower, cost: "{G}", type: Sorcery, spell: {do: ['create_tokens(you, 2, "Seed")']}}
""")
    assert pool.only(["sower"]).names(tokens=True) == ["Seed", "Sprout", "Sower"]
    assert pool.only(["Other", "Other"]).names(tokens=True) == ["Other"]
    with pytest.raises(UnknownCard, match="Sewer"):
        pool.only(["Sewer"])


@pytest.mark.parametrize(
    ("given", "token"), [("afterlife 1", "Afterlife Spirit Token"), ("fabricate 1", "Servo Token")]
)
def test_a_keyword_that_is_given_brings_what_it_makes(given: str, token: str) -> None:
    """No keyword of the card's own names the token: what the static ability gives does. (Tokens that get fabricate
    themselves are soon more than any block holds.)"""
    pool = POOL.with_cards(f"""
- name: Test Patron
  cost: "{{W}}"
  type: Creature — Human
  pt: 2/2
  test_only: true
  abilities: [{{static: ['gain("{given}")'], affects: creature & ~token & yours}}]
""")
    assert token in pool.only(["Test Patron"])
    deck = Deck.load("30 Test Patron\n30 Plains", pool)
    assert simulate([deck, deck], 20, seed=1, agents="random", pool=pool).games == 20


def checksums(pool: CardPool, deck: Deck, agents: list[int], games: int) -> list[int]:
    out = {key: np.zeros((games, 2) if key == "life" else games, dtype) for key, dtype in COLUMNS.items()}
    out["checksum"] = out.pop("game_checksum")
    del out["game"]
    _batch.run(pool.table, [deck.seat(pool)] * 2, agents, 5, 0, games, out=out, max_turns=40)
    found: list[int] = out["checksum"].tolist()
    return found


@pytest.mark.parametrize("name", bundled_decks())
def test_games_do_not_depend_on_the_other_cards_of_the_pool(name: str) -> None:
    deck = Deck.load(name)
    part = POOL.only(card for _, card in (*deck.cards, *deck.commanders, *deck.sideboard))
    assert len(part) < len(POOL) // 4
    assert checksums(POOL, deck, [1, 0], 100) == checksums(part, deck, [1, 0], 100)


@pytest.mark.parametrize("uses", [0, UseBit.CASTING, UseBit.STEPS, UseBit.DIVIDING])
def test_what_no_card_of_a_game_does_is_not_missed(uses: int) -> None:
    """Cards drawn from all that do no more than `uses`: their table says so, that of the whole pool says everything.

    Kills: a card that does what is only looked for where the table says that it can come up.
    """
    alone = {face.name: POOL.only([face.name]).table.uses for face in CARDS if not face.back}
    lands = ("Plains", "Island", "Swamp", "Mountain", "Forest")
    # (New Blood offers the creature types of all cards of the pool: its choice is another one in a smaller pool.)
    able = [name for name, used in alone.items() if used & ~uses == 0 and name not in (*lands, "New Blood")]
    wanted = [name for name, used in alone.items() if used == uses]
    chance = Random(uses)
    for k in range(12):
        drawn = chance.sample(wanted, min(4, len(wanted))) + chance.sample(able, 14)
        deck = Deck(f"drawn {k}", (*((5, land) for land in lands), *((2, name) for name in sorted({*drawn}))))
        part = POOL.only(name for _, name in deck.cards)
        assert part.table.uses == uses
        assert POOL.table.uses == sum(UseBit)
        assert checksums(POOL, deck, [k % 2, 0], 20) == checksums(part, deck, [k % 2, 0], 20)
