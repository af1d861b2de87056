"""Options that the verbs on primitives share, and the subjects, devices and builds they name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.primitives import foreign, library
from cocrypt.primitives.measuring import Build

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.primitives.subject import Subject

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
