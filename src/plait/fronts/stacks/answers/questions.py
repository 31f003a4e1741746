"""The questions that people ask about stacks, and the texts that answer them. What surfaces use; see `Workspace.stacks`."""

from __future__ import annotations

import os

from plait.core.diagnostic import Diagnostic
from plait.core.node import Node, plain_value
from plait.core.plain import from_plain
from plait.core.source import Source
from plait.evaluate.tree import Tree
from plait.fronts.project import Project
from plait.fronts.stacks.answers import listing
from plait.fronts.stacks.answers.describe import DescribeFilter, described
from plait.fronts.stacks.answers.origins import tree_of
from plait.fronts.stacks.answers.repository import Repository
from plait.fronts.stacks.assemble.assembly import Assembly
from plait.fronts.stacks.assemble.components import Component
from plait.fronts.stacks.config.search import ConfigFlags
from plait.fronts.stacks.ground.git import GitRepository
from plait.fronts.stacks.ground.globs import is_pattern
from plait.fronts.stacks.ground.ground import Ground, StackOptions
from plait.fronts.stacks.ground.nodes import DERIVED
from plait.report.catalog import BAD_OPTION, COMPUTED_LATER, FOREIGN_FUNCTION, MASKED_SECRETS, STACK_QUERY
from plait.yaml.build import Reading, build
from plait.yaml.emit import Style, emit_json, emit_styled
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from plait.fronts.stacks.answers.schemas import Validated

__all__ = ["ConfigFlags", "DescribeFilter", "Shape", "StackOptions", "StackQuestions"]


class Shape:
    """How an answer is printed: YAML or JSON, all of it or what a query finds."""

    __slots__ = ("form", "query", "reveal")

    def __init__(self, form: str = "yaml", query: str = "", reveal: bool = False) -> None:
        self.form = form
        self.query = query
        self.reveal = reveal


