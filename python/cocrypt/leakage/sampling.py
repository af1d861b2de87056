"""Simulated power traces: a function runs again and again, with other contents of memory.

Every run begins in the same state of the machine, at the function's first instruction, and ends
where the function returns. Contents and noise are drawn from a seed, each from a stream of its own;
neither depends on the number of threads, and contents not on the cycles of a run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cocrypt import _native
from cocrypt.errors import InputError, ProgramError
from cocrypt.leakage.traces import TraceSetWriter
from cocrypt.measurement import stop_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars

    from cocrypt.leakage.models import Model
    from cocrypt.machine import Machine

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
MAX_CYCLES = 20_000_000
"""The most cycles of a run, each of which takes 8 bytes while the run is made."""
# Bytes of samples that are in memory at once, and runs at most.
CHUNK, MOST_RUNS = 32 << 20, 4096
LOCK_STEP = 64
"""Runs that go in lock step, which take as long as one of them with fewer others."""
BLOCK = 64
"""The number of runs whose groups and contents are drawn at once, whatever a chunk has."""
CONTENTS, NOISE = 0, 1
"""The streams of random numbers, beside the seed."""
GROUP, FLOW = "group", "flow"
"""Columns: 0 for fixed and 1 for random bytes; 1 for a run that took the first run's path."""


@dataclass(frozen=True)
class Input:
    """Bytes in memory that each run begins with; `name` is that of the set's column.

    They are `value` in every run, random, or `value` in about half of the runs.
    """

    name: str
    address: int
    size: int
    kind: Literal["fixed", "random", "fixed-vs-random"]
    value: bytes = b""

    def __post_init__(self) -> None:
        if self.kind != "random" and len(self.value) != self.size:
            raise InputError(
                f"`{self.name}` has {self.size} bytes, and {len(self.value)} are given for it",
                "write as many bytes in hexadecimal, two digits each",
            )

    def draw(self, generator: np.random.Generator, group: Bytes) -> Bytes:
        """Contents for as many runs as there are groups."""
        shape = (len(group), self.size)
        if self.kind == "fixed":
            return np.broadcast_to(np.frombuffer(self.value, np.uint8), shape)
        contents = generator.integers(0, 256, shape, dtype=np.uint8)
        if self.kind == "fixed-vs-random":
            contents[group == 0] = np.frombuffer(self.value, np.uint8)
        return contents


@dataclass(frozen=True)
class Output:
    """Bytes in memory that are read at the end of each run."""

    name: str
    address: int
    size: int


@dataclass(frozen=True)
class Campaign:
    """A machine at a function's first instruction, and what each sampled run is given.

    `constants` are columns with the same bytes for every trace. `noise` is the standard deviation
    of the noise in units of the model.
    """

    machine: Machine
    model: Model
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...] = ()
    constants: tuple[tuple[str, bytes], ...] = ()
    runs: int = 1000
    noise: float = 0.0
    seed: int = 0
    jobs: int | None = None
    max_cycles: int = MAX_CYCLES

    @property
    def has_groups(self) -> bool:
        """True if some bytes are fixed in one group of runs and random in the other."""
        return any(given.kind == "fixed-vs-random" for given in self.inputs)

    @property
    def memory(self) -> tuple[Input | Output, ...]:
        """The memory that is written or read, each a column."""
        return (*self.inputs, *self.outputs)


Added = Callable[[Campaign, int, int, int], np.ndarray[Any, np.dtype[np.float32]]]
"""What something beside the core adds to the samples of so many runs from a run on.

It gets the number of the first run, that of runs and that of samples.
"""


@dataclass(frozen=True)
class Sampled:
    """A set of traces that was written: samples of a trace, and instructions of the first run.

    `different` is the number of runs that took another path or other cycles than the first.
    """

    path: Path
    samples: int
    instructions: int
    different: int
    columns: tuple[str, ...]

    @property
    def constant_flow(self) -> bool:
        """True if every run executed the same instructions in the same cycles."""
        return self.different == 0


