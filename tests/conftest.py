"""Fixtures and profiles for every test. Markers are registered in pyproject.toml."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine, not the code. CI and sanitizer runs are derandomized: a red run is red again when
# repeated. `make soak` explores: random, and many examples.
settings.register_profile("dev", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True)
settings.register_profile(
    "sanitize",
    deadline=None,
    print_blob=True,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=5000)


def profile() -> str:
    if "LKICORE_SANITIZED" in os.environ:
        return "sanitize"
    return os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")


settings.load_profile(profile())


@pytest.fixture(scope="session")
def repo_dir() -> Path:
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of material shared with other projects, named by the environment variable LKICORE_SHARED."""
    name = os.environ.get("LKICORE_SHARED")
    if not name:
        pytest.skip("LKICORE_SHARED is not set: no shared folder here")
    path = Path(name)
    if not path.is_dir():
        pytest.fail(f"LKICORE_SHARED={name} is no folder")
    return path
