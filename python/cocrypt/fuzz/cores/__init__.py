"""The cores for which programs are generated, with configurations, waits and instructions."""

from cocrypt import paths
from cocrypt.errors import InputError
from cocrypt.fuzz.cores import ibex, picorv32, serv, vexriscv
from cocrypt.fuzz.cores.definition import Core

__all__ = ["CORES", "DEFAULT", "Core", "core"]

CORES = {
    definition.name: definition
    for definition in (picorv32.CORE, serv.CORE, ibex.CORE, vexriscv.CORE)
}
DEFAULT = picorv32.CORE.name


def core(name: str) -> Core:
    """The core of this name; raises `InputError` if there is none."""
    if name not in CORES:
        raise InputError(
            f"programs are generated for {', '.join(CORES)}, not for `{name}`",
            paths.suggestion(name, list(CORES)),
        )
    return CORES[name]
