"""The reproduction as the dictionary that `--json` prints; `docs/json.md` describes it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010.claims import external
from cocrypt.reproduce.duarte2010.native import EXTERNAL, record_of
from cocrypt.reproduce.duarte2010.settled import judged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Pair, Timed


def record(result: Reproduction) -> dict[str, Any]:
    """All figures; cycles, seconds, joules, bytes."""
    away, ddr = result.external, external(result.published)
    natives = result.native.external
    return {
        "study": result.study.name,
        "hot": result.hot,
        "hot_spots": asdict(hot_spots(result.profiled.without.tree)),
        "table1": [
            {
                "paper": published["without"],
                "native": _run(result, processor.without),
                "ours": _run(result, pair.without),
            }
            for published, processor, pair in _rows(result)
        ],
        "table2": [
            {
                "paper": published["with"],
                "native": _run(result, processor.with_hardware),
                "ours": _run(result, pair.with_hardware),
            }
            for published, processor, pair in _rows(result)
        ],
        "external": [
            {
                "paper": {"cycles": paper},
                "native": _run(result, processor),
                "ours": _run(result, run),
            }
            for paper, processor, run in zip(
                ddr,
                (natives.without, natives.with_hardware),
                (away.without, away.with_hardware),
                strict=True,
            )
        ],
        "native": _native(result),
        "slower_bus": _run(result, result.slower_bus),
        "resources": {name: asdict(area) for name, area in result.resources.items()},
        "choices": [_run(result, run) for run in result.choices],
        "doubts": [asdict(doubt) for doubt in judged(result)],
        "sentences": {table.title: table.sentence for table in result.tables},
        "findings": [asdict(finding) for finding in result.findings],
    }


def _rows(result: Reproduction) -> Iterator[tuple[dict[str, Any], Pair, Pair]]:
    """The paper's row, the processor's and the stand-in's, by the size of the text."""
    return zip(result.published["row"], result.native.sizes, result.sizes, strict=True)


def _native(result: Reproduction) -> dict[str, Any]:
    """The runs on the paper's processor besides the rows of the tables."""
    compiled, unoptimised = record_of(), result.native.unoptimised
    return {
        "device": result.native.study.device.name,
        "external_device": EXTERNAL,
        "compiler": compiled["compiler"],
        "flags": compiled["flags"],
        "unoptimised": [_run(result, unoptimised.without), _run(result, unoptimised.with_hardware)],
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
