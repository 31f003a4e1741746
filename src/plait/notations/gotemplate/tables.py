"""The tables of functions that there are."""

from __future__ import annotations

from functools import cache

from plait.notations.gotemplate.atmos import ATMOS
from plait.notations.gotemplate.builtins import BUILTINS
from plait.notations.gotemplate.functions import Table
from plait.notations.gotemplate.gomplate import GOMPLATE
from plait.notations.gotemplate.sprig import GROUPS


@cache
def builtins() -> Table:
    """The functions of text/template alone."""
    return Table(BUILTINS)


@cache
def sprig() -> Table:
    """text/template and Sprig; where both have a name, Sprig's is meant."""
    return Table(BUILTINS, *GROUPS)


@cache
def stacks(with_sprig: bool = True, with_gomplate: bool = True) -> Table:
    """What templates in stacks may call: gomplate, what Atmos adds, and Sprig, which wins where names clash."""
    groups = [BUILTINS]
    if with_gomplate:
        groups.append(GOMPLATE)
    groups.append(ATMOS)
    if with_sprig:
        groups.extend(GROUPS)
    return Table(*groups)
