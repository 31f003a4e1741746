"""The stacks of a repository as a survey sees them: a target is a stack, its documents are its components."""

from __future__ import annotations

import os
import re
from functools import partial

from plait.core.diagnostic import Fault
from plait.core.node import Mapping, Node, Scalar, children
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.provenance import SHOWN
from plait.fronts.stacks.answers.whole import is_abstract
from plait.fronts.stacks.assemble.bases import Bases
from plait.fronts.stacks.ground.nodes import entry, items_of
from plait.fronts.stacks.read.imports import files_of
from plait.report.catalog import NO_COMPONENT, NO_STACK
from plait.report.near import did_you_mean
from plait.survey.uses import DocumentUses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.evaluate.tree import Tree
    from plait.fronts.stacks.answers.questions import StackQuestions
    from plait.fronts.stacks.assemble.components import Component
    from plait.fronts.stacks.ground.ground import Ground
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.survey.uses import Looker

TYPE_KEY = re.compile(r"\btype\b['\"]?\s*:")
SECTIONS = (*SHOWN, "metadata")
"""The sections of a component whose values come from files."""
LOOKED_AT = tuple(name for name in SECTIONS if name != "imports")
"""Of these, the ones that lines give values to: an import steers."""


class SurveyedStacks:
    """All stacks of one repository."""

    kind, part = "stack", "component"

    def __init__(self, stacks: StackQuestions) -> None:
        self.stacks = stacks
        self.stacks.ground.options.listing = True
        self.repository = stacks.repository
        self.evaluator = stacks.ground.evaluator
        self._abstract = AbstractNames(stacks)
        self._documents: dict[str, dict[str, tuple[Manifest, str, str]]] = {}
        self._files: dict[Manifest, tuple[str, ...]] = {}
        self._places: dict[str, list[str]] = {}

    # Targets and documents

    def targets(self) -> list[str]:
        return self.stacks.names()

    def documents(self, target: str) -> list[str]:
        return list(self._members(target))

    def places(self, target: str) -> list[str]:
        """The files in which a stack begins."""
        return [manifest.file.path for manifest in self._manifests_of(target)]

    def recall(self, places: dict[str, list[str]]) -> None:
        """Where stacks begin, from an earlier survey of the same files: no other file is read to find one of them."""
        self._places = places

    def _manifests_of(self, stack: str) -> list[Manifest]:
        if stack not in self._places:
            return self.repository.manifests_of(stack)
        manifests = self.repository.index.manifests
        found = [self.repository.ground.answer(partial(manifests.at, path)) for path in self._places[stack]]
        return [manifest for manifest in found if manifest is not None]

    def _members(self, stack: str) -> dict[str, tuple[Manifest, str, str]]:
        """The components of a stack that are deployed, by label: the manifest, the type and the name of each."""
        members = self._documents.get(stack)
        if members is None:
            members = self._documents[stack] = {}
            for manifest in self._manifests_of(stack):
                for type, name in self._named(manifest, stack):
                    known = members.get(name)
                    taken = known is not None and known[1] != type
                    members.setdefault(f"{type}/{name}" if taken else name, (manifest, type, name))
        return members

    def _named(self, manifest: Manifest, stack: str) -> Iterator[tuple[str, str]]:
        ground, index = self.repository.ground, self.repository.index
        uniform = ground.answer(lambda: index.namer.uniform(manifest))
        for type in manifest.types():
            abstract = self._abstract.of(manifest, type)
            for name in manifest.names(type):
                if name in abstract or not (uniform or self._is_in(manifest, type, name, stack)):
                    continue
                yield type, name

    def _is_in(self, manifest: Manifest, type: str, name: str, stack: str) -> bool:
        """Whether a component of a manifest with several names belongs to a stack; a broken one belongs to all."""
        try:
            return self.repository.in_manifest(manifest, type, name).stack == stack
        except Fault:
            return True

    def tree(self, target: str, document: str) -> Tree:
        """A component as a tree; PlaitError where there is none, or it cannot be put together."""
        return tree_of(self.component(target, document))

    def component(self, target: str, document: str) -> Component:
        members = self._members(target)
        if not members and target not in self.targets():
            raise NO_STACK.error(name=target, hint=did_you_mean(target, self.targets()))
        if document not in members:
            raise NO_COMPONENT.error(component=document, stack=target, hint=did_you_mean(document, members))
        return self.repository.whole(self.repository.in_manifest(*members[document]))

    def own_name(self, target: str) -> str:
        return target

    def is_stack(self, target: str) -> bool:
        return True

    def sections(self, target: str) -> tuple[str, ...]:
        return SECTIONS

    def look(self, target: str, looker: Looker) -> dict[str, DocumentUses]:
        """What the lines of all files do in each component of a stack."""
        return {document: self._looked(target, document, looker) for document in self.documents(target)}

    def _looked(self, target: str, document: str, looker: Looker) -> DocumentUses:
        mark = self.evaluator.mark()
        try:
            component = self.component(target, document)
            found = looker.look(tree_of(component), LOOKED_AT)
        except Fault as error:
            return DocumentUses(errors=[diagnostic.message for diagnostic in error.diagnostics])
        self.evaluator.forget({component.place}, mark)
        return found

    # Files

    def files_of(self, target: str) -> list[str]:
        """The files that a stack is made of, as reports name them, its own first."""
        files: dict[str, None] = {}
        for manifest in self._manifests_of(target):
            if manifest not in self._files:
                self._files[manifest] = tuple(file.scope.file for file in files_of(manifest))
            files.update(dict.fromkeys(self._files[manifest]))
        return list(files)

    def links(self) -> dict[str, dict[str, int]]:
        """Every file with the files that it imports, each with the line that asks for it."""
        links: dict[str, dict[str, int]] = {}
        seen = dict.fromkeys(self.repository.manifests())
        queue = list(seen)
        for manifest in queue:  # grows while it is walked
            rows = links.setdefault(manifest.file.scope.file, {})
            for imported, line in zip(manifest.imports, _import_lines(manifest), strict=True):
                rows.setdefault(imported.file.scope.file, line)
                if imported not in seen:
                    seen[imported] = None
                    queue.append(imported)
        return links

    def path(self, file: str) -> str:
        """Where a file is, from the folder that the program runs in."""
        folder = self.stacks.ground.folder
        return file if os.path.exists(file) else os.path.join(folder, file)

    def steering(self, file: str) -> set[int]:
        """The lines of a file that decide how stacks are put together: imports, and the metadata of components."""
        lines: set[int] = set()
        for one in {one.file for target in self.targets() for one in self._manifests(target, file)}:
            for node in (one.section("import"), one.section("metadata"), one.section("name")):
                lines |= _lines(node)
            for type, names in one.components.listed.items():
                for name in names:
                    lines |= _lines(_metadata(one, type, name, self.stacks.ground))
        return lines

    def _manifests(self, target: str, file: str) -> Iterator[Manifest]:
        if file not in self.files_of(target):
            return
        queue = list(self._manifests_of(target))
        seen = set(queue)
        for manifest in queue:  # grows while it is walked
            if manifest.file.scope.file == file:
                yield manifest
            fresh = [one for one in manifest.imports if one not in seen]
            seen.update(fresh)
            queue += fresh

    # Components

    def heirs(self, name: str) -> dict[str, list[str]]:
        """The deployed components that inherit from one, directly or not, each with its stacks."""
        heirs: dict[str, list[str]] = {}
        shared = self.repository.index.shared
        for target in self.targets():
            for label, (manifest, type, own) in self._members(target).items():
                if name not in manifest.names(type):
                    continue
                try:
                    chain = self.repository.ground.answer(lambda: Bases(manifest, type, shared).chain(own))  # noqa: B023
                except Fault:
                    continue
                if name in chain:
                    heirs.setdefault(label, []).append(target)
        return heirs


