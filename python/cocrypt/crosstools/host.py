"""The tools and headers of the host that a build needs, each with its Debian package."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from cocrypt.errors import HostError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cocrypt.crosstools.targets import Part

PACKAGES: Mapping[str, str] = {
    "ar": "binutils",
    "xz": "xz-utils",
    "gmp.h": "libgmp-dev",
    "mpfr.h": "libmpfr-dev",
    "mpc.h": "libmpc-dev",
    "expat.h": "libexpat1-dev",
    "readline/readline.h": "libreadline-dev",
}
"""The Debian packages of tools and headers, unless they have the same name."""


INHERITED = ("HOME", "LD_LIBRARY_PATH", "PATH", "TEMP", "TMP", "TMPDIR", "USER")
"""The variables of the environment that a build sees.

Any other could hold options of the user's own builds, such as CFLAGS_FOR_TARGET or CONFIG_SHELL,
and make another toolchain than that of the recipe.
"""


def environment() -> dict[str, str]:
    """The environment of tools that build: what they need to run, and messages in English."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {"PATH": os.defpath, **inherited, "LC_ALL": "C"}


def require(parts: Iterable[Part]) -> None:
    """Raises `HostError` that names everything that is missing, and the packages to install."""
    parts = list(parts)
    tools = dict.fromkeys(tool for part in parts for tool in part.tools)
    headers = dict.fromkeys(header for part in parts for header in part.headers)
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if "gcc" not in missing:
        missing += [header for header in headers if not _is_header(header)]
    else:
        missing += headers
    if missing:
        packages = dict.fromkeys(PACKAGES.get(name, name) for name in missing)
        raise HostError(
            f"these are not installed, which the build needs: {', '.join(missing)}",
            f"in Debian: apt-get install {' '.join(packages)}",
        )


def _is_header(name: str) -> bool:
    """Returns true if the host's compiler finds a header."""
    text = f"#include <stdio.h>\n#include <{name}>\n"
    command = ["gcc", "-E", "-x", "c", "-"]
    run = subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env=environment()
    )
    return run.returncode == 0


def require_room(folder: Path, parts: Iterable[Part]) -> None:
    """Raises `HostError` if the disk has not the bytes that the largest of the builds takes.

    Makefiles split the folder's name at spaces, so that it must have none.
    """
    if any(character.isspace() for character in str(folder)):
        raise HostError(
            f"GCC is not built in {folder}, whose name has a space",
            "let COCRYPT_CACHE name a folder without one",
        )
    needed = max(part.package.installed for part in parts)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise HostError(
            f"the build takes {needed >> 20:,} MiB in {folder}, which has {free >> 20:,} MiB left",
            "make room, or let COCRYPT_CACHE name a folder on another disk",
        )
