"""What somebody at a terminal sees of a slow answer: what is waited for, then nothing of it.

Elsewhere nothing at all.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from plait.apps.cli.console import Progress
from tests.outside.project import PLAIT, Repository
from tests.outside.servers import Web


def slow(folder: Path, web: Web) -> Repository:
    web.slow = 1.6
    web.pages.append(lambda request: (200, {}, b'{"data": {"data": {"value": "x"}}}'))
    config = f"stores: {{v: {{type: vault, options: {{url: 'http://127.0.0.1:{web.port}', token: t}}}}}}\n"
    made = Repository(folder / "repo", config)
    made.stack("dev", "components: {terraform: {a: {vars: {one: !store.get v k, two: !store.get v l}}}}\n")
    return made


def on_a_terminal(repository: Repository, *words: str) -> tuple[str, str]:
    """What a command prints on a pipe, and what it says on a terminal."""
    ours, theirs = os.openpty()
    env = {**os.environ, "PLAIT_ALLOW": "network", "ATMOS_GIT_ROOT_BASEPATH": "false", "TERM": "xterm"}
    process = subprocess.Popen(
        [*PLAIT, *words],
        cwd=repository.folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=theirs,
        stdin=subprocess.DEVNULL,
    )
    os.close(theirs)
    told = bytearray()
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        told += data
    os.close(ours)
    assert process.stdout is not None
    printed = process.stdout.read().decode()
    assert process.wait(30) == 0
    return printed, told.decode()


def test_progress_on_a_terminal(tmp_path: Path, web: Web) -> None:
    repository = slow(tmp_path, web)
    printed, told = on_a_terminal(
        repository, "describe", "component", "a", "-s", "dev", "-f", "json", "-q", ".vars.one"
    )
    assert printed == '"x"\n'
    assert "\r\x1b[Kwaiting for the store `v` (0 of 2 answers)" in told
    assert told.endswith("\r\x1b[K"), "the line is cleared in the end"
    assert "\n" not in told


def test_no_progress_elsewhere(tmp_path: Path, web: Web) -> None:
    said = slow(tmp_path, web).plait("describe", "component", "a", "-s", "dev", "-q", ".vars.one")
    assert (said.out, said.err) == ("x\n", "")


def test_what_is_quick_is_not_told(tmp_path: Path, web: Web) -> None:
    repository = slow(tmp_path, web)
    web.slow = 0.0
    began = time.monotonic()
    printed, told = on_a_terminal(
        repository, "describe", "component", "a", "-s", "dev", "-f", "json", "-q", ".vars.one"
    )
    was_quick = time.monotonic() - began < Progress.PATIENCE  # on a busy machine nothing is
    assert (printed, told if was_quick else "") == ('"x"\n', "")
