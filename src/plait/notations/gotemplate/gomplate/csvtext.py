"""CSV as Go's `encoding/csv` reads and writes it."""

from __future__ import annotations

from plait.notations.gotemplate.casts import SPACES
from plait.notations.gotemplate.errors import CallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

QUOTE = '"'


def comma_of(text: str) -> str:
    """The sign between fields."""
    if not text:
        raise CallError("runtime error: index out of range [0] with length 0")
    if text[0] in '"\r\n' or not text[0].isascii() or text[0] == "\0":
        raise CallError("csv: invalid field or comment delimiter")
    return text[0]


def read(text: str, comma: str) -> list[list[str]]:
    """The records of a text, which have all as many fields as the first."""
    reader = CsvReader(text, comma)
    records: list[list[str]] = []
    while (record := reader.record()) is not None:
        if records and len(record) != len(records[0]):
            raise CallError(f"record on line {reader.began}: wrong number of fields")
        records.append(record)
    return records


class CsvReader:
    """A place in a text, from which records are read one by one."""

    __slots__ = ("at", "began", "comma", "text")

    def __init__(self, text: str, comma: str) -> None:
        self.text = text.replace("\r\n", "\n").removesuffix("\r")
        self.comma = comma
        self.at = 0
        self.began = 0
        """The line, from 1, that the last record begins in."""

    def record(self) -> list[str] | None:
        while self.text.startswith("\n", self.at):
            self.at += 1
        if self.at >= len(self.text):
            return None
        self.began = self.text.count("\n", 0, self.at) + 1
        fields: list[str] = []
        while True:
            fields.append(self.quoted() if self.text.startswith(QUOTE, self.at) else self.plain())
            sign = self.text[self.at : self.at + 1]
            self.at += 1
            if sign != self.comma:
                return fields

    def plain(self) -> str:
        """A field without quotes: up to the next comma, or the end of the line."""
        ends = (self.text.find(self.comma, self.at), self.text.find("\n", self.at), len(self.text))
        end = min(place for place in ends if place >= 0)
        field = self.text[self.at : end]
        if QUOTE in field:
            raise self.fault('bare " in non-quoted field', self.at + field.index(QUOTE))
        self.at = end
        return field

    def quoted(self) -> str:
        """A field between quotes; two of them are one that belongs to it."""
        start = self.at
        out: list[str] = []
        while True:
            end = self.text.find(QUOTE, self.at + 1)
            if end < 0:
                raise self.fault('extraneous or missing " in quoted-field', start)
            out.append(self.text[self.at + 1 : end])
            self.at = end + 1
            after = self.text[self.at : self.at + 1]
            if after in ("", "\n", self.comma):
                return "".join(out)
            if after != QUOTE:
                raise self.fault('extraneous or missing " in quoted-field', end)
            out.append(QUOTE)

    def fault(self, what: str, at: int) -> CallError:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return CallError(f"parse error on line {line}, column {column}: {what}")


def write(records: Iterable[Iterable[str]], comma: str) -> str:
    """Records as a text whose lines end as RFC 4180 wants it."""
    return "".join(comma.join(_field(field, comma) for field in record) + "\r\n" for record in records)


def _field(text: str, comma: str) -> str:
    if text != "\\." and not any(sign in text for sign in (comma, QUOTE, "\r", "\n")) and text[:1] not in SPACES:
        return text
    if not text:
        return text
    body = text.replace(QUOTE, QUOTE + QUOTE).replace("\r", "").replace("\n", "\r\n")
    return f"{QUOTE}{body}{QUOTE}"
