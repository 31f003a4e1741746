"""Keys, certificates, passwords. Those that need cryptography or bcrypt say so where it is not installed."""

from __future__ import annotations

from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.format import display
from plait.notations.gotemplate.function import FunctionGroup
from plait.notations.gotemplate.values import MISSING, Object, StructFields
from plait.report.installing import how_to_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CRYPTO = FunctionGroup("crypto", "Keys and passwords")
function = CRYPTO.function


def needs(package: str) -> CallError:
    return CallError(f"this needs the package {package}: {how_to_install('crypto')}")


@function(
    "randBytes", "func(int) (string, error)", "Random bytes in base64.", "{{ randBytes 3 | len }}", "4", context=True
)
def rand_bytes(frame: Any, count: int) -> str:
    from base64 import b64encode

    if count < 0:
        raise CallError("runtime error: makeslice: len out of range")
    frame.make(2 * count)
    return b64encode(frame.host.random_bytes(count)).decode()


@function("uuidv4", "func() string", "A random UUID.", "{{ uuidv4 | len }}", "36", context=True)
def uuidv4(frame: Any) -> str:
    raw = bytearray(frame.host.random_bytes(16))
    raw[6], raw[8] = raw[6] & 15 | 64, raw[8] & 63 | 128
    return uuid_text(bytes(raw))


def uuid_text(raw: bytes) -> str:
    """The text of a UUID's 16 bytes."""
    text = raw.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


# -- passwords


@function(
    "bcrypt",
    "func(string) string",
    "A password's hash.",
    '{{ bcrypt "x" | hasPrefix "$2a$10$" }}',
    "true",
    context=True,
)
def bcrypt_hash(frame: Any, password: str, cost: int = 10) -> str:
    frame.host.need("random", "a random salt")
    try:
        import bcrypt
    except ImportError:
        raise needs("bcrypt") from None
    raw = to_bytes(password)
    if len(raw) > 72:
        return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes"
    return str(bcrypt.hashpw(raw, bcrypt.gensalt(cost, b"2a")).decode())


@function(
    "htpasswd",
    "func(string, string) string",
    "A line of a password file.",
    '{{ htpasswd "u" "p" | hasPrefix "u:$2a$10$" }}',
    "true",
    context=True,
)
def htpasswd(frame: Any, user: str, password: str) -> str:
    if ":" in user:
        return f"invalid username: {user}"
    return f"{user}:{bcrypt_hash(frame, password)}"


_TEMPLATES = {
    "maximum": "anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno",
    "long": "CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv "
    "CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv "
    "CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno",
    "medium": "CvcnoCvc CvcCvcno",
    "short": "Cvcn",
    "basic": "aaanaaan aannaaan aaannaaa",
    "pin": "nnnn",
}
_VOWELS, _CONSONANTS, _DIGITS = "AEIOU", "BCDFGHJKLMNPQRSTVWXYZ", "0123456789"
_LETTERS = _VOWELS + _VOWELS.lower() + _CONSONANTS + _CONSONANTS.lower()
_CHARACTERS = {
    "V": _VOWELS, "C": _CONSONANTS, "v": _VOWELS.lower(), "c": _CONSONANTS.lower(), "A": _VOWELS + _CONSONANTS,
    "a": _LETTERS, "n": _DIGITS, "o": "@&%?,=[]_:-+*$#!'^~;()/.", "x": _LETTERS + _DIGITS + "!@#$%^&*()",
}  # fmt: skip
_SEED = b"com.lyndir.masterpassword"


def _sized(text: str) -> bytes:
    raw = to_bytes(text)
    return len(raw).to_bytes(4, "big") + raw


