"""How functions are called where the origin of values is traced: what the result of each depends on.

Most look at everything that they are given. Some only move values from one list or map to another, choose one of
several, or move text; their results keep the origins of the parts.
"""

from __future__ import annotations

from plait.notations.gotemplate import goyaml, tree
from plait.notations.gotemplate.compile import GUARDED
from plait.notations.gotemplate.errors import CallError, TemplateFault
from plait.notations.gotemplate.execute import run
from plait.notations.gotemplate.ropes import (
    NOTHING,
    CallSite,
    PiecedOutput,
    Rope,
    TracingReader,
    WrittenPiece,
    bare,
    collected,
)
from plait.notations.gotemplate.sets import INCLUDED, joined
from plait.notations.gotemplate.template import make
from plait.notations.gotemplate.values import MISSING, Traced, is_true

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from plait.notations.gotemplate.function import Function
    from plait.notations.gotemplate.values import Reads

    Argument = tuple[Any, Reads]
    """A value, and what was read for it alone."""
    Way = Callable[[Any, Function, list[Argument], tree.TemplateNode], Any]


def calling(function: Function, node: tree.TemplateNode) -> Callable[[Any, list[Argument]], Any]:
    """A call with arguments that are known with their reads; the way is by what the function does with them."""
    way = function.way or WAYS.get(function.name, _inspecting)

    def call(frame: Any, args: list[Argument]) -> Any:
        try:
            return frame.open(way(frame, function, args, node))
        except TemplateFault as inner:
            raise frame.led_to(inner, node) from None
        except GUARDED as problem:
            failed = frame.call_failed(function.name, problem, node)
            failed.reads = failed.reads.union(*(reads for _, reads in args))
            if failed.circumstances is not None:
                failed.circumstances.about = [value for value, _ in args]
            raise failed from None

    return call


def _apply(frame: Any, function: Function, values: Iterable[Any]) -> Any:
    given = list(values)
    return function.call(frame, *given) if function.context else function.call(*given)


