"""spiff: a template takes its values from stubs.

    Spiff(project).merge(["template.yml", "stub.yml"])

Stubs are resolved from right to left, each with all those on its right; then the template, with all of them. A stage
that does not resolve ends the run, and all that is unresolved in it is reported at once.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, for_each
from plait.core.find import entry_key, item_index, step_into
from plait.core.lazy import LazyPattern
from plait.core.node import Failure, Key, ListNode, MapNode, Mark, Node, Scalar, key_text, text
from plait.core.path import Path, Step
from plait.core.policy import MergePolicy
from plait.core.scope import Place
from plait.core.source import Source
from plait.evaluate.engine import Evaluator
from plait.fronts.file_services import file_services
from plait.fronts.project import Project
from plait.fronts.services import shared_services
from plait.fronts.spiff.address import Stubs
from plait.fronts.spiff.control import names_control, unused_controls
from plait.fronts.spiff.hosting import RunFacts
from plait.fronts.spiff.options import SpiffOptions, options_of
from plait.fronts.spiff.reading import reading
from plait.fronts.spiff.report import unresolved
from plait.fronts.spiff.result import pruned, puts_in, replaced, state_of, with_failures, written_out
from plait.fronts.spiff.stage import Stage, as_template
from plait.fronts.typed import typed_path
from plait.merging.combine import combine
from plait.notations.dynaml.items import text_of
from plait.notations.dynaml.lookup import item_at, marks_of
from plait.report.catalog import (
    BAD_OPTION,
    DUPLICATE_KEY,
    MORE_DOCUMENTS,
    NO_DOCUMENT,
    NOT_COMPUTED,
    REPEATED_KEY,
    TOO_MANY,
    UNKNOWN_PATH,
    UNUSED_CONTROL,
)
from plait.report.near import did_you_mean
from plait.yaml.build import build, expanded_size
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.yaml.build import Reading

VERSION = "1.7.0"
"""The version of spiff++ whose language this is, for expressions that ask."""

MOST_WARNINGS = 100
LOCAL, TEMPORARY = frozenset({"local"}), frozenset({"local", "temporary"})
KEPT = ("dynamic", "inject", "default")
"""The marks that a value of a stub keeps."""
KEPT_BY_SUCCESSOR = ("temporary", "state", *KEPT)


DECIMAL = LazyPattern(r"[-+]?[0-9]{1,18}\Z")
"""A value of `-D` that is an integer for the successor."""


class Spiff:
    """A run of the cascade in a project. `given` are values that are visible to every document."""

    def __init__(
        self,
        project: Project,
        given: Iterable[str] = (),
        bindings: Iterable[str] = (),
        strict: bool = False,
        options: SpiffOptions | None = None,
    ) -> None:
        self.project = project
        self.strict = strict
        self.partial = False
        self.options = options or options_of(project)
        self.dialect = self.options.dialect
        self.given: dict[str, Node] = {}
        self.warnings: list[Diagnostic] = []
        self.spends = False
        """Whether nobody asks for anything but the result, so that what is known of a value need not be kept."""
        self.complete = True
        """Whether every value must be known: what is deployed has no gaps, what is explained may have some."""
        self.state: Node | None = None
        """What is marked as `&state` in the result."""
        services = {
            **shared_services(project),
            **file_services(project, self.documents_in),
            "as_template": as_template,
        }
        self.evaluator = Evaluator(project.door, project.meter, services, project.counters)
        self.facts = RunFacts(self.dialect, self.given, VERSION)
        self.stages: list[Stage] = []
        """The stages that are resolved, the rightmost stub first."""
        self.stubs = Stubs(KEPT_BY_SUCCESSOR if self.dialect.successor else KEPT)
        self.marked = False
        for name in bindings:
            self.given.update(self.bindings(name))
        self.given.update(definitions(given, self.dialect.successor))
        for name, file in self.options.tags:
            node = self.read(file)
            self.facts.tags[name.replace(":", ".")] = (node, Place(node=node))

    def merge(self, names: list[str], partial: bool = False) -> list[Node]:
        """The documents of the template, named first, with the stubs that follow.

        Raises `Unresolved` with all that fails in a stage; with `partial`, the template keeps its expressions there.
        """
        self.partial = partial
        templates, *stubs = for_each(self._read, [(name, number > 0) for number, name in enumerate(names)])
        while stubs:
            self.add_stub(self.resolve(stubs.pop()[0]), self.stages[-1])
        results = [each if _is_empty(each) else self.document(each) for each in templates]
        return [node for node in results if node is not None]

    def add_stub(self, node: Node, stage: Stage) -> None:
        """A finished stub, without what is local to it."""
        if self.marked:
            node = replaced(node, stage.downstream)
            self.stubs.injects = self.stubs.injects or puts_in(node)
            node = pruned(node, LOCAL)
        self.stubs.add(node)

    def document(self, template: Node) -> Node | None:
        """One document of the result; None for one that is left out as a whole."""
        node = self.resolve(template)
        stage = self.stages[-1]
        for tag, (tagged, place) in stage.host.tags.items():
            self.facts.tags[tag] = (tagged, place)
        self.facts.documents.append(node)
        if self.marked and self.state is None:
            self.state = state_of(node)
        if isinstance(node, Mark) and self.dialect.successor:
            return Scalar(None, "null", template.source, template.at)
        left_out = isinstance(node, Mark) or "temporary" in marks_of(node)
        if left_out and not self.options.preserve_temporary:
            return None
        return self.printed(node) if self.marked or not self.dialect.plain else node

    def printed(self, node: Node) -> Node:
        """A result without marks and escapes, and with functions as texts."""
        tags = LOCAL if self.options.preserve_temporary else TEMPORARY
        inside = self.dialect.interpolation
        unescape = (self.dialect.successor or inside) and not self.options.preserve_escapes
        return written_out(pruned(node, tags), unescape, inside)

    def resolve(self, document: Node, stubs: Stubs | None = None) -> Node:
        """One stage, finished: a document with the stubs so far."""
        stage = Stage(
            document, stubs or self.stubs, self.facts, self.project.meter, spends=self.spends and not self.partial
        )
        root = stage.top.node
        assert root is not None
        shared = [self.evaluator.spend(wide, place) for wide, place in stage.wide or ()]
        node, failures = self.evaluator.finish(root, stage.top, any(shared))
        if failures and not self.partial and (self.complete or isinstance(node, Failure)):
            raise unresolved(self.evaluator, stage.top, failures, self.dialect.successor)
        if failures and self.partial:
            node = with_failures(node, document)
        self.check_size(node, document)
        self.marked = self.marked or stage.marked
        stage.finished = node = replaced(node, stage.outside)
        self.stages.append(stage)
        return node

    def check_size(self, node: Node, document: Node) -> None:
        """Refuse a result that is far larger than what was written. One that was written may be as large as it is."""
        limit = self.project.budgets.nodes
        if expanded_size(node) > limit:
            from plait.core.size import multiplied

            if multiplied(node) > limit:
                raise TOO_MANY.error(
                    Label(document.origin), limit=limit, hint="references multiply here; --max-nodes raises the limit"
                )

    def documents(self, name: str, expressions: bool = True) -> list[Node]:
        """The documents of a file."""
        how = self.how(expressions)
        documents = self.project.read(name, lambda source: how, once=self.spends)
        if self.dialect.successor:
            documents = documents or [Scalar(None, "", Source(name, ""))]
        else:
            documents = [node for node in documents if not _is_empty(node)]
        if not documents:
            raise NO_DOCUMENT.error(name=name, hint="for an empty map, write {}")
        if expressions and not self.dialect.control and names_control(documents[0].origin.source.text):
            self.warn_of_controls(documents)
        return documents

    def warn_of_controls(self, documents: list[Node]) -> None:
        """Control keys that are ordinary keys, because the feature is off."""
        for mapping, key in unused_controls(documents, self.project.meter):
            if len(self.warnings) < MOST_WARNINGS:
                hint = "`--features control` switches control keys on"
                self.warnings.append(
                    UNUSED_CONTROL(Label(mapping.key_origin(key), length=len(key)), key=key, hint=hint)
                )

    def left_as_text(self, scalar: Scalar) -> None:
        """A text with an expression that is not computed. `((name))` without blanks is for the reader of the
        manifest."""
        if len(self.warnings) < MOST_WARNINGS:
            inside = "`--features interpolation` computes expressions inside of texts"
            hint = (
                "end it with `>-` or `|-`" if scalar.text.strip()[:2] == "((" and scalar.text[-1:] == "\n" else inside
            )
            self.warnings.append(NOT_COMPUTED(Label(scalar.origin), hint=hint))

    def how(self, expressions: bool = True) -> Reading:
        """How files are read."""
        repeated = None if self.strict else self.repeated
        return reading(self.project.budgets.nodes, expressions, repeated, self.dialect, self.left_as_text)

    def documents_in(self, text: str, name: str) -> list[Node]:
        """The documents of a text that an expression reads."""
        source = Source(name, text)
        return [build(program, source, self.how()) for program in self.project.parsed(source)]

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
        if not isinstance(node, MapNode):
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


def definitions(flags: Iterable[str], successor: bool = False) -> dict[str, Node]:
    """The values of `-D name=value` flags. A value is YAML, for the successor an integer or a text; `a.b=c` makes a
    map, and `\\.` is a dot of a name."""
    given: dict[str, Node] = {}
    for flag in flags:
        name, equals, value = flag.partition("=")
        source = Source(f"-D {flag}", value, given=True)
        steps = [step.replace("\0", ".") for step in name.replace("\\.", "\0").split(".")]
        if not equals or not all(steps):
            raise BAD_OPTION.error(Label.at(source, 0), why=f"`-D {flag}` has no value", hint="write -D NAME=VALUE")
        node = _plain_definition(source) if successor else _yaml_definition(source)
        for step in reversed(steps[1:]):
            node = MapNode({step: node}, source)
        given[steps[0]] = combine([given[steps[0]], node], MergePolicy()) if steps[0] in given else node
    return given


def _yaml_definition(source: Source) -> Node:
    programs = scan(source)
    return build(programs[0], source, reading(10_000, expressions=False)) if programs else text("", source)


def _plain_definition(source: Source) -> Node:
    number = DECIMAL.match(source.text)
    return Scalar(int(source.text), str(int(source.text)), source) if number else text(source.text, source)


def path_in(root: Node, path: str) -> Path:
    """A path of spiff's (`jobs.web.[0]`) as one of a document, as far as that has it."""
    steps = typed_path(path.replace(".[", "["), pattern=True)
    exact_steps: list[Step] = []
    node: Node | None = root
    for step in steps:
        exact = None if node is None else _exact(node, step)
        node = None if node is None or exact is None else step_into(node, exact)
        exact_steps.append(step if exact is None else exact)
    return tuple(exact_steps)


