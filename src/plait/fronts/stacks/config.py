"""atmos.yaml: where it is found, how several of them merge, and the keys that matter here.

A flag wins over the environment, the environment over the files, the files over the defaults. Keys that plait has no use for
(running terraform, vendoring, auth, workflows) are kept and ignored.
"""

from __future__ import annotations

import os

from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.policy import ListRule
from plait.core.scope import Place
from plait.core.source import Source
from plait.fronts.stacks.dotted import expanded
from plait.fronts.stacks.functions import node_of
from plait.fronts.stacks.git import Repository
from plait.fronts.stacks.globs import files_below, is_pattern, matching
from plait.fronts.stacks.imports import Item
from plait.fronts.stacks.scope import TYPES
from plait.merging.combine import combine
from plait.report.catalog import BAD_CONFIG, BAD_STRATEGY, NO_CONFIG
from plait.report.near import did_you_mean
from plait.services.remote import is_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.stacks.run import Run

NAMES = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")
STRATEGIES = {"replace": "replace", "append": "append", "merge": "index"}
"""What Atmos calls a list strategy, and what the merge calls it."""

DEFAULTS: dict[str, object] = {
    "base_path": ".",
    "stacks": {
        "base_path": "stacks",
        "included_paths": ["**/*"],
        "excluded_paths": ["**/_defaults.yaml"],
        "inherit": {"metadata": True, "source": True},
    },
    "components": {
        type: {"base_path": f"components/{type}", "command": type} for type in ("terraform", "helmfile", "packer")
    },
    "settings": {"list_merge_strategy": "replace"},
    "templates": {
        "settings": {
            "enabled": True,
            "sprig": {"enabled": True},
            "gomplate": {"enabled": True, "timeout": 5},
            "evaluations": 1,
        }
    },
    "describe": {
        "provenance": True,
        "component": {"filter": "schema"},
        "error_mode": "warn",
        "settings": {"include_empty": False},
    },
    "list": {"error_mode": "warn"},
}

VARIABLES: dict[str, tuple[str, ...]] = {
    "ATMOS_BASE_PATH": ("base_path",),
    "ATMOS_STACKS_BASE_PATH": ("stacks", "base_path"),
    "ATMOS_STACKS_INCLUDED_PATHS": ("stacks", "included_paths"),
    "ATMOS_STACKS_EXCLUDED_PATHS": ("stacks", "excluded_paths"),
    "ATMOS_STACKS_NAME_PATTERN": ("stacks", "name_pattern"),
    "ATMOS_STACKS_NAME_TEMPLATE": ("stacks", "name_template"),
    "ATMOS_COMPONENTS_TERRAFORM_BASE_PATH": ("components", "terraform", "base_path"),
    "ATMOS_COMPONENTS_TERRAFORM_COMMAND": ("components", "terraform", "command"),
    "ATMOS_COMPONENTS_HELMFILE_BASE_PATH": ("components", "helmfile", "base_path"),
    "ATMOS_COMPONENTS_HELMFILE_COMMAND": ("components", "helmfile", "command"),
    "ATMOS_COMPONENTS_PACKER_BASE_PATH": ("components", "packer", "base_path"),
    "ATMOS_COMPONENTS_PACKER_COMMAND": ("components", "packer", "command"),
    "ATMOS_SETTINGS_LIST_MERGE_STRATEGY": ("settings", "list_merge_strategy"),
    "ATMOS_SCHEMAS_ATMOS_MANIFEST": ("schemas", "atmos", "manifest"),
    "ATMOS_LOGS_LEVEL": ("logs", "level"),
    "ATMOS_LOGS_FILE": ("logs", "file"),
    "ATMOS_DESCRIBE_PROVENANCE": ("describe", "provenance"),
    "ATMOS_DESCRIBE_COMPONENT_FILTER": ("describe", "component", "filter"),
}
"""Environment variables, and the keys that they stand for."""
LISTS = frozenset({"ATMOS_STACKS_INCLUDED_PATHS", "ATMOS_STACKS_EXCLUDED_PATHS"})

