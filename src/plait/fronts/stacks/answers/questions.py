"""The questions that users ask about stacks, and the texts that answer them.

The command line, the library and the servers use these through `Workspace.stacks`.
"""

from __future__ import annotations

import os
from functools import cached_property

from plait.access.workers import attempted
from plait.core.diagnostic import Diagnostic, Fault, NotKnown
from plait.core.node import COMPUTED, Node, plain_value, text
from plait.core.plain import from_plain
from plait.core.slashes import clean
from plait.core.unknown import unknown_of
from plait.core.visible import counted
from plait.evaluate.tree import Tree
from plait.fronts.project import Project
from plait.fronts.stacks.answers import listing
from plait.fronts.stacks.answers.describe import DescribeFilter, described
from plait.fronts.stacks.answers.list_texts import Asked, ListTexts
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.printing import Printer, Shape
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.answers.spread import Worker
from plait.fronts.stacks.answers.unknown import unknown_parts
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.config.config import describe_settings
from plait.fronts.stacks.config.search import ConfigFlags
from plait.fronts.stacks.read.items import read_items
from plait.fronts.stacks.session.globs import PathPattern, is_pattern
from plait.fronts.stacks.session.nodes import DERIVED
from plait.fronts.stacks.session.session import StackOptions, StackSession
from plait.report.catalog import MASKED_SECRETS
from plait.report.unknown import UnknownValue, not_known_here, wrong_here
from plait.yaml.emit import Style, emit_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from plait.core.path import Path
    from plait.fronts.stacks.answers.affected import Affected
    from plait.fronts.stacks.answers.comparing import Comparer
    from plait.fronts.stacks.answers.pages import Pages
    from plait.fronts.stacks.answers.schemas import Validated
    from plait.fronts.stacks.read.manifest import Manifest

__all__ = ["Asked", "ConfigFlags", "DescribeFilter", "Shape", "StackOptions", "StackQuestions"]

FINE = "fine"
"""Marks a cached answer in which no manifest had an error."""


