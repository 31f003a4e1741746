"""The events of a text, and the steps that they make.

libyaml does the scanning. Its events come one by one, so a document that nests too deep is stopped while it is read.
Where libyaml refuses a text, or could read it differently than YAML 1.2 says (see `ambiguous`), a slower reader has the
last word.
"""

from __future__ import annotations

from contextlib import suppress

from yaml import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from plait.core.diagnostic import Label, PlaitError
from plait.core.source import Source
from plait.report.catalog import TOO_DEEP, YAML_SYNTAX
from plait.yaml.ambiguous import Ambiguity, Ambiguous
from plait.yaml.program import ALIAS, END, MAP, PLAIN, PROPS, SEQ, TEXT, Program

try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml: the careful reader reads everything
    CParser = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")


def reading_events(source: Source, depth: int, consume: Callable[[Callable[[], Any], Source, int], list[T]]) -> list[T]:
    """What a consumer makes of the events of a text; where libyaml refuses it or is in doubt, the careful reader
    decides."""
    try:
        return reading_quickly(source, depth, consume)
    except YAMLError:
        return reading_carefully(source, depth, consume)


def reading_quickly(
    source: Source, depth: int, consume: Callable[[Callable[[], Any], Source, int], list[T]]
) -> list[T]:
    """The same by libyaml alone, with its own errors; `Ambiguous` is one of them."""
    if CParser is None:
        raise Ambiguous
    Ambiguity(source.text).check_text()
    return consume(CParser(source.text).get_event, source, depth)


def reading_carefully(
    source: Source, depth: int, consume: Callable[[Callable[[], Any], Source, int], list[T]]
) -> list[T]:
    """The same by the careful reader alone."""
    from plait.yaml import hints, reader12  # a thousand lines that hardly any text needs

    try:
        events = iter(reader12.read(source.text, depth))
    except reader12.TooDeep as place:
        raise too_deep(source, place.at, depth) from None
    except reader12.Wrong as wrong:
        if source.loose and CParser is not None:
            with suppress(YAMLError):
                return consume(_undoubted(CParser(source.text).get_event), source, depth)
        source.conceal_unread()
        found = hints.advise(source.text, wrong.at)
        if source.is_concealed(found.at) or any(secret in found.hint for secret in source.secrets):
            found.hint = hints.MASKED
        label = Label.at(source, found.at, length=found.length)
        raise YAML_SYNTAX.error(label, why=found.why or wrong.why, hint=found.hint) from None
    return consume(lambda: next(events), source, depth)


def _undoubted(get: Callable[[], Any]) -> Callable[[], Any]:
    """Events of libyaml that are taken as they are: without lines, nothing in them looks ambiguous."""
    from plait.yaml.reader12 import TextPosition

    def event() -> Any:
        made = get()
        made.start_mark, made.end_mark = TextPosition(made.start_mark.index), TextPosition(made.end_mark.index)
        return made

    return event


def documents(get: Callable[[], Any], source: Source, depth: int) -> list[Program]:
    documents: list[Program] = []
    while True:
        kind = get().__class__
        if kind is DocumentStartEvent:
            documents.append(_document(get, source, depth))
        elif kind is StreamEndEvent:
            return documents


def _document(get: Callable[[], Any], source: Source, depth: int) -> Program:
    kinds: list[int] = []
    ats: list[int] = []
    texts: list[str | None] = []
    props: dict[int, tuple[str | None, str | None]] = {}
    kinds_append, ats_append, texts_append = kinds.append, ats.append, texts.append
    check_scalar = Ambiguity(source.text).check_scalar
    level = flow_level = flow_line = 0
    while True:
        event = get()
        kind = event.__class__
        if kind is ScalarEvent:
            style = event.style
            if style:
                check_scalar(event, level)
            if event.tag is None and event.anchor is None:
                kinds_append(TEXT if style else PLAIN)
            else:
                props[len(kinds)] = (event.tag, event.anchor)
                kinds_append((TEXT if style or event.tag == "!" else PLAIN) + PROPS)
            texts_append(event.value)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            level += 1
            if level > depth:
                raise too_deep(source, event.start_mark.index, depth)
            if event.flow_style and not flow_level and level > 1:
                flow_level, flow_line = level, event.start_mark.line
            code = MAP if kind is MappingStartEvent else SEQ
            if event.tag is not None or event.anchor is not None:
                props[len(kinds)] = (event.tag, event.anchor)
                code += PROPS
            kinds_append(code)
            texts_append(None)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            if level == flow_level:
                flow_level = 0
                if event.end_mark.line != flow_line:
                    raise Ambiguous
            level -= 1
            kinds_append(END)
            texts_append(None)
        elif kind is AliasEvent:
            kinds_append(ALIAS)
            texts_append(event.anchor)
        else:  # the end of the document
            return Program(kinds, ats, texts, props)
        ats_append(event.start_mark.index)


def too_deep(source: Source, at: int, depth: int) -> PlaitError:
    return TOO_DEEP.error(Label.at(source, at), limit=depth, hint="--max-depth raises the limit")
