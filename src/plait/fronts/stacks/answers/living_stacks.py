"""Manifests and stack names that a long-running project reuses from one question to the next.

Only data that depends on manifests and the configuration alone is reused. Values are not: each question computes the
values it needs. If anything else was read (another file, another component, a secret, a command), nothing is reused.
"""

from __future__ import annotations

import os

from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions, StackQuestions
from plait.fronts.stacks.answers.used_parts import avoids_secrets, parts_read
from plait.fronts.stacks.config.finder import PREFIX
from plait.keeping.notes import PARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from plait.fronts.project import Project
    from plait.fronts.stacks.assemble.assembly import Assembly


class LivingStacks:
    """The manifests of one configuration."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly

    def forget(self, names: Collection[str]) -> bool:
        """Forget everything made from some files whose texts changed. Returns False if one of them is not only a
        manifest, or anything other than manifests was read."""
        assembly = self.assembly
        is_manifest = assembly.index.manifests.loader.has_read(names) and assembly.config.files.isdisjoint(names)
        if not assembly.is_plain or not is_manifest:
            return False
        assembly.forget(names)
        return True

    def left(self) -> dict[str, object]:
        """The data that is cached on disk with the answer; none where other processes read manifests, too."""
        return {PARTS: parts_read(self.assembly)} if not self.assembly.session.project.trace.is_shared else {}

    def avoids_secrets(self, path: str) -> bool:
        """Whether no question read a value that is marked as sensitive in a file."""
        return not self.assembly.session.project.trace.is_shared and avoids_secrets(self.assembly, path)

    def is_usable(self) -> bool:
        """Whether a new question would find the same manifests and names."""
        project = self.assembly.session.project
        trace = project.trace
        variables = project.door.environment_named(PREFIX)
        unchanged = variables == self.assembly.finder.environment and not any(trace.changed_variables())
        return unchanged and self.assembly.is_plain and trace.unfollowed <= KNOWN


KNOWN = {"a sensitive value", "a variable that may hold a secret"}
"""Reasons not to cache an answer on disk that do not matter here: they stay the same while the project is open."""


def questions(project: Project, folder: str, flags: ConfigFlags, options: StackOptions) -> StackQuestions:
    """A question about stacks, which reuses the data of an earlier question that is still valid."""
    key = ("stacks", os.path.abspath(folder), repr(flags.words()), repr(options.words()), options.command)
    held = project.held.get(key)
    if isinstance(held, LivingStacks) and held.is_usable():
        held.assembly.restart(options)
        return StackQuestions(project, folder, flags, options, assembly=held.assembly)
    made = StackQuestions(project, folder, flags, options)
    project.held[key] = LivingStacks(made.assembly)
    return made
