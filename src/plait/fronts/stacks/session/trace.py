"""What evaluation read besides values: files other than manifests, outputs of other components, things that plait
cannot follow."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Label
    from plait.core.scope import Place
    from plait.report.unknown import FailedValue, UnknownValue

    Part = str | tuple[str, str]
    """A section of a manifest by its name, or the entry of a component by its type and its name."""


class Trace:
    """The reads of one run. The root of a component, or of a file's locals, says who read."""

    __slots__ = ("components", "files", "incomplete", "masked", "unknown", "wrong")

    def __init__(self) -> None:
        self.files: dict[Place, set[str]] = {}
        """The files that are read from a root, besides manifests."""
        self.components: dict[Place, set[Place]] = {}
        """The roots of the components whose outputs or sections are read from a root."""
        self.incomplete = False
        """Whether something was read that plait cannot follow: by a command, or by a template that opens files."""
        self.unknown: list[UnknownValue] = []
        """The values that are not known here and were shown as `(computed)`."""
        self.wrong: list[FailedValue] = []
        """The values that mistakes in the files kept from being computed, shown as `(error)`."""
        self.masked: list[Label] = []
        """The secrets that were not looked up, shown as `<MASKED>`."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read but manifests, and nothing has to be reported."""
        return not any(getattr(self, name) for name in self.__slots__)

    @property
    def reports(self) -> int:
        """How much there is to report so far."""
        return len(self.unknown) + len(self.wrong) + len(self.masked)

    def opened(self, root: Place, path: str) -> None:
        self.files.setdefault(root, set()).add(path)

    def depends_on(self, root: Place, component: Place) -> None:
        self.components.setdefault(root, set()).add(component)
