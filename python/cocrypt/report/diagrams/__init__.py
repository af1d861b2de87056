"""Diagrams as SVG, drawn from the models themselves, in the colours of the page around them."""

from cocrypt.report.diagrams.blocks import system
from cocrypt.report.diagrams.classes import Class, classes
from cocrypt.report.diagrams.sequence import Message, sequence
from cocrypt.report.diagrams.states import machines

__all__ = ["Class", "Message", "classes", "machines", "sequence", "system"]
