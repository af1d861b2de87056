"""Results as the dictionaries that `--json` prints; `docs/json.md` describes them.

Those of rooms stand there: `explore.records`, `authenticate.records`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cocrypt.device import Device
    from cocrypt.fuzz import Campaign
    from cocrypt.measurement import Run
    from cocrypt.outcome import Output
    from cocrypt.profile import Profile
    from cocrypt.verify import Verification


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
                "expected": None if one.expected is None else one.expected.hex(),
                "got": {"model": one.model_output.hex(), "rtl": one.rtl_output.hex()},
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


def run(device: Device, image: str, result: Run, output: Output | None = None) -> dict[str, Any]:
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
        "output": None if output is None else output.stated,
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
