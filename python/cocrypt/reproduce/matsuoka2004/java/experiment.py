"""The paper's experiment: an unmodified library in Java on a small machine.

Section 2 is repeated: the footprint, and fourteen algorithms on the SA-1110.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.errors import HostError
from cocrypt.java.maven import obtain
from cocrypt.reproduce.matsuoka2004.java.findings import findings
from cocrypt.reproduce.matsuoka2004.java.footprint import Footprint, footprints
from cocrypt.reproduce.matsuoka2004.java.measured import ALGORITHMS, BOUNCY_CASTLE, OWN, measure
from cocrypt.reproduce.matsuoka2004.java.tables import tables
from cocrypt.reproduce.paper import Shown, unheard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.reproduce.matsuoka2004.java.measured import Algorithm, Measured, Result
    from cocrypt.reproduce.paper import Finding, Step

NAME, DEVICE = "matsuoka2004", "sa1110"


@dataclass(frozen=True)
class Reproduction:
    """The paper's figures and ours; `library` is empty, and `missing` says why, without a jar."""

    published: dict[str, Any]
    clock_hz: int
    library: str
    missing: str
    measured: tuple[Measured, ...]
    footprints: tuple[Footprint, ...]

    @property
    def tables(self) -> tuple[Shown, ...]:
        """Tables 1 and 2, behind a note if the library is missing."""
        return (*self._notes(), *tables(self))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions about the library on the SA-1110."""
        return findings(self)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Algorithms with a result that is not that of the official vectors."""
        return tuple(each.algorithm.title for each in self.measured if each.wrong)

    def ms(self, cycles: float) -> float:
        """Milliseconds at the device's clock."""
        return 1000 * cycles / self.clock_hz

    def paper(self, algorithm: Algorithm, operation: str) -> float | None:
        """The paper's milliseconds."""
        figures = self.published["sa1110_ms"][algorithm.name]
        return None if algorithm.variant else figures[operation]

    def compared(self) -> Iterator[tuple[str, str, float, float]]:
        """Algorithm, operation, the paper's milliseconds and ours."""
        for each in self.measured:
            for direction, operation in enumerate(each.operations):
                paper = self.paper(each.algorithm, operation)
                if paper is not None:
                    yield each.algorithm.title, operation, paper, self.ms(each.java.mean(direction))

    def record(self) -> dict[str, Any]:
        """The part of `java` in the output of `--json`."""
        return {
            "library": self.library or None,
            "missing": self.missing or None,
            "footprints": [asdict(each) for each in self.footprints],
            "algorithms": [self._record(each) for each in self.measured],
        }

    def _notes(self) -> tuple[Shown, ...]:
        if self.library:
            return ()
        row = (str(BOUNCY_CASTLE), self.missing)
        note = "Without the library only our own AES is measured."
        return (Shown("What is missing", ("library", "reason"), (row,), note, texts=2),)

    def _record(self, measured: Measured) -> dict[str, Any]:
        operations = {
            operation: {
                "paper_ms": self.paper(measured.algorithm, operation),
                "ms": self.ms(measured.java.mean(direction)),
                "compiled_ms": self.ms(measured.aot.mean(direction)),
            }
            for direction, operation in enumerate(measured.operations)
        }
        return {
            "name": measured.algorithm.name,
            "variant": measured.algorithm.variant or None,
            "verified": not measured.wrong,
            "runs": measured.java.runs,
            "bytecodes": measured.counted.executed,
            "operations": operations,
            "interpreted": _machine(measured.java),
            "compiled": _machine(measured.aot),
        }


def reproduce(step: Step = unheard) -> Reproduction:
    """Measures the library's algorithms, or our own AES where the library is not available."""
    path = paths.root() / "studies" / "published" / f"{NAME}.toml"
    published = tomllib.loads(path.read_text("utf-8"))
    device = Device.load(paths.device(DEVICE))
    try:
        library, missing = obtain(BOUNCY_CASTLE), ""
    except HostError as error:
        library, missing = None, error.message
    chosen = (*(ALGORITHMS if library else ()), OWN)
    measured = []
    for done, algorithm in enumerate(chosen):
        step(f"measuring {algorithm.title}", done, len(chosen))
        measured.append(measure(algorithm, library, device))
    step("measured", len(chosen), len(chosen))
    name = str(BOUNCY_CASTLE) if library else ""
    return Reproduction(
        published, device.clock_hz, name, missing, tuple(measured), footprints(library, device)
    )


def _machine(result: Result) -> dict[str, int]:
    return {"cycles": result.total, "rom": result.rom, "ram": result.ram}
