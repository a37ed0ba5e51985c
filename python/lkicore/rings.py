"""Rows of LKI rings as NumPy columns."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from lkicore._layout import layout

#: Fields of a row that mean something outside its game's block, by the names that they have here.
_FIELDS = {
    **{name: name for name in ("id", "tick", "until", "became", "timestamp", "card", "zone", "zone_to", "owner")},
    **{name: name for name in ("controller", "types", "colors", "keywords", "power", "toughness", "damage", "status")},
    "defn": "face",
    "oflags": "flags",
    "c_p1p1": "p1p1",
    "c_m1m1": "m1m1",
    "c_loyalty": "loyalty",
    "c_charge": "charge",
    "attached_id": "attached_to",
    "blocks_id": "blocking",
    "attacks": "attacking",
    "x": "x",
}
_TYPES = {k: np.dtype(v) for k, v in [("u8", "u1"), ("u16", "u2"), ("i16", "i2"), ("u32", "u4"), ("u64", "u8")]}


@functools.cache
def row_dtype() -> np.dtype[Any]:
    """A departure as the ring holds it (`LkiRow`): a structured dtype with a field for each that can be asked.

    `id`, `became`, `attached_to` and `blocking` are ids of objects (0: none), `tick` and `until` event ticks (until the
    card left a zone again; 2**32 - 1: not yet), `face` the number of its card's face, `card` the physical card (65535:
    none), `attacking` 1 + the defending player (0: none). `zone`, `zone_to`, `types`, `colors`, `keywords`, `status`
    and `flags` are as in `lkicore.opcodes`.
    """
    struct = layout()["structs"]["LkiRow"]
    known = []
    offset = 0
    for name, kind, _ in struct["fields"]:
        if name in _FIELDS:
            known.append((_FIELDS[name], _TYPES[kind], offset))
        offset += _TYPES[kind].itemsize
    names, formats, offsets = zip(*known, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": struct["bytes"]})


def room(games: int, rows: int) -> npt.NDArray[Any]:
    """Room for the newest `rows` departures of each of `games` games."""
    return np.zeros((games, rows), row_dtype())


def as_bytes(rings: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The same memory, as the core takes it."""
    games, rows = rings.shape
    return rings.view(np.uint8).reshape(games, rows * rings.dtype.itemsize)
