"""Bytecode to C: a method as a function, whose variables and operand stack are variables of C.

The operand stack's depth and the kind of each slot are known before every instruction, so each
slot is a variable for each kind: `s2i` is slot 2 as an int, `l3a` local variable 3 as an object.
The C compiler keeps them in registers. `runtime/java/aot.h` says what happens to objects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cocrypt.java import classfile
from cocrypt.java.classfile import types
from cocrypt.java.debug import source_file
from cocrypt.java.encode import line_of
from cocrypt.java.floating import OPERATIONS
from cocrypt.java.layout import selector
from cocrypt.java.names import comment, integer, wide_integer
from cocrypt.java.values import C_TYPES, declaration, letter_of, parameters_of, put_in, taken
from cocrypt.java.verify import ARRAYS, SHUFFLES
from cocrypt.java.world import described

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import Field, Method
    from cocrypt.java.layout import Layout
    from cocrypt.java.verify import Verified

MOST_CASES = 4
"""Methods at most among which a call selects without Java's stack."""

MOST_INLINED = 100
"""Bytes of bytecode at most of a method without calls that the C compiler is advised to inline."""
GENERATED = "(generated)"
"""The file of code that comes from no line of Java."""
PLAIN = re.compile(r"[\w./$-]+", re.ASCII)
"""Names of source files that may stand in C."""
LEAST_FRAME = 4
"""Slots of a frame at least, so that Java's stack bounds the depth of all calls."""

# Methods and objects are made here, so that the collector may run.
COLLECTING = {"new", "newarray", "anewarray", "multianewarray"}

BINARY = {
    "iadd": "(int32_t)((uint32_t){0} + (uint32_t){1})",
    "isub": "(int32_t)((uint32_t){0} - (uint32_t){1})",
    "imul": "(int32_t)((uint32_t){0} * (uint32_t){1})",
    "iand": "{0} & {1}",
    "ior": "{0} | {1}",
    "ixor": "{0} ^ {1}",
    "ishl": "(int32_t)((uint32_t){0} << ({1} & 31))",
    "ishr": "{0} >> ({1} & 31)",
    "iushr": "(int32_t)((uint32_t){0} >> ({1} & 31))",
    "ladd": "(int64_t)((uint64_t){0} + (uint64_t){1})",
    "lsub": "(int64_t)((uint64_t){0} - (uint64_t){1})",
    "lmul": "(int64_t)((uint64_t){0} * (uint64_t){1})",
    "land": "{0} & {1}",
    "lor": "{0} | {1}",
    "lxor": "{0} ^ {1}",
    "lshl": "(int64_t)((uint64_t){0} << ({1} & 63))",
    "lshr": "{0} >> ({1} & 63)",
    "lushr": "(int64_t)((uint64_t){0} >> ({1} & 63))",
}
DIVISIONS = {
    "idiv": "java_int_quotient", "irem": "java_int_remainder",
    "ldiv": "java_quotient", "lrem": "java_remainder",
}  # fmt: skip
UNARY = {
    "ineg": ("i", "(int32_t)(0 - (uint32_t){0})"),
    "lneg": ("j", "(int64_t)(0 - (uint64_t){0})"),
    "i2l": ("j", "{0}"),
    "l2i": ("i", "(int32_t){0}"),
    "i2b": ("i", "(int8_t){0}"),
    "i2c": ("i", "(uint16_t){0}"),
    "i2s": ("i", "(int16_t){0}"),
}
ELEMENTS = {"b": "int8_t", "c": "uint16_t", "s": "int16_t", "i": "int32_t"}
CONDITIONS = {"eq": "==", "ne": "!=", "lt": "<", "ge": ">=", "gt": ">", "le": "<="}


def translate(verified: Verified, layout: Layout, compiled: Mapping[Method, str]) -> str:
    """The function in C of a method; `compiled` are the functions of all methods in C."""
    return _Translator(verified, layout, compiled).run()


