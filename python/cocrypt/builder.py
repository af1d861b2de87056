"""Builds the images of a study's workloads: a partition decides which units are linked."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cocrypt import _native, boundary, paths
from cocrypt.errors import InputError
from cocrypt.java import partition as in_java
from cocrypt.java.program import compiled, fields_folder, machine_folder, require_machine
from cocrypt.linker.needed import definitions
from cocrypt.partition import partition
from cocrypt.patching import Program, is_program
from cocrypt.paths import suggestion
from cocrypt.sdcc import compiling
from cocrypt.sdcc.toolchain import SdccToolchain
from cocrypt.study import SOFTWARE
from cocrypt.toolchain import Toolchain, Unit, sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.partition import Partition
    from cocrypt.study import Alternative, Candidate, Study, Workload


@dataclass(frozen=True)
class Built:
    """An image of a workload with some functions in hardware."""

    workload: Workload
    partition: Partition
    name: str
    path: Path
    coprocessors: tuple[Path, ...]
    driver_functions: frozenset[str]

    @property
    def image(self) -> bytes:
        """The ELF file's bytes."""
        return self.path.read_bytes()


def _replacing(candidate: Candidate) -> str:
    """The name, in its object file, of the function that replaces a candidate."""
    name = candidate.function
    return boundary.REPLACEMENT + name if candidate.software is None else name


def _source(workload: Workload) -> tuple[Path, ...]:
    """The source of a workload in C; a program in Java has classes instead."""
    return () if workload.source is None else (workload.source,)


def _entry(workload: Workload) -> list[str]:
    """The linker's option that lets the start-up code call a workload's entry."""
    return [] if workload.entry == "main" else [f"--defsym=main={workload.entry}"]


def _silent_entry(workload: Workload) -> list[str]:
    """The linker's options where a function of the runtime calls the entry, and returns 0."""
    if workload.entry == "main":
        return ["--wrap=main"]
    return ["--defsym=main=__wrap_main", f"--defsym=__real_main={workload.entry}"]


def _heap_folder() -> Path:
    """The folder of the runtime that holds the heap and its headers."""
    return paths.runtime() / "heap"


def _returns_nothing(path: Path, entry: str) -> bool:
    """Returns whether an image's debug information says that its entry returns nothing."""
    image = path.read_bytes()
    symbols = _native.image_info(image, path.name)["symbols"]
    addresses = [symbol["address"] for symbol in symbols if symbol["name"] == entry]
    results = _native.function_results(image, addresses[:1])
    return any(size == 0 for size, _, _ in results)


