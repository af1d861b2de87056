"""The initialised objects that a program may write to: the others stand in ROM.

References to initialised objects are followed from the static fields that lead to them, through
local variables, the operand stack, elements of arrays, fields and parameters. An object is written
to where an element or a field of it is stored, and also where its reference is stored, returned or
given to a function in C, for it is not followed from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.classfile import slots, types
from cocrypt.java.objects import Object, is_object, reachable
from cocrypt.java.verify import SHUFFLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Field, Method
    from cocrypt.java.objects import Initials
    from cocrypt.java.reach import Reached
    from cocrypt.java.verify import Verified

Objects = frozenset[Object]
Frame = dict[int, Objects]
"""What variables, `n` at `n`, and slots, `n` at `~n`, may refer to; without those of nothing."""
NOTHING: Objects = frozenset()
PARTS = {"aaload": 2, "getfield": 1}
"""Instructions that give a part of the object at so many slots below the top."""
READING = {("java/lang/System", "arraycopy"): (0,), ("java/lang/Object", "clone"): (0,)}
"""Native methods of the library with the slots of arguments that they read alone."""


def written(reached: Reached, initials: Initials) -> set[Object]:
    """The initialised objects that the reachable part of a program may write to."""
    search = _Search(reached, initials)
    for method, verified in reached.methods.items():
        if verified is not None:
            search.waiting[method] = None
    while search.waiting:
        method = next(iter(search.waiting))
        del search.waiting[method]
        verified = reached.methods[method]
        assert verified is not None
        _Flow(search, verified).run()
    return search.found


def constant_fields(reached: Reached, initials: Initials) -> set[Field]:
    """The fields with initial values that nothing stores to any more."""
    stored: set[Field] = set()
    for method, verified in reached.methods.items():
        for each in verified.instructions.values() if verified else ():
            if each.name == "putstatic":
                member = method.owner.pool.member(each.operand, classfile.FIELD)
                stored.add(reached.world.field(member, str(method), is_static=True))
    return initials.values.keys() - stored


class _Search:
    """What is known so far: the objects that are written to, and what parameters refer to."""

    def __init__(self, reached: Reached, initials: Initials) -> None:
        self.reached, self.initials = reached, initials
        self.found: set[Object] = set()
        self.parameters: dict[Method, Frame] = {}
        self.waiting: dict[Method, None] = {}

    def lose(self, objects: Iterable[Object]) -> None:
        """Takes objects, and all that they lead to, as written to."""
        self.found |= reachable(iter(objects)).keys()

    def pass_to(self, method: Method, arguments: Frame) -> None:
        """Gives arguments to a method; those of one in C are lost, unless it reads alone."""
        if self.reached.methods.get(method) is None:
            kept = READING.get((method.owner.name, method.name), ())
            for at, found in arguments.items():
                is_read = at in kept and not method.replaced
                # A copy of an array refers to the same elements.
                self.lose(part for each in found for part in (each.referred if is_read else [each]))
            return
        frame = self.parameters.setdefault(method, {})
        if _join(frame, arguments):
            self.waiting[method] = None


def _join(frame: Frame, more: Frame) -> bool:
    """Adds what another frame has; returns true if that was more."""
    before = sum(map(len, frame.values()))
    for at, objects in more.items():
        frame[at] = frame.get(at, NOTHING) | objects
    return sum(map(len, frame.values())) > before


class _Flow:
    """The initialised objects in one method, before each instruction."""

    def __init__(self, search: _Search, verified: Verified) -> None:
        self.search, self.verified = search, verified
        self.method, self.world = verified.method, search.reached.world
        self.instructions, self.stacks = verified.instructions, verified.stacks
        self.frames: dict[int, Frame] = {}
        self.waiting: list[int] = []
        self.backs = [
            each.at + each.size for each in self.instructions.values() if each.name == "jsr"
        ]

    def run(self) -> None:
        parameters = self.search.parameters.get(self.method, {})
        if parameters:
            self.frames[0] = dict(parameters)
            self.waiting.append(0)
        # Nothing is known before a field is read, so that is where to begin.
        self.waiting += [at for at, each in self.instructions.items() if self._gives(each)]
        while self.waiting:
            at = self.waiting.pop()
            self._step(self.instructions[at], self.frames.get(at, {}))

    def _gives(self, each: Instruction) -> Objects:
        """The object in a static field that is read."""
        if each.name != "getstatic":
            return NOTHING
        value = self.search.initials.values.get(self._field(each))
        if isinstance(value, Object) and value.constant is None:
            return frozenset([value])
        return NOTHING

    def _field(self, each: Instruction) -> Field:
        member = self.method.owner.pool.member(each.operand, classfile.FIELD)
        is_static = each.name.endswith("static")
        return self.world.field(member, str(self.method), is_static=is_static)

    def _step(self, each: Instruction, frame: Frame) -> None:
        if each.at not in self.stacks:
            self.search.lose(self._gives(each))
            return
        for row in self.verified.code.handlers:
            if row.start <= each.at < row.end:
                self._reach(row.target, {at: found for at, found in frame.items() if at >= 0})
        after = self._after(each, dict(frame))
        targets = [*each.targets, *(self.backs if each.name == "ret" else ())]
        if each.falls:
            targets.append(each.at + each.size)
        for target in targets:
            self._reach(target, after)

    def _reach(self, target: int, frame: Frame) -> None:
        """Adds what is known before an instruction; slots without objects know nothing."""
        stack = self.stacks.get(target)
        if stack is None:
            # Subroutines reach it with different stacks.
            self.search.lose(each for found in frame.values() for each in found)
            return
        kept = {
            at: found
            for at, found in frame.items()
            if at >= 0 or (~at < len(stack) and stack[~at] == "a")
        }
        if _join(self.frames.setdefault(target, {}), kept):
            self.waiting.append(target)

    def _after(self, each: Instruction, frame: Frame) -> Frame:
        """The frame behind an instruction; what it stores or writes to is lost."""
        name, depth = each.name, len(self.stacks[each.at])
        top = frame.get(~(depth - 1), NOTHING)
        if name in SHUFFLES:
            return self._shuffled(name, depth, frame)
        if name in ("areturn", "athrow", "putstatic"):
            self.search.lose(top)
        elif name == "aload":
            _put(frame, ~depth, frame.get(each.operand, NOTHING))
        elif name == "astore":
            _put(frame, each.operand, top)
        elif name in PARTS:
            at = depth - PARTS[name]
            _put(frame, ~at, self._parts(each, frame.get(~at, NOTHING)))
        elif name == "getstatic":
            _put(frame, ~depth, self._gives(each))
        elif name == "putfield":
            wide = slots(self._field(each).descriptor)
            self.search.found |= frame.get(~(depth - wide - 1), NOTHING)
            self.search.lose(top)
        elif name[1:] == "astore":
            value = 2 if name[0] == "l" else 1
            self.search.found |= frame.get(~(depth - value - 2), NOTHING)
            self.search.lose(top if name[0] == "a" else ())
        elif name.startswith("invoke"):
            self._call(each, depth, frame)
        return frame

    def _parts(self, each: Instruction, wholes: Objects) -> Objects:
        """The objects that an element or a field of these may be."""
        if each.name == "aaload":
            parts = {part for whole in wholes for part in whole.elements}
        else:
            found = self._field(each)
            parts = {whole.fields.get(found) for whole in wholes}
        return frozenset(
            part for part in parts if isinstance(part, Object) and part.constant is None
        )

    @staticmethod
    def _shuffled(name: str, depth: int, frame: Frame) -> Frame:
        count, order = SHUFFLES[name]
        start = depth - count
        moved = [frame.get(~(start + index), NOTHING) for index in order]
        for at in range(start, depth):
            frame.pop(~at, None)
        for at, objects in enumerate(moved, start):
            _put(frame, ~at, objects)
        return frame

    def _call(self, each: Instruction, depth: int, frame: Frame) -> None:
        pool = self.method.owner.pool
        member = pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        site = self.world.method(member, str(self.method))
        parameters, _ = types(site.descriptor)
        kinds = [*([] if site.is_static else ["L"]), *parameters]
        start = depth - sum(map(slots, kinds))
        arguments: Frame = {}
        at = start
        for kind in kinds:
            if is_object(kind) and ~at in frame:
                arguments[at - start] = frame[~at]
            at += slots(kind)
        for slot in range(start, depth):
            frame.pop(~slot, None)
        if arguments:
            for target in self._targets(each, site):
                self.search.pass_to(target, arguments)

    def _targets(self, each: Instruction, site: Method) -> Iterable[Method]:
        if each.name in ("invokestatic", "invokespecial"):
            return [site]
        return self.search.reached.sites.get(site, {})


def _put(frame: Frame, at: int, objects: Objects) -> None:
    if objects:
        frame[at] = objects
    else:
        frame.pop(at, None)
