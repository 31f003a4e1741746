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
    files: dict[str, bytes]
    """The files of releases, by their paths."""
    reads_only: bool
    """Whether the token may write nothing."""
    asks: bool
    """Whether files of releases need a token."""

    def do_GET(self) -> None:
        if self.path in self.files and not (self.asks and "secret" not in (self.headers["Authorization"] or "")):
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.files[self.path])))
            self.end_headers()
            self.wfile.write(self.files[self.path])
            return
        if "/releases/" in self.path:
            self.answer({}, 404)
            return
        if urlsplit(self.path).path.endswith("/user"):
            self.answer({"id": ME})
            return
        words = {name: int(values[0]) for name, values in parse_qs(urlsplit(self.path).query).items()}
        start = (words.get("page", 1) - 1) * words["per_page"]
        self.answer(self.comments[start : start + words["per_page"]])

    def do_POST(self) -> None:
        if self.reads_only:
            self.answer({"message": "Resource not accessible by integration"}, 403)
            return
        ours = {"user": {"type": "Bot"}, "author": {"id": ME}}
        self.comments.append({"id": len(self.comments) + 1, **ours, **self.body()})
        self.answer({})

    def do_PATCH(self) -> None:
        assert not self.reads_only
        self.comments[int(self.path.rsplit("/", 1)[1]) - 1].update(self.body())
        self.answer({})

    do_PUT = do_PATCH

    def body(self) -> dict[str, object]:
        assert "secret" in (self.headers["Authorization"] or self.headers["PRIVATE-TOKEN"])
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))  # type: ignore[no-any-return]

    def answer(self, data: object, status: int = 200) -> None:
        self.paths.append(urlsplit(self.path).path)
        text = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    Api.comments, Api.paths, Api.files, Api.reads_only, Api.asks = [], [], {}, False, False
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
        "CI_PROJECT_ID": "6",
        "CI_MERGE_REQUEST_PROJECT_ID": "5",
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


EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
PROGRAM = f'#!/bin/sh\nexec "{sys.executable}" -m plait "$@"\n'.encode()
SINGLE_FILE = f"plait-{os.uname().sysname.lower()}-{os.uname().machine}"


class Runner:
    """A runner of GitHub: the steps of an action in order, each with what earlier ones added to the path."""

    def __init__(self, folder: Path, server: HTTPServer) -> None:
        self.folder = folder
        self.place = folder.parent
        self.actions = self.place / "actions"
        shutil.copytree(ROOT / ".ci", self.actions / ".ci")
        for name in ("action.yml", "comment/action.yml"):
            (self.actions / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.actions / name)
        self.known = {
            "github.event.pull_request.base.sha": git(folder, "rev-parse", "HEAD").strip(),
            "github.event.pull_request.number": "7",
            "github.token": "secret",
            "github.server_url": f"http://127.0.0.1:{server.server_port}",
            "github.action_repository": "me/plait",
        }
        self.address = f"http://127.0.0.1:{server.server_port}"
        for name in ("path", "summary", "output"):
            (self.place / name).touch()

    def release(self) -> None:
        """Publish a single file, here one that calls this checkout, and write down its digest."""
        Api.files[f"/me/plait/releases/download/v{__version__}/{SINGLE_FILE}"] = PROGRAM
        line = f"{hashlib.sha256(PROGRAM).hexdigest()}  {SINGLE_FILE}\n"
        with (self.actions / ".ci" / "digests").open("a") as file:
            file.write(line)

    def run(self, given: dict[str, str] | None = None, action: str = ".") -> tuple[int, str]:
        """Run the steps of an action, up to the first that fails. Return its status, and what all of them print."""
        declared = yaml.safe_load((self.actions / action / "action.yml").read_text(encoding="utf-8"))
        known = dict(self.known)
        for name, entry in declared["inputs"].items():
            known[f"inputs.{name}"] = (given or {}).get(name, self.filled(str(entry.get("default", "")), known))
        said = ""
        for step in declared["runs"]["steps"]:
            added = (self.place / "path").read_text().split()
            words = {
                "PATH": ":".join([*reversed(added), str(self.place / "bin"), os.environ["PATH"]]),
                "GITHUB_ACTION_PATH": str(self.actions / action),
                "RUNNER_TEMP": str(self.place),
                "GITHUB_PATH": str(self.place / "path"),
                "GITHUB_STEP_SUMMARY": str(self.place / "summary"),
                "GITHUB_OUTPUT": str(self.place / "output"),
                "GITHUB_API_URL": self.address,
                "GITHUB_REPOSITORY": "o/r",
                "NO_PROXY": "127.0.0.1",
            }
            words |= {name: self.filled(text, known) for name, text in step["env"].items()}
            argv = [step["shell"], "-c", step["run"]]
            done = subprocess.run(argv, cwd=self.folder, env=words, capture_output=True, text=True, check=False)
            said += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, said
        return 0, said

    @staticmethod
    def filled(text: str, known: dict[str, str]) -> str:
        return EXPRESSION.sub(lambda found: known[found[1]], text)

    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.place / "output").read_text().splitlines())


@pytest.fixture
def runner(folder: Path, server: HTTPServer) -> Runner:
    return Runner(folder, server)