class StackQuestions:
    """One run over one repository of stack manifests."""

    def __init__(
        self,
        project: Project,
        folder: str = ".",
        flags: ConfigFlags | None = None,
        options: StackOptions | None = None,
        other: Ground | None = None,
    ) -> None:
        """`other` has answers from the outside that are good here, too."""
        self.flags = flags or ConfigFlags()
        self.ground = Ground(project, folder, options)
        if other is not None:
            self.ground.evaluator.share(other.evaluator)
        self._assembly = Assembly(self.ground, self.flags)
        self.repository = Repository(self._assembly)
        self.config = self._assembly.config

    # Asking

    def names(self) -> list[str]:
        return self.repository.names()

    def component(self, name: str, stack: str) -> Component:
        return self.repository.component(name, stack)

    def tree(self, name: str, stack: str) -> Tree:
        """A component as a tree that can be asked for values and explained."""
        return tree_of(self.component(name, stack))

    def problems(self, stack: str = "") -> list[Diagnostic]:
        """What an answer reports beside itself: what is broken, anywhere or in one stack, and warnings."""
        return [*self.repository.problems(stack), *self.warnings()]

    def left_out(self, stack: str = "") -> list[Diagnostic]:
        """What is broken and so missing in a listing of everything, or of one stack. A pattern may mean any stack."""
        self.checked()
        return self.repository.problems("" if is_pattern(stack) else stack)

    def checked(self) -> list[Diagnostic]:
        """Nothing; where anything broken stops a question, PlaitError."""
        self.repository.manifests()
        self.repository.broken.check()
        return []

    def warnings(self) -> list[Diagnostic]:
        """Values that do not exist yet, and sources that were not up to date."""
        later = self.ground.trace.computed_later
        found = [*self._assembly.sources.warnings(), *self._stand_ins()]
        if later and self.config.error_mode(self.ground.options) == "warn":
            found.append(COMPUTED_LATER(*later[:10], count=len(later), hint="--error-mode strict makes them errors"))
        return found

    def _stand_ins(self) -> list[Diagnostic]:
        """One warning for each kind of value that only stands for what it should be."""
        trace = self.ground.trace
        if self.config.error_mode(self.ground.options) == "silent":
            return []
        rows = ((FOREIGN_FUNCTION, trace.foreign, ""), (MASKED_SECRETS, trace.masked, "--allow network looks them up"))
        return [code(*labels[:10], count=len(labels), hint=hint) for code, labels, hint in rows if labels]

    # Telling

    def printed(self, node: Node, shape: Shape) -> str:
        """A finished node in the shape that is asked for."""
        if shape.query:
            node = from_plain(self.queried(node, shape.query, shape.reveal), DERIVED)
        if shape.form == "json":
            return emit_json(node, reveal=shape.reveal, sort_keys=True)
        indent = self.config.number("settings", "terminal", "tab_width", default=2)
        return emit_styled(node, Style(indent=indent, dash=indent, sort_keys=True, reveal=shape.reveal, prefer='"'))

    def queried(self, node: Node, query: str, reveal: bool = False) -> object:
        from plait.notations.yq import YqError
        from plait.notations.yq import query as ask

        try:
            return ask(query, plain_value(node, reveal), self.ground.project.meter)
        except YqError as trouble:
            raise STACK_QUERY.error(
                text=query, why=trouble.message, hint="see docs/fronts/stacks.md for what is understood"
            ) from None

    def describe_component(self, name: str, stack: str, shape: Shape, provenance: bool | None = None) -> str:
        component = self.component(name, stack)
        self.debug_locals(component)
        everything = bool(shape.query) or self.config.text("describe", "component", "filter") == "full"
        empty = self.config.truth("describe", "settings", "include_empty")
        whole = described(component, everything, empty, shape.reveal)
        wanted = self.config.truth("describe", "provenance", default=True) if provenance is None else provenance
        if wanted and shape.form == "yaml" and not shape.query:
            from plait.fronts.stacks.answers.provenance import Provenance

            return Provenance(component, shape.reveal).text(whole)
        return self.printed(whole, shape)

    def describe_stacks(self, chosen: DescribeFilter, shape: Shape, include_empty: bool = False) -> list[str]:
        """All stacks, in pieces: there may be a great many."""
        from plait.fronts.stacks.answers.pages import JsonPages, YamlPages

        self.ground.options.listing = True
        if chosen.stack:
            self.repository.manifest_of(chosen.stack)  # or what there is instead
        indent = self.config.number("settings", "terminal", "tab_width", default=2)
        style = Style(indent=indent, dash=indent, sort_keys=True, reveal=shape.reveal, prefer='"')
        pages = JsonPages(style) if shape.form == "json" or shape.query else YamlPages(style)
        pieces = pages.pieces(self.repository, chosen, include_empty)
        if not shape.query:
            return pieces
        source = Source("the stacks", "".join(pieces))
        return [self.printed(build(scan(source, self.ground.project.budgets.depth)[0], source, Reading()), shape)]

    def describe_locals(self, name: str, stack: str, shape: Shape, view: str = "scopes") -> str:
        from plait.fronts.stacks.answers.locals import Locals

        found = Locals(self.repository, stack, name)
        if view == "manifest" or shape.query:
            return self.printed(found.manifest_node(), shape)
        if shape.form == "json":
            return emit_json(found.scopes_node(shape.reveal))
        return found.scopes_text(shape.reveal)

    def locals_data(self, name: str, stack: str) -> dict[str, object]:
        """The same as plain data."""
        from plait.fronts.stacks.answers.locals import Locals

        found = plain_value(Locals(self.repository, stack, name).scopes_node())
        assert isinstance(found, dict)
        return found

    def describe_dependents(self, name: str, stack: str, shape: Shape) -> str:
        from plait.fronts.stacks.answers.affected import Graph

        rows = Graph(self.repository).dependents(self.component(name, stack))
        return self.printed(from_plain(rows, DERIVED), shape)

    def affected(self, ref: str, dependents: bool = False, reveal: bool = False) -> list[listing.Row]:
        """The components that differ from a revision, with the causes. Questions to the outside are asked once for both."""
        from tempfile import TemporaryDirectory

        from plait.fronts.stacks.answers.affected import ChangedFiles, affected

        git = GitRepository.around(self.ground.folder, self.ground.project)
        if git is None:
            raise BAD_OPTION.error(
                why="this folder is not in a git repository, so there is nothing to compare with",
                hint="run the command in a git repository",
            )
        change = ChangedFiles(self.ground.project, git.root, ref)
        self.ground.options.listing = True
        with TemporaryDirectory(prefix="plait-") as folder:
            root = os.path.realpath(folder)
            change.unpack(root)
            before = self._as_it_was(root, git.root)
            return affected(before.repository, self.repository, change, root, dependents, reveal)

    def _as_it_was(self, root: str, here: str) -> StackQuestions:
        """The same question in the files of a revision: paths below this folder become paths below that one."""

        def moved(path: str) -> str:
            full = os.path.realpath(os.path.join(self.ground.folder, path))
            return root + full[len(here) :] if full == here or full.startswith(here + os.sep) else path

        def named(given: list[str], variable: str) -> list[str]:
            return [
                moved(path)
                for path in given
                or [word.strip() for word in self.ground.project.environment(variable).split(",") if word.strip()]
            ]

        flags = ConfigFlags(
            moved(base) if (base := self.flags.base_path or self.ground.project.environment("ATMOS_BASE_PATH")) else "",
            named(self.flags.config, "ATMOS_CONFIG"),
            named(self.flags.config_path, "ATMOS_CONFIG_PATH") or named([], "ATMOS_CLI_CONFIG_PATH"),
            self.flags.profile,
            self.flags.values,
        )
        project = self.ground.project
        made = Project(moved(self.ground.folder), guard=project.guard, cache=project.cache, progress=project.progress)
        made.meter = project.meter
        made.admit(project.root)  # what git ignores is the same before and after
        found = StackQuestions(made, moved(self.ground.folder), flags, self.ground.options, self.ground)
        found.ground.git_folder = here
        return found

    def affected_text(self, rows: list[listing.Row], form: str, query: str = "") -> str:
        """Rows of affected components, in a format."""
        if form == "matrix":
            kept = ("component", "stack", "stack_slug", "component_path", "affected")
            return listing.matrix([{name: row[name] for name in kept} for row in rows])
        if form == "table":
            return listing.TextTable(
                self.repository, {"Component": "component", "Stack": "stack", "Affected": "affected"}
            ).aligned(rows)
        return self.printed(from_plain(rows, DERIVED), Shape(form, query))

    def describe_config(self, shape: Shape) -> str:
        return self.printed(self.config.whole(), shape)

    def config_sources(self, shape: Shape, table: bool = False) -> str:
        """The files that the configuration was made of, in order, and those that were not read, each with the reason."""
        rows = self._assembly.finder.account()
        if not table:
            return self.printed(from_plain(rows, DERIVED), shape)
        width = max(len(str(row["as"])) for row in rows)
        lines: dict[object, list[str]] = {True: ["merged, lowest first:\n"], False: ["not read:\n"]}
        for row in rows:
            why_not = f": {row['why_not']}" if "why_not" in row else ""
            lines[row["read"]].append(f"  {str(row['as']).ljust(width)}  {row['source']}{why_not}\n")
        return "".join(line for group in lines.values() if len(group) > 1 for line in group)

    def debug_locals(self, component: Component) -> None:
        if self.ground.project.environment("ATMOS_DEBUG_LOCALS").lower() in ("1", "true"):
            import sys

            from plait.fronts.stacks.answers.locals import debug

            debug(self.repository, component.manifest, lambda line: sys.stderr.write(line + "\n"))

    # Lists

    def list_rows(self, kind: str, chosen: listing.Chosen, component: str = "") -> list[listing.Row]:
        if kind == "stacks":
            return listing.stack_rows(self.repository, chosen, component)
        return LISTS[kind](self.repository, chosen)

    def list_text(
        self, kind: str, rows: list[listing.Row], form: str, columns: Iterable[str] = (), terminal: bool = False
    ) -> str:
        settings = "stacks" if kind == "stacks" else "components"
        asked = listing.columns_of(columns) or listing.configured_columns(self.config.get(settings, "list", "columns"))
        table = listing.TextTable(self.repository, asked or listing.COLUMNS[kind])
        form = form or self.config.text(settings, "list", "format") or ("table" if terminal else "bare")
        if form in ("json", "yaml"):
            return self.printed(from_plain(table.as_data(rows) if asked else rows, DERIVED), Shape(form))
        writers: dict[str, Callable[[], str]] = {
            "table": lambda: table.aligned(rows) if terminal else table.separated(rows, "\t", False),
            "bare": lambda: (
                table.separated(rows, ",", True) if kind == "instances" else table.separated(rows, "\t", False)
            ),
            "csv": lambda: table.separated(rows, ",", True),
            "tsv": lambda: table.separated(rows, "\t", True),
            "tree": lambda: listing.tree(rows),
            "matrix": lambda: listing.matrix(rows),
        }
        if form not in writers:
            raise BAD_OPTION.error(why=f"unknown format `{form}`", hint=f"formats: {', '.join(listing.FORMATS)}")
        return writers[form]()

    def list_values(self, section: str, chosen: listing.Chosen, component: str, shape: Shape) -> str:
        self.ground.options.listing = True
        self.ground.options.section = "list"
        found = listing.values(self.repository, chosen, section, component, shape.reveal)
        return self.printed(from_plain(found, DERIVED), shape)

    @staticmethod
    def shape(form: str = "yaml", query: str = "", reveal: bool = False) -> Shape:
        return Shape(form, query, reveal)

    @staticmethod
    def filter(**words: object) -> DescribeFilter:
        return DescribeFilter(**words)  # type: ignore[arg-type]

    def chosen(self, **words: object) -> listing.Chosen:
        return listing.Chosen(**words)  # type: ignore[arg-type]

    def sorted(self, rows: list[listing.Row], keys: str) -> list[listing.Row]:
        return listing.sorted_rows(rows, keys)

    def filtered(self, rows: list[listing.Row], query: str) -> list[listing.Row]:
        return listing.filtered(rows, query)

    # Checking

    def validate(self) -> list[Diagnostic]:
        from plait.fronts.stacks.answers.validate import validate

        return validate(self.repository)

    def validate_component(self, name: str, stack: str, schema_path: str = "", schema_type: str = "") -> Validated:
        """A component against the schemas of its settings, or against one that is named."""
        from plait.fronts.stacks.answers.schemas import validate_component

        return validate_component(self.component(name, stack), schema_path, schema_type)

    def validate_config(self) -> list[Diagnostic]:
        from plait.fronts.stacks.answers.schemas import validate_config

        return validate_config(self.config)

    def validate_schemas(self, only: str = "") -> Validated:
        """Files of any kind against the schemas that the configuration names for them."""
        from plait.fronts.stacks.answers.schemas import validate_files

        return validate_files(self.repository, only)


LISTS = {"components": listing.component_rows, "instances": listing.instance_rows}