@dataclass(frozen=True)
class Builder:
    """Builds the images of one study."""

    study: Study

    def build(self, pairs: Sequence[tuple[Workload, Partition]]) -> list[Built]:
        """The images of these partitions; every unit is compiled once for all of them."""
        if self.study.java is not None:
            require_machine(self.study.device)
        every = [self._units(*pair) for pair in pairs]
        own = [unit for units in every for unit in units if unit.source not in definitions()]
        objects = compiled(self._toolchain, own)
        if pairs and self.is_program(pairs[0][0]):
            return [
                self._link_behind(workload, partition, objects) for workload, partition in pairs
            ]
        for workload in dict.fromkeys(workload for workload, _ in pairs):
            self._require_candidates(workload, objects)
        for unit, function in self._replacements():
            self._require_function(unit, function, objects)
        return [
            self._link(workload, partition, units, objects)
            for (workload, partition), units in zip(pairs, every, strict=True)
        ]

    def _require_candidates(self, workload: Workload, objects: dict[Unit, Path]) -> None:
        """Raises `InputError` unless one source defines each candidate without its own."""
        if not self.study.bounded:
            return
        sources = (*_source(workload), *self.study.common)
        units = [self._unit(path, self.study.bounded) for path in sources]
        defined = {unit.source.name: self._toolchain.functions([objects[unit]]) for unit in units}
        for function in self.study.bounded:
            files = [name for name, functions in defined.items() if function in functions]
            if not files:
                names = sorted(frozenset[str]().union(*defined.values()))
                message = f"the sources of `{workload.name}` define no function `{function}`"
                raise InputError(message, suggestion(function, names))
            if len(files) > 1:
                message = f"`{function}` is defined in {' and in '.join(files)}"
                raise InputError(message, "a candidate must be one function; rename one of them")

    def _replacements(self) -> list[tuple[Unit, str]]:
        """The sources of all options, and the function that each must define."""
        names = {each.function: _replacing(each) for each in self.study.candidates}
        if self.study.java is not None:
            names = in_java.functions(self.study)
        return [
            (self._replacement(candidate, option.source, option), names[candidate.function])
            for candidate in self.study.candidates
            for option in candidate.options
            if option.source is not None
        ]

    def _require_function(self, unit: Unit, function: str, objects: dict[Unit, Path]) -> None:
        """Raises `InputError` unless an option's source, if compiled, defines its function."""
        defined = (
            self._toolchain.functions([objects[unit]]) if unit in objects else frozenset({function})
        )
        if function not in defined:
            name = function.removeprefix(boundary.REPLACEMENT)
            advice = suggestion(
                name, [symbol.removeprefix(boundary.REPLACEMENT) for symbol in defined]
            )
            message = f"{unit.source} defines no function `{name}` for others to call"
            raise InputError(message, advice)

    def natural(self, workload: Workload) -> Built:
        """The image of a workload in software alone, built as if nothing could be replaced."""
        software = partition(self.study, ())
        units = [replace(unit, bounds=()) for unit in self._units(workload, software)]
        name = f"{self.study.name}/{workload.name} (natural build)"
        path = self._linked(workload, units, {}, name)
        return Built(workload, software, name, path, (), frozenset())

    @staticmethod
    def is_program(workload: Workload) -> bool:
        """Returns whether a workload is a program that is built already."""
        return is_program(workload.source)

    def _link_behind(
        self, workload: Workload, partition: Partition, objects: dict[Unit, Path]
    ) -> Built:
        """A program with some of its functions replaced, or as it is."""
        name = f"{self.study.name}/{workload.name} ({partition.name})"
        assert workload.source is not None, "it is a program that is built already"
        program = Program.load(workload.source)
        chosen = [
            candidate
            for candidate in self.study.candidates
            if partition.choice[candidate.function] != SOFTWARE
        ]
        for candidate in self.study.candidates:
            program.function(candidate.function)
            if candidate.software is not None:
                raise InputError(
                    f"{self.study.path}: `{candidate.function}` has a source, but "
                    f"{workload.source} is built already",
                    "leave `software` out: the function in the program is replaced",
                )
        units = list(dict.fromkeys(self._replacing_units(partition)))
        jumps = {candidate.function: _replacing(candidate) for candidate in chosen}
        path = workload.source
        if jumps:
            linked = [objects[unit] for unit in units]
            sources = sources_of(objects)
            path = self._toolchain.link_behind(program, linked, jumps, name, sources)
        return self._built(workload, partition, name, path, objects)

    def _replacing_units(self, partition: Partition) -> list[Unit]:
        """The units that replace functions, with the drivers that they need."""
        return [*self._software(partition), *self._drivers(partition)]

    def description(self) -> dict[str, Any]:
        """The versions and flags that it takes to build the same images."""
        return self._toolchain.description(self.study.flags)

    @property
    def _toolchain(self) -> Toolchain:
        study = self.study
        kind = SdccToolchain if compiling.compiles(study.device) else Toolchain
        return kind(study.device, project=study.project, tools=study.build_tools)

    def _link(
        self,
        workload: Workload,
        partition: Partition,
        units: Sequence[Unit],
        objects: dict[Unit, Path],
    ) -> Built:
        name = f"{self.study.name}/{workload.name} ({partition.name})"
        path = self._linked(workload, units, objects, name, self._bindings(partition))
        return self._built(workload, partition, name, path, objects)

    def _linked(
        self,
        workload: Workload,
        units: Sequence[Unit],
        objects: dict[Unit, Path],
        name: str,
        bindings: Sequence[str] = (),
    ) -> Path:
        """The image of these units; a function of the runtime calls an entry without a result."""
        chain, options = self._toolchain, [*bindings, *_entry(workload)]
        objects = chain.compile_needed(units, options, objects)
        linked, names = list(objects.values()), sources_of(objects)
        path = chain.link(linked, name, options, names)
        if not _returns_nothing(path, workload.entry):
            return path
        caller = Unit(paths.runtime() / "entry" / "nothing.c", self.study.flags)
        linked.append(chain.compile([caller])[caller])
        return chain.link(linked, name, [*bindings, *_silent_entry(workload)], names)

    def _built(
        self,
        workload: Workload,
        partition: Partition,
        name: str,
        path: Path,
        objects: dict[Unit, Path],
    ) -> Built:
        """An image, with the functions of its drivers."""
        coprocessors = self.study.coprocessors(partition.choice)
        return Built(
            workload=workload,
            partition=partition,
            name=name,
            path=path,
            coprocessors=coprocessors,
            driver_functions=self._toolchain.functions(
                [objects[unit] for unit in self._drivers(partition)]
            ),
        )

    def _bindings(self, partition: Partition) -> list[str]:
        """The linker's options that bind the candidates within the project's sources."""
        bounded = self.study.bounded
        replaced = [function for function in bounded if partition.choice[function] != SOFTWARE]
        return boundary.bindings(bounded, replaced)

    def _units(self, workload: Workload, partition: Partition) -> list[Unit]:
        if self.is_program(workload):
            return self._replacing_units(partition)
        bounds = self.study.bounded
        own = [self._unit(path, bounds) for path in (*_source(workload), *self.study.common)]
        if workload.main is not None:
            own += in_java.units(self.study, workload, partition.choice)
        replaced = self._replacing_units(partition)
        return [*self._toolchain.runtime(self.study.flags), *self._heap(), *own, *replaced]

    def _heap(self) -> list[Unit]:
        """The unit that allocates memory, if the study has a heap."""
        if self.study.heap is None:
            return []
        flags = (*self.study.flags, f"-DCOCRYPT_HEAP={self.study.heap}")
        return [Unit(_heap_folder() / "heap.c", flags, (_heap_folder(),))]

    @property
    def _include(self) -> tuple[Path, ...]:
        """The header folders of the project's units."""
        heap = () if self.study.heap is None else (_heap_folder(),)
        return (*self.study.include, *heap, *self._machine)

    @functools.cached_property
    def _machine(self) -> tuple[Path, ...]:
        """The folders of the headers for native methods in Java, and for the fields of objects."""
        if self.study.java is None:
            return ()
        return machine_folder(), fields_folder(self.study.java.classes)

    def _software(self, partition: Partition) -> list[Unit]:
        """The units of functions that are software: their own sources, or alternatives."""
        units = []
        for candidate in self.study.candidates:
            option = candidate.option(partition.choice[candidate.function])
            if option is None and candidate.software is not None:
                units.append(self._unit(candidate.software, self.study.bounded))
            elif option is not None and option.source is not None and option.coprocessor is None:
                units.append(self._replacement(candidate, option.source, option))
        return units

    def _drivers(self, partition: Partition) -> list[Unit]:
        if not partition.hw:
            return []
        chosen = (
            (candidate, candidate.option(partition.choice[candidate.function]))
            for candidate in self.study.candidates
        )
        used = [
            (candidate, option.source, option)
            for candidate, option in chosen
            if option and option.source and option.coprocessor
        ]
        common = [self._unit(path) for path in self.study.drivers]
        library = dict.fromkeys(option.driver for *_, option in used if option.driver)
        library_units = [self._unit(path) for path in library]
        return [*common, *library_units, *(self._replacement(*each) for each in used)]

    def _replacement(self, candidate: Candidate, source: Path, option: Alternative) -> Unit:
        """An option's unit; where the function stays too, its replacement gets another name."""
        flags, include, replacing = self.study.flags, self._include, None
        # In Java the function has the name of a native method, which nothing else has.
        stays = candidate.software is None and self.study.java is None
        if stays and source.suffix in {".S", ".s"}:
            # A preprocessor would rename instructions too.
            replacing = candidate.function
        elif stays:
            flags = (*flags, boundary.renaming(candidate.function))
        if option.driver is not None:
            include = (*include, option.driver.parent)
        return Unit(source, flags, include, extensions=option.extensions, replacing=replacing)

    def _unit(self, source: Path, bounds: tuple[str, ...] = ()) -> Unit:
        return Unit(source, self.study.flags, self._include, bounds)
