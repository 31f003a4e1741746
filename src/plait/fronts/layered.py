"""Targets that are made of layers, and files that are taken as they are."""

from __future__ import annotations

import os
from contextlib import suppress

from plait.core.diagnostic import Fault
from plait.core.find import entry
from plait.core.node import MapNode, Scalar
from plait.core.path import format_path
from plait.core.policy import LIST_STRATEGIES, STRATEGIES
from plait.core.resource import Identity
from plait.core.steps import outcome
from plait.evaluate.tree import Tree
from plait.fronts.front import DocumentId, Target, lines_of
from plait.fronts.inline import with_inline, with_unknown
from plait.fronts.layers import LayerReader, merge_options
from plait.profiles import profiles
from plait.report.catalog import UNUSED_IGNORE, UNUSED_RULE
from plait.yaml.build import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from plait.core.diagnostic import Diagnostic
    from plait.core.node import Node
    from plait.core.path import Path
    from plait.core.steps import Steps
    from plait.fronts.front import Given
    from plait.fronts.layers import Bundle, MergeOptions
    from plait.yaml.schema import Schema

TRIED = tuple(LIST_STRATEGIES[name].words.replace("NAME", "name") for name in STRATEGIES if name != "replace")
OPTIONS: dict[str, dict[str, object]] = {
    "`nulls: delete` in plait.yaml": {"nulls": "delete"},
    '`yaml: "1.1"` in plait.yaml': {"yaml": "1.1"},
    **{f"`profile: {name}` in plait.yaml": {"profile": name} for name in profiles()},
}
"""Options that may make layers give the result of another tool, tried after a strategy for the lists that differ."""


WHOLE = (UNUSED_RULE.code, UNUSED_IGNORE.code)
"""What can only be found where all of the layers is looked at."""


class LayeredTarget(Target):
    """Layers of YAML, merged: one document, or one for each resource."""

    front, stacked = "layers", True

    @property
    def merge_options(self) -> MergeOptions:
        words = {"profile": self.declaration.parameters.get("profile", ""), **self.world.given.get("layers", {})}
        return merge_options(self.project, **words)

    @property
    def schema(self) -> Schema:  # type: ignore[override]
        """The rules that its files are read by: what no layer touched is printed as it was written."""
        return self.merge_options.reader.schema

    def steering(self, file: str) -> set[int]:
        """The list of defaults of a file of Hydra."""
        if not self.declaration.parameters.get("packages"):
            return set()
        read = LayerReader(self.project, self.merge_options).read(file)
        return {line for one in read for line in lines_of(entry(one, "defaults"))}

    def bundle(self) -> Bundle:
        """The merged layers."""
        return LayerReader(self.project, self.merge_options).bundle(self.readable, laid=self._laid)

    def _laid(self, layers: list[tuple[str, list[Node]]]) -> list[tuple[str, list[Node]]]:
        """The layers with the documents of its files where they belong in the result, and above them the values that
        are written in the manifest which declares the target."""
        parameters = self.declaration.parameters
        packages = parameters.get("packages")
        if packages:
            rows = zip(layers, packages, strict=True)
            layers = [(name, [placed(node, package) for node in nodes]) for (name, nodes), package in rows]
        inline = parameters.get("inline", ())
        below = [node for _, nodes in layers for node in nodes]
        above = with_inline(below, inline)[len(below) :] if inline else []
        return [*layers, *((node.origin.file, [with_unknown(node)]) for node in above)]

    def path_in(self, at: int, path: Path) -> Path | None:
        packages = self.declaration.parameters.get("packages")
        steps = tuple(filter(None, packages[at].split("."))) if packages else ()
        return path[len(steps) :] if path[: len(steps)] == steps and len(path) > len(steps) else None

    @property
    def remover(self) -> Scalar:
        profile = self.merge_options.profile
        if profile is None:
            return super().remover
        tag = next((one.tag for one in profile.tags if one.means == "!unset"), "")
        return Scalar(None, "null", tag=tag or None)

    def trees(self) -> dict[DocumentId, Tree]:
        return documents_of(self, self.bundle())

    def published(self, files: Iterable[str]) -> set[str]:
        """Files of groups are chosen by name, also by words of a command line."""
        return set(files) if self.declaration.parameters.get("packages") else set()

    def holding(self, file: str, is_root: Callable[[Node], bool]) -> Iterator[tuple[str, Tree]]:
        members = self.bundle().members
        for member in members:
            if any(map(is_root, member.group.documents)):
                yield member.group.label if len(members) > 1 else "", member.tree

    def findings(self) -> list[Diagnostic]:
        return outcome(self.findings_in_steps())

    def findings_in_steps(self) -> Steps[list[Diagnostic]]:
        from plait.fronts.lint import CodeSelection, Subject, lint_in_steps  # most questions do not ask

        self.unknown = []
        found: list[Diagnostic] = []
        try:
            bundle = self.bundle()
        except Fault:
            return super().findings()
        if any(member.tree.root.live for member in bundle.members):
            found = super().findings()
        yield
        options = self.merge_options
        subject = Subject(self.project, bundle, options.patterns, "", options.profile, options.notations)
        with suppress(Fault):  # which is one of them
            found += yield from lint_in_steps(subject, CodeSelection())
        return found

    def findings_near(self, path: Path) -> list[Diagnostic] | None:
        from plait.fronts.lint import CodeSelection, Subject, lint  # most questions do not ask

        try:
            bundle = self.bundle()
        except Fault as error:
            return list(error.diagnostics)
        if any(member.tree.root.live for member in bundle.members):
            return None
        options = self.merge_options
        near = bundle.narrowed(path)
        return lint(Subject(self.project, near, (), "", options.profile, options.notations), CodeSelection((), WHOLE))

    def trials(self, lists: Iterable[Path]) -> Iterator[tuple[str, Given]]:
        paths = [format_path(path) for path in lists]
        for strategy in TRIED if paths else ():
            text = f"`lists: {{{{{{path}}: {strategy}}}}}` in plait.yaml"
            yield text, {"layers": {"lists": [f"{path}={strategy}" for path in paths]}}
        for text, words in OPTIONS.items():
            yield text, {"layers": words}


def placed(node: Node, package: str) -> Node:
    """A file of a group as it takes part in the configuration: inside of its package, without its defaults list."""
    if isinstance(node, MapNode):
        kept = {key: child for key, child in node.entries.items() if key != "defaults"}
        node = MapNode(kept, node.source, node.at)
    for name in reversed(package.split(".") if package else ()):
        node = MapNode({name: node}, node.source, node.at)
    return node


def documents_of(target: Target, bundle: Bundle) -> dict[DocumentId, Tree]:
    """The merged documents of a bundle by their ids; a single one that is not a resource has no name."""
    single = len(bundle.members) == 1 and bundle.members[0].group.identity is None
    if single:
        return {target.id(): bundle.members[0].tree}
    return target.by_id((member.group.identity, member.group.label, member.tree) for member in bundle.members)


class ResourceFiles(Target):
    """Files with resources, as they are."""

    front = "files"

    def trees(self) -> dict[DocumentId, Tree]:
        return self.by_id(
            (Identity.of(node), f"{os.path.basename(name)}#{number}", Tree(node, self.evaluator))
            for name in self.readable
            for number, node in enumerate(self.project.read(name, lambda source: Reading()), 1)
        )

    def place_words(self, at: int, count: int) -> str:
        return "the file itself"
