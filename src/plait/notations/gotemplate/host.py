"""What a template may request from outside: the time, the environment, host names, random values.

Every such request goes through a `Host`, so that a front can allow, refuse or record it. The host of the public module
allows the environment and random values, and refuses the network.
"""

from __future__ import annotations

from plait.core.node import Scalar, text
from plait.notations.gotemplate.errors import CallError, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from plait.core.meter import Meter
    from plait.core.scope import Permit, Scope

ALLOWED = frozenset(("env", "random"))


class Host:
    """The process we run in. `allow` are the names of the capabilities that are granted."""

    def __init__(self, allow: Container[str] = ALLOWED) -> None:
        self._allow = allow
        self.meter: Meter | None = None
        """The meter of the run that templates are rendered for, where they are part of one."""

    def need(self, capability: str, what: str) -> None:
        """Raise unless a capability is granted."""
        if capability not in self._allow:
            raise Refused(capability, what)

    def env(self, name: str) -> str:
        """A variable of the environment; empty if it is not set."""
        self.need("env", "reading the environment")
        import os

        return os.environ.get(name, "")

    def random_bytes(self, count: int) -> bytes:
        self.need("random", "a random value")
        import os

        return os.urandom(count)

    def random_below(self, bound: int) -> int:
        """A random integer from 0 up to, not including, a bound."""
        self.need("random", "a random value")
        import secrets

        return secrets.randbelow(bound)

    def addresses_of(self, name: str) -> list[str]:
        """The addresses of a host name, each once; none if there is no such host."""
        self.need("network", "looking up a host name")
        import socket

        try:
            found = socket.getaddrinfo(name, None)
        except (OSError, UnicodeError):
            return []
        return list(dict.fromkeys(str(one[4][0]) for one in found))

    def address_of(self, name: str) -> str:
        """The address of a host name; empty if there is none."""
        return next(iter(self.addresses_of(name)), "")

    def now(self) -> float:
        """Seconds since 1970."""
        import time

        return time.time()

    def zone(self) -> str:
        """The name of the local time zone; empty for the system's own."""
        import os

        return os.environ.get("TZ", "")

    def has_file(self, path: str) -> bool:
        """Whether there is a file that may be read."""
        self.need("files", "looking for a file")
        import os

        return os.path.isfile(path)

    def read_file(self, path: str) -> str:
        self.need("files", "reading a file")
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def query(self, expression: str, data: object) -> object:
        """What an expression of another language finds in plain data; a front that has such a language answers."""
        raise CallError("there is no language for queries here")


class FixedHost(Host):
    """A host on which chance and the clock always say the same: what two of them give differs where a template asked
    for either."""

    def __init__(self, allow: Container[str], high: bool) -> None:
        super().__init__(allow)
        self._high = high
        self.asked = False
        """Whether a template asked."""

    def need(self, capability: str, what: str) -> None:
        self.asked = self.asked or capability == "random"
        super().need(capability, what)

    def random_bytes(self, count: int) -> bytes:
        self.need("random", "a random value")
        return (b"\xa5" if self._high else b"\x5a") * count

    def random_below(self, bound: int) -> int:
        self.need("random", "a random value")
        return bound - 1 if self._high else 0

    def now(self) -> float:
        self.asked = True
        return 2_111_111_111.0 if self._high else 1_000_000_000.0


class ScopeHost(Host):
    """The host of a template in a document: every request is a call that the evaluator allows, counts and remembers."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.meter = scope.meter
        self._scope = scope
        self._calls = 0

    def need(self, capability: str, what: str) -> None:
        self._scope.call(capability, ("gotemplate", capability, what), lambda _: text(""))

    def _remembered(self, key: tuple[object, ...], capability: str, value: Callable[[Permit], str]) -> str:
        """The same request gives the same answer when the template is started again."""
        found = self._scope.call(capability, key, lambda permit: text(value(permit)))
        assert isinstance(found, Scalar)
        return found.text

    def env(self, name: str) -> str:
        return self._remembered(("env", name, "", "template"), "env", lambda permit: permit.variable(name) or "")

    def _once(self) -> tuple[object, ...]:
        self._calls += 1
        return ("gotemplate", id(self._scope.node), self._scope.place, self._calls)

    def random_bytes(self, count: int) -> bytes:
        made = super().random_bytes
        return bytes.fromhex(self._remembered(self._once(), "random", lambda _: made(count).hex()))

    def random_below(self, bound: int) -> int:
        made = super().random_below
        return int(self._remembered(self._once(), "random", lambda _: str(made(bound))))

    def addresses_of(self, name: str) -> list[str]:
        made = super().addresses_of
        return self._remembered(("host", name), "network", lambda _: " ".join(made(name))).split()

    def now(self) -> float:
        made = super().now
        return float(self._remembered(("gotemplate", "now"), "time", lambda _: repr(made())))

    def zone(self) -> str:
        made = super().zone
        return self._remembered(("gotemplate", "zone"), "", lambda _: made())
