"""Known answers of NIST and others, as PyPI packages ship them: primitives with public keys."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from cavp import NIST, PYCRYPTODOME, Record, read, text_of, unhex
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

KEYS = NIST / "asymmetric"
HASHES = {f"SHA-{bits}": f"sha{bits}" for bits in (224, 256, 384, 512)} | {"SHA-1": "sha1"}


def _x25519() -> Vectors:
    """RFC 7748, section 5.2."""
    vectors = Vectors()
    for record in read(KEYS / "X25519/rfc7748.txt", "output_u"):
        inputs = {"secret": unhex(record, "input_scalar"), "peer": unhex(record, "input_u")}
        vectors.add("shared", **inputs, shared=unhex(record, "output_u"))
    return vectors


def _ed25519() -> Vectors:
    """The authors' file: secret and public key, public key, message, signature and message."""
    vectors = Vectors()
    for line in text_of(KEYS / "Ed25519/sign.input").splitlines():
        pair, public, message, signed = (bytes.fromhex(field) for field in line.split(":")[:4])
        inputs = {"public": public, "message": message, "signature": signed[:64]}
        vectors.add("sign", secret=pair[:32], **inputs)
    return vectors


def _of_curve(path: Path, last: str, curve: str) -> Iterator[Record]:
    """The records of a curve; `[P-192,SHA-1]` names a hash function too."""
    for record in read(path, last):
        if re.split("[,;]", record["section"])[0] == curve:
            yield record


def _digest(record: Record) -> bytes:
    """The digest of a record's message; FIPS 186-2 had SHA-1."""
    function = HASHES[[*record["section"].split(","), "SHA-1"][1]]
    return hashlib.new(function, unhex(record, "msg")).digest()


def _point(record: Record, names: tuple[str, str], size: int) -> bytes | None:
    """A point; None if a coordinate has more bytes than the curve's numbers."""
    numbers = [int(record[name], 16) for name in names]
    fits = all(number < 256**size for number in numbers)
    return b"".join(number.to_bytes(size) for number in numbers) if fits else None


def _ecdsa(curve: str, size: int) -> Vectors:
    """Key pairs, invalid points, signatures with their k, and changed signatures."""
    vectors = Vectors()
    for folder in SIGNATURES:
        for record in _records(folder / "KeyPair.rsp", "qy", curve):
            vectors.add("public", secret=unhex(record, "d", size), public=_point_of(record, size))
        for record in _records(folder / "PKV.rsp", "result", curve):
            _add_point(vectors, record, size)
        for record in _records(folder / "SigGen.txt", "s", curve):
            inputs = {"secret": unhex(record, "d", size), "nonce": unhex(record, "k", size)}
            vectors.add("sign", **inputs, **_signed(record, size))
        for name in ("SigVer.rsp", "SigVer_TruncatedSHAs.rsp"):
            for record in _records(folder / name, "result", curve):
                _add_verified(vectors, record, size)
    vectors.extend(_ecdh(curve, size))
    return vectors


SIGNATURES = (
    *(KEYS / f"ECDSA/FIPS_186-{edition}" for edition in (2, 3)),
    PYCRYPTODOME / "Signature/ECDSA",
)


def _records(path: Path, last: str, curve: str) -> list[Record]:
    """A curve's records with a hash function that Python has; none if there is no such file."""
    of_curve = _of_curve(path, last, curve) if path.exists() else ()
    return [record for record in of_curve if [*record["section"].split(","), "SHA-1"][1] in HASHES]


def _add_point(vectors: Vectors, record: Record, size: int) -> None:
    peer, secret = _point(record, ("qx", "qy"), size), (1).to_bytes(size)
    if peer and record["result"].startswith("P"):
        # The key 1 leaves a point as it is.
        vectors.add("shared", secret=secret, peer=peer, shared=peer[:size])
    elif peer:
        vectors.refused.append(("shared", {"secret": secret, "peer": peer}))


