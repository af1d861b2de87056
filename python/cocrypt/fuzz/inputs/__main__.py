"""The command; what it prints is the faults, and the exit code is 1 if there is any."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cocrypt.fuzz.inputs as inputs


def main() -> int:
    """Runs the command."""
    options = _options()
    total = 0
    for kind in inputs.KINDS:
        if options.only and kind.name not in options.only:
            continue
        found = inputs.campaign(kind, options.cases, options.seed)
        total += len(found)
        for one in found:
            print(f"{one.kind}, {one.path.name}, seed {one.seed}: {one.what}\n")
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{one.kind}-{one.seed}-{one.path.name}").write_bytes(one.content)
        print(f"{kind.name}: {options.cases:,} cases, {len(found)} faults", flush=True)
    return 1 if total else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cocrypt.fuzz.inputs", description=inputs.__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    names = [one.name for one in inputs.KINDS]
    parser.add_argument("--only", action="append", choices=names, help="a kind; may be repeated")
    parser.add_argument("--keep", type=Path, help="a folder for files that are read badly")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
