"""Random inputs for symmetric primitives, and checks against other libraries' results."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cocrypt.primitives.kinds import aead, blocks, hashes, modes
from cocrypt.primitives.script import Buffer, Check, Step
from constructions import cbc, ccm, counters, ctr, hmac
from vectors import refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cocrypt.primitives.subject import Subject
    from oracles import Oracles
    from vectors import Arguments

COUNT = 1000
"""Inputs of each primitive."""
FEW = 60
"""Inputs of each mode over each cipher, whose blocks are checked by themselves."""
SPLIT = 150
"""Messages of up to this many bytes are given in two pieces, cut at every offset."""
MAC_STEP = 7
"""The step between lengths for a keyed hash, which passes its pieces to the hash unchanged."""
LONG_AD = 70_000
"""Bytes of associated data, whose length CCM writes in another form."""


@dataclass(frozen=True)
class Draw:
    """The inputs of one primitive, the same for all of its implementations and every time."""

    subject: Subject
    oracles: Oracles

    @cached_property
    def blocks(self) -> list[tuple[bytes, bytes, bytes]]:
        """Rows of key, text, result."""
        draw, name = self._random, self.subject.primitive
        encrypt, size = self.oracles.blocks(name), self.subject.sizes
        cases = []
        for index in range(COUNT):
            key, text = draw.randbytes(size["key"]), draw.randbytes(size["block"])
            if name == "des3" and index % 4 == 0:
                key = key[:16] + key[:8]
            cases.append((key, text, encrypt(key, text)))
        return cases

    @cached_property
    def streams(self) -> list[tuple[bytes, bytes, bytes, bytes]]:
        """Key, nonce, text, result."""
        from oracles import STREAMS

        draw, size, crypt = self._random, self.subject.sizes, STREAMS[self.subject.primitive]
        cases = []
        for _ in range(COUNT):
            # Without a nonce a key may have any size; the shortest for PyPI's RC4 is 1 byte.
            key = draw.randbytes(size["key"] if "nonce" in size else draw.randint(1, 256))
            nonce, text = draw.randbytes(size.get("nonce", 0)), draw.randbytes(draw.randrange(300))
            cases.append((key, nonce, text, crypt(key, nonce, text)))
        return cases

    @cached_property
    def digests(self) -> list[tuple[bytes, bytes, bytes]]:
        """Key (empty for a hash), message, digest or tag."""
        draw = self._random
        lengths = [draw.randrange(draw.choice((40, 150, 600))) for _ in range(COUNT)]
        messages = [draw.randbytes(length) for length in lengths]
        keys = [self._mac_key(draw) for _ in messages]
        return [
            (key, message, self._digest(key, message))
            for key, message in zip(keys, messages, strict=True)
        ]

    @cached_property
    def splits(self) -> list[tuple[bytes, bytes, bytes]]:
        """Rows as of `digests`, of each length up to a limit."""
        draw = self._random
        key = self._mac_key(draw)
        step = 1 if self.subject.kind == "hash" else MAC_STEP
        messages = [draw.randbytes(length) for length in range(0, SPLIT + 1, step)]
        return [(key, message, self._digest(key, message)) for message in messages]

    @cached_property
    def sealed(self) -> list[tuple[tuple[bytes, bytes, bytes], bytes, bytes]]:
        """Key, nonce and associated data; text; text and tag."""
        draw, sizes, over = self._random, self.subject.sizes, self.subject.over
        cases = []
        for index in range(FEW if over else COUNT):
            nonce = draw.randrange(7, 14) if over else sizes["nonce"]
            ad = 0 if index % 5 == 0 else draw.randrange(80)
            ad = LONG_AD if over == "aes128" and index == 1 else ad
            text = draw.randbytes(0 if index % 7 == 0 else draw.randrange(100))
            setup = (draw.randbytes(sizes["key"]), draw.randbytes(nonce), draw.randbytes(ad))
            tag = draw.randrange(4, 17, 2) if over else sizes["tag"]
            cases.append((setup, text, self._seal(setup, text, tag)))
        return cases

    @cached_property
    def chained(self) -> list[tuple[bytes, bytes, bytes, bytes]]:
        """Key, vector, text, result."""
        draw, size = self._random, self.subject.sizes["block"]
        cases = []
        for index in range(FEW):
            key, iv = draw.randbytes(self.subject.sizes["key"]), draw.randbytes(size)
            # A counter that is about to wrap.
            iv = iv[: draw.randrange(size)].ljust(size, b"\xff") if index % 3 == 0 else iv
            length = draw.randrange(8 * size)
            length -= 0 if self._is_counter else length % size
            text = draw.randbytes(length)
            cases.append((key, iv, text, self._chain(key, iv, text)))
        return cases

    @property
    def _random(self) -> random.Random:
        return random.Random(self.subject.primitive)

    @property
    def _is_counter(self) -> bool:
        return self.subject.primitive.endswith("_ctr")

    def _mac_key(self, draw: random.Random) -> bytes:
        """A key below, of and above the size of a block; longer ones are hashed.

        A hash that is longer than its block cannot stand for a key (FIPS 198-1, step 2 of table 1).
        """
        if self.subject.kind != "mac":
            return b""
        block, digest = self.subject.sizes["block"], self.subject.sizes["digest"]
        most = 3 * block if digest <= block else block
        return draw.randbytes(draw.choice((draw.randint(0, most), block)))

    def _digest(self, key: bytes, message: bytes) -> bytes:
        subject = self.subject
        if subject.kind != "mac":
            return self.oracles.hash(subject.primitive)(message)
        assert subject.over
        return hmac(self.oracles.hash(subject.over), BLOCK_BYTES[subject.over], key, message)

    def _seal(self, setup: tuple[bytes, bytes, bytes], text: bytes, tag: int) -> bytes:
        if not self.subject.over:
            return self.oracles.seal(self.subject.primitive, *setup, text)
        key, nonce, ad = setup
        return ccm(self._cipher(key), nonce, ad, text, tag)

    def _cipher(self, key: bytes) -> Callable[[bytes], bytes]:
        assert self.subject.over
        encrypt = self.oracles.blocks(self.subject.over)
        return lambda text: encrypt(key, text) if text else b""

    def _chain(self, key: bytes, iv: bytes, text: bytes) -> bytes:
        encrypt, mode = self._cipher(key), self.subject.primitive.rpartition("_")[2]
        return {
            "ecb": lambda: encrypt(text),
            "cbc": lambda: cbc(encrypt, iv, text),
            "ctr": lambda: ctr(encrypt, iv, text),
        }[mode]()


BLOCK_BYTES: Mapping[str, int] = {
    "ascon_hash256": 8,
    "groestl256": 64,
    "groestl512": 128,
    "keccak256": 136,
    "keccak512": 72,
    "md2": 16,
    "md4": 64,
    "md5": 64,
    "sha1": 64,
    "sha256": 64,
    "sha384": 128,
    "sha512": 128,
    "sha3_256": 136,
    "sha3_512": 72,
    "skein256": 32,
    "skein512": 64,
}
"""The block size of each hash function for HMAC: FIPS 180-4 and 202, and the designs' papers."""