def _add_verified(vectors: Vectors, record: Record, size: int) -> None:
    if record["result"].startswith("P"):
        vectors.add("verify", **_signed(record, size))
    else:
        vectors.refused.append(("verify", _signed(record, size)))


def _point_of(record: Record, size: int) -> bytes:
    point = _point(record, ("qx", "qy"), size)
    assert point
    return point


def _signed(record: Record, size: int) -> dict[str, bytes]:
    signature = unhex(record, "r", size) + unhex(record, "s", size)
    return {"public": _point_of(record, size), "digest": _digest(record), "signature": signature}


def _ecdh(curve: str, size: int) -> Vectors:
    """Shared secrets, and peers with invalid points."""
    vectors = Vectors()
    name = PYCRYPTODOME / "Protocol/KAS_ECC_CDH_PrimitiveTest.txt"
    for record in _of_curve(name, "ziut", curve):
        peer, ours = (_point(record, names, size) for names in CDH)
        assert peer
        assert ours
        inputs = {"secret": unhex(record, "diut", size), "peer": peer}
        vectors.add("shared", **inputs, public=ours, shared=unhex(record, "ziut", size))
    for role in ("init", "resp"):
        path = KEYS / f"ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax"
        for record in read(path, "result"):
            if record["section"].split("; ")[-1].startswith(f"{KAS[curve]} - "):
                _add_validity(vectors, record, size)
    return vectors


CDH = (("qcavsx", "qcavsy"), ("qiutx", "qiuty"))
KAS = {"P-192": "EA", "P-256": "EC"}


def _add_validity(vectors: Vectors, record: Record, size: int) -> None:
    """Records with wrong keys of our own side or changed secrets are left out."""
    peer = _point(record, ("qscavsx", "qscavsy"), size)
    if peer is None:
        return
    inputs = {"secret": unhex(record, "dsiut", size), "peer": peer}
    if record["result"].startswith("P"):
        vectors.add("shared", **inputs, shared=unhex(record, "z", size))
    elif "CAVS's Static public key" in record["result"]:
        vectors.refused.append(("shared", inputs))


def _secp256k1() -> Vectors:
    """Signatures without their k."""
    vectors = Vectors()
    for record in _of_curve(KEYS / "ECDSA/SECP256K1/SigGen.txt", "s", "K-256"):
        vectors.add("verify", **_signed(record, 32))
        vectors.add("public", secret=unhex(record, "d", 32), public=_point_of(record, 32))
    return vectors


def _rsa(bits: int) -> Vectors:
    """Signatures with SHA-256, and encryption with both paddings."""
    vectors, size = Vectors(), bits // 8
    for path in GENERATED:
        for record in read(path, "s"):
            if record["mod"] == str(bits) and record["shaalg"] == "SHA256":
                inputs = {"digest": _sha256(record), "signature": unhex(record, "s", size)}
                n, e = unhex(record, "n", size), unhex(record, "e", 4)
                vectors.add("verify_pkcs1", n=n, e=e, **inputs)
                if "d" in record:
                    vectors.add("sign_pkcs1", n=n, d=unhex(record, "d", size), **inputs)
    for path in VERIFIED:
        for record in read(path, "result"):
            if record["mod"] == str(bits) and record["shaalg"] == "SHA256":
                _add_signature(vectors, record, size)
    vectors.extend(_pkcs1(size))
    vectors.extend(_oaep(size))
    return vectors


GENERATED = (
    KEYS / "RSA/FIPS_186-2/SigGen15_186-2.txt",
    KEYS / "RSA/FIPS_186-2/SigGen15_186-3.rsp",
    PYCRYPTODOME / "Signature/PKCS1-v1.5/SigGen15_186-2.txt",
    PYCRYPTODOME / "Signature/PKCS1-v1.5/SigGen15_186-3.txt",
)
VERIFIED = (
    KEYS / "RSA/FIPS_186-2/SigVer15_186-3.rsp",
    KEYS / "RSA/SigVer15EMTest.txt",
    PYCRYPTODOME / "Signature/PKCS1-v1.5/SigVer15_186-3.rsp",
)


