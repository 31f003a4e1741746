"""Values that Ansible's vault encrypted: `!vault` is text, `!vault-json` any data, `!vault-binary` bytes.

Where expressions are evaluated and the environment has the password (`UNFURL_VAULT_DEFAULT_PASSWORD`, or with the
label of the value in the place of `DEFAULT`), they are decrypted when they are asked for, and what comes out is
sensitive. Without the password they stay as they are written.
"""

from __future__ import annotations

import hashlib
from hmac import compare_digest
from hmac import new as hmac

from plait.core.diagnostic import Label
from plait.core.expression import Expression
from plait.core.node import Node, Scalar, hidden
from plait.core.node import text as made_text
from plait.core.plain import from_plain
from plait.report.catalog import BAD_VAULT, QUERY_EXTRA
from plait.report.installing import how_to_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plait.core.scope import Scope

ROUNDS, KEY, BLOCK = 10_000, 32, 16
"""What the format says: how often the password is hashed, and how many bytes the two keys and the counter have."""


class BadVault(ValueError):
    """Why something cannot be decrypted."""


def _text(data: bytes) -> object:
    return data.decode("utf-8")


def _json(data: bytes) -> object:
    from json import loads  # only for documents that have such a value

    return loads(data)


TAGS: dict[str, Callable[[bytes], object]] = {"!vault": _text, "!vault-json": _json, "!vault-binary": lambda data: data}
"""The tags, and what the decrypted bytes of each are."""


class Vaulted(Expression):
    """An encrypted value in a document."""

    __slots__ = ("node", "text")

    def __init__(self, node: Scalar) -> None:
        self.node = node
        self.text = node.tag or ""

    @property
    def data(self) -> Node:
        return self.node

    def evaluate(self, scope: Scope) -> Node:
        node = self.node
        try:
            label, salt, mark, data = opened(node.text)
            password = _password(scope, label)
            if not password:
                return node
            value = TAGS[node.tag or ""](decrypted(salt, mark, data, password))
        except ImportError:
            hint = how_to_install("crypto")
            raise QUERY_EXTRA.error(
                Label(node.origin), what="an encrypted value", package="cryptography", hint=hint
            ) from None
        except ValueError as trouble:
            why = str(trouble) if isinstance(trouble, BadVault) else "the decrypted value does not match its tag"
            hint = "encrypt it again with `ansible-vault encrypt_string`, or look at the password in the environment"
            raise BAD_VAULT.error(Label(node.origin), why=why, hint=hint) from None
        return hidden(from_plain(value, node.source, node.at))


def _password(scope: Scope, label: str) -> str:
    name = f"UNFURL_VAULT_{label.upper()}_PASSWORD"
    found = scope.call("env", ("variable", name), lambda permit: made_text(permit.setting(name)))
    return found.text if isinstance(found, Scalar) else ""


def opened(text: str) -> tuple[str, bytes, bytes, bytes]:
    """The label of an encrypted text, its salt, the mark that tells whether a password is right, and the encrypted
    bytes."""
    head, _, body = text.strip().partition("\n")
    words = head.strip().split(";")
    if words[0] != "$ANSIBLE_VAULT" or len(words) < 3 or words[2] != "AES256":
        raise BadVault("it does not begin with $ANSIBLE_VAULT;1.1;AES256")
    try:
        parts = bytes.fromhex("".join(body.split())).split(b"\n")
        salt, mark, data = (bytes.fromhex(part.decode("ascii")) for part in parts)
    except ValueError:
        raise BadVault("its lines are damaged") from None
    return (words[3] if len(words) > 3 and words[3] else "default"), salt, mark, data


def decrypted(salt: bytes, mark: bytes, data: bytes, password: str) -> bytes:
    """The bytes that were encrypted."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # heavy, and only for encrypted values

    made = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS, 2 * KEY + BLOCK)
    if not compare_digest(hmac(made[KEY : 2 * KEY], data, hashlib.sha256).digest(), mark):
        raise BadVault("wrong password, or the encrypted text was changed")
    reader = Cipher(algorithms.AES(made[:KEY]), modes.CTR(made[2 * KEY :])).decryptor()
    padded = reader.update(data) + reader.finalize()
    return padded[: len(padded) - padded[-1]]
