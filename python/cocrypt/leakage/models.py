"""Leakage models: files with weights of the values that instructions read, write and access."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cocrypt import _native, paths
from cocrypt.errors import InputError

USUAL_MODEL = "hamming"
"""The model that is used unless another is named."""


@dataclass(frozen=True)
class Model:
    """A leakage model; `name` is the user's text for it."""

    name: str
    title: str
    path: Path


def model(name: str) -> Model:
    """The model of a name that comes with cocrypt, or of a file.

    Raises `InputError` if there is none, `DiagnosticError` if the file is wrong.
    """
    path = paths.root() / "devices" / "leakage" / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        raise InputError(
            f"there is no leakage model `{name}`",
            f"name a file, or one of {', '.join(names())}",
        )
    return Model(name, _native.load_leakage(path)["title"], path)


def names() -> list[str]:
    """The models that come with cocrypt."""
    return sorted(path.stem for path in (paths.root() / "devices" / "leakage").glob("*.toml"))
