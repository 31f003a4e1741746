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
        self.digest = str(options.get("digest") or "")
        self.end = _letters(options.get("end"), "")
        self.max = int(str(options.get("max") or LONGEST))
        self.digestlen = int(str(options.get("digestlen", 3 if self.max >= 32 else 2)))
        self.replace = str(options.get("replace") or "")
        self.sep = str(options.get("sep") or "")
        self.start = _letters(options.get("start"), "a-zA-Z")
        self.start_prepend = str(options.get("start_prepend") or "x")

    def cased(self, text: str) -> str:
        return {"upper": text.upper(), "lower": text.lower()}.get(self.case, text)

    def without_digest(self) -> Limits:
        other = Limits()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.digest = ""
        return other

    def sanitised(self, text: str, replace: str, first: bool = True) -> str:
        """Only what is allowed, with a start that is."""
        made = "".join(letter if letter in self.allowed else replace for letter in text)
        if first and made and self.start and made[0] not in self.start:
            made = self.start_prepend + made
        return self._ended(made)

    def _ended(self, text: str) -> str:
        end = len(text)
        while self.end and end and text[end - 1] not in self.end:
            end -= 1
        return text[:end]


def _letters(given: object, otherwise: str) -> Letters:
    return Letters(str(given) if given is not None else otherwise)


def label(value: object, limits: Limits) -> object:
    """A label of a text; of a list, its items joined; of a map, its keys and values."""
    if isinstance(value, dict):
        return {
            str(label(str(key), limits.without_digest())): label(item, limits)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list):
        return _joined([str(item) for item in value], limits)
    return _shortened(str(value), limits)


def _shortened(text: str, limits: Limits) -> str:
    made = limits.sanitised(text, limits.replace)
    if len(made) > limits.max:
        made = limits.sanitised(text, "")
    if len(made) <= limits.max and not limits.digest:
        return limits.cased(made)
    if not limits.digestlen:
        return limits.cased(_without_middle(made, limits))
    return limits.cased(made[: max(limits.max - limits.digestlen, 0)] + _digest(text, limits))


def _without_middle(text: str, limits: Limits) -> str:
    keep = limits.max - len(limits.replace)
    if len(text) <= limits.max or keep < 2:
        return text[: limits.max]
    tail = keep // 2
    return text[: keep - tail] + limits.replace + text[len(text) - tail :]


def _joined(items: list[str], limits: Limits) -> str:
    made = limits.sep.join(limits.sanitised(item, limits.replace, not at) for at, item in enumerate(items))
    if len(made) <= limits.max and not limits.digest:
        return limits.cased(made)
    room = limits.max - limits.digestlen - len(limits.sep) * (len(items) - 1)
    each = room // len(items) if items else 0
    pieces = [limits.sanitised(item, "", not at)[: max(each, 0)] for at, item in enumerate(items)]
    head = limits.sep.join(pieces) if each > 0 else ""
    return limits.cased((head + _digest("".join(items), limits))[: limits.max])


def _digest(text: str, limits: Limits) -> str:
    """The start of a hash, in letters that survive the case of the label: of one case, or, where any is kept, of
    both."""
    encoded = urlsafe_b64encode if limits.case == "any" else b32encode
    made = encoded(sha1((text + limits.digest).encode(), usedforsecurity=False).digest()).decode()
    return limits.sanitised(made, "", first=False)[: min(limits.digestlen, limits.max)]


KINDS: dict[str, dict[str, object]] = {
    "to_label": {},
    "to_dns_label": {"allowed": "a-zA-Z0-9-", "start": "a-zA-Z", "end": "a-zA-Z0-9", "replace": "--", "case": "lower"},
    "to_kubernetes_label": {"allowed": r"\w.-", "start": "a-zA-Z0-9", "end": "a-zA-Z0-9", "replace": "__"},
    "to_googlecloud_label": {"allowed": "a-zA-Z0-9_-", "start": "a-zA-Z", "case": "lower", "replace": "__"},
}
"""The family: what each starts from; options change it."""


def to_label(kind: str, *values: object, **options: object) -> object:
    """A label of one value, or of several that are joined like the items of a list."""
    return label(values[0] if len(values) == 1 else list(values), Limits(**{**KINDS[kind], **options}))
