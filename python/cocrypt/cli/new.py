"""`cocrypt new`: a new project of the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cocrypt import log, paths, project
from cocrypt.errors import HostError
from cocrypt.trust import store


def command(
    folder: Annotated[
        Path, typer.Argument(metavar="NAME", help="The project's folder, which is made.")
    ],
    device: Annotated[
        str, typer.Option("--device", "-d", metavar="NAME|FILE", help="The device; see `devices`.")
    ] = paths.USUAL_DEVICE,
) -> None:
    """Write a project that works: a program, a study, and a function to put into hardware.

    It is trusted as your own; see `trust`.
    """
    for path in project.create(folder, device):
        log.say(f"wrote {path}")
    try:
        store.trust(folder, own=True)
    except HostError as error:
        log.say(f"it is not remembered as your own: {error.message}")
    study = folder / "study.toml"
    print(f"cocrypt explore {study}")
