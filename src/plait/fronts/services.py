"""What expressions of any notation may ask of other rooms: a value as YAML, YAML as a value, a match of a pattern,
what a command prints.
"""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import ListNode, Node, Scalar, text
from plait.core.source import Source
from plait.fronts.project import Project
from plait.report.catalog import TOO_MANY
from plait.yaml.build import Reading, build, expanded_size
from plait.yaml.readers import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.meter import Meter


def shared_services(project: Project) -> dict[str, Callable[..., Node]]:
    """`to_yaml(node)`, `to_json(node)`, `printf(pattern, values)`, `from_yaml(text, name)`,
    `from_yaml_all(text, name, reader)` and `match(pattern, text)`."""

    def to_yaml(node: Node, sort_keys: bool = True) -> Node:
        if expanded_size(node) > project.budgets.nodes:
            raise TOO_MANY.error(Label(node.origin), limit=project.budgets.nodes, hint="--max-nodes raises the limit")
        from plait.yaml.emit import emit

        return text(emit(node, reveal=True, sort_keys=sort_keys))

    def to_json(node: Node) -> Node:
        from plait.yaml.emit import emit_json

        return text(emit_json(node, 0, reveal=True, sort_keys=True, tight=True).rstrip("\n"))

    def printf(pattern: str, values: list[object]) -> Node:
        """The text that Go's Printf makes of plain values. Integers are those of 64 bits."""
        from plait.notations.gotemplate.format import sprintf
        from plait.notations.gotemplate.values import Int64

        given = tuple(Int64(each) if each.__class__ is int else each for each in values)
        return text(sprintf(pattern, given, project.meter.make))

    def from_yaml(written: str, name: str) -> Node:
        source = Source(name, written)
        programs = project.parsed(source)
        return build(programs[0], source, Reading(nodes=project.budgets.nodes)) if programs else Scalar(None, "")

    def from_yaml_all(written: str, name: str, reader: str) -> Node:
        """All documents of a text, as another reader of YAML understands them."""
        source = Source(name, written)
        how = READERS[reader]
        reading = Reading(how.schema, nodes=project.budgets.nodes, duplicates=how.duplicates, keys=how.keys)
        return ListNode([build(program, source, reading) for program in project.parsed(source)])

    return {
        "to_yaml": to_yaml,
        "to_json": to_json,
        "printf": printf,
        "from_yaml": from_yaml,
        "from_yaml_all": from_yaml_all,
        "match": lambda pattern, whole: match(pattern, whole, project.meter),
    }


def match(pattern: str, whole: str, meter: Meter) -> Node:
    """The leftmost match of a pattern of Go's and its groups; an empty list where there is none.

    ValueError for a bad pattern.
    """
    from plait.regexp import Regexp  # only where a pattern is used

    found = Regexp(pattern).search(whole, 0, meter)
    spans = [] if found is None else found.spans
    return ListNode([text(whole[start:end] if start >= 0 else "") for start, end in spans])
