"""Jars of Maven repositories: by coordinates, and only of the hash that is known for them.

A repository has the file of `group:name:version` at `group/name/version/name-version.jar`, with the
group's dots as folders (Maven's repository layout). Maven itself fetches it, from where its
settings say, unless a variable names another repository.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cocrypt import cache, log
from cocrypt.errors import HostError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "COCRYPT_MAVEN"
"""The variable that names another repository: an address, or a folder."""
SECONDS = 60
"""Time after which a repository that does not answer is given up."""
MAVEN_SECONDS = 300
"""Time that Maven gets, which may fetch its own plugins first."""
LARGEST = 64 << 20


@dataclass(frozen=True)
class Artifact:
    """A jar in Maven's repositories, and the SHA-256 of its bytes."""

    group: str
    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.group}:{self.name}:{self.version}"

    @property
    def path(self) -> str:
        """The path of the jar in a repository."""
        folder = self.group.replace(".", "/")
        return f"{folder}/{self.name}/{self.version}/{self.name}-{self.version}.jar"


def obtain(artifact: Artifact) -> Path:
    """The jar: kept from before, of Maven's local repository, or fetched.

    Raises `HostError` if no repository has it or can be reached, and if its hash is another.
    """

    def make(target: Path, _scratch: Path) -> None:
        target.write_bytes(_content(artifact))

    kept = cache.folder("maven") / f"{artifact.sha256}.jar"
    return cache.obtain(kept, make)


def _content(artifact: Artifact) -> bytes:
    content = _here(artifact)
    if content is not None:
        return content
    address = os.environ.get(VARIABLE, "").strip()
    if not address:
        return _from_maven(artifact)
    content = _fetched(artifact, address)
    actual = hashlib.sha256(content).hexdigest()
    if actual != artifact.sha256:
        raise HostError(
            f"{artifact} of {address} is not the file that cocrypt knows: its SHA-256 is {actual}, "
            f"not {artifact.sha256}",
            f"name another repository by {VARIABLE}",
        )
    return content


def _here(artifact: Artifact) -> bytes | None:
    """The bytes of the jar that is on this machine, if its hash is the known one."""
    for path in _local(artifact):
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() == artifact.sha256:
            return content
        log.warn(f"{path} is not the file that cocrypt knows, and is left alone")
    return None


def _from_maven(artifact: Artifact) -> bytes:
    """The jar that Maven fetches into its local repository."""
    by_hand = f"put {artifact.path} into a folder and name that by {VARIABLE}"
    maven = shutil.which("mvn")
    if maven is None:
        raise HostError(
            f"{artifact} is not on this machine, and Maven, which fetches it, is not installed",
            f"install Maven, or {by_hand}",
        )
    log.say(f"fetching {artifact} with Maven")
    command = [maven, "--batch-mode", "--quiet", "dependency:get", f"-Dartifact={artifact}"]
    try:
        done = subprocess.run(
            [*command, "-Dtransitive=false"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=MAVEN_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise HostError(f"Maven has not fetched {artifact} in {MAVEN_SECONDS} s", by_hand) from None
    content = _here(artifact)
    if content is None:
        printed = (done.stdout + done.stderr).strip().splitlines()
        why = f": {printed[0]}" if printed else ""
        raise HostError(f"Maven does not fetch {artifact}{why}", by_hand)
    return content


def _local(artifact: Artifact) -> Iterator[Path]:
    """The file in a repository on this machine: the one that the variable names, or Maven's."""
    named = os.environ.get(VARIABLE, "").strip()
    folders = [Path(named)] if named and "://" not in named else []
    folders.append(Path.home() / ".m2" / "repository")
    return (folder / artifact.path for folder in folders if (folder / artifact.path).is_file())


def _fetched(artifact: Artifact, address: str) -> bytes:
    by_hand = (
        f"put {artifact.path} into a folder and name that by {VARIABLE}, or name a repository that "
        "can be reached"
    )
    if "://" not in address:
        raise HostError(f"{address} has no {artifact.path}", by_hand)
    if not address.startswith(("https://", "http://")):
        raise InputError(
            f"{VARIABLE} names {address}, which is no address of a repository", by_hand
        )
    log.say(f"fetching {artifact} from {address}")
    try:
        with urllib.request.urlopen(
            f"{address.rstrip('/')}/{artifact.path}", timeout=SECONDS
        ) as answer:
            content: bytes = answer.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise HostError(f"{artifact} cannot be fetched from {address}: {error}", by_hand) from None
    if len(content) > LARGEST:
        raise HostError(f"{artifact} of {address} has more than {LARGEST >> 20} MiB", by_hand)
    return content
