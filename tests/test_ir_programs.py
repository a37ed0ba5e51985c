"""Assembling of abilities: control flow, changes, costs, modes, triggered, static and replacement abilities."""

from __future__ import annotations

from typing import Any

import pytest

from lkicore.cards import CardPool, listing
from lkicore.cards.assemble import INSTRUCTION_WORDS
from lkicore.opcodes import (
    AbilityKind,
    ChangeOp,
    Color,
    CostFlag,
    CostOp,
    CounterKind,
    DamageFlag,
    Duration,
    EffectOp,
    EnterOp,
    EventKind,
    FilterOp,
    HistoryKind,
    Keyword,
    MoveFlag,
    Read,
    RefOp,
    ReplaceOp,
    Step,
    Timing,
    TriggerFlag,
    ValueOp,
    Zone,
)

W = INSTRUCTION_WORDS
TOKEN = "- {name: Goblin Token, token: true, type: Creature — Goblin, colors: R, pt: 1/1}\n"


def pool(text: str) -> CardPool:
    return CardPool.from_yaml(text + TOKEN)


def instant(body: str, **fields: str) -> CardPool:
    further = "".join(f"  {key}: {value}\n" for key, value in fields.items())
    return pool(f'- name: Test\n  cost: "{{X}}{{R}}"\n  type: Instant\n{further}  spell: {body}\n')


def bear(*abilities: str, **fields: str) -> CardPool:
    further = "".join(f"  {key}: {value}\n" for key, value in ({"pt": "2/2"} | fields).items())
    listed = "".join(f"    - {a}\n" for a in abilities)
    text = f'- name: Test\n  cost: "{{X}}{{G}}"\n  type: Creature — Bear\n{further}'
    return pool(text + (f"  abilities:\n{listed}" if abilities else ""))


def spell(p: CardPool) -> dict[str, Any]:
    return p.assembly.abilities[p.assembly.faces[0]["spell"]]


def own(p: CardPool) -> list[dict[str, Any]]:
    first, n = p.assembly.faces[0]["abilities"]
    return p.assembly.abilities[first : first + n]


def program(p: CardPool, ability: dict[str, Any] | None = None) -> list[list[int]]:
    """The instructions of an ability, jumps as numbers of instructions."""
    code, at = p.assembly.code, (ability or spell(p))["program"]
    made: list[list[int]] = []
    jumps = {EffectOp.JUMP: 1, EffectOp.UNLESS: 2, EffectOp.MAY: 2, EffectOp.PAY: 3}
    while not made or made[-1][0] != EffectOp.END:
        words = code[at + len(made) * W : at + (len(made) + 1) * W]
        if words[0] in jumps:
            place = jumps[EffectOp(words[0])]
            assert (words[place] - at) % W == 0
            words[place] = (words[place] - at) // W
        made.append(words)
    return made


def ops(p: CardPool, ability: dict[str, Any] | None = None) -> list[EffectOp]:
    return [EffectOp(words[0]) for words in program(p, ability)]


# ------------------------------------------------------------------------------------------------ control flow
def test_branches_become_jumps_to_what_follows() -> None:
    p = instant("{do: [{if: x >= 2, then: ['draw(you, 1)'], else: ['gain_life(you, 1)']}, 'lose_life(you, 1)']}")
    lines = program(p)
    assert [EffectOp(w[0]) for w in lines] == [
        *(EffectOp.UNLESS, EffectOp.DRAW, EffectOp.JUMP, EffectOp.GAIN_LIFE, EffectOp.LOSE_LIFE, EffectOp.END),
    ]
    assert lines[0][2] == 3
    assert lines[2][1] == 4
    assert p.assembly.values[lines[0][1]][0] == ValueOp.AT_LEAST


def test_a_branch_without_another_side_needs_no_jump() -> None:
    p = instant("{targets: [player], do: [{may: ['draw(you, 1)'], who: target(0)}]}")
    assert ops(p) == [EffectOp.MAY, EffectOp.DRAW, EffectOp.END]
    assert program(p)[0][2] == 2
    assert p.assembly.refs[program(p)[0][1]][0] == RefOp.TARGET
    p = instant("{do: [{pay: '{2}, pay_life(1)', else: ['lose_life(you, 3)']}]}")
    # Paid: on after the other side; the instruction after PAY is the side that is paid for.
    assert ops(p) == [EffectOp.PAY, EffectOp.JUMP, EffectOp.LOSE_LIFE, EffectOp.END]
    other, x = program(p)[0][3:5]
    assert (other, x) == (2, -1)
    assert program(p)[1][1] == 3


