"""A manifest and all that it imports: sections and components merged when somebody asks for them, and nothing else.

Imports are merged in the order of the list, each with its own imports below it, then the file itself. A file that many import is
read once and its own merge is made once. Each section and each component is merged on its own, so a question about names
merges no components, and a question about one component merges that one.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Key, Mapping, Node, Scalar, Sequence, Suspension
from plait.core.scope import Place
from plait.core.source import Source
from plait.fronts.stacks.globs import is_pattern, matching
from plait.fronts.stacks.hush import public_value
from plait.fronts.stacks.manifest import PLAIN, Context, File, Mentions
from plait.fronts.stacks.scope import CONTEXT, TYPES, FileScope
from plait.merging.combine import combine
from plait.report.catalog import BAD_IMPORT, IMPORTS_ITSELF, LOCAL_IN_IMPORT, NO_IMPORT, STACK_TEMPLATE, TOO_DEEP
from plait.report.near import nearest
from plait.services.remote import is_remote
from plait.yaml.build import Reading, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.policy import MergePolicy
    from plait.fronts.stacks.run import Run
    from plait.fronts.stacks.templates import Parsed

EXTENSIONS = (".yaml", ".yml", ".yaml.tmpl", ".yml.tmpl")
DEPTH = 100
"""How many imports may lead from one to the next."""
OPTIONS = (
    "path",
    "context",
    "skip_templates_processing",
    "ignore_missing_template_values",
    "skip_if_missing",
    "nested_imports",
    "ttl",
)


class Item:
    """One entry of an import list."""

    __slots__ = ("context", "ignore_missing", "nested", "node", "path", "simple", "skip", "skip_missing", "ttl")

    def __init__(self, node: Node, path: str, simple: bool = True) -> None:
        self.node = node
        self.path = path
        self.simple = simple
        """Whether it is a path and nothing else."""
        self.context: dict[str, object] = {}
        self.skip = False
        self.ignore_missing = False
        self.skip_missing = False
        self.nested = ""
        self.ttl = ""


def read_items(node: Node | None, scope: FileScope) -> list[Item]:
    """An import list. Anything but a list of paths and maps with a path is an error."""
    if node is None or (isinstance(node, Scalar) and node.value is None):
        return []
    if not isinstance(node, Sequence):
        raise BAD_IMPORT.error(
            Label.of(node),
            why=f"invalid import section in '{scope.file}': it must be a list",
            hint="write `import:` with `- path` below it",
        )
    return [_item(child, scope) for child in node.items]


def _item(node: Node, scope: FileScope) -> Item:
    if isinstance(node, Mapping):
        return _long_form(node, scope)
    value = written_value(node)
    if not isinstance(value, str) or not value:
        raise _bad(node, scope, "an import is a path, or a map with a `path`")
    return Item(node, value)


def _long_form(node: Mapping, scope: FileScope) -> Item:
    path = node.entries.get("path")
    value = written_value(path) if path is not None else None
    if not isinstance(value, str) or not value:
        raise _bad(node, scope, "a map needs a `path`")
    for key in node.entries:
        if key not in OPTIONS:
            near = nearest(str(key), OPTIONS, 1)
            raise _bad(node, scope, f"there is no option `{key}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    item = Item(path or node, value, simple=False)
    context = node.entries.get("context")
    if context is not None:
        values = scope.run.values(context, scope.place)
        if values is not None and not isinstance(values, dict):
            raise _bad(context, scope, "its `context` must be a map")
        item.context = values or {}
    item.skip = _flag(node, "skip_templates_processing")
    item.ignore_missing = _flag(node, "ignore_missing_template_values")
    item.skip_missing = _flag(node, "skip_if_missing")
    nested = node.entries.get("nested_imports")
    item.nested = str(nested.value).strip().lower() if isinstance(nested, Scalar) else ""
    ttl = node.entries.get("ttl")
    item.ttl = ttl.text if isinstance(ttl, Scalar) else ""
    if item.nested not in ("", "local", "remote"):
        raise _bad(node, scope, "`nested_imports` is `local` or `remote`")
    return item


def _flag(node: Mapping, name: str) -> bool:
    found = node.entries.get(name)
    return isinstance(found, Scalar) and found.value is True


def written_value(node: Node) -> object:
    """A scalar's value, or the text of an expression: an import's path is rendered later."""
    if isinstance(node, Suspension):
        return node.expression.text
    return public_value(node, "an import path") if isinstance(node, Scalar) else None


def _bad(node: Node, scope: FileScope, why: str) -> PlaitError:
    return BAD_IMPORT.error(
        Label.of(node),
        why=f"invalid import in '{scope.file}': {why}",
        hint="for example: `- catalog/vpc`, or `- path: catalog/vpc`",
    )


class Manifest:
    """A file with its imports. `dynamic`: what it imports depends on who imports it."""

    __slots__ = (
        "_components",
        "_lines",
        "_names",
        "_overrides",
        "_owners",
        "_place",
        "_says",
        "_section_names",
        "_sections",
        "_sets",
        "_types",
        "asked",
        "chains",
        "dynamic",
        "file",
        "imports",
        "run",
    )

    def __init__(self, file: File, imports: tuple[Manifest, ...], asked: tuple[int, ...], dynamic: bool) -> None:
        self.file = file
        self.run: Run = file.run
        self.imports = imports
        self.asked = asked
        """For each import, which item of the file's list asks for it."""
        self.dynamic = dynamic
        self._sections: dict[tuple[str, str], Node | None] = {}
        self._components: dict[tuple[str, str, str], Node | None] = {}
        self._names: dict[str, dict[str, None]] = {}
        self._overrides: dict[str, Node | None] = {}
        self._sets: dict[Mentions, bool] = {}
        self._lines: list[Node] | None = None
        self._types: dict[str, None] | None = None
        self._section_names: dict[str, None] | None = None
        self._says: dict[str, bool] = {}
        self._owners: dict[str, dict[str, list[Manifest]]] = {}
        self._place: Place | None = None
        self.chains: dict[tuple[str, str], list[str]] = {}
        """What one inherits with a component as its base: the bases of that, the lowest first, and itself."""

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def place(self) -> Place:
        """Where words are seen from that decide how components are put together, before any of them is."""
        if self._place is None:
            entries: dict[Key, Node] = {name: node for name in CONTEXT if (node := self.section(name)) is not None}
            self._place = Place(node=Mapping(entries, live=True))
        return self._place

    def section(self, name: str, strategy: str = "") -> Node | None:
        """A section at the root, merged; None where no file has it."""
        key = (name, strategy)
        if key not in self._sections:
            parts = [part for one in self.imports if (part := one.section(name, strategy)) is not None]
            own = self.file.section(name)
            parts += [own] if own is not None else []
            self._sections[key] = merged(parts, self.run.policy(strategy, name))
        return self._sections[key]

    def component(self, type: str, name: str, strategy: str = "") -> Node | None:
        """A component as the files write it, merged; None where none has it."""
        key = (type, name, strategy)
        found = self._components.get(key)
        if found is None and name in self.names(type):
            parts = [
                part for one in self._bringing(type, name) if (part := one.component(type, name, strategy)) is not None
            ]
            own = self.file.component(type, name)
            parts += [own] if own is not None else []
            found = self._components[key] = merged(parts, self.run.policy(strategy, ""))
        return found

    def _bringing(self, type: str, name: str) -> list[Manifest]:
        """The imports that a component comes with."""
        found = self._owners.get(type)
        if found is None:
            found = {}
            for one in self.imports:
                for known in one.names(type):
                    found.setdefault(known, []).append(one)
            self._owners[type] = found
        return found.get(name, [])

    def section_names(self) -> dict[str, None]:
        """The sections that this file or an imported one has."""
        if self._section_names is None:
            found = dict.fromkeys(name for one in self.imports for name in one.section_names())
            found.update(dict.fromkeys(self.file.outline_keys()))
            self._section_names = found
        return self._section_names

    def names(self, type: str) -> dict[str, None]:
        """The components of a type, in the order in which the files name them."""
        found = self._names.get(type)
        if found is None:
            found = {}
            for one in self.imports:
                found.update(one.names(type))
            found.update(dict.fromkeys(self.file.component_names(type)))
            self._names[type] = found
        return found

    def types(self) -> list[str]:
        """The types that have components here."""
        if self._types is None:
            found = dict.fromkeys(type for one in self.imports for type in one.types())
            found.update(dict.fromkeys(type for type in self.file.component_types() if self.file.component_names(type)))
            self._types = found
        return list(self._types)

    def files(self) -> list[File]:
        """This file and all that it imports, each once, nearest first."""
        seen: dict[File, None] = {}
        queue: list[Manifest] = [self]
        for manifest in queue:
            if manifest.file not in seen:
                seen[manifest.file] = None
                queue.extend(manifest.imports)
        return list(seen)

    def may_set(self, mentions: Mentions) -> bool:
        """Whether a component or an override may say something about certain values."""
        if mentions not in self._sets:
            self._sets[mentions] = self.file.may_set(mentions) or any(one.may_set(mentions) for one in self.imports)
        return self._sets[mentions]

    # Overrides: a file's own are laid over everything that comes with it

    def overrides(self, type: str, name: str) -> Node | None:
        """The overrides of a component: those of every file through which it comes, the outer ones above."""
        if not self.says("overrides"):
            return None
        parts = [
            part for one in self.imports if name in one.names(type) and (part := one.overrides(type, name)) is not None
        ]
        if name in self.file.component_names(type):
            parts += [part for one in self.imports if (part := one.all_overrides(type)) is not None]
        own = self.own_overrides(type)
        return merged(parts + ([own] if own is not None else []), self.run.policy("", ""))

    def says(self, word: str) -> bool:
        """Whether a word stands anywhere in this file or an imported one."""
        if word not in self._says:
            self._says[word] = word in self.file.source.text or any(one.says(word) for one in self.imports)
        return self._says[word]

    def all_overrides(self, type: str) -> Node | None:
        """The overrides of this file and of those it imports."""
        if type not in self._overrides:
            parts = [part for one in self.imports if (part := one.all_overrides(type)) is not None]
            own = self.own_overrides(type)
            self._overrides[type] = merged(parts + ([own] if own is not None else []), self.run.policy("", ""))
        return self._overrides[type]

    def own_overrides(self, type: str) -> Node | None:
        keys = self.file.outline_keys()
        parts = [self.file.section("overrides")] if "overrides" in keys else []
        if type in keys and type in TYPES:
            parts.append(self.file.part(type, "overrides"))
        found: list[Node] = [part for part in parts if isinstance(part, Mapping) and part.entries]
        return merged(found, self.run.policy("", ""))

    # What the imports look like from outside

    def import_lines(self) -> dict[str, Node]:
        """All imported files by name, each with the line that asks for it; the nearest one."""
        found: dict[str, Node] = {}
        queue: list[Manifest] = [self]
        seen: set[Manifest] = set()
        for manifest in queue:  # grows while it is walked
            if manifest not in seen:
                seen.add(manifest)
                lines = manifest.lines()
                for one, at in zip(manifest.imports, manifest.asked, strict=True):
                    found.setdefault(one.name, lines[at])
                    queue.append(one)
        found.pop(self.name, None)
        return found

    def lines(self) -> list[Node]:
        """The nodes that ask for imports: paths, also those in a map."""
        if self._lines is None:
            self._lines = [entry(item, "path") or item for item in _items(self.file.section("import"))]
        return self._lines

    def depths(self) -> dict[str, int]:
        """For each file, how many imports away it is; the manifest itself is 1."""
        depths: dict[str, int] = {}
        level, queue = 1, [self]
        while queue:
            below: list[Manifest] = []
            for manifest in queue:
                if manifest.file.scope.file not in depths:
                    depths[manifest.file.scope.file] = level
                    below.extend(manifest.imports)
            level, queue = level + 1, below
        return depths


