"""Real cores at register-transfer level: builds a simulator with Verilator, runs programs on it."""

from cocrypt.rtl.build import build
from cocrypt.rtl.configuration import Configuration, Waits, from_device
from cocrypt.rtl.coprocessor import coprocessor_verilog
from cocrypt.rtl.image import flat_image
from cocrypt.rtl.library import libraries
from cocrypt.rtl.run import Job, RtlResult, run_batch
from cocrypt.rtl.systems import cores
from cocrypt.rtl.tools import RtlError

__all__ = [
    "Configuration",
    "Job",
    "RtlError",
    "RtlResult",
    "Waits",
    "build",
    "coprocessor_verilog",
    "cores",
    "flat_image",
    "from_device",
    "libraries",
    "run_batch",
]
