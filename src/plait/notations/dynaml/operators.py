"""What the signs between values do: arithmetic on integers and IP addresses, comparisons, concatenation."""

from __future__ import annotations

from plait.core.meter import ITEM
from plait.core.node import Key, ListNode, MapNode, Node, Scalar, equal, is_null
from plait.notations.dynaml.values import LambdaValue, TemplateBody
from plait.report.catalog import DIVIDED_BY_ZERO, OVERFLOW, WRONG_OPERAND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import Term

    Operator = Callable[[Term, Env, Node, Node], Node]
    Special = Callable[[Term, Env, Node, Node], Node | None]

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
    if isinstance(node, LambdaValue):
        return node.text
    return node.value if isinstance(node.value, str) else digits(node)


def digits(node: Scalar) -> str | None:
    """A whole number in decimal digits; None for one that is too long to be converted and not written like that."""
    try:
        return str(node.value)
    except ValueError:
        return node.text if node.text.removeprefix("-").isdecimal() and node.text.lstrip("-")[0] != "0" else None


def truth(node: Node) -> bool:
    """nil, false, 0 and empty values are false; a number with a fraction never is."""
    if isinstance(node, Scalar):
        return bool(node.value) or isinstance(node.value, float)
    return bool(node.items if isinstance(node, ListNode) else node.entries if isinstance(node, MapNode) else True)


def address(text: object) -> IPv4Address | IPv6Address | None:
    """The IP address that a text is."""
    from ipaddress import ip_address

    try:
        return ip_address(text) if isinstance(text, str) else None
    except ValueError:
        return None


def network(node: Node) -> IPv4Interface | IPv6Interface | None:
    """The network that a text is, with the address in it."""
    from ipaddress import ip_interface

    text = node.value if isinstance(node, Scalar) else None
    try:
        return ip_interface(text) if isinstance(text, str) and text.partition("/")[2].isdecimal() else None
    except ValueError:
        return None


def _operand(tree: Term, env: Env, node: Node) -> int:
    value = integer(node)
    if value is None or (env.dialect.successor and is_null(node)):
        raise env.failure(WRONG_OPERAND, tree, issue="integer operand required", hint=f"this is {described(node)}")
    return value


def described(node: Node) -> str:
    """A value in a hint."""
    kinds = {bool: "a boolean", str: "the string", float: "the number"}
    if isinstance(node, Scalar):
        what = kinds.get(node.value.__class__, "")
        return f"{what} `{'***' if node.secret else node.text}`".strip() if node.value is not None else "nil"
    return "a list" if isinstance(node, ListNode) else "a map"


def _number(tree: Term, env: Env, value: int) -> Node:
    if not -LARGEST <= value < LARGEST:
        raise env.failure(OVERFLOW, tree, issue="integer overflow", hint="integers have 64 bits")
    return env.made(value)


def _sum(word: str, direction: int) -> Operator:
    def operate(tree: Term, env: Env, left: Node, right: Node) -> Node:
        value = left.value if isinstance(left, Scalar) else None
        if isinstance(value, int) and not isinstance(value, bool) and not _is_float(right):
            return _number(tree, env, value + direction * _operand(tree, env, right))
        if isinstance(value, int | float) and not isinstance(value, bool):
            return env.made(value + direction * _float(tree, env, right))
        if not isinstance(value, str):
            issue = f"first argument of {word} must be IP address or integer"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(left)}")
        ip = address(value)
        if ip is not None:
            other = address(right.value if isinstance(right, Scalar) else None)
            if other is not None and direction < 0 and other.version == ip.version:
                return env.made(int(ip) - int(other))
            return env.made(shifted(tree, env, ip, direction * _operand(tree, env, right)))
        around = network(left)
        if around is not None:
            return _in_network(tree, env, around, right, direction)
        issue = f"string argument for {word} must be an IP address"
        raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(left)}")

    return operate


def _is_float(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, float)


def _float(tree: Term, env: Env, node: Node) -> float:
    if isinstance(node, Scalar) and isinstance(node.value, float):
        return node.value
    return float(_operand(tree, env, node))


