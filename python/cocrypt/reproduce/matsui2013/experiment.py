"""The paper's experiment: the fastest subroutine in each category of ROM and RAM."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import paths
from cocrypt.reproduce.matsui2013.categories import DRAWN, IMPOSSIBLE, SATIATED, printed
from cocrypt.reproduce.matsui2013.chosen import sort
from cocrypt.reproduce.matsui2013.findings import findings
from cocrypt.reproduce.matsui2013.page import page
from cocrypt.reproduce.matsui2013.tables import tables
from cocrypt.reproduce.paper import unheard
from cocrypt.subroutines import measure, subroutines

if TYPE_CHECKING:
    from cocrypt.reproduce.matsui2013.chosen import Category
    from cocrypt.reproduce.paper import Finding, Shown, Step
    from cocrypt.subroutines import Measured

NAME = "matsui2013"


@dataclass(frozen=True)
class Reproduction:
    """The paper's figures, our measurements, and both by category."""

    published: dict[str, Any]
    measured: tuple[Measured, ...]
    categories: tuple[Category, ...]

    @property
    def primitives(self) -> tuple[str, ...]:
        """The members that have subroutines, in the order of their files."""
        return tuple(dict.fromkeys(one.subroutine.member for one in self.measured))

    @property
    def tables(self) -> tuple[Shown, ...]:
        """The paper's categories by primitive, our subroutines, and messages of several lengths."""
        return tables(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The paper's conclusions about primitives that have subroutines here."""
        return findings(self)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Vectors and blocks with a wrong result."""
        return tuple(name for measured in self.measured for name in measured.wrong)

    def record(self) -> dict[str, Any]:
        """The output of `--json`."""
        return {
            "study": NAME,
            "subroutines": [_record(measured) for measured in self.measured],
            "categories": [_category(category) for category in self.categories],
            "findings": [asdict(finding) for finding in self.findings],
        }

    def page(self) -> str:
        """The HTML page."""
        return page(self)


def reproduce(step: Step = unheard) -> Reproduction:
    """Measures all subroutines for RL78, and sorts them into the paper's categories."""
    path = paths.root() / "studies" / "published" / f"{NAME}.toml"
    published = tomllib.loads(path.read_text("utf-8"))
    chosen = subroutines()
    measured = []
    for done, subroutine in enumerate(chosen):
        step(f"measuring {subroutine.title}", done, len(chosen))
        measured.append(measure(subroutine))
    step("measured", len(chosen), len(chosen))
    return Reproduction(published, tuple(measured), sort(measured, printed(published)))


def _record(measured: Measured) -> dict[str, Any]:
    return {
        "primitive": measured.subroutine.member,
        "name": measured.subroutine.name,
        "rom": measured.rom,
        "ram": measured.ram,
        "stack": measured.stack,
        "banks": list(measured.subroutine.banks),
        "cycles": measured.cycles,
        "mean_cycles": measured.mean,
        "constant_time": measured.constant_time,
        "verified": not measured.wrong,
    }


def _category(category: Category) -> dict[str, Any]:
    figure = category.printed
    words = {SATIATED: "satiated", IMPOSSIBLE: "impossible", DRAWN: "drawn"}
    return {
        "primitive": figure.primitive,
        "scope": figure.scope or None,
        "row": figure.row,
        "rom_budget": figure.rom,
        "ram_budget": figure.ram,
        "operation": figure.operation,
        "paper": words.get(str(figure.figure), figure.figure),
        "ours": None
        if category.ours is None
        else {
            "name": category.ours.subroutine.name,
            "cycles": category.cycles,
            "rom": category.ours.rom,
            "ram": category.ours.ram,
        },
        "satiated": category.satiated,
        "reached": category.reached,
    }