def merged(parts: list[Node], policy: MergePolicy) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return combine(parts, policy)


class Loader:
    """Reads manifests with their imports. Each file, and each file under one context, once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.base = run.config.stacks_path
        self._inside = run.config.base_path.rstrip("/") + "/"
        self._manifests: dict[tuple[str, str], Manifest | PlaitError] = {}
        self._files: dict[tuple[str, str], File] = {}
        self._found: dict[str, list[str]] = {}
        self._by_path: dict[str, Manifest] = {}
        """What a path without any options means, once it was read."""
        self.remote = run.remote

    def load(
        self, path: str, context: Context = PLAIN, chain: tuple[str, ...] = (), earlier: list[Manifest] | None = None
    ) -> Manifest:
        """A file with its imports. `chain` are the files that lead here, `earlier` what was imported before it."""
        key = (path, context.key)
        known = self._manifests.get(key)
        if known is None:
            try:
                known = self._load(path, context, chain, earlier or [])
            except PlaitError as error:
                if not chain:
                    self._manifests[key] = error
                raise
            if not known.dynamic:
                self._manifests[key] = known
        if isinstance(known, PlaitError):
            raise known
        return known

    def _load(self, path: str, context: Context, chain: tuple[str, ...], earlier: list[Manifest]) -> Manifest:
        chain = (*chain, path)
        if len(chain) > DEPTH:
            raise TOO_DEEP.error(limit=DEPTH, notes=_chain_notes(chain, self.run))
        try:
            file = self.file(path, context)
            file.check_structure()
            known = self._known_imports(file, context)
            if known is not None:
                return Manifest(file, known, tuple(range(len(known))), False)
            items = read_items(file.section("import"), file.scope)
        except PlaitError as error:
            raise chained(error, chain, self.run) from None
        imports: list[Manifest] = []
        asked: list[int] = []
        dynamic = False
        self.remote.start(items)
        for at, item in enumerate(items):
            before = [*earlier, *imports]
            dynamic = dynamic or "{{" in item.path
            for found in self._resolve(item, file, context, chain, before):
                one = self.load(found, self._context(item, context), chain, before)
                imports.append(one)
                before.append(one)
                asked.append(at)
                if context is PLAIN and item.simple and not one.dynamic and self._found.get(item.path) == [found]:
                    self._by_path[item.path] = one
        dynamic = dynamic or any(one.dynamic for one in imports)
        return Manifest(file, tuple(imports), tuple(asked), dynamic)

    def _known_imports(self, file: File, context: Context) -> tuple[Manifest, ...] | None:
        """What a file imports, where that is a list of paths that were all read before, each with all that it imports."""
        paths = file.import_paths() if context is PLAIN else None
        if paths is None:
            return None
        known = self._by_path
        found = tuple([known[path] for path in paths if path in known])
        return found if len(found) == len(paths) else None

    def file(self, path: str, context: Context = PLAIN) -> File:
        key = (path, context.key)
        if key not in self._files:
            self._files[key] = File(self.run, path, self.name_of(path), context)
        return self._files[key]

    def name_of(self, path: str) -> str:
        if path in self.remote.origins:
            return self.remote.origins[path].address
        name = (
            os.path.relpath(path, self.base).replace(os.sep, "/")
            if not path.startswith(self.base + "/")
            else path[len(self.base) + 1 :]
        )
        for extension in reversed(EXTENSIONS):
            if name.endswith(extension):
                return name[: -len(extension)]
        return name

    def _context(self, item: Item, context: Context) -> Context:
        if (
            not item.context
            and not context.values
            and not item.skip
            and not item.ignore_missing
            and not context.ignore_missing
        ):
            return PLAIN
        return Context(
            merged_values(item.context, context.values), item.skip, item.ignore_missing or context.ignore_missing
        )

    # Finding files

    def _resolve(
        self, item: Item, file: File, context: Context, chain: tuple[str, ...], earlier: list[Manifest]
    ) -> list[str]:
        """The files that an import means, in order."""
        path = item.path
        if "{{" in path and not item.skip and self.run.options.templates:
            path = self._rendered(item, file, context, earlier)
        found = self._find(path, file, item)
        if (
            not found and not item.skip_missing and "{{" not in path
        ):  # a template that is not to be rendered names nothing
            raise self._not_found(item, path, file, chain)
        for name in found:
            if not name.startswith(self._inside) and name not in self.remote.origins:
                self.run.project.check_inside(name, item.node)
            if name in chain:
                ring = (*chain[chain.index(name) :], name)
                raise IMPORTS_ITSELF.error(
                    Label.of(item.node),
                    file=self.run.shown(name),
                    notes=_chain_notes(ring, self.run),
                    hint="remove one of these imports",
                )
        return found

    def _find(self, path: str, file: File, item: Item) -> list[str]:
        if is_remote(path):
            return self.remote.find(item, path, self._below)
        if path.split("/", 1)[0] in (".", ".."):
            self.remote.check_inside(file.path, path, item.node)
            return self.remote.kept_inside(file.path, self._below(os.path.dirname(file.path), path), item.node)
        base = self.remote.base_of(file.path, self.base)
        if base != self.base:
            return self.remote.kept_inside(file.path, self._below(base, path), item.node)
        if path not in self._found:
            self._found[path] = self._below(self.base, path)
        return self._found[path]

    def _below(self, base: str, path: str) -> list[str]:
        if is_pattern(path):
            return self._globbed(base, path)
        found = self._existing(os.path.normpath(os.path.join(base, path)))
        return [found] if found else []

    def _globbed(self, base: str, pattern: str) -> list[str]:
        full = os.path.normpath(os.path.join(base, pattern))
        folder = os.path.commonpath([full.split("*")[0].rpartition("/")[0] or "/", full])
        pattern = os.path.relpath(full, folder).replace(os.sep, "/")
        patterns = [pattern] if pattern.endswith(EXTENSIONS) else [pattern + extension for extension in EXTENSIONS]
        return [
            os.path.join(folder, path)
            for path in sorted({path for one in patterns for path in matching(folder, one)})
            if path.endswith(EXTENSIONS)
        ]

    def _existing(self, full: str) -> str | None:
        """The file that a path without, or with, an extension means."""
        extensions = (".tmpl", "") if full.endswith(EXTENSIONS) else (*EXTENSIONS, "")
        return next((full + extension for extension in extensions if os.path.isfile(full + extension)), None)

    def written_imports(self, path: str) -> list[str]:
        """The files that a file names as its imports, as far as that is written out: for hints in errors."""
        paths = [
            written_value(item if isinstance(item, Scalar) else entry(item, "path") or item)
            for item in _items(self._written(path, "import"))
        ]
        base = os.path.dirname(path)
        found: list[str] = []
        for name in paths:
            if isinstance(name, str) and "{{" not in name and not is_pattern(name):
                folder = base if name.split("/", 1)[0] in (".", "..") else self.base
                full = self._existing(os.path.normpath(os.path.join(folder, name)))
                found += [full] if full else []
        return found

    def written_locals(self, path: str) -> set[str]:
        """The locals that a file defines anywhere, as they are written."""
        names: set[str] = set()
        sections = [self._written(path, "locals"), *(entry(self._written(path, type), "locals") for type in TYPES)]
        for node in sections:
            names.update(str(key) for key in node.entries) if isinstance(node, Mapping) else None
        return names

    def _written(self, path: str, key: str) -> Node | None:
        """A section of a file with nothing but plain YAML in it."""
        try:
            programs = self.run.parsed(self.run.project.source(path, self.run.shown(path)), path)
        except PlaitError:
            return None
        whole = build(programs[0], Source(path), Reading(text_keys=True)) if programs else None
        return entry(whole, key)

    def _not_found(self, item: Item, path: str, file: File, chain: tuple[str, ...]) -> PlaitError:
        base = os.path.dirname(os.path.normpath(os.path.join(self.base, path)))
        names = [self.name_of(os.path.join(base, name)) for name in os.listdir(base)] if os.path.isdir(base) else []
        near = nearest(path, names, 1)
        hint = f"did you mean `{near[0]}`?" if near else "`skip_if_missing: true` lets it be absent"
        return NO_IMPORT.error(
            Label.of(item.node), path=path, file=file.scope.file, notes=_chain_notes(chain, self.run), hint=hint
        )

    def _rendered(self, item: Item, file: File, context: Context, earlier: list[Manifest]) -> str:
        """A path that is a template: it sees what earlier imports say, and the import's own context."""
        from plait.fronts.stacks.templates import place_of
        from plait.notations.gotemplate.errors import TemplateError

        if self.run.templates.names(item.path):
            raise LOCAL_IN_IMPORT.error(
                Label.of(item.node),
                notes=("imports are resolved before locals",),
                hint="use settings, vars or env of an earlier import, the import's `context`, or an environment variable",
            )
        missing = "default" if item.ignore_missing or file.scope.ignore_missing else "error"
        try:
            data = self._seen(self.run.templates.parse(item.path), file, earlier)
            data.update(merged_values(item.context, context.values))
            render = self.run.templates.render
            return self.run.revealed.public(
                "an import path", data, lambda known: render(item.path, known, missing=missing), Label.of(item.node)
            )
        except TemplateError as error:
            why = f"failed to render Go template in import path: {error.message}"
            hint = "a path can read settings, vars and env of the imports before it, and the import's own `context`"
            raise STACK_TEMPLATE.error(place_of(error, item.path, item.node), why=why, hint=hint) from None

    def _seen(self, parsed: Parsed, file: File, earlier: list[Manifest]) -> dict[str, object]:
        """What a path can read of earlier imports: no more of it is evaluated."""
        data: dict[str, object] = {}
        for name in CONTEXT:
            parts = [part for one in earlier if (part := one.section(name)) is not None]
            node = merged(parts, self.run.policy("", name))
            if node is not None:
                data[name] = self.run.plain(parsed.used(node, name), file.scope.place)
        return data


