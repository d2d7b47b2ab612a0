"""Who may ask for what: the token, the host, the origin, and what every response forbids the browser."""

import pytest

from app.conftest import ADDRESS, LARGEST, TABLE, TOKEN

PATHS = [
    ("GET", ""),
    ("GET", "app.js"),
    ("POST", "tables"),
    ("POST", "example"),
    ("POST", "reports"),
    ("GET", "reports/1/page"),
    ("GET", "nothing"),
]


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "ä" * len(TOKEN)])
def test_no_request_without_the_token(client, session, method, path, token):
    reply = client.request(method, f"{ADDRESS}/{token}/{path}", content=b"x")
    assert reply.status_code == 403
    assert TOKEN not in reply.text
    assert session.tables == {}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:4321"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:4322"},
        {"host": "localhost:4321"},
        {"origin": "http://evil.example"},
        {"origin": "null"},  # a sandboxed page, such as a report
        {"origin": "http://127.0.0.1:4322"},
        {"origin": "https://127.0.0.1:4321"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},  # another port of this machine
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "path"), PATHS[:5])
def test_no_request_of_other_sites_and_for_other_hosts(client, session, method, path, headers):
    reply = client.request(method, path, headers=headers, content=TABLE.encode())
    assert reply.status_code == 403
    assert session.tables == {}
    assert list(session.folder.iterdir()) == []


def test_a_typed_address_is_served(client):
    del client.headers["origin"]
    reply = client.get("", headers={"sec-fetch-site": "none"})
    assert reply.status_code == 200
    assert "<h1>ROC report</h1>" in reply.text


@pytest.mark.parametrize(("method", "path"), [*PATHS, ("GET", "../wrong/")])
def test_every_response_is_fenced_in(client, method, path):
    reply = client.request(method, path)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert reply.headers["cache-control"] == "no-store"
    assert "set-cookie" not in reply.headers
    assert "access-control-allow-origin" not in reply.headers


def test_the_page_has_no_script_of_its_own(client):
    text = client.get("").text
    assert text.count("<script") == 1
    assert '<script src="app.js" defer></script>' in text
    assert "http://" not in text
    assert "https://" not in text
    assert TOKEN not in text


def test_a_report_is_sandboxed(upload, make, client):
    key = upload(TABLE).json()["id"]
    made = make(table=key, outcome=0, positive=1, markers=[1])
    for part in ("page", "file"):
        reply = client.get(f"reports/{made['id']}/{part}")
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "sandbox allow-scripts allow-downloads;" in policy
        scripts = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
        assert "'sha256-" in scripts
        assert "unsafe" not in scripts
    assert reply.headers["content-disposition"] == 'attachment; filename="cases_report.html"'


@pytest.mark.parametrize("size", [LARGEST + 1, 50 * LARGEST])
@pytest.mark.parametrize("announced", [True, False])
def test_a_file_that_is_too_large(client, session, size, announced):
    def pieces():
        for _ in range(0, size, 10_000):
            yield b"1" * 10_000
        yield b"1"

    content = b"1" * size if announced else pieces()
    reply = client.post("tables", params={"name": "long.csv"}, content=content)
    assert reply.status_code == 413
    assert reply.json() == {
        "field": "file",
        "message": "The file must be at most 200 kB large; on the command line rocscope has no such limit.",
    }
    assert list(session.folder.iterdir()) == []
    assert client.get("").status_code == 200


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"1" * 2_000_000])
def test_choices_that_are_none(client, body):
    reply = client.post("reports", content=body)
    assert reply.status_code == 422
    assert reply.json()["message"].startswith("The choices ")


def test_paths_of_other_files_are_not_served(client):
    for path in ("../../etc/passwd", "..%2f..%2fetc/passwd", "tables/../../x", "reports/x/../../app.js"):
        assert client.get(path).status_code in (200, 403, 404, 405)
        assert "root:" not in client.get(path).text
