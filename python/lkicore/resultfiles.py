"""Files of results: CSV and Parquet, complete or absent."""

from __future__ import annotations

import csv
import json
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from lkicore.errors import ArgumentError, ResultError
from lkicore.opcodes import EndReason, GameStatus

if TYPE_CHECKING:
    from lkicore.results import SimulationResult

#: Rows that are turned into text at a time: bounds the memory, whatever the number of games.
_ROWS = 65536
_NAMED: dict[str, type[IntEnum]] = {"reason": EndReason, "status": GameStatus}
_PLAIN = ("game", "winner", "starting", "turns", "choices", "reason", "status", "grown")


def _names(enum: type[IntEnum]) -> list[str]:
    """The members' names in lower case, in the order of their numbers, which are 0, 1, 2, ..."""
    return [enum(number).name.lower() for number in range(len(enum))]


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """The path of a new file beside `path` that takes its place at the end, or is removed if anything is raised.

    A symbolic link stays and its target is replaced.
    """
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_csv(result: SimulationResult, path: str | PathLike[str]) -> None:
    """See `SimulationResult.to_csv`."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        _csv_rows(result, file)


def _csv_rows(result: SimulationResult, file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_PLAIN, *(f"life_{seat}" for seat in range(result.seats)), "game_checksum"])
    names = {column: _names(enum) for column, enum in _NAMED.items()}
    for start in range(0, result.games, _ROWS):
        rows = slice(start, start + _ROWS)
        columns: list[list[Any]] = []
        for column in _PLAIN:
            values = getattr(result, column)[rows].tolist()
            columns.append([names[column][v] for v in values] if column in names else values)
        columns += result.life[rows].T.tolist()
        columns.append([f"{value:016x}" for value in result.game_checksum[rows].tolist()])
        writer.writerows(zip(*columns, strict=True))


def require_pyarrow() -> None:
    """`ResultError` unless Parquet files can be written here."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise ResultError("Parquet files need pyarrow: pip install 'lkicore[arrow]'") from None


def write_parquet(result: SimulationResult, path: str | PathLike[str]) -> None:
    """See `SimulationResult.to_parquet`."""
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {}
    for column in _PLAIN:
        values = pa.array(getattr(result, column))
        if column in _NAMED:
            values = pa.DictionaryArray.from_arrays(values.cast(pa.int8()), pa.array(_names(_NAMED[column])))
        columns[column] = values
    for seat in range(result.seats):
        columns[f"life_{seat}"] = pa.array(np.ascontiguousarray(result.life[:, seat]))
    columns["game_checksum"] = pa.array(result.game_checksum)
    about = json.dumps({**result.metadata(), "games": result.games, "checksum": result.checksum})
    table = pa.table(columns).replace_schema_metadata({b"lkicore": about.encode()})
    with replacing(path) as temporary:
        pq.write_table(table, temporary)


def writer_for(path: str | PathLike[str]) -> Callable[[SimulationResult], None]:
    """How to write a result to `path`, chosen by its suffix, checked before anything is played.

    `ArgumentError` for a suffix other than .csv and .parquet, a folder that is missing or cannot be written to, or a
    path that is a folder itself; `ResultError` for Parquet without pyarrow. Nothing is written or changed here.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise ArgumentError(f"{target}: results are written to .csv or .parquet files")
    if suffix == ".parquet":
        require_pyarrow()
    resolved = target.resolve()
    if resolved.is_dir():
        raise ArgumentError(f"{target}: is a folder")
    if not resolved.parent.is_dir():
        raise ArgumentError(f"{target}: there is no folder {resolved.parent}")
    if not os.access(resolved.parent, os.W_OK | os.X_OK):
        raise ArgumentError(f"{target}: the folder {resolved.parent} cannot be written to")
    if suffix == ".csv":
        return lambda result: write_csv(result, target)
    return lambda result: write_parquet(result, target)
