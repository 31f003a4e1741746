"""What only one front is asked: the questions of its own commands.

Targets of every kind are asked by the protocol of `front.py`. A front with commands of its own (`plait spiff`, `plait
create`, `plait describe`, `plait expand`) has one object that answers them, and this is the only place that knows
which. Each is loaded when its command is run.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.patterns.inputs import Input
    from plait.fronts.patterns.interface import Patterns
    from plait.fronts.patterns.many import PlannedAgain
    from plait.fronts.patterns.merge3 import Merged3
    from plait.fronts.patterns.pattern import Pattern
    from plait.fronts.patterns.regenerate import Planned
    from plait.fronts.project import Project
    from plait.fronts.spiff.diff import ManifestDifference
    from plait.fronts.spiff.interface import SpiffQuestions
    from plait.fronts.stacks.answers.places import Site
    from plait.fronts.stacks.answers.questions import Asked, Shape, StackQuestions
    from plait.fronts.unfurl.documents import Directives
    from plait.fronts.unfurl.working import Working

__all__ = [
    "Asked",
    "Directives",
    "Input",
    "ManifestDifference",
    "Merged3",
    "Pattern",
    "Patterns",
    "Planned",
    "PlannedAgain",
    "Shape",
    "Site",
    "SpiffQuestions",
    "StackQuestions",
    "Working",
    "directives",
    "patterns",
    "spiff",
    "stacks",
]


def stacks(
    project: Project, folder: str, flags: dict[str, object] | None, options: dict[str, object] | None
) -> StackQuestions:
    """The stack manifests of a repository that has an atmos.yaml. `flags` and `options` are words of `ConfigFlags` and
    `StackOptions`."""
    from plait.fronts.stacks.answers.held import questions
    from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions

    return questions(project, folder, ConfigFlags(**(flags or {})), StackOptions(**(options or {})))  # type: ignore[arg-type]


def spiff(project: Project) -> SpiffQuestions:
    """Templates and stubs."""
    from plait.fronts.spiff.interface import SpiffQuestions

    return SpiffQuestions(project)


def patterns(project: Project) -> Patterns:
    """Patterns, and generating again."""
    from plait.fronts.patterns.interface import Patterns

    return Patterns(project)


def directives(project: Project) -> Directives:
    """Documents with directives, and questions to them."""
    from plait.fronts.unfurl.documents import Directives

    return Directives(project)
