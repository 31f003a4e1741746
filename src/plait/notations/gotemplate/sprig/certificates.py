"""X.509, by the package cryptography; imported only when a template makes a key or a certificate."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from warnings import catch_warnings, simplefilter

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from plait.notations.gotemplate.errors import CallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMATS = {"rsa": "TraditionalOpenSSL", "dsa": "TraditionalOpenSSL", "ecdsa": "TraditionalOpenSSL", "ed25519": "PKCS8"}


def private_key(kind: str, bits: int = 4096) -> str:
    """A new key as PEM; one of RSA has so many bits."""
    key: Any
    if kind == "rsa":
        key = rsa.generate_private_key(65537, bits)
    elif kind == "dsa":
        key = dsa.generate_private_key(2048)
    elif kind == "ecdsa":
        key = ec.generate_private_key(ec.SECP256R1())
    else:
        key = ed25519.Ed25519PrivateKey.generate()
    form = getattr(serialization.PrivateFormat, _FORMATS[kind])
    made: bytes = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    return made.decode()


PEM = re.compile(r"-----BEGIN ([^\n-]*)-----\s.*?-----END \1-----", re.DOTALL)
SUFFIX = "PRIVATE KEY"


def _load_key(text: str | bytes, doing: str) -> Any:
    """A private key of PEM; an error begins with what was being done, as Sprig's do."""
    raw = text.encode() if isinstance(text, str) else text
    try:
        return serialization.load_pem_private_key(raw, None)
    except (ValueError, TypeError):
        raise CallError(f"{doing}: {_why_no_key(raw)}") from None


def _why_no_key(raw: bytes) -> str:
    block = PEM.search(raw.decode("latin-1"))
    if block is None:
        return "no PEM data in input"
    kind = block[1].removesuffix(SUFFIX).rstrip()
    if not block[1].endswith(SUFFIX):
        return f"no private key data in PEM block of type {block[1]}"
    if kind not in _READABLE:
        return f"invalid private key type {block[1]}"
    return (
        f"parsing {kind} private key from PEM: unable to decode key"
        if kind
        else "decoding PEM as PKCS#8: unable to decode key"
    )


_READABLE = ("", "RSA", "EC", "DSA")
"""The kinds of private keys that PEM names; PKCS#8 names none."""


def _load_certificate(text: str | bytes) -> x509.Certificate:
    raw = text.encode() if isinstance(text, str) else text
    try:
        return x509.load_pem_x509_certificate(raw)
    except ValueError:
        raise CallError("unable to decode certificate") from None


def check(cert: bytes, key: bytes) -> None:
    """Complain unless both are what they should be."""
    _load_certificate(cert)
    _load_key(key, "error parsing private key")


def certificate(
    name: str,
    addresses: list[str],
    names: list[str],
    days: int,
    key: str,
    *,
    authority: bool = False,
    signer: tuple[str, str] | None = None,
) -> str:
    """A new certificate as PEM; self-signed unless an issuer is given."""
    own = _load_key(key, "parsing private key")
    issuer_key = _load_key(signer[1], "error parsing private key") if signer else own
    with catch_warnings():  # Go takes a name of any length
        simplefilter("ignore", UserWarning)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name, _validate=False)] if name else [])
        issuer = _load_certificate(signer[0]).subject if signer else subject
    start = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(own.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(start)
        .not_valid_after(start + timedelta(days=days))
        .add_extension(x509.BasicConstraints(authority, None), critical=True)
        .add_extension(_usage(authority), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), False)
    )  # fmt: skip
    others = [x509.DNSName(n) for n in names] + [x509.IPAddress(ip_address(a)) for a in addresses]
    if others:
        builder = builder.add_extension(x509.SubjectAlternativeName(others), False)
    algorithm = None if isinstance(issuer_key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    return builder.sign(issuer_key, algorithm).public_bytes(serialization.Encoding.PEM).decode()


def _usage(authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=True, data_encipherment=False,
        key_agreement=False, key_cert_sign=authority, crl_sign=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
