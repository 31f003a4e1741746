"""Copies of remote files and folders, and commands: what the configuration may ask for before anything is known of
the stacks."""

from __future__ import annotations

from plait.core.scope import CommandFailed
from plait.fronts.stacks.ask.question import Question
from plait.report.catalog import COMMAND_FAILED
from plait.services.remote import Remote, RemoteAddress, seconds_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.access.door import Door
    from plait.core.diagnostic import Diagnostic
    from plait.core.scope import Permit

FETCH_SECONDS = 120
COMMAND_SECONDS = 60.0


class Sources:
    """The copies of remote sources in one run."""

    __slots__ = ("_door", "_limit", "_remote", "usual_ttl")

    def __init__(self, limit: int, door: Door) -> None:
        self._limit = limit
        self._door = door
        self._remote: Remote | None = None
        self.usual_ttl: Callable[[], str] = str
        """How long a copy is good, where the import does not say: `imports.ttl` of the configuration, once that is
        read."""

    def copy(self, address: str, ttl: str = "", secrets: Iterable[str] = ()) -> Question:
        """The path of a copy of a remote file or folder. `secrets` are those that its address was made of."""
        found = RemoteAddress(address, frozenset(secrets))
        wanted = ttl or self.usual_ttl()
        question = Question(
            found.capability,
            ("fetch", *found.source),
            lambda permit: self._opened().copy(found, permit, seconds_of(wanted) if wanted else None).path,
            found.what,
            seconds=FETCH_SECONDS,
        )
        if found.capability == "files":
            question.capability, question.path = "", found.local
        return question

    def _opened(self) -> Remote:
        if self._remote is None:
            self._remote = Remote(limit=self._limit, door=self._door)
        return self._remote

    def warnings(self) -> list[Diagnostic]:
        """The sources that could not be reached, so that an older copy was used."""
        return self._remote.warnings if self._remote is not None else []


def command_output(command: str, folder: str, permit: Permit) -> str:
    """The output of a shell command, without the line ends after it."""
    try:
        return permit.run(command, COMMAND_SECONDS, folder).rstrip("\n")
    except CommandFailed as failed:
        raise COMMAND_FAILED.error(why=failed.why, notes=tuple(failed.stderr.splitlines()[-1:])) from None
