"""The application without a network: a client that speaks to it as the page does."""

import time

import pytest
from starlette.testclient import TestClient

from rocscope.app.server import build_app
from rocscope.app.session import Session

TOKEN = "token-of-the-tests"
ADDRESS = "http://127.0.0.1:4321"
LARGEST = 200_000
TABLE = "state,marker,other\n" + "".join(
    f"{'ill' if k % 3 == 0 else 'well'},{k % 7 + 4 * (k % 3 == 0)},{k * 37 % 11}\n" for k in range(60)
)


@pytest.fixture
def session(tmp_path):
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    made = Session(folder)
    yield made
    made.stop(30)


@pytest.fixture
def client(session):
    """Requests of the page: its own origin, below the token."""
    app = build_app(session, token=TOKEN, address=ADDRESS, max_upload=LARGEST)
    headers = {"origin": ADDRESS, "sec-fetch-site": "same-origin"}
    with TestClient(app, base_url=f"{ADDRESS}/{TOKEN}/", headers=headers) as made:
        yield made


@pytest.fixture
def upload(client):
    def send(content, name="cases.csv"):
        content = content.encode() if isinstance(content, str) else content
        return client.post("tables", params={"name": name}, content=content)

    return send


@pytest.fixture
def make(client):
    """Start a report and wait for its end."""

    def run(**choices):
        reply = client.post("reports", json=choices)
        made = reply.json()
        for _ in range(1200):
            if made.get("state") != "running":
                return made
            time.sleep(0.05)
            made = client.get(f"reports/{made['id']}").json()
        raise TimeoutError(made)

    return run
