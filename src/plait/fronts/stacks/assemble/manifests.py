"""All top-level manifests of a repository, and those that cannot be read."""

from __future__ import annotations

from functools import partial

from plait.core.diagnostic import Fault
from plait.fronts.stacks.assemble.broken import Broken
from plait.fronts.stacks.read.discovery import stack_files
from plait.fronts.stacks.session.globs import stem
from plait.report.catalog import BAD_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.fronts.stacks.assemble.shared import Shared
    from plait.fronts.stacks.read.loader import Loader
    from plait.fronts.stacks.read.manifest import Manifest

    Answer = Callable[[Callable[[], Manifest | None]], Manifest | None]


def _call(question: Callable[[], Manifest | None]) -> Manifest | None:
    return question()


class Manifests:
    """The manifests of one configuration, read when they are needed."""

    def __init__(self, shared: Shared, loader: Loader) -> None:
        self._shared = shared
        self.loader = loader
        self.broken = Broken(shared.session.options.strict, self._refuses)
        self._narrowed: list[str] | None = None
        self.left_out: frozenset[str] = frozenset()
        """The names of the stacks of the manifests that are not looked at."""
        self.known: list[Manifest] | None = None
        """Those that can be read, once all of them were."""

    def _refuses(self) -> bool:
        return self._shared.config.error_mode(self._shared.session.options) == "strict"

    def files(self) -> list[str]:
        """The paths of all top-level manifests."""
        if self._narrowed is not None:
            return self._narrowed
        config, project = self._shared.config, self._shared.session.project
        files = self._shared.session.memory.recall("stacks", partial(stack_files, project, config))
        if not files and not project.door.is_folder(config.stacks_path):
            raise BAD_CONFIG.error(
                why=f"the stacks folder `{self._shared.session.shown(config.stacks_path)}` does not exist",
                hint="see stacks.base_path in atmos.yaml",
            )
        return files

    def narrow(self, paths: Iterable[str] | None) -> None:
        """Look only at some of the manifests, for a question that no other can change; at all again for None."""
        self._narrowed = sorted(paths, key=stem) if paths is not None else None
        self.known, self.left_out = None, frozenset()

    @property
    def is_narrowed(self) -> bool:
        """Whether some manifests are left out."""
        return self._narrowed is not None

    def restart(self) -> None:
        """Begin a new question: errors are found again."""
        self.known = None
        self.broken.clear()
        self.loader.restart()

    def at(self, path: str) -> Manifest | None:
        """The manifest of a file; None if the file cannot be read."""
        try:
            return self.loader.load(path)
        except Fault as error:
            self.broken.manifest(self.name_of(path), error)
            return None

    def all(self, answer: Answer = _call) -> list[Manifest]:
        """Every top-level manifest that can be read. `answer` asks for each on its own, so that while one waits, the
        others need not be looked at again."""
        if self.known is None:
            each = [answer(partial(self.at, path)) for path in self.files()]
            self.known = [manifest for manifest in each if manifest is not None]
        return self.known

    def name_of(self, path: str) -> str:
        return self.loader.name_of(path)
