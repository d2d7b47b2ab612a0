"""The page on this machine: one address with a random token, which every request must have.

Only 127.0.0.1 is listened on. A request must name this address as its host, and come from the page itself or
from nowhere (an address that was typed); pages of other sites can neither read nor send anything. Files are
streamed into a private folder, which goes when the program ends. Nothing is fetched from elsewhere.
"""

from __future__ import annotations

import html
import json
import re
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from string import Template
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rocscope import __version__
from rocscope.app.session import Session, failure
from rocscope.errors import ResourceError, RocInputError, RocscopeError
from rocscope.io.input_file import show_size, temporary_folder
from rocscope.reporting.page import asset

HOST = "127.0.0.1"
MAX_UPLOAD = 200_000_000
MAX_CHOICES = 1_000_000  # bytes of a request that is no file
ENDING_SECONDS = 2
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A report is a document of its own, which may run its scripts and save files, and no more.
SANDBOX = "sandbox allow-scripts allow-downloads; frame-ancestors 'self'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
META_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
SCRIPTS, STYLES = ("base.js", "theme.js"), ("style.css",)


class Guard:
    """Refuses every request without the token, for another host, or from another site."""

    def __init__(self, app: ASGIApp, *, token: str, address: str) -> None:
        self.app, self.token, self.address = app, token.encode(), address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; every response has the headers."""
        if scope["type"] != "http":  # the server begins or ends; it has no web sockets
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refusal(scope["path"], Headers(scope=scope))
        app = PlainTextResponse(refusal, status_code=403) if refusal else self.app
        await app(scope, receive, send_with_headers)

    def refusal(self, path: str, headers: Headers) -> str | None:
        """Why a request is refused; None where it is not."""
        own = f"{HOST}:{self.address.rpartition(':')[2]}"
        token = path.split("/")[1] if path.startswith("/") else ""
        known = secrets.compare_digest(token.encode("utf-8", "replace"), self.token)
        if headers.getlist("host") != [own]:
            return "This host is not served here."
        if any(origin != self.address for origin in headers.getlist("origin")):
            return "Requests of other sites are refused."
        if any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
            return "Requests of other sites are refused."
        return None if known else "The address must hold the token: use the one that rocscope app printed."


def build_app(session: Session, *, token: str, address: str, max_upload: int = MAX_UPLOAD) -> ASGIApp:
    """Return the application behind its guard.

    Parameters
    ----------
    session
        Where tables and reports are kept.
    token
        The first part of every path.
    address
        The origin of its pages, such as http://127.0.0.1:8000.
    max_upload
        Bytes that a file may have.
    """

    def text(content: str, kind: str) -> Callable[[Request], Response]:
        return lambda _: Response(content, media_type=kind)

    async def upload(request: Request) -> Response:
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) > max_upload:
            return _too_large(max_upload)
        path, size = session.new_path(), 0
        try:
            with path.open("xb") as file:
                async for piece in request.stream():
                    size += len(piece)
                    if size > max_upload:
                        path.unlink()
                        return _too_large(max_upload)
                    file.write(piece)
        except (ClientDisconnect, OSError) as error:
            path.unlink(missing_ok=True)
            reason = "it stopped on the way" if isinstance(error, ClientDisconnect) else str(error.strerror)
            raise ResourceError(f"the file could not be taken over: {reason}") from error
        table = await run_in_threadpool(session.add, path, request.query_params.get("name", ""))
        return JSONResponse(table.to_json())

    async def example(_: Request) -> Response:
        table = await run_in_threadpool(session.add_example)
        return JSONResponse(table.to_json())

    async def read_again(request: Request) -> Response:
        options = await _object(request)
        table = await run_in_threadpool(session.read_again, request.path_params["key"], options)
        return JSONResponse(table.to_json())

    async def start(request: Request) -> Response:
        choices = await _object(request)
        return JSONResponse(session.start(choices.get("table"), choices).to_json())

    async def report(request: Request) -> Response:
        made = session.reports.get(request.path_params["key"])
        if made is None:
            return PlainTextResponse("This report is no longer there: make it again.", status_code=404)
        part = request.path_params.get("part")
        if request.method == "DELETE":
            session.stop()
        if part is None:
            return JSONResponse(made.to_json())
        if made.state != "done":
            return PlainTextResponse("This report is not made yet.", status_code=404)
        policy = META_POLICY.search(made.page)
        rules = f"{html.unescape(policy[1])}; {SANDBOX}" if policy else f"default-src 'none'; {SANDBOX}"
        headers = {"content-security-policy": rules}
        if part == "file":
            headers["content-disposition"] = f'attachment; filename="{made.file_name}"'
        return HTMLResponse(made.page, headers=headers)

    def own(name: str) -> str:
        return files("rocscope.app").joinpath("assets", name).read_text(encoding="utf-8")

    page = Template(own("page.html")).substitute(
        version=__version__, max_upload=max_upload, max_upload_text=show_size(max_upload)
    )
    script = "\n".join([*map(asset, SCRIPTS), own("app.js")])
    style = "\n".join([*map(asset, STYLES), own("app.css")])
    routes = [
        Route("/", text(page, "text/html")),
        Route("/app.js", text(script, "text/javascript")),
        Route("/app.css", text(style, "text/css")),
        Route("/tables", upload, methods=["POST"]),
        Route("/example", example, methods=["POST"]),
        Route("/tables/{key}", read_again, methods=["POST"]),
        Route("/reports", start, methods=["POST"]),
        Route("/reports/{key}", report, methods=["GET", "DELETE"]),
        Route("/reports/{key}/{part}", report),
    ]
    handlers: Any = {RocscopeError: _sentence, Exception: _sentence}
    app = Starlette(routes=[Mount("/{token}", routes=routes)], exception_handlers=handlers)
    return Guard(app, token=token, address=address)


async def _object(request: Request) -> dict[str, Any]:
    """The JSON object that a request holds."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_CHOICES:
            raise RocInputError("the choices are too long")
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise RocInputError("the choices must be a JSON object")
    return value


async def _sentence(_: Request, error: Exception) -> Response:
    """What went wrong, as a sentence for the page."""
    known = isinstance(error, RocscopeError)
    return JSONResponse(failure(error), status_code=422 if known else 500)


def _too_large(limit: int) -> Response:
    message = (
        f"The file must be at most {show_size(limit)} large; on the command line rocscope has no such limit."
    )
    return JSONResponse({"field": "file", "message": message}, status_code=413)


@contextmanager
def open_server(
    *, port: int = 0, max_upload: int = MAX_UPLOAD
) -> Iterator[tuple[uvicorn.Server, socket.socket, str]]:
    """A server, the socket that it listens on, and the address of its page.

    `server.run(sockets=[listener])` returns after a signal, or after `server.should_exit = True` in another
    thread. Files and reports are gone afterwards.
    """
    with ExitStack() as cleanup:
        listener = cleanup.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ResourceError(f"port {port} of {HOST} cannot be used: {reason}") from error
        listener.listen()
        session = Session(temporary_folder(cleanup))
        cleanup.callback(session.stop, ENDING_SECONDS)
        token, address = secrets.token_urlsafe(24), f"http://{HOST}:{listener.getsockname()[1]}"
        config = uvicorn.Config(
            build_app(session, token=token, address=address, max_upload=max_upload),
            log_level="warning",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=ENDING_SECONDS,
        )
        yield uvicorn.Server(config), listener, f"{address}/{token}/"
