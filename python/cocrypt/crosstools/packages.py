"""Debian's packages of sources: fetched from the archive, or taken from a folder, and unpacked.

Only a package of the hash that `targets` states is unpacked.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import log
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cocrypt.crosstools.targets import Package

RELEASE = "bookworm"
"""The release of Debian that has the packages."""
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
FETCHING = 600
"""Seconds within which a package must have come."""
BY_HAND = "give a folder that has it by --sources"
# `ar`: a mark, and before each file a header of 60 bytes, the size in decimal from byte 48 on.
MARK, HEADER = b"!<arch>\n", 60


def obtain(package: Package, scratch: Path, sources: Path | None) -> Path:
    """The file of a package: of a folder if there is one, or else fetched into `scratch`.

    Raises `InputError` if the folder lacks it, `HostError` if the archive does not have it;
    `InputError` or `HostError` also if its hash is another than that which is known.
    """
    if sources is not None:
        path = sources / package.file
        if not path.is_file():
            raise InputError(
                f"{sources} has no {package.file}", f"its SHA-256 must be {package.sha256}"
            )
    else:
        path = _fetched(package, scratch)
    actual = _sha256(path)
    if actual != package.sha256:
        kind = InputError if sources is not None else HostError
        raise kind(
            f"{package.file} is not the file that cocrypt knows: its SHA-256 is {actual}, not "
            f"{package.sha256}",
            "it was not unpacked; get it again, or " + BY_HAND,
        )
    return path


def unpack(package: Package, path: Path, scratch: Path) -> Path:
    """Unpacks the sources of a package's file into `scratch`; returns the folder with `configure`.

    Raises `HostError` if an archive is not as expected.
    """
    outer, inner = scratch / "package", scratch / "source"
    for folder in (outer, inner):
        folder.mkdir()
    data = _data(path, scratch)
    _run(["tar", "--no-same-owner", "-xf", str(data), "-C", str(outer)], package)
    data.unlink()
    archives = sorted(outer.glob(package.archive))
    if len(archives) != 1:
        raise HostError(f"{package.file} has no {package.archive}", "get the package again")
    omitted = [f"--exclude={pattern}" for pattern in package.omitted]
    _run(["tar", "--no-same-owner", *omitted, "-xf", str(archives[0]), "-C", str(inner)], package)
    folder = _with_configure(inner, package)
    for name, strip in package.patches:
        _run(["patch", "--batch", "-s", f"-p{strip}", "-i", str(outer / name)], package, folder)
    shutil.rmtree(outer)
    return folder


def _with_configure(folder: Path, package: Package) -> Path:
    """The only folder within another, which has the script `configure`."""
    candidates = [path.parent for path in sorted(folder.glob("*/configure"))]
    if len(candidates) != 1:
        raise HostError(f"{package.file} has no configure script", "get the package again")
    return candidates[0]


def _data(path: Path, scratch: Path) -> Path:
    """Writes the archive of files within a package, whose name begins with `data.tar`."""
    with path.open("rb") as file:
        if file.read(len(MARK)) != MARK:
            raise HostError(f"{path} is no Debian package", "get the package again")
        while header := file.read(HEADER):
            name, size = header[:16].decode("ascii", "replace").strip(" /"), _size(header, path)
            if name.startswith("data.tar"):
                target = scratch / name
                with target.open("wb") as written:
                    _copy(file, written, size)
                return target
            file.seek(size + size % 2, 1)
    raise HostError(f"{path} is no Debian package: it has no data", "get the package again")


def _size(header: bytes, path: Path) -> int:
    digits = header[48:58].strip()
    if not digits.isdigit():
        raise HostError(f"{path} is no Debian package", "get the package again")
    return int(digits)


def _copy(source: object, target: object, size: int) -> None:
    """Copies so many bytes from one file to another."""
    while size > 0:
        content = source.read(min(size, 1 << 20))  # type: ignore[attr-defined]
        if not content:
            return
        target.write(content)  # type: ignore[attr-defined]
        size -= len(content)


def _fetched(package: Package, scratch: Path) -> Path:
    """The file of a package from the archive that the system's packages come from."""
    if shutil.which("apt-get") is None:
        raise HostError(
            f"`apt-get` is not installed, by which {package.name} {package.version} is fetched",
            f"run on Debian, or {BY_HAND}",
        )
    folder = scratch / "apt"
    for part in ("lists/partial", "cache/archives/partial", "downloads"):
        (folder / part).mkdir(parents=True)
    (folder / "sources.list").write_text(_source_list(package), encoding="utf-8")
    downloads = folder / "downloads"
    _apt_get(package, folder, "update")
    _apt_get(package, folder, "download", f"{package.name}={package.version}")
    files = sorted(downloads.glob("*.deb"))
    if not files:
        raise HostError(f"Debian's archive gave no {package.file}", BY_HAND)
    return files[0]


def _apt_get(package: Package, folder: Path, *words: str) -> None:
    """Runs apt-get with lists of our own instead of the system's."""
    options = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    arguments = [f"--option={name}={value}" for name, value in options.items()]
    command = ["apt-get", "--quiet", *arguments, *words]
    text = f"{package.name} {package.version} cannot be fetched"
    try:
        with log.command(command):
            run = subprocess.run(
                command,
                cwd=folder / "downloads",
                capture_output=True,
                text=True,
                check=False,
                timeout=FETCHING,
            )
    except subprocess.TimeoutExpired as error:
        raise HostError(f"{text} within {FETCHING} s", BY_HAND) from error
    if run.returncode != 0:
        last = "\n".join(run.stderr.strip().splitlines()[-5:])
        raise HostError(f"{text}:\n{last}", BY_HAND)


def _source_list(package: Package) -> str:
    """The entry for packages of the server from which the system gets its own."""
    entry = "$(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI)"
    command = ["apt-get", "indextargets", "--format", entry, "Created-By: Packages"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = re.findall(r"^Debian [a-z]+ main (\S+)$", run.stdout, re.MULTILINE)
    if not archives or not KEYS.is_file():
        raise HostError(
            f"this host has no lists of Debian's packages, from which {package.name} comes",
            f"run `apt-get update` on Debian, or {BY_HAND}",
        )
    return f"deb [signed-by={KEYS}] {archives[0]} {RELEASE} main\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _run(command: Sequence[str], package: Package, folder: Path | None = None) -> None:
    """Runs a tool that unpacks or patches."""
    with log.command(command):
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        text = (run.stderr or run.stdout).strip()
        raise HostError(
            f"{package.file} cannot be unpacked: {text}", "look at the space that the disk has"
        )
