"""Keywords of permanents that hold on to other objects as they leave: champion, haunt."""

from __future__ import annotations

from lkicore.opcodes import Zone

from . import effects as do
from . import filters as f
from . import references as r
from . import triggers as when
from .abilities import TriggeredAbility
from .filters import Filter
from .flow import if_
from .target_specs import TargetSpec
from .values import number_of


def champion(what: Filter, text: str) -> tuple[object, ...]:
    """CR 702.72."""
    chosen = do.pick(r.you, what & f.yours & f.other, 0, 1)
    gone = if_(number_of(r.picked) >= 1, do.exile(r.picked, link=True), do.sacrifice(r.source))
    back = do.move(r.linked(0), Zone.BATTLEFIELD)
    return (
        TriggeredAbility(when.enters(), (chosen, gone), keyword=text),
        TriggeredAbility(when.leaves(), (back,), keyword=text),
    )


def haunt(_: None, text: str) -> tuple[object, ...]:
    """CR 702.55a-c: of a permanent. The card in exile remembers the creature that it haunts."""
    effects = (do.exile(r.event_card), do.link(r.target(0), of=r.moved))
    return (TriggeredAbility(when.dies(), effects, targets=(TargetSpec(f.creature),), keyword=text),)
