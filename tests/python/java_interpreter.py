"""An interpreter of bytecode for tests: it counts instructions, and knows nothing of the machine.

It follows The Java Virtual Machine Specification, chapters 5 and 6, with one Python frame for each
method. A long takes two slots, the second of which is `...`, and so does a double.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import java_floating
from cocrypt.java import classfile
from cocrypt.java.bytecode import decode
from cocrypt.java.classfile import slots, types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import ClassFile, Member, Method

ARRAYS = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a is b if isinstance(a, Object) else a == b,
    "ne": lambda a, b: a is not b if isinstance(a, Object) else a != b,
    "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b, "le": lambda a, b: a <= b,
}  # fmt: skip
# The order of the slots from the deepest that an instruction takes, the deepest being 0.
SHUFFLES = {
    "dup": "00", "dup_x1": "101", "dup_x2": "2012", "dup2": "0101", "dup2_x1": "12012",
    "dup2_x2": "230123", "swap": "10",
}  # fmt: skip
TAKEN = {"dup": 1, "dup_x1": 2, "dup_x2": 3, "dup2": 2, "dup2_x1": 3, "dup2_x2": 4, "swap": 2}


class Object:
    """An object or an array, whose elements are in `words`."""

    def __init__(self, kind: str, words: list[Any] | None = None) -> None:
        self.kind, self.words = kind, words or []
        self.fields: dict[tuple[str, str], Any] = {}


class ThrownError(Exception):
    """An exception of the program, under way."""

    def __init__(self, thrown: Object) -> None:
        super().__init__(thrown.kind)
        self.thrown = thrown


def wrapped(value: int, bits: int) -> int:
    """A number as one of so many bits, with a sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def divided(left: int, right: int) -> int:
    """The quotient towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def element(kind: str) -> str:
    """The class or array that an array's elements are; empty for numbers and what is no array."""
    inner = kind[1:] if kind.startswith("[") else ""
    return inner[1:-1] if inner.startswith("L") else inner if inner.startswith("[") else ""


