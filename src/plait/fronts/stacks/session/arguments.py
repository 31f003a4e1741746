"""What follows a function's tag: words, quoted words, an expression to the end of the line, options after `|`.

    !terraform.state COMPONENT [STACK] OUTPUT-OR-EXPRESSION      !store NAME [STACK] COMPONENT KEY | default V | query E

A word that begins with one of `. [ { | ' "` begins the expression. Inside quotes a doubled quote is one quote.
"""

from __future__ import annotations

QUOTES = "'\""
EXPRESSION = frozenset(".[{|'\"")


class BadArguments(ValueError):
    """Words that do not fit a function; `at` is the offset of what is wrong in the text, `quotes` says that the message
    quotes it."""

    def __init__(self, message: str, at: int = 0, *, quotes: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.quotes = quotes


class Arguments:
    """The words of one call, by what they are."""

    __slots__ = ("component", "default", "expression", "key", "name", "path", "query", "stack", "values")

    def __init__(
        self,
        *,
        name: str = "",
        default: str | None = None,
        component: str = "",
        stack: str = "",
        expression: str = "",
        key: str = "",
        path: str = "",
        query: str = "",
        values: list[str] | None = None,
    ) -> None:
        self.component = component
        self.stack = stack
        self.expression = expression
        self.name = name
        self.key = key
        self.path = path
        self.query = query
        self.default = default
        self.values = values or []


class QuotedWord:
    """One word: its text without quotes, and where it is."""

    __slots__ = ("at", "end", "quoted", "text")

    def __init__(self, text: str, at: int, end: int, quoted: bool) -> None:
        self.text = text
        self.at = at
        self.end = end
        self.quoted = quoted


def words_of(text: str, start: int = 0) -> list[QuotedWord]:
    """The words of a text; an unclosed quote is an error with its place."""
    words: list[QuotedWord] = []
    at = start
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text):
            return words
        word = _quoted(text, at) if text[at] in QUOTES else _bare(text, at)
        words.append(word)
        at = word.end


def _bare(text: str, at: int) -> QuotedWord:
    end = at
    while end < len(text) and not text[end].isspace():
        end += 1
    return QuotedWord(text[at:end], at, end, False)


def _quoted(text: str, at: int) -> QuotedWord:
    letters: list[str] = []
    quote, here = text[at], at + 1
    while here < len(text):
        if text[here] == quote:
            if text[here + 1 : here + 2] != quote:
                return QuotedWord("".join(letters), at, here + 1, True)
            here += 1
        letters.append(text[here])
        here += 1
    raise BadArguments("has an unterminated quote", at)


def _rest(text: str, word: QuotedWord) -> str:
    """Everything from a word on; a single quoted word without its quotes."""
    rest = text[word.at :].strip()
    if word.quoted and text[word.end :].strip() == "":
        return word.text
    return rest


def one_or_two(text: str) -> Arguments:
    """`NAME [DEFAULT]`."""
    if '"' not in text and "'" not in text and 1 <= len(plain := text.split()) <= 2:
        return Arguments(name=plain[0], default=plain[1] if len(plain) == 2 else None)
    words = words_of(text)
    if not 1 <= len(words) <= 2:
        raise BadArguments(f"takes NAME [DEFAULT], not {len(words)} words", words[2].at if words else 0)
    return Arguments(name=words[0].text, default=words[1].text if len(words) == 2 else None)


def word(text: str) -> Arguments:
    """`NAME`."""
    words = words_of(text)
    if len(words) != 1:
        raise BadArguments(f"takes NAME, not {len(words)} words", words[1].at if words else 0)
    return Arguments(name=words[0].text)


def numbers(text: str) -> Arguments:
    """`[[MIN] MAX]`."""
    words = words_of(text)
    if len(words) > 2:
        raise BadArguments(f"takes [[MIN] MAX], not {len(words)} words", words[2].at)
    return Arguments(values=[word.text for word in words])


def path_and_query(text: str) -> Arguments:
    """`PATH [EXPRESSION]`."""
    text = text.strip()
    head = _quoted(text, 0) if text[:1] in QUOTES and text else _bare(text, 0)
    if not head.text:
        raise BadArguments("needs a path")
    return Arguments(path=head.text, query=text[head.end :].strip())


