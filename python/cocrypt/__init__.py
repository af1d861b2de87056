"""cocrypt: a workbench for cryptography on embedded devices."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from cocrypt import display
from cocrypt.device import Device
from cocrypt.machine import Machine, run_many
from cocrypt.measurement import Run
from cocrypt.profile import Profile
from cocrypt.study import Study

if TYPE_CHECKING:
    from cocrypt.explore import Exploration

__all__ = ["Device", "Machine", "Profile", "Run", "Study", "__version__", "run_many"]

try:
    __version__ = version("cocrypt")
except PackageNotFoundError:
    __version__ = "unknown"


def _report(exploration: Exploration) -> str:
    """The report of an exploration, for notebooks."""
    # Only who looks at one pays for loading what draws it.
    from cocrypt.report import framed

    return framed([exploration])


display.register("exploration", _report)
