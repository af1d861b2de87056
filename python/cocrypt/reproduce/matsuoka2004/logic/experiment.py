"""The paper's experiment on logic styles: two AES cores with one rail and with two."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.gates import library as libraries
from cocrypt.gates.glitches import SETTLED
from cocrypt.gates.hardening import hardened
from cocrypt.gates.synthesis import Wires
from cocrypt.gates.wddl import MASTER_SLAVE
from cocrypt.reproduce.matsuoka2004.logic.encryptions import (
    GLITCHES,
    encryptions,
    reduction,
    variation,
)
from cocrypt.reproduce.matsuoka2004.logic.findings import findings
from cocrypt.reproduce.matsuoka2004.logic.record import record
from cocrypt.reproduce.matsuoka2004.logic.tables import tables
from cocrypt.reproduce.paper import unheard

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cocrypt.gates.glitches import Delays
    from cocrypt.gates.hardening import Data, Pair
    from cocrypt.gates.library import Library
    from cocrypt.reproduce.matsuoka2004.logic.encryptions import Variation
    from cocrypt.reproduce.paper import Finding, Shown, Step

NAME = "matsuoka2004"
TOP = "aes128_core"
"""The datapath without the registers of the bus; both designs have it."""
DESIGNS: Mapping[str, str] = {"fast": "aes128/aes128.fdl", "small": "aes128-small/aes128_small.fdl"}
"""The file in `coprocessors/` of each of the paper's designs."""
LIBRARIES = ("osu018", libraries.USUAL)
"""The library of the paper's technology, if it is installed, and that which comes with cocrypt."""
MISMATCHES = (0.0, 0.05, 0.15, 0.3)
"""Standard deviations of a wire's capacitance, relative to it."""
RUNS, LENGTH, SEED = 256, 4, 1
"""Runs, encryptions that count in each, and the seed of texts and wires."""


@dataclass(frozen=True)
class Size:
    """A netlist's figures; one rail takes new inputs every period, two rails every other one."""

    period_s: float
    gates: float
    """Gate equivalents, with registers."""
    interval_s: float


@dataclass(frozen=True)
class Logic:
    """One of the paper's designs with the cells of a library, with one rail and with two.

    `variations` has one rail and two for each of the mismatches, where gates switch at once, and
    `glitches` both with equal wires and with delays of gates. `outputs` is the number of functions
    that ABC has proven equal.
    """

    design: str
    library: str
    yosys: str
    single: Size
    double: Size
    variations: Mapping[float, tuple[Variation, Variation]]
    glitches: tuple[Variation, Variation]
    outputs: int

    @property
    def area_ratio(self) -> float:
        """The area with two rails over that with one."""
        return self.double.gates / self.single.gates

    def factor(self, mismatch: float) -> float:
        """How many times smaller the variation is with two rails; infinite without any."""
        return reduction(self.variations[mismatch])


@dataclass(frozen=True)
class Reproduction:
    """The paper's figures and ours, by library and design; libraries that are not installed."""

    published: dict[str, Any]
    logics: tuple[Logic, ...]
    missing: tuple[str, ...]

    @property
    def tables(self) -> tuple[Shown, ...]:
        """Table 3 for each library, and the variation of power."""
        return tables(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions about the logic style."""
        return findings(self)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Nothing: a netlist that is not proven, or computes other values, ends the experiment."""
        return ()

    def of(self, library: str) -> tuple[Logic, ...]:
        """The designs with a library, in the paper's order."""
        return tuple(logic for logic in self.logics if logic.library == library)

    def record(self) -> dict[str, Any]:
        """The output of `--json`."""
        return record(self)


def reproduce(step: Step = unheard) -> Reproduction:
    """Hardens both designs with each library; raises as `hardened` does."""
    path = paths.root() / "studies" / "published" / f"{NAME}.toml"
    published = tomllib.loads(path.read_text("utf-8"))
    found, missing = _libraries()
    data = encryptions(RUNS, LENGTH, SEED)
    work = [(name, library) for library in found for name in DESIGNS]
    logics = []
    for done, (name, library) in enumerate(work):
        step(f"the {name} design with {library}", done, len(work))
        logics.append(measured(name, library, found[library], data))
    step("hardened", len(work), len(work))
    return Reproduction(published, tuple(logics), missing)


def _libraries() -> tuple[dict[str, Library], tuple[str, ...]]:
    """The libraries by name, and the names of those that are not installed."""
    found, missing = {}, []
    for name in LIBRARIES:
        installed = libraries.INSTALLED.get(name)
        if installed is not None and not installed.is_file():
            missing.append(name)
        else:
            found[name] = libraries.load(name)
    if not found:
        raise InputError("no cell library is installed")
    return found, tuple(missing)


def measured(design: str, name: str, library: Library, data: Sequence[Data]) -> Logic:
    """A design with a library: sizes, and energies of encryptions; raises as `hardened` does."""
    path = paths.root() / "coprocessors" / DESIGNS[design]
    pair = hardened(path, TOP, library, MASTER_SLAVE)
    wires = Wires()
    return Logic(
        design=design,
        library=name,
        yosys=pair.mapped.yosys,
        single=_size(pair.single.report(wires), 1),
        double=_size(pair.double.report(wires), 2),
        variations={mismatch: _variations(pair, wires, mismatch, data) for mismatch in MISMATCHES},
        glitches=_variations(pair, wires, 0.0, data, GLITCHES),
        outputs=pair.proof.outputs,
    )


def _size(report: Mapping[str, Any], cycles: int) -> Size:
    period = float(report["period_s"])
    return Size(period, float(report["area_GE"]), cycles * period)


def _variations(
    pair: Pair, wires: Wires, mismatch: float, data: Sequence[Data], delays: Delays = SETTLED
) -> tuple[Variation, Variation]:
    single, double = pair.simulate(data, wires, (mismatch, SEED), delays)
    return variation(single), variation(double)
