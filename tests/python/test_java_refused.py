"""Class files, jars and folders that would break Java's machine, and must be refused."""

from __future__ import annotations

import os
import zipfile
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest

from cocrypt.errors import InputError
from cocrypt.java import classfile, jars, layout
from cocrypt.java.layout import Layout
from cocrypt.java.program import library_path
from cocrypt.java.reach import entry, reach
from cocrypt.java.world import World
from java_classes import Pool, load, made

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A share runs in CI; COCRYPT_JAVA_MUTANTS names a larger campaign.
MUTANTS = int(os.environ.get("COCRYPT_JAVA_MUTANTS", "300"))


@pytest.fixture(scope="session")
def loaded_library() -> list[classfile.ClassFile]:
    return jars.classes([library_path()])


POOL = Pool()
NEW = POOL.type("java/lang/String").to_bytes(2)
THROWABLE = POOL.type("java/lang/Error").to_bytes(2)
OUT = POOL.static("java/lang/System", "out", "Ljava/io/PrintStream;").to_bytes(2)
TO_STRING = POOL.method("java/lang/Integer", "intValue", "()I").to_bytes(2)
# Code that would break a machine that trusted it, with what the message says.
MALICIOUS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "1 to 65,535 bytes"),
    "jump into an instruction": (b"\xa7\x00\x04\x11\xb1\xb1\xb1", "jumps into an instruction"),
    "jump behind the code": (b"\xa7\x00\x7f", "jumps into an instruction"),
    "jump before the code": (b"\x00\xa7\xff\x00", "leaves the code"),
    "no end": (b"\x03\x57", "runs off the end"),
    "cut off": (b"\x11\x00", "ends within an instruction"),
    "unknown": (b"\xcb\xb1", "is not an instruction"),
    "shallow": (b"\x57\xb1", "too shallow"),
    "deep": (b"\x03\x03\x03\x03\x03\xb1", "deeper than 4"),
    "grows in a loop": (b"\x03\xa7\xff\xff", "depth of the stack differs"),
    "int as object": (b"\x10\x64\xbe\x57\xb1", "no object"),
    "object as int": (b"\x01\x04\x60\x57\xb1", "wrong type"),
    "half a long": (b"\x09\x57\xb1", "cut a long"),
    "swapped longs": (b"\x03\x09\x5f\xb1", "cut a long"),
    "unset variable": (b"\x1a\x57\xb1", "wrong type"),
    "variable beyond": (b"\x15\x09\x57\xb1", "no local variable 9"),
    "result of nothing": (b"\x03\xac", "does not return V"),
    "unmade object": (b"\xbb" + NEW + b"\xb6" + TO_STRING + b"\x57\xb1", "no object"),
    "another class": (b"\xb2" + OUT + b"\xb6" + TO_STRING + b"\x57\xb1", "is needed"),
    "thrown text": (b"\x01\xc0" + NEW + b"\xbf", "is needed"),
    "wrong constant": (b"\xbb\x00\x01\x57\xb1", "not of the kind"),
    "return address as object": (b"\xa8\x00\x03\x4b\x2a\x57\xb1", "wrong type"),
    "ret of nothing": (b"\x03\x3b\xa9\x00", "no return address"),
    "subroutine in itself": (b"\xa8\x00\x03\x57\xa8\xff\xfc\xb1", "calls itself"),
    "cases": (b"\x03\xaa\0\0\0\0\0\x10\0\0\0\x05\0\0\0\x01\xb1", "wrong number of cases"),
}


@pytest.mark.parametrize("name", MALICIOUS)
def test_code_that_would_break_the_machine_is_refused(
    name: str, loaded_library: list[classfile.ClassFile]
) -> None:
    code, message = MALICIOUS[name]
    pool = Pool(list(POOL.entries))
    with pytest.raises(InputError, match=message):
        load({"Bad": made("Bad", code, pool)}, "Bad", loaded_library)


