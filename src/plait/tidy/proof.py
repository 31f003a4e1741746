"""The proof that edits change no result: every target that they touch is evaluated with and without them."""

from __future__ import annotations

from plait.core.diagnostic import Fault
from plait.core.node import Scalar
from plait.core.path import format_path
from plait.core.source import Source
from plait.core.steps import outcome
from plait.core.walk import leaves_of
from plait.edits.effects import EditedWorld, both_results
from plait.fronts.front import label
from plait.tidy.proposal import SpanEdit, spliced
from plait.tidy.written import WrittenText
from plait.yaml.edits import Delete
from plait.yaml.files import encoding_of
from plait.yaml.nested import with_text
from plait.yaml.patch import apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.fronts.front import DocumentId, Target, World
    from plait.review.causes import TargetResult
    from plait.tidy.proposal import Proposal
    from plait.tidy.written import WrittenFile
    from plait.yaml.edits import Edit


NOT_PROVED = "not proved"


class TidyProof:
    """Results before any edit, each evaluated once, and the question whether some edits change one."""

    def __init__(self, world: World, files: dict[str, WrittenFile]) -> None:
        self.before = EditedWorld(world)
        self.files = files
        self.tried = 0
        """How often results were evaluated."""

    def texts(self, proposals: Iterable[Proposal]) -> dict[str, bytes]:
        """The bytes of every file that some proposals change."""
        return outcome(self._texts(proposals))

    def _texts(self, proposals: Iterable[Proposal]) -> Steps[dict[str, bytes]]:
        """The same, file by file."""
        edits: dict[str, list[Edit | SpanEdit]] = {}
        for one in proposals:
            for path, edit in one.edits:
                edits.setdefault(path, []).append(edit)
        texts: dict[str, list[tuple[WrittenText, str]]] = {}
        inside = [(path, file) for path in edits if isinstance(file := self.files[path], WrittenText)]
        for path, inner in inside:
            texts.setdefault(inner.outer.path, []).append((inner, _edited(inner, edits.pop(path)).decode()))
        made: dict[str, bytes] = {}
        for path in {**edits, **texts}:
            made[path] = _edited(self.files[path], edits.get(path, []), texts.get(path, ()))
            yield
        return made

    def obstacle(self, proposals: Iterable[Proposal]) -> Steps[str]:
        """Why some proposals together may not be made; empty where every result stays as it is."""
        try:
            texts = yield from self._texts(proposals)
        except Fault as error:
            return f"the text cannot be edited: {error.diagnostics[0].message}"
        return (yield from self._difference(texts))

    def difference(self, texts: dict[str, bytes]) -> str:
        """What other bytes in some files change; empty where that is nothing."""
        return outcome(self._difference(texts))

    def _difference(self, texts: dict[str, bytes]) -> Steps[str]:
        """The same, target by target."""
        self.tried += 1
        edited = EditedWorld(self.before.world.with_texts(texts))
        compared: list[tuple[str, list[Target], TargetResult, TargetResult]] = []
        yield
        for name, targets, before, after in both_results(self.before, edited):
            expected = self.expected(before, after)
            compared.append((name, targets, expected, after))
            for document, path in expected.differences(after):
                return _changed(name, targets, document, path)
            failing, changes = {**before.errors, **after.errors}, edited.world.changes
            apart = changes is not None and all(one.is_apart(found, changes) for one in targets for found in failing)
            if not apart or before.unknown or after.unknown:
                return f"{NOT_PROVED}: {_uncompared(name, before, after)}"
            yield
        if any(source.secrets for source in self.before.world.project.sources.values()):
            for name, targets, expected, after in compared:
                for document, path in _exposed(expected, after):
                    return _changed(name, targets, document, path)
        return ""

    def expected(self, before: TargetResult, after: TargetResult) -> TargetResult:
        """What the results have to be afterwards: the same."""
        return before

    def again(self, world: World) -> TidyProof:
        """The same question to another world."""
        return TidyProof(world, self.files)

    def accepted(self, proposals: list[Proposal]) -> Steps[list[Proposal]]:
        """The most of some proposals that change nothing together, in their order; the others get their obstacle."""
        found: list[Proposal] = []
        stack = [proposals] if proposals else []
        while stack:
            batch = stack.pop()
            why = yield from self.obstacle([*found, *batch])
            if not why:
                found += batch
            elif len(batch) == 1:
                batch[0].obstacle = why
            else:
                middle = len(batch) // 2
                stack += [batch[middle:], batch[:middle]]
        return found


def _uncompared(name: str, *results: TargetResult) -> str:
    """Why a target cannot be compared: the first error, or why a document of it is not known."""
    errors: list[str] = [line for one in results for lines in one.errors.values() for line in lines]
    errors += [message for one in results for _, message in one.unknown.values()]
    return f"{name} cannot be compared: {errors[0]}" if errors else f"{name} cannot be compared"


def _changed(name: str, targets: list[Target], document: DocumentId, path: Path) -> str:
    where = " ".join(filter(None, (label(document, *targets), format_path(path))))
    return f"changes {where} of {name}"


def _exposed(before: TargetResult, after: TargetResult) -> Iterator[tuple[DocumentId, Path]]:
    """The values that are masked before and would be shown after."""
    for document, node in before.documents.items():
        masked = [path for path, leaf in leaves_of(node) if isinstance(leaf, Scalar) and leaf.secret]
        found = dict(leaves_of(after.documents[document])) if masked and document in after.documents else {}
        for path in masked:
            leaf = found.get(path)
            if isinstance(leaf, Scalar) and not leaf.secret:
                yield document, path


def climbed(file: WrittenFile, edits: list[Edit]) -> list[Edit]:
    """The same edits, where a map or a list of which every value goes, goes as a whole; what is in it goes with it."""
    gone = {(edit.document, edit.path) for edit in edits if isinstance(edit, Delete)}
    others = [edit for edit in edits if not isinstance(edit, Delete)]
    filled = {(edit.document, edit.path[:end]) for edit in others for end in range(len(edit.path) + 1)}
    for depth in range(max((len(path) for _, path in gone), default=0) - 1, 0, -1):
        for place in {(number, path[:-1]) for number, path in gone if len(path) == depth + 1} - filled:
            value = file.by_place.get(place)
            inside = {(one.number, one.steps) for one in value.below} if value is not None else set()
            if inside and inside <= gone:
                gone = (gone - inside) | {place}
    outer = [(at, path) for at, path in gone if gone.isdisjoint((at, path[:end]) for end in range(len(path)))]
    return [*others, *(Delete(path, number) for number, path in outer)]


def _edited(file: WrittenFile, edits: list[Edit | SpanEdit], texts: Iterable[tuple[WrittenText, str]] = ()) -> bytes:
    """The bytes of a file with edits made in it: spans of text first, which leave its structure as it is, and texts of
    values, which do so, too."""
    encoding, mark = encoding_of(file.data)
    spans = [edit for edit in edits if isinstance(edit, SpanEdit)]
    source = Source(file.source.name, spliced(file.source.text, spans)) if spans else file.source
    for inner, text in texts:
        source = Source(source.name, with_text(source, inner.value.steps, inner.value.number, text))
    others = climbed(file, [edit for edit in edits if not isinstance(edit, SpanEdit)])
    return file.data[:mark] + (apply(source, others) if others else source.text).encode(encoding)
