"""Sets of characters: what one character of a text may be, in RE2's grammar."""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Range = tuple[int, int]

LAST = 0x10FFFF


class Characters:
    """A set of characters: ranges and other sets, all but those where it is `negated`.

    `fold`: characters that differ only in case count as the same.
    """

    __slots__ = ("fold", "negated", "ranges", "sets", "test")

    def __init__(
        self,
        ranges: tuple[Range, ...] = (),
        sets: tuple[Characters, ...] = (),
        *,
        negated: bool = False,
        fold: bool = False,
        test: Callable[[str], bool] | None = None,
    ) -> None:
        self.ranges = ranges
        self.sets = sets
        self.negated = negated
        self.fold = fold
        self.test = test

    def holds(self, character: str) -> bool:
        found = any(map(self._inside, variants(character))) if self.fold else self._inside(character)
        found = found or any(inner.holds(character) for inner in self.sets)
        return found != self.negated

    def _inside(self, character: str) -> bool:
        code = ord(character)
        return any(low <= code <= high for low, high in self.ranges) or (self.test is not None and self.test(character))


def one(character: str, fold: bool = False) -> Characters:
    """The set of one character."""
    return Characters(((ord(character), ord(character)),), fold=fold and character.lower() != character.upper())


ANY = Characters(((0, LAST),))
NO_NEWLINE = Characters(((10, 10),), negated=True)
_DIGIT: tuple[Range, ...] = ((48, 57),)
_UPPER: tuple[Range, ...] = ((65, 90),)
_LOWER: tuple[Range, ...] = ((97, 122),)
_WORD: tuple[Range, ...] = (*_DIGIT, *_UPPER, (95, 95), *_LOWER)
PERL: dict[str, tuple[Range, ...]] = {"d": _DIGIT, "w": _WORD, "s": ((9, 10), (12, 13), (32, 32))}
POSIX: dict[str, tuple[Range, ...]] = {
    "alnum": (*_DIGIT, *_UPPER, *_LOWER), "alpha": (*_UPPER, *_LOWER), "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)), "cntrl": ((0, 31), (127, 127)), "digit": _DIGIT, "graph": ((33, 126),),
    "lower": _LOWER, "print": ((32, 126),), "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)), "upper": _UPPER, "word": _WORD, "xdigit": (*_DIGIT, (65, 70), (97, 102)),
}  # fmt: skip


def variants(character: str) -> tuple[str, ...]:
    """A character and those that differ from it only in case."""
    if character in "kKsS":
        return (character, character.swapcase(), "\u212a" if character in "kK" else "\u017f")
    if character.isascii():
        return (character, character.swapcase()) if character.isalpha() else (character,)
    return _orbits().get(character, (character,))


@cache
def _orbits() -> dict[str, tuple[str, ...]]:
    """The characters beyond ASCII that have others of another case, each with all of them."""
    groups: dict[str, set[str]] = {}
    for code in range(128, 0x1E944):
        character = chr(code)
        lower, upper = character.lower(), character.upper()
        if len(upper) == 1 and len(upper.lower()) == 1 and (upper != character or lower != character):
            groups.setdefault(upper.lower(), {upper, upper.lower()}).add(character)
    return {character: tuple(group) for group in groups.values() for character in group}


def unicode_set(name: str) -> Characters | None:
    """The characters of a general category or of a script; scripts go by the names of their characters."""
    from unicodedata import category
    from unicodedata import name as name_of

    if name == "Any":
        return ANY
    if name in CATEGORIES:
        return Characters(test=lambda character: category(character).startswith(name))
    script = "CJK" if name == "Han" else name.upper().replace("_", " ")
    if len(name) <= 2 or script not in _scripts():
        return None
    return Characters(test=lambda character: name_of(character, "").startswith(script + " "))


CATEGORIES = frozenset(
    [
        "C",
        "Cc",
        "Cf",
        "Co",
        "Cs",
        "L",
        "Ll",
        "Lm",
        "Lo",
        "Lt",
        "Lu",
        "M",
        "Mc",
        "Me",
        "Mn",
        "N",
        "Nd",
        "Nl",
        "No",
        "P",
        "Pc",
        "Pd",
        "Pe",
        "Pf",
        "Pi",
        "Po",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
    ]
)


@cache
def _scripts() -> frozenset[str]:
    """The beginnings of the names that characters have: where a script has characters, its name is among them."""
    from unicodedata import name as name_of

    names: set[str] = set()
    for code in range(0x30000):
        words = name_of(chr(code), "").split(" ")
        names.update(" ".join(words[:count]) for count in range(1, min(len(words), 4)))
    return frozenset(names)