def _uses(reference: Callable[[Pool], int], before: str, opcode: str, after: str) -> bytes:
    """The class Bad, whose code has one instruction with a reference; code in hexadecimal."""
    pool = Pool()
    operand = reference(pool).to_bytes(2)
    code = bytes.fromhex(before + opcode) + operand + bytes.fromhex(after)
    return made("Bad", code, pool)


def _constructs(code: str) -> dict[str, bytes]:
    """A class Bad that makes an object of its own with a constructor of this code."""
    pool = Pool()
    parent = pool.method("java/lang/Object", "<init>", "()V").to_bytes(2)
    new, own = pool.type("Bad").to_bytes(2), pool.method("Bad", "<init>", "()V").to_bytes(2)
    body = bytes.fromhex(code.replace("parent", parent.hex()))
    main = b"\xbb" + new + b"\xb7" + own + b"\xb1"
    return {"Bad": made("Bad", main, pool, methods=[(1, "<init>", "()V", body)])}


def _other(flags: int) -> bytes:
    """A class with a field of objects, a static field and a static method with these flags."""
    fields = [(flags, "own", "I"), (flags | 8, "all", "I")]
    return made("p/Other", b"\xb1", fields=fields, methods=[(flags | 8, "run", "()V", b"\xb1")])


def _chain(length: int) -> dict[str, bytes]:
    """A class behind a chain of interfaces."""
    chain = {
        f"I{at}": made(f"I{at}", b"\xb1", flags=0x601, interfaces=[f"I{at + 1}"][: length - at - 1])
        for at in range(length)
    }
    return {**chain, "Bad": made("Bad", b"\xb1", interfaces=["I0"])}


def _protected(receiver: str) -> dict[str, bytes]:
    """A class Bad below one of another package that has a protected field, and reads it."""
    pool = Pool()
    own = pool.static("p/Other", "own", "I").to_bytes(2)
    kept = pool.type(receiver).to_bytes(2)
    code = b"\x01\xc0" + kept + b"\xb4" + own + b"\x57\xb1"
    bad = made("Bad", code, pool, above="p/Other")
    return {"Bad": bad, "p/Other": made("p/Other", b"\xb1", fields=[(4, "own", "I")])}


def _calls_constructor(flags: int, *, public: int = 1) -> dict[str, bytes]:
    """A class Bad that makes an object of its parent's class, which is of another package."""
    pool = Pool()
    new = pool.type("p/Other").to_bytes(2)
    start = pool.method("p/Other", "<init>", "()V").to_bytes(2)
    bad = made("Bad", b"\xbb" + new + b"\xb7" + start + b"\xb1", pool, above="p/Other")
    below = Pool()
    body = b"\x2a\xb7" + below.method("java/lang/Object", "<init>", "()V").to_bytes(2) + b"\xb1"
    method = [(flags, "<init>", "()V", body)]
    other = made("p/Other", b"\xb1", below, flags=0x20 | public, methods=method)
    return {"Bad": bad, "p/Other": other}


def _overrides(flags: int) -> dict[str, bytes]:
    """A class Bad with a method of its parent in another package, which has these flags."""
    above = made("p/Other", b"\xb1", methods=[(flags, "run", "()V", b"\xb1")])
    method = [(1, "run", "()V", b"\xb1")]
    return {"Bad": made("Bad", b"\xb1", above="p/Other", methods=method), "p/Other": above}


HIDDEN = made("p/Other", b"\xb1", flags=0x20)
# Instructions that name a class, with the code around them.
NAMING = {"anewarray": ("03", "bd"), "checkcast": ("01", "c0"), "instanceof": ("01", "c1"),
          "ldc": ("", "13")}  # fmt: skip
