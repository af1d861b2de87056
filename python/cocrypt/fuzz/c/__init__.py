"""Random C programs that compare compiled code on the machine with the host's results."""

from cocrypt.fuzz.c.compare import Outcome, check
from cocrypt.fuzz.c.generate import Generator, Program, Skipped
from cocrypt.fuzz.c.levels import COMPILERS, LEVELS, OPTIMISATIONS, Bench, Level

__all__ = [
    "COMPILERS",
    "LEVELS",
    "OPTIMISATIONS",
    "Bench",
    "Generator",
    "Level",
    "Outcome",
    "Program",
    "Skipped",
    "check",
]
