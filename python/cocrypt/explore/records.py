"""Explorations as the dictionaries that `--json` prints; `docs/json.md` describes them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.explore.results import Exploration


def explorations(results: Sequence[Exploration]) -> dict[str, Any]:
    """The output of `explore --json`: that of the first device, with the rows of all devices."""
    devices = [exploration(result) for result in results]
    rows = [row for record in devices for row in record["rows"]]
    return {**devices[0], "devices": [record["device"] for record in devices], "rows": rows}


def exploration(result: Exploration) -> dict[str, Any]:
    """An exploration on one device."""
    return {
        "study": result.study.name,
        "workload": result.workload.name,
        "device": result.study.device.name,
        "verified": result.verified,
        "output": output(result),
        "rows": [row.record for row in result.every_row],
        "front": front(result),
        "landscape": landscape(result),
        "notes": list(result.notes),
        "natural": natural(result),
        "hot_spots": hot_spots(result),
        "toolchain": result.toolchain,
        "host": result.host,
    }


def output(result: Exploration) -> dict[str, Any]:
    """The software's output, and the line for the study that states it, if none is there yet."""
    produced = result.software.measurement.output
    return {**produced.stated, "keep": produced.line if result.workload.learnt else None}


def natural(result: Exploration) -> dict[str, Any] | None:
    """The build without boundaries; null if no candidate is in the project's sources."""
    built = result.natural
    if built is None:
        return None
    total = built.split.total
    return {"total": total, "rom": built.rom, "ram": built.ram, "image": built.image_hash}


def hot_spots(result: Exploration) -> dict[str, Any] | None:
    """The cycles of functions; null if the study names candidates."""
    return None if result.hot is None else asdict(result.hot)


def landscape(result: Exploration) -> dict[str, Any] | None:
    """The extent of predictions; null if every point was simulated."""
    predicted = result.landscape
    if predicted is None:
        return None
    return {
        "points": predicted.points,
        "within_bounds": predicted.feasible,
        "method": predicted.method,
        "objectives": list(result.objectives),
        "host": {"seconds": predicted.seconds},
    }


def front(result: Exploration) -> list[dict[str, Any]]:
    """The points of the predicted Pareto front, by their predicted figures."""
    points = result.landscape.front if result.landscape else ()
    return [
        {
            "name": point.partition.name,
            "choice": point.partition.choice,
            "settings": dict(point.settings),
            "predicted": {
                name: None if math.isnan(figure) else figure
                for name, figure in point.figures.items()
            },
        }
        for point in points
    ]
