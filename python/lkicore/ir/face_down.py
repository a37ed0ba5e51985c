"""Face-down objects (CR 708): turning them, manifesting, and the keywords that cast them face down."""

from __future__ import annotations

from lkicore.opcodes import EffectOp, MoveFlag, WayKind, Zone

from . import references as r
from .abilities import TriggeredAbility, TurnUpAbility
from .costs import Cost
from .effects import Effect, move, pick, put_counters
from .flow import Instruction
from .mana import mana_cost
from .operands import Kind, describe, flag
from .references import Ref, reference
from .relations import is_
from .triggers import enters
from .ways import Way

#: What face-down objects are (CR 708.2a): faces of the pool without a name. The last two can be turned face up for the
#: mana cost of the card, if it is a creature card (701.40b, 701.58b).
FACE_DOWN, WARDED = "Face-Down Creature", "Face-Down Creature (ward)"
MANIFESTED, CLOAKED = "Manifested Creature", "Cloaked Creature"


def _form(name: object, word: str) -> str:
    if not isinstance(name, str) or not name:
        raise TypeError(f"{word}: the name of a face is wanted, not {describe(name)}")
    return name


def turn_up(what: Ref) -> Effect:
    """Permanents are turned face up (CR 708.8)."""
    return Effect(EffectOp.TURN_UP, (reference(what, "turn_up", kind=Kind.OBJECT),))


def turn_down(what: Ref, form: str = FACE_DOWN) -> Effect:
    """Permanents are turned face down: 2/2 creatures, or what the face called `form` says (CR 708.2)."""
    return Effect(EffectOp.TURN_DOWN, (reference(what, "turn_down", kind=Kind.OBJECT), _form(form, "turn_down")))


def put_face_down(what: Ref, form: str = FACE_DOWN, under: Ref = r.you, tapped: bool = False) -> Effect:
    """Cards are put onto the battlefield face down, as `form`, under a player's control (CR 708.3)."""
    how = MoveFlag.TAPPED if flag(tapped, "put_face_down: tapped") else MoveFlag(0)
    whose = reference(under, "put_face_down: under", one=True, kind=Kind.PLAYER)
    cards = reference(what, "put_face_down", kind=Kind.OBJECT)
    return Effect(EffectOp.PUT_FACE_DOWN, (cards, _form(form, "put_face_down"), whose, how))


def manifest(what: Ref, under: Ref = r.you) -> Effect:
    """Cards are manifested (CR 701.40): face-down 2/2 creatures."""
    return put_face_down(what, MANIFESTED, under)


def cloak(what: Ref, under: Ref = r.you) -> Effect:
    """Cards are cloaked (CR 701.58): face-down 2/2 creatures with ward {2}."""
    return put_face_down(what, CLOAKED, under)


def manifest_dread() -> tuple[Instruction, ...]:
    """You look at the top two cards of your library, manifest one of them, and put the other into your graveyard (CR
    701.62)."""
    seen = pick(r.you, is_(r.top_cards(r.you, 2)), 1, 1, Zone.LIBRARY, hidden=True, own=True)
    return (seen, manifest(r.picked), move(r.top_cards(r.you, 1), Zone.GRAVEYARD))


# --------------------------------------------------------------------------------------------------- keywords
def _cast_face_down(form: str) -> Way:
    return Way(WayKind.FACE_DOWN, Cost(mana_cost("{3}")), (Zone.HAND,), face=form)


def morph(price: Cost, text: str) -> tuple[object, ...]:
    """CR 702.37a."""
    return (_cast_face_down(FACE_DOWN), TurnUpAbility(price, keyword=text))


def megamorph(price: Cost, text: str) -> tuple[object, ...]:
    """CR 702.37b: with a +1/+1 counter as it is turned face up."""
    return (_cast_face_down(FACE_DOWN), TurnUpAbility(price, (put_counters(r.source, 1, "+1/+1"),), keyword=text))


def disguise(price: Cost, text: str) -> tuple[object, ...]:
    """CR 702.168a: with ward {2} while it is face down."""
    return (_cast_face_down(WARDED), TurnUpAbility(price, keyword=text))


def hideaway(n: int, text: str) -> tuple[object, ...]:
    """Look at the top cards of the library as it enters and exile one of them face down (CR 702.75a)."""
    do = (
        pick(r.you, is_(r.top_cards(r.you, n)), 1, 1, zone=Zone.LIBRARY, own=True, hidden=True),
        move(r.picked, Zone.EXILE, face_down=True, link=True),
        # What is left of the cards that were looked at lies on top still.
        move(r.top_cards(r.you, n - 1), Zone.LIBRARY, bottom=True, random=True),
    )
    return (TriggeredAbility(enters(), do, keyword=text),)
