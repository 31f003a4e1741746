"""An object of Google Cloud Storage, or of an emulator, which wants no token."""

from __future__ import annotations

from urllib.parse import quote

from plait.access.environment import variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Permit

STORAGE = "https://storage.googleapis.com"


def read_object(
    permit: Permit, bucket: str, name: str, token: Callable[[], str], what: str, limit: int, own: str = ""
) -> bytes:
    """The bytes of an object; `Missing` where there is none. `own` is the address of a server of one's own."""
    emulator = variable("STORAGE_EMULATOR_HOST")
    base = own or emulator or STORAGE
    base = base if "://" in base else f"http://{base}"
    headers = {} if emulator else {"Authorization": f"Bearer {token()}"}
    url = f"{base}/storage/v1/b/{quote(bucket, safe='')}/o/{quote(name, safe='')}?alt=media"
    return permit.get(url, headers, what=what, limit=limit)
