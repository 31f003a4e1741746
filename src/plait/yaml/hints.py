"""What people usually meant where a text is not YAML: the place of the mistake, its name, and what to write instead.

Each rule looks at the text around the place where the reader stopped. The first that recognises a mistake decides;
the last one always matches, so that every syntax error has a hint.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 400
"""No more of a line is looked at: what is longer was not written by hand."""


MASKED = "the value is marked `!sensitive`, so it is not shown; write the tag first, and then its value in quotes"


class Advice:
    """Where the mistake is, what it is called (nothing: as the reader says), and what to do."""

    __slots__ = ("at", "hint", "length", "why")

    def __init__(self, at: int, hint: str, why: str = "", length: int = 0) -> None:
        self.at = at
        self.hint = hint
        self.why = why
        self.length = length


class _Spot:
    """The line on which the reader stopped, and the line with text before it."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = min(at, len(text))
        self.start = max(text.rfind("\n", 0, self.at), text.rfind("\r", 0, self.at)) + 1
        self.line = _line_at(text, self.start)[:LONGEST]
        self.column = self.at - self.start
        self.rest = self.line[self.column :]
        self.sign = self.rest[:1]
        self.before, self.before_start = _line_before(text, self.start)
        self.indent = _indent(self.line)


def advise(text: str, at: int) -> Advice:
    """The advice for a place where a text is not valid YAML."""
    spot = _Spot(text, at)
    for rule in RULES:
        advice = rule(spot)
        if advice is not None:
            return advice
    return Advice(spot.at, "check the quotes, brackets and indentation of this line and the one above it")


def advise_on_text(text: str, at: int) -> Advice:
    """What people may have meant where a whole document is one text: `image:nginx`, `a = 1`."""
    spot = _Spot(text, at)
    advice = _conflict(spot) or _template(spot) or missing_space(spot.line, spot.start)
    if advice is not None:
        return advice
    assigned = re.match(r"\s*([\w.-]+)\s*=\s*(\S.*)", spot.line)
    if assigned is not None:
        return Advice(spot.at, f"write `{assigned[1]}: {assigned[2].rstrip()}`")
    return Advice(spot.at, "a layer is a map (`key: value`) or a list (`- item`); check the name of the file")


def missing_space(line: str, start: int) -> Advice | None:
    """`image:nginx`: a key and a value without a space between them."""
    match = re.match(_NO_SPACE, line)
    if match is None or re.search(_SPACED, line):
        return None
    key, value = match["key"], match["value"]
    return Advice(start + match.end("key"), f"write `{key}: {value}`", "a space is missing after `:`", 1)


_NO_SPACE = r"""[ ]*(?:-[ ]+)*(?P<key>[\w.-]*[A-Za-z_][\w.-]*):(?P<value>[^\s:/\\'"][^#]*?)\s*(?:#.*)?\Z"""
_SPACED = r":(?:\s|\Z)"
_CONFLICT = r"(?m)^(?:<<<<<<<|>>>>>>>)(?: .*)?$|^=======\r?$"
_PAIR = (
    r"""(?P<indent>[ ]*)(?P<dash>(?:-[ ]+)*+)(?P<key>[^\s#'"\[{&*!|>%@`][^:#]*?):[ ]+(?P<value>[^'"\[{|>&*!#\s].*)\Z"""
)
_QUOTED_PAIR = r"""[ ]*(?:-[ ]+)*[^\s#\[{]+:[ ]+(?P<quote>['"])(?P<value>.*)\Z"""
_KEY = r"""[ ]*(?P<name>[^\s#:'"\[{]+):(?P<value>[ ]+[^\s#].*)?\Z"""
_DASH = r"[ ]*-(?P<item>[^\s-].*)\Z"
_MERGE_BY = r"[ ]*(?:-[ ]+)*(?:[^\s#:'\"\[{]+:[ ]+)?(?P<mark>!merge-by[ ]+(?P<field>[\w.,=-]+))[ ]*(?:#.*)?\Z"


def _conflict(spot: _Spot) -> Advice | None:
    if "<<<<<<<" not in spot.text and ">>>>>>>" not in spot.text:
        return None
    match = re.search(_CONFLICT, spot.text)
    hint = "keep one of the two versions, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`"
    return Advice(match.start(), hint, "a git conflict marker", 7) if match else None


TEMPLATE = "render it first, or put the text in quotes; `--notation gotemplate` evaluates templates in quoted strings"


def _template(spot: _Spot) -> Advice | None:
    for line, start in ((spot.line, spot.start), (spot.before, spot.before_start)):
        at = line.find("{{")
        if at >= 0 and not re.search(r"['\"][^'\"]*\{\{", line):
            return Advice(start + at, TEMPLATE, "this looks like a template, not like YAML", 2)
    return None