def component_output(text: str) -> Arguments:
    """`COMPONENT [STACK] OUTPUT-OR-EXPRESSION`; one word alone is an output of the component itself."""
    heads: list[QuotedWord] = []
    at = 0
    while at < len(text) and len(heads) < 3:
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text):
            break
        if heads and text[at] in EXPRESSION:
            expression = _expression(text, at)
            stack = heads[1].text if len(heads) == 2 else ""
            return Arguments(component=heads[0].text, stack=stack, expression=expression)
        heads.append(_bare(text, at) if text[at] not in QUOTES else _quoted(text, at))
        at = heads[-1].end
    return _plain_output(text, heads, at)


def _expression(text: str, at: int) -> str:
    """From here to the end, without the quotes that surround all of it."""
    return _rest(text, _quoted(text, at)) if text[at] in QUOTES else text[at:].strip()


def _plain_output(text: str, heads: list[QuotedWord], at: int) -> Arguments:
    if not heads:
        raise BadArguments("takes COMPONENT [STACK] OUTPUT")
    if text[at:].strip():
        raise BadArguments("takes COMPONENT [STACK] OUTPUT; an expression begins with a dot", at)
    names = [word.text for word in heads]
    if len(names) == 1:
        component, middle, output = names[0].partition("/outputs/")
        return Arguments(component=component, expression=output) if middle else Arguments(expression=names[0])
    return Arguments(component=names[0], stack=names[1] if len(names) == 3 else "", expression=names[-1])


def _options(text: str, allowed: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """The words before the first `|`, and the options after it: each a name and one value (a query takes the rest)."""
    words = words_of(text)
    plain: list[str] = []
    index = 0
    while index < len(words) and not (words[index].text == "|" and not words[index].quoted):
        plain.append(words[index].text)
        index += 1
    options: dict[str, str] = {}
    while index < len(words):
        bar = words[index]
        if index + 2 >= len(words) or words[index + 1].text not in allowed:
            raise BadArguments(f"an option is one of {', '.join(allowed)} and a value", bar.at)
        name = words[index + 1].text
        if name in ("query", "path"):
            options[name] = _rest(text, words[index + 2])
            return plain, options
        options[name] = words[index + 2].text
        index += 3
        if index < len(words) and words[index].text != "|":
            raise BadArguments(f"`{words[index].text}` is one word too many", words[index].at, quotes=True)
    return plain, options


def stored(text: str) -> Arguments:
    """`NAME [STACK] COMPONENT KEY | default V | query E`."""
    words, options = _options(text, ("default", "query"))
    if not 3 <= len(words) <= 4:
        raise BadArguments(f"takes NAME [STACK] COMPONENT KEY, not {len(words)} words")
    stack = words[1] if len(words) == 4 else ""
    return Arguments(
        name=words[0],
        stack=stack,
        component=words[-2],
        key=words[-1],
        default=options.get("default"),
        query=options.get("query", ""),
    )


def stored_key(text: str) -> Arguments:
    """`NAME KEY | default V | query E`."""
    words, options = _options(text, ("default", "query"))
    if len(words) != 2:
        raise BadArguments(f"takes NAME KEY, not {len(words)} words")
    return Arguments(name=words[0], key=words[1], default=options.get("default"), query=options.get("query", ""))


def secret(text: str) -> Arguments:
    """`NAME | path E | default V`."""
    words, options = _options(text, ("path", "default"))
    if len(words) != 1:
        raise BadArguments(f"takes NAME, not {len(words)} words")
    return Arguments(name=words[0], default=options.get("default"), query=options.get("path", ""))


def whole(text: str) -> Arguments:
    """All of it is one argument."""
    if not text.strip():
        raise BadArguments("needs an argument")
    return Arguments(name=text.strip())


def optional(text: str) -> Arguments:
    """`[DEFAULT]`."""
    words = words_of(text)
    if len(words) > 1:
        raise BadArguments(f"takes [DEFAULT], not {len(words)} words", words[1].at)
    return Arguments(default=words[0].text if words else None)


def anything(text: str) -> Arguments:
    """Arguments that another tool reads."""
    return Arguments(name=text)


def nothing(text: str) -> Arguments:
    """No argument at all."""
    if text.strip():
        raise BadArguments("takes no argument")
    return Arguments()
