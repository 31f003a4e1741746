"""The parse cache of a project, opened for the first text that is worth it: a small one is read again sooner than
looked up."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.source import Source
    from plait.yaml.cache import ParseCache

SMALL = 2_000
"""Characters up to which a text that is wanted whole is not kept."""


class Remember:
    """Opens the cache of what was scanned in earlier runs; see `cache`."""

    def __init__(self, root: str, depth: int) -> None:
        self.root = root
        self.depth = depth
        self._opened: ParseCache | None = None

    def opened(self) -> ParseCache:
        """For a front that reads hundreds of files, which together are worth it."""
        if self._opened is None:
            from plait.yaml.cache import ParseCache

            self._opened = ParseCache(self.root, depth=self.depth)
        return self._opened

    def for_text(self, source: Source) -> ParseCache | None:
        """For one text that is wanted whole; None where it is small."""
        return self.opened() if len(source.text) > SMALL else None

    def save(self, is_worthwhile: bool) -> None:
        """Write what is new for the next run, if that pays; close what is open."""
        if self._opened is not None:
            self._opened.save(is_worthwhile)
