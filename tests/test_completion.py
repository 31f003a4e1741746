"""Completion in real shells, and the words that it offers: from the declarations and from the project."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plait.apps.cli.candidates import candidates
from plait.apps.cli.commands import COMMANDS
from plait.apps.cli.completion import SHELLS
from tests.cases import PLAIT, environment

ROOT = Path(__file__).parents[1]


def offered(line: str) -> list[str]:
    """The words that a line can go on with; it ends with a space where a new word begins."""
    return [word.partition("\t")[0] for word in candidates(line.split(" "))]


@pytest.fixture
def layers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "layers", tmp_path / "layers")
    monkeypatch.chdir(tmp_path / "layers")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "layers"


def test_commands_and_flags() -> None:
    assert "explain" in offered("plait exp")
    assert offered("plait desc") == ["describe"]
    assert "stacks" in offered("plait describe ")
    assert "component" in offered("plait explain ")
    assert offered("plait merge --no-c") == ["--no-cache"]
    assert {name.split()[0] for name in COMMANDS} <= set(offered("plait "))
    assert candidates(["plait", "merge", "--no-c"])[0] == "--no-cache\tdo not read or write the cache"


def test_values_of_options() -> None:
    assert offered("plait merge a.yaml --format ") == ["yaml", "json"]
    assert offered("plait merge --profile h") == ["helm", "hydra"]
    assert offered("plait merge --format=j") == ["--format=json"]
    assert "exec" in offered("plait merge a.yaml --allow ")
    assert offered("plait merge -o ") == [":files"]
    assert offered("plait merge ") == [":files"]


def test_paths_of_files(layers: Path) -> None:
    assert offered("plait get base.yaml vars.re") == ["vars.region", "vars.replicas"]
    assert "vars" in offered("plait explain ")
    assert "vars.network.cidr" in offered("plait merge base.yaml prod.yaml --path vars.network.")
    assert "vars.replicas=" in offered("plait merge base.yaml --set vars.rep")
    assert offered("plait set base.yaml vars.rep") == ["vars.replicas"]
    assert offered("plait set base.yaml vars.replicas ") == []
    assert offered("plait unset base.yaml nowhere.") == []


def test_stacks_components_patterns_targets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(ROOT / "examples" / "stacks", tmp_path / "stacks")
    monkeypatch.chdir(tmp_path / "stacks")
    assert offered("plait describe component -s ") == ["ue1-dev", "ue1-prod"]
    assert offered("plait describe component w") == ["web"]
    assert "vars.limits" in offered("plait explain component web -s ue1-prod vars.")
    assert "web-service" in offered("plait create w")
    assert offered("plait review --target ue1-p") == ["ue1-prod"]


def test_help_and_schemas() -> None:
    assert "layers" in offered("plait help lay")
    assert "PL2101" in offered("plait help PL21")
    assert "explain" in offered("plait schema exp")
    assert offered("plait completion ") == ["bash", "zsh", "fish", "powershell"]


# Real shells


@pytest.fixture
def shell_folder(layers: Path, tmp_path: Path) -> Path:
    """A folder with a `plait` on the path."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "plait").write_text(f"#!{sys.executable}\n{PLAIT[2]}\n")
    (tools / "plait").chmod(0o755)
    for shell, script in SHELLS.items():
        (tmp_path / f"plait.{shell}").write_text(script)
    return tmp_path


def in_shell(folder: Path, *argv: str) -> list[str]:
    if shutil.which(argv[0]) is None:
        pytest.skip(f"needs {argv[0]}: make services")
    env = environment(folder / "layers")
    env["PATH"] = f"{folder / 'bin'}{os.pathsep}{env['PATH']}"
    done = subprocess.run(argv, cwd=folder / "layers", env=env, capture_output=True, text=True, timeout=120)
    return done.stdout.split("\n")


def test_bash(shell_folder: Path) -> None:
    def completed(line: str) -> str:
        words = f'COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; _plait; echo "${{COMPREPLY[*]}}"'
        return in_shell(shell_folder, "bash", "-c", f". ../plait.bash; {words}")[0]

    assert completed("plait merge --no-c") == "--no-cache"
    assert completed("plait get base.yaml vars.re") == "vars.region vars.replicas"
    assert completed("plait merge base.yaml --set=vars.rep") == "vars.replicas="
    assert set(completed("plait merge ").split()) >= {"base.yaml", "prod.yaml"}


