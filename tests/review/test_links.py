"""Changes behind links, changes of links, and names that are a file on one side and a folder on the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from plait.access.links import TreeLinks
from plait.core.path import format_path
from plait.workspace import Workspace
from tests.outside.project import git
from tests.review.test_git import commit

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: %s}\n"
STACKS = """\
base_path: "."
stacks: {base_path: stacks, included_paths: ["orgs/**"], name_pattern: "{stage}"}
components: {terraform: {base_path: components}}
"""
FILES = {
    "one/layer.yaml": "a: 1\n",
    "one/map.yaml": MAP % 1,
    "one/values.yaml": "a: 1\n",
    "one/catalog.yaml": "components: {terraform: {web: {vars: {a: 1}}}}\n",
    "layers/plait.yaml": "targets: [{name: t, layers: [base/layer.yaml]}]\n",
    "layers/base": "-> ../one",
    "kustomize/kustomization.yaml": "resources: [map.yaml]\n",
    "kustomize/map.yaml": "-> ../one/map.yaml",
    "chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 0.1.0\n",
    "chart/values.yaml": "-> ../one/values.yaml",
    "chart/templates/map.yaml": MAP % "'{{ .Values.a }}'",
    "stacks/atmos.yaml": STACKS,
    "stacks/stacks/shared": "-> ../../one",
    "stacks/stacks/orgs/dev.yaml": "import: [shared/catalog]\nvars: {stage: dev}\n",
}
PLACES = {"layers": "t a", "kustomize": "kustomize data.a", "chart": "chart data.a", "stacks": "dev vars.a"}
"""The target and the value of each front that follows from the files behind links."""
OTHER = {
    name.replace("one/", "two/"): text.replace("1}", "7}").replace(": 1\n", ": 7\n")
    for name, text in FILES.items()
    if name.startswith("one")
}
LINKS = [name for name, text in FILES.items() if text.startswith("-> ")]


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        if text.startswith("-> "):
            (folder / name).symlink_to(text[3:])
        else:
            (folder / name).write_text(text)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    write(folder, {**FILES, **OTHER})
    git(folder, "init", "-q", "-b", "main", ".")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def causes(folder: str, old: str, new: str = "", allow: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The places that differ in targets, each with the causes."""
    report = Workspace(folder, cache=False, allow=list(allow)).review(old, new or None)
    assert not report.broken
    return {f"{one.target} {format_path(one.path)}": [hunk.place for hunk in one.cause.hunks] for one in report.effects}


@pytest.mark.parametrize("allow", [(), ("exec",)], ids=["views", "copies"])
@pytest.mark.parametrize("folder", PLACES)
def test_a_file_behind_a_link(folder: str, allow: tuple[str, ...], repository: Path) -> None:
    names = [name for name in FILES if name.startswith("one/")]
    write(repository, {name: FILES[name].replace("1}", "2}").replace(": 1\n", ": 2\n") for name in names})
    found = causes(folder, "HEAD", allow=allow)
    assert PLACES[folder] in found
    assert [cause.partition(":")[0] in names for cause in found[PLACES[folder]]] == [True]


@pytest.mark.parametrize("allow", [(), ("exec",)], ids=["views", "copies"])
@pytest.mark.parametrize("folder", PLACES)
def test_a_link_that_leads_elsewhere(folder: str, allow: tuple[str, ...], repository: Path) -> None:
    write(repository, {name: FILES[name].replace("one", "two") for name in LINKS})
    found = causes(folder, "HEAD", allow=allow)
    assert found[PLACES[folder]] == [f"{link}:1" for link in LINKS if link.startswith(folder)]
    commit(repository)
    assert causes(folder, "HEAD~1..HEAD", allow=allow) == found


def test_two_folders(repository: Path) -> None:
    for side in ("old", "new"):
        shutil.copytree(repository / "kustomize", repository / side / "kustomize", symlinks=True)
        write(repository / side, {name: text for name, text in {**FILES, **OTHER}.items() if "map.yaml" in name})
    write(repository, {"new/kustomize/map.yaml": "-> ../two/map.yaml"})
    assert causes(".", "old", "new") == {"kustomize data.a": ["kustomize/map.yaml:1"]}


