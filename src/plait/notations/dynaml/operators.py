"""What the signs between values do: arithmetic on integers and IP addresses, comparisons, concatenation."""

from __future__ import annotations

from plait.core.node import Mapping, Node, Scalar, Sequence, equal
from plait.report.catalog import DIVIDED_BY_ZERO, OVERFLOW, WRONG_OPERAND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv6Address

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import Term

    Operator = Callable[[Term, Env, Node, Node], Node]

LARGEST = 2**63
"""Integers are those of 64 bits; a result beyond them would be wrong data elsewhere."""


def integer(node: Node) -> int | None:
    """The integer of a node; nil counts as 0."""
    if not isinstance(node, Scalar):
        return None
    if node.value is None:
        return 0
    return node.value if isinstance(node.value, int) and not isinstance(node.value, bool) else None


def simple(node: Node) -> str | None:
    """The text of a value that can be part of a text."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str | int):
        return None
    if isinstance(node.value, bool):
        return str(node.value).lower()
    return node.value if isinstance(node.value, str) else digits(node)


def digits(node: Scalar) -> str | None:
    """A whole number in decimal digits; None for one that is too long to be converted and not written like that."""
    try:
        return str(node.value)
    except ValueError:
        return node.text if node.text.removeprefix("-").isdecimal() and node.text.lstrip("-")[0] != "0" else None


def truth(node: Node) -> bool:
    """nil, false, 0 and empty values are false."""
    if isinstance(node, Scalar):
        return bool(node.value)
    return bool(node.items if isinstance(node, Sequence) else node.entries if isinstance(node, Mapping) else True)


def address(text: object) -> IPv4Address | IPv6Address | None:
    """The IP address that a text is."""
    from ipaddress import ip_address

    try:
        return ip_address(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _operand(tree: Term, env: Env, node: Node) -> int:
    value = integer(node)
    if value is None:
        raise env.failure(WRONG_OPERAND, tree, issue="integer operand required", hint=f"this is {described(node)}")
    return value


def described(node: Node) -> str:
    """A value in a hint."""
    kinds = {bool: "a boolean", str: "the string", float: "the number"}
    if isinstance(node, Scalar):
        what = kinds.get(node.value.__class__, "")
        return f"{what} `{'***' if node.secret else node.text}`".strip() if node.value is not None else "nil"
    return "a list" if isinstance(node, Sequence) else "a map"


def _number(tree: Term, env: Env, value: int) -> Node:
    if not -LARGEST <= value < LARGEST:
        raise env.failure(OVERFLOW, tree, issue="integer overflow", hint="integers have 64 bits")
    return env.made(value)


def _sum(word: str, direction: int) -> Operator:
    def operate(tree: Term, env: Env, left: Node, right: Node) -> Node:
        value = left.value if isinstance(left, Scalar) else None
        if isinstance(value, int) and not isinstance(value, bool):
            return _number(tree, env, value + direction * _operand(tree, env, right))
        if not isinstance(value, str):
            issue = f"first argument of {word} must be IP address or integer"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(left)}")
        ip = address(value)
        if ip is None:
            issue = f"string argument for {word} must be an IP address"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(left)}")
        return env.made(shifted(tree, env, ip, direction * _operand(tree, env, right)))

    return operate


def shifted(tree: Term, env: Env, ip: IPv4Address | IPv6Address, by: int) -> str:
    """An address further on."""
    number = int(ip) + by
    if not 0 <= number < 1 << ip.max_prefixlen:
        hint = f"{ip} {'+' if by > 0 else '-'} {abs(by)} is not an IPv{ip.version} address"
        raise env.failure(OVERFLOW, tree, issue="IP address overflow", hint=hint)
    return str(ip.__class__(number))


def _product(operate: Callable[[int, int], int], divides: bool = False) -> Operator:
    def apply(tree: Term, env: Env, left: Node, right: Node) -> Node:
        a, b = _operand(tree, env, left), _operand(tree, env, right)
        if divides and not b:
            raise env.failure(DIVIDED_BY_ZERO, tree, hint=f"the right side of `{tree}` is 0")
        return _number(tree, env, operate(a, b))

    return apply


def _quotient(a: int, b: int) -> int:
    """Toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _same(left: Node, right: Node) -> bool:
    numbers = [node.value for node in (left, right) if isinstance(node, Scalar) and isinstance(node.value, int | float)]
    if len(numbers) == 2 and not any(isinstance(number, bool) for number in numbers):
        return numbers[0] == numbers[1]
    return equal(left, right)


def _equal(expected: bool) -> Operator:
    return lambda tree, env, left, right: env.made(_same(left, right) is expected)


def _order(holds: Callable[[int], bool]) -> Operator:
    def compare(tree: Term, env: Env, left: Node, right: Node) -> Node:
        a, b = orderable(left), orderable(right)
        if a is None or b is None or isinstance(a, str) is not isinstance(b, str):
            hint = f"the operands are {described(left)} and {described(right)}"
            raise env.failure(
                WRONG_OPERAND, tree, issue="two numbers or two strings required for comparison", hint=hint
            )
        return env.made(holds((a > b) - (a < b)))  # type: ignore[operator]

    return compare


def orderable(node: Node) -> str | int | float | None:
    """The value of a node that comes before or after another."""
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _right(tree: Term, env: Env, left: Node, right: Node) -> Node:
    return env.made(truth(right))


OPERATORS: dict[str, Operator] = {
    "+": _sum("PLUS", 1),
    "-": _sum("MINUS", -1),
    "*": _product(lambda a, b: a * b),
    "/": _product(_quotient, divides=True),
    "%": _product(lambda a, b: a - b * _quotient(a, b), divides=True),
    "==": _equal(True),
    "!=": _equal(False),
    "<": _order(lambda sign: sign < 0),
    "<=": _order(lambda sign: sign <= 0),
    ">": _order(lambda sign: sign > 0),
    ">=": _order(lambda sign: sign >= 0),
    "-and": _right,
    "-or": _right,
}


def concatenate(tree: Term, env: Env, values: list[Node]) -> Node:
    """Simple values become one text; a list takes the items of lists, and every other value as an item."""
    first = values[0]
    if isinstance(first, Sequence):
        return _joined_lists(env, first, values[1:])
    pieces: list[str] = []
    for value in values:
        piece = simple(value)
        if piece is None:
            issue = "simple value can only be concatenated with simple values"
            issue = issue if pieces else "first argument must be list or simple value"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(value)}")
        pieces.append(piece)
    return env.joined("", pieces)


def _joined_lists(env: Env, first: Sequence, others: list[Node]) -> Node:
    items = list(first.items)
    for other in others:
        if isinstance(other, Sequence):
            items.extend(other.items)
        elif not isinstance(other, Scalar) or other.value is not None:
            items.append(other)
    return env.made_list(items)
