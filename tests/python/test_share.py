"""The share of tests with many cases that CI runs on a slow machine."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from conftest import MANY, ROOT

FILE = "tests/python/test_fdl_grammar.py"


def collected(*words: str) -> list[str]:
    """The cases of a file that pytest would run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    process = subprocess.run(
        [*command, *words, FILE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [line for line in process.stdout.splitlines() if line.startswith(FILE)]


def counts(cases: list[str]) -> Counter[str]:
    return Counter(case.partition("[")[0] for case in cases)


def test_a_share_of_many_cases_is_drawn_by_the_seed() -> None:
    every = collected()
    first, second = (set(collected("--share=3", f"--seed={seed}")) for seed in (1, 2))
    assert max(counts(every).values()) > 3 * MANY
    expected = {
        name: count if count <= MANY else max(MANY, -(-count // 3))
        for name, count in counts(every).items()
    }
    for drawn in (first, second):
        assert drawn <= set(every)
        assert counts(sorted(drawn)) == expected
    assert first != second
    assert set(collected("--share=3", "--seed=1")) == first
    assert collected("--share=1") == every
