"""Hints in messages: words that look like a faulty one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, words: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """Return up to `n` of `words` that look like `word`, the best first, then such as contain it."""
    folded = word.casefold().strip()[:200]
    by_folded = {w.casefold(): w for w in words}
    found = difflib.get_close_matches(folded, by_folded, n=n, cutoff=0.6)
    if len(folded) >= 3:
        found += [w for w in by_folded if folded in w and w not in found]
    return tuple(by_folded[w] for w in found[:n])


def did_you_mean(names: Iterable[str]) -> str:
    """Return a hint with `names`, or nothing if there are none."""
    listed = " or ".join(names)
    return f"; did you mean {listed}?" if listed else ""