class StackQuestions:
    """One run over one repository of stack manifests."""

    def __init__(
        self,
        project: Project,
        folder: str = ".",
        flags: ConfigFlags | None = None,
        options: StackOptions | None = None,
        other: StackSession | None = None,
        assembly: Assembly | None = None,
    ) -> None:
        """`other` is a question whose external data can be reused here; `assembly` is what an earlier question about
        the same files assembled."""
        self.flags = flags or ConfigFlags()
        self._folder = folder
        self.session = StackSession(project, folder, options) if assembly is None else assembly.session
        if other is not None:
            self.session.evaluator.share(other.evaluator)
        self.assembly = assembly or Assembly(self.session, self.flags)
        self.repository = Repository(self.assembly)
        self._debugged: set[Manifest] = set()
        """The manifests whose locals were shown."""
        self.config = self.assembly.config

    @cached_property
    def printer(self) -> Printer:
        return Printer(self.config, self.session.project)

    @cached_property
    def lists(self) -> ListTexts:
        """The lists as text."""
        return ListTexts(self.assembly, self.repository, self.printer)

    # Asking

    def names(self) -> list[str]:
        return self.repository.names()

    def component(self, name: str, stack: str) -> Component:
        component = self.repository.component(name, stack)
        self.debug_locals((component.manifest,))
        return component

    def tree(self, name: str, stack: str) -> Tree:
        """A component as a tree whose values can be read and explained."""
        return tree_of(self.component(name, stack))

    def written_sections(self, tree: Tree) -> tuple[str, ...]:
        """The sections of a component that are explained line by line: what its manifests set, not what they import."""
        from plait.fronts.stacks.answers.provenance import from_files  # most questions do not ask

        return tuple(name for name in from_files(tree.root) if name != "imports")

    def seen(self, name: str, stack: str, path: Path) -> Node:
        """A value of a component as it is shown; where it is a mistake itself, that is the answer."""
        try:
            tree = self.tree(name, stack)
        except NotKnown as error:
            return self._computed(error, name, stack)
        made = self.session.complete(*tree.locate(path))
        if any(one.path == path for one in self.session.trace.wrong):
            raise Fault(*self.wrong())
        return made

    def _computed(self, error: NotKnown, name: str, stack: str) -> Node:
        """What is shown of a component that is not known as a whole, and of everything in it."""
        if self.repository.broken.refuses():
            raise error
        self.session.trace.unknown.append(UnknownValue((), unknown_of(error), f" of `{name}` in `{stack}`"))
        return text(COMPUTED)

    def problems(self, stack: str = "") -> list[Diagnostic]:
        """The findings to report with an answer: errors, in all stacks or in one, and warnings."""
        return [
            *self.repository.problems(stack),
            *self.wrong(),
            *self.warnings(unknown_parts(self.repository, stack)),
        ]

    def left_out(self, stack: str = "") -> list[Diagnostic]:
        """The errors because of which components are missing in a listing of all stacks, or of one. A pattern may match
        any stack."""
        self.checked()
        named = "" if is_pattern(stack) else stack
        self.debug_locals(self.repository.manifests_of(named) if named else self.repository.manifests())
        return self.repository.problems(named)

    def wrong(self) -> list[Diagnostic]:
        """The mistakes in the files because of which values are shown as `(error)`."""
        return wrong_here(self.session.trace.wrong)

    def checked(self) -> list[Diagnostic]:
        """Raise PlaitError if an error must stop the question; otherwise return nothing."""
        self.repository.manifests()
        self.repository.broken.check()
        if self.session.options.strict and (wrong := self.wrong()):
            raise Fault(*wrong)
        return []

    def unknown_parts(self, stack: str = "") -> list[UnknownValue]:
        """The manifests and components that a listing of all stacks, or of one, cannot know as a whole."""
        return unknown_parts(self.repository, "" if is_pattern(stack) else stack)

    def warnings(self, parts: Iterable[UnknownValue] = ()) -> list[Diagnostic]:
        """Values that are not known, also the parts of a listing, and sources that were not up to date."""
        elsewhere = self.session.project.elsewhere
        return [
            *self.assembly.sources.warnings(),
            *self._placeholders(parts),
            *(elsewhere.problems if elsewhere else ()),
        ]

    def _placeholders(self, parts: Iterable[UnknownValue]) -> list[Diagnostic]:
        """One warning for each kind of placeholder value."""
        trace = self.session.trace
        if self.config.error_mode(self.session.options) == "silent":
            return []
        masked = trace.masked
        hint = "--allow network looks them up"
        secrets = [MASKED_SECRETS(*masked[:10], count=len(masked), hint=hint)] if masked else []
        return [*not_known_here([*parts, *trace.unknown]), *secrets]

    # Telling

    def describe_component(self, name: str, stack: str, shape: Shape, provenance: bool | None = None) -> str:
        try:
            component = self.component(name, stack)
        except NotKnown as error:
            return self.printer.printed(self._computed(error, name, stack), Shape(shape.form))
        full, origins, include_empty = describe_settings(self.config)
        asked = origins if provenance is None else provenance
        commented = asked and shape.form == "yaml" and not shape.query
        whole = described(component, full or bool(shape.query), include_empty and not commented, shape.reveal)
        if commented:
            from plait.fronts.stacks.answers.provenance import Provenance

            return Provenance(component, shape.reveal).text(whole)
        return self.printer.printed(whole, shape)

    def describe_stacks(self, chosen: DescribeFilter, shape: Shape, include_empty: bool = False) -> Iterable[str]:
        """All stacks, in pieces that are created while they are consumed: there may be thousands of stacks."""
        self.session.options.listing = True
        if chosen.stack:
            self.repository.manifest_of(chosen.stack)  # or what there is instead
        if shape.query:
            from plait.fronts.stacks.answers.stacks_data import gathered

            data = gathered(self.repository, chosen, self._with_empty(include_empty), shape.reveal)
            return [self.printer.printed(from_plain(self.printer.found(shape.query, data), DERIVED), Shape(shape.form))]
        part = {"chosen": chosen.words(), "form": shape.form, "reveal": shape.reveal, "include_empty": include_empty}
        pages = self._pages(shape, chosen, include_empty)
        return pages.pieces(self.repository, self._question(part))

    def stacks_with_origins(self, chosen: DescribeFilter, reveal: bool = False) -> Iterator[str]:
        """All stacks as YAML, with a comment on every line that says where it comes from."""
        from plait.fronts.stacks.answers.pages import chosen_names
        from plait.fronts.stacks.answers.provenance import LEGEND, nested_lines

        self.session.options.listing = True
        yield LEGEND.partition("# Stack")[0]
        for name in chosen_names(self.repository, chosen):
            yield from nested_lines(self.repository, name, chosen, reveal)

    def _with_empty(self, asked: bool) -> bool:
        return asked or self.config.truth("describe", "settings", "include_empty")

    def _pages(self, shape: Shape, chosen: DescribeFilter, include_empty: bool) -> Pages:
        from plait.fronts.stacks.answers.pages import JsonPages, YamlPages

        indent = self.printer.indent()
        style = Style(indent=indent, dash=indent, sort_keys=True, reveal=shape.reveal, prefer='"')
        make = JsonPages if shape.form == "json" else YamlPages
        return make(style, chosen, self._with_empty(include_empty))

    def _question(self, part: dict[str, object]) -> dict[str, object]:
        """This question in a form that can be sent to another machine: see `part`."""
        return {
            "folder": self._folder,
            "flags": self.flags.words(),
            "options": self.session.options.words(),
            "part": part,
        }

    def part(self, part: dict[str, Any], names: list[str]) -> list[object]:
        """The texts of some stacks for another process, each with the work it took; None for a stack that the other
        process must compute itself."""
        self.session.options.listing = True
        chosen = DescribeFilter(**part["chosen"])
        pages = self._pages(Shape(part["form"], reveal=part["reveal"]), chosen, part["include_empty"])
        worker = Worker(self.repository, lambda name: next(pages.texts(self.repository, [name], False)))
        return [attempted(worker.answer, name, self.session.project.guard) for name in names]

    def describe_locals(self, name: str, stack: str, shape: Shape, view: str = "scopes") -> str:
        from plait.fronts.stacks.answers.locals import Locals

        if stack:
            self.debug_locals((self.repository.manifest_of(stack),))
        found = Locals(self.repository, stack, name)
        if view == "manifest" or shape.query:
            return self.printer.printed(found.manifest_node(), shape)
        if shape.form == "json":
            return emit_json(found.scopes_node(shape.reveal))
        return found.scopes_text(shape.reveal)

    def written_imports(self, file: str) -> list[dict[str, object]]:
        """The import list of a manifest as it is written; the files are not looked up."""
        manifest = self.repository.index.manifests.loader.file(file)
        return [item.data() for item in read_items(manifest.section("import"), manifest.scope)]

    def locals_data(self, name: str, stack: str) -> dict[str, object]:
        """The same as plain data."""
        from plait.fronts.stacks.answers.locals import Locals

        found = plain_value(Locals(self.repository, stack, name).scopes_node())
        assert isinstance(found, dict)
        return found

    def describe_dependents(self, name: str, stack: str, shape: Shape) -> str:
        from plait.fronts.stacks.answers.dependents import Graph, kept_links

        rows = kept_links(self.repository)
        links = [row for *_, row in rows.all()]
        if not rows.is_narrowed or not any((facts["component"], facts["stack"]) == (name, stack) for facts, _ in links):
            rows.start_over()
            found = self.component(name, stack)
            name, stack = found.name, found.stack
        return self.printer.printed(from_plain(Graph(links).dependents(name, stack), DERIVED), shape)

    def affected(
        self,
        ref: str = "",
        *,
        folder: str = "",
        stack: str = "",
        dependents: bool = False,
        settings: bool = False,
        locked: bool = True,
        reveal: bool = False,
    ) -> Affected:
        """The components that differ from a revision, or from a clone, with the causes.

        Without either, since this branch left the main one.
        """
        from plait.fronts.stacks.answers.affected import RowChoice

        self.session.options.listing = True
        sections = frozenset(self.config.texts("describe", "affected", "sections"))
        wanted = RowChoice(stack, dependents, settings, locked, reveal, sections)
        comparer = self._comparer()
        return comparer.with_folder(folder, wanted) if folder else comparer.with_revision(ref, wanted)

    def _comparer(self) -> Comparer:
        from plait.fronts.stacks.answers.comparing import Comparer

        return Comparer(self.assembly, self.repository, self.flags)

    def config_tree(self) -> Tree:
        """The configuration as a tree that can be explained: defaults, files, variables of the environment, flags."""
        return self.config.explainable()

    def describe_config(self, shape: Shape) -> str:
        return self.printer.printed(self.config_tree().value(), shape)

    # Workflows

    def describe_workflows(self, output: str, shape: Shape) -> str:
        """The workflows of the repository: each with its file, names by file, or all that is written."""
        from plait.fronts.stacks.answers.workflows import FORMS, workflow_files

        return self.printer.printed(
            from_plain(FORMS[output](workflow_files(self.config, self.session)), DERIVED), shape
        )

    def workflow_rows(self, file: str = "") -> list[listing.Row]:
        """The workflows as rows; of one file, if it is named with or without its extension."""
        from plait.fronts.stacks.answers.workflows import workflow_files, workflow_rows

        rows = workflow_rows(workflow_files(self.config, self.session))
        return [row for row in rows if file in ("", row["file"], os.path.splitext(str(row["file"]))[0])]

    def config_sources(self, shape: Shape, table: bool = False) -> str:
        """The files that the configuration was made of, in order, and those that were not read, each with the
        reason."""
        rows = self.assembly.finder.account()
        if not table:
            return self.printer.printed(from_plain(rows, DERIVED), shape)
        width = max(len(str(row["as"])) for row in rows)
        lines: dict[object, list[str]] = {True: ["merged, lowest first:\n"], False: ["not read:\n"]}
        for row in rows:
            why_not = f": {row['why_not']}" if "why_not" in row else ""
            lines[row["read"]].append(f"  {str(row['as']).ljust(width)}  {row['source']}{why_not}\n")
        return "".join(line for group in lines.values() if len(group) > 1 for line in group)

    @property
    def _debugs_locals(self) -> bool:
        return self.assembly.finder.environment.get("ATMOS_DEBUG_LOCALS", "").lower() in ("1", "true")

    def debug_locals(self, manifests: Iterable[Manifest]) -> None:
        """Print the locals of manifests on standard error, each once, if ATMOS_DEBUG_LOCALS is set."""
        if self._debugs_locals:
            import sys

            from plait.fronts.stacks.answers.locals import debug

            self.session.project.trace.unfollowed.add("what is written on standard error")

            fresh = [manifest for manifest in manifests if manifest not in self._debugged]
            self._debugged.update(fresh)
            for manifest in fresh:
                debug(self.repository, manifest, lambda line: sys.stderr.write(line + "\n"))

    # Lists

    @staticmethod
    def shape(form: str = "yaml", query: str = "", reveal: bool = False) -> Shape:
        return Shape(form, query, reveal)

    @staticmethod
    def filter(**words: object) -> DescribeFilter:
        return DescribeFilter(**words)  # type: ignore[arg-type]

    def chosen(self, **words: object) -> listing.Chosen:
        return listing.Chosen(**words)  # type: ignore[arg-type]

    @staticmethod
    def asked(**words: object) -> Asked:
        return Asked(**words)  # type: ignore[arg-type]

    # Checking

    def validate(self) -> list[Diagnostic]:
        """Everything that is wrong with manifests."""
        from plait.fronts.stacks.answers.kept_findings import KeptFindings
        from plait.fronts.stacks.answers.validate import validate

        if self._debugs_locals:
            self.debug_locals(self.repository.manifests())
        is_kept = self.session.project.notes is not None
        return KeptFindings(self.repository).all() if is_kept else validate(self.repository)

    def validate_affected(self, ref: str = "") -> tuple[list[Diagnostic], str]:
        """All errors in manifests that a change since a revision can affect, and in manifests that cannot be read; and
        what was compared."""
        from plait.fronts.stacks.answers.reach import ChangeReach
        from plait.fronts.stacks.answers.validate import ReachOfChange, validate

        change, heading = self._comparer().changed_since(ref)
        reach = ChangeReach(self.repository, self.config.files, change.root)
        touched = ReachOfChange(reach, change.entries())
        manifests = [one for one in self.repository.manifests() if touched.manifest(one)]
        self.debug_locals(manifests)
        heading += f"; {len(manifests)} of {counted(len(self.repository.manifests()), 'manifest')} checked"
        return validate(self.repository, touched), heading

    def validate_component(self, name: str, stack: str, **flags: Any) -> Validated:
        """Check a component against the schemas in its settings, or against a schema that is named: words of
        `ValidationFlags`."""
        from plait.fronts.stacks.answers.component_schemas import ValidationFlags, validate_component

        wanted = ValidationFlags(**flags)
        return validate_component(self.component(name, stack), wanted)

    def validate_config(self) -> list[Diagnostic]:
        from plait.fronts.stacks.answers.schemas import validate_config

        return validate_config(self.config)

    def validate_schemas(
        self, only: str = "", exclude: Iterable[str] = (), since: str | None = None
    ) -> tuple[Validated, str]:
        """Check files of any kind against the schemas that the configuration names for them; with a revision, only
        those that differ from it, and what was compared."""
        from plait.fronts.stacks.answers.schemas import validate_files

        patterns, heading, changed = [PathPattern(clean(one)) for one in exclude], "", None
        if since is not None:
            change, heading = self._comparer().changed_since(since)
            changed = {os.path.realpath(os.path.join(change.root, name)) for name in change.names}

        def wanted(file: str) -> bool:
            name = os.path.relpath(file, self.config.base_path)
            kept = changed is None or os.path.realpath(file) in changed
            return kept and not any(pattern.match(name) for pattern in patterns)

        return validate_files(self.repository, only, wanted), heading
