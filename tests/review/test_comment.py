"""The script of the GitHub action, against a server that speaks the API: it comments once, then updates its comment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "review-comment"


class Api(BaseHTTPRequestHandler):
    comments: list[dict[str, object]]

    def do_GET(self) -> None:
        self.answer(self.comments)

    def do_POST(self) -> None:
        self.comments.append({"id": len(self.comments) + 1, **self.body()})
        self.answer({})

    def do_PATCH(self) -> None:
        number = int(self.path.rsplit("/", 1)[1])
        self.comments[number - 1].update(self.body())
        self.answer({})

    def body(self) -> dict[str, object]:
        assert self.headers["Authorization"] == "Bearer secret"
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[no-any-return]

    def answer(self, data: object) -> None:
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_a_comment_is_made_and_updated(tmp_path: Path) -> None:
    Api.comments = []
    server = HTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "plait.yaml").write_text("targets: [{name: a, layers: [a.yaml]}]\n")
    (folder / "a.yaml").write_text("x: 1\n")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@x"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=folder, check=True)
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "plait").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plait "$@"\n')
    (tools / "plait").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}",
        "GITHUB_REPOSITORY": "o/r",
        "PLAIT_TOKEN": "secret",
        "PLAIT_PULL_REQUEST": "7",
        "PLAIT_BASE": "HEAD",
        "NO_PROXY": "127.0.0.1",
    }
    for value in ("2", "3"):
        (folder / "a.yaml").write_text(f"x: {value}\n")
        done = subprocess.run(
            ["bash", SCRIPT], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert f"::notice file=a.yaml,line=1::changes 1 value in 1 target: x: 1 -> {value}" in done.stdout
    server.shutdown()
    assert len(Api.comments) == 1
    text = str(Api.comments[0]["body"])
    assert text.startswith("<!-- plait review -->\n## plait review: 1 value changes in 1 of 1 target")
    assert "`x: 1 -> 3`" in text
