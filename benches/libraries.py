"""Measures our primitives beside those of other libraries in C, fastest and smallest of each.

    python benches/libraries.py [--device NAME]... [--only PRIMITIVE]... [--write FILE]
    python benches/libraries.py --fetch

The libraries' sources come from Debian and PyPI into build/peers/, where what stands in
benches/libraries/ tells `cocrypt measure build/peers/...` how to call them. All are measured by
the code that measures ours, behind our vectors, at -Os, -O2 and -O3, the best of which counts.
What is printed is Markdown; --write puts it between the marks of a page.
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

from cocrypt import house
from cocrypt.device import Device
from cocrypt.primitives import foreign, library
from cocrypt.primitives.measuring import Build, Row, measure, tasks
from cocrypt.primitives.subject import OPTIMISATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cocrypt.primitives.subject import Subject

TEMPLATES = Path(__file__).with_suffix("")
PEERS_FOLDER = house.root() / "build" / "peers"
DEVICES = (
    *("picorv32", "ibex-maxperf", "vexriscv"),
    *("stm32f0", "rp2040", "stm32f1", "stm32f4-24mhz", "arm7tdmi", "at91sam9", "sa1110"),
)
LENGTHS = (64, 1024)
HOSTED = "hosted"
"""The folder with what hosted compilers and systems have."""
BORROWED = {
    "monocypher": (
        *("libtomcrypt/common", "libtomcrypt/source/src/headers"),
        "libtomcrypt/source/src/hashes/sha2",
    ),
}
"""What a library takes of others: SHA-512, which Monocypher's Ed25519 does not bring itself."""
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
    """A row of the table: what is measured of a primitive.

    The cycles of all `operations` are added; the code is that of the last. Of an operation with
    `|` in its name the first counts that an implementation has.
    """

    primitive: str
    algorithm: str
    title: str
    operations: tuple[str, ...]
    length: int | None = None
    constant_time: bool = False
    least_ram: int = 0

    def admits(self, row: Row) -> bool:
        """Whether an implementation may stand in the line."""
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
    """What an implementation takes for a line; `rom` in bytes."""

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
        for one in (self.ours, self.theirs):
            yield f"{one.name} | {getattr(one, self.by):,}"
        yield f"{self.ratio:.2f}" if self.ratio >= 1 else f"**{self.ratio:.2f}**"


def fetch(peers: Iterable[Peer]) -> None:
    """Gets the sources that are not there yet, and lays our files beside them."""
    for peer in peers:
        folder = PEERS_FOLDER / peer.name
        note, wanted = folder / "version", f"{peer.package} {peer.version}\n"
        if not (note.is_file() and note.read_text(encoding="utf-8") == wanted):
            say(f"fetching {peer.title}")
            shutil.rmtree(folder, ignore_errors=True)
            unpack(_archive(peer), PurePosixPath(peer.inside), folder / "source")
            note.write_text(wanted, encoding="utf-8")
    for file in PEERS_FOLDER.glob(f"*/*/{library.FILE}"):
        shutil.rmtree(file.parent)
    shutil.copytree(TEMPLATES, PEERS_FOLDER, dirs_exist_ok=True)
    _complete(peers)
    for file in TEMPLATES.glob(f"*/*/{library.FILE}"):
        vectors = house.primitives() / file.parent.name / "vectors"
        copied = PEERS_FOLDER / file.parent.relative_to(TEMPLATES) / "vectors"
        shutil.copytree(vectors, copied, dirs_exist_ok=True)


def _complete(peers: Iterable[Peer]) -> None:
    """Lays all that a library is built from into its folder, so that it needs no trust."""
    for peer in peers:
        folder = PEERS_FOLDER / peer.name
        shutil.copytree(TEMPLATES / HOSTED, folder / HOSTED, dirs_exist_ok=True)
        for part in BORROWED.get(peer.name, ()):
            shutil.copytree(PEERS_FOLDER / part, folder / part, dirs_exist_ok=True)


