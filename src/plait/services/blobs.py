"""A blob of Azure Storage: with the account's key, a shared access signature, or a token."""

from __future__ import annotations

import base64
import hashlib
import hmac
from email.utils import formatdate
from urllib.parse import quote, urlsplit

from plait.access.environment import variable
from plait.access.trouble import Missing
from plait.report.catalog import BAD_BACKEND_OPTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plait.core.scope import Permit
    from plait.services.backend import BackendOptions

API = "2021-08-06"


def read_blob(backend: BackendOptions, key: str, permit: Permit) -> bytes | None:
    """The bytes of a blob, or None where there is none."""
    account = backend.needed("storage_account_name")
    base = backend.text("endpoint") or f"https://{account}.blob.core.windows.net"
    url = f"{base.rstrip('/')}/{quote(backend.needed('container_name'))}/{quote(key)}"
    headers = {"x-ms-version": API, "x-ms-date": formatdate(usegmt=True)}
    secret = backend.text("access_key") or variable("ARM_ACCESS_KEY")
    signature = backend.text("sas_token") or variable("ARM_SAS_TOKEN")
    if secret:
        headers["Authorization"] = f"SharedKey {account}:{signed(backend, account, secret, url, headers)}"
    elif signature:
        url = f"{url}?{signature.lstrip('?')}"
    else:
        headers["Authorization"] = (
            f"Bearer {backend.sessions.azure(permit, 'https://storage.azure.com/.default', backend.what)}"
        )
    try:
        return permit.get(url, headers, what=f"the backend of {backend.what}", limit=backend.limit)
    except Missing:
        return None


def signed(backend: BackendOptions, account: str, secret: str, url: str, headers: dict[str, str]) -> str:
    """The signature of a plain GET: the fixed headers are empty, then those of Azure, then the resource."""
    own = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    text = "GET" + "\n" * 12 + f"{own}/{account}{urlsplit(url).path}"
    try:
        key = base64.b64decode(secret, validate=True)
    except ValueError:
        raise BAD_BACKEND_OPTION.error(what=backend.what, why="has an `access_key` that is not base64") from None
    return base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
