"""Where one word ends and the next begins: `HTTPServer2xx` as snake_case, kebab-case and CamelCase."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from plait.notations.gotemplate.casts import SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Word = tuple[str, str]
    """What a word is made of, and its text."""

LINK, SIGN, UPPER, LOWER, NUMBER, REST = "link", "sign", "upper", "lower", "number", "rest"
_FIRST_IDEOGRAPH = "\u2e80"


_BYTES = dict.fromkeys(range(0xDC80, 0xDD00), "\ufffd")


def characters(text: str) -> str:
    """A text that is looked at character by character: what is not UTF-8 in it becomes U+FFFD."""
    return text if text.isascii() else text.translate(_BYTES)


def upper_character(character: str) -> str:
    """One character's capital, if that is one character too."""
    for found in (character.upper(), character.title()):
        if len(found) == 1:
            return found
    return character


def title_character(character: str) -> str:
    """One character's capital at the start of a word: it is another one for a few double letters."""
    found = character.title()
    return found if len(found) == 1 else character


def lower_character(character: str) -> str:
    return character.lower()[:1]


def is_link(character: str) -> bool:
    return character in "-_" or character in SPACES


def _class_of(character: str) -> str:
    if is_link(character):
        return LINK
    if character.isupper() and character.isalpha():
        return UPPER
    if character.isalpha():
        return LOWER if character < _FIRST_IDEOGRAPH or character.islower() else REST
    if character.isnumeric():
        return NUMBER
    return SIGN if _is_sign(character) else REST


def _is_sign(character: str) -> bool:
    from unicodedata import category

    return category(character)[0] == "P"


def _runs(text: str) -> Iterator[Word]:
    """Characters of one class, side by side. `-` and `_` right after another sign are signs."""
    kinds: list[str] = []
    for character in text:
        is_sign = character in "-_" and kinds[-1:] == [SIGN]
        kinds.append(SIGN if is_sign else _class_of(character))
    for kind, group in groupby(zip(kinds, text, strict=True), itemgetter(0)):
        yield kind, "".join(character for _, character in group)


def words(text: str) -> list[Word]:
    """The words of a text. A capital belongs to the small letters after it: HTTPServer is HTTP, Server."""
    out: list[Word] = []
    for kind, run in _runs(text):
        if kind == LOWER and out and out[-1][0] == UPPER:
            capitals = out.pop()[1]
            if len(capitals) > 1:
                out.append((UPPER, capitals[:-1]))
            out.append((UPPER, capitals[-1] + run))
        else:
            out.append((kind, run))
    return out


def _lowered(word: Word, link: str) -> str:
    if word[0] == LINK:
        return link * len(word[1])
    return "".join(map(lower_character, word[1])) if word[0] == UPPER else word[1]


_NO_GAP = (LINK, SIGN)


def joined_words(text: str, link: str) -> str:
    """Small letters, with a link between words that have none. A number belongs to the word before it, unless small
    letters follow: then it begins a word of its own (HTTP2xx is http_2xx)."""
    parts = words(text)
    out: list[str] = []
    at = 0
    while at < len(parts):
        word = parts[at]
        after = parts[at + 1][0] if at + 1 < len(parts) else ""
        out.append(_lowered(word, link))
        at += 1
        if word[0] == NUMBER or (word[0] in (UPPER, LOWER, REST) and after == NUMBER):
            at = _numbered(parts, at, word[0] == NUMBER, out, link)
        elif word[0] not in _NO_GAP and after and after not in _NO_GAP:
            out.append(link)
    return "".join(out)


def _numbered(parts: list[Word], at: int, begins: bool, out: list[str], link: str) -> int:
    """Go on after a word with a number after it, or after a number; where the next word begins."""
    if not begins:
        number = parts[at]
        following = parts[at + 1][0] if at + 1 < len(parts) else ""
        if following == LOWER:
            out.append(link)
            begins = True
        out.append(number[1])
        at += 1
    while begins and at < len(parts) and parts[at][0] in (LOWER, NUMBER):
        out.append(parts[at][1])
        at += 1
    if at < len(parts) and parts[at][0] not in _NO_GAP:
        out.append(link)
    return at


def camel_case(text: str) -> str:
    """Words joined, each with a capital. In a word that is written with one, the capitals right after it become small.
    Links at the ends stay, and all but one of several links; of nothing but links, the last one comes twice."""
    body = text.lstrip("-_" + SPACES)
    if not body:
        return text + text[-1:]
    out = [text[: len(text) - len(body)]]
    before, in_capitals = "-", False
    for character in body:
        if is_link(character):
            if is_link(before):
                out.append(before)
        elif is_link(before):
            in_capitals = character.isupper()
            out.append(upper_character(character))
        else:
            in_capitals = in_capitals and character.isupper()
            out.append(lower_character(character) if in_capitals else character)
        before = character
    if is_link(before):
        out.append(before)
    return "".join(out)
