"""Statistics of win rates: Wilson score intervals.

A closed form, so that the package needs neither scipy nor statsmodels.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

#: The confidence of every interval that is printed unless another is asked for.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A proportion with its interval; all three between 0 and 1, or NaN when nothing was counted."""

    estimate: float
    low: float
    high: float


class WinRate(NamedTuple):
    """How often a seat won.

    `wins` of `games` games; `rate`, `low` and `high` are the Wilson estimate and its bounds as fractions, NaN when
    `games` is 0.
    """

    wins: int
    games: int
    rate: float
    low: float
    high: float


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The Wilson score interval of a proportion (Wilson 1927; method 3 of Newcombe 1998), two-sided.

    `successes` of `trials` independent trials; the interval stays within [0, 1] and is of use near its ends and for few
    trials. Without trials all three numbers are NaN. `ValueError` unless 0 <= successes <= trials, 0 < confidence < 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"successes must be between 0 and trials ({trials}), not {successes}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    if trials == 0:
        return Interval(math.nan, math.nan, math.nan)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / trials
    scale = 1 + z * z / trials
    centre = (p + z * z / (2 * trials)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    # The bounds at 0 and 1 are exact; rounding must not move them.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(p, low, high)


def win_rate(wins: int, games: int, confidence: float = CONFIDENCE) -> WinRate:
    """`wins` of `games` as a `WinRate`; arguments and errors as of `wilson`."""
    return WinRate(wins, games, *wilson(wins, games, confidence))
