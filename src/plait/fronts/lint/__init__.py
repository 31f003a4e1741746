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
    from plait.core.diagnostic import Diagnostic
    from plait.core.steps import Steps


def lint(subject: Subject, choice: CodeSelection) -> list[Diagnostic]:
    """The findings of every rule that is wanted, without those that are silenced."""
    return outcome(lint_in_steps(subject, choice))


def lint_in_steps(subject: Subject, choice: CodeSelection) -> Steps[list[Diagnostic]]:
    """The same in small steps. One walk serves all rules that look at single values."""
    wanted = [rule for rule in RULES if choice.wants(rule.code.code)]
    found: dict[str, list[Diagnostic]] = {rule.code.code: [] for rule in wanted}
    yield from subject.prepare(found)
    for rule in wanted:
        found[rule.code.code] += rule.check(subject)
        yield
    rules = [(rule.each, found[rule.code.code]) for rule in wanted if rule.each is not None]
    for place in in_steps(subject.values() if rules else ()):
        if place is None:
            yield
            continue
        for each, mine in rules:
            mine += each(subject, *place)
    return kept([one for rows in found.values() for one in rows if choice.wants(one.code)], subject.sources, choice)
