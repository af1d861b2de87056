"""cocrypt: a workbench for cryptography on embedded devices."""

from importlib.metadata import PackageNotFoundError, version

from cocrypt.device import Device
from cocrypt.machine import Machine, run_many
from cocrypt.measurement import Run
from cocrypt.profile import Profile
from cocrypt.study import Study

__all__ = ["Device", "Machine", "Profile", "Run", "Study", "__version__", "run_many"]

try:
    __version__ = version("cocrypt")
except PackageNotFoundError:
    __version__ = "unknown"
