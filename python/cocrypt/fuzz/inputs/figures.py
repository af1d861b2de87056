"""Saved figures, which users may edit: compared with the originals, and shown."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from cocrypt.cli.compare import command
from cocrypt.fuzz.inputs.driver import Kind

SEEDS = Path(__file__).with_name("seeds")


def _read(path: Path) -> None:
    for as_json in (False, True):
        with redirect_stdout(io.StringIO()):
            command(SEEDS / path.name, path, bound=1e9, as_json=as_json)


KIND = Kind("figures", lambda: sorted(SEEDS.glob("*.json")), _read)
