"""Assembles all subroutines for RL78, and records their images beside the sources."""

from __future__ import annotations

from itertools import groupby

from cocrypt.paths import write_text
from cocrypt.subroutines import subroutines
from cocrypt.subroutines.images import RECORD, recorded

HEADER = """\
# Assembled subroutines and the hashes of their sources, by benches/rl78_images.py.
"""


def main() -> None:
    """Writes the records of all folders."""
    for folder, members in groupby(subroutines(), key=lambda subroutine: subroutine.folder):
        tables = "\n".join(recorded(member) for member in members)
        write_text(folder / RECORD, f"{HEADER}\n{tables}")


if __name__ == "__main__":
    main()
