"""plait as a library: a merged document that behaves like a mapping of plain values, computed when they are looked at.

    document = plait.merge(["base.yaml", "prod.yaml"])
    document["vars"]["net"]["cidr"]
    document.explain("vars.net.cidr").leaves[0].winner.node.origin

Nothing is shared between documents; each may be used from its own thread.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plait.core.diagnostic import Diagnostic, PlaitError
from plait.core.node import Failure, Mark, Node, Scalar, from_plain, key_text
from plait.core.node import Mapping as MappingNode
from plait.core.node import Sequence as SequenceNode
from plait.core.path import entry_key
from plait.core.scope import Place
from plait.evaluate.explain import Explanation
from plait.evaluate.tree import Tree
from plait.workspace import Workspace, as_text, plain_value, read_path


class LazyMap(Mapping[str, Any]):
    """A mapping of a document. Its values are computed when they are looked at; a value that fails raises then."""

    def __init__(self, tree: Tree, node: MappingNode, place: Place) -> None:
        self._tree = tree
        self._node = node
        self._place = place

    def __getitem__(self, key: str) -> Any:
        name = entry_key(self._node, key)
        if name is None or isinstance(self._node.entries[name], Mark):
            raise KeyError(key)
        return view(self._tree, self._node.entries[name], self._place.child(name))

    def __iter__(self) -> Iterator[str]:
        return (key_text(key) for key, node in self._node.entries.items() if not isinstance(node, Mark))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<plait map: {', '.join(self)}>"


class LazyList(Sequence[Any]):
    """A list of a document, computed item by item."""

    def __init__(self, tree: Tree, node: SequenceNode, place: Place) -> None:
        self._tree = tree
        self._place = place
        self._items = [(index, item) for index, item in enumerate(node.items) if not isinstance(item, Mark)]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._view(*pair) for pair in self._items[index]]
        return self._view(*self._items[index])

    def _view(self, step: int, item: Node) -> Any:
        return view(self._tree, item, self._place.child(step))

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, list | LazyList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<plait list of {len(self)}>"


def view(tree: Tree, node: Node, place: Place) -> Any:
    """A node as people use it in Python."""
    known = tree.evaluator.force(node, place)
    if isinstance(known, Failure):
        raise PlaitError(*known.diagnostics)
    if place.node is None:
        place.node = known
    if isinstance(known, MappingNode):
        return LazyMap(tree, known, place)
    if isinstance(known, SequenceNode):
        return LazyList(tree, known, place)
    assert isinstance(known, Scalar)
    return known.value


class Document(LazyMap):
    """A merged document: a mapping, and the answers about it."""

    def __init__(self, workspace: Workspace, tree: Tree) -> None:
        root = tree.evaluator.force(tree.root, tree.top)
        super().__init__(tree, root if isinstance(root, MappingNode) else MappingNode({}), tree.top)
        self._workspace = workspace

    def value(self, path: str = "") -> Any:
        """Everything at a path as plain data. All errors come at once, in one `PlaitError`."""
        return plain_value(self._workspace.value(self._tree, path), reveal=True)

    def get_path(self, path: str) -> Any:
        """The lazy value at a path."""
        node, place = self._tree.find(read_path(path))
        return view(self._tree, node, place)

    def explain(self, path: str) -> Explanation:
        """Where a value comes from: the winner, the losers and why, the chain of expressions."""
        return self._workspace.explain(self._tree, path)

    def text(self, format: str = "yaml", *, path: str = "", reveal: bool = False) -> str:
        """The document, or a part of it, as YAML or JSON."""
        return as_text(self._workspace.value(self._tree, path), format, reveal)

    @property
    def counters(self) -> dict[str, int]:
        """The work that was done so far: files read, values forced, steps, calls to the outside."""
        return self._workspace.counters.as_dict()


def merge(
    layers: Iterable[str],
    *,
    lists: Iterable[str] = (),
    policy: str | None = None,
    sets: Iterable[str] = (),
    create: bool = False,
    notations: Iterable[str] = (),
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    budgets: dict[str, int] | None = None,
    folder: str = ".",
    cache: bool = False,
) -> Document:
    """YAML layers, lowest first, as one lazy document."""
    workspace = Workspace(folder, allow=allow, deny=deny, budgets=budgets, cache=cache)
    names = [str(name) for name in layers]
    terms = workspace.terms(lists=list(lists), policy_file=policy, notations=tuple(notations))
    bundle = workspace.layers(names, terms, sets=sets, create=create)
    return Document(workspace, bundle.members[0].tree)


# Stacks


class Stacks:
    """The stack manifests of a repository, read when they are needed.

    repository = plait.stacks("infra")
    repository.stacks()                                      the names of all stacks
    repository.component("vpc", stack="plat-ue1-prod")["vars"]["cidr"]
    """

    def __init__(self, workspace: Workspace, folder: str, options: dict[str, object]) -> None:
        self._workspace = workspace
        self._stacks = workspace.stacks(folder, None, options)

    def stacks(self) -> list[str]:
        """The names of all stacks, sorted. No function is called for it."""
        return self._stacks.names()

    def component(self, name: str, *, stack: str) -> Document:
        """A component: a lazy document of its sections, which can be explained."""
        return Document(self._workspace, self._stacks.tree(name, stack))

    def locals(self, component: str = "", *, stack: str) -> dict[str, Any]:
        """The locals of a stack's manifest, or those that a component's texts can read: scopes, values, files and lines."""
        found: dict[str, Any] = self._stacks.locals_data(component, stack)
        return found

    def problems(self) -> list[Diagnostic]:
        """What is wrong with manifests that could not be read; questions about other stacks are answered all the same."""
        return self._stacks.problems()

    @property
    def counters(self) -> dict[str, int]:
        return self._workspace.counters.as_dict()


def stacks(
    folder: str = ".",
    *,
    templates: bool = True,
    functions: bool = True,
    skip: Iterable[str] = (),
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    budgets: dict[str, int] | None = None,
    cache: bool = False,
) -> Stacks:
    """The stacks of a folder that has an atmos.yaml."""
    workspace = Workspace(folder, allow=allow, deny=deny, budgets=budgets, cache=cache)
    return Stacks(workspace, folder, {"templates": templates, "functions": functions, "skip": list(skip)})


# Generating again


class Options:
    """The flags of a regeneration, by name; what is left out is as it is on the command line."""

    def __init__(self, **given: object) -> None:
        for name, value in given.items():
            setattr(self, name, list(value) if isinstance(value, tuple) else value)


class Regenerated:
    """What became of a text: `text`, and the report, as `entries` for programs and `lines` for people."""

    def __init__(self, text: str, entries: list[dict[str, Any]], lines: list[str], conflicts: int) -> None:
        self.text = text
        self.entries = entries
        self.lines = lines
        self.conflicts = conflicts

    def __repr__(self) -> str:
        return f"<plait regenerated: {len(self.entries)} entries, {self.conflicts} conflicts>"


def _plain(data: object) -> Any:
    return plain_value(from_plain(data), reveal=True)


def regenerate(
    existing: str,
    fresh: str,
    base: str | None = None,
    *,
    sets: Iterable[str] = (),
    preserve: Iterable[str] = (),
    lists: Iterable[str] = (),
    owned: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    absent: str = "add",
) -> Regenerated:
    """`existing` brought up to date with `fresh`, keeping what others changed since `base` (None: nobody remembers).

    All three are YAML texts, as a tool generates them and people edit them.
    """
    options = Options(
        set=tuple(sets), preserve=tuple(preserve), list=tuple(lists), overwrite=overwrite, prune=prune, absent=absent
    )
    merged = Workspace().patterns.regenerate_text(existing, fresh, base, options, owned)
    return Regenerated(merged.text, _plain(merged.entries()), merged.lines(), len(merged.plan.conflicts))


def create(
    pattern: str,
    inputs: Mapping[str, Any] | None = None,
    output: str = ".",
    *,
    patterns: Iterable[str] = (),
    sets: Iterable[str] = (),
    preserve: Iterable[str] = (),
    accept: Iterable[str] = (),
    overwrite: bool = False,
    prune: bool = False,
    strict: bool = False,
    dry_run: bool = False,
    absent: str = "add",
    tracker: str = "",
) -> dict[str, Any]:
    """Run a pattern. Gives what `plait create --output json` prints; under `strict`, nothing is written where both sides moved."""
    generator = Workspace().patterns
    options = Options(
        set=tuple(sets), preserve=tuple(preserve), accept=tuple(accept), overwrite=overwrite, prune=prune, strict=strict,
        absent=absent, tracker=tracker,
    )  # fmt: skip
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in (inputs or {}).items()}
    planned = generator.create(generator.pattern(pattern, patterns), options, texts, output)
    if not dry_run and planned.status == 0:
        planned.write()
    told: dict[str, Any] = _plain(planned.data())
    return told
