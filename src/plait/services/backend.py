"""The options of a terraform backend, as a component's configuration gives them."""

from __future__ import annotations

from plait.core.struct import struct
from plait.report.catalog import BAD_BACKEND_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from plait.services.sessions import Sessions


@struct
class BackendOptions:
    """The options of one backend, with what is needed to read from it."""

    kind: str
    options: Mapping[str, object]
    what: str
    sessions: Sessions
    limit: int

    def text(self, name: str, default: str = "") -> str:
        """An option as text."""
        value = self.options.get(name)
        return default if value is None else str(value)

    def needed(self, name: str) -> str:
        """An option as text; an error where it is missing or empty."""
        value = self.text(name)
        if not value:
            raise BAD_BACKEND_OPTION.error(
                what=self.what, why=f"has no `{name}`", hint=f"write backend.{self.kind}.{name}"
            )
        return value
