"""Bytecode to the machine's own instructions: references resolved, dead code left out."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.java import classfile
from cocrypt.java.classfile import dotted, slots, types
from cocrypt.java.debug import MappedInstruction
from cocrypt.java.floating import OPERATIONS
from cocrypt.java.joined import Joiner
from cocrypt.java.layout import selector
from cocrypt.java.verify import ARRAYS
from cocrypt.java.world import described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Code, Member, Method, Pool
    from cocrypt.java.layout import Layout
    from cocrypt.java.verify import Verified

LONGEST = 0x7FFF
"""Bytes of a method at most, so that jumps have 16 bits."""
CATCH_ALL = 0xFFFF
BETWEEN = " + "
"""What stands between the instructions of bytecode that are one of the machine."""
NO_LINE = 1 << 16
"""A number behind those of all lines."""

# Instructions that differ only in the types that the verifier checks.
SAME = {
    "aconst_null": "iconst_0", "aaload": "iaload", "sastore": "castore", "ifnull": "ifeq",
    "ifnonnull": "ifne", "if_acmpeq": "if_icmpeq", "if_acmpne": "if_icmpne", "ireturn": "return1",
    "areturn": "return1", "lreturn": "return2", "monitorenter": "monitor",
    "monitorexit": "monitor",
}  # fmt: skip


@dataclass(frozen=True)
class Encoded:
    """The code of a method, and its handlers: start, end, target, class (or `CATCH_ALL`).

    `instructions` are the origins of its instructions.
    """

    code: bytes
    handlers: tuple[tuple[int, int, int, int], ...]
    instructions: tuple[MappedInstruction, ...] = ()


@functools.cache
def opcodes() -> dict[str, int]:
    """The numbers of the machine's instructions."""
    text = paths.read_bytes(paths.runtime() / "java" / "opcodes.h").decode()
    return {name: number for number, name in enumerate(re.findall(r"\bOP\((\w+)\)", text))}


def encode(verified: Verified, layout: Layout) -> Encoded:
    """A verified method in the machine's instructions."""
    return _Encoder(verified, layout).run()


