"""YAML 1.2, read by hand: decides texts that libyaml refuses or may read differently.

libyaml knows YAML 1.1 and refuses some texts that are valid today, such as a plain scalar that begins with a colon
in flow style: `{ eval: ::root::inputs }`. This reader is slower, follows YAML 1.2, and says in plain words what is
wrong and where. It gives the same events, and needs no Python stack: what is open is a list.
"""

from __future__ import annotations

import re
from bisect import bisect_right

import yaml.events as libyaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOT, BOX, MAP, SEQ, FLOW_MAP, FLOW_SEQ, PAIR = "document", "key", "mapping", "list", "{", "[", "pair"
"""What can be open: a document, what is after a `?`, blocks, brackets, and the pair in `[a: b]`."""
FLOWS = (FLOW_MAP, FLOW_SEQ, PAIR)
KEY, COLON, NODE, DONE = "key", "colon", "node", "done"
"""What an open collection waits for: a key or item, a colon, a value, or nothing more."""

IMPLICIT: Any = None
"""What libyaml says of tags that are not written: nobody asks."""
YAML_TAGS = "tag:yaml.org,2002:"
_ESCAPES = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))


class _Patterns:
    """The shapes of YAML's words. Made for the first text that needs them, which few runs have."""

    def __init__(self) -> None:
        end = r"(?=[ \t\r\n]|\Z)"
        self.blanks = re.compile(r"[ \t]*")
        self.line_break = re.compile(r"\r\n|\n|\r")
        self.document_mark = re.compile(rf"(?:---|\.\.\.){end}")
        self.anchor = re.compile(r"[^ \t\r\n\[\]{},]+")
        self.tag = re.compile(r"!<([^>\s]+)>|!([0-9A-Za-z-]*!)?([^ \t\r\n\[\]{},]*)")
        self.percent = re.compile(r"(?:%[0-9a-fA-F]{2})+")
        self.header = re.compile(r"[|>](?:([1-9])([-+])?|([-+])([1-9])?)?(?:[ \t]+#[^\r\n]*|[ \t]*)(?=[\r\n]|\Z)")
        pair = r"u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
        self.escape = re.compile(
            rf"\\(?:{pair}|x([0-9a-fA-F]{{2}})|u([0-9a-fA-F]{{4}})|U([0-9a-fA-F]{{8}})|(.))", re.DOTALL
        )
        self.block, self.flow = (_plain(stops) for stops in ("", r"\[\]{},"))


def _plain(stops: str) -> re.Pattern[str]:
    """A plain scalar on one line: a colon or a `#` only where it cannot mean anything else."""
    sign, blank = rf"[^ \t\r\n:#{stops}]", r"[ \t]+"
    colon = rf":(?=[^ \t\r\n{stops}])"
    return re.compile(rf"(?:{sign}|{colon}|(?<=[^ \t\r\n])#|{blank}(?={sign}|{colon}))+")


class Wrong(Exception):
    """What is wrong, and where."""

    def __init__(self, at: int, why: str) -> None:
        self.at = at
        self.why = why


class TextPosition:
    """A place in the text, as events have it.

    Its line is never asked for: what is doubted by lines is not doubted again.
    """

    __slots__ = ("index",)
    line = -1

    def __init__(self, index: int) -> None:
        self.index = index


def _spot(index: int) -> Any:
    """A place in the form that events take: they ask for no more than its index."""
    return TextPosition(index)


def _ends_in_escape(text: str) -> bool:
    """Whether the last backslash of a text escapes what comes after it."""
    return len(text[len(text.rstrip("\\")) :]) % 2 == 1


class _Open:
    """A collection that is not closed yet.

    Of a flow collection also where its first event is and what stood before it, because it may turn out to be a key;
    and of its last member where it began (`item`) and whether it was quoted or bracketed (`json`), which lets a
    colon touch it.
    """

    __slots__ = (
        "asked",
        "at",
        "column",
        "event",
        "fresh",
        "indent",
        "item",
        "item_at",
        "json",
        "kind",
        "outer",
        "start",
        "waits",
    )

    def __init__(self, kind: str, indent: int, waits: str, at: int) -> None:
        self.kind = kind
        self.indent = indent
        self.waits = waits
        self.at = at
        self.asked = self.fresh = self.json = False
        self.event = self.column = self.item = self.item_at = 0
        self.outer = _Props()
        self.start = at


class _Props:
    """A tag and an anchor that wait for their node."""

    tag: str | None = None
    anchor: str | None = None
    at = end = -1

    def __bool__(self) -> bool:
        return self.at >= 0


class TooDeep(Exception):
    """Where the text nests deeper than it may."""

    def __init__(self, at: int) -> None:
        self.at = at


def read(text: str, depth: int = 1_000_000) -> list[Any]:
    """The events of a text; `Wrong` where it is not valid YAML.

    Reading ends where it nests much deeper than `depth`.
    """
    return _Reader(text, depth).read()