def sample(
    campaign: Campaign,
    path: Path,
    source: str,
    progress: Callable[[str, int, int], object],
    added: Added | None = None,
) -> Sampled:
    """Makes the runs of a campaign and writes a trace set.

    What `added` returns is added to the samples, before the noise. Raises `InputError` if inputs
    overlap or have no memory, `ProgramError` if a run does not return, and what `TraceSetWriter`
    and `added` raise.
    """
    _require_apart(campaign)
    sampler = _sampler(campaign)
    first = sampler.first(drawn(campaign, 0, 1)[1].tobytes())
    if "stop" in first:
        raise _unreturned(first, campaign)
    length = first["cycles"]
    chunk = runs_at_once(length, _jobs(campaign))
    different = 0
    columns = _columns(campaign)
    noise = np.random.default_rng([campaign.seed, NOISE])
    with TraceSetWriter.create(path, length, np.float32, columns, source, chunk) as writer:
        writer.axis(axis(first))
        for begin in range(0, campaign.runs, chunk):
            count = min(chunk, campaign.runs - begin)
            traces, values = _chunk(campaign, sampler, noise, (begin, count, length), added)
            values[FLOW] = (values[FLOW] == first["digest"]).astype(np.uint8)
            different += count - int(values[FLOW].sum())
            writer.append(traces, **values)
            progress("sampling", begin + count, campaign.runs)
    return Sampled(path, length, first["instructions"], different, tuple(columns))


def cycles(campaign: Campaign) -> int:
    """The cycles of the first run; raises as `sample` does."""
    _require_apart(campaign)
    first = _sampler(campaign).first(drawn(campaign, 0, 1)[1].tobytes())
    if "stop" in first:
        raise _unreturned(first, campaign)
    return int(first["cycles"])


def _require_apart(campaign: Campaign) -> None:
    """Raises `InputError` if two inputs share memory or a column's name is taken."""
    names = [column.name for column in campaign.memory]
    names += [name for name, _ in campaign.constants]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"`{twice}` is named twice", "name each memory once")
    taken = next((name for name in names if name in (GROUP, FLOW)), None)
    if taken is not None:
        raise InputError(
            f"`{taken}` cannot be a column's name: a trace set has a column of its own called so",
            "name the memory by its address, as ADDRESS:LENGTH",
        )
    ranges = sorted((one.address, one.address + one.size, one.name) for one in campaign.inputs)
    for (_, end, name), (begin, _, other) in pairwise(ranges):
        if begin < end:
            raise InputError(f"`{name}` and `{other}` share memory", "name each memory once")