FOREIGN = {
    "getfield": _uses(lambda pool: pool.static("p/Other", "own", "I"), "01", "b4", "57b1"),
    "putfield": _uses(lambda pool: pool.static("p/Other", "own", "I"), "0103", "b5", "b1"),
    "getstatic": _uses(lambda pool: pool.static("p/Other", "all", "I"), "", "b2", "57b1"),
    "putstatic": _uses(lambda pool: pool.static("p/Other", "all", "I"), "03", "b3", "b1"),
    "invokestatic": _uses(lambda pool: pool.method("p/Other", "run", "()V"), "", "b8", "b1"),
}
# Sets of classes that would break a machine that trusted them, with what the message says.
MALICIOUS_CLASSES: dict[str, tuple[dict[str, bytes], str]] = {
    "interface with a field of objects": (
        {"Bad": made("Bad", b"\xb1", flags=0x601, fields=[(1, "own", "I")])},
        "no fields of objects",
    ),
    "initialiser of objects": (
        {"Bad": made("Bad", b"\xb1", methods=[(0, "<clinit>", "()V", b"\xb1")])}, "other methods",
    ),
    "native initialiser": (
        {"Bad": made("Bad", b"\xb1", methods=[(0x108, "<clinit>", "()V", None)])}, "other methods",
    ),
    "static constructor": (
        {"Bad": made("Bad", b"\xb1", methods=[(8, "<init>", "()V", b"\xb1")])}, "other methods",
    ),
    "this overwritten": (_constructs("014bb1"), "before that of its parent"),
    "parent made on one path": (
        _constructs("0399 0007 2a b7parent b1"), "before that of its parent",
    ),
    "parent not made": (_constructs("b1"), "before that of its parent"),
    "class below a final one": (
        {"Bad": made("Bad", b"\xb1", above="java/lang/String")}, "no classes below it",
    ),
    "chain of interfaces": (_chain(2000), "more than 254 interfaces"),
    **{f"private {name}": ({"Bad": bad, "p/Other": _other(2)}, "no access to p.Other")
       for name, bad in FOREIGN.items()},
    **{f"{name} of a package": ({"Bad": bad, "p/Other": _other(0)}, "no access to p.Other")
       for name, bad in FOREIGN.items()},
    "protected field of a parent's object": (_protected("p/Other"), "own is protected"),
    "protected constructor": (_calls_constructor(4), "protected constructor"),
    "hidden parent": (_calls_constructor(1, public=0), "no access to the class p.Other"),
    "hidden interface": (
        {"Bad": made("Bad", b"\xb1", interfaces=["p/I"]), "p/I": made("p/I", b"\xb1", flags=0x600)},
        "no access to the class p.I",
    ),
    **{f"{name} of a hidden class": (
        {"Bad": _uses(lambda pool: pool.type("p/Other"), before, opcode, "57b1"),
         "p/Other": HIDDEN}, "no access to the class p.Other",
    ) for name, (before, opcode) in NAMING.items()},
    "final method replaced": (_overrides(0x11), "which is final"),
    "handlers": (
        {"Bad": made("Bad", b"\0" * 60_000 + b"\xb1\x57\xb1",
                     handlers=bytes.fromhex("0000ea60ea610000") * 65_535)},
        "more than 255 handlers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MALICIOUS_CLASSES)
def test_classes_that_would_break_the_machine_are_refused(
    name: str, loaded_library: list[classfile.ClassFile]
) -> None:
    files, message = MALICIOUS_CLASSES[name]
    with pytest.raises(InputError, match=message):
        load(files, "Bad", loaded_library)


def test_classes_within_the_rules_are_taken(loaded_library: list[classfile.ClassFile]) -> None:
    """What the malicious classes break, each kept."""
    for bad in FOREIGN.values():
        load({"Bad": bad, "p/Other": _other(1)}, "Bad", loaded_library)
    load(_constructs("2ab7parent014bb1"), "Bad", loaded_library)
    load(_chain(254), "Bad", loaded_library)
    load(_protected("Bad"), "Bad", loaded_library)
    load(_calls_constructor(1), "Bad", loaded_library)
    # Neither a method that may be replaced, nor private, static or hidden ones are in the way.
    for flags in (1, 0x12, 0x10):
        load(_overrides(flags), "Bad", loaded_library)
    own = _uses(lambda pool: pool.static("java/lang/Long", "MAX_VALUE", "J"), "", "b2", "58b1")
    load({"Bad": own}, "Bad", loaded_library)


def test_tables_with_numbers_of_16_bits_do_not_overflow(
    loaded_library: list[classfile.ClassFile],
) -> None:
    world = World([classfile.read(made("A", b"\xb1"), "A")], loaded_library)
    found = Layout(reach(world, entry(world, "A")))
    for number in range(1 << 16):
        assert found.object(classfile.Constant(classfile.STRING, str(number))) == number
    with pytest.raises(InputError, match="65,536 different constants"):
        found.object(classfile.Constant(classfile.STRING, "further"))
    with pytest.raises(InputError, match="65,536 entries"):
        layout._placed([(0, 0)] * (1 << 16), ((0, 0),), ())


def test_classes_above_themselves_are_refused(loaded_library: list[classfile.ClassFile]) -> None:
    cycle = {name: made(name, b"\xb1", above=above) for name, above in (("A", "B"), ("B", "A"))}
    with pytest.raises(InputError, match="above itself"):
        load(cycle, "A", loaded_library)


def test_classes_of_the_machine_cannot_be_replaced(
    loaded_library: list[classfile.ClassFile],
) -> None:
    with pytest.raises(InputError, match="a class of the device's library"):
        load({"S": made("java/lang/String", b"\xb1")}, "java.lang.String", loaded_library)


@pytest.mark.parametrize("version", [44, 53, 65])
def test_other_versions_are_refused(version: int) -> None:
    with pytest.raises(InputError, match=f"version {version} are not read"):
        classfile.read(made("A", b"\xb1", version=version), "A.class")


def test_jars_that_unpack_to_too_much_are_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jar"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as jar:
        for number in range(4):
            jar.writestr(f"A{number}.class", bytes(classfile.LARGEST + 1))
    with pytest.raises(InputError, match="unpack to more than"):
        jars.classes([bomb])
    (tmp_path / "text.jar").write_text("no jar", encoding="utf-8")
    with pytest.raises(InputError, match="not a jar"):
        jars.classes([tmp_path / "text.jar"])


def test_sources_and_empty_folders_are_explained(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="source code") as caught:
        jars.classes([tmp_path / "A.java"])
    assert "javac --release 8" in (caught.value.help or "")
    with pytest.raises(InputError, match="no class files"):
        jars.classes([tmp_path])


def mutated(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(changed))
        if random.random() < 0.5:
            changed[at] ^= 1 << random.randrange(8)
        elif random.random() < 0.5:
            changed[at : at + 2] = random.randrange(1 << 16).to_bytes(2)
        else:
            del changed[at : at + random.choice((1, 2, 4))]
    return bytes(changed)


def _printer() -> bytes:
    """A class that prints a long, which takes most of the library's core."""
    pool = Pool()
    out = pool.static("java/lang/System", "out", "Ljava/io/PrintStream;").to_bytes(2)
    show = pool.method("java/io/PrintStream", "println", "(J)V").to_bytes(2)
    return made("Main", b"\xb2" + out + b"\x0a\xb6" + show + b"\xb1", pool)


def test_changed_class_files_end_in_one_message(
    loaded_library: list[classfile.ClassFile],
) -> None:
    """Whatever bytes change, the image is made, or an error with a message says why not."""
    random, made_images = Random(28), 0
    with zipfile.ZipFile(library_path()) as jar:
        names = ("Long", "String", "System", "Integer")
        seeds = {name: jar.read(f"java/lang/{name}.class") for name in names}
    for _ in range(MUTANTS):
        name = random.choice(list(seeds))
        data = mutated(seeds[name], random)
        with suppress(InputError):
            changed = classfile.read(data, name)
            others = [each for each in loaded_library if each.name != f"java/lang/{name}"]
            load({"Main": _printer()}, "Main", [*others, changed])
            made_images += 1
    assert MUTANTS // 20 < made_images < MUTANTS - MUTANTS // 20
