"""Files that users write, changed at random: a message must say what is wrong with each.

    python -m cocrypt.fuzz.inputs [--cases N] [--seed S] [--only NAME]... [--keep DIR]
                                   [--write FILE]

A kind of input is a module here and a line in `KINDS`: a name, valid files, and what reads a
changed file. It may raise nothing but errors with a message, within seconds. The command prints
Markdown; --write puts it between the marks on a page.
"""

from cocrypt.fuzz.inputs import (
    designs,
    devices,
    figures,
    folders,
    headers,
    images,
    java,
    maps,
    packets,
    records,
    studies,
    tables,
    verilog,
)
from cocrypt.fuzz.inputs.driver import Fault, Kind, campaign
from cocrypt.fuzz.inputs.mutate import mutate

__all__ = ["KINDS", "Fault", "Kind", "campaign", "mutate"]

KINDS: tuple[Kind, ...] = (
    records.KIND,
    tables.KIND,
    folders.KIND,
    headers.KIND,
    figures.KIND,
    images.ELF,
    images.HEX,
    images.RAW,
    devices.DEVICES,
    devices.CORES,
    maps.KIND,
    verilog.KIND,
    studies.KIND,
    designs.KIND,
    packets.KIND,
    java.CLASSES,
    java.JARS,
)
