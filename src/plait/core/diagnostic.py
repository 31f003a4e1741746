"""Diagnostics as data. `report` renders them."""

from __future__ import annotations

from plait.core.source import MASK, Computed, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    T = TypeVar("T")
    R = TypeVar("R")


class OwnWords(str):
    """Words of plait that are filled into a message: nothing in them is from the input, so that no mask hides them."""

    __slots__ = ()


class Label:
    """A place, and what to say there. `length` characters are underlined."""

    __slots__ = ("length", "origin", "text")

    def __init__(self, origin: Origin, text: str = "", length: int = 0) -> None:
        self.origin = origin
        self.text = text
        self.length = length

    @classmethod
    def at(cls, source: Source | Computed, at: int, text: str = "", length: int = 0) -> Label:
        return cls(Origin(source, at), text, length)


class Diagnostic:
    """One finding: a code of the catalog, a message, every place involved, further lines, and what to do next.

    `template` is the message with names in braces for what was filled in: these pieces came from the input.
    """

    __slots__ = ("code", "hint", "labels", "message", "notes", "severity", "template")

    def __init__(
        self,
        code: str,
        message: str,
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        hint: str = "",
        severity: str = "error",
        template: str = "",
    ) -> None:
        self.code = code
        self.message = message
        self.labels = labels
        self.notes = notes
        self.hint = hint
        self.severity = severity
        self.template = template

    def also_at(self, label: Label) -> Diagnostic:
        """The same finding with one more place: the one that led there."""
        return self.but(labels=(*self.labels, label))

    def also_noting(self, *notes: str) -> Diagnostic:
        """The same finding with more to say."""
        return self.but(notes=(*self.notes, *notes))

    def but(self, labels: tuple[Label, ...] | None = None, notes: tuple[str, ...] | None = None) -> Diagnostic:
        """The same finding with other places or notes."""
        return Diagnostic(
            self.code,
            self.message,
            self.labels if labels is None else labels,
            self.notes if notes is None else notes,
            self.hint,
            self.severity,
            self.template,
        )

    def concealed(self, mask: str) -> Diagnostic:
        """The same finding where values that are masked are involved: the mask takes the place of all that was filled
        into the message, and only the places are left of the rest."""
        message = self.template.format_map(_Masks(mask))
        labels = tuple(Label(label.origin, "", label.length) for label in self.labels)
        said = message if message != mask and self.template else f"it failed with {mask}"
        hint = self.hint if isinstance(self.hint, OwnWords) else ""
        return Diagnostic(self.code, said, labels, (), hint, self.severity, self.template)

    def masked(self, secrets: Iterable[str]) -> Diagnostic:
        """The same finding with secrets masked in everything it says."""

        def clean(text: str) -> str:
            return without(text, secrets)

        labels = tuple(Label(label.origin, clean(label.text), label.length) for label in self.labels)
        return Diagnostic(
            self.code, clean(self.message), labels, tuple(map(clean, self.notes)), clean(self.hint), self.severity
        )

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """The order of a report: by file and place, then by code and text."""
        if not self.labels:
            return ("", 0, 0, self.code, self.message)
        origin = self.labels[0].origin
        return (origin.file, origin.line, origin.column, self.code, self.message)

    def __eq__(self, other: object) -> bool:
        """The same finding at the same places is one finding, however often it was found."""
        return isinstance(other, Diagnostic) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.code, self.message, self.labels[0].origin.at if self.labels else -1))

    def _content(self) -> tuple[object, ...]:
        places = tuple((label.origin.source, label.origin.at, label.text) for label in self.labels)
        return (self.code, self.message, places, self.notes, self.hint, self.severity)

    def __repr__(self) -> str:
        return f"Diagnostic({self.code} {self.message!r})"

    def __str__(self) -> str:
        """The finding, its places, and what to do, on lines of their own."""
        places = [f"  {label.origin}" + (f": {label.text}" if label.text else "") for label in self.labels]
        further = [f"  {line}" for text in (*self.notes, self.hint) for line in text.splitlines()]
        return "\n".join([f"{self.code}: {self.message}", *places, *further])


