"""What expressions of any notation may ask of the YAML room: a value as text, a text as a value."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Node, Scalar, text
from plait.core.source import Source
from plait.fronts.project import Project
from plait.report.catalog import TOO_MANY
from plait.yaml.build import Reading, build, expanded_size
from plait.yaml.emit import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def yaml_services(project: Project) -> dict[str, Callable[..., Node]]:
    """`to_yaml(node)` and `from_yaml(text, name)`."""

    def to_yaml(node: Node) -> Node:
        if expanded_size(node) > project.budgets.nodes:
            raise TOO_MANY.error(Label.of(node), limit=project.budgets.nodes, hint="--max-nodes raises the limit")
        return text(emit(node, reveal=True, sort_keys=True))

    def from_yaml(written: str, name: str) -> Node:
        source = Source(name, written)
        programs = project.parsed(source)
        return build(programs[0], source, Reading(nodes=project.budgets.nodes)) if programs else Scalar(None, "")

    return {"to_yaml": to_yaml, "from_yaml": from_yaml}
