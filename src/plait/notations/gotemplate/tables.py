"""The tables of functions that there are. Their modules are loaded when a template calls a function."""

from __future__ import annotations

from functools import cache

from plait.notations.gotemplate.functions import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.notations.gotemplate.functions import FunctionGroup


def _builtins() -> list[FunctionGroup]:
    from plait.notations.gotemplate.builtins import BUILTINS

    return [BUILTINS]


def _sprig() -> list[FunctionGroup]:
    from plait.notations.gotemplate.sprig import GROUPS

    return [*_builtins(), *GROUPS]


def _stacks(with_sprig: bool, with_gomplate: bool) -> list[FunctionGroup]:
    from plait.notations.gotemplate.atmos import ATMOS
    from plait.notations.gotemplate.gomplate import GOMPLATE
    from plait.notations.gotemplate.gomplate_more import MORE
    from plait.notations.gotemplate.gomplate_tools import TOOLS

    first, *rest = _sprig()
    return [first, *([GOMPLATE, TOOLS, MORE] if with_gomplate else []), ATMOS, *(rest if with_sprig else [])]


@cache
def builtins() -> Table:
    """The functions of text/template alone."""
    return Table(_builtins)


@cache
def sprig() -> Table:
    """text/template and Sprig; where both have a name, Sprig's is meant."""
    return Table(_sprig)


@cache
def stacks(with_sprig: bool = True, with_gomplate: bool = True) -> Table:
    """What templates in stacks may call: gomplate, what Atmos adds, and Sprig, which wins where names clash."""
    return Table(lambda: _stacks(with_sprig, with_gomplate))
