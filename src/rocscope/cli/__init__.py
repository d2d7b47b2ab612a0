"""ROC analysis: areas, comparisons, operating points and plans, each with its uncertainty.

`rocscope COMMAND --help` has the options of a command. `rocscope --debug COMMAND` shows where an error came
from; also ROCSCOPE_DEBUG=1. `rocscope --completion bash` (zsh, fish, powershell) prints the script that
completes commands and options in that shell. `rocscope --version --verbose` prints the versions that a
report of a defect needs.

Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad data, 4 undefined, 5 resources, 6 partly failed,
130 and 143 interrupted.

Examples
--------
rocscope app
rocscope demo
rocscope auc scores.csv --label outcome --pos-label ill --score marker
rocscope compare scores.csv --label outcome --pos-label ill --score a --score b
rocscope points scores.csv --label outcome --pos-label ill --score a --select "tpr>=0.9"
rocscope readers readings.csv --label ill --score rating --reader r --modality m --case id
rocscope average scores.csv --label outcome --pos-label ill --score a --fold fold
rocscope algorithms data.csv --label outcome --models tree,logistic,knn,nb
rocscope power --auc 0.75 --power 0.9
rocscope report scores.csv --label outcome --pos-label ill --score a --score b --out roc.html
rocscope reproduce yousef --quick --out yousef
"""

# One file per command: it reads options, calls the library and writes. The docstring above is the help.
# Nothing heavy is imported before a command runs.

import contextlib
import dataclasses
import inspect
import os
import platform
import re
import shutil
import signal
import sys
import textwrap
import traceback
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from cyclopts import App, CycloptsError, Parameter, Token
from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

from rocscope import __version__
from rocscope.cli.options import ARGUMENTS, COLUMNS
from rocscope.cli.output import note, say
from rocscope.errors import RocInputError, RocscopeError, RocUsageError

USAGE, INTERNAL, RESOURCES = 2, 1, 5
SHELLS = ("bash", "zsh", "fish", "powershell")
SIGNALLED = 128  # a shell reports the end by signal n as 128 + n
SECTION = "Examples\n--------\n"  # of a docstring
COMMANDS = [
    "auc",
    "compare",
    "points",
    "average",
    "ordinal",
    "binormal",
    "fuse",
    "bootstrap",
    "learning-curve",
    "montecarlo",
    "components",
    "algorithms",
    "readers",
    "power",
    "report",
    "sql",
    "app",
    "reproduce",
    "demo",
    "study",
]


class HelpText:
    """Help as plain text: paragraphs and options, wrapped to the terminal.

    The formatters of cyclopts wrap paragraphs only by way of Markdown, which takes a third longer to load.
    """

    def __init__(self) -> None:
        self.width = max(40, min(shutil.get_terminal_size().columns, 110))

    def render_usage(self, _: Any, __: Any, usage: Any) -> None:
        """Print how the command is called."""
        say(f"Usage: {str(usage).strip()}\n")

    def render_description(self, _: Any, __: Any, description: Any) -> None:
        """Print the paragraphs of the docstring."""
        for paragraph in description.primary_renderable.plain.split("\n\n"):
            say(textwrap.fill(" ".join(paragraph.split()), self.width) + "\n")

    def __call__(self, _: Any, __: Any, panel: Any) -> None:
        """Print options, or commands, each with its help and default."""
        if not panel.entries:
            return
        say(f"{panel.title}:")
        for entry in sorted(panel.entries, key=lambda entry: not entry.required):
            names = " ".join(entry.display_labels_with_metavar or entry.names)
            text = entry.description.primary_renderable.plain if entry.description else ""
            more = [f"[{', '.join(entry.choices)}]"] if entry.choices else []
            more += [f"[default: {entry.default}]"] if entry.default is not None else []
            more += ["[required]"] if entry.required else []
            lines = textwrap.wrap(" ".join([*text.split(), *more]), self.width - 6)
            say("\n".join([f"  {names}", *(f"      {line}" for line in lines)]))
        say()


