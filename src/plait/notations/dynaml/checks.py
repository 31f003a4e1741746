"""`validate` and `check`: conditions that a value must meet."""

from __future__ import annotations

import re

from plait.core.node import ListNode, MapNode, Node, Scalar
from plait.core.semver import meets_together, version
from plait.notations.dynaml.asking import kind_of
from plait.notations.dynaml.declared import FunctionTable
from plait.notations.dynaml.env import PART, apply
from plait.notations.dynaml.operators import address, is_text, network, orderable, same, truth
from plait.notations.dynaml.values import LambdaValue
from plait.regexp import BadPattern, Regexp
from plait.report.catalog import RAISED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.notations.dynaml.env import Env
    from plait.notations.dynaml.tree import CallTerm

TABLE = FunctionTable("Checks")


class Problem(Exception):
    """A condition that cannot be decided."""


class ConditionChecker:
    """One call of `validate` or `check`."""

    __slots__ = ("env", "tree", "turn")

    def __init__(self, tree: CallTerm, env: Env) -> None:
        self.tree = tree
        self.env = env
        self.turn = 0

    def failed(self, value: Node, condition: Node) -> str:
        """Why a value does not meet a condition; empty where it does."""
        self.env.meter.step(PART)
        if isinstance(condition, LambdaValue):
            return self.called(value, condition, [])
        if isinstance(condition, Scalar) and condition.value is None:
            return ""
        parts = condition.items if isinstance(condition, ListNode) else [condition]
        if not parts:
            raise Problem("a condition needs a name or a lambda")
        if isinstance(parts[0], LambdaValue):
            return self.called(value, parts[0], parts[1:])
        word = parts[0].value if isinstance(parts[0], Scalar) else None
        if not isinstance(word, str):
            raise Problem("a condition begins with a name or a lambda")
        if word not in CONDITIONS and word.startswith("!") and word != "!":
            return self.negated(value, self.env.made_list([self.env.made(word[1:]), *parts[1:]]))
        if word not in CONDITIONS:
            raise Problem(f"unknown condition '{word}'")
        return CONDITIONS[word](self, value, parts[1:])

    def negated(self, value: Node, condition: ListNode) -> str:
        return "" if self.failed(value, condition) else f"it must not meet {self.shown(condition.items[0])}"

    def called(self, value: Node, function: LambdaValue, arguments: list[Node]) -> str:
        self.turn += 1
        answer = apply(self.tree, self.env, function, [value, *arguments], turn=self.turn)
        if not isinstance(answer, ListNode):
            return "" if truth(answer) else "the lambda says no"
        if not 1 <= len(answer.items) <= 3:
            raise Problem("the lambda must give a boolean, or a list of a result and texts")
        for number, text in enumerate(answer.items[1:], 2):
            if not is_text(text):
                raise Problem(f"the lambda must give a text as item {number} of its result, not a {kind_of(text)}")
        if truth(answer.items[0]):
            return ""
        return (_text(answer.items[-1]) if len(answer.items) > 1 else "") or "the lambda says no"

    def shown(self, node: Node) -> str:
        return f"`{node.text}`" if isinstance(node, Scalar) and not node.secret else "it"


def _arguments(parts: list[Node], count: int, word: str) -> list[Node]:
    if len(parts) != count:
        raise Problem(f"'{word}' takes {count} argument{'s' * (count != 1)}")
    return parts


def _string(value: Node, word: str) -> str:
    """The text of a value that must be one."""
    if not is_text(value):
        raise Problem(f"{word} requires string, but got {kind_of(value)}")
    return _text(value)