class _Reader:
    line = first = spaces = -1
    """The line that was looked at last: where it begins, where its text does, and how many spaces it begins with."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.most = 2 * depth + 2
        """How many collections may be open; a key after a `?` counts as one here."""
        self.like = _Patterns()
        self.at = 0
        self.events: list[Any] = []
        self.open: list[_Open] = []
        self.outer = _Props()
        self.props = _Props()
        self.handles: dict[str, str] = {}
        self.fresh = True
        """Whether a block collection may begin here: at the start of a line, or after a dash on the same one."""
        self.spaces_only = True
        self.starts = [0, *(found.end() for found in self.like.line_break.finditer(text))]
        """Where each line begins."""

    # Documents

    def read(self) -> list[Any]:
        explicit_end = True
        while True:
            self.skip_document_gap()
            if self.at >= len(self.text):
                break
            explicit_end = self.document(explicit_end)
        self.events.append(libyaml.StreamEndEvent(self.spot(), self.spot()))
        return self.events

    def skip_document_gap(self) -> None:
        """Blanks, comments, byte order marks and `...` between documents."""
        while True:
            if self.text.startswith("\ufeff", self.at):
                self.at += 1
            self.gap()
            if (
                self.column() == 0
                and self.text.startswith("...", self.at)
                and self.like.document_mark.match(self.text, self.at)
            ):
                self.at += 3
                self.end_of_line("`...` must be alone on its line")
            elif not self.text.startswith("\ufeff", self.at):
                return

    def document(self, may_have_directives: bool) -> bool:
        """One document; whether it ends with `...`, so that directives may follow."""
        start = self.at
        self.handles = {"!": "!", "!!": YAML_TAGS}
        directives = self.directives() if may_have_directives else False
        explicit = self.column() == 0 and self.mark_here("---")
        if explicit:
            start = self.at
            self.at += 3
        elif directives:
            raise Wrong(self.at, "after its directives a document begins with `---`")
        self.events.append(libyaml.DocumentStartEvent(_spot(start), self.spot(), explicit=explicit))
        self.open = [_Open(ROOT, -1, NODE, self.at)]
        self.fresh = not explicit
        self.content()
        self.close_to(-1)
        self.next_member()
        self.events.append(libyaml.DocumentEndEvent(self.spot(), self.spot()))
        return self.mark_here("...")

    def directives(self) -> bool:
        found = False
        while self.column() == 0 and self.text.startswith("%", self.at):
            end = self.line_end(self.at)
            self.directive(self.text[self.at + 1 : end].split(" #")[0].split())
            found = True
            self.at = end
            self.gap()
        return found

    def directive(self, words: list[str]) -> None:
        if words[:1] == ["YAML"]:
            if len(words) != 2 or not re.fullmatch(r"[0-9]+\.[0-9]+", words[1]):
                raise Wrong(self.at, "a YAML directive names one version, as in `%YAML 1.2`")
            if "" in self.handles:
                raise Wrong(self.at, "a document can have only one YAML directive")
            self.handles[""] = words[1]
        elif words[:1] == ["TAG"]:
            if len(words) != 3 or not words[1].startswith("!") or not words[1].endswith("!"):
                raise Wrong(
                    self.at, "a TAG directive has a handle and a prefix, as in `%TAG !e! tag:example.com,2000:`"
                )
            self.handles[words[1]] = words[2]

    def mark_here(self, mark: str) -> bool:
        return (
            self.text.startswith(mark, self.at)
            and self.column() == 0
            and self.like.document_mark.match(self.text, self.at) is not None
        )

    # The main loop

    def content(self) -> None:
        """Everything up to the end of the document."""
        while True:
            self.fresh = self.gap() or self.fresh
            if self.at >= len(self.text) or self.at_document_mark(self.at):
                if self.top.kind in FLOWS:
                    raise Wrong(self.flow_start(), f"this `{self.bracket()}` is not closed")
                if self.props:
                    self.props_wait()
                return
            if self.fresh:
                self.outdent()
            if self.top.kind in FLOWS:
                self.flow()
            else:
                self.block()

    def gap(self) -> bool:
        """Skip blanks, comments and line breaks; whether a new line began."""
        text, new_line = self.text, False
        while True:
            start = self.at
            self.at = self.like.blanks.match(text, start).end()  # type: ignore[union-attr]
            if new_line or start == 0 or text[start - 1] in "-?:":
                self.spaces_only = "\t" not in text[start : self.at] and (new_line or self.spaces_only)
            sign = text[self.at : self.at + 1]
            if sign == "#":
                if self.at > 0 and text[self.at - 1] not in " \t\r\n\ufeff":
                    raise Wrong(self.at, "a comment needs a space before its `#`")
                self.at = self.line_end(self.at)
                sign = text[self.at : self.at + 1]
            if sign not in ("\r", "\n"):
                return new_line
            self.at += 2 if text.startswith("\r\n", self.at) else 1
            if self.props:
                self.props_wait()
            new_line = True

    def props_wait(self) -> None:
        """A tag or anchor at the end of a line belongs to what comes below."""
        if self.top.kind in FLOWS:
            return
        props, outer = self.props, self.outer
        if props and self.top.kind != ROOT and self.indentation(props.at) <= self.top.indent:
            raise Wrong(props.at, "this is not indented enough to belong to a value")
        if (props.tag is not None and outer.tag is not None) or (props.anchor is not None and outer.anchor is not None):
            raise Wrong(props.at, "a value can have only one tag and one anchor")
        outer.tag = props.tag if outer.tag is None else outer.tag
        outer.anchor = props.anchor if outer.anchor is None else outer.anchor
        outer.at = props.at if outer.at < 0 else outer.at
        outer.end = props.end
        self.props = _Props()

    def outdent(self) -> None:
        """Close the blocks that a line no longer belongs to."""
        if self.top.kind not in FLOWS:
            self.close_to(self.column())

    def close_to(self, column: int) -> None:
        while True:
            top = self.top
            if top.kind == ROOT or column > top.indent:
                return
            if column == top.indent and (top.kind == MAP or (top.kind == SEQ and self.indicator("-"))):
                return
            if column == top.indent and top.kind == BOX and top.waits == NODE and self.indicator("-"):
                return
            if column == top.indent and top.kind == SEQ and not self.at_its_key(top):
                raise Wrong(self.at, "an item of this list begins with a dash")
            self.close()

    def at_its_key(self, top: _Open) -> bool:
        """Whether a list is at the column of the key it belongs to."""
        below = self.open[-2]
        return below.kind in (MAP, BOX) and below.indent == top.indent

    def close(self) -> None:
        """The end of a block."""
        top = self.top
        self.fill()
        self.open.pop()
        if top.kind == BOX:
            self.top.waits = COLON
            self.top.at = self.at
            return
        end = libyaml.MappingEndEvent if top.kind == MAP else libyaml.SequenceEndEvent
        self.events.append(end(self.spot(), self.spot()))
        self.placed()

    def fill(self) -> None:
        """A value that is waited for and does not come is null."""
        if self.top.waits in (COLON, NODE):
            self.top.at = self.at if self.top.kind == ROOT else self.top.at
            self.empty()

    def empty(self) -> None:
        """Null, with the tag and anchor that were waiting: in a block, those on the lines before."""
        later = _Props()
        if self.top.kind not in FLOWS:
            later, self.props, self.outer = self.props, self.outer, _Props()
        props = self.props
        if props and self.indentation(props.at) <= self.top.indent and self.line_start(props.at) > self.top.at:
            raise Wrong(props.at, "this is not indented enough to be a value")
        self.scalar("", props.at if props else self.top.at, props.end if props else self.top.at, None, key=True)
        self.placed()
        self.props = later

    def placed(self, json: bool = False) -> None:
        """A node is complete: what its parent waits for next."""
        top = self.top
        top.json = json
        if top.kind in (FLOW_MAP, PAIR):
            top.waits = COLON if top.waits == KEY else DONE
        elif top.kind in (MAP, SEQ):
            top.waits = KEY
        else:
            top.waits = DONE

    # Blocks

    def block(self) -> None:
        sign = self.text[self.at]
        if self.indicator("-"):
            self.dash()
        elif self.indicator("?"):
            self.question()
        elif self.indicator(":"):
            self.colon()
        elif sign in "&!":
            self.tag_or_anchor()
        elif sign in "|>":
            self.expect_node()
            self.block_scalar()
        else:
            self.node()

    def indicator(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at) and self.text[self.at + 1 : self.at + 2] in (
            "",
            " ",
            "\t",
            "\r",
            "\n",
        )

    def dash(self) -> None:
        column = self.column()
        self.check_block_start("a list")
        top = self.top
        if top.kind == SEQ and top.indent == column:
            self.next_member()
        else:
            self.may_begin(column, SEQ)
            self.begin(SEQ, column, self.at, self.take_for_block())
        self.top.waits = NODE
        self.at += 1
        self.top.at = self.at

    def check_block_start(self, what: str) -> None:
        """Blocks begin on a line of their own, or right after a dash, and tabs do not indent them."""
        if self.props:
            raise Wrong(self.props.at, f"a tag or anchor of {what} must be on the line above it")
        if not self.fresh:
            raise Wrong(self.at, f"{what} cannot begin here")
        if not self.spaces_only:
            raise Wrong(self.at, f"a tab cannot indent {what}")

    def question(self) -> None:
        """`? key`, which may be anything."""
        column = self.column()
        self.check_block_start("a key")
        self.mapping_at(column, self.at)
        self.at += 1
        self.open.append(_Open(BOX, column, NODE, self.at))

    def colon(self) -> None:
        """`: value` after such a key, or after no key at all."""
        start, end = (self.props.at, self.props.end) if self.props else (self.at, self.at)
        column = start - self.line_start(start)
        if not self.fresh:
            raise Wrong(self.at, "a colon is not allowed here")
        if self.props or not (self.top.kind == MAP and self.top.indent == column and self.top.waits == COLON):
            self.block_key(start, column)
            self.scalar("", start, end, None, key=True)
            self.fresh = False
        self.at += 1
        self.top.waits = NODE
        self.top.at = self.at

    def mapping_at(self, column: int, at: int) -> None:
        """The mapping that a key at a column belongs to: the open one, or a new one."""
        top = self.top
        if top.kind == MAP and top.indent == column:
            self.next_member()
            return
        self.may_begin(column, MAP)
        self.begin(MAP, column, at, self.take_for_block())

    def next_member(self) -> None:
        """Another entry or item: the one before it is complete, if only with null."""
        self.fill()
        if self.outer:
            raise Wrong(self.outer.at, "a tag or anchor belongs to a value")

    def may_begin(self, column: int, kind: str) -> None:
        """Whether a block collection can begin at a column here."""
        top = self.top
        if top.waits != NODE:
            raise Wrong(self.at, self.misplaced())
        deep_enough = column > top.indent or (kind == SEQ and top.kind in (MAP, BOX) and column == top.indent)
        if not deep_enough:
            raise Wrong(self.at, "this is not indented enough")

    def misplaced(self) -> str:
        top = self.top
        if top.kind == MAP and self.column() > top.indent:
            return "this is indented more than the keys above it"
        if top.kind == SEQ:
            return "an item of this list begins with a dash"
        if top.kind == ROOT:
            return "the document already has a value; begin another document with `---`"
        return "expected a key and a colon"

    def begin(self, kind: str, column: int, at: int, props: _Props) -> None:
        self.check_depth(at)
        event = libyaml.MappingStartEvent if kind == MAP else libyaml.SequenceStartEvent
        start = props.at if props else at
        self.events.append(event(props.anchor, props.tag, IMPLICIT, _spot(start), _spot(at), flow_style=False))
        self.open.append(_Open(kind, column, KEY, at))

    def take_for_block(self) -> _Props:
        """The tag and anchor on the lines above belong to a new block; those on its own line to its first key."""
        props, self.outer = self.outer, _Props()
        return props

    def take_outer(self) -> None:
        """The tags and anchors on this line and above it belong to the node that comes."""
        if self.outer:
            self.props_wait()
            self.props, self.outer = self.outer, _Props()

    def expect_node(self) -> None:
        top = self.top
        if top.waits != NODE:
            raise Wrong(self.at, self.misplaced())
        start = self.props.at if self.props else self.at
        if self.fresh and self.indentation(start) <= top.indent:
            raise Wrong(start, "this is not indented enough to be a value")

    def node(self) -> None:
        """A scalar, an alias or a flow collection: a value, or the key of a mapping."""
        start = self.props.at if self.props else self.at
        sign = self.text[self.at]
        if sign in "[{":
            self.begin_flow(sign)
            return
        value, end, style = self.scalar_text(flow=False)
        colon = self.colon_after(end)
        if colon is not None:
            if self.like.line_break.search(self.text, self.at, end):
                raise self.not_one_line(end, style)
            self.block_key(start, start - self.line_start(start))
            self.leaf(value, end, style, key=True)
            self.value_follows(colon)
            return
        self.expect_node()
        self.take_outer()
        self.leaf(value, end, style)
        self.at = end
        self.fresh = False

    def not_one_line(self, end: int, style: str | None) -> Wrong:
        if style is not None:
            return Wrong(self.at, "a key must be on one line")
        line = self.like.blanks.match(self.text, self.line_start(end))
        assert line is not None
        return Wrong(
            line.end(), "this line continues the text above it, so a key is not allowed here; check its indentation"
        )

    def block_key(self, start: int, column: int) -> None:
        """Make sure that a key is allowed here, in the mapping it belongs to."""
        if not self.fresh or not self.spaces_only:
            why = "a tab cannot indent a key" if self.fresh else "two keys on one line"
            raise Wrong(start, why)
        self.mapping_at(column, start)

    def value_follows(self, colon: int) -> None:
        self.top.waits = NODE
        self.top.at = self.at = colon
        self.fresh = False

    def leaf(self, value: str, end: int, style: str | None, key: bool = False) -> None:
        """A scalar or an alias, with the properties before it."""
        if style != "*":
            self.scalar(value, self.props.at if self.props else self.at, end, style, key)
            return
        if self.props:
            raise Wrong(self.props.at, "an alias cannot have a tag or an anchor")
        self.events.append(libyaml.AliasEvent(value, self.spot(), _spot(end)))
        if not key:
            self.placed()

    def scalar(self, value: str, start: int, end: int, style: str | None, key: bool = False) -> None:
        props, self.props = self.props, _Props()
        self.events.append(
            libyaml.ScalarEvent(props.anchor, props.tag, IMPLICIT, value, _spot(start), _spot(end), style=style)
        )
        if not key:
            self.placed(json=style is not None and style in "\"'")

    def colon_after(self, end: int) -> int | None:
        """Where the colon after a key ends, if there is one on its line."""
        at = self.like.blanks.match(self.text, end).end()  # type: ignore[union-attr]
        if self.text.startswith(":", at) and self.text[at + 1 : at + 2] in ("", " ", "\t", "\r", "\n"):
            return at + 1
        return None

    # Scalars

    def scalar_text(self, flow: bool) -> tuple[str, int, str | None]:
        """The value, end and style of the scalar that begins here."""
        sign = self.text[self.at]
        if sign == "*":
            return (*self.alias_name(), "*")
        if sign == '"':
            return (*self.double_quoted(), '"')
        if sign == "'":
            return (*self.single_quoted(), "'")
        return (*self.plain(flow), None)

    def plain(self, flow: bool) -> tuple[str, int]:
        pattern = self.like.flow if flow else self.like.block
        text, at = self.text, self.at
        self.check_plain_start(flow)
        match = pattern.match(text, at)
        if match is None:
            raise Wrong(at, f"`{text[at]}` is not allowed here")
        pieces = [match[0]]
        end = match.end()
        least = self.parent_indent() + 1
        while True:
            breaks, at = self.line_breaks(end)
            if not breaks or at >= len(text) or text[at] == "#" or self.at_document_mark(at):
                break
            if self.indentation(at) < least:
                break
            match = pattern.match(text, at)
            if match is None or (flow and text[at] in "[]{},"):
                break
            pieces += ["\n" * (breaks - 1) or " ", match[0]]
            end = match.end()
        return "".join(pieces), end

    def check_plain_start(self, flow: bool) -> None:
        sign, follows = self.text[self.at], self.text[self.at + 1 : self.at + 2]
        if sign in "-?:":
            if follows in ("", " ", "\t", "\r", "\n") or (flow and follows in "[]{},"):
                raise Wrong(self.at, f"an unquoted value cannot begin with `{sign}` and a space here; put it in quotes")
        elif sign in ",[]{}#&*!|>'\"%@`":
            raise Wrong(self.at, f"an unquoted value cannot begin with `{sign}`; put it in quotes")

    def line_breaks(self, end: int) -> tuple[int, int]:
        """How many line breaks follow, and where the next text begins."""
        text, count = self.text, 0
        at = self.like.blanks.match(text, end).end()  # type: ignore[union-attr]
        while (match := self.like.line_break.match(text, at)) is not None:
            count += 1
            at = self.like.blanks.match(text, match.end()).end()  # type: ignore[union-attr]
        return count, at

    def at_document_mark(self, at: int) -> bool:
        return at == self.line_start(at) and self.like.document_mark.match(self.text, at) is not None

    def parent_indent(self) -> int:
        """The column that a value's further lines must be right of."""
        return self.top.indent  # what is between brackets has the column of the block around it

    def single_quoted(self) -> tuple[str, int]:
        text, start = self.text, self.at
        at, pieces = start + 1, []
        while True:
            quote = text.find("'", at)
            if quote == -1:
                raise Wrong(start, "missing closing quote")
            pieces.append(text[at:quote])
            if not text.startswith("''", quote):
                break
            pieces.append("'")
            at = quote + 2
        return self.folded("".join(pieces), start, quote + 1), quote + 1

    def double_quoted(self) -> tuple[str, int]:
        text, start = self.text, self.at
        at = start + 1
        while True:
            sign = text[at : at + 1]
            if not sign:
                raise Wrong(start, "missing closing quote")
            if sign == '"':
                break
            at += 2 if sign == "\\" else 1
        raw = text[start + 1 : at]
        self.check_quoted_lines(start, at + 1)
        if "\n" not in raw and "\r" not in raw:
            return self.unescaped(raw, start + 1), at + 1
        return self.folded_double(raw, start), at + 1

    def folded_double(self, raw: str, start: int) -> str:
        """Lines of a double quoted text, folded; a backslash at the end of a line removes the line break."""
        lines = self.like.line_break.split(raw)
        out: list[str] = []
        breaks, joined = 0, True
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            body = line if number == 0 else line.lstrip(" \t")
            escaped = not last and _ends_in_escape(body)
            body = body if last or escaped else self.trimmed(body)
            if body or last or number == 0:
                out += ["\n" * breaks or ("" if joined else " "), self.unescaped(body[:-1] if escaped else body, start)]
                breaks, joined = 0, escaped
            else:
                breaks += 1
        return "".join(out)

    @staticmethod
    def trimmed(body: str) -> str:
        """Without blanks at the end, except one that an escape keeps."""
        bare = body.rstrip(" \t")
        return body[: len(bare) + 1] if _ends_in_escape(bare) else bare

    def unescaped(self, raw: str, start: int) -> str:
        if "\\" not in raw:
            return raw

        def one(match: re.Match[str]) -> str:
            if match[2] is not None:  # two halves of a character, as JSON writes those beyond U+FFFF
                return chr(0x10000 + ((int(match[1], 16) - 0xD800) << 10) + int(match[2], 16) - 0xDC00)
            code = match[3] or match[4] or match[5]
            if code is not None:
                number = int(code, 16)
                if number > 0x10FFFF or 0xD800 <= number < 0xE000:
                    raise Wrong(start + match.start(), f"`{match[0]}` is not a character")
                return chr(number)
            if match[6] not in _ESCAPES:
                raise Wrong(start + match.start(), f"unknown escape `{match[0]}`; write a backslash as `\\\\`")
            return _ESCAPES[match[6]]

        return self.like.escape.sub(one, raw)

    def folded(self, raw: str, start: int, end: int) -> str:
        """Lines of a quoted text, folded: one break is a space, further ones stay."""
        if "\n" not in raw and "\r" not in raw:
            return raw
        self.check_quoted_lines(start, end)
        lines = self.like.line_break.split(raw)
        out = [lines[0].rstrip(" \t")]
        breaks = 0
        for line in lines[1:-1]:
            breaks += 1
            body = line.strip(" \t")
            if body:
                out += ["\n" * (breaks - 1) or " ", body]
                breaks = 0
        out += ["\n" * breaks or " ", lines[-1].lstrip(" \t")]
        return "".join(out)

    def check_quoted_lines(self, start: int, end: int) -> None:
        """The further lines of a quoted text are indented, and none is a document's mark."""
        least = self.parent_indent() + 1
        for found in self.like.line_break.finditer(self.text, start, end):
            at = found.end()
            if self.at_document_mark(at):
                raise Wrong(start, "this quote is not closed before the document ends")
            text = self.like.blanks.match(self.text, at).end()  # type: ignore[union-attr]
            spaces = len(self.text[at:text]) - len(self.text[at:text].lstrip(" "))
            if spaces < least and self.text[text : text + 1] not in ("\r", "\n") and text < end:
                raise Wrong(text, "the lines of a quoted text must be indented more than its key")

    def block_scalar(self) -> None:
        text, start = self.text, self.at
        header = self.like.header.match(text, start)
        if header is None:
            raise Wrong(start, f"after `{text[start]}` only an indentation, `+` or `-`, and a comment are allowed")
        self.take_outer()
        chomp = header[2] or header[3] or ""
        step = header[1] or header[4]
        parent = self.parent_indent()
        at = header.end()
        at += 2 if text.startswith("\r\n", at) else 1 if at < len(text) else 0
        indent = max(parent, 0) + int(step) if step else None
        lines, at, ended = self.block_lines(at, indent, parent)
        body = self.block_text(lines, text[start] == ">", chomp, ended)
        self.scalar(body, self.props.at if self.props else start, at, text[start])
        self.at = at
        self.fresh = True

    def block_lines(self, at: int, indent: int | None, parent: int) -> tuple[list[str], int, bool]:
        """The lines of a block scalar without their indentation; where it ends; whether its last line is ended."""
        text, lines, ended, longest = self.text, [], True, 0
        while at < len(text):
            if self.at_document_mark(at):
                break
            end = self.line_end(at)
            line = text[at:end]
            spaces = len(line) - len(line.lstrip(" "))
            if spaces == len(line) and (indent is None or spaces < indent):
                longest = max(longest, spaces)
                lines.append("")
            else:
                if indent is None:
                    if line[spaces] == "\t" and spaces <= parent:
                        raise Wrong(at, "tabs cannot be used for indentation")
                    if spaces <= parent:
                        break
                    if longest > spaces:
                        raise Wrong(at, "the empty lines above are indented more than the first line of the text")
                    indent = spaces
                if spaces < indent:
                    if line[spaces : spaces + 1] == "\t" and spaces > parent and indent > spaces and not line.strip():
                        lines.append("")
                    break
                lines.append(line[indent:])
            ended = end < len(text) or spaces == len(line)
            at = end + (2 if text.startswith("\r\n", end) else 1 if end < len(text) else 0)
        return lines, at, ended

    @staticmethod
    def block_text(lines: list[str], fold: bool, chomp: str, ended: bool) -> str:
        """The text that the lines of a block mean."""
        count = len(lines)
        while count and not lines[count - 1]:
            count -= 1
        trailing = len(lines) - count
        body = _fold(lines[:count]) if fold else "\n".join(lines[:count])
        if chomp == "-" or (not count and chomp != "+"):
            return body
        if chomp == "+":
            return body + "\n" * (trailing + (1 if count else 0) - (0 if ended else 1))
        return body + ("\n" if ended or trailing else "")

    def alias_name(self) -> tuple[str, int]:
        match = self.like.anchor.match(self.text, self.at + 1)
        if match is None:
            raise Wrong(self.at, "an alias needs a name")
        return match[0], match.end()

    def tag_or_anchor(self) -> None:
        """A tag or an anchor, which waits for its node."""
        props, start = self.props, self.at
        if (
            self.top.kind not in FLOWS
            and self.top.waits != NODE
            and not (self.fresh and self.top.waits in (KEY, COLON))
        ):
            raise Wrong(start, self.misplaced())
        if self.text[start] == "&":
            match = self.like.anchor.match(self.text, start + 1)
            if match is None or props.anchor is not None:
                raise Wrong(start, "an anchor needs a name" if match is None else "a value can have only one anchor")
            props.anchor = match[0]
            self.at = match.end()
        else:
            if props.tag is not None:
                raise Wrong(start, "a value can have only one tag")
            props.tag = self.tag()
        props.at = start if props.at < 0 else props.at
        props.end = self.at
        follows = self.text[self.at : self.at + 1]
        if follows not in ("", " ", "\t", "\r", "\n") and not (follows in ",]}" and self.top.kind in FLOWS):
            raise Wrong(self.at, "a tag or anchor ends with a space")

    def tag(self) -> str:
        match = self.like.tag.match(self.text, self.at)
        assert match is not None
        start, self.at = self.at, match.end()
        if match[1] is not None:
            return self.decoded(match[1])
        handle = f"!{match[2]}" if match[2] is not None else "!"
        if handle not in self.handles:
            raise Wrong(start, f"no `%TAG` directive declares `{handle}`")
        if not match[3]:
            if handle != "!":
                raise Wrong(start, "a tag needs a name")
            return "!"
        return self.handles[handle] + self.decoded(match[3])

    def decoded(self, text: str) -> str:
        return self.like.percent.sub(
            lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"), text
        )

    # Between brackets

    def begin_flow(self, sign: str) -> None:
        """A `[` or `{`. Whether it is a key shows when it is closed."""
        self.check_depth(self.at)
        top, props = self.top, self.props
        start = props.at if props else self.at
        opened = _Open(FLOW_MAP if sign == "{" else FLOW_SEQ, self.parent_indent(), KEY, self.at)
        opened.event, opened.start = len(self.events), start
        if top.kind not in FLOWS:
            opened.column = start - self.line_start(start)
            opened.fresh = self.fresh and self.spaces_only
            may_be_key = opened.fresh and top.kind == MAP and top.indent == opened.column
            if top.waits != NODE and not may_be_key:
                raise Wrong(self.at, self.misplaced())
            opened.outer, self.outer = self.outer, _Props()
        self.props = _Props()
        event = libyaml.MappingStartEvent if sign == "{" else libyaml.SequenceStartEvent
        self.at += 1
        self.events.append(event(props.anchor, props.tag, IMPLICIT, _spot(start), self.spot(), flow_style=True))
        self.open.append(opened)

    def check_depth(self, at: int) -> None:
        if len(self.open) > self.most:
            raise TooDeep(at)

    @property
    def top(self) -> _Open:
        return self.open[-1]

    def flow(self) -> None:
        """One thing between brackets."""
        sign = self.text[self.at]
        least = self.parent_indent() + (0 if sign in "]}" else 1)
        if self.indentation(self.at) < least:
            raise Wrong(self.flow_start(), f"this `{self.bracket()}` is not closed before a line that is indented less")
        if sign == ",":
            self.comma()
        elif sign in "]}":
            self.end_flow(sign)
        elif sign == "?" and self.indicator("?"):
            self.flow_question()
        elif sign == ":" and (self.flow_indicator() or (self.top.json and self.top.waits in (COLON, DONE))):
            self.flow_colon()
        elif sign in "&!":
            self.expect_member()
            self.tag_or_anchor()
        else:
            self.flow_node(sign)

    def flow_indicator(self) -> bool:
        return self.text[self.at + 1 : self.at + 2] in ("", " ", "\t", "\r", "\n", ",", "[", "]", "{", "}")

    def expect_member(self) -> None:
        if self.top.waits in (DONE, COLON):
            raise Wrong(self.at, f"a comma or `{']' if self.bracket() == FLOW_SEQ else '}'}` is missing before this")

    def flow_node(self, sign: str) -> None:
        self.expect_member()
        start = self.props.at if self.props else self.at
        if self.top.waits == KEY:
            self.top.item, self.top.item_at = len(self.events), start
        if sign in "[{":
            self.begin_flow(sign)
            return
        value, end, style = self.scalar_text(flow=True)
        self.leaf(value, end, style)
        self.at = end

    def comma(self) -> None:
        self.end_member()
        if self.top.waits == KEY:
            raise Wrong(self.at, "there is nothing before this comma")
        self.at += 1
        self.top.waits = KEY
        self.top.json = False

    def end_member(self) -> None:
        """Complete what was begun: a key without a value, a colon without one, the pair in a list."""
        if self.top.kind == FLOW_SEQ and self.props:
            self.top.item, self.top.at = len(self.events), self.props.end
            self.empty()
            return
        if self.props and self.top.waits == KEY:
            self.top.at = self.props.end
            self.empty()
        if self.top.kind != FLOW_SEQ:
            if self.top.asked and self.top.waits == KEY:
                self.top.at = self.at
                self.empty()
            self.top.asked = False
            if self.top.waits in (COLON, NODE):
                self.top.waits, self.top.at = NODE, self.at
                self.empty()
            if self.top.kind == PAIR:
                if self.top.waits == KEY:
                    self.empty()
                    self.top.waits = NODE
                    self.empty()
                self.open.pop()
                self.events.append(libyaml.MappingEndEvent(self.spot(), self.spot()))
                self.placed()

    def flow_question(self) -> None:
        self.expect_member()
        self.at += 1
        if self.top.kind == FLOW_SEQ:
            self.begin_pair(len(self.events), self.at - 1)
        elif self.top.kind == PAIR:
            raise Wrong(self.at - 1, "a key cannot begin here")
        else:
            self.top.item = len(self.events)
            self.top.asked = True
        self.top.at = self.at

    def begin_pair(self, event: int, at: int) -> None:
        """`a: b` in a list: a mapping of its own."""
        self.events.insert(
            event, libyaml.MappingStartEvent(None, None, IMPLICIT, _spot(at), _spot(at), flow_style=True)
        )
        self.open.append(_Open(PAIR, self.top.indent, KEY, at))

    def flow_colon(self) -> None:
        top = self.top
        if top.kind == FLOW_SEQ:
            if top.waits == KEY:
                self.begin_pair(len(self.events), self.at)
                self.empty()
            else:
                self.pair_from_item(top)
            top = self.top
        elif top.waits == KEY:
            top.at = self.at
            self.empty()
        if top.waits != COLON:
            raise Wrong(self.at, "a colon is not allowed here")
        self.at += 1
        top.waits, top.at, top.json = NODE, self.at, False

    def pair_from_item(self, top: _Open) -> None:
        if self.like.line_break.search(self.text, top.item_at, self.at):
            raise Wrong(top.item_at, "in a list, a key and its colon must be on one line")
        self.begin_pair(top.item, top.item_at)
        self.top.waits = COLON

    def end_flow(self, sign: str) -> None:
        """A closing bracket; what it closes may be the key of a mapping."""
        self.end_member()
        top = self.top
        if (top.kind == FLOW_SEQ) != (sign == "]"):
            raise Wrong(self.at, f"this does not close the `{top.kind}` that is open")
        self.at += 1
        end = libyaml.MappingEndEvent if top.kind == FLOW_MAP else libyaml.SequenceEndEvent
        self.events.append(end(_spot(self.at - 1), self.spot()))
        self.open.pop()
        if self.top.kind in FLOWS:
            self.placed(json=True)
        else:
            self.end_of_flows(top)

    def end_of_flows(self, top: _Open) -> None:
        """The outermost bracket is closed: it was a value, or a key."""
        colon = self.colon_after(self.at)
        if colon is None:
            self.fresh, end, self.at = top.fresh, self.at, top.start
            self.expect_node()
            self.at = end
            self.give(top.outer, self.events[top.event])
            self.placed()
            self.fresh = False
            return
        if self.like.line_break.search(self.text, top.start, self.at):
            raise Wrong(top.start, "a key must be on one line")
        self.fresh = self.spaces_only = top.fresh
        end, self.at = self.at, top.start
        inside = self.events[top.event :]
        del self.events[top.event :]
        self.outer = top.outer
        self.block_key(top.start, top.column)
        self.events += inside
        self.at = end
        self.value_follows(colon)

    def give(self, props: _Props, event: Any) -> None:
        """A tag and anchor on the line above belong to this collection."""
        if not props:
            return
        if (props.tag is not None and event.tag is not None) or (props.anchor is not None and event.anchor is not None):
            raise Wrong(props.at, "a value can have only one tag and one anchor")
        event.tag = props.tag if event.tag is None else event.tag
        event.anchor = props.anchor if event.anchor is None else event.anchor
        event.start_mark = _spot(props.at)

    def flow_start(self) -> int:
        return next(collection.start for collection in self.open if collection.kind in (FLOW_MAP, FLOW_SEQ))

    def bracket(self) -> str:
        return next(collection.kind for collection in reversed(self.open) if collection.kind in (FLOW_MAP, FLOW_SEQ))

    # Places

    def column(self) -> int:
        return self.at - self.line_start(self.at)

    def indentation(self, at: int) -> int:
        """The spaces that a line begins with; for what is not first on its line, its column."""
        start = self.line_start(at)
        if start != self.line:
            self.line = start
            self.first = self.like.blanks.match(self.text, start).end()  # type: ignore[union-attr]
            self.spaces = len(self.text[start : self.first]) - len(self.text[start : self.first].lstrip(" "))
        return min(self.spaces, at - start) if at <= self.first else at - start

    def line_start(self, at: int) -> int:
        return self.starts[bisect_right(self.starts, at) - 1]

    def line_end(self, at: int) -> int:
        match = self.like.line_break.search(self.text, at)
        return len(self.text) if match is None else match.start()

    def end_of_line(self, why: str) -> None:
        start = self.at
        if not self.gap() and self.at < len(self.text):
            raise Wrong(start, why)

    def spot(self) -> Any:
        return TextPosition(self.at)


def _fold(lines: list[str]) -> str:
    """One break between two ordinary lines is a space; breaks around empty and indented lines stay."""
    out: list[str] = []
    breaks = 0
    last: str | None = None
    for line in lines:
        if not line:
            breaks += 1
            continue
        indented = line[0] in " \t" or (last is not None and last[0] in " \t")
        if last is None:
            out.append("\n" * breaks)
        elif indented:
            out.append("\n" * (breaks + 1))
        else:
            out.append("\n" * breaks or " ")
        out.append(line)
        breaks, last = 0, line
    return "".join(out)
