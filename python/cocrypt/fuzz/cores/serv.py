"""SERV: every register file width, with and without compressed code and CSRs.

Programs end by the exit device only. SERV never stops by itself: it traps to an address that
its CSRs hold, or ignores an unknown instruction.
"""

from dataclasses import replace

from cocrypt.fuzz.cores.definition import Core
from cocrypt.fuzz.privileged import Privileged
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits


def _configuration(compressed: bool, csr: bool, register: bool, width: int) -> Configuration:
    return Configuration.of(
        "serv", COMPRESSED=compressed, WITH_CSR=csr, PRE_REGISTER=register, RF_WIDTH=width
    )


CONFIGURATIONS = (
    _configuration(False, True, True, 2),
    _configuration(True, True, True, 2),
    _configuration(False, False, True, 8),
    _configuration(True, False, False, 8),
    _configuration(False, True, False, 32),
    _configuration(True, True, False, 32),
)

WAITS = (
    Waits(1, 1, 1),
    Waits(1, 1, 19),
    Waits(2, 2, 2),
    Waits(3, 3, 1),
    Waits(1, 3, 3),
    Waits(3, 1, 5),
)


PRIVILEGED = Privileged(
    readable=("mstatus", "mtvec", "mscratch", "mepc", "mcause"),
    writable=("mie", "mscratch", "mcause", "mtval"),
    exceptions=("ecall", "ebreak", "unaligned"),
)

WIDE = replace(PRIVILEGED, exceptions=("ecall", "ebreak"), interrupts=False)
"""With the widest register file `mepc` is lost after an interrupt or an access, and no
program returns; a test of its own compares the result."""


def features(configuration: Configuration) -> Features:
    """The features of a configuration."""
    compressed, csr = bool(configuration["COMPRESSED"]), configuration["WITH_CSR"]
    privileged = (WIDE if configuration["RF_WIDTH"] == 32 else PRIVILEGED) if csr else None
    return Features(
        compressed=compressed, counters=False, fence=False, stops=False, privileged=privileged
    )


CORE = Core("serv", CONFIGURATIONS, lambda _: WAITS, features)
