"""How sections are merged: the names that Atmos has for list strategies, and one policy for each strategy and
section."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.policy import REPLACE, ListRule, MergePolicy
from plait.merging.combine import combine
from plait.report.catalog import BAD_STRATEGY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError
    from plait.core.node import Node
    from plait.fronts.settings import ProjectSettings

STRATEGIES = {"replace": REPLACE, "append": ListRule("append"), "merge": ListRule("index", inside=REPLACE)}
"""The list strategies of Atmos, and what they are in the merge: under `merge` only maps are merged item by item."""


def list_rule(name: str, *labels: Label) -> ListRule:
    """The merge rule for a list strategy; an unknown strategy is an error that lists the valid ones."""
    if name not in STRATEGIES:
        raise unknown_strategy(name, *labels)
    return STRATEGIES[name]


def unknown_strategy(name: str, *labels: Label) -> PlaitError:
    return BAD_STRATEGY.error(*labels, name=name, notes=(f"unknown list merge strategy: {name}",))


class SectionPolicies:
    """Merges sections as one repository wants it, by list strategy and section."""

    __slots__ = ("_known", "_settings", "default")

    def __init__(self, settings: ProjectSettings, default: str) -> None:
        self._settings = settings
        self.default = default
        """The strategy that the configuration names."""
        self._known: dict[str, MergePolicy] = {}

    def merge(self, parts: list[Node], section: str = "", strategy: str = "") -> Node | None:
        """The parts of a section merged under a strategy, the lowest first; None if there are none."""
        if len(parts) < 2:
            return parts[0] if parts else None
        return combine(parts, self._policy(strategy, section))

    def of(self, section: str) -> MergePolicy:
        """How a section is merged, under the strategy of the configuration."""
        return self._policy("", section)

    def is_usual(self, section: str) -> bool:
        """Whether each key of a section is merged by itself, and in the usual way."""
        return self.of(section).usual

    def _policy(self, strategy: str, section: str) -> MergePolicy:
        """How a section is merged under a strategy; without one, under that of the configuration."""
        policy = self._known.get(strategy)
        if policy is None:
            rule = list_rule(strategy or self.default)
            policy = self._known[strategy] = MergePolicy(rule, self._settings.kinds, self._settings.lists)
        return policy if policy.uniform or not section else policy.child(section)
