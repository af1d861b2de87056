"""The configurations and waits that generated programs run on, and device files for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import house
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits

if TYPE_CHECKING:
    from pathlib import Path


def _configuration(switches: str, multiplier: str = "") -> Configuration:
    """Read one letter a parameter: a capital is on, a small one off."""
    on = [letter.isupper() for letter in switches]
    return Configuration(
        enable_regs_dualport=on[0],
        two_stage_shift=on[1],
        barrel_shifter=on[2],
        two_cycle_compare=on[3],
        two_cycle_alu=on[4],
        compressed_isa=on[5],
        enable_div=on[6],
        enable_mul=multiplier == "mul",
        enable_fast_mul=multiplier == "fast",
    )


# Dual-port registers, Two-stage shift, Barrel shifter, Compare and Alu in two cycles,
# compressed (X), diVider. The first eight rows are an orthogonal array: any two parameters meet in
# all four ways. The last two are the core's default and the fast one, which devices use.
CONFIGURATIONS = (
    _configuration("DTBCAXV", "fast"),
    _configuration("DTBcaxv", "mul"),
    _configuration("DtbCAxv", ""),
    _configuration("DtbcaXV", "mul"),
    _configuration("dTbCaXv", "fast"),
    _configuration("dTbcAxV", "mul"),
    _configuration("dtBCaxV", "fast"),
    _configuration("dtBcAXv", ""),
    _configuration("DTbcaxv", ""),
    _configuration("DTBcaXV", "fast"),
)

WAITS = (
    Waits(0, 0, 1),
    Waits(1, 1, 19),
    Waits(2, 2, 2),
    Waits(3, 3, 1),
    Waits(1, 3, 3),
    Waits(3, 1, 5),
    Waits(0, 2, 2),
    Waits(2, 0, 1),
)
"""Equal and different waits of fetches and data, with fast and slow buses."""


def features(configuration: Configuration) -> Features:
    """Say which instructions a core has."""
    return Features(
        multiply=configuration.enable_mul or configuration.enable_fast_mul,
        divide=configuration.enable_div,
        compressed=configuration.compressed_isa,
    )


@dataclass(frozen=True, slots=True)
class DeviceFolder:
    """A folder of device files for configurations and waits, with the cores that they refer to."""

    path: Path

    def __post_init__(self) -> None:
        cores = self.path / "cores"
        if not cores.exists():
            cores.symlink_to(house.root() / "devices" / "cores", target_is_directory=True)

    def device(self, configuration: Configuration, waits: Waits) -> Path:
        """Find the device file of a configuration; write it if it is not there yet."""
        name = f"{configuration.identifier}-{waits.fetch}-{waits.data}-{waits.bus}"
        path = self.path / f"{name}.toml"
        if not path.exists():
            path.write_text(device_text(name, configuration, waits))
        return path


def device_text(name: str, configuration: Configuration, waits: Waits) -> str:
    """Describe the same system as the RTL configuration, as a device file."""
    parameters = configuration.core_parameters()
    lines = [
        "[device]", f'name = "{name}"', f'title = "{name}"', 'core = "picorv32"',
        "clock_hz = 1_000_000",
        "[parameters]", *(f"{key} = {str(on).lower()}" for key, on in parameters.items()),
        "[[memory]]", 'name = "ram"', "base = 0", f"size = {configuration.memory_size}",
        f"fetch_wait = {waits.fetch}", f"data_wait = {waits.data}",
        "[bus]", f"wait = {waits.bus}",
    ]  # fmt: skip
    for kind in ("console", "counter", "exit"):
        base, size = (getattr(configuration, f"{kind}_{part}") for part in ("base", "size"))
        lines += ["[[peripheral]]", f'kind = "{kind}"', f"base = {base:#x}", f"size = {size}"]
    return "\n".join(lines) + "\n"
