"""Results as the dictionaries that `--json` prints; `docs/json.md` describes them.

Other packages have their own: `explore.records`, `authenticate.records`.
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
    """The figures that `verify --json` prints."""
    return {
        "study": result.study.name,
        "device": result.study.device.name,
        "runs": [
            {
                "core": result.core,
                "image": run.image_hash,
                "workload": run.workload,
                "name": run.partition.name,
                "hw": list(run.partition.hw),
                "model_cycles": run.model_cycles,
                "rtl_cycles": run.rtl_cycles,
                "difference": run.difference,
                "verified": run.verified,
                "expected": None if run.expected is None else run.expected.hex(),
                "got": {"model": run.model_output.hex(), "rtl": run.rtl_output.hex()},
                "host": {
                    "model_seconds": run.model_seconds,
                    "rtl_seconds": run.rtl_seconds,
                    "speed_ratio": run.speed_ratio,
                },
            }
            for run in result.runs
        ],
    }


def campaign(result: Campaign) -> dict[str, Any]:
    """The figures that `verify --fuzz --json` prints."""
    return {
        "core": result.core,
        "seed": result.seed,
        "programs": result.programs,
        "runs": result.runs,
        "configurations": result.configurations,
        "differences": [
            {
                "program": difference.run.program.index,
                "configuration": str(difference.run.configuration),
                "waits": str(difference.run.waits),
                "fields": list(difference.fields),
                "diverges": difference.diverges,
            }
            for difference in result.differences
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
    """The figures that `run --json` prints."""
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
    """The figures that `profile --json` prints."""
    values = profile.values
    transfers = {
        function["address"]: function["transfers"] for function in result.values["functions"]
    }
    functions = [
        function | {"transfers": transfers.get(function["address"])}
        for function in values["functions"]
    ]
    spent = sum(function["self_cycles"] for function in functions)
    return {
        "device": device.name,
        "image": {"name": image, "hash": result.info["hash"]},
        "stop": result.values["stop"],
        "total_cycles": result.cycles,
        # From the release of reset to the issue of the first instruction; no function's.
        "reset_cycles": result.cycles - spent,
        "functions": functions,
        "tree": values["tree"],
        "lines": values["lines"],
        "instructions": values["instructions"],
        "notes": result.values["notes"],
        "stubs": result.values["stubs"],
        "host": {"seconds": result.values["seconds"]},
    }
