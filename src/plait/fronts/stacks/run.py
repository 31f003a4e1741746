"""One run: its options, its configuration, and what functions and templates may ask of it."""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError, without
from plait.core.expression import Expression
from plait.core.node import (
    Bound,
    Failure,
    Key,
    Mapping,
    Mark,
    Node,
    Scalar,
    Sequence,
    Suspension,
    hidden,
    plain_value,
    rewrite,
    text,
)
from plait.core.policy import MergePolicy
from plait.core.scope import Place
from plait.core.source import Computed, Source
from plait.evaluate.engine import Evaluator, exposed
from plait.fronts.project import Project
from plait.fronts.stacks.config import Finder, Flags, list_rule
from plait.fronts.stacks.functions import Function, Use, answered, component_calls, node_of, queried
from plait.fronts.stacks.hush import Revealed
from plait.fronts.stacks.imports import entry, merged_values
from plait.fronts.stacks.manifest import marked, reading_of
from plait.fronts.stacks.outside import WORDS, Outside, Question
from plait.fronts.stacks.remote import RemoteImports
from plait.fronts.stacks.scope import DERIVED, FileScope
from plait.report.catalog import BAD_CONFIG, COMPONENT_CYCLE, INCLUDES_ITSELF, NO_INCLUDE
from plait.services.remote import Address, inside, is_remote
from plait.services.state import Outputs
from plait.yaml.build import Reading, build
from plait.yaml.outline import whole
from plait.yaml.program import Program
from plait.yaml.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as TakenApart

    from plait.core.scope import Scope
    from plait.fronts.stacks.atmos import StackHost
    from plait.fronts.stacks.components import Component
    from plait.fronts.stacks.imports import Loader, Manifest
    from plait.fronts.stacks.repository import Repository
    from plait.fronts.stacks.templates import Templates
    from plait.yaml.outline import Pack

ERROR_MODES = ("strict", "warn", "silent")


class Options:
    """What is evaluated, and what happens to values that do not exist yet."""

    __slots__ = ("error_mode", "functions", "listing", "section", "skip", "templates")

    def __init__(
        self, templates: bool = True, functions: bool = True, skip: Iterable[str] = (), error_mode: str = ""
    ) -> None:
        self.listing = False
        """Whether the answer is about many components: then one that is out of reach does not stop it."""
        self.templates = templates
        self.functions = functions
        self.skip = frozenset(name.lstrip("!") for name in skip)
        self.error_mode = error_mode
        self.section = "describe"
        """The section of the configuration that says what it is otherwise."""


