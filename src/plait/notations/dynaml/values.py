"""Values of expressions that are no data: functions and templates, and values in the place of a piece."""

from __future__ import annotations

from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.notations.dynaml.tree import Lambda, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Place
    from plait.core.source import Computed
    from plait.notations.dynaml.place import StagedPlace


class Given(Term):
    """A value in the place of a piece: what is known already of a function's arguments."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.at = 0
        self.node = node

    def __str__(self) -> str:
        return as_written(self.node)


def as_written(root: Node) -> str:
    """A finished value as dynaml writes it. Without recursion."""
    pieces: list[str] = []
    work: list[Node | str] = [root]
    while work:
        node = work.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif isinstance(node, ListNode):
            work.append("]")
            for index, item in reversed(list(enumerate(node.items))):
                work += [item, ", "] if index else [item]
            work.append("[")
        elif isinstance(node, MapNode):
            work.append(" }" if node.entries else "}")
            for index, (key, child) in reversed(list(enumerate(node.entries.items()))):
                work += [child, f'"{key}" = ', ", "] if index else [child, f'"{key}" = ']
            work.append("{ " if node.entries else "{")
        else:
            pieces.append(_scalar_as_written(node))
    return "".join(pieces)


def _scalar_as_written(node: Node) -> str:
    if not isinstance(node, Scalar):
        return "~~"
    if isinstance(node.value, str) and not isinstance(node, LambdaValue | TemplateBody):
        return '"' + node.value.replace('"', '\\"') + '"'
    return "nil" if node.value is None else node.text


class LambdaValue(Scalar):
    """A function as a value: what it was written as, where, and the names it already knows.

    It prints as an expression; inside another text it is only its own.
    """

    __slots__ = ("defaults", "names", "place", "staged", "tree")

    def __init__(
        self,
        tree: Lambda,
        origin: Computed,
        names: dict[str, Node],
        place: Place,
        staged: StagedPlace | None,
        defaults: tuple[Node, ...] = (),
    ) -> None:
        given = tuple(map(Given, defaults))
        shown = f"lambda|{','.join(tree.parameters(given))}|->{tree.to}"
        super().__init__(f"(( {shown} ))", shown, origin, origin.at)
        self.tree = tree
        self.names = names
        self.place = place
        self.staged = staged
        self.defaults = defaults

    def tagged(self, tag: str | None) -> LambdaValue:
        copy = LambdaValue.__new__(LambdaValue)
        Scalar.__init__(copy, self.value, self.text, self.source, self.at, tag, self.secret)
        copy.tree, copy.names, copy.place = self.tree, self.names, self.place
        copy.staged, copy.defaults = self.staged, self.defaults
        return copy


class TemplateBody(Scalar):
    """What is not evaluated where it stands: a part of a document, or an expression. `printed` is how it is written."""

    __slots__ = ("body", "place", "printed", "staged", "term")

    def __init__(
        self,
        body: Node | None,
        term: Term | None,
        printed: Node,
        shown: str,
        place: Place,
        staged: StagedPlace,
        tag: str | None = None,
    ) -> None:
        super().__init__(shown, shown, printed.source, printed.at, tag)
        self.body = body
        self.term = term
        self.printed = printed
        self.place = place
        self.staged = staged

    def tagged(self, tag: str | None) -> TemplateBody:
        return TemplateBody(self.body, self.term, self.printed, self.text, self.place, self.staged, tag)
