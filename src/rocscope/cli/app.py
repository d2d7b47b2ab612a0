"""The commands, gathered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rocscope import __version__
from rocscope.cli import (
    algorithms,
    auc,
    average,
    binormal,
    bootstrap,
    compare,
    demo,
    fuse,
    ordinal,
    points,
    power,
    report,
    reproduce,
    study,
)
from rocscope.cli.options import speaking_options
from rocscope.cli.output import say
from rocscope.errors import RocUsageError

EXAMPLES = (
    "rocscope demo",
    "rocscope auc scores.csv --label outcome --pos-label ill --score marker",
    "rocscope compare scores.csv --label outcome --pos-label ill --score a --score b",
    'rocscope points scores.csv --label outcome --pos-label ill --score a --select "tpr>=0.9"',
    "rocscope average scores.csv --label outcome --pos-label ill --score a --fold fold",
    "rocscope algorithms data.csv --label outcome --models tree,logistic,knn,nb",
    "rocscope power --auc 0.75 --power 0.9",
    "rocscope report scores.csv --label outcome --pos-label ill --score a --score b --out roc.html",
    "rocscope reproduce yousef --quick --out yousef",
)

# Options that look as if they could be repeated, as --score can; of all others the last one holds.
ONCE = ("--label", "--score", "--fold", "--group", "--model")


@dataclass
class Settings:
    """What holds for every command."""

    debug: bool = False


class OnceCommand(TyperCommand):
    """A command that refuses a second column or model where it takes one: the first would be lost."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Count the options before they are read."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in given:
            name, count = option.opts[0], given.count(option)
            if name in ONCE and not option.multiple and count > 1:
                raise RocUsageError(f"{name} must be given once, got it {count} times")
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="rocscope",
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _examples(lines: Sequence[str]) -> str:
    """Lines that help does not wrap: the backspace is typer's sign for that."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


COMMANDS = (
    auc,
    compare,
    points,
    average,
    ordinal,
    binormal,
    fuse,
    bootstrap,
    algorithms,
    power,
    report,
    reproduce,
    demo,
)
for module in COMMANDS:
    name = module.__name__.rpartition(".")[2]
    app.command(name, cls=OnceCommand, epilog=_examples(module.EXAMPLES))(
        speaking_options(getattr(module, name))
    )

studies = typer.Typer(rich_markup_mode=None, help="Look at a long study, go on with it, write what it found.")
for name, lines in study.EXAMPLES.items():
    studies.command(name, cls=OnceCommand, epilog=_examples(lines))(speaking_options(getattr(study, name)))
app.add_typer(studies, name="study")


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"rocscope {__version__}")
        raise typer.Exit


@app.callback(epilog=_examples(EXAMPLES))
def settings(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error came from; also ROCSCOPE_DEBUG=1.")
    ] = False,
) -> None:
    """ROC analysis: areas, comparisons, operating points and plans, each with its uncertainty.

    Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad data, 4 undefined, 5 resources,
    6 partly failed, 130 and 143 interrupted.
    """
    context.obj.debug = context.obj.debug or debug
