"""What an expression may ask while it is evaluated (`Scope`), and where it is evaluated (`Place`).

Asking a scope for a value that is not known yet does not recurse: it raises `Blocked`, the evaluator forces what is
wanted and starts the expression again. Expressions are pure, so starting again is safe.
"""

from __future__ import annotations

from plait.core.diagnostic import NotKnown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    from plait.core.base import Node
    from plait.core.meter import Meter
    from plait.core.path import Path, Step

    class Permit(Protocol):
        """What a call to the outside may do; see `access/permit.py`."""

        def run(
            self,
            command: str | list[str],
            seconds: float,
            folder: str | None = None,
            environment: Mapping[str, str] | None = None,
            given: str | None = None,
        ) -> str:
            """What a command prints that reads `given`."""
            ...

        def get(self, url: str, headers: dict[str, str] | None = None, *, what: str = "", limit: int = ...) -> bytes:
            """The body of what a URL leads to."""
            ...

        def post(self, url: str, body: bytes, headers: dict[str, str], *, what: str = "") -> bytes:
            """What a server answers to a form or a document."""
            ...

        def client(self, module: str, what: str) -> Any:
            """A client library."""
            ...

        def git(self, words: tuple[str, ...], folder: str, local: bool) -> Any:
            """What git answers in a repository of our own."""
            ...

        @property
        def conceals(self) -> bool:
            """Whether what was read is masked where the values of this run go."""
            ...

        def variables(self) -> dict[str, str]:
            """The environment, without variables that may be credentials."""
            ...

        def variable(self, name: str) -> str | None:
            """A variable; None where it is not set."""
            ...

        def setting(self, name: str) -> str:
            """A variable that plait reads for itself."""
            ...

        def write(self, name: str, text: str, encoding: str) -> None:
            """Write a file."""
            ...

    class Scope(Protocol):
        """What names mean from one place, and what an expression may ask for."""

        meter: Meter
        """What the run may still use: charged before work is done."""
        place: Place
        """Where the expression is seen from."""
        written: object
        """What its front knows of the place it was written in (its file's locals, its stage)."""
        node: Node
        """The suspension that is being evaluated: for labels and origins."""
        reads: list[tuple[Node, Place]]
        """What the explanation lists as read. An expression that steps through containers keeps the ends
        only."""

        secrets: set[str]
        """Texts of the secrets that were read: what comes of them is secret, and no error shows them."""

        def known(self, node: Node, place: Place) -> Node:
            """A node with its outermost kind known; children may still be deferred."""
            ...

        def part(self, node: Node, place: Place) -> Node:
            """The same for an expression that merges: with the marks that are instructions to the merge."""
            ...

        def peek(self, node: Node, place: Place) -> Node:
            """Like `known`, but a node that waits for the asking expression gives its source text."""
            ...

        def finished(self, node: Node, place: Place) -> Node:
            """A node with everything below it known."""
            ...

        def taken(self, value: Node) -> Node:
            """A finished value that an expression takes as a whole: the secrets in it were read."""
            ...

        def find(self, path: Path, start: Place | None = None) -> Node:
            """The value at a path from the root (or from `start`), known at its outermost."""
            ...

        def call(
            self,
            capability: str,
            key: tuple[object, ...],
            function: Callable[[Permit], Node],
            patience: Patience | None = None,
        ) -> Node:
            """A call to the outside: allowed, counted, made once for the same key in one run.

            The function gets a permit for what it does.

            With patience it runs beside others, in a thread: the function must not touch the tree.
            """
            ...

        def seconds_left(self) -> float:
            """How long a call to the outside may take from now on."""
            ...

        def service(self, name: str) -> Callable[..., Node]:
            """A service of another package: `parse`, `merge`, `include`, ...; the front provides them."""
            ...


class Patience:
    """How long a slow call may take, how often it is tried, and what it is called when it fails."""

    __slots__ = ("pause", "seconds", "tries", "what")

    def __init__(self, what: str, seconds: float = 0, tries: int = 3, pause: float = 0.2) -> None:
        self.what = what
        self.seconds = seconds
        """0 for as long as the budget `call` allows."""
        self.tries = tries
        self.pause = pause
        """Before the second try; then twice as long each time."""


class Place:
    """A position in a tree that is being evaluated. Interned: the same position is the same object."""

    __slots__ = ("_children", "depth", "node", "parent", "root", "step")

    def __init__(self, parent: Place | None = None, step: Step = "", node: Node | None = None) -> None:
        self.parent = parent
        self.step = step
        self.node = node
        self.root: Place = parent.root if parent is not None else self
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self._children: dict[Step, Place] | None = None

    def child(self, step: Step) -> Place:
        children = self._children
        if children is None:
            children = self._children = {}
        place = children.get(step)
        if place is None:
            place = children[step] = Place(self, step)
        return place

    def held(self, step: Step) -> Place | None:
        """The place at a step, if somebody has asked for it."""
        return None if self._children is None else self._children.get(step)

    def children(self, steps: Iterable[Step]) -> list[Place]:
        known = self._children
        if known is None:
            known = self._children = {}
        found: list[Place] = []
        for step in steps:
            place = known.get(step)
            if place is None:
                place = known[step] = Place(self, step)
            found.append(place)
        return found

    def release(self) -> None:
        """Let go of everything that is known here."""
        self.node = None
        self.clear()

    def clear(self) -> None:
        """Let go of all places below; the tree can be asked again. A place and those in it refer to each other, and a
        command looks for no garbage: none of them would be freed while it runs."""
        below = [self]
        while below:
            place = below.pop()
            if place._children is not None:
                below += place._children.values()
                place._children = None

    def drop(self, step: Step) -> None:
        """Let go of one place below."""
        if self._children is not None:
            self._children.pop(step, None)

    def holds(self, other: Place) -> bool:
        """Whether another place is this one, or below it."""
        place: Place | None = other
        while place is not None and place.depth > self.depth:
            place = place.parent
        return place is self

    @property
    def path(self) -> Path:
        steps: list[Step] = []
        place = self
        while place.parent is not None:
            steps.append(place.step)
            place = place.parent
        return tuple(reversed(steps))

    def __repr__(self) -> str:
        return f"Place{self.path!r}"


class Blocked(Exception):
    """These nodes, seen from these places, must be known first.

    `lenient`: the asker can do without them, should they wait for it; see `Scope.peek`.
    """

    def __init__(self, *wanted: tuple[Node, Place], lenient: bool = False) -> None:
        self.wanted = wanted
        self.lenient = lenient


class Denied(NotKnown):
    """A call that was not allowed."""


class CommandFailed(Exception):
    """Why a command gave no value, and the beginning of its error output."""

    def __init__(self, why: str, stderr: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.stderr = stderr


class NoCommand(CommandFailed):
    """There is no such command."""
