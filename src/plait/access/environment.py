"""Variables of the environment, and the folders of the user that they name."""

from __future__ import annotations

import os

from plait.report.catalog import BAD_OPTION

SECRETIVE = ("SECRET", "TOKEN", "PASS", "PWD", "KEY", "CREDENTIAL", "AUTH", "JWT")
"""What words in the names of variables hold that may be credentials."""
WHOLE = ("DATABASE_URL", "CONNECTION_STRING", "DSN", "_PAT")
"""How the names of some others end."""
HARMLESS = frozenset({"AUTHOR", "AUTHORS", "KEYBOARD", "KEYMAP", "KEYWORD", "KEYWORDS", "PASSIVE", "BYPASS", "COMPASS"})
"""Words that hold one of these by chance."""
FOLDERS = ("PWD", "OLDPWD")
OWN = "PLAIT_"
"""How the names of plait's own variables begin."""


def may_be_credential(name: str) -> bool:
    """Whether a variable may hold a credential, by its name."""
    name = name.upper()
    if name in FOLDERS:
        return False
    words = (word for word in name.split("_") if word not in HARMLESS)
    return name.endswith(WHOLE) or any(sign in word for word in words for sign in SECRETIVE)


def is_guarded(name: str) -> bool:
    """Whether a file may read a variable only if the user allows that by name: a credential, or one of our own."""
    return name.startswith(OWN) or may_be_credential(name)


def variable(name: str, default: str = "") -> str:
    """A variable; the default where it is not set."""
    return os.environ.get(name, default)


def variables_named(prefix: str) -> dict[str, str]:
    """The variables whose names begin with a prefix."""
    return {name: value for name, value in os.environ.items() if name.startswith(prefix)}


def variables_of(names: tuple[str, ...], prefixes: tuple[str, ...]) -> list[tuple[str, str]]:
    """The variables with some names, or whose names begin with one of some prefixes, sorted."""
    found = sorted(name for name in os.environ if name in names or name.startswith(prefixes))
    return [(name, os.environ[name]) for name in found]


def variables() -> dict[str, str]:
    """All variables."""
    return dict(os.environ)


def home_folder() -> str:
    """The home of the user. A relative one would be a folder of whatever repository we are in."""
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        raise BAD_OPTION.error(why=f"HOME is `{home}`, which is not an absolute path", hint="name it by its whole path")
    return home


def config_home() -> str:
    """The folder of the user's own configuration. A relative one would be a folder of whatever repository we are in."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if base and not os.path.isabs(base):
        hint = "set it to an absolute path, or unset it"
        raise BAD_OPTION.error(why=f"XDG_CONFIG_HOME is `{base}`, which is not an absolute path", hint=hint)
    return base or os.path.join(home_folder(), ".config")


def cache_home() -> str:
    """The cache folder of the user; a relative path is ignored, as the XDG specification requires. Empty if there is
    none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = os.path.expanduser("~")
    return base if os.path.isabs(base) else os.path.join(home if os.path.isabs(home) else os.devnull, ".cache")


def cache_folder() -> str:
    """Where the user's caches are."""
    return os.path.join(cache_home(), "plait")


def answers_folder(folder: str = "") -> str:
    """Where answers are kept, in that folder or another one: see `keeping`."""
    return os.path.join(folder or cache_folder(), "answers")
