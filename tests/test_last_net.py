"""Whatever happens, a user gets one clear answer and never a traceback."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.access.process import SHARE, OutOfTime, Timer, bug_report, limit_memory
from plait.apps.cli.command import Command
from plait.apps.cli.console import Console
from plait.apps.cli.namespace import Namespace
from plait.apps.cli.run import execute, run

PROGRAM = [sys.executable, "-c", "from plait.__main__ import run; run()"]


def ended(fail: Callable[[], object]) -> tuple[int, str]:
    """How a command ends that fails in some way, and what is said about it."""
    out, err = io.StringIO(), io.StringIO()
    command = Command("merge", "", (), lambda args, console: int(bool(fail())))
    status = execute(command, Namespace({"format": "yaml", "max_seconds": None, "verbose": False}), Console(out, err))
    assert out.getvalue() == ""
    return status, err.getvalue()


def raising(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (MemoryError(), 1, "error PL5010: not enough memory"),
        (OutOfTime(), 1, "error PL5005: the time limit of 60 s is exceeded"),
        (OSError(5, "Input/output error", "infra/a.yaml"), 1, "`infra/a.yaml`: Input/output error"),
        (OSError(18, "Invalid cross-device link", "a", None, "b"), 1, "`a and b`: Invalid cross-device link"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
)
def test_every_way_to_end(error: BaseException, status: int, said: str) -> None:
    found, text = ended(raising(error))
    assert (found, said in text) == (status, True), text
    assert "Traceback" not in text


def test_the_timer_counts_what_is_computed() -> None:
    def forever() -> None:
        while True:
            pass

    with pytest.raises(OutOfTime), Timer(0.05):
        forever()
    with Timer(0.05):
        Path(os.devnull).read_bytes()
    sum(range(10**7))  # the timer is off


BUG = """
import sys, plait.apps.cli.run as cli
def fail(words):
    secret = "TOPSECRET"
    {body}
cli.find = fail
sys.argv = ["plait", "get", "--set", "password=TOPSECRET"]
from plait.__main__ import run
run()
"""


@pytest.mark.parametrize("body", ["raise KeyError(secret)", "fail(words)", "assert not secret, secret"])
def test_a_bug_is_one_line_and_a_report_without_data(tmp_path: Path, body: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUG.format(body=body)],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 70
    assert re.fullmatch(
        r"plait: this is a bug in plait \(\w+ in \S+\); please report it; \S+ describes it "
        r"without any of your data\n",
        done.stderr,
    ), done.stderr
    (report,) = tmp_path.iterdir()
    assert report.stat().st_mode & 0o777 == 0o600
    text = report.read_text()
    assert "TOPSECRET" not in text
    assert "apps/cli/run.py" in text
    assert "command: get" in text
    assert len(text.splitlines()) < 80


def test_a_report_names_places_of_ours_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    try:
        {}["TOPSECRET"]
    except KeyError as error:
        what, _ = bug_report(error, "get", "1")
    assert what == "KeyError in unknown place"


STREAMS = {
    "standard output is closed": ("merge a.yaml >&-", 1, "standard output"),
    "standard input is closed": ("merge - <&-", 1, "standard input"),
    "standard error is closed": ("merge a.yaml 2>&-", 0, ""),
    "all are closed": ("merge a.yaml <&- >&- 2>&-", 1, ""),
    "help with a closed output": ("--help >&-", 1, "standard output"),
    "a full disk": ("merge a.yaml > /dev/full", 1, "No space left"),
    "nobody reads": ("merge a.yaml | true", 0, ""),
    "a document below the first": ("get a.yaml a --document -1", 2, "`-1` is not a whole number above 0"),
    "a number of many digits": (f"merge a.yaml --max-steps {'9' * 5000}", 2, "is not a whole number above 0"),
}


@pytest.mark.parametrize(("words", "status", "said"), STREAMS.values(), ids=STREAMS)
def test_streams(tmp_path: Path, words: str, status: int, said: str) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    program = " ".join(f"'{word}'" for word in PROGRAM)
    done = subprocess.run(
        ["/bin/sh", "-c", f"{program} {words}"], cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (status, True, False), done.stderr


def test_an_output_that_knows_only_ascii(tmp_path: Path) -> None:
    """YAML is UTF-8, whatever the terminal is."""
    (tmp_path / "a.yaml").write_text("a: é 日本\n", encoding="utf-8")
    done = subprocess.run(
        [*PROGRAM, "merge", "a.yaml"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
    )
    assert (done.returncode, done.stdout.decode()) == (0, "a: é 日本\n")


STACKS = {
    "atmos.yaml": 'base_path: .\nstacks: {base_path: stacks, included_paths: ["**/*"], name_pattern: "{stage}"}\n'
    "templates: {settings: {enabled: true}}\n",
    "stacks/dev.yaml": "vars: {stage: dev, a: banana}\ncomponents: {terraform: {c: {}}}\n",
}
A_KEY = {**STACKS, "stacks/dev.yaml": "locals: {y: 1}\nv{{ .locals.y }}ars: {a: 1}\n" + STACKS["stacks/dev.yaml"]}
LONG = "9" * 5_000
KNOWN: dict[str, tuple[dict[str, str], list[str], int, str]] = {
    "a key with a template": (A_KEY, ["describe", "stacks"], 0, "stage: dev"),
    "sub with a group that is not there": (
        STACKS,
        ["describe", "stacks", "-q", '.dev.components.terraform.c.vars.a | sub("a", "$9")'],
        0,
        "bnn",
    ),
    "3,000 alternatives": (STACKS, ["describe", "stacks", "-q", " // ".join(["1"] * 3_000)], 0, "1"),
    "a large power": ({"a.yaml": "a: {eval: {pow: [10, 1000000]}}\n"}, ["query", "::a", "a.yaml"], 1, "PL5009"),
    "a long integer in dynaml": ({"a.yml": f"x: (( {LONG} + 1 ))\n"}, ["spiff", "merge", "a.yml"], 1, "unparseable"),
    "an infinite number in Jinja": ({"a.yaml": 'a: "{{ 1e400 }}"\n'}, ["query", "::a", "a.yaml"], 1, "too large"),
    "a negative length": ({"a.yaml": "a: \"{{ 'abc' | truncate(-5) }}\"\n"}, ["query", "::a", "a.yaml"], 1, "truncate"),
    "a range the wrong way round": (
        {"a.yaml": "a: {eval: {to_label: abc, allowed: z-a}}\n"},
        ["query", "::a", "a.yaml"],
        1,
        "not a range",
    ),
    "a document before the first": ({"a.yaml": "a: 1\n"}, ["get", "a.yaml", "a", "--document", "-1"], 2, "--document"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_once_was_a_traceback(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are above (closed and narrow streams) and in tests/yaml/test_writer.py (a malformed journal)."""
    files, words, status, said = KNOWN[name]
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run(words) == status
    shown = capsys.readouterr()
    assert said in shown.out + shown.err


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
def test_a_command_may_take_a_share_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less where it was given less; what it may raise its limit to stays."""
    import resource

    most = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * SHARE)
    endless, given = resource.RLIM_INFINITY, []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: given.append((kind, *limits)))
    for soft, expected in ((endless, most), (most + 1, most), (most, None), (1000, None)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, endless))
        given.clear()
        limit_memory()
        assert given == ([(resource.RLIMIT_DATA, expected, endless)] if expected else [])
