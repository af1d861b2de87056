"""Papers' experiments, run again: their tables beside ours, and their findings one by one.

Each paper has a room of its own; to others all are alike (`paper.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType

from cocrypt.reproduce.duarte2010 import reproduce as duarte2010
from cocrypt.reproduce.hau2011 import reproduce as hau2011
from cocrypt.reproduce.paper import Finding, Paper, Reproduced, Shown

__all__ = ["PAPERS", "Finding", "Paper", "Reproduced", "Shown"]

PAPERS: Mapping[str, Paper] = MappingProxyType({"hau2011": hau2011, "duarte2010": duarte2010})
"""How each paper's experiment is run, by the name of its study."""
