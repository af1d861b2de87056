"""Known answers in the sources of other libraries: the files, their readers, and those not read."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import distributions
import forms
import forms_columns
import forms_java
from placing import CIPHERS, is_ours, placed
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from placing import Answer

    Reader = Callable[[str], Iterator[Answer]]

REASONS = {
    "DES-XEX3",
    "a counter in a part of the block",
    "a key of 128 bits",
    "a key of another size",
    "a message of a gigabyte",
    "a mode that is none of ours",
    "a nonce of 192 bits, which is XChaCha20",
    "a nonce of another size",
    "a place in the stream that only a jump comes to",
    "a signature of another size",
    "a vector of another size",
    "an error of that library's own functions",
    "another number of rounds",
    "begins within a block of the stream",
    "counted at the other end, in the other order of bytes",
    "cut",
    "other effective bits of a key",
    "ten thousand calls, each with what the last one made",
}
"""Reasons why single answers in files that are read fit no implementation of ours."""
LEFT_OUT = Path(__file__).with_name("left_out.toml")


def _evp(*names: str) -> dict[str, Reader]:
    return {f"test/recipes/30-test_evp_data/{name}.txt": forms.openssl for name in names}


def _botan(reader: Reader, *names: str) -> dict[str, Reader]:
    return {f"src/tests/data/{name}.vec": reader for name in names}


def _cryptopp(*names: str) -> dict[str, Reader]:
    return {f"TestVectors/{name}.txt": forms.cryptopp for name in names}


def _java(readers: Mapping[str, Reader]) -> dict[str, Reader]:
    return {f"{distributions.JAVA}/{name}Test.java": reader for name, reader in readers.items()}


SHAS = {"SHA1": "sha-1", "SHA256": "sha-256", "SHA384": "sha-384", "SHA512": "sha-512"}
MDS = {name: name.lower() for name in ("MD2", "MD4", "MD5")}
ENGINES = (
    *("RC2", "RC4", "RC5", "RC6", "DES", "DESede"),
    *("AES", "AESFast", "AESLight", "Camellia", "CamelliaLight"),
)
READERS: Mapping[str, Mapping[str, Reader]] = {
    "openssl": {
        **_evp("evpciph_aes_ccm_cavs", "evpciph_aes_common", "evpciph_aria", "evpciph_camellia"),
        **_evp("evpciph_chacha", "evpciph_des", "evpciph_des3_common", "evpciph_rc2"),
        **_evp("evpciph_rc4", "evpciph_rc5", "evpmac_common", "evpmd_md", "evpmd_sha"),
    },
    "botan": {
        **_botan(forms.botan_ciphers, "aead/ccm", "aead/chacha20poly1305", "modes/cbc"),
        **_botan(forms.botan_ciphers, "block/aes", "block/aria", "block/camellia", "block/des"),
        **_botan(forms.botan_ciphers, "modes/ctr", "stream/chacha", "stream/ctr", "stream/rc4"),
        **_botan(forms.botan_hashes, "hash/keccak", "hash/md4", "hash/md5", "hash/sha1"),
        **_botan(forms.botan_hashes, "hash/sha2_32", "hash/sha2_64", "hash/sha3", "hash/skein"),
        **_botan(forms.botan_repeated, "hash_rep"),
        **_botan(forms.botan_macs, "mac/hmac"),
        **_botan(forms.botan_keys, "pubkey/ed25519", "pubkey/ed25519_verify", "pubkey/x25519"),
        **_botan(forms.botan_ecdsa, "pubkey/ecc_base_point_mul", "pubkey/ecdsa_prob"),
        **_botan(forms.botan_ecdh, "pubkey/ecdh"),
        **_botan(forms.botan_rsa, "pubkey/rsa_invalid", "pubkey/rsa_verify"),
    },
    "libcrypto++": {
        **_cryptopp("aes", "aria", "camellia", "ccm", "chacha", "chacha20poly1305", "chacha_tls"),
        **_cryptopp("hight", "hmac", "keccak", "lea", "sha", "sha1_160_fips_180", "speck"),
        **_cryptopp("sha2_256_fips_180", "sha2_384_fips_180", "sha2_512_fips_180"),
        **_cryptopp("sha3_256_fips_202", "sha3_512_fips_202"),
        "TestData/3desval.dat": forms_columns.des3_columns,
        "TestData/aria.dat": partial(forms_columns.columns, cipher="aria"),
        "TestData/camellia.dat": partial(forms_columns.columns, cipher="camellia"),
        "TestData/descert.dat": partial(forms_columns.columns, cipher="des"),
        "TestData/rc2val.dat": forms_columns.rc2_columns,
        "TestData/rc5val.dat": partial(forms_columns.columns, cipher="rc5"),
        "TestData/rc6val.dat": partial(forms_columns.columns, cipher="rc6"),
        "TestData/rijndael.dat": partial(forms_columns.columns, cipher="aes"),
    },
    "bouncycastle": {
        **_java(dict.fromkeys(ENGINES, forms_java.java_ciphers)),
        **_java({"ARIA": forms_java.java_aria, "LEA": forms_java.java_lea}),
        **_java({"CCM": forms_java.java_ccm, "SkeinDigest": forms_java.java_skein}),
        **_java({"KeccakDigest": forms_java.java_keccak, "SHA3HMac": forms_java.java_sha3_macs}),
        **_java(
            {
                f"{name}Digest": partial(forms_java.java_hashes, algorithm=algorithm)
                for name, algorithm in (SHAS | MDS).items()
            }
        ),
        **_java(
            {
                f"{name}HMac": partial(forms_java.java_macs, algorithm=f"HMAC({algorithm})")
                for name, algorithm in (SHAS | {"MD5": "md5"}).items()
            }
        ),
    },
    "libtomcrypt": {
        "notes/ccm_tv.txt": forms_columns.tomcrypt_ccm,
        "notes/cipher_tv.txt": forms_columns.tomcrypt_ciphers,
        "notes/ecc_tv.txt": forms_columns.tomcrypt_curves,
        "notes/hash_tv.txt": forms_columns.tomcrypt_hashes,
        "notes/hmac_tv.txt": forms_columns.tomcrypt_macs,
    },
}
"""The reader of each of a package's files."""
_OVER = {
    "_ccm": ("aes128", "aes192", "aes256", "aria128", "aria256", "camellia128", "rc6"),
    "_ctr": (
        *("aes128", "aes192", "aes256", "aria128", "aria192", "aria256", "camellia128"),
        *("camellia192", "camellia256", "des", "des3", "lea128", "speck64_128"),
    ),
}
_CIPHERS = [name for sizes in CIPHERS.values() for name in sizes.values()]
_CHAINED = [name for name in _CIPHERS if name not in ("rc2", "rc6")]
_HASHES = ("md2", "md4", "md5", "sha1", "sha256", "sha384", "sha512")
_SPONGES = ("sha3_256", "sha3_512", "keccak256", "keccak512")
PRIMITIVES = {
    *_CIPHERS,
    *(f"{cipher}_ecb" for cipher in _CIPHERS),
    *(f"{cipher}_cbc" for cipher in _CHAINED),
    *(f"{name}{mode}" for mode, names in _OVER.items() for name in names),
    *(*_HASHES, *_SPONGES, "skein256", "skein512"),
    *(f"hmac_{name}" for name in (*_HASHES, *_SPONGES)),
    *("rc4", "chacha20", "chacha20_poly1305", "x25519", "ed25519"),
    *("ecdsa_secp192r1", "ecdsa_secp256r1", "ecdsa_secp256k1", "rsa1024"),
}
"""The primitives for which there are vectors."""


