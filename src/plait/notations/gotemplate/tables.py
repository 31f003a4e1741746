"""The tables of functions that there are. The module of a group is loaded when a template calls a function
that no group before it has."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module

from plait.notations.gotemplate.function import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.notations.gotemplate.function import FunctionGroup


SPRIG = (
    "strings", "encoding", "dicts", "lists", "reflection", "numbers", "paths", "crypto", "patterns", "dates", "versions"
)  # fmt: skip
"""The modules of Sprig's groups, those that templates use most first. No two have a function of the same name."""
GOMPLATE = (
    "strings", "conversions", "collections", "data", "checks", "numbers", "patterns", "paths", "outside", "times",
    "templates", "chance", "crypto", "network",
)  # fmt: skip
"""The modules of gomplate's groups, in the same way."""
SPACES = {
    "strings": ("strings",), "conv": ("conversions", "collections"), "coll": ("collections",), "data": ("data",),
    "test": ("checks",), "math": ("numbers",), "regexp": ("patterns",), "path": ("paths",), "filepath": ("paths",),
    "file": ("outside",), "time": ("times",), "tmpl": ("templates",), "random": ("chance",), "uuid": ("chance",),
    "base64": ("crypto",), "crypto": ("crypto",), "net": ("network",),
}  # fmt: skip
"""The modules of gomplate's namespaces. Sprig, which would win, has no function of these names."""


def _builtins() -> Iterator[FunctionGroup]:
    from plait.notations.gotemplate.builtins import BUILTINS

    yield BUILTINS


def _of_sprig() -> Iterator[FunctionGroup]:
    for name in SPRIG:
        module = import_module(f"plait.notations.gotemplate.sprig.{name}")
        yield getattr(module, name.upper())


def _sprig() -> Iterator[FunctionGroup]:
    yield from _of_sprig()
    yield from _builtins()


def _of_gomplate(name: str) -> FunctionGroup:
    module = import_module(f"plait.notations.gotemplate.gomplate.{name}")
    group: FunctionGroup = getattr(module, name.upper())
    return group


def _space(name: str) -> Iterator[FunctionGroup]:
    return map(_of_gomplate, SPACES.get(name, ()))


def _stacks(with_sprig: bool, with_gomplate: bool) -> Iterator[FunctionGroup]:
    if with_sprig:
        yield from _of_sprig()
    from plait.notations.gotemplate.atmos import ATMOS

    yield ATMOS
    if with_gomplate:
        yield from map(_of_gomplate, GOMPLATE)
    yield from _builtins()


def _why_not(name: str) -> str:
    """Why templates of stacks do not have a function; empty for one that gomplate does not have either."""
    from plait.notations.gotemplate.gomplate.refused import why_refused

    return why_refused(name)


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
    groups = partial(_stacks, with_sprig, with_gomplate)
    return Table(groups, _why_not, _space) if with_gomplate else Table(groups)
