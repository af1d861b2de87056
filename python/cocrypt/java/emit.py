"""The image of a program: tables in C for the virtual machine, with the bytes of each class."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java import classfile, floating
from cocrypt.java.aot import chosen
from cocrypt.java.classfile import Constant, dotted, slots, types
from cocrypt.java.debug import MappedInstruction, MethodDebug, directives, source_file
from cocrypt.java.encode import Encoded, encode, opcodes
from cocrypt.java.initial_c import InitialObjects
from cocrypt.java.layout import Layout, layout, reference_words
from cocrypt.java.names import (
    c_name,
    comment,
    field_symbol,
    integer,
    kni_prototype,
    kni_stub,
    method_symbol,
    prototype,
    stub,
)
from cocrypt.java.prepare import METHOD_BYTES
from cocrypt.java.reach import CLASS, STRING, THROWN, initializer
from cocrypt.java.translate import translate
from cocrypt.java.values import declaration, entry
from cocrypt.java.verify import reached as executed
from cocrypt.java.world import OBJECT, element

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cocrypt.java.classfile import Field, Method
    from cocrypt.java.reach import Reached

NONE = 0xFFFF
CLASS_BYTES, HANDLER_BYTES = 28, 8
"""Bytes of the descriptions in `vm.h`."""
NATIVE = "native_"
"""The beginning of the names of functions by which the interpreter calls others in C."""
NUMBERS = ("[B", "[Z", "[C", "[S", "[I", "[J", "[F", "[D")
"""The arrays of numbers."""
RUN_THERE = "is to run on the device"
SIZES = {"B": 1, "Z": 1, "C": 2, "S": 2, "I": 3, "J": 4, "F": 3, "D": 4}
"""The binary logarithm of an element's bytes, and one."""


@dataclass(frozen=True)
class Footprint:
    """Bytes of a method's code, handlers and description; `bytecode` before it was resolved."""

    owner: str
    method: str
    bytecode: int
    rom: int
    functions: tuple[str, ...] = ()
    """The functions in C of a compiled method, whose bytes `rom` has not."""


@dataclass(frozen=True)
class Initializer:
    """The static initialiser of a class: where it runs, and what it leaves there.

    `reason` says why it runs on the device, as an end of the sentence `it …`; it is empty for one
    that the host has run, which took so many `instructions`. `rom` are bytes of the objects that it
    left, `ram` those of them that the program may write to, whose first values are in ROM, too.
    """

    reason: str
    instructions: int
    rom: int
    ram: int


@dataclass(frozen=True)
class Image:
    """A program as C source, and the footprint of its methods and classes.

    `natives` are the prototypes of the functions in C that the program's own classes ask for;
    `initializers` are by class.
    """

    source: str
    methods: tuple[Footprint, ...]
    classes: dict[str, int]
    natives: tuple[str, ...]
    initializers: dict[str, Initializer]
    has_operations: bool
    """True if bytecode computes with floating point."""


def image(
    reached: Reached, library: Iterable[str], aot: Sequence[str] = (), *, kni: bool = False
) -> Image:
    """The image of a program's reachable part; `library` are the library's classes.

    `aot` names the methods that are compiled ahead of time, as `cocrypt.java.aot.chosen` has it.
    With `kni` the functions of the program's own native methods are those of KNI.
    """
    made = layout(reached)
    return _Writer(made, frozenset(library), chosen(made, aot), kni=kni).image()


