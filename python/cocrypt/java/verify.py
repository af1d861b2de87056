"""The verifier: infers the type of every local variable and stack slot of a method's code.

It follows The Java Virtual Machine Specification, 4.10.2 (verification by type inference), for all
versions of class files, and reads no StackMapTable: a wrong one cannot mislead it. A subroutine
(`jsr`) is followed separately for each call of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java import classfile, floating
from cocrypt.java.bytecode import decode
from cocrypt.java.classfile import dotted, slots, types
from cocrypt.java.world import OBJECT, World, described, element, named, refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Code, Field, Member, Method

MOST_DIMENSIONS = 16
"""Dimensions that one instruction makes at most, as each takes a frame in C."""
MOST_HANDLERS = 255
"""Rows of a method's table of exception handlers at most."""
MOST_WORK = 20_000_000
"""Slots of all frames that are inferred for a method at most, and handlers that are looked at."""

# Types: I, F, J and D as in descriptors with - for the upper half of J and D; N for null, X for
# nothing usable, R<address> for the return address of a subroutine, U<address> for a new object
# before its constructor, U for `this` there, and =<name> for objects.
BASIC = {"B": "I", "C": "I", "S": "I", "Z": "I", "I": "I"}
ARRAYS = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
ELEMENTS = {"b": ("[B", "[Z"), "c": ("[C",), "s": ("[S",), "i": ("[I",), "l": ("[J",),
            "f": ("[F",), "d": ("[D",)}  # fmt: skip
LETTERED = {"a": "A", "l": "J", "f": "F", "d": "D"}
"""The kinds of instructions by the first letter of their names; the others are of ints."""
WIDE = ("J", "D")

LETTERS = {"J": "j", "D": "j", "-": "-", "=": "a", "N": "a", "U": "a"}

EFFECTS = {
    "nop": ">", "aconst_null": ">N", "bipush": ">I", "sipush": ">I",
    "i2l": "I>J", "l2i": "J>I", "i2b": "I>I", "i2c": "I>I", "i2s": "I>I", "lcmp": "JJ>I",
    "ineg": "I>I", "lneg": "J>J", "tableswitch": "I>", "lookupswitch": "I>", "goto": ">",
    "ifnull": "A>", "ifnonnull": "A>", "if_acmpeq": "AA>", "if_acmpne": "AA>",
    "monitorenter": "A>", "monitorexit": "A>", "iinc": ">", "lconst_0": ">J", "lconst_1": ">J",
    **{f"iconst_{digit}": ">I" for digit in ("m1", *"012345")},
    **{f"if{way}": "I>" for way in ("eq", "ne", "lt", "ge", "gt", "le")},
    **{f"if_icmp{way}": "II>" for way in ("eq", "ne", "lt", "ge", "gt", "le")},
    **{f"i{name}": "II>I" for name in ("add", "sub", "mul", "div", "rem", "and", "or", "xor")},
    **{f"l{name}": "JJ>J" for name in ("add", "sub", "mul", "div", "rem", "and", "or", "xor")},
    **{f"i{name}": "II>I" for name in ("shl", "shr", "ushr")},
    **{f"l{name}": "JI>J" for name in ("shl", "shr", "ushr")},
    **{name: f"{takes}>{gives}" for name, (takes, gives) in floating.OPERATIONS.items()},
    **{name: f">{name[0].upper()}" for name in floating.CONSTANTS},
}  # fmt: skip

# Of the topmost slots, the last of which is on top: those that stay, in their new order.
SHUFFLES = {
    "dup": (1, (0, 0)), "dup_x1": (2, (1, 0, 1)), "dup_x2": (3, (2, 0, 1, 2)),
    "dup2": (2, (0, 1, 0, 1)), "dup2_x1": (3, (1, 2, 0, 1, 2)), "swap": (2, (1, 0)),
    "dup2_x2": (4, (2, 3, 0, 1, 2, 3)), "pop": (1, ()), "pop2": (2, ()),
}  # fmt: skip