def _import_lines(manifest: Manifest) -> list[int]:
    """For each import, the line that asks for it."""
    items = items_of(manifest.file.section("import")) if manifest.imports else []
    return [items[at].origin.line for at in manifest.asked]


class AbstractNames:
    """The components of each manifest that are only there to be inherited from.

    What a file says of a component wins over what its imports say, so that this is known of each file once; where a
    word is computed, the component is put together to ask it.
    """

    def __init__(self, stacks: StackQuestions) -> None:
        self._repository = stacks.repository
        self._known: dict[tuple[Manifest, str], dict[str, bool | None]] = {}

    def of(self, manifest: Manifest, type: str) -> set[str]:
        words = self._words(manifest, type)
        return {name for name, word in words.items() if (self._asked(manifest, type, name) if word is None else word)}

    def _asked(self, manifest: Manifest, type: str, name: str) -> bool:
        try:
            return is_abstract(self._repository, manifest, type, name)
        except Fault:
            return False

    def _words(self, manifest: Manifest, type: str) -> dict[str, bool | None]:
        """The components whose metadata have a type: whether it is `abstract`, None where that is computed."""
        stack = [manifest]
        while stack:
            top = stack[-1]
            missing = [one for one in top.imports if (one, type) not in self._known]
            if missing:
                stack += missing
                continue
            stack.pop()
            if (top, type) not in self._known:
                words: dict[str, bool | None] = {}
                for one in top.imports:
                    words.update(self._known[one, type])
                words.update(self._own(top, type))
                self._known[top, type] = words
        return self._known[manifest, type]

    def _own(self, manifest: Manifest, type: str) -> Iterator[tuple[str, bool | None]]:
        for name in manifest.file.components.names(type) if _may_have_types(manifest.file) else ():
            metadata = _metadata(manifest.file, type, name, self._repository.ground)
            if metadata is None:
                continue
            word = entry(metadata, "type")
            if isinstance(metadata, Mapping) and word is None:
                continue
            yield name, word.value == "abstract" if isinstance(word, Scalar) else None


def _may_have_types(file: ManifestFile) -> bool:
    """Whether a file may have a key `type`: where its text cannot, no component of it has to be built to know that."""
    text = file.source.text
    return file.is_rendered or "\\" in text or ("type" in text and TYPE_KEY.search(text) is not None)


def _metadata(file: ManifestFile, type: str, name: str, ground: Ground) -> Node | None:
    """What a file writes about a component; None where the component is not a map, which is reported elsewhere."""
    try:
        return entry(ground.answer(lambda: file.components.node(type, name)), "metadata")
    except Fault:
        return None


def _lines(node: Node | None) -> set[int]:
    """The lines that a section of a file takes up, as far as its values say."""
    numbers: set[int] = set()
    stack = [node] if node is not None else []
    while stack:
        top = stack.pop()
        numbers.add(top.origin.line)
        stack.extend(child for _, child in children(top))
    return numbers
