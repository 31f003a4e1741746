"""The components that one inherits from, in the order in which they apply: each once, however many ways lead to it."""

from __future__ import annotations

from plait.core.diagnostic import Label, PlaitError
from plait.core.find import entry
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.report.catalog import BAD_MANIFEST, CYCLE, NO_BASE
from plait.report.near import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.stacks.session.session import StackSession


def is_abstract(metadata: Node | None, manifest: Manifest, session: StackSession) -> bool:
    """Whether the metadata mark a component as abstract, that is, only inherited from."""
    given = entry(metadata, "type")
    if given is not None and given.live:
        given = session.known(given, manifest.place.child("metadata").child("type"))
    return isinstance(given, Scalar) and given.value == "abstract"


class Bases:
    """The bases of the components of one type in one manifest."""

    def __init__(self, manifest: Manifest, type: str, shared: Shared) -> None:
        self._manifest = manifest
        self._type = type
        self._session = shared.session
        self._chains, self._otherwise = shared.known.bases.setdefault(manifest, ({}, set()))

    def chain(self, start: str) -> list[str]:
        """All bases of a component, the lowest first.

        Of several ways to a base, the one that makes it apply last counts.
        """
        key = (self._type, start)
        known = self._chains.get(key)
        if known is not None and key not in self._otherwise:
            return known[:0:-1]
        found = self._below(self._own(start), start)
        if key not in self._otherwise:
            self._chains[key] = [start, *found]
        return found[::-1]

    def applied(self, start: str) -> list[str]:
        """The same, each as often as there are ways to it: what adds to lists, it adds each time."""
        chain = self.chain(start)
        if len(chain) < 2:
            return chain
        known: dict[str, list[str]] = {}
        todo = [start]
        while todo:
            direct = self.direct(todo[-1], start) if todo[-1] != start else self._own(start)
            missing = [base for base in direct if base not in known]
            todo += missing
            if not missing:
                self._session.evaluator.meter.step(sum(len(known[base]) + 1 for base in direct))
                known[todo.pop()] = [one for base in direct for one in (*known[base], base)]
        return known[start]

    def _own(self, start: str) -> list[str]:
        """The bases that a component names itself. One that it names again takes it back to what it had with the first
        time, as in Atmos: what it names in between does not count."""
        named, found = self.direct(start, start), list[str]()
        known: dict[str, list[str]] = {}
        for base in named:
            found = known.setdefault(base, [*found, base])
        if len(found) < len(named):
            self._otherwise.add((self._type, start))
        return found

    def pointed(self, start: str) -> str:
        """The base that a component names in the older form: where the way by the first bases ends; its own name where
        it names none."""
        node = self._manifest.component(self._type, start)
        name, direct = start, self._older_form(node, start, start) if isinstance(node, MapNode) else []
        while direct:
            name = direct[0]
            direct = self.direct(name, start)
        return name

    def _below(self, direct: list[str], start: str) -> list[str]:
        """The bases of a component and their bases, the nearest first. Without recursion; the result for a base is
        stored for all components that inherit from it."""
        known = self._chains
        for base in direct:
            if (self._type, base) not in known:
                self._walk(base, start)
        return known[self._type, direct[0]] if len(direct) == 1 else list(self._merged(direct))

    def _walk(self, top: str, start: str) -> None:
        """Compute and store the bases of a base, and those of everything that it inherits from."""
        known = self._chains
        path = [start, top]
        todo = [iter(waiting := self.direct(top, start))]
        directs = {top: waiting}
        while todo:
            base = next(todo[-1], None)
            if base is None:
                todo.pop()
                done = path.pop()
                known[self._type, done] = [done, *self._merged(directs[done])]
            elif base in path:
                ring = [*path[path.index(base) :], base]
                chain = f"circular component inheritance: {' → '.join(ring)}"
                raise CYCLE.error(*self._labels(ring), notes=(chain,), hint="remove one of these bases")
            elif (self._type, base) not in known:
                path.append(base)
                directs[base] = self.direct(base, start)
                todo.append(iter(directs[base]))

    def _merged(self, direct: list[str]) -> dict[str, None]:
        chain: dict[str, None] = {}
        for base in reversed(direct):
            chain.update(dict.fromkeys(self._chains[self._type, base]))
        return chain

    def words(self, start: str, base: str) -> list[Node]:
        """The words that lead from a component to one of its bases, the component's own first; of several ways the
        shortest."""
        ways: dict[str, list[Node]] = {start: []}
        queue = [start]
        for name in queue:  # grows while it is walked
            for word, other in self.named(name, start):
                if other not in ways:
                    ways[other] = [*ways[name], word]
                    queue.append(other)
        return ways.get(base, [])

    def direct(self, name: str, start: str) -> list[str]:
        """The bases that a component names itself."""
        return [base for _, base in self.named(name, start)]

    def named(self, name: str, start: str) -> list[tuple[Node, str]]:
        """The same, each with the word that names it."""
        node = self._manifest.component(self._type, name)
        assert isinstance(node, MapNode)
        found = [(node.entries["component"], base) for base in self._older_form(node, name, start)]
        given = entry(node, "metadata", "inherits")
        for item in self._inherits(given, name) if given is not None else ():
            word = self._known(item, "inherits") if item.live else item
            base = str(word.value) if isinstance(word, Scalar) else ""
            if base not in self._manifest.names(self._type):
                raise self._unknown(name, base, item)
            found.append((item, base))
        return found

    def _older_form(self, node: MapNode, name: str, start: str) -> list[str]:
        """The base that `component` names, the older way to inherit."""
        if "component" not in node.entries:
            return []
        self._otherwise.add((self._type, name))
        given = self._known(node.entries["component"], "component")
        word = given.value if isinstance(given, Scalar) else None
        if name != start and is_abstract(node.entries.get("metadata"), self._manifest, self._session):
            return []
        names = self._manifest.names(self._type)
        return [word] if isinstance(word, str) and word != name and word in names else []

    def _inherits(self, given: Node, name: str) -> list[Node]:
        """The list of bases in metadata."""
        given = self._known(given, "inherits") if given.live else given
        if isinstance(given, ListNode):
            return given.items
        if isinstance(given, Scalar) and given.value is None:
            return []
        why = f"`metadata.inherits` of the component '{name}' must be a list, not a {given.kind}"
        raise BAD_MANIFEST.error(Label(given.origin), why=why, hint="write `inherits:` with `- base` below it")

    def _known(self, node: Node, name: str) -> Node:
        return self._session.known(node, self._manifest.place.child("metadata").child(name))

    def _unknown(self, name: str, base: str, item: Node) -> PlaitError:
        near = nearest(base, self._manifest.names(self._type), 1)
        hint = f"did you mean `{near[0]}`?" if near else "did you forget an import?"
        return NO_BASE.error(
            Label(item.origin, length=len(base)), component=name, manifest=self._manifest.name, base=base, hint=hint
        )

    def _labels(self, ring: list[str]) -> list[Label]:
        nodes = [self._manifest.component(self._type, name) for name in ring[:-1]]
        return [
            Label(node.origin, f"{name} inherits") for name, node in zip(ring, nodes, strict=False) if node is not None
        ]
