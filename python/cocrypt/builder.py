"""From a study's workload and partition to an image: which units are linked is the partition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cocrypt import _native, boundary, house
from cocrypt.errors import InputError
from cocrypt.house import suggestion
from cocrypt.measurement import function_names
from cocrypt.partition import partition
from cocrypt.patching import Program, is_program
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
    """What a function that replaces a candidate is called in its object file."""
    name = candidate.function
    return boundary.REPLACEMENT + name if candidate.software is None else name


def _entry(workload: Workload) -> list[str]:
    """The linker's option that lets the start-up code call a workload's entry."""
    return [] if workload.entry == "main" else [f"--defsym=main={workload.entry}"]


def _silent_entry(workload: Workload) -> list[str]:
    """The same where a function of the runtime calls it, which returns 0 for it."""
    if workload.entry == "main":
        return ["--wrap=main"]
    return ["--defsym=main=__wrap_main", f"--defsym=__real_main={workload.entry}"]


def _heap_folder() -> Path:
    """The folder of the runtime that holds the heap and its headers."""
    return house.runtime() / "heap"


def _returns_nothing(path: Path, entry: str) -> bool:
    """Whether an image's debug information says that its entry returns nothing."""
    image = path.read_bytes()
    symbols = _native.image_info(image, path.name)["symbols"]
    addresses = [one["address"] for one in symbols if one["name"] == entry]
    found = _native.function_results(image, addresses[:1])
    return any(has_result is False for has_result, _, _ in found)


