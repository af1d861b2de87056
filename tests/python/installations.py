"""A wheel built and installed into an environment of its own, outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import distribution
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BIN = os.fspath(ROOT / ".venv/bin")
"""The folder of the build's tools, by `make`; this Python's own folder is searched first."""


@dataclass(frozen=True)
class Installation:
    """A virtual environment with cocrypt in it, a home folder and a folder to work in."""

    python: Path
    home: Path
    work: Path

    def call(self, *words: str | Path, code: int = 0) -> str:
        """The output of the command, called without any variable of the tests' environment."""
        done = self.run(self.python.with_name("cocrypt"), *words)
        assert done.returncode == code, done.stderr
        return done.stdout

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs a program in this environment."""
        variables = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "NO_COLOR": "1"}
        return subprocess.run(
            [*map(str, words)],
            cwd=self.work,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def packages(self) -> Path:
        """The folder that packages are installed to."""
        (folder,) = self.python.parents[1].glob("lib/python*/site-packages")
        return folder


def tools() -> dict[str, str]:
    """The variables of the tests, with which tools that stand beside this Python are found."""
    beside = os.path.dirname(sys.executable)  # noqa: PTH120 - as PATH wants it.
    return {**os.environ, "PATH": os.pathsep.join((beside, BIN, os.environ["PATH"]))}


def built(source: Path, folder: Path) -> Path:
    """The wheel of a source tree, built as pip builds it, with the packages of this environment.

    Only code that was compiled for the checkout is reused.
    """
    words = ["wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir"]
    environment = {**tools(), "MATURIN_STRIP": "false"}
    if source != ROOT:
        environment["CARGO_TARGET_DIR"] = str(folder / "target")
    subprocess.run(
        [sys.executable, "-m", "pip", *words, str(folder), str(source)],
        env=environment,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> Installation:
    """The wheel in an environment that has its requirements, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    installation = Installation(folder / "env/bin/python", folder / "home", folder / "work")
    installation.home.mkdir()
    installation.work.mkdir()
    pip = [sys.executable, "-m", "pip", "--python", str(installation.python)]
    install = ["install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    _link_needs(wheel, folder / "needs")
    (installation.packages / "needs.pth").write_text(f"{folder / 'needs'}\n", encoding="utf-8")
    return installation


def metadata(wheel: Path) -> list[str]:
    """The requirements of a wheel."""
    with zipfile.ZipFile(wheel) as content:
        name = next(
            member for member in content.namelist() if member.endswith(".dist-info/METADATA")
        )
        return Parser().parsestr(content.read(name).decode()).get_all("Requires-Dist") or []


def _link_needs(wheel: Path, folder: Path) -> None:
    """Links to the packages of this environment that a wheel needs, themselves and by others."""
    folder.mkdir()
    for name in _needs(metadata(wheel), set()):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            target = distribution(name).locate_file(top)
            if not (folder / top).is_symlink():
                (folder / top).symlink_to(str(target))


def _needs(words: list[str], seen: set[str]) -> Iterator[str]:
    for word in words:
        need = Requirement(word)
        applies = need.marker is None or need.marker.evaluate({"extra": ""})
        if applies and need.name not in seen:
            seen.add(need.name)
            yield need.name
            yield from _needs(distribution(need.name).requires or [], seen)
