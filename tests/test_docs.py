"""What the documents say in numbers and examples is true of the code."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re

import lkicore

ROOT = pathlib.Path(__file__).resolve().parent.parent


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_the_example_of_the_readme_prints_what_the_readme_says() -> None:
    text = (ROOT / "README.md").read_text()
    code = next(block for block in blocks(text, "python") if "simulate(" in block)
    said = text[text.index(code) :].split("\nprints\n\n```\n", 1)[1].split("```", 1)[0]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert out.getvalue() == said


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
