"""The tables of functions that there are."""

from __future__ import annotations

from functools import cache

from plait.notations.gotemplate.builtins import BUILTINS
from plait.notations.gotemplate.functions import Table
from plait.notations.gotemplate.sprig import GROUPS


@cache
def builtins() -> Table:
    """The functions of text/template alone."""
    return Table(BUILTINS)


@cache
def sprig() -> Table:
    """text/template and Sprig; where both have a name, Sprig's is meant."""
    return Table(BUILTINS, *GROUPS)
