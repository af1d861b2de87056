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
"""Operations that refuse what is wrong, and so say by 0 that it is right."""
OTHERS = {"peer": "public", "nonce": "secret"}
"""What has the size of something else."""
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

    @property
    def tables(self) -> frozenset[str]:
        """What there can be vectors of."""
        return frozenset(table for one in self.operations for table in one.vectors)

    def checks(self, subject: Subject, vectors: Mapping[str, Any], _context: int) -> list[Check]:
        """Every operation for which a vector states what goes in and what comes out."""
        found, used = [], set[int]()
        judged: dict[str, Check] = {}
        for operation in self.operations:
            for table in operation.vectors:
                for index, one in enumerate(vectors.get(table, [])):
                    # What is refused is refused by the operation that the table is about.
                    if refused(one) and operation.name != table:
                        continue
                    name = label(subject.name, index, one, table)
                    check = self._check(subject, operation, one, name)
                    found += [check] if check else []
                    if check and operation.output is None and not refused(one):
                        # One is enough to see that not everything is taken for right.
                        judged.setdefault(operation.name, _turned(check))
                    used |= {id(one)} if check else set()
        for table, rows in vectors.items():
            for one in rows:
                if id(one) not in used:
                    self._require_no_use(subject, table, one)
        return [*found, *judged.values()]

    def _require_no_use(self, subject: Subject, table: str, vector: Mapping[str, Any]) -> None:
        """Sees to it that a vector is for other operations, and not one that lacks something."""
        provided = [one for one in self.operations if one.name in subject.functions]
        for operation in provided:
            if operation.name == table:
                roles = (*operation.inputs, *([operation.output] if operation.output else []))
                lacks = " and ".join(f"`{role}`" for role in roles if role not in vector)
                said = f"nothing can be checked with a vector of `{table}` that lacks {lacks}"
                raise wrong(vector, None, said, f"give {', '.join(roles)}")

    def _check(
        self, subject: Subject, operation: Operation, vector: Mapping[str, Any], name: str
    ) -> Check | None:
        needed = [*operation.inputs, *([operation.output] if operation.output else [])]
        is_refused, out = refused(vector), operation.output
        if operation.name not in subject.functions:
            return None
        if any(role not in vector for role in (operation.inputs if is_refused else needed)):
            return None
        step, made = self._call(subject, operation, vector)
        # What is no more than made cannot be refused.
        result = ((step, -is_refused),) if operation.name in JUDGING or is_refused else ()
        if is_refused and out is not None:
            return Check(f"{name}, refused", (step,), (), result)
        wanted = ((made, self._value(subject, operation, vector, out)),) if made and out else ()
        return Check(f"{name}, {operation.name}", (step,), wanted, result)

    def _call(
        self, subject: Subject, operation: Operation, vector: Mapping[str, Any]
    ) -> tuple[Step, Buffer | None]:
        """The operation with what a vector gives it, and the memory that it fills."""
        roles = {
            role: Buffer(self._value(subject, operation, vector, role)) for role in operation.inputs
        }
        if operation.output is None:
            return Step(operation.name, roles), None
        made = Buffer(size=subject.sizes[operation.output])
        return Step(operation.name, {**roles, operation.output: made}), made

    @staticmethod
    def _value(
        subject: Subject, operation: Operation, vector: Mapping[str, Any], role: str
    ) -> bytes:
        return given(subject, operation.name, vector, role, OTHERS.get(role, role))

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
            if all(role in made for role in roles):
                step = Step(operation.name, {role: made[role] for role in roles})
            else:
                step = self._from_vector(subject, operation, vectors)
            steps, needs = (*before, step), (operation.name,)
            size = sum(one.size for role, one in step.buffers if role != "message")
            # What checks what the others have made says whether these did what they should.
            results = ((step, 0),) if operation.name in JUDGING else ()
            counted = (len(before),)
            found.append(Timing(operation.name, None, steps, counted, needs, size, results))
            before.append(step)
        return found

    def _from_vector(
        self, subject: Subject, operation: Operation, vectors: Mapping[str, Any]
    ) -> Step:
        """An operation whose inputs nothing else has made, with those of its first good vector."""
        for one in (one for table in operation.vectors for one in vectors.get(table, [])):
            if not refused(one) and all(role in one for role in operation.inputs):
                return self._call(subject, operation, one)[0]
        raise InputError(
            f"{subject.name}: nothing says with which {' and '.join(operation.inputs)} "
            f"`{operation.name}` can be timed",
            "give a vector of it, or provide the operations that make these",
        )


def _turned(check: Check) -> Check:
    """A verification of the same with a bit of the signature turned."""
    (step,) = check.steps
    signature = step.arguments["signature"]
    assert isinstance(signature, Buffer)
    given = {**step.arguments, "signature": Buffer(turned(signature.content))}
    other = Step(step.operation, given)
    return Check(f"{check.label}, turned", (other,), (), ((other, -1),))


def _known(vectors: Mapping[str, Any], role: str) -> bytes | None:
    """A number of the first good vector that has it, which is within all bounds."""
    good = (one for one in vectors.get("sign", []) if not refused(one) and role in one)
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
