"""Files as git knows them: `HEAD:values.yaml` and, in comparisons, `HEAD~3:folder`."""

from __future__ import annotations

import os

from plait.core.source import Source
from plait.fronts.project import Project
from plait.report.catalog import NO_FILE, NO_REVISION
from plait.yaml.files import decode

HINT = "write REVISION:FILE, as in HEAD:file.yaml or main~3:values/prod.yaml"


def split_revision(project: Project, name: str) -> tuple[str, str]:
    """The revision and the path of `HEAD:file.yaml`; two empty texts for a name that is a file, or has no revision."""
    revision, colon, path = name.partition(":")
    door = project.door
    if path.startswith("//"):
        raise NO_FILE.error(name=name, hint="plait reads files of this machine: download it first, as with curl -O URL")
    if not colon or len(revision) < 2 or revision.startswith("-") or door.is_file(name) or door.is_folder(name):
        return "", ""
    return revision, path


def revision_source(project: Project, name: str) -> Source | None:
    """The text of `HEAD:file.yaml`; None for a name that is not one of a revision."""
    revision, path = split_revision(project, name)
    return decode(name, _shown(project, name, revision, path)) if revision else None


def revision_files(project: Project, name: str) -> dict[str, str] | None:
    """The YAML files below `HEAD:folder` by their path in it, each with the name that reads it; None for anything
    else."""
    revision, path = split_revision(project, name)
    if not revision:
        return None
    answer = project.git("cat-file", "-t", f"{revision}:{_place(path)}", folder=os.getcwd())
    if answer.status or answer.text.strip() != "tree":
        return None
    listed = project.git("ls-tree", "-r", "-z", "--name-only", f"{revision}:{_place(path)}", folder=os.getcwd())
    names = [one for one in listed.output.decode("utf-8", "replace").split("\0") if one]
    return {one: f"{revision}:{os.path.join(path, one)}" for one in names}


def folder_names(project: Project, revision: str, folder: str) -> frozenset[str]:
    """The names in a folder at a revision; none where there is no such folder."""
    answer = project.git("ls-tree", "-z", "--name-only", f"{revision}:{_place(folder)}", folder=os.getcwd())
    return frozenset(answer.output.decode("utf-8", "replace").split("\0")) if not answer.status else frozenset()


def read_revisions(project: Project, names: list[str]) -> None:
    """Have the project know the texts of those names that are revisions, so that they are read like files."""
    for name in names:
        if name != "-" and ":" in name and name not in project.sources:
            source = revision_source(project, name)
            if source is not None:
                project.sources[name] = source


def _shown(project: Project, name: str, revision: str, path: str) -> bytes:
    answer = project.git("cat-file", "blob", f"{revision}:{_place(path)}", folder=os.getcwd())
    if answer.status:
        why = answer.why.strip().removeprefix("fatal: ")
        raise NO_REVISION.error(name=name, why=why, hint=HINT)
    return answer.output


def _place(path: str) -> str:
    """A path as git takes it: from the working folder, unless it begins with a slash."""
    return path if path.startswith("/") else f"./{path}"
