"""`rocscope --version --verbose`: what a report of a defect needs to know, and nothing about who runs it."""

from __future__ import annotations

import os
import platform
import re
from importlib import metadata

from rocscope import __version__


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
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
