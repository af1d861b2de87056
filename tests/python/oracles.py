"""Other people's implementations, which ours are compared with.

PyPI has most of them; the others come from crates, through the program in tests/oracles.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from Crypto.Cipher import AES, ARC2, ARC4, DES, DES3, ChaCha20, ChaCha20_Poly1305
from Crypto.Hash import MD2, MD4, keccak
from cryptography.hazmat.decrepit.ciphers.algorithms import Camellia
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.modes import ECB

from constructions import cofb
from host import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "tests" / "oracles"
TARGET = ROOT / "build" / "oracles"

RECORDED: Mapping[str, str] = {
    "clefia128": "no package has CLEFIA; a program that was published by itself made the lines",
    "hight": "neither PyPI nor crates.io has HIGHT; Crypto++ made the lines",
}
"""Ciphers that no package has, each with the source of its answers in tests/oracles.

Our implementations are compared with these answers. Modes over the ciphers are compared with
constructions over one of our implementations.
"""

Blocks = Callable[[bytes, bytes], bytes]
"""Encrypts each block of a text by itself: key, text."""
Hash = Callable[[bytes], bytes]


def _camellia(key: bytes, text: bytes) -> bytes:
    return Cipher(Camellia(key), ECB()).encryptor().update(text)


def _aes(key: bytes, text: bytes) -> bytes:
    return AES.new(key, AES.MODE_ECB).encrypt(text)


BLOCKS: Mapping[str, Blocks] = {
    **{f"aes{bits}": _aes for bits in (128, 192, 256)},
    **{f"camellia{bits}": _camellia for bits in (128, 192, 256)},
    "des": lambda key, text: DES.new(key, DES.MODE_ECB).encrypt(text),
    "des3": lambda key, text: DES3.new(key, DES3.MODE_ECB).encrypt(text),
    "rc2": lambda key, text: ARC2.new(key, ARC2.MODE_ECB, effective_keylen=128).encrypt(text),
}

STREAMS: Mapping[str, Callable[[bytes, bytes, bytes], bytes]] = {
    "rc4": lambda key, _nonce, text: ARC4.new(key).encrypt(text),
    "chacha20": lambda key, nonce, text: ChaCha20.new(key=key, nonce=nonce).encrypt(text),
}

HASHES: Mapping[str, Hash] = {
    "md2": lambda message: MD2.new(message).digest(),
    "md4": lambda message: MD4.new(message).digest(),
    "md5": lambda message: hashlib.md5(message).digest(),
    "sha1": lambda message: hashlib.sha1(message).digest(),
    "sha256": lambda message: hashlib.sha256(message).digest(),
    "sha384": lambda message: hashlib.sha384(message).digest(),
    "sha512": lambda message: hashlib.sha512(message).digest(),
    "keccak256": lambda message: keccak.new(data=message, digest_bits=256).digest(),
    "keccak512": lambda message: keccak.new(data=message, digest_bits=512).digest(),
    "sha3_256": lambda message: hashlib.sha3_256(message).digest(),
    "sha3_512": lambda message: hashlib.sha3_512(message).digest(),
}

# Names as the program has them; in speck-cipher all bytes stand in the order of the paper, ours in
# that of its authors' implementation guide, which is the reverse.
CRATE_BLOCKS = frozenset(
    ["aria128", "aria192", "aria256", "lea128", "present80", "present128", "rc5", "rc6"]
)
REVERSED = frozenset(["speck64_128"])
CRATE_HASHES = frozenset(["ascon_hash256", "groestl256", "groestl512", "skein256", "skein512"])
AEADS = frozenset(["ascon_aead128", "chacha20_poly1305", "gift_cofb"])


@dataclass
class Oracles:
    """All oracles; `home` is asked for a block of a cipher that no package has."""

    program: Path
    home: Callable[[str], Blocks]
    _asked: subprocess.Popen[str] | None = field(default=None, init=False)

    def blocks(self, name: str) -> Blocks:
        """The block cipher of a name; raises `LookupError` where there is none."""
        if name in BLOCKS:
            return BLOCKS[name]
        if name in CRATE_BLOCKS:
            return lambda key, text: self._ask(name, "encrypt", key, text)
        if name in REVERSED:
            return lambda key, text: self._backwards(name, key, text)
        if name in RECORDED:
            return self.home(name)
        raise LookupError(f"no package is named that has the block cipher {name}")

    def hash(self, name: str) -> Hash:
        """The hash function of a name; raises `LookupError` where there is none."""
        if name in HASHES:
            return HASHES[name]
        if name in CRATE_HASHES:
            return lambda message: self._ask(name, "hash", message)
        raise LookupError(f"no package is named that has the hash function {name}")

    def seal(self, name: str, key: bytes, nonce: bytes, ad: bytes, text: bytes) -> bytes:
        """A text encrypted with its tag behind it; raises `LookupError` for an unknown name."""
        if name == "ascon_aead128":
            return self._ask(name, "seal", key, nonce, ad, text)
        if name == "gift_cofb":
            return cofb(lambda block: self._gift128(key, block), nonce, ad, text)
        if name == "chacha20_poly1305":
            cipher = ChaCha20_Poly1305.new(key=key, nonce=nonce)
            cipher.update(ad)
            return b"".join(cipher.encrypt_and_digest(text))
        raise LookupError(f"no package is named that has the authenticated cipher {name}")

    def close(self) -> None:
        """Ends the program."""
        if self._asked:
            self._asked.communicate()

    def _gift128(self, key: bytes, block: bytes) -> bytes:
        """GIFT-128 as GIFT-COFB has it: each word of the block is one bit of all nibbles."""
        return _words(self._ask("gift128", "encrypt", key, _nibbles(block)))

    def _backwards(self, name: str, key: bytes, text: bytes) -> bytes:
        blocks = (text[at : at + 8][::-1] for at in range(0, len(text), 8))
        answer = self._ask(name, "encrypt", key[::-1], b"".join(blocks))
        return b"".join(answer[at : at + 8][::-1] for at in range(0, len(answer), 8))

    def _ask(self, name: str, operation: str, *values: bytes) -> bytes:
        """The program's answer to a question; the program goes on running."""
        if self._asked is None:
            self._asked = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        words = [name, operation, *(value.hex() or "-" for value in values)]
        assert self._asked.stdin
        assert self._asked.stdout
        self._asked.stdin.write(" ".join(words) + "\n")
        self._asked.stdin.flush()
        answer = self._asked.stdout.readline().strip()
        assert answer, f"{self.program} has no answer to: {' '.join(words)}"
        return b"" if answer == "-" else bytes.fromhex(answer)


