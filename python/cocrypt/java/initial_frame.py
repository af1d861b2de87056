"""A call of a method in an initialiser that the host runs: its instructions, one after the other.

It follows The Java Virtual Machine Specification, Java SE 8, chapter 6, and ends with a reason
where an initialiser cannot be run on the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.arithmetic import COMPARISONS, CONVERSIONS, INTS, LONGS, quotient, wrapped
from cocrypt.java.classfile import slots, types
from cocrypt.java.verify import ARRAYS, SHUFFLES
from cocrypt.java.world import OBJECT, described, element

if TYPE_CHECKING:
    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Field, Member, Method
    from cocrypt.java.initial import Machine
    from cocrypt.java.objects import Object, Value
    from cocrypt.java.verify import Verified

UPPER = ...
"""The second slot of a long."""


class StaysError(Exception):
    """The reason why an initialiser runs on the device, as an end of the sentence `it …`."""


def _null() -> StaysError:
    return StaysError("throws NullPointerException")


class Frame:
    """A call of a method: its local variables and its operand stack, where a long has two slots."""

    def __init__(self, machine: Machine, verified: Verified, arguments: list[Value]) -> None:
        self.machine, self.verified = machine, verified
        self.pool = verified.method.owner.pool
        self.user = str(verified.method)
        self.world = machine.world
        self.locals = arguments + [0] * (verified.code.variables - len(arguments))
        self.stack: list[Value] = []
        self.result: list[Value] | None = None
        self.at = 0

    def run(self) -> list[Value]:
        """The slots of the result."""
        while self.result is None:
            each = self.verified.instructions[self.at]
            self.machine.step()
            self.at += each.size
            self._instruction(each)
        return self.result

    # The stack.

    def pop(self) -> Value:
        """The topmost value, which is taken off."""
        return self.stack.pop()

    def pop_long(self) -> int:
        """The topmost long, which is taken off."""
        self.stack.pop()
        value: int = self.stack.pop()
        return value

    def push(self, value: Value, descriptor: str = "I") -> None:
        """Puts a value of a type on top."""
        self.stack += [value, UPPER] if slots(descriptor) == 2 else [value]

    def take(self, descriptor: str) -> Value:
        """The topmost value of a type, which is taken off."""
        return self.pop_long() if slots(descriptor) == 2 else self.pop()

    # Instructions.

    def _instruction(self, each: Instruction) -> None:
        name = each.name
        if name in INTS:
            right, left = self.pop(), self.pop()
            self.push(wrapped(INTS[name](left, right), 32))
        elif name in LONGS:
            right = self.pop() if "sh" in name else self.pop_long()
            self.push(wrapped(LONGS[name](self.pop_long(), right), 64), "J")
        elif name in CONVERSIONS:
            source, result, convert = CONVERSIONS[name]
            self.push(convert(self.take(source)), result)
        elif name in SHUFFLES:
            count, order = SHUFFLES[name]
            moved = self.stack[len(self.stack) - count :]
            del self.stack[len(self.stack) - count :]
            self.stack += [moved[index] for index in order]
        else:
            special = getattr(self, f"_{name}", None) or self._family
            special(each)

    def _family(self, each: Instruction) -> None:
        """Instructions whose names have a kind, a constant or a condition in them."""
        name = each.name
        if name.startswith(("iconst_", "lconst_")):
            self.push(int(name[7:].replace("m", "-")), {"l": "J"}.get(name[0], "I"))
        elif name.startswith("if"):
            self._branch(each)
        elif name.endswith("return"):
            count = {"return": 0, "lreturn": 2}.get(name, 1)
            self.result = self.stack[len(self.stack) - count :]
        elif name[1:] == "load":
            self.stack += self.locals[each.operand : each.operand + 1 + (name[0] == "l")]
        elif name[1:] == "store":
            count = 1 + (name[0] == "l")
            self.locals[each.operand : each.operand + count] = self.stack[-count:]
            del self.stack[-count:]
        elif name[1:] == "aload":
            array, index = self._indexed()
            self.push(array.elements[index], array.kind[1:])
        elif name[1:] == "astore":
            self._element_store(name[0])
        elif name[1:] in ("div", "rem"):
            self._divide(name)
        else:
            raise StaysError(f"has the instruction {name}")

    def _nop(self, _: Instruction) -> None:
        pass

    def _aconst_null(self, _: Instruction) -> None:
        self.push(None)

    def _bipush(self, each: Instruction) -> None:
        self.push(each.operand)

    _sipush = _iconst = _bipush

    def _lconst(self, each: Instruction) -> None:
        self.push(each.operand, "J")

    def _ldc(self, each: Instruction) -> None:
        constant = self.pool.constant(each.operand)
        if constant.kind == classfile.INTEGER:
            self.push(constant.value)
        elif constant.kind == classfile.STRING:
            self.push(self.machine.evaluator.literal(constant))
        else:
            raise StaysError("uses the object of a class")

    def _ldc2(self, each: Instruction) -> None:
        self.push(self.pool.constant(each.operand).value, "J")

    def _iinc(self, each: Instruction) -> None:
        self.locals[each.operand] = wrapped(self.locals[each.operand] + each.second, 32)

    def _lcmp(self, _: Instruction) -> None:
        right, left = self.pop_long(), self.pop_long()
        self.push((left > right) - (left < right))

    def _divide(self, name: str) -> None:
        kind, bits = ("J", 64) if name[0] == "l" else ("I", 32)
        right, left = self.take(kind), self.take(kind)
        if right == 0:
            raise StaysError("throws ArithmeticException")
        whole = quotient(left, right)
        self.push(wrapped(whole if name.endswith("div") else left - right * whole, bits), kind)

    def _branch(self, each: Instruction) -> None:
        name = each.name
        if "null" in name:
            holds = (self.pop() is None) != ("nonnull" in name)
        elif "acmp" in name:
            holds = (self.pop() is self.pop()) == name.endswith("eq")
        else:
            right = self.pop() if "icmp" in name else 0
            holds = COMPARISONS[name[-2:]](self.pop(), right)
        if holds:
            self.at = each.target

    def _goto(self, each: Instruction) -> None:
        self.at = each.target

    def _jsr(self, each: Instruction) -> None:
        self.push(self.at)
        self.at = each.target

    def _ret(self, each: Instruction) -> None:
        self.at = self.locals[each.operand]

    def _tableswitch(self, each: Instruction) -> None:
        self.at = dict(each.cases).get(self.pop(), each.target)

    _lookupswitch = _tableswitch

    # Arrays.

    def _indexed(self) -> tuple[Object, int]:
        index, array = self.pop(), self.pop()
        if array is None:
            raise _null()
        if not 0 <= index < len(array.elements):
            raise StaysError("throws ArrayIndexOutOfBoundsException")
        return array, index

    def _element_store(self, kind: str) -> None:
        value = self.take("J" if kind == "l" else "I")
        array, index = self._indexed()
        if array.is_fixed:
            raise StaysError("writes to the letters of a literal")
        if kind == "a":
            inner = element(array.kind)
            if value is not None and not self.world.is_subclass(value.kind, inner, self.user):
                raise StaysError("throws ArrayStoreException")
        array.elements[index] = _narrowed(value, array.kind)

    def _arraylength(self, _: Instruction) -> None:
        array = self.pop()
        if array is None:
            raise _null()
        self.push(len(array.elements))

    def _newarray(self, each: Instruction) -> None:
        self.push(self.machine.array(ARRAYS[each.operand], self.pop()))

    def _anewarray(self, each: Instruction) -> None:
        kind = f"[{described(self.pool.class_name(each.operand))}"
        self.push(self.machine.array(kind, self.pop()))

    def _multianewarray(self, each: Instruction) -> None:
        lengths = [self.pop() for _ in range(each.second)][::-1]
        if min(lengths) < 0:
            raise StaysError("throws NegativeArraySizeException")
        self.push(self._nested(self.pool.class_name(each.operand), lengths))

    def _nested(self, kind: str, lengths: list[int]) -> Object:
        array = self.machine.array(kind, lengths[0])
        if len(lengths) > 1:
            array.elements = [self._nested(kind[1:], lengths[1:]) for _ in array.elements]
        return array

    # Objects.

    def _field(self, each: Instruction) -> Field:
        member = self.pool.member(each.operand, classfile.FIELD)
        return self.world.field(member, self.user, is_static=each.name.endswith("static"))

    def _getstatic(self, each: Instruction) -> None:
        found = self.machine.static(self._field(each))
        self.push(self.machine.statics[found], found.descriptor)

    def _putstatic(self, each: Instruction) -> None:
        found = self.machine.static(self._field(each))
        self.machine.statics[found] = self.take(found.descriptor)

    def _getfield(self, each: Instruction) -> None:
        found, receiver = self._field(each), self.pop()
        if receiver is None:
            raise _null()
        self.push(self.machine.fields(receiver)[found], found.descriptor)

    def _putfield(self, each: Instruction) -> None:
        found = self._field(each)
        value, receiver = self.take(found.descriptor), self.pop()
        if receiver is None:
            raise _null()
        if receiver.constant is not None:
            raise StaysError("writes to a literal")
        receiver.fields[found] = value

    def _new(self, each: Instruction) -> None:
        name = self.pool.class_name(each.operand)
        self.machine.use(name)
        self.push(self.machine.new(name))

    def _checkcast(self, each: Instruction) -> None:
        if self.stack[-1] is not None and not self._is_instance(each):
            raise StaysError("throws ClassCastException")

    def _instanceof(self, each: Instruction) -> None:
        found = int(self.stack[-1] is not None and self._is_instance(each))
        self.stack[-1] = found

    def _is_instance(self, each: Instruction) -> bool:
        name = self.pool.class_name(each.operand)
        return self.world.is_subclass(self.stack[-1].kind, name, self.user)

    def _monitorenter(self, _: Instruction) -> None:
        if self.pop() is None:
            raise _null()

    _monitorexit = _monitorenter

    # Calls.

    def _called(self, each: Instruction) -> tuple[Member, Method]:
        member = self.pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        return member, self.world.method(member, self.user)

    def _arguments(self, method: Method) -> list[Value]:
        parameters, _ = types(method.descriptor)
        count = sum(map(slots, parameters)) + (not method.is_static)
        taken = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return taken

    def _invokestatic(self, each: Instruction) -> None:
        _, found = self._called(each)
        if not found.is_native:
            self.machine.use(found.owner.name)
        self.stack += self.machine.call(found, self._arguments(found))

    def _invokespecial(self, each: Instruction) -> None:
        _, found = self._called(each)
        arguments = self._arguments(found)
        if arguments[0] is None:
            raise _null()
        self.stack += self.machine.call(found, arguments)

    def _invokevirtual(self, each: Instruction) -> None:
        _, site = self._called(each)
        arguments = self._arguments(site)
        if arguments[0] is None:
            raise _null()
        kind = arguments[0].kind
        found = self.world.selected(self.world.get(_class_of(kind), self.user), site)
        if found is None:
            raise StaysError("throws IncompatibleClassChangeError")
        self.stack += self.machine.call(found, arguments)

    _invokeinterface = _invokevirtual

    def _athrow(self, _: Instruction) -> None:
        raise StaysError("throws an exception")


def _class_of(kind: str) -> str:
    """The class that has the methods of an object."""
    return OBJECT if kind.startswith("[") else kind


def _narrowed(value: Value, kind: str) -> Value:
    """A value as an element of an array."""
    match kind:
        case "[Z":
            return value & 1
        case "[B":
            return wrapped(value, 8)
        case "[S":
            return wrapped(value, 16)
        case "[C":
            return value & 0xFFFF
    return value
