"""Compose files with their overrides."""

from __future__ import annotations

import os
import re

from plait.core.node import Scalar
from plait.core.source import Source
from plait.fronts.discovery.found import FoundTarget, TargetQuestion
from plait.fronts.signs import COMPOSE_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.discovery.repository import RepositoryFiles

OTHER = re.compile(r"(?:docker-)?compose[.-].+\.ya?ml\Z")
OVERRIDE = re.compile(r"(?:docker-)?compose\.override\.ya?ml\Z")
FILE = re.compile(r"^\s*(?:export\s+)?COMPOSE_FILE\s*=\s*[\"']?([^\"'\n]*)", re.M)
SEPARATOR = re.compile(r"^\s*(?:export\s+)?COMPOSE_PATH_SEPARATOR\s*=\s*[\"']?([^\"'\n]*)", re.M)
ENVIRONMENT = ".env"


def compose_projects(repository: RepositoryFiles) -> Iterator[FoundTarget | TargetQuestion]:
    """A target for each folder with a Compose file; what else is called so is a question."""
    for folder in sorted({os.path.dirname(file) for file in repository.named(*COMPOSE_FILES)}):
        inside = repository.inside(folder)
        prefix = f"{folder}/" if folder else ""
        name = os.path.basename(folder or repository.root)
        given = _given(repository, folder)
        if given is not None:
            files, node = given
            yield FoundTarget("compose", name, [repository.path(folder, file) for file in files], node)
        else:
            first = next(one for one in COMPOSE_FILES if one in inside)
            files = [first, *[one for one in inside if OVERRIDE.match(one)][:1]]
            yield FoundTarget("compose", name, [f"{prefix}{file}" for file in files])
        used = {os.path.basename(file) for file in files}
        others = [one for one in inside if OTHER.match(one) and one not in used and not OVERRIDE.match(one)]
        if others:
            why = "these may be layers above the Compose file: say which with `-f`, or in COMPOSE_FILE"
            yield TargetQuestion("compose", f"{name} with other files", [f"{prefix}{one}" for one in others], why)


def _given(repository: RepositoryFiles, folder: str) -> tuple[list[str], Scalar] | None:
    """The files that COMPOSE_FILE in `.env` names, and the line that says so; None where it does not."""
    name = f"{folder}/{ENVIRONMENT}" if folder else ENVIRONMENT
    path = os.path.join(repository.root, name)
    if not repository.project.door.is_file(path):
        return None
    text = repository.text(name)
    match = FILE.search(text)
    if match is None or not match.group(1).strip():
        return None
    separator = SEPARATOR.search(text)
    files = match.group(1).strip().split((separator.group(1).strip() if separator else "") or ":")
    value = match.group(1).strip()
    return files, Scalar(value, value, Source(os.path.relpath(path), text), match.start(1))
