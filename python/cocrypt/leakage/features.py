"""What the linear models of leakage weigh, for each instruction of a program's runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cocrypt import _native, paths
from cocrypt.errors import ProgramError
from cocrypt.measurement import stop_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cocrypt.machine import Machine

KINDS = ("alu", "load", "store", "branch", "jump", "multiply", "divide", "other")
SOURCES = ("result", "register", "operand_a", "operand_b", "address", "data", "memory")
PARTS = ("weight", "distance")
FEATURES = tuple((source, part) for source in SOURCES for part in PARTS)
"""The columns of values: bits of each source that are set, and those that change."""
CHUNK, CHUNKS = 12, 3
"""Bits of a word that a sample holds exactly, and how many such parts a word has."""
MAX_CYCLES = 1_000_000


@dataclass(frozen=True)
class Observed:
    """The instructions of all runs, one run behind the other.

    `lengths` are the cycles of each run. Each instruction has its run, the cycle in which it is
    issued, its kind as an index of `KINDS`, and the columns `FEATURES`; `addresses`, `widths` in
    bytes and `data` are those of its access; the width is 0 if it makes none.
    """

    lengths: NDArray[np.int64]
    run: NDArray[np.int64]
    at: NDArray[np.int64]
    kind: NDArray[np.int64]
    values: NDArray[np.float64]
    addresses: NDArray[np.int64]
    widths: NDArray[np.int64]
    data: NDArray[np.int64]

    @property
    def ends(self) -> NDArray[np.int64]:
        """The cycle behind each instruction, in which its successor is issued."""
        following = np.append(self.at[1:], 0)
        is_last = np.append(self.run[1:] != self.run[:-1], True)
        return np.where(is_last, self.lengths[self.run], following)


def observe(
    machine: Machine, inputs: Sequence[tuple[int, int]], contents: NDArray[np.uint8]
) -> Observed:
    """Runs the function that the machine is about to run, with a row of `contents` each time.

    `inputs` are addresses and sizes of the memory that the rows are written to. Raises
    `ProgramError` if a run does not return.
    """
    kinds = "".join(f"[kinds.{name}]\nconstant = {n}.0\n" for n, name in enumerate(KINDS, 1))
    _, known, digests = _run(machine, kinds, inputs, contents, 1)
    lengths = np.array(known, np.int64)
    longest = int(lengths.max())

    def samples(model: str) -> NDArray[np.float32]:
        return _run(machine, model, inputs, contents, longest)[0]

    found = samples(kinds)
    run, at = np.nonzero(found)

    def words(source: str) -> NDArray[np.int64]:
        parts = [samples(text)[run, at].astype(np.int64) << low for low, text in _word(source)]
        return np.asarray(np.sum(parts, axis=0, dtype=np.int64))

    values = [samples(f"[weights.{source}]\n{part} = 1.0\n")[run, at] for source, part in FEATURES]
    return Observed(
        lengths=lengths,
        run=run,
        at=at,
        kind=found[run, at].astype(np.int64) - 1,
        values=np.stack(values, axis=1).astype(np.float64),
        addresses=words("address"),
        widths=_widths(_sampler(machine, kinds, inputs), contents, digests, (run, at)),
        data=words("data"),
    )


def _word(source: str) -> Iterator[tuple[int, str]]:
    """Models whose samples are the parts of a word, each with its lowest bit."""
    for low in range(0, CHUNK * CHUNKS, CHUNK):
        weights = [0] * low + [1 << bit for bit in range(CHUNK)]
        yield low, f"[weights.{source}]\nweight = {weights}\n"


def _widths(
    sampler: _native.LeakageSampler,
    contents: NDArray[np.uint8],
    digests: Sequence[int],
    issues: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """The bytes that the instructions access, which are issued in these runs and cycles."""
    by_path: dict[int, dict[int, int]] = {}
    for digest, row in zip(digests, contents, strict=True):
        if digest not in by_path:
            first = sampler.first(np.ascontiguousarray(row).tobytes())
            cycles = (cycle for cycle, _ in first["issues"])
            by_path[digest] = dict(zip(cycles, first["accessed"], strict=True))
    pairs = zip(*(part.tolist() for part in issues), strict=True)
    return np.array([by_path[digests[run]][cycle] for run, cycle in pairs], np.int64)


def _sampler(
    machine: Machine, model: str, inputs: Sequence[tuple[int, int]]
) -> _native.LeakageSampler:
    path = paths.kept("model.toml", f'[leakage]\ntitle = "A feature"\n{model}')
    jobs = os.cpu_count() or 1
    return _native.LeakageSampler(machine.native, path, inputs, [], MAX_CYCLES, jobs)


def _run(
    machine: Machine,
    model: str,
    inputs: Sequence[tuple[int, int]],
    contents: NDArray[np.uint8],
    length: int,
) -> tuple[NDArray[np.float32], list[int], list[int]]:
    """So many samples of each run under a model, the length of each, and a digest of its path."""
    sampler = _sampler(machine, model, inputs)
    rows = np.ascontiguousarray(contents).tobytes()
    try:
        samples, lengths, digests, _ = sampler.run(rows, len(contents), length)
    except ValueError as error:
        stop = error.args[0]
        text = stop_text(stop["stop"]) if isinstance(stop, dict) else str(stop)
        raise ProgramError(f"{machine.name} does not return from its function: {text}") from error
    return np.frombuffer(samples, np.float32).reshape(len(contents), length), lengths, digests