class _Writer:
    def __init__(
        self, made: Layout, library: frozenset[str], compiled: dict[Method, str], *, kni: bool
    ) -> None:
        self.compiled, self.kni = compiled, kni
        self.layout, self.reached, self.library = made, made.reached, library
        self.world = made.reached.world
        self.aliases: set[str] = set()
        self.initial = InitialObjects(made)

    def image(self) -> Image:
        # Before all other constants, so that a class's object is found by the class's number.
        if CLASS in self.layout.classes:
            for name in self.layout.classes:
                self.layout.object(Constant(classfile.CLASS, name))
        for found in self.layout.statics:
            if found.constant and found.constant.kind == classfile.STRING:
                self.layout.object(found.constant)
        for literal in self.initial.literals():
            self.layout.object(literal)
        encoded = {
            method: encode(verified, self.layout)
            for method, verified in self.reached.methods.items()
            if verified is not None and method not in self.compiled
        }
        encoded |= {method: self._call(at) for at, method in enumerate(self._initializers())}
        parts = ['#include "aot.h"\n', *self._floating(), self.initial.source()]
        parts += [*self._declarations(), *map(self._stub, self._natives())]
        parts += [self._code(method, code) for method, code in encoded.items()]
        parts += self._functions()
        parts += [self._methods(encoded), *map(self._class_parts, self.layout.classes)]
        parts += [self._classes(), self._dispatch(), self._constants(), self._statics()]
        parts += [self._numbers(), directives(starmap(_debug, encoded.items()))]
        own = (each for each in self._natives() if each.owner.name not in self.library)
        natives = tuple(f"{self._prototype(each)};" for each in own)
        footprints = tuple(
            self._footprint(method, encoded.get(method))
            for method, verified in self.reached.methods.items()
            if verified is not None
        )
        sizes = {name: self._class_size(name) for name in self.layout.classes}
        return Image(
            "\n".join(parts),
            footprints,
            sizes,
            natives,
            self._initialized(),
            has_operations=bool(self.layout.operations),
        )

    def _initialized(self) -> dict[str, Initializer]:
        """The static initialisers of the classes that the image describes."""
        initials = self.reached.initials
        found = {
            method.owner.name: Initializer("", count, *self.initial.sizes(method.owner.name))
            for method, count in initials.run.items()
            if method.owner.name in self.layout.classes
        }
        for method in self.reached.methods:
            if method.name == "<clinit>":
                name = method.owner.name
                found[name] = Initializer(initials.reasons.get(name, RUN_THERE), 0, 0, 0)
        return found

    def _initializers(self) -> list[Method]:
        """The compiled static initialisers, which get a second number behind those of all methods.

        The machine runs an initialiser in a frame of its own, whose code calls the function.
        """
        return [method for method in self.compiled if method.name == "<clinit>"]

    def _call(self, at: int) -> Encoded:
        number = len(self.layout.methods) + at
        if number >= NONE:
            raise InputError("the program has more than 65,535 methods")
        code = bytes([opcodes()["invokestatic"], *number.to_bytes(2, "little")])
        instructions = (
            MappedInstruction(0, "invokestatic", "call of the compiled method", None),
            MappedInstruction(len(code), "return", "return", None),
        )
        return Encoded(code + bytes([opcodes()["return"]]), (), instructions)

    def _floating(self) -> list[str]:
        """The operations on floating point: for compiled methods, and those that bytecode uses."""
        if not self.world.floating_point:
            return []
        names = self.layout.operations
        rows = [f"floating_{name}" for name in names]
        table = _table("const java_operation java_floating", rows)
        return ['#include "floating.h"\n', *map(floating.entry, names), table]

    def _functions(self) -> list[str]:
        """The compiled methods, and for each a function that the machine calls."""
        compiled = self.compiled
        heads = [f"{declaration(method, name)};" for method, name in compiled.items()]
        bodies = [
            translate(verified, self.layout, compiled)
            for method, verified in self.reached.methods.items()
            if verified is not None and method in compiled
        ]
        entries = [entry(method, name, self._native(method)) for method, name in compiled.items()]
        return [*heads, *bodies, *entries]

    def _native(self, method: Method) -> str:
        """The function by which the interpreter calls one in C."""
        return NATIVE + (self.compiled.get(method) or c_name(method))

    def _footprint(self, method: Method, code: Encoded | None) -> Footprint:
        verified = self.reached.methods[method]
        rom = METHOD_BYTES
        if code is not None:
            rom += len(code.code) + HANDLER_BYTES * len(code.handlers)
        name = method.name + method.descriptor
        bytecode = executed([verified] if verified else [])
        compiled = self.compiled.get(method)
        functions = (compiled, self._native(method)) if compiled else ()
        return Footprint(dotted(method.owner.name), name, bytecode, rom, functions)

    def _class_size(self, name: str) -> int:
        references = 0 if name.startswith("[") else len(reference_words(self.layout, name)) + 1
        interfaces = 2 * (len(self._interfaces(name)) + 1)
        return CLASS_BYTES + references + interfaces + len(dotted(name).encode()) + 1

    def _natives(self) -> list[Method]:
        return [method for method in self.reached.methods if method.is_native]

    def _declarations(self) -> list[str]:
        return [f"{self._prototype(method)};" for method in self._natives()]

    def _is_kni(self, method: Method) -> bool:
        return method.kni or (self.kni and method.owner.name not in self.library)

    def _prototype(self, method: Method) -> str:
        return kni_prototype(method) if self._is_kni(method) else prototype(method)

    def _stub(self, method: Method) -> str:
        made = kni_stub if self._is_kni(method) else stub
        return made(method, self._native(method))

    def _code(self, method: Method, code: Encoded) -> str:
        number = self.layout.methods[method]
        rows = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in code.handlers)
        text = f"/* {comment(str(method))} */\n"
        text += f"static const uint8_t code_{number}[] = {{\n{_numbers(code.code)}\n}};\n"
        text += self._alias(method_symbol(method), f"code_{number}", len(code.code))
        if rows:
            text += f"static const java_handler handlers_{number}[] = {{{rows}}};\n"
        return text

    def _methods(self, encoded: dict[Method, Encoded]) -> str:
        rows = [self._method(method, encoded.get(method)) for method in self.layout.methods]
        rows += [self._method(method, None) for method in self._initializers()]
        return _table("const java_method java_methods", rows)

    def _method(self, method: Method, code: Encoded | None) -> str:
        parameters, result = types(method.descriptor)
        arguments = sum(map(slots, parameters)) + (not method.is_static)
        number, owner = self.layout.methods[method], self.layout.classes[method.owner.name]
        if code is None or method.code is None:
            native = self._native(method)
            return f"{{0, {native}, 0, {owner}, 0, {slots(result)}, {arguments}, 0}}"
        handlers = f"handlers_{number}" if code.handlers else "0"
        sizes = f"{method.code.variables}, {method.code.stack}, {arguments}, {len(code.handlers)}"
        return f"{{code_{number}, 0, {handlers}, {owner}, {sizes}}}"

    def _interfaces(self, name: str) -> list[int]:
        if name.startswith("["):
            found: Iterable[str] = ("java/lang/Cloneable", "java/io/Serializable")
        else:
            found = self.world.interfaces(self.world.get(name, name))
        return [self.layout.classes[each] for each in found if each in self.layout.classes]

    def _class_parts(self, name: str) -> str:
        number = self.layout.classes[name]
        text = ""
        interfaces = self._interfaces(name)
        if interfaces:
            rows = ", ".join(map(str, [*interfaces, NONE]))
            text += f"static const uint16_t interfaces_{number}[] = {{{rows}}};\n"
        words = [] if name.startswith("[") else reference_words(self.layout, name)
        if words:
            rows = ", ".join(map(str, [len(words), *words]))
            text += f"static const uint8_t references_{number}[] = {{{rows}}};\n"
        return text

    def _classes(self) -> str:
        return _table("const java_class java_classes", map(self._class, self.layout.classes))

    def _class(self, name: str) -> str:
        number, numbers = self.layout.classes[name], self.layout.classes
        is_array = name.startswith("[")
        inner = element(name) if is_array else ""
        above = OBJECT if is_array else self.world.get(name, name).parent
        above_at = f"java_classes + {numbers[above]}" if above else "0"
        inner_at = f"java_classes + {numbers[inner]}" if inner else "0"
        interfaces = f"interfaces_{number}" if self._interfaces(name) else "0"
        words = [] if is_array else reference_words(self.layout, name)
        references = f"references_{number}" if words else "0"
        method = None if is_array else initializer(self.world.get(name, name))
        start = self.layout.methods.get(method, NONE) if method else NONE
        row = self.layout.rows.get(OBJECT if is_array else name, 0)
        size = self.layout.words.get(name, 2)
        kind = SIZES.get(name[1:], 3) if is_array else 0
        flags = int(not is_array and self.world.get(name, name).is_interface)
        return (
            f"{{{above_at}, {inner_at}, {interfaces}, {references}, {_string(dotted(name))}, "
            f"{row}, {start}, {size}, {kind}, {flags}}}"
        )

    def _dispatch(self) -> str:
        cells = [(NONE, NONE) if cell is None else cell for cell in self.layout.dispatch]
        rows = [f"{{{selector}, {method}}}" for selector, method in cells]
        return _table("const java_entry java_dispatch", rows or [f"{{{NONE}, {NONE}}}"])

    def _constants(self) -> str:
        longs = [word for value in self.layout.longs for word in _words(value)]
        texts = [self._object(constant, at) for constant, at in self.layout.objects.items()]
        objects = list(self.layout.objects.items())
        pointers = [f"&object_{at}" for _, at in objects]
        types = [f"&object_{at}" for each, at in objects if each.kind == classfile.CLASS]
        return "\n".join([
            _table("const int32_t java_ints", map(integer, self.layout.ints)),
            _table("const int32_t java_longs", map(integer, longs)),
            *texts,
            _table("const void *const java_objects", pointers),
            _table("const void *const java_class_objects", types),
        ])  # fmt: skip

    def _object(self, constant: Constant, at: int) -> str:
        numbers = self.layout.classes
        if constant.kind == classfile.CLASS:
            of = f"java_classes + {numbers[constant.value]}"
            start = f"{{java_classes + {numbers[CLASS]}, {of}}}"
            return f"static const java_constant object_{at} = {start};"
        units = constant.value.encode("utf-16-le", "surrogatepass")
        letters = [units[index] | units[index + 1] << 8 for index in range(0, len(units), 2)]
        text = ", ".join(map(str, letters)) or "0"
        return (
            f"static const struct {{ const java_class *type; int32_t length; uint16_t text"
            f"[{max(len(letters), 1)}]; }} text_{at} = "
            f"{{java_classes + {numbers['[C']}, {len(letters)}, {{{text}}}}};\n"
            f"static const java_constant object_{at} = "
            f"{{java_classes + {numbers[STRING]}, &text_{at}}};"
        )

    def _statics(self) -> str:
        words = [word for found in self.layout.statics for word in self._first(found)]
        text = _table("uint32_t java_statics", words or ["0"])
        own = [each for each in self.layout.statics if each.owner.name not in self.library]
        arrays = [each for each in own if each.descriptor in NUMBERS]
        return text + "".join(map(self._symbol, arrays))

    def _symbol(self, found: Field) -> str:
        """A symbol for a static field, by which others find it in the image; it takes no memory."""
        return self._alias(
            field_symbol(found), f"java_statics + {4 * self.layout.statics[found]}", 4
        )

    def _alias(self, name: str, at: str, size: int) -> str:
        """A further symbol for a place of so many bytes, with a name that C has not.

        Fields of one name and different types are legal; the first one has the symbol.
        """
        if name in self.aliases:
            return ""
        self.aliases.add(name)
        quoted = f'\\"{name}\\"'
        lines = (
            f".globl {quoted}", f".set {quoted}, {at}", f".type {quoted}, %object",
            f".size {quoted}, {size}",
        )  # fmt: skip
        return "".join(f'__asm__("{line}");\n' for line in lines)

    def _first(self, found: Field) -> list[str]:
        """The words of a static field when the program starts."""
        if found in self.reached.initials.values:
            value = self.reached.initials.values[found]
            return self.initial.words(value, found.descriptor)
        constant = found.constant
        if constant is None:
            return ["0"] * slots(found.descriptor)
        if constant.kind == classfile.STRING:
            return [f"(uint32_t)&object_{self.layout.objects[constant]}"]
        if constant.kind in (classfile.LONG, classfile.DOUBLE):
            return [f"{word & 0xFFFFFFFF:#x}u" for word in _words(constant.value)]
        return [f"{constant.value & 0xFFFFFFFF:#x}u"]

    def _numbers(self) -> str:
        numbers, owner = self.layout.classes, self.reached.entry
        thrown = [str(numbers[name]) for name in THROWN]
        strings = numbers.get("[Ljava/lang/String;", NONE)
        values = {
            "java_class_count": len(numbers),
            "java_reference_count": self.layout.references,
            "java_entry_method": self.layout.methods[owner],
            "java_entry_array": strings if owner.descriptor.startswith("([L") else NONE,
            "java_error_class": numbers["java/lang/Error"],
            "java_cloneable_class": numbers.get("java/lang/Cloneable", NONE),
        }
        text = "".join(f"const uint16_t {name} = {value};\n" for name, value in values.items())
        text += f"uint8_t java_states[{len(numbers)}];\n"
        text += self.initial.roots()
        return text + _table("const uint16_t java_thrown", thrown)


