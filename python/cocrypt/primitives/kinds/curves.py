"""Key exchange and signatures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError
from cocrypt.primitives.kinds.common import given
from cocrypt.primitives.script import Buffer, Check, Step, Timing, some_bytes, turned
from cocrypt.primitives.vectors import label, refused, unhex, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.primitives.subject import Subject

JUDGING = ("verify", "shared")
"""Operations that return 0 for valid input and refuse the rest."""
OTHERS = {"peer": "public", "nonce": "secret"}
"""Roles with the size of another role."""
MESSAGE = 32
"""Bytes of the message whose signature is timed."""


@dataclass(frozen=True)
class Operation:
    """An operation: roles of its inputs, role of its output, and tables of its vectors."""

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
    """A kind whose operations keep no state between them."""

    operations: tuple[Operation, ...]

    @property
    def tables(self) -> frozenset[str]:
        """The tables that vectors can be in."""
        return frozenset(table for operation in self.operations for table in operation.vectors)

    def checks(self, subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
        """A check of each operation whose inputs and output a vector states."""
        checks, used = [], set[int]()
        judged: dict[str, Check] = {}
        for operation in self.operations:
            for table in operation.vectors:
                for index, vector in enumerate(vectors.get(table, [])):
                    # Only the operation of the table refuses what it must.
                    if refused(vector) and operation.name != table:
                        continue
                    name = label(subject.name, index, vector, table)
                    check = self._check(subject, operation, vector, name)
                    checks += [check] if check else []
                    if check and operation.output is None and not refused(vector):
                        # One check is enough to see that the operation does not accept everything.
                        judged.setdefault(operation.name, _turned(check))
                    used |= {id(vector)} if check else set()
        for table, rows in vectors.items():
            for vector in rows:
                if id(vector) not in used:
                    self._require_no_use(subject, table, vector)
        return [*checks, *judged.values()]

    def _require_no_use(self, subject: Subject, table: str, vector: Mapping[str, Any]) -> None:
        """Raises `InputError` if a vector is for a provided operation but lacks a role."""
        for operation in self.operations:
            if operation.name in subject.functions and operation.name == table:
                roles = (*operation.inputs, *([operation.output] if operation.output else []))
                lacks = " and ".join(f"`{role}`" for role in roles if role not in vector)
                problem = f"nothing can be checked with a vector of `{table}` that lacks {lacks}"
                raise wrong(vector, None, problem, f"give {', '.join(roles)}")

    def _check(
        self, subject: Subject, operation: Operation, vector: Mapping[str, Any], name: str
    ) -> Check | None:
        needed = [*operation.inputs, *([operation.output] if operation.output else [])]
        is_refused, out_role = refused(vector), operation.output
        if operation.name not in subject.functions:
            return None
        if any(role not in vector for role in (operation.inputs if is_refused else needed)):
            return None
        step, output = self._call(subject, operation, vector)
        # An operation that only computes cannot refuse.
        result = ((step, -is_refused),) if operation.name in JUDGING or is_refused else ()
        if is_refused and out_role is not None:
            return Check(f"{name}, refused", (step,), (), result)
        expected = (
            ((output, self._value(subject, operation, vector, out_role)),)
            if output and out_role
            else ()
        )
        return Check(f"{name}, {operation.name}", (step,), expected, result)

    def _call(
        self, subject: Subject, operation: Operation, vector: Mapping[str, Any]
    ) -> tuple[Step, Buffer | None]:
        """The operation with the inputs of a vector, and the memory that it fills."""
        roles = {
            role: Buffer(self._value(subject, operation, vector, role)) for role in operation.inputs
        }
        if operation.output is None:
            return Step(operation.name, roles), None
        output = Buffer(size=subject.sizes[operation.output])
        return Step(operation.name, {**roles, operation.output: output}), output

    @staticmethod
    def _value(
        subject: Subject, operation: Operation, vector: Mapping[str, Any], role: str
    ) -> bytes:
        return given(subject, operation.name, vector, role, OTHERS.get(role, role))

    def timings(
        self, subject: Subject, vectors: Mapping[str, Any], _lengths: Sequence[int], _context: int
    ) -> list[Timing]:
        """Times every operation, with keys that the operations before it have made."""
        buffers = {
            role: Buffer(_vector_value(vectors, role) or _scalar(subject, role))
            for role in ("secret", "nonce", "digest")
            if role in subject.sizes or role == "nonce"
        }
        buffers["message"] = Buffer(some_bytes(MESSAGE, "message"))
        timings: list[Timing] = []
        before: list[Step] = []
        for operation in self.operations:
            if operation.name not in subject.functions:
                continue
            if operation.output:
                buffers[operation.output] = Buffer(size=subject.sizes[operation.output])
            if operation.name == "public":
                buffers["peer"] = buffers["public"]
            roles = [*operation.inputs, *([operation.output] if operation.output else [])]
            if all(role in buffers for role in roles):
                step = Step(operation.name, {role: buffers[role] for role in roles})
            else:
                step = self._from_vector(subject, operation, vectors)
            steps, needs = (*before, step), (operation.name,)
            size = sum(buffer.size for role, buffer in step.buffers if role != "message")
            # A checking operation shows that the operations before it worked.
            results = ((step, 0),) if operation.name in JUDGING else ()
            counted = (len(before),)
            timings.append(Timing(operation.name, None, steps, counted, needs, size, results))
            before.append(step)
        return timings

    def _from_vector(
        self, subject: Subject, operation: Operation, vectors: Mapping[str, Any]
    ) -> Step:
        """An operation whose inputs no other makes, with those of its first good vector."""
        for vector in (row for table in operation.vectors for row in vectors.get(table, [])):
            if not refused(vector) and all(role in vector for role in operation.inputs):
                return self._call(subject, operation, vector)[0]
        raise InputError(
            f"{subject.name}: nothing says with which {' and '.join(operation.inputs)} "
            f"`{operation.name}` can be timed",
            "give a vector of it, or provide the operations that make these",
        )


def _turned(check: Check) -> Check:
    """The same verification with a bit of the signature turned."""
    (step,) = check.steps
    signature = step.arguments["signature"]
    assert isinstance(signature, Buffer)
    arguments = {**step.arguments, "signature": Buffer(turned(signature.content))}
    forged = Step(step.operation, arguments)
    return Check(f"{check.label}, turned", (forged,), (), ((forged, -1),))


def _vector_value(vectors: Mapping[str, Any], role: str) -> bytes | None:
    """A number of the first good vector that has it; such a number is within all bounds."""
    good = (vector for vector in vectors.get("sign", []) if not refused(vector) and role in vector)
    first = next(good, None)
    return unhex(first, role) if first else None


def _scalar(subject: Subject, role: str) -> bytes:
    """Bytes of a number below a curve's order, which begins with bits that are set."""
    size = subject.sizes.get(role, subject.sizes["secret"])
    digits = some_bytes(size, role)
    return bytes([0, *digits[1:]]) if role == "nonce" else bytes([digits[0] & 0x7F, *digits[1:]])


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
