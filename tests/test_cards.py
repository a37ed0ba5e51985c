"""The pool of cards, assembling, listings; facts of the cards against a card file, where there is one."""

from __future__ import annotations

import copy
import gc
import gzip
import json
import pickle
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lkicore.cards import CardError, CardPool, UnknownCard, listing
from lkicore.cards.assemble import INSTRUCTION_WORDS, NO_ABILITY, assemble
from lkicore.ir import (
    ActivatedAbility,
    Color,
    Face,
    Keyword,
    ManaAbility,
    SpellAbility,
    TargetSpec,
    TypeBit,
    Zone,
    any_target,
    black,
    cost,
    creature,
    damage,
    destroy,
    mana_cost,
    player,
    target,
    x,
    yourself,
)
from lkicore.ir.faces import KEYWORD_NAMES, color_letters
from lkicore.ir.keywords import COMPOSITIONS, Parameter
from lkicore.opcodes import REF_POLICY, AbilityKind, EffectOp, FilterOp, RefOp, ValueOp

POOL = CardPool.builtin()
BOLT = Face(
    "My Bolt",
    TypeBit.INSTANT,
    cost=mana_cost("{R}"),
    spell=SpellAbility((damage(target(0), 3),), (TargetSpec(any_target),)),
)


# ---------------------------------------------------------------------------------------------------- pool
def test_the_pool_holds_cards_tokens_and_test_cards() -> None:
    names = POOL.names()
    assert len(names) >= 40
    assert len(POOL) == len(list(POOL)) == len(set(POOL))
    assert "Goblin Token" not in names
    assert "Vanilla 2/2" not in names
    assert "Goblin Token" in POOL.names(tokens=True)
    assert "Vanilla 2/2" in POOL.names(test_only=True)
    # A back face is no card of its own.
    assert set(POOL.names(test_only=True, tokens=True)) == {face.name for face in POOL.faces if not face.back}
    assert CardPool.builtin() is POOL


@pytest.mark.parametrize(
    "name", ["Garruk's Companion", "garruk’s  companion", " GARRUK`S COMPANION", "Garrúk's companion"]
)
def test_names_are_found_whatever_the_case_accents_and_apostrophes(name: str) -> None:
    assert POOL[name].name == "Garruk's Companion"
    assert name in POOL
    assert POOL.faces[POOL.index(name)] is POOL[name]


def test_an_unknown_name_is_refused_with_the_nearest_ones() -> None:
    with pytest.raises(UnknownCard) as caught:
        POOL["Lightnig Bolt"]
    assert caught.value.nearest[0] == "Lightning Bolt"
    assert "no card is called 'Lightnig Bolt'; did you mean Lightning Bolt" in str(caught.value)
    assert isinstance(caught.value, LookupError)
    with pytest.raises(UnknownCard, match="did you mean Firebolt or Rift Bolt"):
        POOL["bolt"]
    with pytest.raises(UnknownCard, match=r"no card is called 'qqqqqq'$"):
        POOL["qqqqqq"]
    with pytest.raises(TypeError, match="a string"):
        POOL.index(3)  # type: ignore[arg-type]
    assert 3 not in POOL


def test_cards_of_a_user_join_the_pool_and_keep_the_numbers(tmp_path: Path) -> None:
    file = tmp_path / "more.yaml"
    file.write_text('- {name: Big Bear, cost: "{1}{G}", type: Creature — Bear, pt: 3/3}\n', encoding="utf-8-sig")
    more = POOL.with_cards(BOLT, file, "- {name: Moor, type: Basic Land — Swamp}\n", name="mine")
    assert more["my bolt"] == BOLT
    assert more["Big Bear"].power == 3
    assert more["Moor"].is_basic_land
    assert [more.index(n) for n in POOL] == list(range(len(POOL)))
    assert (more.name, len(more)) == ("mine", len(POOL) + 3)
    with pytest.raises(CardError, match="two cards have this name"):
        more.with_cards([BOLT])
    with pytest.raises(TypeError, match="made of faces"):
        POOL.with_cards([3])  # type: ignore[list-item]
    assert len(CardPool.from_yaml("- {name: Moor, type: Basic Land — Swamp}\n")) == 1


@pytest.mark.parametrize("pool", [POOL, POOL.with_cards([BOLT]), POOL.only(["Mountain"])], ids=len)
def test_a_pool_goes_to_other_processes(pool: CardPool) -> None:
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).table.hash)"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(pool), capture_output=True, check=False)
    assert done.stdout.split() == [str(pool.table.hash).encode()], done.stderr


