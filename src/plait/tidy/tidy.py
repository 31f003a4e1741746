"""Everything that could be simpler in a repository: proposals of each kind, and the proof that they change nothing."""

from __future__ import annotations

import os
from functools import partial

from plait.core.node import Scalar
from plait.core.source import MASK, YAML_ENDINGS, Source
from plait.core.steps import outcome
from plait.core.visible import counted
from plait.report.catalog import CHANGED_SINCE, OTHER_CHANGES, UNKNOWN_PATH
from plait.review.compared import comparing
from plait.tidy.joining import joined
from plait.tidy.kinds import KINDS, WHOLE
from plait.tidy.layering import Looked, covered
from plait.tidy.looking import ValueUses
from plait.tidy.proof import NOT_PROVED, TidyProof
from plait.tidy.proposal import OVERRIDDEN, SpanEdit
from plait.tidy.unused import NEVER_DELETED
from plait.tidy.written import WrittenFile, WrittenText
from plait.yaml.edits import Delete
from plait.yaml.files import decode, encoding_of
from plait.yaml.load import shown_text
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from plait.core.diagnostic import PlaitError
    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.fronts.front import World
    from plait.tidy.proposal import Proposal
    from plait.yaml.program import Program

PROTECTED = "protected in plait.yaml"
FOLDED = "its text is folded or quoted over several lines: edit it by hand"
AGAIN = "run plait tidy again"
ROUNDS = 10
"""How often files are looked at again after edits. One more time is rare, and two are rarer."""
LOOKED_AGAIN = 100
"""For how many targets that is done: another look takes as long as the first one."""


