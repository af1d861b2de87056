"""Java in C: literals, names of native methods and their prototypes.

The names are those of the Java Native Interface, chapter 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.java.classfile import dotted, slots, types

if TYPE_CHECKING:
    from cocrypt.java.classfile import Field, Method

ESCAPES = {"_": "_1", ";": "_2", "[": "_3", "/": "_"}
C_TYPES = {
    "B": "jbyte", "C": "jchar", "D": "jdouble", "F": "jfloat", "I": "jint", "J": "jlong",
    "S": "jshort", "V": "void", "Z": "jboolean",
}  # fmt: skip
BITS = {"F": "java_float_bits", "D": "java_double_bits"}
VALUES = {"F": "java_float", "D": "java_double"}
"""Functions in C from floating point to its bits, and back."""


def mangled(text: str) -> str:
    """A name or descriptor as part of a name in C."""
    return "".join(map(_mangled, text))


def _mangled(letter: str) -> str:
    if letter in ESCAPES:
        return ESCAPES[letter]
    return letter if letter.isascii() and letter.isalnum() else f"_0{ord(letter):04x}"


def c_name(method: Method) -> str:
    """The name of the function that implements a native method.

    That of a replaced one does not depend on which others are replaced.
    """
    name = f"Java_{mangled(method.owner.name)}_{mangled(method.name)}"
    same = [each for each in method.owner.methods if each.name == method.name]
    if not method.replaced:
        same = [each for each in same if each.is_native and not each.replaced]
    if len(same) > 1:
        parameters = method.descriptor[1 : method.descriptor.index(")")]
        name += f"__{mangled(parameters)}"
    return name


def field_symbol(found: Field) -> str:
    """The symbol of a static field: its name in Java, with letters outside of ASCII as JNI's."""
    return _symbol(f"{dotted(found.owner.name)}.{found.name}")


def method_symbol(method: Method) -> str:
    """The symbol of a method's bytecode: its name in Java and its descriptor."""
    return _symbol(str(method))


def _symbol(name: str) -> str:
    return "".join(each if each in ".$_()/[;<>" else _mangled(each) for each in name)


def c_type(descriptor: str) -> str:
    """The type in C of a value of this type."""
    return C_TYPES.get(descriptor, "jobject")


def prototype(method: Method) -> str:
    """The prototype of the function that implements a native method."""
    parameters, result = types(method.descriptor)
    words = [] if method.is_static else ["jobject self"]
    words += [f"{c_type(each)} p{index}" for index, each in enumerate(parameters)]
    return f"{c_type(result)} {c_name(method)}({', '.join(words) or 'void'})"


def kni_prototype(method: Method) -> str:
    """The prototype of a function that asks for its arguments, as KNI has it."""
    result = c_type(types(method.descriptor)[1])
    # A `jobject` of KNI is a handle, but what is returned is the object.
    result = "struct java_object *" if result == "jobject" else f"{result} "
    return f"{result}{c_name(method)}(void)"


def stub(method: Method, name: str) -> str:
    """A function that takes a native method's arguments from the machine's stack."""
    parameters, result = types(method.descriptor)
    own, at = [], 0
    for each in [*([] if method.is_static else ["L"]), *parameters]:
        own.append(_argument(each, at))
        at += slots(each)
    call = f"{c_name(method)}({', '.join(own)})"
    return _taking(name, "" if own or result != "V" else "(void)slots; ", _putting(result, call))


def kni_stub(method: Method, name: str) -> str:
    """A function that lets one by KNI find its arguments on the machine's stack."""
    first = "slots" if method.is_static else "slots + 1"
    call = _putting(types(method.descriptor)[1], f"{c_name(method)}()")
    return _taking(name, f"kni_arguments = {first}; ", call)


def _taking(name: str, before: str, call: str) -> str:
    return f"static void {name}(int32_t *slots)\n{{\n    {before}{call}\n}}\n"


def _putting(result: str, call: str) -> str:
    """A statement that puts the result of a call into the slots of its arguments."""
    if result == "V":
        return f"{call};"
    if result == "J":
        return f"java_put_long(slots, {call});"
    if result in BITS:
        put = "java_put_long(slots, {})" if result == "D" else "slots[0] = {}"
        return f"{put.format(f'{BITS[result]}({call})')};"
    if c_type(result) == "jobject":
        return f"slots[0] = (int32_t)(uintptr_t){call};"
    return f"slots[0] = {call};"


def _argument(descriptor: str, at: int) -> str:
    if descriptor == "J":
        return f"java_get_long(slots + {at})"
    if descriptor in VALUES:
        bits = f"java_get_long(slots + {at})" if descriptor == "D" else f"slots[{at}]"
        return f"{VALUES[descriptor]}({bits})"
    if c_type(descriptor) == "jobject":
        return f"(jobject)(uintptr_t)slots[{at}]"
    return f"({c_type(descriptor)})slots[{at}]"


def integer(value: int) -> str:
    """An int in C."""
    return "INT32_MIN" if value == -(1 << 31) else str(value)


def wide_integer(value: int) -> str:
    """A long in C."""
    return "INT64_MIN" if value == -(1 << 63) else f"INT64_C({value})"


def comment(text: str) -> str:
    """A text that may stand in a comment in C."""
    plain = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in text)
    return plain.replace("*/", "* /").replace("/*", "/ *").replace("\\", "?")
