"""The script of the GitHub action and the one of the GitLab template, against a server that speaks both APIs: each
comments once, then updates its comment, which may be on any page."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from plait import __version__
from tests.outside.project import git

ROOT = Path(__file__).parents[2]
TEMPLATE = yaml.safe_load((ROOT / "docs" / "gitlab.yml").read_text(encoding="utf-8"))["plait-review"]
GITHUB = ["bash", str(ROOT / ".ci" / "review-comment")]
GITLAB = ["sh", "-c", "\n".join(TEMPLATE["script"])]
MARK = "<!-- plait review -->\n"
ME = 41
"""Whose token it is, at GitLab."""

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")


class Api(BaseHTTPRequestHandler):
    """Comments of one pull request, in pages; a comment is updated with PATCH at GitHub and with PUT at GitLab."""

    comments: list[dict[str, object]]
    paths: list[str]

    def do_GET(self) -> None:
        if urlsplit(self.path).path.endswith("/user"):
            self.answer({"id": ME})
            return
        words = {name: int(values[0]) for name, values in parse_qs(urlsplit(self.path).query).items()}
        start = (words.get("page", 1) - 1) * words["per_page"]
        self.answer(self.comments[start : start + words["per_page"]])

    def do_POST(self) -> None:
        ours = {"user": {"type": "Bot"}, "author": {"id": ME}}
        self.comments.append({"id": len(self.comments) + 1, **ours, **self.body()})
        self.answer({})

    def do_PATCH(self) -> None:
        self.comments[int(self.path.rsplit("/", 1)[1]) - 1].update(self.body())
        self.answer({})

    do_PUT = do_PATCH

    def body(self) -> dict[str, object]:
        assert "secret" in (self.headers["Authorization"] or self.headers["PRIVATE-TOKEN"])
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[no-any-return]

    def answer(self, data: object) -> None:
        self.paths.append(urlsplit(self.path).path)
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    Api.comments, Api.paths = [], []
    server = HTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "plait.yaml").write_text("targets: [{name: a, layers: [a.yaml]}]\n")
    (folder / "a.yaml").write_text("x: 1\n")
    git(folder, "init", "-q", "-b", "main", ".")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "plait").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m plait "$@"\n')
    (tmp_path / "bin" / "plait").chmod(0o755)
    return folder


def ran(folder: Path, server: HTTPServer, script: list[str], base: str = "HEAD") -> subprocess.CompletedProcess[str]:
    address = f"http://127.0.0.1:{server.server_port}"
    environment = {
        **os.environ,
        "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}",
        "PLAIT_TOKEN": "secret",
        "NO_PROXY": "127.0.0.1",
        "GITHUB_API_URL": address,
        "GITHUB_REPOSITORY": "o/r",
        "PLAIT_PULL_REQUEST": "7",
        "PLAIT_BASE": base,
        "CI_API_V4_URL": f"{address}/api/v4",
        "CI_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    return subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def check_comment(value: int) -> None:
    ours = [str(comment["body"]) for comment in Api.comments if str(comment["body"]).startswith(MARK)]
    assert len(ours) == 1
    assert ours[0].startswith(f"{MARK}## plait review: 1 value changes in 1 of 1 target")
    assert f"`x: 1 -> {value}`" in ours[0]


def test_github_comments_and_updates(folder: Path, server: HTTPServer) -> None:
    Api.comments = [{"id": number, "body": "something else"} for number in range(1, 251)]
    for value in (2, 3):
        (folder / "a.yaml").write_text(f"x: {value}\n")
        done = ran(folder, server, GITHUB)
        assert done.returncode == 0, done.stderr
        assert f"::notice file=a.yaml,line=1::changes 1 value in 1 target: x: 1 -> {value}" in done.stdout
        check_comment(value)
    assert len(Api.comments) == 251
    assert Api.paths == [*["/repos/o/r/issues/7/comments"] * 7, "/repos/o/r/issues/comments/251"]


def test_gitlab_comments_and_updates(folder: Path, server: HTTPServer) -> None:
    Api.comments = [{"id": number, "body": "something else"} for number in range(1, 101)]
    for value in (2, 3):
        (folder / "a.yaml").write_text(f"x: {value}\n")
        done = ran(folder, server, GITLAB)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("## plait review: 1 value changes")
        assert "review.md" not in done.stdout
        (folder / "review.md").unlink()
        check_comment(value)
    assert len(Api.comments) == 101
    notes = "/api/v4/projects/5/merge_requests/7/notes"
    user = "/api/v4/user"
    assert Api.paths == [user, notes, notes, notes, user, notes, notes, f"{notes}/101"]


def test_gitlab_leaves_notes_of_others_alone(folder: Path, server: HTTPServer) -> None:
    """Whoever may comment can write what looks like a report."""
    Api.comments = [{"id": 1, "body": f"{MARK}forged", "author": {"id": 7}}]
    (folder / "a.yaml").write_text("x: 2\n")
    done = ran(folder, server, GITLAB)
    assert done.returncode == 0, done.stderr
    assert Api.comments[0]["body"] == f"{MARK}forged"
    assert len(Api.comments) == 2


@pytest.mark.parametrize("script", [GITHUB, GITLAB], ids=["github", "gitlab"])
def test_the_token_is_not_published(folder: Path, server: HTTPServer, script: list[str]) -> None:
    (folder / "a.yaml").write_text("x: !env PLAIT_TOKEN\ny: !env HOME\nz: !env CI_PROJECT_ID none\n")
    done = ran(folder, server, script)
    said = done.stdout + done.stderr + json.dumps(Api.comments)
    assert "secret" not in said.replace("PLAIT_TOKEN", "")
    assert os.environ["HOME"] not in said.replace(str(folder), "")


@pytest.mark.parametrize("script", [GITHUB, GITLAB], ids=["github", "gitlab"])
def test_without_a_report_nothing_is_commented(folder: Path, server: HTTPServer, script: list[str]) -> None:
    done = ran(folder, server, script, base="nowhere")
    assert done.returncode == 1
    assert "git does not know this revision" in done.stderr
    assert Api.paths == []


EXPRESSION = re.compile(r"\$\{\{ *([\w.]+) *\}\}")
SINGLE_FILE = f"plait-{os.uname().sysname.lower()}-{os.uname().machine}"


def test_the_steps_of_the_action(folder: Path, server: HTTPServer, tmp_path: Path) -> None:
    """action.yml as a runner runs it: its inputs filled in, its steps in order, and what a step adds to the path is
    found by the next. The release has a single file, here one that calls this checkout."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    program = tmp_path / "me" / "plait" / "releases" / "download" / f"v{__version__}" / SINGLE_FILE
    program.parent.mkdir(parents=True)
    shutil.move(tmp_path / "bin" / "plait", program)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    program.with_name(f"{SINGLE_FILE}.sha256").write_text(f"{digest}  {SINGLE_FILE}\n")
    known = {
        "github.event.pull_request.base.sha": git(folder, "rev-parse", "HEAD").strip(),
        "github.event.pull_request.number": "7",
        "github.token": "secret",
        "github.server_url": f"file://{tmp_path}",
        "github.action_repository": "me/plait",
    }

    def filled(text: str) -> str:
        return EXPRESSION.sub(lambda found: known[found[1]], text)

    known |= {f"inputs.{name}": filled(given["default"]) for name, given in action["inputs"].items()}
    runner = {
        "PATH": os.environ["PATH"],
        "GITHUB_ACTION_PATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_PATH": str(tmp_path / "path"),
        "GITHUB_API_URL": f"http://127.0.0.1:{server.server_port}",
        "GITHUB_REPOSITORY": "o/r",
        "NO_PROXY": "127.0.0.1",
    }
    (folder / "a.yaml").write_text("x: 2\n")
    (tmp_path / "path").touch()
    for step in action["runs"]["steps"]:
        added = (tmp_path / "path").read_text().split()
        words = {**runner, "PATH": ":".join([*reversed(added), runner["PATH"]])}
        words |= {name: filled(text) for name, text in step["env"].items()}
        done = subprocess.run([step["shell"], "-c", step["run"]], cwd=folder, env=words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "temp" / "plait" / "plait").exists()
    check_comment(2)