class ProvedChanges:
    """Proposals for one world: those that are proved, those that are only shown, and how they are written."""

    asked = False
    """Whether somebody asked for one certain change."""

    def __init__(self, world: World, paths: Iterable[str] = ()) -> None:
        """`paths` are files or folders that may be changed; all of them where there are none."""
        self.world = world
        self.project = world.project
        self.count = len(world.targets)
        self.files: dict[str, WrittenFile] = {}
        """Those that may be changed, and that something was looked for in."""
        self._read: dict[str, WrittenFile] = {}
        self.failing: list[str] = []
        """Targets that cannot be read."""
        self._paths = [os.path.realpath(self.project.present(path)) for path in paths]
        self.proof = TidyProof(world, self.files)
        self.proposals: list[Proposal] = []
        self.others: list[Proposal] = []
        """Those that are shown, and not written: each has its obstacle."""
        self.secrets: list[str] = []
        """What was found to be secret, the longest first."""
        self.alike = ""
        """What is done to results before they are compared, in words."""

    def no_value(self, text: str, hint: str) -> PlaitError:
        """The error that no target has a value at a path; where some cannot be read, that may be why."""
        if self.failing:
            names = ", ".join(self.failing[:10])
            hint = f"{counted(len(self.failing), 'target')} could not be read: {names}\nplait lint says why"
        return UNKNOWN_PATH.error(path=text, hint=hint)

    def open(self, name: str, path: str) -> WrittenFile | None:
        """A file that may be changed; None where it may not."""
        file = self.read(name, path) if self._is_asked(path) else None
        if file is not None:
            self.files[path] = file
        return file

    def read(self, name: str, path: str) -> WrittenFile | None:
        """A file of the project, which may be changed or not; None for one outside."""
        if path not in self._read and path.startswith(os.path.join(self.project.root, "")):
            known = self.project.sources.get(path)
            data = self._bytes(path) if known is None else b""
            source = decode(name, data) if known is None else Source(name, known.text)
            read = partial(self._same_bytes, path, source) if known is not None else partial(bytes, data)
            self._read[path] = WrittenFile(name, path, source, read, partial(self._scanned, path))
        return self._read.get(path)

    def _bytes(self, path: str) -> bytes:
        return self.project.door.read(path, self.project.budgets.size)

    def _same_bytes(self, path: str, source: Source) -> bytes:
        """The bytes of a file whose text was read before."""
        data = self._bytes(path)
        if decode(source.name, data).text != source.text:
            raise CHANGED_SINCE.error(name=source.name, hint=AGAIN)
        return data

    def _scanned(self, path: str, source: Source) -> list[Program]:
        """The documents of a file, which somebody may have scanned before."""
        known = self.project.scanned_before(path, source.text)
        return known if known is not None else scan(source)

    def _open_text(self, path: str, file: str, source: Source) -> None:
        """The text of a value of a file that may be changed, as a file of its own."""
        outer = self.files.get(file)
        value = outer.at.get(source.value_at) if outer is not None and source.value_at is not None else None
        if outer is not None and value is not None and value.node.__class__ is Scalar:
            self.files[path] = WrittenText(path, source, outer, value)

    def _is_asked(self, path: str) -> bool:
        return not self._paths or any(path == one or path.startswith(os.path.join(one, "")) for one in self._paths)

    def settle(self, found: list[Proposal], shown: tuple[str, ...] = ("",)) -> Steps[None]:
        """Prove what may be written; of the rest, what has one of some obstacles is shown."""
        self._protect(found)
        proved = set(map(id, (yield from self.proof.accepted([one for one in found if not one.obstacle]))))
        self.proposals = [one for one in found if id(one) in proved]
        self.others = [one for one in found if one.obstacle.startswith(shown) and one.obstacle]
        self._find_secrets()

    def _protect(self, found: list[Proposal]) -> None:
        """Values that plait.yaml protects are shown only."""
        protect = self.project.settings.review.protect
        for one in found:
            if covered(protect, one.places):
                one.obstacle = PROTECTED

    def masked(self, text: str) -> str:
        """A text in which what was found to be secret is masked."""
        for secret in self.secrets:
            text = text.replace(secret, MASK)
        return text

    def _find_secrets(self, more: Iterable[str] = ()) -> None:
        secrets = {one for source in self.project.sources.values() for one in source.secrets}
        self.secrets = sorted({*secrets, *more} - {""}, key=len, reverse=True)

    def texts(self, one: Proposal, reveal: bool = False) -> list[tuple[str, str, str]]:
        """The name of each file that a proposal changes, and its text before and after."""
        found: list[tuple[str, str, str]] = []
        for path, data in self.proof.texts([one]).items():
            file = self.files[path]
            both = file.source.text, data[encoding_of(data)[1] :].decode(encoding_of(data)[0], "replace")
            if not reveal:
                both = self.masked(shown_text(file.name, both[0])), self.masked(shown_text(file.name, both[1]))
            found.append((file.name, *both))
        return found

    def spans(self, one: Proposal) -> list[tuple[str, tuple[int, int], str]]:
        """The whole lines that a proposal replaces: the path of each file, their span in its text, and what is there
        then."""
        texts = zip(self.proof.texts([one]), self.texts(one, reveal=True), strict=True)
        return [(path, *_replaced(before, after)) for path, (_, before, after) in texts]

    # Writing

    @property
    def is_last(self) -> bool:
        """Whether nothing else is looked for when these proposals are made, though something may be found then."""
        return False

    def rounds(self) -> list[ProvedChanges]:
        """These proposals, and those that are found only when they are made, and so on. What is shown and what is
        written are the same rounds."""
        return [self]

    def write(self, chosen: list[Proposal]) -> list[str]:
        """Write some of the proposals, if what is then on the disk gives the same results; the files."""
        return self._write(self.proof.texts(chosen))

    def write_rounds(self, rounds: list[ProvedChanges]) -> list[str]:
        """Write every proposal of some rounds at once; the files."""
        made: dict[str, bytes] = {}
        for one in rounds:
            texts = one.proof.texts(one.proposals)
            made.update(texts)
            for path in texts:
                self.open(one.files[path].name, path)
        return self._write(made)

    def _write(self, made: dict[str, bytes]) -> list[str]:
        texts = {path: data for path, data in made.items() if data != self.files[path].data}
        if not texts:
            return []
        writer = self.project.writer()
        with writer.hold(list(texts)) as lock:
            for path in texts:
                if self._bytes(path) != self.files[path].data:
                    raise CHANGED_SINCE.error(name=self.files[path].name, hint=AGAIN)
            seen = {path: self.files[path].data for path in texts}
            writer.write(texts, seen=seen, lock=lock, check=lambda files: self._hold_to(texts, files))
        return [self.files[path].name for path in texts]

    def _hold_to(self, texts: dict[str, bytes], files: Mapping[str, bytes | None]) -> None:
        """The same proof for what is about to be put in its place, as it was read again."""
        fresh = self.proof.again(self.world.read_again())
        why = fresh.difference(
            {path: data for path, data in zip(texts, files.values(), strict=True) if data is not None}
        )
        if why:
            raise OTHER_CHANGES.error(name=", ".join(texts), notes=(why,), hint="run the command again to see them")


