"""A component with a comment on every line: which file and line it comes from, and how many imports away that is.

    vars:                                             # ○ [4] catalog/mock/defaults.yaml:8
      region: us-east-1                               # ● [1] orgs/acme/dev/us-east-1.yaml:12

A rendering of the component's account (`merging.account`).
"""

from __future__ import annotations

from plait.core.find import word
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, Suspension
from plait.core.source import Origin, Source, line_numbers, origins
from plait.core.visible import one_line
from plait.evaluate.tree import Tree
from plait.fronts.stacks.answers.describe import described
from plait.fronts.stacks.answers.origins import file_of
from plait.fronts.stacks.answers.unknown import hidden_of, hidden_parts
from plait.fronts.stacks.assemble.section_layers import BACKENDS, NO_SECTIONS, OTHER_KEYS, WORDS
from plait.fronts.stacks.read.imports import depths_of
from plait.merging.account import Account
from plait.yaml.emit import Style, key_inline, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.answers.describe import DescribeFilter
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.assemble.components import Component

LEGEND = """# Provenance Legend:
#   ● [1] Defined in parent stack
#   ○ [N] Inherited/imported (N=2+ levels deep)
#   ∴ Computed/templated

# Stack: {stack}

"""
PLAIN = Style(prefer='"')
COLUMN = 50
"""Where comments begin; a longer line has its comment on the next one."""
SHOWN = (
    "imports",
    "vars",
    "settings",
    "env",
    "backend",
    "overrides",
    "providers",
    "required_providers",
    "hooks",
    "generate",
    "dependencies",
    "auth",
    "secrets",
)
"""The sections whose values come from files, as far as Atmos names them, in the order in which they are explained."""

CHOSEN = (*WORDS, *BACKENDS)
"""Single words, and what they choose."""


def from_files(
    root: Node, type: str = "", known: dict[tuple[Key, ...], tuple[str, ...]] | None = None
) -> tuple[str, ...]:
    """The sections of a component whose values come from files, its metadata, and single words that a file has. What is
    `known` already is found by the type, the words and the names of all sections."""
    entries = root.entries if isinstance(root, MapNode) else {}
    words = [name for name in CHOSEN if name in entries and not file_of(entries[name]).given]
    type = type or word(root, "component_type")
    key = (type, str(len(words)), *words, *entries)
    found = known.get(key) if known is not None else None
    if found is None:
        others = OTHER_KEYS.get(type, NO_SECTIONS)
        names = dict.fromkeys((*SHOWN, "metadata", *(str(name) for name in entries if name not in others), *words))
        found = tuple(name for name in names if name in entries)
        if known is not None:
            known[key] = found
    return found


class Provenance:
    """The comments of one component."""

    def __init__(self, component: Component, reveal: bool = False) -> None:
        self.component = component
        self.depths = depths_of(component.manifest)
        shared = component.shared
        self.base = shared.session.shown(shared.config.stacks_path).rstrip("/") + "/"
        meter = shared.session.project.meter
        self.style = Style(indent=2, dash=2, sort_keys=True, reveal=reveal, prefer='"', meter=meter)
        tree = Tree(component.root, shared.session.evaluator, top=component.place)
        self._account = tree.account()

    def text(self, root: MapNode) -> str:
        """The whole document."""
        return LEGEND.format(stack=one_line(self.component.manifest.name)) + self.body(root) + "\n"

    def body(self, root: MapNode) -> str:
        """The sections, each line with its comment."""
        entries: dict[Key, Node] = {
            TITLES.get(name, name): root.entries[name]
            for name in from_files(root, self.component.type)
            if name != "metadata" and not _empty(root.entries[name])
        }
        written = lines(MapNode(entries), self.style) if entries else ()
        rows = [(text, (NAMES.get(str(path[0]), path[0]), *path[1:]), node) for text, path, node, _ in written]
        parts = self._account.made_of([(path, isinstance(node, Scalar) or _empty(node)) for _, path, node in rows])
        comments = self.comments([_nodes(parts.get(path, [])) for _, path, _ in rows])
        texts = [_line(text, comment) for (text, _, _), comment in zip(rows, comments, strict=True)]
        return "".join(texts)

    def comments(self, rows: list[list[Node]]) -> list[str]:
        """For what each line is made of, the sign, the depth and the place of the part that is furthest away; nothing
        for a value that no file holds."""
        places = iter(origins([(node.source, node.at) for nodes in rows for node in nodes]))
        chosen: list[tuple[int, Origin, Node] | None] = []
        for nodes in rows:
            parts = [(self.depths.get(place.file, 0), place, node) for node, place in zip(nodes, places, strict=False)]
            deepest = max(parts, key=_depth, default=None)  # of several as deep, the first
            chosen.append(deepest if deepest is not None and deepest[0] else None)
        numbers = iter(line_numbers([one[1] for one in chosen if one is not None]))
        return [self._comment(*one, next(numbers)) if one is not None else "" for one in chosen]

    def _comment(self, depth: int, origin: Origin, part: Node, line: int) -> str:
        computed = isinstance(part, Suspension) or origin.computed is not None
        sign = "∴" if computed else "●" if depth == 1 else "○"
        return f"# {sign} [{depth}] {origin.file.removeprefix(self.base)}:{line}"


def nested_lines(repository: Repository, stack: str, chosen: DescribeFilter, reveal: bool) -> Iterator[str]:
    """The components of a stack with comments, each below its type."""
    yield f"{key_inline(stack, PLAIN)}:\n  components:\n"
    last = ""
    wanted = {(one.type, one.name): one for one in repository.components_named(stack) if chosen.takes(one)}
    words = {(one.type, one.name): one.word for one in hidden_of(hidden_parts(repository), stack, chosen)}
    for type, name in sorted({*wanted, *words}):
        if type != last:
            last = type
            yield f"    {key_inline(last, PLAIN)}:\n"
        component = wanted.get((type, name))
        if component is None:
            yield f"      {key_inline(name, PLAIN)}: {words[type, name]}\n"
            continue
        yield f"      {key_inline(name, PLAIN)}:\n"
        whole = described(component, everything=False, reveal=reveal)
        kept = {key: node for key, node in whole.entries.items() if not chosen.sections or key in chosen.sections}
        body = Provenance(component, reveal).body(MapNode(kept))
        yield "".join(f"        {line}\n" if line else "\n" for line in body.splitlines())


TITLES = {"imports": "import"}
NAMES = {title: name for name, title in TITLES.items()}
"""Sections that are printed under another name."""


def _line(text: str, comment: str) -> str:
    """A line with its comment."""
    if not comment:
        return f"{text}\n"
    head, newline, rest = text.partition("\n")
    if len(head) >= COLUMN:
        return f"{text}\n{' ' * COLUMN}{comment}\n"
    return f"{head.ljust(COLUMN)}{comment}{newline}{rest}\n"


def _nodes(parts: list[Account]) -> list[Node]:
    """What parts say; of a list that no file holds, its items."""
    nodes: list[Node] = []
    for part in parts:
        given = isinstance(part.node, ListNode) and isinstance(part.node.source, Source) and part.node.source.given
        nodes += [child.node for child in part.children.values()] if given else [part.node]
    return nodes


def _depth(row: tuple[int, Origin, Node]) -> int:
    return row[0]


def _empty(node: Node) -> bool:
    return (isinstance(node, MapNode) and not node.entries) or (isinstance(node, ListNode) and not node.items)
