"""Class files, versions 45 to 52: The Java Virtual Machine Specification, Java SE 8, chapter 4.

A reader checks structure alone; `verify` checks the code. Whatever the bytes are, it ends with a
class or with an `InputError` that names the file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cocrypt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = 0xCAFEBABE
OLDEST, NEWEST = 45, 52
LARGEST = 4 << 20
"""Bytes of the largest class file that is read."""

PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL = 0x1, 0x2, 0x4, 0x8, 0x10
SYNCHRONIZED, NATIVE, INTERFACE, ABSTRACT = 0x20, 0x100, 0x200, 0x400

UTF8, INTEGER, FLOAT, LONG, DOUBLE, CLASS, STRING = 1, 3, 4, 5, 6, 7, 8
FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE = 9, 10, 11, 12
METHOD_HANDLE, METHOD_TYPE, INVOKE_DYNAMIC = 15, 16, 18

SHAPES = {
    INTEGER: ">i", FLOAT: ">I", LONG: ">q", DOUBLE: ">Q", CLASS: ">H", STRING: ">H",
    FIELD: ">HH", METHOD: ">HH", INTERFACE_METHOD: ">HH", NAME_AND_TYPE: ">HH",
    METHOD_HANDLE: ">BH", METHOD_TYPE: ">H", INVOKE_DYNAMIC: ">HH",
}  # fmt: skip


@dataclass(frozen=True)
class Member:
    """A reference to a field or method: class, name and descriptor."""

    owner: str
    name: str
    descriptor: str
    of_interface: bool = False

    def __str__(self) -> str:
        return f"{dotted(self.owner)}.{self.name}{self.descriptor}"


@dataclass(frozen=True)
class Handler:
    """A row of the exception table; addresses in bytes, `kind` None catches everything."""

    start: int
    end: int
    target: int
    kind: str | None


@dataclass(frozen=True)
class Code:
    """The code of a method; `stack` and `variables` in slots of 32 bits."""

    stack: int
    variables: int
    code: bytes
    handlers: tuple[Handler, ...]
    lines: tuple[tuple[int, int], ...] = ()


@dataclass(eq=False)
class Field:
    """A field; `constant` is the value of its ConstantValue attribute, a string's as text."""

    owner: ClassFile
    flags: int
    name: str
    descriptor: str
    constant: Constant | None = None

    @property
    def is_static(self) -> bool:
        """True for a field of the class."""
        return bool(self.flags & STATIC)


@dataclass(eq=False)
class Method:
    """A method; `code` is None for an abstract or native one.

    One that is `replaced` is native, although its class has code for it. The function of one `kni`
    is by the K Native Interface.
    """

    owner: ClassFile
    flags: int
    name: str
    descriptor: str
    code: Code | None = None
    replaced: bool = False
    kni: bool = False

    @property
    def is_static(self) -> bool:
        """True for a method of the class."""
        return bool(self.flags & STATIC)

    @property
    def is_native(self) -> bool:
        """True for a method that C provides."""
        return self.replaced or bool(self.flags & NATIVE)

    @property
    def is_abstract(self) -> bool:
        """True for a method without a body."""
        return bool(self.flags & ABSTRACT)

    @property
    def key(self) -> tuple[str, str]:
        """Name and descriptor."""
        return self.name, self.descriptor

    def __str__(self) -> str:
        return f"{dotted(self.owner.name)}.{self.name}{self.descriptor}"


@dataclass(frozen=True)
class Constant:
    """A constant: `kind` is one of the tags of the constant pool."""

    kind: int
    value: Any


@dataclass(eq=False)
class ClassFile:
    """A class or interface; names are internal, with slashes."""

    origin: str
    version: int
    flags: int
    name: str
    parent: str | None
    interfaces: tuple[str, ...]
    pool: Pool
    fields: list[Field] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    source: str | None = None

    @property
    def is_interface(self) -> bool:
        """True for an interface."""
        return bool(self.flags & INTERFACE)

    @property
    def is_abstract(self) -> bool:
        """True for a class that is never instantiated itself."""
        return bool(self.flags & ABSTRACT)


def dotted(name: str) -> str:
    """A class's name as Java writes it."""
    return name.replace("/", ".")


