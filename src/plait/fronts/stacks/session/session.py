"""What one question has: the project, an evaluator, options, the secrets that became plain data, and a trace of what
was read."""

from __future__ import annotations

import os

from plait.core.diagnostic import Fault
from plait.core.find import step_into, word
from plait.core.node import Failure, Inherited, Node, Unknown, plain_value
from plait.core.scope import Blocked
from plait.core.unknown import failed_values, fault_of, presented
from plait.evaluate.engine import Evaluator
from plait.fronts.project import Project
from plait.fronts.stacks.session.secrets import Revealed
from plait.fronts.stacks.session.trace import Trace
from plait.report.unknown import FailedValue, UnknownValue, wrong_here
from plait.yaml.outline import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from plait.core.path import Path
    from plait.core.scope import Place
    from plait.core.source import Source
    from plait.yaml.program import Program

    T = TypeVar("T")

ERROR_MODES = ("strict", "warn", "silent")
ASKED_AGAIN = 100
"""Steps for asking a question once more, which repeats all of its work."""


class StackOptions:
    """Options: what to evaluate, and what to do with values that do not exist yet."""

    __slots__ = ("command", "error_mode", "functions", "listing", "section", "skip", "strict", "templates")

    def __init__(
        self,
        templates: bool = True,
        functions: bool = True,
        skip: Iterable[str] = (),
        error_mode: str = "",
        strict: bool = False,
        command: Iterable[str] = (),
    ) -> None:
        self.command = tuple(command)
        """The words of the command that asks; none in a program."""
        self.listing = False
        """Whether the answer is about many components, so that one that cannot be reached does not stop it."""
        self.templates = templates
        self.functions = functions
        self.skip = frozenset(name.lstrip("!") for name in skip)
        self.error_mode = error_mode
        self.strict = strict
        """Whether any broken manifest is an error, even if the question does not need it."""
        self.section = "describe"
        """The section of the configuration that has the default error mode."""

    def words(self) -> dict[str, object]:
        """The arguments that make the same options, as plain data."""
        return {
            "templates": self.templates,
            "functions": self.functions,
            "skip": sorted(self.skip),
            "error_mode": self.error_mode,
            "strict": self.strict,
            "command": list(self.command),
        }


class StackSession:
    """The context that all floors above use. It depends on none of them."""

    def __init__(self, project: Project, folder: str = ".", options: StackOptions | None = None) -> None:
        self.project = project
        self.folder = os.path.abspath(folder)
        self._inside = self.folder.rstrip("/") + "/"
        if not project.door.is_folder(self.folder):
            raise project.door.missing(folder)
        self.options = options or StackOptions()
        self.evaluator = Evaluator(project.door, project.meter, {}, project.counters)
        self.evaluator.watch = project.progress
        self.memory = project.part()
        """What is read of manifests, for this question or as long as nothing changes."""
        self.secrets = Revealed()
        self.trace = Trace()
        self.addresses: dict[str, str] = {}
        """The names in reports of files that were fetched, by path."""
        self.git_folder = ""
        """Where facts about the repository are read, if not around the file that asks."""

    # Files

    def shown(self, path: str) -> str:
        """A path as reports show it: from the folder the command runs in, where that is shorter."""
        if path in self.addresses:
            return self.addresses[path]
        if path.startswith(self._inside):
            return path[len(self._inside) :]
        near = os.path.relpath(path, self.folder)
        return near if not near.startswith("..") else path

    def documents(self, source: Source) -> list[Program]:
        """The documents of a text, each whole."""
        return [whole(part) for part in self.project.in_parts(source)]

    # Values. Code that assembles stacks may be called from inside an evaluation: nothing here starts a run but
    # `answer`

    def known(self, node: Node, place: Place) -> Node:
        """A node that decides how something is put together; `Blocked` while it is not known."""
        found = self.evaluator.known(node, place)
        if isinstance(found, Failure):
            raise fault_of([found])
        return found

    def finished(self, node: Node, place: Place) -> Node:
        """A node with everything below it known, or `Blocked`; all errors at once."""
        made, failures = self.evaluator.finished(node, place)
        if failures:
            raise fault_of(failures)
        return made

    def plain(self, node: Node, place: Place) -> object:
        """A node as plain data, or `Blocked`."""
        made = self.finished(node, place)
        self.secrets.add(made)
        return plain_value(made, reveal=True)

    def answer(self, question: Callable[[], T]) -> T:
        """The answer to a question from outside any evaluation: computes the values that it waits for, then asks it
        again."""
        while True:
            try:
                return question()
            except Blocked as blocked:
                self.evaluator.meter.step(ASKED_AGAIN)
                self.evaluator.run(blocked.wanted)
            except Inherited as inherited:
                raise fault_of([inherited.failure]) from None

    def complete(self, node: Node, place: Place, keep: bool = False) -> Node:
        """A node with everything below it known, from outside any evaluation, as it is shown. With `keep`, values that
        could not be computed stay what they are."""
        made, failures = self.evaluator.finish(node, place)
        return around(self, made, place, keep) if failures else made


def around(session: StackSession, made: Node, place: Place, keep: bool = False) -> Node:
    """A finished node in which some values could not be computed. They are noted: those that are not known here, and
    those with mistakes in the files, which are raised where one component is asked for strictly. With `keep` they stay
    in their places."""
    root = place.root.node
    stack, component = (word(root, name) for name in ("atmos_stack", "atmos_component"))
    owner = f" of `{component}` in `{stack}`" if component else ""
    wrong: list[FailedValue] = []
    for path, value in failed_values(made):
        at = (*place.path, *path)
        if isinstance(value, Unknown):
            session.trace.unknown.append(UnknownValue(at, value, owner))
        elif not keep:
            wrong.append(FailedValue(at, value, owner, _written(root, at)))
    strict = session.evaluator.strict
    if wrong and not session.options.listing and strict is not None and strict():
        raise Fault(*wrong_here(wrong))
    session.trace.wrong += wrong
    return made if keep else presented(made)


def _written(root: Node | None, path: Path) -> Node | None:
    """What is written at a path of a component, as far as the maps and lists above it are known."""
    for step in path:
        root = step_into(root, step) if root is not None else None
    return root
