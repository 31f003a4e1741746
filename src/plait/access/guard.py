"""Capabilities: what a file of a repository may do beyond computing, and who granted it."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Node, Suspension
from plait.core.scope import Denied
from plait.core.source import Source
from plait.report.catalog import DENIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CAPABILITIES = {
    "exec": "run a command",
    "network": "use the network",
    "files": "read a file outside the project",
    "write": "write a file",
    "python": "run Python code",
    "env": "read the environment",
    "random": "make random values",
}
NOT_ALLOWED = {
    "exec": "running commands is not allowed",
    "network": "network is not allowed",
    "files": "reading files outside the project is not allowed",
    "write": "writing files is not allowed",
    "python": "running Python code is not allowed",
    "env": "reading the environment is not allowed",
    "random": "random values are not allowed",
}
"""Why a value is not known where the capability is not granted."""
GRANTED = frozenset({"env", "random"})
"""Allowed unless denied. Everything else needs the user's consent; a repository cannot grant itself anything."""
HERMETIC = frozenset(CAPABILITIES) - {"random"}
"""What `--hermetic` denies, whatever is trusted."""


class LeftUndone(Exception):
    """A worker came to something that only the process which started it may do."""


class Guard:
    """Which capabilities are granted. A denied capability stays denied, whoever grants it.

    Flags and variables grant a capability to every file of a run; trust grants it to files of a folder, so `consent` is
    asked for the file that wants it. It answers None, or why not.
    """

    __slots__ = ("allowed", "apart", "consent", "denied", "hermetic")

    def __init__(
        self, allow: frozenset[str] = frozenset(), deny: frozenset[str] = frozenset(), hermetic: bool = False
    ) -> None:
        self.hermetic = hermetic
        self.denied = deny | HERMETIC if hermetic else deny
        self.allowed = (GRANTED | allow) - self.denied
        self.consent: Callable[[str, Source], str | None] | None = None
        self.apart = False
        """Whether this process is a worker: the outside is asked by the process that started it."""

    def permits(self, capability: str, source: Source) -> bool:
        """Whether a text may do something."""
        return self._refusal(capability, source) is None

    def check(self, capability: str, node: Node, label: Label | None = None) -> None:
        """That a value may do something."""
        hint = self._refusal(capability, node.origin.source)
        if hint is None:
            return
        written = node.expression.text if isinstance(node, Suspension) else ""
        label = label or Label(node.origin, length=len(written.splitlines()[0]) if written else 0)
        denied = Denied(DENIED(label, what=CAPABILITIES[capability], hint=hint))
        denied.why = self.why_not(capability)
        raise denied

    def why_not(self, capability: str) -> str:
        """The reason for which values that need a capability are not known."""
        if capability in self.denied:
            return f"{NOT_ALLOWED[capability]} ({'--hermetic' if self.hermetic else f'--deny {capability}'})"
        return f"{NOT_ALLOWED[capability]} (--allow {capability})"

    def _refusal(self, capability: str, source: Source) -> str | None:
        if capability in self.allowed:
            return None
        if capability in self.denied or self.consent is None:
            return self.how_to_allow(capability)
        why = self.consent(capability, source)
        return None if why is None else why or self.how_to_allow(capability)

    def how_to_allow(self, capability: str) -> str:
        """What the user can do about a refusal."""
        if capability in self.denied:
            return "`--hermetic` forbids it" if self.hermetic else f"`--deny {capability}` forbids it"
        more = "" if capability == "exec" else f" --allow {capability}"
        return f"allow it once:      --allow {capability}\ntrust this folder:  plait trust{more}"
