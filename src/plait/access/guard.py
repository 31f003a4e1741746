"""Capabilities: what a file of a repository may do beyond computing, and who granted it."""

from __future__ import annotations

from plait.access.committed import CommittedFiles
from plait.access.environment import is_guarded
from plait.access.sinks import ENVIRONMENT, TERMINAL, is_masked
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
TIME = "time"
CHANCE = {"random": "random values differ in every run", TIME: "the time differs in every run"}
"""What differs in every run, and why a value that needs it is not known where two runs are compared. The time needs no
capability."""
GRANTED = frozenset({"env", "random"})
"""Allowed unless denied. Everything else needs the user's consent; a repository cannot grant itself anything."""
HERMETIC = frozenset(CAPABILITIES) - {"random"}
"""What `--hermetic` denies, whatever is trusted."""


VARIABLE = "env:"
"""How the capability begins that lets files read one variable which may hold a credential: `env:NAME`."""


class LeftUndone(Exception):
    """A worker came to something that only the process which started it may do."""


class Guard:
    """Which capabilities are granted. A denied capability stays denied, whoever grants it.

    Flags and variables grant a capability to every file of a run; trust grants it to files of a folder, so `consent` is
    asked for the file that wants it. It answers None, or why not.
    """

    __slots__ = (
        "allowed",
        "apart",
        "committed",
        "comparing",
        "consent",
        "denied",
        "explicit",
        "hermetic",
        "reveals",
        "sink",
    )

    def __init__(
        self,
        allow: frozenset[str] = frozenset(),
        deny: frozenset[str] = frozenset(),
        hermetic: bool = False,
        sink: str = TERMINAL,
        reveals: bool = False,
    ) -> None:
        self.sink = sink
        """Where the values of this run go: see `access/sinks.py`."""
        self.reveals = reveals
        """Whether the user asked to see what is masked."""
        self.explicit = allow - deny
        """What the user allowed by name."""
        self.committed = CommittedFiles()
        """Which files the commits of this run have, where its values go into a report."""
        self.hermetic = hermetic
        self.denied = deny | HERMETIC if hermetic else deny
        self.allowed = (GRANTED | allow) - self.denied
        self.consent: Callable[[str, Source], str | None] | None = None
        self.comparing = False
        """Whether results of two runs are compared: what differs in every run is then not asked for."""
        self.apart = False
        """Whether this process is a worker: the outside is asked by the process that started it."""

    def masks(self, origin: str) -> bool:
        """Whether values from an origin are masked where those of this run go. Variables in a report stay masked unless
        the user also allowed them by name."""
        if not is_masked(self.sink, origin):
            return False
        return not self.reveals or (origin == ENVIRONMENT and "env" not in self.explicit)

    def permits(self, capability: str, source: Source) -> bool:
        """Whether a text may do something."""
        return self._refusal(capability, source) is None

    def check(self, capability: str, node: Node, label: Label | None = None) -> None:
        """That a value may do something."""
        if capability in self.allowed and not self.comparing:
            return
        hint = self._refusal(capability, node.origin.source)
        if hint is None:
            return
        written = node.expression.text if isinstance(node, Suspension) else ""
        label = label or Label(node.origin, length=len(written.splitlines()[0]) if written else 0)
        denied = Denied(DENIED(label, what=meaning(capability), hint=hint))
        denied.why = self.why_not(capability, hint)
        raise denied

    def why_not(self, capability: str, hint: str = "") -> str:
        """The reason for which values that need a capability are not known; how to allow it, unless a hint says it."""
        if self.comparing and capability in CHANCE:
            return CHANCE[capability]
        what = NOT_ALLOWED.get(capability) or f"it may not {meaning(capability)}"
        if hint not in ("", self.how_to_allow(capability)):
            return what
        if capability in self.denied:
            return f"{what} ({'--hermetic' if self.hermetic else f'--deny {capability}'})"
        return f"{what} (--allow {capability})"

    def withholds(self, name: str) -> bool:
        """Whether a variable is not for files, by its name alone; a trusted file may be allowed to read it."""
        if not is_guarded(name) or f"{VARIABLE}{name}" in self.allowed:
            return False
        return "env" not in self.explicit or self.hermetic or is_masked(self.sink, ENVIRONMENT)

    def check_variable(self, name: str, node: Node, label: Label | None = None) -> None:
        """That a value may read a variable which is set."""
        if self.withholds(name):
            self.check(f"{VARIABLE}{name}", node, label)

    def _refusal(self, capability: str, source: Source) -> str | None:
        if self.comparing and capability in CHANCE:
            return "it is compared by its expression"
        if capability in self.allowed or capability == TIME:
            return None
        if capability.partition(":")[0] in self.denied or self.consent is None:
            return self.how_to_allow(capability)
        why = self.consent(capability, source)
        return None if why is None else why or self.how_to_allow(capability)

    def how_to_allow(self, capability: str) -> str:
        """What the user can do about a refusal."""
        if capability.partition(":")[0] in self.denied:
            return "`--hermetic` forbids it" if self.hermetic else f"`--deny {capability}` forbids it"
        more = "" if capability == "exec" else f" --allow {capability}"
        return f"allow it once:      --allow {capability}\ntrust this folder:  plait trust{more}"


def meaning(capability: str) -> str:
    """What a capability lets a file do."""
    name = capability.removeprefix(VARIABLE)
    if name != capability:
        return f"read `{name}` from the environment, which may be a credential"
    return CAPABILITIES.get(capability) or "read the clock"
