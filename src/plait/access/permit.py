"""A permit: what one value of a file may do outside.

Only the door makes permits, after it has asked the guard. A command, a request, a client library, the environment and a
written file are reached through one: code that has no permit has no way to them.
"""

from __future__ import annotations

from plait.access.environment import variables
from plait.access.sinks import ENVIRONMENT
from plait.access.trouble import SIZE_LIMIT
from plait.core.diagnostic import NotKnown
from plait.core.source import MASK
from plait.report.catalog import NO_CLIENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from plait.access.git import GitAnswer
    from plait.access.guard import Guard
    from plait.core.diagnostic import Label
    from plait.core.node import Node


CLIENTS = {
    "redis": ("redis", "redis"),
    "boto3": ("boto3", "aws"),
    "google.auth": ("google-auth", "gcp"),
    "google.auth.transport.requests": ("google-auth[requests]", "gcp"),
    "azure.identity": ("azure-identity", "azure"),
    "botocore.config": ("boto3", "aws"),
}
"""Client libraries by the module we import: the package, and the extra of plait that brings it."""


class NotPermitted(RuntimeError):
    """Code of plait exceeds its permit: a bug, never a mistake of the user."""


class Permit:
    """One capability, or none (`""`): a permit for questions that need nothing."""

    __slots__ = ("_asker", "_capability", "_guard", "_label", "_read")

    def __init__(
        self, capability: str, guard: Guard | None = None, asker: Node | None = None, label: Label | None = None
    ) -> None:
        self._capability = capability
        self._guard = guard
        self._asker = asker
        self._label = label
        self._read = False

    @property
    def conceals(self) -> bool:
        """Whether what was read is masked where the values of this run go."""
        return self._read and self._guard is not None and self._guard.masks(ENVIRONMENT)

    def need(self, capability: str) -> None:
        """That this is what was permitted."""
        if capability != self._capability:
            raise NotPermitted(f"`{capability}` is needed, `{self._capability}` was permitted")

    def run(
        self,
        command: str | list[str],
        seconds: float,
        folder: str | None = None,
        environment: Mapping[str, str] | None = None,
        given: str | None = None,
    ) -> str:
        """What a command prints that reads `given`; a single text is run by the shell. Raises `CommandFailed`."""
        self.need("exec")
        from plait.access.commands import printed  # most runs start no command

        return printed(command, seconds, folder, environment, given)

    def get(self, url: str, headers: dict[str, str] | None = None, *, what: str = "", limit: int = SIZE_LIMIT) -> bytes:
        """The body of what a URL leads to."""
        self.need("network")
        from plait.access.http import get  # heavy, and most runs make no request

        return get(url, headers, what=what, limit=limit)

    def post(self, url: str, body: bytes, headers: dict[str, str], *, what: str = "") -> bytes:
        """What a server answers to a form or a document."""
        self.need("network")
        from plait.access.http import post

        return post(url, body, headers, what=what)

    def client(self, module: str, what: str) -> Any:
        """A client library, which connects by itself; an error says how to install one that is missing."""
        self.need("network")
        from importlib import import_module

        try:
            return import_module(module)
        except ImportError:
            from plait.report.installing import how_to_install

            package, extra = CLIENTS[module]
            raise NotKnown(NO_CLIENT(what=what, package=package, hint=how_to_install(extra))) from None

    def git(self, words: tuple[str, ...], folder: str, local: bool) -> GitAnswer:
        """What git answers in a repository of our own; one that fetches from this machine needs no network."""
        if not local:
            self.need("network")
        from plait.access.git import git_in_own

        return git_in_own(words, folder)

    def variables(self, for_program: bool = False) -> dict[str, str]:
        """The environment, without variables that may be credentials; masks, where these are shown as they are, unless
        it is for a program."""
        self.need("env")
        self._read = True
        found, guard = variables(), self._guard
        if self._is_replaced() and not for_program:
            return dict.fromkeys(found, MASK)
        return found if guard is None else {name: found[name] for name in found if not guard.withholds(name)}

    def variable(self, name: str) -> str | None:
        """A variable; None where it is not set. One that may be a credential must be allowed by its name."""
        self.need("env")
        found = variables().get(name)
        if found is not None and self._guard is not None and self._asker is not None:
            self._guard.check_variable(name, self._asker, self._label)
        self._read = found is not None
        return MASK if self._is_replaced() else found

    def _is_replaced(self) -> bool:
        """Whether a mask is given instead of a value: what is masked is shown in this run, and variables are not."""
        return self.conceals and self._guard is not None and self._guard.reveals

    def setting(self, name: str) -> str:
        """A variable that plait reads for itself, and whose value no file gets; empty where it is not set."""
        self.need("env")
        return variables().get(name, "")

    def write(self, name: str, text: str, encoding: str) -> None:
        """Write a file, wherever it is. Raises OSError."""
        self.need("write")
        with open(name, "w", encoding=encoding) as file:
            file.write(text)
