"""The command line: one file per command, each of which reads, calls and writes.

Nothing heavy is imported before a command runs, so that `rocscope --help` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from rocscope.cli.app import Settings, app
from rocscope.cli.output import tell
from rocscope.errors import RocscopeError

INTERNAL, RESOURCES = 1, 5
SIGNALLED = 128  # a shell reports the end by signal n as 128 + n


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors become one line on stderr."""
    settings = Settings(debug=bool(os.environ.get("ROCSCOPE_DEBUG")))
    _print_anything()
    with _sigterm_as_interrupt() as received:
        try:
            code = _run(sys.argv[1:] if arguments is None else list(arguments), settings)
            _flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            _drop_output()
            return SIGNALLED + 13
        except KeyboardInterrupt:
            _complain("interrupted", prefix="")
            return SIGNALLED + (received or [signal.SIGINT])[0]
        except BaseException as error:
            return _report(error, settings)
        return code


def _run(arguments: list[str], settings: Settings) -> int:
    command = typer.main.get_command(app)
    try:
        with command.make_context("rocscope", arguments or ["--help"], obj=settings) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _report(error: BaseException, settings: Settings) -> int:
    """Print what went wrong, and return the exit code that says so to a script."""
    if isinstance(error, SystemExit):
        raise error
    if settings.debug:
        _complain(traceback.format_exc(), prefix="")
    if isinstance(error, RocscopeError):
        _complain(str(error))
        return error.exit_code
    if isinstance(error, typer.TyperException):
        _complain(f"{error.format_message()}{_help_hint(error)}")
        return error.exit_code
    if isinstance(error, (OSError, MemoryError)):
        _complain(_resource_words(error))
        return RESOURCES
    if not settings.debug:
        _complain(traceback.format_exc(), prefix="")
    _complain(f"this is a fault of rocscope itself: {type(error).__name__}: {error}")
    return INTERNAL


def _help_hint(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"\nTry '{context.command_path} --help'." if context is not None else ""


def _resource_words(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "out of memory"
    where = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}"


def _complain(message: str, prefix: str = "error: ") -> None:
    with contextlib.suppress(OSError):
        tell(f"{prefix}{message}")


def _print_anything() -> None:
    """Let a terminal that lacks a character show its escape: an odd name must not stop the output."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    """Send what is still buffered nowhere, or Python would complain about the pipe once more at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _sigterm_as_interrupt() -> Iterator[list[int]]:
    """Let SIGTERM unwind like Ctrl-C, so that temporary files go; the list tells which of them came."""
    received: list[int] = []

    def interrupt(number: int, _: Any) -> None:
        received.append(number)
        raise KeyboardInterrupt

    try:
        previous = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # only the main thread may: elsewhere signals stay as they are
        yield received
        return
    try:
        yield received
    finally:
        signal.signal(signal.SIGTERM, previous)
