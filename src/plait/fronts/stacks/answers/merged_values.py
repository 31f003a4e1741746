"""What comes of the parts that files write at a place of a component: they are merged, and templates are rendered. The
component is not put together for that, only the places that the templates name.
"""

from __future__ import annotations

from functools import partial
from itertools import chain

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.core.node import MapNode, Node, Scalar, Suspension
from plait.core.path import is_near
from plait.core.scope import Place
from plait.core.source import Computed
from plait.fronts.stacks.answers.written_values import UNSURE, Unsure, WrittenTemplate
from plait.fronts.stacks.assemble.section_layers import PLAIN
from plait.fronts.stacks.language.view import Rendering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.node import Key
    from plait.core.path import Path
    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.answers.written_values import Layer, WrittenValues

    Parts = dict[Path, list[Node | Unsure]]
    """What layers write at some places, the lowest first."""

LOCALS = ("locals",)


class MergedValues:
    """Values of components whose parts are known from the texts of files."""

    def __init__(self, repository: Repository, written: WrittenValues) -> None:
        self._session = repository.session
        self._policies = repository.index.shared.policies
        self._loader = repository.index.manifests.loader
        self._written = written
        self._known: dict[tuple[object, ...], Node | Unsure] = {}
        """By the place and the identities of all parts; these are kept by `written`."""

    def value(self, place: Path, layers: tuple[Layer, ...], stack: str) -> Node | Unsure:
        """What a component of a stack has at a place that gets its values from some layers, the lowest first."""
        parts = self._parts(place, layers, stack)
        if parts is None:
            return UNSURE
        key = (place, *map(id, chain.from_iterable(parts.values())))
        if key not in self._known:
            try:
                self._known[key] = self._evaluated(place, parts)
            except Fault:
                self._known[key] = UNSURE  # whoever puts the component together says what is wrong
        return self._known[key]

    def _parts(self, place: Path, layers: tuple[Layer, ...], stack: str) -> Parts | None:
        """What is written at a place, and at those that templates name there; None where that does not decide the
        value."""
        own = self._written.parts(place, layers, stack)
        if not own:
            return None
        named = {name for one in own if isinstance(one, WrittenTemplate) for name in one.names if name[:1] != LOCALS}
        if is_near(tuple(named), place) or any(len(name) < 2 or name[0] not in PLAIN for name in named):
            return None
        found: Parts = {place: own}
        for name in sorted(named):
            if any(name[:depth] in named for depth in range(2, len(name))):
                continue  # it is part of another one
            found[name] = self._written.parts(name, layers, stack)
            if any(isinstance(one, Unsure) for one in found[name]):
                return None
        return found if all(isinstance(one, Node | WrittenTemplate) for one in own) else None

    def _evaluated(self, place: Path, parts: Parts) -> Node | Unsure:
        """The value at a place, seen from there."""
        known = {path: [self._node(one, path) for one in some] for path, some in parts.items()}
        text = _rendered_text(known[place])
        if text is not None and len(known[place]) > 1:
            return UNSURE
        root, evaluator = Place(node=self._sections(known)), self._session.evaluator
        node, at = entry(root.node, *map(str, place)), root
        assert node is not None
        for step in place:
            at = at.child(step)
        mark = evaluator.mark()
        made, failures = evaluator.finish(node, at)
        evaluator.forget({root}, mark)
        root.release()
        return UNSURE if failures or _is_special(made, text) else made

    def _sections(self, parts: dict[Path, list[Node]]) -> MapNode:
        """The sections of a component that has nothing but some parts."""
        found: dict[Key, list[Node]] = {}
        for path, nodes in parts.items():
            found.setdefault(str(path[0]), []).extend(_below(path[1:], node) for node in nodes)
        merged = {name: self._policies.merge(nodes, str(name)) for name, nodes in found.items()}
        return MapNode({name: node for name, node in merged.items() if node is not None}, live=True)

    def _node(self, part: Node | Unsure, place: Path) -> Node:
        """A part as the language of manifests reads it."""
        if not isinstance(part, WrittenTemplate):
            assert isinstance(part, Node)
            return part
        file = self._session.answer(partial(self._loader.file, part.path))
        found = entry(self._session.answer(partial(file.components.node, *part.entry)), *map(str, place))
        assert found is not None
        return found


def _below(path: Path, node: Node) -> Node:
    """A section that has nothing but a value at a path."""
    for step in reversed(path):
        node = MapNode({step: node}, node.source, node.at, None, node.live)  # type: ignore[dict-item]
    return node


def _rendered_text(parts: list[Node]) -> str | None:
    """The template that is rendered as a text, if one of some parts is one."""
    texts = [
        one.expression.text for one in parts if isinstance(one, Suspension) and isinstance(one.expression, Rendering)
    ]
    return texts[-1] if texts else None


def _is_special(made: Node, text: str | None) -> bool:
    """Whether a value is null, or what a function gave whose call a template wrote."""
    is_call = text is not None and isinstance(made.source, Computed) and made.source.text != text
    return is_call or (isinstance(made, Scalar) and made.value is None)