def test_a_permanent_is_sacrificed_as_a_cost_of_an_effect() -> None:
    p = bear("{when: attacks(), do: [{pay: sacrifice, then: ['draw(you, power_of(paid(0)))']}]}")
    price = p.assembly.abilities[program(p, own(p)[0])[0][2]]
    (part,) = p.assembly.costs[price["costs"][0] : price["costs"][0] + price["costs"][1]]
    assert (price["cost_flags"], part[0], part[2]) == (0, CostOp.SACRIFICE, 1)
    assert p.assembly.filters[part[1]][0] == FilterOp.SOURCE


def test_what_is_paid_goes_on_behind_the_other_side() -> None:
    p = instant(
        "{do: [{pay: '{X}', x: count(creature), who: active_player, then: ['draw(you, 1)'], else: ['mill(you, 1)']}]}"
    )
    lines = program(p)
    assert [EffectOp(w[0]) for w in lines] == [
        *(EffectOp.PAY, EffectOp.DRAW, EffectOp.JUMP, EffectOp.MILL, EffectOp.END),
    ]
    _, player, price, other, x = lines[0][:5]
    assert (other, lines[2][1]) == (3, 4)
    assert p.assembly.refs[player][0] == RefOp.ACTIVE_PLAYER
    assert p.assembly.values[x][0] == ValueOp.COUNT
    cost = p.assembly.abilities[price]
    assert (cost["kind"], cost["n_x"], cost["program"]) == (AbilityKind.SPELL, 1, -1)


def test_programs_at_other_places_have_other_jumps() -> None:
    branch = "{do: [{may: ['draw(you, 1)']}, 'gain_life(you, %d)']}"
    text = '- {name: Test %d, cost: "{R}", type: Instant, spell: %s}\n'
    p = pool("".join(text % (i, branch % i) for i in (1, 2, 1 + 1)[:2]))
    first, second = (p.assembly.abilities[f["spell"]]["program"] for f in p.assembly.faces[:2])
    assert first != second
    code = p.assembly.code
    assert code[first + 2] - first == code[second + 2] - second == 2 * W
    again = pool("".join(text % (i, branch % 1) for i in (1, 2)))
    assert len({f["spell"] for f in again.assembly.faces[:2]}) == 1


def test_delayed_and_reflexive_abilities_stand_in_the_table() -> None:
    p = instant(
        "{targets: [creature], do: ['exile(target(0))', {delay: next_end_step, about: moved,"
        " do: ['move(event_object, battlefield)']}, {reflexive: {targets: [creature],"
        " do: ['damage(target(0), event_amount)']}}]}"
    )
    exile, delay, reflexive, _ = program(p)
    assert exile[:3] == [EffectOp.EXILE, exile[1], MoveFlag.KEEP]
    assert delay[0] == EffectOp.DELAY
    assert delay[3] == Duration.NEXT_END_STEP
    assert p.assembly.refs[delay[2]][0] == RefOp.MOVED
    later = p.assembly.abilities[delay[1]]
    assert (later["kind"], later["event"]) == (AbilityKind.TRIGGERED, EventKind.DELAYED)
    made = p.assembly.abilities[reflexive[1]]
    assert (made["event"], made["targets"][1]) == (EventKind.REFLEXIVE, 1)
    assert p.assembly.faces[0]["abilities"][1] == 0


@pytest.mark.parametrize(
    ("effects", "kept"),
    [
        ("'exile(target(0))'", 0),
        ("'exile(target(0))', 'gain_life(you, power_of(moved))'", MoveFlag.KEEP),
        ("'exile(target(0), link=True)', 'return_to_hand(moved)'", MoveFlag.KEEP | MoveFlag.LINK),
        ("'exile(target(0))', {may: ['move(moved, battlefield)']}", MoveFlag.KEEP),
    ],
)
def test_what_moved_is_kept_only_if_something_asks_for_it(effects: str, kept: int) -> None:
    assert program(instant(f"{{targets: [creature], do: [{effects}]}}"))[0][2] == kept