def merged_values(low: dict[str, object], high: dict[str, object]) -> dict[str, object]:
    from plait.notations.yq.functions import deep_merged  # a language of its own, for imports that have a context

    found: dict[str, object] = deep_merged(low, high)
    return found


def _items(node: Node | None) -> list[Node]:
    return list(node.items) if isinstance(node, Sequence) else []


def _chain_notes(chain: tuple[str, ...], run: Run) -> tuple[str, ...]:
    """The files that led to some trouble, from the manifest on."""
    shown = [run.shown(path) for path in chain]
    lines = [f"{'  ' if index == 0 else '    '}→ {name}" for index, name in enumerate(shown)]
    return (f"File being processed: {shown[-1]}", "Import chain:", *lines)


def chained(error: PlaitError, chain: tuple[str, ...], run: Run) -> PlaitError:
    """An error in a file with the imports that lead to it."""
    if len(chain) < 2 or any("Import chain:" in d.notes for d in error.diagnostics):
        return error
    notes = _chain_notes(chain, run)
    return PlaitError(*(diagnostic.also_noting(*notes) for diagnostic in error.diagnostics))


def entry(node: Node | None, key: Key) -> Node | None:
    """A key of a mapping, where it is one."""
    return node.entries.get(key) if isinstance(node, Mapping) else None
