"""A survey of all targets of a repository, worked out target by target when a question needs it.

survey = Survey(world)
survey.fates("stacks/catalog/vpc.yaml")       what each line of a file decides, in all targets that read it
survey.values("vpc", ("vars", "cidr"))        one value in every target, equal ones folded
"""

from __future__ import annotations

import os
from contextlib import suppress

from plait.core.diagnostic import Fault, NotKnown
from plait.core.node import Container
from plait.core.walk import leaves_of
from plait.evaluate.nowhere import NotThere
from plait.fronts.front import WHOLE, label
from plait.fronts.origins import Share, value_shares
from plait.survey.seen import SeenValue, Seer, where_of
from plait.survey.things import SameThings
from plait.survey.uses import MATCHED_BY, READ, WINS, DocumentUses, LineUse, Looker
from plait.yaml.build import Reading
from plait.yaml.files import read_source
from plait.yaml.load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.source import Source
    from plait.evaluate.tree import Tree
    from plait.fronts.front import DocumentId, Target, Targets, World
    from plait.survey.uses import Line

DECIDES, LOSES, IS_READ, STEERS, UNUSED = "wins", "overridden", "read", "steers", "never read"


class Fate:
    """What one line of a file decides, over all targets that read the file.

    `wins` and `read` are places: a target, a document and a path. `overridden` has them by the line that won.
    """

    __slots__ = ("line", "overridden", "read", "steers", "wins")

    def __init__(self, line: int) -> None:
        self.line = line
        self.wins: list[tuple[str, str, Path]] = []
        self.read: list[tuple[str, str, Path]] = []
        self.overridden: dict[Line | None, list[tuple[str, str, Path]]] = {}
        self.steers = False
        """Whether it decides how targets are put together: an import, a base."""

    @property
    def kind(self) -> str:
        """The most that the line does anywhere."""
        if self.wins:
            return DECIDES
        if self.read:
            return IS_READ
        if self.steers:
            return STEERS
        return LOSES if self.overridden else UNUSED

    @property
    def winning_targets(self) -> list[str]:
        return list(dict.fromkeys(target for target, _, _ in self.wins))

    @property
    def losing_targets(self) -> list[str]:
        return list(dict.fromkeys(target for places in self.overridden.values() for target, _, _ in places))

    def add(self, target: str, document: str, use: LineUse) -> None:
        place = (target, document, use.path)
        if use.kind == WINS:
            self.wins.append(place)
        elif use.kind in (READ, MATCHED_BY):
            self.read.append(place)
        else:
            self.overridden.setdefault(use.by, []).append(place)


class FoldedValue:
    """A value that some targets share. `value` is None where they do not have it, or it fails."""

    __slots__ = ("error", "places", "value")

    def __init__(self, value: Node | None, error: str = "") -> None:
        self.value = value
        self.error = error
        self.places: list[tuple[str, str]] = []
        """The targets that have it, each with the file and line that it comes from."""

    @property
    def targets(self) -> list[str]:
        return [target for target, _ in self.places]


def target_shares(target: Target) -> list[Share]:
    """What each file contributes to one target, the lowest first: to its values, where templates are rendered."""
    values = target.values_tree()
    if values is not None:
        return value_shares(values)
    by_file = {file: Share(file) for file in low_first(target)}
    looker = Looker()
    for _, opened in target.each():
        tree = opened()
        uses = looker.look(tree, looked_at(target, tree))
        for file, count in (*uses.wins().items(), *uses.matched_by().items()):
            share = by_file.setdefault(file, Share(file))
            share.wins += count
            share.gives += count
        for file, count in uses.lost().items():
            by_file.setdefault(file, Share(file)).gives += count
        for (winner, loser), count in uses.overriding().items():
            over = by_file.setdefault(winner, Share(winner)).over
            over[loser] = over.get(loser, 0) + count
        for node, drop in [one for _, leaf in tree.account().leaves() for one in tree.taken(leaf)]:
            share = by_file.setdefault(node.origin.file, Share(node.origin.file))
            share.gives += 1
            share.wins += drop is None
    own = set(target.made_of())
    return [share for share in by_file.values() if share.gives and share.name in own]