class Interpreter:
    """A program, the number of instructions that it has executed, and what it has printed."""

    def __init__(self, classes: Iterable[ClassFile]) -> None:
        self.classes: dict[str, ClassFile] = {}
        for each in classes:
            self.classes.setdefault(each.name, each)
        self.code: dict[Method, dict[int, Instruction]] = {}
        self.statics: dict[tuple[str, str], Any] = {}
        self.initialized: set[str] = set()
        self.constants: dict[tuple[int, Any], Object] = {}
        self.executed = 0
        self.printed = bytearray()

    def main(self, name: str) -> None:
        """Runs a class's `main`."""
        self.initialize(name)
        method = self.method(name, ("main", "([Ljava/lang/String;)V"))
        self.invoke(method, [Object("[Ljava/lang/String;")])

    # Classes.

    def line(self, name: str) -> list[str]:
        """A class and those above it."""
        if name.startswith("["):
            return ["java/lang/Object"]
        above = self.classes[name].parent
        return [name, *(self.line(above) if above else [])]

    def method(self, name: str, key: tuple[str, str]) -> Method:
        """The method of a class: its own, of a parent, or of an interface."""
        names = self.line(name)
        for owner in names:
            names += [each for each in self.classes[owner].interfaces if each not in names]
        found = [each for owner in names for each in self.classes[owner].methods if each.key == key]
        return next((each for each in found if not each.is_abstract), found[0])

    def is_a(self, kind: str, above: str) -> bool:
        """True if an object of one class is one of another, too."""
        inner, outer = element(kind), element(above)
        if inner and outer:
            return self.is_a(inner, outer)
        names = [*self.line(kind), kind]
        for owner in [each for each in names if not each.startswith("[")]:
            names += self.all_interfaces(owner)
        return above in names

    def all_interfaces(self, name: str) -> list[str]:
        found = list(self.classes[name].interfaces)
        return found + [deeper for each in found for deeper in self.all_interfaces(each)]

    def initialize(self, name: str) -> None:
        if name in self.initialized or name.startswith("["):
            return
        self.initialized.add(name)
        own = self.classes[name]
        if own.parent and not own.is_interface:
            self.initialize(own.parent)
        for each in own.fields:
            if each.is_static:
                first = (
                    self.constant(each.constant) if each.constant else self.zero(each.descriptor)
                )
                self.statics[name, each.name] = first
        for method in own.methods:
            if method.name == "<clinit>":
                self.invoke(method, [])

    def holder(self, member: Member) -> str:
        """The class that declares a static field."""
        names = self.line(member.owner)
        for owner in names:
            names += [each for each in self.classes[owner].interfaces if each not in names]
        return next(
            owner
            for owner in names
            if any(
                each.name == member.name and each.is_static for each in self.classes[owner].fields
            )
        )

    @staticmethod
    def zero(descriptor: str) -> int | None:
        return None if descriptor[0] in "L[" else 0

    # Objects.

    def made(self, kind: str) -> Object:
        found = Object(kind)
        for owner in self.line(kind):
            for each in self.classes[owner].fields:
                found.fields[owner, each.name] = self.zero(each.descriptor)
        return found

    def throw(self, name: str) -> ThrownError:
        return ThrownError(self.made(f"java/lang/{name}"))

    def constant(self, constant: classfile.Constant) -> Any:  # noqa: ANN401
        if constant.kind in (classfile.INTEGER, classfile.LONG):
            return constant.value
        if constant.kind in (classfile.FLOAT, classfile.DOUBLE):
            return wrapped(constant.value, 32 if constant.kind == classfile.FLOAT else 64)
        key = (constant.kind, constant.value)
        if key not in self.constants:
            is_text = constant.kind == classfile.STRING
            made = self.made("java/lang/String" if is_text else "java/lang/Class")
            if is_text:
                units = constant.value.encode("utf-16-le", "surrogatepass")
                letters = [units[at] | units[at + 1] << 8 for at in range(0, len(units), 2)]
                made.fields["java/lang/String", "text"] = Object("[C", letters)
            else:
                made.fields["java/lang/Class", "description"] = constant.value
            self.constants[key] = made
        return self.constants[key]

    def native(self, method: Method, given: list[Any]) -> Any:  # noqa: ANN401
        match method.name:
            case "put":
                self.printed.append(given[0] & 0xFF)
            case "letter":
                name = given[0].replace("/", ".").encode() + b"\0"
                return name[given[1]]
            case "getClass":
                return self.constant(classfile.Constant(classfile.CLASS, given[0].kind))
            case "hashCode" | "identity":
                return 0
            case "clone":
                return Object(given[0].kind, list(given[0].words))
            case (
                "floatToRawIntBits" | "intBitsToFloat" | "doubleToRawLongBits" | "longBitsToDouble"
            ):
                return given[0]
            case "arraycopy":
                self.copy(*given)
            case _:
                raise AssertionError(method)
        return None

    def copy(self, source: Object, at: int, target: Object, to: int, count: int) -> None:
        if source is None or target is None:
            raise self.throw("NullPointerException")
        room = min(len(source.words) - at, len(target.words) - to)
        if min(at, to, count) < 0 or count > room:
            raise self.throw("ArrayIndexOutOfBoundsException")
        target.words[to : to + count] = source.words[at : at + count]

    # Methods.

    def invoke(self, method: Method, given: list[Any]) -> Any:  # noqa: ANN401
        if method.is_native:
            return self.native(method, [each for each in given if each is not ...])
        assert method.code is not None
        if method not in self.code:
            self.code[method] = decode(method.code.code, str(method))
        own = [*given, *[0] * method.code.variables]
        stack: list[Any] = []
        at = 0
        while True:
            each = self.code[method][at]
            self.executed += 1
            try:
                following = self.step(method, each, own, stack)
            except ThrownError as thrown:
                following = self.handler(method, at, thrown)
                stack[:] = [thrown.thrown]
            if following == RETURNED:
                return stack[-1] if stack else None
            at = each.at + each.size if following is None else following

    def handler(self, method: Method, at: int, thrown: ThrownError) -> int:
        assert method.code is not None
        for row in method.code.handlers:
            if row.start <= at < row.end and (
                row.kind is None or self.is_a(thrown.thrown.kind, row.kind)
            ):
                return row.target
        raise thrown

    def step(
        self, method: Method, each: Instruction, own: list[Any], stack: list[Any]
    ) -> int | None:
        """Executes an instruction; returns the next one's address, or None for that behind it."""
        name = each.name
        for pattern, run in FORMS:
            found = pattern.fullmatch(name)
            if found:
                return run(_Frame(self, method, each, own, stack), *found.groups())
        raise AssertionError(name)


