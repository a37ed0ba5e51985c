"""docs/effects.md: every example is run, every output compared, every word and number of its tables looked up."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lkicore.cards import CardError, CardPool
from lkicore.cards.notation import read_cards
from lkicore.cli import app
from lkicore.ir.changes import LAYERS
from lkicore.ir.expressions import evaluate
from lkicore.ir.faces import KEYWORD_NAMES
from lkicore.ir.keywords import COMPOSITIONS, SUMMARY
from lkicore.ir.triggers import EVENT_PARTS
from lkicore.ir.vocabulary import NAMESPACE
from lkicore.opcodes import REF_POLICY, ChangeOp, EventKind, RefOp
from lkicore.scenario import read_scenarios, run

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "effects.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
#: Words that a table writes in another way than expressions do.
ELSEWHERE = {"enters_tapped", "none"}


def of(language: str) -> list[str]:
    return [block for kind, block in BLOCKS if kind == language]


def is_card_file(block: str) -> bool:
    return bool(re.match(r"(# my_cards\.yaml\n)?- \{?name:", block))


def following(block: str) -> str:
    """The block after `block`."""
    place = next(i for i, (_, text) in enumerate(BLOCKS) if text == block)
    return BLOCKS[place + 1][1]


def table(header: str) -> list[list[str]]:
    """Rows of the table whose first column is called `header`, as texts of cells."""
    lines = TEXT[TEXT.index(f"\n| {header} |") + 1 :].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in lines]


def plain(listing: str) -> str:
    """`listing` without the numbers that other cards of the pool decide: of faces, nodes and words of instructions."""
    listing = re.sub(r"^ +\d+(?=  [A-Z_]+)", "", listing, flags=re.MULTILINE)
    return re.sub(r"\b(face |word |to |changes |[rvfa])\d+\b|\b\d+(?==)", r"\1#", listing)


@pytest.fixture(scope="module")
def pool() -> CardPool:
    """The built-in pool and the cards of the document that are not in it."""
    builtin = CardPool.builtin()
    new = [
        face for block in of("yaml") if is_card_file(block) for face in read_cards(block) if face.name not in builtin
    ]
    return builtin.with_cards(new)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A working directory with the files that the document names."""
    for block in of("yaml"):
        name = re.match(r"# (\w+\.yaml)\n", block)
        if name:
            (tmp_path / name[1]).write_text(block, encoding="utf-8")
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert {kind for kind, _ in BLOCKS} == {"yaml", "python", "text", "console"}
    for block in of("yaml"):
        assert is_card_file(block) or block.startswith(("# wrong\n", "# my_scenarios.yaml\n", "- id: ")), block
    assert sum(is_card_file(b) for b in of("yaml")) >= 20


def test_cards_of_the_pool_are_those_of_the_pool() -> None:
    builtin = CardPool.builtin()
    known = 0
    for block in of("yaml"):
        for face in read_cards(block) if is_card_file(block) else []:
            if face.name in builtin:
                known += 1
                assert face == builtin[face.name], face.name
    assert known >= 60


def test_all_cards_make_a_pool(pool: CardPool) -> None:
    assert len(pool) > len(CardPool.builtin())
    assert pool.table.n_faces == len(pool)


def test_scenarios_pass(pool: CardPool, tmp_path: Path) -> None:
    n = 0
    for i, block in enumerate(b for b in of("yaml") if "- id: " in b):
        (tmp_path / f"{i}.yaml").write_text(block, encoding="utf-8")
        for scenario in read_scenarios(tmp_path / f"{i}.yaml"):
            result = run(scenario, pool, strict=True)
            assert result.status == "passed", result
            n += 1
    assert n >= 4


def test_python_prints_what_the_page_says(folder: Path) -> None:
    names: dict[str, object] = {"__name__": "effects"}
    for block in of("python"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, "effects.md", "exec"), names)
        assert plain(out.getvalue()) == plain(following(block))
    assert (folder / "my_cards.yaml").exists()


