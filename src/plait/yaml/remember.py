"""The parse cache of a project, opened for the first text that is worth it: a small one is read again sooner than
looked up."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.yaml.cache import ParseCache
    from plait.yaml.outline import Pack
    from plait.yaml.program import Program

SMALL = 2_000
"""Characters up to which a text that is wanted whole is not kept."""


class Remember:
    """What was scanned in earlier runs; see `cache`."""

    def __init__(self, root: str, depth: int) -> None:
        self.root = root
        self.depth = depth
        self._opened: ParseCache | None = None

    @property
    def cache(self) -> ParseCache:
        if self._opened is None:
            from plait.yaml.cache import ParseCache

            self._opened = ParseCache(self.root, depth=self.depth)
        return self._opened

    def get(self, source: Source) -> list[Program] | None:
        """The documents of a text that was scanned before, whole."""
        return self.cache.get(source) if len(source.text) > SMALL else None

    def parts(self, source: Source) -> list[Program | Pack] | None:
        """The same, those that are kept by their parts as they are: for a front that reads hundreds of files."""
        return self.cache.parts(source)

    def put(self, source: Source, programs: list[Program], apart: bool = False) -> None:
        """Keep what a text was scanned into."""
        if apart or len(source.text) > SMALL:
            self.cache.put(source, programs, apart)

    def save(self, is_worthwhile: bool) -> None:
        """Write what is new for the next run, if that pays; close what is open."""
        if self._opened is not None:
            self._opened.save(is_worthwhile)
