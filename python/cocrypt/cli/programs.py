"""Programs to run: a file on a device, or a study's workload, built for a partition.

The verbs that run one program share this: a study gives the image, the device and the coprocessors
of the partition; with an image, the command line gives the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
from cocrypt.builder import Builder
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.outcome import Output, WrongOutputError
from cocrypt.partition import named, partition
from cocrypt.study import Study

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.builder import Built
    from cocrypt.measurement import Run

ProgramArgument = Annotated[
    Path,
    typer.Argument(
        metavar="IMAGE|STUDY",
        help="An ELF or Intel HEX file, or a raw binary; or a study, whose workload is built.",
    ),
]
OptionalDeviceOption = Annotated[
    str | None,
    typer.Option(
        "--device",
        "-d",
        metavar="NAME|FILE",
        help="The device; see `devices`. A study's own unless given.",
    ),
]
WorkloadOption = Annotated[
    str | None,
    typer.Option(
        "--workload", "-w", metavar="NAME", help="Which workload of the study; else the first."
    ),
]
PartitionOption = Annotated[
    str | None,
    typer.Option(
        "--partition",
        "-p",
        metavar="NAME|FUNCTION[=OPTION],...",
        help="What of the study's candidates is replaced; else nothing.",
    ),
]
DEBUG = "-g"
"""Lines for debuggers and findings; what is loaded stays the same."""


@dataclass(frozen=True)
class Program:
    """An image's file with the device that runs it.

    `name` is what messages call it. `built` and `study` say where it comes from, and are None for a
    file; `coprocessors` are register maps, of which `dual_rails` have two rails as gates.
    """

    path: Path
    name: str
    device: Device
    coprocessors: tuple[Path, ...] = ()
    console_input: bytes = b""
    study: Study | None = None
    built: Built | None = None
    dual_rails: frozenset[Path] = frozenset()

    def output(self, run: Run) -> Output | None:
        """The output of a study's workload; None for an image, or where the program did not end."""
        if self.built is None or run.values["stop"]["kind"] != "exit":
            return None
        workload = self.built.workload
        return Output(workload.output, run.output(workload.output, workload.size), workload.expect)


def require_expected(program: Program, output: Output | None) -> None:
    """Raises `WrongOutputError` if a program leaves other bytes than its study expects."""
    if output is not None and output.verified is False:
        raise WrongOutputError(
            f"{program.name}: `{output.symbol}` is not what the study expects:", output
        )


def is_study(path: Path) -> bool:
    """Returns whether a file on the command line is a study, as its name tells."""
    return path.suffix.lower() == ".toml"


def program(
    path: Path,
    device: str | None,
    workload: str | None = None,
    partition_name: str | None = None,
    coprocessors: Sequence[Path] | None = None,
) -> Program:
    """The program that a command line names.

    Raises `InputError` where it lacks a device, or names what only studies or only images have.
    """
    if is_study(path):
        if coprocessors:
            raise InputError(
                "a study's partition says which coprocessors are on the bus",
                "choose one by --partition, or name an image instead of the study",
            )
        return _built(path, device, workload, partition_name)
    for option, value in (("--workload", workload), ("--partition", partition_name)):
        if value is not None:
            raise InputError(
                f"{option} chooses what of a study is run, and {path} is none",
                "name the study's .toml file",
            )
    if device is None:
        raise InputError(
            f"on which device {path} runs is not said", "add --device; see `cocrypt devices`"
        )
    return Program(path, str(path), Device.load(device), tuple(coprocessors or ()))


def study(path: Path, device: str | None) -> Study:
    """A study, on the device of a name where one is given."""
    loaded = Study.load(path)
    return loaded if device is None else loaded.on(Device.load(paths.device(device)))


def _built(
    path: Path, device: str | None, workload: str | None, partition_name: str | None
) -> Program:
    loaded = study(path, device)
    loaded = replace(loaded, flags=(*loaded.flags, DEBUG))
    chosen = partition(loaded, ()) if partition_name is None else named(loaded, partition_name)
    (built,) = Builder(loaded).build([(loaded.workload(workload), chosen)])
    return Program(
        path=built.path,
        name=built.name,
        device=loaded.device_of(chosen.choice),
        coprocessors=built.coprocessors,
        console_input=built.workload.input,
        study=loaded,
        built=built,
        dual_rails=loaded.dual_rails(chosen.choice),
    )
