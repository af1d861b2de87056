"""A new project: a working study that a person fills with code of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = "template"
"""The folder among the studies that a new project is copied from; in it NAME and DEVICE stand for
what is asked for."""
SCHEMA = "docs/schemas/study.schema.json"
"""The schema by which editors check a study; the template's study names its copy."""
SCHEMA_COPY = ".cocrypt/study.schema.json"
FITTING = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
"""The names that a study may have."""


def create(folder: Path, device: str) -> list[Path]:
    """Writes a project into a folder that is new, or empty; returns its files.

    Raises `InputError` where there is something already, the device is not known, or the folder's
    name cannot be that of a study.
    """
    name = folder.resolve().name
    if not FITTING.fullmatch(name):
        raise InputError(
            f"`{name}` cannot be the name of a study", "write letters, digits, -, _ and dots"
        )
    device_file = paths.device(device)
    spelled = device if device in paths.devices() else str(device_file.resolve())
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already", "choose another name")
    template = paths.root() / "studies" / TEMPLATE
    written = []
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        text = source.read_text(encoding="utf-8")
        text = text.replace("NAME", name).replace("DEVICE", spelled)
        written.append(_write(folder / source.relative_to(template), text))
    schema = (paths.root() / SCHEMA).read_text(encoding="utf-8")
    return [*written, _write(folder / SCHEMA_COPY, schema)]


def _write(target: Path, text: str) -> Path:
    """Writes a file of a new project; raises `HostError` where that is not possible."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HostError(f"{target} cannot be written: {error.strerror}") from error
    return target
