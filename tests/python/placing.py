"""The primitive of ours that a known answer of somebody else is for, or why there is none."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Values = dict[str, bytes | int]
Row = dict[str, str | int | bool]


@dataclass(frozen=True)
class Answer:
    """A known answer under the name that its file gives to the algorithm.

    `why` is the reason if the file shows that no implementation of ours can give it; `refused` is
    true if the call must be refused.
    """

    algorithm: str
    values: Values = field(default_factory=dict)
    why: str = ""
    refused: bool = False


FAR = 1 << 20
"""Bytes of a stream that can be computed one after the other."""
BLOCKS: Mapping[str, int] = {"des": 8, "des3": 8, "rc2": 8, "rc5": 8, "hight": 8, "speck-64": 8}
"""Bytes of a block, where they are not 16."""
CIPHERS: Mapping[str, Mapping[int, str]] = {
    **{name: {bits // 8: f"{name}{bits}" for bits in (128, 192, 256)} for name in ("aes", "aria")},
    "camellia": {bits // 8: f"camellia{bits}" for bits in (128, 192, 256)},
    "des": {8: "des"},
    # With two keys, the first is also the third.
    "des3": {16: "des3", 24: "des3"},
    "rc2": {16: "rc2"},
    "rc5": {16: "rc5"},
    "rc6": {16: "rc6"},
    "hight": {16: "hight"},
    "lea": {16: "lea128"},
    "speck-64": {16: "speck64_128"},
}
"""The primitive of a cipher, by the bytes of its key."""
TRIPLE = "des-ede3|des-ede|tripledes|3des|desede"
CIPHER = rf"(?:(?P<cipher>aes|aria|camellia|{TRIPLE}|des|rc2|rc5|rc6|hight|lea|speck-64)(?:-\d+)?)"
MODED = (
    rf"{CIPHER}(?:[-/](?P<mode>ecb|cbc|ctr|ccm)(?:/nopadding|\(\d+,\d+\))?)?",
    rf"(?P<mode>ctr)-be\({CIPHER}\)",
    rf"(?P<mode>ccm)-{CIPHER}",
)
HASHES: Mapping[str, str] = {
    r"sha-?1(60)?": "sha1",
    r"sha-?(256|384|512)": r"sha\1",
    r"sha-?3[-(](256|512)\)?": r"sha3_\1",
    r"keccak-(?:1600\()?(256|512)\)?": r"keccak\1",
    r"md([245])": r"md\1",
    r"skein-(256|512)[-(]\1\)?": r"skein\1",
}
STREAMS: Mapping[str, str] = {
    r"rc4(-40)?": "rc4",
    r"chacha(\(20\)|20|tls)?": "chacha20",
    r"chacha20[-/]?poly1305": "chacha20_poly1305",
}
CURVES: Mapping[str, tuple[str, int]] = {
    "secp192r1": ("ecdsa_secp192r1", 24),
    "secp256r1": ("ecdsa_secp256r1", 32),
    "secp256k1": ("ecdsa_secp256k1", 32),
}
"""Our name of a curve, and the bytes of its numbers."""


def is_ours(algorithm: str) -> bool:
    """Returns whether an algorithm, by the name of somebody else, is one of ours in some size."""
    name = algorithm.lower()
    return bool(_hash(name) or _mac(name) or _stream(name) or _moded(name) or name in OTHERS)


def placed(answer: Answer) -> list[tuple[str, str, Row]] | str:
    """The primitives, tables and rows of an answer, or the reason if there are none."""
    if answer.why:
        return answer.why
    name, values = answer.algorithm.lower(), answer.values
    if primitive := _hash(name):
        return [(primitive, "hash", _row(values))]
    if primitive := _mac(name):
        return [(primitive, "mac", _row(values))]
    if name in OTHERS:
        return _of_keys(name, answer)
    if primitive := _stream(name):
        return _of_stream(primitive, answer)
    moded = _moded(name)
    assert moded, f"{name} is not ours"
    return _of_cipher(*moded, answer)


def _row(values: Values) -> Row:
    return {
        name: value.hex() if isinstance(value, bytes) else value for name, value in values.items()
    }


def _replaced(name: str, rules: Mapping[str, str]) -> str | None:
    for pattern, ours in rules.items():
        if match := re.fullmatch(pattern, name):
            return match.expand(ours)
    return None


def _hash(name: str) -> str | None:
    return _replaced(name, HASHES)


def _mac(name: str) -> str | None:
    inner = re.fullmatch(r"hmac(?: by evp_pkey)?(?:-(.+)|\((.+)\))", name)
    function = _hash(inner[1] or inner[2]) if inner else None
    return f"hmac_{function}" if function else None


def _stream(name: str) -> str | None:
    return _replaced(name, STREAMS)


def _moded(name: str) -> tuple[str, str] | None:
    """Cipher and mode."""
    for pattern in MODED:
        if match := re.fullmatch(pattern, name):
            cipher = "des3" if re.fullmatch(TRIPLE, match["cipher"]) else match["cipher"]
            return cipher, match["mode"] or "ecb"
    return None


def _of_stream(primitive: str, answer: Answer) -> list[tuple[str, str, Row]] | str:
    values = answer.values
    if primitive == "rc4":
        return [(primitive, "crypt", _row(values))]
    if len(_bytes(values, "key")) != 32:
        return "a key of 128 bits"
    nonce = _bytes(values, "nonce")
    if primitive == "chacha20":
        if int(values.get("skip", 0)) > FAR:
            return "a place in the stream that only a jump comes to"
        if len(nonce) not in (0, 8, 12):
            return "a nonce of 192 bits, which is XChaCha20"
        # A nonce of 64 bits is preceded by the upper half of the counter, which is 0 here.
        return [(primitive, "crypt", _row({**values, "nonce": nonce.rjust(12, b"\0")}))]
    if len(nonce) != 12:
        return "a nonce of another size"
    return [(primitive, "seal", _sealed(answer))]


def _bytes(values: Values, name: str) -> bytes:
    value = values.get(name, b"")
    assert isinstance(value, bytes)
    return value


def _sealed(answer: Answer) -> Row:
    """A row with text and tag in one, and the size of the tag, which may be unusual."""
    values = answer.values
    result = _bytes(values, "result") + _bytes(values, "tag")
    setup = {name: _bytes(values, name) for name in ("key", "nonce", "ad")}
    if answer.refused:
        size = len(_bytes(values, "tag"))
        return _row({**setup, "result": result}) | {"refused": True, "tag_size": size}
    text = _bytes(values, "text")
    return _row({**setup, "text": text, "result": result}) | {"tag_size": len(result) - len(text)}


def _of_cipher(cipher: str, mode: str, answer: Answer) -> list[tuple[str, str, Row]] | str:
    values = dict(answer.values)
    key, block = _bytes(values, "key"), BLOCKS.get(cipher, 16)
    if len(key) not in CIPHERS[cipher]:
        return "a key of another size"
    primitive = CIPHERS[cipher][len(key)]
    values["key"] = key + key[:8] if cipher == "des3" and len(key) == 16 else key
    if mode == "ccm":
        return [(f"{primitive}_ccm", "seal", _sealed(Answer("", values, refused=answer.refused)))]
    text, result = _bytes(values, "text"), _bytes(values, "result")
    if len(text) != len(result) or (mode != "ctr" and len(text) % block):
        return "padded, or cut"
    if mode == "ecb":
        return [(f"{primitive}_ecb", "encrypt", _row(values)), *_blocks(primitive, values, block)]
    if len(_bytes(values, "iv")) != block:
        return "a vector of another size"
    blocks, rest = divmod(int(values.pop("skip", 0)), block)
    if rest:
        return "begins within a block of the stream"
    counter = int.from_bytes(_bytes(values, "iv")) + blocks
    values["iv"] = (counter % 256**block).to_bytes(block)
    return [(f"{primitive}_{mode}", "encrypt", _row(values))]


def _blocks(primitive: str, values: Values, size: int) -> Iterator[tuple[str, str, Row]]:
    text, result = _bytes(values, "text"), _bytes(values, "result")
    for at in range(0, len(text), size):
        block = {"text": text[at : at + size], "result": result[at : at + size]}
        yield primitive, "encrypt", _row({"key": values["key"], **block})


OTHERS: Mapping[str, str] = {
    "x25519": "x25519",
    "ed25519": "ed25519",
    **{curve: primitive for curve, (primitive, _) in CURVES.items()},
    **{f"rsa-{bits}": f"rsa{bits}" for bits in (512, 1024, 2048)},
}


def _of_keys(name: str, answer: Answer) -> list[tuple[str, str, Row]] | str:
    """The operation follows from the values that are given."""
    values = dict(answer.values)
    if name.startswith("rsa-"):
        if 8 * len(_bytes(values, "signature")) != int(name.removeprefix("rsa-")):
            return "a signature of another size"
        return [(OTHERS[name], "verify_pkcs1", _row(values))]
    if name == "x25519" and not any(_bytes(values, "shared")):
        # Our implementation refuses keys whose shared secret is 0 (RFC 7748, section 6.1).
        values = {"secret": values["secret"], "peer": values["peer"], "refused": True}
        return [(OTHERS[name], "shared", _row(values))]
    if "hash" in values:
        function = _bytes(values, "hash").decode()
        message = _bytes(values, "message")
        digest = message if function.startswith("raw") else hashlib.new(function, message).digest()
        values = {role: value for role, value in values.items() if role not in ("hash", "message")}
        values["digest"] = digest
    for table, needed in (("shared", "shared"), ("sign", "secret"), ("verify", "signature")):
        if needed in values and (table != "sign" or "signature" in values):
            return [(OTHERS[name], table, _row(values))]
    return [(OTHERS[name], "public", _row(values))]