def low_first(target: Target) -> list[str]:
    """The files of a target, the lowest first: a file is above those that it asks for, and of these the last one is
    the highest."""
    asked = dict(target.links())
    inner = {name for rows in asked.values() for name in rows}
    found, begun = dict[str, None](), set[str]()
    stack = [*asked, *(name for name in asked if name not in inner)]  # the first ones only count in a ring
    while stack:
        file = stack[-1]
        if file in begun:
            found.setdefault(stack.pop())
        else:
            begun.add(file)
            stack += [name for name in reversed(asked.get(file, {})) if name not in begun]
    return list(found)


def looked_at(target: Target, tree: Tree) -> tuple[str, ...]:
    """The sections of a document that lines give values to; empty for all."""
    return tuple(name for name in target.sections(tree) if name not in target.steering_sections)


class FileShare:
    """What one file contributes to all targets."""

    __slots__ = ("lost", "wins")

    def __init__(self) -> None:
        self.wins = 0
        self.lost = 0


class Survey:
    """Everything that is asked about all targets of one state of a repository. A target is called by its address, a
    document by its label; one without a label is called `WHOLE`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.project = world.project
        self._looker = Looker()
        self._seer = Seer()
        self._documents: dict[str, dict[str, DocumentId]] = {}
        self._looked: dict[str, dict[str, DocumentUses]] = {}
        self._inputs: dict[str, list[tuple[DocumentUses, Callable[[Path], bool]]]] = {}
        self._links: dict[str, dict[str, int]] | None = None
        self._readers: dict[str, list[str]] | None = None
        self._things = SameThings()

    # Targets

    @property
    def of(self) -> Targets:
        return self.world.targets

    @property
    def kind(self) -> str:
        """What a target is called."""
        return self.of.kind

    @property
    def part(self) -> str:
        """What a document of a target is called."""
        parts = {target.part for target in self.of}
        return parts.pop() if len(parts) == 1 else WHOLE

    def targets(self) -> list[str]:
        return self.of.names()

    def documents(self, target: str) -> list[str]:
        """The labels of the documents of a target; of one that cannot be read, that of the whole."""
        return list(self._by_label(target))

    def _by_label(self, name: str) -> dict[str, DocumentId]:
        if name not in self._documents:
            target = self.of[name]
            try:
                self._documents[name] = {label(one, target) or WHOLE: one for one in target.documents()}
            except Fault:
                self._documents[name] = {WHOLE: target.id()}
        return self._documents[name]

    def document(self, target: str, text: str) -> DocumentId | None:
        """The document that a text means in a target, which may have another label there; None where there is none."""
        known = self._by_label(target)
        if text in known:
            return known[text]
        named = [one for one in known.values() if text in one.names]
        return named[0] if len(named) == 1 else self.of[target].beside(text)

    def titles(self) -> dict[str, dict[str, str]]:
        """Documents of targets, by their labels, that are the same thing as others with other labels: one title for all
        of them."""
        self._look_at_things()
        return {target: titles for target, titles in self._things.titles().items() if titles}

    def _look_at_things(self) -> None:
        for name in self.of.names():
            self._things.add(name, self.of[name], self._by_label(name))

    def called(self, target: str, text: str) -> str:
        """What the document of a label is called in a target: so, or as the same thing is called there. Empty where the
        target has none."""
        if self.document(target, text) is not None:
            return text
        if not self.of[target].is_rendered:
            return ""
        self._look_at_things()
        return self._things.within(target, text)

    def tree(self, target: str, document: str) -> Tree:
        """A document as a tree; PlaitError where there is none, or it cannot be read."""
        found = self.of.find(target)
        meant = self.document(target, document)
        return found.tree(meant if meant is not None else found.named(document))

    def uses(self, target: str) -> dict[str, DocumentUses]:
        """What lines do in each document of a target; worked out once."""
        if target not in self._looked:
            self._looked[target] = dict(self._look(self.of[target]))
        return self._looked[target]

    def _look(self, target: Target) -> Iterator[tuple[str, DocumentUses]]:
        try:
            for document, tree in target.each():
                yield label(document, target) or WHOLE, self._looked_at(target, tree)
        except Fault as error:
            yield WHOLE, DocumentUses(errors=[diagnostic.message for diagnostic in error.diagnostics])

    def _looked_at(self, target: Target, opened: Callable[[], Tree]) -> DocumentUses:
        try:
            tree = opened()
            return self._looker.look(tree, looked_at(target, tree))
        except NotKnown:
            return DocumentUses()  # nothing is wrong with it
        except Fault as error:
            return DocumentUses(errors=[diagnostic.message for diagnostic in error.diagnostics])

    def is_known(self, target: str) -> bool:
        """Whether a target was looked at already."""
        return target in self._looked

    # Files

    def links(self) -> dict[str, dict[str, int]]:
        """Every file with the files that it imports, each with the line that asks for it."""
        if self._links is None:
            self._links = {}
            for target in self.of:
                for file, rows in target.links():
                    self._links.setdefault(file, {}).update(rows)
        return self._links

    def importers(self, file: str) -> dict[str, int]:
        """The files that import one, each with the line that asks for it."""
        return {name: rows[file] for name, rows in self.links().items() if file in rows}

    def readers(self, file: str) -> list[str]:
        """The targets that a file is part of."""
        return self._by_file().get(file, [])

    def _by_file(self) -> dict[str, list[str]]:
        if self._readers is None:
            self._readers = {}
            for target in self.targets():
                for name in self.of[target].made_of():
                    self._readers.setdefault(name, []).append(target)
        return self._readers

    def mentions(self, words: Collection[str]) -> dict[str, int]:
        """How many of some words, in small letters, the files of each target have; nothing where they have none."""
        found: dict[str, set[str]] = {}
        for file, targets in self._by_file().items():
            with suppress(Fault):
                text = self.source(file).text.lower()
                has = {word for word in words if word in text}
                for target in targets if has else ():
                    found.setdefault(target, set()).update(has)
        return {target: len(has) for target, has in found.items()}

    def source(self, file: str) -> Source:
        """The text of a file, as it is now."""
        return read_source(self._path(file), size_limit=self.project.budgets.size, door=self.project.door)

    def _path(self, file: str) -> str:
        """Where a file is, from the folder that the program runs in."""
        readers = self.readers(file)
        return self.of[readers[0]].place_of(file) if readers else file

    def secrets(self, file: str) -> frozenset[str]:
        """Texts in a file that results have shown to be secret: an override of a secret need not be marked."""
        place = os.path.realpath(self._path(file))
        base = os.path.basename(file)
        named = ((name, source.secrets) for name, source in self.project.sources.items() if name.endswith(base))
        return frozenset().union(*(secrets for name, secrets in named if os.path.realpath(name) == place))

    def fates(self, file: str, targets: list[str] | None = None) -> dict[int, Fate]:
        """What each line with a value of a file decides, by its number; in certain targets, or in all that read it."""
        fates = {line: Fate(line) for line in self._written(file)}
        for reader in (self.of[name] for name in self.readers(file)):
            for line in fates if reader.steers(file) else reader.steering(file):
                fates.setdefault(line, Fate(line)).steers = True
        for target in self.readers(file) if targets is None else targets:
            for document, uses in self.uses(target).items():
                for line, use in uses.of(file):
                    fates.setdefault(line, Fate(line)).add(target, document, use)
            for line, use in self._input_uses(target, file):
                fates.setdefault(line, Fate(line)).add(target, WHOLE, use)
        return dict(sorted(fates.items()))

    def _input_uses(self, target: str, file: str) -> Iterator[tuple[int, LineUse]]:
        """What lines do in what the documents of a target are computed from: at the most, they are read."""
        for uses, is_read in self._looked_inputs(target):
            for line, use in uses.of(file):
                if use.kind != WINS:
                    yield line, use
                elif is_read(use.path):
                    yield line, LineUse(READ, use.path)

    def _looked_inputs(self, target: str) -> list[tuple[DocumentUses, Callable[[Path], bool]]]:
        """What lines do in what the documents of a target are computed from; worked out once."""
        if target not in self._inputs:
            try:
                found = [(self._looker.look(tree), is_read) for tree, is_read in self.of[target].computed_from()]
            except Fault:
                found = []  # reported with the documents
            self._inputs[target] = found
        return self._inputs[target]

    def _written(self, file: str) -> set[int]:
        """The lines on which values begin; none where the file is not YAML before it is rendered."""
        try:
            documents = load(self.source(file), Reading(merge_keys=False))
        except Fault:
            return set()
        leaves = (leaf for document in documents for leaf in leaves_of(document))
        return {node.origin.line for path, node in leaves if path or not isinstance(node, Container)}

    def shares(self) -> dict[str, FileShare]:
        """How many values come from each file, and how many of it are overridden, in the targets looked at so far. A
        file with values for templates gives them to these."""
        shares: dict[str, FileShare] = {}
        for target, documents in self._looked.items():
            given = [uses for uses, _ in self._looked_inputs(target)[:1]]
            for uses in (*documents.values(), *given):
                for file, count in uses.wins().items():
                    shares.setdefault(file, FileShare()).wins += count
                for file, count in uses.lost().items():
                    shares.setdefault(file, FileShare()).lost += count
        return shares

    # Values

    def values(self, document: str, path: Path, targets: list[str] | None = None) -> list[FoldedValue]:
        """A value of a document in every target that has the document, or the same thing under another name: equal ones
        folded, the most frequent first."""
        folded: dict[str, FoldedValue] = {}
        for target in self.targets() if targets is None else targets:
            name = self.called(target, document)
            if not name:
                continue
            one = self._value(target, name, path)
            folded.setdefault(one.key, FoldedValue(one.value, one.error)).places.append((target, one.where))
        return sorted(folded.values(), key=lambda one: -len(one.places))

    def _value(self, target: str, document: str, path: Path) -> SeenValue:
        """One value of a document, or why there is none."""
        try:
            tree = self.tree(target, document)
            value = tree.value(path)
        except NotThere:
            return SeenValue(path, None, "", "")
        except Fault as error:
            return SeenValue(path, None, error.diagnostics[0].message, "")
        account = tree.account().find(path)
        where = account.winner.node.origin if account is not None else value.origin
        return SeenValue(path, value, "", where_of(where))

    def all_values(self, document: str, targets: list[str]) -> dict[Path, list[FoldedValue]]:
        """Every value of a document in all of some targets, folded as by `values`."""
        by_path: dict[Path, dict[str, FoldedValue]] = {}
        for target in targets:
            if name := self.called(target, document):
                for one in (one for section in self.sections(target, name) for one in section):
                    folded = by_path.setdefault(one.path, {})
                    folded.setdefault(one.key, FoldedValue(one.value, one.error)).places.append((target, one.where))
        return {path: sorted(rows.values(), key=lambda one: -len(one.places)) for path, rows in by_path.items()}

    def sections(self, target: str, document: str) -> Iterator[list[SeenValue]]:
        """The values of one document, section by section; none where it cannot be read. Documents may share sections:
        then they are the same list."""
        meant, found = self.document(target, document), self.of[target]
        with suppress(Fault), found.visited(meant or found.named(document)) as tree:
            yield from self._seer.sections(tree, looked_at(found, tree))
