"""Measures our primitives beside those of other libraries in C: the fastest and smallest.

    python benches/libraries.py [--device NAME]... [--only PRIMITIVE]... [--write FILE]
    python benches/libraries.py --fetch

The libraries' sources come from Debian and PyPI into build/peers/, where the files of
benches/libraries/ tell `cocrypt measure build/peers/...` how to call them. All are measured by
the code that measures ours, behind our vectors, at -Os, -O2 and -O3, the best of which counts.
It prints Markdown; --write puts it between the marks of a page.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from cocrypt import paths
from cocrypt.device import Device
from cocrypt.primitives import foreign, library
from cocrypt.primitives.measuring import Build, Row, measure, tasks
from cocrypt.primitives.subject import OPTIMISATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cocrypt.primitives.subject import Subject

TEMPLATES = Path(__file__).with_suffix("")
PEERS_FOLDER = paths.root() / "build" / "peers"
DEVICES = (
    *("picorv32", "ibex-maxperf", "vexriscv"),
    *("stm32f0", "rp2040", "stm32f1", "stm32f4-24mhz", "arm7tdmi", "at91sam9", "sa1110"),
)
LENGTHS = (64, 1024)
HOSTED = "hosted"
"""The folder with headers that hosted compilers and systems have."""
BORROWED = {
    "monocypher": (
        *("libtomcrypt/common", "libtomcrypt/source/src/headers"),
        "libtomcrypt/source/src/hashes/sha2",
    ),
}
"""Parts of other libraries that a library needs: SHA-512 for Monocypher's Ed25519."""
ROUND_KEYS = 176
"""Bytes of AES-128's round keys."""
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
RELEASE = "bookworm"
"""The release of Debian whose sources are compared."""


@dataclass(frozen=True)
class Peer:
    """A library: its folder here, and the package that has its sources `inside`."""

    name: str
    title: str
    package: str
    version: str
    registry: Literal["Debian", "PyPI"]
    licence: str
    inside: str = ""

    def __str__(self) -> str:
        package = f"`{self.package}` {self.version} of {self.registry}"
        return f"{self.title} ({package}; {self.licence})"


PEERS = (
    Peer("bearssl", "BearSSL", "bearssl", "0.6+dfsg.1-3", "Debian", "MIT"),
    Peer("mbedtls", "mbedTLS", "mbedtls", "2.28.3-1", "Debian", "Apache-2.0"),
    Peer("libtomcrypt", "LibTomCrypt", "libtomcrypt", "1.18.2-6", "Debian", "public domain"),
    Peer("monocypher", "Monocypher", "pymonocypher", "4.0.3.4", "PyPI", "BSD-2-Clause or CC0"),
    Peer("pycryptodome", "PyCryptodome", "pycryptodome", "4.4.0", "PyPI", "BSD-2-Clause"),
    Peer(
        *("libsodium", "libsodium", "pynacl", "1.6.2", "PyPI", "ISC"),
        inside="src/libsodium/src/libsodium",
    ),
    Peer(
        *("keccak-team", "Keccak Team", "pysha3", "1.0.2", "PyPI", "CC0"),
        inside="Modules/_sha3/kcp",
    ),
)


@dataclass(frozen=True)
class Line:
    """A row of the table: the operations of a primitive that are measured.

    The cycles of all `operations` are added; the code is that of the last. If an operation has
    `|` in its name, the first of its names counts that an implementation has.
    """

    primitive: str
    algorithm: str
    title: str
    operations: tuple[str, ...]
    length: int | None = None
    constant_time: bool = False
    least_ram: int = 0

    def admits(self, row: Row) -> bool:
        """Returns whether an implementation may stand in the line."""
        if self.constant_time and not row.subject.constant_time:
            return False
        return row.subject.primitive == self.primitive and row.ram >= self.least_ram


def _hash_lines(primitive: str, algorithm: str, block: int) -> tuple[Line, ...]:
    return (
        Line(primitive, algorithm, f"a further block of {block} bytes", ("block",), block),
        Line(primitive, algorithm, "64 bytes, first call to last", ("hash",), 64),
        Line(primitive, algorithm, "1,024 bytes, first call to last", ("hash",), 1024),
    )


