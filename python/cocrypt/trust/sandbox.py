"""A sandbox for compilers: they read the project and the toolchain, and write a scratch folder.

Bubblewrap makes it of namespaces: there is no network, no other process is visible, no variable of
the user's environment is set, and no process is left when the compiler ends.
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
"""The folders that programs need in order to run."""
PATH = "/usr/local/bin:/usr/bin:/bin"
ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv")


@dataclass(frozen=True)
class Sandbox:
    """A sandbox; `readable` are the folders that it shows beside the system's programs."""

    readable: tuple[Path, ...]

    def wrap(
        self, command: Sequence[str | Path], scratch: Path, tool: Path, variables: dict[str, str]
    ) -> list[str]:
        """The command that runs a command in the sandbox; it may write to the scratch folder."""
        words = [_bwrap() or "bwrap", *ISOLATED]
        for name, value in {"PATH": PATH, "TMPDIR": str(scratch), **variables}.items():
            words += ["--setenv", name, value]
        for folder in SYSTEM:
            words += ["--ro-bind-try", folder, folder]
        # This is the only device, since others can be read without an end.
        words += ["--proc", "/proc", "--dev-bind", "/dev/null", "/dev/null", "--tmpfs", "/tmp"]
        # A folder hides all that was bound below it before.
        for path in sorted({*self.readable, tool}, key=lambda path: len(path.parts)):
            words += ["--ro-bind-try", str(path), str(path)]
        words += ["--bind", str(scratch), str(scratch), "--chdir", str(self._start(scratch))]
        return [*words, "--", *map(str, command)]

    def _start(self, scratch: Path) -> Path:
        """The folder of the caller if it is readable, else the scratch folder."""
        here = Path.cwd()
        return here if any(here.is_relative_to(folder) for folder in self.readable) else scratch


def home_of(program: Path) -> Path:
    """The folder that a tool was installed to: that of its `bin`, or the program's own."""
    folder = program.resolve().parent
    return folder.parent if folder.name == "bin" else folder


@functools.cache
def works() -> bool:
    """Returns true if this host has a sandbox; some containers do not allow namespaces."""
    bwrap = _bwrap()
    if bwrap is None:
        return False
    probe = [bwrap, *ISOLATED, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
    try:
        return subprocess.run(probe, capture_output=True, check=False, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _bwrap() -> str | None:
    return shutil.which("bwrap", path=PATH)