# ----------------------------------------------------------------------------------------------------- changes
def changes(p: CardPool, words: list[int]) -> list[tuple[int, ...]]:
    return [tuple(row) for row in p.assembly.changes[words[2] : words[2] + words[3]]]


def test_numbers_of_a_pump_are_bound_on_resolution() -> None:
    p = instant("{targets: [creature], do: ['pump(target(0), 2, 2, trample)']}")
    words = program(p)[0]
    assert changes(p, words) == [
        (ChangeOp.ADD_KEYWORDS, Keyword.TRAMPLE, 0, 0),
        (ChangeOp.ADD_PT, -1, -2, 0),
    ]
    x, y, duration = words[4:7]
    assert p.assembly.values[x] == p.assembly.values[y] == (ValueOp.CONST, 2, 0, 0)
    assert duration == Duration.END_OF_TURN
    p = instant("{targets: [creature], do: ['pump(target(0), x, -x, duration=always)']}")
    words = program(p)[0]
    assert changes(p, words) == [(ChangeOp.ADD_PT, -1, -2, 0)]
    assert [p.assembly.values[v][0] for v in words[4:6]] == [ValueOp.X, ValueOp.SUB]
    assert words[6] == Duration.PERMANENT


def test_a_keyword_ability_is_gained_as_mark_and_ability() -> None:
    p = instant("{targets: [creature], do: ['gains(target(0), flying, undying, \"ward {1}\")']}")
    rows = changes(p, program(p)[0])
    marks = Keyword.FLYING | Keyword.UNDYING | Keyword.WARD
    assert rows[0] == (ChangeOp.ADD_KEYWORDS, int(marks) & 0xFFFFFFFF, int(marks) >> 32, 0)
    events = [p.assembly.abilities[row[1]]["event"] for row in rows[1:]]
    assert [row[0] for row in rows[1:]] == [ChangeOp.ADD_ABILITY] * 2
    assert events == [EventKind.LEAVES, EventKind.TARGETED]


def test_words_of_32_bits_have_a_sign() -> None:
    p = bear("{static: [gain(prowess)]}")
    first, _ = own(p)[0]["changes"]
    assert p.assembly.changes[first][:3] == (ChangeOp.ADD_KEYWORDS, -(2**31), 0)
    assert Keyword.PROWESS == 2**31
    assert all(-(2**31) <= w < 2**31 for row in p.assembly.changes for w in row)


def test_a_colour_chosen_is_the_number_of_an_ability() -> None:
    p = instant("{targets: [creature], do: [pick_color(you), protection_from_chosen_color(target(0))]}")
    mark, chosen = changes(p, program(p)[1])
    assert mark[1] == Keyword.PROTECTION
    five = p.assembly.abilities[chosen[1] : chosen[1] + 5]
    assert [p.assembly.filters[a["filter"]][1] for a in five] == [Color.W, Color.U, Color.B, Color.R, Color.G]
    assert {a["kind"] for a in five} == {AbilityKind.PROTECTION}


def test_becoming_something_is_written_layer_by_layer() -> None:
    p = instant(
        '{targets: [creature], do: [\'becomes(target(0), types=artifact, subtypes="Golem Wall", colors="U", pt=(3, 4),'
        " keywords=flying, keep=False, lose_abilities=True)']}"
    )
    rows = changes(p, program(p)[0])
    assert [row[0] for row in rows] == [
        *(ChangeOp.SET_TYPES, ChangeOp.SET_SUBTYPE, ChangeOp.ADD_SUBTYPE, ChangeOp.SET_COLORS, ChangeOp.LOSE_ABILITIES),
        *(ChangeOp.ADD_KEYWORDS, ChangeOp.SET_PT),
    ]
    assert rows[-1][1:3] == (-1, -2)
    names = p.assembly.subtypes
    assert [names[row[1]] for row in rows[1:3]] == ["Golem", "Wall"]


