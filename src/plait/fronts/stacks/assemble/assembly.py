"""All floors up to the index of stacks, put together for one question: the pipeline from a project to its
components."""

from __future__ import annotations

from plait.fronts.stacks.ask.include import Includes
from plait.fronts.stacks.ask.outside import Outside
from plait.fronts.stacks.ask.remote import RemoteImports
from plait.fronts.stacks.ask.sources import Sources
from plait.fronts.stacks.assemble.index import StackIndex
from plait.fronts.stacks.assemble.services import Services
from plait.fronts.stacks.assemble.shared import Shared
from plait.fronts.stacks.config.finder import Finder
from plait.fronts.stacks.language.language import ManifestLanguage
from plait.fronts.stacks.read.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.config.search import ConfigFlags
    from plait.fronts.stacks.session.session import StackOptions, StackSession


class Assembly:
    """The configuration of a repository, its language, its sources and its index."""

    __slots__ = ("config", "finder", "index", "language", "services", "session", "sources")

    def __init__(self, session: StackSession, flags: ConfigFlags) -> None:
        limit, door = session.project.budgets.size, session.project.door
        self.session = session
        self.sources = Sources(limit, door)
        includes = Includes(session, self.sources)
        remote = RemoteImports(session, self.sources)
        self.finder = Finder(session, flags, remote, includes)
        self.config = self.finder.config()
        self.sources.usual_ttl = lambda: self.config.text("imports", "ttl")
        outside = Outside(limit, door, self.config.base_path, lambda: self.config.get("stores"))
        self.language = ManifestLanguage(session, self.config, outside, includes)
        self.index = StackIndex(Shared(self.language), Loader(self.language, remote))
        self.services = Services(self.index, outside)

    @property
    def is_plain(self) -> bool:
        """Whether everything so far came from manifests and the configuration, and none of it was secret."""
        return self.session.trace.is_empty and not self.session.secrets.texts and not self.session.addresses

    def restart(self, options: StackOptions) -> None:
        """Begin a new question about the same files: manifests and names are kept, values are not."""
        self.session.options = options
        self.session.evaluator.restart()
        self.index.restart()
        self.services.restart()