def _in_network(tree: Term, env: Env, around: IPv4Interface | IPv6Interface, right: Node, direction: int) -> Node:
    """`cidr + n` moves the address inside its network; `cidr - cidr` is the distance of two addresses."""
    other = network(right)
    if other is not None and direction < 0 and other.version == around.version:
        return env.made(int(around.ip) - int(other.ip))
    moved = int(around.ip) + direction * _operand(tree, env, right)
    first, size = int(around.network.network_address), around.network.num_addresses
    if not first <= moved < first + size:
        raise env.failure(OVERFLOW, tree, issue=f"the result is outside of the network {around.network}")
    return env.made(f"{around.ip.__class__(moved)}/{around.network.prefixlen}")


def _split_network(tree: Term, env: Env, left: Node, right: Node) -> Node | None:
    """`cidr / n`: the first part when a network is split into n or more."""
    around = network(left)
    if around is None:
        return None
    count = _operand(tree, env, right)
    prefix = around.network.prefixlen + (max(count, 1) - 1).bit_length()
    if count < 1 or prefix > around.max_prefixlen:
        raise env.failure(OVERFLOW, tree, issue=f"the network {around.network} cannot be split into {count}")
    return env.made(f"{around.network.network_address}/{prefix}")


def _next_network(tree: Term, env: Env, left: Node, right: Node) -> Node | None:
    """`cidr * n`: the n-th network of that size after it."""
    around = network(left)
    if around is None:
        return None
    first = int(around.network.network_address) + _operand(tree, env, right) * around.network.num_addresses
    if not 0 <= first < 1 << around.max_prefixlen:
        raise env.failure(OVERFLOW, tree, issue="IP address overflow")
    return env.made(f"{around.ip.__class__(first)}/{around.network.prefixlen}")


def shifted(tree: Term, env: Env, ip: IPv4Address | IPv6Address, by: int) -> str:
    """An address further on."""
    number = int(ip) + by
    if not 0 <= number < 1 << ip.max_prefixlen:
        hint = f"{ip} {'+' if by > 0 else '-'} {abs(by)} is not an IPv{ip.version} address"
        raise env.failure(OVERFLOW, tree, issue="IP address overflow", hint=hint)
    return str(ip.__class__(number))


def _product(
    operate: Callable[[int, int], int],
    divides: bool = False,
    floats: Callable[[float, float], float] | None = None,
    networks: Special | None = None,
) -> Operator:
    def apply(tree: Term, env: Env, left: Node, right: Node) -> Node:
        if networks is not None and isinstance(left, Scalar) and isinstance(left.value, str):
            made = networks(tree, env, left, right)
            if made is not None:
                return made
        if floats is not None and (_is_float(left) or _is_float(right)):
            x, y = _float(tree, env, left), _float(tree, env, right)
            if divides and not y:
                raise env.failure(DIVIDED_BY_ZERO, tree, hint=f"the right side of `{env.own(tree)}` is 0")
            return env.made(floats(x, y))
        a, b = _operand(tree, env, left), _operand(tree, env, right)
        if divides and not b:
            raise env.failure(DIVIDED_BY_ZERO, tree, hint=f"the right side of `{env.own(tree)}` is 0")
        return _number(tree, env, operate(a, b))

    return apply


