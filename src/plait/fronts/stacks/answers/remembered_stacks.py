"""Questions about stacks, one after the other: the manifests of the last question serve the next one.

What is put together for one configuration is an answer like any other: it is made again where something changed that
was read for it, such as atmos.yaml. The manifests in it are answers of their own, each with what it read (see
`read/loader.py`), so that an edit of one leaves the others. Names of stacks and components are made of manifests, and
are found again by them. Values are computed for each question.
"""

from __future__ import annotations

import os

from plait.access.trace import GIT, VARIABLE
from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions, StackQuestions
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.config.finder import PREFIX
from plait.fronts.stacks.session.session import StackSession

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.project import Project

ANYWHERE = (VARIABLE, GIT)
"""Inputs that the name of a stack may be made of, whoever asked for its values first: they are inputs of the whole."""
UNCHANGING = {"a sensitive value", "a variable that may hold a secret"}
"""Reasons not to cache an answer on disk that do not matter here: they stay the same while the project is open."""


def questions(project: Project, folder: str, flags: ConfigFlags, options: StackOptions) -> StackQuestions:
    """A question about stacks, which reuses what an earlier question put together."""
    settings = sorted(project.door.environment_named(PREFIX).items()) if project.remembers else ()
    words = ("stacks", os.path.abspath(folder), repr(flags.words()), repr(options.words()), options.command)

    fresh: list[Assembly] = []

    def put_together() -> Assembly:
        fresh.append(Assembly(StackSession(project, folder, options), flags))
        return fresh[0]

    assembly = project.recall((*words, *settings), put_together, is_reusable, ANYWHERE)
    if not fresh:
        assembly.restart(options)
    return StackQuestions(project, folder, flags, options, assembly=assembly)


def is_reusable(assembly: Assembly) -> bool:
    """Whether names and components were made of nothing but manifests, the configuration and inputs of these kinds."""
    return assembly.is_plain and assembly.session.project.trace.unfollowed <= UNCHANGING
