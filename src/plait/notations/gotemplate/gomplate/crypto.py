"""`base64` and `crypto`: encodings, digests, passwords, ciphers and keys. What is random asks the host."""

from __future__ import annotations

import hashlib

from plait.core.quoting import from_bytes, to_bytes
from plait.notations.gotemplate.errors import CallError
from plait.notations.gotemplate.function import Function, FunctionGroup
from plait.notations.gotemplate.gomplate.casts import raw, text, whole, wrong_count
from plait.notations.gotemplate.sprig.crypto import aes_cipher, bcrypt_hash, needs
from plait.notations.gotemplate.sprig.encoding import base64_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CRYPTO = FunctionGroup("gomplate crypto", "gomplate: base64 and crypto")
function = CRYPTO.function
ROUNDS = 10_000_000
"""The most iterations of a key's derivation."""
LONGEST = 100_000
"""The longest key, in bytes."""
COSTS = range(4, 15)
"""What a hash of a password may cost: each step doubles the time."""
BITS = range(2048, 4097)
"""How many bits a key of RSA may have: a longer one takes minutes."""
BLOCK = 16


# -- base64


@function("base64.Encode", "func(interface {}) (string, error)", "A value in base64.",
          '{{ base64.Encode "hello" }}', "aGVsbG8=")  # fmt: skip
def base64_encode(value: Any) -> str:
    from base64 import b64encode

    return b64encode(raw(value)).decode()


@function("base64.Decode", "func(interface {}) (string, error)", "Decodes base64, the form for URLs too.",
          '{{ base64.Decode "aGVsbG8=" }}', "hello")  # fmt: skip
def base64_decode(value: Any) -> str:
    return from_bytes(base64_decode_bytes(value))


@function("base64.DecodeBytes", "func(interface {}) ([]byte, error)", "The same, as bytes.",
          '{{ base64.DecodeBytes "aGk=" }}', "[104 105]")  # fmt: skip
def base64_decode_bytes(value: Any) -> bytes:
    from base64 import b64decode, urlsafe_b64decode

    given = raw(value)
    if base64_fault(given) is None:
        return b64decode(given.translate(None, b"\r\n"))
    fault = base64_fault(given.translate(_FROM_URL))
    if fault is not None:
        raise CallError(f"illegal base64 data at input byte {fault}")
    return urlsafe_b64decode(given.translate(None, b"\r\n"))


_FROM_URL = bytes.maketrans(b"-_+/", b"+/-_")


# -- digests

DIGESTS = {
    "SHA1": "sha1", "SHA224": "sha224", "SHA256": "sha256", "SHA384": "sha384", "SHA512": "sha512",
    "SHA512_224": "sha512_224", "SHA512_256": "sha512_256",
}  # fmt: skip
"""The digests, by gomplate's names."""


def _digest(kind: str, value: Any) -> bytes:
    return hashlib.new(kind, raw(value), usedforsecurity=False).digest()


def _declare(name: str, kind: str) -> None:
    example = _digest(kind, "a")
    for item in (
        Function(f"crypto.{name}", "func(interface {}) string", "A digest, in hexadecimal digits.",
                 f'{{{{ crypto.{name} "a" | trunc 8 }}}}', example.hex()[:8], lambda value: _digest(kind, value).hex()),
        Function(f"crypto.{name}Bytes", "func(interface {}) ([]byte, error)", "The same, as bytes.",
                 f'{{{{ crypto.{name}Bytes "a" | len }}}}', str(len(example)), lambda value: _digest(kind, value)),
    ):  # fmt: skip
        item.group = CRYPTO.name
        CRYPTO.functions[item.name] = item


for _name, _kind in DIGESTS.items():
    _declare(_name, _kind)


# -- passwords


@function("crypto.PBKDF2", "func(interface {}, interface {}, interface {}, interface {}, ...string) (string, error)",
          "A key of a password: PASSWORD SALT ROUNDS BYTES [HASH], in hexadecimal digits.",
          '{{ crypto.PBKDF2 "password" "salt" 2 20 }}', "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957",
          context=True)  # fmt: skip
