"""What the documents say in numbers and examples is true of the code."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import tomllib

import lkicore
from lkicore.cards import bundled_decks
from lkicore.scenario import check

ROOT = pathlib.Path(__file__).resolve().parent.parent


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_readme_print_what_the_readme_says() -> None:
    text = (ROOT / "README.md").read_text()
    examples = re.findall(
        r"^```python\n((?:(?!```).*\n)*)```\n\nprints\n\n```\n((?:(?!```).*\n)*)```$", text, re.MULTILINE
    )
    assert len(examples) == 2
    for code, said in examples:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
        assert out.getvalue() == said


def test_the_example_about_last_known_information_prints_what_the_page_says() -> None:
    text = (ROOT / "docs" / "lki.md").read_text()
    ((code, said),) = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "lki.md", "exec"), {"__name__": "lki"})
    assert out.getvalue() == said


def test_the_scenario_of_the_page_passes(tmp_path: pathlib.Path) -> None:
    (block,) = blocks((ROOT / "docs" / "scenarios.md").read_text(), "yaml")
    (tmp_path / "page.yaml").write_text(block)
    (result,) = check(tmp_path / "page.yaml", strict=True)
    assert result.status == "passed"


def test_numbers_of_cards_and_decks_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    assert f"{len(lkicore.CardPool.builtin().names())} real cards and ten decks" in text
    assert len(bundled_decks()) == 10
    for name in bundled_decks():
        assert f"`{name}`" in text


def test_the_table_of_modules_names_them_all() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    order = tomllib.loads((ROOT / "spec" / "modules.toml").read_text())["order"]
    rows = re.findall(r"^\| (`_\w+`.*?) \| ", text, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(_\w+)`", row)]
    assert named == order


def test_the_card_of_the_readme_is_a_card() -> None:
    text = (ROOT / "README.md").read_text()
    code = next(block for block in blocks(text, "python") if "with_cards" in block)
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    pool = names["pool"]
    assert isinstance(pool, lkicore.CardPool)
    assert "Ember Oracle" in pool


def test_the_run_of_the_readme_is_the_run() -> None:
    text = (ROOT / "README.md").read_text()
    said = re.search(r"^checksum +([0-9a-f]{16})$", text, flags=re.MULTILINE)
    assert said
    assert lkicore.simulate(["red", "green"], games=10_000, seed=0, threads=2).checksum == said[1]


def test_byte_budget() -> None:
    """A two-player block of at most 24 KiB, and the table of the paper test."""
    size = lkicore.layout()["bytes"]
    text = (ROOT / "docs" / "paper_test.md").read_text()
    assert f"| **block** | | | **{size:,}** |" in text
    if size > 24 * 1024:
        raise AssertionError(f"{size} bytes")
    for size_class in range(8):
        assert f" | {lkicore.layout(2, size_class)['bytes']:,} |\n" in text
