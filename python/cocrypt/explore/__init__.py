"""The exploration of HW/SW partitions of a study, and their Pareto front.

The entry point is `explore`; `Workers` simulates, and `Store` keeps outcomes.
"""

from cocrypt.explore.exploring import explore, objectives_of
from cocrypt.explore.front import is_optimal
from cocrypt.explore.landscape import Landscape, Point
from cocrypt.explore.measured import Measurement
from cocrypt.explore.results import Exploration, Row
from cocrypt.explore.store import Store
from cocrypt.explore.workers import Workers

__all__ = [
    "Exploration",
    "Landscape",
    "Measurement",
    "Point",
    "Row",
    "Store",
    "Workers",
    "explore",
    "is_optimal",
    "objectives_of",
]
