"""Components of stacks as what is written about them, for who looks at how all components are put together: those that
write the same sections as another one of their stack have all others from there."""

from __future__ import annotations

from plait.core.node import MapNode
from plait.evaluate.unmerged import UnmergedDocument
from plait.fronts.stacks.answers.provenance import from_files
from plait.fronts.stacks.answers.values import KnownValues
from plait.fronts.stacks.assemble.components import metadata_parts
from plait.fronts.stacks.assemble.section_layers import WRITTEN_FACTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from plait.core.node import Key
    from plait.evaluate.tree import Tree
    from plait.evaluate.unmerged import OwnSection, SharedSections
    from plait.fronts.stacks.assemble.layers import ComponentFrame, FramedComponent
    from plait.fronts.stacks.session.session import StackSession

    KnownSections = dict[tuple[Key, ...], tuple[str, ...]]

METADATA, WORKSPACE = "metadata", "workspace"
SEEN_BY_FUNCTIONS = "env"
"""A section that functions read without a name for it."""


class _Frame:
    """What the components in a frame have in common."""

    __slots__ = ("frame", "shared", "values")

    def __init__(self, frame: ComponentFrame, values: KnownValues) -> None:
        self.frame = frame
        """Kept, because it is found by its identity."""
        self.values = values
        """What is known of values that wait."""
        self.shared: dict[str, SharedSections] = {}
        """The sections that all of them have alike and whose values come from files, by the name of the state."""


class UnmergedComponents:
    """The components of one stack in the frames of others."""

    def __init__(self, session: StackSession, known: KnownSections, without: Collection[str]) -> None:
        """`known` are the sections whose values come from files, by the names of all; `without` are some that nobody
        looks at."""
        self._session = session
        self._known = known
        self._without = without
        self._frames: dict[int, _Frame] = {}

    def document(self, framed: FramedComponent, opened: Callable[[], Tree]) -> UnmergedDocument | None:
        """A component that is not merged; None for one that has to be."""
        plain = framed.written.plain or []
        if framed.frame.live:
            return None
        policies, shared = framed.siblings.shared.policies, framed.siblings.shared
        own: list[OwnSection] = []
        for name, parts in plain:
            if name == SEEN_BY_FUNCTIONS:
                return None
            own.append((name, [*framed.below(name), *parts], policies.of(name)))
        metadata = metadata_parts(shared, framed.written)
        if metadata:
            own.append((METADATA, metadata, policies.of(METADATA)))
        frame = self._frames.get(id(framed.frame)) or self._frame(framed)
        state = framed.written.state
        sections = frame.shared.get(state)
        if sections is None:
            sections = frame.shared[state] = self._shared(framed)
        return UnmergedDocument(own, sections, frame.values.value_of, opened)

    def _frame(self, framed: FramedComponent) -> _Frame:
        writes = (name for name, _ in framed.written.plain or ())
        others = {*WRITTEN_FACTS, *writes, *framed.backend_sections(), WORKSPACE}
        common = {name: node for name, node in framed.frame.entries.items() if name not in others}
        values = KnownValues(self._session, MapNode(common, live=True))
        made = self._frames[id(framed.frame)] = _Frame(framed.frame, values)
        return made

    def _shared(self, framed: FramedComponent) -> SharedSections:
        entries = {**framed.frame.entries, **framed.backend_sections()}
        others = {METADATA, *(name for name, _ in framed.written.plain or ()), *self._without}
        names = from_files(MapNode(entries), framed.type, self._known)
        return tuple([(name, entries[name]) for name in names if name not in others])