LINES = (
    Line("aes128", "AES-128", "key schedule", ("expand",), least_ram=ROUND_KEYS),
    Line("aes128", "AES-128", "block, encryption", ("encrypt",)),
    Line("aes128", "AES-128", "block, decryption", ("decrypt",)),
    Line("aes128", "AES-128", "key schedule and a block, encryption", ("expand", "encrypt")),
    Line(
        *("aes128", "AES-128", "key schedule and a block, decryption"),
        ("expand_decrypt|expand", "decrypt"),
    ),
    Line("aes128", "AES-128, constant time", "block, encryption", ("encrypt",), None, True),
    Line("aes128", "AES-128, constant time", "block, decryption", ("decrypt",), None, True),
    *_hash_lines("sha256", "SHA-256", 64),
    *_hash_lines("sha512", "SHA-512", 128),
    *_hash_lines("sha3_256", "SHA3-256", 136),
    Line("chacha20", "ChaCha20", "set-up and 64 bytes", ("init", "crypt"), 64),
    Line("chacha20", "ChaCha20", "set-up and 1,024 bytes", ("init", "crypt"), 1024),
    Line("chacha20_poly1305", "ChaCha20-Poly1305", "64 bytes sealed", ("seal",), 64),
    Line("chacha20_poly1305", "ChaCha20-Poly1305", "1,024 bytes sealed", ("seal",), 1024),
    Line("chacha20_poly1305", "ChaCha20-Poly1305", "1,024 bytes opened", ("open",), 1024),
    Line("x25519", "X25519", "public key", ("public",)),
    Line("x25519", "X25519", "shared secret", ("shared",)),
    Line("ed25519", "Ed25519", "public key", ("public",)),
    Line("ed25519", "Ed25519", "signature", ("sign",)),
    Line("ed25519", "Ed25519", "verification", ("verify",)),
)


@dataclass(frozen=True)
class Figure:
    """The figures of an implementation for a line; `rom` in bytes."""

    name: str
    cycles: int
    rom: int


@dataclass(frozen=True)
class Pair:
    """The best of ours and of theirs, by cycles or by ROM."""

    ours: Figure
    theirs: Figure
    by: Literal["cycles", "rom"]

    @property
    def ratio(self) -> float:
        """Theirs over ours: above one where ours is better."""
        return float(getattr(self.theirs, self.by) / getattr(self.ours, self.by))

    def cells(self) -> Iterator[str]:
        """Name and figure of each, and the ratio, in bold where ours loses."""
        for figure in (self.ours, self.theirs):
            yield f"{figure.name} | {getattr(figure, self.by):,}"
        yield f"{self.ratio:.2f}" if self.ratio >= 1 else f"**{self.ratio:.2f}**"


def fetch(peers: Iterable[Peer]) -> None:
    """Fetches missing sources, and copies our files beside them."""
    for peer in peers:
        folder = PEERS_FOLDER / peer.name
        note, version = folder / "version", f"{peer.package} {peer.version}\n"
        if not (note.is_file() and note.read_text(encoding="utf-8") == version):
            say(f"fetching {peer.title}")
            shutil.rmtree(folder, ignore_errors=True)
            unpack(_archive(peer), PurePosixPath(peer.inside), folder / "source")
            note.write_text(version, encoding="utf-8")
    for file in PEERS_FOLDER.glob(f"*/*/{library.FILE}"):
        shutil.rmtree(file.parent)
    shutil.copytree(TEMPLATES, PEERS_FOLDER, dirs_exist_ok=True)
    _complete(peers)
    for file in TEMPLATES.glob(f"*/*/{library.FILE}"):
        vectors = paths.primitives() / file.parent.name / "vectors"
        copied = PEERS_FOLDER / file.parent.relative_to(TEMPLATES) / "vectors"
        shutil.copytree(vectors, copied, dirs_exist_ok=True)


def _complete(peers: Iterable[Peer]) -> None:
    """Copies all files that a library is built from into its folder, so that it needs no trust."""
    for peer in peers:
        folder = PEERS_FOLDER / peer.name
        shutil.copytree(TEMPLATES / HOSTED, folder / HOSTED, dirs_exist_ok=True)
        for part in BORROWED.get(peer.name, ()):
            shutil.copytree(PEERS_FOLDER / part, folder / part, dirs_exist_ok=True)