def _debug(method: Method, code: Encoded) -> MethodDebug:
    handlers = tuple(target for _, _, target, _ in code.handlers)
    file = source_file(method.owner)
    symbol = method_symbol(method)
    return MethodDebug(symbol, str(method), file, len(code.code), handlers, code.instructions)


def _table(declaration: str, rows: Iterable[str]) -> str:
    """An array in C; one of nothing has a zero, as C has no empty arrays."""
    return f"{declaration}[] = {{\n    {(',' + chr(10) + '    ').join(rows) or '0'}\n}};\n"


def _numbers(data: bytes) -> str:
    return textwrap.fill(", ".join(map(str, data)), 110)


def _words(value: int) -> tuple[int, int]:
    """The lower and the upper half of a long."""
    low = value & 0xFFFFFFFF
    return low - ((low & 0x80000000) << 1), value >> 32


def _string(text: str) -> str:
    """A string in C; bytes beyond letters and digits are octal, so that no trigraph arises."""
    letters = map(chr, text.encode("utf-8", "surrogatepass"))
    return '"' + "".join(map(_letter, letters)) + '"'


def _letter(letter: str) -> str:
    is_plain = letter.isascii() and (letter.isalnum() or letter in " .;[$_")
    return letter if is_plain else f"\\{ord(letter):03o}"
