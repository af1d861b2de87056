"""Static initialisers that the host runs when the image is made.

Java runs the initialiser of a class when the class is first used. When it runs cannot be told if it
depends on nothing and changes nothing but its own class: so this interpreter ends with a reason
wherever an initialiser reads or writes fields of other classes, calls what is native, or throws.
It follows The Java Virtual Machine Specification, Java SE 8, chapters 5.5 and 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.arithmetic import COMPARISONS, CONVERSIONS, INTS, LONGS, quotient, wrapped
from cocrypt.java.classfile import dotted, slots, types
from cocrypt.java.objects import HEADER, WIDTHS, Initials, Object, is_object, reachable
from cocrypt.java.reach import STRING, initializer
from cocrypt.java.verify import ARRAYS, SHUFFLES
from cocrypt.java.world import OBJECT, described, element

if TYPE_CHECKING:
    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import ClassFile, Constant, Field, Member, Method
    from cocrypt.java.objects import Value
    from cocrypt.java.reach import Reached
    from cocrypt.java.verify import Verified

UPPER = ...
"""The second slot of a long."""
MOST_STEPS = 200_000
"""Instructions of an initialiser at most."""
MOST_BYTES = 1 << 20
"""Bytes of the objects that an initialiser makes at most."""
DEEPEST = 50
"""Calls within each other at most, those of further initialisers included."""


class StaysError(Exception):
    """The reason why an initialiser runs on the device, as an end of the sentence `it …`."""


def evaluate(reached: Reached) -> Initials:
    """Runs those of a program's reachable static initialisers that depend on nothing."""
    evaluator = _Evaluator(reached)
    for method in reached.methods:
        if method.name == "<clinit>":
            evaluator.is_run(method.owner)
    return evaluator.found


class _Evaluator:
    """The initialisers of a program; those that others need are run first."""

    def __init__(self, reached: Reached) -> None:
        self.reached = reached
        self.found = Initials()
        self.running: set[str] = set()
        self.depth = 0
        self.literals: dict[Constant, Object] = {}

    def is_run(self, owner: ClassFile) -> bool:
        """True if a class needs no initialiser on the device; runs it if it was not tried."""
        method = initializer(owner)
        if method is None or method not in self.reached.methods:
            return True
        if method in self.found.run:
            return True
        if owner.name in self.found.reasons or owner.name in self.running:
            return False
        self.running.add(owner.name)
        try:
            self._run(owner, method)
        except StaysError as reason:
            self.found.reasons[owner.name] = str(reason)
        self.running.discard(owner.name)
        return method in self.found.run

    def _run(self, owner: ClassFile, method: Method) -> None:
        above = list(self.reached.world.line(owner))[1:]
        for each in above:
            if not self.is_run(each):
                raise StaysError(f"follows the initialiser of {dotted(each.name)}")
        statics = [each for each in owner.fields if each.is_static]
        machine = _Machine(self, owner, {each: self.first(each) for each in statics})
        machine.call(method, [])
        kept = [each for each in machine.statics.values() if isinstance(each, Object)]
        if any(each.is_fixed for each in reachable(iter(kept))):
            raise StaysError("keeps the letters of a literal")
        self.found.values |= machine.statics
        self.found.run[method] = machine.steps

    def first(self, found: Field) -> Value:
        """The value of a static field before the initialiser runs."""
        if found.constant is None:
            return None if is_object(found.descriptor) else 0
        if found.constant.kind == classfile.STRING:
            return self.literal(found.constant)
        return found.constant.value

    def literal(self, constant: Constant) -> Object:
        """The object of a string literal, of which there is one for each text."""
        made = Object(STRING, constant=constant)
        return self.literals.setdefault(constant, made)


