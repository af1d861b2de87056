"""Many changed files of a kind, each read under limits; what should not have happened.

Files are read by processes of their own: native code that does not come back, or takes all memory,
ends with its process, and the campaign goes on behind the file that it had.
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

from cocrypt import _native, house
from cocrypt.errors import CocryptError
from cocrypt.fuzz.inputs.mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

SECONDS = 5.0
"""A file that takes longer holds something up."""
BYTES = 1 << 30
"""What reading one may add to the process's memory."""
# A busy host delays what is quick, so a process is only given up after so many times the limit;
# a file that took long is read once more before it counts.
PATIENCE = 4

_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Kind:
    """A kind of input: its name, files that are right, and what reads a file.

    `read` is given the path of a changed file, beside which all stands that is beside the right
    one. It may raise `CocryptError` and `DiagnosticError`. Of the cases that are asked for one of
    `share` is read, where reading one takes a program of its own.
    """

    name: str
    seeds: Callable[[], Sequence[Path]]
    read: Callable[[Path], object]
    share: int = 1

    def cases(self, asked: int) -> int:
        """How many changed files are read where so many are asked for."""
        return -(-asked // self.share)


@dataclass(frozen=True)
class Fault:
    """A changed file that was not read as it should be: its seed, content and what happened."""

    kind: str
    path: Path
    seed: int
    content: bytes
    what: str


@dataclass(frozen=True)
class _Case:
    """A file to change, and the seed that says how; without one it is read as it is."""

    path: Path
    seed: int | None

    @property
    def content(self) -> bytes:
        content = self.path.read_bytes()
        return content if self.seed is None else mutate(content, self.seed)


def campaign(kind: Kind, cases: int, seed: int, jobs: int = 0) -> list[Fault]:
    """Reads so many changed files, from this seed on; the files to begin with take turns.

    A kind with a `share` reads fewer. `jobs` processes do it, all cores' where it is 0. What goes
    wrong with a file that is right is a fault too, of seed -1.
    """
    paths = list(kind.seeds())
    work = [_Case(path, None) for path in paths]
    work += [
        _Case(paths[number % len(paths)], number)
        for number in range(seed, seed + kind.cases(cases))
    ]
    count = jobs or os.cpu_count() or 1
    workers = [_Worker(kind, work[index::count]) for index in range(count)]
    found = [fault for one in _finished(workers) for fault in one.faults]
    return sorted(found, key=lambda one: one.seed)


def _finished(workers: Sequence[_Worker]) -> Iterator[_Worker]:
    """The workers, each once it has read all of its files."""
    busy = [one for one in workers if one.start()]
    yield from (one for one in workers if one not in busy)
    while busy:
        wait([one.answers for one in busy], timeout=SECONDS)
        for one in list(busy):
            if not one.look():
                busy.remove(one)
                yield one


class _Worker:
    """A process that reads files one by one, and is replaced where it does not come back."""

    def __init__(self, kind: Kind, cases: Sequence[_Case]) -> None:
        self.kind, self.cases = kind, cases
        self.faults: list[Fault] = []
        self.done = 0
        self.since = time.monotonic()

    def start(self) -> bool:
        """Begins behind what is done; whether there is anything left."""
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
        """Takes what has come; whether the process goes on."""
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

    def _take(self, what: str | None) -> None:
        case = self.cases[self.done]
        if what is not None:
            seed = -1 if case.seed is None else case.seed
            self.faults.append(Fault(self.kind.name, case.path, seed, case.content, what))
        self.done += 1
        self.since = time.monotonic()


def _read_all(kind: Kind, cases: Sequence[_Case], answers: Connection) -> None:
    """Reads files and says of each what should not have happened, or None."""
    # Messages of panics and designs would hide the campaign's own.
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    grown = _memory() + BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (grown, grown))
    with TemporaryDirectory(prefix="cocrypt-inputs-") as folder:
        places: dict[Path, Path] = {}
        for number, case in enumerate(cases):
            own = Path(folder, str(number))
            # A place of its own for each, since readers may know a path from before.
            if case.path in places:
                places[case.path].rename(own)
            else:
                _surround(case.path, own)
            places[case.path] = own
            file = own / case.path.relative_to(_around(case.path)[-1])
            file.write_bytes(case.content)
            answers.send(_what_happens(kind, file, is_right=case.seed is None))


def _around(path: Path) -> list[Path]:
    """The folders of a right file, the outermost of which a changed one is given a copy."""
    root = house.root()
    return [one for one in path.parents if one.is_relative_to(root)] or [path.parent]


def _surround(path: Path, folder: Path) -> None:
    """Makes a folder with links to all around a right file that it may name."""
    around = _around(path)
    for place in reversed(around):
        own = folder / place.relative_to(around[-1])
        own.mkdir(exist_ok=True)
        for one in place.iterdir():
            if one not in (path, *around):
                (own / one.name).symlink_to(one)


def _what_happens(kind: Kind, file: Path, *, is_right: bool) -> str | None:
    """What should not happen; None where the file is read, or refused with a message."""
    what, took = _outcome(kind, file, is_right=is_right)
    if what is None and took > SECONDS:
        _, took = _outcome(kind, file, is_right=is_right)
        return f"it took {took:.1f} s" if took > SECONDS else None
    return what


def _outcome(kind: Kind, file: Path, *, is_right: bool) -> tuple[str | None, float]:
    begun = time.process_time()
    what = None
    try:
        kind.read(file)
    except (CocryptError, _native.DiagnosticError) as error:
        if is_right or not str(error).strip():
            what = f"an error that should not be: {error}"
    except BaseException as error:  # noqa: BLE001 - a panic of the native module is one, too.
        what = "".join(traceback.format_exception(error))
    return what, time.process_time() - begun


def _memory() -> int:
    """The bytes of data that this process has now."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (one for one in text.splitlines() if one.startswith("VmData:"))
    return int(line.split()[1]) << 10
