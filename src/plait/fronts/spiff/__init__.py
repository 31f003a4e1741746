"""spiff: a template takes its values from stubs.

    Spiff(project).merge(["template.yml", "stub.yml"])

Stubs are resolved from right to left, each with all those on its right; then the template, with all of them. A stage
that does not resolve ends the run, and all that is unresolved in it is reported at once.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, for_each
from plait.core.find import entry_key, item_index, step_into
from plait.core.node import Failure, Key, Mapping, Node, Scalar, Sequence, key_text, tag_of, text
from plait.core.path import Path, PathError, Step, format_path, parse_path
from plait.core.policy import MergePolicy
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.fronts.project import Project
from plait.fronts.services import shared_services
from plait.fronts.spiff.address import Stubs
from plait.fronts.spiff.reading import reading
from plait.fronts.spiff.report import unresolved
from plait.fronts.spiff.stage import Stage
from plait.merging.combine import combine
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import MARKS, item_at
from plait.report.catalog import (
    BAD_OPTION,
    BAD_PATH,
    DUPLICATE_KEY,
    MORE_DOCUMENTS,
    NO_DOCUMENT,
    REPEATED_KEY,
    TOO_MANY,
    UNKNOWN_PATH,
)
from plait.report.near import did_you_mean
from plait.yaml.build import build, expanded_size
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_WARNINGS = 100
LOCAL = frozenset(tag for tag, word in MARKS.items() if word == "local")


class Spiff:
    """A run of the cascade in a project. `given` are values that are visible to every document."""

    def __init__(
        self, project: Project, given: Iterable[str] = (), bindings: Iterable[str] = (), strict: bool = False
    ) -> None:
        self.project = project
        self.strict = strict
        self.given: dict[str, Node] = {}
        self.warnings: list[Diagnostic] = []
        self.evaluator = Evaluator(project.door, project.meter, shared_services(project), project.counters)
        self.complete = True
        """Whether every value must be known: what is deployed has no gaps, what is explained may have some."""
        self.stages: list[Stage] = []
        """The stages that are resolved, the rightmost stub first."""
        self.stubs = Stubs()
        self.marked = False
        for name in bindings:
            self.given.update(self.bindings(name))
        self.given.update(definitions(given))

    def merge(self, names: list[str]) -> list[Node]:
        """The documents of the template, named first, with the stubs that follow.

        Raises `Unresolved` with all that fails in a stage.
        """
        templates, *stubs = for_each(self._read, [(name, number > 0) for number, name in enumerate(names)])
        while stubs:
            node = self.resolve(stubs.pop()[0])
            self.stubs.add(pruned(node, LOCAL) if self.marked else node)
        results = [self.resolve(template) for template in templates]
        return [pruned(result, frozenset(MARKS)) for result in results] if self.marked else results

    def resolve(self, document: Node) -> Node:
        """One stage, finished: a document with the stubs so far."""
        stage = Stage(document, self.stubs, self.given, self.project.meter)
        root = stage.top.node
        assert root is not None
        node, failures = self.evaluator.finish(root, stage.top)
        if failures and (self.complete or isinstance(node, Failure)):
            raise unresolved(self.evaluator, stage.top, failures)
        limit = self.project.budgets.nodes
        if expanded_size(node) > limit:
            raise TOO_MANY.error(
                Label(document.origin), limit=limit, hint="references multiply here; --max-nodes raises the limit"
            )
        self.marked = self.marked or stage.marked
        stage.finished = node
        self.stages.append(stage)
        return node

    def documents(self, name: str, expressions: bool = True) -> list[Node]:
        """The documents of a file."""
        how = reading(self.project.budgets.nodes, expressions, None if self.strict else self.repeated)
        documents = [node for node in self.project.read(name, lambda source: how) if not _is_empty(node)]
        if not documents:
            raise NO_DOCUMENT.error(name=name, hint="for an empty map, write {}")
        return documents

    def repeated(self, key: Key, first: Label, last: Label) -> None:
        """A duplicate key is accepted, as released spiff does: `consumes` occurs twice in each cf-release of 2017."""
        if len(self.warnings) >= MOST_WARNINGS:
            raise DUPLICATE_KEY.error(
                first, last, key=key_text(key), hint="the file has too many duplicate keys; remove them"
            )
        hint = "remove one of them; --strict makes this an error"
        self.warnings.append(REPEATED_KEY(first, last, key=key_text(key), hint=hint))

    def bindings(self, name: str) -> dict[str, Node]:
        """The values of a file that every document sees around it."""
        node = self.read(name, expressions=False)
        if not isinstance(node, Mapping):
            raise BAD_OPTION.error(Label(node.origin), why=f"`--bindings {name}` is not a map")
        return {key: child for key, child in node.entries.items() if isinstance(key, str)}

    def _read(self, one: tuple[str, bool]) -> list[Node]:
        """The documents of a template, or the one of a stub."""
        name, is_stub = one
        return [self.read(name)] if is_stub else self.documents(name)

    def read(self, name: str, expressions: bool = True) -> Node:
        """The document of a stub; of several the first, with a warning."""
        documents = self.documents(name, expressions)
        if len(documents) > 1:
            label = Label(documents[1].origin, "this document and the following ones are ignored")
            self.warnings.append(MORE_DOCUMENTS(label, count=len(documents), hint="move it to its own file"))
        return documents[0]


def definitions(flags: Iterable[str]) -> dict[str, Node]:
    """The values of `-D name=value` flags. A value is YAML; `a.b=c` makes a map."""
    given: dict[str, Node] = {}
    for flag in flags:
        name, equals, value = flag.partition("=")
        source = Source(f"-D {flag}", value, given=True)
        steps = name.split(".")
        if not equals or not all(steps):
            raise BAD_OPTION.error(Label.at(source, 0), why=f"`-D {flag}` has no value", hint="write -D NAME=VALUE")
        programs = scan(source)
        node = build(programs[0], source, reading(10_000, expressions=False)) if programs else text("", source)
        for step in reversed(steps[1:]):
            node = Mapping({step: node}, source)
        given[steps[0]] = combine([given[steps[0]], node], MergePolicy()) if steps[0] in given else node
    return given


def path_in(root: Node, path: str) -> str:
    """A path of spiff's (`jobs.web.[0]`) as one that every front knows, as far as the document has it."""
    steps = _steps(path)
    exact_steps: list[Step] = []
    node: Node | None = root
    for step in steps:
        exact = None if node is None else _exact(node, step)
        node = None if node is None or exact is None else step_into(node, exact)
        exact_steps.append(step if exact is None else exact)
    return format_path(tuple(exact_steps))


