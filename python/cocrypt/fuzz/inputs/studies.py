"""Studies: read with all files that they name, and their partitions counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.fuzz.inputs.driver import Kind
from cocrypt.study import Study

if TYPE_CHECKING:
    from pathlib import Path


def _seeds() -> list[Path]:
    examples = paths.root() / "docs/examples/studies"
    return [
        examples / "example.toml",
        examples / "java.toml",
        *sorted((paths.root() / "studies").glob("*.toml")),
    ]


def _read(path: Path) -> None:
    try:
        Study.from_toml(path)
    except _native.DiagnosticError as error:
        # The example names a device that is explained in another file.
        if "there is no device `example`" not in error.rendered:
            raise


KIND = Kind("studies", _seeds, _read)
