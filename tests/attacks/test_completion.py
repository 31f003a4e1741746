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
        words, setup = STARTS[name]
        env = {**environment(top), "HOME": str(top), "TERM": "dumb", "PATH": f"{top}/bin:{os.environ['PATH']}"}
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.chdir(top)
            os.execvpe(words[0], words, env)
        self.type("", "")
        self.type(setup, "ready> ")

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


@pytest.fixture(params=STARTS)
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shell]:
    if shutil.which(request.param) is None:
        pytest.skip(f"needs {request.param}: make services")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/plait").write_text(PROGRAM)
    (tmp_path / "bin/plait").chmod(0o755)
    made = Shell(request.param, tmp_path)
    yield made
    made.close()


def test_tab_and_enter_run_nothing(shell: Shell, tmp_path: Path) -> None:
    names = ["plain-name", *(f"{letter}{name}" for letter, name in zip("abcdefg", HOSTILE, strict=False))]
    targets = [{"name": name, "layers": ["a.yaml"]} for name in names]
    (tmp_path / "plait.yaml").write_text(json.dumps({"targets": targets}))
    (tmp_path / "a.yaml").write_text("a: 1\n")
    for name in names:
        shown = shell.type(f"plait review --target {name[:3]}\t", "name" if name == names[0] else "touch")
        assert name.partition("touch")[0][-5:] in shown.replace("\\", ""), (
            f"{name!r} is not offered: this shows nothing"
        )
        shell.type("\r", "ready> ")
        assert not (tmp_path / "ran").exists(), name
        assert (tmp_path / "asked").read_text() == name


def test_names_that_a_terminal_would_obey_are_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    targets = [{"name": name, "layers": ["a.yaml"]} for name in (*UNSEEN, "--allow=exec", "fine", *HOSTILE)]
    (tmp_path / "plait.yaml").write_text(json.dumps({"targets": targets}))
    (tmp_path / "a.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    offered = [word.partition("\t")[0] for word in candidates(["plait", "review", "--target", ""])]
    assert set(offered) == {"fine", *HOSTILE}
