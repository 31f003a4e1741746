"""Templates of charts while they are edited: the values that they name, and the templates that name a value."""

from __future__ import annotations

import os

from plait.authoring.state import Value
from plait.authoring.units import TargetUnit
from plait.core.diagnostic import PlaitError
from plait.core.node import MapNode
from plait.evaluate.nowhere import NotThere
from plait.fronts.unit import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.state import AuthoringState, Pointed
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Target, TemplateRead
    from plait.yaml.places import Span


class TemplateValues:
    """The targets of a folder that are rendered from templates."""

    def __init__(self, authoring: AuthoringState) -> None:
        self._authoring = authoring

    def _targets(self, file: str = "") -> Iterator[tuple[Target, Tree]]:
        """Those with values of their own; with a file, those that it may be a template of."""
        for unit in self._authoring.units():
            if isinstance(unit, TargetUnit) and (not file or unit.target.renders(file)):
                self._authoring.project.meter.restart()
                try:
                    tree = unit.target.values_tree()
                except PlaitError:
                    continue
                if tree is not None:
                    yield unit.target, tree

    def at(self, file: str, offset: int) -> TemplateRead | None:
        """What a template names at a place, up to the name that is there; the first target says it."""
        for target, _ in self._targets(file):
            for read in self._reads(target, file):
                start, end = read.span
                if start <= offset <= end:
                    return read.to(offset)
        return None

    def values(self, file: str, offset: int) -> Iterator[Value]:
        """The value that a template names at a place, in each target."""
        for target, tree in self._targets(file):
            for read in self._reads(target, file):
                start, end = read.span
                if start <= offset <= end:
                    try:
                        yield Value(Result(target.name, target.name, tree, None), read.to(offset).path)
                    except (PlaitError, NotThere):
                        continue

    def members(self, file: str, names: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
        """The keys of the values that a template has below some names, in every target."""
        for target, tree in self._targets(file):
            for prefix in target.prefixes(file):
                try:
                    node = tree.partial((*prefix, *names))
                except (PlaitError, NotThere):
                    continue
                if isinstance(node, MapNode):
                    yield from ((str(key), child) for key, child in node.entries.items())

    def others(self, file: str, offset: int) -> list[tuple[str, Span]]:
        """The places of templates that name what a template names at a place."""
        read = self.at(file, offset)
        rows = [use for target, _ in self._targets(file) for use in self.of_path(target, read.path)] if read else []
        return list(dict.fromkeys(rows))

    def uses(self, pointed: Pointed) -> list[tuple[str, Span]]:
        """The places of templates that name a value which is written at a place of a file, a part of it, or what it
        is in."""
        found: dict[tuple[str, Span], None] = {}
        for unit in self._authoring.units_of(pointed.trail.file):
            if isinstance(unit, TargetUnit):
                paths = self._paths(unit, pointed)
                found |= dict.fromkeys(use for path in paths for use in self.of_path(unit.target, path))
        return list(found)

    def _paths(self, unit: TargetUnit, pointed: Pointed) -> list[Path]:
        try:
            rows = [self._authoring.value_of(result, pointed.trail) for result in unit.results(pointed.trail)]
        except PlaitError:
            return []
        return list(dict.fromkeys(row.path for row in rows if row is not None))

    def of_path(self, target: Target, path: Path) -> Iterator[tuple[str, Span]]:
        """The places of a target's templates that name a value, a part of it, or what it is in."""
        for file, reads in target.template_reads():
            for read in reads:
                shared = min(len(path), len(read.path))
                if path[:shared] == read.path[:shared]:
                    yield file, read.span

    @staticmethod
    def _reads(target: Target, file: str) -> list[TemplateRead]:
        try:
            return [read for name, reads in target.template_reads() if name == os.path.realpath(file) for read in reads]
        except PlaitError:
            return []
