"""The classes that a program consists of: their hierarchy, and the resolution of references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java.classfile import FINAL, PRIVATE, PROTECTED, PUBLIC, ClassFile, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cocrypt.java.classfile import Field, Member, Method

OBJECT = "java/lang/Object"
DEEPEST = 255
"""Classes above a class at most, and interfaces."""

REFUSED = {
    "java/lang/Thread": "threads",
    "java/lang/Runnable": "threads",
    "java/lang/reflect/": "reflection",
    "java/lang/ClassLoader": "reflection",
    "java/lang/invoke/": "method handles",
}
FURTHER = {
    "forName": "reflection", "newInstance": "reflection", "getMethod": "reflection",
    "getDeclaredMethod": "reflection", "getField": "reflection", "getDeclaredField": "reflection",
    "wait": "threads", "notify": "threads", "notifyAll": "threads",
}  # fmt: skip


def refusal(owner: str, name: str = "") -> str | None:
    """The facility that a class or method is of, if the device does not have it."""
    of_class = next((what for start, what in REFUSED.items() if owner.startswith(start)), None)
    return of_class or (FURTHER.get(name) if owner in (OBJECT, "java/lang/Class") else None)


class World:
    """Classes by name; those of the program go before the library's outside java.lang.

    Only with `floating_point` may their code use it.
    """

    def __init__(
        self,
        program: Iterable[ClassFile],
        library: Iterable[ClassFile],
        *,
        floating_point: bool = False,
    ) -> None:
        self.floating_point = floating_point
        self._classes: dict[str, ClassFile] = {}
        for each in program:
            # The machine knows what objects of these look like.
            if each.name.startswith("java/lang/"):
                raise InputError(
                    f"{each.origin}: {dotted(each.name)} is a class of the device's library",
                    "leave it out: a program has no classes in java.lang",
                )
            if each.name in self._classes:
                other = self._classes[each.name].origin
                raise InputError(
                    f"the class {dotted(each.name)} is in {other} and in {each.origin}"
                )
            self._classes[each.name] = each
        for each in library:
            self._classes.setdefault(each.name, each)
        for each in self._classes.values():
            self._require_tree(each)

    def __contains__(self, name: str) -> bool:
        return name in self._classes

    def get(self, name: str, user: str) -> ClassFile:
        """The class of a name; `user` says in messages what needs it."""
        found = self._classes.get(name)
        if found is None:
            facility = refusal(name)
            if facility:
                raise InputError(
                    f"{user} uses {dotted(name)}: there are no {facility} on the device"
                )
            raise InputError(
                f"{user} uses the class {dotted(name)}, which is nowhere",
                "give its class file or jar too; the class library of the device is small",
            )
        return found

    def _require_tree(self, each: ClassFile) -> None:
        """Raises `InputError` for a class above or below itself, or behind too many others."""
        seen: set[str] = set()
        at: ClassFile | None = each
        while at is not None and at.parent is not None:
            if at.name in seen or len(seen) > DEEPEST:
                raise InputError(f"{each.origin}: the class {dotted(each.name)} is above itself")
            seen.add(at.name)
            at = self._classes.get(at.parent)
        waiting, met = [iter(each.interfaces)], {each.name}
        path = [each.name]
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                path.pop()
            elif name in path:
                raise InputError(f"{each.origin}: the interface {dotted(name)} is above itself")
            elif name not in met:
                met.add(name)
                if len(met) > DEEPEST:
                    raise InputError(
                        f"{each.origin}: {dotted(each.name)} has more than {DEEPEST - 1} interfaces"
                    )
                path.append(name)
                found = self._classes.get(name)
                waiting.append(iter(found.interfaces if found else ()))

    def line(self, each: ClassFile) -> Iterator[ClassFile]:
        """A class and those above it."""
        yield each
        while each.parent is not None:
            above = self.get(each.parent, dotted(each.name))
            if above.is_interface:
                raise InputError(
                    f"{each.origin}: {dotted(each.parent)} is an interface, not a class"
                )
            if above.flags & FINAL:
                raise InputError(f"{each.origin}: {dotted(each.parent)} has no classes below it")
            each = above
            yield each

    def interfaces(self, each: ClassFile) -> dict[str, ClassFile]:
        """All interfaces of a class, those of its parents and of interfaces too."""
        found: dict[str, ClassFile] = {}
        waiting = [name for above in self.line(each) for name in above.interfaces]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self.get(name, dotted(each.name))
                if not found[name].is_interface:
                    raise InputError(f"{each.origin}: {dotted(name)} is not an interface")
                waiting += found[name].interfaces
        return found

    def is_subclass(self, lower: str, upper: str, user: str) -> bool:
        """True if a value of the type `lower` may be used as one of `upper`.

        Both are names of classes or descriptors of arrays.
        """
        if lower == upper or upper == OBJECT:
            return True
        if lower.startswith("["):
            if upper.startswith("["):
                inner, outer = element(lower), element(upper)
                return bool(inner and outer) and self.is_subclass(inner, outer, user)
            return upper in ("java/lang/Cloneable", "java/io/Serializable")
        if upper.startswith("["):
            return False
        below = self.get(lower, user)
        if self.get(upper, user).is_interface:
            return upper in self.interfaces(below)
        return any(above.name == upper for above in self.line(below))

    def common(self, left: str, right: str, user: str) -> str:
        """The nearest type above both: a class, or the descriptor of an array."""
        if left == right:
            return left
        if left.startswith("[") and right.startswith("["):
            inner, outer = element(left), element(right)
            if inner and outer:
                return f"[{described(self.common(inner, outer, user))}"
            return OBJECT
        if left.startswith("[") or right.startswith("["):
            return OBJECT
        above = {each.name for each in self.line(self.get(left, user))}
        if self.get(left, user).is_interface or self.get(right, user).is_interface:
            return OBJECT
        line = self.line(self.get(right, user))
        return next(each.name for each in line if each.name in above)

    def field(self, member: Member, user: str, *, is_static: bool) -> Field:
        """The field that a reference means."""
        start = self.get(member.owner, user)
        for each in (*self.line(start), *self.interfaces(start).values()):
            for found in each.fields:
                if (found.name, found.descriptor) == (member.name, member.descriptor):
                    if found.is_static != is_static:
                        raise InputError(f"{user} uses {member} as if it were of the other kind")
                    return found
        raise InputError(f"{user} uses the field {member}, which is nowhere")

    def method(self, member: Member, user: str) -> Method:
        """The method that a reference means, before any selection by the object's class."""
        if member.owner.startswith("["):
            start = self.get(OBJECT, user)
        else:
            start = self.get(member.owner, user)
        found = self.select(start, (member.name, member.descriptor))
        if found is None:
            facility = refusal(member.owner, member.name)
            if facility:
                raise InputError(f"{user} calls {member}: there is no {facility} on the device")
            raise InputError(
                f"{user} calls {member}, which is nowhere",
                "the class library of the device is small; see the guide to Java",
            )
        return found

    def may_use(self, user: ClassFile, member: Field | Method) -> bool:
        """True if code of a class has access to a member of its own or another class."""
        owner = member.owner.name
        if user.name == owner or member.flags & PUBLIC:
            return True
        if member.flags & PRIVATE:
            return False
        if member.flags & PROTECTED and self.is_subclass(user.name, owner, user.name):
            return True
        return package(user.name) == package(owner)

    def is_inherited_only(self, user: ClassFile, member: Field | Method) -> bool:
        """True if code of a class may use a member on objects of its own class alone.

        Such a member is protected, of a parent in another package: the specification, 4.10.1.8.
        """
        owner = member.owner.name
        return bool(member.flags & PROTECTED) and package(user.name) != package(owner)

    def require_class(self, user: ClassFile, name: str, where: str) -> None:
        """Raises `InputError` if a class may not be named: not public, and of another package.

        `name` may be the descriptor of an array; `where` says in the message what names it.
        """
        inner = name.lstrip("[")
        if inner != name:
            if not inner.startswith("L"):
                return
            inner = named(inner)
        found = self.get(inner, where)
        if not found.flags & PUBLIC and package(inner) != package(user.name):
            raise InputError(f"{where} has no access to the class {dotted(inner)}")

    def require_overriding(self, each: ClassFile) -> None:
        """Raises `InputError` for a class that overrides a final method or extends a hidden one."""
        above = list(self.line(each))[1:]
        for name in (*[parent.name for parent in above[:1]], *each.interfaces):
            self.require_class(each, name, dotted(each.name))
        for method in each.methods:
            if method.is_static or method.flags & PRIVATE:
                continue
            for parent in above:
                other = self.own(parent, method.key)
                if other is not None and other.flags & FINAL and self._overrides(each, other):
                    raise InputError(f"{each.origin}: {method} overrides {other}, which is final")

    def _overrides(self, each: ClassFile, above: Method) -> bool:
        """True if a method of the same name in a class below takes the place of this one."""
        if above.is_static or above.flags & PRIVATE:
            return False
        is_seen = above.flags & (PUBLIC | PROTECTED)
        return bool(is_seen) or package(each.name) == package(above.owner.name)

    def select(self, start: ClassFile, key: tuple[str, str]) -> Method | None:
        """The method of a class by name and descriptor: its own, inherited, or of an interface."""
        for each in self.line(start):
            found = self.own(each, key)
            if found is not None:
                return found
        if start.is_interface:
            found = self.own(self.get(OBJECT, start.name), key)
        candidates = [self.own(each, key) for each in self.interfaces(start).values()]
        offered = [each for each in candidates if each is not None]
        bodies = [each for each in offered if not each.is_abstract]
        # A default method of an interface below another's goes before it.
        bodies.sort(key=lambda each: -len(self.interfaces(each.owner)))
        return next(iter([*bodies, *offered]), found)

    @staticmethod
    def own(each: ClassFile, key: tuple[str, str]) -> Method | None:
        """The method that a class itself declares."""
        return next((method for method in each.methods if method.key == key), None)

    def selected(self, receiver: ClassFile, resolved: Method) -> Method | None:
        """The method that a call of `resolved` reaches on an object of a class."""
        if resolved.flags & PRIVATE or resolved.name == "<init>":
            return resolved
        found = self.select(receiver, resolved.key)
        if found is not None and found.is_static:
            raise InputError(f"{found} is static, and cannot replace {resolved}")
        return None if found is None or found.is_abstract else found


def package(name: str) -> str:
    """The package of a class."""
    return name.rpartition("/")[0]


def element(array: str) -> str:
    """The type of an array's elements: a class's name or an array's descriptor.

    It is empty for elements of a basic type, whose letter may be the name of a class, too.
    """
    return "" if len(array) == 2 else named(array[1:])


def described(name: str) -> str:
    """The descriptor of a class or array."""
    return name if name.startswith("[") else f"L{name};"


def named(descriptor: str) -> str:
    """The name of a class, or the descriptor of an array or basic type, from a descriptor."""
    return descriptor[1:-1] if descriptor.startswith("L") else descriptor
