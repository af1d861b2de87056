"""Static initialisers that the host runs when the image is made.

Java runs the initialiser of a class when the class is first used. When it runs cannot be told if it
depends on nothing and changes nothing but its own class: so this interpreter ends with a reason
wherever an initialiser reads or writes fields of other classes, calls what is native, or throws.
It follows The Java Virtual Machine Specification, Java SE 8, chapters 5.5 and 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.classfile import dotted
from cocrypt.java.floating import number
from cocrypt.java.initial_frame import Frame, StaysError
from cocrypt.java.objects import HEADER, WIDTHS, Initials, Object, is_object, reachable
from cocrypt.java.reach import STRING, initializer
from cocrypt.java.world import OBJECT

if TYPE_CHECKING:
    from cocrypt.java.classfile import ClassFile, Constant, Field, Method
    from cocrypt.java.objects import Value
    from cocrypt.java.reach import Reached

MOST_STEPS = 200_000
"""Instructions of an initialiser at most."""
MOST_BYTES = 1 << 20
"""Bytes of the objects that an initialiser makes at most."""
DEEPEST = 50
"""Calls within each other at most, those of further initialisers included."""


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
        self.found.uses[owner.name] = {each.name for each in above}
        for each in above:
            if not self.is_run(each):
                raise StaysError(f"follows the initialiser of {dotted(each.name)}")
        statics = [each for each in owner.fields if each.is_static]
        machine = Machine(self, owner, {each: self.first(each) for each in statics})
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
        return number(found.constant)

    def literal(self, constant: Constant) -> Object:
        """The object of a string literal, of which there is one for each text."""
        made = Object(STRING, constant=constant)
        return self.literals.setdefault(constant, made)


class Machine:
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
            return Frame(self, verified, arguments).run()
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
        self.evaluator.found.uses[self.owner.name] |= {each.name for each in used}
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