# ------------------------------------------------------------------------------------------- static abilities
@pytest.mark.parametrize(
    ("ability", "reads", "layers", "affected"),
    [
        ("{static: ['boost(1, 1)'], affects: creature & yours & other}", 0, 1 << 9, 0),
        ("{static: ['boost(count(creature), 0)']}", Read.BOARD, 1 << 9, 1),
        ("{static: ['boost(count(creature & tapped), 0)']}", Read.BOARD | Read.TAPPED, 1 << 9, 1),
        ("{static: ['boost(1, 1)'], affects: creature & attacking}", Read.COMBAT, 1 << 9, 0),
        ("{static: [gain(flying)], affects: host_of_this}", Read.ATTACHED, 1 << 6, 2),
        ("{static: [gain(flying), 'boost(1, 1)'], if: your_turn}", Read.TURN, 1 << 6 | 1 << 9, 1),
        ("{static: [gain(flying)], if: life_of(you) >= 30}", Read.LIFE, 1 << 6, 1),
        ("{static: ['boost(hand_size(you), graveyard_size(you))']}", Read.HAND | Read.GRAVEYARD, 1 << 9, 1),
        ("{static: ['boost(count_in(graveyard, creature, each_player), 0)']}", Read.GRAVEYARD, 1 << 9, 1),
        ("{static: ['boost(counters_on(source, \"charge\"), damage_on(it))']}", Read.COUNTERS | Read.DAMAGE, 1 << 9, 1),
        (
            "{static: ['boost(power_of(host), greatest_power(land))']}",
            Read.SIZE | Read.ATTACHED | Read.BOARD,
            1 << 9,
            1,
        ),
        ("{static: [gain(flying)], affects: 'creature & power(at_least=4)'}", Read.SIZE, 1 << 6, 0),
        ("{static: [gain(flying)], if: 'matches(source, black)'}", 0, 1 << 6, 1),
        ("{static: [gain(flying)], affects: creature, if: 'matches(source, black)'}", Read.BOARD, 1 << 6, 0),
        ("{static: [gain(flying)], if: 'happened(\"cast\", by=you) >= 2'}", Read.HISTORY | Read.TURN, 1 << 6, 1),
        ("{static: [control], affects: host_of_this}", Read.ATTACHED, 1 << 2, 2),
        (
            "{static: [add_types(artifact), set_colors(\"B\"), 'sets_pt(1, 1)', switch]}",
            0,
            1 << 4 | 1 << 5 | 1 << 8 | 1 << 10,
            1,
        ),
    ],
)
def test_a_static_ability_declares_what_it_looks_at(ability: str, reads: int, layers: int, affected: int) -> None:
    (row,) = own(bear(ability))
    assert (row["kind"], row["zones"]) == (AbilityKind.STATIC, 1 << Zone.BATTLEFIELD)
    assert Read(row["reads"]) == Read(reads)
    assert row["layers"] == layers
    assert row["own"] == affected
    assert row["filter"] >= 0


def test_changes_of_a_static_ability_stand_in_the_order_of_the_layers() -> None:
    p = bear("{static: ['boost(1, 1)', gain(flying), control], affects: creature}")
    first, n = own(p)[0]["changes"]
    assert [row[0] for row in p.assembly.changes[first : first + n]] == [
        *(ChangeOp.CONTROL, ChangeOp.ADD_KEYWORDS, ChangeOp.ADD_PT),
    ]


def test_a_size_that_an_ability_says() -> None:
    p = bear("{static: ['cda_pt(count(land), count(land) + 1)']}", pt='"*/1+*"')
    (row,) = own(p)
    assert row["layers"] == 1 << 7
    assert row["zones"] == sum(1 << z for z in Zone if z and z is not Zone.PHASED_OUT)
    face = p.assembly.faces[0]
    assert (face["power"], face["toughness"], p.faces[0].printed_size) == (0, 1, "*/1+*")


def test_an_ability_that_is_given_is_no_own_ability() -> None:
    p = bear("{static: [{gain_ability: {cost: '{T}', targets: [any_target], do: ['damage(target(0), 1)']}}]}")
    (row,) = own(p)
    change = p.assembly.changes[row["changes"][0]]
    assert change[0] == ChangeOp.ADD_ABILITY
    given = p.assembly.abilities[change[1]]
    assert (given["kind"], given["cost_flags"]) == (AbilityKind.ACTIVATED, CostFlag.TAP)
    assert change[1] < p.assembly.faces[0]["abilities"][0]


