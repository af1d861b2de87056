"""`cocrypt.measure`: the costs of primitives, for programs and notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.primitives import foreign, library, measuring, results
from cocrypt.primitives.measuring import LENGTHS, Build, tasks
from cocrypt.primitives.running import Unfit, buildable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import polars

    from cocrypt.primitives.measuring import Row
    from cocrypt.primitives.subject import Subject

# The most rows that a notebook shows.
SHOWN = 40
# The most names in a short description.
NAMED = 3


@dataclass(frozen=True)
class Measurements:
    """The rows of primitives, and the implementations that a device has not the memory for.

    `skipped` has the reasons why the compiler refuses implementations that are left out.
    """

    rows: tuple[Row, ...]
    unfit: tuple[Unfit, ...] = ()
    skipped: tuple[str, ...] = ()

    def frame(self) -> polars.DataFrame:
        """The rows as a table, with the columns of `measure --json`: cycles, bytes, joules."""
        # Only a caller that wants a frame pays for loading the library.
        import polars

        records = [results.record(row) for row in self.rows]
        return polars.DataFrame(records, infer_schema_length=None)

    def __repr__(self) -> str:
        names = _few(row.subject.primitive for row in self.rows)
        devices = _few(row.device.name for row in self.rows)
        return f"<Measurements of {names} on {devices}: {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        return self.frame().head(SHOWN)._repr_html_()


def measure(
    *primitives: str | Path,
    devices: Sequence[Device | str | Path] = (paths.USUAL_DEVICE,),
    optimise: Sequence[str] = ("2",),
    compiler: str = "zig",
    lengths: Sequence[int] = LENGTHS,
    jobs: int | None = None,
) -> Measurements:
    """Measures primitives on devices; their vectors are checked first.

    A primitive is a name, as `aes128` or `aes128/small`, or the path of a folder with others' code.
    `optimise` are the compiler's levels, `lengths` those of messages in bytes, `jobs` how many
    tasks run at a time, one a core unless given.

    Raises `InputError` for what is not known or does not compile, `ProgramError` where a vector
    does not come out.
    """
    if not primitives:
        raise InputError("name primitives, or a folder", "`cocrypt primitives` lists what there is")
    subjects = [subject for word in primitives for subject in _subjects(word)]
    loaded = [device if isinstance(device, Device) else Device.load(device) for device in devices]
    builds = [Build((f"-O{level.removeprefix('-O')}",), compiler) for level in optimise]
    skipped: list[str] = []
    buildable_tasks = buildable(
        tasks(subjects, loaded, builds, lengths, extends=True), skipped.append, jobs
    )
    rows, unfit = measuring.measure(buildable_tasks, jobs)
    return Measurements(tuple(rows), tuple(unfit), tuple(skipped))


def _few(names: Iterable[str]) -> str:
    """Some of the names, each once, and how many others there are."""
    unique = list(dict.fromkeys(names))
    others = f" and {len(unique) - NAMED} more" if len(unique) > NAMED else ""
    return ", ".join(unique[:NAMED]) + others


def _subjects(word: str | Path) -> Iterator[Subject]:
    """The subjects of a name or a path."""
    if isinstance(word, Path):
        yield from foreign.folder(word)
    else:
        yield from library.named([word])
