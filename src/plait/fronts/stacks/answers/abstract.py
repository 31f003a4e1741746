"""Which components are only there to be inherited from, found without putting them together."""

from __future__ import annotations

import re

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.core.node import MapNode, Node, Scalar
from plait.fronts.stacks.answers.usable import is_abstract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.fronts.stacks.answers.repository import Repository
    from plait.fronts.stacks.read.file import ManifestFile
    from plait.fronts.stacks.read.manifest import Manifest
    from plait.fronts.stacks.session.session import StackSession

TYPE_KEY = re.compile(r"\btype\b['\"]?\s*:")


class AbstractNames:
    """The components of each manifest that are only there to be inherited from.

    What a file says of a component wins over what its imports say, so that this is known of each file once; where a
    word is computed, the component is put together to ask it.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[tuple[Manifest, str], dict[str, bool | None]] = {}

    def of(self, manifest: Manifest, type: str) -> set[str]:
        """Those of a type; one that cannot be read is not among them."""
        return {name for name in self.words(manifest, type) if self._is_readable(manifest, type, name)}

    def has(self, manifest: Manifest, type: str, name: str) -> bool:
        """Whether a component is one of them; PlaitError where it cannot be read."""
        word = self.word(manifest, type, name)
        return is_abstract(self._repository, manifest, type, name) if word is None else word

    def word(self, manifest: Manifest, type: str, name: str) -> bool | None:
        """The same as far as it is written; None where it is computed."""
        return self.words(manifest, type).get(name, False)

    def _is_readable(self, manifest: Manifest, type: str, name: str) -> bool:
        """Whether a component is one of them and can be read."""
        try:
            return self.has(manifest, type, name)
        except Fault:
            return False

    def words(self, manifest: Manifest, type: str) -> dict[str, bool | None]:
        """The components whose metadata have a type: whether it is `abstract`, None where that is computed."""
        known = self._known.get((manifest, type))
        if known is not None:
            return known
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
            try:
                metadata = written_metadata(manifest.file, type, name, self._repository.session)
            except Fault:
                yield name, None
                continue
            word = entry(metadata, "type")
            if metadata is None or (isinstance(metadata, MapNode) and word is None):
                continue
            yield name, word.value == "abstract" if isinstance(word, Scalar) else None


def _may_have_types(file: ManifestFile) -> bool:
    """Whether a file may have a key `type`: where its text cannot, no component of it has to be built to know that."""
    text = file.source.text
    return file.is_rendered or "\\" in text or ("type" in text and TYPE_KEY.search(text) is not None)


def metadata_of(file: ManifestFile, type: str, name: str, session: StackSession) -> Node | None:
    """What a file writes about a component; None where the component is not a map, which is reported elsewhere."""
    try:
        return written_metadata(file, type, name, session)
    except Fault:
        return None


def written_metadata(file: ManifestFile, type: str, name: str, session: StackSession) -> Node | None:
    """The same; PlaitError where it is not a map."""
    return entry(session.answer(lambda: file.components.node(type, name)), "metadata")
