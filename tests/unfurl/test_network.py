"""Includes from the network: fetched once, if that is allowed, and never anything but the web."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from plait.access.guard import Guard
from plait.core.diagnostic import PlaitError
from plait.fronts.project import Project
from plait.fronts.unfurl.loading import DirectiveDocument
from plait.notations.query.data import plain

PAGES = {
    "/base.yaml": "x: 1\nnear: &near {+../x: }\nmine: {+include: local.yaml}\n",
    "/data.json": '{"j": [1, {"k": 2}]}',
    "/bad.yaml": "x: [1\n",
    "/large.yaml": "x: " + "y" * 5000,
}


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            page = PAGES.get(self.path)
            self.send_response(200 if page is not None else 404)
            self.end_headers()
            self.wfile.write((page or "").encode())

        def log_message(self, *args: object) -> None:
            pass

    served = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}", asked
    served.shutdown()
    served.server_close()


def expanded(folder: Path, text: str, **budgets: int) -> object:
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "sub" / "main.yaml").write_text(text)
    (folder / "sub" / "local.yaml").write_text("l: 1\n")
    project = Project(str(folder), guard=Guard(frozenset({"network"})), budgets=budgets)
    return plain(DirectiveDocument(project, str(folder / "sub" / "main.yaml")).expanded())


def test_files_are_fetched_once_and_their_own_includes_lie_beside_the_document(
    server: tuple[str, list[str]], tmp_path: Path
) -> None:
    url, asked = server
    found = expanded(
        tmp_path,
        f"a: {{+include: {url}/base.yaml}}\nb: {{+include: {url}/base.yaml}}\nc: {{+include: "
        f"'{url}/data.json#/j/1'}}\n",
    )
    base = {"x": 1, "near": 1, "mine": {"l": 1}}
    assert found == {"a": base, "b": base, "c": {"k": 2}}
    assert sorted(asked) == ["/base.yaml", "/data.json"]


def test_what_may_be_missing_brings_nothing_in(server: tuple[str, list[str]], tmp_path: Path) -> None:
    assert expanded(tmp_path, f"a: {{+?include: {server[0]}/nowhere.yaml, own: 1}}\n") == {"a": {"own": 1}}


@pytest.mark.parametrize(
    ("include", "message"),
    [
        ("{url}/nowhere.yaml", "cannot include"),
        ("{url}/bad.yaml", "invalid YAML"),
        ("{url}/large.yaml", "cannot include"),
        ("file:///etc/hostname", "not an http or https URL"),
        ("ftp://127.0.0.1/x", "not an http or https URL"),
    ],
)
def test_what_cannot_be_fetched_is_told(
    include: str, message: str, server: tuple[str, list[str]], tmp_path: Path
) -> None:
    with pytest.raises(PlaitError, match=message) as told:
        expanded(tmp_path, f"a: {{+include: '{include.format(url=server[0])}'}}\n", size=4000)
    assert str(told.value.diagnostics[0].labels[0].origin).endswith("main.yaml:1:5")
