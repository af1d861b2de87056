"""The header by which native methods in C get and set the fields of objects.

Where a field is depends on the class files alone, so the header is the same in every partition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.java.classfile import dotted
from cocrypt.java.layout import placed_fields
from cocrypt.java.names import c_type, comment, mangled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cocrypt.java.classfile import ClassFile, Field
    from cocrypt.java.world import World

NAME = "java_fields.h"
MACROS = {"D": "JAVA_WIDE_FIELD", "F": "JAVA_FLOAT_FIELD", "J": "JAVA_WIDE_FIELD"}
TEXT = """/* Fields: java_get_Class_field(object), java_set_Class_field(object, value). */

#ifndef COCRYPT_JAVA_FIELDS_H
#define COCRYPT_JAVA_FIELDS_H

#include "java_field_access.h"

{fields}
#endif
"""


def header(world: World, classes: Iterable[ClassFile]) -> str:
    """The header for the fields that these classes declare.

    A class whose parents are not there is left out: a program that uses it is refused elsewhere.
    """
    lines: dict[str, str] = {}
    for each in classes:
        try:
            places, _ = placed_fields(world, each.name)
        except InputError:
            continue
        # Fields of one name and different types are legal; the first one has the functions.
        for found in each.fields:
            if not found.is_static:
                lines.setdefault(_name(found), _declared(found, places[found]))
    return TEXT.format(fields="".join(f"{line}\n" for line in lines.values()))


def folder(text: str) -> Path:
    """A folder that holds this header alone."""
    return paths.kept(NAME, text).parent


def _name(found: Field) -> str:
    return f"{mangled(found.owner.name)}_{mangled(found.name)}"


def _declared(found: Field, at: int) -> str:
    name, kind = _name(found), c_type(found.descriptor)
    title = comment(f"{dotted(found.owner.name)}.{found.name}: {found.descriptor}")
    if kind == "jobject":
        return f"JAVA_OBJECT_FIELD({name}, {at}) /* {title} */"
    return f"{MACROS.get(found.descriptor, 'JAVA_FIELD')}({name}, {kind}, {at}) /* {title} */"
