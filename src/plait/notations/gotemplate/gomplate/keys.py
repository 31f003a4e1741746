"""Keys as PEM, by the package cryptography; imported only when a template makes or uses one."""

from __future__ import annotations

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

from plait.core.quoting import to_bytes
from plait.notations.gotemplate.errors import CallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CURVES: dict[str, Any] = {"P224": ec.SECP224R1, "P256": ec.SECP256R1, "P384": ec.SECP384R1, "P521": ec.SECP521R1}
KINDS: dict[str, Any] = {
    "RSA": rsa.RSAPrivateKey,
    "ECDSA": ec.EllipticCurvePrivateKey,
    "Ed25519": ed25519.Ed25519PrivateKey,
    "": (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey, ed25519.Ed25519PrivateKey),
}
"""What a private key must be, by the name of its kind; any of them for no name."""


def _written(key: Any, form: str = "TraditionalOpenSSL") -> str:
    layout = getattr(serialization.PrivateFormat, form)
    made: bytes = key.private_bytes(serialization.Encoding.PEM, layout, serialization.NoEncryption())
    return made.decode()


def new_rsa(bits: int) -> str:
    return _written(rsa.generate_private_key(65537, bits))


def new_ecdsa(curve: str) -> str:
    if curve not in CURVES:
        raise CallError(f"unknown curve: {curve}")
    return _written(ec.generate_private_key(CURVES[curve]()))


def new_ed25519() -> str:
    return _written(ed25519.Ed25519PrivateKey.generate(), "PKCS8")


def ed25519_of(seed: bytes) -> str:
    return _written(ed25519.Ed25519PrivateKey.from_private_bytes(seed), "PKCS8")


def _private(text: str, kind: str) -> Any:
    try:
        key = serialization.load_pem_private_key(to_bytes(text), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise CallError("failed to read key: no key found") from None
    if not isinstance(key, KINDS[kind]):
        raise CallError(f"invalid private key: it is not of {kind or 'a kind that is known'}")
    return key


def public_of(text: str, kind: str) -> str:
    """The public key of a private one."""
    made: bytes = (
        _private(text, kind)
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    return made.decode()


def rsa_encrypted(text: str, message: bytes) -> bytes:
    try:
        key = serialization.load_pem_public_key(to_bytes(text))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise CallError("failed to read key: no public key found") from None
    if not isinstance(key, rsa.RSAPublicKey):
        raise CallError("public key in wrong format: it is not of RSA")
    try:
        return key.encrypt(message, padding.PKCS1v15())
    except ValueError as trouble:
        raise CallError(f"crypto/rsa: {trouble}") from None


def rsa_decrypted(text: str, message: bytes) -> bytes:
    try:
        return bytes(_private(text, "RSA").decrypt(message, padding.PKCS1v15()))
    except ValueError as trouble:
        raise CallError(f"failed to decrypt: {trouble}") from None
