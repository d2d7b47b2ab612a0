"""`rocscope app`: the report in a browser, for people who do not program."""

import sys
from typing import Annotated

from cyclopts import Parameter

from rocscope.cli import options as opt
from rocscope.cli import output
from rocscope.errors import RocInputError, require

MAX_PORT = 65535


def read_port(text: str) -> int:
    """Read a port; 0 is any that is free.

    Examples
    --------
    >>> read_port("8000")
    8000
    """
    port = opt.read_whole(text)
    if not 0 <= port <= MAX_PORT:
        raise RocInputError(f"must lie between 0 and {MAX_PORT}, got {port}")
    return port


def app(
    *,
    no_browser: opt.Flag = False,
    port: Annotated[int, opt.text_option(read_port, "N")] = 0,
    max_upload: Annotated[str, Parameter(metavar="SIZE")] = "200MB",
) -> None:
    """Open a page in the browser where a table is dropped, columns are chosen and the report is made.

    The page is served on this machine alone, at an address with a random token, which is printed first. Files
    stay on this machine: their copies lie in a private folder and are removed when the program ends, by
    Ctrl-C.

    Parameters
    ----------
    no_browser
        Print the address alone.
    port
        Port of the address; 0 for any that is free.
    max_upload
        Largest file that the page takes.

    Examples
    --------
    rocscope app
    rocscope app --no-browser --port 8000
    """
    for library in ("starlette", "uvicorn", "duckdb", "jinja2"):
        require(library, "rocscope app")
    from rocscope.app.server import open_server
    from rocscope.io.input_file import read_size

    largest = read_size(max_upload, name="max_upload") or 0
    with open_server(port=port, max_upload=largest) as (server, listener, address):
        output.say(address)
        sys.stdout.flush()
        output.note("Ctrl-C ends the program and removes the files that the page was given.")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)
        server.run(sockets=[listener])
