"""Projects of ChipWhisperer: `NAME.cwp`, and `NAME_data/traces/` with a file for each array."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cocrypt import log
from cocrypt.errors import InputError
from cocrypt.leakage.formats.arrays import save
from cocrypt.leakage.formats.segments import Segment, load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cocrypt.leakage.traces import TraceSet

FILE = "tracefile"
"""The key of a segment in a project, before its number."""
COLUMNS = {"textin": "plaintext", "textout": "ciphertext", "keylist": "key"}
"""The arrays of a ChipWhisperer project beside its traces, and the columns that they become."""


def read(project: Path, _: str | None, columns: Mapping[str, str]) -> list[Segment]:
    """The segments of a project that are enabled, in its order.

    `NAME.cwp` names a file of settings for each segment, with arrays beside it. Raises
    `InputError` if there are none, or one is broken, and for columns, which a project has with it.
    """
    if columns:
        raise InputError("a project has its columns with it", "leave --column out")
    if not project.is_file():
        raise InputError(f"there is no file {project}", "name the .cwp file of a project")
    entries = _settings(project)
    numbers = sorted(int(key[len(FILE) :]) for key in entries if re.fullmatch(FILE + r"\d+", key))
    enabled = [number for number in numbers if entries.get(f"enabled{number}") != "False"]
    if not enabled:
        raise InputError(
            f"{project} is no project of ChipWhisperer with traces: it enables none",
            "name the .cwp file of a project that was saved",
        )
    files = [entries[f"{FILE}{number}"].replace("\\", "/") for number in enabled]
    return [_segment(project.parent / file) for file in files]


def _settings(path: Path) -> dict[str, str]:
    """The entries `key = value` of a file of settings."""
    lines = (line.partition("=") for line in path.read_text("utf-8", "replace").splitlines())
    return {key.strip(): value.strip() for key, equals, value in lines if equals}


def _segment(settings: Path) -> Segment:
    if not settings.is_file():
        raise InputError(
            f"there is no file {settings}, which the project names",
            "keep the folder of its data beside the project",
        )
    entries = _settings(settings)
    prefix = entries.get("prefix", "")
    try:
        count = int(entries["numTraces"])
    except (KeyError, ValueError) as error:
        raise InputError(f"{settings} has no `numTraces`", "save the project again") from error
    # Arrays have room for further traces, which were never measured.
    traces = load(settings.with_name(f"{prefix}traces.npy"))[:count]
    columns = {}
    for array, name in COLUMNS.items():
        file = settings.with_name(f"{prefix}{array}.npy")
        if file.is_file() and (values := load(file)[:count]).size:
            columns[name] = values
    return Segment(traces, columns)


PREFIX = "cocrypt_"
"""The beginning of the names of the arrays, where ChipWhisperer has the time of the capture."""
SETTINGS = """[Trace Config]
format = native
numTraces = {count}
numPoints = {samples}
prefix = {prefix}
notes = {notes}
"""


def write(traces: TraceSet, path: Path, step: Callable[[int], object]) -> None:
    """Writes a project with one segment, which ChipWhisperer opens.

    A project has no other columns than texts and keys: they are left out with a warning.
    """
    left_out = sorted(traces.columns.keys() - COLUMNS.values())
    if left_out:
        log.warn(f"a project of ChipWhisperer has no room for the columns {', '.join(left_out)}")
    folder = path.with_name(f"{path.stem}_data") / "traces"
    folder.mkdir(parents=True)
    for array, name in COLUMNS.items():
        # ChipWhisperer needs both texts, and opens arrays without bytes.
        values = np.zeros((len(traces), 0), np.uint8)
        if name in traces.columns:
            values = traces.column(name)
        save(folder / f"{PREFIX}{array}.npy", [values])
        if array == "keylist":
            save(folder / f"{PREFIX}knownkey.npy", [values[0]])
    shape = len(traces), traces.samples
    save(folder / f"{PREFIX}traces.npy", (rows for rows, _ in traces.read()), shape, step)
    notes = " ".join(re.sub(r"[^ -~]|[\"',#\[\]]", " ", traces.source).split())
    settings = folder / f"config_{PREFIX}.cfg"
    settings.write_text(
        SETTINGS.format(count=len(traces), samples=traces.samples, prefix=PREFIX, notes=notes),
        encoding="utf-8",
    )
    name = settings.relative_to(path.parent).as_posix()
    text = f"[Trace Management]\ntracefile0 = {name}\nenabled0 = True\n"
    path.write_text(text, encoding="utf-8")