def checks(draw: Draw, subject: Subject, context: int) -> Iterator[Check]:
    """The checks of all inputs of a primitive, for one implementation."""
    cut = random.Random(subject.name)
    match subject.kind:
        case "block_cipher":
            rows = (_block(subject, case, context) for case in draw.blocks)
        case "stream_cipher":
            rows = (_stream(subject, case, cut, context) for case in draw.streams)
        case "hash" | "mac":
            rows = (_digest(subject, case, cut, context) for case in draw.digests)
        case "aead":
            rows = (_aead(subject, case, cut) for case in draw.sealed)
        case _:
            rows = (_mode(subject, case, context) for case in draw.chained)
    for index, row in enumerate(rows):
        yield from (replace(check, label=f"{check.label} {index}") for check in row)


def _block(subject: Subject, values: tuple[bytes, bytes, bytes], context: int) -> Iterator[Check]:
    """A block both ways, by turns in place and from one memory to another."""
    (key, text, result), label = values, subject.name
    for operation, source, target in (("encrypt", text, result), ("decrypt", result, text)):
        if operation not in subject.functions:
            continue
        if key[0] % 2:
            yield blocks.crypt(subject, operation, (key, source, target), label, context)
            continue
        keys, secret = Buffer(size=context), Buffer(key)
        before, after = Buffer(source), Buffer(size=len(target))
        steps = (
            Step(blocks.expansion(subject, operation), {"keys": keys, "key": secret}),
            Step(operation, {"keys": keys, "text": before, "result": after}),
        )
        expected = ((after, target), (before, source), (secret, key))
        yield Check(f"{label}, {operation} apart", steps, expected)


def _pieces(message: bytes, cut: random.Random) -> Iterator[bytes]:
    """A message in one to four pieces, of which some may be empty."""
    cuts = sorted(cut.randint(0, len(message)) for _ in range(cut.randrange(4)))
    for begin, end in zip([0, *cuts], [*cuts, len(message)], strict=True):
        yield message[begin:end]


def _digest(
    subject: Subject, values: tuple[bytes, bytes, bytes], cut: random.Random, context: int
) -> Iterator[Check]:
    """A message in pieces."""
    (key, message, digest), digesting = values, hashes.MAC if subject.kind == "mac" else hashes.HASH
    pieces = list(_pieces(message, cut))
    yield digesting.check(subject, pieces, (key, digest), subject.name, context)