def locate(root: Node, path: str) -> tuple[Path, Node]:
    """What is at a path of a finished document, and its steps: `a.b`, `a.[0]`, `jobs.web`, `a["x.y"]`."""
    steps = typed_path(path.replace(".[", "["), pattern=True)
    node = root
    exact_steps: list[Step] = []
    for step in steps:
        exact = _exact(node, step)
        child = None if exact is None else step_into(node, exact)
        if exact is None or child is None:
            names = list(_names(node))
            others = f"available: {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}" if names else ""
            hint = did_you_mean(str(step), names) or others
            raise UNKNOWN_PATH.error(path=path, hint=hint)
        exact_steps.append(exact)
        node = child
    return tuple(exact_steps), node


def _names(node: Node) -> list[str]:
    """The names that lead further down."""
    if isinstance(node, MapNode):
        return [key for key in node.entries if isinstance(key, str)]
    items = node.items if isinstance(node, ListNode) else []
    return [name for item in items if isinstance(item, MapNode) and (name := text_of(item.entries.get("name")))]


def _exact(node: Node, step: Step) -> Step | None:
    """The key or the index that a step means."""
    if isinstance(node, MapNode):
        return entry_key(node, step)
    if not isinstance(node, ListNode):
        return None
    index = item_index(node, step)
    return item_at(node, step) if index is None and isinstance(step, str) else index


def _is_empty(node: Node) -> bool:
    """Whether a document has nothing in it, not even a null."""
    return isinstance(node, Scalar) and node.value is None and not node.text
