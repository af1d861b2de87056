"""The masked AES under leakage models: two groups of plaintexts, with new masks for every trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from cocrypt.leakage import TraceSet

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Verb

TEXT = "da39a3ee5e6b4b0d3255bfef95601890"
RUNS = "600"
# Far beyond 4.5, so that no seed decides; the leaks of the first version had 30 and more.
LIMIT = 8.0


def dependent(verb: Verb, folder: Path, model: str, *masks: str) -> pl.DataFrame:
    """The samples whose mean differs between the groups by Welch's t."""
    words = ("leak", "trace", "aes128/masked", "-d", "stm32f4-24mhz", "-n", RUNS, "--model", model)
    groups = ("--fixed-vs-random", f"text={TEXT}", "--noise", "0.1", "-o", str(folder))
    result = verb(*words, *groups, *masks)
    assert result.code == 0, result.text
    found = TraceSet.open(folder)
    rows: Any = np.concatenate([traces for traces, _ in found.read()]).astype(float)
    group = found.column("group")
    fixed, random = rows[group == 0], rows[group == 1]
    spread = fixed.var(axis=0) / len(fixed) + random.var(axis=0) / len(random)
    t = (fixed.mean(axis=0) - random.mean(axis=0)) / np.sqrt(spread)
    axis = found.axis()
    assert axis is not None
    return axis.with_columns(t=np.abs(t)).filter(pl.col("t") > LIMIT)


def test_no_value_between_text_and_result_depends_on_the_text(verb: Verb, tmp_path: Path) -> None:
    masked = dependent(verb, tmp_path / "masked", "values", "--random", "keys:6")
    inner = masked.filter(pl.col("function").is_in(["substitute", "mix_columns"]))
    assert inner.is_empty()
    # Without random bytes nothing is masked, and the test sees it.
    bare = dependent(verb, tmp_path / "bare", "values")
    inner = bare.filter(pl.col("function").is_in(["substitute", "mix_columns"]))
    assert len(inner) > 100


def test_bytes_from_the_table_do_not_meet(verb: Verb, tmp_path: Path) -> None:
    found = dependent(verb, tmp_path / "set", "transitions", "--random", "keys:6")
    assert found.filter(pl.col("function") == "substitute").is_empty()
