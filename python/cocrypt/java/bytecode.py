"""The instructions of bytecode, decoded: The Java Virtual Machine Specification, chapter 6."""

from __future__ import annotations

from dataclasses import dataclass

from cocrypt.errors import InputError

LIST = """
nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0
lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload
fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0
fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload
laload faload daload aaload baload caload saload istore lstore fstore dstore astore istore_0
istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2
fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore
fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2
swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem
frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc
i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq
ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq
if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return
getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic invokeinterface
invokedynamic new newarray anewarray arraylength athrow checkcast instanceof monitorenter
monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w
"""
NAMES = tuple(LIST.split())

POOL = {
    "ldc_w", "ldc2_w", "getstatic", "putstatic", "getfield", "putfield", "invokevirtual",
    "invokespecial", "invokestatic", "new", "anewarray", "checkcast", "instanceof",
}  # fmt: skip
VARIABLE = {"ret", *(f"{kind}{way}" for kind in "ilfda" for way in ("load", "store"))}
JUMPS = {name for name in NAMES if name.startswith(("if", "goto", "jsr"))}
ENDS = {
    "goto", "goto_w", "jsr", "jsr_w", "ret", "tableswitch", "lookupswitch", "athrow", "return",
    *(f"{kind}return" for kind in "ilfda"),
}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """An instruction; `target` and `cases` are addresses in the method, `name` is without `_w`.

    `operand` is an index of the constant pool, a local variable, an immediate value or the type of
    `newarray`; `second` the step of `iinc` or the dimensions of `multianewarray`.
    """

    at: int
    size: int
    name: str
    operand: int = 0
    second: int = 0
    target: int = -1
    cases: tuple[tuple[int, int], ...] = ()
    origin: str = ""
    """The name in the class file, if another instruction takes its place."""

    @property
    def shown(self) -> str:
        """The name in the class file, for people."""
        return self.origin or self.name

    @property
    def falls(self) -> bool:
        """True if the next instruction may follow."""
        return self.name not in ENDS

    @property
    def targets(self) -> tuple[int, ...]:
        """The addresses that it may jump to."""
        jumped = (self.target,) if self.target >= 0 else ()
        return (*jumped, *(target for _, target in self.cases))


class _Cursor:
    def __init__(self, code: bytes, at: int, name: str) -> None:
        self.code = code
        self.start = self.at = at
        self.name = name

    def number(self, size: int, *, signed: bool = False) -> int:
        taken = self.code[self.at : self.at + size]
        if len(taken) != size:
            raise InputError(f"{self.name}: the code ends within an instruction")
        self.at += size
        return int.from_bytes(taken, signed=signed)

    def jump(self, size: int) -> int:
        target = self.start + self.number(size, signed=True)
        if target < 0:
            raise InputError(f"{self.name}: a jump at {self.start} leaves the code")
        return target

    def align(self) -> None:
        self.at = (self.at + 3) // 4 * 4

    def made(self, name: str, operand: int = 0, second: int = 0, target: int = -1) -> Instruction:
        return Instruction(self.start, self.at - self.start, name, operand, second, target)


def decode(code: bytes, name: str) -> dict[int, Instruction]:
    """The instructions of a method by address; `name` is the method's, for messages.

    Raises `InputError` for unknown instructions, jumps into or behind the code and empty code.
    """
    if not 0 < len(code) < 1 << 16:
        raise InputError(f"{name}: code has 1 to 65,535 bytes, not {len(code):,}")
    found: dict[int, Instruction] = {}
    at = 0
    while at < len(code):
        found[at] = _instruction(_Cursor(code, at, name))
        at += found[at].size
    for each in found.values():
        for target in each.targets:
            if target not in found:
                raise InputError(f"{name}: {each.name} at {each.at} jumps into an instruction")
    return found


def _instruction(cursor: _Cursor) -> Instruction:
    number = cursor.number(1)
    if number >= len(NAMES):
        raise InputError(f"{cursor.name}: {number:#x} at {cursor.start} is not an instruction")
    name = NAMES[number]
    if name in JUMPS:
        wide = name.endswith("_w")
        target = cursor.jump(4 if wide else 2)
        return cursor.made(name.removesuffix("_w"), target=target)
    if name in POOL:
        return cursor.made(name.removesuffix("_w"), cursor.number(2))
    if name in VARIABLE or name in {"ldc", "newarray"}:
        return cursor.made(name, cursor.number(1))
    return _special(name, cursor)


def _special(name: str, cursor: _Cursor) -> Instruction:
    match name:
        case "bipush" | "sipush":
            return cursor.made(name, cursor.number(1 if name == "bipush" else 2, signed=True))
        case "iinc":
            return cursor.made(name, cursor.number(1), cursor.number(1, signed=True))
        case "invokeinterface" | "invokedynamic":
            made = cursor.number(2)
            cursor.number(2)
            return cursor.made(name, made)
        case "multianewarray":
            return cursor.made(name, cursor.number(2), cursor.number(1))
        case "tableswitch" | "lookupswitch":
            return _switch(name, cursor)
        case "wide":
            return _wide(cursor)
        case _:
            # Loads and stores of the first variables, as the general ones.
            stem, _, digit = name.partition("_")
            if stem in VARIABLE and digit.isdigit():
                return cursor.made(stem, int(digit))
            return cursor.made(name)


def _wide(cursor: _Cursor) -> Instruction:
    number = cursor.number(1)
    name = NAMES[number] if number < len(NAMES) else "?"
    if name == "iinc":
        return cursor.made(name, cursor.number(2), cursor.number(2, signed=True))
    if name not in VARIABLE:
        raise InputError(f"{cursor.name}: `wide` at {cursor.start} stands before {name}")
    return cursor.made(name, cursor.number(2))


def _switch(name: str, cursor: _Cursor) -> Instruction:
    cursor.align()
    default = cursor.jump(4)
    first = cursor.number(4, signed=True)
    if name == "tableswitch":
        last = cursor.number(4, signed=True)
        count = last - first + 1
    else:
        count = first
    if not 0 <= count <= len(cursor.code) // 4 or (name == "tableswitch" and count == 0):
        raise InputError(f"{cursor.name}: {name} at {cursor.start} has a wrong number of cases")
    if name == "tableswitch":
        cases = tuple((first + index, cursor.jump(4)) for index in range(count))
    else:
        cases = tuple((cursor.number(4, signed=True), cursor.jump(4)) for _ in range(count))
        keys = [key for key, _ in cases]
        if keys != sorted(set(keys)):
            raise InputError(f"{cursor.name}: the cases of {name} at {cursor.start} are unsorted")
    return Instruction(cursor.start, cursor.at - cursor.start, name, target=default, cases=cases)