# ----------------------------------------------------------------------------- triggered, replacement, activated
@pytest.mark.parametrize(
    ("when", "event", "expected"),
    [
        ("enters()", EventKind.ENTERS, {}),
        ("dies(creature)", EventKind.LEAVES, {"zone_to": 1 << Zone.GRAVEYARD}),
        ("leaves(this)", EventKind.LEAVES, {"zone_to": 0}),
        ("'moves(this, from_zone=battlefield, to_zone=hand)'", EventKind.LEAVES, {"zone_to": 1 << Zone.HAND}),
        ("'moves(land, from_zone=graveyard)'", EventKind.MOVES, {"zone_from": 1 << Zone.GRAVEYARD}),
        ("cast(this)", EventKind.CAST, {"zones": 1 << Zone.STACK}),
        ("'cast(spell & creature, by=opponent)'", EventKind.CAST, {"zones": 1 << Zone.BATTLEFIELD}),
        ("'attacks(this, alone=True)'", EventKind.ATTACKS, {"flags": TriggerFlag.ALONE}),
        ("'begins(end_step, yourself)'", EventKind.STEP, {"step": Step.END}),
        ("'counters_put(this, \"-1/-1\")'", EventKind.COUNTERS_PUT, {"step": 1}),
        (
            "'deals_damage(this, to=player, combat=True)'",
            EventKind.DAMAGE,
            {"flags": TriggerFlag.COMBAT | TriggerFlag.TO_PLAYER},
        ),
        ("'deals_damage(this, to=creature)'", EventKind.DAMAGE, {"flags": TriggerFlag.TO_OBJECT}),
        (
            "'is_dealt_damage(this, combat=False)'",
            EventKind.DAMAGE,
            {"flags": TriggerFlag.NONCOMBAT | TriggerFlag.TO_OBJECT},
        ),
        ("'becomes_target(player)'", EventKind.PLAYER_TARGETED, {}),
    ],
)
def test_a_triggered_ability_says_what_it_waits_for(when: str, event: EventKind, expected: dict[str, int]) -> None:
    (row,) = own(bear(f"{{when: {when}, do: ['draw(you, 1)']}}"))
    assert (row["kind"], row["event"]) == (AbilityKind.TRIGGERED, event)
    assert {key: row[key] for key in expected} == expected


def test_filters_of_an_event_are_absent_where_nothing_is_asked() -> None:
    (row,) = own(bear("{when: draws(yourself), do: ['draw(you, 1)'], once: true}"))
    assert (row["filter"], row["other"], row["condition"]) == (-1, -1, -1)
    assert row["player"] >= 0
    assert row["flags"] == TriggerFlag.ONCE
    p = bear(
        "{when: 'blocks(this, what=creature)', if: 'counters_on(event_other, \"fade\") == 0', do: [tap(event_other)]}"
    )
    (row,) = own(p)
    assert min(row["filter"], row["other"], row["condition"]) >= 0
    assert p.assembly.counter_names == ["fade"]
    kinds = {v[2] for v in p.assembly.values if v[0] == ValueOp.COUNTERS}
    assert kinds == {len(CounterKind)}


def test_replacement_abilities() -> None:
    p = bear(
        "{enters: [tapped, 'counters(x, \"+1/+1\")']}",
        "{enters: tapped, affects: creature & opponents, if: your_turn}",
        "{instead: exile_if_dies, affects: creature}",
        "{instead: exile_if_put_into_graveyard}",
        "{prevent: to_it, combat: true}",
        "{prevent: by_it, affects: host_of_this}",
    )
    rows = own(p)
    assert [row["event"] for row in rows] == [
        *(ReplaceOp.ENTERS, ReplaceOp.ENTERS, ReplaceOp.DIES_EXILE, ReplaceOp.GRAVEYARD_EXILE),
        *(ReplaceOp.PREVENT_TO, ReplaceOp.PREVENT_BY),
    ]
    assert {row["kind"] for row in rows} == {AbilityKind.REPLACEMENT}
    assert [row["own"] for row in rows] == [1, 0, 0, 1, 1, 2]
    first, n = rows[0]["changes"]
    ways = p.assembly.changes[first : first + n]
    assert [way[0] for way in ways] == [EnterOp.TAPPED, EnterOp.COUNTERS]
    assert p.assembly.values[ways[1][2]][0] == ValueOp.X
    assert rows[1]["condition"] >= 0
    # Of itself, it speaks wherever the card is.
    assert rows[3]["zones"] >> Zone.LIBRARY & 1
    assert rows[2]["zones"] == 1 << Zone.BATTLEFIELD
    assert rows[4]["flags"] == TriggerFlag.COMBAT


