"""Wilson intervals against published values and against their definition."""

from __future__ import annotations

import math

import pytest

from lkicore.stats import wilson, win_rate


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert interval.estimate == successes / trials
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize("trials", [1, 7, 500, 10**9])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.99])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_bounds_solve_the_score_equation(trials: int, share: float, confidence: float) -> None:
    """A bound is the p whose score statistic |p_hat - p| / sqrt(p (1 - p) / n) is the normal quantile."""
    from statistics import NormalDist

    successes = round(share * trials)
    interval = wilson(successes, trials, confidence)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    for bound in (interval.low, interval.high):
        if 0 < bound < 1:
            score = abs(successes / trials - bound) / math.sqrt(bound * (1 - bound) / trials)
            assert score == pytest.approx(z, rel=1e-4)
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1


def test_mirror_symmetry() -> None:
    won, lost = wilson(137, 400), wilson(263, 400)
    assert won.low == pytest.approx(1 - lost.high, abs=1e-12)
    assert won.high == pytest.approx(1 - lost.low, abs=1e-12)


def test_ends_are_exact() -> None:
    assert wilson(0, 50).low == 0.0
    assert wilson(50, 50).high == 1.0
    assert wilson(0, 50).high > 0
    assert wilson(50, 50).low < 1


def test_a_point_takes_9604_games() -> None:
    """One point to each side at 95 % needs 9,604 games, the figure every deck tester knows."""
    interval = wilson(4802, 9604)
    assert interval.high - interval.low == pytest.approx(0.02, abs=1e-5)


def test_no_trials_is_no_number() -> None:
    assert all(math.isnan(number) for number in wilson(0, 0))


@pytest.mark.parametrize(
    ("successes", "trials", "confidence", "said"),
    [
        (-1, 5, 0.95, "not -1"),
        (6, 5, 0.95, "not 6"),
        (1, 5, 0.0, "not 0.0"),
        (1, 5, 1.0, "not 1.0"),
        (0, -1, 0.9, "-1"),
    ],
)
def test_out_of_range(successes: int, trials: int, confidence: float, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wilson(successes, trials, confidence)


def test_win_rate_carries_its_counts() -> None:
    rate = win_rate(3, 4)
    assert (rate.wins, rate.games, rate.rate) == (3, 4, 0.75)
    assert (rate.low, rate.high) == wilson(3, 4)[1:]
