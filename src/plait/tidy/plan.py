"""A plan: proposals that somebody looks at, and applies later to the same files.

A plan has no edits of its own. It names proposals, the words that they were looked for with, the targets, and a digest
of every file that these read. To apply it, proposals are looked for again in files that must be the same; those that
the plan names are proved and written. So a plan from somebody else can do nothing that `plait tidy` does not propose,
and lines can be taken out of it.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256

from plait.core.diagnostic import Fault
from plait.fronts.catalog import world_of
from plait.report.catalog import NOT_A_PLAN, NOT_PROPOSED, STALE_PLAN
from plait.report.data import json_text
from plait.review.compared import comparing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from plait.fronts.front import World
    from plait.fronts.project import Project
    from plait.tidy.proposal import Proposal

FORMAT = 1
SETTINGS = "plait.yaml"
NAMES = ("kind", "file", "line", "path")
"""What a change of a plan is found again by."""
WORDS: dict[str, tuple[type, ...]] = {
    "path": (list,),
    "only": (list,),
    "rename": (list, type(None)),
    "move": (str, type(None)),
    "to": (str, type(None)),
    "share": (int, type(None)),
}
"""The words of a command line that decide what is proposed."""


class TidyPlan:
    """What a plan file says."""

    __slots__ = ("asked", "changes", "files", "name", "targets")

    def __init__(
        self, asked: dict[str, object], targets: list[str], files: dict[str, str], changes: list[dict[str, object]]
    ) -> None:
        self.name = ""
        """Where it was read from."""
        self.asked = asked
        """The words that the changes were looked for with."""
        self.targets = targets
        self.files = files
        """A digest of each file that they read, by its path from the root."""
        self.changes = changes

    def text(self) -> str:
        """The content of a plan file."""
        data = {
            "tidy plan": FORMAT,
            "asked": self.asked,
            "changes": self.changes,
            "targets": self.targets,
            "files": self.files,
        }
        return json_text(data)

    def check(self, world: World) -> None:
        """Refuse the plan where it was made for other files or targets."""
        wrong = list(self._differences(world))
        if wrong:
            raise STALE_PLAN.error(
                name=self.name, notes=tuple(wrong[:20]), hint="make another one: plait tidy --plan FILE"
            )

    def _differences(self, world: World) -> Iterator[str]:
        now = digests(world)
        for name, digest in self.files.items():
            if name not in now:
                yield f"`{name}` is not read any more"
            elif now[name] != digest:
                yield f"`{name}` has other content" if now[name] else f"`{name}` cannot be read"
        yield from (f"`{name}` is read now" for name in now if name not in self.files)
        targets = world.targets.names()
        yield from (f"target `{name}` is gone" for name in self.targets if name not in targets)
        yield from (f"target `{name}` is new" for name in targets if name not in self.targets)

    def chosen(self, proposals: list[Proposal]) -> list[Proposal]:
        """The proposals that the plan names; an error where one of them is not proposed."""
        known = {tuple(named(one)[name] for name in NAMES): one for one in proposals}
        keys = [tuple(change.get(name) for name in NAMES) for change in self.changes]
        missing = [key for key in keys if key not in known]
        if missing:
            notes = tuple(f"{key[1]}:{key[2]} {key[3]} ({key[0]})" for key in missing[:20])
            raise NOT_PROPOSED.error(name=self.name, notes=notes, hint="take them out of the plan, or make another one")
        return [known[key] for key in keys]


class TidyPlans:
    """The plan files of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def read(self, name: str) -> TidyPlan:
        """A plan that was saved, if the files that it was made for are still the same."""
        self._project.admit(name)
        plan = read_plan(name, self._project.door.read(name, self._project.budgets.size))
        with comparing(self._project):
            plan.check(world_of(self._project))
        return plan

    def save(self, name: str, asked: dict[str, object], changes: list[dict[str, object]]) -> None:
        """Save what somebody asked for and what was proved, for these files."""
        with comparing(self._project):
            world = world_of(self._project)
            plan = TidyPlan(asked, world.targets.names(), digests(world), changes)
        self._project.writer().write({name: plan.text().encode()})


def named(one: Proposal) -> dict[str, object]:
    """What a proposal is found again by."""
    return {"kind": one.kind, "file": one.file.name, "line": one.line, "path": one.path}


def digests(world: World) -> dict[str, str]:
    """A digest of every file that targets read, by its path from the root; empty for one that cannot be read."""
    names = {name for target in world.targets for name in target.read}
    if world.project.door.is_file(os.path.join(world.tree, SETTINGS)):
        names.add(SETTINGS)
    return {name: _digest(world, name) for name in sorted(names)}


def _digest(world: World, name: str) -> str:
    try:
        data = world.project.door.read(os.path.join(world.tree, name), world.project.budgets.size)
    except Fault:
        return ""
    return sha256(data).hexdigest()


def read_plan(name: str, data: bytes) -> TidyPlan:
    """The plan in the bytes of a file."""
    try:
        found = json.loads(data)
    except ValueError:
        raise _wrong(name, "it is not JSON") from None
    if not isinstance(found, dict) or found.get("tidy plan") != FORMAT:
        raise _wrong(name, f"it does not begin with `tidy plan: {FORMAT}`")
    made = TidyPlan(*(found.get(part) for part in ("asked", "targets", "files", "changes")))  # type: ignore[arg-type]
    made.name = name
    shapes = {"asked": dict, "targets": list, "files": dict, "changes": list}
    for part, shape in shapes.items():
        if not isinstance(getattr(made, part), shape):
            raise _wrong(name, f"`{part}` is missing")
    for word, value in made.asked.items():
        if word not in WORDS or not isinstance(value, WORDS[word]):
            raise _wrong(name, f"`asked.{word}` is not known")
        if isinstance(value, list) and not _are_texts(value):
            raise _wrong(name, f"`asked.{word}` is not a list of words")
    if not all(isinstance(change, dict) for change in made.changes):
        raise _wrong(name, "a change is not a mapping")
    return made


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _wrong(name: str, why: str) -> Fault:
    return NOT_A_PLAN.error(name=name, why=why, hint="plait tidy --plan FILE writes one")
