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
    made = Vectors()
    for one in read(KEYS / "X25519/rfc7748.txt", "output_u"):
        given = {"secret": unhex(one, "input_scalar"), "peer": unhex(one, "input_u")}
        made.add("shared", **given, shared=unhex(one, "output_u"))
    return made


def _ed25519() -> Vectors:
    """The authors' own: secret and public key, public key, message, signature and message."""
    made = Vectors()
    for line in text_of(KEYS / "Ed25519/sign.input").splitlines():
        both, public, message, signed = (bytes.fromhex(one) for one in line.split(":")[:4])
        given = {"public": public, "message": message, "signature": signed[:64]}
        made.add("sign", secret=both[:32], **given)
    return made


def _of_curve(path: Path, last: str, curve: str) -> Iterator[Record]:
    """The records of a curve; `[P-192,SHA-1]` names a hash function too."""
    for one in read(path, last):
        if re.split("[,;]", one["section"])[0] == curve:
            yield one


def _digest(one: Record) -> bytes:
    """Of a message; FIPS 186-2 had SHA-1."""
    function = HASHES[[*one["section"].split(","), "SHA-1"][1]]
    return hashlib.new(function, unhex(one, "msg")).digest()


def _point(one: Record, names: tuple[str, str], size: int) -> bytes | None:
    """A point; None where a coordinate has more bytes than the curve has."""
    numbers = [int(one[name], 16) for name in names]
    fits = all(number < 256**size for number in numbers)
    return b"".join(number.to_bytes(size) for number in numbers) if fits else None


def _ecdsa(curve: str, size: int) -> Vectors:
    """Key pairs, points that are none, signatures with their k, and some that were changed."""
    made = Vectors()
    for folder in SIGNATURES:
        for one in _records(folder / "KeyPair.rsp", "qy", curve):
            made.add("public", secret=unhex(one, "d", size), public=_point_of(one, size))
        for one in _records(folder / "PKV.rsp", "result", curve):
            _add_point(made, one, size)
        for one in _records(folder / "SigGen.txt", "s", curve):
            given = {"secret": unhex(one, "d", size), "nonce": unhex(one, "k", size)}
            made.add("sign", **given, **_signed(one, size))
        for name in ("SigVer.rsp", "SigVer_TruncatedSHAs.rsp"):
            for one in _records(folder / name, "result", curve):
                _add_verified(made, one, size)
    made.extend(_ecdh(curve, size))
    return made


SIGNATURES = (
    *(KEYS / f"ECDSA/FIPS_186-{edition}" for edition in (2, 3)),
    PYCRYPTODOME / "Signature/ECDSA",
)


def _records(path: Path, last: str, curve: str) -> list[Record]:
    """Those of a curve, with a hash function that Python has; none where there is no such file."""
    found = _of_curve(path, last, curve) if path.exists() else ()
    return [one for one in found if [*one["section"].split(","), "SHA-1"][1] in HASHES]


def _add_point(made: Vectors, one: Record, size: int) -> None:
    peer, secret = _point(one, ("qx", "qy"), size), (1).to_bytes(size)
    if peer and one["result"].startswith("P"):
        # The key 1 leaves a point as it is.
        made.add("shared", secret=secret, peer=peer, shared=peer[:size])
    elif peer:
        made.refused.append(("shared", {"secret": secret, "peer": peer}))


def _add_verified(made: Vectors, one: Record, size: int) -> None:
    if one["result"].startswith("P"):
        made.add("verify", **_signed(one, size))
    else:
        made.refused.append(("verify", _signed(one, size)))


def _point_of(one: Record, size: int) -> bytes:
    found = _point(one, ("qx", "qy"), size)
    assert found
    return found


def _signed(one: Record, size: int) -> dict[str, bytes]:
    signature = unhex(one, "r", size) + unhex(one, "s", size)
    return {"public": _point_of(one, size), "digest": _digest(one), "signature": signature}