class _Translator:
    def __init__(self, verified: Verified, layout: Layout, compiled: Mapping[Method, str]) -> None:
        self.verified, self.layout, self.compiled = verified, layout, compiled
        self.method, self.pool = verified.method, verified.method.owner.pool
        self.world = layout.reached.world
        self.lines: list[str] = []
        self.at, self.stack = 0, ""
        self.variables: dict[str, str] = {}
        self.labels: set[int] = set()
        self.contexts: dict[tuple[tuple[str | None, int], ...], int] = {(): 0}
        self.throws: dict[tuple[str, int], None] = {}
        self.thrown: set[int] = set()
        self.backs = [
            each.at + each.size
            for each in verified.instructions.values()
            if each.name == "jsr" and each.at + each.size in verified.instructions
        ]
        self.parameters = parameters_of(self.method)
        self.homes = self._homes()
        self.framed = bool(verified.code.handlers) or any(
            self._collects(each) for each in verified.instructions.values()
        )
        self.spilled = self.room = 0
        self.line: int | None = None

    def run(self) -> str:
        for each in self.verified.instructions.values():
            self.at, self.stack = each.at, self.verified.stacks[each.at]
            self._mark_line()
            self.lines.append(f"L{each.at}:")
            self._instruction(each)
        ends = self._ends()
        body = [line for line in self.lines if not line.startswith("L") or self._is_target(line)]
        own = {f"l{at}{letter}" for at, letter in self.parameters}
        names = (name for name in sorted(self.variables) if name not in own)
        variables = [f"    {self.variables[name]}{name};" for name in names]
        text = "\n".join([*variables, *self._start(), *body, *ends])
        head = declaration(self.method, self.compiled[self.method])
        if not self.framed and len(self.verified.code.code) <= MOST_INLINED:
            head = head.replace("static", "static inline", 1)
        behind = f'#line 1 "{GENERATED}"\n' if self.line is not None else ""
        return f"/* {comment(str(self.method))} */\n{head}\n{{\n{text}\n}}\n{behind}"

    def _mark_line(self) -> None:
        """Tells the C compiler, for its debug information, which line of Java comes next."""
        line = line_of(self.verified.code, self.at)
        file = source_file(self.method.owner)
        if line in (None, 0, self.line) or file is None or not PLAIN.fullmatch(file):
            return
        self.line = line
        self.lines.append(f'#line {line} "{file}"')

    def _is_target(self, line: str) -> bool:
        return int(line[1:-1]) in self.labels

    def _homes(self) -> dict[int, int]:
        """The slots of the frame for local variables that are objects."""
        found = {at for at, letter in self.parameters if letter == "a"}
        for each in self.verified.instructions.values():
            if each.name == "astore" and self.verified.stacks[each.at][-1] == "a":
                found.add(each.operand)
        return {at: index for index, at in enumerate(sorted(found))}

    def _collects(self, each: Instruction) -> bool:
        """True for an instruction behind which objects are in use that it may have to keep."""
        if each.name in COLLECTING or each.name.startswith("invoke"):
            return True
        return (
            each.name in ("getstatic", "putstatic") and self._first(self._field(each)) is not None
        )

    def _start(self) -> list[str]:
        lines: list[str] = []
        if not self.method.is_static:
            lines.append("    if (!l0a) { __builtin_unreachable(); }")
        if not self.framed:
            return lines
        size = max(len(self.homes) + self.spilled, LEAST_FRAME)
        lines += [
            "    int32_t *const base = java_top;",
            f"    if (__builtin_expect(java_is_full(base, {size + self.room}), 0)) {{",
            "        java_throw(JAVA_STACK_OVERFLOW);",
            f"        return{self._nothing()};",
            "    }",
            f"    java_top = base + {size};",
        ]
        return lines + [
            f"    base[{self.homes[at]}] = JAVA_REFERENCE(l{at}a);"
            for at, letter in self.parameters
            if letter == "a"
        ]

    def _nothing(self) -> str:
        return "" if self.method.descriptor.endswith(")V") else " 0"

    def _ends(self) -> list[str]:
        """Exceptions: made, then compared with the handlers' classes, outermost handlers last."""
        lines = []
        for kind, context in self.throws:
            self.thrown.add(context)
            lines += [f"{kind.lower()}_{context}:", f"    java_throw(JAVA_{kind});"]
            lines.append(f"    goto thrown_{context};")
        caught: dict[int, None] = {}
        for rows, context in self.contexts.items():
            if context in self.thrown and context:
                lines.append(f"thrown_{context}:")
                lines += self._rows(rows)
                caught.update(dict.fromkeys(target for _, target in rows))
        for target in caught:
            self.labels.add(target)
            name = self._slot(0, "a")
            lines += [f"catch_{target}:", f"    {name} = java_pending;", "    java_pending = NULL;"]
            lines.append(f"    goto L{target};")
        if 0 in self.thrown:
            lines += ["thrown_0:", *self._leave(), f"    return{self._nothing()};"]
        return lines

    def _rows(self, rows: Sequence[tuple[str | None, int]]) -> list[str]:
        lines: list[str] = []
        for kind, target in rows:
            if kind is None:
                return [*lines, f"    goto catch_{target};"]
            number = self.layout.classes[kind]
            test = f"java_is(java_type(java_pending), java_classes + {number})"
            lines.append(f"    if ({test}) {{ goto catch_{target}; }}")
        self.thrown.add(0)
        return [*lines, "    goto thrown_0;"]

    def _leave(self) -> list[str]:
        return ["    java_top = base;"] if self.framed else []

    # Variables and exceptions.

    def put(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def _slot(self, index: int, letter: str) -> str:
        name = f"s{index}{letter}"
        self.variables[name] = C_TYPES[letter]
        return name

    def _local(self, index: int, letter: str) -> str:
        name = f"l{index}{letter}"
        self.variables[name] = C_TYPES[letter]
        return name

    def pop(self) -> str:
        """The variable of the topmost value, which is taken off."""
        if self.stack[-1] == "-":
            self.stack = self.stack[:-2]
            return self._slot(len(self.stack), "j")
        letter, self.stack = self.stack[-1], self.stack[:-1]
        return self._slot(len(self.stack), letter)

    def push(self, letter: str) -> str:
        """The variable of a new topmost value."""
        name = self._slot(len(self.stack), letter)
        self.stack += "j-" if letter == "j" else letter
        return name

    def set(self, letter: str, value: str) -> None:
        """Pushes a value."""
        self.put(f"{self.push(letter)} = {value};")

    def label(self, target: int) -> str:
        self.labels.add(target)
        return f"L{target}"

    def _context(self) -> int:
        """The number of the handlers that hold at the instruction."""
        rows = tuple(
            (row.kind, row.target)
            for row in self.verified.code.handlers
            if row.start <= self.at < row.end and row.target in self.verified.instructions
        )
        return self.contexts.setdefault(rows, len(self.contexts))

    def throw_if(self, condition: str, kind: str) -> None:
        """Throws an exception of the machine."""
        context = self._context()
        self.throws[kind, context] = None
        self.put(f"JAVA_THROW_IF({condition}, {kind.lower()}_{context});")

    def pass_on(self, condition: str = "java_pending") -> None:
        """Goes on with the exception that a call has thrown."""
        context = self._context()
        self.thrown.add(context)
        self.put(f"JAVA_THROW_IF({condition}, thrown_{context});")

    def keep(self) -> None:
        """Lets the collector see the objects on the operand stack."""
        at = len(self.homes)
        for index, letter in enumerate(self.stack):
            if letter == "a":
                self.put(f"base[{at}] = JAVA_REFERENCE({self._slot(index, 'a')});")
                at += 1
        self.spilled = max(self.spilled, at - len(self.homes))

    # Instructions.

    def _instruction(self, each: Instruction) -> None:
        name = each.name
        special = getattr(self, f"_{name}", None)
        if special is not None:
            special(each)
        elif name in BINARY:
            right, left = self.pop(), self.pop()
            self.set(name[0].replace("l", "j"), BINARY[name].format(left, right))
        elif name in UNARY:
            letter, form = UNARY[name]
            self.set(letter, form.format(self.pop()))
        elif name in DIVISIONS:
            right, left = self.pop(), self.pop()
            self.throw_if(f"!{right}", "ARITHMETIC")
            self.set(name[0].replace("l", "j"), f"{DIVISIONS[name]}({left}, {right})")
        elif name in OPERATIONS:
            self._floating(name)
        elif name in SHUFFLES:
            self._shuffle(name)
        else:
            self._family(each)

    def _floating(self, name: str) -> None:
        operands, result = OPERATIONS[name]
        taken = [self.pop() for _ in operands][::-1]
        self.set(letter_of(result), f"java_{name}({', '.join(taken)})")

    def _family(self, each: Instruction) -> None:
        """Instructions whose names have a kind or a constant in them."""
        name = each.name
        if name.startswith("iconst_"):
            self.set("i", name[7:].replace("m", "-"))
        elif name.startswith("lconst_"):
            self.set("j", name[7:])
        elif name.startswith("if"):
            self._branch(each)
        elif name.endswith("return"):
            self._leaving(name)
        elif name[1:] == "load":
            letter = {"l": "j"}.get(name[0], name[0])
            self.set(letter, self._local(each.operand, letter))
        elif name[1:] == "store":
            self._store(each.operand)
        elif name[1:] == "aload":
            self._element_load(name[0])
        elif name[1:] == "astore":
            self._element_store(name[0])
        else:
            raise AssertionError(name)

    def _nop(self, _: Instruction) -> None:
        pass

    def _aconst_null(self, _: Instruction) -> None:
        self.set("a", "NULL")

    def _bipush(self, each: Instruction) -> None:
        self.set("i", str(each.operand))

    _sipush = _bipush

    def _iconst(self, each: Instruction) -> None:
        self.set("i", integer(each.operand))

    def _lconst(self, each: Instruction) -> None:
        self.set("j", wide_integer(each.operand))

    def _ldc(self, each: Instruction) -> None:
        constant = self.pool.constant(each.operand)
        if constant.kind == classfile.INTEGER:
            self.set("i", integer(constant.value))
        else:
            number = self.layout.object(constant)
            self.set("a", f"(java_object *)(uintptr_t)java_objects[{number}]")

    def _ldc2(self, each: Instruction) -> None:
        self.set("j", wide_integer(self.pool.constant(each.operand).value))

    def _store(self, index: int) -> None:
        value = self.pop()
        self.put(f"{self._local(index, value[-1])} = {value};")
        if value[-1] == "a" and self.framed:
            self.put(f"base[{self.homes[index]}] = JAVA_REFERENCE({value});")

    def _shuffle(self, name: str) -> None:
        count, order = SHUFFLES[name]
        start = len(self.stack) - count
        taken = self.stack[start:]
        self.stack = self.stack[:start] + "".join(taken[index] for index in order)
        moved = [
            (index, start + at, taken[index])
            for at, index in enumerate(order)
            if start + at != start + index and taken[index] != "-"
        ]
        copied = dict.fromkeys((index, letter) for index, _, letter in moved)
        copies = "".join(
            f"{C_TYPES[letter]}t{index} = {self._slot(start + index, letter)}; "
            for index, letter in copied
        )
        moves = " ".join(f"{self._slot(to, letter)} = t{index};" for index, to, letter in moved)
        if moved:
            self.put(f"{{ {copies}{moves} }}")

    def _iinc(self, each: Instruction) -> None:
        name = self._local(each.operand, "i")
        self.put(f"{name} = (int32_t)((uint32_t){name} + (uint32_t){each.second});")

    def _lcmp(self, _: Instruction) -> None:
        right, left = self.pop(), self.pop()
        self.set("i", f"({left} > {right}) - ({left} < {right})")

    def _branch(self, each: Instruction) -> None:
        way = CONDITIONS.get(each.name[-2:], "!=" if "nonnull" in each.name else "==")
        right = self.pop() if "cmp" in each.name else "NULL" if "null" in each.name else "0"
        self.put(f"if ({self.pop()} {way} {right}) {{ goto {self.label(each.target)}; }}")

    def _goto(self, each: Instruction) -> None:
        self.put(f"goto {self.label(each.target)};")

    def _jsr(self, each: Instruction) -> None:
        self.set("i", str(each.at + each.size))
        self._goto(each)

    def _ret(self, each: Instruction) -> None:
        cases = " ".join(f"case {back}: goto {self.label(back)};" for back in self.backs)
        value = self._local(each.operand, "i")
        self.put(f"switch ({value}) {{ {cases} default: __builtin_unreachable(); }}")

    def _tableswitch(self, each: Instruction) -> None:
        self.put(f"switch ({self.pop()}) {{")
        for key, target in each.cases:
            self.put(f"case {integer(key)}: goto {self.label(target)};")
        self.put(f"default: goto {self.label(each.target)}; }}")

    _lookupswitch = _tableswitch

    def _leaving(self, name: str) -> None:
        value = "" if name == "return" else f" {self.pop()}"
        self.lines += self._leave()
        self.put("JAVA_IS_CALM();")
        self.put(f"return{value};")

    # Arrays.

    def _indexed(self) -> tuple[str, str]:
        """An array and an index that are checked."""
        index, array = self.pop(), self.pop()
        self.throw_if(f"!{array}", "NULL_POINTER")
        self.throw_if(f"java_is_outside({array}, {index})", "ARRAY_INDEX")
        return array, index

    def _element_load(self, kind: str) -> None:
        array, index = self._indexed()
        if kind == "l":
            self.set("j", f"java_long_element({array}, {index})")
        elif kind == "a":
            self.set("a", f"JAVA_OBJECT(JAVA_ELEMENT({array}, int32_t, {index}))")
        else:
            self.set("i", f"JAVA_ELEMENT({array}, {ELEMENTS[kind]}, {index})")

    def _element_store(self, kind: str) -> None:
        value = self.pop()
        array, index = self._indexed()
        if kind == "l":
            self.put(f"java_set_long_element({array}, {index}, {value});")
        elif kind == "a":
            self.throw_if(f"!java_may_store({array}, {value})", "ARRAY_STORE")
            self.put(f"JAVA_ELEMENT({array}, int32_t, {index}) = JAVA_REFERENCE({value});")
        else:
            c_type = ELEMENTS[kind]
            self.put(f"JAVA_ELEMENT({array}, {c_type}, {index}) = ({c_type}){value};")

    def _arraylength(self, _: Instruction) -> None:
        array = self.pop()
        self.throw_if(f"!{array}", "NULL_POINTER")
        self.set("i", f"{array}->words[0]")

    # References.

    def _first(self, owner: Field | Method | str) -> str | None:
        """The class whose static initialiser runs before this member or class is used."""
        name = owner if isinstance(owner, str) else owner.owner.name
        return self.layout.initialized_before(self.method, name)

    def _initialize(self, owner: Field | Method | str) -> None:
        first = self._first(owner)
        if first is not None:
            number = self.layout.classes[first]
            test = f"java_states[{number}] != JAVA_RUNNING"
            self.keep()
            self.room = max(self.room, 3)
            self.put(f"if ({test}) {{")
            self.put(f"    java_initialize(java_classes + {number});")
            self.pass_on()
            self.put("}")

    def _field(self, each: Instruction) -> Field:
        member = self.pool.member(each.operand, classfile.FIELD)
        is_static = each.name.endswith("static")
        return self.world.field(member, str(self.method), is_static=is_static)

    def _getstatic(self, each: Instruction) -> None:
        found = self._field(each)
        self._initialize(found)
        letter = letter_of(found.descriptor)
        base = f"java_static({self.layout.static(found)})"
        number, place = self.layout.constant(found), self.layout.constant_object(found)
        if place is not None:
            # The compiler sees the array's length and, in ROM, its elements.
            self.set("a", f"JAVA_OBJECT(&initial_{place})")
        elif number is not None:
            self.set(letter, wide_integer(number) if letter == "j" else integer(number))
        else:
            self.set(letter, taken(0, letter, base))

    def _putstatic(self, each: Instruction) -> None:
        found = self._field(each)
        self._initialize(found)
        base = f"java_static({self.layout.static(found)})"
        self.put(put_in(base, 0, letter_of(found.descriptor), self.pop()) + ";")

    def _getfield(self, each: Instruction) -> None:
        found, receiver = self._field(each), self.pop()
        letter = letter_of(found.descriptor)
        self.throw_if(f"!{receiver}", "NULL_POINTER")
        base = f"java_field({receiver}, {self.layout.fields[found]})"
        self.set(letter, taken(0, letter, base))

    def _putfield(self, each: Instruction) -> None:
        found, value, receiver = self._field(each), self.pop(), self.pop()
        self.throw_if(f"!{receiver}", "NULL_POINTER")
        base = f"java_field({receiver}, {self.layout.fields[found]})"
        self.put(put_in(base, 0, letter_of(found.descriptor), value) + ";")

    # Calls.

    def _arguments(self, method: Method) -> list[str]:
        count = len(parameters_of(method))
        taken = [self.pop() for _ in range(count)]
        return taken[::-1]

    def _called(self, each: Instruction) -> Method:
        member = self.pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        return self.world.method(member, str(self.method))

    def _invokestatic(self, each: Instruction) -> None:
        found = self._called(each)
        self._initialize(found)
        arguments = self._arguments(found)
        self.keep()
        self._call(found, arguments)

    def _invokespecial(self, each: Instruction) -> None:
        found = self._called(each)
        self._call(found, self._receiving(found))

    def _receiving(self, found: Method) -> list[str]:
        arguments = self._arguments(found)
        self.throw_if(f"!{arguments[0]}", "NULL_POINTER")
        self.keep()
        return arguments

    def _call(self, found: Method, arguments: list[str]) -> None:
        """Calls one method, and pushes its result."""
        result = self._result(found)
        if found in self.compiled:
            self._direct(found, arguments, result)
        else:
            self._by_stack(found, f"{self.layout.methods[found]}", arguments, result)
        self.pass_on()

    def _result(self, found: Method) -> str:
        """The variable of a call's result; empty if there is none."""
        _, result = types(found.descriptor)
        return "" if result == "V" else self.push(letter_of(result))

    def _direct(self, found: Method, arguments: list[str], result: str) -> None:
        given = f"{result} = " if result else ""
        self.put(f"{given}{self.compiled[found]}({', '.join(arguments)});")

    def _by_stack(self, found: Method, number: str, arguments: list[str], result: str) -> None:
        own = parameters_of(found)
        puts = (
            put_in("slots", at, letter, value) + ";"
            for (at, letter), value in zip(own, arguments, strict=True)
        )
        self.put("{")
        self.put("    int32_t *slots = java_top + JAVA_HEADER;")
        self.lines += [f"        {line}" for line in puts]
        self.put(f"    java_invoke(java_methods + {number});")
        if result:
            self.put(f"    {result} = {taken(0, result[-1])};")
        else:
            self.put("    (void)slots;")
        self.put("}")
        words = sum(2 if letter == "j" else 1 for _, letter in own)
        self.room = max(self.room, 3 + max(words, 2))

    def _invokevirtual(self, each: Instruction) -> None:
        member = self.pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)
        site = self._called(each)
        targets = self.layout.targets(site, member.owner)
        arguments = self._receiving(site)
        if len(targets) > 1 or self.layout.is_checked(site, member.owner):
            self._select(site, targets, arguments)
        elif targets:
            self._call(targets[0], arguments)
        else:
            # No object is ever made that has the method, so the reference was null.
            self._result(site)
            self.put("__builtin_unreachable();")

    _invokeinterface = _invokevirtual

    def _select(self, site: Method, targets: list[Method], arguments: list[str]) -> None:
        number = self.layout.selectors[selector(site)]
        result = self._result(site)
        self.put("{")
        self.put(f"uint32_t number = java_select({arguments[0]}, {number});")
        self.pass_on("number == JAVA_NONE")
        self.put("switch (number) {")
        few = len(targets) <= MOST_CASES
        for target in [each for each in targets if few and each in self.compiled]:
            self.put(f"case {self.layout.methods[target]}:")
            self._direct(target, arguments, result)
            self.put("break;")
        self.put("default:")
        self._by_stack(site, "number", arguments, result)
        self.put("} }")
        self.pass_on()

    # Objects.

    def _made(self, value: str) -> None:
        name = self.push("a")
        self.put(f"{name} = {value};")
        self.pass_on(f"!{name}")

    def _classes(self, name: str) -> str:
        return f"java_classes + {self.layout.classes[name]}"

    def _new(self, each: Instruction) -> None:
        name = self.pool.class_name(each.operand)
        self._initialize(name)
        self.keep()
        self._made(f"java_new({self._classes(name)})")

    def _array(self, name: str) -> None:
        length = self.pop()
        self.keep()
        self._made(f"java_new_array({self._classes(name)}, {length})")

    def _newarray(self, each: Instruction) -> None:
        self._array(ARRAYS[each.operand])

    def _anewarray(self, each: Instruction) -> None:
        self._array(f"[{described(self.pool.class_name(each.operand))}")

    def _multianewarray(self, each: Instruction) -> None:
        count = each.second
        lengths = [self.pop() for _ in range(count)][::-1]
        self.keep()
        for index, length in enumerate(lengths):
            self.put(f"java_top[{index}] = {length};")
        self.put(f"java_top += {count};")
        name = self.push("a")
        kind = self._classes(self.pool.class_name(each.operand))
        self.put(f"{name} = java_new_arrays({kind}, java_top - {count}, {count});")
        self.put(f"java_top -= {count};")
        self.room = max(self.room, count)
        self.pass_on(f"!{name}")

    def _athrow(self, _: Instruction) -> None:
        thrown = self.pop()
        self.throw_if(f"!{thrown}", "NULL_POINTER")
        self.put(f"java_pending = {thrown};")
        context = self._context()
        self.thrown.add(context)
        self.put(f"goto thrown_{context};")

    def _checkcast(self, each: Instruction) -> None:
        name = self.pop()
        kind = self._classes(self.pool.class_name(each.operand))
        self.throw_if(f"{name} && !java_is(java_type({name}), {kind})", "CLASS_CAST")
        self.push("a")

    def _instanceof(self, each: Instruction) -> None:
        kind = self._classes(self.pool.class_name(each.operand))
        value = self.pop()
        self.set("i", f"java_is_instance({value}, {kind})")

    def _monitorenter(self, _: Instruction) -> None:
        # There is one thread, so only null is checked.
        self.throw_if(f"!{self.pop()}", "NULL_POINTER")

    _monitorexit = _monitorenter
