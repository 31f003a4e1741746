"""Finds configuration files in order of precedence, and the reason why some of them do not apply.

If flags name files, no others are read. Otherwise, lowest first: the system's folder, the user's folder, and the
working folder. If the working folder has no configuration, the nearest folder above it that has one, and the root of
the git repository. Then the folder in ATMOS_CLI_CONFIG_PATH; if it is set, folders above are not searched.
"""

from __future__ import annotations

import os

from plait.access.environment import home_folder
from plait.report.catalog import NO_CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from plait.core.diagnostic import PlaitError
    from plait.fronts.stacks.session.git import GitRepository
    from plait.fronts.stacks.session.session import StackSession

NAMES = ("atmos.yaml", "atmos.yml", ".atmos.yaml", ".atmos.yml")
SYSTEM = "/usr/local/etc/atmos"
PINNED = "ATMOS_CLI_CONFIG_PATH"
OWN = "the working folder has its own configuration"


class ConfigFlags:
    """The flags about the configuration."""

    __slots__ = ("base_path", "config", "config_path", "pinned", "profile", "values")

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
        """Other flags, by the keys that they set."""
        self.pinned = ""
        """The value used instead of ATMOS_CLI_CONFIG_PATH in a copy of the repository."""

    def words(self) -> dict[str, object]:
        """The arguments that make the same flags, as plain data."""
        names = ("base_path", "config", "config_path", "profile", "values")
        return {name: getattr(self, name) for name in names}


class ConfigPlace:
    """A place where a configuration may be: its description, the file that was found there, and why it does not
    apply."""

    __slots__ = ("file", "name", "what", "why_not")

    def __init__(self, what: str, name: str, file: str = "", why_not: str = "") -> None:
        self.what = what
        self.name = name
        self.file = file
        self.why_not = why_not


class Search:
    """The places of one question, the lowest first."""

    def __init__(
        self, session: StackSession, flags: ConfigFlags, environment: dict[str, str], repository: GitRepository | None
    ) -> None:
        self._project = session.project
        self._environment = environment
        self._root = repository.root if repository is not None else ""
        self._cwd = session.folder
        self._flags = flags
        self.places = self._named() or [*self._standard(), *self._pinned()]

    def _named(self) -> list[ConfigPlace]:
        """Files and folders that a flag or a variable names; a flag beats its variable."""
        files = self._flags.config or split(self._environment.get("ATMOS_CONFIG", ""))
        folders = self._flags.config_path or split(self._environment.get("ATMOS_CONFIG_PATH", ""))
        places = [ConfigPlace("--config", name, self._admitted(name)) for name in files]
        for name in folders:
            inside = self._in(os.path.join(self._cwd, name))
            if inside is None:
                raise NO_CONFIG.error(
                    notes=(f"looked in {name}",), hint="--config-path names a folder with an atmos.yaml"
                )
            places.append(ConfigPlace("--config-path", name, self._project.admit(inside)))
        return places

    def _admitted(self, name: str) -> str:
        return self._project.admit(os.path.join(self._cwd, name))

    def _standard(self) -> list[ConfigPlace]:
        home, root = os.path.join(home_folder(), ".atmos"), self._root
        groups = ([SYSTEM], [home], self._folders_above(), [root] if root else [], [self._cwd])
        system, personal, above, top, own = self._first_in(*groups)
        stop = OWN if own is not None else f"{PINNED} is set" if self._pin() else ""
        return _unique(
            [
                self._place("the system", SYSTEM, system),
                self._place("the home folder", home, personal),
                self._place("a folder above", os.path.dirname(above or ""), above, stop),
                self._place("the root of the git repository", root, top, stop),
                self._place("the working folder", self._cwd, own),
            ]
        )

    def _pin(self) -> str:
        return self._flags.pinned or self._environment.get(PINNED, "")

    def _pinned(self) -> list[ConfigPlace]:
        name = self._pin()
        if not name:
            return []
        file = self._in(os.path.join(self._cwd, name))
        return [
            ConfigPlace(PINNED, name, self._project.admit(file))
            if file
            else ConfigPlace(PINNED, name, "", "no atmos.yaml")
        ]

    def _place(self, what: str, folder: str, file: str | None, stop: str = "") -> ConfigPlace:
        if file is None:
            return ConfigPlace(what, folder, "", "no atmos.yaml")
        if stop:
            return ConfigPlace(what, file, os.path.realpath(file), stop)
        hermetic = "" if self._project.obeys(file) else "a hermetic run reads only the project's own"
        return ConfigPlace(what, file, os.path.realpath(file), hermetic)

    def _in(self, folder: str) -> str | None:
        """The configuration file in a folder; a file is its own."""
        return self._first_in([folder])[0]

    def _first_in(self, *groups: list[str]) -> list[str | None]:
        """Of each group of folders, the configuration file of the first folder that has one."""
        names = [[name for at in group for name in (at, *(os.path.join(at, one) for one in NAMES))] for group in groups]
        return self._project.door.first_files(names)

    def _folders_above(self) -> list[str]:
        """The folders above the working folder, the nearest first."""
        folders = [os.path.dirname(os.path.realpath(self._cwd))]
        while (above := os.path.dirname(folders[-1])) != folders[-1]:
            folders.append(above)
        return folders


def nothing_found(places: list[ConfigPlace]) -> PlaitError:
    """No place has a configuration."""
    hint = "plait reads the repository of an Atmos user: name its folder with --chdir, or its file with --config"
    notes = tuple(f"looked in {place.name}: {place.why_not}" for place in places if place.what == PINNED)
    return NO_CONFIG.error(notes=notes, hint=hint)


def _unique(places: list[ConfigPlace]) -> list[ConfigPlace]:
    """Each file once, at its highest place; without places that do not exist."""
    last = {place.file: place for place in places if place.file}
    return [place for place in places if place.name and (not place.file or last[place.file] is place)]


def split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
