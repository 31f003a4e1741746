"""What a pattern generates for some inputs, as a target."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label
from plait.core.find import entry
from plait.fronts.front import DocumentId, Target
from plait.fronts.layers import LayerReader
from plait.fronts.patterns.inputs import Values, resolve
from plait.fronts.patterns.pattern import FILE, PACKAGED, Pattern
from plait.fronts.patterns.places import GeneratedPlaces
from plait.fronts.patterns.render import PatternRenderer
from plait.fronts.places import check
from plait.report.catalog import NO_PATTERN
from plait.report.near import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.path import Path
    from plait.evaluate.tree import Tree
    from plait.fronts.editing import WrittenPlace
    from plait.fronts.layers import Bundle


class PatternTarget(Target):
    """The resources that a pattern makes, as if nothing had been generated before."""

    front = "patterns"

    def bundle(self) -> Bundle:
        """The resources, each a tree of its own."""
        pattern = self.pattern()
        made = PatternRenderer(self.project, pattern).generate(self.inputs(pattern))
        return LayerReader(self.project).made([document.node for file in made for document in file.documents])

    def trees(self) -> dict[DocumentId, Tree]:
        members = self.bundle().members
        return self.by_id((member.group.identity, member.group.label, member.tree) for member in members)

    def inputs(self, pattern: Pattern) -> Values:
        """What the pattern is given: the inputs of the target, and the defaults of the others."""
        given = [(name, node, "plait.yaml") for name, node in self.declaration.parameters["inputs"].items()]
        return resolve(pattern.inputs, given, pattern.environment)

    def pattern(self) -> Pattern:
        """The pattern that it is made of: one of the project, else one that comes with plait."""
        project, name, base = self.project, self.declaration.parameters["pattern"], self.declaration.folder
        project.door.add_root(PACKAGED)
        for folder in (os.path.relpath(os.path.join(base, "patterns", name)), os.path.join(PACKAGED, name)):
            if project.door.is_file(os.path.join(folder, FILE)):
                return Pattern.read(project, folder)
        known = [*project.listing(os.path.join(base, "patterns")), *project.listing(PACKAGED)]
        asker = entry(self.declaration.node, "pattern")
        labels = [Label(asker.origin)] if asker is not None else []
        raise NO_PATTERN.error(
            *labels,
            name=name,
            notes=("looked in: patterns, those that come with plait",),
            hint=did_you_mean(name, known),
        )

    def steers(self, file: str) -> bool:
        return os.path.basename(file) == FILE or super().steers(file)

    def places(self, document: DocumentId, path: Path) -> Iterable[WrittenPlace]:
        check(self, document, path)
        pattern = self.pattern()
        return GeneratedPlaces(self, pattern, self.inputs(pattern), document, path)
