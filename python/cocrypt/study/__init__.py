"""A study as typed values: workloads, device, and candidates for hardware.

`Study` is the whole; each of the other files has a part of it.
"""

from cocrypt.study.authentication import Authentication, Station
from cocrypt.study.candidates import SOFTWARE, Alternative, Candidate
from cocrypt.study.leakage import LeakageInput, LeakageOutput, StudyLeakage
from cocrypt.study.search import Search, Sweep
from cocrypt.study.study import Study
from cocrypt.study.workload import Choice, Workload

__all__ = [
    "SOFTWARE",
    "Alternative",
    "Authentication",
    "Candidate",
    "Choice",
    "LeakageInput",
    "LeakageOutput",
    "Search",
    "Station",
    "Study",
    "StudyLeakage",
    "Sweep",
    "Workload",
]
