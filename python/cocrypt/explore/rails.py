"""Coprocessors with one rail and with two in a study: areas, and their ratios."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cocrypt.explore.space import DualRail
from cocrypt.gates import library as libraries
from cocrypt.gates import rails
from cocrypt.hardware.area import Area
from cocrypt.rtl import coprocessor_verilog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cocrypt.explore.space import Space
    from cocrypt.gates.library import Library
    from cocrypt.study import Study


def library_of(study: Study) -> Library:
    """The cell library of a study's netlists."""
    named = libraries.USUAL if study.leakage is None else study.leakage.library
    return libraries.load(named)


def areas_by_cells(
    study: Study,
    space: Space,
    areas: Mapping[Any, Area | None],
    step: Callable[[str, int, int], None],
) -> dict[Any, Area | None]:
    """Areas with those of coprocessors by a library's cells, and of those with two rails too.

    An estimate by transistors would not compare with a netlist of two rails.
    """
    library = library_of(study)
    found = dict(areas)
    for number, path in enumerate(space.coprocessors):
        step("mapping to cells", number, len(space.coprocessors))
        design, top = coprocessor_verilog(path)
        single = rails.rails(design, top, library, dual=False)
        before = found[path]
        if before is not None:
            found[path] = replace(before, gate_equivalents=single.area_GE, yosys=single.tools)
        if path in space.dual_rails:
            step("hardening", number, len(space.coprocessors))
            double = rails.rails(design, top, library, dual=True)
            found[DualRail(path)] = Area(double.area_GE, None, None, 0, double.tools)
    return found


@dataclass(frozen=True)
class Price:
    """The period of a netlist of two rails over that of one."""

    period: float

    @classmethod
    def of(cls, study: Study, register_map: Path) -> Price:
        """The price of a coprocessor, from figures that are kept."""
        design, top = coprocessor_verilog(register_map)
        library = library_of(study)
        single, double = (
            rails.rails(design, top, library, dual=dual).period_s for dual in (False, True)
        )
        return cls(double / single)
