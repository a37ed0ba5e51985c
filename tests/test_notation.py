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


LAND = "- name: Test\n  type: Land\n  abilities:\n"


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
        ("creature < 3", "< does not apply"),
        ("1 < x < 3", "one comparison at a time"),
        ("x in 3", "in does not apply"),
        ("x is 3", "is does not apply"),
        ("(1, 2)", "tuple is not allowed"),
        ("targets(9)", "is not from 0"),
        ("paid(-1)", "is not from 0"),
        ("linked(16)", "is not from 0"),
        ("all_of(x)", "joins two conditions"),
        ("happened('jumped')", "no kind of event 'jumped'"),
        ("compare('speed', at_least=1)", "no number of an object is called 'speed'"),
        ("step_is(hand)", "a step such as upkeep"),
        ("count_in(creature, hand, you)", "a filter of objects is wanted"),
        ("colors_between(3, 2)", "nothing is at least 3"),
        ("up_to(0, creature)", "is no number of targets"),
        ("exactly(2, in_zone(library))", "an object in library cannot be a target"),
        ("move(target(0), stack)", "cannot be put into stack"),
        ("move(target(0), hand, tapped=True)", "speak of the battlefield"),
        ("move(target(0), hand, bottom=True)", "bottom speaks of the library"),
        ("counter(target(0), battlefield)", "cannot be put into battlefield"),
        ("dig(you, 3, 1, land, rest=battlefield)", "cannot be put into battlefield"),
        ("pump(target(0), 1, 1, duration=next_upkeep)", "a duration such as end_of_turn"),
        ("gains(target(0))", "no keyword"),
        ("gains(target(0), ward)", "ward has a parameter"),
        ("gains(target(0), 'wrad {1}')", "did you mean ward"),
        ("gains(target(0), flying, always)", "an ability is wanted"),
        ("lose(prowess)", "cannot be lost by itself"),
        ("loses(target(0), 1)", "keywords such as flying"),
        ("becomes(target(0))", "nothing is changed"),
        ("becomes(target(0), pt=3)", "pt is two numbers"),
        ("becomes(target(0), colors='X')", "no colours such as"),
        ("set_types(black)", "card types such as creature"),
        ("pick_player(you, creature)", "a filter of players"),
        ("prevent(creature, 1)", "a reference such as target(0)"),
        ("begins(hand)", "a step such as upkeep"),
        ("dies(player)", "a filter of objects is wanted"),
        ("gains_life(creature)", "a filter of players"),
        ("deals_damage(this, creature | player)", "write two abilities"),
        ("becomes_target(player, by=opponent)", "write of="),
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
    ('- name: Test\n  type: Land\n  cost: "{1}"', 1, "a token, land or back face with a mana cost"),
    ('- name: Test\n  type: Artifact\n  cost: "1R"', 3, "is not a mana cost"),
    ("- name: Test\n  type: Artifact\n  cost: {R}", 3, "mana symbols need quotes"),
    ('- name: Test\n  type: Artifact\n  cost: "{R/R}"', 3, "{R/R} is not supported"),
    ('- name: Test\n  type: Artifact\n  cost: "{3/R}"', 3, "{3/R} is not supported"),
    ('- name: Test\n  type: Artifact\n  cost: "{C/P}"', 3, "{C/P} is not supported"),
    ('- name: Test\n  type: Artifact\n  cost: "{100}"', 3, "more than 99"),
    ('- name: Test\n  type: Creature\n  cost: "{1}"', 1, "a creature without power"),
    ('- name: Test\n  type: Creature\n  cost: "{1}"\n  pt: "*/2"', 1, "no ability says what it is"),
    ('- name: Test\n  type: Creature\n  cost: "{1}"\n  pt: "?/2"', 4, "or */* of what an ability says"),
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
    ('- name: Test\n  type: Land\n  abilities: [{cost: "{T}", mana: G, targets: [creature]}]', 3, "CR 605.1a"),
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
    # Keyword abilities, and what they need.
    ("- name: Test\n  type: Land\n  keywords: ['wrad {1}']", 3, "unknown keyword 'wrad {1}'; did you mean ward"),
    ("- name: Test\n  type: Land\n  keywords: [ward]", 3, "ward: a cost must follow"),
    ("- name: Test\n  type: Land\n  keywords: ['ward {']", 3, "is not a mana cost"),
    ("- name: Test\n  type: Land\n  keywords: [fading]", 3, "fading: a number must follow"),
    ("- name: Test\n  type: Land\n  keywords: [fading 0]", 3, "a number from 1 to 99 must follow"),
    ("- name: Test\n  type: Land\n  keywords: [prowess 1]", 3, "prowess has no parameter"),
    ("- name: Test\n  type: Land\n  keywords: [prowess, prowess]", 3, "stands twice"),
    ("- name: Test\n  type: Land\n  keywords: [protection from blak]", 3, "did you mean black"),
    ("- name: Test\n  type: Land\n  keywords: [afterlife 1]", 1, "no token is called 'Afterlife Spirit Token'"),
    ("- name: Test\n  type: Land\n  keywords: ['kicker {T}']", 3, "an optional cost has neither {T}"),
    ("- name: Test\n  type: Land\n  keywords: ['kicker {R/G}']", 1, "hybrid symbols is not supported"),
    ("- name: Test\n  type: Land\n  keywords: [enchant creature]", 1, "an Aura says what it enchants"),
    ('- name: Test\n  type: Enchantment — Aura\n  cost: "{W}"', 1, "an Aura says what it enchants"),
    ("- name: Test\n  type: Land\n  additional: pay_life(2)", 1, "an additional cost without a mana cost"),
    ('- name: Test\n  type: Artifact\n  cost: "{1}"\n  additional: "{1}"', 1, "an additional cost has neither mana"),
    # Abilities and their parts.
    (LAND + "    - {when: creature, do: tap(source)}", 4, "an event such as dies(this)"),
    (LAND + "    - {when: dies(this), cost: '{1}', do: tap(source)}", 4, "unknown key 'cost' of a triggered ability"),
    (LAND + "    - {when: dies(this)}", 4, "'do' is missing"),
    (LAND + "    - {when: dies(this), if: creature, do: tap(source)}", 4, "a condition such as"),
    (LAND + "    - {when: dies(this), from: moon, do: tap(source)}", 4, "from: there are library, hand"),
    (LAND + "    - {when: dies(this), once: 3, do: tap(source)}", 4, "once is true or false"),
    (LAND + "    - {static: [creature]}", 4, "a change such as boost(1, 1)"),
    (LAND + "    - {static: []}", 4, "nothing is changed"),
    (LAND + "    - {static: [{gain: 3}]}", 4, "unknown key 'gain' of a change; did you mean gain_ability"),
    (LAND + "    - {static: [control], affects: player}", 4, "a filter of objects is wanted"),
    (LAND + "    - {enters: [untapped]}", 4, "tapped or counters"),
    (LAND + "    - {instead: exile_if_dead}", 4, "did you mean exile_if_dies"),
    (LAND + "    - {prevent: to_me}", 4, "prevent: there are to_it, by_it"),
    (LAND + "    - {cost: '{1}', timing: night, do: tap(source)}", 4, "timing: there are sorcery"),
    (LAND + "    - {cost: '{1}', mana: G, timing: sorcery}", 4, "CR 605.1a"),
    (LAND + "    - {cost: '{T}', mana: G, use: creature}", 4, "spend_on"),
    (LAND + "    - {cost: 'sacrifice(player)', do: tap(source)}", 4, "a filter of objects"),
    (LAND + "    - {cost: 'discard(0)', do: tap(source)}", 4, "0 is not from 1 to 99"),
    (LAND + "    - {cost: 'sacrifise(creature)', do: tap(source)}", 4, "did you mean sacrifice"),
    (LAND + "    - {cost: '{1}', from: stack, do: tap(source)}", 4, "cannot be activated from stack"),
    (LAND + "    - {cost: '{1}', do: [{maybe: 3}]}", 4, "has one of the keys may, if, pay"),
    (LAND + "    - {cost: '{1}', do: [{may: []}]}", 4, "nothing depends on it"),
    (LAND + "    - {cost: '{1}', do: [{may: tap(source), who: source}]}", 4, "a reference to players"),
    (LAND + "    - {cost: '{1}', do: [{if: 1, then: tap(source), eles: []}]}", 4, "did you mean else"),
    (LAND + "    - {cost: '{1}', do: [{pay: '{X}', then: tap(source)}]}", 4, "says what x is"),
    (LAND + "    - {cost: '{1}', do: [{pay: '{1}', x: 3, then: tap(source)}]}", 4, "says what x is"),
    (LAND + "    - {cost: '{1}', do: [{pay: '{T}', then: tap(source)}]}", 1, "as a cost"),
    (LAND + "    - {cost: '{1}', do: [{delay: end_of_turn, do: tap(source)}]}", 4, "a time is wanted"),
    (LAND + "    - {cost: '{1}', do: [{delay: upkeep, do: tap(source)}]}", 4, "a time such as next_end_step"),
    (LAND + "    - {cost: '{1}', do: [{gain_ability: {enters: tapped}}]}", 4, "the key 'what' is missing"),
    (SPELL + "    choose: 2\n    modes: [{do: 'draw(you, 1)'}]", 5, "1 modes"),
    (SPELL + "    choose: 3\n    modes: [{do: 'draw(you, 1)'}, {do: 'draw(you, 2)'}]", 5, "cannot be chosen"),
    (SPELL + "    choose: all\n    modes: [{do: 'draw(you, 1)'}, {do: 'draw(you, 2)'}]", 5, "a number of modes"),
    (SPELL + "    choose: 1\n    do: ['draw(you, 1)']", 5, "under 'modes'"),
    # What can be referred to where.
    (SPELL + "    do: [destroy(event_object)]", 1, "event_object is used, but no event triggers this"),
    (SPELL + "    do: ['draw(you, event_amount)']", 1, "event_amount is used, but no event triggers this"),
    (
        SPELL + "    do: ['put_counters(moved, 1, \"+1/+1\")', destroy(source)]",
        1,
        "moved is used before anything moves",
    ),
    (
        SPELL + "    targets: [spell]\n    do: [counter(target(0)), exile(moved)]",
        1,
        "moved is used before anything moves",
    ),
    (SPELL + "    do: [destroy(picked)]", 1, "picked is used before anything is picked"),
    (SPELL + "    do: ['pick_player(you, opponent)', destroy(picked)]", 1, "picked means players"),
    (SPELL + "    do: ['gain_life(you, result)']", 1, "result is used before anything is done"),
    (SPELL + "    do: ['draw(you, power_of(paid(0)))']", 1, "paid(0) is used, but 0 objects are paid"),
    (SPELL + "    do: ['draw(you, power_of(it))']", 1, "it is used outside a filter"),
    (SPELL + "    do: ['draw(you, kicked_times(0))']", 1, "there are 0 optional costs"),
    (SPELL + "    do: [protection_from_chosen_color(each(creature))]", 1, "a colour is used before one is picked"),
    (SPELL + '    do: [destroy(each(named("Nobody")))]', 1, "no card of the pool is called 'Nobody'"),
    (
        SPELL + "    targets: [x_targets(creature)]\n    do: [destroy(targets(0))]",
        1,
        "X targets, but the cost has no {X}",
    ),
    (SPELL + "    targets: ['up_to(2, creature)']\n    do: [destroy(target(0))]", 1, "write targets(0)"),
    (SPELL + "    targets: [creature & is_(target(0))]\n    do: [destroy(target(0))]", 1, "target(0) does not exist"),
    (SPELL + "    do: ['add_mana(\"R/G\")']", 1, "mana of a chosen colour"),
    (SPELL + "    do: ['search_library(you, spell, hand)']", 1, "only objects in library can be meant here"),
    (SPELL + "    do: ['discard(you, 1, in_zone(graveyard))']", 1, "only objects in hand can be meant here"),
    (LAND + "    - {when: dies(this), do: ['draw(you, event_amount)']}", 1, "the event has no number"),
    (LAND + "    - {when: dies(this), do: [destroy(event_other)]}", 1, "the event has no other"),
    (LAND + "    - {when: 'begins(upkeep, yourself)', do: [destroy(event_object)]}", 1, "the event has no object"),
    (LAND + "    - {static: ['boost(x, 0)']}", 1, "the cost has no {X}"),
    (LAND + "    - {static: ['boost(power_of(linked(0)), 0)']}", 1, "write static_linked"),
    (LAND + "    - {static: ['boost(library_size(you), 0)']}", 1, "cannot look at library_size(you)"),
    (LAND + "    - {static: ['boost(count_in(command, land, you), 0)']}", 1, "cannot count objects in command"),
    (LAND + "    - {static: [\"gain('kicker {1}')\"]}", 1, "a permanent cannot gain kicker {1}"),
    (
        LAND + "    - {cost: '{1}', do: [{delay: next_upkeep, do: [destroy(event_object)]}]}",
        1,
        "the event has no object",
    ),
    (
        LAND + "    - {cost: '{1}', targets: land, do: [{reflexive: {do: tap(target(0))}}, tap(target(0))]}",
        1,
        "no targets",
    ),
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
    file.write_text(SPELL + "    do: ['gain_lif(you, 1)']\n")
    with pytest.raises(CardError) as caught:
        CardPool.from_yaml(file)
    assert str(caught.value).splitlines() == [
        (
            "mine.yaml:5: Test: unknown word 'gain_lif'; did you mean gain_life or gains_life or cant_gain_life? "
            "(column 1)"
        ),
        "    gain_lif(you, 1)",
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
