"""An edit as replacements of spans of text, in block and in flow style.

Whole lines come and go where lines hold one member each; what is beside a member on its line is cut out of it. Line
ends, indentation and quotes follow the neighbours. Nothing here decides whether the result is right: `patch` reads
it again.
"""

from __future__ import annotations

import re
from functools import cached_property

from plait.core.node import Key, ListNode, Node, Scalar, tag_of
from plait.core.source import Source
from plait.yaml.edits import Raw
from plait.yaml.emit import Style, block, empty_text, flow, key_inline, value_text
from plait.yaml.layout import NONE, Layout, LayoutMembers, Member, lay_out
from plait.yaml.local_style import column, line_end, line_end_of, line_start, next_line, style_of
from plait.yaml.program import MAP, SEQ, TEXT
from plait.yaml.schema import CORE, YAML11
from plait.yaml.words import double_quoted, is_plain, quoted, tag_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.yaml.edits import Value

LINE = 100
"""What is longer than this does not go on one line, even where brackets were."""

Owner = tuple[int, Member] | None
"""The container and the member that a container belongs to; None for the root."""

_COMMENT_LINE = re.compile(r"[ \t]*#")
_FIRST_COMMENT = re.compile(r"^[ \t]*(#)", re.MULTILINE)


def _indentation(text: str, at: int) -> int:
    """How far the line of a place is indented."""
    line = text[line_start(text, at) : line_end(text, at)]
    return len(line) - len(line.lstrip(" "))


class Span:
    """Some text in the place of some other.

    Where two begin at one place, that of the inner node (`rank`) comes first.
    """

    __slots__ = ("end", "rank", "start", "text")

    def __init__(self, start: int, end: int, text: str, rank: int) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.rank = rank


class New:
    """A member to be added: its key (None in a list), its value, and its comments. `raw` has whole lines instead."""

    __slots__ = ("above", "comment", "key", "raw", "value")

    def __init__(
        self,
        key: Key | None,
        value: Value,
        comment: str | None = None,
        above: str | None = None,
        raw: str | None = None,
    ) -> None:
        self.key = key
        self.value = value
        self.comment = comment
        self.above = above
        self.raw = raw


