"""Files of vectors in Debian's source packages, fetched once and kept by their content."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from cocrypt import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

PINS = Path(__file__).with_name("distributions.sha256")
"""The files that are read, as `sha256sum` writes them; others are not reviewed."""
JAVA = "core/src/test/java/org/bouncycastle/crypto/test"
FOLDERS: Mapping[str, tuple[str, ...]] = {
    "openssl": ("test/recipes/30-test_evp_data",),
    "botan": ("src/tests/data",),
    "libcrypto++": ("TestVectors", "TestData"),
    "bouncycastle": (JAVA,),
    "libtomcrypt": ("notes",),
}
"""The folders of a package that hold its vectors."""
ATTEMPTS = 3


class UnreachableError(Exception):
    """Debian's archive does not answer, or there is no tool that could ask it."""


@cache
def pins() -> dict[str, str]:
    """The hash of each file that is read, by package and path."""
    lines = (line.split("  ", 1) for line in PINS.read_text(encoding="utf-8").splitlines())
    return {path: digest for digest, path in lines}


def files(package: str) -> list[str]:
    """The files of a package that are read."""
    return [path.split("/", 1)[1] for path in pins() if path.startswith(f"{package}/")]


def text(package: str, path: str) -> str:
    """A file of a package; raises `UnreachableError` if it is not available."""
    ensure()
    return _kept(f"{package}/{path}").read_text(encoding="utf-8", errors="replace")


def names(package: str) -> list[str]:
    """All files in the package's folders of vectors; raises `UnreachableError`."""
    ensure()
    return _listing(package).read_text(encoding="utf-8").splitlines()


def _folder() -> Path:
    return paths.cache().resolve() / "vectors"


def _kept(path: str) -> Path:
    return _folder() / pins()[path] / PurePosixPath(path).name


def _listing(package: str) -> Path:
    """The list's path, named by the hash of the package's pins, so that other pins ask again."""
    pinned = "".join(f"{pins()[path]} {path}\n" for path in pins() if path.startswith(package))
    return _folder() / hashlib.sha256(pinned.encode()).hexdigest() / f"{package}.names"


def ensure() -> None:
    """Fetches and checks the files; asks once, then raises `UnreachableError` each time."""
    if error := _outcome():
        raise UnreachableError(error)


@cache
def _outcome() -> str:
    """Fetches the files; returns the reason why that failed, or nothing."""
    try:
        _fetch([package for package in FOLDERS if not _is_here(package)])
    except UnreachableError as error:
        return str(error)
    for path, digest in pins().items():
        actual = hashlib.sha256(_kept(path).read_bytes()).hexdigest()
        assert actual == digest, f"{_kept(path)} was changed"
    return ""


def _is_here(package: str) -> bool:
    return _listing(package).exists() and all(
        _kept(path).exists() for path in pins() if path.startswith(f"{package}/")
    )


def _fetch(packages: Iterable[str]) -> None:
    missing = list(packages)
    if not missing:
        return
    _folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        fetcher = _fetcher()
        vars(fetcher)["PEERS_FOLDER"] = Path(folder)
        archives = Path(folder) / "archives"
        archives.mkdir()
        _ask(fetcher, "update")
        for package in missing:
            _ask(fetcher, "source", "--download-only", "--tar-only", package)
            _unpack(package, next(archives.glob(f"{package}_*.orig.tar.*")))


def _fetcher() -> ModuleType:
    """The module that fetches the sources of other libraries, which are measured beside ours."""
    path = paths.root() / "benches" / "libraries.py"
    spec = importlib.util.spec_from_file_location("libraries_of_debian", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks for its module in `sys.modules`.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _ask(fetcher: ModuleType, *words: str) -> None:
    """Repeats a call that fails, since networks fail now and then."""
    for attempt in range(ATTEMPTS):
        try:
            fetcher._apt_get(*words)
        except (SystemExit, subprocess.SubprocessError) as error:
            if attempt == ATTEMPTS - 1:
                raise UnreachableError(str(error)) from error
            time.sleep(2 ** (attempt + 1))
        else:
            return


def _unpack(package: str, archive: Path) -> None:
    """Keeps the files that are read, and the names of all."""
    names = []
    folders = tuple(f"{folder}/" for folder in FOLDERS[package])
    with tarfile.open(archive) as tar:
        for member in tar:
            path = str(PurePosixPath(*PurePosixPath(member.name).parts[1:]))
            if not member.isfile() or not path.startswith(folders):
                continue
            names.append(path)
            content = tar.extractfile(member)
            if content and f"{package}/{path}" in pins():
                _keep(f"{package}/{path}", content.read(), archive.name)
    _write(_listing(package), "".join(f"{path}\n" for path in sorted(names)).encode())


def _keep(path: str, content: bytes, archive: str) -> None:
    digest = hashlib.sha256(content).hexdigest()
    assert digest == pins()[path], (
        f"{path} of {archive} is not the file that {PINS.name} knows: look at what changed, "
        f"and write down {digest}"
    )
    _write(_kept(path), content)


def _write(path: Path, content: bytes) -> None:
    """Writes a file as a whole, because other tests may run at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Returns whether a pattern matches the whole name."""
    return any(re.fullmatch(pattern, name) for pattern in patterns)