def test_an_activated_ability_says_what_it_costs_and_when_it_works() -> None:
    p = bear(
        "{cost: '{1}{R/G}, {T}, sacrifice(creature & other), remove(2, \"fade\")', if: your_turn,"
        " timing: [sorcery, once], do: ['draw(you, power_of(paid(0)))']}",
        "{cost: '{X}, exile_this', from: graveyard, do: ['draw(you, x)']}",
    )
    first, second = own(p)
    assert (first["cost_flags"], first["generic"]) == (CostFlag.TAP, 1)
    assert p.assembly.hybrids[first["hybrid"][0]] == Color.R | Color.G
    at, n = first["costs"]
    sacrificed, removed = p.assembly.costs[at : at + n]
    assert (sacrificed[0], sacrificed[2]) == (CostOp.SACRIFICE, 1)
    assert p.assembly.filters[sacrificed[1]][0] == FilterOp.AND
    assert removed[:3] == (CostOp.REMOVE_COUNTERS, len(CounterKind), 2)
    assert first["timing"] == Timing.SORCERY | Timing.ONCE
    assert first["condition"] >= 0
    assert (second["zones"], second["n_x"]) == (1 << Zone.GRAVEYARD, 1)


# --------------------------------------------------------------------------------------------- modes and targets
def test_modes_are_abilities_one_after_the_other() -> None:
    p = instant(
        "{choose: 1-2, modes: [{targets: [creature], do: [destroy(target(0))]},"
        " {targets: [player], do: ['draw(target(0), 1)']}]}"
    )
    row = spell(p)
    assert (row["least_modes"], row["most_modes"], row["program"], row["targets"]) == (1, 2, -1, (0, 0))
    first, n = row["modes"]
    assert n == 2
    modes = p.assembly.abilities[first : first + n]
    assert {m["kind"] for m in modes} == {AbilityKind.SPELL}
    assert [ops(p, m)[0] for m in modes] == [EffectOp.DESTROY, EffectOp.DRAW]
    assert [p.assembly.targets[m["targets"][0]]["players"] for m in modes] == [False, True]


@pytest.mark.parametrize(
    ("target", "numbers"),
    [
        ("creature", (1, 1, False)),
        ("'up_to(2, creature)'", (0, 2, False)),
        ("'exactly(2, creature)'", (2, 2, False)),
        ("any_number(creature)", (0, 255, False)),
        ("x_targets(creature)", (0, 255, True)),
    ],
)
def test_targets_say_how_many_there_are(target: str, numbers: tuple[int, int, bool]) -> None:
    p = instant(f"{{targets: [{target}], do: [destroy(targets(0))]}}")
    row = p.assembly.targets[spell(p)["targets"][0]]
    assert (row["least"], row["most"], row["x"]) == numbers
    assert p.assembly.refs[program(p)[0][1]][:2] == (RefOp.TARGETS, 0)


def test_a_target_may_be_asked_about_the_one_before() -> None:
    p = instant(
        "{targets: [creature, creature & other_target & same_controller(target(0))],"
        " do: ['fight(target(0), target(1))']}"
    )
    assert [f[0] for f in p.assembly.filters].count(FilterOp.OTHER_TARGET) == 1


# -------------------------------------------------------------------------------------------------------- costs
def test_additional_and_optional_costs() -> None:
    p = instant(
        "{do: [{if: was_kicked, then: ['draw(you, kicked_times(1) + power_of(paid(0)))']}]}",
        additional="'sacrifice(creature), pay_life(x)'",
        keywords="['kicker {1}{R}', 'multikicker discard(1)']",
    )
    face = p.assembly.faces[0]
    at, n = face["costs"]
    assert [row[0] for row in p.assembly.costs[at : at + n]] == [CostOp.SACRIFICE, CostOp.LIFE]
    at, n = face["optional"]
    kicker, several = p.assembly.optional[at : at + n]
    assert (kicker["generic"], kicker["pips"], kicker["several"]) == (1, (0, 0, 0, 1, 0, 0), False)
    assert (several["costs"][1], several["several"]) == (1, True)
    assert face["abilities"][1] == 0


