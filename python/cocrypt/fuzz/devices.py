"""Device files for the configurations and waits that generated programs run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import paths

if TYPE_CHECKING:
    from pathlib import Path

    from cocrypt.rtl import Configuration, Waits


@dataclass(frozen=True, slots=True)
class DeviceFolder:
    """A folder of device files for configurations and waits, with the cores that they refer to."""

    path: Path

    def __post_init__(self) -> None:
        cores = self.path / "cores"
        if not cores.exists():
            cores.symlink_to(paths.root() / "devices" / "cores", target_is_directory=True)

    def device(self, configuration: Configuration, waits: Waits) -> Path:
        """Find the device file of a configuration; write it if it does not exist."""
        name = f"{configuration.identifier}-{waits.fetch}-{waits.data}-{waits.bus}"
        path = self.path / f"{name}.toml"
        if not path.exists():
            path.write_text(device_text(name, configuration, waits))
        return path


def device_text(name: str, configuration: Configuration, waits: Waits) -> str:
    """Describe the same system as the RTL configuration, as a device file."""
    parameters = configuration.core_parameters()
    lines = [
        "[device]", f'name = "{name}"', f'title = "{name}"',
        f'core = "{configuration.core}"',
        "clock_hz = 1_000_000",
        "[parameters]", *(f"{key} = {str(value).lower()}" for key, value in parameters.items()),
        "[[memory]]", 'name = "ram"', "base = 0", f"size = {configuration.memory_size}",
        f"fetch_wait = {waits.fetch}", f"data_wait = {waits.data}",
        "[bus]", f"wait = {waits.bus}",
    ]  # fmt: skip
    for kind in ("console", "counter", "exit", "timer"):
        base, size = (getattr(configuration, f"{kind}_{part}") for part in ("base", "size"))
        lines += ["[[peripheral]]", f'kind = "{kind}"', f"base = {base:#x}", f"size = {size}"]
    return "\n".join(lines) + "\n"
