"""Side-channel analysis: trace sets, tests for leakage, and attacks."""

from __future__ import annotations

from cocrypt.leakage.selections import MODELS, Selection, computed, selection
from cocrypt.leakage.statistics import attack, explained, part, signal_to_noise, welch
from cocrypt.leakage.traces import TraceSet, TraceSetWriter

__all__ = [
    "MODELS",
    "Selection",
    "TraceSet",
    "TraceSetWriter",
    "attack",
    "computed",
    "explained",
    "part",
    "selection",
    "signal_to_noise",
    "welch",
]
