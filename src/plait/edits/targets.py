"""Change a value of a target of plait.yaml where it is written: in a layer, a template, a stub or a document.

edit = TargetEdit(project, "prod", "", ("server", "port"), value)
for trial in edit.trials(): trial.site.where, trial.changes
edit.commit(edit.trials()[0])
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.node import Node
from plait.core.path import Path, format_path
from plait.edits.effects import ValueChange, from_tree
from plait.edits.patterns import GeneratedPlaces
from plait.edits.value import ResultEdit
from plait.evaluate.explain import Teller
from plait.fronts.editing import Editor, WrittenPlace, reach
from plait.fronts.targets import WHOLE
from plait.report.catalog import NO_TARGET, UNKNOWN_PATH
from plait.review.causes import BROKEN
from plait.review.declared import DeclaredTargets
from plait.yaml.files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.core.source import Origin
    from plait.evaluate.explain import Contribution
    from plait.fronts.project import Project
    from plait.fronts.targets import Target

GENERATED = "pattern"


class TargetEdit(ResultEdit):
    """One value of one document of a target, to be set or, without a value, removed."""

    def __init__(self, project: Project, target: str, document: str, path: Path, value: Node | None) -> None:
        self.suite = DeclaredTargets(project, project.root)
        found = self.suite.targets.find(target)
        self.target = target
        self.document = document
        self.path = path
        parts = list(self._parts())
        super().__init__(project, path, value, sites(project, self.suite, found, document, path, parts))

    def _parts(self) -> Iterator[Contribution]:
        """Everything that layers say about the value, the part that decides first."""
        tree = self.suite.explained(self.target, self.document)
        account = tree.account().find(self.path) if tree is not None else None
        if tree is None or account is None or account.gone:
            return
        teller = Teller(tree)
        for part in (account.winner, *(drop.part for drop in account.overridden)):
            yield teller.contribution(part, self.path)

    @property
    def decider(self) -> Origin:
        return next(self._parts()).node.origin

    def _current(self) -> Node | None:
        return value_in(self.suite, self.target, self.document, self.path)

    def _effects(self, path: str, data: bytes) -> tuple[list[ValueChange], Node | None]:
        after = self._with(self.project, path, data)
        return self._changes(self.suite, after, path), value_in(after, self.target, self.document, self.path)

    def _effects_on_disk(self, path: str, data: bytes) -> list[ValueChange]:
        fresh = self.project.in_tree(self.project.folder, {})
        return self._changes(DeclaredTargets(fresh, fresh.root), self._with(fresh, path, data), path)

    def _with(self, project: Project, path: str, data: bytes) -> DeclaredTargets:
        """The targets where one file has other bytes."""
        made = project.in_tree(project.folder, {os.path.realpath(path): data}, project)
        return DeclaredTargets(made, project.root)

    def _changes(self, before: DeclaredTargets, after: DeclaredTargets, path: str) -> list[ValueChange]:
        """What differs in the targets that read the file: no other can."""
        changed = {from_tree(path, before.tree): None}
        return [
            ValueChange(name, label or WHOLE, place, difference)
            for name in before.names()
            if before.touches(name, changed)
            for (label, place), difference in before.result(name).differences(after.result(name)).items()
            if difference.kind != BROKEN or difference.before is None  # what failed before fails on another line now
        ]


def value_in(suite: DeclaredTargets, target: str, document: str, path: Path) -> Node | None:
    """A value of a target, evaluated; None where there is none."""
    result = suite.result(target)
    if document not in result.documents:
        return None
    node, known = reach(result.documents[document], path)
    return node if known == len(path) else None


def sites(
    project: Project, suite: DeclaredTargets, target: Target, document: str, path: Path, parts: list[Contribution]
) -> Iterator[WrittenPlace]:
    """Every file of a target in which a value could be written, the highest layer first."""
    names = suite.targets.names(target)
    if not path:
        raise UNKNOWN_PATH.error(path="", hint="name a value inside the document")
    if document not in suite.result(target.name).documents:
        raise NO_TARGET.error(
            name=f"{target.name} {document}".strip(),
            hint="the target has errors, or no such document; plait merge --target shows why",
        )
    if target.kind == GENERATED:
        yield from GeneratedPlaces(suite.targets, target, document, path, value_in(suite, target.name, document, path))
        return
    expressions = {(part.node.origin.file, part.node.origin.line): part.expression for part in parts if part.expression}
    decider = (parts[0].node.origin.file, parts[0].node.origin.line) if parts else None
    for at, name in reversed(list(enumerate(names))):
        for site in _in_file(project, name, _about(target, at, len(names)), document, path):
            place = (site.file, site.line)
            if site.written is not None:
                site.computed, site.decides = expressions.get(place, ""), place == decider
            yield site


def _in_file(project: Project, name: str, about: str, document: str, path: Path) -> Iterator[WrittenPlace]:
    """The place in one file; none where the file has no such document, or cannot be read as YAML."""
    editor = Editor(project)
    source = read_source(name, door=project.door)
    try:
        number, steps = editor.target(source, f"{document}:{format_path(path)}", 0) if "/" in document else (0, path)
        yield WrittenPlace(name, name, source, about, steps, editor.documents(source, number), number)
    except Fault:
        return


def _about(target: Target, at: int, count: int) -> str:
    if target.kind == "layers":
        return f"layer {at + 1} of {count}" if count > 1 else "the only layer"
    if target.kind == "template":
        return f"stub {at}" if at else "the template"
    return "the file itself"
