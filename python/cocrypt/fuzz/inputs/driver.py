"""Many changed files of a kind, each read in this process; what should not have happened."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cocrypt import _native
from cocrypt.errors import CocryptError
from cocrypt.fuzz.inputs.mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SECONDS = 5.0
"""A file of some kilobytes that takes longer holds something up."""
BYTES = 512 << 20
"""What reading one may add to the process's memory."""


@dataclass(frozen=True)
class Kind:
    """A kind of input: its name, files that are right, and what reads a file.

    `read` is given the path of a changed file, beside which all stands that is beside the right
    one. It may raise `CocryptError` and `DiagnosticError`.
    """

    name: str
    seeds: Callable[[], Sequence[Path]]
    read: Callable[[Path], object]


@dataclass(frozen=True)
class Fault:
    """A changed file that was not read as it should be: its seed, content and what happened."""

    kind: str
    path: Path
    seed: int
    content: bytes
    what: str


def campaign(kind: Kind, cases: int, seed: int) -> list[Fault]:
    """Reads so many changed files, from this seed on; the files to begin with take turns.

    Raises what reading a file that is right raises.
    """
    paths = list(kind.seeds())
    found: list[Fault] = []
    for index, path in enumerate(paths):
        with TemporaryDirectory(prefix="cocrypt-inputs-") as folder:
            case = _beside(path, Path(folder))
            content = path.read_bytes()
            case.write_bytes(content)
            kind.read(case)
            for number in islice(range(seed, seed + cases), index, None, len(paths)):
                changed = mutate(content, number)
                case.write_bytes(changed)
                what = _what_happens(kind, case)
                found += [Fault(kind.name, path, number, changed, what)] if what else []
    return found


def _beside(path: Path, folder: Path) -> Path:
    """Where a changed file goes, with all beside it that is beside the right one."""
    for one in path.parent.iterdir():
        if one != path:
            (folder / one.name).symlink_to(one.resolve())
    return folder / path.name


def _what_happens(kind: Kind, case: Path) -> str | None:
    """What should not happen; None where the file is read, or refused with a message."""
    before, begun = _memory(), time.perf_counter()
    try:
        with _limited():
            kind.read(case)
    except (CocryptError, _native.DiagnosticError) as error:
        if not str(error).strip():
            return "an error without a message"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the native module is one, too.
        return "".join(traceback.format_exception(error))
    took, grown = time.perf_counter() - begun, _memory() - before
    if took > SECONDS:
        return f"it took {took:.1f} s"
    return f"it took {grown >> 20} MiB" if grown > BYTES else None


def _memory() -> int:
    """The most bytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@contextmanager
def _limited() -> Iterator[None]:
    """Ends what does not end by itself."""

    def late(_signal: int, _frame: object) -> None:
        raise TimeoutError(f"it took more than {SECONDS:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
