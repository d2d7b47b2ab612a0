"""`rocscope study`: how far a study is, going on with it, and writing what it found."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options, studied
from rocscope.cli.echo import say
from rocscope.cli.output import write_text
from rocscope.cli.studied import How, run_paper
from rocscope.cli.study_folder import data_folder, journal_folder
from rocscope.cli.study_pages import export_paper, whole_journal
from rocscope.cli.tables import TextTable, print_table, printable
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.run.journal import Journal
    from rocscope.run.manifest import Manifest
    from rocscope.studies.base import Options

EXAMPLES = {
    "status": ("rocscope study status yousef", "rocscope study status yousef --json"),
    "resume": ("rocscope study resume yousef --n-jobs 2", "rocscope study resume yousef --retry-failed"),
    "export": ("rocscope study export yousef",),
}
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of the study, or of its journals.")]


def status(folder: Folder, json: options.Json = False) -> None:
    """Say how far a study is; it may be running."""
    from rocscope.run.folder import is_running, look_at_study

    place = _place(folder)
    with look_at_study(place) as journals:
        found = _status(journals) | {"running": is_running(place)}
    if json:
        say(_text(found))
        return
    errors = found.pop("errors")
    rows = [(name, _shown(value)) for name, value in found.items()]
    print_table(TextTable(rows[0], tuple(rows[1:])))
    for key, error in errors:
        say(f"failed: {printable(key)}: {printable(error)}")


def _shown(value: Any) -> str:
    words = {None: "not yet", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _text(document: Any) -> str:
    import json

    return json.dumps(document, allow_nan=False)


def _status(journals: list[Journal]) -> dict[str, Any]:
    """What the journals of a study, or of its shards, hold together."""
    from rocscope.run.folder import together
    from rocscope.run.journal import digest_of_rows

    manifest, rows = journals[0].manifest, together(journals)
    errors = [(key, row.error) for key, row in sorted(rows.items()) if row.error is not None]
    left = manifest.n_tasks - len(rows)
    return {
        "study": manifest.name,
        "seed": manifest.seed,
        "tasks": manifest.n_tasks,
        "done": len(rows) - len(errors),
        "failed": len(errors),
        "to do": left,
        "seconds": round(sum(row.seconds for row in rows.values()), 1),
        "digest": None if left else digest_of_rows(rows.values()),
        "errors": errors[:5],
    }


def resume(
    folder: Folder,
    data: studied.Data = None,
    n_jobs: studied.NJobs = None,
    backend: studied.Backend = "loky",
    scheduler: studied.Scheduler = None,
    timeout: studied.Timeout = None,
    retry_failed: studied.RetryFailed = False,
) -> None:
    """Go on with a study of `rocscope reproduce`, with the seed and the size it was begun with."""
    how = How(n_jobs=n_jobs, backend=backend, scheduler=scheduler, timeout=timeout, retry_failed=retry_failed)
    how.check()
    manifest = _manifest(_place(folder))
    run_paper(manifest.name, _options(manifest, data), Path(folder), how)


def export(folder: Folder, data: studied.Data = None) -> None:
    """Write the tables, figures and README of a finished study; shards are merged first.

    A study of your own, made with rocscope.run, is written as results.jsonl: one key and value per line.
    """
    place = _place(folder)
    manifest = _manifest(place)
    if _is_paper(manifest):
        export_paper(Path(folder), _options(manifest, data))
    else:
        _export_lines(place, Path(folder) / "results.jsonl")


def _export_lines(place: Path, path: Path) -> None:
    with closing(whole_journal(place)) as journal:
        lines = [_text({"key": key, "value": value}) for key, value in journal.results()]
    write_text("".join(f"{line}\n" for line in lines), path, force=True)
    say(f"wrote {printable(str(path))}: {len(lines)} results")


def _place(folder: str) -> Path:
    if not Path(folder).is_dir():
        raise RocInputError(f"{folder} must be the folder of a study, got none")
    return journal_folder(Path(folder))


def _manifest(place: Path) -> Manifest:
    from rocscope.run.folder import look_at_study

    with look_at_study(place) as journals:
        return journals[0].manifest


def _is_paper(manifest: Manifest) -> bool:
    from rocscope.studies.base import PAPERS

    return manifest.name in PAPERS


def _options(manifest: Manifest, data: str | None) -> Options:
    import json

    from rocscope.studies.base import Options

    if not _is_paper(manifest):
        raise RocInputError(
            f"study must be one of `rocscope reproduce`, got {manifest.name!r}: run it where it was made"
        )
    size = json.loads(manifest.parameters)["size"]
    return Options(size=size, data=data_folder(data), seed=manifest.seed)