def _tab(spot: _Spot) -> Advice | None:
    indentation = spot.line[: len(spot.line) - len(spot.line.lstrip(" \t"))]
    if "\t" not in indentation:
        return None
    at = spot.start + indentation.index("\t")
    return Advice(at, "indent with spaces", f"a tab in the indentation, at column {at - spot.start + 1}", 1)


def _curly_quotes(spot: _Spot) -> Advice | None:
    match = re.search("[\u201c\u201d\u2018\u2019]", spot.line)
    if match is None:
        return None
    return Advice(spot.start + match.start(), "use the straight quotes \" or '", f"`{match[0]}` is not a YAML quote", 1)


def _no_space(spot: _Spot) -> Advice | None:
    return missing_space(spot.line, spot.start) or (
        missing_space(spot.before, spot.before_start) if spot.before else None
    )


def _no_space_after_dash(spot: _Spot) -> Advice | None:
    for line, start in ((spot.line, spot.start), (spot.before, spot.before_start)):
        match = re.match(_DASH, line)
        if match is not None and not line.lstrip().startswith("--"):
            at = start + match.start("item")
            return Advice(at, f"write `- {match['item'].strip()}`", "a space is missing after `-`", 1)
    return None


def _document_mark(spot: _Spot) -> Advice | None:
    if not spot.line.startswith("--- "):
        return None
    return Advice(spot.start, "begin the document on the line after `---`", "", 3)


def _directive(spot: _Spot) -> Advice | None:
    for line, start in ((spot.line, spot.start), (spot.before, spot.before_start)):
        if line.startswith("%"):
            hint = "put the line in quotes, or remove it"
            return Advice(start, hint, "a line that begins with `%` is a directive", 1)
    return None


def _second_colon(spot: _Spot) -> Advice | None:
    match = re.match(_PAIR, spot.line)
    if match is None or not re.search(r":(?:\s|\Z)", match["value"]):
        return None
    key, value = f"{match['dash']}{match['key']}", match["value"].rstrip()
    at = spot.start + match.start("value") + re.search(r":(?:\s|\Z)", match["value"]).start()  # type: ignore[union-attr]
    if "," in value:
        hint = f"put each key on a line of its own, or the value in quotes: `{key}: {_quoted(value)}`"
    else:
        hint = f"put the value in quotes: `{key}: {_quoted(value)}`"
    return Advice(at, hint, "a second `: ` on the line", 1)


def _after_a_quote(spot: _Spot) -> Advice | None:
    """`'it's here'`, `'x' y`, `"a": "b": c`: text after a closing quote."""
    match = re.match(_QUOTED_PAIR, spot.line)
    if match is None or spot.at <= spot.start + match.start("quote"):
        return None
    quote, value = match["quote"], match["value"]
    if quote == "'" and value.count("'") % 2 == 0 and value.rstrip().endswith("'"):
        fixed = value.rstrip()[:-1].replace("'", "''")
        hint = f"an apostrophe in single quotes is written twice: `'{fixed}'`"
    elif re.search(r"['\"]\s*:\s", value):
        hint = "put each key on a line of its own"
    else:
        hint = "put all of the value in quotes, or none of it"
    return Advice(spot.at, hint, "text after the closing quote", 1)


def _quote(spot: _Spot) -> Advice | None:
    if spot.sign not in ("'", '"'):
        return None
    if re.match(r"""(['"])(?:(?!\1).)*\1\s*:\s""", spot.rest):
        return Advice(spot.at, "put each key on a line of its own", "a second key on the line")
    return Advice(spot.at, f"add the closing {spot.sign}")


def _escape(spot: _Spot) -> Advice | None:
    if spot.sign != "\\":
        return None
    return Advice(spot.at, "in single quotes a backslash is only a backslash; in double quotes write `\\\\`", "", 2)


def _bracket(spot: _Spot) -> Advice | None:
    if spot.sign not in ("[", "{") or spot.sign == "":
        return None
    return Advice(spot.at, f"add the closing `{']' if spot.sign == '[' else '}'}`, or put the text in quotes")


def _reserved(spot: _Spot) -> Advice | None:
    if spot.sign not in tuple("@`%]},&*!|>") or not spot.sign:
        return None
    value = re.sub(r"\s+#.*", "", spot.rest).rstrip()
    why = f"an unquoted value cannot begin with `{spot.sign}`" if spot.sign in "@`%]}," else ""
    return Advice(spot.at, f"put it in quotes: {_quoted(value)}", why, 1)


def _merged_by(spot: _Spot) -> Advice | None:
    """`hosts: !merge-by name`, and the list below it: the first item says that, or the tag of the list."""
    match = re.match(_MERGE_BY, spot.before)
    if match is None or spot.line.lstrip(" ")[:1] not in ("-", "["):
        return None
    hint = f"head the list with `- {match['mark']}`, or tag it `!merge-by:{match['field']}`"
    why = f"a list below `{match['mark']}`, which is a value of its own"
    return Advice(spot.before_start + match.start("mark"), hint, why, len(match["mark"]))


