"""Calibration of a core: energies of its netlist's cycles become weights of instructions and bits.

The netlist runs random programs, each lane with other data, and least squares over its energies
give the weights. A program that was not fitted shows how well they predict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt import _native
from cocrypt.fuzz.straight import DATA_BASE, DATA_SIZE
from cocrypt.gates.glitches import SETTLED
from cocrypt.gates.synthesis import Wires
from cocrypt.leakage import features, models
from cocrypt.leakage.comparison import differing
from cocrypt.leakage.features import FEATURES, KINDS
from cocrypt.leakage.fit import centred, fitted, predicted, r_squared
from cocrypt.leakage.kernels import START, kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.gates.core import CoreNetlist
    from cocrypt.gates.glitches import Delays
    from cocrypt.leakage.features import Observed
    from cocrypt.leakage.fit import Fit
    from cocrypt.machine import Machine

SHIFTS = 3
"""The lags of energies that are tried, from 0 cycles on.

A core announces an access three cycles behind the issue of its instruction at the earliest, so that
none of the program behind the function, such as one of a peripheral, is in the window.
"""


@dataclass(frozen=True)
class Program:
    """A machine that is about to run a function at `start`.

    `inputs` are addresses and sizes of the memory that is drawn for each run.
    """

    name: str
    machine: Machine
    start: int
    inputs: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Size:
    """Random programs, their instructions, runs of each program, and the seed of all of them."""

    programs: int = 12
    instructions: int = 400
    runs: int = 32
    seed: int = 0


@dataclass(frozen=True)
class Measured:
    """The instructions of a program's runs, and the energies of the netlist's cycles in joules.

    `sums` are the energies up to each cycle, by run, from 0 on. `different` is the number of runs
    in which the netlist did anything else than the model of the core.
    """

    name: str
    observed: Observed
    sums: list[NDArray[np.float64]]
    clock: float
    different: int

    def energies(self, shift: int) -> NDArray[np.float64]:
        """The energy of each instruction, from `shift` cycles behind its issue on."""
        observed = self.observed
        begins = np.concatenate([[0], np.cumsum([len(sums) for sums in self.sums])])[observed.run]
        joined = np.concatenate(self.sums)
        return joined[begins + observed.ends + shift] - joined[begins + observed.at + shift]

    @property
    def cycles(self) -> int:
        """The cycles of all runs."""
        return int(self.observed.lengths.sum())


@dataclass(frozen=True)
class Check:
    """A program that was not fitted, with what the weights predict of it.

    Correlations are those of instructions' energies: over all of them, and between the runs, with
    the mean of each instruction over the runs taken away. `hamming` is the latter of the model
    `hamming`. They are None where nothing varies. Errors are relative errors of the energy of all
    runs with the clock's: by the weights, and by the device's figures of classes.
    """

    name: str
    runs: int
    cycles: int
    instructions: int
    different: int
    correlation: float | None
    between_runs: float | None
    hamming: float | None
    r_squared: float | None
    energy: float
    error: float
    class_error: float


@dataclass(frozen=True)
class Calibration:
    """Weights of a core's instructions, whose energies lag `shift` cycles behind the issue.

    Shares of the variance are None where there is none.
    """

    netlist: CoreNetlist
    wires: Wires
    delays: Delays
    size: Size
    shift: int
    fits: dict[str, Fit]
    r_squared: float | None
    between_runs: float | None
    residual: float
    instructions: int
    cycles: int
    runs: int
    different: int
    clock: float
    checks: tuple[Check, ...]

    @property
    def clock_power(self) -> float:
        """The power of the clock, watts."""
        return self.clock * self.netlist.device.clock_hz


def calibrate(
    netlist: CoreNetlist,
    checked: Sequence[Program],
    size: Size,
    step: Callable[[str, int, int], object],
    wires: Wires | None = None,
    delays: Delays = SETTLED,
) -> Calibration:
    """Fits the weights to random programs, and checks them with others.

    Raises what `CoreNetlist.execute`, `features.observe` and `kernel` do.
    """
    wires = wires or Wires()
    count = size.programs + len(checked)
    measured = []
    for number in range(size.programs):
        seed = size.seed * 1000 + number
        program = random_program(netlist, seed, size.instructions)
        measured.append(measure(netlist, program, size.runs, seed, wires, delays))
        step("simulating", number + 1, count)
    kinds = np.concatenate([part.observed.kind for part in measured])
    values = np.concatenate([part.observed.values for part in measured])
    positions = _positions(measured, kinds)
    shift, energies, fits = _best(measured, kinds, values, positions)
    found = predicted(fits, kinds, values)
    checks = []
    for number, program in enumerate(checked):
        other = measure(netlist, program, size.runs, size.seed, wires, delays)
        checks.append(check(other, fits, shift))
        step("simulating", size.programs + number + 1, count)
    return Calibration(
        netlist=netlist,
        wires=wires,
        delays=delays,
        size=size,
        shift=shift,
        fits=fits,
        r_squared=r_squared(energies, found),
        between_runs=r_squared(centred(energies, positions), centred(found, positions)),
        residual=float((energies - found).std()),
        instructions=len(kinds),
        cycles=sum(part.cycles for part in measured),
        runs=size.programs * size.runs,
        different=sum(part.different for part in measured),
        clock=measured[0].clock,
        checks=tuple(checks),
    )


def random_program(netlist: CoreNetlist, seed: int, instructions: int) -> Program:
    """A program of random instructions, whose data are drawn for each run."""
    machine = kernel(netlist.device, seed, instructions)
    return Program(machine.name, machine, START, ((DATA_BASE, DATA_SIZE),))


def measure(
    netlist: CoreNetlist,
    program: Program,
    runs: int,
    seed: int,
    wires: Wires,
    delays: Delays = SETTLED,
) -> Measured:
    """So many runs of a program, on the model of the core and on its netlist."""
    width = sum(size for _, size in program.inputs)
    contents = np.random.default_rng(seed).integers(0, 256, (runs, width), np.uint8)
    observed = features.observe(program.machine, program.inputs, contents)
    executions, clock = netlist.execute(
        program.machine,
        program.start,
        program.inputs,
        contents,
        (observed.lengths + SHIFTS - 1).tolist(),
        wires,
        delays,
    )
    sums = [np.concatenate([[0.0], np.cumsum(execution.energies)]) for execution in executions]
    return Measured(program.name, observed, sums, clock, differing(observed, executions))


def _positions(measured: Sequence[Measured], kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each instruction's position: its program, cycle and kind."""
    programs = np.repeat(np.arange(len(measured)), [len(part.observed.at) for part in measured])
    cycles = np.concatenate([part.observed.at for part in measured])
    rows = np.stack([programs, cycles, kinds], axis=1)
    return np.asarray(np.unique(rows, axis=0, return_inverse=True)[1]).ravel()


