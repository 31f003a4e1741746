"""Who the explorer answers, what it never shows, and what does not stop it."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from plait.access.caller import TABLES
from plait.apps.web.server import ExplorerServer
from tests.web.serving import serving
from tests.web.shop import commit, write_shop
from tests.web.visit import Visit

PATIENCE = 300
"""Seconds that an answer may take: far more than a slow machine needs."""
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
LOADED = """() => [...document.querySelectorAll('details[open] > .cards')]
  .every((one) => (one.dataset.loaded || one.firstElementChild) && one.textContent !== '\u2026')"""
BROKEN = (b"GET / HT", b"", b"\x16\x03\x01garbage\r\n\r\n", b"POST /write HTTP/1.1\r\nContent-Length: 9")
"""What slow and broken clients send."""
NAME = "<img src=x onerror=alert(3)>"


def asked(server: ExplorerServer, path: str, method: str = "GET", body: str = "", **headers: str) -> tuple[int, str]:
    """The status and the text of an answer; the token comes as a cookie unless another one is given."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    given = {"Cookie": f"plait-{server.port}={server.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    connection.request(method, path, body or None, given)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_only_requests_with_the_token_to_this_server_from_its_own_pages(reading: ExplorerServer) -> None:
    server = reading
    own = f"http://127.0.0.1:{server.port}"
    assert asked(server, "/")[0] == 200
    assert asked(server, "/", Cookie="")[0] == 403
    assert asked(server, "/", Cookie=f"plait-{server.port}=wrong")[0] == 403
    assert asked(server, "/?token=wrong", Cookie="")[0] == 403
    assert asked(server, f"/?token={server.token}", Cookie="")[0] == 303
    assert asked(server, "/assets/style.css", Cookie="")[0] == 403
    assert asked(server, "/", Host="evil.example")[0] == 421
    assert asked(server, "/", Host=f"evil.example:{server.port}")[0] == 421
    assert asked(server, "/", Origin="https://evil.example")[0] == 403
    assert asked(server, "/", Origin="null")[0] == 403
    assert asked(server, "/", Origin=own)[0] == 200
    assert asked(server, "/write", "POST", "target=x")[0] == 403, "a form of another site may have no Origin"
    assert asked(server, "/write", "POST", "target=x", Origin=own)[0] in (404, 422)
    assert asked(server, "/", "DELETE")[0] == 405
    assert asked(server, "/?" + "x" * 20_000)[0] == 414
    assert server.token not in asked(server, "/")[1]


def test_a_page_of_another_port_is_another_site(reading: ExplorerServer) -> None:
    """A browser sends it our cookie: cookies know no ports."""
    for site in ("same-site", "cross-site"):
        assert asked(reading, "/", Sec_Fetch_Site=site)[0] == 403
        assert asked(reading, f"/?token={reading.token}", Sec_Fetch_Site=site)[0] == 303, "who has the token may link"
    for site in ("same-origin", "none"):
        assert asked(reading, "/", Sec_Fetch_Site=site)[0] == 200


@pytest.mark.skipif(not os.path.exists(TABLES[0]), reason="needs a system that tells who connects")
def test_another_user_is_refused_even_with_the_token(reading: ExplorerServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.access.caller.trusted_owners", lambda: {os.geteuid() + 1})
    for headers in ({}, {"X_Forwarded_For": "192.0.2.1"}):
        status, text = asked(reading, "/", **headers)
        assert (status, "another user" in text) == (403, True)


def test_an_invitation_is_good_for_one_request_of_this_user(
    reading: ExplorerServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands for the token on the command line of a browser, which every user of the machine can read."""
    address = reading.invitation()
    assert reading.token not in address
    path = address.partition(str(reading.port))[2]
    if os.path.exists(TABLES[0]):
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr("plait.access.caller.trusted_owners", lambda: {os.geteuid() + 1})
            assert asked(reading, path, Cookie="")[0] == 403, "another user was faster"
    assert asked(reading, path, Cookie="")[0] == 303
    assert asked(reading, path, Cookie="")[0] == 403, "it was used"
    late = reading.invitation().partition(str(reading.port))[2]
    monkeypatch.setattr("plait.apps.web.gate.monotonic", lambda: time.monotonic() + 3600)
    assert asked(reading, late, Cookie="")[0] == 403, "it was kept"


def test_writing_needs_permission(shop: Path) -> None:
    words = "target=eu-prod&document=web&path=vars.memory&value=1&file=stacks/deploy/eu/prod.yaml"
    words += "&place=components.terraform.web.vars.memory"
    before = (shop / "stacks/deploy/eu/prod.yaml").read_bytes()
    with serving() as server:
        status, text = asked(server, "/write", "POST", words, Origin=f"http://127.0.0.1:{server.port}")
        shown = asked(server, "/try?target=eu-prod&document=web&path=vars.memory&value=1")[1]
    assert (status, "editing is disabled" in text) == (422, True)
    assert ("Write it here" in shown, "plait serve --edit lets this page write it" in shown) == (False, True)
    assert (shop / "stacks/deploy/eu/prod.yaml").read_bytes() == before


@pytest.mark.parametrize("name", ["/etc/passwd", "../../etc/passwd", "atmos.yaml/../../x", "components/main.tf", ""])
def test_only_files_of_targets_are_shown(reading: ExplorerServer, name: str) -> None:
    assert asked(reading, f"/file?name={name}")[0] == 404


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/value?target=nope&document=api", 404),
        ("/value?target=eu-prod&document=ap", 404),
        ("/cards?target=eu-prod&document=api&path=vars.nope", 404),
        ("/across?document=api&path=%5B%5B", 422),
        ("/change?base=--output=/tmp/x", 422),
        ("/layers?target=nope", 404),
        ("/compare?a=nope", 404),
        ("/nothing", 404),
    ],
)
def test_an_error_is_a_page(reading: ExplorerServer, address: str, status: int) -> None:
    assert asked(reading, address)[0] == status


def test_secrets_are_masked_unless_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    base = "db:\n  user: app\n  password: !sensitive hunter2-base\n  key: !sensitive hunter2-key\n"
    Path("base.yaml").write_text(base)
    prod = "db:\n  password: !sensitive hunter2-prod\n  url: !ref db.password\n  key: hunter2-key\n"
    Path("prod.yaml").write_text(prod)
    Path("plait.yaml").write_text(
        "targets:\n- {name: prod, layers: [base.yaml, prod.yaml]}\n- {name: a, layers: [base.yaml]}\n"
    )
    addresses = (
        "/",
        "/value?target=prod&document=document",
        "/cards?target=prod&document=document&path=db.password",
        "/across?document=document&path=db.password",
        "/files",
        "/file?name=base.yaml",
        "/file?name=prod.yaml",
        "/cells?target=prod",
        "/layers?target=prod",
        "/compare?a=prod&b=a",
        "/tidy",
    )
    with serving() as server:
        while " data-more" in asked(server, "/tidy")[1]:
            pass
        pages = {address: asked(server, address) for address in addresses}
    assert {status for status, _ in pages.values()} == {200}
    assert [address for address, (_, text) in pages.items() if "hunter2" in text] == []
    assert "db.key" in pages["/tidy"][1]
    with serving("--reveal") as server:
        assert "hunter2-prod" in asked(server, addresses[1])[1]


def test_text_of_a_repository_never_becomes_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    quoted = HOSTILE.replace("'", "''")
    catalog = f"components:\n  terraform:\n    '{NAME}':\n      vars:\n        '{quoted}': '{quoted}'\n        k: 1\n"
    files = {
        f"stacks/catalog/{NAME}.yaml": catalog,
        "stacks/deploy/eu/prod.yaml": f"import: ['catalog/{NAME}']\nvars: {{environment: '{NAME}', stage: x}}\n"
        f"components: {{terraform: {{'{NAME}': {{vars: {{'{quoted}': other, t: '{{{{ fail \"{NAME}\" }}}}'}}}}}}}}\n",
        "stacks/deploy/eu/dev.yaml": f"vars: {{environment: eu, stage: '{NAME}'}}\ncomponents: [\n",
    }
    write_shop(tmp_path, files)
    commit(tmp_path, NAME)
    changed = tmp_path / f"stacks/catalog/{NAME}.yaml"
    changed.write_text(catalog.replace("k: 1", f"k: '{quoted}'"))
    with serving("--edit", "--base", "HEAD") as server:
        visit = Visit(chromium, server.address)
        target, document = f"{NAME}-x", NAME
        pages: list[dict[str, str]] = [
            {"": "/"},
            {"": "/", "targets": HOSTILE, "documents": NAME},
            {"": "/value", "target": target, "document": document},
            {"": "/value", "target": target, "document": document, "path": "vars.k"},
            {"": "/across", "document": document, "path": "vars.k"},
            {"": "/across", "document": HOSTILE, "path": "vars.k"},
            {"": "/files"},
            {"": "/files", "find": HOSTILE, "folder": HOSTILE},
            {"": "/file", "name": f"stacks/catalog/{NAME}.yaml"},
            {"": "/layers", "target": target},
            {"": "/compare", "a": HOSTILE, "b": target},
            {"": "/tidy"},
            {"": "/change", "base": "HEAD"},
            {"": "/change", "base": HOSTILE},
            {"": "/value", "target": HOSTILE, "document": HOSTILE, "path": HOSTILE},
        ]
        for page in pages:
            visit.ask(**page)
            visit.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            visit.page.wait_for_function(LOADED)
            assert visit.page.locator("img, iframe, main script:not([type='application/json'])").count() == 0, page
        visit.opened.problems[:] = [one for one in visit.opened.problems if "status of 4" not in one]
        visit.close()


@pytest.mark.long
def test_three_hundred_requests_at_once_with_slow_and_broken_clients(shop: Path) -> None:
    async def one(server: ExplorerServer, page: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        cookie = f"plait-{server.port}={server.token}"
        writer.write(f"GET {page} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n\r\n".encode())
        line = await reader.readline()
        writer.close()
        return line

    async def many(server: ExplorerServer) -> list[bytes]:
        pages = ["/", *(["/assets/style.css"] * 9)]  # a browser asks for most of its files without a question to plait
        return await asyncio.gather(*(one(server, pages[at % len(pages)]) for at in range(300)))

    with serving() as server:
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        for at, client in enumerate(slow):
            client.sendall(BROKEN[at % len(BROKEN)])
        slow[0].close()
        with ThreadPoolExecutor(1) as other:  # the browser's driver has a loop in this thread
            answers = other.submit(lambda: asyncio.run(many(server))).result()
        assert answers == [b"HTTP/1.1 200 OK\r\n"] * 300
        assert asked(server, "/files")[0] == 200
        for client in slow:
            client.close()


def test_a_client_that_sends_no_whole_request_is_closed_and_others_are_answered(shop: Path) -> None:
    with serving(patience=0.05) as server:
        for words in BROKEN[:2]:
            silent = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            silent.sendall(words)
            assert silent.recv(1) == b"", "closed by the server"
            silent.close()
        assert asked(server, "/files")[0] == 200


FORM = "POST /write HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\nCookie: {cookie}\r\n{length}\r\n\r\n"


def post(server: ExplorerServer, length: str) -> socket.socket:
    """A client that has sent the head of a form."""
    client = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    cookie = f"plait-{server.port}={server.token}"
    client.sendall(FORM.format(name=f"127.0.0.1:{server.port}", cookie=cookie, length=length).encode())
    return client


@pytest.mark.parametrize(
    ("length", "start"),
    [("Content-Length: 9", b""), ("Content-Length: 9", b"target"), ("Transfer-Encoding: chunked", b"3\r\nabc\r\n")],
)
def test_a_form_that_does_not_end_is_closed(shop: Path, length: str, start: bytes) -> None:
    with serving("--edit", patience=0.05) as server:
        client = post(server, length)
        client.sendall(start)
        assert client.recv(1) == b"", "closed by the server"
        client.close()
        assert asked(server, "/files")[0] == 200


def test_a_form_without_an_end_is_refused_after_a_million_bytes(reading: ExplorerServer) -> None:
    taken: list[int] = []
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        taken.append(100_000)
        return {"type": "http.request", "body": b"a" * 100_000, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/write", "query_string": b"", "headers": []}
    with ThreadPoolExecutor(1) as other:  # the browser's driver has a loop in this thread
        other.submit(lambda: asyncio.run(reading.site.application()(scope, receive, send))).result()
    assert sent[0]["status"] == 413
    assert sum(taken) < 1_200_000


def test_a_second_request_that_does_not_end_is_closed_too(shop: Path) -> None:
    with serving(patience=0.05) as server:
        client = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        client.sendall(f"HEAD /nothing HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\nGET / HT".encode())
        received = b""
        while piece := client.recv(1000):
            received += piece
        assert received.startswith(b"HTTP/1.1 403 ")
        client.close()


def test_the_browser_is_opened_on_a_desktop(shop: Path, tmp_path: Path) -> None:
    """It stays in the foreground, as some do: the page answers meanwhile."""
    seen = tmp_path / "seen"
    code = (
        "import sys, urllib.request as r, http.cookiejar as c\n"
        "page = r.build_opener(r.HTTPCookieProcessor(c.CookieJar())).open(sys.argv[1]).read()\n"
        f"open({str(seen) + '.new'!r}, 'wb').write(sys.argv[1].encode() + page)\n"
        f"import os, time; os.rename({str(seen) + '.new'!r}, {str(seen)!r}); time.sleep(3600)\n"
    )
    browser = tmp_path / "browser"
    browser.write_text(f"#!{sys.executable}\n{code}")
    browser.chmod(0o700)
    ours, terminal = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "plait", "serve"],
        stdin=terminal,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "BROWSER": str(browser)},
        start_new_session=True,
    )
    try:
        os.close(terminal)
        printed = b""
        while b"\n" not in printed:
            printed += os.read(ours, 1000)
        assert printed.startswith(b"http://127.0.0.1:")
        while not seen.exists():
            assert process.poll() is None
            time.sleep(0.02)
        assert b"4 stacks, 4 components" in seen.read_bytes()
        token = printed.strip().partition(b"token=")[2]
        assert (len(token) >= 32, token in seen.read_bytes()) == (True, False), "others see a command line"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        os.close(ours)


def test_another_address_than_loopback_is_a_warning_and_ctrl_c_ends_it_cleanly(shop: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "plait", "serve", "--no-open", "--host", "0.0.0.0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        port, token = int(address.split(":")[2].partition("/")[0]), address.partition("token=")[2]
        events = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        cookie = f"Host: 127.0.0.1:{port}\r\nCookie: plait-{port}={token}\r\n\r\n"
        events.sendall(f"GET /events HTTP/1.1\r\n{cookie}".encode())
        assert events.recv(100).startswith(b"HTTP/1.1 200 OK")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        warning = "warning: everybody who can reach 0.0.0.0 and has the token can read this repository\n"
        assert (process.returncode, out, err) == (0, "", f"{warning}stopped\n")
        events.close()
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)


def test_a_page_grants_nothing(shop: Path) -> None:
    """A value that would run a command needs the capability, as everywhere."""
    file = shop / "stacks/deploy/us/dev.yaml"
    file.write_text(f"{file.read_text()}components:\n  terraform:\n    web: {{vars: {{a: !exec touch ran}}}}\n")
    with serving() as server:
        status, text = asked(server, "/value?target=us-dev&document=web")
        assert status == 200
        assert "(computed)" in text
        assert ">not known<" in text
        text = asked(server, "/value?target=us-dev&document=web&path=vars.a")[1]
        assert "this file wants to run a command" in text
        assert "allow it once:      --allow exec" in text
        assert asked(server, "/cells?target=us-dev")[0] == 200
    assert not (shop / "ran").exists()