SHAPES: dict[str, tuple[tuple[type, ...], str]] = {
    "a map": ((dict,), "write `{key}:` with `name: value` below it"),
    "a text": ((str, int, float), "write `{key}: text`"),
    "a list of texts": ((list, str), "write `{key}:` with `- text` below it"),
    "a whole number": ((int,), "write `{key}: 2`"),
}
"""What a key may hold, as plain data, and how it is written."""
KEYS: dict[str, str] = {
    "base_path": "a text", "import": "a list of texts", "env": "a map", "stores": "a map", "profiles": "a map",
    "stacks": "a map", "stacks.base_path": "a text", "stacks.included_paths": "a list of texts", "stacks.excluded_paths": "a list of texts",
    "stacks.name_template": "a text", "stacks.name_pattern": "a text", "stacks.inherit": "a map", "stacks.list": "a map",
    "components": "a map", **{f"components.{type}": "a map" for type in TYPES},
    **{f"components.{type}.{key}": "a text" for type in TYPES for key in ("base_path", "command")},
    "settings": "a map", "settings.list_merge_strategy": "a text", "settings.terminal": "a map", "settings.terminal.tab_width": "a whole number",
    "settings.yaml": "a map", "settings.yaml.key_delimiter": "a text",
    "templates": "a map", "templates.settings": "a map", "templates.settings.evaluations": "a whole number", "templates.settings.env": "a map",
    "templates.settings.gomplate": "a map", "templates.settings.gomplate.datasources": "a map",
    "describe": "a map", "describe.component": "a map", "describe.settings": "a map", "list": "a map", "schemas": "a map",
}  # fmt: skip
"""The keys that plait reads, and what they hold. All others are kept and ignored."""


def list_rule(name: str, *labels: Label) -> ListRule:
    """What a list strategy means to the merge; an unknown one is an error that lists those there are."""
    if name not in STRATEGIES:
        raise BAD_STRATEGY.error(*labels, name=name, notes=(f"unknown list merge strategy: {name}",))
    return ListRule(STRATEGIES[name])


class Flags:
    """What the command line says about the configuration."""

    __slots__ = ("base_path", "config", "config_path", "profile", "values")

    def __init__(
        self,
        base_path: str = "",
        config: Iterable[str] = (),
        config_path: Iterable[str] = (),
        profile: Iterable[str] = (),
        values: dict[tuple[str, ...], object] | None = None,
    ) -> None:
        self.base_path = base_path
        self.config = list(config)
        self.config_path = list(config_path)
        self.profile = list(profile)
        self.values = values or {}
        """Other flags, by the keys that they stand for."""