def _stream(
    subject: Subject, values: tuple[bytes, bytes, bytes, bytes], cut: random.Random, context: int
) -> Iterator[Check]:
    """A text in pieces, in place or apart."""
    key, nonce, text, result = values
    state, before = Buffer(size=context), Buffer(text)
    after = before if key[0] % 2 else Buffer(size=len(result))
    steps = [Step("init", {"state": state, "key": Buffer(key), "nonce": Buffer(nonce)})]
    at = 0
    for piece in _pieces(text, cut):
        arguments: Arguments = {"state": state, "text": (before, at), "result": (after, at)}
        steps.append(Step("crypt", {**arguments, "text_size": len(piece)}))
        at += len(piece)
    yield Check(subject.name, tuple(steps), ((after, result),))


def everywhere(draw: Draw, subject: Subject, context: int) -> Iterator[Check]:
    """Messages in two pieces, cut at every offset; the digests of one length stand side by side."""
    role = "tag" if subject.kind == "mac" else "digest"
    for key, message, digest in draw.splits:
        state, content, secret = Buffer(size=context), Buffer(message), Buffer(key)
        length, size = len(message), len(digest)
        results = Buffer(size=(length + 1) * size)
        steps = []
        for at in range(length + 1):
            pieces = (((content, 0), at), ((content, at), length - at))
            steps += [
                Step("init", {"state": state, "key": secret}),
                *(
                    Step("update", {"state": state, "message": piece, "message_size": part})
                    for piece, part in pieces
                ),
                Step("final", {"state": state, role: (results, at * size)}),
            ]
        label = f"{subject.name}, {length} bytes cut at every place"
        yield Check(label, tuple(steps), ((results, digest * (length + 1)),))


def _aead(
    subject: Subject, values: tuple[tuple[bytes, bytes, bytes], bytes, bytes], cut: random.Random
) -> Iterator[Check]:
    """A text sealed and opened, apart and in place; refused if a bit of any input is inverted."""
    (setup, text, sealed), label = values, subject.name
    yield aead.sealing(subject, setup, (text, sealed), label)
    yield aead.opening(subject, setup, (sealed, text), label)
    arguments: dict[str, Buffer | int] = dict(
        zip(("key", "nonce", "ad"), map(Buffer, setup), strict=True)
    )
    arguments["tag_size"] = tag = len(sealed) - len(text)
    room, back = Buffer(text, size=len(sealed)), Buffer(sealed)
    seal = Step("seal", {**arguments, "text": room, "text_size": len(text), "result": room})
    yield Check(f"{label}, seal in place", (seal,), ((room, sealed),))
    step = Step("open", {**arguments, "text": back, "result": back})
    yield Check(f"{label}, open in place", (step,), (), ((step, 0),), begins=((back, text),))
    wrong = [*setup, sealed]
    field = cut.choice([index for index in range(4) if wrong[index]])
    wrong[field] = _turned(wrong[field], cut)
    yield _refused(subject, wrong, tag)
    yield _refused(subject, [*setup, sealed[:-tag] + _turned(sealed[-tag:], cut)], tag)
    yield _refused(subject, [*setup, sealed[: cut.randrange(tag)]], tag)


def _turned(value: bytes, cut: random.Random) -> bytes:
    bit = cut.randrange(8 * len(value))
    return (int.from_bytes(value) ^ 1 << bit).to_bytes(len(value))


def _refused(subject: Subject, values: Sequence[bytes], tag: int) -> Check:
    """A call that must be refused without revealing a byte of the text."""
    arguments = dict(zip(("key", "nonce", "ad", "text"), values, strict=True))
    return refusal(subject, "open", {**arguments, "tag_size": bytes([tag])})


def _mode(
    subject: Subject, values: tuple[bytes, bytes, bytes, bytes], context: int
) -> Iterator[Check]:
    """A text both ways: in place in one call, and apart in two."""
    (key, iv, text, result), label = values, subject.name
    size = subject.sizes["block"]
    for operation, source, target in (("encrypt", text, result), ("decrypt", result, text)):
        if operation not in subject.functions:
            continue
        description = (f"{label}, {operation}", context)
        yield modes.crypt(subject, operation, (key, iv), (source, target), description)
        keys, vector = Buffer(size=context), Buffer(iv)
        before, after = Buffer(source), Buffer(size=len(target))
        middle = len(text) // size // 2 * size
        schedule = Step(blocks.expansion(subject, operation), {"keys": keys, "key": Buffer(key)})
        steps = [schedule]
        for at, part in ((0, middle), (middle, len(text) - middle)):
            arguments: Arguments = {"text": (before, at), "result": (after, at), "text_size": part}
            steps.append(Step(operation, {"keys": keys, "iv": vector, **arguments}))
        last = _last_vector(subject, iv, result)
        expected = ((after, target), (before, source), (vector, last))
        yield Check(f"{label}, {operation} in two calls", tuple(steps), expected)


def _last_vector(subject: Subject, iv: bytes, result: bytes) -> bytes:
    """The contents of the vector after the text."""
    size, mode = len(iv), subject.primitive.rpartition("_")[2]
    if mode == "ctr":
        return list(counters(iv, -(-len(result) // size) + 1))[-1]
    return result[-size:] if mode == "cbc" and result else iv
