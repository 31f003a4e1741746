"""Signing in, once in a run: clients and tokens that many calls share, whichever thread asks first."""

from __future__ import annotations

from plait.access.door import Door
from plait.core.diagnostic import Fault, PlaitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from plait.core.scope import Permit


class Sessions:
    """What one run has signed in to. A refusal is remembered too, so that a failed sign-in is not repeated."""

    def __init__(self, door: Door | None = None) -> None:
        from threading import Lock

        self.door = door or Door()
        """How files that a configuration names are read."""
        self._lock = Lock()
        self._made: dict[tuple[object, ...], Any] = {}

    def aws(self, permit: Permit, service: str, given: Mapping[str, str], what: str, endpoint: str = "") -> Any:
        """A client of a service of AWS, under a profile, region and role."""
        from plait.services.aws import session_client

        key = (service, endpoint, *sorted(given.items()))
        return self._once(key, lambda: session_client(permit, service, given, what, endpoint))

    def google(self, permit: Permit, credentials: str, what: str) -> str:
        """A token of Google."""
        from plait.services.tokens import google_token

        return str(self._once(("google", credentials), lambda: google_token(permit, credentials, what, self.door)))

    def azure(self, permit: Permit, scope: str, what: str) -> str:
        """A token of Azure."""
        from plait.services.tokens import azure_token

        return str(self._once(("azure", scope), lambda: azure_token(permit, scope, what)))

    def _once(self, key: tuple[object, ...], make: Callable[[], object]) -> Any:
        with self._lock:
            if key not in self._made:
                try:
                    self._made[key] = make()
                except Fault as error:
                    self._made[key] = error
            found = self._made[key]
        if isinstance(found, PlaitError):
            raise found
        return found