class _Encoder:
    def __init__(self, verified: Verified, layout: Layout) -> None:
        self.verified, self.layout = verified, layout
        self.method = verified.method
        self.pool = verified.method.owner.pool
        self.code = bytearray()
        self.at: dict[int, int] = {}
        self.jumps: list[tuple[int, int, int]] = []
        self.start = 0
        self.instructions: list[MappedInstruction] = []
        self.origin = ""
        self.line: int | None = None

    def run(self) -> Encoded:
        rows = list(self.verified.instructions.values())
        joiner, index = Joiner(self.verified, self.layout), 0
        while index < len(rows):
            joined = joiner.at(index)
            self._begin(rows[index : index + (joined.count if joined else 1)])
            if joined is None:
                self._instruction(rows[index])
            else:
                self.put(joined.name, *joined.operands)
            index += joined.count if joined else 1
        if len(self.code) > LONGEST:
            raise InputError(f"{self.method} is longer than {LONGEST:,} bytes", "split the method")
        for cell, start, target in self.jumps:
            self.code[cell : cell + 2] = (self.at[target] - start).to_bytes(
                2, "little", signed=True
            )
        return Encoded(bytes(self.code), tuple(self._handlers()), tuple(self.instructions))

    def _begin(self, rows: Sequence[Instruction]) -> None:
        """Notes where the machine's next instruction comes from."""
        first = rows[0]
        self.at[first.at] = self.start = len(self.code)
        texts = (f"{each.at}: {each.shown} {described_operand(each, self.pool)}" for each in rows)
        self.origin = BETWEEN.join(map(str.rstrip, texts))
        self.line = line_of(self.verified.code, first.at)

    def _handlers(self) -> list[tuple[int, int, int, int]]:
        found = []
        for row in self.verified.code.handlers:
            start, end = self._behind(row.start), self._behind(row.end)
            if start < end and row.target in self.at:
                kind = CATCH_ALL if row.kind is None else self.layout.classes[row.kind]
                found.append((start, end, self.at[row.target], kind))
        return found

    def _behind(self, address: int) -> int:
        """The place of the first kept instruction at or behind an address."""
        instructions = [place for at, place in self.at.items() if at >= address]
        return min(instructions, default=len(self.code))

    def put(self, name: str, *operands: tuple[int, int]) -> None:
        """Appends an instruction; operands are pairs of a value and its bytes."""
        self.instructions.append(MappedInstruction(len(self.code), name, self.origin, self.line))
        self.code.append(opcodes()[name])
        for value, size in operands:
            self.code += (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def jump(self, target: int) -> None:
        """Appends the distance to a target, counted from the instruction's start."""
        self.jumps.append((len(self.code), self.start, target))
        self.code += bytes(2)

    def _instruction(self, each: Instruction) -> None:
        name = SAME.get(each.name, each.name)
        special = getattr(self, f"_{name}", None)
        if special is not None:
            special(each)
        elif name[1:] in ("load", "store") and name[0] in "ila":
            self._variable(name[1:], each.operand, is_long=name[0] == "l")
        elif each.target >= 0:
            self.put(name)
            self.jump(each.target)
        elif name in OPERATIONS:
            self.put("floating", (self.layout.operation(name), 1))
        elif name in opcodes():
            self.put(name)
        else:
            raise AssertionError(name)

    def _variable(self, name: str, index: int, *, is_long: bool) -> None:
        name += "2" if is_long else ""
        if index <= 3 and not is_long:
            self.put(f"{name}_{index}")
        elif index <= 0xFF:
            self.put(name, (index, 1))
        else:
            self.put(f"{name}_w", (index, 2))

    def _bipush(self, each: Instruction) -> None:
        self._int(each.operand)

    _sipush = _iconst = _bipush

    def _lconst(self, each: Instruction) -> None:
        self._long(each.operand)

    def _int(self, value: int) -> None:
        if -1 <= value <= 5:
            self.put(f"iconst_{'m1' if value < 0 else value}")
        elif -0x80 <= value < 0x80:
            self.put("bconst", (value, 1))
        elif -0x8000 <= value < 0x8000:
            self.put("sconst", (value, 2))
        else:
            self.put("iconst", (self.layout.number(self.layout.ints, value), 2))

    def _long(self, value: int) -> None:
        self.put("lconst", (self.layout.number(self.layout.longs, value), 2))

    def _lconst_0(self, _: Instruction) -> None:
        self._long(0)

    def _lconst_1(self, _: Instruction) -> None:
        self._long(1)

    def _ldc(self, each: Instruction) -> None:
        constant = self.pool.constant(each.operand)
        if constant.kind == classfile.INTEGER:
            self._int(constant.value)
        else:
            self.put("oconst", (self.layout.object(constant), 2))

    def _ldc2(self, each: Instruction) -> None:
        self._long(self.pool.constant(each.operand).value)

    def _iinc(self, each: Instruction) -> None:
        if each.operand <= 0xFF and -0x80 <= each.second < 0x80:
            self.put("iinc", (each.operand, 1), (each.second, 1))
        else:
            self.put("iinc_w", (each.operand, 2), (each.second, 2))

    def _ret(self, each: Instruction) -> None:
        narrow = each.operand <= 0xFF
        self.put("ret" if narrow else "ret_w", (each.operand, 1 if narrow else 2))

    def _tableswitch(self, each: Instruction) -> None:
        self.put("tableswitch", (each.cases[0][0], 4), (len(each.cases), 2))
        self.jump(each.target)
        for _, target in each.cases:
            self.jump(target)

    def _lookupswitch(self, each: Instruction) -> None:
        self.put("lookupswitch", (len(each.cases), 2))
        self.jump(each.target)
        for key, target in each.cases:
            self.code += key.to_bytes(4, "little", signed=True)
            self.jump(target)

    # References.

    def _initialize(self, owner: str) -> None:
        """Runs the static initialiser of a class first."""
        first = self.layout.initialized_before(self.method, owner)
        if first is not None:
            self.put("initialize", (self.layout.classes[first], 2))

    def _static(self, each: Instruction, name: str) -> None:
        member = self.pool.member(each.operand, classfile.FIELD)
        found = self.layout.reached.world.field(member, str(self.method), is_static=True)
        self._initialize(found.owner.name)
        wide = "2" if slots(found.descriptor) == 2 else ""
        constant = self.layout.constant(found) if name == "getstatic" else None
        if constant is None:
            self.put(name + wide, (self.layout.static(found), 2))
        elif wide:
            self._long(constant)
        else:
            self._int(constant)

    def _getstatic(self, each: Instruction) -> None:
        self._static(each, "getstatic")

    def _putstatic(self, each: Instruction) -> None:
        self._static(each, "putstatic")

    def _field(self, each: Instruction, name: str) -> None:
        member = self.pool.member(each.operand, classfile.FIELD)
        found = self.layout.reached.world.field(member, str(self.method), is_static=False)
        wide = "2" if slots(found.descriptor) == 2 else ""
        self.put(name + wide, (self.layout.fields[found], 1))

    def _getfield(self, each: Instruction) -> None:
        self._field(each, "getfield")

    def _putfield(self, each: Instruction) -> None:
        self._field(each, "putfield")

    def _called(self, each: Instruction) -> tuple[Member, Method]:
        member = self.pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        return member, self.layout.reached.world.method(member, str(self.method))

    def _invokestatic(self, each: Instruction) -> None:
        _, found = self._called(each)
        self._initialize(found.owner.name)
        self.put("invokestatic", (self.layout.methods[found], 2))

    def _invokespecial(self, each: Instruction) -> None:
        _, found = self._called(each)
        self.put("invokespecial", (self.layout.methods[found], 2))

    def _invokevirtual(self, each: Instruction) -> None:
        member, site = self._called(each)
        targets = self.layout.targets(site, member.owner)
        parameters, _ = types(member.descriptor)
        arguments = sum(map(slots, parameters)) + 1
        is_checked = self.layout.is_checked(site, member.owner)
        if not targets and not is_checked:
            # No object is ever made that has the method, so the reference is null.
            for name in ("pop", "iconst_0", "athrow"):
                self.put(name)
        elif len(targets) == 1 and not is_checked:
            self.put("invokespecial", (self.layout.methods[targets[0]], 2))
        else:
            number = self.layout.selectors[selector(site)]
            self.put("invokevirtual", (arguments, 1), (number, 2))

    _invokeinterface = _invokevirtual

    def _class(self, name: str, type_name: str, *further: tuple[int, int]) -> None:
        self.put(name, (self.layout.classes[type_name], 2), *further)

    def _new(self, each: Instruction) -> None:
        name = self.pool.class_name(each.operand)
        self._initialize(name)
        self._class("new", name)

    def _newarray(self, each: Instruction) -> None:
        self._class("newarray", ARRAYS[each.operand])

    def _anewarray(self, each: Instruction) -> None:
        self._class("newarray", f"[{described(self.pool.class_name(each.operand))}")

    def _multianewarray(self, each: Instruction) -> None:
        self._class("multianewarray", self.pool.class_name(each.operand), (each.second, 1))

    def _checkcast(self, each: Instruction) -> None:
        self._class("checkcast", self.pool.class_name(each.operand))

    def _instanceof(self, each: Instruction) -> None:
        self._class("instanceof", self.pool.class_name(each.operand))


def line_of(code: Code, address: int) -> int | None:
    """The line of the source that an instruction comes from; None if the class file is silent."""
    behind = bisect_right(code.lines, (address, NO_LINE))
    return code.lines[behind - 1][1] if behind else None


def described_operand(each: Instruction, pool: Pool) -> str:
    """The operand of an instruction as `javap` has it, with names in place of indices."""
    name = each.name
    if name in ("getstatic", "putstatic", "getfield", "putfield"):
        return str(pool.member(each.operand, classfile.FIELD))
    if name.startswith("invoke"):
        return str(pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD))
    if name in ("new", "anewarray", "checkcast", "instanceof", "multianewarray"):
        return dotted(pool.class_name(each.operand))
    if name == "iinc":
        return f"{each.operand}, {each.second}"
    if name in ("bipush", "sipush", "ret") or name[1:] in ("load", "store"):
        return str(each.operand)
    return str(each.target) if each.target >= 0 else ""
