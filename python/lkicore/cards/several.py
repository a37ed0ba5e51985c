"""Cards of several faces (CR 709-715): what their faces say of one another."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lkicore.ir.abilities import SpellAbility
from lkicore.ir.faces import Face
from lkicore.ir.mana import NO_MANA, ManaCost
from lkicore.ir.operands import NO_KEYWORDS
from lkicore.ir.references import Ref
from lkicore.ir.ways import Way
from lkicore.opcodes import Layout, RefOp, WayFlag, WayKind, Zone

if TYPE_CHECKING:
    from lkicore.ir.keywords import KeywordAbility

_TARGETS = (RefOp.TARGET, RefOp.TARGETS)


def joined(layout: Layout, front: Face, other: Face) -> list[Face]:
    """Return the two faces of a card, the one that it is known by first.

    Raises:
        ValueError: they don't go together.
    """
    if layout is Layout.MODAL:
        # CR 712.11b: the player chooses the face that is up.
        front = replace(front, ways=(*front.ways, Way(WayKind.BACK, face=other.name)))
    elif layout is Layout.ADVENTURE:
        # CR 715.3d: as it resolves its controller exiles it, and may then play it from there, not as an Adventure.
        later = WayFlag.LANDS | WayFlag.SPELLS | WayFlag.MAIN_FACE
        front = replace(front, ways=(*front.ways, Way(WayKind.ADVENTURE, flags=later, face=other.name)))
    elif layout is Layout.TRANSFORMING and "Siege" in front.subtypes:
        # CR 310.11b: what its trigger lets its controller cast.
        front = replace(front, ways=(*front.ways, Way(WayKind.TRANSFORMED, zones=(), face=other.name)))
    elif layout is Layout.FLIP:
        # CR 710.1c: its colours and its mana cost don't change.
        other = replace(other, cost=front.cost, colors=front.real_colors)
    return [front, other]


def split_card(name: str, left: Face, right: Face, keywords: tuple[KeywordAbility, ...], **more: Any) -> list[Face]:
    """Return the faces of a split card: what it is but on the stack (CR 709.4), then its halves.

    Raises:
        ValueError: a half is no instant or sorcery, or they can't be fused.
    """
    fuse = any(k.word == "fuse" for k in keywords)
    for half in (left, right):
        if half.spell is None or half.cost is None:
            raise ValueError("each half of a split card is an instant or sorcery with a mana cost")
        if fuse and (half.spell.modes is not None or half.additional is not None or half.optional):
            raise ValueError("such halves can't be fused")
    spell = _fused(left, right) if fuse else left.spell
    whole = Face(
        name=name,
        types=left.types | right.types,
        subtypes=tuple(dict.fromkeys((*left.subtypes, *right.subtypes))),
        cost=_sum(left.cost or NO_MANA, right.cost or NO_MANA),
        colors=left.real_colors | right.real_colors,
        keywords=NO_KEYWORDS,
        keyword_abilities=keywords,
        spell=spell,
        ways=(_half(left), _half(right)),
        layout=Layout.SPLIT,
        other=left.name,
        **more,
    )
    return [whole, left, right]


def _half(half: Face) -> Way:
    """How a half is cast: of one with aftermath, from the graveyard alone (CR 702.127a)."""
    if any(k.word == "aftermath" for k in half.keyword_abilities):
        return Way(WayKind.AFTERMATH, None, (Zone.GRAVEYARD,), flags=WayFlag.EXILE, face=half.name)
    return Way(WayKind.HALF, face=half.name)


def _sum(one: ManaCost, other: ManaCost) -> ManaCost:
    pips = tuple(a + b for a, b in zip(one.pips, other.pips, strict=True))
    assert len(pips) == 6
    return ManaCost(
        pips, one.generic + other.generic, one.n_x + other.n_x, one.hybrid + other.hybrid, one.snow + other.snow
    )


def _fused(left: Face, right: Face) -> SpellAbility:
    """CR 702.102d: the instructions of the left half, then those of the right."""
    assert left.spell is not None
    assert right.spell is not None
    n = len(left.spell.targets)
    return SpellAbility(
        (*left.spell.effects, *_shifted(right.spell.effects, n)),
        (*left.spell.targets, *_shifted(right.spell.targets, n)),
    )


def _shifted(node: Any, n: int) -> Any:
    """Return `node` with the numbers of its targets `n` higher."""
    if isinstance(node, tuple):
        return tuple(_shifted(part, n) for part in node)
    if isinstance(node, Ref) and node.op in _TARGETS:
        number, *rest = node.args
        assert isinstance(number, int)
        return replace(node, args=(number + n, *rest))
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        parts = {f.name: getattr(node, f.name) for f in dataclasses.fields(node)}
        changed = {name: _shifted(part, n) for name, part in parts.items()}
        return replace(node, **changed) if changed != parts else node
    return node
