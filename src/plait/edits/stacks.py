"""Change a value of a component where it is written: every place with what a write there would change, and the write
itself.

    edit = StackEdit(stacks, "web", "ue1-prod", ("vars", "size"), value)
    for trial in edit.trials(): trial.site.where, trial.changes
    edit.commit(edit.chosen("narrowest"))
"""

from __future__ import annotations

import os

from plait.core.node import Node
from plait.core.path import Path, format_path
from plait.edits.effects import Results, ValueChange, altered, changes, read_again
from plait.edits.value import ResultEdit
from plait.evaluate.engine import NotThere, near_paths
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.places import Site, check_literal, sites_of
from plait.report.catalog import AMBIGUOUS_PLACE, NO_PLACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.source import Origin
    from plait.edits.value import Trial
    from plait.fronts.stacks.answers.questions import StackQuestions
    from plait.fronts.stacks.assemble.components import Component

NARROWEST, WHERE_DEFINED = "narrowest", "where-defined"


class StackEdit(ResultEdit):
    """One value of one component, to be set or, without a value, removed."""

    part = "component"

    def __init__(self, stacks: StackQuestions, component: str, stack: str, path: Path, value: Node | None) -> None:
        self.stacks = stacks
        self.component = stacks.component(component, stack)
        self.path = path
        project = stacks.ground.project
        check_literal(self.component, path)
        self._places = sites_of(self.component, path)
        self.before = Results(stacks, project.root)
        super().__init__(project, path, value, self._places)

    def _current(self) -> Node | None:
        return value_of(self.before, self.component, self.path)

    @property
    def near(self) -> str:
        """What was probably meant, where the component has no such value yet; empty where that is not known."""
        component = self.before.component(self.component) if self.now is None else None
        if component is None:
            return ""
        try:
            tree_of(component).value(self.path)
        except NotThere as missing:
            meant = near_paths(missing.node, missing.path, missing.depth)
            return meant if meant.startswith("did you mean") else ""
        return ""

    def _effects(self, path: str, data: bytes) -> tuple[list[ValueChange], Node | None]:
        after = altered(self.before, path, data)
        return changes(self.before, after), value_of(after, self.component, self.path)

    def _effects_on_disk(self, path: str, data: bytes) -> list[ValueChange]:
        fresh = read_again(self.stacks, self.project.root)
        return changes(fresh, altered(fresh, path, data))

    # Asking

    def chosen(self, at: str) -> Trial:
        """The place that `--at` means, tried: a file, a layer, the narrowest one, or where the value is defined."""
        if at == NARROWEST:
            return self._narrowest()
        return self.trial(_chosen(self._places, at, self.path, self.stacks.ground.folder))

    def _narrowest(self) -> Trial:
        first = self.trial(self.sites[0]) if self.sites else None
        if first is not None and first.works and first.reach[:2] <= (1, 1):
            return first  # no place reaches less than the component itself
        trials = self.trials()
        if not trials or not trials[0].works:
            notes = tuple(f"{trial.site.where}    {trial.site.layer}    {trial.obstacle}" for trial in trials)
            raise NO_PLACE.error(path=format_path(self.path), at=NARROWEST, notes=notes, hint=HINT)
        return trials[0]

    @property
    def decider(self) -> Origin:
        """Where the value that the component has now was written."""
        account = tree_of(self.component).account().find(self.path)
        assert account is not None
        return account.winner.node.origin


HINT = "--at takes FILE, FILE:LINE, a layer, narrowest or where-defined"


def _rows(sites: Iterable[Site]) -> tuple[str, ...]:
    return tuple(f"{site.where}    {site.layer}    {site.about}" for site in sites)


def written_at(stacks: StackQuestions, component: str, stack: str, path: Path, at: str) -> Node:
    """What is written about a value at one place."""
    sites = [site for site in sites_of(stacks.component(component, stack), path) if site.written is not None]
    site = sites[0] if at == NARROWEST and sites else _chosen(sites, at, path, stacks.ground.folder)
    assert site.written is not None
    return site.written


def _chosen(sites: list[Site], at: str, path: Path, folder: str) -> Site:
    """The one place that a word of `--at` means. Of several in a file, the one that decides the value."""
    layered = [site for site in sites if at in (site.layer, f"{site.layer}:{site.name}")]
    found = layered or [site for site in sites if _is_at(at, site, folder)]
    deciding = [site for site in found if site.decides]
    if not layered and len(found) > 1 and deciding:
        found = deciding
    if not found:
        raise NO_PLACE.error(path=format_path(path), at=at, notes=_rows(sites), hint=HINT)
    if len(found) > 1:
        raise AMBIGUOUS_PLACE.error(at=at, count=len(found), notes=_rows(found), hint="write FILE:LINE")
    return found[0]


def _is_at(at: str, site: Site, folder: str) -> bool:
    """Whether a place is where the value is defined, or in a file that is named, by its path or the end of it."""
    if at == WHERE_DEFINED:
        return site.decides
    names = (site.file, os.path.relpath(site.path, folder), os.path.relpath(site.path), site.path)
    name, _, line = at.rpartition(":")
    wanted = name if name and line == str(site.line) else at
    return any(known == wanted or known.endswith(f"/{wanted}") for known in names)


def value_of(results: Results, like: Component, path: Path) -> Node | None:
    """The value of a component, evaluated; None where it has none."""
    component = results.component(like)
    if component is None:
        return None
    try:
        return tree_of(component).with_failures(path)
    except NotThere:
        return None