@pytest.mark.parametrize("block", of("console"))
def test_commands_print_what_the_page_says(block: str, folder: Path) -> None:
    command, said = block.split("\n", 1)
    assert command.startswith("$ lkicore ")
    result = CliRunner().invoke(app, command.split()[2:], catch_exceptions=False)
    assert result.exit_code == 0
    assert plain(result.output) == plain(said)
    assert (folder / "my_cards.yaml").exists()


def test_faulty_cards_get_the_message_that_the_page_shows() -> None:
    wrong = [block for block in of("yaml") if block.startswith("# wrong\n")]
    assert len(wrong) >= 3
    for block in wrong:
        with pytest.raises(CardError) as error:
            CardPool.builtin().with_cards(block.removeprefix("# wrong\n"))
        assert f"{error.value}\n" == following(block)


def test_every_word_of_the_language_is_in_the_page() -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", TEXT)) + " ".join(of("yaml"))
    words = set(re.findall(r"\w+", code)) | ELSEWHERE
    marks = {k.name.lower() for k in KEYWORD_NAMES.values() if k.name}
    assert sorted(NAMESPACE.keys() - words - marks) == []


def test_words_of_the_tables_are_words() -> None:
    headers = ("value", "condition", "effect", "event", "change", "reference")
    for header in headers:
        for cells in table(header):
            for written in re.findall(r"`(\w+)[^`]*`", cells[0]):
                assert written in NAMESPACE or written == "gain_ability", (header, written)
    for cells in table("filter"):
        for written in re.findall(r"`([^`]+)`", cells[0]):
            assert re.match(r"\w+", written)[0] in NAMESPACE, written  # type: ignore[index]


def test_policies_are_those_of_the_references() -> None:
    said = {}
    for cells in table("reference"):
        example = cells[0].strip("`").replace("(k)", "(0)").replace("(filter)", "(creature)")
        example = example.replace("(ref, filter)", "(source, creature)").replace("(ref)", "(source)")
        said[evaluate(example, NAMESPACE).op] = cells[2].strip("`")  # type: ignore[attr-defined]
    assert said == {op: REF_POLICY[op].name for op in RefOp}


def test_keywords_are_those_of_the_table() -> None:
    assert {first[0].strip("`"): first[2] for first in table("keyword")} == {w: c.rule for w, c in COMPOSITIONS.items()}
    marks = {word for word, keyword in KEYWORD_NAMES.items() if keyword not in SUMMARY}
    line = next(line for line in TEXT.splitlines() if line.startswith("Marks: "))
    assert set(re.findall("`([^`]+)`", line)) == marks


def test_layers_are_those_of_the_changes() -> None:
    numbers = {"7a": 7, "7b": 8, "7c": 9, "7d": 10}
    said = [numbers.get(cells[1]) or int(cells[1]) for cells in table("change")]
    assert said == sorted(said)
    missing = {ChangeOp.ADD_CHOSEN_ABILITY}
    assert sorted(said) == sorted(layer for op, layer in LAYERS.items() if op not in missing)


def test_events_have_the_parts_that_the_table_says() -> None:
    examples = {"step": "upkeep", "kind": '"fade"', "pf": "opponent", "z": "graveyard", "f": "creature"}
    seen = set()
    for cells in table("event"):
        written = re.sub(r"(?<![\w\"])f or pf(?!\w)", "f", cells[0].strip("`"))
        written = re.sub(r"(?<=[(=, ])(step|kind|pf|z|f)(?=[,)])", lambda m: examples[m[1]], written)
        event = evaluate(written, NAMESPACE)
        kind: EventKind = event.kind  # type: ignore[attr-defined]
        seen.add(kind)
        parts = EVENT_PARTS[kind]
        has = zip("otpa", (parts.object, parts.other, parts.player, parts.amount), strict=True)
        assert cells[1] == "".join(letter for letter, there in has if there), written
    unwritten = {EventKind.NONE, EventKind.PLAYER_TARGETED, EventKind.REFLEXIVE, EventKind.DELAYED}
    assert seen == set(EventKind) - unwritten
