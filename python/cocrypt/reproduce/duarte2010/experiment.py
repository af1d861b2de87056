"""The paper's experiment: five sizes, the hot function, two memories, and other choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt.coprocessor import Coprocessor
from cocrypt.device import Device
from cocrypt.errors import InputError
from cocrypt.hardware.area import fpga_of
from cocrypt.hotspots import hot_spots
from cocrypt.partition import partition, partitions
from cocrypt.reproduce.duarte2010.findings import findings
from cocrypt.reproduce.duarte2010.native import native
from cocrypt.reproduce.duarte2010.page import page
from cocrypt.reproduce.duarte2010.record import record
from cocrypt.reproduce.duarte2010.tables import tables
from cocrypt.reproduce.duarte2010.timed import Pair, timed
from cocrypt.reproduce.paper import unheard

if TYPE_CHECKING:
    from cocrypt.calltree import CallTree
    from cocrypt.hardware.area import Fpga
    from cocrypt.hotspots import Spot
    from cocrypt.partition import Partition
    from cocrypt.reproduce.duarte2010.native import Native
    from cocrypt.reproduce.duarte2010.timed import Timed
    from cocrypt.reproduce.paper import Finding, Shown, Step
    from cocrypt.study import Study

EXTERNAL = "duarte2010-ddr"
"""The device whose memory is the paper's external memory."""
FAMILY = "xc5v"
"""The paper's FPGA, Virtex-5, as Yosys calls it."""


@dataclass(frozen=True)
class Reproduction:
    """The measurements.

    `native` are those on the paper's processor, all others those on the stand-in.
    `sizes` are the rows of tables I and II, `slower_bus` is the profiled size with hardware where
    an access takes one cycle more, `external` is the least size in external memory. `choices` are
    programs with the same result, on the study's first workload, and `resources` what each
    coprocessor takes in the paper's FPGA, by its name.
    """

    study: Study
    published: dict[str, Any]
    hot: str
    sizes: tuple[Pair, ...]
    slower_bus: Timed
    external: Pair
    choices: tuple[Timed, ...]
    resources: dict[str, Fpga]
    native: Native

    @property
    def profiled(self) -> Pair:
        """The size that is profiled: that of the study's first workload."""
        return self._of_the_first(self.sizes)

    @property
    def profiled_native(self) -> Pair:
        """The same size on the paper's processor."""
        return self._of_the_first(self.native.sizes)

    def _of_the_first(self, sizes: tuple[Pair, ...]) -> Pair:
        return next(pair for pair in sizes if pair.without.size == self.choices[0].size)

    @property
    def tables(self) -> tuple[Shown, ...]:
        """The paper's tables and figures, and the other measurements."""
        return tables(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions, each with its verdict."""
        return findings(self)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Runs whose output is not as expected."""
        pairs = (run for pair in self.sizes for run in (pair.without, pair.with_hardware))
        away = (self.external.without, self.external.with_hardware)
        every = (*pairs, self.slower_bus, *away, *self.choices)
        natives = (run for pair in self.native.every for run in (pair.without, pair.with_hardware))
        stand_in = (_named(run) for run in every if not run.verified)
        return (*stand_in, *(f"{_named(run)}, MicroBlaze" for run in natives if not run.verified))

    def coprocessor(self, run: Timed) -> str | None:
        """The name of the coprocessor that a run has."""
        paths = self.study.coprocessors(run.partition.choice)
        return Coprocessor.load(paths[0]).name if paths else None

    def power(self, run: Timed) -> float | None:
        """Power while a run goes on, in watts; None with hardware whose power is unknown."""
        platform = self.published["platform"]
        if run.partition.is_software or not run.partition.hw:
            return float(platform["power_W_without"])
        return float(platform["power_W_with"]) if run.partition.hw == (self.hot,) else None

    def energy(self, run: Timed) -> float | None:
        """The energy of the counted cycles of a run, in joules."""
        power = self.power(run)
        return None if power is None else power * self.seconds(run)

    def seconds(self, run: Timed) -> float:
        """The duration of the counted cycles, in seconds."""
        return run.cycles / self.study.device.clock_hz

    def record(self) -> dict[str, Any]:
        """The output of `--json`."""
        return record(self)

    def page(self) -> str:
        """The page, with figures 5 to 7."""
        return page(self)


def _named(run: Timed) -> str:
    return f"{run.partition.name}, {run.size} bytes"


def leaf(tree: CallTree) -> Spot:
    """The function that calls no other and in which most cycles are spent.

    A caller of others is an algorithm, of which the paper takes a part. Raises `InputError`
    if no listed function is a leaf.
    """
    for spot in hot_spots(tree).spots:
        if spot.self_cycles == spot.total_cycles:
            return spot
    raise InputError("every hot function calls another one", "profile a longer run")


def reproduce(study: Study, step: Step = unheard) -> Reproduction:
    """Runs the experiments of the paper's tables and figures, and the other choices."""
    step("running", 0, 5)
    software = partition(study, ())
    plain = timed(study, [(workload, software) for workload in study.workloads])
    hot = leaf(plain[0].tree).name
    hardware = _in_hardware(study, hot)
    step("running", 1, 5)
    fast = timed(study, [(workload, hardware) for workload in study.workloads])
    step("running", 2, 5)
    pairs = sorted(map(Pair, plain, fast), key=lambda pair: pair.without.size)
    least = next(
        workload
        for workload, run in zip(study.workloads, plain, strict=True)
        if run is pairs[0].without
    )
    away = study.on(Device.load(EXTERNAL))
    external = Pair(*timed(away, [(least, software), (least, hardware)]))
    step("running", 3, 5)
    processor = native(study, software, hardware)
    step("running", 4, 5)
    return Reproduction(
        study=study,
        published=study.published_figures(),
        hot=hot,
        sizes=tuple(pairs),
        slower_bus=_on_a_slower_bus(study, hardware),
        external=external,
        choices=_choices(study),
        resources=_resources(study),
        native=processor,
    )


def _in_hardware(study: Study, function: str) -> Partition:
    """The partition with a function in hardware; raises `InputError` where the study has none."""
    hardware = partition(study, (function,))
    if hardware.hw != (function,):
        raise InputError(
            f"{study.path} has no coprocessor for `{function}`, the hot function",
            "add it to the candidates",
        )
    return hardware


def _on_a_slower_bus(study: Study, hardware: Partition) -> Timed:
    """The first workload where an access takes one cycle more: the most that the paper states."""
    slower = study.on(study.device.having(bus_wait=study.device.bus.wait + 1))
    (run,) = timed(slower, [(study.workloads[0], hardware)])
    return run


def _choices(study: Study) -> tuple[Timed, ...]:
    """All partitions on the first workload, without those that only replace uncalled functions."""
    runs = timed(study, [(study.workloads[0], chosen) for chosen in partitions(study)])
    distinct: dict[tuple[int, ...], Timed] = {}
    for run in runs:
        # Partitions with less replaced come first.
        distinct.setdefault((run.encryption, run.decryption), run)
    return tuple(distinct.values())


def _resources(study: Study) -> dict[str, Fpga]:
    options = [option for candidate in study.candidates for option in candidate.options]
    paths = dict.fromkeys(option.coprocessor for option in options if option.coprocessor)
    return {Coprocessor.load(path).name: fpga_of(path, FAMILY) for path in paths}
