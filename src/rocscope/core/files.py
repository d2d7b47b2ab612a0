"""Files written whole or not at all: pictures, pages, tables and results."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

from rocscope.errors import ResourceError


def encoded(text: str) -> bytes:
    r"""Return the bytes of a text; half of a character, as broken names have it, is spelt out.

    Examples
    --------
    >>> encoded("a \ud800")
    b'a \\ud800'
    """
    return text.encode("utf-8", errors="backslashreplace")


def replace_text(target: Path, text: str) -> None:
    """Write a text whole or not at all."""
    replace_file(target, encoded(text))


def replace_file(target: Path, content: bytes) -> None:
    """Write beside the target, then rename: a reader never sees half a file.

    A file that is replaced hands on who may read and write it.
    """
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    try:
        with part.open("xb") as file:
            if mode is not None:
                part.chmod(mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise ResourceError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):  # the target is whole, whatever becomes of the part
            part.unlink(missing_ok=True)
