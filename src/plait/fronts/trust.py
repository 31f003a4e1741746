"""Folders whose files may do more: recorded in the user's own configuration, never in the repository.

A granted capability counts for the folder and everything below it.
"""

from __future__ import annotations

import os

from plait.access.guard import CAPABILITIES
from plait.report.catalog import BAD_OPTION, UNREADABLE, UNWRITABLE
from plait.report.near import did_you_mean
from plait.yaml.write import Writer


def trust_file() -> str:
    """Where trust is recorded: `$XDG_CONFIG_HOME/plait/trusted.json`."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "plait", "trusted.json")


def read_trust() -> dict[str, list[str]]:
    """The trusted folders, by real path, and what each may do."""
    name = trust_file()
    if not os.path.exists(name):
        return {}
    import json  # only where something is trusted

    try:
        with open(name, encoding="utf-8") as file:
            found = json.load(file)
        return {str(folder): [str(word) for word in words] for folder, words in found.items()}
    except (OSError, ValueError, AttributeError, TypeError) as trouble:
        raise UNREADABLE.error(
            name=name, why=str(trouble), hint="mend or delete it; nothing is trusted meanwhile"
        ) from None


def trusted(folder: str) -> frozenset[str]:
    """What a folder may do, by its own entry and those of the folders above."""
    here = os.path.realpath(folder)
    granted: set[str] = set()
    for name, words in read_trust().items():
        if here == name or here.startswith(name.rstrip(os.sep) + os.sep):
            granted.update(words)
    return frozenset(granted)


def capabilities(words: list[str]) -> frozenset[str]:
    """Names of capabilities, as a flag or a variable lists them."""
    names = [name.strip() for word in words for name in word.split(",") if name.strip()]
    for name in names:
        if name not in CAPABILITIES:
            hint = did_you_mean(name, CAPABILITIES) or f"there are: {', '.join(CAPABILITIES)}"
            raise BAD_OPTION.error(why=f"there is no capability `{name}`", hint=hint)
    return frozenset(names)


def write_trust(entries: dict[str, list[str]]) -> None:
    """Record what is trusted."""
    import json

    name = trust_file()
    try:
        os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
        Writer(os.path.dirname(name)).write({name: (json.dumps(entries, indent=2, sort_keys=True) + "\n").encode()})
    except OSError as trouble:
        raise UNWRITABLE.error(name=name, why=trouble.strerror or str(trouble)) from None


def record_trust(folder: str, words: list[str]) -> tuple[str, list[str]]:
    """Trust a folder with capabilities, beside those it has."""
    entries = read_trust()
    real = os.path.realpath(folder)
    entries[real] = sorted(capabilities(words) | frozenset(entries.get(real, ())))
    write_trust(entries)
    return real, entries[real]


def forget_trust(folder: str) -> str | None:
    """Trust a folder no longer; None where it was not."""
    entries = read_trust()
    real = os.path.realpath(folder)
    if real not in entries:
        return None
    del entries[real]
    write_trust(entries)
    return real
