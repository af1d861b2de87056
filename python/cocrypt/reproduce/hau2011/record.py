"""The reproduction as the dictionary that `--json` prints; `docs/json.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cocrypt.reproduce.hau2011.findings import on_core

if TYPE_CHECKING:
    from cocrypt.explore import Row
    from cocrypt.reproduce.hau2011.experiment import Reproduction


def record(result: Reproduction) -> dict[str, Any]:
    """The output of `--json`: for each row of a table the paper's figures and ours."""
    sentences = zip(("table3", "table4", "table5"), result.sentences, strict=True)
    return {
        "study": result.study.name,
        "table2": [
            {
                "paper": paper["hw"],
                "ours": list(row.measurement.partition.hw),
                "name": paper["name"],
            }
            for paper, row in result.partitions
        ],
        "table3": [{"paper": paper, "ours": _partition(row)} for paper, row in result.partitions],
        "table4": [
            {
                "workload": run.workload,
                "paper": {key: paper[key] for key in ("ctf_s", "rtl_s", "speedup")},
                "host": {
                    "model_seconds": run.model_seconds,
                    "rtl_seconds": run.rtl_seconds,
                    "speed_ratio": run.speed_ratio,
                },
            }
            for paper, run in result.rtl
        ],
        "table5": [
            {
                "workload": run.workload,
                "paper": {key: paper[key] for key in ("ctf_cycles", "rtl_cycles", "error_percent")},
                "ours": {
                    "model_cycles": run.model_cycles,
                    "rtl_cycles": run.rtl_cycles,
                    "difference": run.difference,
                    "verified": run.verified,
                },
            }
            for paper, run in result.rtl
        ],
        "sentences": dict(sentences),
        "cores": [
            {
                "device": explored.study.device.name,
                "core": explored.study.device.core.name,
                "bus_wait": explored.study.device.bus.wait,
                "rows": [
                    {
                        "name": paper["name"],
                        **_partition(explored.by_hardware(row.measurement.partition.hw)),
                    }
                    for paper, row in result.partitions
                ],
                "findings": on_core(explored),
            }
            for explored in result.cores
        ],
        "findings": [asdict(finding) for finding in result.findings],
    }


def _partition(row: Row) -> dict[str, Any]:
    split = row.measurement.split
    return {
        "computation": split.computation,
        "communication": split.communication,
        "total": split.total,
        "overhead_percent": 100 * row.overhead,
        "gain": row.gain,
        "verified": row.measurement.verified,
    }
