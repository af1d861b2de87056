"""The bench of waits: what it runs is fresh, then warm, and ends in time."""

import json
import subprocess
import sys
from typing import Any

from host import ROOT


def rows(*options: str) -> list[dict[str, Any]]:
    """The rows of the shortest command."""
    command = [sys.executable, str(ROOT / "benches/waits.py"), "--json", "--only", "profile"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_command_runs_with_an_empty_cache_and_again() -> None:
    (row,) = rows()
    assert row["command"] == "cocrypt profile studies/hau2011.toml --instructions"
    assert [row[which]["status"] for which in ("cold", "warm")] == [0, 0]
    assert row["cold"]["processors"] > row["warm"]["processors"] > 0


def test_a_command_that_takes_too_long_is_ended() -> None:
    (row,) = rows("--longest", "0.05")
    assert row["cold"]["status"] < 0
    assert row["cold"]["clock"] < 60
    assert row["warm"] is None
