"""The command: prints a table, faults on stderr; the exit code is 1 if there is any fault."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import paths
from cocrypt.fuzz import inputs

if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> int:
    """Runs the command."""
    options = _options()
    lines = ["| input | changed files | faults |", "|---|---:|---:|"]
    cases, faults = 0, 0
    for kind in inputs.KINDS:
        if options.only and kind.name not in options.only:
            continue
        print(f"{kind.name} …", file=sys.stderr, flush=True)
        new_faults = inputs.campaign(kind, options.cases, options.seed)
        _report(new_faults, options.keep)
        lines.append(f"| {kind.name} | {kind.cases(options.cases):,} | {len(new_faults)} |")
        cases, faults = cases + kind.cases(options.cases), faults + len(new_faults)
    table = "\n".join([*lines, f"| all | {cases:,} | {faults} |"])
    print(table)
    if options.write:
        paths.write_between(options.write, "inputs", table)
    return 1 if faults else 0


def _report(faults: Sequence[inputs.Fault], keep: Path | None) -> None:
    for fault in faults:
        print(
            f"{fault.kind}, {fault.path.name}, seed {fault.seed}: {fault.what}\n", file=sys.stderr
        )
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{fault.kind}-{fault.seed}-{fault.path.name}").write_bytes(fault.content)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cocrypt.fuzz.inputs", description=inputs.__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    names = [kind.name for kind in inputs.KINDS]
    parser.add_argument("--only", action="append", choices=names, help="a kind; may be repeated")
    parser.add_argument("--keep", type=Path, help="a folder for files that are read badly")
    parser.add_argument("--write", type=Path, help="a page to put the table into")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
