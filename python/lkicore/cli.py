"""The command line, `lkicore`.

Results go to stdout, progress and complaints to stderr. Exit status: 0 done; 2 bad input, said in one line, nothing
written; 130 after Ctrl-C; 1 for anything that should not happen.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lkicore.cards import CardError, DeckError, UnknownCard
from lkicore.commands import cards, common, replay, scenario, simulate
from lkicore.errors import ArgumentError, ResultError
from lkicore.results import engine_version
from lkicore.scenario import ScenarioError

#: What the caller can do something about; anything else is a bug and keeps its traceback.
INPUT_ERRORS = (ArgumentError, ResultError, DeckError, CardError, UnknownCard, ScenarioError)


class _Group(TyperGroup):
    """The group of commands, with the exit statuses and one-line complaints of this module."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        extra |= {"complete_var": complete_var, "windows_expand_args": windows_expand_args}
        status = self._status(args, prog_name or "lkicore", **extra)
        if standalone_mode:
            sys.exit(status)
        return status

    def _status(self, args: Sequence[str] | None, prog_name: str, **extra: Any) -> int:
        try:
            status = super().main(args, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except (typer.Abort, KeyboardInterrupt):
            common.complain("interrupted; nothing was finished")
            return common.INTERRUPTED
        except INPUT_ERRORS as error:
            common.complain(str(error))
            return common.BAD_INPUT
        except BrokenPipeError:
            # Whoever read our output has had enough; Python's own flush at exit must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except OSError as error:
            if error.filename is None:
                raise
            common.complain(f"{error.filename}: {error.strerror}")
            return common.BAD_INPUT
        except MemoryError as error:
            common.complain(f"not enough memory: {error}")
            return common.BAD_INPUT
        except Exception as error:
            # The command line's own parser (a class of typer's own or of click's, by version).
            if not hasattr(error, "format_message"):
                raise
            message = str(error.format_message()).rstrip(".")
            common.complain(f"{message} (see {_path(error)} --help)")
            return common.BAD_INPUT
        return status if isinstance(status, int) else 0


def _path(error: Exception) -> str:
    """The command that an error of the parser is about."""
    context = getattr(error, "ctx", None)
    return "lkicore" if context is None else str(context.command_path)


app = typer.Typer(
    name="lkicore",
    cls=_Group,
    help="Plays games of Magic: The Gathering in bulk, by the rules, with exact last known information.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("simulate")(simulate.simulate)
app.command("replay")(replay.replay)
app.add_typer(cards.app, name="cards")
app.add_typer(scenario.app, name="scenario")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"lkicore {engine_version()}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  (its callback has done the work)
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Entry point of the `lkicore` command."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    app()
