"""What can go wrong with a template: it does not parse, or it fails while it runs.

Both kinds are findings like any other, with a place in the template's text; `kind` is Go's word for the phase.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, Fault, Label, NotKnown, PlaitError
from plait.core.meter import Overrun
from plait.core.source import Source
from plait.report.catalog import (
    TEMPLATE_BUDGET,
    TEMPLATE_CYCLE,
    TEMPLATE_DENIED,
    TEMPLATE_FAILED,
    TEMPLATE_SYNTAX,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from plait.report.catalog import Code


class TemplateError(PlaitError):
    """A template that cannot be used. `at` is the character offset of the fault, `culprit` the word at fault."""

    kind: ClassVar[str] = ""
    code: ClassVar[Code]

    def __init__(
        self,
        message: str,
        text: str = "",
        at: int = 0,
        *,
        name: str = "template",
        culprit: str = "",
        hint: str = "",
        label: Label | None = None,
    ) -> None:
        self.message = message
        self.text = text
        self.at = at
        self.name = name
        self.culprit = culprit
        self.hint = hint
        self.reads: frozenset[object] = frozenset()
        """What the values were made from that a function failed with, where that is traced."""
        self.circumstances: Any = None
        """Where that is traced: what else is known of the place that failed."""
        self.callers: list[tuple[str, str, int]] = []
        """The templates that called this one: name, text and place of each, the nearest first."""
        place = label or Label.at(Source(name, text), at, length=len(culprit))
        super().__init__(self.code(place, hint=hint, why=message))

    def placed(self, label: Label) -> TemplateError:
        """The same error at the place of the template in its file."""
        made = self.__class__(
            self.message, self.text, self.at, name=self.name, culprit=self.culprit, hint=self.hint, label=label
        )
        if isinstance(made, NotKnown) and isinstance(self, NotKnown):
            made.why = self.why
        return made

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    @property
    def column(self) -> int:
        return self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1

    @property
    def source_line(self) -> str:
        """The line of the template that holds the fault."""
        return self.text.split("\n")[self.line - 1].rstrip("\r")

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.name}:{self.line}:{self.column}: {self.message}{hint}"


class TemplateFault(TemplateError, Fault):
    """The template itself is at fault, or its data."""


class ParseError(TemplateFault):
    """The text is not a template."""

    kind = "parse"
    code = TEMPLATE_SYNTAX


class ExecError(TemplateFault):
    """The template is well formed, but fails for this data."""

    kind = "exec"
    code = TEMPLATE_FAILED


class BudgetError(TemplateError, Overrun):
    """The template asks for more than it may have."""

    kind = "exec"
    code = TEMPLATE_BUDGET

    @classmethod
    def of(cls, overrun: Overrun, text: str, at: int, *, name: str, culprit: str = "", doing: str = "") -> BudgetError:
        """The error of the meter, at its place in the template. `doing` is what the template was doing."""
        found = overrun.diagnostics[0]
        made = cls(doing + found.message, text, at, name=name, culprit=culprit, hint=found.hint)
        made.diagnostics = (made._coded(found.code),)
        return made

    def _coded(self, code: str) -> Diagnostic:
        found = self.diagnostics[0]
        return Diagnostic(code, found.message, found.labels, found.notes, found.hint)

    def placed(self, label: Label) -> BudgetError:
        made = super().placed(label)
        assert isinstance(made, BudgetError)
        made.diagnostics = (made._coded(self.diagnostics[0].code),)
        return made


class CycleError(BudgetError):
    """The template prints or copies a value that contains itself. Like a budget, it ends the run."""

    code = TEMPLATE_CYCLE


class DeniedError(ExecError, NotKnown):
    """The template asks for something outside that was not granted."""

    code = TEMPLATE_DENIED


class CallError(Exception):
    """A function's own complaint; the executor adds the name of the function and the place of the call."""

    hint = ""
    """What may have been meant."""


class Refused(CallError):
    """A function wants something from outside that it may not have. `capability` is the name of what it wants."""

    def __init__(self, capability: str, what: str) -> None:
        super().__init__(f"{what} needs the capability `{capability}`")
        self.capability = capability
        self.why = ""
        """The reason in words that many values share."""


class Exhausted(Exception):
    """A budget is used up: nothing that turns errors of functions into values catches it. `at` is the offset in the
    template, where that is known."""

    kind: type[BudgetError] = BudgetError

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class ContainsItself(Exhausted):
    """A value contains itself, so that it has no end."""

    kind = CycleError
