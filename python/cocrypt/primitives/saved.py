"""Measurements that are saved by name, for comparison with later ones."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def save(name: str, values: dict[str, Any]) -> Path:
    """Saves the JSON that a verb prints under a name, and replaces an earlier file."""
    path = place(name)
    paths.write_page(path, json.dumps(values, indent=2, ensure_ascii=False) + "\n")
    return path


def place(name: str) -> Path:
    """The file of a name; raises `InputError` for one that no file can have."""
    if not re.fullmatch(r"[\w.-]+", name) or name.startswith("."):
        raise InputError(f"`{name}` is no name", "write letters, digits, -, _ and dots")
    return paths.build() / "results" / f"{name}.json"


def find(name_or_path: Path) -> Path:
    """A file that was named, or the measurements saved under that name."""
    if name_or_path.exists() or len(name_or_path.parts) != 1:
        return name_or_path
    saved = paths.build() / "results" / f"{name_or_path}.json"
    return saved if saved.exists() else name_or_path
