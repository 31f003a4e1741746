"""Likely mistakes in a set of layers that can be merged: a table of rules, and what silences
them."""

from __future__ import annotations

from plait.core.steps import in_steps, outcome
from plait.fronts.lint.rules import RULES, Rule, Subject
from plait.fronts.lint.silence import CodeSelection, kept
from plait.fronts.resource_schemas import ResourceSchemas, refused_resources

__all__ = [
    "RULES",
    "CodeSelection",
    "ResourceSchemas",
    "Rule",
    "Subject",
    "kept",
    "lint",
    "lint_in_steps",
    "refused_resources",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.steps import Steps

    Each = Callable[[Subject, Path, Node], Iterable[Diagnostic]]


def lint(subject: Subject, choice: CodeSelection) -> list[Diagnostic]:
    """The findings of every rule that is wanted, without those that are silenced."""
    return outcome(lint_in_steps(subject, choice))


def lint_in_steps(subject: Subject, choice: CodeSelection) -> Steps[list[Diagnostic]]:
    """The same in small steps. One walk serves all rules that look at single values, each of those of its kinds."""
    wanted = [rule for rule in RULES if choice.wants(rule.code.code)]
    found: dict[str, list[Diagnostic]] = {rule.code.code: [] for rule in wanted}
    yield from subject.prepare(found)
    for rule in wanted:
        found[rule.code.code] += rule.check(subject)
        yield
    rules: dict[str, list[tuple[Each, list[Diagnostic]]]] = {}
    for rule in wanted:
        if rule.each is not None:
            for kind in rule.kinds:
                rules.setdefault(kind, []).append((rule.each, found[rule.code.code]))
    for place in in_steps(subject.values() if rules else ()):
        if place is None:
            yield
            continue
        path, node = place
        for each, mine in rules.get(node.kind, ()):
            mine += each(subject, path, node)
    return kept([one for rows in found.values() for one in rows if choice.wants(one.code)], subject.sources, choice)