class Graft:
    """The replacements that a document's edits come down to."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.text = layout.text
        self.line_end = line_end_of(layout.text)
        self.spans: list[Span] = []
        self.rank = 0

    @cached_property
    def style(self) -> Style:
        """The style of what is new: where lines only go, nobody asks for it."""
        return style_of(self.layout)

    def cut(self, start: int, end: int, text: str = "") -> None:
        if self.line_end != "\n":
            text = text.replace("\n", self.line_end)
        self.spans.append(Span(start, end, text, self.rank))

    def own_line(self, at: int) -> bool:
        """Whether there is only indentation before a place."""
        return not self.text[line_start(self.text, at) : at].strip(" ")

    # Values

    def replace(self, container: int, member: Member, value: Value, comment: str | None = None) -> None:
        """Give a member another value."""
        self.rank = old = member.value
        if self.layout.is_flow(container):
            self.replace_in_flow(container, member, value)
            return
        keyed = member.key != NONE
        head, lines = self.render(value, column(self.text, member.start), keyed, old)
        mark = member.mark
        if mark == NONE:  # `? key` without a value
            mark = line_end(self.text, self.layout.tidy_end(member.key))
            head = f"\n{' ' * column(self.text, member.start)}: {head}".rstrip(" ")
        self.put_behind(mark, old, head, lines, comment)

    def replace_root(self, value: Value) -> None:
        """Give the document another root."""
        layout, old = self.layout, 0
        if not layout.kinds:
            self.begin_document(value)
            return
        head, lines = self.render(value, 0, True, old, body_column=0)
        start, end = layout.ats[old], layout.tidy_end(old)
        if not self.own_line(start) or start == end:
            self.put_behind(layout.opened, old, head, lines, None)
        else:
            self.cut(start, end, "\n".join([head, *lines] if head else lines))

    def begin_document(self, value: Value) -> None:
        """The first lines of a text that has no document yet, after its comments."""
        head, lines = self.render(value, 0, True, None, body_column=0)
        at = len(self.text)
        gap = "" if not self.text or self.text.endswith(("\n", "\r")) else "\n"
        self.cut(at, at, gap + "\n".join([head, *lines] if head else lines) + "\n")

    def put_behind(self, mark: int, old: int, head: str, lines: list[str], comment: str | None) -> None:
        """Replace what is after a colon or dash: `head` on its line, `lines` below it."""
        layout = self.layout
        below = "".join("\n" + line for line in lines)
        if layout.is_block(old):
            self.put_for_block(mark, old, head, below, comment)
            return
        start, end = layout.ats[old], layout.end(old)
        header = layout.block_header(old)
        if start == end:
            start = end = mark
        if header is not None:
            line = line_end(self.text, header.end())
            self.cut(start, header.end(), head)
            self.beside(header.end(), line, comment)
            self.cut(line, max(line, layout.tidy_end(old)), below)
            return
        line = line_end(self.text, end)
        if not head:
            start = mark + len(self.text[mark:start].rstrip())
        gap = " " if head and start == mark and not self.fresh_line(mark) and not head.startswith("\n") else ""
        self.cut(start, end, gap + head)
        self.beside(end, line, comment)
        self.cut(line, line, below)

    def put_for_block(self, mark: int, old: int, head: str, below: str, comment: str | None) -> None:
        """The same where a block stood: it goes with the lines it has."""
        layout = self.layout
        end = layout.tidy_end(old)
        first = layout.members(old)[0].start
        if line_end(self.text, end) != line_end(self.text, mark):  # a comment on its last line goes with it
            end = line_end(self.text, end)
        if not self.own_line(first):  # - a: 1
            self.cut(layout.ats[old], end, head + below if head else below.lstrip("\n "))
            return
        props = layout.props_end(old) if old in layout.props else mark
        line = line_end(self.text, props)
        self.cut(mark, props, f" {head}" if head else "")
        self.beside(props, line, comment)
        self.cut(line, end, below)

    def fresh_line(self, at: int) -> bool:
        return at == line_start(self.text, at)

    def beside(self, start: int, end: int, comment: str | None) -> None:
        """Exchange the comment at the end of a line, where there is a new one."""
        if comment is not None:
            self.cut(start, end, f"  # {comment}" if comment else "")

    def replace_in_flow(self, container: int, member: Member, value: Value) -> None:
        layout, old = self.layout, member.value
        text = self.with_anchor(old, self.flow_text(container, value, old))
        start, end = layout.ats[old], layout.end(old)
        if start != end:
            self.cut(start, end, text)
        elif member.key == NONE or member.mark != NONE:
            self.cut(member.mark, member.mark, f" {text}")
        else:
            at = layout.end(member.key)
            self.cut(at, at, f": {text}")

    def with_anchor(self, old: int | None, text: str) -> str:
        """A value keeps the anchor of its place: others may refer to it."""
        name = None if old is None else self.layout.anchor(old)
        return text if name is None else f"&{name} {text}".rstrip(" ")

    def flow_text(self, container: int, value: Value, old: int | None) -> str:
        if isinstance(value, Raw):
            return value.text
        style = self.style_for(value, old, self.style)
        if old is None and self.usual_quote(container) == '"':  # where keys are quoted, all texts are
            style = Style(prefer='"', always=True, reveal=True)
        return flow(value, style)

    def style_for(self, value: Node, old: int | None, style: Style) -> Style:
        """The quotes of the text that stood there, for one that takes its place."""
        if old is None or not isinstance(value, Scalar) or self.layout.is_container(old):
            return style
        sign = self.text[self.layout.inner(old) : self.layout.inner(old) + 1]
        always = self.layout.kind(old) == TEXT and sign in ("'", '"')
        prefer = sign if always else style.prefer
        keeps = not always and self.is_read_alike(old, value)
        return Style(
            style.indent,
            style.dash,
            prefer=prefer,
            always=always,
            item=style.item,
            reveal=True,
            schema=CORE if keeps else None,
        )

    def is_read_alike(self, old: int, value: Scalar) -> bool:
        """Whether the old text is plain although YAML 1.1 does not read it as text (`yes`, a date), and reads the new
        one in the same way: quotes would change its type for such a reader."""
        text = self.text[self.layout.inner(old) : self.layout.end(old)]
        if is_plain(text) or is_plain(value.text) or not isinstance(CORE.resolve(text), str):
            return False
        return YAML11.resolve(text).__class__ is YAML11.resolve(value.text).__class__

    def render(
        self, value: Value, at: int, keyed: bool, old: int | None, body_column: int | None = None
    ) -> tuple[str, list[str]]:
        """A value after a key or dash at a column: what is on its line, and the lines below."""
        if isinstance(value, Raw):
            anchored = self.with_anchor(old, "")
            head, lines = self.render_raw(value, at, keyed, bool(anchored), body_column)
            return f"{anchored} {head}".strip(" "), lines
        if isinstance(value, Scalar):
            width = self.style.indent if keyed else self.style.item
            head, *lines = value_text(value, at, width, self.style_for(value, old, self.style)).split("\n")
            return self.with_anchor(old, head), lines
        text = empty_text(value) or self.like_before(value, old)
        if text is not None:
            return self.with_anchor(old, text), []
        return self.render_container(value, at, keyed, old, body_column)

    def like_before(self, value: Node, old: int | None) -> str | None:
        """A container on one line, where one between brackets stood before and it is not too long."""
        if old is None or not self.layout.is_flow(old) or not self.layout.members(old):
            return None
        text = flow(value, self.style)
        return text if len(text) <= LINE else None

    def render_container(
        self, value: Node, at: int, keyed: bool, old: int | None, body_column: int | None
    ) -> tuple[str, list[str]]:
        tag = tag_of(value)
        props = self.with_anchor(old, tag_text(tag) if tag is not None else "")
        at = self.body_column(value, at, keyed, old) if body_column is None else body_column
        lines = (" " * at + block(value, at, self.style)).split("\n")
        if keyed or props:
            return props, lines
        return lines[0][at:], lines[1:]

    def body_column(self, value: Node, at: int, keyed: bool, old: int | None) -> int:
        """Where a new block begins: where the old one of its kind did, else as is usual in the document."""
        layout = self.layout
        kind = SEQ if isinstance(value, ListNode) else MAP
        if old is not None and layout.is_block(old) and layout.kind(old) == kind:
            return column(self.text, layout.members(old)[0].start)
        if not keyed:
            return at + self.style.item
        return at + (self.style.dash if isinstance(value, ListNode) else self.style.indent)

    def render_raw(
        self, value: Raw, at: int, keyed: bool, anchored: bool, body_column: int | None
    ) -> tuple[str, list[str]]:
        """Text as it is, moved to its column."""
        lines = value.text.rstrip("\n").split("\n")
        layouts = lay_out(Source("(new)", value.text))
        if not layouts or not layouts[0].is_block(0):
            return lines[0], lines[1:]
        shift = body_column
        if shift is None:
            dash = layouts[0].kind(0) == SEQ and keyed
            shift = at + (self.style.dash if dash else self.style.indent if keyed else self.style.item)
        moved = [" " * shift + line if line else "" for line in lines]
        return ("", moved) if keyed or anchored else (moved[0].lstrip(" "), moved[1:])

    # Keys

    def rename(self, container: int, member: Member, name: Key) -> None:
        layout, key = self.layout, member.key
        quote = self.quote_at(layout.inner(key))
        if quote and not is_plain(layout.texts[key] or ""):  # it had to be quoted: no habit
            quote = self.usual_quote(container) if member.position else ""
        text = self.key_text(container, name, quote)
        self.cut(layout.ats[key], layout.end(key), self.with_anchor(key, text))

    def quote_at(self, at: int) -> str:
        sign = self.text[at : at + 1]
        return sign if sign in ("'", '"') else ""

    def key_text(self, container: int, key: Key, quote: str) -> str:
        """A key on one line, in the quotes that are usual here."""
        if isinstance(key, str) and quote:
            return double_quoted(key) if quote == '"' else quoted(key, quote)
        if self.layout.is_flow(container):
            return flow(key if isinstance(key, Node) else Scalar(key, key), self.style)
        return key_inline(key, self.style) or flow(key if isinstance(key, Node) else Scalar(key, key), self.style)

    def usual_quote(self, container: int) -> str:
        members = self.layout.members(container)
        if not members and container and self.layout.is_flow(container) and self.layout.is_flow(0):
            return self.usual_quote(0)
        return self.quote_at(self.layout.inner(members[0].key)) if members and members[0].key != NONE else ""

    # LayoutMembers that come and go

    def change(self, owner: Owner, container: int, gone: set[int], new: dict[int, list[New]]) -> None:
        """Take members away and add others, each before the member at its position."""
        self.rank, layout = container, self.layout
        members = layout.members(container)
        if layout.is_flow(container) and (members or not self.may_open(owner, container)):
            self.change_flow(container, gone, new)
        elif not members:
            self.open_block(owner, container, [one for news in new.values() for one in news])
        elif len(gone) == len(members) and not new:
            self.empty_block(owner, container)
        else:
            self.change_block(container, members, gone, new)

    def may_open(self, owner: Owner, container: int) -> bool:
        """Whether an empty `{}` or `[]` is in a block, so that its new members can go below it."""
        inner = self.text[self.layout.inner(container) : self.layout.end(container)]
        return not inner[1:-1].strip() and not (owner is not None and self.layout.is_flow(owner[0]))

    def empty_block(self, owner: Owner, container: int) -> None:
        """A block that lost its last member becomes `{}` or `[]`."""
        layout = self.layout
        brackets = "[]" if layout.kind(container) == SEQ else "{}"
        keep = self.text[layout.ats[container] : layout.props_end(container)] if container in layout.props else ""
        text = f"{keep} {brackets}".strip()
        members = layout.members(container)
        if owner is None or not self.own_line(members[0].start):
            self.cut(layout.ats[container], line_end(self.text, layout.tidy_end(container)), text)
            return
        mark = owner[1].mark
        self.cut(mark, layout.props_end(container) if keep else mark, f" {text}")
        self.remove_run(members, 0, len(members), [], column(self.text, members[0].start))

    def open_block(self, owner: Owner, container: int, new: list[New]) -> None:
        """An empty `{}` or `[]` gets its first members, below its key or after its dash."""
        layout = self.layout
        at, end = layout.inner(container), layout.end(container)
        base, item = 0, False
        if owner is not None:
            base = column(self.text, owner[1].start)
            item = owner[1].key == NONE
            deeper = self.style.dash if layout.kind(container) == SEQ else self.style.indent
            base += self.style.item if item else deeper
        lines = [line for one in new for line in self.member_lines(container, one, base)]
        line = line_end(self.text, end)
        if self.fresh_line(at) or (item and container not in layout.props):
            self.cut(at, end, lines[0].lstrip(" "))
            lines = lines[1:]
        else:
            self.cut(at - (len(self.text[:at]) - len(self.text[:at].rstrip(" "))), end, "")
        self.cut(line, line, "".join("\n" + one for one in lines))

    def member_lines(self, container: int, new: New, at: int) -> list[str]:
        """A new member of a block, as whole lines."""
        pad = " " * at
        if new.raw is not None:
            return [pad + line if line.strip() else "" for line in new.raw.split("\n")]
        keyed = new.key is not None
        head, below = self.render(new.value, at, keyed, None)
        lead = "-" if new.key is None else self.key_text(container, new.key, self.usual_quote(container)) + ":"
        first = f"{pad}{lead} {head}".rstrip(" ") + (f"  # {new.comment}" if new.comment else "")
        above = [f"{pad}# {line}".rstrip() for line in new.above.split("\n")] if new.above else []
        return [*above, first, *below]

    def change_block(self, container: int, members: LayoutMembers, gone: set[int], new: dict[int, list[New]]) -> None:
        at = column(self.text, members[0].start)
        position = 0
        while position <= len(members):
            stop = position
            while stop in gone:
                stop += 1
            lines = [
                line
                for place in range(position, stop + 1)
                for one in new.get(place, ())
                for line in self.member_lines(container, one, at)
            ]
            if stop > position:
                self.remove_run(members, position, stop, lines, at)
            elif lines:
                self.insert_lines(members, position, lines, at)
            position = stop + 1

    def remove_run(self, members: LayoutMembers, start: int, stop: int, lines: list[str], at: int) -> None:
        """Take members `start` to `stop` away, and put lines in their place."""
        if not self.own_line(members[start].start):
            self.remove_beside(members, start, stop, lines, at)
            return
        regions = []
        for position in range(start, stop):
            begin, end = self.lines_of(members, position)
            regions.append((begin, self.over_blank(members, position, next_line(self.text, end))))
        if (
            regions[-1][1] == line_end(self.text, regions[-1][1] - 1) and not lines
        ):  # no final line end: take the one before
            first = len(regions) - 1
            while first and regions[first - 1][1] == regions[first][0]:
                first -= 1
            begin, end = regions[first]
            regions[first] = (self.end_before(members, start, begin) if begin else begin, end)
        for begin, end in regions:
            text = "".join(line + "\n" for line in lines)
            self.cut(begin, end, text if self.text[end - 1 : end] in "\r\n" else text.removesuffix("\n"))
            lines = []

    def end_before(self, members: LayoutMembers, start: int, begin: int) -> int:
        """Where the line before ends, unless its end is part of a block scalar."""
        leaf = self.layout.last_leaf(members[start - 1].value) if start else NONE
        if leaf != NONE and self.layout.block_header(leaf) is not None:
            return begin
        return line_end(self.text, begin - (2 if self.text[begin - 2 : begin] == "\r\n" else 1))

    def over_blank(self, members: LayoutMembers, position: int, at: int) -> int:
        """Past the empty lines that would otherwise become part of a `|+` above."""
        leaf = self.layout.last_leaf(members[position - 1].value) if position else NONE
        header = self.layout.block_header(leaf) if leaf != NONE else None
        if header is None or "+" not in header[1]:
            return at
        while at < len(self.text) and not self.text[at : line_end(self.text, at)].strip():
            at = next_line(self.text, at)
        return at

    def lines_of(self, members: LayoutMembers, position: int) -> tuple[int, int]:
        """The lines of a member: with the comment right above it, to the end of its last."""
        member = members[position]
        begin = line_start(self.text, member.start)
        end = line_end(self.text, self.member_end(member))
        return self.comment_above(begin, column(self.text, member.start), position), end

    def member_end(self, member: Member) -> int:
        end = max(self.layout.tidy_end(member.value), member.mark)
        return end if member.key == NONE else max(end, self.layout.tidy_end(member.key))

    def comment_above(self, begin: int, at: int, position: int) -> int:
        """The start of the comment lines right above a line, at its column.

        The heading of a text belongs to no member.
        """
        start = begin
        while start > self.layout.opened:
            above = line_start(self.text, start - 1)
            line = self.text[above:start]
            if above < self.layout.opened or not _COMMENT_LINE.match(line) or len(line) - len(line.lstrip(" ")) != at:
                break
            start = above
        return begin if position == 0 and at == 0 else start

    def remove_beside(self, members: LayoutMembers, start: int, stop: int, lines: list[str], at: int) -> None:
        """The same where the first member is after a dash: what follows moves up to it."""
        begin, end = members[start].start, line_end(self.text, self.member_end(members[stop - 1]))
        text = "\n".join(lines).lstrip(" ")
        if stop == len(members):
            self.cut(begin, end, text)
            return
        follows = members[stop].start
        comment = _FIRST_COMMENT.search(self.text, next_line(self.text, end), follows)
        if lines:
            self.cut(begin, end, text)
        else:
            self.cut(begin, follows if comment is None else comment.start(1), "")

    def insert_lines(self, members: LayoutMembers, position: int, lines: list[str], at: int) -> None:
        """New lines before a member, or after the last one."""
        if position:
            before = members[position - 1]
            end = line_end(self.text, self.member_end(before))
            self.keep_chomping(self.layout.last_leaf(before.value), end)
            below = next_line(self.text, end)
            lead, tail = ("\n", "") if below == end else ("", "\n")
            self.cut(below, below, "".join(lead + line + tail for line in lines))
        elif self.own_line(members[0].start):
            begin = self.comment_above(line_start(self.text, members[0].start), at, 1)
            self.cut(begin, begin, "".join(line + "\n" for line in lines))
        else:
            begin = members[0].start
            self.cut(begin, begin, "\n".join(lines).lstrip(" ") + "\n" + " " * at)

    def keep_chomping(self, leaf: int, end: int) -> None:
        """A block scalar that ends with the text has no last line end; now that it gets one, its header must say so."""
        header = self.layout.block_header(leaf)
        if header is not None and end == len(self.text):
            self.cut(header.start(1), header.end(1), header[1].strip("+-") + "-")

    # Between brackets

    def change_flow(self, container: int, gone: set[int], new: dict[int, list[New]]) -> None:
        layout = self.layout
        members = layout.members(container)
        close = layout.end(container) - 1
        texts = {place: [self.flow_member(container, one) for one in news] for place, news in new.items()}
        if len(gone) == len(members):
            self.fill_brackets(container, [text for place in sorted(texts) for text in texts[place]])
            return
        position = 0
        while position <= len(members):
            stop = position
            while stop in gone:
                stop += 1
            added = [text for place in range(position, stop + 1) for text in texts.get(place, ())]
            if stop > position or added:
                self.change_flow_run(members, position, stop, added, close)
            position = stop + 1

    def fill_brackets(self, container: int, added: list[str]) -> None:
        """All that is between the brackets goes, but comments before it; new members go below those, each on a line."""
        layout = self.layout
        members, inner, close = layout.members(container), layout.inner(container), layout.end(container) - 1
        first = members[0].start if members else close
        if not self.text[inner + 1 : first].strip():
            self.cut(inner + 1, close, ", ".join(added))
            return
        at, apart = line_start(self.text, first), self.own_line(close)
        depth = max(_indentation(self.text, inner) + self.style.indent, _indentation(self.text, at - 1))
        text = ",\n".join(f"{' ' * depth}{one}" for one in added)
        if apart:
            self.cut(at, line_start(self.text, close), text and f"{text}\n")
        else:
            self.cut(at, close, text or " " * depth)

    def flow_member(self, container: int, new: New) -> str:
        text = self.flow_text(container, new.value, None)
        if new.key is None:
            return text
        return f"{self.key_text(container, new.key, self.usual_quote(container))}: {text}"

    def change_flow_run(self, members: LayoutMembers, start: int, stop: int, added: list[str], close: int) -> None:
        """Exchange the members from `start` to `stop` for others."""
        if stop < len(members):
            follows = members[stop].start
            gap = self.gap(follows)
            comment = (
                _FIRST_COMMENT.search(self.text, self.member_end(members[stop - 1]), follows) if stop > start else None
            )
            begin = members[start].start
            end = follows if comment is None else comment.start(1)
            self.cut(begin, end, "".join(text + gap for text in added))
            return
        before = members[start - 1]
        at = self.member_end(before)
        end = self.member_end(members[stop - 1])
        gap = self.gap(before.start)
        line = line_end(self.text, end)
        if stop > start and "#" in self.text[at : members[start].start]:  # a comment of the member before them
            begin = members[start].start
            below = self.own_line(begin) and next_line(self.text, end) <= line_start(self.text, close)
            if added or not below:
                self.cut(begin, end, gap.join(added))
            else:
                self.cut(line_start(self.text, begin), next_line(self.text, end), "")
        elif added and stop == start and "\n" in gap and line < close:
            comma = self.layout.skip(end)
            has_comma = self.text[comma] == ","
            line = line_end(self.text, comma) if has_comma else line
            self.cut(end, end, "" if has_comma else ",")
            self.cut(line, line, (gap[1:] + gap.join(added)) + ("," if has_comma else ""))
        else:
            self.cut(at, end, "".join(gap + text for text in added))

    def gap(self, start: int) -> str:
        """What is between members: a comma, and a new line where each has its own."""
        return f",\n{' ' * column(self.text, start)}" if self.own_line(start) else ", "
