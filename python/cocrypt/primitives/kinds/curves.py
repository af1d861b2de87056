"""Key exchange and signatures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.primitives.kinds.common import some_bytes, unhex
from cocrypt.primitives.script import Buffer, Check, Step, Timing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject

MESSAGE = 32
"""Bytes of the message whose signature is timed."""


@dataclass(frozen=True)
class Operation:
    """An operation: roles of what goes in, the role of what comes out, and which vectors it has."""

    name: str
    inputs: tuple[str, ...]
    output: str | None
    vectors: tuple[str, ...]


PUBLIC = Operation(
    "public", ("secret",), "public", ("sign", "sign_deterministic", "shared", "public")
)
SHARED = Operation("shared", ("secret", "peer"), "shared", ("shared",))


@dataclass(frozen=True)
class Operations:
    """A kind that consists of operations without anything kept between them."""

    operations: tuple[Operation, ...]

    def checks(self, subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
        """Every operation for which a vector states what goes in and what comes out."""
        found = []
        for operation in self.operations:
            for table in operation.vectors:
                for index, one in enumerate(vectors.get(table, [])):
                    # What is refused is refused by the operation that the table is about.
                    if one.get("refused") and operation.name != table:
                        continue
                    label = f"{subject.name} {table} vector {index + 1}"
                    check = self._check(subject, operation, one, label)
                    found += [check] if check else []
        return found

    def _check(
        self, subject: Subject, operation: Operation, vector: Mapping[str, Any], label: str
    ) -> Check | None:
        needed = [*operation.inputs, *([operation.output] if operation.output else [])]
        refused = bool(vector.get("refused", False))
        if operation.name not in subject.functions:
            return None
        if any(role not in vector for role in (operation.inputs if refused else needed)):
            return None
        given = {role: Buffer(unhex(vector, role)) for role in operation.inputs}
        out = operation.output
        if out is None:
            step = Step(operation.name, given)
            return Check(f"{label}, {operation.name}", (step,), (), ((step, -refused),))
        made = Buffer(size=subject.sizes[out])
        step = Step(operation.name, {**given, out: made})
        if refused:
            return Check(f"{label}, refused", (step,), (), ((step, -1),))
        return Check(f"{label}, {operation.name}", (step,), ((made, unhex(vector, out)),))

    def timings(
        self, subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
    ) -> list[Timing]:
        """Every operation, with keys that the operations before it have made."""
        made = {
            role: Buffer(_known(vectors, role) or _scalar(subject, role))
            for role in ("secret", "nonce", "digest")
            if role in subject.sizes or role == "nonce"
        }
        made["message"] = Buffer(some_bytes(MESSAGE, "message"))
        found: list[Timing] = []
        before: list[Step] = []
        for operation in self.operations:
            if operation.name not in subject.functions:
                continue
            if operation.output:
                made[operation.output] = Buffer(size=subject.sizes[operation.output])
            if operation.name == "public":
                made["peer"] = made["public"]
            roles = [*operation.inputs, *([operation.output] if operation.output else [])]
            step = Step(operation.name, {role: made[role] for role in roles})
            steps, needs = (*before, step), (operation.name,)
            size = sum(made[role].size for role in roles if role != "message")
            # What checks what the others have made says whether these did what they should.
            results = ((step, 0),) if operation.name in ("verify", "shared") else ()
            counted = (len(before),)
            found.append(Timing(operation.name, None, steps, counted, needs, size, results))
            before.append(step)
        return found


def _known(vectors: Mapping[str, Any], role: str) -> bytes | None:
    """A number of the first good vector that has it, which is within all bounds."""
    good = (one for one in vectors.get("sign", []) if not one.get("refused") and role in one)
    first = next(good, None)
    return unhex(first, role) if first else None


def _scalar(subject: Subject, role: str) -> bytes:
    """Bytes that are a number below a curve's order, which begins with bits that are set."""
    size = subject.sizes.get(role, subject.sizes["secret"])
    found = some_bytes(size, role)
    return bytes([0, *found[1:]]) if role == "nonce" else bytes([found[0] & 0x7F, *found[1:]])


VERIFIED = ("sign", "sign_deterministic", "verify")

KEY_EXCHANGE = Operations((PUBLIC, SHARED))
SIGNATURE = Operations(
    (
        PUBLIC,
        Operation("sign", ("secret", "message"), "signature", ("sign",)),
        Operation("verify", ("public", "message", "signature"), None, ("sign", "verify")),
    )
)
ECDSA = Operations(
    (
        PUBLIC,
        Operation("sign", ("secret", "digest", "nonce"), "signature", ("sign",)),
        Operation("sign_deterministic", ("secret", "digest"), "signature", ("sign_deterministic",)),
        Operation("verify", ("public", "digest", "signature"), None, VERIFIED),
        SHARED,
    )
)
