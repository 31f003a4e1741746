"""What only the outside can answer: outputs and state of terraform, stores, secrets, accounts.

One small protocol. The functions ask it with evaluated arguments, each question once in a run; whoever connects real services
gives `Run` another `Outside`. The one here answers nothing and says what is missing.
"""

from __future__ import annotations

from plait.core.diagnostic import Diagnostic, PlaitError
from plait.report.catalog import NOT_CONNECTED, NOT_PROVISIONED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.fronts.stacks.components import Component

Plain = object


class NotProvisioned(PlaitError):
    """What was asked for does not exist yet: a default may stand in, or `(computed)`."""

    @classmethod
    def because(cls, why: str) -> NotProvisioned:
        return cls(NOT_PROVISIONED(why=why))


class Outside:
    """Answers are plain data. A thing that is not there yet raises `NotProvisioned`, other trouble `PlaitError`."""

    def outputs(self, component: Component) -> dict[str, Plain]:
        """All outputs of a component, as terraform prints them."""
        raise _missing("!terraform.output", "nothing here runs terraform")

    def state(self, component: Component) -> dict[str, Plain]:
        """All outputs of a component, as its state file has them."""
        raise _missing("!terraform.state", "nothing here reads state files")

    def store(self, name: str, stack: str, component: str, key: str) -> Plain:
        """A value that a component of a stack has put into a store."""
        raise _missing(f"the store `{name}`", "no store is connected")

    def store_key(self, name: str, key: str) -> Plain:
        """A value of a store by its own key."""
        raise _missing(f"the store `{name}`", "no store is connected")

    def secret(self, name: str, component: Component | None) -> Plain:
        """A declared secret."""
        raise _missing(f"the secret `{name}`", "no secret store is connected")

    def account(self, question: str) -> Plain:
        """What `!aws.QUESTION` asks."""
        raise _missing(f"!aws.{question}", "no account is connected")


def _missing(what: str, why: str) -> PlaitError:
    diagnostic: Diagnostic = NOT_CONNECTED(what=what, why=why, hint="--skip leaves a function as it is written")
    return PlaitError(diagnostic)