def recorded(name: str) -> list[tuple[bytes, bytes, bytes]]:
    """Keys, texts and their encryption by others."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    rows = (map(bytes.fromhex, line.split()) for line in lines if not line.startswith("#"))
    return [(key, text, result) for key, text, result in rows]


def _nibbles(words: bytes) -> bytes:
    """Bit j of word i, each from the highest byte on, becomes bit i of nibble j."""
    of = [int.from_bytes(words[at : at + 4]) for at in range(0, 16, 4)]
    bits = ((of[i] >> j & 1) << 4 * j + i for i in range(4) for j in range(32))
    return sum(bits).to_bytes(16)


def _words(nibbles: bytes) -> bytes:
    """The inverse of `_nibbles`."""
    bits = int.from_bytes(nibbles)
    of = [sum((bits >> 4 * j + i & 1) << j for j in range(32)) for i in range(4)]
    return b"".join(word.to_bytes(4) for word in of)


def built() -> Path:
    """The program with the crates, built of locked versions; the first time takes half a minute."""
    manifest, target = ("--manifest-path", FOLDER / "Cargo.toml"), ("--target-dir", TARGET)
    done = subprocess.run(
        ["cargo", "build", "--locked", "--quiet", *manifest, *target],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"tests/oracles cannot be built: {done.stderr}"
    return TARGET / "debug" / "cocrypt-oracles"
