"""Keyword abilities that are made of others: what each stands for, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lkicore.cards import CardPool
from lkicore.ir import (
    ActivatedAbility,
    Change,
    Face,
    Keyword,
    KeywordAbility,
    ReplacementAbility,
    TriggeredAbility,
    TypeBit,
    gain,
    keyword_ability,
    mana_cost,
    notation,
)
from lkicore.ir.changes import CHANGE_SIGNATURES
from lkicore.ir.keywords import COMPOSITIONS, PLAIN_MARKS, SUMMARY, Parameter, expand
from lkicore.opcodes import AbilityKind, ChangeOp, Timing, Zone

#: What is written in card files.
EXAMPLES = {
    **{word: word for word, c in COMPOSITIONS.items() if c.parameter is Parameter.NONE},
    **{word: f"{word} 2" for word, c in COMPOSITIONS.items() if c.parameter is Parameter.NUMBER},
    **{word: f"{word} {{2}}" for word, c in COMPOSITIONS.items() if c.parameter is Parameter.COST},
    "enchant": "enchant creature & yours",
    "protection from": "protection from red",
    "hexproof from": "hexproof from black",
    "affinity for": "affinity for artifacts",
    "champion": "champion creature",
    "suspend": "suspend 3 {1}{U}",
    "impending": "impending 3 {1}{U}",
    "gift": "gift a card",
    "landwalk": "landwalk land & legendary",
    "companion": "companion land | mana_value(at_least=3)",
    "companion of a deck of at least": "companion of a deck of at least 80",
    "partner with": "partner with Test",
    "can block only": "can block only has(flying)",
    "can't be blocked by": "can't be blocked by black",
    "can't be blocked except by": "can't be blocked except by artifacts",
    "can't block creatures that are": "can't block creatures that are green",
}
#: What each stands for: the abilities in the notation, "event if condition: effects".
STANDS_FOR = {
    "prowess": ["cast(spell & ~creature, by=yourself): pump(source, 1, 1)"],
    "exalted": ["attacks(creature & yours, alone=True): pump(event_object, 1, 1)"],
    "undying": [
        (
            'dies(this) if counters_on(event_object, "+1/+1") == 0:'
            ' enters_with(1, "+1/+1"); move(event_card, battlefield)'
        )
    ],
    "persist": [
        (
            'dies(this) if counters_on(event_object, "-1/-1") == 0:'
            ' enters_with(1, "-1/-1"); move(event_card, battlefield)'
        )
    ],
    "flanking": ["blocks(creature & ~has(flanking), what=this): pump(event_object, -1, -1)"],
    "battle cry": ["attacks(this): pump(each(creature & attacking & other), 1, 0)"],
    "bushido": ["blocks(this): pump(source, 2, 2)", "becomes_blocked(this): pump(source, 2, 2)"],
    "afterlife": ['dies(this): create_tokens(you, 2, "Afterlife Spirit Token")'],
    "annihilator": ["attacks(this): edict(event_player, 2, permanent)"],
    "frenzy": ["unblocked(this): pump(source, 2, 0)"],
    "evolve": [
        (
            "enters(creature & yours & other) if any_of(power_of(source) < power_of(event_object),"
            ' toughness_of(source) < toughness_of(event_object)): put_counters(source, 1, "+1/+1");'
            ' act("evolves", source)'
        )
    ],
    "vanishing": [
        'enters with counters(2, "time")',
        'begins(upkeep, whose=yourself) if counters_on(source, "time") >= 1: remove_counters(source, 1, "time")',
        'counters_removed(this, kind="time") if counters_on(source, "time") == 0: sacrifice(source)',
    ],
}


def said(ability: Any) -> str:
    if isinstance(ability, ReplacementAbility):
        return f"enters with {', '.join(map(notation, ability.enters))}"
    condition = f" if {notation(ability.condition)}" if ability.condition is not None else ""
    return f"{notation(ability.event)}{condition}: {'; '.join(map(notation, ability.effects))}"


@pytest.mark.parametrize("word", COMPOSITIONS)
def test_a_keyword_ability_stands_for_something_and_names_its_rule(word: str) -> None:
    made = keyword_ability(EXAMPLES[word])
    assert (made.word, made.text) == (word, EXAMPLES[word])
    assert re.fullmatch(r"(702|509)\.\d+[a-z]?", made.rule)
    parts = made.parts
    # How the halves of a split card are cast, see cards/several.py; a rule of decks.
    halves = word in ("aftermath", "fuse", "partner")
    assert halves or (
        parts.abilities or parts.optional or parts.enchants or parts.ways or parts.mark or parts.colorless
    )
    assert parts.mark == COMPOSITIONS[word].mark
    for ability in parts.abilities:
        assert getattr(ability, "keyword", made.text) == made.text


@pytest.mark.parametrize("word", STANDS_FOR)
def test_what_a_keyword_ability_stands_for(word: str) -> None:
    assert [said(ability) for ability in keyword_ability(EXAMPLES[word]).parts.abilities] == STANDS_FOR[word]


def table(keyword: str, types: str = "Creature — Bear", **fields: str) -> tuple[CardPool, list[dict[str, Any]]]:
    further = "".join(f"  {key}: {value}\n" for key, value in fields.items())
    size = "  pt: 2/2\n" if "Creature" in types else ""
    quoted = keyword.replace("'", "''")
    pool = CardPool.from_yaml(
        f"- name: Test\n  cost: '{{1}}'\n  type: {types}\n{size}  keywords: ['{quoted}']\n{further}"
        "- {name: Afterlife Spirit Token, token: true, type: Creature — Spirit, pt: 1/1}\n"
        "- {name: Face-Down Creature, sort: face down, type: Creature, pt: 2/2}\n"
        "- {name: Face-Down Creature (ward), sort: face down, type: Creature, pt: 2/2, keywords: ['ward {2}']}\n"
        "- {name: Phyrexian Germ Token, token: true, type: Creature — Phyrexian Germ, pt: 0/0}\n"
        "- {name: Servo Token, token: true, type: Artifact Creature — Servo, pt: 1/1}\n"
        "- {name: Warrior Token (red), token: true, type: Creature — Warrior, pt: 1/1}\n"
    )
    first, n = pool.assembly.faces[0]["abilities"]
    return pool, pool.assembly.abilities[first : first + n]


#: Keywords that aren't abilities of the object: costs of casting it, ways, and marks that rules ask for.
NOT_ABILITIES = [w for w in COMPOSITIONS if not keyword_ability(EXAMPLES[w]).parts.abilities]


@pytest.mark.parametrize("word", [w for w in COMPOSITIONS if w not in NOT_ABILITIES])
def test_a_keyword_ability_reaches_the_table(word: str) -> None:
    pool, rows = table(EXAMPLES[word])
    assert len(rows) == len(keyword_ability(EXAMPLES[word]).parts.abilities)
    assert pool.assembly.faces[0]["keywords"] == COMPOSITIONS[word].mark


def test_ward_counters_unless_its_cost_is_paid() -> None:
    pool, (row,) = table("ward pay_life(3)")
    (ability,) = pool.faces[0].all_abilities
    assert isinstance(ability, TriggeredAbility)
    assert notation(ability.event) == "becomes_target(this, by=opponent)"
    (pay,) = ability.effects
    assert str(pay.cost) == "pay_life(3)"  # type: ignore[union-attr]
    assert row["player"] >= 0


def test_equipment_is_equipped_and_an_aura_enchants() -> None:
    pool, (row,) = table("equip {3}", "Artifact — Equipment")
    assert (row["kind"], row["timing"], row["generic"]) == (AbilityKind.ACTIVATED, Timing.SORCERY, 3)
    pool, rows = table("enchant land", "Enchantment — Aura")
    face = pool.assembly.faces[0]
    spell = pool.assembly.abilities[face["spell"]]
    assert (rows, spell["program"], spell["targets"][1]) == ([], -1, 1)


def test_cycling_works_in_the_hand_and_discards_the_card() -> None:
    for text, effect in (
        ("cycling {2}", "draw(you, 1)"),
        ("basic landcycling {1}", "search_library(you, basic & land, hand)"),
        ("forestcycling {1}", 'search_library(you, subtype("Forest"), hand)'),
    ):
        (ability,) = keyword_ability(text).parts.abilities
        assert isinstance(ability, ActivatedAbility)
        assert ability.zone is Zone.HAND
        assert str(ability.cost).endswith(", discard_this")
        assert [notation(e) for e in ability.effects] == [effect]  # type: ignore[arg-type]
    # What works in the hand is no ability of an instant on the battlefield.
    _, (row,) = table("cycling {2}", "Instant", spell="{do: ['draw(you, 1)']}")
    assert row["zones"] == 1 << Zone.HAND


@pytest.mark.parametrize(
    ("quality", "filter_"),
    [
        ("red", "red"),
        ("creatures", "creature"),
        ("sorceries", "sorcery"),
        ("multicolored", "multicolored"),
        ("all colors", "colors_between(1, 5)"),
        ('subtype("Dragon") & ~black', 'subtype("Dragon") & ~black'),
        ("everything", "everything"),
    ],
)
def test_qualities_of_protection(quality: str, filter_: str) -> None:
    (ability,) = keyword_ability(f"protection from {quality}").parts.abilities
    assert notation(ability.source) == filter_  # type: ignore[union-attr]


def test_marks_stand_for_their_abilities_in_python_too() -> None:
    face = Face("Test", TypeBit.CREATURE, cost=mana_cost("{1}"), power=1, toughness=1, keywords=Keyword.PROWESS)
    assert [k.word for k in face.keywords_with_parts] == ["prowess"]
    assert len(face.all_abilities) == 1
    again = Face(
        "Test",
        TypeBit.CREATURE,
        cost=mana_cost("{1}"),
        power=1,
        toughness=1,
        keyword_abilities=(KeywordAbility("prowess"), KeywordAbility("ward", "{1}")),
    )
    assert again.marks == Keyword.PROWESS | Keyword.WARD
    assert again.keyword_names == ("prowess", "ward {1}")
    with pytest.raises(ValueError, match="ward has a parameter"):
        Face("Test", TypeBit.LAND, keywords=Keyword.WARD)


def test_every_mark_that_stands_for_an_ability_is_in_the_table() -> None:
    assert sum(k for k in Keyword if k >= Keyword.PROTECTION and k not in PLAIN_MARKS) == SUMMARY


def test_keywords_are_written_out_once() -> None:
    plain = gain(Keyword.FLYING)
    assert expand([plain]) == (plain,)
    made = expand([gain(Keyword.FLYING | Keyword.EXALTED, "toxic 1")])
    assert [change.op for change in made] == [ChangeOp.ADD_KEYWORDS, ChangeOp.ADD_ABILITY, ChangeOp.ADD_ABILITY]
    assert made[0] == Change(ChangeOp.ADD_KEYWORDS, (Keyword.FLYING | Keyword.EXALTED | Keyword.TOXIC,))
    assert all(len(c.args) == len(CHANGE_SIGNATURES[c.op]) for c in made)
    with pytest.raises(ValueError, match="cannot gain enchant creature"):
        expand([gain("enchant creature")])
