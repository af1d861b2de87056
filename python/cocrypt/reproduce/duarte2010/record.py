"""The reproduction as the dictionary that `--json` prints; `docs/json.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010.claims import doubts, external

if TYPE_CHECKING:
    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Timed


def record(result: Reproduction) -> dict[str, Any]:
    """All figures; cycles, seconds, joules, bytes."""
    away, ddr = result.external, external(result.published)
    return {
        "study": result.study.name,
        "hot": result.hot,
        "hot_spots": asdict(hot_spots(result.profiled.without.tree)),
        "table1": [
            {"paper": published["without"], "ours": _run(result, pair.without)}
            for published, pair in zip(result.published["row"], result.sizes, strict=True)
        ],
        "table2": [
            {"paper": published["with"], "ours": _run(result, pair.with_hardware)}
            for published, pair in zip(result.published["row"], result.sizes, strict=True)
        ],
        "external": [
            {"paper": {"cycles": paper}, "ours": _run(result, run)}
            for paper, run in zip(ddr, (away.without, away.with_hardware), strict=True)
        ],
        "slower_bus": _run(result, result.slower_bus),
        "resources": {name: asdict(area) for name, area in result.resources.items()},
        "choices": [_run(result, run) for run in result.choices],
        "doubts": [asdict(doubt) for doubt in doubts(result.published)],
        "sentences": {table.title: table.sentence for table in result.tables},
        "findings": [asdict(finding) for finding in result.findings],
    }


def _run(result: Reproduction, run: Timed) -> dict[str, Any]:
    return {
        "name": run.partition.name,
        "choice": run.partition.choice,
        "coprocessor": result.coprocessor(run),
        "bytes": run.size,
        "encryption": run.encryption,
        "decryption": run.decryption,
        "cycles": run.cycles,
        "total": run.total,
        "waited": run.waited,
        "seconds": result.seconds(run),
        "energy_J": result.energy(run),
        "calls": run.calls(result.hot),
        "cycles_each": run.each(result.hot) if run.calls(result.hot) else None,
        "verified": run.verified,
    }
