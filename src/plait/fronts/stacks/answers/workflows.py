"""The workflows of a repository: what the files below `workflows.base_path` define. They are read, not run."""

from __future__ import annotations

import os

from plait.core.find import entry
from plait.core.node import MapNode, Scalar, plain_value
from plait.fronts.stacks.read.discovery import all_files
from plait.fronts.stacks.session.reader import READER
from plait.yaml.build import Reading
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.fronts.stacks.config.config import Config
    from plait.fronts.stacks.session.session import StackSession

    Workflows = dict[str, MapNode]
    """The documents that define workflows, by the names of their files."""

USUAL = "stacks/workflows"
"""Where workflows are if the configuration does not say."""


def workflow_files(config: Config, session: StackSession) -> Workflows:
    """The files that define workflows, sorted by name."""
    folder = os.path.join(config.base_path, config.text("workflows", "base_path") or USUAL)
    found: Workflows = {}
    for name in sorted(all_files(session.project, folder)):
        path = os.path.join(folder, name)
        documents = load(session.project.source(path, session.shown(path)), Reading(READER.schema))
        root = documents[0] if documents else None
        if isinstance(root, MapNode) and isinstance(root.entries.get("workflows"), MapNode):
            found[name] = root
    return found


def workflow_rows(files: Workflows) -> list[dict[str, object]]:
    """One row for each workflow: its file, its name and what it is for."""
    return [
        {"file": file, "workflow": name, "description": _about(root, name)}
        for file, root in files.items()
        for name in names_in(root)
    ]


def names_in(root: MapNode) -> list[str]:
    """The workflows of a file, by name."""
    workflows = root.entries["workflows"]
    return sorted(str(name) for name in workflows.entries) if isinstance(workflows, MapNode) else []


def _about(root: MapNode, name: str) -> str:
    node = entry(root, "workflows", name, "description")
    return node.text.strip() if isinstance(node, Scalar) else ""


FORMS: dict[str, Callable[[Workflows], object]] = {
    "list": lambda files: [{"file": row["file"], "workflow": row["workflow"]} for row in workflow_rows(files)],
    "map": lambda files: {file: names_in(root) for file, root in files.items()},
    "all": lambda files: {file: plain_value(root) for file, root in files.items()},
}
"""What `describe workflows --output` prints."""