@function(
    "derivePassword",
    "func(uint32, string, string, string, string) string",
    "A password for a site, made of a master password.",
    '{{ derivePassword 1 "pin" "password" "user" "example.com" }}',
    "6685",
)
def derive_password(counter: int, kind: str, password: str, user: str, site: str) -> str:
    import hashlib
    import hmac

    if kind not in _TEMPLATES:
        return f"cannot find password template {kind}"
    key = hashlib.scrypt(to_bytes(password), salt=_SEED + _sized(user), n=32768, r=8, p=2, maxmem=2**27, dklen=64)
    seed = hmac.digest(key, _SEED + _sized(site) + int(counter).to_bytes(4, "big"), "sha256")
    templates = _TEMPLATES[kind].split()
    template = templates[seed[0] % len(templates)]
    return "".join(
        _CHARACTERS[sign][byte % len(_CHARACTERS[sign])] for sign, byte in zip(template, seed[1:], strict=False)
    )


# -- AES


def aes_cipher(key: bytes, start: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        raise needs("cryptography") from None
    return Cipher(algorithms.AES(key), modes.CBC(start))


def _cipher(password: str, start: bytes) -> Any:
    return aes_cipher(to_bytes(password)[:32].ljust(32, b"\0"), start)


@function("encryptAES", "func(string, string) (string, error)", "A text, encrypted, in base64.",
          '{{ encryptAES "k" "text" | decryptAES "k" }}', "text", context=True)  # fmt: skip
def encrypt_aes(frame: Any, password: str, text: str) -> str:
    from base64 import b64encode

    raw = to_bytes(text)
    if not raw:
        return ""
    start = frame.host.random_bytes(16)
    pad = 16 - len(raw) % 16
    made = _cipher(password, start).encryptor()
    return b64encode(start + made.update(raw + bytes([pad]) * pad) + made.finalize()).decode()


@function("decryptAES", "func(string, string) (string, error)", "The text that was encrypted.",
          '{{ decryptAES "secretkey" "30tEfhuJSVRhpG97XCuWgz2okj7L8vQ1s6V9zVUPeDQ=" }}', "plaintext")  # fmt: skip
def decrypt_aes(password: str, text: str) -> str:
    from base64 import b64decode

    if not text:
        return ""
    try:
        raw = b64decode(to_bytes(text), validate=True)
    except ValueError:
        raise CallError("illegal base64 data at input byte 0") from None
    if len(raw) < 32 or len(raw) % 16:
        raise CallError("crypto/cipher: input not full blocks")
    made = _cipher(password, raw[:16]).decryptor()
    plain = made.update(raw[16:]) + made.finalize()
    if plain[-1] > len(plain):
        raise CallError("runtime error: slice bounds out of range")
    return from_bytes(plain[: len(plain) - plain[-1]])


# -- certificates


class Certificate(Object):
    """A certificate and its private key, both as PEM."""

    __slots__ = ("cert", "key")
    go_type = "sprig.certificate"

    def __init__(self, cert: str, key: str) -> None:
        self.cert = cert
        self.key = key

    def field(self, name: str) -> Any:
        return self.fields().get(name, MISSING)

    def fields(self) -> StructFields:
        return StructFields(Cert=self.cert, Key=self.key)

    def data(self) -> StructFields:
        return self.fields()


def _x509() -> Any:
    try:
        from plait.notations.gotemplate.sprig import certificates
    except ImportError:
        raise needs("cryptography") from None
    return certificates


@function("genPrivateKey", "func(string) string", "A new private key: rsa, dsa, ecdsa or ed25519.",
          '{{ genPrivateKey "ed25519" | hasPrefix "-----BEGIN PRIVATE KEY" }}', "true", context=True)  # fmt: skip
def gen_private_key(frame: Any, kind: str) -> str:
    if kind not in ("", "rsa", "dsa", "ecdsa", "ed25519"):
        return f"Unknown type {kind}"
    frame.host.need("random", "a new key")
    return str(_x509().private_key(kind or "rsa"))


def _certificate_key(frame: Any) -> str:
    """The key of a new certificate: half as long as that of `genPrivateKey`, as in sprig."""
    frame.host.need("random", "a new key")
    return str(_x509().private_key("rsa", 2048))


@function(
    "buildCustomCert", "func(string, string) (sprig.certificate, error)", "A certificate and key, from base64.", "", ""
)
def build_custom_cert(cert: str, key: str) -> Certificate:
    texts = []
    for what, text in (("certificate", cert), ("private key", key)):
        from base64 import b64decode

        try:
            texts.append(b64decode(to_bytes(text), validate=True))
        except ValueError:
            raise CallError(f"unable to decode base64 {what}") from None
    _x509().check(*texts)
    return Certificate(from_bytes(texts[0]), from_bytes(texts[1]))


_CA = '{{ (genPrivateKey "ecdsa" | genCAWithKey "ca" 1).Cert | hasPrefix "-----BEGIN CERTIFICATE" }}'


@function("genCA", "func(string, int) (sprig.certificate, error)", "A new certificate authority.", "", "", context=True)
def gen_ca(frame: Any, name: str, days: int) -> Certificate:
    return gen_ca_with_key(frame, name, days, _certificate_key(frame))


@function(
    "genCAWithKey",
    "func(string, int, string) (sprig.certificate, error)",
    "A new certificate authority with a key of yours.",
    _CA,
    "true",
    context=True,
)
def gen_ca_with_key(frame: Any, name: str, days: int, key: str) -> Certificate:
    frame.host.need("random", "a new certificate")
    return Certificate(_x509().certificate(name, [], [], days, key, authority=True), key)


@function("genSelfSignedCert", "func(string, []interface {}, []interface {}, int) (sprig.certificate, error)",
          "A new certificate that signs itself.", "", "", context=True)  # fmt: skip
def gen_self_signed(frame: Any, name: str, addresses: list[Any], names: list[Any], days: int) -> Certificate:
    _checked(addresses, names)
    return gen_self_signed_with_key(frame, name, addresses, names, days, _certificate_key(frame))


@function(
    "genSelfSignedCertWithKey",
    "func(string, []interface {}, []interface {}, int, string) (sprig.certificate, error)",
    "A new certificate that signs itself, with a key of yours.",
    '{{ (genPrivateKey "ecdsa" | genSelfSignedCertWithKey "a" nil nil 1).Cert | contains "BEGIN CERT" }}',
    "true",
    context=True,
)
def gen_self_signed_with_key(
    frame: Any, name: str, addresses: list[Any], names: list[Any], days: int, key: str
) -> Certificate:
    _checked(addresses, names)
    frame.host.need("random", "a new certificate")
    return Certificate(_x509().certificate(name, addresses, names, days, key), key)


@function(
    "genSignedCert",
    "func(string, []interface {}, []interface {}, int, sprig.certificate) (sprig.certificate, error)",
    "A new certificate that an authority signs.",
    "",
    "",
    context=True,
)
def gen_signed(
    frame: Any, name: str, addresses: list[Any], names: list[Any], days: int, ca: Certificate
) -> Certificate:
    _checked(addresses, names)
    return gen_signed_with_key(frame, name, addresses, names, days, ca, _certificate_key(frame))


@function(
    "genSignedCertWithKey",
    "func(string, []interface {}, []interface {}, int, sprig.certificate, string) (sprig.certificate, error)",
    "A new certificate that an authority signs, with a key of yours.",
    '{{ $ca := genPrivateKey "ecdsa" | genCAWithKey "ca" 1 }}{{ $key := genPrivateKey "ecdsa" }}'
    '{{ (genSignedCertWithKey "a" nil nil 1 $ca $key).Cert | contains "BEGIN CERT" }}',
    "true",
    context=True,
)
def gen_signed_with_key(
    frame: Any, name: str, addresses: list[Any], names: list[Any], days: int, ca: Certificate, key: str
) -> Certificate:
    _checked(addresses, names)
    frame.host.need("random", "a new certificate")
    return Certificate(_x509().certificate(name, addresses, names, days, key, signer=(ca.cert, ca.key)), key)


def _checked(addresses: list[Any], names: list[Any]) -> None:
    """Complain about addresses and names before a key is made, which takes a while."""
    from ipaddress import ip_address

    for address in addresses:
        if not isinstance(address, str):
            raise CallError(f"error parsing ip: {display(address)} is not a string")
        try:
            ip_address(address)
        except ValueError:
            raise CallError(f"error parsing ip: {address}") from None
    for name in names:
        if not isinstance(name, str):
            raise CallError(f"error processing alternate dns name: {display(name)} is not a string")