@dataclass(frozen=True)
class Builder:
    """Builds the images of one study."""

    study: Study

    def build(self, wanted: Sequence[tuple[Workload, Partition]]) -> list[Built]:
        """The images of these partitions; every unit is compiled once for all of them."""
        units = [unit for pair in wanted for unit in self._units(*pair)]
        objects = self._toolchain.compile(units)
        if wanted and self.is_program(wanted[0][0]):
            return [
                self._link_behind(workload, partition, objects) for workload, partition in wanted
            ]
        for workload in dict.fromkeys(workload for workload, _ in wanted):
            self._require_candidates(workload, objects)
        for unit, function in self._replacements():
            self._require_function(unit, function, objects)
        return [self._link(workload, partition, objects) for workload, partition in wanted]

    def _require_candidates(self, workload: Workload, objects: dict[Unit, Path]) -> None:
        """Sees to it that each candidate without a file of its own is in one of the sources."""
        if not self.study.bounded:
            return
        sources = (workload.source, *self.study.common)
        units = [self._unit(path, self.study.bounded) for path in sources]
        named = {unit.source.name: function_names([objects[unit]]) for unit in units}
        for function in self.study.bounded:
            where = [name for name, functions in named.items() if function in functions]
            if not where:
                known = sorted(frozenset[str]().union(*named.values()))
                message = f"the sources of `{workload.name}` define no function `{function}`"
                raise InputError(message, suggestion(function, known))
            if len(where) > 1:
                message = f"`{function}` is defined in {' and in '.join(where)}"
                raise InputError(message, "a candidate must be one function; rename one of them")

    def _replacements(self) -> list[tuple[Unit, str]]:
        """The sources of all options, and the function that each must define."""
        return [
            (self._replacement(one, option), _replacing(one))
            for one in self.study.candidates
            for option in one.options
        ]

    def _require_function(self, unit: Unit, function: str, objects: dict[Unit, Path]) -> None:
        """Sees to it that an option's source, where it was compiled, has what it is there for."""
        found = function_names([objects[unit]]) if unit in objects else frozenset({function})
        if function not in found:
            name = function.removeprefix(boundary.REPLACEMENT)
            known = suggestion(name, [one.removeprefix(boundary.REPLACEMENT) for one in found])
            message = f"{unit.source} defines no function `{name}` for others to call"
            raise InputError(message, known)

    def natural(self, workload: Workload) -> Built:
        """The image of a workload in software alone, built as if nothing could be replaced."""
        software = partition(self.study, ())
        chain = self._toolchain
        units = [replace(unit, bounds=()) for unit in self._units(workload, software)]
        objects = chain.compile(units)
        name = f"{self.study.name}/{workload.name} (natural build)"
        path = self._linked(workload, units, objects, name)
        return Built(workload, software, name, path, (), frozenset())

    @staticmethod
    def is_program(workload: Workload) -> bool:
        """Whether a workload is a program that somebody else has built."""
        return is_program(workload.source)

    def _link_behind(
        self, workload: Workload, partition: Partition, objects: dict[Unit, Path]
    ) -> Built:
        """A program with some of its functions replaced, or as it is."""
        name = f"{self.study.name}/{workload.name} ({partition.name})"
        program = Program.load(workload.source)
        chosen = [
            one for one in self.study.candidates if partition.choice[one.function] != SOFTWARE
        ]
        for one in self.study.candidates:
            program.function(one.function)
            if one.software is not None:
                raise InputError(
                    f"{self.study.path}: `{one.function}` has a source, but {workload.source} is "
                    "built already",
                    "leave `software` out: the function in the program is replaced",
                )
        units = list(dict.fromkeys(self._replacing_units(partition)))
        jumps = {one.function: _replacing(one) for one in chosen}
        path = workload.source
        if jumps:
            linked = [objects[unit] for unit in units]
            named = sources_of(objects)
            path = self._toolchain.link_behind(program, linked, jumps, name, named)
        return self._built(workload, partition, name, path, objects)

    def _replacing_units(self, partition: Partition) -> list[Unit]:
        """What takes the place of functions, with the drivers that it needs."""
        return [*self._software(partition), *self._drivers(partition)]

    def description(self) -> dict[str, Any]:
        """What somebody needs to know to build the same images."""
        return self._toolchain.description(self.study.flags)

    @property
    def _toolchain(self) -> Toolchain:
        study = self.study
        return Toolchain(study.device, project=study.project, tools=study.build_tools)

    def _link(self, workload: Workload, partition: Partition, objects: dict[Unit, Path]) -> Built:
        name = f"{self.study.name}/{workload.name} ({partition.name})"
        units = self._units(workload, partition)
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
        """The image of these units; an entry that returns nothing is called by one that does."""
        chain, names = self._toolchain, sources_of(objects)
        linked = [objects[unit] for unit in units]
        path = chain.link(linked, name, [*bindings, *_entry(workload)], names)
        if not _returns_nothing(path, workload.entry):
            return path
        calling = Unit(house.runtime() / "entry" / "nothing.c", self.study.flags)
        linked.append(chain.compile([calling])[calling])
        return chain.link(linked, name, [*bindings, *_silent_entry(workload)], names)

    def _built(
        self,
        workload: Workload,
        partition: Partition,
        name: str,
        path: Path,
        objects: dict[Unit, Path],
    ) -> Built:
        """An image, with what has to be known of its drivers."""
        coprocessors = self.study.coprocessors(partition.choice)
        return Built(
            workload=workload,
            partition=partition,
            name=name,
            path=path,
            coprocessors=coprocessors,
            driver_functions=function_names([objects[unit] for unit in self._drivers(partition)]),
        )

    def _bindings(self, partition: Partition) -> list[str]:
        """Which of the functions within the project's sources are replaced, for the linker."""
        bounded = self.study.bounded
        replaced = [one for one in bounded if partition.choice[one] != SOFTWARE]
        return boundary.bindings(bounded, replaced)

    def _units(self, workload: Workload, partition: Partition) -> list[Unit]:
        if self.is_program(workload):
            return self._replacing_units(partition)
        bounds = self.study.bounded
        own = [self._unit(path, bounds) for path in (workload.source, *self.study.common)]
        replaced = self._replacing_units(partition)
        return [*self._toolchain.runtime(self.study.flags), *self._heap(), *own, *replaced]

    def _heap(self) -> list[Unit]:
        """What allocates memory, where the study has a heap."""
        if self.study.heap is None:
            return []
        flags = (*self.study.flags, f"-DCOCRYPT_HEAP={self.study.heap}")
        return [Unit(_heap_folder() / "heap.c", flags, (_heap_folder(),))]

    @property
    def _include(self) -> tuple[Path, ...]:
        """The header folders of the project's units."""
        heap = () if self.study.heap is None else (_heap_folder(),)
        return (*self.study.include, *heap)

    def _software(self, partition: Partition) -> list[Unit]:
        """The sources of functions that are software: as they were, or other ones."""
        units = []
        for one in self.study.candidates:
            option = one.option(partition.choice[one.function])
            if option is None and one.software is not None:
                units.append(self._unit(one.software, self.study.bounded))
            elif option is not None and option.coprocessor is None:
                units.append(self._replacement(one, option))
        return units

    def _drivers(self, partition: Partition) -> list[Unit]:
        if not partition.hw:
            return []
        chosen = (
            (one, one.option(partition.choice[one.function])) for one in self.study.candidates
        )
        used = [(one, option) for one, option in chosen if option and option.coprocessor]
        common = [self._unit(path) for path in self.study.drivers]
        library = dict.fromkeys(option.driver for _, option in used if option.driver)
        theirs = [self._unit(path) for path in library]
        return [*common, *theirs, *(self._replacement(*pair) for pair in used)]

    def _replacement(self, candidate: Candidate, option: Alternative) -> Unit:
        """An option's source; where the function stays too, it gets a name of its own."""
        flags, include, replacing = self.study.flags, self._include, None
        if candidate.software is None and option.source.suffix in {".S", ".s"}:
            # A preprocessor would rename instructions too.
            replacing = candidate.function
        elif candidate.software is None:
            flags = (*flags, boundary.renaming(candidate.function))
        if option.driver is not None:
            include = (*include, option.driver.parent)
        return Unit(
            option.source, flags, include, extensions=option.extensions, replacing=replacing
        )

    def _unit(self, source: Path, bounds: tuple[str, ...] = ()) -> Unit:
        return Unit(source, self.study.flags, self._include, bounds)