class Config:
    """The effective configuration. `tree` has all of it, also the keys that plait does not use."""

    def __init__(self, tree: Mapping, folder: str, plain: dict[str, object], place: Place) -> None:
        self.tree = tree
        self.place = place
        """Where its functions are seen from: they are called once, when it is read."""
        self.folder = folder
        self.plain = plain
        self.base_path = ""
        self.stacks_path = ""
        strategy = self.text("settings", "list_merge_strategy") or "replace"
        list_rule(strategy, *_labels(tree, ("settings", "list_merge_strategy")))
        self.strategy = strategy
        self.name_template = self.text("stacks", "name_template")
        self.name_pattern = self.text("stacks", "name_pattern")
        self.ignore_missing = self.get("templates", "settings", "ignore_missing_template_values") is True
        self.delimiters = self._delimiters()
        self.inherit_metadata = self.truth("stacks", "inherit", "metadata", default=True)
        self.workspaces = self.truth("components", "terraform", "workspaces_enabled", default=True)
        self.separator = self.text("components", "terraform", "workspace", "prefix_separator") or "-"
        self._commands: dict[str, str] = {}

    def command(self, type: str) -> str:
        """The command that runs components of a type."""
        if type not in self._commands:
            self._commands[type] = self.text("components", type, "command") or type
        return self._commands[type]

    def get(self, *path: str) -> object:
        """The value at a path; None where there is none."""
        value: object = self.plain
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def text(self, *path: str) -> str:
        value = self.get(*path)
        return "" if value is None else str(value)

    def truth(self, *path: str, default: bool = False) -> bool:
        value = self.get(*path)
        if isinstance(value, str):
            return value.strip().lower() in ("1", "true", "yes", "on", "t")
        return default if value is None else bool(value)

    def texts(self, *path: str) -> list[str]:
        value = self.get(*path)
        return [str(item) for item in value] if isinstance(value, list) else [str(value)] if value else []

    def number(self, *path: str, default: int) -> int:
        """A whole number above zero."""
        value = self.get(*path)
        return value if isinstance(value, int) and value > 0 else default

    def component_path(self, type: str) -> str:
        base = self.text("components", type, "base_path") or f"components/{type}"
        return os.path.normpath(os.path.join(self.base_path, base))

    def _delimiters(self) -> tuple[str, str]:
        given = self.get("templates", "settings", "delimiters")
        if given in (None, []):
            return ("{{", "}}")
        if isinstance(given, list) and len(given) == 2 and all(isinstance(word, str) and word for word in given):
            return (given[0], given[1])
        labels = _labels(self.tree, ("templates", "settings", "delimiters"))
        raise BAD_CONFIG.error(
            *labels,
            why="invalid 'templates.settings.delimiters' config in 'atmos.yaml'",
            hint="two texts that are not empty",
        )


def check_kinds(tree: Mapping, plain: dict[str, object]) -> None:
    """That the keys which plait reads hold what they should."""
    for name, kind in KEYS.items():
        path = tuple(name.split("."))
        value: object = plain
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        types, hint = SHAPES[kind]
        if value is not None and (not isinstance(value, types) or isinstance(value, bool)):
            raise BAD_CONFIG.error(
                *_labels(tree, path),
                why=f"`{name}` of the configuration must be {kind}",
                hint=hint.format(key=path[-1]),
            )


def _labels(tree: Node, path: tuple[str, ...]) -> tuple[Label, ...]:
    node: Node | None = tree
    for step in path:
        node = node.entries.get(step) if isinstance(node, Mapping) else None
    return (Label.of(node),) if node is not None else ()