def _archive(peer: Peer) -> Path:
    """The archive as its authors made it, without what Debian adds."""
    folder = PEERS_FOLDER / "archives"
    folder.mkdir(parents=True, exist_ok=True)
    if peer.registry == "Debian":
        _apt_get("update")
        _apt_get("source", "--download-only", "--tar-only", f"{peer.package}={peer.version}")
        names = f"{peer.package}_{peer.version.rsplit('-', 1)[0]}.orig.tar.*"
    else:
        _pip_download(peer.package, folder)
        names = f"{peer.package}-{peer.version}.tar.gz"
    found = sorted(folder.glob(names))
    if not found:
        raise SystemExit(f"{peer.registry} gave no {names}")
    return found[0]


def _pip_download(package: str, folder: Path) -> None:
    """Asks PyPI for a package's sources, and only for those that we know by their hash."""
    lines = (TEMPLATES / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = PEERS_FOLDER / f"{package}.txt"
    found = "".join(f"{line}\n" for line in lines if line.startswith(f"{package}=="))
    wanted.write_text(found, encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    _run([*pip, "--no-binary", package, "--requirement", wanted, "--dest", folder], folder)


def _apt_get(*words: str) -> None:
    """Asks Debian, with lists of our own instead of the system's."""
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
    given = [f"--option={name}={value}" for name, value in options.items()]
    _run(["apt-get", "--quiet", *given, *words], PEERS_FOLDER / "archives")


def _source_list() -> str:
    """The line that asks for sources where the system asks for packages."""
    entry = "$(CODENAME) $(COMPONENT) $(REPO_URI)"
    command = ["apt-get", "indextargets", "--format", entry, "Created-By: Packages"]
    prefix = f"{RELEASE} main "
    lines = _run(command, PEERS_FOLDER).splitlines()
    archives = [one.removeprefix(prefix) for one in lines if one.startswith(prefix)]
    if not archives:
        raise SystemExit(f"apt-get has no list of {RELEASE}: run `apt-get update` on such a system")
    return f"deb-src [signed-by={KEYS}] {archives[0]} {RELEASE} main\n"


def _run(command: Sequence[str | Path], folder: Path) -> str:
    """Calls a tool; what it prints."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise SystemExit(f"{words[0]} is not installed, by which sources are fetched") from error
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr.rstrip()}")
    return done.stdout


def unpack(archive: Path, inside: PurePosixPath, folder: Path) -> None:
    """Unpacks a folder that stands in an archive's only one."""
    with tarfile.open(archive) as tar:
        for member in tar:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if member.isfile() and path.is_relative_to(inside):
                member.name = str(path.relative_to(inside))
                tar.extract(member, folder, filter="data")


def named(row: Row, peers: Sequence[Peer]) -> str:
    """An implementation as the table has it, with the compiler's level."""
    name, folder = row.subject.implementation, row.subject.folder
    for peer in peers:
        if folder and (PEERS_FOLDER / peer.name).resolve() in folder.resolve().parents:
            name = peer.title if name == peer.name else f"{peer.title} {name}"
    return f"{name}, {row.build.name}"


def figures(line: Line, rows: Sequence[Row], peers: Sequence[Peer]) -> Iterator[Figure]:
    """What every implementation takes for a line, each at every level."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if line.admits(row):
            groups.setdefault(named(row, peers), []).append(row)
    for name, those in groups.items():
        chosen = [_chosen(operation, line.length, those) for operation in line.operations]
        found = [one for one in chosen if one]
        if len(found) == len(line.operations):
            yield Figure(name, sum(one.cycles for one in found), found[-1].rom)


def _chosen(operation: str, length: int | None, rows: Sequence[Row]) -> Row | None:
    for name in operation.split("|"):
        for row in rows:
            if row.operation == name and row.length in (None, length):
                return row
    return None


def pairs(line: Line, ours: Sequence[Row], theirs: Sequence[Row]) -> tuple[Pair, Pair] | None:
    """The fastest and the smallest of both sides; nothing where a side has none."""
    mine = list(figures(line, ours, ()))
    others = list(figures(line, theirs, PEERS))
    if not mine or not others:
        return None
    return _best(mine, others, "cycles"), _best(mine, others, "rom")


def _best(ours: Sequence[Figure], theirs: Sequence[Figure], by: Literal["cycles", "rom"]) -> Pair:
    key = attrgetter(by)
    return Pair(min(ours, key=key), min(theirs, key=key), by)


COLUMNS = (
    *("algorithm", "operation", "ours, fastest", "cycles", "theirs, fastest", "cycles", "ratio"),
    *("ours, smallest", "ROM", "theirs, smallest", "ROM", "ratio"),
)


def table(device: Device, ours: Sequence[Row], theirs: Sequence[Row]) -> Iterator[str]:
    """A device's table, and below it where ours loses."""
    yield f"**{device.title}** (`{device.name}`)"
    yield ""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|---|---|---|--:|---|--:|--:|---|--:|---|--:|--:|"
    lost: dict[str, list[str]] = {"slower": [], "larger": []}
    before = ""
    for line in LINES:
        found = pairs(line, ours, theirs)
        if found is None:
            continue
        shown = "" if line.algorithm == before else line.algorithm
        yield f"| {' | '.join((shown, line.title, *found[0].cells(), *found[1].cells()))} |"
        for what, pair in zip(lost, found, strict=True):
            lost[what] += [f"{line.algorithm} ({line.title})"] if pair.ratio < 1 else []
        before = line.algorithm
    yield ""
    for what, words in lost.items():
        yield f"Ours is {what} in: {'; '.join(words)}." if words else f"Ours is {what} in no line."
    yield ""


def report(devices: Sequence[Device], ours: Sequence[Row], theirs: Sequence[Row]) -> Iterator[str]:
    """The page: what is compared, and a table for each device."""
    yield "Ours beside " + "; ".join(str(one) for one in PEERS) + "."
    yield ""
    yield "Everybody's C is compiled alike at -Os, -O2 and -O3, and the best of all of a library's"
    yield "options counts. Cycles run from the call to the return; ROM is code and constants with"
    yield "all that they pull in. *Ratio* is theirs over ours, in bold where ours loses. A key"
    yield f"schedule counts where it keeps {ROUND_KEYS} bytes of round keys; nobody's code uses"
    yield "instructions for cryptography. Ours clear registers and stack behind their calls, and"
    yield "their cycles count that (primitives/README.md, *What is wiped*). This is what"
    yield "`python benches/libraries.py --write docs/primitives-benchmarks.md` wrote."
    yield ""
    for one in devices:
        sides = ([row for row in rows if row.device.name == one.name] for rows in (ours, theirs))
        yield from table(one, *sides)


def measured(subjects: Sequence[Subject], devices: Sequence[Device], what: str) -> list[Row]:
    """The rows of subjects at every level on devices that they fit.

    Those without vectors are refused, and those that fit none of the devices.
    """
    builds = [Build((level,)) for level in OPTIMISATIONS]
    wanted = [tasks([one], devices, builds, LENGTHS) for one in subjects]
    say(f"measuring {what}: {sum(map(len, wanted))} builds")
    # What many runs leave behind in memory goes with the processes that made them.
    with get_context("spawn").Pool(maxtasksperchild=4) as pool:
        found = list(pool.imap(measure, wanted))
    for one in (one for _, unfit in found for one in unfit):
        say(one.told)
    rows = [row for rows, _ in found for row in rows]
    unchecked = {row.subject.name for row in rows if not row.verified}
    if unchecked:
        raise SystemExit(f"there are no vectors for {', '.join(sorted(unchecked))}")
    return rows


def say(text: str) -> None:
    """Tells what is going on."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Parses the words, fetches, measures, writes."""
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
    wanted = set(words.only or names)
    devices = [Device.load(name) for name in words.device or DEVICES]
    mine = [one for one in library.ours() if one.primitive in wanted and not one.extensions]
    found = [one for peer in PEERS for one in foreign.folder(PEERS_FOLDER / peer.name)]
    others = [one for one in found if one.primitive in wanted]
    ours, theirs = measured(mine, devices, "ours"), measured(others, devices, "theirs")
    text = "\n".join(report(devices, ours, theirs)).rstrip()
    print(text)
    if words.write:
        house.write_between(words.write, "libraries", text)


if __name__ == "__main__":
    main()