def test_hybrid_and_phyrexian_symbols() -> None:
    p = pool('- {name: Test, cost: "{1}{R/G}{2/W}{U/P}{G/W/P}", type: Creature, pt: 1/1}\n')
    face = p.assembly.faces[0]
    first, n = face["hybrid"]
    red, two, life, both = p.assembly.hybrids[first : first + n]
    assert red == Color.R | Color.G
    assert two == Color.W | 0x40
    assert life == Color.U | 0x80
    assert both == Color.G | Color.W | 0x80
    assert face["colors"] == Color.R | Color.G | Color.W | Color.U
    # CR 202.3f-g: of each symbol its largest part.
    assert p.faces[0].mana_value == 1 + 1 + 2 + 1 + 1
    assert str(p.faces[0].cost) == "{1}{R/G}{2/W}{U/P}{G/W/P}"


def test_an_event_of_the_turn_is_the_number_of_its_bit() -> None:
    p = instant("{do: ['draw(you, happened(attacked, by=you))', 'draw(you, happened(\"cast\", of=instant))']}")
    rows = [v for v in p.assembly.values if v[0] == ValueOp.HAPPENED]
    assert [1 << row[1] for row in rows] == [HistoryKind.ATTACKED, HistoryKind.CAST]
    assert [row[2] >= 0 for row in rows] == [True, False]
    assert [row[3] >= 0 for row in rows] == [False, True]


def test_prevention_and_looking_at_cards() -> None:
    p = instant("{do: ['prevent(everything, all_damage, combat=True)', 'dig(you, 4, 1, creature, rest=graveyard)']}")
    prevent, dig, _ = program(p)
    assert prevent[:2] == [EffectOp.PREVENT, -1]
    assert prevent[3:5] == [Duration.END_OF_TURN, DamageFlag.ALL | DamageFlag.COMBAT]
    assert dig[5:8] == [Zone.HAND, Zone.GRAVEYARD, 0]
    p = instant("{do: ['dig(you, 4, 1, creature)']}")
    assert program(p)[0][5:8] == [Zone.HAND, Zone.LIBRARY, MoveFlag.BOTTOM]


def test_creature_types_are_told_from_the_others() -> None:
    p = pool(
        '- {name: Golem, cost: "{3}", type: Artifact Creature — Golem Equipment, pt: 2/2, keywords: ["equip {2}"]}\n'
        "- {name: Tomb, type: Land — Desert}\n"
        '- {name: Bond, cost: "{R}", type: Kindred Instant — Elf Arcane, spell: {'
        'targets: ["creature & subtype(\\"Wall\\")"],'
        " do: ['apply(target(0), set_subtype(\"Island\"))']}}\n"
    )
    known = dict(zip(p.assembly.subtypes, p.assembly.creature_types, strict=True))
    assert {name for name, creature in known.items() if creature} == {"Golem", "Elf", "Wall", "Goblin"}
    assert {name for name, creature in known.items() if not creature} == {"Equipment", "Desert", "Arcane", "Island"}


def test_a_listing_shows_each_ability_and_how_references_are_read() -> None:
    p = bear(
        "{when: dies(creature), if: your_turn, targets: ['up_to(1, creature)'], do: [{may: ['destroy(targets(0))'],"
        " else: ['gain_life(controller_of(event_object), 1)']}]}",
        "{static: ['boost(count(land), 0)'], affects: creature & other}",
        keywords="['ward {2}', flying]",
    )
    lines = listing.show(p, "Test").splitlines()
    for line in (
        "keywords: flying, ward {2}",
        "triggered ability 0: when becomes_target(this, by=opponent)  (ward {2})",
        "    event_player is read PLAYER",
        "triggered ability 1: when dies(creature)",
        "  if your_turn",
        "  target(0): up_to(1, creature), in battlefield",
        "        event_object is read LIVE_THEN_LKI",
        "static ability 2: creature & other",
        "  layer 7c: boost(count(land), 0)",
        "  looks at: board",
    ):
        assert any(line == found or line.strip() == found.strip() for found in lines), (line, lines)
    assert any("MAY" in line and "to " in line for line in lines)