def _best(
    measured: Sequence[Measured],
    kinds: NDArray[np.int64],
    values: NDArray[np.float64],
    positions: NDArray[np.int64],
) -> tuple[int, NDArray[np.float64], dict[str, Fit]]:
    """The shift whose weights explain most between runs, with its energies and weights.

    The core writes a result while it starts the next instruction, so that an instruction's energy
    ends behind the issue of its successor.
    """
    tried = []
    for shift in range(SHIFTS):
        energies = np.concatenate([part.energies(shift) for part in measured])
        fits = fitted(kinds, values, energies, positions)
        rest = centred(energies - predicted(fits, kinds, values), positions)
        tried.append((float((rest**2).sum()), shift, energies, fits))
    _, shift, energies, fits = min(tried, key=lambda entry: entry[:2])
    return shift, energies, fits


def check(measured: Measured, fits: dict[str, Fit], shift: int) -> Check:
    """Compares the energies of a program with what the weights predict."""
    observed, energies = measured.observed, measured.energies(shift)
    found = predicted(fits, observed.kind, observed.values)
    known = ~np.isnan(found)
    clock = measured.clock * measured.cycles
    actual = float(energies[known].sum()) + clock
    counts = np.bincount(observed.kind[known], minlength=len(KINDS))
    by_class = sum(fits[name].mean * counts[n] for n, name in enumerate(KINDS) if name in fits)
    return Check(
        name=measured.name,
        runs=len(observed.lengths),
        cycles=measured.cycles,
        instructions=len(energies),
        different=measured.different,
        correlation=_correlation(energies[known], found[known]),
        between_runs=_between_runs(observed, energies, found),
        hamming=_between_runs(observed, energies, _by_model(observed, "hamming")),
        r_squared=r_squared(energies[known], found[known]),
        energy=actual,
        error=(float(found[known].sum()) + clock) / actual - 1,
        class_error=(float(by_class) + clock) / actual - 1,
    )