def _inspecting(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """A function that looks at all of its arguments: the result depends on everything in them."""
    reader = frame.state.reader
    for _, reads in args:
        reader.reads |= reads
    return _apply(frame, function, [bare(reader, value) for value, _ in args])


def _moving(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """A function that puts values into lists and maps, or takes them out: each keeps its own reads."""
    reader = frame.state.reader
    if reader.careful:
        for at, (value, reads) in enumerate(args):
            reader.loose |= reads if at in KEYS.get(function.name, ()) else NOTHING
            _spread(reader, value, reads)
    try:
        return _apply(frame, function, [_wrapped(value, reads) for value, reads in args])
    except CallError:  # it is to name the types of the values themselves
        return _inspecting(frame, function, args, node)


KEYS = {"dict": range(0, 1000, 2), "set": (1,)}
"""The arguments of functions that become keys."""


def _spread(reader: TracingReader, value: Any, reads: Reads) -> None:
    """Let everything in a list or map know what the whole was made from."""
    stack = [value] if reads else []
    seen: set[int] = set()
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, dict):
            reader.loose |= reads if at else NOTHING
        elif not isinstance(at, list):
            continue
        for step, child in [*(at.items() if isinstance(at, dict) else enumerate(at))]:
            if child.__class__ is Traced:
                at[step] = child if reads <= child.reads else Traced(child.value, child.reads | reads)
            elif isinstance(child, dict | list):
                stack.append(child)
            else:
                at[step] = _wrapped(child, reads)


def _looking_up(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """A function that takes a value out of a list or map: what chose the place counts as read."""
    reader = frame.state.reader
    for value, reads in args:
        if reader.careful or not isinstance(value, dict | list):
            reader.reads |= reads
    return _apply(frame, function, [value for value, _ in args])


def _wrapped(value: Any, reads: Reads) -> Any:
    plain = value.__class__ in (str, int, float, bool) or isinstance(value, int)
    return Traced(value, reads) if reads and plain else value


def _choosing(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """A function that gives one of its arguments: those up to the one that was chosen count as read."""
    reader = frame.state.reader
    order = args if function.name == "coalesce" else list(reversed(args))
    result = _apply(frame, function, [value for value, _ in args])
    for value, reads in order:
        reader.reads |= reads
        if value is result and is_true(value):  # all that is empty was passed over
            break
        reader.look(value)
    return result


def _ternary(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    reader = frame.state.reader
    (yes, yes_reads), (no, no_reads), (test, reads) = args
    reader.reads |= reads | (yes_reads if test else no_reads)
    return yes if test else no


def _passing(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """A function that only checks: `required`."""
    frame.state.reader.reads |= args[-1][1]
    return _apply(frame, function, [value for value, _ in args])


# -- texts that stay ropes


def _pieces_of(frame: Any, value: str, reads: Reads, node: tree.TemplateNode) -> list[WrittenPiece]:
    """The pieces of a text: those of a rope, else one that this place of the template writes."""
    rope = frame.state.reader.rope(value)
    if rope is not None:
        return [piece.and_read(reads, ()) for piece in rope.pieces] if reads else rope.pieces
    return [WrittenPiece(value, frame.state.program, node.at, reads, (), frame.by, False)]


def _transforming(
    change: Callable[[str, str, list[Any]], Iterator[tuple[str | None, int, int]]],
) -> Way:
    """A function on text of which it is known where each part of the result comes from: `change` gives, for the text
    and the result, pieces of the result: a new text, or the part of the text that it is. None is for a part that was
    taken away, where other values could have left something."""

    def way(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
        reader = frame.state.reader
        text, reads = args[-1] if args else ("", NOTHING)
        if not args or reader.rope(text) is None:
            return _inspecting(frame, function, args, node)
        for value, other in args[:-1]:
            reader.reads |= other
            reader.look(value)
        result = _apply(frame, function, [value for value, _ in args])
        rope = Rope(text, _pieces_of(frame, text, reads, node))
        pieces: list[WrittenPiece] = []
        for new, start, end in change(text, result, [value for value, _ in args]):
            if new is None:
                pieces += [piece.as_text("") for piece in rope.part(start, end)]
            elif new:
                pieces.append(WrittenPiece(new, frame.state.program, node.at, NOTHING, (), frame.by, False))
            else:
                pieces += rope.part(start, end)
        return (
            reader.keep(result, pieces)
            if "".join(p.text for p in pieces) == result
            else _given_up(reader, rope, result)
        )

    return way


def _given_up(reader: TracingReader, rope: Rope, result: str) -> str:
    """A result whose parts could not be told apart: it depends on the whole text."""
    reader.reads |= rope.reads()
    return result


def _indented(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """`indent`: space before every line."""
    space = " " * int(args[0])
    at = 0
    for line in text.split("\n"):
        if at:
            yield "", at - 1, at
        yield space, 0, 0
        yield "", at, at + len(line)
        at += len(line) + 1


def _indented_below(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """`nindent`: the same after a line break."""
    yield "\n", 0, 0
    yield from _indented(text, result, args)


def _trimmed(text: str, result: str, args: list[Any]) -> Iterator[tuple[str | None, int, int]]:
    """A function that takes away what it does not want at the ends."""
    start = text.find(result) if result else 0
    end = start + len(result)
    if start:
        yield None, 0, start
    yield "", start, end
    if end < len(text):
        yield None, end, len(text)


def _truncated(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """A function that keeps some characters: nothing of the others matters."""
    start = len(text) - len(result) if int(args[0]) < 0 else 0
    yield "", start, start + len(result)


def _quoted(text: str, result: str, args: list[Any]) -> Iterator[tuple[str, int, int]]:
    """A text between quotes, as long as nothing in it had to be escaped."""
    yield result[:1], 0, 0
    yield "", 0, len(text)
    yield result[-1:], 0, 0


def _including(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """`include`: the text of another template, in pieces."""
    (name, _), (data, reads) = args
    frame.state.reader.look(name)
    program = frame.state.program
    block = program.block(name)
    if block is None:
        return function.call(frame, name, data)
    return _nested(frame, program.owner(name), block, data, reads, name, node)


def _nested(frame: Any, program: Any, block: Any, data: Any, reads: Reads, name: str, node: tree.TemplateNode) -> str:
    outer = frame.state
    reader = outer.reader
    outer.meter.step(INCLUDED)
    output = PiecedOutput(outer.meter.budgets.size)
    state = outer.apart(program, output)
    root = MISSING if data is None else data
    inner = frame.called(state, root, reads, name, node.at)
    inner.why = ()
    _, _ = collected(reader, lambda: run(state, block, root, inner))
    text = "".join(piece.text for piece in output.written)
    return str(reader.keep(text, output.written))


def _templating(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """`tpl`: a text of the data that is a template. Its own text is there because the data say so."""
    (text, text_reads), (data, reads) = args
    reader = frame.state.reader
    source = Rope(text, _pieces_of(frame, text, text_reads, node))
    if "{{" not in text:
        return reader.keep(text, source.pieces)
    program = frame.state.program
    frame.meter.step(len(text))
    try:
        template = make(text, program.table, program.name, compiler=program.template.compiler)
    except TemplateFault as error:
        raise CallError(f"cannot parse template {text!r}: {error.message}") from None
    member = joined(template, program.set)
    member.called_from, member.made_of = CallSite(program, node.at, frame.by), source.reads()
    made = _nested(frame, member, template.main, data, reads, program.name, node)
    rope = reader.rope(made)
    if rope is None:
        reader.reads |= source.reads()
        return made
    pieces = [one for piece in rope.pieces for one in _as_data(piece, member, source)]
    if not pieces:
        pieces = [piece.as_text("") for piece in source.pieces]
    return reader.keep("".join(piece.text for piece in pieces), pieces)


def _as_data(piece: WrittenPiece, member: Any, source: Rope) -> Iterator[WrittenPiece]:
    """A piece that a template of the data wrote: its text is a part of the data, or what an action in it made."""
    if piece.program is not member:
        yield piece
    elif piece.is_literal:
        for part in source.part(piece.at, piece.at + len(piece.text)):
            yield part.and_read(NOTHING, piece.why)
    elif piece.text != "<no value>":
        around = source.part(piece.at, piece.at + 1)
        reads = NOTHING.union(*(one.reads for one in around))
        yield (around[0] if around else piece).as_text(piece.text).and_read(piece.reads | reads, piece.why)


def writing_yaml(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
    """`toYaml`: every leaf is a piece of its own."""
    value, reads = args[-1]
    reader = frame.state.reader
    program = frame.state.program

    def written(text: str, own: Reads) -> WrittenPiece:
        return WrittenPiece(text, program, node.at, own, (), frame.by, False)

    try:
        parts = list(goyaml.pieces(value))
    except CallError:
        return _inspecting(frame, function, args, node)
    pieces = [written(text, leaf.reads | reads if leaf.__class__ is Traced else reads) for text, leaf in parts if text]
    return reader.keep("".join(text for text, _ in parts), pieces)


def reading_text(decode: Callable[[str, Callable[[Any, int, int], Any]], Any]) -> Callable[..., Any]:
    """The way of a function that reads a text as data: every leaf depends on its own part of the text. `decode` is
    given the text and what makes a leaf of a value and the place of its text."""

    def way(frame: Any, function: Function, args: list[Argument], node: tree.TemplateNode) -> Any:
        text, reads = args[-1]
        reader = frame.state.reader
        rope = reader.rope(text)
        if rope is None:
            return _inspecting(frame, function, args, node)

        def leaf(value: Any, start: int, end: int) -> Any:
            own = Rope(text, rope.part(start, end)).reads() | reads
            return Traced(value, own) if own and value is not None else value

        try:
            return decode(text, leaf)
        except CallError:
            return _inspecting(frame, function, args, node)

    return way


_MOVERS = (
    "dict list tuple set unset append prepend mustAppend mustPrepend pick omit deepCopy mustDeepCopy concat rest "
    "initial reverse slice values merge mustMerge mergeOverwrite mustMergeOverwrite"
)
WAYS: dict[str, Way] = {
    **dict.fromkeys(_MOVERS.split(), _moving),
    **dict.fromkeys(
        ["get", "index", "first", "last", "dig", "pluck", "hasKey", "keys", "kindIs", "kindOf", "len"], _looking_up
    ),
    **dict.fromkeys(("default", "coalesce"), _choosing),
    "ternary": _ternary,
    "required": _passing,
    "indent": _transforming(_indented),
    "nindent": _transforming(_indented_below),
    **dict.fromkeys(["trim", "trimAll", "trimSuffix", "trimPrefix", "toString"], _transforming(_trimmed)),
    "trunc": _transforming(_truncated),
    **dict.fromkeys(("quote", "squote"), _transforming(_quoted)),
    "include": _including,
    "tpl": _templating,
}
"""What functions do with what they are given; all others look at everything."""
