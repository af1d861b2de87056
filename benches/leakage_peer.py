"""Runs another library's statistics over a reference set, in an environment that has the library.

    PYTHON benches/leakage_peer.py scalib|scared FOLDER

The folder has `traces`, `text`, `groups` and `model` as `.npy`, which are read before anything is
timed. Each line of stdin names a statistic; the answer is a line with the seconds that it took, and
its result is in the folder as `LIBRARY-STATISTIC.npy`.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Array = np.ndarray[Any, Any]
GUESSES = 256


class Scalib:
    """SCALib: sums by class in compiled code on all cores."""

    def __init__(self, traces: Array, text: Array, groups: Array, model: Array) -> None:
        self.attacks = importlib.import_module("scalib.attacks")
        self.metrics = importlib.import_module("scalib.metrics")
        self.traces, self.text = traces, np.ascontiguousarray(text, np.uint16)
        self.groups = np.ascontiguousarray(groups, np.uint16)
        # It takes a model for each byte and each sample, which need not be timed.
        shape = (text.shape[1], GUESSES, traces.shape[1])
        self.models = np.ascontiguousarray(np.broadcast_to(model[None, :, None], shape))

    def cpa(self) -> Array:
        """Correlations as bytes × guesses × samples."""
        cpa = self.attacks.Cpa(GUESSES, self.attacks.Cpa.Xor)
        cpa.fit_u(self.traces, self.text)
        return np.asarray(cpa.get_correlation(self.models))

    def welch(self) -> Array:
        """The statistic of first order, by sample."""
        test = self.metrics.Ttest(1)
        test.fit_u(self.traces, self.groups)
        return np.asarray(test.get_ttest()[0])

    def snr(self) -> Array:
        """Ratios as bytes × samples."""
        ratio = self.metrics.SNR(GUESSES)
        ratio.fit_u(self.traces, self.text)
        return np.asarray(ratio.get_snr())


class Scared:
    """scared: sums in NumPy and Numba, which read the traces as a set in memory."""

    def __init__(self, traces: Array, text: Array, groups: Array, model: Array) -> None:
        del model
        self.scared = importlib.import_module("scared")
        read = importlib.import_module("estraces").read_ths_from_ram
        self.container = self.scared.Container(read(traces, plaintext=text))
        self.parts = [read(traces[groups == group]) for group in (0, 1)]

    def cpa(self) -> Array:
        """Correlations as bytes × guesses × samples."""
        first = self.scared.aes.selection_functions.encrypt.FirstSubBytes()
        analysis = self.scared.CPAAttack(
            selection_function=first,
            model=self.scared.HammingWeight(),
            discriminant=self.scared.maxabs,
        )
        analysis.run(self.container)
        return np.asarray(analysis.results).transpose(1, 0, 2)

    def welch(self) -> Array:
        """The statistic of first order, by sample."""
        analysis = self.scared.TTestAnalysis()
        analysis.run(self.scared.TTestContainer(*self.parts))
        return np.asarray(analysis.result)

    def snr(self) -> Array:
        """Ratios as bytes × samples."""

        @self.scared.reverse_selection_function  # type: ignore[untyped-decorator]
        def known(plaintext: Array) -> Array:
            return plaintext

        analysis = self.scared.SNRReverse(
            selection_function=known,
            model=self.scared.Value(),
            partitions=range(GUESSES),
        )
        analysis.run(self.container)
        return np.asarray(analysis.results)


LIBRARIES: dict[str, type[Scalib | Scared]] = {"scalib": Scalib, "scared": Scared}


def main() -> None:
    """Answers the statistics that are named on stdin."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    files = ("traces", "text", "groups", "model")
    library = LIBRARIES[name](*(np.load(folder / f"{file}.npy") for file in files))
    statistics: dict[str, Callable[[], Array]] = {
        "cpa": library.cpa,
        "welch": library.welch,
        "snr": library.snr,
    }
    for line in sys.stdin:
        statistic = line.strip()
        started = time.perf_counter()
        result = statistics[statistic]()
        seconds = time.perf_counter() - started
        np.save(folder / f"{name}-{statistic}.npy", result)
        print(seconds, flush=True)


if __name__ == "__main__":
    main()
