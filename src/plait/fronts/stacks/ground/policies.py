"""How lists are merged: the names that Atmos has for it, and one policy for each strategy and section."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.policy import ListRule, MergePolicy
from plait.report.catalog import BAD_STRATEGY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import PlaitError
    from plait.fronts.project import ProjectSettings

STRATEGIES = {"replace": "replace", "append": "append", "merge": "index"}
"""What Atmos calls a list strategy, and what the merge calls it."""


def list_rule(name: str, *labels: Label) -> ListRule:
    """What a list strategy means to the merge; an unknown one is an error that lists the valid ones."""
    if name not in STRATEGIES:
        raise unknown_strategy(name, *labels)
    return ListRule(STRATEGIES[name])


def unknown_strategy(name: str, *labels: Label) -> PlaitError:
    return BAD_STRATEGY.error(*labels, name=name, notes=(f"unknown list merge strategy: {name}",))


class SectionPolicies:
    """The merge policies of one repository, by list strategy and section."""

    __slots__ = ("_known", "_settings", "default")

    def __init__(self, settings: ProjectSettings, default: str) -> None:
        self._settings = settings
        self.default = default
        """The strategy that the configuration names."""
        self._known: dict[str, MergePolicy] = {}

    def policy(self, strategy: str = "", section: str = "") -> MergePolicy:
        """How a section is merged under a strategy; without one, under that of the configuration."""
        found = self._known.get(strategy)
        if found is None:
            rule = list_rule(strategy or self.default)
            found = self._known[strategy] = MergePolicy(rule, self._settings.kinds, self._settings.lists)
        return found if found.uniform or not section else found.child(section)
