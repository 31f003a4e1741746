"""The files of a configuration: where they are found, what they import, and how they merge.

A flag wins over the environment, the environment over the files, the files over the defaults. Keys that plait has no use for
(running terraform, vendoring, auth, workflows) are kept and ignored.
"""

from __future__ import annotations

import os

from plait.access.environment import config_home
from plait.core.diagnostic import Label, PlaitError
from plait.core.node import Mapping, Node, Scalar, Sequence
from plait.core.policy import MergePolicy
from plait.core.source import Source
from plait.fronts.stacks.ask.remote import RemoteImport
from plait.fronts.stacks.config.config import Config
from plait.fronts.stacks.config.dotted import expanded
from plait.fronts.stacks.config.functions import ConfigFile
from plait.fronts.stacks.config.keys import DEFAULTS, LISTS, VARIABLES
from plait.fronts.stacks.ground.git import GitRepository
from plait.fronts.stacks.ground.globs import is_pattern, matching_files
from plait.fronts.stacks.ground.nodes import node_of
from plait.merging.combine import combine
from plait.report.catalog import BAD_CONFIG, NO_CONFIG
from plait.report.near import did_you_mean
from plait.services.remote import is_remote
from plait.yaml.build import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.fronts.stacks.ask.include import Includes
    from plait.fronts.stacks.ask.remote import RemoteImports
    from plait.fronts.stacks.ground.ground import Ground

NAMES = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")


class ConfigFlags:
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


def read_config(ground: Ground, flags: ConfigFlags, remote: RemoteImports, includes: Includes) -> Config:
    """The effective configuration of the folder that a question is asked in."""
    return Finder(ground, flags, remote, includes).config()


