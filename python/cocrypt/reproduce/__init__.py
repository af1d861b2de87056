"""Papers' experiments, run again: their tables beside ours, and each of their findings.

Each paper has a package of its own; `paper.py` states the interface of all of them.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from cocrypt.reproduce.duarte2010 import reproduce as duarte2010
from cocrypt.reproduce.hau2011 import reproduce as hau2011
from cocrypt.reproduce.matsui2013 import reproduce as matsui2013
from cocrypt.reproduce.matsuoka2004 import reproduce as matsuoka2004
from cocrypt.reproduce.paper import Finding, Paper, Reproduced, Shown, Step, unheard
from cocrypt.study import Study

__all__ = ["NAMES", "PAPERS", "Finding", "Paper", "Reproduced", "Shown", "run"]

PAPERS: Mapping[str, Paper] = MappingProxyType({"hau2011": hau2011, "duarte2010": duarte2010})
"""The function that runs the experiment of each paper that has a study, by the study's name."""

WITHOUT_STUDY: Mapping[str, Callable[[Step], Reproduced]] = MappingProxyType(
    {"matsui2013": matsui2013, "matsuoka2004": matsuoka2004}
)
"""The same for papers that compare subroutines, netlists or programs in Java, and need no study."""

NAMES = (*PAPERS, *WITHOUT_STUDY)
"""All papers."""


def run(name: str, step: Step = unheard) -> Reproduced:
    """Runs the experiment of a paper again; raises what building and running programs raise."""
    if name in PAPERS:
        return PAPERS[name](Study.load(name), step)
    return WITHOUT_STUDY[name](step)
