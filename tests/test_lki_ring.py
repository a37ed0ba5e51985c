"""The ring of LKI rows forgets; what can still be asked about is pinned and stays (CR 608.2h)."""

from __future__ import annotations

from typing import Any

import pytest

import fuzz_cards
from lkicore import _check, _fuzz, _lki
from test_fuzz import run

#: Games in which forgetting to pin one kind of reference is noticed: decks, further arguments. `plant` makes references
#: that no card of the pool makes yet; `watch` keeps some events of the history (HistoryKind bits).
FORGOTTEN: dict[str, tuple[str, dict[str, Any]]] = {
    "objects.attached": ("charms/charms", {}),
    "objects.blocks": ("war/war", {}),
    "frame.obj": ("cards/cards", {"plant": 2}),
    "stack.source": ("oracles/oracles", {}),
    "effect.affected": ("augurs/augurs", {}),
    "effect.source": ("oracles/brawl", {}),
    "effect.maker": ("palms/palms", {}),
    "trigger.source": ("rites/rites", {}),
    "trigger.object": ("rites/rites", {}),
    "trigger.other": ("storms/storms", {}),
    "special.source": ("geodes/geodes", {}),
    "history.obj": ("brawl/brawl", {"watch": 2}),
    "history.other": ("brawl/brawl", {"watch": 8}),
    "arena.lists": ("brawl/brawl", {}),
    "lki.attached": ("charms/charms", {"watch": 1 << 14}),
    "lki.blocks": ("siege/brawl", {"watch": 2}),
    "lki.extra": ("pyres/pyres", {"watch": 1}),
}
GAMES = 1_000


def fuzz(names: str, n: int, seed: int = 1, **kw: Any) -> dict[str, Any]:
    pool = fuzz_cards.pool().table
    return _fuzz.fuzz(pool, fuzz_cards.decks(names), seed, 0, n, ring=8, clones=0, tries=0, twin=False, **kw)


def test_every_marked_reference_has_its_games() -> None:
    assert set(FORGOTTEN) == set(_lki.MARKED)


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_forgotten_pin_is_noticed(name: str) -> None:
    names, kw = FORGOTTEN[name]
    found = []
    for seed in range(1, 9):
        failed = fuzz(names, GAMES // 2, seed, skip_ref=_lki.MARKED.index(name), **kw)["failed"]
        if failed is not None:
            # What a reference was handed on to may be looked at first.
            assert "neither live nor in the LKI store" in failed["message"]
            found.append(failed["code"] & 0xFF)
        if _check.code_of_reference(name) in found:
            return
    pytest.fail(f"{4 * GAMES} games without the pins of {name}, and what is missing is not it: {found}")


@pytest.mark.parametrize("name", FORGOTTEN)
def test_the_same_games_with_all_pins_miss_nothing(name: str) -> None:
    names, kw = FORGOTTEN[name]
    report = fuzz(names, GAMES // 4, **kw)
    assert report["failed"] is None
    assert report["planted"] > 0 or "plant" not in kw


def test_answers_from_rows_that_the_head_passed_over() -> None:
    """A ring of 8 rows and the largest give the same games; answers come from rows that were pinned and passed over."""
    n = 1_000
    small, tiny = run("oracles/oracles", n, ring=8)
    large, roomy = run("oracles/oracles", n, size_class=4)
    assert tiny["lki_kept_answers"] >= 10_000
    assert tiny["lki_kept"] >= 10_000
    assert roomy["lki_kept"] == 0
    assert tiny["lki_answers"] == roomy["lki_answers"]
    assert tiny["lki_records"] == roomy["lki_records"]
    assert (tiny["checksum"] == roomy["checksum"]).all()
    assert small == large


@pytest.mark.parametrize("names", ["pingers/pingers", "war/oracles", "brawl/cards", "red/green", "cards/cards"])
def test_a_tiny_ring_changes_no_game(names: str) -> None:
    whole, _ = run(names, 200)
    assert all(run(names, 200, ring=ring)[0] == whole for ring in (8, 12, 16, 32))
    assert all(run(names, 200, ring=ring, watch=0xFFFF)[0] == whole for ring in (8, 32))


def test_what_helped_to_pay_is_known_while_the_card_becomes_a_spell() -> None:
    """It has left already (CR 702.66a), and only the list on its way from the frame to the stack refers to it."""
    assert fuzz("digs/digs", 100)["failed"] is None