def pbkdf2(frame: Any, password: Any, salt: Any, rounds: Any, size: Any, *name: str) -> str:
    given = name[0] if name else "SHA-1"
    kind = DIGESTS.get(given.replace("SHA-", "SHA", 1).replace("/", "_"))
    if kind is None:
        raise CallError(f"no such hash {given}")
    count, length = whole(rounds), whole(size)
    if not 0 < count <= ROUNDS or not 0 < length <= LONGEST:
        raise CallError(f"at least 1 and at most {ROUNDS} rounds and {LONGEST} bytes")
    frame.meter.step(count * (1 + length // 20))
    return hashlib.pbkdf2_hmac(kind, raw(password), raw(salt), count, length).hex()


@function("crypto.WPAPSK", "func(interface {}, interface {}) (string, error)",
          "The key of a wireless network: SSID PASSWORD.",
          '{{ crypto.WPAPSK "IEEE" "password" | trunc 16 }}', "f42c6fc52df0ebef", context=True)  # fmt: skip
def wpa_psk(frame: Any, ssid: Any, password: Any) -> str:
    return pbkdf2(frame, password, ssid, 4096, 32)


@function("crypto.Bcrypt", "func(...interface {}) (string, error)", "A password's hash: [COST] PASSWORD.",
          '{{ crypto.Bcrypt 4 "x" | strings.HasPrefix "$2a$04$" }}', "true", context=True)  # fmt: skip
def bcrypt(frame: Any, *words: Any) -> str:
    if not 1 <= len(words) <= 2:
        raise CallError("expected [COST] PASSWORD")
    cost = whole(words[0]) if len(words) == 2 else 10
    cost = 10 if cost < COSTS.start else cost
    if cost not in COSTS:
        raise CallError(f"a cost of {COSTS.start} to {COSTS.stop - 1} is allowed, not {cost}")
    password = text(words[-1])
    if len(to_bytes(password)) > 72:
        raise CallError("bcrypt: password length exceeds 72 bytes")
    return bcrypt_hash(frame, password, cost)


# -- AES


def _key_and_message(key: str, values: tuple[Any, ...]) -> tuple[bytes, bytes]:
    """What KEY [BITS] MESSAGE says."""
    if not 1 <= len(values) <= 2:
        raise wrong_count("2 or 3", (key, *values))
    size = whole(values[0]) // 8 if len(values) == 2 else 32
    if size not in (16, 24, 32):
        raise CallError(f"crypto/aes: invalid key size {size}")
    return to_bytes(key)[:size].ljust(size, b"\0"), raw(values[-1])


@function("crypto.EncryptAES crypto.AESEncrypt", "func(string, ...interface {}) ([]byte, error)",
          "A text, encrypted, as bytes: KEY [BITS] TEXT.",
          '{{ crypto.EncryptAES "k" "text" | crypto.DecryptAES "k" }}', "text", context=True)  # fmt: skip
def encrypt_aes(frame: Any, key: str, *values: Any) -> bytes:
    secret, message = _key_and_message(key, values)
    if not message:
        return b""
    start = frame.host.random_bytes(BLOCK)
    pad = BLOCK - len(message) % BLOCK
    made = aes_cipher(secret, start).encryptor()
    return bytes(start + made.update(message + bytes([pad]) * pad) + made.finalize())


@function("crypto.DecryptAESBytes crypto.AESDecryptBytes", "func(string, ...interface {}) ([]byte, error)",
          "What was encrypted, as bytes: KEY [BITS] BYTES.",
          '{{ crypto.EncryptAES "k" 128 "hi" | crypto.DecryptAESBytes "k" 128 }}', "[104 105]")  # fmt: skip
def decrypt_aes_bytes(key: str, *values: Any) -> bytes:
    secret, message = _key_and_message(key, values)
    if not message:
        return b""
    if len(message) < 2 * BLOCK or len(message) % BLOCK:
        raise CallError("crypto/cipher: input not full blocks")
    made = aes_cipher(secret, message[:BLOCK]).decryptor()
    plain = bytes(made.update(message[BLOCK:]) + made.finalize())
    if plain[-1] > len(plain):
        raise CallError("runtime error: slice bounds out of range")
    return plain[: len(plain) - plain[-1]]


@function("crypto.DecryptAES crypto.AESDecrypt", "func(string, ...interface {}) (string, error)",
          "The text that was encrypted: KEY [BITS] BYTES.",
          '{{ crypto.DecryptAES "k" (crypto.EncryptAES "k" "text") }}', "text")  # fmt: skip
def decrypt_aes(key: str, *values: Any) -> str:
    return from_bytes(decrypt_aes_bytes(key, *values))


# -- keys


def _keys() -> Any:
    try:
        from plait.notations.gotemplate.gomplate import keys
    except ImportError:
        raise needs("cryptography") from None
    return keys


_PEM = 'strings.HasPrefix "-----BEGIN'


@function("crypto.RSAGenerateKey", "func(...interface {}) (string, error)",
          "A new private key of RSA of so many bits, as PEM: [BITS].",
          f'{{{{ crypto.RSAGenerateKey 2048 | {_PEM} RSA PRIVATE KEY" }}}}', "true", context=True)  # fmt: skip
def rsa_key(frame: Any, *bits: Any) -> str:
    if len(bits) > 1:
        raise wrong_count("0 or 1", bits)
    size = whole(bits[0]) if bits else 4096
    if size < BITS.start:
        raise CallError("RSA key size must be at least 2048 bits")
    if size not in BITS:
        raise CallError(f"a key of {BITS.stop - 1} bits at most can be made, not of {size}")
    frame.host.need("random", "a new key")
    return str(_keys().new_rsa(size))


@function("crypto.ECDSAGenerateKey", "func(...interface {}) (string, error)",
          "A new private key of an elliptic curve, as PEM: [CURVE], one of P-224, P-256, P-384 and P-521.",
          f'{{{{ crypto.ECDSAGenerateKey "P-384" | {_PEM} EC PRIVATE KEY" }}}}', "true", context=True)  # fmt: skip
def ecdsa_key(frame: Any, *curve: Any) -> str:
    if len(curve) > 1:
        raise wrong_count("0 or 1", curve)
    name = text(curve[0]).upper().replace("-", "") if curve else "P256"
    frame.host.need("random", "a new key")
    return str(_keys().new_ecdsa(name))


@function("crypto.Ed25519GenerateKey", "func() (string, error)", "A new private key of Ed25519, as PEM.",
          f'{{{{ crypto.Ed25519GenerateKey | {_PEM} PRIVATE KEY" }}}}', "true", context=True)  # fmt: skip
def ed25519_key(frame: Any) -> str:
    frame.host.need("random", "a new key")
    return str(_keys().new_ed25519())


@function("crypto.Ed25519GenerateKeyFromSeed", "func(string, string) (string, error)",
          "A private key of Ed25519 made of 32 bytes in `hex` or `base64`, as PEM.",
          f'{{{{ repeat 64 "0" | crypto.Ed25519GenerateKeyFromSeed "hex" | {_PEM} PRIVATE KEY" }}}}',
          "true")  # fmt: skip
def ed25519_key_of(encoding: str, seed: str) -> str:
    if encoding not in ("hex", "base64"):
        raise CallError("invalid encoding argument: base64 and hex are supported")
    try:
        given = bytes.fromhex(seed) if encoding == "hex" else base64_decode_bytes(seed)
    except ValueError as trouble:
        raise CallError(f"could not decode the seed: {trouble}") from None
    if len(given) != 32:
        raise CallError(f"the seed has {len(given)} bytes: want 32")
    return str(_keys().ed25519_of(given))


for _kind, _new in (("RSA", "crypto.RSAGenerateKey 2048"), ("ECDSA", "crypto.ECDSAGenerateKey"),
                    ("Ed25519", "crypto.Ed25519GenerateKey"), ("", "crypto.Ed25519GenerateKey")):  # fmt: skip
    function(
        f"crypto.{_kind}DerivePublicKey", "func(string) (string, error)", "The public key of a private one, as PEM.",
        f'{{{{ {_new} | crypto.{_kind}DerivePublicKey | {_PEM} PUBLIC KEY" }}}}', "true",
    )(lambda key, kind=_kind: str(_keys().public_of(key, kind)))  # fmt: skip


_ROUND = '{{ $k := crypto.RSAGenerateKey 2048 }}{{ crypto.RSAEncrypt (crypto.RSADerivePublicKey $k) "hi" | '


@function("crypto.RSAEncrypt", "func(string, interface {}) ([]byte, error)",
          "A text, encrypted with a public key of RSA, as bytes: KEY TEXT.",
          _ROUND + "crypto.RSADecrypt $k }}", "hi", context=True)  # fmt: skip
def rsa_encrypt(frame: Any, key: str, value: Any) -> bytes:
    frame.host.need("random", "padding")
    return bytes(_keys().rsa_encrypted(key, raw(value)))


@function("crypto.RSADecryptBytes", "func(string, []uint8) ([]byte, error)", "What was encrypted, as bytes: KEY BYTES.",
          _ROUND + "crypto.RSADecryptBytes $k }}", "[104 105]")  # fmt: skip
def rsa_decrypt_bytes(key: str, value: bytes) -> bytes:
    return bytes(_keys().rsa_decrypted(key, value))


@function("crypto.RSADecrypt", "func(string, []uint8) (string, error)",
          "What was encrypted with the public key: KEY BYTES.", _ROUND + "crypto.RSADecrypt $k }}", "hi")  # fmt: skip
def rsa_decrypt(key: str, value: bytes) -> str:
    return from_bytes(rsa_decrypt_bytes(key, value))
