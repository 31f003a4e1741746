"""Attacks of a second round: on histories, copies, races, targets, commands that are verified, and what CI reads."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from plait.access.checkout import checkout
from plait.access.door import Door
from plait.access.git import MOST_MEMORY
from plait.access.trace import AccessTrace
from plait.apps.cli import main
from plait.core.diagnostic import PlaitError
from tests.outside.project import git
from tests.test_safety import HERE, STACK, Clone, clone  # noqa: F401

# Histories


@pytest.fixture
def private(clone: Clone) -> str:  # noqa: F811
    """A private repository next door; its only commit."""
    git(clone.out, "init", "-q")
    git(clone.out, "add", "-A")
    git(clone.out, "commit", "-qm", "x")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    return git(clone.out, "rev-parse", "HEAD").strip()


def borrowed(clone: Clone, how: str) -> None:  # noqa: F811
    """Let the history of a clone be that of the private repository."""
    objects, theirs = clone.root / ".git/objects", clone.out / ".git/objects"
    if how == "alternates":
        (objects / "info").mkdir(exist_ok=True)
        (objects / "info/alternates").write_text(f"# x\n{theirs}\n")
    elif how == "alternates of alternates":
        clone.write("lent/info/alternates", f"{theirs}\n")
        clone.write(".git/objects/info/alternates", "../../lent\n")
    elif how == "alternates in quotes":
        clone.write(".git/objects/info/alternates", f'"{theirs}"\n')
    elif how == "alternates after many lines":
        clone.write(".git/objects/info/alternates", "# x\n" * 20_000 + f"{theirs}\n")
    elif how == "a common folder":
        clone.write(".git/commondir", f"{clone.out}/.git\n")
    elif how == "linked objects":
        os.rename(objects, clone.root / "old")
        objects.symlink_to(theirs)
    elif how == "linked folders of objects":
        for folder in theirs.iterdir():
            if not (objects / folder.name).exists():
                (objects / folder.name).symlink_to(folder)
    elif how == "a git folder that points elsewhere":
        os.rename(clone.root / ".git", clone.root.parent / "old.git")
        clone.write(".git", f"gitdir: {clone.out}/.git\n")
    else:
        os.rename(clone.root / ".git", clone.root.parent / "old.git")
        clone.link(".git", clone.out / ".git")


HOW = [
    "alternates",
    "alternates of alternates",
    "alternates in quotes",
    "alternates after many lines",
    "a common folder",
    "linked objects",
    "linked folders of objects",
    "a git folder that points elsewhere",
    "a linked .git",
]


@pytest.mark.parametrize("how", HOW)
def test_a_history_elsewhere_is_not_read(clone: Clone, private: str, how: str) -> None:  # noqa: F811
    borrowed(clone, how)
    clone.write("plait.yaml", "targets: [{name: t, files: [s.yaml]}]\n")
    clone.write("s.yaml", "vars: {}\n")
    for words in (
        ("review", private),
        ("diff", f"{private}:s.yaml", "s.yaml"),
        ("describe", "affected", "--ref", private),
    ):
        _, out, err = clone.plait(*words)
        assert "outside" in err or "not in a git repository" in err or "info/alternates`: it is too long" in err, err
        assert "TOPSECRET" not in out + err
        assert "stolen" not in out


@pytest.mark.parametrize("how", ["linked objects", "linked folders of objects"])
def test_a_link_that_comes_between_two_questions_to_git_is_found(
    clone: Clone,  # noqa: F811
    private: str,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plait.access.trace.YOUNG", -1)
    door, root, listed = Door([str(clone.root)]), str(clone.root), list[object]()
    assert door.git("rev-parse", "HEAD", folder=root).status == 0
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: listed.append(folder) or scan(folder))
    assert door.git("rev-parse", "HEAD", folder=root).status == 0
    assert listed == []  # nothing came or went
    borrowed(clone, how)
    with pytest.raises(PlaitError, match="outside"):
        door.git("cat-file", "-p", private, folder=root)


@pytest.mark.parametrize("name", ["packed-refs", "shallow", "info/grafts"])
def test_a_complaint_of_git_shows_no_line_of_the_outside(clone: Clone, private: str, name: str) -> None:  # noqa: F811
    (clone.root / ".git" / name).unlink(missing_ok=True)
    clone.link(f".git/{name}", clone.out / "plain.txt")
    assert "outside" in clone.refused("diff", "HEAD:atmos.yaml", "atmos.yaml")


def test_a_pipe_in_a_git_folder_is_not_waited_for(clone: Clone, private: str) -> None:  # noqa: F811
    (clone.root / ".git/config").unlink()
    os.mkfifo(clone.root / ".git/config")
    assert "not a regular file" in clone.refused("diff", "HEAD:atmos.yaml", "atmos.yaml")


def test_a_git_folder_that_is_none_is_not_taken_for_that_above(clone: Clone, private: str) -> None:  # noqa: F811
    """A clone inside a private repository, with a `.git` that git would pass over."""
    inner = clone.out / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / "s.yaml").write_text("vars: {}\n")
    os.chdir(inner)
    assert "not a git repository" in clone.refused("diff", "HEAD:s.yaml", "s.yaml")


def test_what_a_partial_clone_lacks_is_an_error(clone: Clone) -> None:  # noqa: F811
    clone.write("plait.yaml", "targets: [{name: t, layers: [a.yaml]}]\n")
    clone.write("a.yaml", "a: 1\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    blob = git(clone.root, "rev-parse", "HEAD:a.yaml").strip()
    (clone.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    clone.write("a.yaml", "a: 2\n")
    git(clone.root, "commit", "-qam", "y")
    assert f"object {blob} is missing" in clone.refused("review", "HEAD~1")


SOURCES = {
    "a common folder": ("x/commondir", "$OUT/.git\n"),
    "borrowed objects": ("x/objects/info/alternates", "$OUT/.git/objects\n"),
    "a git folder elsewhere": ("x/.git", "gitdir: $OUT/.git\n"),
    "a linked repository": ("x.git", ""),
}


@pytest.mark.parametrize(("name", "text"), SOURCES.values(), ids=SOURCES)
def test_a_source_inside_has_no_history_outside(clone: Clone, private: str, name: str, text: str) -> None:  # noqa: F811
    """A folder of any clone may be a repository: git would read whatever that one points to."""
    if text:
        git(clone.root, "init", "-q", "--bare", "x")
        clone.write("x/HEAD", f"{private}\n")
        clone.write(name, text.replace("$OUT", str(clone.out)))
    else:
        clone.link(name, clone.out / ".git")
    value = f"!include git::file://{clone.root}/x//s.yaml"
    clone.write("stacks/deploy/dev.yaml", STACK.replace("vpc: {}", f"vpc: {{vars: {{a: {value}}}}}"))
    said = clone.refused("describe", "component", "vpc", "-s", "dev")
    assert "belongs to git" in said or "outside the project" in said


def test_a_history_elsewhere_is_read_with_leave(clone: Clone, private: str) -> None:  # noqa: F811
    borrowed(clone, "alternates")
    clone.write("s.yaml", "vars: {}\n")
    assert "vars.stolen" in clone.plait("diff", f"{private}:s.yaml", "s.yaml", "--allow", "files")[1]


def test_worktrees_and_submodules_have_their_history_elsewhere(clone: Clone, private: str) -> None:  # noqa: F811
    tree = clone.root.parent / "tree"
    git(clone.root, "worktree", "add", "-q", str(tree))
    os.chdir(tree)
    status, _, err = clone.plait("diff", "HEAD:atmos.yaml", "atmos.yaml")
    assert status == 0, err
    git(clone.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(clone.out), "sub")
    os.chdir(clone.root / "sub")
    status, _, err = clone.plait("diff", "HEAD:s.yaml", "s.yaml")
    assert status == 0, err


# Copies of revisions


def test_a_link_in_an_older_revision_is_no_way_out_of_a_copy(clone: Clone) -> None:  # noqa: F811
    """The copy of the older revision has the link, and gets the ignored files of the tree; they were made beside what
    the link led to."""
    clone.link("d", clone.out)
    clone.write("plait.yaml", "targets: [{name: t, layers: [a.yaml]}]\n")
    clone.write("a.yaml", "a: 1\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    (clone.root / "d").unlink()
    clone.write("d/b.yaml", "b: 1\n")
    clone.write(".gitignore", "*.built\n")
    clone.write("a.yaml", "a: 2\n")
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "y")
    clone.write("d/.profile.built", "evil\n")
    before = sorted(os.listdir(clone.out))
    status, out, err = clone.plait("review", "HEAD~1")
    assert (status, "1 -> 2" in out) == (0, True), out + err
    assert clone.plait("describe", "affected", "--ref", "HEAD~1")[0] == 0
    assert sorted(os.listdir(clone.out)) == before


# Races


def test_a_link_that_changes_while_files_are_read(clone: Clone) -> None:  # noqa: F811
    """Somebody swaps a file and a folder for links to the outside, as fast as he can."""
    clone.write("d/s.yaml", "inside\n")
    clone.write("e/s.yaml", "inside\n")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.symlink(clone.out, "l.new")
            os.rename("l.new", "l")
            os.symlink("d", "l.new")
            os.rename("l.new", "l")
            os.symlink(clone.out / "s.yaml", "f.new")
            os.rename("f.new", "e/s.yaml")
            clone.write("f.new", "inside\n")
            os.rename("f.new", "e/s.yaml")

    os.symlink("d", "l")
    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[bytes] = set()
    try:
        for _ in range(400):
            door = Door([str(clone.root)])
            for name in ("l/s.yaml", "e/s.yaml"):
                try:
                    seen.add(door.read(name))
                except PlaitError:
                    continue
    finally:
        stop.set()
        swapper.join()
    assert seen == {b"inside\n"}


@pytest.mark.parametrize("name", ["l", "f.yaml"])
def test_what_leads_outside_is_watched_by_where_it_leads(clone: Clone, name: str) -> None:  # noqa: F811
    """Listing it again would tell the names that are there, and look different for ever."""
    clone.link("l", clone.out)
    clone.link("f.yaml", clone.out / "s.yaml")
    door = Door([str(clone.root)])
    door.trace = trace = AccessTrace()
    for ask in (door.entries if name == "l" else door.read, door.check_inside):
        with pytest.raises(PlaitError, match="outside"):
            ask(name)
    assert (trace.folders, trace.files, list(trace.changed_places())) == ({}, {}, [])
    os.unlink(name)
    assert list(trace.changed_places()) == [name]


def test_a_folder_that_is_swapped_for_a_link_tells_no_names(clone: Clone) -> None:  # noqa: F811
    clone.write("d/a.yaml", "a: 1\n")
    door = Door([str(clone.root)])
    door.trace = trace = AccessTrace()
    door.entries("d")
    os.rename("d", "old")
    clone.link("d", clone.out)
    assert list(trace.changed_places()) == ["d"]


# Targets and commands that are verified


TARGETS = {
    "a path upwards": "layers: [../out/s.yaml]",
    "a whole path": "layers: [$OUT/s.yaml]",
    "a link": "layers: [l.yaml]",
    "a linked folder": "layers: [l/s.yaml]",
    "a glob upwards": "files: '../out/*.yaml'",
    "a glob in a linked folder": "files: 'l/*.yaml'",
    "a variable upwards": "layers: ['../out/{env}.yaml'], for: {env: '../out/*.yaml'}",
    "a template": "template: ../out/s.yaml",
    "a stub": "template: a.yaml, stubs: [../out/s.yaml]",
    "a document": "document: ../out/s.yaml",
    "a pattern": "pattern: ../../out",
    "a chart": "chart: ../out/chart",
    "values of a chart": "chart: chart, values: [../out/s.yaml]",
    "a linked chart": "chart: l/chart",
    "a kustomization": "kustomization: ../out",
    "a Compose file": "compose: ../out/compose.yaml",
    "variables of a Compose file": "compose: compose.yaml, env_files: [../out/.env], interpolate: true",
}
ASKED = [
    ("targets",), ("review", "HEAD"), ("verify", "--against", "a.yaml"), ("render", "t"), ("merge", "--target", "t"),
    ("explain", "**", "--target", "t"), ("blame", "--target", "t"), ("layers", "--target", "t"), ("lint",),
    ("lint", "--target", "t"), ("diff", "--target", "t", "--target", "own"), ("set", "--target", "t", "x", "1"),
]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target_reads_nothing_outside(clone: Clone, target: str) -> None:  # noqa: F811
    clone.link("l.yaml", clone.out / "s.yaml")
    clone.link("l", clone.out)
    (clone.out / "pattern.yaml").write_text("name: TOPSECRET\nversion: '1'\n")
    (clone.out / "compose.yaml").write_text("services: {a: {image: TOPSECRET}}\n")
    (clone.out / ".env").write_text("V=TOPSECRET\n")
    (clone.out / "kustomization.yaml").write_text("resources: [r.yaml]\n")
    (clone.out / "r.yaml").write_text("kind: ConfigMap\nmetadata: {name: TOPSECRET}\n")
    for top in (clone.out, clone.root):
        (top / "chart/templates").mkdir(parents=True)
        (top / "chart/Chart.yaml").write_text("apiVersion: v2\nname: c\nversion: 1.0.0\n")
        (top / "chart/templates/x.yaml").write_text("kind: A\nmetadata: {name: a}\nx: {{ .Values | toJson }}\n")
    (clone.out / "chart/values.yaml").write_text("x: TOPSECRET\n")
    clone.write("compose.yaml", "services: {a: {image: '${V:-x}'}}\n")
    clone.write("a.yaml", "a: 1\n")
    clone.write(
        "plait.yaml",
        f"targets: [{{name: t, {target}}}, {{name: own, layers: [a.yaml]}}]\n".replace("$OUT", str(clone.out)),
    )
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    clone.write("a.yaml", "a: 2\n")
    for words in ASKED:
        status, out, err = clone.plait(*words)
        assert "TOPSECRET" not in out + err, words
        assert status != 70, err


def test_links_that_are_found_lead_nowhere(clone: Clone) -> None:  # noqa: F811
    """Targets that no file declares are found by their marks, which may be links."""
    shutil.rmtree(clone.root / "stacks")
    (clone.root / "atmos.yaml").unlink()
    (clone.out / "compose.yaml").write_text("services: {a: {image: TOPSECRET}}\n")
    (clone.out / "app.yaml").write_text(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: TOPSECRET}\n"
        "spec: {source: {path: chart, helm: {values: 'x: TOPSECRET'}}}\n"
    )
    clone.write("chart/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n")
    clone.write("chart/templates/x.yaml", "kind: A\nmetadata: {name: a}\nx: {{ .Values | toJson }}\n")
    for name, to in {"compose.yaml": "compose.yaml", "app.yaml": "app.yaml", "chart/values.yaml": "s.yaml"}.items():
        clone.link(name, clone.out / to)
    for name in ("values-prod.yaml", "over/kustomization.yaml"):
        clone.link(f"chart/{name}", clone.out / "s.yaml")
    for words in (("targets",), ("targets", "--format", "json"), ("render",), ("lint",), ("render", "chart"),
                  ("render", "."), ("render", "chart-prod"), ("explain", "**", "--target", "chart-prod")):  # fmt: skip
        status, out, err = clone.plait(*words)
        assert "TOPSECRET" not in out + err, words
        assert status != 70, err


def test_saved_outputs_are_read_below_their_folder(clone: Clone) -> None:  # noqa: F811
    (clone.root.parent / "saved").mkdir()
    clone.write("a.yaml", "vars: {}\n")
    clone.write("plait.yaml", "targets: [{name: ../out/s, layers: [a.yaml]}, {name: t, layers: [a.yaml]}]\n")
    _, out, err = clone.plait("verify", "--against", "../saved")
    assert "TOPSECRET" not in out + err


NAMES = {
    "an option": ("layers: [--output=x.yaml]", "--output=x.yaml", "echo {layers}"),
    "an option as a target": ("layers: [a.yaml], name: '-rf'", "a.yaml", "echo {name}"),
    "words of a shell": ("layers: ['a; touch mark.yaml']", "a; touch mark.yaml", "sh -c 'cat {layers}'"),
    "a command of a shell": ("layers: [a.yaml], name: '$(touch mark)'", "a.yaml", "sh -c 'cat > /dev/null {name}'"),
    "a quote": ("""layers: ["'a'.yaml"]""", "'a'.yaml", """sh -c 'cat "{template}"'"""),
}


@pytest.mark.parametrize(("target", "file", "command"), NAMES.values(), ids=NAMES)
def test_a_name_is_no_part_of_a_command(clone: Clone, target: str, file: str, command: str) -> None:  # noqa: F811
    clone.write(file, "a: 1\n")
    name = "" if "name:" in target else "name: t, "
    clone.write("plait.yaml", f"targets: [{{{name}{target}}}]\n")
    assert "cannot be part of a command" in clone.refused("verify", "--command", command, "--allow", "exec")
    assert not [left for left in os.listdir(clone.root) if left.startswith("mark")]


def test_a_command_that_is_verified_needs_leave(clone: Clone) -> None:  # noqa: F811
    clone.write("a.yaml", "a: 1\n")
    clone.write("plait.yaml", "targets: [{name: t, layers: [a.yaml]}]\n")
    assert "PL4001" in clone.refused("verify", "--command", "touch mark")
    assert not (clone.root / "mark").exists()


# Edits by result


def test_an_edit_writes_nothing_outside(clone: Clone) -> None:  # noqa: F811
    """The place that a value is set at may be a link, or a file that the user allowed to be read."""
    (clone.out / "s.yaml").write_text("vars: {stage: dev, size: 1}\n")
    clone.link("stacks/base.yaml", clone.out / "s.yaml")
    clone.write("stacks/deploy/dev.yaml", "import: [base]\n" + STACK)
    before = (clone.out / "s.yaml").read_text()
    for more in ([], ["--allow", "files"]):
        for at in ("stacks/base.yaml", "where-defined", "narrowest", str(clone.out / "s.yaml")):
            clone.plait("stack", "set", "vpc", "-s", "dev", "vars.size", "2", "--at", at, *more)
            assert (clone.out / "s.yaml").read_text() == before


# What CI reads


def test_the_comment_of_a_review_imports_nothing_of_the_pull_request(tmp_path: Path) -> None:
    """The working folder of the action is the pull request's; Python looks for modules there unless it is told not
    to."""
    for name in ("json", "pip", "sys"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w').close()\n")
    bin = tmp_path / "bin"
    bin.mkdir()
    stranger = {"id": 7, "body": "<!-- plait review --> x", "user": {"type": "User"}, "author_association": "NONE"}
    (bin / "plait").write_text("#!/bin/sh\necho report\n")
    (bin / "curl").write_text(
        f"#!/bin/sh\necho \"$@\" >> {tmp_path}/asked\ncat > /dev/null\necho '{json.dumps([stranger])}'\n"
    )
    (bin / "python3").symlink_to(sys.executable)
    for file in bin.iterdir():
        if not file.is_symlink():
            file.chmod(0o755)
    where = {"GITHUB_API_URL": "http://127.0.0.1:1", "GITHUB_REPOSITORY": "o/n"}
    given = {"PLAIT_TOKEN": "t", "PLAIT_PULL_REQUEST": "1", "PLAIT_BASE": "main"}
    done = subprocess.run(
        ["bash", str(HERE / ".ci/review-comment")],
        cwd=tmp_path,
        env={"PATH": f"{bin}:{os.environ['PATH']}", **where, **given},
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "mark").exists()
    assert "comments/7" not in (tmp_path / "asked").read_text(), "a comment of a stranger is not the report"
    assert "python3 -m pip" not in (HERE / "action.yml").read_text()


def test_outputs_of_a_step_are_single_lines_in_a_file_that_is_no_link(
    clone: Clone,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A component named by the pull request must not give the step another output, nor a link another file."""
    git(clone.root, "add", "-A")
    git(clone.root, "commit", "-qm", "x")
    name = '"evil\\nadmin=true\\r\\nx=y"'
    clone.write("stacks/deploy/dev.yaml", STACK.replace("vpc", name).replace("{}", "{vars: {a: 1}}"))
    outputs = clone.root.parent / "outputs"
    outputs.write_text("")
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    assert clone.plait("describe", "affected", "--ref", "HEAD", "--format", "matrix")[0] == 0
    keys = [line.partition("=")[0] for line in outputs.read_text().splitlines()]
    assert keys
    assert not {"admin", "x"} & set(keys)
    outputs.unlink()
    outputs.symlink_to(clone.out / "plain.txt")
    clone.plait("describe", "affected", "--ref", "HEAD", "--format", "matrix")
    assert (clone.out / "plain.txt").read_text() == "TOPSECRET\n"


