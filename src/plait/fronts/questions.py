"""What only one front is asked: the questions of its own commands.

Targets of every kind are asked by the protocol of `front.py`. A front with commands of its own (`plait spiff`, `plait
create`, `plait describe`, `plait expand`) has one object that answers them, and this is the only place that knows
which. Each is loaded when its command is run.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.evaluate.explain import Leaf
    from plait.evaluate.hops import Hop
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
    "beside_a_record",
    "directives",
    "generating",
    "merge_files",
    "merge_texts",
    "patterns",
    "spiff",
    "stacks",
    "write_merged",
]


def stacks(
    project: Project, folder: str, flags: dict[str, object] | None, options: dict[str, object] | None
) -> StackQuestions:
    """The stack manifests of a repository that has an atmos.yaml. `flags` and `options` are words of `ConfigFlags` and
    `StackOptions`."""
    from plait.fronts.stacks.answers.questions import ConfigFlags, StackOptions
    from plait.fronts.stacks.answers.remembered_stacks import questions

    return questions(project, folder, ConfigFlags(**(flags or {})), StackOptions(**(options or {})))  # type: ignore[arg-type]


def spiff(project: Project) -> SpiffQuestions:
    """Templates and stubs."""
    from plait.fronts.spiff.interface import SpiffQuestions

    return SpiffQuestions(project)


def patterns(project: Project) -> Patterns:
    """Patterns, and generating again."""
    from plait.fronts.patterns.interface import Patterns

    return Patterns(project)


def merge_texts(base: str, ours: str, theirs: str) -> Merged3:
    """Merge three versions of a YAML text."""
    from plait.fronts.patterns.merge3 import merge_texts

    return merge_texts(base, ours, theirs)


def merge_files(project: Project, base: str, ours: str, theirs: str) -> Merged3:
    """Merge three versions of a YAML file."""
    from plait.fronts.patterns.merge3 import merge_files

    return merge_files(project, base, ours, theirs)


def write_merged(project: Project, text: str, ours: str, output: str) -> None:
    """Write a merged text into a file, in the encoding that our side has."""
    from plait.fronts.patterns.merge3 import write_merged

    write_merged(project, text, ours, output)


def beside_a_record(project: Project, file: str) -> bool:
    """Whether the folder of a file has a record of `plait create`, so that the file may be generated."""
    return project.door.is_file(os.path.join(os.path.dirname(file), ".plait-meta.yaml"))


def generating(project: Project, leaf: Leaf, file: str) -> list[Hop]:
    """The line of the pattern that a value of a generated file came from; nothing for any other value."""
    if not beside_a_record(project, file):
        return []
    hop = patterns(project).line_of(leaf.path, leaf.winner.node.origin, file)
    return [hop] if hop is not None else []


def directives(project: Project) -> Directives:
    """Documents with directives, and questions to them."""
    from plait.fronts.unfurl.documents import Directives

    return Directives(project)