def _steps(path: str) -> Path:
    try:
        return parse_path(path.replace(".[", "["), pattern=True)
    except PathError as trouble:
        raise BAD_PATH.error(path=path, why=trouble.message) from None


def locate(root: Node, path: str) -> tuple[Path, Node]:
    """What is at a path of a finished document, and its steps: `a.b`, `a.[0]`, `jobs.web`, `a["x.y"]`."""
    steps = _steps(path)
    node = root
    exact_steps: list[Step] = []
    for step in steps:
        exact = _exact(node, step)
        child = None if exact is None else step_into(node, exact)
        if exact is None or child is None:
            here = format_path(tuple(exact_steps)) or "the document"
            hint = did_you_mean(str(step), _names(node)) or f"`{here}` has nothing of that name"
            raise UNKNOWN_PATH.error(path=path, hint=hint)
        exact_steps.append(exact)
        node = child
    return tuple(exact_steps), node


def _names(node: Node) -> list[str]:
    """The names that lead further down."""
    if isinstance(node, Mapping):
        return [key for key in node.entries if isinstance(key, str)]
    items = node.items if isinstance(node, Sequence) else []
    return [name for item in items if isinstance(item, Mapping) and (name := text_of(item.entries.get("name")))]


def _exact(node: Node, step: Step) -> Step | None:
    """The key or the index that a step means."""
    if isinstance(node, Mapping):
        return entry_key(node, step)
    if not isinstance(node, Sequence):
        return None
    index = item_index(node, step)
    return item_at(node, step) if index is None and isinstance(step, str) else index


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None and not node.text


def pruned(root: Node, tags: frozenset[str]) -> Node:
    """A finished tree without the nodes that carry one of the marks. Without recursion."""
    holder: list[Node] = [root]
    work: list[tuple[dict[Key, Node] | list[Node], Key | int, Node]] = [(holder, 0, root)]
    while work:
        target, key, node = work.pop()
        if isinstance(node, Mapping):
            entries = {name: child for name, child in node.entries.items() if tag_of(child) not in tags}
            target[key] = Mapping(entries, node.source, node.at, node.tag, False, (), node.parts)  # type: ignore[index]
            work.extend((entries, name, child) for name, child in entries.items())
        elif isinstance(node, Sequence):
            items = [item for item in node.items if tag_of(item) not in tags]
            target[key] = Sequence(items, node.source, node.at, node.tag, False, node.parts, node.rule)  # type: ignore[index]
            work.extend((items, index, item) for index, item in enumerate(items))
    return holder[0]
