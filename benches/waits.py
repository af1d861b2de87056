"""Measures what a user waits for: commands with an empty cache, and again with what they kept.

    python benches/waits.py [--only WORD ...] [--longest S] [--toolchains FOLDER] [--json]
        [--write FILE]

Each command runs in a folder of its own, first with an empty cache and then with the one that this
run filled, on all cores. The seconds are those that pass, and those of processors, of all processes
together. A command that takes longer than `--longest` seconds is ended, and the table says so. Rows
are printed, and written, as they are measured.

`--toolchains` names cross compilers that cocrypt built before, in the folder `toolchains` of a
cache; without it, the first command that needs one builds it, which takes most of an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cocrypt
from cocrypt import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARKS = "waits of a user"
STUDIES = paths.root() / "studies"
COMMANDS = (
    ("profile", "studies/hau2011.toml", "--instructions"),
    ("verify", "studies/hau2011.toml"),
    ("authenticate", "studies/authentication.toml", "--terminals", "1000"),
    ("explore", "studies/aes128.toml", "--area"),
    ("portfolio", "-d", "picorv32"),
    ("measure", "--all", "-d", "picorv32"),
)
"""Those that are no plain exploration; `make demo` is the exploration of `hau2011.toml`."""


@dataclass(frozen=True)
class Wait:
    """A command, without the name of the program."""

    arguments: tuple[str, ...]

    @property
    def title(self) -> str:
        """The command as one writes it."""
        return f"cocrypt {' '.join(self.arguments)}"


@dataclass(frozen=True)
class Seconds:
    """Seconds by the clock, and of all processors; the status at the end."""

    clock: float
    processors: float
    status: int

    @property
    def is_whole(self) -> bool:
        """False if the command was ended."""
        return self.status >= 0


@dataclass(frozen=True)
class Row:
    """A command's first run, and its second one."""

    command: str
    cold: Seconds
    warm: Seconds | None


def waits(words: Sequence[str]) -> list[Wait]:
    """The commands with one of these words, or all."""
    studies = sorted(STUDIES.glob("*.toml"))
    explored = [
        ("explore", f"studies/{path.name}") for path in studies if path.stem != "authentication"
    ]
    every = [Wait(arguments) for arguments in (*explored, *COMMANDS)]
    return [wait for wait in every if not words or any(word in wait.title for word in words)]


def rows(chosen: Sequence[Wait], options: argparse.Namespace) -> Iterator[Row]:
    """Runs the commands."""
    for wait in chosen:
        print(wait.title, file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="cocrypt-waits-") as scratch:
            folder = Path(scratch)
            (folder / "studies").symlink_to(STUDIES)
            (folder / "cache").mkdir(mode=0o700)
            if options.toolchains:
                (folder / "cache" / "toolchains").symlink_to(options.toolchains.resolve())
            cold = run(wait, folder, options.longest)
            warm = run(wait, folder, options.longest) if cold.is_whole else None
        yield Row(wait.title, cold, warm)


def run(wait: Wait, folder: Path, longest: float) -> Seconds:
    """Runs a command beside a cache; ends it, with all that it started, if it takes too long."""
    package = str(Path(cocrypt.__file__).parents[1])
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "cocrypt", *wait.arguments],
        cwd=folder,
        env=os.environ | {"COCRYPT_CACHE": str(folder / "cache"), "PYTHONPATH": package},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = threading.Timer(longest, os.killpg, (process.pid, signal.SIGTERM))
    end.start()
    _, status, used = os.wait4(process.pid, 0)
    end.cancel()
    is_late = time.perf_counter() - started >= longest
    process.returncode = os.waitstatus_to_exitcode(status)
    code = -signal.SIGTERM if is_late else process.returncode
    return Seconds(time.perf_counter() - started, used.ru_utime + used.ru_stime, code)


def lines(found: Sequence[Row], commands: int, options: argparse.Namespace) -> Iterator[str]:
    """The table."""
    host = f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f} at the end"
    yield f"Seconds with an empty cache, and with what that run kept; {host}."
    if options.toolchains:
        yield "Cross compilers that cocrypt builds were there."
    if len(found) < commands:
        yield f"These are {len(found)} of {commands} commands."
    yield ""
    yield "| command | cold | of processors | warm | of processors |"
    yield "|---|--:|--:|--:|--:|"
    for row in found:
        yield f"| `{row.command}` | {cells(row.cold)} | {cells(row.warm)} |"


def cells(seconds: Seconds | None) -> str:
    """Two cells of the table."""
    if seconds is None:
        return "- | -"
    if not seconds.is_whole:
        return f"more than {seconds.clock:,.0f} | -"
    status = f", status {seconds.status}" if seconds.status else ""
    return f"{seconds.clock:,.1f}{status} | {seconds.processors:,.1f}"


def main() -> None:
    """Parses the arguments, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], help="commands with this word")
    parser.add_argument("--longest", type=float, default=3600, help="seconds of a command")
    parser.add_argument("--toolchains", type=Path, help="cross compilers that were built before")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON, one a line")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    options = parser.parse_args()
    chosen, found = waits(options.only), []
    for row in rows(chosen, options):
        found.append(row)
        if options.json:
            print(json.dumps(asdict(row)), flush=True)
        if options.write:
            text = "\n".join(lines(found, len(waits([])), options))
            paths.write_between(options.write, MARKS, text)
    if not options.json:
        print("\n".join(lines(found, len(waits([])), options)))


if __name__ == "__main__":
    main()