def _sha256(record: Record) -> bytes:
    return hashlib.sha256(unhex(record, "msg")).digest()


def _add_signature(vectors: Vectors, record: Record, size: int) -> None:
    if int(record["e"], 16) >= 256**4 or int(record["s"], 16) >= 256**size:
        return
    inputs = {
        "n": unhex(record, "n", size),
        "e": unhex(record, "e", 4),
        "digest": _sha256(record),
        "signature": unhex(record, "s", size),
    }
    if record["result"].startswith("P"):
        vectors.add("verify_pkcs1", **inputs)
    else:
        vectors.refused.append(("verify_pkcs1", inputs))


def _labelled(path: Path) -> Iterator[tuple[str, bytes]]:
    """Lines of bytes with a comment before them that says what they are: `# Modulus:`."""
    label, digits = "", ""
    for raw in [*text_of(path).splitlines(), "#"]:
        line = raw.strip()
        if line.startswith("#"):
            if label and digits:
                yield label, bytes.fromhex(digits.rjust(len(digits) + len(digits) % 2, "0"))
            label, digits = line.strip("# :").lower(), ""
        elif label and re.fullmatch(r"[0-9a-fA-F ]*", line):
            digits += line.replace(" ", "")


def _examples(path: Path, size: int) -> Iterator[dict[str, bytes]]:
    """Messages with the key before them, of those keys that have a size."""
    key: dict[str, bytes] = {}
    for label, value in _labelled(path):
        if label == "modulus" and key.get("encryption"):
            key = {}
        is_second = label == "exponent" and "exponent" in key
        key["private exponent" if is_second else label] = value
        if label == "encryption" and len(key["modulus"]) == size and key["modulus"][0] >= 128:
            yield dict(key)


PRIMES = {
    "p": "prime 1",
    "q": "prime 2",
    "dp": "prime exponent 1",
    "dq": "prime exponent 2",
    "qinv": "coefficient",
}


def _pkcs1(size: int) -> Vectors:
    vectors = Vectors()
    for record in _examples(KEYS / "RSA/pkcs1v15crypt-vectors.txt", size):
        public, private = _pair(record, size)
        text, sealed = record["message"], record["encryption"]
        padding = record["seed"]
        vectors.add("encrypt_pkcs1", **public, random=padding, message=text, result=sealed)
        vectors.opened.append(("decrypt_pkcs1", {**private, "cipher": sealed}, text))
        block = b"\0\2" + padding + b"\0" + text
        vectors.add("public", **public, message=block, result=sealed)
        vectors.add("private", **private, message=sealed, result=block)
        primes = {name: _fitted(record[label], size // 2) for name, label in PRIMES.items()}
        vectors.add("private_crt", **primes, message=sealed, result=block)
    return vectors


def _oaep(size: int) -> Vectors:
    vectors = Vectors()
    for record in _examples(KEYS / "RSA/oaep-custom/oaep-sha256-sha256.txt", size):
        _, private = _pair(record, size)
        inputs = {**private, "cipher": record["encryption"], "label": b""}
        vectors.opened.append(("decrypt_oaep", inputs, record["message"]))
    return vectors


def _pair(record: Mapping[str, bytes], size: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    n = _fitted(record["modulus"], size)
    d = _fitted(record["private exponent"], size)
    return {"n": n, "e": _fitted(record["exponent"], 4)}, {"n": n, "d": d}


def _fitted(value: bytes, size: int) -> bytes:
    return int.from_bytes(value).to_bytes(size)


FILES: Mapping[str, Callable[[], Vectors]] = {
    "x25519": _x25519,
    "ed25519": _ed25519,
    "ecdsa_secp192r1": lambda: _ecdsa("P-192", 24),
    "ecdsa_secp256r1": lambda: _ecdsa("P-256", 32),
    "ecdsa_secp256k1": _secp256k1,
    "rsa1024": lambda: _rsa(1024),
    "rsa2048": lambda: _rsa(2048),
}
"""The vectors of a primitive."""
