"""What can go wrong with a template: it does not parse, or it fails while it runs.

Both kinds are findings like any other, with a place in the template's text; `kind` is Go's word for the phase.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Label, PlaitError
from plait.core.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar


class TemplateError(PlaitError):
    """A template that cannot be used. `at` is the character offset of the fault, `culprit` the name at fault."""

    kind: ClassVar[str] = ""
    code: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        text: str = "",
        at: int = 0,
        *,
        name: str = "template",
        culprit: str = "",
        hint: str = "",
        code: str = "",
        length: int = 0,
    ) -> None:
        self.message = message
        self.text = text
        self.at = at
        self.name = name
        self.culprit = culprit
        self.hint = hint
        source = Source(name, text)
        label = Label.at(source, at, length=length or len(culprit))
        super().__init__(Diagnostic(code or self.code, message, (label,), hint=hint))

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    @property
    def column(self) -> int:
        return self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1

    @property
    def source_line(self) -> str:
        """The line of the template that holds the fault."""
        lines = self.text.split("\n")
        return lines[self.line - 1].rstrip("\r")

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.name}:{self.line}:{self.column}: {self.message}{hint}"


class ParseError(TemplateError):
    """The text is not a template."""

    kind = "parse"
    code = "PL3501"


class ExecError(TemplateError):
    """The template is well formed, but fails for this data."""

    kind = "exec"
    code = "PL3502"


class BudgetError(ExecError):
    """The template asks for more steps, depth or output than it may have."""

    code = "PL3503"


class CallError(Exception):
    """A function's own complaint; the executor adds the name of the function and the place of the call."""


class Refused(CallError):
    """A function wants something from outside that it may not have. `capability` is the name of what it wants."""

    def __init__(self, capability: str, what: str) -> None:
        super().__init__(f"{what} needs the capability `{capability}`")
        self.capability = capability


class Exhausted(CallError):
    """A function would exceed a budget."""


def near(name: str, known: Iterable[str]) -> str:
    """A hint that names what somebody may have meant, or nothing."""
    from difflib import get_close_matches  # only when there is an error to explain

    found = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f"did you mean `{found[0]}`?" if found else ""