def test_a_pool_that_is_pickled_is_made_once() -> None:
    """Games that come from pickles share a pool, as they did before; a pool that nobody has is forgotten."""
    pool = CardPool.from_yaml("- {name: Moor, type: Basic Land — Swamp}\n")
    data = pickle.dumps(pool)
    assert pickle.loads(data) is pickle.loads(data) is pool
    faces = pool.faces
    kept = weakref.ref(pool)
    del pool
    gc.collect()
    assert kept() is None
    again = pickle.loads(data)
    assert again.faces == faces
    assert pickle.loads(data) is again


def test_copies_of_what_has_a_pool_share_it() -> None:
    assert copy.copy(POOL) is copy.deepcopy(POOL) is POOL


def test_every_card_names_only_what_a_card_can_hold() -> None:
    for face in POOL.faces:
        if face.cost is not None:
            assert mana_cost(str(face.cost)) == face.cost
        for ability in face.abilities:
            if isinstance(ability, ActivatedAbility | ManaAbility):
                assert cost(str(ability.cost)) == ability.cost


# ------------------------------------------------------------------------------------------------ assembling
def rows(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    made = POOL.assembly
    face = made.faces[POOL.index(name)]
    first, n = face["abilities"]
    return face, made.abilities[first : first + n]


def spell_of(pool: CardPool, name: str) -> dict[str, Any]:
    made = pool.assembly
    return made.abilities[made.faces[pool.index(name)]["spell"]]


def test_characteristics_reach_the_table() -> None:
    face, abilities = rows("Shivan Dragon")
    assert (face["pips"], face["generic"], face["has_cost"]) == ((0, 0, 0, 2, 0, 0), 4, True)
    assert (face["power"], face["toughness"], face["keywords"]) == (5, 5, Keyword.FLYING)
    assert face["colors"] == Color.R
    assert [POOL.assembly.subtypes[s] for s in face["subtypes"]] == ["Dragon"]
    assert face["spell"] == NO_ABILITY
    assert abilities[0]["kind"] == AbilityKind.ACTIVATED
    assert abilities[0]["pips"] == (0, 0, 0, 1, 0, 0)
    token, _ = rows("Goblin Token")
    assert (token["token"], token["has_cost"], token["colors"]) == (True, False, Color.R)


@pytest.mark.parametrize(
    ("name", "mask", "amount"),
    [("Forest", Color.G, 1), ("Wastes", Color.C, 1), ("Sol Ring", Color.C, 2), ("Birds of Paradise", Color(31), 1)],
)
def test_mana_abilities_are_marked_as_such(name: str, mask: Color, amount: int) -> None:
    (ability,) = rows(name)[1]
    assert (ability["kind"], ability["program"]) == (AbilityKind.MANA, -1)
    assert (ability["mana_mask"], ability["mana_amount"]) == (mask, amount)


def test_intrinsic_mana_comes_from_the_land_type_alone() -> None:
    dual = Face("Bayou", TypeBit.LAND, ("Swamp", "Forest"))
    made = assemble([dual, Face("Forest Bear", TypeBit.CREATURE, ("Forest",), mana_cost("{G}"), power=1, toughness=1)])
    own = [made.abilities[first : first + n] for first, n in (face["abilities"] for face in made.faces)]
    assert [[a["mana_mask"] for a in abilities] for abilities in own] == [[Color.B, Color.G], []]


def test_equal_nodes_targets_and_programs_are_stored_once() -> None:
    made = POOL.assembly
    for nodes in (made.values, made.filters, made.refs):
        assert len(set(nodes)) == len(nodes)
    assert rows("Searing Spear")[0]["spell"] == rows("Lightning Bolt")[0]["spell"]
    assert rows("Shock")[0]["spell"] != rows("Lightning Bolt")[0]["spell"]
    shock, bolt = (spell_of(POOL, name) for name in ("Shock", "Lightning Bolt"))
    assert shock["targets"] == bolt["targets"]
    assert shock["program"] != bolt["program"]


def test_operands_come_before_their_node_and_programs_end() -> None:
    made = POOL.assembly
    for i, (op, a, b, _) in enumerate(made.filters):
        if op in (FilterOp.AND, FilterOp.OR):
            assert max(a, b) < i
    assert len(made.code) % INSTRUCTION_WORDS == 0
    assert made.code[-INSTRUCTION_WORDS] == EffectOp.END
    starts = [a["program"] for a in made.abilities]
    assert all(s == -1 or made.code[s] != EffectOp.END for s in starts)
    assert all(RefOp(op) in REF_POLICY for op, *_ in made.refs)


def test_a_program_is_what_the_contract_of_the_core_says() -> None:
    made = assemble([BOLT])
    op, by, to, amount, *rest = made.code[:INSTRUCTION_WORDS]
    assert (len(made.code), rest) == (2 * INSTRUCTION_WORDS, [0] * 4)
    assert op == EffectOp.DAMAGE
    assert made.refs[by][0] == RefOp.SOURCE
    assert made.refs[to][:2] == (RefOp.TARGET, 0)
    assert made.values[amount][:2] == (ValueOp.CONST, 3)
    (spec,) = made.targets
    assert (spec["players"], spec["objects"], spec["zone"]) == (True, True, Zone.BATTLEFIELD)


def test_target_specifications_say_where_and_what() -> None:
    def spec(name: str) -> dict[str, Any]:
        return POOL.assembly.targets[spell_of(POOL, name)["targets"][0]]

    assert (spec("Cancel")["zone"], spec("Cancel")["players"]) == (Zone.STACK, False)
    assert (spec("Lava Spike")["players"], spec("Mind Rot")["objects"]) == (True, False)
    assert (spec("Murder")["players"], spec("Murder")["zone"]) == (False, Zone.BATTLEFIELD)


def test_a_negation_beside_players_passes_no_player() -> None:
    made = assemble(
        [
            Face(
                "Test",
                TypeBit.INSTANT,
                cost=mana_cost("{R}"),
                spell=SpellAbility((damage(target(0), 1),), (TargetSpec((creature & ~black) | (player & ~yourself)),)),
            )
        ]
    )
    op, left, right, _ = made.filters[made.targets[0]["filter"]]
    assert op == FilterOp.OR
    guards = [made.filters[made.filters[side][1]] for side in (left, right)]
    assert guards[0][0] == FilterOp.NOT
    assert made.filters[guards[0][1]][0] == FilterOp.PLAYER
    assert guards[1][0] == FilterOp.PLAYER


def test_a_card_built_in_python_is_checked_too() -> None:
    wrong = Face("Wrong", TypeBit.INSTANT, cost=mana_cost("{R}"), spell=SpellAbility((destroy(target(0)),)))
    with pytest.raises(CardError, match=r"^Wrong: target\(0\) does not exist"):
        CardPool([wrong])
    ability = ActivatedAbility(cost("{X}, {T}"), (damage(target(0), x),), (TargetSpec(any_target),))
    good = Face("Good", TypeBit.ARTIFACT, cost=mana_cost("{2}"), abilities=(ability,))
    assert CardPool([good]).assembly.abilities[0]["n_x"] == 1


#: Fields of the dicts that the core's table is made of.
FACE_FIELDS = (
    "name pips snow generic n_x hybrid has_cost types colors power toughness keywords spell abilities subtypes costs"
    " optional token test_only ways sort layout back other asks_spent"
)
ABILITY_FIELDS = (
    "kind cost_flags pips snow generic n_x hybrid program condition filter other player amount reads targets "
    "costs changes modes least_modes most_modes zones zone_from zone_to layers affects event step flags "
    "timing own mana_mask mana_amount"
)


def test_every_row_has_every_field() -> None:
    made = POOL.assembly
    assert {tuple(sorted(f)) for f in made.faces} == {tuple(sorted(FACE_FIELDS.split()))}
    assert {tuple(sorted(a)) for a in made.abilities} == {tuple(sorted(ABILITY_FIELDS.split()))}
    assert len(made.creature_types) == len(made.subtypes)
    ends = 0
    for face in made.faces:
        first, n = face["abilities"]
        # A face's own abilities stand together, one face after the other.
        assert first >= ends
        ends = first + n


def test_the_core_takes_the_table() -> None:
    table = POOL.table
    assert table is POOL.table
    assert table.names == list(POOL)
    assert table.n_faces == len(POOL)
    again = CardPool(POOL.faces, name="other name")
    assert again.table.hash == table.hash
    assert POOL.with_cards(BOLT).table.hash != table.hash


# -------------------------------------------------------------------------------------------------- listing
@pytest.mark.parametrize("name", list(POOL))
def test_every_card_has_a_listing(name: str) -> None:
    text = listing.show(POOL, name)
    assert text.startswith(name)
    assert POOL[name].type_line in text


def test_a_listing_shows_policies_and_instructions() -> None:
    lines = listing.show(POOL, "swords to plowshares").splitlines()
    assert lines[0] == "Swords to Plowshares  {W}"
    assert "  gain_life(controller_of(target(0)), power_of(target(0)))" in lines
    assert "      target(0) is read LEGAL_TARGET" in lines
    assert any("EXILE" in line for line in lines)
    with pytest.raises(UnknownCard):
        listing.show(POOL, "sword")


# -------------------------------------------------------------------------------------------- against facts
#: Keywords that a card file lists as words of their own; others are sentences there ("can't block").
SENTENCES = {
    *("doesn't untap", "may stay tapped", "must attack", "must block", "must be blocked", "lure", "exert"),
    *("can block only", "can block additional", "can block any number of creatures"),
}
#: Cards that say a keyword in a sentence, or have one that stands for what their spell does.
SAID_OTHERWISE = {"Necromancy": {"flash"}, "Voice of All": {"protection"}, "Golden Demise": {"ascend"}}
PLAIN_WORDS = {n for n in KEYWORD_NAMES if not n.startswith("can't") and n not in SENTENCES}
#: Keywords that something follows.
OPEN_ENDS = re.compile(" (from|for|of a deck of at least)$")
OPEN_WORDS = {OPEN_ENDS.sub("", w) for w, c in COMPOSITIONS.items() if c.parameter is not Parameter.NONE}
KEYWORD_WORDS = {
    w for w in PLAIN_WORDS | OPEN_WORDS | set(COMPOSITIONS) if w not in SENTENCES and not w.startswith("can't")
}
#: The facts have the older name of a keyword.
OLDER_NAMES = {"totem armor": "umbra armor"}


def keyword_word(text: str) -> str | None:
    """The keyword that `text` is, without what follows it."""
    if text in KEYWORD_WORDS or text in OLDER_NAMES:
        return OLDER_NAMES.get(text, text)
    if re.fullmatch(r"[a-z]+walk", text):
        return "landwalk"
    return next((word for word in OPEN_WORDS if re.match(re.escape(word) + "[ —]", text)), None)


def printed_keywords(row: dict[str, Any]) -> set[str]:
    text = re.sub(r"\([^)]*\)", "", row.get("oracle_text") or "").lower()
    text = re.sub(r"^level [0-9](.|\n)*", "", text, flags=re.MULTILINE)  # (what a leveler has later)
    lines = [[keyword_word(part.strip()) for part in line.split(",")] for line in text.splitlines()]
    # A line of keywords begins with one; in a sentence they are given to something.
    words = {word for line in lines if line[0] for word in line if word}
    if "level up" in words:
        return words
    return words | ({k.lower() for k in row.get("keywords") or ()} & KEYWORD_WORDS)


def our_keywords(face: Face) -> set[str]:
    """The keywords of a face without their parameters."""
    made = {OPEN_ENDS.sub("", k.word) for k in face.keywords_with_parts}
    return (made | set(face.keyword_names)) & KEYWORD_WORDS


def plain_cost(text: str) -> str:
    """A mana cost of the facts: some write hybrid symbols without a slash."""
    return re.sub(r"\{([WUBRG2])([WUBRGP])\}", r"{\1/\2}", text)


def whole(row: dict[str, Any]) -> dict[str, Any]:
    """A split card off the stack, of which the facts have the halves: it has what both have (CR 709.4)."""
    halves = row["card_faces"]
    type_line = " ".join(sorted({half["type_line"] for half in halves}))
    made = {**row, "type_line": type_line, "oracle_text": "\n".join(half["oracle_text"] for half in halves)}
    price = mana_cost("".join(plain_cost(half["mana_cost"]) for half in halves))
    return made | {"mana_cost": str(replace(price, text=""))}


def test_cards_agree_with_the_facts(shared_dir: Path, record_property: Any) -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    ours = {n: POOL[n] for n in POOL.names()}
    with gzip.open(shared_dir / "data" / "oracle_cards.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if row["name"] in ours:
                found.setdefault(row["name"], []).append(row)
    for name, candidates in found.items():
        face = ours[name]
        fitting = [r for r in candidates if r["type_line"] == face.type_line] or candidates
        row = whole(fitting[0]) if fitting[0]["layout"] == "split" else fitting[0]
        # The facts have the older name of the type (CR 308).
        assert row["type_line"].replace("Tribal", "Kindred") == face.type_line, name
        cost_text = plain_cost(row.get("mana_cost") or "")
        assert cost_text == str(face.cost or ""), name
        size = (row.get("power"), row.get("toughness"))
        assert size == (tuple(face.printed_size.split("/")) if face.printed_size else (None, None)), name
        hybrid = set("WUBRG") & set(cost_text) if "/" in cost_text else set()
        assert set(row.get("colors") or ()) | hybrid == set(color_letters(face.real_colors)), name
        said = our_keywords(face).union(*(our_keywords(POOL[half]) for half in name.split(" // ") if half != name))
        assert printed_keywords(row) ^ said == SAID_OTHERWISE.get(name, set()), name
        assert row.get("cmc", 0) == face.mana_value, name
    record_property("compared", len(found))
    print(f"{len(found)} of {len(ours)} cards compared; not found: {sorted(ours.keys() - found.keys())}")
    assert len(found) >= 35
