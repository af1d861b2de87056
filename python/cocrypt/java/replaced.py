"""Methods of a program that functions in C replace, while its class files stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java.classfile import dotted
from cocrypt.java.names import c_name
from cocrypt.paths import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.java.classfile import ClassFile, Method


def replace(classes: Sequence[ClassFile], name: str, *, kni: bool = False) -> str:
    """Makes a method native that these classes have code for; returns the name of its function.

    `name` is `Class.method` or `Class.method(descriptor)`; with `kni` the function is by KNI.
    Raises `InputError` where that is not exactly one method, or one that cannot be replaced.
    """
    methods = [method for each in classes for method in each.methods]
    found = [method for method in methods if name in (_short(method), str(method))]
    if not found:
        known = sorted({_short(method) for method in methods if method.code is not None})
        raise InputError(f"the classes have no method `{name}`", suggestion(name, known))
    if len(found) > 1:
        names = ", ".join(map(str, found))
        raise InputError(f"`{name}` is {len(found)} methods", f"name one of them: {names}")
    (method,) = found
    if method.code is None or method.name.startswith("<"):
        kind = "native" if method.is_native else "a constructor, an initialiser or abstract"
        raise InputError(f"{method} cannot be replaced: it is {kind}", "name a method with code")
    method.replaced, method.kni, method.code = True, kni, None
    return c_name(method)


def _short(method: Method) -> str:
    return f"{dotted(method.owner.name)}.{method.name}"