class Finder:
    """Finds the files of a configuration, the lowest first."""

    def __init__(self, ground: Ground, flags: ConfigFlags, remote: RemoteImports, includes: Includes) -> None:
        self.ground = ground
        self.flags = flags
        self.remote = remote
        self.includes = includes
        self.cwd = ground.folder
        self.read: set[str] = set()
        """The files that were read."""
        self.policy = MergePolicy(kinds=ground.project.settings.kinds)

    def config(self) -> Config:
        files = self.files()
        if not files:
            hint = (
                "plait reads the repository of an Atmos user: name its folder with --chdir, or its file with --config"
            )
            raise NO_CONFIG.error(hint=hint)
        folder = os.path.dirname(os.path.abspath(files[-1]))
        self.ground.project.door.add_root(folder)  # the configuration that was chosen: its folder is the project
        parts = [node for file in files for node in self.parts(file)]
        shared = [node for name in self._of_repository(files) for node in self.parts(name, 1)]
        parts = [*shared, *parts]
        parts += [node for file in self.profiles(folder, parts) for node in self.parts(file, 1)]
        low = node_of(DEFAULTS, Source("the defaults", given=True), 0)
        tree = combine([low, *parts, *self.given()], self.policy)
        assert isinstance(tree, Mapping)
        config = Config(self.ground, tree, folder, self.read)
        config.base_path = self.base_path(config)
        config.stacks_path = os.path.normpath(os.path.join(config.base_path, config.text("stacks", "base_path")))
        return config

    def files(self) -> list[str]:
        """The configuration files that apply, the lowest first."""
        named = self._named()
        if named:
            return named
        pinned = self.ground.project.environment("ATMOS_CLI_CONFIG_PATH")
        if pinned:
            found = self._in(os.path.join(self.cwd, pinned))
            return [self.ground.project.admit(found)] if found else []
        folders = ["/usr/local/etc/atmos", os.path.join(os.path.expanduser("~"), ".atmos"), *self._around()]
        obeys = self.ground.project.obeys
        found_files = [found for folder in folders if folder and (found := self._in(folder)) and obeys(found)]
        return list(dict.fromkeys(map(os.path.realpath, found_files)))

    def _around(self) -> list[str]:
        """The working folder, where it has a configuration: that is complete. Else the nearest folder above, and the git root over it."""
        if self._in(self.cwd) is not None:
            return [self.cwd]
        repository = GitRepository.around(self.cwd, self.ground.project)
        return [self._above(), repository.root if repository else ""]

    def _named(self) -> list[str]:
        """Files and folders that a flag or a variable names; a flag beats its variable."""
        files = self.flags.config or _split(self.ground.project.environment("ATMOS_CONFIG"))
        folders = self.flags.config_path or _split(self.ground.project.environment("ATMOS_CONFIG_PATH"))
        found = [os.path.join(self.cwd, file) for file in files]
        for folder in folders:
            inside = self._in(os.path.join(self.cwd, folder))
            if inside is None:
                raise NO_CONFIG.error(
                    notes=(f"looked in {folder}",), hint="--config-path names a folder with an atmos.yaml"
                )
            found.append(inside)
        return [self.ground.project.admit(name) for name in found]

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
        own = self.document(file)
        imports = own.entries.get("import")
        below = [node for name in self._imports(imports, file) if depth < 10 for node in self.parts(name, depth + 1)]
        beside = [] if depth else [node for name in self._beside(os.path.dirname(file)) for node in self.parts(name, 1)]
        return [*below, expanded(own), *beside]

    def document(self, file: str) -> Mapping:
        """A configuration file as it is written."""
        self.read.add(file)
        written = ConfigFile(self.ground, file, self.includes)
        source = self.ground.project.source(file, written.file)
        programs = self.ground.documents.parsed(source, file)
        node = build(programs[0], source, written.reading()) if programs else Mapping({}, source)
        if isinstance(node, Scalar) and node.value is None:
            return Mapping({}, source)
        if not isinstance(node, Mapping):
            raise BAD_CONFIG.error(
                Label.of(node),
                why=f"{written.file} holds a {node.kind}, not a map",
                hint="write sections: `stacks:`, `components:`, ...",
            )
        return node

    def _imports(self, node: Node | None, file: str) -> list[str]:
        """The files that a configuration file imports: of its own folder, or of another repository."""
        found: list[str] = []
        for item in node.items if isinstance(node, Sequence) else []:
            path = str(item.value) if isinstance(item, Scalar) else ""
            if is_remote(path):
                found += self._fetched(RemoteImport(item, path))
                continue
            self.remote.check_inside(file, path, item)
            found += self.remote.kept_inside(file, self._matching(os.path.dirname(file), path), item)
        return found

    def _fetched(self, wanted: RemoteImport) -> list[str]:
        return self.ground.answer(lambda: self.remote.find(wanted, wanted.path, self._matching))

    def _matching(self, folder: str, path: str) -> list[str]:
        """The configuration files that a path means, from a folder."""
        full = os.path.normpath(os.path.join(folder, path))
        if is_pattern(path):
            return matching_files(self.ground.project, folder, path)
        return [found for found in (full, full + ".yaml", full + ".yml") if os.path.isfile(found)][:1]

    def _beside(self, folder: str) -> list[str]:
        inside = os.path.join(folder, ".atmos.d")
        names = [name for name in self.ground.project.files_below(inside) if name.endswith((".yaml", ".yml"))]
        return [os.path.join(inside, name) for name in sorted(names, key=lambda name: (name.count("/"), name))]

    def _of_repository(self, files: list[str]) -> list[str]:
        """The folder `.atmos.d` at the top of the git repository, where no configuration file lies beside it."""
        repository = GitRepository.around(self.cwd, self.ground.project)
        if repository is None or any(os.path.dirname(file) == repository.root for file in files):
            return []
        return self._beside(repository.root)

    def profiles(self, folder: str, parts: list[Node]) -> list[str]:
        """The files of the profiles that are asked for, in their order. `parts` is the configuration below them."""
        names = self.flags.profile or _split(self.ground.project.environment("ATMOS_PROFILE"))
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
                [
                    os.path.join(path, inner)
                    for inner in self.ground.project.files_below(path)
                    if inner.endswith((".yaml", ".yml"))
                ]
                if os.path.isdir(path)
                else [path + ".yaml"]
            )
        return found

    def _profile_places(self, folder: str, parts: list[Node]) -> list[str]:
        """Where profiles are looked for, the first that has one wins."""
        tree = combine(parts, self.policy)
        base: object = None
        if isinstance(tree, Mapping) and "profiles" in tree.entries:
            base = Config(self.ground, tree, folder, set()).get("profiles", "base_path")
        places = [os.path.join(folder, base)] if isinstance(base, str) and base else []
        places += [os.path.join(folder, ".atmos", "profiles"), *self._personal()]
        return [*places, os.path.join(folder, "profiles")]

    def _personal(self) -> list[str]:
        """The folder of the user's own profiles; a hermetic run has none."""
        project = self.ground.project
        folder = os.path.join(config_home(), "atmos", "profiles")
        return [project.admit(folder)] if project.is_folder(folder) and not project.guard.hermetic else []

    def _no_profile(self, name: str, places: list[str]) -> PlaitError:
        there = sorted({os.path.splitext(found)[0] for place in places for found in self.ground.project.listing(place)})
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
            value = self.ground.project.environment(variable)
            if value and path != ("base_path",):
                plain: object = _split(value) if variable in LISTS else value
                nodes.append(node_of(_nested(path, plain), Source(variable, value, given=True), 0))
        for path, plain in self.flags.values.items():
            nodes.append(node_of(_nested(path, plain), Source("a flag", str(plain), given=True), 0))
        return nodes

    def base_path(self, config: Config) -> str:
        """Where the repository is: see the docs for what a path without a dot means."""
        flag = self.flags.base_path or self.ground.project.environment("ATMOS_BASE_PATH")
        found = self._base_path(config, flag)
        return self.ground.project.admit(found) if flag else found

    def _base_path(self, config: Config, flag: str) -> str:
        path = flag or config.text("base_path")
        if os.path.isabs(path):
            return os.path.normpath(path)
        if path.split("/", 1)[0] in (".", ".."):
            return os.path.normpath(os.path.join(self.cwd if flag else config.folder, path))
        if self.ground.project.environment("ATMOS_GIT_ROOT_BASEPATH").lower() != "false":
            repository = GitRepository.around(self.cwd, self.ground.project)
            if repository is not None and os.path.isdir(os.path.join(repository.root, path)):
                return os.path.normpath(os.path.join(repository.root, path))
        for folder in (self.cwd, config.folder):
            if os.path.isdir(os.path.join(folder, path)):
                return os.path.normpath(os.path.join(folder, path))
        return os.path.normpath(os.path.join(config.folder, path))


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _nested(path: tuple[str, ...], value: object) -> object:
    for step in reversed(path):
        value = {step: value}
    return value
