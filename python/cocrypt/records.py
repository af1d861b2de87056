"""Results as the dictionaries that `--json` prints; `docs/json.md` describes them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.device import Device
    from cocrypt.explore import Exploration, Row
    from cocrypt.fuzz import Campaign
    from cocrypt.measurement import Run
    from cocrypt.profile import Profile
    from cocrypt.verify import Verification


def explorations(results: Sequence[Exploration]) -> dict[str, Any]:
    """What `explore --json` prints: the first device's, with the rows of all of them."""
    every = [exploration(one) for one in results]
    rows = [one for found in every for one in found["rows"]]
    return {**every[0], "devices": [one["device"] for one in every], "rows": rows}


def exploration(result: Exploration) -> dict[str, Any]:
    """An exploration on one device."""
    return {
        "study": result.study.name,
        "workload": result.workload.name,
        "device": result.study.device.name,
        "verified": result.verified,
        "rows": [row(one) for one in result.every_row],
        "front": front(result),
        "landscape": landscape(result),
        "notes": list(result.notes),
        "natural": natural(result),
        "hot_spots": hot_spots(result),
        "toolchain": result.toolchain,
        "host": result.host,
    }


def natural(result: Exploration) -> dict[str, Any] | None:
    """The build without boundaries; null where no candidate stands in the project's sources."""
    one = result.natural
    if one is None:
        return None
    return {"total": one.split.total, "rom": one.rom, "ram": one.ram, "image": one.image_hash}


def hot_spots(result: Exploration) -> dict[str, Any] | None:
    """Where the cycles go; null where the study names candidates."""
    return None if result.hot is None else asdict(result.hot)


def landscape(result: Exploration) -> dict[str, Any] | None:
    """How much was foreseen; null where every partition was simulated, and there was no more."""
    one = result.landscape
    if one is None:
        return None
    return {
        "points": one.points,
        "within_bounds": one.feasible,
        "method": one.method,
        "objectives": list(result.objectives),
        "host": {"seconds": one.seconds},
    }


def front(result: Exploration) -> list[dict[str, Any]]:
    """What of all that was foreseen is worth it, by the figures that were foreseen."""
    points = result.landscape.front if result.landscape else ()
    return [
        {
            "name": one.partition.name,
            "choice": one.partition.choice,
            "settings": dict(one.settings),
            "predicted": {
                name: None if math.isnan(figure) else figure for name, figure in one.figures.items()
            },
        }
        for one in points
    ]


def row(one: Row) -> dict[str, Any]:
    """One partition; cycles, bytes, joules."""
    measurement, split = one.measurement, one.measurement.split
    return {
        "name": measurement.partition.name,
        "device": measurement.device.name,
        "settings": dict(measurement.device.settings),
        "choice": measurement.partition.choice,
        "hw": list(measurement.partition.hw),
        "sigma": split.computation,
        "software": split.software,
        "driver": split.driver,
        "waiting": split.waiting,
        "mu": split.communication,
        "total": split.total,
        "overhead": one.overhead,
        "gain": one.gain,
        "transfers": measurement.transfers,
        "instructions": measurement.instructions,
        "rom": measurement.rom,
        "ram": measurement.ram,
        "stack": measurement.stack,
        "energy_J": measurement.energy,
        "clock_hz": one.clock_hz,
        "seconds": one.seconds,
        "area_GE": one.gate_equivalents,
        "luts": one.luts,
        "flip_flops": one.flip_flops,
        "predicted_total": one.predicted,
        "simulated": True,
        "verified": measurement.verified,
        "pareto": one.pareto,
        "within_bounds": one.within,
        "image": measurement.image_hash,
    }


def verification(result: Verification) -> dict[str, Any]:
    """What `verify --json` prints."""
    return {
        "study": result.study.name,
        "device": result.study.device.name,
        "runs": [
            {
                "core": result.core,
                "image": one.image_hash,
                "workload": one.workload,
                "name": one.partition.name,
                "hw": list(one.partition.hw),
                "model_cycles": one.model_cycles,
                "rtl_cycles": one.rtl_cycles,
                "difference": one.difference,
                "verified": one.verified,
                "host": {
                    "model_seconds": one.model_seconds,
                    "rtl_seconds": one.rtl_seconds,
                    "speed_ratio": one.speed_ratio,
                },
            }
            for one in result.runs
        ],
    }


def campaign(result: Campaign) -> dict[str, Any]:
    """What `verify --fuzz --json` prints."""
    return {
        "core": result.core,
        "seed": result.seed,
        "programs": result.programs,
        "runs": result.runs,
        "configurations": result.configurations,
        "differences": [
            {
                "program": one.run.program.index,
                "configuration": str(one.run.configuration),
                "waits": str(one.run.waits),
                "fields": list(one.fields),
                "diverges": one.diverges,
            }
            for one in result.differences
        ],
        "smallest": {
            "assembly": result.smallest.assembly(),
            "fields": list(result.smallest.fields),
            "diverges": result.smallest.diverges,
        }
        if result.smallest
        else None,
    }


def run(device: Device, image: str, result: Run) -> dict[str, Any]:
    """What `run --json` prints."""
    values = result.values
    return {
        "device": device.name,
        "image": {"name": image, "hash": result.info["hash"]},
        "stop": values["stop"],
        "exit_code": values["stop"]["exit_code"],
        "cycles": result.cycles,
        "instructions": values["instructions"],
        "rom": result.rom,
        "ram": result.ram,
        "stack": values["stack"],
        "energy_J": device.energy(result.cycles),
        "transfers": values["transfers"],
        "console": values["console"].decode("utf-8", "replace"),
        "marks": [{"cycle": cycle, "value": value} for cycle, value in values["marks"]],
        "notes": values["notes"],
        "stubs": values["stubs"],
        "host": {"seconds": values["seconds"]},
    }


def profile(device: Device, image: str, result: Run, profile: Profile) -> dict[str, Any]:
    """What `profile --json` prints."""
    values = profile.values
    transfers = {one["address"]: one["transfers"] for one in result.values["functions"]}
    functions = [one | {"transfers": transfers.get(one["address"])} for one in values["functions"]]
    spent = sum(one["self_cycles"] for one in functions)
    return {
        "device": device.name,
        "image": {"name": image, "hash": result.info["hash"]},
        "stop": result.values["stop"],
        "total_cycles": result.cycles,
        # From the release of reset to the launch of the first instruction; no function's.
        "reset_cycles": result.cycles - spent,
        "functions": functions,
        "tree": values["tree"],
        "lines": values["lines"],
        "instructions": values["instructions"],
        "notes": result.values["notes"],
        "stubs": result.values["stubs"],
        "host": {"seconds": result.values["seconds"]},
    }
