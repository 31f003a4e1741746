"""The functions of dynaml, all of them: the evaluator, the reference page and their test read this table.

Each is a plain function and one declaration, in the file of its subject.
"""

from __future__ import annotations

from plait.notations.dynaml.addresses import ADDRESSES, VERSIONS
from plait.notations.dynaml.asking import ASKING
from plait.notations.dynaml.checks import CHECKS
from plait.notations.dynaml.declared import DynamlFunction
from plait.notations.dynaml.lists import COLLECTIONS
from plait.notations.dynaml.numbers import NUMBERS
from plait.notations.dynaml.outside import OUTSIDE
from plait.notations.dynaml.texts import TEXTS

FUNCTIONS: dict[str, DynamlFunction] = {
    **TEXTS,
    **COLLECTIONS,
    **ASKING,
    **NUMBERS,
    **ADDRESSES,
    **VERSIONS,
    **CHECKS,
    **OUTSIDE,
}

_KEYS = "plait makes no keys and certificates"
_SECRETS = "plait does not encrypt values; `!sensitive`, SOPS and stores keep secrets"
_WRITES = "a merge writes nothing"
UNWANTED = {
    **dict.fromkeys(("x509genkey", "x509publickey", "x509cert", "x509parsecert", "wggenkey", "wgpublickey"), _KEYS),
    **dict.fromkeys(("encrypt", "decrypt", "bcrypt", "bcrypt_check", "md5crypt", "md5crypt_check"), _SECRETS),
    **dict.fromkeys(("write", "tempfile", "mkdir", "archive"), _WRITES),
}
"""Functions of spiff++ that plait does not have, and why."""
