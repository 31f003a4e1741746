"""Which steps of which paths a text reads: every name of a key in references, expressions, templates and directives."""

from __future__ import annotations

import re

from plait.authoring.mentions import DIRECTIVE, MEMBER, QUERY, SCOPED, VALUE
from plait.notations.gotemplate.errors import ParseError
from plait.notations.gotemplate.parse import parse as parse_template
from plait.notations.gotemplate.refs import references
from plait.yaml.places import place_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from plait.authoring.mentions import Mention
    from plait.authoring.symbols import Symbols
    from plait.core.path import Path
    from plait.yaml.places import Span

    ReadStep = tuple[Path, Span]
    """A path up to one of its steps, and where that step is written."""

NAME = re.compile(r"[^.:/\[\]\s\"'(){}|,]+")
"""A name inside a path, in whichever notation."""
ASKING = ("atmos.Component",)
"""Functions of templates that give the values of another document."""
DEFINED = re.compile(r"""\{\{-?[ \t]*define[ \t]+"([^"\n]+)\"""")


def steps_read(symbols: Symbols, file: str) -> Iterator[ReadStep]:
    """The steps of paths that a file reads, as far as its text says them."""
    for mention in symbols.mentions(file):
        if mention.kind not in (VALUE, SCOPED, QUERY, MEMBER, DIRECTIVE) or mention.spot is None:
            continue
        if "{{" not in (mention.spot.text or "") or mention.kind == MEMBER:
            yield from steps_of_mention(symbols, file, mention)
    written = symbols.authoring.written(file)
    for spot in written.spots() if written is not None else ():
        for path, at in template_steps(spot.text or ""):
            span = place_in(spot, at, str(path[-1]))
            if span is not None:
                yield path, span


def steps_of_mention(symbols: Symbols, file: str, mention: Mention) -> Iterator[ReadStep]:
    """The steps of the path that a mention reads, the last one first."""
    read = symbols.scoped(file, mention) if mention.kind in (VALUE, SCOPED, QUERY) else mention.path
    start, end = mention.span
    text = mention.spot.layout.text if mention.spot is not None else ""
    names = list(NAME.finditer(text, start, end))
    for back in range(1, min(len(names), len(read)) + 1):
        step, found = read[len(read) - back], names[-back]
        if step == found[0]:
            yield read[: len(read) - back + 1], found.span()


def template_steps(text: str) -> Iterator[tuple[Path, int]]:
    """The steps of paths that a template reads, each with where its name begins. Templates that it defines are called
    with the root, as usual."""
    if "{{" not in text:
        return
    calls = "".join(f'{{{{ template "{name}" . }}}}' for name in DEFINED.findall(text))
    try:
        found = references(parse_template(text + calls), ASKING)
    except ParseError:
        return
    yield from ((path, at) for path, at in found.steps if at < len(text))
