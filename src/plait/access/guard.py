"""Capabilities: what a file of a repository may do beyond computing, and who granted it."""

from __future__ import annotations

from plait.core.diagnostic import Label
from plait.core.node import Node
from plait.core.scope import Denied
from plait.report.catalog import DENIED

CAPABILITIES = {
    "exec": "run a command",
    "network": "use the network",
    "files": "read a file outside the project",
    "write": "write a file",
    "python": "run Python code",
    "env": "read the environment",
    "random": "make random values",
}
GRANTED = frozenset({"env", "random"})
"""Allowed unless denied. Everything else needs the user's consent; a repository cannot grant itself anything."""


class Guard:
    """Which capabilities are granted. What is denied stays denied, whoever grants it."""

    __slots__ = ("allowed", "denied")

    def __init__(self, allow: frozenset[str] = frozenset(), deny: frozenset[str] = frozenset()) -> None:
        self.allowed = (GRANTED | allow) - deny
        self.denied = deny

    def check(self, capability: str, node: Node) -> None:
        if capability in self.allowed:
            return
        written = getattr(getattr(node, "expression", None), "text", "")
        label = Label.of(node, length=len(written.splitlines()[0]) if written else 0)
        raise Denied(DENIED(label, what=CAPABILITIES[capability], hint=self.how_to_allow(capability)))

    def how_to_allow(self, capability: str) -> str:
        """What the user can do about a refusal."""
        if capability in self.denied:
            return f"`--deny {capability}` forbids it"
        more = "" if capability == "exec" else f" --allow {capability}"
        return f"allow it once:      --allow {capability}\ntrust this folder:  plait trust{more}"
