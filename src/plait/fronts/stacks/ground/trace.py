"""What evaluation read besides values: files other than manifests, outputs of other components, things that plait
cannot follow."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.path import format_path
from plait.report.catalog import DENIED, VALUES_UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Unknown
    from plait.core.path import Path
    from plait.core.scope import Place

    Part = str | tuple[str, str]
    """A section of a manifest by its name, or the entry of a component by its type and its name."""

OPENED = "import"
"""The part of every manifest that could be opened: what it imports."""
WHOLE = "*"
"""Stands for all parts of a manifest."""


class UnknownValue:
    """A value of a component that is not known here."""

    __slots__ = ("component", "path", "stack", "value")

    def __init__(self, stack: str, component: str, path: Path, value: Unknown) -> None:
        self.stack = stack
        self.component = component
        self.path = path
        self.value = value

    @property
    def where(self) -> str:
        """The place in words."""
        owner = f" of `{self.component}` in `{self.stack}`" if self.component else ""
        return f"{format_path(self.path)}{owner}"


class Trace:
    """The reads of one run. The root of a component, or of a file's locals, says who read."""

    __slots__ = ("components", "files", "incomplete", "masked", "parts", "unknown")

    def __init__(self) -> None:
        self.parts: dict[str, set[Part]] = {}
        """The parts of manifests that were built, by the paths of the files: nothing else of them was looked at but
        the names of their sections and components."""
        self.files: dict[Place, set[str]] = {}
        """The files that are read from a root, besides manifests."""
        self.components: dict[Place, set[Place]] = {}
        """The roots of the components whose outputs or sections are read from a root."""
        self.incomplete = False
        """Whether something was read that plait cannot follow: by a command, or by a template that opens files."""
        self.unknown: list[UnknownValue] = []
        """The values that are not known here and were shown as `(computed)`."""
        self.masked: list[Label] = []
        """The secrets that were not looked up, shown as `<MASKED>`."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read but manifests, and nothing has to be reported."""
        return not any(getattr(self, name) for name in self.__slots__ if name != "parts")

    def opened(self, root: Place, path: str) -> None:
        self.files.setdefault(root, set()).add(path)

    def depends_on(self, root: Place, component: Place) -> None:
        self.components.setdefault(root, set()).add(component)


def not_known_here(values: list[UnknownValue]) -> list[Diagnostic]:
    """One warning for each reason for which values are not known, with the first of these values."""
    reasons: dict[str, list[UnknownValue]] = {}
    for found in values:
        reasons.setdefault(found.value.why, []).append(found)
    return [_warning(why, found) for why, found in reasons.items()]


def _warning(why: str, found: list[UnknownValue]) -> Diagnostic:
    first = found[0]
    label = Label(first.value.origin, first.where, len(first.value.expression))
    count = f"{len(found)} values are" if len(found) > 1 else "1 value is"
    reason = first.value.diagnostics[0]
    told = why.endswith(")") or reason.message.endswith(why)
    hint = "" if reason.code == DENIED.code else reason.hint
    return VALUES_UNKNOWN(label, count=count, why=why, notes=() if told else (reason.message,), hint=hint)
