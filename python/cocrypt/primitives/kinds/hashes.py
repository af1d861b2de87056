"""Hash functions and message authentication codes: init, update and final, or all in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import some_bytes, unhex
from cocrypt.primitives.script import Buffer, Check, Step, Timing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.primitives.subject import Subject

# A long message that is one piece over and over is given in pieces of about this size.
PIECE = 1024


@dataclass(frozen=True)
class Digesting:
    """A hash, or a keyed one: the table of its vectors, and the role of its result."""

    vectors: str
    out: str
    keyed: bool

    def checks(self, subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
        """Each vector, its message in one piece or repeated."""
        found = []
        for index, one in enumerate(vectors.get(self.vectors, [])):
            message, times = unhex(one, "message"), int(one.get("repeat", 1))
            key = unhex(one, "key") if self.keyed else b""
            label = f"{subject.name} vector {index + 1}"
            pieces = _pieces(message, times)
            found.append(self.check(subject, pieces, (key, unhex(one, self.out)), label, context))
        return found

    def check(
        self,
        subject: Subject,
        pieces: Sequence[bytes],
        key_and_result: tuple[bytes, bytes],
        label: str,
        context: int,
    ) -> Check:
        """A message in these pieces; equal pieces share memory."""
        key, result = key_and_result
        out = Buffer(size=subject.sizes[self.out])
        if "update" not in subject.functions:
            message = Buffer(b"".join(pieces))
            step = Step("hash", {self.out: out, "message": message})
            return Check(label, (step,), ((out, result),))
        buffers = {piece: Buffer(piece) for piece in pieces}
        steps = self._whole(Buffer(size=context), key, (buffers[one] for one in pieces), out)
        return Check(label, steps, ((out, result),))

    def _whole(
        self, state: Buffer, key: bytes, pieces: Iterable[Buffer], out: Buffer
    ) -> tuple[Step, ...]:
        secret = {"key": Buffer(key)} if self.keyed else {}
        init = Step("init", {"state": state, **secret})
        updates = [Step("update", {"state": state, "message": one}) for one in pieces]
        return (init, *updates, Step("final", {"state": state, self.out: out}))

    def timings(
        self, subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], context: int
    ) -> list[Timing]:
        """Messages of each length from first call to last, and what a further block takes."""
        out = Buffer(size=subject.sizes[self.out])
        key = some_bytes(min(subject.sizes.get("block", 32), 32), "key") if self.keyed else b""
        parameters = out.size + len(key)
        found = []
        if "update" not in subject.functions:
            for length in lengths:
                message = Buffer(some_bytes(length, "text"))
                step = Step("hash", {self.out: out, "message": message})
                found.append(Timing("hash", length, (step,), (0,), ("hash",), parameters))
            return found
        needs = ("init", "update", "final")
        name = "mac" if self.keyed else "hash"
        if "block" in subject.sizes:
            block = Buffer(some_bytes(subject.sizes["block"], "text"))
            begun = self._whole(Buffer(size=context), key, [block, block], out)[:-1]
            found.append(Timing("block", block.size, begun, (2,), needs, parameters))
        for length in lengths:
            message = Buffer(some_bytes(length, "text"))
            steps = self._whole(Buffer(size=context), key, [message], out)
            found.append(Timing(name, length, steps, (0, 1, 2), needs, parameters))
        return found


def _pieces(message: bytes, times: int) -> list[bytes]:
    """A message so many times, in few pieces of which most are equal."""
    if times == 1 or not message:
        return [message] * min(times, 1)
    each = max(1, min(times, PIECE // len(message)))
    whole, rest = divmod(times, each)
    return [message * each] * whole + ([message * rest] if rest else [])


HASH = Digesting("hash", "digest", keyed=False)
MAC = Digesting("mac", "tag", keyed=True)
