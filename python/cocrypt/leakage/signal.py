"""How much of each sample a known value explains: NICV and the signal-to-noise ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cocrypt.errors import InputError
from cocrypt.leakage import records, statistics
from cocrypt.leakage.chance import largest_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cocrypt.leakage.selections import Selection
    from cocrypt.leakage.statistics import Range
    from cocrypt.leakage.traces import TraceSet


@dataclass(frozen=True)
class Signal:
    """The share of variance (NICV) that each selection's classes explain, by sample."""

    traces: TraceSet
    chosen: Range
    selections: tuple[Selection, ...]
    shares: tuple[NDArray[np.float64], ...]
    classes: tuple[int, ...]
    """The number of classes that occur, for each selection."""

    def floor(self, number: int) -> float:
        """The mean share without any dependence: (classes - 1) / (traces - 1).

        It is that of one sample; the largest share of many samples is above it by chance.
        """
        return min((self.classes[number] - 1) / (self.chosen.count - 1), 1.0)

    def threshold(self, number: int) -> float:
        """The share that chance exceeds in one of 100 results, at any sample of any selection.

        It holds for normal noise; samples may depend on one another.
        """
        tests = len(self.selections) * self.chosen.width
        return largest_share(self.classes[number], self.chosen.count, tests)

    def above(self, number: int) -> int:
        """The number of samples whose share is above the threshold."""
        return int(np.count_nonzero(self.shares[number] > self.threshold(number)))

    def peak(self, number: int) -> tuple[float, int]:
        """The largest share and its sample; 0 where no sample varies."""
        known = np.nan_to_num(self.shares[number], nan=0.0)
        index = int(np.argmax(known))
        return float(known[index]), index + self.chosen.samples[0]


def signal(
    traces: TraceSet,
    chosen: Range,
    selections: Sequence[Selection],
    progress: Callable[[int], object] | None = None,
) -> Signal:
    """Computes the shares.

    Raises `InputError` for a single trace, which has no variance, and as `statistics.explained`.
    """
    if chosen.count < 2:
        raise InputError("one trace has no variance to explain", "give at least two traces")
    shares = statistics.explained(traces, chosen, selections, progress)
    classes = [
        len(np.unique(selection.terms[0].classes[selection.classes(traces, *chosen.traces)]))
        for selection in selections
    ]
    return Signal(traces, chosen, tuple(selections), tuple(shares), tuple(classes))


def record(result: Signal, model: str | None) -> dict[str, Any]:
    """The JSON output; docs/json.md describes the keys."""
    known = records.locations(result.traces)
    parts = []
    for number, selection in enumerate(result.selections):
        share, sample = result.peak(number)
        ratio = float(statistics.signal_to_noise(np.array([share]))[0])
        parts.append(
            {
                "name": selection.name,
                "classes": result.classes[number],
                "nicv": share,
                "snr": ratio if np.isfinite(ratio) else None,
                "floor": result.floor(number),
                "threshold": result.threshold(number),
                "above": result.above(number),
                "sample": sample,
                **records.location(known, sample),
            }
        )
    return {**records.about(result.traces, result.chosen), "model": model, "parts": parts}


def table(result: Signal) -> str:
    """The CSV output: a row for each sample, with NICV and SNR of each selection."""
    names = [f"{kind} {s.name}" for s in result.selections for kind in ("nicv", "snr")]
    lines = [",".join(["sample", *names])]
    pairs = [(share, statistics.signal_to_noise(share)) for share in result.shares]
    for index in range(result.chosen.width):
        values = [f"{column[index]:.9g}" for pair in pairs for column in pair]
        lines.append(",".join([str(index + result.chosen.samples[0]), *values]))
    return "\n".join([*lines, ""])