def test_fish(shell_folder: Path) -> None:
    def completed(line: str) -> list[str]:
        shown = in_shell(shell_folder, "fish", "--no-config", "-c", f"source ../plait.fish; complete -C '{line}'")
        return [one.partition("\t")[0] for one in shown if one]

    assert completed("plait merge --no-c") == ["--no-cache"]
    assert completed("plait get base.yaml vars.re") == ["vars.region", "vars.replicas"]
    assert {"base.yaml", "prod.yaml"} <= set(completed("plait merge "))


def test_powershell_text() -> None:
    """PowerShell is on few machines: its script is read by a parser of its language, where that is installed."""
    language = pytest.importorskip("tree_sitter_powershell", reason="needs tree-sitter-powershell: make services")
    tree_sitter = pytest.importorskip("tree_sitter", reason="needs tree-sitter: make services")
    parser = tree_sitter.Parser(tree_sitter.Language(language.language()))
    assert not parser.parse(SHELLS["powershell"].encode()).root_node.has_error
    assert parser.parse(SHELLS["powershell"].replace("}", "", 1).encode()).root_node.has_error


def test_powershell(shell_folder: Path) -> None:
    def completed(line: str) -> list[str]:
        shown = f"(TabExpansion2 '{line}' {len(line)}).CompletionMatches.CompletionText"
        ask = f". ../plait.powershell.ps1; {shown}"
        return [one for one in in_shell(shell_folder, "pwsh", "-NoProfile", "-Command", ask) if one]

    (shell_folder / "plait.powershell.ps1").write_text(SHELLS["powershell"])
    assert completed("plait merge --no-c") == ["--no-cache"]
    assert completed("plait get base.yaml vars.re") == ["vars.region", "vars.replicas"]


ZSH = r"""
unsetopt prompt_cr prompt_sp; PROMPT= RPROMPT=
autoload -Uz compinit; compinit -u -D
. ../plait.zsh
setopt menu_complete
show() { print -r -- "<<$BUFFER>>"; BUFFER= }
zle -N show; bindkey '^X' show
print ready
"""


class Zsh:
    """A zsh on a terminal of its own, as somebody types into it."""

    def __init__(self, folder: Path) -> None:
        env = {**environment(folder / "layers"), "TERM": "dumb"}
        env["PATH"] = f"{folder / 'bin'}{os.pathsep}{env['PATH']}"
        (folder / "setup.zsh").write_text(ZSH)
        ours, theirs = pty.openpty()
        self.shell = subprocess.Popen(
            ["zsh", "-f", "-i"], cwd=folder / "layers", env=env, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self.terminal, self.seen = ours, ""
        self.type(". ../setup.zsh\n")
        self.until("ready\r")

    def type(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def until(self, end: str) -> str:
        """What the terminal shows up to an end, which is waited for."""
        while end not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], 120)
            assert ready, f"{end!r} does not come after {self.seen!r}"
            self.seen += os.read(self.terminal, 4096).decode(errors="replace")
        before, _, self.seen = self.seen.partition(end)
        return before

    def completed(self, line: str, tabs: int = 1) -> str:
        """The line after some presses of the tab key."""
        self.type(line + "\t" * tabs + "\x18")
        self.until("<<")
        return self.until(">>")

    def close(self) -> None:
        self.shell.kill()
        self.shell.wait()
        os.close(self.terminal)


@pytest.fixture
def zsh(shell_folder: Path) -> Iterator[Zsh]:
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh: make services")
    shell = Zsh(shell_folder)
    yield shell
    shell.close()


def test_zsh(zsh: Zsh) -> None:
    assert zsh.completed("plait merge --no-c") == "plait merge --no-cache "
    assert zsh.completed("plait get base.yaml vars.re") == "plait get base.yaml vars.region"
    assert zsh.completed("plait get base.yaml vars.re", 2) == "plait get base.yaml vars.replicas"
    assert zsh.completed("plait merge base.yaml --set vars.rep") == "plait merge base.yaml --set vars.replicas="
    assert zsh.completed("plait merge --format=j") == "plait merge --format=json "
    assert zsh.completed("plait merge ba") == "plait merge base.yaml "
