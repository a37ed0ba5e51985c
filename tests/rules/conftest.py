"""Scenes for rules tests: exact, where everybody is asked everything, and with the engine's own options."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from scene import EXACT, Scene

MODES = {"exact": EXACT, "default": {"auto_pass": True, "collapse_trivial": True}}


@pytest.fixture(params=sorted(MODES))
def scene(request: pytest.FixtureRequest) -> Callable[..., Scene]:
    """Makes scenes of both kinds, for what must not depend on how often players are asked."""
    return functools.partial(Scene, **MODES[request.param])
