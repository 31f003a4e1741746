"""Likely mistakes in a set of layers that can be merged: a table of rules, and what silences
them."""

from __future__ import annotations

from plait.fronts.lint.rules import RULES, Rule, Subject
from plait.fronts.lint.silence import CodeSelection, kept

__all__ = ["RULES", "CodeSelection", "Rule", "Subject", "kept", "lint"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic


def lint(subject: Subject, choice: CodeSelection) -> list[Diagnostic]:
    """The findings of every rule that is wanted, without those that are silenced."""
    wanted = [rule for rule in RULES if choice.wants(rule.code.code)]
    diagnostics = [one for rule in wanted for one in rule.check(subject)]
    return kept(diagnostics, subject.sources, choice)
