"""The promises of docs/safety.md: a cloned repository is hostile, and with nothing allowed it gets nothing."""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plait.access.door import Door
from plait.access.owners import trusted_owners
from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from tests.outside.project import git

HERE = Path(__file__).parents[1]
ATTACKS = HERE.parent / "shared" / "attacks"
CONFIG = 'base_path: .\nstacks: {base_path: stacks, included_paths: ["deploy/**/*"], name_pattern: "{stage}"}\n'
STACK = "vars: {stage: dev}\ncomponents: {terraform: {vpc: {}}}\n"


class Clone:
    """A cloned repository beside a folder that is none of its business, and a user with an empty home."""

    def __init__(self, base: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture
        self.out = base / "out"
        self.root = base / "repo"
        for folder in (self.out, self.root / "stacks/deploy", base / "home"):
            folder.mkdir(parents=True)
        (self.out / "s.yaml").write_text("vars: {stolen: TOPSECRET, stage: out}\ncomponents: {terraform: {vpc: {}}}\n")
        (self.out / "shadow").write_text("TOPSECRET: x: y\n")
        (self.out / "plain.txt").write_text("TOPSECRET\n")
        git(self.root, "init", "-q")
        self.write("atmos.yaml", CONFIG)
        self.write("stacks/deploy/dev.yaml", STACK)

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def link(self, name: str, to: Path | str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).symlink_to(to)

    def plait(self, *words: str) -> tuple[int, str, str]:
        """How a command ends, and what it prints."""
        self.capture.readouterr()
        try:
            status = main(list(words))
        finally:
            gc.enable()
        out, err = self.capture.readouterr()
        return status, out, err

    def refused(self, *words: str) -> str:
        """What is said when something is refused; no line of the outside is shown."""
        status, out, err = self.plait(*words)
        assert status == 1, out + err
        assert "TOPSECRET" not in out + err
        return err


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Clone:
    home = tmp_path / "home"
    for name in [name for name in os.environ if name.startswith(("ATMOS_", "PLAIT_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for kind in ("CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    made = Clone(tmp_path, capsys)
    monkeypatch.chdir(made.root)
    return made


# The promises

PROMISES = re.findall(r"^\| (.+) \| `(.+)::(.+)` \|$", (HERE / "docs/safety.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("promise", "file", "name"), PROMISES, ids=[row[0] for row in PROMISES])
def test_every_promise_has_its_test(promise: str, file: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (HERE / file).read_text(), re.MULTILINE), promise


def test_there_are_promises() -> None:
    assert len(PROMISES) > 35


# Nothing outside the root is read

DESCRIBE = ("describe", "stacks")
VPC = ("describe", "component", "vpc", "-s", "dev")


def dev(text: str) -> Callable[[Clone], object]:
    return lambda clone: clone.write("stacks/deploy/dev.yaml", text.replace("$OUT", str(clone.out)))


def config(more: str) -> Callable[[Clone], object]:
    return lambda clone: clone.write("atmos.yaml", CONFIG + more.replace("$OUT", str(clone.out)))


WAYS: dict[str, tuple[Callable[[Clone], object], tuple[str, ...]]] = {
    "a linked manifest": (lambda clone: clone.link("stacks/deploy/s.yaml", clone.out / "s.yaml"), DESCRIBE),
    "a linked folder of manifests": (lambda clone: clone.link("stacks/deploy/d", clone.out), DESCRIBE),
    "a link to a link": (
        lambda clone: (clone.link("a", clone.out / "s.yaml"), clone.link("stacks/deploy/s.yaml", "../../a")),
        DESCRIBE,
    ),
    "an import of a link": (
        lambda clone: (
            clone.link("stacks/l.yaml", clone.out / "s.yaml"),
            clone.write("stacks/deploy/dev.yaml", "import: [l]\n" + STACK),
        ),
        VPC,
    ),
    "stacks.base_path": (
        lambda clone: clone.write("atmos.yaml", CONFIG.replace("path: stacks", "path: ../out").replace("deploy/", "")),
        DESCRIBE,
    ),
    "import of a configuration": (config('import: ["../out/s.yaml"]\n'), ("describe", "config")),
    "a linked .atmos.d": (lambda clone: clone.link(".atmos.d", "../out"), ("describe", "config")),
    "profiles.base_path": (config("profiles: {base_path: ..}\n"), ("describe", "config", "--profile", "out")),
    "a linked plait.yaml": (
        lambda clone: (clone.link("plait.yaml", "../out/shadow"), clone.write("a.yaml", "a: 1\n")),
        ("merge", "a.yaml"),
    ),
    "!include": (dev(STACK.replace("dev}", "dev, x: !include $OUT/s.yaml}")), VPC),
    "!include of a repository": (dev(STACK.replace("dev}", "dev, x: !include 'git::file://x$OUT//s.yaml'}")), VPC),
    "!include of a file address": (dev(STACK.replace("dev}", "dev, x: !include 'file://$OUT/s.yaml'}")), VPC),
    "a schema": (config("schemas: {atmos: {manifest: ../out/shadow}}\n"), ("validate", "stacks")),
    "a layer's !include": (lambda clone: clone.write("a.yaml", "a: !include ../out/s.yaml\n"), ("merge", "a.yaml")),
    "a layer's linked !include": (
        lambda clone: (clone.link("l.yaml", clone.out / "s.yaml"), clone.write("a.yaml", "a: !include l.yaml\n")),
        ("merge", "a.yaml"),
    ),
    "a layer's !include in a linked folder": (
        lambda clone: (clone.link("l", clone.out), clone.write("a.yaml", "a: !include l/s.yaml\n")),
        ("merge", "a.yaml"),
    ),
    "a pattern's template": (
        lambda clone: clone.write(
            "patterns/e/pattern.yaml", 'name: e\nversion: "1"\nfiles: {o.yaml: ../../../out/s.yaml}\n'
        ),
        ("create", "e", "--dry-run"),
    ),
    "a directive": (lambda clone: clone.write("d.yaml", "+include: ../out/s.yaml\n"), ("expand", "d.yaml")),
}


@pytest.mark.parametrize(("prepare", "words"), WAYS.values(), ids=WAYS)
def test_nothing_outside_the_root_is_read(
    clone: Clone, prepare: Callable[[Clone], object], words: tuple[str, ...]
) -> None:
    prepare(clone)
    status, out, err = clone.plait(*words)
    assert "TOPSECRET" not in out + err
    assert status != 70, err


def test_a_git_folder_that_came_with_an_archive_names_no_file(clone: Clone) -> None:
    clone.write("stacks/deploy/dev.yaml", STACK.replace("dev}", "dev, x: !git.sha none, y: !git.branch none}"))
    for head in (f"ref: {clone.out}/plain.txt", "ref: refs/../../../out/plain.txt", "TOPSECRET"):
        (clone.root / ".git/HEAD").write_text(head + "\n")
        assert "TOPSECRET" not in "".join(clone.plait(*VPC)[1:])
    (clone.root / ".git/HEAD").unlink()
    (clone.root / ".git/HEAD").symlink_to(clone.out / "plain.txt")
    assert "TOPSECRET" not in "".join(clone.plait(*VPC)[1:])


def test_a_git_folder_elsewhere_must_point_back(clone: Clone, tmp_path: Path) -> None:
    """A worktree and a submodule have theirs elsewhere, and it says so; the private repository next door does not."""
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    clone.write("stacks/deploy/dev.yaml", STACK.replace("dev}", "dev, x: !git.url none}"))
    git(clone.out, "init", "-q")
    git(clone.out, "remote", "add", "origin", "https://TOPSECRET@host/o/n.git")
    os.rename(clone.root / ".git", tmp_path / "moved.git")
    clone.write(".git", f"gitdir: {clone.out}/.git\n")
    assert "TOPSECRET" not in "".join(clone.plait(*VPC)[1:])
    (clone.root / ".git").unlink()
    os.rename(tmp_path / "moved.git", clone.root / ".git")
    git(clone.root, "remote", "add", "origin", "https://host/o/n.git")
    git(clone.root, "worktree", "add", "-q", str(tmp_path / "tree"))
    clone.write("stacks/deploy/dev.yaml", STACK)
    (tmp_path / "tree/stacks/deploy/dev.yaml").write_text(STACK.replace("dev}", "dev, x: !git.url none}"))
    os.chdir(tmp_path / "tree")
    assert "https://host/o/n.git" in clone.plait(*VPC)[1]


def test_what_the_user_names_is_read(clone: Clone) -> None:
    clone.link("l.yaml", clone.out / "s.yaml")
    for name in ("l.yaml", "../out/s.yaml", str(clone.out / "s.yaml")):
        status, out, err = clone.plait("get", name, "vars.stolen")
        assert (status, out) == (0, "TOPSECRET\n"), err
        assert "stolen: TOPSECRET" in clone.plait("merge", name)[1]


def test_files_is_a_capability_and_shows_no_line(clone: Clone) -> None:
    clone.write("a.yaml", "a: !include ../out/s.yaml\n")
    assert "TOPSECRET" in clone.plait("merge", "a.yaml", "--allow", "files")[1]
    clone.write("a.yaml", "a: !include ../out/shadow\n")
    _, out, err = clone.plait("merge", "a.yaml", "--allow", "files")
    assert "shadow:1:" in err
    assert "TOPSECRET" not in out + err


def test_a_pipe_in_a_repository_is_not_waited_for(clone: Clone) -> None:
    os.mkfifo(clone.root / "p.yaml")
    clone.write("a.yaml", "a: !include p.yaml\n")
    assert "not a regular file" in clone.refused("merge", "a.yaml")


def test_opening_decides_and_not_looking(clone: Clone) -> None:
    """A folder that is swapped for a link after it was looked at, or read, is not followed."""
    door = Door([str(clone.root)])
    clone.write("d/s.yaml", "inside\n")
    assert door.allows("d/s.yaml")
    os.rename("d", "e")
    clone.link("d", clone.out)
    with pytest.raises(PlaitError, match="outside the project"):
        door.read("d/s.yaml")
    os.unlink("d")
    os.rename("e", "d")
    assert door.read("d/s.yaml") == b"inside\n"
    os.rename("d", "e")
    clone.link("d", clone.out)
    for ask in (door.read, door.names):
        with pytest.raises(PlaitError, match="outside the project"):
            ask("d/s.yaml" if ask == door.read else "d")


@pytest.mark.parametrize("system", ["no /proc", "no folders that can be opened"])
def test_other_systems_decide_the_same(clone: Clone, monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    if system == "no /proc":
        read = os.readlink

        def readlink(name: str, **more: int) -> str:
            if str(name).startswith("/proc"):
                raise FileNotFoundError
            return read(name, **more)

        monkeypatch.setattr(os, "readlink", readlink)
    else:
        monkeypatch.setattr("plait.access.door.BENEATH", False)
        monkeypatch.setattr("plait.access.raw.BENEATH", False)
    clone.write("d/s.yaml", "inside\n")
    clone.link("l", clone.out)
    clone.link("m", "d")
    clone.link("f.yaml", clone.out / "s.yaml")
    door = Door([str(clone.root)])
    assert door.read("d/s.yaml") == door.read("m/s.yaml") == b"inside\n"
    assert door.names("m") == ["s.yaml"]
    for name in ("l/s.yaml", "f.yaml", "../out/s.yaml", str(clone.out / "s.yaml"), "d/../../out/s.yaml"):
        with pytest.raises(PlaitError, match="outside the project"):
            door.read(name)
    with pytest.raises(PlaitError, match="outside the project"):
        door.names("l")


def test_the_door_keeps_no_folder_open(clone: Clone) -> None:
    door = Door([str(clone.root)])
    before = len(os.listdir("/proc/self/fd"))
    for number in range(20):
        clone.write(f"d/{number}/a.yaml", str(number))
        assert door.read(f"d/{number}/a.yaml") == str(number).encode()
        assert door.names(f"d/{number}") == ["a.yaml"]
    clone.link("l", clone.out)
    for name in ("l/s.yaml", "d/0/none.yaml", "none/a.yaml"):
        with pytest.raises(PlaitError):
            door.read(name)
    assert len(os.listdir("/proc/self/fd")) == before


# Git


TRIED = ("set", "--target", "dev", "vpc:vars.a", "2", "--dry-run")
WORDS = [("merge", "a.yaml"), ("merge", "a.yaml", "b.yaml"), DESCRIBE, VPC, ("lint",), ("targets",), ("review",), TRIED]
"""Errors, and questions that try other texts of files or another revision, are among them."""


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_many_runs_in_one_process_leave_nothing_open(clone: Clone, words: tuple[str, ...]) -> None:
    clone.write("a.yaml", "a: 1\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    clone.write("stacks/deploy/dev.yaml", STACK.replace("{}", "{vars: {a: 1}}"))
    status, out, err = clone.plait(*words)
    assert status in (0, 1), (status, out, err)
    before = len(os.listdir("/dev/fd"))
    gc.disable()
    for _ in range(5):
        main(list(words))
    assert len(os.listdir("/dev/fd")) <= before
    gc.enable()


def test_git_starts_nothing_of_a_repository(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its configuration, attributes and hooks may name commands; none of them runs."""
    mark = tmp_path / "mark"
    clone.write(".gitattributes", "*.yaml filter=evil diff=evil\natmos.yaml filter=own diff=own\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    run = f"touch {mark}; cat"
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "filter.evil.clean",
                "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command",
                "core.alternateRefsCommand", "credential.helper", "core.gitProxy", "filter.e=vil.clean"):  # fmt: skip
        git(clone.root, "config", key, run)
    git(clone.root, "config", "filter.evil.required", "true")
    git(clone.root, "config", "extensions.worktreeConfig", "true")
    for key in ("filter.own.clean", "filter.own.smudge", "diff.own.textconv", "diff.own.command"):
        git(clone.root, "config", "--worktree", key, run)
    git(clone.root, "config", "core.worktree", str(clone.out))
    git(clone.root, "config", "include.path", str(clone.out / "evil.config"))
    (clone.out / "evil.config").write_text(f'[core]\n\tfsmonitor = "{run}"\n')
    for hook in ("post-index-change", "post-checkout", "pre-commit"):
        file = clone.root / ".git/hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{run}\n")
        file.chmod(0o755)
    os.utime("atmos.yaml", (1, 1))  # git looks into it again
    clone.write("stacks/deploy/dev.yaml", STACK.replace("dev}", "dev, a: 1}"))
    status, out, err = clone.plait("describe", "affected", "--ref", "HEAD")
    assert (status, "vpc" in out, "plain.txt" in out) == (0, True, False), err
    status, out, err = clone.plait("diff", "HEAD:stacks/deploy/dev.yaml", "stacks/deploy/dev.yaml")
    assert "vars.a" in out, err
    clone.write("plait.yaml", "targets: [{name: t, layers: [stacks/deploy/dev.yaml]}]\n")
    status, out, err = clone.plait("review", "HEAD")
    assert (status, "1 value changes" in out or "vars.a" in out) == (0, True), out + err
    assert clone.plait("blame", "HEAD:stacks/deploy/dev.yaml", "stacks/deploy/dev.yaml")[0] == 0
    assert not mark.exists()


def everything_is_foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.access.owners.trusted_owners", lambda: frozenset({os.geteuid() + 1}))


def test_git_is_not_run_in_a_folder_of_somebody_else(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.write("a.yaml", "a: 1\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    everything_is_foreign(monkeypatch)
    said = clone.refused("diff", "HEAD:a.yaml", "a.yaml")
    assert "belongs to another user" in said
    assert f"git config --global --add safe.directory {clone.root}" in said
    git_config = Path(os.environ["HOME"]) / ".gitconfig"
    git_config.write_text(f"[safe]\n\tdirectory = {clone.root}\n")
    assert clone.plait("diff", "HEAD:a.yaml", "a.yaml")[0] == 0


def test_a_git_folder_of_somebody_else_above_makes_no_project(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(clone.root / ".git")
    git(tmp_path, "init", "-q")
    clone.write("a.yaml", "a: !include.raw ../out/plain.txt\n")
    assert "TOPSECRET" in clone.plait("merge", "a.yaml")[1], "the user's own repository is the project"
    everything_is_foreign(monkeypatch)
    assert "outside the project" in clone.refused("merge", "a.yaml")


# Settings found above


def test_settings_of_somebody_else_are_not_obeyed(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plait.yaml").write_text("lists: {a: append}\n")
    for name, text in (("a.yaml", "a: [1]\n"), ("b.yaml", "a: [2]\n")):
        clone.write(name, text)
    assert clone.plait("merge", "a.yaml", "b.yaml")[1] == "a:\n- 1\n- 2\n", "the user's own are"
    everything_is_foreign(monkeypatch)
    said = clone.refused("merge", "a.yaml", "b.yaml")
    assert f"`{tmp_path}/plait.yaml` belongs to another user" in said
    assert f"plait trust {tmp_path}" in said
    assert clone.plait("trust", str(tmp_path))[0] == 0
    assert clone.plait("merge", "a.yaml", "b.yaml")[1] == "a:\n- 1\n- 2\n"


@pytest.mark.parametrize(
    ("me", "sudo", "trusted"),
    [(0, "1000", {0, 1000}), (0, "", {0}), (0, "x", {0}), (1000, "1001", {0, 1000})],
)
def test_whose_files_are_obeyed(me: int, sudo: str, trusted: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """SUDO_UID is believed of root only: anybody can set it."""
    monkeypatch.setattr(os, "geteuid", lambda: me)
    monkeypatch.setenv("SUDO_UID", sudo)
    assert trusted_owners() == trusted


def test_a_configuration_of_somebody_else_is_not_obeyed(
    clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.rename("atmos.yaml", tmp_path / "atmos.yaml")
    everything_is_foreign(monkeypatch)
    assert f"`{tmp_path}/atmos.yaml` belongs to another user" in clone.refused("describe", "stacks")


# Trust


EXEC = "a: !exec echo hello\n"


def test_trust_covers_the_files_of_a_folder_as_they_were(clone: Clone) -> None:
    clone.write("a.yaml", EXEC)
    assert "run a command" in clone.refused("merge", "a.yaml")
    assert clone.plait("trust")[0] == 0
    assert clone.plait("merge", "a.yaml")[1] == "a: hello\n"
    clone.write("a.yaml", EXEC.replace("hello", "evil"))
    assert f"`a.yaml` changed since {clone.root} was trusted" in clone.refused("merge", "a.yaml")
    clone.write("a.yaml", EXEC)
    clone.write("new.yaml", EXEC)
    assert "`new.yaml` is new since" in clone.refused("merge", "new.yaml")
    assert clone.plait("merge", "a.yaml", "--set", "b=!exec echo typed", "--create")[1] == "a: hello\nb: typed\n"
    clone.plait("trust")
    assert clone.plait("merge", "new.yaml")[1] == "a: hello\n"
    assert clone.plait("merge", "a.yaml", "--deny", "exec")[0] == 1
    clone.plait("trust", "--remove")
    clone.refused("merge", "a.yaml")


def test_trust_covers_what_other_files_give_to_a_command(clone: Clone) -> None:
    """The function is in one file; values of another, which changed, might reach what it runs."""
    clone.write("a.yaml", EXEC)
    clone.write("b.yaml", "b: 1\n")
    clone.plait("trust")
    clone.write("b.yaml", "b: 2\n")
    for words in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
        assert "`b.yaml` changed since" in clone.refused("merge", *words)
    assert clone.plait("merge", "a.yaml")[1] == "a: hello\n"
    clone.plait("trust")
    assert clone.plait("merge", "a.yaml", "b.yaml")[1] == "a: hello\nb: 2\n"


def test_trust_covers_the_command_of_terraform(clone: Clone) -> None:
    clone.write("components/terraform/vpc/main.tf", "")
    clone.write("stacks/deploy/dev.yaml", STACK.replace("{}}", "{}, app: {vars: {x: !terraform.output vpc id}}}"))
    clone.plait("trust", "--allow", "exec")
    clone.write(
        "atmos.yaml", CONFIG + "components: {terraform: {base_path: components/terraform, command: ./evil.sh}}\n"
    )
    clone.write("components/terraform/vpc/evil.sh", f"#!/bin/sh\ntouch {clone.out}/ran\n").chmod(0o755)
    words = ("describe", "component", "app", "-s", "dev")
    assert "`atmos.yaml` changed since" in clone.refused(*words, "--error-mode", "strict")
    status, out, err = clone.plait(*words)
    assert (status, "x: (computed)" in out) == (0, True)
    assert "1 value is not known: running commands is not allowed" in err
    assert "`atmos.yaml` changed since" in err
    assert not (clone.out / "ran").exists()


def test_trust_does_not_cover_what_comes_from_elsewhere(clone: Clone) -> None:
    clone.write("a.yaml", "a: 1\n")
    (clone.out / "layer.yaml").write_text(EXEC)
    clone.plait("trust")
    said = clone.refused("merge", "a.yaml", "../out/layer.yaml")
    assert "layer.yaml:1:4" in said
    clone.link("link.yaml", clone.out / "layer.yaml")
    clone.refused("merge", "link.yaml")
    clone.plait("trust", "../out")
    assert clone.plait("merge", "a.yaml", "../out/layer.yaml")[1] == "a: hello\n"


def test_trust_does_not_cover_what_was_fetched(clone: Clone) -> None:
    clone.write("hub.yaml", STACK.replace("dev}", "dev, x: !exec echo hello}"))
    clone.write("stacks/deploy/dev.yaml", f"import: ['file://{clone.root}/hub.yaml']\n{STACK}")
    clone.plait("trust")
    assert "run a command" in clone.refused(*VPC, "--error-mode", "strict")
    status, out, err = clone.plait(*VPC)
    assert (status, "x: (computed)" in out, "hello" in out) == (0, True, False)
    assert "1 value is not known: running commands is not allowed" in err
    assert "hello" in clone.plait(*VPC, "--allow", "exec")[1]


def test_trust_lends_files_to_the_file_that_asks(clone: Clone) -> None:
    clone.write("a.yaml", "a: !include ../out/plain.txt\n")
    clone.plait("trust", "--allow", "files")
    assert clone.plait("merge", "a.yaml")[1] == "a: TOPSECRET\n"
    clone.write("a.yaml", "a: !include ../out/s.yaml\n")
    clone.refused("merge", "a.yaml")


def test_the_users_configuration_is_not_in_the_repository(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.write("a.yaml", EXEC)
    clone.plait("trust")
    os.rename(os.environ["XDG_CONFIG_HOME"], clone.root / "config")
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    status, out, err = clone.plait("merge", "a.yaml")
    assert (status != 0, out) == (True, "")
    assert "XDG_CONFIG_HOME is `config`, which is not an absolute path" in err
    os.rename("config", ".config")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", ".")
    status, out, err = clone.plait("merge", "a.yaml")
    assert (status != 0, out) == (True, "")
    assert "HOME is `.`, which is not an absolute path" in err


# Hermetic


def test_a_hermetic_run_has_no_outside(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = {"exec": EXEC, "env": "a: !env HOME\n", "files": "a: !include ../out/s.yaml\n"}
    for name, text in asks.items():
        clone.write(f"{name}.yaml", text)
    clone.plait("trust", "--allow", "exec,network,files,env,python")
    monkeypatch.setenv("PLAIT_ALLOW", "exec,files,env")
    for name in asks:
        assert clone.plait("merge", f"{name}.yaml")[0] == 0
        assert "`--hermetic` forbids it" in clone.refused("merge", f"{name}.yaml", "--hermetic", "--allow", name)
    clone.write("stacks/deploy/dev.yaml", STACK.replace("dev}", "dev, tenant: t}"))
    monkeypatch.setenv("ATMOS_STACKS_NAME_PATTERN", "{tenant}-{stage}")
    assert clone.plait("list", "stacks", "--format", "csv")[1].split() == ["Stack", "t-dev"]
    assert clone.plait("list", "stacks", "--format", "csv", "--hermetic")[1].split() == ["Stack", "dev"]


# The scripts that broke it


@pytest.mark.skipif(not ATTACKS.is_dir(), reason="the scripts are not part of the project")
@pytest.mark.parametrize("script", ["read_outside.sh", "archive_slip.sh", "journal_delete.sh", "journal_rce.sh"])
def test_the_known_attacks_come_out_harmless(tmp_path: Path, script: str) -> None:
    program = tmp_path / "plait"
    source = Path(__file__).parents[1] / "src"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={source} exec {sys.executable} -m plait "$@"\n')
    program.chmod(0o755)
    env = {**os.environ, "PLAIT": str(program), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["bash", str(ATTACKS / script)], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300
    )
    said = done.stdout + done.stderr
    assert "TOPSECRET" not in said
    assert "you are owned" not in said
    assert "-> pwned" not in said
    assert script != "journal_delete.sh" or ".bashrc" in said
    assert "Traceback" not in said
