"""The notation of card files: what it means, and wrong input of every kind with its place and cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from lkicore.cards import CardError, CardPool
from lkicore.cards.expressions import MAX_DEPTH, MAX_LENGTH, ExpressionError, evaluate
from lkicore.ir import (
    NAMESPACE,
    any_target,
    artifact,
    black,
    controller_of,
    count,
    creature,
    damage,
    each,
    everything,
    fight,
    has,
    in_zone,
    lesser,
    mana_value,
    notation,
    player,
    power,
    power_of,
    pump,
    put_counters,
    search_library,
    source,
    spell,
    subtype,
    tapped,
    target,
    x,
    you,
    yours,
    yourself,
)
from lkicore.opcodes import FilterOp, Keyword, ValueOp, Zone

SPELL = '- name: Test\n  cost: "{R}"\n  type: Instant\n  spell:\n'


def of(text: str) -> object:
    return evaluate(text, NAMESPACE)


# ------------------------------------------------------------------------------------------------- meaning
@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("creature & ~black", creature & ~black),
        ("any_target", any_target),
        ("damage(target(0), 3)", damage(target(0), 3)),
        ("damage(target(1), power_of(target(0)), by=target(0))", damage(target(1), power_of(target(0)), target(0))),
        (
            "pump(target(0), 3, -1, trample | first_strike)",
            pump(target(0), 3, -1, Keyword.TRAMPLE | Keyword.FIRST_STRIKE),
        ),
        ("count(creature & yours) + 1", count(creature & yours) + 1),
        ("2 * x - -3", 2 * x - -3),
        ("-x", 0 - x),
        ("lesser(x, 4)", lesser(x, 4)),
        ('put_counters(target(0), x, "+1/+1")', put_counters(target(0), x, "+1/+1")),
        ("controller_of(target(0))", controller_of(target(0))),
        ('creature & subtype("Goblin")', creature & subtype("Goblin")),
        ("1 + 2", 3),
    ],
)
def test_notation_means_what_the_builders_make(text: str, node: object) -> None:
    assert of(text) == node


@pytest.mark.parametrize(
    "node",
    [
        creature & ~black & yours,
        (creature | artifact) & ~tapped,
        ~(creature & yours),
        creature & (has(Keyword.FLYING) | yours),
        ~(creature | artifact),
        creature & ~has(Keyword.FLYING),
        ~has(Keyword.FLYING | Keyword.REACH),
        power(at_least=4) & mana_value(at_most=2),
        spell & creature,
        in_zone(Zone.EXILE),
        player & ~yourself,
        any_target | everything,
        (count(creature) + x) * 2 - power_of(source),
        0 - (x - 1),
        search_library(you, artifact, Zone.EXILE, tapped=True),
        damage(each(creature & yours), lesser(x, 1)),
        fight(target(0), source),
    ],
)
def test_what_is_written_is_read_back(node: object) -> None:
    assert of(notation(node)) == node  # type: ignore[arg-type]


def test_the_pool_is_read_back_from_its_own_listing() -> None:
    seen = 0
    for face in CardPool.builtin().faces:
        for ability in (face.spell, *face.abilities):
            for node in (*getattr(ability, "effects", ()), *(t.filter for t in getattr(ability, "targets", ()))):
                assert of(notation(node)) == node
                seen += 1
    assert seen >= 60


def test_negation_of_several_keywords_is_not_none_of_them() -> None:
    assert (~has(Keyword.FLYING)).op is FilterOp.KEYWORDS_NONE
    assert (~has(Keyword.FLYING | Keyword.REACH)).op is FilterOp.NOT


def test_plain_numbers_become_constants_once() -> None:
    assert (x + 1).args[1].op is ValueOp.CONST  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("creatur", "did you mean creature"),
        ("__import__('os')", "unknown word '__import__'"),
        ("creature.__class__", "a dot is not allowed"),
        ("[creature]", "list is not allowed"),
        ("creature[0]", "[...] is not allowed"),
        ("lambda: 1", "lambda is not allowed"),
        ("(a := 1)", "namedexpr is not allowed"),
        ("'a' 'b' f'{x}'", "is not allowed"),
        ("creature if x else land", "if/else is not allowed"),
        ("creature and land", "and/or is not allowed"),
        ("x < 3", "compare is not allowed"),
        ("3.5", "3.5 is neither"),
        ("None", "None is neither"),
        ("x / 2", "/ does not apply"),
        ("9 ** 9", "** does not apply"),
        ("1 << 999999", "<< does not apply"),
        ("not creature", "not does not apply"),
        ("~3", "~ does not apply"),
        ("-creature", "- does not apply"),
        ("'a' * 999999", "* does not apply"),
        ("1 & 2", "& does not apply"),
        ("battlefield + 1", "+ does not apply"),
        ("creature & flying", "& does not apply"),
        ("creature & 1", "& does not apply"),
        ("creature & player", "nothing is both"),
        ("creature()", "takes no operands"),
        ("target(0)(1)", "only a word can be called"),
        ("draw(*you)", "starred is not allowed"),
        ("draw(**you)", "** is not allowed"),
        ("draw(you)", "amount"),
        ("draw(you, 1, 2)", "positional"),
        ("draw(you, amount=1, n=2)", "unexpected keyword"),
        ("draw(creature, 1)", "a reference such as target(0) is wanted"),
        ("draw(you, creature)", "a number or value is wanted"),
        ("draw(you, True)", "a number or value is wanted"),
        ("draw(you, battlefield)", "a number or value is wanted"),
        ("draw(source, 1)", "a reference to players is wanted"),
        ("destroy(you)", "a reference to objects is wanted"),
        ("power_of(each(creature))", "one thing"),
        ("each(player)", "a filter of objects is wanted"),
        ("count(3)", "a filter of objects is wanted"),
        ("target(-1)", "is not from 0"),
        ("target(8)", "is not from 0"),
        ("target('a')", "a number is wanted"),
        ("target(99999999999)", "out of range"),
        ("has(creature)", "keywords are wanted"),
        ("subtype('')", "is empty"),
        ("subtype(3)", "a string is wanted"),
        ("in_zone(1)", "a zone is wanted"),
        ("power(at_least=3, at_most=2)", "nothing is at least 3"),
        ("pump(source, 1, 1, creature)", "keywords such as trample"),
        ("put_counters(source, 1, '+2/+2')", "no kind of counter"),
        ("create_tokens(you, 1, 3)", "the name of a token"),
        ("add_mana('Q')", "is not a kind of mana"),
        ("search_library(you, land, stack)", "cannot be put into stack"),
        ("search_library(you, land, hand, 3)", "tapped is True or False"),
        ("", "not an expression"),
        ("damage(target(0), 3", "not an expression"),
        ("a b", "not an expression"),
        ("x = 3", "not an expression"),
        ("import os", "not an expression"),
        ("1\x00", "not an expression"),
        ("(" * 300, "not an expression"),
        ("~" * (MAX_DEPTH + 2) + "creature", "nested too deeply"),
        ("+".join("x" * (MAX_DEPTH + 2)), "nested too deeply"),
        ("x" * (MAX_LENGTH + 1), "characters; at most"),
    ],
)
def test_an_expression_is_refused_with_its_cause(text: str, cause: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        of(text)
    assert cause in str(caught.value)


def test_the_column_is_that_of_the_faulty_word() -> None:
    with pytest.raises(ExpressionError, match=r"column 8"):
        of("damage(targit(0), 3)")


CARDS = [
    ("name: [", 2, "not YAML"),
    ("name: Test", 1, "a card file is a list"),
    ("- Test", 1, "a card is a map"),
    ("- type: Instant", 1, "without a name"),
    ("- name: Test", 1, "without a type"),
    ("- name: Test\n  type: Creature\n  pt: 1/1", 1, "without a cost"),
    ("- name: Test\n  naem: Test", 2, "unknown key 'naem' of a card; did you mean name"),
    ("- name: Test\n  name: Test", 2, "stands twice"),
    ("- name: Test\n  type: Creture\n", 2, "unknown type 'Creture'; did you mean Creature"),
    ("- name: Test\n  type: Land Land\n", 2, "the type 'Land' stands twice"),
    ("- name: Test\n  type: Basic\n", 2, "no card type"),
    ("- name: Test\n  type: Land — A — B\n", 2, "one dash"),
    ("- name: Test\n  type: Land — A A\n", 1, "a subtype stands twice"),
    ('- name: Test\n  type: Land\n  cost: "{1}"', 1, "a token or land with a mana cost"),
    ('- name: Test\n  type: Artifact\n  cost: "1R"', 3, "is not a mana cost"),
    ("- name: Test\n  type: Artifact\n  cost: {R}", 3, "mana symbols need quotes"),
    ('- name: Test\n  type: Artifact\n  cost: "{R/G}"', 3, "{R/G} is not supported"),
    ('- name: Test\n  type: Artifact\n  cost: "{100}"', 3, "more than 99"),
    ('- name: Test\n  type: Creature\n  cost: "{1}"', 1, "a creature without power"),
    ('- name: Test\n  type: Creature\n  cost: "{1}"\n  pt: "*/2"', 4, '"*" is not supported'),
    ('- name: Test\n  type: Creature\n  cost: "{1}"\n  pt: 9999/2', 1, "a size of 9999"),
    ("- name: Test\n  type: Land\n  pt: 1/2", 1, "but no creature"),
    ("- name: Test\n  type: Land\n  keywords: [flyng]", 3, "unknown keyword 'flyng'; did you mean flying"),
    ("- name: Test\n  type: Land\n  keywords: [haste, haste]", 3, "stands twice"),
    ("- name: Test\n  type: Land\n  colors: RX", 3, "colours are letters"),
    ("- name: Test\n  type: Land\n  token: maybe", 3, "token is true or false"),
    ("- name: Test\n  type: Land\n  spell: {do: 'draw(you, 1)'}", 1, "neither instant nor sorcery"),
    ("- name: Test\n  type: Land\n  abilities: [{mana: G}]", 3, "without a cost"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}"}]', 3, "'do' is missing"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}", do: []}]', 3, "without an effect"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}, {T}", mana: G}]', 3, "{T} stands twice"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{1}, {2}", mana: G}]', 3, "two mana costs"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "pay 2 life", mana: G}]', 3, "'pay 2 life' is not a cost"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}", mana: Q}]', 3, "is not a kind of mana"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}", mana: RG}]', 3, "several kinds at once"),
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}", mana: G, do: []}]', 3, "CR 605.1a"),
    ('- name: Test\n  type: Instant\n  cost: "{R}"', 1, "without a spell ability"),
    (SPELL + "    targets: [creatur]\n    do: [destroy(target(0))]", 5, "unknown word 'creatur'"),
    (SPELL + "    targets: [you]\n    do: [destroy(target(0))]", 5, "a target is described by a filter"),
    (SPELL + "    targets: [in_zone(hand)]\n    do: [destroy(target(0))]", 5, "an object in hand cannot be a target"),
    (SPELL + "    targets: [creature | spell]\n    do: [destroy(target(0))]", 5, "more than one zone"),
    (SPELL + "    do: [creature]", 5, "an effect such as"),
    (SPELL + "    do: [destroy(target(0))]", 1, "target(0) does not exist: there are no targets"),
    (SPELL + "    targets: [creature]\n    do: [destroy(target(1))]", 1, "and there are 1"),
    (SPELL + "    targets: [creature, land]\n    do: [destroy(target(0))]", 1, "target(1) is chosen but not used"),
    (SPELL + "    targets: [creature]\n    do: ['draw(target(0), 1)']", 1, "target(0) means objects"),
    (SPELL + "    targets: [any_target]\n    do: [destroy(target(0))]", 1, "target(0) means objects or players"),
    (SPELL + "    targets: [player]\n    do: ['draw(you, power_of(target(0)))']", 1, "target(0) means players"),
    (SPELL + "    do: ['draw(you, x)']", 1, "the cost has no {X}"),
    (SPELL + "    do: ['create_tokens(you, 1, \"Test\")']", 1, "no token is called 'Test'"),
    (SPELL + "    do: [tap(each(spell))]", 1, "only permanents"),
    (SPELL + "    do: [tap(each(creature | spell))]", 1, "more than one zone"),
]


@pytest.mark.parametrize(("text", "line", "cause"), CARDS)
def test_a_card_is_refused_with_place_and_cause(text: str, line: int, cause: str) -> None:
    with pytest.raises(CardError) as caught:
        CardPool.from_yaml(text + "\n")
    error = caught.value
    assert cause in error.cause
    assert error.place is not None
    assert (error.place.file, error.place.line) == ("<text>", line)
    assert str(error).startswith(f"<text>:{line}: ")
    if "name: Test\n" in text:
        assert error.card == "Test"
    assert isinstance(error, ValueError)


def test_a_refusal_names_file_card_and_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(SPELL + "    do: ['drow(you, 1)']\n")
    with pytest.raises(CardError) as caught:
        CardPool.from_yaml(file)
    assert str(caught.value).splitlines() == [
        "mine.yaml:5: Test: unknown word 'drow'; did you mean draw? (column 1)",
        "    drow(you, 1)",
    ]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_bytes(b"- name: \xff\xfe\n")
    with pytest.raises(CardError, match="not UTF-8"):
        CardPool.from_yaml(file)
    with pytest.raises(FileNotFoundError):
        CardPool.from_yaml(file.with_name("none.yaml"))


def test_deep_yaml_is_refused() -> None:
    with pytest.raises(CardError, match="not YAML"):
        CardPool.from_yaml("- " + "[" * 5000 + "\n")