class Tidy(ProvedChanges):
    """Everything that could be simpler, looked for by kinds."""

    def __init__(self, world: World, paths: Iterable[str] = (), only: Iterable[str] = (), share: int = 100) -> None:
        """`only` are kinds; all of them where there are none. `share` is how many percent of the users of a layer have
        to set a value alike, or to override it."""
        super().__init__(world, paths)
        self._asked = (list(paths), list(only), share)
        self.uses: ValueUses | None = ValueUses(world)
        """What values do in the targets, until the proposals are known."""
        self.candidates = 0
        """How many proposals were found, before they are tried."""

    def find(self) -> Steps[None]:
        """Look at all targets, then for proposals of each kind, and try them."""
        assert self.uses is not None, "it is done once"
        uses, (_, only, share) = self.uses, self._asked
        yield from uses.steps()
        self.failing = uses.failing
        for path, name in sorted(uses.files.items()):
            if path.endswith(YAML_ENDINGS):
                self.open(name, path)
                yield
        for path, (file, source) in sorted(uses.texts.items(), key=lambda row: (row[1][0], row[1][1].value_at or 0)):
            self._open_text(path, file, source)
        looked = Looked(dict(self.files), uses, share, self.open, self.read, only)
        chosen = [name for name in KINDS if not only or name in only]
        whole = self._unkept([one for name in chosen if name in WHOLE for one in WHOLE[name](looked)])
        found = yield from self.proof.accepted(whole)
        for name in chosen:
            for one in KINDS[name](looked):
                found += [one] if one is not None else []
                self.candidates = len(found)
                yield
        found = self._unkept(_once(found))
        for one in found:
            if isinstance(one.file, WrittenText) and not one.file.has_own_lines:
                one.obstacle = FOLDED
        yield from self.settle(found, (PROTECTED, NOT_PROVED, NEVER_DELETED, FOLDED, OVERRIDDEN))
        self.proposals = joined(_without_gone_anchors(self.proposals))
        self.uses = None

    @property
    def is_last(self) -> bool:
        return bool(self.proposals) and self.count > LOOKED_AGAIN

    def rounds(self) -> list[ProvedChanges]:
        """What nothing reads any more is found when the files are looked at as they would be."""
        with comparing(self.project):
            return outcome(self.find_rounds())

    def find_rounds(self) -> Steps[list[ProvedChanges]]:
        """The same in steps."""
        found: list[Tidy] = [self]
        made: dict[str, bytes] = {}
        while found[-1].proposals and not self.is_last and len(found) < ROUNDS:
            made.update(found[-1].proof.texts(found[-1].proposals))
            found.append(Tidy(self.world.with_texts(made), *self._asked))
            yield from found[-1].find()
            found[-1]._find_secrets(found[-2].secrets)  # also those that are gone
        return [one for one in found if one.proposals] or [self]

    def _unkept(self, found: list[Proposal]) -> list[Proposal]:
        """Those that nobody wants to keep as they are."""
        keep = self.project.settings.keep
        return [
            one
            for one in found
            if not one.file.is_kept(one.file.at.get(one.value.at)) and not covered(keep, one.places)
        ]


def _without_gone_anchors(found: list[Proposal]) -> list[Proposal]:
    """Some proposals without those for the anchor of a value that goes with another one."""
    gone = {(path, edit.document, edit.path) for one in found for path, edit in one.edits if isinstance(edit, Delete)}

    def stays(one: Proposal) -> bool:
        above = {(one.file.path, one.number, one.steps[:end]) for end in range(len(one.steps) + 1)}
        return not all(isinstance(edit, SpanEdit) for _, edit in one.edits) or gone.isdisjoint(above)

    return [one for one in found if stays(one)]


def _replaced(before: str, after: str) -> tuple[tuple[int, int], str]:
    """The lines of a text that are others in another one."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    start, end = (sum(map(len, old[:at])) for at in (first, len(old) - last))
    return (start, end), "".join(new[first : len(new) - last])


def _once(found: list[Proposal]) -> list[Proposal]:
    """Some proposals without those that make the same edit as one before them, or a part of it."""
    gone: set[tuple[str, int, Path]] = set()
    kept: list[Proposal] = []
    for one in found:
        own = {(path, edit.document, edit.path) for path, edit in one.edits if isinstance(edit, Delete)}
        above = {(path, number, steps[:end]) for path, number, steps in own for end in range(len(steps) + 1)}
        if len(one.edits) > 1 or not own or gone.isdisjoint(above):
            kept.append(one)
        gone |= own if len(one.edits) == 1 else set()
    return kept