def test_the_steps_of_the_action(runner: Runner) -> None:
    """With a token that may write: the single file of the release, a report everywhere, and the outputs."""
    (runner.place / "bin" / "plait").unlink()
    runner.release()
    (runner.folder / "a.yaml").write_text("x: 2\n")
    status, said = runner.run()
    assert status == 0, said
    assert (runner.place / "plait" / "plait").exists()
    check_comment(2)
    outputs = runner.outputs()
    assert (outputs["status"], outputs["changed"]) == ("0", "true")
    report = Path(outputs["report"]).read_text()
    assert report.startswith("## plait review: 1 value changes")
    assert (runner.place / "summary").read_text() == report
    assert "::notice file=a.yaml,line=1::" in said


def test_a_token_that_only_reads_is_a_warning(runner: Runner) -> None:
    """A pull request from a fork: the report is in the summary and at the lines; the status is that of the review."""
    runner.release()
    Api.reads_only = True
    (runner.folder / "a.yaml").write_text("x: 2\n")
    status, said = runner.run()
    assert status == 0, said
    assert "::warning title=plait review::the report is in the summary of this job, and not in a comment: " in said
    assert "403" in said
    assert "secret" not in said
    assert said.index("::notice file=a.yaml") < said.index("::warning title=plait review")
    assert "1 value changes" in (runner.place / "summary").read_text()
    assert runner.outputs()["changed"] == "true"
    assert Api.comments == []


@pytest.mark.parametrize("reads_only", [False, True])
def test_the_step_ends_with_the_status_of_the_review(runner: Runner, reads_only: bool) -> None:
    runner.release()
    Api.reads_only = reads_only
    with (runner.folder / "plait.yaml").open("a") as file:
        file.write("review: {protect: [x]}\n")
    git(runner.folder, "add", "-A")
    git(runner.folder, "commit", "-qm", "protected")
    runner.known["github.event.pull_request.base.sha"] = git(runner.folder, "rev-parse", "HEAD").strip()
    (runner.folder / "a.yaml").write_text("x: 2\n")
    assert runner.run()[0] == 1
    assert runner.outputs()["status"] == "1"


def test_nothing_that_changes_is_told(runner: Runner) -> None:
    runner.release()
    (runner.folder / "a.yaml").write_text("x: 1  # why\n")
    assert runner.run()[0] == 0
    assert runner.outputs()["changed"] == "false"


def test_targets_and_arguments_are_words_between_blanks(runner: Runner) -> None:
    runner.release()
    (runner.folder / "b.yaml").write_text("y: 1\n")
    (runner.folder / "plait.yaml").write_text(
        "targets: [{name: a, layers: [a.yaml]}, {name: b, layers: [b.yaml]}, {name: c, layers: [b.yaml]}]\n"
    )
    git(runner.folder, "add", "-A")
    git(runner.folder, "commit", "-qm", "three")
    runner.known["github.event.pull_request.base.sha"] = git(runner.folder, "rev-parse", "HEAD").strip()
    (runner.folder / "a.yaml").write_text("x: 2\n")
    (runner.folder / "b.yaml").write_text("y: 2\n")
    status, said = runner.run({"targets": " b\n a ", "arguments": "--proofs  5 --full"})
    assert status == 0, said
    report = (runner.place / "summary").read_text()
    assert "2 values change in 2 of 2 targets" in report
    assert runner.run({"arguments": "* --no-such-option"})[0] == 2


@pytest.mark.parametrize("wrong", ["no line", "another digest"])
def test_without_a_known_digest_plait_is_installed_with_pip(runner: Runner, wrong: str) -> None:
    if wrong == "another digest":
        runner.release()
        digests = runner.actions / ".ci" / "digests"
        digests.write_text(digests.read_text().replace(hashlib.sha256(PROGRAM).hexdigest(), "0" * 64))
    pip = runner.place / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\necho "$@" > {runner.place}/installed\n')
    pip.chmod(0o755)
    (runner.folder / "a.yaml").write_text("x: 2\n")
    status, said = runner.run()
    assert status == 0, said
    assert (runner.place / "installed").read_text().split()[-1] == f"plait=={__version__}"
    assert not (runner.place / "plait" / "plait").exists()
    check_comment(2)


def test_the_file_of_a_private_release_is_read_with_the_token(runner: Runner) -> None:
    runner.release()
    Api.asks = True
    (runner.folder / "a.yaml").write_text("x: 2\n")
    assert runner.run()[0] == 0
    assert (runner.place / "plait" / "plait").exists()


def test_another_workflow_comments_for_a_fork(runner: Runner) -> None:
    """The second of the two workflows: the report is a file, and nothing is reviewed."""
    report = runner.place / "report.md"
    report.write_text("## plait review: 1 value changes in 1 of 1 target\n\n`x: 1 -> 4`\n")
    status, said = runner.run({"report": str(report), "pull-request": "7"}, "comment")
    assert status == 0, said
    check_comment(4)
    assert (runner.place / "output").read_text() == ""


def test_a_link_is_not_written_through(runner: Runner) -> None:
    runner.release()
    (runner.place / "summary").unlink()
    (runner.place / "elsewhere").touch()
    (runner.place / "summary").symlink_to(runner.place / "elsewhere")
    (runner.folder / "a.yaml").write_text("x: 2\n")
    assert runner.run()[0] == 0
    assert (runner.place / "elsewhere").read_text() == ""
