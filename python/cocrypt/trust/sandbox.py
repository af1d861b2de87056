"""A sandbox for compilers: they read the project and the toolchain, and write a scratch folder.

Bubblewrap makes it of namespaces: there is no network, no other process to be seen, no variable of
the user's environment, and no process is left when the compiler ends.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
"""What programs need in order to run."""
PATH = "/usr/local/bin:/usr/bin:/bin"
ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv")


@dataclass(frozen=True)
class Sandbox:
    """What can be read in it, beside the system's programs."""

    readable: tuple[Path, ...]

    def wrap(
        self, command: Sequence[str | Path], scratch: Path, tool: Path, variables: dict[str, str]
    ) -> list[str]:
        """The command that runs a command in the sandbox; it may write to the scratch folder."""
        words = [_bwrap() or "bwrap", *ISOLATED]
        for name, value in {"PATH": PATH, "TMPDIR": str(scratch), **variables}.items():
            words += ["--setenv", name, value]
        for one in SYSTEM:
            words += ["--ro-bind-try", one, one]
        # No device but this one: others can be read without an end.
        words += ["--proc", "/proc", "--dev-bind", "/dev/null", "/dev/null", "--tmpfs", "/tmp"]
        # A folder hides what was bound below it before.
        for path in sorted({*self.readable, tool}, key=lambda path: len(path.parts)):
            words += ["--ro-bind-try", str(path), str(path)]
        words += ["--bind", str(scratch), str(scratch), "--chdir", str(self._start(scratch))]
        return [*words, "--", *map(str, command)]

    def _start(self, scratch: Path) -> Path:
        """The folder of the caller, where it can be seen."""
        here = Path.cwd()
        return here if any(here.is_relative_to(one) for one in self.readable) else scratch


def home_of(program: Path) -> Path:
    """The folder that a tool was installed to: what is beside a `bin`, or the program's own."""
    folder = program.resolve().parent
    return folder.parent if folder.name == "bin" else folder


@functools.cache
def works() -> bool:
    """Whether this host has a sandbox; in some containers there are no namespaces to be made."""
    found = _bwrap()
    if found is None:
        return False
    probe = [found, *ISOLATED, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
    try:
        return subprocess.run(probe, capture_output=True, check=False, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _bwrap() -> str | None:
    return shutil.which("bwrap", path=PATH)
