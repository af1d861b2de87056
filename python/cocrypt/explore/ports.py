"""Traces of a coprocessor as gates: its bus carries what the program transfers, cycle by cycle."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cocrypt._native import DiagnosticError
from cocrypt.coprocessor import Coprocessor
from cocrypt.errors import InputError
from cocrypt.gates import rails as gates
from cocrypt.gates.glitches import SETTLED
from cocrypt.leakage import sampling
from cocrypt.leakage.traces import TraceSetWriter
from cocrypt.rtl import coprocessor_verilog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from cocrypt.device import Device, Peripheral
    from cocrypt.gates.glitches import Delays
    from cocrypt.gates.hardening import Data
    from cocrypt.gates.library import Library
    from cocrypt.leakage.sampling import Campaign

FEMTO = 1e15
"""Femtojoules of a joule, the unit of samples."""
BATCH = 512
"""Runs that are simulated at once: a run takes a bit of the host's vectors."""
MOST = 1 << 20
"""Transfers of a run that are recorded at most."""
NOISE = 2
"""The stream of random numbers for noise, beside the seed and the streams of `sampling`."""
OTHERWISE = (
    "as gates it answers otherwise than in the run, since it is not as after a reset where the "
    "sampled function begins"
)
Transfer = tuple[int, int, int, int, bool]
"""Cycles of request and answer, address, value, and whether it is a write."""


@dataclass(frozen=True)
class GateSamples:
    """A trace set of a coprocessor's energies, with what they are without noise.

    `deviation` is that of `deviation` below, `mean_J` the mean energy of a cycle.
    """

    path: Path
    deviation: float
    mean_J: float  # noqa: N815 - a joule is a capital J.


@dataclass(frozen=True)
class Port:
    """A coprocessor in a window of a device, as a netlist of one rail or two."""

    register_map: Path
    window: Peripheral
    library: Library
    is_dual: bool
    device: Device
    delays: Delays = SETTLED

    def __post_init__(self) -> None:
        """Raises `InputError` if the coprocessor is at a link."""
        if self.window.kind == "link":
            raise InputError(
                f"`{self.name}` is at a link, and gates are simulated at a window only",
                "leave its leakage and two rails out, or attach it to a window",
            )

    @property
    def name(self) -> str:
        """The coprocessor's name."""
        return Coprocessor.load(self.register_map).name

    @property
    def rails(self) -> int:
        """The rails of each signal."""
        return 2 if self.is_dual else 1

    @property
    def content(self) -> str:
        """A hash of all that the netlist is made from."""
        return gates.content(*self.design, self.library, dual=self.is_dual)

    @cached_property
    def netlist(self) -> gates.Netlist:
        """Its netlist; raises as `gates.rails.netlist` does."""
        return gates.netlist(*self.design, self.library, dual=self.is_dual)

    def rows(self, transfers: Sequence[Transfer], span: tuple[int, int] | None = None) -> Data:
        """Its inputs in each of its cycles, behind a reset.

        They go from the first transfer to the last, unless `span` gives the first cycle and their
        number; what is outside of it is left out.
        """
        first, length = span or self.span(transfers)
        rows: Data = [{} for _ in range(length)]
        for step, transfer in zip(self.steps(transfers), transfers, strict=True):
            if 0 <= step - first < length:
                rows[step - first] = self._row(transfer)
        return gates.reset(rows)

    def span(self, transfers: Sequence[Transfer]) -> tuple[int, int]:
        """The cycle of the first transfer, and the number of cycles to the last."""
        steps = self.steps(transfers) or [0]
        return steps[0], steps[-1] - steps[0] + 1

    def steps(self, transfers: Sequence[Transfer]) -> list[int]:
        """The coprocessor's cycles in which transfers are answered, one in each at most."""
        ratio = self.device.coprocessor_clock
        steps: list[int] = []
        for transfer in transfers:
            step = transfer[1] * ratio.multiply // ratio.divide
            # A store that a core has buffered may be answered together with the next one.
            steps.append(max(step, steps[-1] + 1) if steps else step)
        return steps

    def _row(self, transfer: Transfer) -> dict[str, int]:
        _, _, address, value, writes = transfer
        base = {"address": address - self.window.base, "write": int(writes)}
        return base | {"read": int(not writes), "wdata": value if writes else 0}

    @property
    def design(self) -> tuple[Path, str]:
        """Its Verilog, and the name of the module."""
        return coprocessor_verilog(self.register_map)

    def sample(
        self,
        campaign: Campaign,
        end: int,
        noise: float,
        folder: Path,
        step: Callable[[str, int, int], None],
    ) -> GateSamples | str:
        """Writes a trace set of the energies in the runs of a campaign, in femtojoules.

        A run ends in that cycle of the core; `noise` is in joules. Returns the set, or the reason
        why there is none.
        """
        step(f"synthesising {self.name}", 0, 1)
        netlist = self.netlist
        if self.library.values["volts"] is None:
            return f"{self.name}: the library {self.library.name} states no supply"
        runs = Runs(self, campaign, end)
        try:
            energies, columns = self._energies(netlist, runs, step)
        except DiagnosticError as error:
            return f"{self.name} is not simulated as gates: {error.diagnostics[0]['message']}"
        if energies is None:
            return f"{self.name}: {OTHERWISE}"
        draw = np.random.default_rng([campaign.seed, NOISE])
        added = noise * draw.standard_normal(energies.shape)
        path = folder / self.name
        types = {name: (np.uint8, values.shape[1:]) for name, values in columns.items()}
        with TraceSetWriter.create(path, energies.shape[1], np.float32, types, self.name) as writer:
            writer.append(((energies + added) * FEMTO).astype(np.float32), **columns)
        return GateSamples(path, deviation(energies), float(energies.mean()))

    def _energies(
        self, netlist: gates.Netlist, runs: Runs, step: Callable[[str, int, int], None]
    ) -> tuple[NDArray[np.float64] | None, dict[str, NDArray[np.uint8]]]:
        """Joules of each cycle and run, with the columns; None if it answers otherwise."""
        parts, columns = [], defaultdict(list)
        count = runs.campaign.runs
        for begin in range(0, count, BATCH):
            step(f"power of {self.name}", begin, count)
            energies, values = self.batch(netlist, runs, begin, min(BATCH, count - begin))
            if energies is None:
                return None, {}
            parts.append(energies)
            for name, column in values.items():
                columns[name].append(column)
        return np.concatenate(parts), {
            name: np.concatenate(column) for name, column in columns.items()
        }

    def batch(
        self, netlist: gates.Netlist, runs: Runs, begin: int, count: int
    ) -> tuple[NDArray[np.float64] | None, dict[str, NDArray[np.uint8]]]:
        """Joules of each cycle in so many runs from a run on, with their columns.

        There are none if the netlist answers the first of them otherwise than in the program.
        """
        seen, values = runs.recorded(begin, count)
        energies, answers = netlist.simulate(
            [runs.rows(transfers) for transfers in seen], delays=self.delays
        )
        if not runs.agree(seen[0], answers[0]):
            return None, {}
        return energies[:, gates.RESETS :], values


