"""What games are made of: clones, recorded departures, look-ups."""

from __future__ import annotations

import statistics
import time

import pytest
from benchcases import MICRO, MicroCase, scene

ROUNDS = 9


@pytest.mark.parametrize("case", MICRO, ids=str)
def test_operation(case: MicroCase, benchmark, golden, table) -> None:
    loop = case.make()
    ns: list[float] = []
    checksums: set[int] = set()

    def one_round() -> None:
        begun = time.process_time()
        result = loop.run(case.n)
        ns.append((time.process_time() - begun) / case.n * 1e9)
        checksums.add(result)

    benchmark.pedantic(one_round, rounds=ROUNDS, warmup_rounds=1)
    assert len(checksums) == 1, "rounds differ"
    checksum = f"{loop.checksum(checksums.pop()):016x}"
    golden.check(case.key(case.n), checksum)
    timed = ns[-ROUNDS:]
    table.add_micro(case, timed, checksum)
    benchmark.extra_info.update(
        operations=case.n,
        ns=statistics.median(timed),
        least_ns=min(timed),
        checksum=checksum,
        block_bytes=scene().bytes,
    )