class _Masks(dict[str, "_Mask"]):
    """A mask for whatever is to be filled in."""

    def __init__(self, mask: str) -> None:
        super().__init__()
        self.mask = mask

    def __missing__(self, name: str) -> _Mask:
        return _Mask(self.mask)


class _Mask(str):
    """A text that is written the same however wide or precise it is to be."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return str(self)


def without(text: str, secrets: Iterable[str]) -> str:
    """A text with masks instead of secrets, however they are spelled."""
    for form in sorted({form for secret in secrets for form in spellings(secret)}, key=len, reverse=True):
        text = text.replace(form, MASK)
    return text


def spellings(secret: str) -> set[str]:
    """The ways in which a third-party message may spell a secret: line by line, quoted, and in the usual codes."""
    import json
    from base64 import b64encode, urlsafe_b64encode
    from urllib.parse import quote, quote_plus

    texts: set[str] = set()
    for text in {line.strip() for line in (secret, *secret.splitlines())} - {""}:
        data = text.encode("utf-8", "surrogatepass")
        codes = [code(data).decode().rstrip("=") for code in (b64encode, urlsafe_b64encode)]
        quoted = [json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (True, False)]
        texts.update(
            (
                text,
                repr(text)[1:-1],
                text.upper(),
                text.lower(),
                *quoted,
                *codes,
                quote(data, safe=""),
                quote_plus(data),
            )
        )
    return texts


class PlaitError(Exception):
    """The one exception at the edge of the library: all the findings of a run.

    It is never raised itself. A `Fault` is about a part of the input; an `Overrun` (core/meter.py) ends the run.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        """Every finding with its places and what to do."""
        return "\n".join(map(str, self.diagnostics))

    def __reduce__(self) -> tuple[type[PlaitError], tuple[Diagnostic, ...]]:
        return (self.__class__, self.diagnostics)


class Fault(PlaitError):
    """A part of the input is wrong, missing or refused. Code that looks at several parts may note it and go on."""

    unknown: tuple[object, ...] = ()
    """The values that are not known, if a result has such values (`report/unknown.py`: `UnknownValue`)."""


class NotKnown(Fault):
    """A value cannot be known here: something may not or cannot be asked. The files are not at fault.

    `why` is the reason in words that many values share; without it, the message is the reason. Where a run is strict,
    it is an error like any other, unless it is `harmless`.
    """

    why = ""
    harmless = False
    value: object = None
    """The value that is not known, where the error is about what needs it."""
    known: object = None
    """What is known of the value all the same: what is merged over it."""


class Passing(NotKnown):
    """A temporary failure: asking again in a moment may succeed."""


def for_each(work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """What some work gives for each item. The faults of all items come at once."""
    made: list[R] = []
    found: list[Diagnostic] = []
    unknown: list[object] = []
    for item in items:
        try:
            made.append(work(item))
        except Fault as fault:
            found += fault.diagnostics
            unknown += fault.unknown
    if found:
        error = Fault(*found)
        error.unknown = tuple(unknown)
        raise error
    return made


def placed(error: PlaitError, label: Label) -> PlaitError:
    """The same error, of the same kind, at a place where it has none yet."""
    return remade(error, (d if d.labels else d.also_at(label) for d in error.diagnostics))


def concealed(error: PlaitError, mask: str) -> PlaitError:
    """The same error, of the same kind, with a mask for everything that may be made of masked values."""
    return remade(error, (diagnostic.concealed(mask) for diagnostic in error.diagnostics))


def masked(error: PlaitError, secrets: Iterable[str]) -> PlaitError:
    """The same error, of the same kind, with secrets masked."""
    return remade(error, (diagnostic.masked(secrets) for diagnostic in error.diagnostics))


def remade(error: PlaitError, diagnostics: Iterable[Diagnostic]) -> PlaitError:
    """An error of the same kind with other findings, whatever its kind needs to be made."""
    made = error.__class__.__new__(error.__class__)
    made.__dict__.update(error.__dict__)
    PlaitError.__init__(made, *diagnostics)
    return made