def test_a_link_becomes_a_folder(repository: Path) -> None:
    (repository / "layers/base").unlink()
    write(repository, {"layers/base/layer.yaml": "a: 5\n"})
    both = {"t a": ["layers/base", "layers/base/layer.yaml"]}
    assert causes("layers", "HEAD") == both
    with chdir(repository / "layers"):
        assert causes(".", "HEAD") == both, "from another folder, too"
    commit(repository)
    shutil.rmtree(repository / "layers/base")
    write(repository, {"layers/base": "-> ../two"})
    assert causes("layers", "HEAD") == {"t a": ["layers/base/layer.yaml"]}


def test_a_file_becomes_a_folder(repository: Path) -> None:
    settings = "targets: [{name: t, layers: [%s]}]\n"
    write(repository, {"layers/plait.yaml": settings % "more.yaml", "layers/more.yaml": "a: 1\n"})
    commit(repository)
    (repository / "layers/more.yaml").unlink()
    write(repository, {"layers/plait.yaml": settings % "more.yaml/x.yaml", "layers/more.yaml/x.yaml": "a: 2\n"})
    found = causes("layers", "HEAD")
    assert sorted(found["t a"]) == ["layers/more.yaml", "layers/plait.yaml:1"], "the file needs the place of the folder"


def test_what_is_affected(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "stacks")

    def affected() -> list[tuple[object, object]]:
        rows = Workspace(".", cache=False).stacks().affected("HEAD").rows
        return [(row["component"], row["changed_files"]) for row in rows]

    assert affected() == []
    write(repository, {"stacks/stacks/shared": "-> ../../two"})
    assert affected() == [("web", ["stacks/stacks/shared"])]
    write(
        repository,
        {"stacks/stacks/shared": "-> ../../one", "one/catalog.yaml": FILES["one/catalog.yaml"].replace("1", "3")},
    )
    assert affected() == [("web", ["one/catalog.yaml"])]


def test_links_of_a_tree(tmp_path: Path) -> None:
    write(tmp_path / "tree", {"a/b.yaml": "", "c": "-> a", "d": "-> c/b.yaml", "out": "-> ../away", "a/gone": "-> no"})
    write(tmp_path / "tree", {"a/whole": f"-> {tmp_path}/tree/a/b.yaml", "a/back": "-> ../../tree/a/b.yaml"})
    write(tmp_path, {"away/x.yaml": ""})
    links = TreeLinks(str(tmp_path / "tree"))
    texts = {name: links.link(name) for name in ("a/b.yaml", "c", "d", "out", "a/gone", "a/whole", "a/back")}
    within = {"c": "a", "d": "c/b.yaml", "a/gone": "no", "a/whole": "b.yaml", "a/back": "../../tree/a/b.yaml"}
    assert {name: link.target for name, link in texts.items() if link is not None} == within
    assert [links.on_way(name) for name in ("a/b.yaml", "c/b.yaml", "d", "out/x.yaml")] == ["", "c", "d", ""]


def test_a_link_to_a_link_out_of_the_repository_is_not_followed(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "stacks")
    write(repository.parent, {"away/x.yaml": "a: 1\n"})
    write(repository, {"out": "-> ../away", "more": "-> out"})
    assert Workspace(".", cache=False).stacks().affected("HEAD").rows == []


@pytest.mark.parametrize("native", ["1", "0"])
def test_a_file_that_became_a_link_is_reviewed_by_every_reader(repository: Path, native: str) -> None:
    """A link is no text: no reader of YAML is given where it leads."""
    (repository / "plain.yaml").write_text("a: 7\n")
    (repository / "plait.yaml").write_text("targets: [{name: plain, layers: [plain.yaml]}]\n")
    commit(repository)
    write(repository, {"plain.yaml": "-> one/layer.yaml"})
    words = [sys.executable, "-m", "plait", "review", "HEAD", "--target", "plain"]
    found = subprocess.run(words, env={**os.environ, "PLAIT_NATIVE": native}, capture_output=True, text=True)
    assert (found.returncode, found.stderr.count("bug")) == (0, 0), found.stderr
    assert "a: 7 -> link to one/layer.yaml" in found.stdout
    assert "  a    7 -> 1    in plain" in found.stdout
