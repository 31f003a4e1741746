"""The targets of one world as they are compared: their results, with paths and errors that are the same in every copy
of a tree."""

from __future__ import annotations

from contextlib import contextmanager, suppress

from plait.core.diagnostic import Fault, NotKnown
from plait.core.source import UNKNOWN
from plait.core.unknown import unknown_of
from plait.fronts.shown import as_in
from plait.review.causes import TargetResult
from plait.review.classes import OptionTrial
from plait.review.messages import in_any_tree, messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.node import Node
    from plait.core.path import Path, Places
    from plait.evaluate.tree import Tree
    from plait.fronts.front import Changes, DocumentId, DocumentsReached, Target, Targets, World
    from plait.fronts.project import Project
    from plait.review.hunks import Hunk


@contextmanager
def comparing(project: Project) -> Iterator[None]:
    """While results of two runs are compared, what differs in every run is not asked for."""
    before, project.guard.comparing = project.guard.comparing, True
    try:
        yield
    finally:
        project.guard.comparing = before


class ComparedTargets:
    """The targets of one world. A target that this world does not have is empty, and nothing touches it."""

    def __init__(self, world: World, whole: bool = False) -> None:
        """`whole`: also what a document says about its own place and name is compared."""
        self.world = world
        self.project = world.project
        self.targets: Targets = world.targets
        self.whole = whole

    def touches(self, name: str, changes: Changes) -> bool:
        target = self.targets.get(name)
        return target is not None and target.touches(changes)

    def reached_by(self, name: str, changes: Changes) -> DocumentsReached:
        target = self.targets.get(name)
        return target.reached_by(changes) if target is not None else frozenset()

    def result(self, name: str, parts: DocumentsReached = None) -> TargetResult:
        """The result of a target, or of some parts of it."""
        target = self.targets.get(name)
        self.project.meter.next_part()
        return result_of(target, parts, self.whole) if target is not None else TargetResult({})

    def finished(self, name: str, parts: DocumentsReached) -> TargetResult:
        """The same for who asks nothing else about the target."""
        target = self.targets.get(name)
        self.project.meter.next_part()
        return result_with(target, target.finished(parts)) if target is not None else TargetResult({})

    def trees(self, name: str, changes: Changes) -> Iterator[tuple[Tree, Places]]:
        """The documents of a target that changes may affect, to be explained, each with the places that they may reach;
        without those that fail."""
        self.project.meter.next_part()
        target = self.targets.get(name)
        if target is None:
            return
        with suppress(Fault):  # reported as an error of the target
            for document, tree in target.each(target.reached_by(changes)):
                yield tree(), target.reads(document, changes)

    def path(self, name: str, file: str) -> str:
        return self.targets[name].path(file)

    def sees(self, name: str, hunk: Hunk) -> bool:
        """Whether a target could notice a hunk; known once it was evaluated."""
        target = self.targets.get(name)
        return target is not None and (hunk.is_link or target.sees(hunk.file, bool(hunk.whole)))

    def opens(self, name: str, hunk: Hunk) -> bool:
        target = self.targets.get(name)
        return target is not None and target.opens(hunk.file)

    def is_broken(self, name: str) -> bool:
        """Whether a target that was evaluated has errors as a whole."""
        target = self.targets.get(name)
        return target is not None and target.recorded is not None and target.is_broken

    def may_read(self, name: str, files: Iterable[str]) -> set[str]:
        """Those of some files that a target reads, or may read where errors end its evaluation."""
        target = self.targets.get(name)
        return target.may_read([*files]) if target is not None else set()

    def trials(self, name: str, lists: Iterable[Path]) -> Iterator[OptionTrial]:
        """A target evaluated with each option that may make it equal to the other tool's; `lists` are the places that
        differ."""
        for text, given in self.targets[name].trials(lists):
            with suppress(Fault):
                other = self.world.with_words(given).targets.get(name)
                if other is not None and not (result := result_of(other, None, self.whole)).errors:
                    yield OptionTrial(text, result)

    def asking(self, names: list[str]) -> set[str]:
        """Those of some targets that are known to ask the outside."""
        return {name for name in names if (target := self.targets.get(name)) is not None and target.asks_outside}


def result_of(target: Target, parts: DocumentsReached = None, whole: bool = False) -> TargetResult:
    """The result of a target: the errors of a document that fails, and the reason for one that is not known."""
    return result_with(target, target.results(parts, whole))


def result_with(target: Target, rows: Iterable[tuple[DocumentId, Node | Fault]]) -> TargetResult:
    """The result of a target whose documents are known."""
    result, world = TargetResult({}, tree=target.world.tree), target.world
    for document, found in rows:
        if isinstance(found, NotKnown):
            value = unknown_of(found)
            said = f"{value.origin}: {value.why}" if value.source is not UNKNOWN else value.why
            result.unknown[document] = (value.why, in_any_tree(said, world.tree))
        elif isinstance(found, Fault):
            result.errors[document] = messages(found, world.tree)
        else:
            result.documents[document] = as_in(found, world.tree, world.shown)
    return result
