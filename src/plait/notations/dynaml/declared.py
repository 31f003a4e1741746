"""How a function of dynaml is declared, and how it looks at its arguments. Every look is charged."""

from __future__ import annotations

from plait.core.diagnostic import PlaitError
from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.notations.dynaml.env import PART
from plait.notations.dynaml.operators import described, simple
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import WRONG_ARGUMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

    Evaluate = Callable[..., Node]


class DynamlFunction:
    """What a function is called with, what it gives, and how. A `lazy` one evaluates its arguments itself."""

    __slots__ = ("about", "arguments", "evaluate", "example", "group", "lazy", "least", "most", "name")

    def __init__(
        self,
        name: str,
        arguments: str,
        about: str,
        example: str,
        evaluate: Evaluate,
        least: int,
        most: int | None,
        lazy: bool,
        group: str,
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.about = about
        self.example = example
        self.evaluate = evaluate
        self.least = least
        self.most = most
        self.lazy = lazy
        self.group = group


class FunctionTable(dict[str, DynamlFunction]):
    """The functions of one subject, by name."""

    def __init__(self, group: str) -> None:
        super().__init__()
        self.group = group

    def function(
        self,
        name: str,
        arguments: str,
        about: str,
        example: str,
        least: int,
        most: int | None = None,
        lazy: bool = False,
    ) -> Callable[[Evaluate], Evaluate]:
        """Declares the function that follows."""

        def declare(evaluate: Evaluate) -> Evaluate:
            self[name] = DynamlFunction(name, arguments, about, example, evaluate, least, most, lazy, self.group)
            return evaluate

        return declare


def wrong(tree: CallTerm, env: Env, issue: str, node: Node) -> PlaitError:
    return env.failure(WRONG_ARGUMENT, tree, issue=issue, hint=f"this is {described(node)}")


def text_in(tree: CallTerm, env: Env, node: Node, what: str) -> str:
    """An argument that must be a string."""
    if isinstance(node, Scalar) and isinstance(node.value, str) and not isinstance(node, LambdaValue | TemplateBody):
        return node.value
    raise wrong(tree, env, f"{what} must be a string", node)


def piece(tree: CallTerm, env: Env, node: Node, issue: str) -> str:
    """An argument that can be part of a text."""
    found = simple(node)
    if found is None:
        raise wrong(tree, env, issue, node)
    return found


def items_in(tree: CallTerm, env: Env, node: Node, what: str) -> list[Node]:
    """An argument that must be a list; its items are looked at."""
    if isinstance(node, ListNode):
        env.meter.step(PART * len(node.items))
        return node.items
    raise wrong(tree, env, f"{what} must be a list", node)


def entries_in(tree: CallTerm, env: Env, node: Node, what: str) -> dict[str, Node]:
    """An argument that must be a map."""
    if isinstance(node, MapNode):
        env.meter.step(PART * len(node.entries))
        return {key: child for key, child in node.entries.items() if isinstance(key, str)}
    raise wrong(tree, env, f"{what} must be a map", node)


def integer_in(tree: CallTerm, env: Env, node: Node, what: str) -> int:
    """An argument that must be an integer."""
    if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    raise wrong(tree, env, f"{what} must be an integer", node)


def function_in(tree: CallTerm, env: Env, node: Node, what: str) -> LambdaValue:
    if isinstance(node, LambdaValue):
        return node
    raise wrong(tree, env, f"{what} must be a lambda", node)


def flat(arguments: tuple[Node, ...]) -> list[Node]:
    """Arguments, and those in lists of them."""
    return [
        item for argument in arguments for item in (argument.items if isinstance(argument, ListNode) else [argument])
    ]
