"""PicoRV32: fifteen configurations and eight combinations of waits."""

from cocrypt.fuzz.cores.definition import Core
from cocrypt.fuzz.irq import Irq
from cocrypt.fuzz.straight import Features
from cocrypt.rtl import Configuration, Waits


def _configuration(
    switches: str, multiplier: str = "", extensions: bool = False, irq: str = ""
) -> Configuration:
    """Read one letter for each parameter: on if it is a capital."""
    on = [letter.isupper() for letter in switches]
    return Configuration.of(
        "picorv32",
        ENABLE_REGS_DUALPORT=on[0],
        TWO_STAGE_SHIFT=on[1],
        BARREL_SHIFTER=on[2],
        TWO_CYCLE_COMPARE=on[3],
        TWO_CYCLE_ALU=on[4],
        COMPRESSED_ISA=on[5],
        ENABLE_DIV=on[6],
        ENABLE_MUL=multiplier == "mul",
        ENABLE_FAST_MUL=multiplier == "fast",
        ENABLE_IRQ=bool(irq),
        ENABLE_IRQ_QREGS=irq[:1] == "Q",
        ENABLE_IRQ_TIMER=irq[1:] == "T",
        EXTENSIONS=extensions,
    )


# Dual-port registers, Two-stage shift, Barrel shifter, Compare and Alu in two cycles,
# compressed (X), diVider; of interrupts q registers and the Timer. The first eight rows are an
# orthogonal array: any two parameters have all four combinations. Then the core's default and the
# fast one, which devices use; the next two have the extensions' unit, the last three interrupts.
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
    _configuration("DTBcaXV", "fast", extensions=True),
    _configuration("dTbCAxv", "", extensions=True),
    _configuration("DTbcaXv", "", irq="QT"),
    _configuration("dtBCAXV", "mul", irq="Qt"),
    _configuration("DTBcaxv", "fast", irq="qT"),
)

EXTENSIONS = frozenset({"zba", "zbb", "zbc", "zbs", "zbkb", "zbkx", "zknd", "zkne", "zknh"})

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


def _irq(configuration: Configuration) -> Irq | None:
    if not configuration["ENABLE_IRQ"]:
        return None
    return Irq(
        registers=bool(configuration["ENABLE_IRQ_QREGS"]),
        timer=bool(configuration["ENABLE_IRQ_TIMER"]),
    )


def features(configuration: Configuration) -> Features:
    """The features of a configuration."""
    return Features(
        multiply=bool(configuration["ENABLE_MUL"] or configuration["ENABLE_FAST_MUL"]),
        divide=bool(configuration["ENABLE_DIV"]),
        compressed=bool(configuration["COMPRESSED_ISA"]),
        irq=_irq(configuration),
        extensions=EXTENSIONS if configuration["EXTENSIONS"] else frozenset(),
    )


CORE = Core("picorv32", CONFIGURATIONS, lambda _: WAITS, features)
