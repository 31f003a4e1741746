"""The functions of the public module: parse, and the questions that need no functions to be known."""

from __future__ import annotations

from plait.notations.gotemplate import refs, tables
from plait.notations.gotemplate.function import Table
from plait.notations.gotemplate.parse import parse as parse_tree
from plait.notations.gotemplate.template import Cache, Template

TEMPLATES = Cache()
"""The templates of this process: a text is parsed once. What a template means does not depend on it."""


def parse(
    text: str,
    *,
    functions: Table | None = None,
    name: str = "template",
    delimiters: tuple[str, str] | None = None,
    cache: Cache = TEMPLATES,
) -> Template:
    """A template, ready to render. `functions` are those it may call: by default Go's own and Sprig's."""
    return cache.parse(text, functions if functions is not None else tables.sprig(), name, delimiters)


def field_refs(text: str, prefix: str | None = None) -> tuple[str, ...]:
    """What a template may read: dotted paths from the root, or the names right below `prefix`, each once, sorted.

    Conservative: never misses one. A map that is read as a whole counts as its own path.
    """
    found = refs.references(parse_tree(text))
    if prefix is not None:
        return found.below(prefix)
    return tuple(sorted(".".join(path) for path in found.paths if refs.ITEM not in path))


def has_actions(text: str) -> bool:
    """Whether a text is more than text. Raises ParseError where it tries to be a template and is none."""
    return "{{" in text and refs.has_actions(parse_tree(text))
