"""The files of the runtime that a program needs, so that the others are not compiled.

The runtime is small, but a compiler takes a second or two for all of it, once more for every
instruction set and set of flags. `runtime/definitions.toml` says which functions each file defines;
a file is needed where an object file refers to one of them.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt._native import DiagnosticError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

EVERYTHING = frozenset(["*"])
"""The references of an object file that does not say them, such as one of `-flto`."""


@cache
def definitions() -> Mapping[Path, frozenset[str]]:
    """The functions that each file of the runtime defines, as C names them."""
    root = paths.runtime()
    files = tomllib.loads((root / "definitions.toml").read_text(encoding="utf-8"))
    return {root / name: frozenset(functions) for name, functions in files.items()}


@lru_cache(maxsize=4096)
def references(object_file: Path) -> frozenset[str]:
    """The names that an object file refers to and does not define; `EVERYTHING` if it hides them.

    Object files are kept by their content, so that one of this path stays as it is.
    """
    try:
        info = _native.image_info(object_file.read_bytes(), object_file.name)
    except DiagnosticError:
        return EVERYTHING
    return frozenset(info["undefined"])


def function_names(objects: Sequence[Path]) -> frozenset[str]:
    """The functions that these object files define."""
    infos = [_native.image_info(path.read_bytes(), path.name) for path in objects]
    symbols = (symbol for info in infos for symbol in info["symbols"])
    return frozenset(symbol["name"] for symbol in symbols if symbol["kind"] == "function")


def is_needed(source: Path, names: frozenset[str]) -> bool:
    """Returns whether a program that refers to these names needs a file.

    A file that is none of the runtime's, or start-up code, is always needed.
    """
    functions = definitions().get(source)
    return functions is None or names >= EVERYTHING or not functions.isdisjoint(names)