class Pool:
    """The constant pool of one class; a wrong index or kind raises `InputError`."""

    def __init__(self, origin: str, entries: list[tuple[int, Any]]) -> None:
        self._origin = origin
        self._entries = entries

    def _entry(self, index: int, *kinds: int) -> Any:  # noqa: ANN401
        kind, value = self._entries[index] if 0 < index < len(self._entries) else (0, None)
        if kind not in kinds:
            raise InputError(f"{self._origin}: constant {index} is not of the kind that is needed")
        return value

    def kind(self, index: int) -> int:
        """The tag of a constant; 0 where there is none."""
        return self._entries[index][0] if 0 < index < len(self._entries) else 0

    def text(self, index: int) -> str:
        """A constant of text."""
        text: str = self._entry(index, UTF8)
        return text

    def class_name(self, index: int) -> str:
        """The name of a class, or the descriptor of an array's class."""
        name = self.text(self._entry(index, CLASS)[0])
        if not name or (name.startswith("[") and not _is_type(name)):
            raise InputError(f"{self._origin}: `{printable(name)}` is not the name of a class")
        return name

    def constant(self, index: int) -> Constant:
        """A constant that `ldc` loads, or a field has at first."""
        kind = self.kind(index)
        if kind == CLASS:
            return Constant(kind, self.class_name(index))
        if kind == STRING:
            return Constant(kind, self.text(self._entry(index, STRING)[0]))
        return Constant(kind, self._entry(index, INTEGER, FLOAT, LONG, DOUBLE)[0])

    def member(self, index: int, *kinds: int) -> Member:
        """A reference to a field or a method."""
        owner, pair = self._entry(index, *kinds)
        name, descriptor = self._entry(pair, NAME_AND_TYPE)
        of_interface = self.kind(index) == INTERFACE_METHOD
        member = Member(
            self.class_name(owner), self.text(name), self.text(descriptor), of_interface
        )
        valid = _is_type if self.kind(index) == FIELD else is_signature
        if not valid(member.descriptor):
            raise InputError(
                f"{self._origin}: `{printable(member.descriptor)}` is not a descriptor"
            )
        return member


def printable(text: str) -> str:
    """Text from a file, for a message."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:80])


def _type_end(text: str, at: int) -> int:
    """The index behind the type at an index; -1 if there is none."""
    first = at
    while at < len(text) and text[at] == "[":
        at += 1
    if at >= len(text) or at - first > 255:
        return -1
    if text[at] in "BCDFIJSZ":
        return at + 1
    end = text.find(";", at)
    return end + 1 if text[at] == "L" and end > at + 1 else -1


def _is_type(text: str) -> bool:
    return _type_end(text, 0) == len(text) > 0


def types(signature: str) -> tuple[list[str], str]:
    """The types of a method's parameters, and of its result (`V` for none)."""
    parameters, at = [], 1
    while signature[at] != ")":
        end = _type_end(signature, at)
        parameters.append(signature[at:end])
        at = end
    return parameters, signature[at + 1 :]


def is_signature(text: str) -> bool:
    """True for a valid descriptor of a method."""
    at = 1
    while text[:1] == "(" and at < len(text) and text[at] != ")":
        at = _type_end(text, at)
        if at < 0:
            return False
    result = text[at + 1 :]
    return text[:1] == "(" and text[at : at + 1] == ")" and (result == "V" or _is_type(result))


def slots(kind: str) -> int:
    """The slots of a value of this type."""
    return 0 if kind == "V" else 2 if kind in ("J", "D") else 1


class _Reader:
    """Reads numbers from the bytes of a class file."""

    def __init__(self, origin: str, data: bytes) -> None:
        self.origin = origin
        self.data = data
        self.at = 0

    def take(self, shape: str) -> tuple[Any, ...]:
        return struct.unpack(shape, self.bytes(struct.calcsize(shape)))

    def u1(self) -> int:
        return self.bytes(1)[0]

    def u2(self) -> int:
        return int.from_bytes(self.bytes(2))

    def u4(self) -> int:
        return int.from_bytes(self.bytes(4))

    def bytes(self, size: int) -> bytes:
        taken = self.data[self.at : self.at + size]
        if len(taken) != size:
            raise InputError(f"{self.origin}: the class file is cut off at byte {len(self.data)}")
        self.at += size
        return taken


def read(data: bytes, origin: str) -> ClassFile:
    """The class of these bytes; `origin` names them in messages."""
    if len(data) > LARGEST:
        raise InputError(f"{origin}: the class file is larger than {LARGEST >> 20} MiB")
    reader = _Reader(origin, data)
    if reader.u4() != MAGIC:
        raise InputError(f"{origin} is not a class file", "give .class files or a .jar")
    _, version = reader.u2(), reader.u2()
    if not OLDEST <= version <= NEWEST:
        raise InputError(
            f"{origin}: class files of version {version} are not read, only {OLDEST} to {NEWEST}",
            "compile with javac --release 8",
        )
    pool = _pool(reader)
    flags, name = reader.u2(), pool.class_name(reader.u2())
    above = reader.u2()
    parent = pool.class_name(above) if above else None
    interfaces = tuple(pool.class_name(reader.u2()) for _ in range(reader.u2()))
    if name.startswith("[") or (parent is None) != (name == "java/lang/Object"):
        raise InputError(f"{origin}: the class `{printable(name)}` has no valid parent")
    made = ClassFile(origin, version, flags, name, parent, interfaces, pool)
    made.fields += [_field(reader, made) for _ in range(reader.u2())]
    made.methods += [_method(reader, made) for _ in range(reader.u2())]
    _attributes(reader, pool, {"SourceFile": lambda part: _source(part, made)})
    if reader.at != len(data):
        raise InputError(f"{origin}: {len(data) - reader.at} bytes stand behind the class")
    _require_distinct(made)
    return made