RETURNED = -1
WIDE = "ld"
"""The kinds whose values take two slots."""


class _Frame:
    """An instruction with what it works on."""

    def __init__(
        self, machine: Interpreter, method: Method, each: Instruction, own: list[Any],
        stack: list[Any],
    ) -> None:  # fmt: skip
        self.machine, self.method, self.each = machine, method, each
        self.own, self.stack = own, stack
        self.pool = method.owner.pool

    def push(self, value: Any, wide: object = False) -> None:  # noqa: ANN401
        self.stack.append(value)
        if wide:
            self.stack.append(...)

    def pop(self, wide: object = False) -> Any:  # noqa: ANN401
        if wide:
            assert self.stack.pop() is ...
        return self.stack.pop()

    def require(self, value: Any) -> Any:  # noqa: ANN401
        if value is None:
            raise self.machine.throw("NullPointerException")
        return value

    def number(self, text: str) -> None:
        self.push(int(text.replace("m", "-")))

    def wide_number(self, text: str) -> None:
        self.push(int(text), True)

    def immediate(self, _: str) -> None:
        self.push(self.each.operand)

    def null(self) -> None:
        self.push(None)

    def constant(self, wide: str) -> None:
        self.push(self.machine.constant(self.pool.constant(self.each.operand)), wide)

    def load(self, kind: str) -> None:
        self.push(self.own[self.each.operand], kind in WIDE)

    def store(self, kind: str) -> None:
        self.own[self.each.operand] = self.pop(kind in WIDE)

    def element(self) -> tuple[list[Any], int, Object]:
        index, array = self.pop(), self.require(self.pop())
        if not 0 <= index < len(array.words):
            raise self.machine.throw("ArrayIndexOutOfBoundsException")
        return array.words, index, array

    def element_load(self, kind: str) -> None:
        words, index, _ = self.element()
        self.push(words[index], kind in WIDE)

    def element_store(self, kind: str) -> None:
        value = self.pop(kind in WIDE)
        words, index, array = self.element()
        bits = {"b": 8, "s": 16}.get(kind)
        is_object = kind == "a" and value is not None
        if is_object and not self.machine.is_a(value.kind, element(array.kind)):
            raise self.machine.throw("ArrayStoreException")
        words[index] = wrapped(value, bits) if bits else value & 0xFFFF if kind == "c" else value

    def pops(self, two: str) -> None:
        del self.stack[-(2 if two else 1) :]

    def shuffle(self) -> None:
        count = TAKEN[self.each.name]
        taken = self.stack[-count:]
        self.stack[-count:] = [taken[int(index)] for index in SHUFFLES[self.each.name]]

    def floating_number(self, kind: str, text: str) -> None:
        self.push(java_floating.bits(kind, float(text)), kind in WIDE)

    def floating(self, kind: str, name: str) -> None:
        right, left = self.pop(kind in WIDE), self.pop(kind in WIDE)
        self.push(java_floating.arithmetic(kind, name, left, right), kind in WIDE)

    def floating_compare(self, kind: str, way: str) -> None:
        right, left = self.pop(kind in WIDE), self.pop(kind in WIDE)
        self.push(java_floating.compared(kind, left, right, -1 if way == "l" else 1))

    def floating_negate(self, kind: str) -> None:
        width = 64 if kind in WIDE else 32
        self.push(wrapped(self.pop(kind in WIDE) ^ 1 << width - 1, width), kind in WIDE)

    def floating_convert(self, source: str, target: str) -> None:
        value = java_floating.converted(source, target, self.pop(source in WIDE))
        self.push(value, target in WIDE)

    def arithmetic(self, kind: str, name: str) -> None:
        wide, bits = kind == "l", 64 if kind == "l" else 32
        right = self.pop(wide)
        left = self.pop(wide)
        if name in ("div", "rem") and right == 0:
            raise self.machine.throw("ArithmeticException")
        results: dict[str, Callable[[], int]] = {
            "add": lambda: left + right, "sub": lambda: left - right, "mul": lambda: left * right,
            "div": lambda: divided(left, right), "and": lambda: left & right,
            "rem": lambda: left - right * divided(left, right), "or": lambda: left | right,
            "xor": lambda: left ^ right,
        }  # fmt: skip
        self.push(wrapped(results[name](), bits), wide)

    def shift(self, kind: str, name: str) -> None:
        wide, bits = kind == "l", 64 if kind == "l" else 32
        places = self.pop() & bits - 1
        value = self.pop(wide)
        if name == "ushr":
            value &= (1 << bits) - 1
        moved = value << places if name == "shl" else value >> places
        self.push(wrapped(moved, bits), wide)

    def negate(self, kind: str) -> None:
        wide = kind == "l"
        self.push(wrapped(-self.pop(wide), 64 if wide else 32), wide)

    def step(self) -> None:
        value = self.own[self.each.operand] + self.each.second
        self.own[self.each.operand] = wrapped(value, 32)

    def convert(self, source: str, target: str) -> None:
        value = self.pop(source == "l")
        bits = {"b": 8, "s": 16, "i": 32, "l": 64}.get(target)
        self.push(wrapped(value, bits) if bits else value & 0xFFFF, target == "l")

    def compare(self) -> None:
        right, left = self.pop(True), self.pop(True)
        self.push((left > right) - (left < right))

    def branch(self, kind: str, way: str) -> int | None:
        right = self.pop() if kind else 0
        left = self.pop()
        return self.each.target if COMPARISONS[way](left, right) else None

    def branch_null(self, way: str) -> int | None:
        return self.each.target if (self.pop() is None) == (way == "") else None

    def jump(self) -> int:
        return self.each.target

    def switch(self) -> int:
        return dict(self.each.cases).get(self.pop(), self.each.target)

    def leave(self, kind: str) -> int:
        value = self.pop(kind in WIDE) if kind else None
        self.stack[:] = [value]
        return RETURNED

    def static(self, way: str) -> None:
        member = self.pool.member(self.each.operand, classfile.FIELD)
        owner = self.machine.holder(member)
        self.machine.initialize(owner)
        wide = slots(member.descriptor) == 2
        if way == "get":
            self.push(self.machine.statics[owner, member.name], wide)
        else:
            self.machine.statics[owner, member.name] = self.pop(wide)

    def field(self, way: str) -> None:
        member = self.pool.member(self.each.operand, classfile.FIELD)
        wide = slots(member.descriptor) == 2
        value = self.pop(wide) if way == "put" else None
        fields = self.require(self.pop()).fields
        line = self.machine.line(member.owner)
        key = next((owner, member.name) for owner in line if (owner, member.name) in fields)
        if way == "put":
            fields[key] = value
        else:
            self.push(fields[key], wide)

    def call(self, way: str) -> None:
        member = self.pool.member(self.each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        parameters, result = types(member.descriptor)
        count = sum(map(slots, parameters)) + (way != "static")
        given = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        owner, key = member.owner, (member.name, member.descriptor)
        if way != "static":
            self.require(given[0])
        if way in ("virtual", "interface"):
            owner = given[0].kind
        method = self.machine.method(owner, key)
        if way == "static":
            self.machine.initialize(method.owner.name)
        value = self.machine.invoke(method, given)
        if result != "V":
            self.push(value, slots(result) == 2)

    def new(self) -> None:
        name = self.pool.class_name(self.each.operand)
        self.machine.initialize(name)
        self.push(self.machine.made(name))

    def array(self, of_objects: str) -> None:
        if of_objects == "an":
            name = self.pool.class_name(self.each.operand)
            kind = f"[{name}" if name.startswith("[") else f"[L{name};"
        else:
            kind = ARRAYS[self.each.operand]
        length = self.pop()
        if length < 0:
            raise self.machine.throw("NegativeArraySizeException")
        self.push(Object(kind, [None if of_objects == "an" else 0] * length))

    def arrays(self) -> None:
        lengths = [self.pop() for _ in range(self.each.second)][::-1]
        if min(lengths) < 0:
            raise self.machine.throw("NegativeArraySizeException")
        self.push(self.nested(self.pool.class_name(self.each.operand), lengths))

    def nested(self, kind: str, lengths: list[int]) -> Object:
        count, *inner = lengths
        if not inner:
            return Object(kind, [None if element(kind) else 0] * count)
        return Object(kind, [self.nested(kind[1:], inner) for _ in range(count)])

    def length(self) -> None:
        self.push(len(self.require(self.pop()).words))

    def throw(self) -> None:
        raise ThrownError(self.require(self.pop()))

    def cast(self) -> None:
        value = self.stack[-1]
        name = self.pool.class_name(self.each.operand)
        if value is not None and not self.machine.is_a(value.kind, name):
            raise self.machine.throw("ClassCastException")

    def instance(self) -> None:
        value = self.pop()
        name = self.pool.class_name(self.each.operand)
        self.push(int(value is not None and self.machine.is_a(value.kind, name)))

    def monitor(self, _: str) -> None:
        self.require(self.pop())

    def nothing(self) -> None:
        pass


FORMS = [
    (re.compile(pattern), run)
    for pattern, run in (
        (r"([ilafd])load", _Frame.load),
        (r"([ilafd])store", _Frame.store),
        (r"iconst_(.+)", _Frame.number),
        (r"lconst_(.)", _Frame.wide_number),
        (r"(bi|si)push", _Frame.immediate),
        (r"aconst_null", _Frame.null),
        (r"ldc(2?)", _Frame.constant),
        (r"([ilabcsfd])aload", _Frame.element_load),
        (r"([ilabcsfd])astore", _Frame.element_store),
        (r"pop(2?)", _Frame.pops),
        ("|".join(SHUFFLES), _Frame.shuffle),
        (r"([il])(add|sub|mul|div|rem|and|or|xor)", _Frame.arithmetic),
        (r"([il])(shl|shr|ushr)", _Frame.shift),
        (r"([il])neg", _Frame.negate),
        (r"([fd])const_(.)", _Frame.floating_number),
        (r"([fd])(add|sub|mul|div|rem)", _Frame.floating),
        (r"([fd])cmp([lg])", _Frame.floating_compare),
        (r"([fd])neg", _Frame.floating_negate),
        (r"([il])2([fd])", _Frame.floating_convert),
        (r"([fd])2([ilfd])", _Frame.floating_convert),
        (r"iinc", _Frame.step),
        (r"([il])2([ilbcs])", _Frame.convert),
        (r"lcmp", _Frame.compare),
        (r"if(_[ia]cmp|)(eq|ne|lt|ge|gt|le)", _Frame.branch),
        (r"if(non|)null", _Frame.branch_null),
        (r"goto", _Frame.jump),
        (r"tableswitch|lookupswitch", _Frame.switch),
        (r"([ilafd]?)return", _Frame.leave),
        (r"(get|put)static", _Frame.static),
        (r"(get|put)field", _Frame.field),
        (r"invoke(virtual|special|static|interface)", _Frame.call),
        (r"new", _Frame.new),
        (r"(an|n)ewarray", _Frame.array),
        (r"multianewarray", _Frame.arrays),
        (r"arraylength", _Frame.length),
        (r"athrow", _Frame.throw),
        (r"checkcast", _Frame.cast),
        (r"instanceof", _Frame.instance),
        (r"monitor(enter|exit)", _Frame.monitor),
        (r"nop", _Frame.nothing),
    )
]