def _ecdh(curve: str, size: int) -> Vectors:
    """Shared secrets, with peers whose points are none."""
    made = Vectors()
    name = PYCRYPTODOME / "Protocol/KAS_ECC_CDH_PrimitiveTest.txt"
    for one in _of_curve(name, "ziut", curve):
        peer, ours = (_point(one, names, size) for names in CDH)
        assert peer
        assert ours
        given = {"secret": unhex(one, "diut", size), "peer": peer}
        made.add("shared", **given, public=ours, shared=unhex(one, "ziut", size))
    for role in ("init", "resp"):
        path = KEYS / f"ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax"
        for one in read(path, "result"):
            if one["section"].split("; ")[-1].startswith(f"{KAS[curve]} - "):
                _add_validity(made, one, size)
    return made


CDH = (("qcavsx", "qcavsy"), ("qiutx", "qiuty"))
KAS = {"P-192": "EA", "P-256": "EC"}


def _add_validity(made: Vectors, one: Record, size: int) -> None:
    """Keys of our own side that are wrong, and changed secrets, are none of this function's."""
    peer = _point(one, ("qscavsx", "qscavsy"), size)
    if peer is None:
        return
    given = {"secret": unhex(one, "dsiut", size), "peer": peer}
    if one["result"].startswith("P"):
        made.add("shared", **given, shared=unhex(one, "z", size))
    elif "CAVS's Static public key" in one["result"]:
        made.refused.append(("shared", given))


def _secp256k1() -> Vectors:
    """Signatures without their k."""
    made = Vectors()
    for one in _of_curve(KEYS / "ECDSA/SECP256K1/SigGen.txt", "s", "K-256"):
        made.add("verify", **_signed(one, 32))
        made.add("public", secret=unhex(one, "d", 32), public=_point_of(one, 32))
    return made


def _rsa(bits: int) -> Vectors:
    """Signatures with SHA-256, and encryption with both paddings."""
    made, size = Vectors(), bits // 8
    for path in GENERATED:
        for one in read(path, "s"):
            if one["mod"] == str(bits) and one["shaalg"] == "SHA256":
                given = {"digest": _sha256(one), "signature": unhex(one, "s", size)}
                n, e = unhex(one, "n", size), unhex(one, "e", 4)
                made.add("verify_pkcs1", n=n, e=e, **given)
                if "d" in one:
                    made.add("sign_pkcs1", n=n, d=unhex(one, "d", size), **given)
    for path in VERIFIED:
        for one in read(path, "result"):
            if one["mod"] == str(bits) and one["shaalg"] == "SHA256":
                _add_signature(made, one, size)
    made.extend(_pkcs1(size))
    made.extend(_oaep(size))
    return made


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


def _sha256(one: Record) -> bytes:
    return hashlib.sha256(unhex(one, "msg")).digest()


def _add_signature(made: Vectors, one: Record, size: int) -> None:
    if int(one["e"], 16) >= 256**4 or int(one["s"], 16) >= 256**size:
        return
    given = {
        "n": unhex(one, "n", size),
        "e": unhex(one, "e", 4),
        "digest": _sha256(one),
        "signature": unhex(one, "s", size),
    }
    if one["result"].startswith("P"):
        made.add("verify_pkcs1", **given)
    else:
        made.refused.append(("verify_pkcs1", given))


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
    made = Vectors()
    for one in _examples(KEYS / "RSA/pkcs1v15crypt-vectors.txt", size):
        public, private = _pair(one, size)
        text, sealed = one["message"], one["encryption"]
        padding = one["seed"]
        made.add("encrypt_pkcs1", **public, random=padding, message=text, result=sealed)
        made.opened.append(("decrypt_pkcs1", {**private, "cipher": sealed}, text))
        block = b"\0\2" + padding + b"\0" + text
        made.add("public", **public, message=block, result=sealed)
        made.add("private", **private, message=sealed, result=block)
        primes = {name: _fitted(one[label], size // 2) for name, label in PRIMES.items()}
        made.add("private_crt", **primes, message=sealed, result=block)
    return made


def _oaep(size: int) -> Vectors:
    made = Vectors()
    for one in _examples(KEYS / "RSA/oaep-custom/oaep-sha256-sha256.txt", size):
        _, private = _pair(one, size)
        given = {**private, "cipher": one["encryption"], "label": b""}
        made.opened.append(("decrypt_oaep", given, one["message"]))
    return made


def _pair(one: Mapping[str, bytes], size: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
    n = _fitted(one["modulus"], size)
    d = _fitted(one["private exponent"], size)
    return {"n": n, "e": _fitted(one["exponent"], 4)}, {"n": n, "d": d}


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
