"""The cores that programs are generated for: on which configurations, waits and instructions."""

from cocrypt import house
from cocrypt.errors import InputError
from cocrypt.fuzz.cores import ibex, picorv32, serv, vexriscv
from cocrypt.fuzz.cores.definition import Core

__all__ = ["CORES", "DEFAULT", "Core", "core"]

CORES = {one.name: one for one in (picorv32.CORE, serv.CORE, ibex.CORE, vexriscv.CORE)}
DEFAULT = picorv32.CORE.name


def core(name: str) -> Core:
    """The core of this name; raises `InputError` where programs are generated for none such."""
    if name not in CORES:
        raise InputError(
            f"programs are generated for {', '.join(CORES)}, not for `{name}`",
            house.suggestion(name, list(CORES)),
        )
    return CORES[name]
