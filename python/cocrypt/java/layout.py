"""The numbers of everything in an image: classes, methods, fields, constants, rows of dispatch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cocrypt.errors import InputError
from cocrypt.java.classfile import Constant, dotted, slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.java.classfile import ClassFile, Field, Method
    from cocrypt.java.reach import Reached

Value = TypeVar("Value")
MOST_WORDS = 255
"""Words of an object at most, with its header."""


def is_object(descriptor: str) -> bool:
    """True for the type of a class or array."""
    return descriptor[0] in "L["


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
    selectors: dict[tuple[str, str], int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    dispatch: list[tuple[int, int] | None] = field(default_factory=list)

    def static(self, found: Field) -> int:
        """The index of a static field."""
        return self.statics[found]

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
        world = self.reached.world
        line = list(world.line(world.get(name, name)))
        return [each for above in reversed(line) for each in above.fields if not each.is_static]

    def number(self, table: dict[int, int], value: int) -> int:
        """The index of a constant in a table."""
        return _numbered(table, value)

    def object(self, constant: Constant) -> int:
        """The index of a string or a class in the table of constant objects."""
        return _numbered(self.objects, constant)

    def targets(self, site: Method, owner: str) -> list[Method]:
        """The methods that a call by way of `owner` may reach."""
        world = self.reached.world
        # The verifier lets any object be used as one of an interface.
        if owner.startswith("[") or world.get(owner, owner).is_interface:
            owner = site.owner.name
        found: dict[Method, None] = {}
        for name, each in self.reached.instantiated.items():
            if world.is_subclass(name, owner, name):
                target = world.selected(each, site)
                if target is not None:
                    found[target] = None
        return list(found)


def _numbered(table: dict[Value, int], value: Value) -> int:
    index = table.setdefault(value, len(table))
    if index >= 1 << 16:
        raise InputError("the program has more than 65,536 different constants")
    return index


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
            _place_fields(made, name)
    _place_statics(made)
    _place_dispatch(made)
    return made


def _place_fields(made: Layout, name: str) -> None:
    at = 1
    for each in made.object_fields(name):
        made.fields[each] = at
        at += slots(each.descriptor)
    made.words[name] = at
    if at > MOST_WORDS:
        raise InputError(f"objects of {dotted(name)} have more than {MOST_WORDS} words")


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


def _place_dispatch(made: Layout) -> None:
    """Puts the rows of all classes into one table, each where its entries meet free cells."""
    sites = made.reached.sites
    # A call by an interface is checked, as the verifier does not know which classes implement it.
    polymorphic = [
        site
        for site, targets in sites.items()
        if len(targets) > 1 or (targets and site.owner.is_interface)
    ]
    for site in polymorphic:
        made.selectors.setdefault(site.key, len(made.selectors))
    keys = {site.key for site in polymorphic}
    rows = {name: _row(made, each, keys) for name, each in made.reached.instantiated.items()}
    for name, row in sorted(rows.items(), key=lambda item: -len(item[1])):
        made.rows[name] = _placed(made.dispatch, row)
    # A look-up of any selector stays within the table.
    made.dispatch += [None] * len(made.selectors)


def _row(made: Layout, each: ClassFile, keys: set[tuple[str, str]]) -> list[tuple[int, int]]:
    world = made.reached.world
    found = {key: world.select(each, key) for key in keys}
    return sorted(
        (made.selectors[key], made.methods[method])
        for key, method in found.items()
        if method in made.methods and not method.is_static
    )


def _placed(table: list[tuple[int, int] | None], row: Sequence[tuple[int, int]]) -> int:
    start = 0
    while any(
        start + selector < len(table) and table[start + selector] is not None for selector, _ in row
    ):
        start += 1
    if start >= 1 << 16:
        raise InputError("the program has more than 65,536 entries of methods to select from")
    for selector, method in row:
        table.extend([None] * (start + selector + 1 - len(table)))
        table[start + selector] = (selector, method)
    return start


def reference_words(made: Layout, name: str) -> list[int]:
    """The words of an object that hold references."""
    return [made.fields[each] for each in made.object_fields(name) if is_object(each.descriptor)]