def deviation(energies: NDArray[np.float64]) -> float:
    """The deviation of a cycle's energy from its mean over all runs at the same cycle.

    It is the root of the mean square over the cycles, over the mean energy.
    """
    mean = float(energies.mean())
    return float(np.sqrt(energies.var(0).mean())) / mean if mean else 0.0


class Runs:
    """The runs of a campaign, as transfers to a coprocessor's window.

    Rows go from the first transfer of the first run to its last, unless `span` gives the first of
    the coprocessor's cycles and their number; transfers of runs outside of that are left out.
    """

    def __init__(
        self, port: Port, campaign: Campaign, end: int, span: tuple[int, int] | None = None
    ) -> None:
        self.port, self.campaign, self.end = port, campaign, end
        self.twin = campaign.machine.copy()
        self.span = span or port.span(self._transfers())

    def recorded(
        self, begin: int, count: int
    ) -> tuple[list[list[Transfer]], dict[str, NDArray[np.uint8]]]:
        """The transfers of so many runs from a run on, and their columns."""
        campaign = self.campaign
        group, contents = sampling.drawn(campaign, begin, count)
        seen, read = [], []
        for row in contents:
            self.twin.rewind(campaign.machine)
            at = 0
            for given in campaign.inputs:
                self.twin.write(given.address, row[at : at + given.size].tobytes())
                at += given.size
            seen.append(self._transfers())
            outputs = (self.twin.read(each.address, each.size) for each in campaign.outputs)
            read.append(b"".join(outputs))
        values = sampling.columns_of(contents, campaign.inputs)
        rows = np.frombuffer(b"".join(read), np.uint8).reshape(count, -1)
        values |= sampling.columns_of(rows, campaign.outputs)
        if campaign.has_groups:
            values[sampling.GROUP] = group
        return seen, values

    def rows(self, transfers: list[Transfer]) -> Data:
        """The inputs of the coprocessor in each of its cycles, behind a reset."""
        return self.port.rows(transfers, self.span)

    def agree(self, transfers: list[Transfer], answers: list[int]) -> bool:
        """True if the netlist answers each read as the run has it."""
        first, length = self.span
        pairs = zip(self.port.steps(transfers), transfers, strict=True)
        reads = ((step - first, each[3]) for step, each in pairs if not each[4])
        return all(answers[gates.RESETS + at] == value for at, value in reads if 0 <= at < length)

    def _transfers(self) -> list[Transfer]:
        window = self.port.window
        return self.twin.native.first_transfers(window.base, window.size, MOST, self.end)
