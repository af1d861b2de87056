"""Builds parts of a toolchain in a scratch folder, and keeps each as a whole when it is done."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import cache, interrupt, log
from cocrypt.crosstools import host, kept, packages
from cocrypt.crosstools.targets import CONFIGURING, FLAGS, PARTS, UNPACKING
from cocrypt.errors import HostError
from cocrypt.processes import end_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cocrypt.crosstools.targets import CrossTarget, Part

    Step = Callable[[str, int, int], None]

SCRATCH = ".making-"
"""The beginning of the names of folders in which something is built."""
POLLING = 0.5
"""Seconds between two looks at how far a tool is."""
SHOWN = 15
"""Lines of a tool's output that an error shows."""
ALMOST = 0.98
"""The share of a step that is shown at most before the step has ended."""


@dataclass(frozen=True)
class Request:
    """A build: parts of a target, with `jobs` processes at once.

    `sources` is a folder that has the packages, None to fetch them.
    """

    target: CrossTarget
    parts: Sequence[Part]
    jobs: int
    sources: Path | None = None


@dataclass
class Progress:
    """The progress of all parts, in percent of the seconds that they take on one core."""

    step: Step
    whole: int
    done: float = 0
    name: str = ""

    def begin(self, name: str) -> None:
        """Names the present work."""
        self.name = name
        self.share(0, 0)

    def share(self, seconds: float, share: float) -> None:
        """Notes that a share of a piece of work that takes so many seconds is done."""
        done = self.done + seconds * min(share, ALMOST)
        self.step(self.name, min(99, round(100 * done / self.whole)), 100)

    def end(self, seconds: float) -> None:
        """Notes that a piece of work is done."""
        self.done += seconds


def build(request: Request, step: Step) -> None:
    """Builds the parts that are not there yet, and tells how far it is.

    Of several processes that build for one target one works and the others say that they wait.
    Raises `HostError` if a tool is missing or fails, with its last lines; nothing half-done is
    left, and what was finished before stays. SIGTERM and SIGHUP end it as Ctrl-C does, with all
    tools.
    """
    home, name = cache.folder(kept.KIND), request.target.name

    def waits() -> None:
        log.say(f"another process builds for {name}: waiting until it ends")

    with interrupt.by_any_signal(), cache.locked(home / f"{name}.lock", waits):
        parts = [part for part in request.parts if not kept.record(request.target, part)]
        if not parts:
            return
        host.require(parts)
        _remove_left_overs(home, request.target)
        progress = Progress(step, request.target.seconds(parts))
        for part in parts:
            host.require_room(home, [part])
            prefix = f"{SCRATCH}{request.target.name}-"
            with tempfile.TemporaryDirectory(
                dir=home, prefix=prefix, ignore_cleanup_errors=True
            ) as scratch:
                _Build(request, part, Path(scratch), progress).run()
            _remove_replaced(home, request.target, part)


def _remove_left_overs(home: Path, target: CrossTarget) -> None:
    """Removes what a process left that was killed."""
    for path in home.glob(f"{SCRATCH}{target.name}-*"):
        shutil.rmtree(path, ignore_errors=True)


def _remove_replaced(home: Path, target: CrossTarget, part: Part) -> None:
    """Removes a part as other recipes made it, now that the present one has made it."""
    current = kept.folder(target, part).name
    for path in home.glob(f"{target.name}-{part.name}-*"):
        if path.is_dir() and path.name != current:
            shutil.rmtree(path, ignore_errors=True)