app = App(
    name="rocscope",
    version=f"rocscope {__version__}",
    help=(__doc__ or "").partition(SECTION)[0],
    help_format="plaintext",
    help_formatter=HelpText(),  # type: ignore[arg-type]
    # A value may begin with a hyphen, as a column may; a flag has no opposite unless it is spelt.
    default_parameter=Parameter(allow_leading_hyphen=True, negative=()),
    exit_on_error=False,
    print_error=False,
)
for _place, _name in enumerate(COMMANDS):
    _function = _name.replace("-", "_")
    _module = {
        "reproduce": "study",
        "components": "montecarlo",
        "app": "report",
        "learning-curve": "bootstrap",
    }.get(_name, _function)
    app.command(f"rocscope.cli.{_module}:{_function}", name=_name, sort_key=_place)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors become one line on stderr."""
    tokens = sys.argv[1:] if arguments is None else list(arguments)
    debug = bool(os.environ.get("ROCSCOPE_DEBUG")) or tokens[:1] == ["--debug"]
    for stream in (sys.stdout, sys.stderr):  # a character that the terminal lacks is shown as its escape
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with _sigterm_as_interrupt() as received:
        try:
            _run(tokens[1:] if tokens[:1] == ["--debug"] else tokens)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            # What is still buffered goes nowhere, or Python would complain about the pipe once more at exit.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return SIGNALLED + 13
        except KeyboardInterrupt:
            _complain("interrupted", prefix="")
            return SIGNALLED + (received or [signal.SIGINT])[0]
        except SystemExit:
            raise
        except BaseException as error:
            if debug or not isinstance(error, (RocscopeError, CycloptsError, OSError, MemoryError)):
                _complain(traceback.format_exc(), prefix="")
            text, code = _message(error)
            lacks = (
                error.argument if isinstance(error, MissingArgumentError) and error.keyword is None else None
            )
            if lacks and lacks.name in ("--label", "--score"):
                from rocscope.cli.columns import columns_text

                known = columns_text([token for token in tokens if token != "--debug"])
                text = "\n".join(filter(None, [text, known]))
            _complain(text)
            return code
        return 0


def _run(tokens: list[str]) -> None:
    """Parse the command line and run its command; an error names options and columns, not arguments."""
    tokens = tokens or ["--help"]
    if tokens[0] == "--completion":
        if len(tokens) != 2 or tokens[1] not in SHELLS:
            raise RocUsageError(f"--completion must be followed by one of {', '.join(SHELLS)}")
        script = app.generate_completion(prog_name="rocscope", shell=tokens[1])  # type: ignore[arg-type]
        # Where it knows of no word, bash completes the names of files.
        say(script.replace("complete -F ", "complete -o default -F "))
        return
    if sorted(tokens) == ["--verbose", "--version"]:
        say(versions_text())
        return
    tokens = _with_columns_of_counts(tokens)
    command, bound, _ = app.parse_args(tokens)
    chain, apps, _ = app.parse_commands(tokens)
    if command.__name__ == "help_print":
        if not {"--help", "-h"} & set(tokens):
            group = f"rocscope {' '.join(chain)}"
            raise RocUsageError(f"{group} must be followed by one of its commands. Try '{group} --help'.")
        if len(chain) == 1:  # the commands are loaded for their descriptions
            list(map(app.__getitem__, COMMANDS))
        command(*bound.args, **bound.kwargs)
        function = apps[-2].default_command
        text = __doc__ if len(chain) == 1 else inspect.getdoc(function) if function else ""
        if examples := (text or "").partition(SECTION)[2]:
            say("Examples:\n" + textwrap.indent(examples.rstrip(), "  "))
        return
    if command.__module__.startswith("cyclopts"):  # --version
        command(*bound.args, **bound.kwargs)
        return
    known = apps[-1].assemble_argument_collection(parse_docstring=False)
    for name, equals, value in (token.partition("=") for token in tokens):
        if equals and any(name in one.names and bool in (one.hint, *get_args(one.hint)) for one in known):
            raise RocUsageError(f"{name} takes no value, got {value!r}")
    for value in bound.args if "--" not in tokens else ():  # an unknown option is no file
        if isinstance(value, str) and value.startswith("-") and value != "-":
            token = Token(value=value, source="cli")
            raise UnknownOptionError(
                token=token, argument_collection=known, command_chain=chain, verbose=False
            )
    try:
        command(*bound.args, **bound.kwargs)
    except RocscopeError as error:
        if error.argument is None and error.remedy is None:
            raise
        raise _in_options(error, {one.field_info.name: one.name for one in known}, bound.arguments) from error


def _with_columns_of_counts(tokens: list[str]) -> list[str]:
    """A table of counts has no column of labels: --counts S,P,N stands for --score S and --label P as well.

    Examples
    --------
    >>> _with_columns_of_counts(["auc", "x.csv", "--counts", "s,p,n"])
    ['auc', 'x.csv', '--counts', 's,p,n', '--label', 'p', '--score', 's']
    """
    for place, token in enumerate(tokens):
        name, equals, value = token.partition("=")
        if name == "--counts" and (equals or place + 1 < len(tokens)):
            score, label, *_ = [*(value if equals else tokens[place + 1]).split(","), "", ""]
            beside = [one for one in ("--label", "--score") if one in tokens]
            if beside:
                raise RocUsageError(f"{beside[0]} must be left out with --counts")
            return [*tokens, "--label", label, "--score", score]
    return tokens


def _in_options(
    error: RocscopeError, options: Mapping[str, str], arguments: Mapping[str, Any]
) -> RocscopeError:
    """The error with an option or a column in place of each argument: wrong usage, or bad data."""
    values = dict(arguments)
    for group in arguments.values():
        if dataclasses.is_dataclass(group):
            values |= {field.name: getattr(group, field.name) for field in dataclasses.fields(group)}

    def name(argument: str) -> str:
        base, _, part = argument.rstrip("]").partition("[")
        part = "" if part.isdigit() else part.strip("'")
        option = options.get(base) or options.get(ARGUMENTS.get(base, ""))
        if option is not None:
            return f"{option} {part}".strip()
        columns = [part] if part else values.get(COLUMNS.get(base, ""))
        if base not in COLUMNS or not columns:
            return argument
        columns = [columns] if isinstance(columns, str) else columns
        return f"column{'s' * (len(columns) > 1)} {', '.join(map(repr, columns))}"

    text = error.text(name)
    wrong_usage = isinstance(error, RocInputError) and error.argument and not error.data_dependent
    return (RocUsageError if wrong_usage and text.startswith(("--", "one of --")) else type(error))(text)


def _message(error: BaseException) -> tuple[str, int]:
    """What went wrong, and the exit code that says so to a script."""
    if isinstance(error, RocscopeError):
        return str(error), error.exit_code
    if isinstance(error, CycloptsError):
        cause = error.__cause__
        if isinstance(cause, RocInputError) and error.argument is not None:
            return f"{error.argument.name} {cause.message}", USAGE
        text = str(error)
        if isinstance(error, MissingArgumentError) and error.argument is not None and error.keyword is None:
            text = f"{error.argument.name} must be given."
        elif isinstance(error, MissingArgumentError):
            text = f"{error.keyword} must be followed by a value."
        elif isinstance(error, UnusedCliTokensError):
            text = f"unexpected {', '.join(map(repr, error.unused_tokens or ()))}."
        return f"{text} Try '{' '.join(['rocscope', *(error.command_chain or ())])} --help'.", USAGE
    if isinstance(error, MemoryError):
        return "out of memory", RESOURCES
    if isinstance(error, OSError):
        return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", RESOURCES
    return f"this is a fault of rocscope itself: {type(error).__name__}: {error}", INTERNAL


def _complain(message: str, prefix: str = "error: ") -> None:
    with contextlib.suppress(OSError):
        note(f"{prefix}{message}")


@contextlib.contextmanager
def _sigterm_as_interrupt() -> Iterator[list[int]]:
    """Let SIGTERM unwind like Ctrl-C, so that temporary files go; the list has the signals received."""
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


# ---- Versions: what the report of a defect needs, and nothing about who runs it ----------------------------


def versions_text() -> str:
    """Return the versions of rocscope, Python and every dependency, and which extras are complete.

    Nothing is imported but the metadata of packages; no name of a user and no folder is in it.

    Examples
    --------
    >>> versions_text().splitlines()[0] == f"rocscope {__version__}"
    True
    """
    required = requirements()
    versions = {name: version_of(name) for names in required.values() for name in names}
    rows = {
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "platform": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "processors": str(os.cpu_count()),
    }
    rows |= {name: version or "missing" for name, version in sorted(versions.items())}
    for extra, names in sorted(required.items()):
        missing = [name for name in names if versions[name] is None]
        if extra:
            rows[f"[{extra}]"] = f"needs {', '.join(missing)}" if missing else "present"
    width = max(map(len, rows))
    return "\n".join(
        [f"rocscope {__version__}", *(f"  {name:{width}}  {text}" for name, text in rows.items())]
    )


def requirements() -> dict[str, list[str]]:
    """Names of the required packages by extra, "" for those that are always required; of users' extras."""
    from importlib import metadata

    found: dict[str, list[str]] = {}
    for line in metadata.requires("rocscope") or ():
        name = re.split(r"[\s<>=!~;\[(]", line, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        kind = extra[1] if extra else ""
        if name != "rocscope" and kind not in ("all", "dev", "docs"):
            found.setdefault(kind, []).append(name)
    return found


def version_of(name: str) -> str | None:
    """Version of an installed package."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