def _list_under_a_value(spot: _Spot) -> Advice | None:
    """A list item below `key: value`, unless a list above has its indentation."""
    match = re.match(_KEY, spot.before)
    value = match["value"].strip() if match is not None and match["value"] else ""
    if match is None or not value or value[0] in _OPENING or spot.indent < _indent(spot.before):
        return None
    item = " " * spot.indent + "- "
    if not f"{spot.line} ".startswith(item) or f"\n{item}" in f"\n{spot.text[: spot.start]}":
        return None
    hint = f"`{match['name']}` has the value `{value}` already: remove the value, or give the list a key of its own"
    return Advice(spot.start + spot.indent, hint, "a list below a key that has a value", 1)


_OPENING = "'\"[{|>&*"
"""How a value begins that goes on in the next lines, or that a list may follow."""


def _under_a_value(spot: _Spot) -> Advice | None:
    """A line that is indented below `key: value`."""
    match = re.match(_KEY, spot.before)
    if match is None or match["value"] is None or spot.indent <= _indent(spot.before):
        return None
    name, value = match["name"], match["value"].strip()
    hint = f"`{name}` has the value `{value}` already: indent this line like `{name}`, or remove the value"
    return Advice(spot.at, hint, "this line is indented below a key that has a value")


def _between_levels(spot: _Spot) -> Advice | None:
    """An indentation that no line above has."""
    levels = _levels_above(spot.text, spot.start)
    if spot.indent in levels or not levels or spot.indent >= max(levels) or spot.column != spot.indent:
        return None
    words = " or ".join(map(str, sorted(levels)))
    why = f"an indentation of {_spaces(spot.indent)} does not match any line above"
    why = why if spot.indent else "this line is not indented, but all lines above are"
    return Advice(spot.at, f"indent it by {_spaces(words)}, as the lines above", why)


def _too_deep(spot: _Spot) -> Advice | None:
    if not spot.before or spot.column != spot.indent or spot.indent <= _indent(spot.before):
        return None
    wanted = _indent(spot.before)
    hint = f"indent it by {_spaces(wanted)}, as the line above" if wanted else "do not indent it, like the line above"
    return Advice(spot.at, hint)


def _item_among_keys(spot: _Spot) -> Advice | None:
    if spot.column != spot.indent or not re.match(r"- |-\Z", spot.rest):
        return None
    return Advice(
        spot.at, "indent the item like the others of its list, or remove the dash", "a list item among keys", 1
    )


def _key_among_items(spot: _Spot) -> Advice | None:
    if (
        spot.column != spot.indent
        or not re.match(_KEY, spot.line)
        or not re.search(r"^[ ]*- ", spot.text[: spot.start], re.M)
    ):
        return None
    return Advice(
        spot.at, "indent the key like the others of its item, or begin a new item with `- `", "a key between list items"
    )


def _no_colon(spot: _Spot) -> Advice | None:
    word = spot.line.strip()
    if spot.column != spot.indent or not word or ":" in word or word[0] in "-?[]{}'\"":
        return None
    return Advice(
        spot.at, f"write `{word}:`; or, if it belongs to the line above, indent it", "a key without a colon", len(word)
    )


RULES: tuple[Callable[[_Spot], Advice | None], ...] = (
    _conflict,
    _template,
    _tab,
    _curly_quotes,
    _escape,
    _document_mark,
    _directive,
    _no_space,
    _no_space_after_dash,
    _after_a_quote,
    _merged_by,
    _list_under_a_value,
    _second_colon,
    _quote,
    _bracket,
    _reserved,
    _under_a_value,
    _between_levels,
    _item_among_keys,
    _key_among_items,
    _too_deep,
    _no_colon,
)
"""The mistakes that are recognised, the surest first."""


def _spaces(count: int | str) -> str:
    return f"{count} space{'' if str(count) == '1' else 's'}"


def _quoted(value: str) -> str:
    return f"'{value}'" if '"' in value or "\\" in value else f'"{value}"'


def _line_at(text: str, start: int) -> str:
    return text[start:].partition("\n")[0].partition("\r")[0]


def _line_before(text: str, start: int) -> tuple[str, int]:
    """The last line above that is neither blank nor a comment, and where it begins."""
    while start:
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end].rstrip("\r")
        if line.strip() and not line.lstrip().startswith("#"):
            return line[:LONGEST], start
    return "", 0


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _levels_above(text: str, start: int) -> list[int]:
    """The indentations that are open above a line: each one smaller than the one below it."""
    levels: list[int] = []
    while start and (not levels or levels[-1]):
        line, start = _line_before(text, start)
        if line and (not levels or _indent(line) < levels[-1]):
            levels.append(_indent(line))
    return levels