def _quotient(a: int, b: int) -> int:
    """Toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def same(left: Node, right: Node) -> bool:
    """Whether two values count as equal: the left one decides how the right one is read."""
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        a, b = left.value, right.value
        if isinstance(a, str):
            return a == (simple(right) if isinstance(b, int) else b)
        if isinstance(a, bool):
            return a is b or (isinstance(b, str) and b == simple(left))
        if isinstance(a, int | float):
            return a == (int(b) if isinstance(b, str) and _whole(b) else b)
        return a is b
    return equal(left, right)


def _whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 20


def _equal(expected: bool) -> Operator:
    def compare(tree: Term, env: Env, left: Node, right: Node) -> Node:
        if env.dialect.successor and is_null(left) is not is_null(right):
            hint = f"the operands are {described(left)} and {described(right)}"
            raise env.failure(WRONG_OPERAND, tree, issue="nil can only be compared with nil", hint=hint)
        if env.dialect.successor and is_text(left) and not _as_text(right):
            hint = f"the operands are {described(left)} and {described(right)}"
            raise env.failure(WRONG_OPERAND, tree, issue="types cannot be compared", hint=hint)
        return env.made(same(left, right) is expected)

    return compare


def is_text(node: Node) -> bool:
    """Whether a value is a text, and not a lambda or a template that prints as one."""
    return isinstance(node, Scalar) and isinstance(node.value, str) and not isinstance(node, LambdaValue | TemplateBody)


def _as_text(node: Node) -> bool:
    """Whether a value can be compared with a text."""
    return isinstance(node, Scalar) and isinstance(node.value, str | int) and not isinstance(node, TemplateBody)


def _order(holds: Callable[[int], bool]) -> Operator:
    def compare(tree: Term, env: Env, left: Node, right: Node) -> Node:
        a, b = orderable(left), orderable(right)
        if a is None and env.dialect.successor:
            return env.made(False)
        if a is None or b is None or isinstance(a, str) is not isinstance(b, str):
            hint = f"the operands are {described(left)} and {described(right)}"
            raise env.failure(
                WRONG_OPERAND, tree, issue="two numbers or two strings required for comparison", hint=hint
            )
        return env.made(holds((a > b) - (a < b)))  # type: ignore[operator]

    return compare


def orderable(node: Node) -> str | int | float | None:
    """The value of a node that comes before or after another."""
    value = node.value if isinstance(node, Scalar) and not isinstance(node, LambdaValue | TemplateBody) else None
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _logical(whole: Callable[[int, int], int], truths: Callable[[bool, bool], bool]) -> Operator:
    """On two integers bit by bit, on other values by what counts as true."""

    def operate(tree: Term, env: Env, left: Node, right: Node) -> Node:
        a, b = _plain_integer(left), _plain_integer(right)
        if a is not None and b is not None:
            return env.made(whole(a, b))
        return env.made(truths(truth(left), truth(right)))

    return operate


def _plain_integer(node: Node) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


OPERATORS: dict[str, Operator] = {
    "+": _sum("PLUS", 1),
    "-": _sum("MINUS", -1),
    "*": _product(lambda a, b: a * b, floats=lambda a, b: a * b, networks=_next_network),
    "/": _product(_quotient, divides=True, floats=lambda a, b: a / b, networks=_split_network),
    "%": _product(lambda a, b: a - b * _quotient(a, b), divides=True),
    "==": _equal(True),
    "!=": _equal(False),
    "<": _order(lambda sign: sign < 0),
    "<=": _order(lambda sign: sign <= 0),
    ">": _order(lambda sign: sign > 0),
    ">=": _order(lambda sign: sign >= 0),
    "-and": _logical(lambda a, b: a & b, lambda a, b: a and b),
    "-or": _logical(lambda a, b: a | b, lambda a, b: a or b),
}


def _quotient_if_any(a: int, b: int) -> int | None:
    return _quotient(a, b) if b else None


def _remainder_if_any(a: int, b: int) -> int | None:
    return a - b * _quotient(a, b) if b else None


INTEGERS: dict[str, Callable[[int, int], int | None]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": _quotient_if_any,
    "%": _remainder_if_any,
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "-and": int.__and__,
    "-or": int.__or__,
}
"""The same on two integers, as plain values; None, or what is no integer of 64 bits, where there is more to say."""


def concatenate(tree: Term, env: Env, values: list[Node]) -> Node:
    """Simple values become one text; a list takes the items of lists, and every other value as an item."""
    first = values[0]
    if isinstance(first, ListNode):
        return _joined_lists(env, first, values[1:])
    if isinstance(first, MapNode):
        return _joined_maps(tree, env, values)
    pieces: list[str] = []
    for value in values:
        function = isinstance(value, TemplateBody) or (not pieces and isinstance(value, LambdaValue))
        piece = None if function else simple(value)
        if piece is None:
            issue = "simple value can only be concatenated with simple values"
            issue = issue if pieces else "first argument must be list or simple value"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(value)}")
        pieces.append(piece)
    return env.joined("", pieces)


def _joined_lists(env: Env, first: ListNode, others: list[Node]) -> Node:
    items = list(first.items)
    for other in others:
        if isinstance(other, ListNode):
            items.extend(other.items)
        elif not isinstance(other, Scalar) or other.value is not None:
            items.append(other)
    return env.made_list(items)


def _joined_maps(tree: Term, env: Env, values: list[Node]) -> Node:
    """The entries of several maps; the last one wins, nil adds nothing."""
    entries: dict[Key, Node] = {}
    for value in values:
        if isinstance(value, MapNode):
            env.meter.step(len(value.entries))
            entries.update(value.entries)
        elif not is_null(value):
            issue = "a map can only be concatenated with maps"
            raise env.failure(WRONG_OPERAND, tree, issue=issue, hint=f"this is {described(value)}")
    env.meter.make(len(entries) * ITEM)
    return MapNode(entries, env.origin, env.origin.at)
