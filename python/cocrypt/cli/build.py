"""`cocrypt build`: the images of a study as ELF files with names, for other tools."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import _native, paths
from cocrypt.builder import Builder
from cocrypt.cli import output, programs
from cocrypt.cli.output import JsonOption, StudyArgument
from cocrypt.cli.programs import DEBUG, OptionalDeviceOption
from cocrypt.cli.tables import key, text
from cocrypt.errors import InputError
from cocrypt.measurement import placed, ram, rom
from cocrypt.partition import named, partitions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.builder import Built
    from cocrypt.partition import Partition
    from cocrypt.study import Study, Workload

MOST = 256
"""Partitions that are built at most unless some are named, as many as an exploration simulates."""


@dataclass(frozen=True)
class WrittenImage:
    """An image with its file; `rom` and `ram` are bytes of the whole image, without the stack."""

    built: Built
    file: Path
    hash: str
    rom: int
    ram: int

    @property
    def record(self) -> dict[str, Any]:
        """The image as `--json` prints it."""
        partition = self.built.partition
        return {
            "workload": self.built.workload.name,
            "name": partition.name,
            "choice": partition.choice,
            "hw": list(partition.hw),
            "coprocessors": [str(path) for path in self.built.coprocessors],
            "file": str(self.file),
            "image": self.hash,
            "rom": self.rom,
            "ram": self.ram,
        }


def command(
    study: StudyArgument,
    workload: Annotated[
        list[str] | None,
        typer.Option(
            "--workload", "-w", metavar="NAME", help="This workload; may be repeated. Else all."
        ),
    ] = None,
    partition: Annotated[
        list[str] | None,
        typer.Option(
            "--partition",
            "-p",
            metavar="NAME|FUNCTION[=OPTION],...",
            help="This partition; may be repeated. Else all.",
        ),
    ] = None,
    device: OptionalDeviceOption = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Where the files go; else build/images/STUDY."
        ),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", "-g", help="With lines for debuggers, which are not loaded.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Build the images of a study; write one ELF file for each workload and partition."""
    loaded = programs.study(study, device)
    if debug:
        loaded = replace(loaded, flags=(*loaded.flags, DEBUG))
    workloads = [loaded.workload(name) for name in workload or ()] or list(loaded.workloads)
    chosen = _partitions(loaded, partition or ())
    into = folder or paths.build() / "images" / loaded.name
    with output.progress() as step:
        step("building", 0, len(workloads) * len(chosen))
        images = [image for each in workloads for image in _images(loaded, each, chosen)]
    written = [_write(loaded, built, file) for built, file in _filed(images, into)]
    if as_json:
        values = [file.record for file in written]
        toolchain = Builder(loaded).description()
        output.print_json(
            {
                "study": loaded.name,
                "device": loaded.device.name,
                "images": values,
                "toolchain": toolchain,
            }
        )
    else:
        output.print_table(_table(loaded, written, into))


def _partitions(study: Study, names: Sequence[str]) -> list[Partition]:
    """The named partitions, each once; or all, where they are not too many."""
    if names:
        chosen = [named(study, name) for name in names]
        return list({partition.key: partition for partition in chosen}.values())
    count = 1
    for candidate in study.candidates:
        count *= 1 + len(candidate.options)
    if count > MOST:
        raise InputError(
            f"{study.path} has {count:,} partitions, and at most {MOST} are built at once",
            "name those that you want by --partition; `--partition software` is one",
        )
    return list(partitions(study))


def _images(study: Study, workload: Workload, chosen: Sequence[Partition]) -> list[Built]:
    """One workload's images; programs that are built already are a batch of their own."""
    return Builder(study).build([(workload, partition) for partition in chosen])


def _filed(images: Sequence[Built], into: Path) -> list[tuple[Built, Path]]:
    """Each image with its file; no two files have the same name."""
    taken: set[str] = set()
    filed = []
    for built in images:
        stem = f"{_plain(built.workload.name)}.{_plain(built.partition.name)}"
        name, number = stem, 1
        # File systems that ignore case must not lose a file to another.
        while name.lower() in taken:
            number += 1
            name = f"{stem}.{number}"
        taken.add(name.lower())
        filed.append((built, into / f"{name}.elf"))
    return filed


def _plain(name: str) -> str:
    """A name without characters that have a meaning in shells, file systems and Make."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "unnamed"


def _write(study: Study, built: Built, file: Path) -> WrittenImage:
    content = built.image
    device = study.device_of(built.partition.choice)
    info = placed(_native.image_info(content, built.name), device)
    paths.write_image(file, content)
    return WrittenImage(built, file, info["hash"], rom(info), ram(info))


def _table(study: Study, written: Sequence[WrittenImage], into: Path) -> Table:
    names = (key("workload"), key("partition"), text("in hardware", spare=1), key("file"))
    title = f"{study.title}: images for {study.device.name}, in {into}"
    table = output.table(title, *names, "ROM", "RAM")
    for image in written:
        partition = image.built.partition
        hardware = ", ".join(partition.hw) or "-"
        sizes = (f"{image.rom:,}", f"{image.ram:,}")
        table.add_row(image.built.workload.name, partition.name, hardware, image.file.name, *sizes)
    table.caption = "bytes of the whole image: what is loaded, and what may be written, no stack"
    table.caption_justify = "left"
    return table
