"""The primitives of tests/toys in folders as users have them, and their right answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TOYS = ROOT / "tests/toys"
VARIANTS = ("good", "long", "short", "none")
SIZE, MODULUS = 8, 16
Row = dict[str, str]


def total(of: bytes) -> int:
    """The sum of bytes, as toys.c defines it."""
    value = 1
    for byte in of:
        value = (3 * value + byte) & 0xFF
    return value


def counted(begin: int, size: int = SIZE) -> bytes:
    """Bytes that count up by seven."""
    return bytes((begin + 7 * index) & 0xFF for index in range(size))


def added(text: bytes, key: int) -> bytes:
    """A text with a number and the byte's index added to each byte."""
    return bytes((byte + key + index) & 0xFF for index, byte in enumerate(text))


KEY, NONCE, AD, BLOCK = (bytes(range(start, start + SIZE)) for start in (3, 40, 70, 100))
TEXT, NUMBER = bytes(range(200, 213)), bytes(range(50, 50 + MODULUS))
PUBLIC = counted(total(KEY))
SIGNATURE = counted(total(PUBLIC) + total(TEXT))
OF_DIGEST = counted(total(PUBLIC) + total(BLOCK))
_SEED = total(KEY) + total(NONCE) + total(AD)
SEALED = added(TEXT, _SEED) + counted(_SEED + total(TEXT))
_NUMBERS = total(NUMBER) + total(b"\0\0\0\3") + total(NUMBER)


@dataclass(frozen=True)
class Toy:
    """A kind: its sizes, its operations, and a vector of some, with the answer's name."""

    kind: str
    sizes: tuple[str, ...]
    rows: tuple[tuple[str, str, Mapping[str, bytes]], ...]
    provides: tuple[str, ...] = ()
    # Names in NIST's form, by ours; None if there is no such form.
    records: Mapping[str, str] | None = None


