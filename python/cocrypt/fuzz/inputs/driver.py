"""Reads many changed files of a kind under limits, and collects the faults.

Files are read by processes of their own: native code that does not return, or takes all memory,
ends with its process, and the campaign continues with the next file.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cocrypt import _native, paths
from cocrypt.errors import CocryptError
from cocrypt.fuzz.inputs.mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

SECONDS = 5.0
"""A file that takes longer is a fault."""
BYTES = 1 << 30
"""Memory that reading a file may add to the process."""
# A busy host delays quick reads, so a process is stopped only after `PATIENCE` times the limit;
# a file that took long is read once more before it counts.
PATIENCE = 4

_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Kind:
    """A kind of input: its name, valid files, and the function that reads a file.

    `read` gets the path of a changed file, in a folder with all that is beside the valid file.
    It may raise `CocryptError` and `DiagnosticError`. Only one case in `share` is read, if
    reading takes a program of its own.
    """

    name: str
    seeds: Callable[[], Sequence[Path]]
    read: Callable[[Path], object]
    share: int = 1

    def cases(self, requested: int) -> int:
        """The number of changed files that are read if `requested` are asked for."""
        return -(-requested // self.share)


@dataclass(frozen=True)
class Fault:
    """A changed file that was not read as it should be: its seed, its content and the fault."""

    kind: str
    path: Path
    seed: int
    content: bytes
    what: str


@dataclass(frozen=True)
class _Case:
    """A file, and the seed of its changes; None leaves the file as it is."""

    path: Path
    seed: int | None

    @property
    def content(self) -> bytes:
        content = self.path.read_bytes()
        return content if self.seed is None else mutate(content, self.seed)


def campaign(kind: Kind, cases: int, seed: int, jobs: int = 0) -> list[Fault]:
    """Reads `cases` changed files, from `seed` on; the valid files take turns.

    A kind with a `share` reads fewer. `jobs` processes do it, one for each core if 0. What goes
    wrong with a valid file is a fault too, of seed -1.
    """
    paths = list(kind.seeds())
    work = [_Case(path, None) for path in paths]
    work += [
        _Case(paths[number % len(paths)], number)
        for number in range(seed, seed + kind.cases(cases))
    ]
    count = jobs or os.cpu_count() or 1
    workers = [_Worker(kind, work[index::count]) for index in range(count)]
    faults = [fault for worker in _finished(workers) for fault in worker.faults]
    return sorted(faults, key=lambda fault: fault.seed)


def _finished(workers: Sequence[_Worker]) -> Iterator[_Worker]:
    """The workers, each once it has read all of its files."""
    busy = [worker for worker in workers if worker.start()]
    yield from (worker for worker in workers if worker not in busy)
    while busy:
        wait([worker.answers for worker in busy], timeout=SECONDS)
        for worker in list(busy):
            if not worker.look():
                busy.remove(worker)
                yield worker


class _Worker:
    """A process that reads files one by one, and is replaced if it does not return."""

    def __init__(self, kind: Kind, cases: Sequence[_Case]) -> None:
        self.kind, self.cases = kind, cases
        self.faults: list[Fault] = []
        self.done = 0
        self.since = time.monotonic()

    def start(self) -> bool:
        """Starts with the first file not read; returns whether there is one."""
        if self.done == len(self.cases):
            return False
        self.answers, theirs = _FORK.Pipe(duplex=False)
        rest = self.cases[self.done :]
        self.process = _FORK.Process(target=_read_all, args=(self.kind, rest, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.since = time.monotonic()
        return True

    def look(self) -> bool:
        """Takes the results that have come; returns whether the process goes on."""
        try:
            while self.answers.poll():
                self._take(self.answers.recv())
        except EOFError:
            if self.done < len(self.cases):
                self.process.join()
                self._take(f"the process ended with {self.process.exitcode}")
            return self.start()
        if time.monotonic() - self.since > PATIENCE * SECONDS:
            self.process.kill()
            self.process.join()
            self._take(f"it took more than {PATIENCE * SECONDS:g} s")
            return self.start()
        return True

    def _take(self, message: str | None) -> None:
        case = self.cases[self.done]
        if message is not None:
            seed = -1 if case.seed is None else case.seed
            self.faults.append(Fault(self.kind.name, case.path, seed, case.content, message))
        self.done += 1
        self.since = time.monotonic()


def _read_all(kind: Kind, cases: Sequence[_Case], answers: Connection) -> None:
    """Reads files, and sends the fault of each, or None."""
    # Messages of panics and designs would hide the campaign's own.
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    grown = _memory() + BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (grown, grown))
    with TemporaryDirectory(prefix="cocrypt-inputs-") as folder:
        folders: dict[Path, Path] = {}
        for number, case in enumerate(cases):
            own = Path(folder, str(number))
            # Each file has a folder of its own, since readers may have cached a path.
            if case.path in folders:
                folders[case.path].rename(own)
            else:
                _surround(case.path, own)
            folders[case.path] = own
            file = own / case.path.relative_to(_folders(case.path)[-1])
            file.write_bytes(case.content)
            answers.send(_fault(kind, file, is_right=case.seed is None))


def _folders(path: Path) -> list[Path]:
    """The folders of a valid file; a changed file gets a copy of the outermost."""
    root = paths.root()
    return [folder for folder in path.parents if folder.is_relative_to(root)] or [path.parent]


def _surround(path: Path, folder: Path) -> None:
    """Makes a folder with links to all files around a valid file, which it may name."""
    around = _folders(path)
    for level in reversed(around):
        own = folder / level.relative_to(around[-1])
        own.mkdir(exist_ok=True)
        for entry in level.iterdir():
            if entry not in (path, *around):
                (own / entry.name).symlink_to(entry)


def _fault(kind: Kind, file: Path, *, is_right: bool) -> str | None:
    """The fault of a file; None if it is read, or refused with a message."""
    fault, took = _outcome(kind, file, is_right=is_right)
    if fault is None and took > SECONDS:
        _, took = _outcome(kind, file, is_right=is_right)
        return f"it took {took:.1f} s" if took > SECONDS else None
    return fault


def _outcome(kind: Kind, file: Path, *, is_right: bool) -> tuple[str | None, float]:
    begun = time.process_time()
    fault = None
    try:
        kind.read(file)
    except (CocryptError, _native.DiagnosticError) as error:
        if is_right or not str(error).strip():
            fault = f"an error that should not be: {error}"
    except BaseException as error:  # noqa: BLE001 - a panic of the native module is one, too.
        fault = "".join(traceback.format_exception(error))
    return fault, time.process_time() - begun


def _memory() -> int:
    """The bytes of data that this process has now."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (row for row in text.splitlines() if row.startswith("VmData:"))
    return int(line.split()[1]) << 10
