"""`plait.merge`: layers as one lazy document, and the answers about it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypedDict, TypeVar, cast

from plait.core.diagnostic import Fault, PlaitError
from plait.core.node import ListNode, MapNode
from plait.core.path import format_path
from plait.core.source import Source
from plait.core.struct import struct
from plait.core.unknown import failures_in
from plait.evaluate.explain import Contribution, Explanation, Leaf
from plait.evaluate.tree import Tree
from plait.fronts.editing import one_line
from plait.fronts.typed import typed_path
from plait.library.data import Data, data_of
from plait.library.inputs import GivenLayer, Layer, given_layers
from plait.library.targets import as_type
from plait.library.views import DocumentList, DocumentMap, LockedTree, View, view
from plait.workspace import Workspace
from plait.yaml.emit import text_key
from plait.yaml.printing import as_text
from plait.yaml.schema import Schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.layers import MergeOptions

T = TypeVar("T")
ROWS = 200
"""As many values are shown where a document is printed."""


class Explained:
    """Where a value comes from.

    `leaves` has the winner of each value, and what it overrides; printing it shows the same.
    """

    __slots__ = ("_asked", "_explanation")

    def __init__(self, explanation: Explanation, document: Answers, path: str) -> None:
        self._explanation = explanation
        self._asked = (document, path)

    def __copy__(self) -> Explained:
        return self

    def __deepcopy__(self, memo: object) -> Explained:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _explained, self._asked

    @property
    def path(self) -> str:
        return format_path(self._explanation.path)

    @property
    def value(self) -> Data:
        """The value as plain data; None for a pattern, and for a value that is not in the result."""
        return data_of(self._explanation.value)

    @property
    def leaves(self) -> list[Leaf]:
        """Each value with its place, the way that it came, and what it overrides."""
        return self._explanation.leaves

    @property
    def parts(self) -> list[Contribution]:
        """What was merged here, lowest first."""
        return self._explanation.parts

    def ways(self) -> dict[str, list[str]]:
        """What each value came through, a line for each hop, and below it what was read there; nothing for a value that
        is written where it is seen."""
        return {format_path(leaf.path): _way(leaf) for leaf in self._explanation.leaves if leaf.way}

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Each value on one line: its path, itself, its place, and what it overrides."""
        return [
            (
                format_path(leaf.path),
                one_line(leaf.winner.result),
                str(leaf.winner.node.origin),
                ", ".join(f"{one_line(lost.result)} ({lost.node.origin})" for lost, _ in leaf.losers),
            )
            for leaf in self._explanation.leaves[:ROWS]
        ]

    def __str__(self) -> str:
        return "\n".join(
            f"{path}: {value}    {place}" + (f"    overrides {below}" if below else "")
            for path, value, place, below in self.rows()
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _table(("path", "value", "from", "overrides"), self.rows())


def _way(leaf: Leaf) -> list[str]:
    lines: list[str] = []
    stack = [(hop, "") for hop in reversed(leaf.way)]
    while stack:
        hop, indent = stack.pop()
        cells = (hop.word, format_path(hop.path), str(hop.origin or ""), leaf.told(hop))
        lines.append(indent + "  ".join(filter(None, cells)))
        stack.extend((inner, f"{indent}  ") for inner in reversed(hop.hops))
    return lines


def _explained(document: Answers, path: str) -> Explained:
    return document.explain(path)


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    def cells(row: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"

    return "<table>" + cells(heading, "th") + "".join(cells(row, "td") for row in rows) + "</table>"


class Answers:
    """The questions that a merged document answers, whether it is a map or a list."""

    _schema: Schema | None = None
    """The rules by which the layers were read: what is not touched is printed as it was written."""

    def __init__(self, workspace: Workspace, tree: Tree, recipe: Recipe | None = None) -> None:
        self._workspace = workspace
        self._tree = tree
        self._recipe = recipe
        self._run: LockedTree

    def value(self, path: str = "") -> Data:
        """Everything at a path as plain data. All errors come at once, in one `PlaitError`."""
        with self._run:
            return data_of(self._workspace.value(self._tree, path))

    def to_dict(self) -> Data:
        """The whole document as plain dicts, lists and values."""
        return self.value()

    def as_type(self, target: type[T], path: str = "") -> T:
        """The value at a path as a dataclass or pydantic model; what does not fit is an error at its line."""
        with self._run:
            return as_type(self._workspace.value(self._tree, path), target)

    def get_path(self, path: str) -> View:
        """The lazy value at a path."""
        with self._run:
            node, place = self._tree.find(typed_path(path))
        return view(self._run, node, place)

    def explain(self, path: str) -> Explained:
        """Where a value comes from: the winner, the overridden values with reasons, and the chain of expressions."""
        with self._run:
            explanation = self._workspace.explain(self._tree, path)
            unknown = failures_in(explanation.value) if explanation.value is not None else []
            if unknown:
                raise Fault(*dict.fromkeys(reason for value in unknown for reason in value.diagnostics))
            return Explained(explanation, self, path)

    def text(self, format: str = "yaml", *, path: str = "", reveal: bool = False) -> str:
        """The document, or a part of it, as YAML or JSON."""
        with self._run:
            value = self._workspace.value(self._tree, path)
            return as_text(value, format, reveal, schema=self._schema, meter=self._workspace.meter)

    @property
    def counters(self) -> dict[str, int]:
        """The work that was done so far: files read, values forced, steps, calls to the outside."""
        return self._workspace.counters.as_dict()

    def __str__(self) -> str:
        """The document as YAML, secrets masked; the errors where it has some."""
        try:
            return self.text()
        except PlaitError as error:
            return str(error)

    def _repr_html_(self) -> str:
        try:
            rows = self.explain("").rows()
        except PlaitError as error:
            return f"<pre>{escape(str(error))}</pre>"
        return _table(("path", "value", "from", "overrides"), rows)

    # A document is never changed, so that a copy is the document itself; pickled, it is made again from the same texts.

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, memo: object) -> T:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self._recipe is None:
            raise TypeError("this document cannot be pickled; pickle its to_dict()")
        return (_remade, (self._recipe.with_texts(self._workspace),))


class Document(Answers, DocumentMap):
    """A merged document: a mapping, and the answers about it."""

    def __init__(self, workspace: Workspace, tree: Tree, recipe: Recipe | None = None) -> None:
        Answers.__init__(self, workspace, tree, recipe)
        root = tree.evaluator.read(tree.root, tree.top)
        DocumentMap.__init__(self, LockedTree(tree), root if isinstance(root, MapNode) else MapNode({}), tree.top)

    def __repr__(self) -> str:
        return f"<plait document: {', '.join(map(text_key, self._node.entries))}>"


class ListDocument(Answers, DocumentList):
    """A merged document whose root is a list."""

    def __init__(self, workspace: Workspace, tree: Tree, root: ListNode, recipe: Recipe | None = None) -> None:
        Answers.__init__(self, workspace, tree, recipe)
        DocumentList.__init__(self, LockedTree(tree), root, tree.top)

    def __repr__(self) -> str:
        return f"<plait document: a list of {len(self)}>"


class ReadingOptions(TypedDict, total=False):
    """How layers are read and merged, as on the command line: `lists` are rules such as `jobs=key:name`, `policy` is a
    file of such rules, `nulls` what null means over a value, `yaml` the version of YAML."""

    lists: Iterable[str]
    policy: str | None
    notations: Iterable[str]
    documents: str
    profile: str
    nulls: str
    yaml: str


class WorkspaceOptions(TypedDict):
    """Where layers are read, and what their expressions may do."""

    folder: str
    allow: list[str]
    deny: list[str]
    budgets: dict[str, int] | None
    cache: bool


def merge_options(workspace: Workspace, options: ReadingOptions) -> MergeOptions:
    """The options of a question, as the workspace knows them."""
    return workspace.merge_options(
        lists=list(options.get("lists", ())),
        policy_file=options.get("policy"),
        notations=tuple(options.get("notations", ())),
        documents=options.get("documents", ""),
        profile=options.get("profile", ""),
        nulls=options.get("nulls", ""),
        yaml=options.get("yaml", ""),
    )


@struct
class Recipe:
    """What a document was made of: the layers, and the options."""

    layers: list[GivenLayer]
    workspace: WorkspaceOptions
    options: ReadingOptions
    sets: list[str]
    create: bool
    texts: dict[str, str]

    def with_texts(self, workspace: Workspace) -> Recipe:
        """The same with every file that was read: a document that is made again reads no file again."""
        return Recipe(
            self.layers,
            self.workspace,
            self.options,
            self.sets,
            self.create,
            {name: source.text for name, source in workspace.project.sources.items()},
        )


def _remade(recipe: Recipe) -> Document | ListDocument:
    workspace = Workspace(**recipe.workspace)
    for name, text in {**recipe.texts, **{one.name: one.text for one in recipe.layers if one.text is not None}}.items():
        workspace.project.sources[name] = Source(name, text)
    options = merge_options(workspace, recipe.options)
    names = [layer.name for layer in recipe.layers]
    bundle = workspace.layers(names, options, sets=recipe.sets, create=recipe.create)
    tree = bundle.members[0].tree
    if len(bundle.members) > 1:
        labels = ", ".join(member.group.label for member in bundle.members)
        raise ValueError(
            f"the layers hold several documents ({labels}); choose with documents=, or merge them one by one"
        )
    root = tree.evaluator.read(tree.root, tree.top)
    made = (
        ListDocument(workspace, tree, root, recipe) if isinstance(root, ListNode) else Document(workspace, tree, recipe)
    )
    made._schema = bundle.schema
    return made


def merge(
    layers: Layer | Iterable[Layer],
    *,
    lists: Iterable[str] = (),
    policy: str | None = None,
    sets: Iterable[str] = (),
    create: bool = False,
    notations: Iterable[str] = (),
    documents: str = "",
    profile: str = "",
    nulls: str = "",
    yaml: str = "",
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    budgets: dict[str, int] | None = None,
    folder: str = ".",
    cache: bool = False,
) -> Document:
    """YAML layers, lowest first, as one lazy document; where the root is a list, it is a `ListDocument`.

    A layer is a path, a YAML text (a str with a line break), a dict or list, an open file, or (name, one of these).
    """
    options: ReadingOptions = {
        "lists": list(lists), "policy": policy, "notations": tuple(notations), "documents": documents,
        "profile": profile, "nulls": nulls, "yaml": yaml,
    }  # fmt: skip
    place: WorkspaceOptions = {
        "folder": folder, "allow": list(allow), "deny": list(deny), "budgets": budgets, "cache": cache,
    }  # fmt: skip
    return cast(Document, _remade(Recipe(given_layers(layers), place, options, list(sets), create, {})))
