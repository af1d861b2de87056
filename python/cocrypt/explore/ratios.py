"""The energy of coprocessors with two rails over that with one, for what a program transfers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt._native import DiagnosticError
from cocrypt.cache import digest
from cocrypt.coprocessor import Coprocessor
from cocrypt.explore.ports import Port
from cocrypt.explore.rails import library_of
from cocrypt.explore.simulation import Job
from cocrypt.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cocrypt.device import Peripheral
    from cocrypt.explore.bench import Bench, TrialResult

FORMAT = 1
"""The format of kept ratios."""
MOST = 400
"""The transfers that a ratio is of: the first ones of a run."""


def energy_ratios(bench: Bench, result: TrialResult) -> Mapping[Path, float | None]:
    """The ratio for each coprocessor with two rails whose energy the device's figures tell.

    None if the netlists are not simulated. Kept by the content that it depends on.
    """
    ratios: dict[Path, float | None] = {}
    power, built = result.device.power, result.built
    for path, window in result.device.attached(built.coprocessors):
        has_energy = Coprocessor.load(path).power_W is not None or power.toggling is not None
        if path not in result.dual_rails or not (has_energy and power.is_known_of_core):
            continue
        ports = [_port(result, path, window, dual) for dual in (False, True)]
        job = Job.of(result.device, built).key
        key = digest([f"ratio {FORMAT} {MOST}", job, *(port.content for port in ports)])
        outcome = bench.workers.store.get(key)
        if outcome is None:
            bench.step(f"energy of {ports[0].name}", 0, 1)
            outcome = {"ratio": _ratio(result, ports)}
            bench.workers.store.put(key, outcome)
        ratios[path] = outcome["ratio"]
    return ratios


def _port(result: TrialResult, path: Path, window: Peripheral, dual: bool) -> Port:
    return Port(path, window, library_of(result.study), dual, result.device)


def _ratio(result: TrialResult, ports: list[Port]) -> float | None:
    built = result.built
    machine = Machine(result.device, built.image, name=built.name, coprocessors=built.coprocessors)
    machine.type_in(built.workload.input)
    window = ports[0].window
    seen = machine.native.first_transfers(window.base, window.size, MOST, result.outcome["cycles"])
    rows = ports[0].rows(seen)
    try:
        single, double = (float(port.netlist.simulate([rows])[0].sum()) for port in ports)
    except DiagnosticError:
        return None
    return double / single if single else None
