"""`cocrypt java`: a program in Java as an ELF file for a device, with its footprint."""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cocrypt import _native, paths
from cocrypt.cli import output
from cocrypt.cli.output import DeviceOption, JsonOption
from cocrypt.cli.tables import key
from cocrypt.device import Device
from cocrypt.java.classfile import dotted
from cocrypt.java.program import JavaProgram, Settings
from cocrypt.measurement import placed, ram, rom
from cocrypt.paths import USUAL_DEVICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cocrypt.java.emit import Image

USUAL = Settings()
LEVELS = ("-O1", "-O2", "-O3", "-Os", "-Oz")

HEADER = """/* Native methods of {main}. Implement each in C, and name the file by --native. */

#include "{header}"

{prototypes}

{fields}"""


class Interface(StrEnum):
    """The interface of native methods: arguments as JNI has them, or KNI's functions."""

    JNI = "jni"
    KNI = "kni"

    @property
    def header(self) -> str:
        """The header with its types."""
        return "java.h" if self is Interface.JNI else "kni.h"


def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Class files, folders of them, and jars."),
    ],
    main: Annotated[
        str,
        typer.Option(
            "--main", metavar="NAME", help="The class with `main`, or a static Class.method."
        ),
    ],
    device: DeviceOption = USUAL_DEVICE,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The ELF file; else build/images/MAIN.elf."
        ),
    ] = None,
    heap: Annotated[
        int, typer.Option("--heap", metavar="BYTES", help="Bytes for objects.")
    ] = USUAL.heap,
    stack: Annotated[
        int, typer.Option("--stack", metavar="BYTES", help="Bytes for the frames of methods.")
    ] = USUAL.stack,
    collector: Annotated[
        bool,
        typer.Option(
            "--collector/--no-collector", help="Free objects that are not reachable any more."
        ),
    ] = True,
    native: Annotated[
        list[Path] | None,
        typer.Option("--native", metavar="FILE", help="Native methods in C; may be repeated."),
    ] = None,
    interface: Annotated[
        Interface,
        typer.Option(
            "--interface", metavar="jni|kni", help="How native methods in C get their arguments."
        ),
    ] = Interface.JNI,
    aot: Annotated[
        list[str] | None,
        typer.Option(
            "--aot",
            metavar="NAME",
            help="Compile ahead of time: `all`, a class, or Class.method; may be repeated.",
        ),
    ] = None,
    host_initializers: Annotated[
        bool,
        typer.Option(
            "--host-initializers/--no-host-initializers",
            help="Run static initialisers that depend on nothing now; their results are in ROM.",
        ),
    ] = True,
    floating_point: Annotated[
        bool,
        typer.Option("--floating-point", help="Let code use floats and doubles, by software."),
    ] = False,
    header: Annotated[
        Path | None,
        typer.Option(
            "--header",
            metavar="FILE",
            help="Write prototypes of native methods, and fields; no image.",
        ),
    ] = None,
    count: Annotated[
        bool,
        typer.Option("--count", help="Print the number of interpreted bytecodes when it ends."),
    ] = False,
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help="Optimisation of the C code.")
    ] = "-Os",
    as_json: JsonOption = False,
) -> None:
    """Build a program in Java for a device: write its ELF file, print what it takes."""
    kni = interface is Interface.KNI
    program = JavaProgram.load(
        files,
        main,
        aot or (),
        kni=kni,
        host_initializers=host_initializers,
        floating_point=floating_point,
    )
    if header is not None:
        prototypes = "\n".join(program.image.natives)
        text = HEADER.format(
            main=main, header=interface.header, prototypes=prototypes, fields=program.fields
        )
        paths.write_text(header, text)
        return
    if level not in LEVELS:
        raise typer.BadParameter(f"one of {', '.join(LEVELS)} is needed", param_hint="--level")
    chosen = Device.load(paths.device(device))
    settings = Settings(heap, stack, collector, count)
    content = program.build(chosen, settings, native or (), (level, "-g")).read_bytes()
    file = target or paths.build() / "images" / f"{main}.elf"
    paths.write_image(file, content)
    info = placed(_native.image_info(content, main), chosen)
    values = {
        "main": main,
        "device": chosen.name,
        "file": str(file),
        "image": info["hash"],
        "rom": rom(info),
        "ram": ram(info),
        "heap": heap,
        "java_stack": stack,
        "classes": _classes(program.image, info),
    }
    if as_json:
        output.print_json(values)
    else:
        output.print_table(_table(values))


def _classes(image: Image, info: dict[str, Any]) -> list[dict[str, Any]]:
    """The classes with their methods, bytes of ROM each; the largest come first."""
    sizes = {each["name"]: each["size"] for each in info["symbols"]}
    methods: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in image.methods:
        in_c = sum(sizes.get(name, 0) for name in each.functions)
        values = {"name": each.method, "bytecode": each.bytecode, "rom": each.rom + in_c}
        methods[each.owner].append({**values, "compiled": bool(each.functions)})
    classes = []
    for name, size in image.classes.items():
        own, initializer = methods[dotted(name)], _initializer(image, name)
        rom = size + sum(each["rom"] for each in own) + (initializer or {"rom": 0})["rom"]
        values = {"name": dotted(name), "description": size, "rom": rom}
        classes.append({**values, "initializer": initializer, "methods": own})
    return sorted(classes, key=lambda each: -each["rom"])


def _initializer(image: Image, name: str) -> dict[str, Any] | None:
    """The static initialiser of a class, and the bytes of the objects that it left."""
    found = image.initializers.get(name)
    if found is None:
        return None
    where = {"runs_on": "device" if found.reason else "host", "reason": found.reason or None}
    return {**where, "rom": found.rom, "ram": found.ram}


def _table(values: dict[str, Any]) -> Table:
    title = f"{values['main']} for {values['device']}, in {values['file']}"
    table = output.table(title, key("class"), "methods", "bytecode", "initialiser", "ROM")
    for each in values["classes"]:
        initializer = (each["initializer"] or {"runs_on": ""})["runs_on"]
        bytecode = sum(method["bytecode"] for method in each["methods"])
        sizes = (f"{len(each['methods']):,}", f"{bytecode:,}", initializer, f"{each['rom']:,}")
        table.add_row(each["name"], *sizes)
    table.caption = _caption(values)
    table.caption_justify = "left"
    return table


def _caption(values: dict[str, Any]) -> str:
    parts: Sequence[str] = (
        f"bytes; the whole image has {values['rom']:,} of ROM",
        f"and {values['ram']:,} of RAM,",
        f"of that {values['heap']:,} for the heap and {values['java_stack']:,} for Java's stack",
    )
    return " ".join(parts)
