"""The numbers of everything in an image: classes, methods, fields, constants, rows of dispatch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cocrypt.errors import InputError
from cocrypt.java.classfile import Constant, dotted, slots
from cocrypt.java.objects import Object, is_object, reachable

if TYPE_CHECKING:
    from collections.abc import Container

    from cocrypt.java.classfile import ClassFile, Field, Method
    from cocrypt.java.reach import Reached
    from cocrypt.java.world import World

Value = TypeVar("Value")
Selector = tuple[str, str, str]
"""A method that calls select: the interface that declares it, or nothing; name and descriptor."""
Row = tuple[tuple[int, int], ...]
"""The entries of a class: numbers of selectors, and of the methods that its objects have."""
MOST_WORDS = 255
"""Words of an object at most, with its header."""


@dataclass
class Layout:
    """The numbers of one image."""

    reached: Reached
    classes: dict[str, int] = field(default_factory=dict)
    methods: dict[Method, int] = field(default_factory=dict)
    fields: dict[Field, int] = field(default_factory=dict)
    """Of objects: words behind the object's start, which holds its class."""
    words: dict[str, int] = field(default_factory=dict)
    """Words of an object of each class."""
    statics: dict[Field, int] = field(default_factory=dict)
    """Words of `java_statics`; those of references come first."""
    references: int = 0
    ints: dict[int, int] = field(default_factory=dict)
    longs: dict[int, int] = field(default_factory=dict)
    objects: dict[Constant, int] = field(default_factory=dict)
    operations: dict[str, int] = field(default_factory=dict)
    """The operations on floating point."""
    initial: dict[Object, int] = field(default_factory=dict)
    """The objects that exist when the program starts."""
    selectors: dict[Selector, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    """The offset of each class's row in `dispatch`; only equal rows begin at the same entry."""
    dispatch: list[tuple[int, int] | None] = field(default_factory=list)

    def static(self, found: Field) -> int:
        """The index of a static field."""
        return self.statics[found]

    def constant(self, found: Field) -> int | None:
        """The number that a static field always has, if it is one."""
        initials = self.reached.initials
        if found not in initials.constants or is_object(found.descriptor):
            return None
        value: int = initials.values[found]
        return value

    def constant_object(self, found: Field) -> int | None:
        """The number of the object that a static field always refers to, if it does."""
        initials = self.reached.initials
        value = initials.values[found] if found in initials.constants else None
        return self.initial.get(value) if isinstance(value, Object) else None

    def initialized_before(self, user: Method, owner: str) -> str | None:
        """The class whose static initialiser runs before code of a method uses a class.

        Code of a class runs after the initialisers of its parents, but not of its interfaces.
        """
        world, own = self.reached.world, user.owner.name
        is_interface = world.get(owner, own).is_interface
        if not is_interface and world.is_subclass(own, owner, own):
            return None
        first = self.reached.initialized(owner)
        return None if first is None else first.name

    def object_fields(self, name: str) -> list[Field]:
        """The fields of the objects of a class, those of its parents first."""
        return object_fields(self.reached.world, name)

    def number(self, table: dict[int, int], value: int) -> int:
        """The index of a constant in a table."""
        return _numbered(table, value)

    def operation(self, name: str) -> int:
        """The index of an operation on floating point in the table of their functions."""
        return _numbered(self.operations, name)

    def object(self, constant: Constant) -> int:
        """The index of a string or a class in the table of constant objects."""
        return _numbered(self.objects, constant)

    def targets(self, site: Method, owner: str) -> list[Method]:
        """The methods that a call by way of `owner` may reach."""
        return list(dict.fromkeys(filter(None, self._selected(site, owner))))

    def is_checked(self, site: Method, owner: str) -> bool:
        """True if an object that is not null may lack the method that a call by `owner` selects.

        The verifier lets any object be used as one of an interface, and a class may be made
        without a method that the one above it has no code for.
        """
        return site.owner.is_interface or None in self._selected(site, owner)

    def _selected(self, site: Method, owner: str) -> list[Method | None]:
        """The method of each class's objects for a call by way of `owner`."""
        world = self.reached.world
        if owner.startswith("[") or world.get(owner, owner).is_interface:
            owner = site.owner.name
        return [
            world.selected(each, site)
            for name, each in self.reached.instantiated.items()
            if world.is_subclass(name, owner, name)
        ]


def _numbered(table: dict[Value, int], value: Value) -> int:
    index = table.setdefault(value, len(table))
    if index >= 1 << 16:
        raise InputError("the program has more than 65,536 different constants")
    return index


def object_fields(world: World, name: str) -> list[Field]:
    """The fields of the objects of a class, those of its parents first."""
    line = list(world.line(world.get(name, name)))
    return [each for above in reversed(line) for each in above.fields if not each.is_static]


def placed_fields(world: World, name: str) -> tuple[dict[Field, int], int]:
    """The word of each field in the objects of a class, and their number of words.

    Raises `InputError` for objects that are too large.
    """
    found, at = {}, 1
    for each in object_fields(world, name):
        found[each] = at
        at += slots(each.descriptor)
    if at > MOST_WORDS:
        raise InputError(f"objects of {dotted(name)} have more than {MOST_WORDS} words")
    return found, at


def layout(reached: Reached) -> Layout:
    """The layout of a program's reachable part."""
    made = Layout(reached)
    made.classes = {name: index for index, name in enumerate(reached.types)}
    made.methods = {method: index for index, method in enumerate(reached.methods)}
    for table, what in ((made.classes, "classes"), (made.methods, "methods")):
        if len(table) >= 1 << 16:
            raise InputError(f"the program has more than 65,535 {what}")
    for name in reached.types:
        if not name.startswith("["):
            places, made.words[name] = placed_fields(reached.world, name)
            made.fields |= places
    _place_statics(made)
    _place_objects(made)
    _place_dispatch(made)
    return made


def _place_statics(made: Layout) -> None:
    world = made.reached.world
    classes = [world.get(name, name) for name in made.classes if not name.startswith("[")]
    found = [each for owner in classes for each in owner.fields if each.is_static]
    found.sort(key=lambda each: not is_object(each.descriptor))
    at = 0
    for each in found:
        made.statics[each] = at
        at += slots(each.descriptor)
    made.references = sum(is_object(each.descriptor) for each in found)
    if at >= 1 << 16:
        raise InputError("the program has more than 65,535 words of static fields")


def _place_objects(made: Layout) -> None:
    values = [made.reached.initials.values.get(each) for each in made.statics]
    found = reachable(each for each in values if isinstance(each, Object))
    made.initial = {each: index for index, each in enumerate(found)}


def selector(site: Method) -> Selector:
    """The key by which a call selects; methods of classes by name and descriptor alone."""
    return (site.owner.name if site.owner.is_interface else "", *site.key)


def _place_dispatch(made: Layout) -> None:
    """Puts the rows of all classes into one table, each where its entries meet free cells."""
    for site, targets in made.reached.sites.items():
        if len(targets) > 1 or made.is_checked(site, site.owner.name):
            made.selectors.setdefault(selector(site), len(made.selectors))
    rows = {name: _row(made, each) for name, each in made.reached.instantiated.items()}
    starts: dict[Row, int] = {}
    for name, row in sorted(rows.items(), key=lambda item: -len(item[1])):
        if row not in starts:
            starts[row] = _placed(made.dispatch, row, set(starts.values()))
        made.rows[name] = starts[row]
    # A look-up of any selector stays within the table.
    room = max(starts.values(), default=0) + len(made.selectors)
    made.dispatch += [None] * (room - len(made.dispatch))


def _row(made: Layout, each: ClassFile) -> Row:
    world = made.reached.world
    implemented = {"", *world.interfaces(each)}
    found = {
        number: world.select(each, (name, descriptor))
        for (owner, name, descriptor), number in made.selectors.items()
        if owner in implemented
    }
    return tuple(
        (number, made.methods[method])
        for number, method in found.items()
        if method in made.methods and not method.is_static
    )


def _placed(table: list[tuple[int, int] | None], row: Row, taken: Container[int]) -> int:
    """Puts a row into free cells of a table; returns where it begins, which is none of `taken`.

    The entry of a selector belongs to the row that begins so many entries before it, so rows that
    begin at the same entry would be one.
    """
    start = 0
    while start in taken or any(
        start + number < len(table) and table[start + number] is not None for number, _ in row
    ):
        start += 1
    if start >= 1 << 16:
        raise InputError("the program has more than 65,536 entries of methods to select from")
    for number, method in row:
        table.extend([None] * (start + number + 1 - len(table)))
        table[start + number] = (number, method)
    return start


def reference_words(made: Layout, name: str) -> list[int]:
    """The words of an object that hold references."""
    return [made.fields[each] for each in made.object_fields(name) if is_object(each.descriptor)]