_CRYPT = {"key": "KEY", "text": "PLAINTEXT", "result": "CIPHERTEXT"}
TOYS_BY_KIND = {
    toy.kind: toy
    for toy in (
        Toy(
            "block_cipher",
            ("key", "block"),
            (
                (
                    "encrypt",
                    "result",
                    {"key": KEY, "text": BLOCK, "result": added(BLOCK, total(KEY))},
                ),
            ),
            records=_CRYPT,
        ),
        Toy(
            "mode",
            ("key", "block"),
            (
                (
                    "encrypt",
                    "result",
                    {
                        "key": KEY,
                        "iv": NONCE,
                        "text": TEXT,
                        "result": added(TEXT, total(KEY) + total(NONCE)),
                    },
                ),
            ),
            records={**_CRYPT, "iv": "IV"},
        ),
        Toy(
            "stream_cipher",
            ("key", "nonce"),
            (
                (
                    "crypt",
                    "result",
                    {
                        "key": KEY,
                        "nonce": NONCE,
                        "text": TEXT,
                        "result": added(TEXT, total(KEY) + total(NONCE)),
                    },
                ),
            ),
            records={**_CRYPT, "nonce": "IV"},
        ),
        Toy(
            "hash",
            ("digest", "block"),
            (("hash", "digest", {"message": TEXT, "digest": counted(1 + total(TEXT))}),),
            records={"message": "Msg", "digest": "MD"},
        ),
        Toy(
            "mac",
            ("tag",),
            (
                (
                    "mac",
                    "tag",
                    {"key": KEY, "message": TEXT, "tag": counted(total(KEY) + total(TEXT))},
                ),
            ),
            records={"key": "Key", "message": "Msg", "tag": "Mac"},
        ),
        Toy(
            "aead",
            ("key", "nonce", "tag"),
            (
                (
                    "seal",
                    "result",
                    {"key": KEY, "nonce": NONCE, "ad": AD, "text": TEXT, "result": SEALED},
                ),
            ),
            records={"key": "Key", "nonce": "Nonce", "ad": "AD", "text": "PT", "result": "CT"},
        ),
        Toy(
            "key_exchange",
            ("secret", "public", "shared"),
            (
                ("public", "public", {"secret": KEY, "public": PUBLIC}),
                (
                    "shared",
                    "shared",
                    {"secret": KEY, "peer": NONCE, "shared": counted(total(KEY) + total(NONCE))},
                ),
            ),
        ),
        Toy(
            "signature",
            ("secret", "public", "signature"),
            (
                (
                    "sign",
                    "signature",
                    {"secret": KEY, "public": PUBLIC, "message": TEXT, "signature": SIGNATURE},
                ),
                (
                    "verify",
                    "signature",
                    {"public": PUBLIC, "message": TEXT, "signature": SIGNATURE},
                ),
            ),
        ),
        Toy(
            "ecdsa",
            ("secret", "public", "digest", "signature", "shared"),
            (
                (
                    "sign",
                    "signature",
                    {
                        "secret": KEY,
                        "public": PUBLIC,
                        "digest": BLOCK,
                        "nonce": NONCE,
                        "signature": OF_DIGEST,
                    },
                ),
            ),
        ),
        Toy(
            "rsa",
            ("modulus", "half", "exponent", "digest"),
            (
                (
                    "public",
                    "result",
                    {
                        "n": NUMBER,
                        "e": b"\0\0\0\3",
                        "message": NUMBER,
                        "result": counted(_NUMBERS, MODULUS),
                    },
                ),
                (
                    "decrypt_pkcs1",
                    "result",
                    {
                        "n": NUMBER,
                        "d": NUMBER,
                        "cipher": NUMBER,
                        "result": counted(3 * total(NUMBER), 5),
                    },
                ),
            ),
            provides=("public", "decrypt_pkcs1"),
        ),
        Toy(
            "rsa_toy",
            ("block",),
            (
                ("prime", "result", {"from": b"\0\0\0\7", "result": b"\0\0\0\10"}),
                (
                    "crypt",
                    "result",
                    {
                        "text": TEXT,
                        "y": b"\0\0\0\2",
                        "n": b"\0\0\0\3",
                        "result": added(TEXT, 5),
                    },
                ),
            ),
            provides=("prime", "crypt"),
        ),
        Toy(
            "kem",
            ("public", "secret", "ciphertext", "shared"),
            (
                (
                    "decapsulate",
                    "shared",
                    {
                        "ciphertext": BLOCK,
                        "secret": KEY,
                        "shared": counted(total(KEY) + total(BLOCK)),
                    },
                ),
            ),
            records={"ciphertext": "ct", "secret": "sk", "shared": "ss"},
        ),
        Toy(
            "signing",
            ("public", "secret", "signature"),
            (
                (
                    "verify",
                    "signed",
                    {"public": PUBLIC, "message": TEXT, "signed": SIGNATURE + TEXT},
                ),
            ),
            records={"public": "pk", "message": "msg", "signed": "sm"},
        ),
    )
}


def written(toy: Toy, rows: Mapping[int, Mapping[str, str]], form: str) -> str:
    """The vectors of a kind as a file, with other values in some rows."""
    parts = []
    for index, (table, _, values) in enumerate(toy.rows):
        texts = {name: value.hex() for name, value in values.items()} | dict(rows.get(index, {}))
        if form == "toml":
            lines = [f"[[{table}]]", *(f'{name} = "{text}"' for name, text in texts.items())]
        else:
            assert toy.records is not None
            lines = [f"{toy.records[name]} = {text}" for name, text in texts.items()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def folder(toy: Toy, path: Path, vectors: str, form: str = "toml") -> Path:
    """A folder as a user has it: the four variants of a kind as members, with these vectors."""
    path.mkdir(parents=True, exist_ok=True)
    (path / f"vectors.{form}").write_text(vectors)
    lines = ["[primitive]", 'title = "toy"', f'kind = "{toy.kind}"', 'source = "tests/toys"']
    if toy.kind in ("block_cipher", "mode", "stream_cipher", "hash", "mac"):
        lines += ['header = "toys.h"', 'context = "TOY"']
    special = {"modulus": MODULUS, "exponent": 4}
    for variant in VARIANTS:
        lines += ["", f"[members.{variant}_{toy.kind}]", f'vectors = "vectors.{form}"']
        lines += [f"{name} = {special.get(name, SIZE)}" for name in toy.sizes]
    lines += ["", "[implementations.c]", 'about = "A toy."']
    lines += [f'sources = ["{TOYS}/toys.c"]', f'include = ["{TOYS}"]']
    if toy.provides:
        lines.append(f"provides = {list(toy.provides)}")
    (path / "primitive.toml").write_text("\n".join(lines) + "\n")
    return path