@pytest.fixture
def bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a branch of ten million files, made of nine objects."""
    folder = tmp_path / "bomb"
    folder.mkdir()

    def made(*words: str, given: str = "") -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
        done = subprocess.run(["git", *identity, *words], cwd=folder, input=given, capture_output=True, text=True)
        return done.stdout.strip()

    made("init", "-q")
    (folder / "plait.yaml").write_text("targets: [{name: t, layers: [a.yaml]}]\n")
    (folder / "a.yaml").write_text("a: 1\n")
    made("add", ".")
    made("commit", "-qm", "good")
    names = [f"{kind} {{}}\t{{}}" for kind in ("100644 blob", "040000 tree")]
    held = made("hash-object", "-w", "--stdin", given="a: 1\n")
    for level in range(7):
        held = made("mktree", given="".join(names[level > 0].format(held, f"d{at}") + "\n" for at in range(10)))
    made("branch", "bomb", made("commit-tree", held, "-p", "HEAD", given="bomb"))
    monkeypatch.chdir(folder)
    return folder


def test_a_revision_of_endless_files_is_not_compared(
    bomb: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert MOST_MEMORY <= 250_000_000, "git may use less than a command that is refused"
    monkeypatch.setattr("plait.access.git.MOST_MEMORY", 50_000_000)
    assert main(["review", "bomb"]) == 1
    assert "cannot compare with" in capsys.readouterr().err


def test_a_revision_of_endless_files_is_not_copied(bomb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plait.access.git.MOST_OUTPUT", 1_000_000)
    with pytest.raises(PlaitError, match="printed more than 1,000,000 bytes"):
        checkout(str(bomb), "bomb")
    monkeypatch.setattr("plait.access.objects.FILES", 1)
    with pytest.raises(PlaitError, match="more than 1 files"):
        checkout(str(bomb), "HEAD")
    monkeypatch.undo()
    monkeypatch.setattr("plait.access.objects.LIMIT", 10)
    with pytest.raises(PlaitError, match="more than 10 bytes"):
        checkout(str(bomb), "HEAD")
    monkeypatch.undo()
    copy = checkout(str(bomb), "HEAD")
    assert sorted(os.listdir(copy.folder)) == [".git", "a.yaml", "plait.yaml"]
    copy.close()
