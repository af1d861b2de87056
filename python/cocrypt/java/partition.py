"""Partitions of a workload in Java: methods in bytecode, compiled ahead of time, or in C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import InputError
from cocrypt.java import jars
from cocrypt.java.aot import names
from cocrypt.java.program import JavaProgram, Settings
from cocrypt.java.replaced import replace
from cocrypt.paths import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.java.classfile import ClassFile
    from cocrypt.study import Alternative, Study, Workload
    from cocrypt.study.java import Java
    from cocrypt.toolchain import Unit


def program(java: Java, main: str, choice: Mapping[str, Alternative | None]) -> JavaProgram:
    """The reachable part of a workload, with the chosen options of its candidates.

    A method whose option has a source is native, by KNI if the option says so. One whose option has
    none is compiled ahead of time, and one without an option stays bytecode. Raises `InputError`
    for broken classes.
    """
    options = {name: option for name, option in choice.items() if option is not None}
    native = {name: option.kni for name, option in options.items() if option.source is not None}
    compiled = [name for name, option in options.items() if option.source is None]
    further = [name for option in options.values() for name in option.aot]
    wanted = list(dict.fromkeys((*compiled, *further)))
    return JavaProgram.load(
        java.classes, main, (), native, wanted, floating_point=java.floating_point
    )


def units(study: Study, workload: Workload, choice: Mapping[str, str]) -> list[Unit]:
    """The units in C of a workload: the machine, and its classes with the chosen options."""
    assert study.java is not None, "a workload has a main class if the study has classes"
    assert workload.main is not None, "the reader asks for it"
    java = study.java
    options = {each.function: each.option(choice[each.function]) for each in study.candidates}
    settings = Settings(java.heap, java.stack, java.collector)
    flags = (*study.flags, *settings.flags())
    return program(java, workload.main, options).units(flags)


def functions(study: Study) -> dict[str, str]:
    """The function in C that replaces each candidate, by the candidate.

    Raises `InputError` where a candidate is not exactly one method with code, or the classes have
    nothing of a name that an option compiles ahead of time.
    """
    assert study.java is not None, "this is asked for a study in Java"
    classes = jars.classes(study.java.classes)
    found = {each.function: replace(classes, each.function) for each in study.candidates}
    options = (option for each in study.candidates for option in each.options)
    for name in dict.fromkeys(name for option in options for name in option.aot):
        _require(classes, name)
    return found


def _require(classes: list[ClassFile], name: str) -> None:
    """Raises `InputError` unless a name is a class, or a method."""
    methods = [method for each in classes for method in each.methods]
    known = dict.fromkeys(known for method in methods for known in names(method))
    if name not in known:
        raise InputError(
            f"the classes have neither a class nor a method `{name}`", suggestion(name, list(known))
        )
