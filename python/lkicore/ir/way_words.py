"""Words of the ways of casting (CR 118.9, 601.2b)."""

from __future__ import annotations

from lkicore.opcodes import WayKind

from .operands import covers, describe

#: Ways by their word.
WAY_WORDS: dict[str, WayKind] = {kind.name.lower().replace("_", "-"): kind for kind in WayKind}
covers(WayKind, {k: w for w, k in WAY_WORDS.items()}, "words of ways")


def way_kind(word: str) -> WayKind:
    """Return the kind of way called `word`.

    Raises:
        TypeError: it is no text.
        ValueError: there is none.
    """
    if not isinstance(word, str):
        raise TypeError(f'a way of casting such as "flashback" is wanted, not {describe(word)}')
    if word not in WAY_WORDS:
        raise ValueError(f"no way of casting is called {word!r}; there are {', '.join(WAY_WORDS)}")
    return WAY_WORDS[word]
