"""Words of a text as gomplate sees them: titles, camelCase, snake_case, kebab-case and parts of addresses."""

from __future__ import annotations

from unicodedata import category, normalize

from plait.core.quoting import to_bytes
from plait.notations.gotemplate.casts import SPACES
from plait.notations.gotemplate.errors import CallError

MIDDLE = frozenset("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a")
"""Signs inside a word: one of them between two letters does not end it."""


def _is_cased(character: str) -> bool:
    return character.islower() or character.isupper() or character.istitle()


def _ends_word(character: str) -> bool:
    """Whether a character that has no case stands between two words: not a letter, a digit, an accent, `_`."""
    if character in MIDDLE:
        return False
    kind = category(character)
    return kind[0] not in "LNM" and kind not in ("Pc", "Cf")


def _words(text: str) -> list[tuple[int, int]]:
    """Where the letters of each word begin and where they end: from its first letter with a case."""
    found: list[tuple[int, int]] = []
    start, before = -1, ""
    for at, character in enumerate(text):
        twice = before in MIDDLE and character in MIDDLE if before else False
        if start >= 0 and (twice or (not _is_cased(character) and _ends_word(character))):
            found.append((start, at))
            start = -1
        elif start < 0 and _is_cased(character):
            start = at
        before = character
    return [*found, (start, len(text))] if start >= 0 else found


def titled(text: str) -> str:
    """Every word with a capital and small letters after it."""
    out, done = [], 0
    for start, end in _words(text):
        word = text[start:end]
        out += [text[done:start], word[0].title(), word.lower()[len(word[0].lower()) :]]
        done = end
    return "".join([*out, text[done:]])


def _with_first_of(given: str, changed: str) -> str:
    """A changed text whose first letter is again what it was. gomplate compares bytes, so this is about ASCII."""
    if not given:
        raise CallError("runtime error: index out of range [0] with length 0")
    old, new = chr(to_bytes(given)[0]), chr(to_bytes(changed)[0])
    return changed.replace(new, old, 1)


def _is_word(character: str) -> bool:
    return category(character)[0] in "LN"


def camel_case(text: str) -> str:
    """Words joined, each but the first with a capital; the first letter stays."""
    given = text.strip(SPACES)
    return "".join(filter(_is_word, _with_first_of(given, titled(given))))


def joined_words(text: str, link: str) -> str:
    """Words in small letters with a link between them; the first letter stays."""
    given = text.strip(SPACES)
    kept = _with_first_of(given, given.lower())
    return link.join("".join(c if _is_word(c) else " " for c in kept).split())


_SPELLED = str.maketrans({
    "&": "and", "@": "at", '"': "", "'": "", "\u2019": "", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-",
    "ß": "ss", "Æ": "AE", "æ": "ae", "Ø": "O", "ø": "o", "Đ": "D", "đ": "d", "Ł": "L", "ł": "l", "Œ": "OE", "œ": "oe",
    "Þ": "Th", "þ": "th", "Ð": "D", "ð": "d", "ı": "i", "Ħ": "H", "ħ": "h", "Ŧ": "T", "ŧ": "t",
})  # fmt: skip
"""Signs and letters that are spelled out. Letters with accents lose these; other scripts are not transliterated."""
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def slugged(text: str) -> str:
    """A text as a part of an address: small letters of ASCII, digits, `_`, and dashes for all else."""
    plain = normalize("NFKD", text.strip(SPACES).translate(_SPELLED)).lower()
    letters = (c for c in plain if category(c)[0] != "M")
    dashed = "".join(c if c in _ALLOWED else "-" for c in letters)
    return "-".join(part for part in dashed.split("-") if part).strip("-_")