def runs_at_once(length: int, jobs: int) -> int:
    """How many runs of so many cycles have their samples in memory at once.

    If there is room, each thread makes whole groups of runs in lock step.
    """
    most = max(1, min(MOST_RUNS, CHUNK // (4 * length)))
    group = LOCK_STEP * jobs
    return most // group * group or most


def _jobs(campaign: Campaign) -> int:
    return campaign.jobs or os.cpu_count() or 1


def _sampler(campaign: Campaign) -> _native.LeakageSampler:
    try:
        return _native.LeakageSampler(
            campaign.machine.native,
            campaign.model.path,
            [(one.address, one.size) for one in campaign.inputs],
            [(one.address, one.size) for one in campaign.outputs],
            campaign.max_cycles,
            _jobs(campaign),
        )
    except ValueError as error:
        raise InputError(str(error), "name memory that the program has") from error


def _unreturned(values: dict[str, Any], campaign: Campaign) -> ProgramError:
    stop = values["stop"]
    more = f"raise --max-cycles, which is {campaign.max_cycles:,}, if the function takes longer"
    return ProgramError(
        f"a run does not return from its function: {stop_text(stop)}",
        more if stop["kind"] == "cycle_limit" else None,
    )


def _columns(campaign: Campaign) -> dict[str, tuple[type[np.uint8], tuple[int, ...]]]:
    columns: dict[str, tuple[type[np.uint8], tuple[int, ...]]] = {
        column.name: (np.uint8, (column.size,)) for column in campaign.memory
    }
    columns |= {name: (np.uint8, (len(value),)) for name, value in campaign.constants}
    if campaign.has_groups:
        columns[GROUP] = (np.uint8, ())
    return columns | {FLOW: (np.uint8, ())}


def drawn(campaign: Campaign, begin: int, count: int) -> tuple[Bytes, Bytes]:
    """Groups and contents of all inputs, for so many runs from a run on."""
    first, last = begin // BLOCK, (begin + count - 1) // BLOCK
    blocks = [_block(campaign, number) for number in range(first, last + 1)]
    groups, contents = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    runs = slice(begin - first * BLOCK, begin - first * BLOCK + count)
    return groups[runs], contents[runs]


def _block(campaign: Campaign, number: int) -> tuple[Bytes, Bytes]:
    """Groups and contents of the runs of a block."""
    generator = np.random.default_rng([campaign.seed, CONTENTS, number])
    group = generator.integers(0, 2, BLOCK, dtype=np.uint8)
    parts = [given.draw(generator, group) for given in campaign.inputs]
    return group, np.concatenate([np.empty((BLOCK, 0), np.uint8), *parts], axis=1)


def _chunk(
    campaign: Campaign,
    sampler: _native.LeakageSampler,
    noise: np.random.Generator,
    size: tuple[int, int, int],
    added: Added | None,
) -> tuple[np.ndarray[Any, Any], dict[str, np.ndarray[Any, Any]]]:
    """The traces and columns of so many runs from a run on, with samples of this length."""
    begin, count, length = size
    group, contents = drawn(campaign, begin, count)
    try:
        samples, _, digests, read = sampler.run(_rows(contents), count, length)
    except ValueError as error:
        raise _unreturned(error.args[0], campaign) from error
    traces = np.frombuffer(samples, np.float32).reshape(count, length)
    if added is not None:
        traces = traces + added(campaign, begin, count, length)
    if campaign.noise:
        drawn_noise = noise.standard_normal((count, length), dtype=np.float32)
        traces = traces + np.float32(campaign.noise) * drawn_noise
    values = columns_of(contents, campaign.inputs)
    values |= columns_of(np.frombuffer(read, np.uint8).reshape(count, -1), campaign.outputs)
    for name, value in campaign.constants:
        values[name] = np.broadcast_to(np.frombuffer(value, np.uint8), (count, len(value)))
    return traces, values | {GROUP: group, FLOW: np.array(digests, np.uint64)}


def _rows(contents: np.ndarray[Any, Any]) -> bytes:
    return np.ascontiguousarray(contents).tobytes()


def columns_of(
    rows: np.ndarray[Any, Any], parts: Sequence[Input | Output]
) -> dict[str, np.ndarray[Any, Any]]:
    """The columns that stand beside one another in rows of bytes."""
    ends = np.cumsum([part.size for part in parts]).tolist()
    return {
        part.name: rows[:, end - part.size : end] for part, end in zip(parts, ends, strict=True)
    }


def axis(first: dict[str, Any]) -> polars.DataFrame:
    """The facts about each sample: the instruction that was issued last, and its source line."""
    # Only a trace set pays for loading the library, not everything that plans one.
    import polars

    cycles = np.array([cycle for cycle, _ in first["issues"]])
    pcs = np.array([pc for _, pc in first["issues"]], np.uint64)
    last = np.searchsorted(cycles, np.arange(first["cycles"]), side="right") - 1
    code = {row["address"]: row for row in first["code"]}
    rows = [code[int(pc)] for pc in pcs[last]]
    return polars.DataFrame(
        {
            "cycle": np.arange(first["cycles"]),
            "pc": [f"{row['address']:#x}" for row in rows],
            "instruction": [row["text"] for row in rows],
            "function": [row["function"] for row in rows],
            "file": [row["file"] for row in rows],
            "line": [row["line"] for row in rows],
        },
        schema_overrides={
            "file": polars.String,
            "line": polars.Int64,
            "instruction": polars.String,
        },
    )