@dataclass
class FileContents:
    """The contents of a file: vectors by primitive, names of other algorithms, reasons."""

    vectors: dict[str, Vectors] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, answer: Answer) -> None:
        """Adds an answer, which is for some primitives, or for none with a reason."""
        if not is_ours(answer.algorithm):
            self.others.add(answer.algorithm)
            return
        rows = placed(answer)
        if isinstance(rows, str):
            self.reasons[rows] += 1
            return
        for primitive, table, row in rows:
            tables = self.vectors.setdefault(primitive, Vectors()).tables
            tables.setdefault(table, []).append(row)


@cache
def found(package: str, path: str) -> FileContents:
    """The contents of a file; raises `distributions.UnreachableError`."""
    contents = FileContents()
    for answer in READERS[package][path](distributions.text(package, path)):
        contents.add(answer)
    return contents


@cache
def vectors_of(primitive: str) -> Vectors:
    """The vectors of all other libraries for a primitive, each once."""
    vectors = Vectors()
    for package, files in READERS.items():
        for path in files:
            vectors.extend(found(package, path).vectors.get(primitive, Vectors()))
    return vectors.once()


def left_out() -> dict[str, dict[str, dict[str, list[str]]]]:
    """The exclusions, with their reasons: patterns of files and of algorithms, by package."""
    return tomllib.loads(LEFT_OUT.read_text(encoding="utf-8"))
