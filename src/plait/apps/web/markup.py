"""HTML as values: whatever is put into an element is text and is escaped, unless it is an element itself.

    str(h("a", "4 < 5", href="/b"))     # '<a href="/b">4 &lt; 5</a>'

No page is made in any other way, so that text from a repository never becomes markup.
"""

from __future__ import annotations

import json
import re
from html import escape

from plait.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Content = "Html | str | int | None | Iterable[Content]"

PLAIN = re.compile(r"[\n !#$%(-;=?-~]*").fullmatch
"""Whether a text has nothing but characters that are never escaped."""
VOID = frozenset(("br", "hr", "img", "input", "link", "meta", "wbr"))


class Html:
    """A piece of a page that is markup already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


NOTHING = Html("")


def h(tag: str, /, *children: object, **attributes: object) -> Html:
    """An element. `class_` and `for_` are `class` and `for`; `data_x` is `data-x`; True is an attribute without a
    value, None and False leave it out."""
    text = f"<{tag}"
    for name, value in attributes.items():
        if value is not None and value is not False:
            text += _attribute(name, value)
    return Html(f"{text}>" if tag in VOID else f"{text}>{joined(children)}</{tag}>")


def joined(children: Iterable[object]) -> str:
    """Elements and texts in order; lists among them are opened."""
    text = ""
    stack = [iter(children)]
    while stack:
        for child in stack[-1]:
            if isinstance(child, Html):
                text += child.text
            elif isinstance(child, list | tuple):
                stack.append(iter(child))
                break
            elif child is not None:
                text += escaped(str(child))
        else:
            stack.pop()
    return text


def fragment(*children: object) -> Html:
    """Several elements without one around them."""
    return Html(joined(children))


def escaped(text: str) -> str:
    """Text from files: no character of it is markup, and none of it is invisible."""
    if PLAIN(text):
        return text
    return escape(visible(text).encode("utf-8", "backslashreplace").decode())


def data_block(name: str, data: object) -> Html:
    """Data for the page's own script. It cannot end the element that holds it, and it is never run."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")
    return Html(f'<script type="application/json" id="{escaped(name)}">{text}</script>')


def _attribute(name: str, value: object) -> str:
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'