def _require_distinct(made: ClassFile) -> None:
    for members in (made.fields, made.methods):
        names = [(member.name, member.descriptor) for member in members]
        if len(set(names)) != len(names):
            raise InputError(f"{made.origin}: two members have the same name and descriptor")


def _pool(reader: _Reader) -> Pool:
    count = reader.u2()
    entries: list[tuple[int, Any]] = [(0, None)]
    while len(entries) < count:
        kind = reader.u1()
        if kind == UTF8:
            entries.append((kind, _text(reader.bytes(reader.u2()), reader.origin)))
        elif kind in SHAPES:
            entries.append((kind, reader.take(SHAPES[kind])))
        else:
            raise InputError(f"{reader.origin}: constant {len(entries)} has the unknown tag {kind}")
        if kind in (LONG, DOUBLE):
            entries.append((0, None))
    return Pool(reader.origin, entries)


def _text(data: bytes, origin: str) -> str:
    """Modified UTF-8: a zero in two bytes, and surrogates each in three."""
    try:
        return data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise InputError(f"{origin}: a name or string is not in modified UTF-8") from error


def _attributes(reader: _Reader, pool: Pool, parts: dict[str, Callable[[_Reader], None]]) -> None:
    """Passes the attributes of these names on, and leaves out all others."""
    for _ in range(reader.u2()):
        name, size = pool.text(reader.u2()), reader.u4()
        content = reader.bytes(size)
        if name in parts:
            part = _Reader(reader.origin, content)
            parts[name](part)
            if part.at != size:
                raise InputError(f"{reader.origin}: the attribute {name} has a wrong length")


def _source(part: _Reader, made: ClassFile) -> None:
    made.source = made.pool.text(part.u2())


def _field(reader: _Reader, owner: ClassFile) -> Field:
    pool = owner.pool
    made = Field(owner, reader.u2(), pool.text(reader.u2()), pool.text(reader.u2()))
    if not _is_type(made.descriptor):
        raise InputError(f"{owner.origin}: the field `{printable(made.name)}` has no valid type")
    if owner.is_interface and not made.is_static:
        raise InputError(f"{owner.origin}: an interface has no fields of objects")

    def constant(part: _Reader) -> None:
        made.constant = pool.constant(part.u2())

    _attributes(reader, pool, {"ConstantValue": constant})
    if made.constant and not _fits(made.constant.kind, made.descriptor):
        raise InputError(
            f"{owner.origin}: the constant of `{printable(made.name)}` has no fit type"
        )
    return made


def _fits(kind: int, descriptor: str) -> bool:
    """True if a constant of this kind may be the first value of a field."""
    kinds = {"J": LONG, "F": FLOAT, "D": DOUBLE, "Ljava/lang/String;": STRING}
    return kind == kinds.get(descriptor, INTEGER if len(descriptor) == 1 else 0)


def _method(reader: _Reader, owner: ClassFile) -> Method:
    pool = owner.pool
    made = Method(owner, reader.u2(), pool.text(reader.u2()), pool.text(reader.u2()))
    if not is_signature(made.descriptor):
        raise InputError(f"{owner.origin}: `{printable(made.name)}` has no valid descriptor")

    def code(part: _Reader) -> None:
        made.code = _code(part, pool)

    _attributes(reader, pool, {"Code": code})
    if made.name in ("<init>", "<clinit>"):
        is_valid = made.is_static == (made.name == "<clinit>") and made.code is not None
        if not is_valid or made.is_native or not made.descriptor.endswith(")V"):
            raise InputError(f"{owner.origin}: `{made.name}` has flags or a type of other methods")
    if (made.code is None) != (made.is_abstract or made.is_native):
        raise InputError(f"{owner.origin}: `{printable(made.name)}` has no code, or too much")
    parameters, _ = types(made.descriptor)
    if sum(map(slots, parameters)) + (not made.is_static) > 255:
        raise InputError(f"{owner.origin}: `{printable(made.name)}` has more than 255 parameters")
    return made


def _code(part: _Reader, pool: Pool) -> Code:
    stack, variables, size = part.u2(), part.u2(), part.u4()
    code = part.bytes(size)
    handlers = []
    for _ in range(part.u2()):
        start, end, target, kind = part.take(">HHHH")
        handlers.append(Handler(start, end, target, pool.class_name(kind) if kind else None))
    lines: list[tuple[int, int]] = []

    def table(rows: _Reader) -> None:
        lines.extend((rows.u2(), rows.u2()) for _ in range(rows.u2()))

    _attributes(part, pool, {"LineNumberTable": table})
    return Code(stack, variables, code, tuple(handlers), tuple(sorted(lines)))