def _between_runs(
    observed: Observed, energies: NDArray[np.float64], found: NDArray[np.float64]
) -> float | None:
    """The correlation of what differs between the runs; None where runs take several paths."""
    runs = len(observed.lengths)
    if len(energies) % runs or runs < 2:
        return None
    kinds, at = observed.kind.reshape(runs, -1), observed.at.reshape(runs, -1)
    counts = np.bincount(observed.run, minlength=runs)
    if (counts != counts[0]).any() or (kinds != kinds[0]).any() or (at != at[0]).any():
        return None
    rows = [part.reshape(runs, -1) for part in (energies, found)]
    return _correlation(*((part - part.mean(axis=0)).ravel() for part in rows))


def _by_model(observed: Observed, name: str) -> NDArray[np.float64]:
    """The samples of instructions under one of the models that come with cocrypt."""
    weights = _native.load_leakage(models.model(name).path)["weights"]
    row = [sum(weights.get(source, {}).get(part, [])) for source, part in FEATURES]
    return observed.values @ np.array(row, np.float64)


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    if first.std() == 0 or second.std() == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def record(found: Calibration) -> dict[str, Any]:
    """The figures of a calibration; see docs/json.md."""
    made = found.netlist.synthesis
    return {
        "device": found.netlist.device.name,
        "library": made.library.name,
        "netlist": {"name": made.yosys, "digest": found.netlist.digest},
        "wires": {"base_F": found.wires.base, "fanout_F": found.wires.fanout},
        "delays": found.delays.record,
        "seed": found.size.seed,
        "programs": found.size.programs,
        "runs": found.runs,
        "cycles": found.cycles,
        "instructions": found.instructions,
        "different": found.different,
        "shift": found.shift,
        "clock_J": found.clock,
        "r_squared": found.r_squared,
        "r_squared_between_runs": found.between_runs,
        "residual_J": found.residual,
        "kinds": [_kind(fit) for fit in found.fits.values()],
        "checks": [_checked(each) for each in found.checks],
    }


def _kind(fit: Fit) -> dict[str, Any]:
    weights: dict[str, dict[str, float]] = {}
    for (source, part), weight in zip(FEATURES, fit.weights.tolist(), strict=True):
        weights.setdefault(source, {})[f"{part}_J"] = weight
    return {
        "name": fit.kind,
        "instructions": fit.instructions,
        "mean_J": fit.mean,
        "deviation_J": fit.deviation,
        "constant_J": fit.constant,
        "weights": weights,
        "r_squared": fit.r_squared,
        "r_squared_between_runs": fit.between_runs,
        "residual_J": fit.residual,
    }


def _checked(found: Check) -> dict[str, Any]:
    return {
        "program": found.name,
        "runs": found.runs,
        "cycles": found.cycles,
        "instructions": found.instructions,
        "different": found.different,
        "correlation": found.correlation,
        "between_runs": found.between_runs,
        "hamming_between_runs": found.hamming,
        "r_squared": found.r_squared,
        "energy_J": found.energy,
        "relative_error": found.error,
        "class_relative_error": found.class_error,
    }
