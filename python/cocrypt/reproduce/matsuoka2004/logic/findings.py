"""The paper's conclusions about the logic style, judged with the first library's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt.reproduce.paper import Finding

if TYPE_CHECKING:
    from cocrypt.reproduce.matsuoka2004.logic.experiment import Logic, Reproduction

NEAR = 1.2
"""The factor within which a figure counts as the paper's."""
NANO = 1e9
SECTION = "4.3"


def findings(result: Reproduction) -> tuple[Finding, ...]:
    """The conclusions with their verdicts."""
    logics = result.of(result.logics[0].library)
    by_name = {logic.design: logic for logic in logics}
    return (
        _area(result, logics),
        _delay(logics),
        _goals(result.published["wddl"], by_name["fast"], by_name["small"]),
        _variation(result, logics),
    )


def _area(result: Reproduction, logics: tuple[Logic, ...]) -> Finding:
    printed = [result.published["wddl"][logic.design]["area_ratio"] for logic in logics]
    holds = all(
        1 / NEAR < logic.area_ratio / ratio < NEAR
        for logic, ratio in zip(logics, printed, strict=True)
    )
    listed = "; ".join(f"{logic.design}: {logic.area_ratio:.2f}" for logic in logics)
    claim = f"Two rails cost {min(printed):.2f} to {max(printed):.2f} times the area."
    return Finding(SECTION, claim, holds, f"{listed}, with {logics[0].library}")


def _delay(logics: tuple[Logic, ...]) -> Finding:
    longer = [(logic.double.period_s - logic.single.period_s) * NANO for logic in logics]
    listed = "; ".join(
        f"{logic.design}: {more:+.2f} ns" for logic, more in zip(logics, longer, strict=True)
    )
    claim = "The critical path becomes about 0.8 ns longer."
    holds = all(0.8 / NEAR < more < 0.8 * NEAR for more in longer)
    return Finding(SECTION, claim, holds, f"{listed}, with {logics[0].library}")


def _goals(published: dict[str, Any], fast: Logic, small: Logic) -> Finding:
    gates_there, path_there = (
        published["small"][key] / published["fast"][key] for key in ("plain_kgates", "plain_ns")
    )
    gates = small.single.gates / fast.single.gates
    path = small.single.period_s / fast.single.period_s
    claim = "The small design has half of the fast one's gates, and almost three times its path."
    why = f"{gates:.2f} times the gates and {path:.2f} times the path, with {fast.library}"
    shares = gates / gates_there, path / path_there
    holds = all(1 / NEAR < share < NEAR for share in shares)
    return Finding(SECTION, claim, holds, why)


def _variation(result: Reproduction, logics: tuple[Logic, ...]) -> Finding:
    low, high = result.published["wddl"]["power_variation_reduction"]
    least, most = min(logics[0].variations), max(logics[0].variations)
    ranges = [(logic.factor(most), logic.factor(least)) for logic in logics]
    listed = "; ".join(
        f"{logic.design}: {below:,.0f} with wires that deviate by {100 * most:g} %, "
        f"{above:,.0f} with equal ones"
        for logic, (below, above) in zip(logics, ranges, strict=True)
    )
    claim = f"The variation of power becomes {low} to {high} times smaller."
    holds = all(below <= high and low <= above for below, above in ranges)
    return Finding(SECTION, claim, holds, f"{listed}, with {logics[0].library}")
