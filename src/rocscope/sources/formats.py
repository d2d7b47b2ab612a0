"""Which kind of table a file holds: by what the user says or by its ending; its first bytes may object."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias, cast

from rocscope.core import checks

Format: TypeAlias = Literal["csv", "parquet", "jsonl"]
FORMATS = ("csv", "parquet", "jsonl")
TITLES = {"csv": "CSV", "parquet": "Parquet", "jsonl": "JSON lines"}
# Any other ending is read as CSV.
ENDINGS: dict[str, Format] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
PARQUET = b"PAR1"
FOREIGN = {
    PARQUET: "Parquet: its format is 'parquet' (--format parquet), and it must not come through a pipe",
    b"\x28\xb5\x2f\xfd": "a zstd file: unpack it first",
    b"PK\x03\x04": "an Excel workbook or a zip archive: save its table as CSV first",
}


def format_of(name: str, wanted: str | None) -> Format:
    """Return the format that was asked for, or the one that the ending of a name stands for.

    Examples
    --------
    >>> format_of("scores.PARQUET", None), format_of("scores.txt", None), format_of("-", "jsonl")
    ('parquet', 'csv', 'jsonl')
    >>> format_of("scores.jsonl.gz", None)
    'jsonl'
    """
    if wanted is not None:
        return cast("Format", checks.check_choice(wanted, FORMATS, name="format"))
    return ENDINGS.get(PurePath(name.lower().removesuffix(".gz")).suffix, "csv")


def foreign(start: bytes) -> str | None:
    r"""Say what the first bytes of a file show it to be, if that is neither CSV nor JSON.

    Examples
    --------
    >>> foreign(b"PK\x03\x04...")
    'an Excel workbook or a zip archive: save its table as CSV first'
    """
    return next((words for magic, words in FOREIGN.items() if start.startswith(magic)), None)
