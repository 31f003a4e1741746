"""The tables of functions that there are, by name."""

from __future__ import annotations

from functools import cache

from plait.notations.gotemplate.builtins import BUILTINS
from plait.notations.gotemplate.functions import Group, Table


@cache
def sprig_groups() -> tuple[Group, ...]:
    """Sprig's functions, in the order of the reference. Loaded when a template first needs them."""
    from plait.notations.gotemplate.sprig import (
        crypto,
        dates,
        dicts,
        encoding,
        lists,
        numbers,
        paths,
        patterns,
        reflection,
        strings,
        versions,
    )

    return (
        strings.STRINGS, numbers.NUMBERS, lists.LISTS, dicts.DICTS, reflection.REFLECTION, encoding.ENCODING,
        dates.DATES, patterns.PATTERNS, versions.VERSIONS, paths.PATHS, crypto.CRYPTO,
    )  # fmt: skip


@cache
def builtins() -> Table:
    """The functions of text/template alone."""
    return Table(BUILTINS)


@cache
def sprig() -> Table:
    """text/template and Sprig; where both have a name, Sprig's is meant."""
    return Table(BUILTINS, *sprig_groups())
