"""Side-channel analysis: trace sets, tests for leakage, and attacks."""

from __future__ import annotations

from cocrypt.leakage.traces import TraceSet, TraceSetWriter

__all__ = ["TraceSet", "TraceSetWriter"]