class Run:
    """The services of one run. The repository asks it, and so do expressions."""

    def __init__(
        self,
        project: Project,
        folder: str = ".",
        flags: Flags | None = None,
        options: Options | None = None,
        other: Run | None = None,
    ) -> None:
        """`other` is a run whose answers from the outside are good here too."""
        self.project = project
        self.folder = os.path.abspath(folder)
        self._inside = self.folder.rstrip("/") + "/"
        if not os.path.isdir(self.folder):
            raise BAD_CONFIG.error(why=f"there is no folder `{folder}`", hint="--chdir names the folder to work in")
        self.options = options or Options()
        self.outside = Outside(self)
        self.remote = RemoteImports(self)
        self.repository: Repository | None = None
        self.loader: Loader | None = None
        self.computed_later: list[Label] = []
        self.leans: dict[Place, dict[Component, None]] = {}
        """For the root of a component, or of a file's locals: the components whose outputs are read from there."""
        self.opened: dict[Place, set[str]] = {}
        """In the same way: the files that are read from there, besides manifests."""
        self.revealed = Revealed()
        self.loose = False
        """Whether something was read that plait cannot follow: by a command, or by a template that opens files."""
        self.git_folder = ""
        """Where facts about the repository are read, if not around the file that asks."""
        self.configuring = True
        self.evaluations = 1
        self.key_delimiter = ""
        """The sign that makes paths of keys in manifests; usually none."""
        self.evaluator = Evaluator(project.guard, project.meter, {}, project.counters)
        self.evaluator.watch = project.progress
        if other is not None:
            self.evaluator.share(other.evaluator)
        self._policies: dict[str, MergePolicy] = {}
        self._templates: Templates | None = None
        self._raw: dict[str, TakenApart[Program | Pack]] = {}
        self._imports: dict[Manifest, Node] = {}
        self._views: dict[Component, Node] = {}
        self._infos: dict[tuple[str, str], Node] = {}
        self._inheritances: dict[tuple[str, ...], Node] = {}
        self._facts: dict[str, Scalar] = {}
        self._inclusions: dict[Source, dict[Source, None]] = {}
        """The files that each file includes."""
        self._included_nodes: dict[tuple[Source, bool, FileScope], Node] = {}
        self.rendered_texts: dict[tuple[object, ...], tuple[str, Node | None]] = {}
        """Texts that were rendered before, by template and by the nodes it reads; and a tree that keeps those alive."""
        self.backends: dict[Manifest, dict[str, dict[Key, Node]]] = {}
        self.markers: tuple[str, ...] = ("{{", '"!', "'!")
        self.config = Finder(self, flags or Flags(), self.folder).config()
        self.configuring = False
        self.config_files = set(project.sources)
        """The files that the configuration was made of."""
        self._policies.clear()
        late = self.config.delimiters
        self.markers = tuple(dict.fromkeys(("{{", late[0], '"!', "'!")))
        self._late = late[0]
        self.key_delimiter = self.config.text("settings", "yaml", "key_delimiter")
        self.evaluations = self.config.number("templates", "settings", "evaluations", default=1)
        self.options.templates = self.options.templates and self.config.truth(
            "templates", "settings", "enabled", default=True
        )

    # Reading

    def shown(self, path: str) -> str:
        """A path as reports show it: from the folder the command runs in, where that is shorter."""
        if path in self.remote.origins:
            return self.remote.origins[path].address
        if path.startswith(self._inside):
            return path[len(self._inside) :]
        near = os.path.relpath(path, self.folder)
        return near if not near.startswith("..") else path

    def reading(self, scope: FileScope) -> Reading:
        return reading_of(self, scope)

    def parts(self, source: Source, path: str) -> TakenApart[Program | Pack]:
        """The documents of a text, to be taken apart: of a file as it is written, once."""
        if source.written is not None:
            return scan(source, self.project.budgets.depth)
        if path not in self._raw:
            self._raw[path] = self.project.parts(source)
        return self._raw[path]

    def parsed(self, source: Source, path: str) -> list[Program]:
        """The same, whole."""
        return [whole(part) for part in self.parts(source, path)]

    def read_config(self, path: str) -> Mapping:
        """A configuration file."""
        scope = FileScope(self, self.shown(path), path)
        source = self.project.source(path, scope.file)
        programs = self.parsed(source, path)
        node = (
            build(programs[0], source, Reading(tagged=self.reading(scope).tagged, text_keys=True))
            if programs
            else Mapping({}, source)
        )
        if isinstance(node, Scalar) and node.value is None:
            return Mapping({}, source)
        if not isinstance(node, Mapping):
            raise BAD_CONFIG.error(
                Label.of(node),
                why=f"{scope.file} holds a {node.kind}, not a map",
                hint="write sections: `stacks:`, `components:`, ...",
            )
        return node

    def policy(self, strategy: str, section: str) -> MergePolicy:
        """How lists are merged under a strategy (that of the configuration where none is named), in one section."""
        found = self._policies.get(strategy)
        if found is None:
            name = strategy or ("replace" if self.configuring else self.config.strategy)
            settings = self.project.settings
            patterns = () if self.configuring else settings.lists
            found = self._policies[strategy] = MergePolicy(list_rule(name), settings.kinds, patterns)
        return found.child(section) if section else found

    # Evaluating

    @property
    def templates(self) -> Templates:
        if self._templates is None:
            from plait.fronts.stacks.templates import Templates

            self._templates = Templates(("{{", "}}") if self.configuring else self.config.delimiters)
        return self._templates

    def template_setting(self, scope: Scope | None, name: str) -> object:
        """A key of `templates.settings`: of the configuration, and over it of the settings of the component that is rendered."""
        usual = None if self.configuring else self.config.get("templates", "settings", name)
        root = scope.place.root.node if scope is not None else None
        own = entry(root, "settings")
        for step in ("templates", "settings", name):
            own = entry(own, step)
        if own is None or own.live:  # what has to be rendered cannot say how
            return usual
        said = plain_value(own)
        return merged_values(usual, said) if isinstance(usual, dict) and isinstance(said, dict) else said

    @property
    def error_mode(self) -> str:
        """What happens to a value that does not exist yet."""
        section = self.options.section
        mode = self.options.error_mode or self.config.text(section, "error_mode") or "warn"
        if mode not in ERROR_MODES:
            said = entry(self.config.tree.entries.get(section), "error_mode")
            labels = [Label.of(said)] if said is not None else []
            raise BAD_CONFIG.error(
                *labels, why=f"`{mode}` is no error mode", hint=f"there are: {', '.join(ERROR_MODES)}"
            )
        return mode

    def skips(self, function: Function) -> bool:
        """Whether a function is to be left as it is written."""
        if self.configuring:
            return False
        return function.name in self.options.skip or (not self.options.functions and not function.early)

    def has_template(self, value: str) -> bool:
        return "{{" in value or (not self.configuring and self._late in value)

    def rendered(self, value: str, scope: Scope, node: Node) -> str:
        """A text in which templates are rendered, seen from where an expression stands."""
        return self.templates.rendered(value, scope, node)

    def settled(self, node: Node, place: Place) -> Node:
        """A node that decides how something is put together: one that has to be computed is computed now."""
        found = self.evaluator.force(node, place)
        if isinstance(found, Failure):
            raise PlaitError(*found.diagnostics)
        return found

    def finished(self, node: Node, place: Place) -> Node:
        """A node with everything below it known; all errors at once."""
        made, failures = self.evaluator.finish(node, place)
        if failures:
            raise PlaitError(*dict.fromkeys(d for failure in failures for d in failure.diagnostics))
        return made

    def finished_section(self, node: Node, place: Place) -> Node:
        """The same for a map of which little waits: only that is asked for."""
        if not isinstance(node, Mapping):
            return self.finished(node, place)
        entries = dict(node.entries)
        failures: list[Failure] = []
        for key, child in node.entries.items():
            if child.live:
                settled = getattr(child.expression, "settled", None) if isinstance(child, Suspension) else None
                if settled is not None and settled[0] is child.written:  # type: ignore[attr-defined]
                    entries[key] = settled[1]
                    continue
                inner = place.child(key)
                value = self.evaluator.force(child, inner)
                if value.live and not isinstance(value, Mark):
                    value, failed = self.evaluator.finish(value, inner)
                    failures += failed
                entries[key] = value
                if isinstance(value, Mark):
                    del entries[key]
        if failures:
            raise PlaitError(*dict.fromkeys(d for failure in failures for d in failure.diagnostics))
        return Mapping(entries, node.source, node.at, node.tag, False, node.marks, node.parts)

    def plain(self, node: Node, place: Place) -> object:
        """A node as plain data."""
        made = self.finished(node, place)
        self.revealed.add(made)
        return plain_value(made, reveal=True)

    def values(self, node: Node, place: Place) -> object:
        """Plain data: what can be computed, or, where anything cannot, the sources of all that waits."""
        try:
            return self.plain(node, place)
        except PlaitError:

            def leaf(at: Node) -> Node:
                return text(at.expression.text, at.source, at.at) if isinstance(at, Suspension) else at

            return plain_value(rewrite(node, leaf), reveal=True)

    def fact(self, value: str) -> Scalar:
        """A word that no file holds: the name of a stack, of a component's folder. One node for all that share it."""
        found = self._facts.get(value)
        if found is None:
            found = self._facts[value] = text(value, DERIVED, 0)
        return found

    def inheritance(self, chain: list[str]) -> Node:
        """The bases of a component, nearest first; one node for all that have the same."""
        key = tuple(chain)
        if key not in self._inheritances:
            self._inheritances[key] = Sequence([self.fact(name) for name in dict.fromkeys(reversed(chain))], DERIVED)
        return self._inheritances[key]

    def component_info(self, component: Component) -> Node:
        """Where a component's code is, one node for all that share it."""
        key = (component.type, component.folder_name)
        if key not in self._infos:
            told = {"component_path": self.shown(component.path), "component_type": component.type}
            self._infos[key] = node_of(told, DERIVED, 0)
        return self._infos[key]

    def imports_node(self, manifest: Manifest) -> Node:
        """The names of what a manifest imports, one node for all its components."""
        if manifest not in self._imports:
            items = [text(name, node.source, node.at) for name, node in sorted(manifest.import_lines().items())]
            self._imports[manifest] = Sequence(list(items), DERIVED)
        return self._imports[manifest]

    # What functions ask

    def include(self, use: Use, path: str, query: str, raw: bool = False) -> Node:
        """A file as data, or as text, or the part of it that a query names."""
        if is_remote(path):
            full = self._fetched(use, path)
            source = self.project.source(full, without(path, use.scope.secrets))
        else:
            full = self._included(use, path)
            self.project.check_inside(full, use.call.node)
            self.opened.setdefault(use.scope.place.root, set()).add(full)
            source = self.project.source(full, self.shown(full))
        self._check_inclusion(use, source, path)
        key = (source, raw, use.written)
        node = self._included_nodes.get(key)
        if node is None:  # an expression that waits starts again, and must find the same tree
            node = self._included_nodes[key] = self._as_text(source, use) if raw else self._as_data(source, full, use)
        if not query:
            return use.scope.known(node, use.scope.place) if isinstance(node, Suspension) else node
        found = queried(use, query, self.plain(node, use.scope.place))
        return node_of(found, Computed(use.call.text, source, 0), 0)

    def _check_inclusion(self, use: Use, source: Source, path: str) -> None:
        """That a file does not become a part of itself."""
        origin = use.call.node.origin.source
        origin = origin.written or origin
        below = self._inclusions.setdefault(origin, {})
        reached = [source] if source not in below else []
        for at in reached:  # grows while it is walked
            if at is origin:
                raise INCLUDES_ITSELF.error(use.label(), hint=f"`{path}` must not hold the file that asks for it")
            reached.extend(found for found in self._inclusions.get(at, ()) if found not in reached)
        below[source] = None

    def _included(self, use: Use, path: str) -> str:
        folder = os.path.dirname(use.written.path)
        if path.split("/", 1)[0] in (".", ".."):
            candidates = [os.path.join(folder, path)]
        else:
            base = self.folder if self.configuring else self.config.base_path
            candidates = [os.path.join(self.folder, path), os.path.join(base, path), os.path.join(folder, path)]
        for full in candidates:
            if os.path.isfile(full):
                return os.path.normpath(full)
        tried = tuple(f"looked for {self.shown(os.path.normpath(full))}" for full in dict.fromkeys(candidates))
        raise NO_INCLUDE.error(
            use.label(),
            path=path,
            notes=(f"referenced in {use.written.file}", *tried),
            hint="`./` means the folder of the manifest",
        )

    def _as_data(self, source: Source, name: str, use: Use) -> Node:
        """A file read by its extension."""
        extension = os.path.splitext(name)[1]
        if extension in (".json", ".yaml", ".yml"):
            programs = self.parsed(source, source.name)
            return build(programs[0], source, self.reading(use.written)) if programs else Scalar(None, "", source, 0)
        if extension in (".hcl", ".tf", ".tfvars"):
            from plait.notations.hcl import read_hcl

            return read_hcl(source)
        if extension == ".env" or name.endswith("/.env"):
            return _dotenv(source)
        return self._as_text(source, use)

    def _as_text(self, source: Source, use: Use) -> Node:
        """A file as one text: a template like any other text of the manifest, where it holds one."""
        return marked(text(source.text, source, 0), use.written)

    def _fetched(self, use: Use, url: str) -> str:
        """The copy of a file of another repository, where that is allowed."""
        address = Address(url, use.scope.secrets)
        copy = self.project.admit(str(use.answer(self.outside.fetched(url, secrets=use.scope.secrets))))
        return copy if os.path.isfile(copy) else inside(copy, address.inner, address.what)

    def component_of(self, use: Use, component: str, stack: str) -> Component:
        assert self.repository is not None
        if not stack:
            stack = self.repository.stack_of_file(use.written.path)
        return self.repository.component(component, stack)

    def asks_outside(self) -> bool:
        """Whether a file that was read may ask the outside."""
        return any(word in source.text for source in self.project.sources.values() for word in WORDS)

    def lean(self, root: Place, component: Component) -> None:
        """Remember whose outputs are read from where."""
        self.leans.setdefault(root, {})[component] = None

    def current(self, use: Use) -> Component | None:
        assert self.repository is not None
        name, stack = use.here("atmos_component"), use.here("atmos_stack")
        return self.repository.component(name, stack) if name and stack else None

    def check_component_cycle(self, use: Use, target: Component) -> None:
        """That a component does not wait for its own outputs, through others."""
        start = (use.here("atmos_stack"), use.here("atmos_component"))
        if not start[1]:
            return
        chain: list[tuple[tuple[str, str], str]] = [(start, use.call.text)]
        stack = [(target, chain)]
        seen: set[tuple[str, str]] = set()
        while stack:
            component, chain = stack.pop()
            key = (component.stack, component.name)
            if key == start:
                lines = [
                    f"  {number}. {name} in {where}: {call}" for number, ((where, name), call) in enumerate(chain, 1)
                ]
                raise COMPONENT_CYCLE.error(
                    use.label(),
                    notes=("Dependency chain:", *lines, f"  {len(lines) + 1}. {start[1]} in {start[0]}"),
                    hint="one of these components must not read another's outputs",
                )
            if key not in seen:
                seen.add(key)
                stack.extend(self._needed(component, chain))

    def _needed(
        self, component: Component, chain: list[tuple[tuple[str, str], str]]
    ) -> list[tuple[Component, list[tuple[tuple[str, str], str]]]]:
        assert self.repository is not None
        found = []
        for call in component_calls(component):
            if self.has_template(call.rest):
                continue
            words = call.function.read(call.rest)
            try:
                target = self.repository.component(words.component or component.name, words.stack or component.stack)
            except PlaitError:
                continue
            found.append((target, [*chain, ((component.stack, component.name), call.text)]))
        return found

    # What templates ask

    def component_view(self, scope: Scope, component: str, stack: str) -> Node:
        """All sections of a component as a template sees them, and its outputs."""
        assert self.repository is not None
        found = self.repository.component(component, stack)
        self.lean(scope.place.root, found)
        if found not in self._views:  # the same outputs, whoever asks how often
            whole = exposed(found.root, found.place)
            assert isinstance(whole, Mapping)
            entries: dict[Key, Node] = {
                **whole.entries,
                "outputs": Suspension(_Outputs(found), found.root.source, found.root.at),
            }
            self._views[found] = Bound(Mapping(entries, live=True), found.place)
        return self._views[found]

    def datasource(self, host: StackHost, alias: str, arguments: tuple[str, ...]) -> Node:
        """The data of a datasource that the configuration names."""
        found = self.outside.source(alias, self.template_setting(host.scope, "gomplate"))
        asker = host.node or Scalar(None, "", Source("a template"))
        if not found.capability:
            path = found.file(arguments)
            self.project.check_inside(path, asker)
            if host.scope is not None:
                self.opened.setdefault(host.scope.place.root, set()).add(path)
            else:
                self.loose = True
            return self._as_kind(self.project.source(path, self.shown(path)), found.kind(arguments))
        question = Question(
            found.capability,
            ("datasource", alias, *arguments),
            lambda: found.read(arguments),
            f"the data source `{alias}`",
        )
        if host.scope is None:  # a file that is rendered before it is read
            read = self.remote.answer(question, asker)
        else:
            read = answered(host.scope, self, asker, question)
        return self._as_kind(Source(found.url, str(read)), found.kind(arguments))

    def _as_kind(self, source: Source, kind: str) -> Node:
        """A text as data, by its kind."""
        if kind in ("json", "yaml"):
            programs = scan(source, self.project.budgets.depth)
            return build(programs[0], source, Reading(text_keys=True)) if programs else Mapping({})
        return _dotenv(source) if kind == "env" else text(source.text, source, 0)


class _Outputs(Expression):
    """The outputs of a component as an expression, for `atmos.Component`."""

    __slots__ = ("component", "text")

    def __init__(self, component: Component) -> None:
        self.component = component
        self.text = f"the outputs of {component.name} in {component.stack}"

    def evaluate(self, scope: Scope) -> Node:
        component = self.component
        found = answered(scope, component.run, component.root, component.run.outside.outputs(component))
        assert isinstance(found, Outputs)
        source = Source(self.text)
        entries: dict[Key, Node] = {name: node_of(value, source, 0) for name, value in found.values.items()}
        return Mapping(
            {name: hidden(node) if name in found.sensitive else node for name, node in entries.items()}, source
        )


def _dotenv(source: Source) -> Mapping:
    """`NAME=value` lines."""
    entries: dict[Key, Node] = {}
    at = 0
    for line in source.text.split("\n"):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            entries[name.strip()] = text(value.strip().strip("\"'"), source, at)
        at += len(line) + 1
    return Mapping(entries, source, 0)