class Finder:
    """Finds the files of a configuration, the lowest first."""

    def __init__(self, run: Run, flags: Flags, folder: str) -> None:
        self.run = run
        self.flags = flags
        self.cwd = folder

    def config(self) -> Config:
        files = self.files()
        if not files:
            hint = (
                "plait reads the repository of an Atmos user: name its folder with --chdir, or its file with --config"
            )
            raise NO_CONFIG.error(hint=hint)
        folder = os.path.dirname(os.path.abspath(files[-1]))
        self.run.project.door.add_root(folder)  # the configuration that was chosen: its folder is the project
        parts = [node for file in files for node in self.parts(file)]
        shared = [node for name in self._of_repository(files) for node in self.parts(name, 1)]
        parts = [*shared, *parts]
        parts += [node for file in self.profiles(folder, parts) for node in self.parts(file, 1)]
        plain_parts = [node_of(DEFAULTS, Source("the defaults", given=True), 0), *parts, *self.given()]
        tree = combine(plain_parts, self.run.policy("", ""))
        assert isinstance(tree, Mapping)
        place = Place(node=tree)
        plain = self.run.plain(tree, place)
        assert isinstance(plain, dict)
        check_kinds(tree, plain)
        config = Config(tree, folder, plain, place)
        config.base_path = self.base_path(config, parts)
        config.stacks_path = os.path.normpath(os.path.join(config.base_path, config.text("stacks", "base_path")))
        return config

    def files(self) -> list[str]:
        """The configuration files that apply, the lowest first."""
        named = self._named()
        if named:
            return named
        pinned = os.environ.get("ATMOS_CLI_CONFIG_PATH")
        if pinned:
            found = self._in(os.path.join(self.cwd, pinned))
            return [self.run.project.admit(found)] if found else []
        repository = Repository.around(self.cwd)
        folders = [
            "/usr/local/etc/atmos",
            os.path.join(os.path.expanduser("~"), ".atmos"),
            self._above(),
            repository.root if repository else "",
            self.cwd,
        ]
        obeys = self.run.project.obeys
        found_files = [found for folder in folders if folder and (found := self._in(folder)) and obeys(found)]
        return list(dict.fromkeys(map(os.path.realpath, found_files)))

    def _named(self) -> list[str]:
        """Files and folders that a flag or a variable names; a flag beats its variable."""
        files = self.flags.config or _split(os.environ.get("ATMOS_CONFIG", ""))
        folders = self.flags.config_path or _split(os.environ.get("ATMOS_CONFIG_PATH", ""))
        found = [os.path.join(self.cwd, file) for file in files]
        for folder in folders:
            inside = self._in(os.path.join(self.cwd, folder))
            if inside is None:
                raise NO_CONFIG.error(
                    notes=(f"looked in {folder}",), hint="--config-path names a folder with an atmos.yaml"
                )
            found.append(inside)
        return [self.run.project.admit(name) for name in found]

    def _in(self, folder: str) -> str | None:
        if os.path.isfile(folder):
            return folder
        return next((path for name in NAMES if os.path.isfile(path := os.path.join(folder, name))), None)

    def _above(self) -> str:
        """The nearest folder above that has a configuration."""
        at = os.path.dirname(os.path.realpath(self.cwd))
        while self._in(at) is None:
            above = os.path.dirname(at)
            if above == at:
                return ""
            at = above
        return at

    def parts(self, file: str, depth: int = 0) -> list[Node]:
        """A file, what it imports below it, and the folder `.atmos.d` beside it above it."""
        own = self.run.read_config(file)
        imports = own.entries.get("import")
        below = [node for name in self._imports(imports, file) if depth < 10 for node in self.parts(name, depth + 1)]
        beside = [] if depth else [node for name in self._beside(os.path.dirname(file)) for node in self.parts(name, 1)]
        return [*below, expanded(own), *beside]

    def _imports(self, node: Node | None, file: str) -> list[str]:
        """The files that a configuration file imports: of its own folder, or of another repository."""
        found: list[str] = []
        for item in node.items if isinstance(node, Sequence) else []:
            path = str(item.value) if isinstance(item, Scalar) else ""
            if is_remote(path):
                found += self.run.remote.find(Item(item, path), path, _matching)
                continue
            self.run.remote.check_inside(file, path, item)
            found += self.run.remote.kept_inside(file, _matching(os.path.dirname(file), path), item)
        return found

    def _beside(self, folder: str) -> list[str]:
        inside = os.path.join(folder, ".atmos.d")
        names = [name for name in files_below(inside) if name.endswith((".yaml", ".yml"))]
        return [os.path.join(inside, name) for name in sorted(names, key=lambda name: (name.count("/"), name))]

    def _of_repository(self, files: list[str]) -> list[str]:
        """The folder `.atmos.d` at the top of the git repository, where no configuration file lies beside it."""
        repository = Repository.around(self.cwd)
        if repository is None or any(os.path.dirname(file) == repository.root for file in files):
            return []
        return self._beside(repository.root)

    def profiles(self, folder: str, parts: list[Node]) -> list[str]:
        """The files of the profiles that are asked for, in their order. `parts` is the configuration below them."""
        names = self.flags.profile or _split(os.environ.get("ATMOS_PROFILE", ""))
        names = [word for several in names for word in _split(several)]
        places = self._profile_places(folder, parts) if names else []
        found: list[str] = []
        for name in names:
            path = next(
                (
                    path
                    for place in places
                    if os.path.isdir(path := os.path.join(place, name)) or os.path.isfile(path + ".yaml")
                ),
                None,
            )
            if path is None:
                raise self._no_profile(name, places)
            found += (
                [os.path.join(path, inner) for inner in files_below(path) if inner.endswith((".yaml", ".yml"))]
                if os.path.isdir(path)
                else [path + ".yaml"]
            )
        return found

    def _profile_places(self, folder: str, parts: list[Node]) -> list[str]:
        """Where profiles are looked for, the first that has one wins."""
        tree = combine(parts, self.run.policy("", ""))
        named = (
            self.run.plain(tree, Place(node=tree)) if isinstance(tree, Mapping) and "profiles" in tree.entries else {}
        )
        section = named.get("profiles") if isinstance(named, dict) else None
        base = section.get("base_path") if isinstance(section, dict) else None
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        personal = os.path.join(home, "atmos", "profiles")
        places = [os.path.join(folder, base)] if isinstance(base, str) and base else []
        places += [os.path.join(folder, ".atmos", "profiles"), *([personal] if os.path.isdir(personal) else [])]
        return [*places, os.path.join(folder, "profiles")]

    @staticmethod
    def _no_profile(name: str, places: list[str]) -> PlaitError:
        there = sorted(
            {os.path.splitext(found)[0] for place in places if os.path.isdir(place) for found in os.listdir(place)}
        )
        hint = did_you_mean(name, there) or (
            f"there are: {', '.join(there)}" if there else "a profile is a folder of YAML files, or NAME.yaml"
        )
        return BAD_CONFIG.error(
            why=f"there is no profile `{name}`", notes=tuple(f"looked in {place}" for place in places), hint=hint
        )

    def given(self) -> list[Node]:
        """What the environment says, and above it what the flags say."""
        nodes: list[Node] = []
        for variable, path in VARIABLES.items():
            value = os.environ.get(variable)
            if value and path != ("base_path",):
                plain: object = _split(value) if variable in LISTS else value
                nodes.append(node_of(_nested(path, plain), Source(variable, value, given=True), 0))
        for path, plain in self.flags.values.items():
            nodes.append(node_of(_nested(path, plain), Source("a flag", str(plain), given=True), 0))
        return nodes

    def base_path(self, config: Config, parts: list[Node]) -> str:
        """Where the repository is: see the docs for what a path without a dot means."""
        flag = self.flags.base_path or os.environ.get("ATMOS_BASE_PATH", "")
        found = self._base_path(config, flag)
        return self.run.project.admit(found) if flag else found

    def _base_path(self, config: Config, flag: str) -> str:
        path = flag or config.text("base_path")
        if os.path.isabs(path):
            return os.path.normpath(path)
        if path.split("/", 1)[0] in (".", ".."):
            return os.path.normpath(os.path.join(self.cwd if flag else config.folder, path))
        if os.environ.get("ATMOS_GIT_ROOT_BASEPATH", "").lower() != "false":
            repository = Repository.around(self.cwd)
            if repository is not None and os.path.isdir(os.path.join(repository.root, path)):
                return os.path.normpath(os.path.join(repository.root, path))
        for folder in (self.cwd, config.folder):
            if os.path.isdir(os.path.join(folder, path)):
                return os.path.normpath(os.path.join(folder, path))
        return os.path.normpath(os.path.join(config.folder, path))


def _matching(folder: str, path: str) -> list[str]:
    """The configuration files that a path means, from a folder."""
    full = os.path.normpath(os.path.join(folder, path))
    if is_pattern(path):
        return [os.path.join(folder, name) for name in matching(folder, os.path.relpath(full, folder))]
    return [found for found in (full, full + ".yaml", full + ".yml") if os.path.isfile(found)][:1]


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _nested(path: tuple[str, ...], value: object) -> object:
    for step in reversed(path):
        value = {step: value}
    return value