def _archive(peer: Peer) -> Path:
    """The archive of its authors, without Debian's additions."""
    folder = PEERS_FOLDER / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    if peer.registry == "Debian":
        _apt_get("update")
        _apt_get("source", "--download-only", "--tar-only", f"{peer.package}={peer.version}")
        names = f"{peer.package}_{peer.version.rsplit('-', 1)[0]}.orig.tar.*"
    else:
        _pip_download(peer.package, folder)
        names = f"{peer.package}-{peer.version}.tar.gz"
    archives = sorted(folder.glob(names))
    if not archives:
        raise SystemExit(f"{peer.registry} gave no {names}")
    return archives[0]


def _pip_download(package: str, folder: Path) -> None:
    """Downloads a package's sources from PyPI, only those of a known hash."""
    lines = (TEMPLATES / "requirements.txt").read_text(encoding="utf-8").splitlines()
    requirements = PEERS_FOLDER / f"{package}.txt"
    pinned = "".join(f"{line}\n" for line in lines if line.startswith(f"{package}=="))
    requirements.write_text(pinned, encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    _run([*pip, "--no-binary", package, "--requirement", requirements, "--dest", folder], folder)


def _apt_get(*words: str) -> None:
    """Runs apt-get with lists of our own instead of the system's."""
    folder = PEERS_FOLDER / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text(_source_list(), encoding="utf-8")
    options = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    arguments = [f"--option={name}={value}" for name, value in options.items()]
    _run(["apt-get", "--quiet", *arguments, *words], PEERS_FOLDER / "archives")


def _source_list() -> str:
    """The entry for sources of the server from which the system gets packages."""
    entry = "$(CODENAME) $(COMPONENT) $(REPO_URI)"
    command = ["apt-get", "indextargets", "--format", entry, "Created-By: Packages"]
    prefix = f"{RELEASE} main "
    lines = _run(command, PEERS_FOLDER).splitlines()
    archives = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    if not archives:
        raise SystemExit(f"apt-get has no list of {RELEASE}: run `apt-get update` on such a system")
    return f"deb-src [signed-by={KEYS}] {archives[0]} {RELEASE} main\n"


def _run(command: Sequence[str | Path], folder: Path) -> str:
    """Runs a tool; returns its output."""
    words = [str(word) for word in command]
    try:
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise SystemExit(f"{words[0]} is not installed, by which sources are fetched") from error
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{run.stderr.rstrip()}")
    return run.stdout


def unpack(archive: Path, inside: PurePosixPath, folder: Path) -> None:
    """Unpacks a folder from within the only top folder of an archive."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if member.isfile() and path.is_relative_to(inside):
                member.name = str(path.relative_to(inside))
                tar.extract(member, folder, filter="data")


def named(row: Row, peers: Sequence[Peer]) -> str:
    """The name of an implementation in the table, with the compiler's level."""
    name, folder = row.subject.implementation, row.subject.folder
    for peer in peers:
        if folder and (PEERS_FOLDER / peer.name).resolve() in folder.resolve().parents:
            name = peer.title if name == peer.name else f"{peer.title} {name}"
    return f"{name}, {row.build.name}"


def figures(line: Line, rows: Sequence[Row], peers: Sequence[Peer]) -> Iterator[Figure]:
    """The figures of every implementation for a line, each at every level."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if line.admits(row):
            groups.setdefault(named(row, peers), []).append(row)
    for name, group in groups.items():
        chosen = [_chosen(operation, line.length, group) for operation in line.operations]
        complete = [row for row in chosen if row]
        if len(complete) == len(line.operations):
            yield Figure(name, sum(row.cycles for row in complete), complete[-1].rom)


def _chosen(operation: str, length: int | None, rows: Sequence[Row]) -> Row | None:
    for name in operation.split("|"):
        for row in rows:
            if row.operation == name and row.length in (None, length):
                return row
    return None


def pairs(line: Line, ours: Sequence[Row], theirs: Sequence[Row]) -> tuple[Pair, Pair] | None:
    """The fastest and the smallest of both sides; None if a side has none."""
    mine = list(figures(line, ours, ()))
    foreign_figures = list(figures(line, theirs, PEERS))
    if not mine or not foreign_figures:
        return None
    return _best(mine, foreign_figures, "cycles"), _best(mine, foreign_figures, "rom")


def _best(ours: Sequence[Figure], theirs: Sequence[Figure], by: Literal["cycles", "rom"]) -> Pair:
    key = attrgetter(by)
    return Pair(min(ours, key=key), min(theirs, key=key), by)


COLUMNS = (
    *("algorithm", "operation", "ours, fastest", "cycles", "theirs, fastest", "cycles", "ratio"),
    *("ours, smallest", "ROM", "theirs, smallest", "ROM", "ratio"),
)


def table(device: Device, ours: Sequence[Row], theirs: Sequence[Row]) -> Iterator[str]:
    """A device's table, followed by the lines in which ours loses."""
    yield f"**{device.title}** (`{device.name}`)"
    yield ""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|---|---|---|--:|---|--:|--:|---|--:|---|--:|--:|"
    lost: dict[str, list[str]] = {"slower": [], "larger": []}
    before = ""
    for line in LINES:
        best = pairs(line, ours, theirs)
        if best is None:
            continue
        shown = "" if line.algorithm == before else line.algorithm
        yield f"| {' | '.join((shown, line.title, *best[0].cells(), *best[1].cells()))} |"
        for loss, pair in zip(lost, best, strict=True):
            lost[loss] += [f"{line.algorithm} ({line.title})"] if pair.ratio < 1 else []
        before = line.algorithm
    yield ""
    for loss, words in lost.items():
        yield f"Ours is {loss} in: {'; '.join(words)}." if words else f"Ours is {loss} in no line."
    yield ""


def report(devices: Sequence[Device], ours: Sequence[Row], theirs: Sequence[Row]) -> Iterator[str]:
    """The page: what is compared, and a table for each device."""
    yield "Ours beside " + "; ".join(str(peer) for peer in PEERS) + "."
    yield ""
    yield "Everybody's C is compiled alike at -Os, -O2 and -O3, and the best of all of a library's"
    yield "options counts. Cycles run from the call to the return; ROM is code and constants with"
    yield "all that they pull in. *Ratio* is theirs over ours, in bold where ours loses. A key"
    yield f"schedule counts where it keeps {ROUND_KEYS} bytes of round keys; nobody's code uses"
    yield "instructions for cryptography. Ours clear registers and stack behind their calls, and"
    yield "their cycles count that (primitives/README.md, *What is wiped*). This is what"
    yield "`python benches/libraries.py --write docs/primitives-benchmarks.md` wrote."
    yield ""
    for device in devices:
        sides = ([row for row in rows if row.device.name == device.name] for rows in (ours, theirs))
        yield from table(device, *sides)


def measured(subjects: Sequence[Subject], devices: Sequence[Device], label: str) -> list[Row]:
    """The rows of subjects at every level on devices that they fit.

    Subjects without vectors are refused, and those that fit none of the devices.
    """
    builds = [Build((level,)) for level in OPTIMISATIONS]
    jobs = [tasks([subject], devices, builds, LENGTHS) for subject in subjects]
    say(f"measuring {label}: {sum(map(len, jobs))} builds")
    # The memory of many runs is freed with the processes that made them.
    with get_context("spawn").Pool(maxtasksperchild=4) as pool:
        results = list(pool.imap(measure, jobs))
    for refusal in (refusal for _, unfit in results for refusal in unfit):
        say(refusal.told)
    rows = [row for rows, _ in results for row in rows]
    unchecked = {row.subject.name for row in rows if not row.verified}
    if unchecked:
        raise SystemExit(f"there are no vectors for {', '.join(sorted(unchecked))}")
    return rows


def say(text: str) -> None:
    """Prints the progress."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Parses the arguments, fetches, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    names = sorted({line.primitive for line in LINES})
    parser.add_argument("--device", action="append", help="instead of the usual ones")
    parser.add_argument("--only", action="append", choices=names, help="only this primitive")
    parser.add_argument("--fetch", action="store_true", help="get the sources, measure nothing")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    words = parser.parse_args()
    if words.write and (words.only or words.device):
        parser.error("a page gets all of the tables: --write goes without --only and --device")
    fetch(PEERS)
    if words.fetch:
        return
    primitives = set(words.only or names)
    devices = [Device.load(name) for name in words.device or DEVICES]
    mine = [
        subject
        for subject in library.ours()
        if subject.primitive in primitives and not subject.extensions
    ]
    foreign_subjects = [
        subject for peer in PEERS for subject in foreign.folder(PEERS_FOLDER / peer.name)
    ]
    selected = [subject for subject in foreign_subjects if subject.primitive in primitives]
    ours, theirs = measured(mine, devices, "ours"), measured(selected, devices, "theirs")
    text = "\n".join(report(devices, ours, theirs)).rstrip()
    print(text)
    if words.write:
        paths.write_between(words.write, "libraries", text)


if __name__ == "__main__":
    main()