def _text(value: Node) -> str:
    return value.value if isinstance(value, Scalar) and isinstance(value.value, str) else ""


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[ConditionChecker, Node, list[Node]], str]:
    def check(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
        text = _string(value, what)
        return "" if len(text) <= 255 and pattern.fullmatch(text) else f"is no {what}"

    return check


LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = rf"{LABEL}(?:\.{LABEL})*"


def _empty(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    if isinstance(value, MapNode | ListNode):
        return "is not empty" if value.size else ""
    return "is not empty" if _string(value, "empty") else ""


def _ip(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    return "" if address(_string(value, "ip")) is not None else "is no IP address"


def _cidr(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    return "" if _string(value, "cidr") and network(value) is not None else "is no CIDR"


def _pem(*words: str) -> Callable[[ConditionChecker, Node, list[Node]], str]:
    """A block of PEM whose title is one of these."""

    def check(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
        text = _string(value, words[0].lower())
        found = re.match(r"\s*-----BEGIN ([A-Z0-9 ]{1,40})-----\s[A-Za-z0-9+/=\s]+-----END \1-----\s*\Z", text)
        return "" if found and any(word in found[1] for word in words) else f"is no {words[0].lower()}"

    return check


def _semver(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    try:
        found = version(_text(value))
    except ValueError:
        return "is no semantic version"
    for part in parts:
        try:
            if not meets_together(found, _text(part)):
                return f"does not meet {_text(part)}"
        except ValueError as trouble:
            raise Problem(str(trouble)) from None
    return ""


def _type(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    kinds = [_string(part, "an argument of type") for part in parts]
    return "" if kind_of(value) in kinds else f"is of kind {kind_of(value)}, not {' or '.join(kinds)}"


def _valueset(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    (values,) = _arguments(parts, 1, "valueset")
    if not isinstance(values, ListNode):
        raise Problem("'valueset' takes a list")
    checker.env.meter.step(PART * len(values.items))
    return "" if any(same(each, value) for each in values.items) else "is none of the values"


def _value(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    (wanted,) = _arguments(parts, 1, "value")
    return "" if same(wanted, value) else f"is not {checker.shown(wanted)}"


def _compared(word: str, holds: Callable[[int], bool]) -> Callable[[ConditionChecker, Node, list[Node]], str]:
    def check(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
        (bound,) = _arguments(parts, 1, word)
        a, b = orderable(value), orderable(bound)
        if a is None or b is None or isinstance(a, str) is not isinstance(b, str):
            raise Problem("two numbers or two strings are required")
        return "" if holds((a > b) - (a < b)) else f"is not {word} {checker.shown(bound)}"  # type: ignore[operator]

    return check


def _match(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    (pattern,) = _arguments(parts, 1, "match")
    try:
        found = Regexp(_string(pattern, "match")).found_in(_string(value, "match"), checker.env.meter)
    except BadPattern as trouble:
        raise Problem(str(trouble)) from None
    return "" if found else f"does not match {checker.shown(pattern)}"


def _list(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    if not isinstance(value, ListNode):
        return "is no list"
    return _every(checker, value.items, parts, "entry")


def _every(checker: ConditionChecker, values: list[Node], conditions: list[Node], what: str) -> str:
    for index, each in enumerate(values):
        for condition in conditions:
            failed = checker.failed(each, condition)
            if failed:
                return f"{what} {index} {failed}"
    return ""


def _map(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    if not isinstance(value, MapNode):
        return "is no map"
    if len(parts) > 2:
        raise Problem("'map' takes a condition for the keys and one for the values")
    names = [checker.env.made(key) for key in value.entries if isinstance(key, str)]
    failed = _every(checker, list(names), parts[:1], "key") if len(parts) == 2 else ""
    return failed or _every(checker, list(value.entries.values()), parts[-1:], "value")


def _field(optional: bool) -> Callable[[ConditionChecker, Node, list[Node]], str]:
    def check(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
        if not 1 <= len(parts) <= 2 or not _text(parts[0]):
            raise Problem("a field needs a name, and maybe a condition")
        if not isinstance(value, MapNode):
            return "is no map"
        name = _text(parts[0])
        if name not in value.entries:
            return "" if optional else f"has no field '{name}'"
        failed = checker.failed(value.entries[name], parts[1]) if len(parts) == 2 else ""
        return f"'{name}' {failed}" if failed else ""

    return check


def _and(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    if not parts:
        raise Problem("'and' takes conditions")
    return next((failed for each in parts if (failed := checker.failed(value, each))), "")


def _or(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    failed = ""
    for each in parts:
        failed = checker.failed(value, each)
        if not failed:
            return ""
    if not parts:
        raise Problem("'or' takes conditions")
    return failed


def _not(checker: ConditionChecker, value: Node, parts: list[Node]) -> str:
    if not parts:
        raise Problem("'not' takes a condition")
    return checker.negated(value, checker.env.made_list([checker.env.made("and"), *parts]))


CONDITIONS: dict[str, Callable[[ConditionChecker, Node, list[Node]], str]] = {
    "empty": _empty,
    "ip": _ip,
    "cidr": _cidr,
    "dnsname": _matching(re.compile(rf"(?:\*\.)?{NAME}"), "DNS name"),
    "dnsdomain": _matching(re.compile(NAME), "DNS domain"),
    "wildcarddnsdomain": _matching(re.compile(rf"\*\.{NAME}"), "wildcard DNS domain"),
    "dnslabel": _matching(re.compile(LABEL), "DNS label"),
    "publickey": _pem("PUBLIC KEY"),
    "privatekey": _pem("PRIVATE KEY"),
    "certificate": _pem("CERTIFICATE"),
    "ca": _pem("CERTIFICATE"),
    "semver": _semver,
    "type": _type,
    "valueset": _valueset,
    "value": _value,
    "=": _value,
    "gt": _compared("gt", lambda sign: sign > 0),
    ">": _compared(">", lambda sign: sign > 0),
    "lt": _compared("lt", lambda sign: sign < 0),
    "<": _compared("<", lambda sign: sign < 0),
    "ge": _compared("ge", lambda sign: sign >= 0),
    ">=": _compared(">=", lambda sign: sign >= 0),
    "le": _compared("le", lambda sign: sign <= 0),
    "<=": _compared("<=", lambda sign: sign <= 0),
    "match": _match,
    "~=": _match,
    "list": _list,
    "map": _map,
    "mapfield": _field(optional=False),
    "optionalfield": _field(optional=True),
    "and": _and,
    "or": _or,
    "not": _not,
    "!": _not,
}
"""The conditions by name: each says why a value does not meet it, or nothing."""


@TABLE.function(
    "validate",
    "value, conditions...",
    "The value, if it meets all conditions; else it fails.",
    'validate(5, ["gt", 3])',
    2,
)
def validate(tree: CallTerm, env: Env, value: Node, *conditions: Node) -> Node:
    checker = ConditionChecker(tree, env)
    for number, condition in enumerate(conditions, 1):
        try:
            failed = checker.failed(value, condition)
        except Problem as problem:
            raise env.failure(RAISED, tree, issue=f"condition {number} has problem: {problem}") from None
        if failed:
            raise env.failure(RAISED, tree, issue=f"condition {number} failed: {failed}")
    return value


@TABLE.function("check", "value, conditions...", "Whether a value meets all conditions.", 'check(5, ["gt", 3])', 2)
def check(tree: CallTerm, env: Env, value: Node, *conditions: Node) -> Node:
    checker = ConditionChecker(tree, env)
    for number, condition in enumerate(conditions, 1):
        try:
            if checker.failed(value, condition):
                return env.made(False)
        except Problem as problem:
            raise env.failure(RAISED, tree, issue=f"condition {number} has problem: {problem}") from None
    return env.made(True)
