"""The part of logic in what `--json` prints; `docs/json.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from cocrypt.gates.glitches import SETTLED
from cocrypt.reproduce.matsuoka2004.logic.encryptions import GLITCHES, reduction

if TYPE_CHECKING:
    from cocrypt.gates.glitches import Delays
    from cocrypt.reproduce.matsuoka2004.logic.encryptions import Variation
    from cocrypt.reproduce.matsuoka2004.logic.experiment import Logic, Reproduction


def record(result: Reproduction) -> dict[str, Any]:
    """The paper's figures and ours for each design and library."""
    return {
        "missing_libraries": list(result.missing),
        "table3": [
            {
                "design": logic.design,
                "library": logic.library,
                "yosys": logic.yosys,
                "paper": result.published["wddl"][logic.design],
                "ours": _sizes(logic),
                "proven_functions": logic.outputs,
            }
            for logic in result.logics
        ],
        "variation": [
            {"design": logic.design, "library": logic.library, **entry}
            for logic in result.logics
            for entry in _variations(logic)
        ],
        "paper_reduction": result.published["wddl"]["power_variation_reduction"],
    }


def _sizes(logic: Logic) -> dict[str, Any]:
    return {
        "single": asdict(logic.single),
        "double": asdict(logic.double),
        "area_ratio": logic.area_ratio,
    }


def _variations(logic: Logic) -> list[dict[str, Any]]:
    settled = [_row(mismatch, SETTLED, logic.variations[mismatch]) for mismatch in logic.variations]
    return [*settled, _row(0.0, GLITCHES, logic.glitches)]


def _row(mismatch: float, delays: Delays, pair: tuple[Variation, Variation]) -> dict[str, Any]:
    factor = reduction(pair)
    single, double = pair
    return {
        "mismatch": mismatch,
        "delays": delays.record,
        "single": single.deviation,
        "double": double.deviation,
        "energy": double.mean / single.mean,
        "reduction": factor if isfinite(factor) else None,
    }
