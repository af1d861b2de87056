"""The reachable part of a program: rapid type analysis from its entry and the machine's own needs.

A method is reachable if reachable code calls it and, for a call that selects by the object's class,
if reachable code also makes objects of a class that selects it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java import classfile
from cocrypt.java.classfile import dotted
from cocrypt.java.objects import Initials
from cocrypt.java.verify import ARRAYS, Verified, verify
from cocrypt.java.world import OBJECT, World, described, element

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.java.bytecode import Instruction
    from cocrypt.java.classfile import ClassFile, Member, Method

STRING, CLASS, THROWABLE = "java/lang/String", "java/lang/Class", "java/lang/Throwable"
THROWN = (
    "java/lang/NullPointerException",
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/NegativeArraySizeException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/IncompatibleClassChangeError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/NoClassDefFoundError",
    "java/lang/CloneNotSupportedException",
)
"""The exceptions that the machine throws, in the order of `enum java_exception` in `vm.h`."""
MADE_BY_NATIVES = {"getClass": (CLASS,)}
"""Classes of objects that methods of the library in C make."""


@dataclass
class Reached:
    """The reachable methods, in the order of discovery, and the types that code uses."""

    world: World
    entry: Method
    methods: dict[Method, Verified | None] = field(default_factory=dict)
    """None for a native method."""
    instantiated: dict[str, ClassFile] = field(default_factory=dict)
    types: dict[str, None] = field(default_factory=dict)
    """Names of classes and descriptors of arrays that the image describes."""
    sites: dict[Method, dict[Method, None]] = field(default_factory=dict)
    """Methods that calls select by, each with the methods that they may reach."""
    initials: Initials = field(default_factory=Initials)
    """The objects that exist when the program starts."""

    def initialized(self, name: str) -> ClassFile | None:
        """The lowest class of a class and those above it that has a static initialiser."""
        line = self.world.line(self.world.get(name, dotted(name)))
        return next((each for each in line if initializer(each) in self.methods), None)


def initializer(each: ClassFile) -> Method | None:
    """The static initialiser of a class."""
    return World.own(each, ("<clinit>", "()V"))


def reach(
    world: World,
    entry: Method,
    initials: Initials | None = None,
    verified: Mapping[Method, Verified | None] | None = None,
) -> Reached:
    """The part of a program that is reachable from an entry; every method in it is verified.

    The initialisers that `initials` has run are no part of it, but their objects are. `verified`
    has methods that were verified before.
    """
    return _Search(world, entry, initials or Initials(), verified or {}).run()


class _Search:
    def __init__(
        self,
        world: World,
        entry: Method,
        initials: Initials,
        verified: Mapping[Method, Verified | None],
    ) -> None:
        self.world, self.initials, self.verified = world, initials, verified
        self.found = Reached(world, entry, initials=initials)
        self.waiting: list[Method] = []
        self.user = str(entry)

    def run(self) -> Reached:
        for name in (OBJECT, *THROWN):
            self._instantiate(name)
        self._initialize(self.found.entry.owner.name)
        self._add(self.found.entry)
        if self.found.entry.descriptor.startswith("([L"):
            self._type("[Ljava/lang/String;")
        while self.waiting:
            method = self.waiting.pop()
            self.user = str(method)
            verified = self.verified.get(method) or verify(method, self.world)
            self.found.methods[method] = verified
            for each in verified.instructions.values():
                self._use(method, each)
            for row in verified.code.handlers:
                if row.kind is not None:
                    self._type(row.kind)
        return self.found

    def _add(self, method: Method) -> None:
        if method in self.found.methods:
            return
        if method.is_abstract:
            raise InputError(f"{self.user} calls {method}, which has no body")
        self._type(method.owner.name)
        self.found.methods[method] = None
        if method.is_native:
            for name in MADE_BY_NATIVES.get(method.name, ()):
                self._instantiate(name)
        else:
            self.waiting.append(method)

    def _type(self, name: str) -> None:
        """Adds a type with those that its description names."""
        if name in self.found.types:
            return
        if name.startswith("["):
            if element(name):
                self._type(element(name))
            self._type(OBJECT)
            self.found.types[name] = None
            return
        each = self.world.get(name, self.user)
        if each.parent is not None:
            self._type(each.parent)
        self.world.require_overriding(each)
        self.found.types[name] = None
        for interface in self.world.interfaces(each):
            self._type(interface)
        for made in self.initials.objects_of(name):
            self._instantiate(made.kind)
        if self.initials.has_literals(name):
            self._literal()

    def _literal(self) -> None:
        self._instantiate(STRING)
        self._instantiate("[C")

    def _instantiate(self, name: str) -> None:
        self._type(name)
        if name.startswith("[") or name in self.found.instantiated:
            return
        each = self.world.get(name, self.user)
        self.found.instantiated[name] = each
        for site in self.found.sites:
            self._select(site, each)

    def _initialize(self, name: str) -> None:
        for each in self.world.line(self.world.get(name, self.user)):
            method = initializer(each)
            if method is not None and method not in self.initials.run:
                self._add(method)

    def _call(self, member: Member) -> None:
        """A call that selects by the class of the object."""
        resolved = self.world.method(member, self.user)
        self._type(resolved.owner.name)
        if resolved not in self.found.sites:
            self.found.sites[resolved] = {}
            for each in list(self.found.instantiated.values()):
                self._select(resolved, each)

    def _select(self, site: Method, receiver: ClassFile) -> None:
        if not self.world.is_subclass(receiver.name, site.owner.name, self.user):
            return
        target = self.world.selected(receiver, site)
        if target is not None:
            self.found.sites[site][target] = None
            self._add(target)

    def _use(self, method: Method, each: Instruction) -> None:
        pool, name = method.owner.pool, each.name
        if name == "ldc":
            constant = pool.constant(each.operand)
            if constant.kind == classfile.STRING:
                self._literal()
            elif constant.kind == classfile.CLASS:
                self._instantiate(CLASS)
                self._type(constant.value)
        elif name in ("getstatic", "putstatic"):
            member = pool.member(each.operand, classfile.FIELD)
            found = self.world.field(member, self.user, is_static=True)
            self._type(found.owner.name)
            self._initialize(found.owner.name)
            if found.constant and found.constant.kind == classfile.STRING:
                self._literal()
        elif name in ("getfield", "putfield"):
            member = pool.member(each.operand, classfile.FIELD)
            self._type(self.world.field(member, self.user, is_static=False).owner.name)
        elif name in ("invokestatic", "invokespecial"):
            target = self.world.method(_called(method, each), self.user)
            if name == "invokestatic":
                self._initialize(target.owner.name)
            self._add(target)
        elif name in ("invokevirtual", "invokeinterface"):
            self._call(_called(method, each))
        else:
            self._use_type(method, each)

    def _use_type(self, method: Method, each: Instruction) -> None:
        pool, name = method.owner.pool, each.name
        if name == "new":
            made = pool.class_name(each.operand)
            self._initialize(made)
            self._instantiate(made)
        elif name == "newarray":
            self._type(ARRAYS[each.operand])
        elif name == "anewarray":
            self._type(f"[{described(pool.class_name(each.operand))}")
        elif name in ("checkcast", "instanceof", "multianewarray"):
            self._type(pool.class_name(each.operand))


def _called(method: Method, each: Instruction) -> Member:
    return method.owner.pool.member(each.operand, classfile.METHOD, classfile.INTERFACE_METHOD)


def entry(world: World, name: str) -> Method:
    """The method that a program starts with: a class's `main`, or a static `Class.method`.

    It takes nothing or, as `main`, an array of strings, and returns nothing.
    """
    owner, found = name.replace(".", "/"), "main"
    if owner not in world:
        owner, _, found = owner.rpartition("/")
    if owner not in world:
        raise InputError(f"there is no class {name}", "name the class, or Class.method")
    for descriptor in ("([Ljava/lang/String;)V", "()V"):
        method = World.own(world.get(owner, name), (found, descriptor))
        if method is not None and method.is_static and not method.is_native:
            return method
    raise InputError(
        f"{dotted(owner)} has no method `static void {found}()`",
        "the entry is static, returns nothing, and takes nothing or String[]",
    )
