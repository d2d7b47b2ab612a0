"""A server of PostgreSQL of our own: on a free port of the loopback interface, in a folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from glob import glob
from pathlib import Path

ACCOUNT = "postgres"  # of the Debian package; the server refuses to run as root


def program(name):
    """The path of a program of PostgreSQL, or None."""
    found = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else shutil.which(name)


@contextmanager
def server():
    """Start a server and give the address of its database."""
    import psycopg

    folder = Path(tempfile.mkdtemp(prefix="rocscope-postgres-"))
    as_account = {}
    if os.getuid() == 0:
        as_account = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
        shutil.chown(folder, ACCOUNT, ACCOUNT)
    data, quiet = folder / "data", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    make = [program("initdb"), "-D", str(data), "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8"]
    process = None
    try:
        subprocess.run(make, check=True, timeout=60, **quiet, **as_account)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = ["-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-F"]
        process = subprocess.Popen([program("postgres"), *options], **quiet, **as_account)
        address = f"host=127.0.0.1 port={port} user=tester dbname=postgres"
        for _ in range(200):
            try:
                psycopg.connect(address).close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        yield address
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # a fast shutdown
            process.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)
