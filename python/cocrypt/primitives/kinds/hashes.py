"""Hash functions and message authentication codes: init, update and final, or all in one call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import given, stated
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes
from cocrypt.primitives.vectors import MOST_BYTES, label, number, sized, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cocrypt.primitives.subject import Subject

# Bytes of a piece, about, of a long message that repeats one piece.
PIECE = 1024


@dataclass(frozen=True)
class Digesting:
    """A hash, or a keyed one: the table of its vectors, and the role of its result."""

    vectors: str
    out: str
    keyed: bool

    def checks(self, subject: Subject, vectors: Mapping[str, Any], context: int) -> list[Check]:
        """A check of each vector, its message in one piece or repeated."""
        checks = []
        for index, vector in enumerate(vectors.get(self.vectors, [])):
            key = given(subject, "init", vector, "key") if self.keyed else b""
            name, result = label(subject.name, index, vector), self._result(subject, vector)
            pieces = _repeated(vector)
            checks.append(self.check(subject, pieces, (key, result), name, context))
        return checks

    def _result(self, subject: Subject, vector: Mapping[str, Any]) -> bytes:
        """A digest as long as the function makes it, or the beginning of a tag that is cut."""
        operation = "final" if "update" in subject.functions else "hash"
        size, is_made = stated(subject, operation, vector, self.out)
        if not is_made and (size > subject.sizes[self.out] or not self.keyed):
            raise wrong(
                vector,
                f"{self.out}_size",
                f"a vector is about {size} bytes, where the function makes "
                f"{subject.sizes[self.out]} and is not told of others",
                f"leave it out, or name `{self.out}_size` among the function's arguments",
            )
        return sized(vector, self.out, size)

    def check(
        self,
        subject: Subject,
        pieces: Sequence[bytes],
        key_and_result: tuple[bytes, bytes],
        label: str,
        context: int,
    ) -> Check:
        """A check of a message in these pieces; equal pieces share memory."""
        key, result = key_and_result
        is_whole = "update" not in subject.functions
        is_told = subject.takes("hash" if is_whole else "final", f"{self.out}_size")
        out = Buffer(size=len(result) if is_told else subject.sizes[self.out])
        if is_whole:
            steps: tuple[Step, ...] = (self._at_once(Buffer(b"".join(pieces)), out),)
        else:
            buffers = {piece: Buffer(piece) for piece in pieces}
            steps = self._whole(
                Buffer(size=context), key, (buffers[piece] for piece in pieces), out
            )
        expected = ((out, result),)
        if out.size > len(result):
            return Check(label, steps, begins=expected)
        return Check(label, steps, expected)

    def _at_once(self, message: Buffer, out: Buffer) -> Step:
        return Step("hash", {self.out: out, "message": message})

    def _whole(
        self, state: Buffer, key: bytes, pieces: Iterable[Buffer], out: Buffer
    ) -> tuple[Step, ...]:
        secret = {"key": Buffer(key)} if self.keyed else {}
        init = Step("init", {"state": state, **secret})
        updates = [Step("update", {"state": state, "message": piece}) for piece in pieces]
        return (init, *updates, Step("final", {"state": state, self.out: out}))

    def timings(
        self, subject: Subject, _vectors: Mapping[str, Any], lengths: Sequence[int], context: int
    ) -> list[Timing]:
        """Times messages of each length from first call to last, and a further block."""
        out = Buffer(size=subject.sizes[self.out])
        key = some_bytes(min(subject.sizes.get("block", 32), 32), "key") if self.keyed else b""
        parameters = out.size + len(key)
        timings = []
        if "update" not in subject.functions:
            for length in lengths:
                message = Buffer(some_bytes(length, "text"))
                step = self._at_once(message, out)
                timings.append(Timing("hash", length, (step,), (0,), ("hash",), parameters))
            return timings
        needs = ("init", "update", "final")
        name = "mac" if self.keyed else "hash"
        if "block" in subject.sizes:
            block = Buffer(some_bytes(subject.sizes["block"], "text"))
            begun = self._whole(Buffer(size=context), key, [block, block], out)[:-1]
            timings.append(Timing("block", block.size, begun, (2,), needs, parameters))
        for length in lengths:
            message = Buffer(some_bytes(length, "text"))
            steps = self._whole(Buffer(size=context), key, [message], out)
            timings.append(Timing(name, length, steps, (0, 1, 2), needs, parameters))
        return timings


def _repeated(vector: Mapping[str, Any]) -> list[bytes]:
    """The pieces of a vector's message, with its repetitions."""
    message, times = unhex(vector, "message"), number(vector, "repeat", 1)
    if len(message) * times > MOST_BYTES:
        problem = f"a vector's message has {len(message) * times:,} bytes in all"
        raise wrong(
            vector, "repeat", problem, f"leave it out: no more than {MOST_BYTES:,} are given"
        )
    return _pieces(message, times)


def _pieces(message: bytes, times: int) -> list[bytes]:
    """A message so many times, in few pieces, most of them equal."""
    if times == 1 or not message:
        return [message] * min(times, 1)
    copies = max(1, min(times, PIECE // len(message)))
    whole, rest = divmod(times, copies)
    return [message * copies] * whole + ([message * rest] if rest else [])


HASH = Digesting("hash", "digest", keyed=False)
MAC = Digesting("mac", "tag", keyed=True)
