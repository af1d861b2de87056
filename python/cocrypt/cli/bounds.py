"""The figures of one run beside the most that its study allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cocrypt import log

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cocrypt.cli.programs import Program


def bounds(program: Program, values: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Each bound of a study with the figure of a run, as `run --json` prints it; None for an image.

    A figure that a run does not know, as the area of coprocessors, is None and meets its bound.
    """
    if program.study is None:
        return None
    figures = _figures(program, values)
    return [
        {"figure": name, "most": most, "value": value, "within": value is None or value <= most}
        for name, most in program.study.search.at_most.items()
        for value in [figures.get(name)]
    ]


def _figures(program: Program, values: Mapping[str, Any]) -> dict[str, float | None]:
    """The figures of a run, by the names that studies give them."""
    ram, stack = values["ram"], values["stack"]
    hardware = None if program.built is None else program.built.partition.hardware
    return {
        "total": values["cycles"],
        "seconds": values["cycles"] / program.device.clock_hz,
        "energy_J": values["energy_J"],
        "hardware": hardware,
        "rom": values["rom"],
        "ram": ram,
        "stack": stack,
        "memory": None if stack is None else ram + stack,
    }


def report(rows: list[dict[str, Any]] | None) -> None:
    """Reports the figures that are above what the study allows."""
    for row in rows or ():
        if not row["within"]:
            log.say(
                f"note: `{row['figure']}` is {row['value']:,.12g}, and the study allows "
                f"{row['most']:,.12g} at most"
            )
