"""Names that a repository chooses, completed in real shells: TAB and Enter run nothing of them."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from plait.apps.cli.candidates import candidates
from tests.cases import PLAIT, environment

HOSTILE = [
    "pro;touch ran;",
    "pro$(touch ran)",
    "pro`touch ran`",
    "pro'\";touch ran;#",
    "pro x&touch ran&",
    "pro|touch ran",
]
UNSEEN = ["pro\x1b]0;owned\x07", "pro\ntouch ran\n", "pro\u202eabc", "pro\tx"]
STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='ready> '; source <(plait completion bash)\r"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "PS1='ready> '; autoload -Uz compinit; compinit -u -d $HOME/zc; source <(plait completion zsh)\r",
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        "function fish_prompt; echo 'ready> '; end; plait completion fish | source\r",
    ),
}


PROGRAM = f"""#!/bin/sh
[ "$1" = completion ] && exec {sys.executable} -c {shlex.quote(PLAIT[2])} "$@"
printf %s "$3" > asked
"""
"""plait for what TAB asks; what Enter runs only keeps the name that reached it."""


class Shell:
    """A shell on a terminal, as somebody types into it."""

    def __init__(self, name: str, top: Path) -> None:
        words, self.setup = STARTS[name]
        self.top = top
        env = {**environment(top), "HOME": str(top), "TERM": "dumb", "PATH": f"{top}/bin:{os.environ['PATH']}"}
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(top)
            os.execvpe(words[0], words, env)

    def type(self, text: str, until: str, seconds: float = 20) -> str:
        """Type something, and wait until the shell has said something and is quiet."""
        os.write(self.handle, text.encode())
        shown, end, quiet = b"", time.monotonic() + seconds, time.monotonic()
        while time.monotonic() < end:
            if select.select([self.handle], [], [], 0.05)[0]:
                shown += os.read(self.handle, 65536)
                quiet = time.monotonic()
            elif until.encode() in shown and time.monotonic() - quiet > 0.3:
                break
        return shown.decode("utf-8", "replace")

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.handle)


NAMES = ["plain-name", *(f"{letter}{name}" for letter, name in zip("abcdefg", HOSTILE, strict=False))]


def started(name: str, top: Path) -> Shell:
    """A shell in a folder whose targets have such names."""
    (top / "bin").mkdir(parents=True)
    (top / "bin/plait").write_text(PROGRAM)
    (top / "bin/plait").chmod(0o755)
    targets = [{"name": name, "layers": ["a.yaml"]} for name in NAMES]
    (top / "plait.yaml").write_text(json.dumps({"targets": targets}))
    (top / "a.yaml").write_text("a: 1\n")
    return Shell(name, top)


def typed(shell: Shell) -> list[str]:
    """What is wrong after every name was completed and run in a shell."""
    top, wrong = shell.top, []
    try:
        shell.type("", "")
        shell.type(shell.setup, "ready> ")
        for one in NAMES:
            shown = shell.type(f"plait review --target {one[:3]}\t", "name" if one == NAMES[0] else "touch")
            if one.partition("touch")[0][-5:] not in shown.replace("\\", ""):
                wrong.append(f"{one!r} is not offered: this shows nothing")
            shell.type("\r", "ready> ")
            if (top / "ran").exists():
                wrong.append(f"{one!r} ran something")
            if (top / "asked").read_text() != one:
                wrong.append(f"{one!r} did not reach the command")
    finally:
        shell.close()
    return wrong


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[list[str]]]]:
    """What happened in each shell. Most of the time is waiting until one is quiet: all of them wait together."""
    installed = [name for name in STARTS if shutil.which(name) is not None]
    made = {name: started(name, tmp_path_factory.mktemp("shell") / name) for name in installed}
    with ThreadPoolExecutor(len(STARTS)) as pool:
        yield {name: pool.submit(typed, shell) for name, shell in made.items()}


@pytest.mark.parametrize("name", STARTS)
def test_tab_and_enter_run_nothing(name: str, shells: dict[str, Future[list[str]]]) -> None:
    if name not in shells:
        pytest.skip(f"needs {name}: make services")
    assert shells[name].result() == []


def test_names_that_a_terminal_would_obey_are_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    targets = [{"name": name, "layers": ["a.yaml"]} for name in (*UNSEEN, "--allow=exec", "fine", *HOSTILE)]
    (tmp_path / "plait.yaml").write_text(json.dumps({"targets": targets}))
    (tmp_path / "a.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    offered = [word.partition("\t")[0] for word in candidates(["plait", "review", "--target", ""])]
    assert set(offered) == {"fine", *HOSTILE}
