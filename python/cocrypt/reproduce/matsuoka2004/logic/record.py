"""The part of logic in what `--json` prints; `docs/json.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


def _variations(logic: Logic) -> list[dict[str, float | None]]:
    rows: list[dict[str, float | None]] = []
    for mismatch, (single, double) in logic.variations.items():
        factor = logic.factor(mismatch)
        rows.append(
            {
                "mismatch": mismatch,
                "single": single.deviation,
                "double": double.deviation,
                "reduction": factor if isfinite(factor) else None,
            }
        )
    return rows
