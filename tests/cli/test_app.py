"""`rocscope app` prints its address, serves it, and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest

from rocscope import errors


@contextmanager
def running(folder, *arguments):
    """The program in a process of its own, and the address that it prints."""
    code = "import sys; from rocscope.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "app", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_serves_until_it_is_interrupted(tmp_path, number, code):
    folder = tmp_path / "temporary"
    folder.mkdir()
    with running(folder) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=60) as reply:
            assert b"<h1>ROC report</h1>" in reply.read()
        request = urllib.request.Request(
            f"{address}tables?name=t.csv", data=b"y,s\n0,1\n1,2\n", method="POST"
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            assert reply.status == 200
        (private,) = folder.iterdir()
        assert private.stat().st_mode & 0o777 == 0o700
        assert len(list(private.iterdir())) == 1
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address.rstrip("/") + "x/", timeout=60)
        process.send_signal(number)
        assert process.wait(timeout=60) == code
        assert list(folder.iterdir()) == []
        assert "Traceback" not in process.stderr.read()


def test_a_port_in_use(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("app", "--no-browser", "--port", port)
    assert (done.code, done.out) == (5, "")
    assert done.err == f"error: port {port} of 127.0.0.1 cannot be used: address already in use\n"


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_without_the_extra(run, monkeypatch, library):
    real = errors.import_module

    def lacking(name):
        if name == library:
            raise ModuleNotFoundError(name=name)
        return real(name)

    monkeypatch.setattr(errors, "import_module", lacking)
    done = run("app", "--no-browser")
    assert (done.code, done.err) == (5, f"error: rocscope app needs {library}: pip install 'rocscope[app]'\n")


def test_wrong_options(run):
    done = run("app", "--port", "70000")
    assert (done.code, done.err) == (2, "error: --port must lie between 0 and 65535, got 70000\n")
    assert run("app", "--max-upload", "much").code == 2
