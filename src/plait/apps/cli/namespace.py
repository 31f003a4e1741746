"""What a command is given: the values of its arguments and options, and what one run of it holds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plait.access.process import Timer
    from plait.access.trace import AccessTrace
    from plait.apps.cli.console import Console
    from plait.distributed.remote import RemoteWorkers
    from plait.fronts.front import Target
    from plait.keeping.notes import RunNotes
    from plait.workspace import Workspace


class Placed(str):
    """A word that an option gave, among those that are given without one."""

    __slots__ = ()


class Operands:
    """What the words for layers and the option `--target` of a command mean: a target, or files that are merged."""

    __slots__ = ("layers", "profile", "target")

    def __init__(self, layers: list[str], target: Target | None = None, profile: str | None = None) -> None:
        self.layers = layers
        """The files, lowest first; none where `target` is set."""
        self.target = target
        """The target, unless it is one whose files are merged as the options of the command say."""
        self.profile = profile
        """The merge profile that the names of the files indicate, empty for none; None until that was looked at."""


class CommandRun:
    """What one run of a command holds while it runs. The words of the command line are in the `Namespace`."""

    confine: Callable[[], None]

    def __init__(self, console: Console | None = None) -> None:
        self.console = console
        self.is_own_process = False
        """Whether the process ends with this command, so that the kernel may limit it."""
        self.publishes = False
        """Whether what the command makes is to be published: values of the environment are masked."""
        self.timer: Timer | None = None
        self.workspace: Workspace | None = None
        self.operands = Operands([])
        self.elsewhere: RemoteWorkers | None = None
        self.notes: RunNotes | None = None
        """What is taken from the last run and left for the next one; None where the answer is not cached."""
        self.replayed: AccessTrace | None = None
        """What the cached answer that was printed depends on; None where none was printed."""

    @property
    def open_workspace(self) -> Workspace:
        """The workspace, in a command that has opened it."""
        assert self.workspace is not None
        return self.workspace

    def stop_timer(self) -> None:
        """Let the run go on for any time: each of its questions has limits of its own."""
        if self.timer is not None:
            self.timer.stop()
        self.timer = None


class Namespace:
    """The values of a command's arguments and options, as attributes. They do not change while the command runs; what
    the run makes of them is in `run`."""

    __slots__ = ("__dict__", "run")

    run: CommandRun

    def __init__(self, values: dict[str, Any], run: CommandRun | None = None) -> None:
        self.__dict__.update(values)
        object.__setattr__(self, "run", run or CommandRun())

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the words of a command line do not change: `{name}` is set to {value!r}")

    def replaced(self, **values: object) -> Namespace:
        """Return a copy with other values for some names, in the same run."""
        return Namespace({**self.__dict__, **values}, self.run)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