@dataclass(frozen=True)
class _Build:
    """The build of one part in a scratch folder."""

    request: Request
    part: Part
    scratch: Path
    progress: Progress

    def run(self) -> None:
        """Builds the part and moves it to its place."""
        started = time.monotonic()
        source = self._unpacked()
        self._edit(source)
        self._configure(source)
        for stage in self.request.target.stages(self.part):
            jobs = [f"-j{self.request.jobs}"] if stage.parallel else []
            command = ["make", *jobs, "MAKEINFO=true", *stage.goals]
            if not stage.parallel:
                command.append(f"DESTDIR={self._destination}")
            self.progress.begin(stage.name)
            self._call(command, stage.seconds, stage.lines, stage.mark)
        self._finish(round(time.monotonic() - started))

    @property
    def _home(self) -> Path:
        return kept.folder(self.request.target, self.part)

    @property
    def _folder(self) -> Path:
        """The folder that make runs in."""
        return self.scratch / "build"

    @property
    def _destination(self) -> Path:
        return self.scratch / "installed"

    def _unpacked(self) -> Path:
        """The folder of the unpacked sources."""
        package = self.part.package
        self.progress.begin(f"getting {package.name}")
        path = packages.obtain(package, self.scratch, self.request.sources)
        self.progress.begin(f"unpacking {package.name}")
        source = packages.unpack(package, path, self.scratch)
        shutil.rmtree(self.scratch / "apt", ignore_errors=True)
        self.progress.end(UNPACKING)
        return source

    def _edit(self, source: Path) -> None:
        """Makes the target's changes of the sources."""
        for edit in self.request.target.edited(self.part):
            path = source / edit.file
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if text.count(edit.old) != 1:
                raise HostError(
                    f"{edit.file} of {self.part.package.file} is not as cocrypt knows it",
                    "this is a mistake of cocrypt's recipe: please report it",
                )
            changed = text.replace(edit.old, edit.new)
            path.write_text(changed, encoding="utf-8", errors="surrogateescape")

    def _configure(self, source: Path) -> None:
        self._folder.mkdir()
        self.progress.begin(f"configuring {self.part.name}")
        options = self.request.target.configured(self.part)
        command = [str(source / "configure"), f"--prefix={self._home}", *options]
        self._call(command, CONFIGURING, 100)

    def _call(self, command: Sequence[str], seconds: int, lines: int, mark: str = "") -> None:
        """Runs a tool in the build's folder; raises `HostError` with its last lines if it fails.

        How far it is shows in the number of lines that begin with the mark.
        """
        output = self.scratch / "output"
        with log.command(command), output.open("wb") as file:
            process = subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=self._environment(),
                start_new_session=True,
            )
            try:
                for count in _counted(process, output, f"\n{mark}".encode()):
                    self.progress.share(seconds, count / lines)
            except BaseException:
                end_session(process)
                raise
        if process.returncode != 0:
            raise self._failure(command, output)
        self.progress.end(seconds)

    def _environment(self) -> dict[str, str]:
        """The environment of host tools with our flags, and with the parts that this one needs."""
        target = self.request.target
        needed = (PARTS[name] for name in self.part.needs)
        folders = [str(kept.folder(target, part) / "bin") for part in needed]
        inherited = host.environment()
        path = os.pathsep.join([*folders, inherited["PATH"]])
        # Where bash would be taken for it, `configure` and libtool take a third more time.
        shell = {"CONFIG_SHELL": "/bin/sh"}
        return {**inherited, **shell, "CFLAGS": FLAGS, "CXXFLAGS": FLAGS, "PATH": path}

    def _failure(self, command: Sequence[str], output: Path) -> HostError:
        """The error of a tool that failed, whose whole output is kept."""
        kept_output = self._home.with_name(f"{self.request.target.name}-{self.part.name}.failed")
        shutil.copyfile(output, kept_output)
        lines = output.read_text(encoding="utf-8", errors="replace").splitlines()[-SHOWN:]
        name = f"{Path(command[0]).name} {' '.join(command[-1:])}"
        text = "\n".join([f"{name} failed:", *lines])
        return HostError(
            f"{self.part.name} of {self.request.target.name} cannot be built: {text}",
            f"all that it printed is in {kept_output}; nothing of this part is kept",
        )

    def _finish(self, seconds: int) -> None:
        """Completes the installed files and moves them to their place."""
        target, part = self.request.target, self.part
        installed = self._destination / self._home.relative_to(self._home.anchor)
        for name in part.needs:
            # GCC looks for its assembler and linker beside itself.
            programs = Path(target.name) / "bin"
            needed = kept.folder(target, PARTS[name]) / programs
            shutil.copytree(needed, installed / programs, dirs_exist_ok=True)
        for pattern in target.libraries(part):
            (installed / "lib").mkdir(exist_ok=True)
            for path in self._folder.glob(pattern):
                shutil.copy2(path, installed / "lib")
        names = [f"{target.name}-{name}" for name in part.programs]
        lacking = [name for name in names if not (installed / "bin" / name).is_file()]
        if lacking:
            raise HostError(
                f"the build of {part.name} installed no {', '.join(lacking)}",
                "this is a mistake of cocrypt's recipe: please report it",
            )
        made_of = f"{part.package.name} {part.package.version}"
        values = {
            "version": kept.version_of(installed / "bin" / names[0]) or made_of,
            "source": made_of,
            "seconds": seconds,
        }
        cache.write_record(installed / kept.RECORD, values)
        shutil.rmtree(self._home, ignore_errors=True)
        installed.replace(self._home)
        self._home.with_name(f"{target.name}-{part.name}.failed").unlink(missing_ok=True)


def _counted(process: subprocess.Popen[bytes], output: Path, mark: bytes) -> Iterator[int]:
    """The marks in a tool's output, again and again until it ends."""
    count = 0
    with output.open("rb") as file:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLLING)
                return
            count += file.read().count(mark)
            yield count
