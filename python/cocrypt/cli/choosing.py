"""Options that the verbs on primitives share, and the subjects, devices and builds they name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import assembled, log, paths
from cocrypt.device import Device
from cocrypt.errors import HostError, InputError
from cocrypt.primitives import foreign, library
from cocrypt.primitives.measuring import Build
from cocrypt.primitives.running import buildable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cocrypt.primitives.measuring import Task
    from cocrypt.primitives.subject import Subject
    from cocrypt.subroutines import Cipher, Hash, Measured

    Step = Callable[[str, int, int], None]

PrimitivesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PRIMITIVE|FOLDER",
        help="Primitives, `aes128` or `aes128/small`; or folders with others' code.",
    ),
]
AllOption = Annotated[bool, typer.Option("--all", help="All primitives of the workbench.")]
DevicesOption = Annotated[
    list[str] | None,
    typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; may be repeated."),
]
OptimiseOption = Annotated[
    list[str] | None,
    typer.Option(
        "--optimise", "-O", metavar="s|2|3", help="The compiler's level; may be repeated."
    ),
]
CompilerOption = Annotated[
    list[str] | None,
    typer.Option("--compiler", metavar="NAME", help="zig, or a GCC or clang; may be repeated."),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="So many at a time; else one a core."),
]
LEVELS = ("s", "2", "3")


def subjects(words: Sequence[str], everything: bool) -> list[Subject]:
    """The subjects that words on the command line name: folders, or names of primitives."""
    if everything:
        return [
            *library.ours(),
            *(subject for word in words for subject in foreign.folder(Path(word))),
        ]
    if not words:
        raise InputError(
            "name primitives, or a folder, or --all", "`cocrypt primitives` lists what there is"
        )
    chosen: list[Subject] = []
    for word in words:
        path = Path(word)
        is_folder = path.is_dir() and not any(
            word in (subject.primitive, subject.family) for subject in library.ours()
        )
        if is_folder or path.is_file() or word.startswith((".", "/")):
            chosen += foreign.folder(path)
        else:
            chosen += library.named([word])
    return list({(subject.name, subject.folder): subject for subject in chosen}.values())


def in_assembly(
    words: Sequence[str], devices: Sequence[Device], step: Step
) -> list[tuple[Device, list[Measured]]]:
    """The figures of the subroutines that words name, on those of the devices that run them.

    Raises `InputError` if a word names a subroutine, and no device runs it.
    """
    return [
        (device, assembled.figures(chosen, device, step))
        for device, chosen in subroutines(words, devices)
    ]


def subroutines(
    words: Sequence[str], devices: Sequence[Device]
) -> list[tuple[Device, list[Cipher | Hash]]]:
    """The subroutines that words name, for each of the devices that run them.

    Raises `InputError` if a word names a subroutine, and no device runs it.
    """
    chosen = assembled.named(words)
    running = [device for device in devices if assembled.runs(device)]
    alone = [subroutine.title for subroutine in chosen if subroutine.title in words]
    if alone and not running:
        raise InputError(
            f"`{alone[0]}` is a subroutine in assembly, which none of the devices runs",
            "take a device for whose core it is written: `--device rl78-g13`",
        )
    return [(device, chosen) for device in running if chosen]


def compiled(words: Sequence[str]) -> list[str]:
    """The words on the command line that are no subroutine in assembly."""
    titles = {subroutine.title for subroutine in assembled.named(words)}
    return [word for word in words if word not in titles]


def buildable_tasks(tasks: Sequence[Task], jobs: int | None, step: Step, others: int) -> list[Task]:
    """The tasks whose code can be compiled; `others` is the number of what needs no compiler.

    Without a compiler a message says so if there are others. Raises what `buildable` raises if
    there are none.
    """
    if not tasks and others:
        return []
    try:
        return buildable(tasks, log.say, jobs, step)
    except HostError as error:
        if not others:
            raise
        help_text = f"; {error.help}" if error.help else ""
        log.say(f"left out: what is compiled from C: {error.message}{help_text}")
        return []


def devices(names: Sequence[str] | None) -> list[Device]:
    """The devices that were named, or else the usual one."""
    return [Device.load(name) for name in names or [paths.USUAL_DEVICE]]


def builds(
    levels: Sequence[str] | None, compilers: Sequence[str] | None, usual: Sequence[str] = ("2",)
) -> list[Build]:
    """Every compiler at every level."""
    chosen_levels = [level.removeprefix("-O") for level in levels or usual]
    for level in chosen_levels:
        if level not in LEVELS:
            raise InputError(f"there is no level `{level}`", f"known: {', '.join(LEVELS)}")
    names: list[str | None] = list(dict.fromkeys(compilers or ()))
    names = names or [None]
    return [
        Build((f"-O{level}",), name) for name in names for level in dict.fromkeys(chosen_levels)
    ]
