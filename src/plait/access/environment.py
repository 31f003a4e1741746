"""Variables of the environment, and the folders of the user that they name."""

from __future__ import annotations

import os

from plait.report.catalog import BAD_OPTION


def variable(name: str, default: str = "") -> str:
    """A variable; the default where it is not set."""
    return os.environ.get(name, default)


def variables_named(prefix: str) -> dict[str, str]:
    """The variables whose names begin with a prefix."""
    return {name: value for name, value in os.environ.items() if name.startswith(prefix)}


def variables() -> dict[str, str]:
    """All variables."""
    return dict(os.environ)


def config_home() -> str:
    """The folder of the user's own configuration. A relative one would be a folder of whatever repository we are in."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if base and not os.path.isabs(base):
        hint = "set it to an absolute path, or unset it"
        raise BAD_OPTION.error(why=f"XDG_CONFIG_HOME is `{base}`, which is not an absolute path", hint=hint)
    return base or os.path.join(os.path.expanduser("~"), ".config")


def cache_home() -> str:
    """The folder for what can be made again; a relative one does not count, as its specification has it."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache")