@dataclass(frozen=True)
class Verified:
    """The code of a method that may run: the reached instructions, in the order of addresses.

    `stacks` has a letter for each slot of the operand stack before an instruction: `i` for an int
    or a return address, `j` and `-` for the halves of a long, `a` for an object. An instruction
    that subroutines reach with different stacks is left out.
    """

    method: Method
    code: Code
    instructions: dict[int, Instruction]
    stacks: dict[int, str]


def verify(method: Method, world: World) -> Verified:
    """The verified code of a method; raises `InputError` for what would break the machine."""
    assert method.code is not None
    return _Verifier(method, method.code, world).run()


class _Verifier:
    def __init__(self, method: Method, code: Code, world: World) -> None:
        self.method, self.code, self.world = method, code, world
        self.name = str(method)
        self.instructions = decode(code.code, self.name)
        self.at = 0
        self.context: tuple[int, ...] = ()
        self.locals: list[str] = []
        self.stack: list[str] = []
        self.frames: dict[tuple[tuple[int, ...], int], tuple[list[str], list[str]]] = {}
        self.waiting: list[tuple[tuple[int, ...], int]] = []
        self.work = 0

    def fail(self, what: str) -> InputError:
        return InputError(f"{self.name}: {what} at {self.at}")

    def run(self) -> Verified:
        self._require_handlers()
        self._enter()
        while self.waiting:
            self.context, self.at = self.waiting.pop()
            before, stack = self.frames[self.context, self.at]
            self.locals, self.stack = list(before), list(stack)
            self._handlers()
            self._step(self.instructions[self.at])
        reached = {at for _, at in self.frames}
        pool = self.method.owner.pool
        kept = {at: floating.lowered(self.instructions[at], pool) for at in sorted(reached)}
        return Verified(self.method, self.code, kept, self._stacks())

    def _stacks(self) -> dict[int, str]:
        found: dict[int, set[str]] = {}
        for (_, at), (_, stack) in self.frames.items():
            letters = "".join(LETTERS.get(kind[0], "i") for kind in stack)
            found.setdefault(at, set()).add(letters)
        return {at: next(iter(stacks)) for at, stacks in found.items() if len(stacks) == 1}

    def _require_handlers(self) -> None:
        if len(self.code.handlers) > MOST_HANDLERS:
            raise InputError(f"{self.name} has more than {MOST_HANDLERS} handlers", "split it")
        behind = {*self.instructions, len(self.code.code)}
        for row in self.code.handlers:
            inside = row.start in self.instructions and row.target in self.instructions
            if not (row.start < row.end and inside and row.end in behind):
                raise InputError(f"{self.name}: an exception handler has wrong addresses")
            if row.kind is not None:
                self.world.require_class(self.method.owner, row.kind, self.name)
                throwable = "java/lang/Throwable"
                if not self.world.is_subclass(row.kind, throwable, self.name):
                    raise InputError(f"{self.name} catches {dotted(row.kind)}, which is not thrown")

    def _enter(self) -> None:
        parameters, _ = types(self.method.descriptor)
        own: list[str] = []
        if not self.method.is_static:
            is_new = self.method.name == "<init>" and self.method.owner.name != OBJECT
            own.append("U" if is_new else f"={self.method.owner.name}")
        for each in parameters:
            own += self._slots(each)
        if len(own) > self.code.variables:
            raise InputError(f"{self.name}: the parameters need more variables than there are")
        # Behind the variables of the code, a hidden one that no instruction overwrites.
        this = own[0] if self.method.name == "<init>" else "X"
        self._flow((), 0, [*own, *["X"] * (self.code.variables - len(own)), this], [])

    def _slots(self, descriptor: str) -> list[str]:
        """The slots of a value of this type."""
        if descriptor in ("F", "D"):
            self._require_floating_point()
        if descriptor in WIDE:
            return [descriptor, "-"]
        if descriptor == "F":
            return ["F"]
        return [BASIC.get(descriptor) or f"={named(descriptor)}"]

    def _require_floating_point(self) -> None:
        if not self.world.floating_point:
            raise InputError(
                f"{self.name} uses floating point, which the machine leaves out",
                "use integers, or allow it by --floating-point, or in a study by `floating_point`",
            )

    def _flow(self, context: tuple[int, ...], at: int, own: list[str], stack: list[str]) -> None:
        """Merges a frame into that of an instruction, which is looked at again if it changes."""
        if at not in self.instructions:
            raise self.fail("execution runs off the end of the code")
        self.work += len(own) + len(stack) + 16
        if self.work > MOST_WORK:
            raise InputError(f"{self.name} is too large to be verified")
        key = (context, at)
        old = self.frames.get(key)
        if old is None:
            self.frames[key] = (own, stack)
        else:
            if len(old[1]) != len(stack):
                raise self.fail(f"the depth of the stack differs on the paths to {at}, seen")
            merged = (self._merged(old[0], own), self._merged(old[1], stack))
            if merged == old:
                return
            self.frames[key] = merged
        self.waiting.append(key)

    def _merged(self, left: list[str], right: list[str]) -> list[str]:
        merged = [
            one if one == two else self._merge(one, two)
            for one, two in zip(left, right, strict=True)
        ]
        for index, kind in enumerate(merged):
            if kind in WIDE and merged[index + 1 : index + 2] != ["-"]:
                merged[index] = "X"
            if kind == "-" and (index == 0 or merged[index - 1] not in WIDE):
                merged[index] = "X"
        return merged

    def _merge(self, left: str, right: str) -> str:
        if left == "N" and right.startswith("="):
            return right
        if right == "N" and left.startswith("="):
            return left
        if left.startswith("=") and right.startswith("="):
            return "=" + self.world.common(left[1:], right[1:], self.name)
        return "X"

    def _handlers(self) -> None:
        self.work += len(self.code.handlers)
        for row in self.code.handlers:
            if row.start <= self.at < row.end:
                kind = row.kind or "java/lang/Throwable"
                self._flow(self.context, row.target, list(self.locals), [f"={kind}"])
        if self.code.handlers and self.code.stack < 1:
            raise self.fail("there is no room for a caught exception on the stack")

    # The stack.

    def push(self, *kinds: str) -> None:
        self.stack += kinds
        if len(self.stack) > self.code.stack:
            raise self.fail(f"the stack is deeper than {self.code.stack} slots")

    def take(self, count: int) -> list[str]:
        if len(self.stack) < count:
            raise self.fail("the stack is too shallow")
        taken = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return taken

    def pop(self, kind: str) -> str:
        """Takes a value of a kind: I, J, F, D, or A for an object."""
        if kind in WIDE:
            if self.take(2) != [kind, "-"]:
                raise self.fail(f"a {'long' if kind == 'J' else 'double'} is not on the stack")
            return kind
        (found,) = self.take(1)
        if kind == "A":
            if found != "N" and not found.startswith("="):
                raise self.fail("no object is on the stack")
        elif found != kind:
            raise self.fail("a value on the stack has the wrong type")
        return found

    def pop_type(self, descriptor: str) -> None:
        """Takes a value that may be assigned to a type."""
        kinds = self._slots(descriptor)
        if not kinds[0].startswith("="):
            self.pop(kinds[0])
            return
        found = self.pop("A")
        if found != "N" and not self._assignable(found[1:], kinds[0][1:]):
            raise self.fail(f"{dotted(found[1:])} stands where {dotted(kinds[0][1:])} is needed")

    def _assignable(self, lower: str, upper: str) -> bool:
        """As for classes; an interface may be any object, which calls of it check."""
        is_class = not upper.startswith("[") and upper in self.world
        if is_class and self.world.get(upper, self.name).is_interface:
            return True
        return self.world.is_subclass(lower, upper, self.name)

    # Instructions.

    def _step(self, each: Instruction) -> None:
        self._apply(each)
        if each.name == "jsr":
            self._subroutine(each)
        elif each.name == "ret":
            self._return_from(each)
        else:
            for target in dict.fromkeys(each.targets):
                self._flow(self.context, target, list(self.locals), list(self.stack))
        if each.falls:
            self._flow(self.context, each.at + each.size, self.locals, self.stack)

    def _subroutine(self, each: Instruction) -> None:
        back = each.at + each.size
        if back in self.context or len(self.context) > 16:
            raise self.fail("a subroutine calls itself")
        self.push(f"R{back}")
        self._flow((*self.context, back), each.target, list(self.locals), list(self.stack))

    def _return_from(self, each: Instruction) -> None:
        kind = self._variable(each.operand)
        back = int(kind[1:]) if kind.startswith("R") else -1
        if back not in self.context:
            raise self.fail("`ret` has no return address")
        outer = self.context[: self.context.index(back)]
        self._flow(outer, back, list(self.locals), list(self.stack))

    def _variable(self, index: int) -> str:
        if index >= self.code.variables:
            raise self.fail(f"there is no local variable {index}")
        return self.locals[index]

    def _store(self, index: int, kinds: list[str]) -> None:
        self._variable(index + len(kinds) - 1)
        for at in range(index, index + len(kinds)):
            # Half of a long or a double that is overwritten makes the other half unusable.
            if self.locals[at] == "-" and at > 0:
                self.locals[at - 1] = "X"
            if self.locals[at] in WIDE:
                self.locals[at + 1] = "X"
        self.locals[index : index + len(kinds)] = kinds

    def _apply(self, each: Instruction) -> None:
        name = each.name
        if name == "iinc" and self._variable(each.operand) != "I":
            raise self.fail("`iinc` is of no int")
        if name in floating.NAMES:
            self._require_floating_point()
        if name in SHUFFLES:
            self._shuffle(name)
        elif name in EFFECTS:
            takes, _, gives = EFFECTS[name].partition(">")
            for kind in reversed(takes):
                self.pop(kind)
            for kind in gives:
                self.push(*((kind, "-") if kind in WIDE else (kind,)))
        elif name[1:] in ("load", "store"):
            self._local(each)
        elif name[1:] in ("aload", "astore"):
            self._element(name)
        elif name.endswith("return"):
            self._return(name)
        else:
            self._special(each)

    def _special(self, each: Instruction) -> None:
        """An instruction with a method of its own here."""
        if each.name == "invokedynamic":
            raise InputError(
                f"{self.name} uses a lambda or a dynamic call, which the machine refuses",
                "write an inner class, and compile with javac --release 8",
            )
        if each.name not in ("jsr", "ret"):
            getattr(self, f"_{each.name}")(each)

    def _shuffle(self, name: str) -> None:
        count, order = SHUFFLES[name]
        taken = self.take(count)
        outer = self.stack[-1:] in (["J"], ["D"])
        if outer or taken[:1] == ["-"]:
            raise self.fail(f"`{name}` would cut a long or a double in two")
        self.push(*(taken[index] for index in order))
        for index, kind in enumerate(self.stack):
            following = self.stack[index + 1 : index + 2]
            if (kind in WIDE) != (following == ["-"]):
                raise self.fail(f"`{name}` would cut a long or a double in two")

    def _local(self, each: Instruction) -> None:
        kind = LETTERED.get(each.name[0], "I")
        if each.name.endswith("load"):
            found = self._variable(each.operand)
            valid = found[:1] in ("=", "N", "U") if kind == "A" else found == kind
            if not valid:
                raise self.fail(f"local variable {each.operand} has the wrong type")
            self.push(*((kind, "-") if kind in WIDE else (found,)))
        elif kind in WIDE:
            self.pop(kind)
            self._store(each.operand, [kind, "-"])
        else:
            (found,) = self.take(1)
            if found != kind if kind != "A" else found[:1] not in ("=", "N", "U", "R"):
                raise self.fail(f"`{each.name}` stores a value of the wrong type")
            self._store(each.operand, [found])

    def _element(self, name: str) -> None:
        kind = name[0]
        value = LETTERED.get(kind, "I")
        if name.endswith("store"):
            self.pop(value)
        self.pop("I")
        array = self.pop("A")
        if array != "N":
            self._require_array(array[1:], kind)
        if name.endswith("load"):
            of_nothing = array == "N"
            loaded = "N" if of_nothing else f"={element(array[1:])}"
            self.push(*([loaded] if kind == "a" else self._slots(value)))

    def _require_array(self, array: str, kind: str) -> None:
        objects = array.startswith("[") and element(array) != ""
        if not (objects if kind == "a" else array in ELEMENTS[kind]):
            raise self.fail(f"{dotted(array)} stands where another array is needed")

    def _return(self, name: str) -> None:
        _, result = types(self.method.descriptor)
        letter = LETTERED.get(name[0], "I") if name != "return" else ""
        needed = "" if result == "V" else "A" if result[0] in "L[" else BASIC.get(result, result)
        if letter != needed:
            raise self.fail(f"`{name}` does not return {result}")
        if result != "V":
            self.pop_type(result)
        if self.method.name == "<init>" and not self.locals[-1].startswith("="):
            raise self.fail("a constructor returns before that of its parent is called")

    def _ldc(self, each: Instruction) -> None:
        self._constant(each, "I")

    def _ldc2(self, each: Instruction) -> None:
        self._constant(each, "J")

    def _constant(self, each: Instruction, size: str) -> None:
        constant = self.method.owner.pool.constant(each.operand)
        kinds = {
            classfile.INTEGER: "I", classfile.LONG: "J", classfile.FLOAT: "F",
            classfile.DOUBLE: "D", classfile.STRING: "Ljava/lang/String;",
            classfile.CLASS: "Ljava/lang/Class;",
        }  # fmt: skip
        kind = kinds[constant.kind]
        if (kind in WIDE) != (size == "J"):
            raise self.fail("a constant has the wrong size")
        if constant.kind == classfile.CLASS:
            self.world.require_class(self.method.owner, constant.value, self.name)
        self.push(*self._slots(kind))

    def _getstatic(self, each: Instruction) -> None:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        self._field_type(member.descriptor)
        self._field(member, is_static=True)
        self.push(*self._slots(member.descriptor))

    def _putstatic(self, each: Instruction) -> None:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        self._field(member, is_static=True)
        self.pop_type(member.descriptor)

    def _field(self, member: Member, *, is_static: bool) -> Field:
        found = self.world.field(member, self.name, is_static=is_static)
        self._require_access(member, found)
        return found

    def _require_access(self, member: Member, found: Field | Method) -> None:
        # Arrays have a public `clone`.
        is_open = member.owner.startswith("[") and member.name == "clone"
        self.world.require_class(self.method.owner, member.owner, self.name)
        if not is_open and not self.world.may_use(self.method.owner, found):
            raise InputError(f"{self.name} has no access to {member}")

    def _field_type(self, descriptor: str) -> None:
        facility = refusal(named(descriptor))
        if facility:
            raise InputError(f"{self.name} uses {facility}, which the device does not have")

    def _getfield(self, each: Instruction) -> None:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        found = self._field(member, is_static=False)
        self._receiver(found.owner.name, found)
        self.push(*self._slots(member.descriptor))

    def _putfield(self, each: Instruction) -> None:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        found = self._field(member, is_static=False)
        self.pop_type(member.descriptor)
        # A constructor may set its own fields before it calls its parent's.
        if self.stack[-1:] == ["U"] and found.owner is self.method.owner:
            self.take(1)
        else:
            self._receiver(found.owner.name, found)

    def _receiver(self, owner: str, found: Field | Method) -> None:
        """Takes the object whose member is used."""
        receiver = self.stack[-1:]
        self.pop_type(described(owner))
        # Of arrays, `clone` is public.
        is_array = receiver[0].startswith("=[") and found.name == "clone"
        own = self.method.owner
        if not is_array and receiver != ["N"] and self.world.is_inherited_only(own, found):
            lower = receiver[0][1:]
            if not self.world.is_subclass(lower, own.name, self.name):
                raise self.fail(f"{found.name} is protected, and of no object of its own class,")

    def _invoke(self, each: Instruction, *, is_static: bool) -> None:
        member = self.method.owner.pool.member(
            each.operand, classfile.METHOD, classfile.INTERFACE_METHOD
        )
        found = self.world.method(member, self.name)
        self._require_access(member, found)
        if found.is_static != is_static or member.name == "<clinit>":
            raise self.fail(f"{member} is called as if it were of the other kind")
        parameters, result = types(member.descriptor)
        for kind in reversed(parameters):
            self.pop_type(kind)
        if member.name == "<init>":
            self._construct(each, member.owner, found)
        elif not is_static:
            upper = found.owner.name if each.name == "invokespecial" else member.owner
            self._receiver(upper, found)
        if each.name == "invokespecial" and member.name != "<init>":
            self._require_above(found)
        if slots(result):
            self.push(*self._slots(result))

    def _construct(self, each: Instruction, owner: str, found: Method) -> None:
        (new,) = self.take(1)
        if found.owner.name != owner or each.name != "invokespecial":
            raise self.fail("a constructor is called that the class does not have")
        if new == "U":
            made = self.method.owner.name
            valid = owner in (made, self.method.owner.parent)
        else:
            made = self._made(new)
            valid = owner == made
            if self.world.is_inherited_only(self.method.owner, found):
                raise self.fail("a protected constructor of another package is called")
        if not valid:
            raise self.fail("a constructor is called for an object of another class")
        self.locals = [f"={made}" if kind == new else kind for kind in self.locals]
        self.stack = [f"={made}" if kind == new else kind for kind in self.stack]

    def _made(self, new: str) -> str:
        if not new.startswith("U"):
            raise self.fail("a constructor is called for what is not a new object")
        return self.method.owner.pool.class_name(self.instructions[int(new[1:])].operand)

    def _require_above(self, found: Method) -> None:
        own = self.method.owner.name
        if found.is_abstract or not self.world.is_subclass(own, found.owner.name, self.name):
            raise self.fail(f"{found} cannot be called without selection")

    def _invokestatic(self, each: Instruction) -> None:
        self._invoke(each, is_static=True)

    def _invokevirtual(self, each: Instruction) -> None:
        self._invoke(each, is_static=False)

    _invokespecial = _invokevirtual
    _invokeinterface = _invokevirtual

    def _new(self, each: Instruction) -> None:
        name = self.method.owner.pool.class_name(each.operand)
        if not name.startswith("["):
            self.world.require_class(self.method.owner, name, self.name)
        if name.startswith("[") or self.world.get(name, self.name).is_abstract:
            raise self.fail(f"`new` of {dotted(name)}, which has no objects of its own")
        mark = f"U{each.at}"
        if mark in self.stack:
            raise self.fail("a new object is on the stack without its constructor")
        self.locals = ["X" if kind == mark else kind for kind in self.locals]
        self.push(mark)

    def _newarray(self, each: Instruction) -> None:
        if ARRAYS.get(each.operand) in ("[F", "[D"):
            self._require_floating_point()
        if each.operand not in ARRAYS:
            raise self.fail("`newarray` has an unknown type")
        self.pop("I")
        self.push(f"={ARRAYS[each.operand]}")

    def _anewarray(self, each: Instruction) -> None:
        self.pop("I")
        self.push(f"=[{described(self._type(each))}")

    def _type(self, each: Instruction) -> str:
        """The class that an instruction names; it is there."""
        name = self.method.owner.pool.class_name(each.operand)
        inner = name.lstrip("[")
        if inner == name or len(inner) > 1:
            self.world.require_class(self.method.owner, name, self.name)
        else:
            self._slots(inner)
        return name

    def _multianewarray(self, each: Instruction) -> None:
        name = self._type(each)
        if not 0 < each.second <= min(len(name) - len(name.lstrip("[")), MOST_DIMENSIONS):
            raise self.fail("`multianewarray` has a wrong number of dimensions")
        for _ in range(each.second):
            self.pop("I")
        self.push(f"={name}")

    def _arraylength(self, _: Instruction) -> None:
        array = self.pop("A")
        if array != "N" and not array.startswith("=["):
            raise self.fail("`arraylength` of what is not an array")
        self.push("I")

    def _athrow(self, _: Instruction) -> None:
        self.pop_type("Ljava/lang/Throwable;")

    def _checkcast(self, each: Instruction) -> None:
        self.pop("A")
        self.push(f"={self._type(each)}")

    def _instanceof(self, each: Instruction) -> None:
        self.pop("A")
        self._type(each)
        self.push("I")


def reached(verified: Iterable[Verified]) -> int:
    """The bytes of bytecode that these methods execute."""
    return sum(each.size for method in verified for each in method.instructions.values())