class _Machine:
    """A run of one initialiser: the static fields of its class, and how much it has done."""

    def __init__(
        self, evaluator: _Evaluator, owner: ClassFile, statics: dict[Field, Value]
    ) -> None:
        self.evaluator, self.owner, self.statics = evaluator, owner, statics
        self.reached = evaluator.reached
        self.world = evaluator.reached.world
        self.steps = self.bytes = 0

    def call(self, method: Method, arguments: list[Value]) -> list[Value]:
        """The slots of a method's result."""
        verified = self.reached.methods.get(method)
        if verified is None:
            return self._native(method, arguments)
        if self.evaluator.depth >= DEEPEST:
            raise StaysError(f"has more than {DEEPEST} calls within each other")
        self.evaluator.depth += 1
        try:
            return _Frame(self, verified, arguments).run()
        finally:
            self.evaluator.depth -= 1

    def _native(self, method: Method, arguments: list[Value]) -> list[Value]:
        """The native methods of the library that depend on nothing."""
        owner, name = method.owner.name, method.name
        if (owner, name) == ("java/lang/System", "arraycopy") and not method.replaced:
            self._copy(*arguments)
            return []
        if (owner, name) == (OBJECT, "clone") and arguments[0].is_array:
            copied = self.array(arguments[0].kind, len(arguments[0].elements))
            copied.elements[:] = arguments[0].elements
            return [copied]
        raise StaysError(f"calls {method}, which is native")

    @staticmethod
    def _copy(
        source: Object | None, start: int, target: Object | None, to: int, count: int
    ) -> None:
        """Copies numbers; whatever else the method does may throw."""
        if source is None or target is None or source.kind != target.kind or target.is_fixed:
            raise StaysError("copies arrays of different types, or null")
        if source.kind not in WIDTHS:
            raise StaysError("copies an array of objects")
        bounds = ((source, start), (target, to))
        if count < 0 or any(not 0 <= at <= len(each.elements) - count for each, at in bounds):
            raise StaysError("throws ArrayIndexOutOfBoundsException")
        target.elements[to : to + count] = source.elements[start : start + count]

    def step(self) -> None:
        """Counts an instruction."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise StaysError(f"takes more than {MOST_STEPS:,} instructions")

    def use(self, name: str) -> None:
        """Uses a class, which is initialised first; that must depend on nothing either."""
        # The initialisers of those above have run, and the class's own one is running.
        own = set(self.world.line(self.owner))
        used = list(self.world.line(self.world.get(name, name)))
        for each in reversed(used):
            if each not in own and not self.evaluator.is_run(each):
                raise StaysError(f"uses {dotted(each.name)}, whose initialiser runs on the device")

    def array(self, kind: str, length: int) -> Object:
        """A new array."""
        if length < 0:
            raise StaysError("throws NegativeArraySizeException")
        self._take(HEADER + 4 + length * WIDTHS.get(kind, 4))
        return Object(kind, [0 if kind in WIDTHS else None] * length)

    def new(self, name: str) -> Object:
        """A new object of a class."""
        line = list(self.world.line(self.world.get(name, name)))
        if any(each.name == "java/lang/Throwable" for each in line):
            raise StaysError(f"makes the exception {dotted(name)}")
        own = [each for above in reversed(line) for each in above.fields if not each.is_static]
        made = Object(
            name, fields={each: None if is_object(each.descriptor) else 0 for each in own}
        )
        self._take(made.size)
        return made

    def _take(self, count: int) -> None:
        self.bytes += count
        if self.bytes > MOST_BYTES:
            raise StaysError(f"makes more than {MOST_BYTES >> 20} MiB of objects")

    def static(self, found: Field) -> Field:
        """A static field, which must be of the class."""
        if found.owner is not self.owner:
            raise StaysError(f"uses the field {dotted(found.owner.name)}.{found.name}")
        return found

    def fields(self, receiver: Object) -> dict[Field, Value]:
        """The fields of an object, those of literals among them."""
        if receiver.constant is not None and not receiver.fields:
            text = receiver.constant.value.encode("utf-16-le", "surrogatepass")
            units = [text[at] | text[at + 1] << 8 for at in range(0, len(text), 2)]
            own = [each for each in self.world.get(STRING, STRING).fields if not each.is_static]
            assert [each.descriptor for each in own] == ["[C"]
            receiver.fields[own[0]] = Object("[C", units, is_fixed=True)
        return receiver.fields


def _null() -> StaysError:
    return StaysError("throws NullPointerException")


class _Frame:
    """A call of a method: its local variables and its operand stack, where a long has two slots."""

    def __init__(self, machine: _Machine, verified: Verified, arguments: list[Value]) -> None:
        self.machine, self.verified = machine, verified
        self.pool = verified.method.owner.pool
        self.user = str(verified.method)
        self.world = machine.world
        self.locals = arguments + [0] * (verified.code.variables - len(arguments))
        self.stack: list[Value] = []
        self.result: list[Value] | None = None
        self.at = 0

    def run(self) -> list[Value]:
        while self.result is None:
            each = self.verified.instructions[self.at]
            self.machine.step()
            self.at += each.size
            self._instruction(each)
        return self.result

    # The stack.

    def pop(self) -> Value:
        return self.stack.pop()

    def pop_long(self) -> int:
        self.stack.pop()
        value: int = self.stack.pop()
        return value

    def push(self, value: Value, descriptor: str = "I") -> None:
        self.stack += [value, UPPER] if descriptor == "J" else [value]

    def take(self, descriptor: str) -> Value:
        return self.pop_long() if descriptor == "J" else self.pop()

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

    _sipush = _bipush

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
