"""Labels: texts made to fit what a system allows, shortened with a digest so that they stay apart."""

from __future__ import annotations

from base64 import b32encode, urlsafe_b64encode
from hashlib import sha1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WORD = r"\w"
LONGEST = 63


class Letters:
    """A set of characters, written as in the brackets of a regular expression: `a-z0-9_`, with `\\w`, `\\d` and
    `\\s`."""

    __slots__ = ("classes", "ranges", "text")

    def __init__(self, text: str) -> None:
        self.text = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        self.ranges: list[tuple[str, str]] = []
        self.classes: list[Callable[[str], bool]] = []
        self._read(self.text)

    def _read(self, text: str) -> None:
        at = 0
        while at < len(text):
            if text[at] == "\\" and text[at + 1 : at + 2] in CLASSES:
                self.classes.append(CLASSES[text[at + 1]])
                at += 2
                continue
            first, at = _letter(text, at)
            last = first
            if text[at : at + 1] == "-" and at + 1 < len(text):
                last, at = _letter(text, at + 1)
            if last < first:
                raise ValueError(f"`{first}-{last}` is not a range: `{first}` comes after `{last}`")
            self.ranges.append((first, last))

    def __contains__(self, letter: str) -> bool:
        return any(low <= letter <= high for low, high in self.ranges) or any(is_in(letter) for is_in in self.classes)

    def __bool__(self) -> bool:
        return bool(self.text)


CLASSES: dict[str, Callable[[str], bool]] = {
    "w": lambda letter: letter.isalnum() or letter == "_",
    "d": str.isdecimal,
    "s": str.isspace,
}


def _letter(text: str, at: int) -> tuple[str, int]:
    """The character at a position, and where the next one begins."""
    at += text[at] == "\\" and at + 1 < len(text)
    return text[at], at + 1


class Limits:
    """What a label may look like."""

    __slots__ = ("allowed", "case", "digest", "digestlen", "end", "max", "replace", "sep", "start", "start_prepend")

    def __init__(self, **options: object) -> None:
        unknown = sorted(set(options) - set(self.__slots__))
        if unknown:
            raise ValueError(f"has no option `{unknown[0]}`; available: {', '.join(self.__slots__)}")
        self.allowed = _letters(options.get("allowed"), WORD)
        self.case = str(options.get("case") or "any")
        given = options.get("digest")
        self.digest = None if given is None else str(given)
        self.end = _letters(options.get("end"), "")
        self.max = int(str(options.get("max", LONGEST)))
        if self.max < 1:
            raise ValueError(f"needs a `max` of at least 1, not {self.max}")
        length = int(str(options.get("digestlen", -1)))
        self.digestlen = min(self.max, length if length >= 0 else 3 if self.max >= 32 else 2)
        self.replace = str(options.get("replace") or "")
        self.sep = str(options.get("sep") or "")
        self.start = _letters(options.get("start"), "a-zA-Z")
        before = options.get("start_prepend")
        self.start_prepend = "x" if before is None else str(before)

    def cased(self, text: str) -> str:
        return {"upper": text.upper(), "lower": text.lower()}.get(self.case, text)

    def changed(self, **changes: object) -> Limits:
        """The same limits but for some."""
        other = Limits()
        for name in self.__slots__:
            setattr(other, name, changes.get(name, getattr(self, name)))
        return other

    def allows(self, text: str, replace: str) -> str:
        """Only what is allowed."""
        return "".join(letter if letter in self.allowed else replace for letter in text)

    def begun(self, text: str) -> str:
        """With a start that is allowed."""
        return self.start_prepend + text if text and text[0] not in self.start else text

    def ended(self, text: str) -> str:
        end = len(text)
        while self.end and end and text[end - 1] not in self.end:
            end -= 1
        return text[:end]


def _letters(given: object, otherwise: str) -> Letters:
    return Letters(str(given) if given is not None else otherwise)


def label(value: object, limits: Limits) -> object:
    """A label of a text; of a list, its items joined; of a map, its keys and values. Other values stay as they are."""
    if isinstance(value, dict):
        plain = limits.changed(digest=None)
        return {label(key, plain): label(item, limits) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return _joined([str(item) for item in value], limits) if value else ""
    return _shortened(value, limits) if isinstance(value, str) else value


def _shortened(text: str, limits: Limits) -> str:
    """A text that is too long loses what is not allowed, then its middle; a digest keeps it apart from others."""
    begun = limits.begun(text)
    made = limits.cased(limits.ended(limits.allows(begun, limits.replace if len(begun) <= limits.max else "")))
    if not limits.digestlen or (limits.digest is None and len(made) <= limits.max):
        return _without_middle(made, limits.replace, limits.max)
    return _without_middle(made, limits.replace, limits.max - limits.digestlen) + _digest(text, limits)


SHORT = 4
"""So few letters at either end say nothing: such a text loses its end instead of its middle."""


def _without_middle(text: str, replace: str, most: int) -> str:
    keep = most - len(replace)
    if len(text) <= most or keep <= 2 * SHORT:
        return text[:most]
    return text[: keep - keep // 2] + replace + text[len(text) - keep // 2 :]


def _joined(items: list[str], limits: Limits) -> str:
    """Items side by side, each with its share of the room; start, end and case are those of the whole."""
    pieces = [limits.allows(item, limits.replace) for item in items]
    room = limits.max - min(len(limits.sep) * (len(items) - 1), limits.max - 1)
    made = limits.sep.join(pieces)[: limits.max]
    if limits.digestlen and (limits.digest is not None or sum(map(len, pieces)) > room):
        if limits.digestlen == limits.max:
            return _digest("".join(items), limits)
        shortened = (_without_middle(piece, limits.replace, _share(pieces, room)) for piece in pieces)
        made = limits.sep.join(shortened)[: limits.max - limits.digestlen] + _digest("".join(items), limits)
    whole = limits.changed(digest=None, digestlen=0, allowed=Letters(limits.allowed.text + limits.sep))
    return _shortened(made, whole)


def _share(pieces: list[str], room: int) -> int:
    """How long each piece may be: an equal part of the room, and of what short ones leave."""
    equal = max(room // len(pieces), 1)
    return equal + sum(max(equal - len(piece), 0) for piece in pieces) // len(pieces)


def _digest(text: str, limits: Limits) -> str:
    """The start of a hash, in letters that survive the case of the label: of one case, or, where any is kept, of
    both."""
    encoded = urlsafe_b64encode if limits.case == "any" else b32encode
    made = encoded(sha1((text + (limits.digest or "")).encode(), usedforsecurity=False).digest()).decode()
    return limits.cased("".join(letter for letter in made if letter.isalnum())[: limits.digestlen])


KINDS: dict[str, dict[str, object]] = {
    "to_label": {},
    "to_dns_label": {"allowed": "a-zA-Z0-9-", "start": "a-zA-Z", "end": "a-zA-Z0-9", "replace": "--", "case": "lower"},
    "to_kubernetes_label": {"allowed": r"\w.-", "start": "a-zA-Z0-9", "end": "a-zA-Z0-9", "replace": "__"},
    "to_googlecloud_label": {"allowed": r"\w-", "start": "a-zA-Z", "case": "lower", "replace": "__"},
}
"""The family: what each starts from; options change it."""


def to_label(kind: str, *values: object, **options: object) -> object:
    """A label of one value, or of several that are joined like the items of a list."""
    return label(values[0] if len(values) == 1 else list(values), Limits(**{**KINDS[kind], **options}))
