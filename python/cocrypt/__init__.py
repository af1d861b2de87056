"""cocrypt: a workbench for cryptography on embedded devices."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cocrypt import display

if TYPE_CHECKING:
    from cocrypt.design import Design
    from cocrypt.device import Device
    from cocrypt.explore import Exploration
    from cocrypt.machine import Machine, run_many
    from cocrypt.measurement import Run
    from cocrypt.primitives.measurements import Measurements, measure
    from cocrypt.profile import Profile
    from cocrypt.study import Study

    __version__: str

__all__ = [
    "Design",
    "Device",
    "Machine",
    "Measurements",
    "Profile",
    "Run",
    "Study",
    "__version__",
    "measure",
    "run_many",
]

# Modules are loaded when they are asked for: the command needs few of them.
_MODULES = {
    "Design": "cocrypt.design",
    "Device": "cocrypt.device",
    "Machine": "cocrypt.machine",
    "Measurements": "cocrypt.primitives.measurements",
    "Profile": "cocrypt.profile",
    "Run": "cocrypt.measurement",
    "Study": "cocrypt.study",
    "measure": "cocrypt.primitives.measurements",
    "run_many": "cocrypt.machine",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever a name of the package stands for.
    if name == "__version__":
        return _version()
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cocrypt")
    except PackageNotFoundError:
        return "unknown"


def _report(exploration: Exploration) -> str:
    """The report of an exploration, for notebooks."""
    from cocrypt.report.exploration import framed

    return framed([exploration])


display.register("exploration", _report)
