"""Papers' experiments, run again: their tables beside ours, and each of their findings.

Each paper has a package of its own; `paper.py` states the interface of all of them.
"""

from collections.abc import Mapping
from types import MappingProxyType

from cocrypt.reproduce.duarte2010 import reproduce as duarte2010
from cocrypt.reproduce.hau2011 import reproduce as hau2011
from cocrypt.reproduce.paper import Finding, Paper, Reproduced, Shown

__all__ = ["PAPERS", "Finding", "Paper", "Reproduced", "Shown"]

PAPERS: Mapping[str, Paper] = MappingProxyType({"hau2011": hau2011, "duarte2010": duarte2010})
"""The function that runs each paper's experiment, by the name of its study."""
