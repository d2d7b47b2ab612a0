"""The input file: opened once, of a known format, read within limits of memory, disk and threads."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

from rocscope.core import checks
from rocscope.errors import ResourceError, RocInputError

if TYPE_CHECKING:
    from rocscope.io.statistics_files import Cells

Size: TypeAlias = int | str | None
UNITS = {"b": 1}
UNITS |= {f"{letter}b": 10 ** (3 * k) for k, letter in enumerate("kmgt", start=1)}
UNITS |= {f"{letter}ib": 2 ** (10 * k) for k, letter in enumerate("kmgt", start=1)}
LEAST_MEMORY = 64 * 10**6
MOST_MEMORY = 2**50  # DuckDB reads no much longer number
# DuckDB needs this much per thread, or scans begin to fail.
THREAD_MEMORY = 64 * 10**6
SHARE_OF_RAM = 0.4
SHARE_OF_DISK = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bytes of memory and of temporary files; None leaves the choice to DuckDB.

    The memory is shared: one half is DuckDB's, the other half holds what NumPy sorts. Rows that are read into
    memory must fit, and so must what is done with them, if that takes more: `row_bytes` for each row.
    """

    memory: int | None = None
    disk: int | None = None
    row_bytes: int = 0

    @classmethod
    def read(cls, memory_limit: Size, *, temp_limit: Size = None) -> Limits:
        """Read the arguments that users give.

        Examples
        --------
        >>> Limits.read("512MB").memory
        512000000
        """
        return cls(
            memory=read_size(memory_limit, name="memory_limit", least=LEAST_MEMORY),
            disk=read_size(temp_limit, name="temp_limit"),
        )

    def settled(self) -> Limits:
        """The same with a limit of memory: 40 % of the machine's where the user gave none."""
        if self.memory is not None:
            return self
        return replace(self, memory=int(SHARE_OF_RAM * physical_memory()))

    @property
    def half(self) -> int:
        """DuckDB's share, which is also NumPy's."""
        return (self.settled().memory or 0) // 2

    def settings(self, folder: Path | None) -> dict[str, str | bool | int | float | list[str]]:
        """DuckDB's names for the limits; without a folder it writes no temporary files."""
        found: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": "" if folder is None else str(folder)
        }
        if self.memory is not None:
            found["memory_limit"] = f"{min(self.half, MOST_MEMORY)}B"
            found["threads"] = max(1, min(os.cpu_count() or 1, self.half // THREAD_MEMORY))
        return found

    def room(self, folder: Path) -> int:
        """Bytes that temporary files may take."""
        free = int(SHARE_OF_DISK * shutil.disk_usage(folder).free)
        return free if self.disk is None else min(free, self.disk)


def read_size(value: Any, *, name: str, least: int = 1) -> int | None:
    """Read a number of bytes: a whole number, or text with a unit.

    Examples
    --------
    >>> read_size("1.5GB", name="memory_limit"), read_size("2 GiB", name="memory_limit")
    (1500000000, 2147483648)
    """
    if value is None:
        return None
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*", value)
        if match is None or match[2].lower() not in UNITS:
            raise RocInputError(
                f"must be a size such as '512MB' or '2GiB', got {checks.show(value)}", argument=name
            )
        value = int(float(match[1]) * UNITS[match[2].lower()])
    size = checks.check_integer(value, name=name, low=0)
    if size < least:
        raise RocInputError(f"must be at least {show_size(least)}, got {show_size(size)}", argument=name)
    return size


def show_size(size: int) -> str:
    """Bytes for people.

    Examples
    --------
    >>> show_size(512_000_000), show_size(1_500_000_000), show_size(10)
    ('512 MB', '1.5 GB', '10 bytes')
    """
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def physical_memory() -> int:
    """Bytes of memory of the machine; 2 GB where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2 * 10**9


# ---- How its user says that a table is written ------------------------------------------------------------

Below: TypeAlias = Literal["error", "keep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a table is written, where that cannot be seen.

    Attributes
    ----------
    sheet
        Name or number (from 1) of the sheet of a workbook, or of the data frame of an R file.
    decimal
        What stands before the decimals in text: "." or ","; None lets the cells show it.
    missing
        Texts and numbers that stand for a missing value.
    below
        What to do with cells such as "<0.05": refuse them, or keep the limit as the value.
    """

    sheet: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] = ()
    below: str = "error"

    @classmethod
    def read(
        cls, *, sheet: Any = None, decimal: Any = None, missing: Any = (), below: Any = "error"
    ) -> Dialect:
        """Check the arguments that users give.

        Examples
        --------
        >>> Dialect.read(missing=[".", -99]).missing
        ('.', '-99')
        """
        if isinstance(sheet, bool) or not isinstance(sheet, (str, int, type(None))):
            raise RocInputError(f"must be a name or a number, got {checks.show(sheet)}", argument="sheet")
        if decimal is not None:
            checks.check_choice(decimal, DECIMALS, name="decimal")
        checks.check_choice(below, ("error", "keep"), name="below")
        codes = [missing] if isinstance(missing, (str, int, float)) else missing
        try:
            codes = [*(() if codes is None else codes)]
        except TypeError:
            codes = [codes]
        for code in codes:
            if isinstance(code, bool) or not isinstance(code, (str, int, float)):
                raise RocInputError(
                    f"must hold texts or numbers that stand for a missing value, got {checks.show(code)}",
                    argument="missing",
                )
        return cls(
            sheet=None if sheet is None else str(sheet),
            decimal=decimal,
            missing=tuple(str(code).strip() for code in codes),
            below=below,
        )


DECIMALS = (".", ",")


# -----------------------------------------------------------------------------------------------------------
# A file that can be read as often as needed: a regular one, or a copy of a pipe or of a packed file

STDIN = "-"
# DuckDB takes these for patterns, and would then read other files than the one that was named.
GLOB_CHARACTERS = "*?["
GZIP = b"\x1f\x8b"
COPY_BYTES = 1 << 20
# Called again and again with what is being done and the share of it that is done.
Watch: TypeAlias = Callable[[str, float], None]
FileState: TypeAlias = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class InputFile:
    """A regular file, with the name its user knows it by.

    It is opened once: its first bytes, its digest and what it unpacks to come from one `stream`. DuckDB
    cannot read that and opens the path for each query; `state` is what the file was when it was opened, and
    must be the same then. `watch` is called with the progress of reading; `limits` hold for every reading
    that names no others. `cells` are the columns of a workbook or of a data set of a statistics program;
    `original` is the file of which this one is a copy in UTF-8; `notes` say how it was read. Several files
    that are one table are its `parts`, and `partitions` the columns that the names of their folders hold.
    """

    path: Path
    name: str
    format: Format = "csv"
    watch: Watch | None = None
    limits: Limits = field(default_factory=Limits)
    state: FileState | None = None
    stream: BufferedReader | None = None
    dialect: Dialect = field(default_factory=Dialect)
    cells: Cells | None = None
    original: InputFile | None = None
    notes: tuple[str, ...] = ()
    parts: tuple[InputFile, ...] = ()
    partitions: tuple[str, ...] = ()

    @property
    def paths(self) -> str | list[str]:
        """What DuckDB reads: the path, or those of all parts."""
        return [str(part.path) for part in self.parts] if self.parts else str(self.path)

    def part_in(self, text: str) -> InputFile:
        """The part whose path a message has; the file itself where none is named."""
        named = [part for part in self.parts if str(part.path) in text]
        return max(named, key=lambda part: len(str(part.path)), default=self)

    @property
    def shown(self) -> str:
        """The name for messages: line ends and the like are spelt out."""
        return self.name if self.name and self.name.isprintable() else repr(self.name)

    @contextmanager
    def contents(self) -> Iterator[BufferedReader]:
        """The open file, at its beginning."""
        if self.stream is None:
            with self.path.open("rb") as stream:
                yield stream
        else:
            self.stream.seek(0)
            yield self.stream

    def start(self, size: int) -> bytes:
        """The first bytes."""
        with self.contents() as stream:
            return stream.read(size)

    def sha256(self) -> str:
        """Digest of the bytes that were read, which identifies the input."""
        if self.original is not None:
            return self.original.sha256()
        if self.parts:
            return hashlib.sha256("".join(part.sha256() for part in self.parts).encode()).hexdigest()
        with self.unchanged(), self.contents() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Refuse what is done with the file if it is replaced, cut or appended to meanwhile.

        A complaint about a file that changed is a complaint about the change.
        """
        try:
            yield
        except (RocInputError, OSError) as error:
            self._check_unchanged(error)
            raise
        self._check_unchanged()

    def _check_unchanged(self, cause: Exception | None = None) -> None:
        for part in self.parts:
            part._check_unchanged(cause)
        if self.state is None:
            return
        try:
            now: FileState | None = file_state(self.path.stat())
        except OSError as error:
            now, cause = None, cause or error
        if now is None:
            raise RocInputError(f"{self.shown} cannot be read: it is no longer there") from cause
        if now != self.state:
            raise RocInputError(
                f"{self.shown} must stay as it is while it is read, but it changed"
            ) from cause


def file_state(status: os.stat_result) -> FileState:
    """What changes with the bytes of a file: device, inode, size, and the times of its last changes."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


FilePath: TypeAlias = str | os.PathLike[str] | InputFile | Sequence[str | os.PathLike[str]]


@contextmanager
def local_file(
    path: FilePath,
    *,
    format: str | None = None,
    watch: Watch | None = None,
    limits: Limits | None = None,
    dialect: Dialect | None = None,
    name: str | None = None,
) -> Iterator[InputFile]:
    """Open what the user named: "-" is standard input, and pipes are copied into a temporary file.

    A list of paths, a pattern and a folder of Parquet files are several files that make one table. A copy of
    a file has the `name` of the original in messages, which also decides its format.
    """
    if isinstance(path, InputFile):
        yield path if format is None else replace(path, format=format_of(path.name, format))
        return
    if not (isinstance(path, (str, os.PathLike)) and os.path.isfile(path)):
        from rocscope.io import parts

        several = parts.part_paths(path)
        if several is not None and (len(several[1]) > 1 or "=" in several[1][0]):
            how: dict[str, Any] = {"format": format, "watch": watch, "limits": limits, "dialect": dialect}
            with parts.open_parts(*several, **how) as file:
                yield file
            return
        if several is not None:
            path = several[1][0]
    dialect = dialect or Dialect()
    named_path = checks.as_path(path)
    name = name or ("standard input" if path == STDIN else os.fspath(cast("str", path)))
    limits = limits or Limits()
    file = InputFile(named_path, name, format_of(name, format), watch, limits, dialect=dialect)
    with ExitStack() as cleanup:
        try:
            if path == STDIN:
                if sys.stdin is None:
                    raise OSError("it is closed")
                file = _spool(sys.stdin.buffer, file, cleanup)
            else:
                stream = cleanup.enter_context(named_path.open("rb"))
                status = os.fstat(stream.fileno())
                if stat.S_ISREG(status.st_mode):
                    absolute = named_path.absolute()
                    file = replace(file, path=absolute, state=file_state(status), stream=stream)
                else:
                    file = _spool(stream, file, cleanup)
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
            if isinstance(error, RocInputError):
                raise
            hint = "; it must be a file of this machine: download it first" if "://" in name else ""
            raise RocInputError(f"{file.shown} cannot be read: {_reason(error)}{hint}") from error
        file = _tame(_as_utf8(_unpacked(file, cleanup), cleanup), cleanup)
        if file.format not in TEXTS_AND_PARQUET:
            from rocscope.io.statistics_files import read_cells

            file = read_cells(file)
        elif dialect.sheet is not None:
            raise RocInputError(
                f"must be left out for a file of {TITLES[file.format]}, which has no sheets, "
                f"got {dialect.sheet!r}",
                argument="sheet",
            )
        yield file


def temporary_folder(cleanup: ExitStack) -> Path:
    """A folder of our own that goes when the stack unwinds.

    Its removal is arranged before it is made: an interrupt at any moment leaves nothing behind.
    """
    try:
        folder = Path(tempfile.gettempdir()) / f"rocscope-{secrets.token_hex(8)}"
        cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise ResourceError(f"a temporary folder cannot be made: {_reason(error)}") from error
    return folder


def _spool(pipe: IO[bytes], file: InputFile, cleanup: ExitStack) -> InputFile:
    """A copy of a pipe, which nobody else writes to."""
    if file.format == "parquet":  # its table of contents comes last
        raise RocInputError(f"{file.shown} must be a file to hold Parquet, got a pipe: save it first")
    return replace(file, path=copied(pipe, temporary_folder(cleanup), "a pipe", file.limits))


def _unpacked(file: InputFile, cleanup: ExitStack) -> InputFile:
    """The same file, or what a gzip file holds; Parquet and R pack their own columns."""
    if file.format in ("parquet", "r") or file.start(len(GZIP)) != GZIP:
        return file
    try:
        with file.unchanged(), file.contents() as packed, gzip.open(packed) as stream:
            copy = copied(stream, temporary_folder(cleanup), f"{file.shown}, unpacked,", file.limits)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise RocInputError(f"{file.shown} must be a whole gzip file, got a damaged one: {error}") from error
    return replace(file, path=copy, state=None, stream=None)


def copied(stream: IO[bytes] | gzip.GzipFile | _Recoded, folder: Path, what: str, limits: Limits) -> Path:
    """The rest of a stream as a file in a temporary folder, no larger than temporary files may be."""
    copy = folder / "table"
    try:
        room = limits.room(folder)
        with copy.open("wb") as file:
            while piece := stream.read(COPY_BYTES):
                if file.tell() + len(piece) > room:
                    raise ResourceError(
                        f"{what} needs more than the {show_size(room)} that may be used in {folder.parent}; "
                        "TMPDIR names another folder",
                        remedy=None if limits.disk is None else ("temp_limit", None, "a larger {} helps"),
                    )
                file.write(piece)
    except gzip.BadGzipFile:  # an OSError to Python, but no fault of the disk
        raise
    except OSError as error:
        raise ResourceError(f"{what} cannot be copied to {folder}: {_reason(error)}") from error
    return copy


def _as_utf8(file: InputFile, cleanup: ExitStack) -> InputFile:
    """The same file, or a copy in UTF-8 of a CSV file in UTF-16 or Windows-1252."""
    if file.format != "csv":
        return file
    start = file.start(HEADER_BYTES)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, note = "utf-16", ""
    elif not _is_utf8(start) and not set(start) & CONTROLS:
        encoding, note = "cp1252", WINDOWS
    else:
        return file
    folder = temporary_folder(cleanup)
    try:
        with file.unchanged(), file.contents() as stream:
            copy = copied(_Recoded(stream, encoding), folder, f"{file.shown}, in UTF-8,", file.limits)
    except UnicodeError as error:
        if encoding == "cp1252":
            return file  # neither: its reader names the line
        raise RocInputError(f"{file.shown} must be text in UTF-16 as it begins, got other bytes") from error
    return replace(file, path=copy, state=None, stream=None, original=file, notes=(note,) * bool(note))


class _Recoded:
    """A stream of text in UTF-8, whatever its own encoding."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self.stream, self.decoder = stream, codecs.getincrementaldecoder(encoding)()

    def read(self, size: int) -> bytes:
        """About so many bytes; nothing at the end."""
        while piece := self.stream.read(size):
            if text := self.decoder.decode(piece):
                return text.encode()
        return self.decoder.decode(b"", final=True).encode()


HEADER_BYTES = 1 << 22
WINDOWS = "it is not UTF-8, so it was read as Windows-1252 (Western European)"
# Bytes that no text holds.
CONTROLS = set(range(32)) - set(b"\t\n\r\f")


def _is_utf8(start: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def _tame(file: InputFile, cleanup: ExitStack) -> InputFile:
    """Give a path that DuckDB would misread another name: a link in a temporary folder."""
    path = file.path
    if str(path).isprintable() and not set(str(path)) & set(GLOB_CHARACTERS):
        return file
    link = temporary_folder(cleanup) / "table"
    try:
        link.symlink_to(path)
    except OSError:  # some systems keep links to their administrators
        with file.unchanged():
            shutil.copyfile(path, link)
        return replace(file, path=link, state=None, stream=None)
    return replace(file, path=link)


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]


# -----------------------------------------------------------------------------------------------------------
# Which kind of table a file holds: by what the user says or by its ending; its first bytes may object

Format: TypeAlias = Literal["csv", "parquet", "jsonl", "excel", "spss", "stata", "sas", "r"]
FORMATS: tuple[Format, ...] = get_args(Format)
TEXTS_AND_PARQUET = ("csv", "parquet", "jsonl")
TITLES: dict[Format, str] = {"csv": "CSV", "parquet": "Parquet", "jsonl": "JSON lines"}
TITLES |= {"excel": "Excel", "spss": "SPSS", "stata": "Stata", "sas": "SAS", "r": "R"}
# Any other ending is read as CSV.
PARQUET_ENDINGS = (".parquet", ".pq")
ENDINGS: dict[str, Format] = dict.fromkeys(PARQUET_ENDINGS, "parquet")
ENDINGS |= {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
ENDINGS |= {".xlsx": "excel", ".xlsm": "excel", ".xls": "excel"}
ENDINGS |= {".sav": "spss", ".zsav": "spss", ".dta": "stata", ".sas7bdat": "sas", ".xpt": "sas"}
ENDINGS |= {".rds": "r", ".rdata": "r", ".rda": "r"}
PARQUET, ZIP, OLD_EXCEL = b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
# What files of other formats begin with: what it is, and the format that reads it.
FOREIGN: dict[bytes, tuple[str, Format | None]] = {
    PARQUET: ("Parquet, which must not come through a pipe", "parquet"),
    b"\x28\xb5\x2f\xfd": ("a zstd file: unpack it first", None),
    ZIP: ("an Excel workbook or a zip archive", "excel"),
    OLD_EXCEL: ("an old Excel workbook or another file of Office", "excel"),
    b"$FL2": ("a file of SPSS", "spss"),
    b"$FL3": ("a file of SPSS", "spss"),
    b"<stata_dta>": ("a file of Stata", "stata"),
    b"HEADER RECORD*******": ("a file of SAS", "sas"),
    b"RDX3\n": ("a file of R", "r"),
}
HTML = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body|table|\?xml)\b", re.I | re.S)
WEB_PAGE = "a web page (HTML), not a table: open it in a spreadsheet and save it as CSV or .xlsx"


def format_of(name: str, format: str | None) -> Format:
    """Return the format that the user names, or the one that the ending of a name stands for.

    Examples
    --------
    >>> format_of("scores.PARQUET", None), format_of("scores.txt", None), format_of("-", "jsonl")
    ('parquet', 'csv', 'jsonl')
    >>> format_of("scores.jsonl.gz", None)
    'jsonl'
    """
    if format is not None:
        return cast("Format", checks.check_choice(format, FORMATS, name="format"))
    return ENDINGS.get(PurePath(name.lower().removesuffix(".gz")).suffix, "csv")


def refuse_foreign(file: InputFile, start: bytes, required: str) -> None:
    """Refuse a file whose first bytes show it to be neither CSV nor JSON."""
    if HTML.match(start.removeprefix(codecs.BOM_UTF8)):
        raise RocInputError(f"{file.shown} {required}, got {WEB_PAGE}")
    for magic, (text, format) in FOREIGN.items():
        if start.startswith(magic):
            raise RocInputError(
                f"{file.shown} {required}, got {text}",
                remedy=None if format is None else ("format", format, "{} reads a file of it"),
            )
