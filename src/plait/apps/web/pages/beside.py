"""Templates and values, bases and patches beside what they make: pointing at a line of one lights up the lines of the
other."""

from __future__ import annotations

from plait.apps.web.markup import h
from plait.apps.web.pages.files import shown_text
from plait.apps.web.pages.frame import place
from plait.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.apps.web.explorer import State
    from plait.apps.web.links import Links
    from plait.apps.web.markup import Html
    from plait.evaluate.explain import Leaf
    from plait.evaluate.hops import Hop


class FilesBeside:
    """The files that the lines of a document were made from, in the order in which they are named."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links
        self._files: dict[str, int] = {}
        """The number of each file."""

    def marks(self, leaf: Leaf) -> str | None:
        """The lines that a value came from, each as `FILE:LINE` with the number of the file."""
        known = self._state.survey.links()
        written = [part.node.origin for part in (leaf.winner, *leaf.lost)]
        own = [(origin.file, origin.line) for origin in written if not origin.source.given]
        places = {(file, line): None for file, line in (*_places(leaf.hops), *own) if file in known}
        rows = [f"{self._files.setdefault(file, len(self._files))}:{line}" for file, line in places]
        return " ".join(rows) or None

    def panels(self) -> Html:
        """The texts of the files, each line with its mark."""
        return h("div", *map(self._panel, self._files), class_="sources")

    def _panel(self, file: str) -> Html:
        number, lines = self._files[file], shown_text(self._state, file).split("\n")
        rows = [
            h("div", h("span", at, class_="no"), h("code", visible(line)), class_="row", data_at=f"{number}:{at}")
            for at, line in enumerate(lines if lines[-1] else lines[:-1], 1)
        ]
        body = h("div", *rows, class_="text scroll", tabindex="0", role="region", aria_label=file)
        return h("section", h("h2", place(file, 0, self._links)), body, class_="panel")


def _places(hops: Iterable[Hop]) -> Iterator[tuple[str, int]]:
    stack = list(hops)[::-1]
    while stack:
        hop = stack.pop()
        if hop.origin is not None:
            yield hop.origin.file, hop.origin.line
        stack.extend(reversed(hop.hops))
