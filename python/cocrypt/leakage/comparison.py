"""The netlist of a core compared with its model: cycles, addresses and data of every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cocrypt.leakage.features import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cocrypt.gates.core import Execution
    from cocrypt.leakage.features import Observed

LOAD, STORE = KINDS.index("load"), KINDS.index("store")


def differing(observed: Observed, executions: Sequence[Execution]) -> int:
    """The number of runs in which the netlist does anything else than the model of the core.

    Compared are the cycle of each instruction, and of each load and store its instruction, its
    address, its bytes and their values.
    """
    return sum(not _is_equal(observed, run, execution) for run, execution in enumerate(executions))


def _is_equal(observed: Observed, run: int, execution: Execution) -> bool:
    length = observed.lengths[run]
    rows = np.flatnonzero(observed.run == run)
    issues = execution.issues[execution.issues < length]
    if not np.array_equal(issues, observed.at[rows]):
        return False
    rows = rows[np.isin(observed.kind[rows], (LOAD, STORE))]
    accesses = np.array(execution.accesses, np.int64).reshape(-1, 4)
    accesses = accesses[accesses[:, 0] < length]
    return len(rows) == len(accesses) and bool(_agrees(observed, rows, accesses).all())


def _agrees(
    observed: Observed, rows: NDArray[np.int64], accesses: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Returns true for each access that is the one of the model's instruction."""
    cycles, addresses, strobes, words = accesses.T
    address, data = observed.addresses[rows], observed.data[rows]
    is_store = observed.kind[rows] == STORE
    width = observed.widths[rows]
    # A load reads the whole word, of which its instruction takes a part.
    part = words >> 8 * (address & 3) & (1 << 8 * width) - 1
    wanted = np.where(is_store, ((1 << width) - 1) << (address & 3), 0)
    in_time = (observed.at[rows] <= cycles) & (cycles < observed.ends[rows])
    at_word = addresses == (address & ~3)
    return np.asarray(in_time & at_word & (strobes == wanted) & (part == data))
