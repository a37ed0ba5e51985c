"""The game loop takes no memory from the heap and makes no Python object."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or "LKICORE_SANITIZED" in os.environ, reason="the counter replaces the C library's malloc"
)

#: Counts every call that takes memory; glibc's own entry points do the work.
COUNTER = r"""
#include <errno.h>
#include <stddef.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static long count;
long allocations(void) { return __atomic_load_n(&count, __ATOMIC_SEQ_CST); }
static void one(void) { __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST); }
void *malloc(size_t n) { one(); return __libc_malloc(n); }
void *calloc(size_t k, size_t n) { one(); return __libc_calloc(k, n); }
void *realloc(void *p, size_t n) { one(); return __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { one(); return __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { one(); return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { one(); *p = __libc_memalign(a, n); return *p ? 0 : ENOMEM; }
"""

#: Plays n games of each kind in a process whose allocations are counted. Python takes all its memory by malloc there.
PROGRAM = r"""
import ctypes, gc, json, sys
import numpy as np
import fuzz_cards
from lkicore import _batch

allocations = ctypes.CDLL(None).allocations
allocations.restype = ctypes.c_long
names, agent, options, watch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
table, decks = fuzz_cards.pool().table, fuzz_cards.decks(names)
seats, kinds = len(decks), [("winner", "i1"), ("reason", "u1"), ("status", "u1"), ("turns", "u4"), ("choices", "u4"),
                            ("starting", "u1"), ("grown", "u1"), ("checksum", "u8")]
def play(n):
    out = {k: np.zeros(n, d) for k, d in kinds}
    out["life"] = np.zeros((n, seats), "i4")
    gc.collect()
    gc.disable()
    blocks, before = sys.getallocatedblocks(), allocations()
    result = _batch.run(table, decks, [agent] * seats, 1, 0, n, options=options, watch=watch, size_class=2, out=out)
    taken = allocations() - before
    gc.collect()  # empties Python's lists of objects to use again
    blocks = sys.getallocatedblocks() - blocks
    return {"taken": taken, "blocks": blocks, "choices": int(out["choices"].sum()), "grown": int(out["grown"].sum()),
            "records": result["lki_records"]}
play(300)
print(json.dumps([play(300), play(600), play(3000)]))
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = next(filter(None, map(shutil.which, (os.environ.get("CC", "cc"), "cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("counter")
    (folder / "counter.c").write_text(COUNTER, encoding="utf-8")
    library = folder / "counter.so"
    built = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-fno-builtin", "-o", str(library), str(folder / "counter.c")],
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        pytest.skip(f"the counter needs the GNU C library: {built.stderr.splitlines()[0]}")
    return library


@pytest.mark.parametrize(
    ("names", "agent", "options", "watch"),
    [
        ("red/green", 0, 3, 0),
        ("red/green", 1, 3, 0),
        ("bolt-mirror/bolt-mirror", 0, 3, 0),
        ("brawl/cards", 0, 7, 0),
        ("vanilla/ogre-mirror/red", 1, 3, 0xFFFF),
    ],
)
def test_no_memory_is_taken(counter: Path, names: str, agent: int, options: int, watch: int) -> None:
    arguments = (counter, names, agent, options, watch)
    # Python takes what its objects need by malloc: they are counted, too.
    few, more, many = played(*arguments, python_malloc="malloc")
    assert many["choices"] > 5 * few["choices"] > 0, "the games were played"
    assert many["records"] > 5 * few["records"] > 0, "departures were recorded"
    assert few["grown"] == more["grown"] == many["grown"] == 0, "a game outgrew its block, which takes memory"
    assert 0 < few["taken"] < 1000, "what a call needs to set up"
    # A call ends by making Python numbers of its five counts: small ones Python has ready, larger ones are made. One
    # allocation a game would be 2,700 more.
    taken = [few["taken"], more["taken"], many["taken"]]
    assert max(taken) - min(taken) <= 5, f"{taken}: as much for 3,000 games as for 300"
    # Python's own allocator tells the objects that are left: again those numbers, and what the interpreter itself keeps
    # (that is not ours to say, and not always the same). One object a game would be 2,700 more.
    runs = played(*arguments, python_malloc="pymalloc")
    left = [run["blocks"] for run in runs]
    assert max(left) - min(left) <= 5, f"{left}: as much for 3,000 games as for 300"


def played(
    counter: Path, names: str, agent: int, options: int, watch: int, *, python_malloc: str
) -> list[dict[str, int]]:
    """Counts of runs of 300, 600 and 3,000 games in a process of their own."""
    environment = {**os.environ, "LD_PRELOAD": str(counter), "PYTHONMALLOC": python_malloc, "OMP_NUM_THREADS": "1"}
    # The lkicore that is tested here, wherever it was imported from.
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, names, str(agent), str(options), str(watch)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=Path(__file__).parent,
    )
    assert done.returncode == 0, done.stderr
    runs: list[dict[str, int]] = json.loads(done.stdout)
    return runs
