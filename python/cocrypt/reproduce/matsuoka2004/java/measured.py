"""The fourteen algorithms of Bouncy Castle on the SA-1110: values, cycles and sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt import _native, measurement, paths
from cocrypt.java.maven import Artifact
from cocrypt.java.program import JavaProgram, Settings
from cocrypt.reproduce.matsuoka2004.java.vectors import natives, official

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.device import Device

BOUNCY_CASTLE = Artifact(
    "bouncycastle",
    "bcprov-jdk14",
    "124",
    "3ce252ee8121cd677411bb7010c26ef96bbc464ec4e1c413ea87dbe236175730",
)
"""The library's release 1.24; the paper has 1.20."""
SETTINGS = Settings(heap=32 << 10, stack=4 << 10)
PRINTED = re.compile(
    rb"runs (\d+) wrong (\d+) hash (-?\d+)\ncycles (\d+) (\d+) (\d+) (\d+)\n(?:executed (\d+)\n)?"
)


@dataclass(frozen=True)
class Algorithm:
    """An algorithm by its name in the paper, the class that runs it, and its official vectors.

    `variant` tells the engines of AES apart; the paper has figures of the first one.
    """

    name: str
    program: str
    files: tuple[str, ...]
    variant: str = ""

    @property
    def title(self) -> str:
        """The name in tables."""
        return f"{self.name}, {self.variant}" if self.variant else self.name

    def values(self) -> list[bytes]:
        """The values of the official vectors, as the program reads them."""
        return official(self.files)


AES = tuple(f"aes/vectors/aes{size}.toml" for size in (128, 192, 256))
ALGORITHMS = (
    Algorithm("AES", "Aes", AES),
    Algorithm("AES", "AesFast", AES, "fast engine"),
    Algorithm("AES", "AesLight", AES, "light engine"),
    Algorithm("DES", "Des", ("des/vectors/des.toml",)),
    Algorithm("RC2", "Rc2", ("rc2/vectors/rc2.toml",)),
    Algorithm("RC4", "Rc4", ("rc4/vectors/rc4.toml",)),
    Algorithm("RC5", "Rc5", ("rc5/vectors/rc5.toml",)),
    Algorithm("RC6", "Rc6", ("rc6/vectors/rc6.toml",)),
    Algorithm("MD2", "Md2", ("md2/vectors/md2.toml",)),
    Algorithm("MD4", "Md4", ("md4/vectors/md4.toml",)),
    Algorithm("MD5", "Md5", ("md5/vectors/md5.toml",)),
    Algorithm("SHA1", "Sha1", ("sha1/vectors/sha1.toml",)),
    Algorithm("SHA256", "Sha256", ("sha256/vectors/sha256.toml",)),
    Algorithm("SHA512", "Sha512", ("sha512/vectors/sha512.toml",)),
    Algorithm("HMAC_SHA1", "HmacSha1", ("../studies/matsuoka2004/hmac-sha1.toml",)),
    Algorithm("RSA", "Rsa", ("rsa/vectors/rsa1024.toml",)),
)
OWN = Algorithm("AES", "OwnAes", AES, "our own")
"""An AES in Java of ours, which needs no library."""
ALL, LEAST = "All", "Hello"
"""Classes whose images have the size of all algorithms, and of a program that prints a line."""


@dataclass(frozen=True)
class Result:
    """The output of a program: runs of the algorithm, wrong results, a hash over all results.

    `cycles` are those of all runs for key and data forward, then for key and data back; a digest
    has data alone. `executed` are the bytecodes of the whole program if they are counted, and
    `total` the cycles of all of it. Sizes are bytes of the image.
    """

    runs: int
    wrong: int
    hash: int
    cycles: tuple[int, int, int, int]
    executed: int | None
    total: int
    rom: int
    ram: int

    def mean(self, direction: int) -> float:
        """Cycles of one run with its key, forward (0) or back (1)."""
        return sum(self.cycles[2 * direction : 2 * direction + 2]) / self.runs


@dataclass(frozen=True)
class Measured:
    """An algorithm interpreted and compiled ahead of time, and its count of bytecodes."""

    algorithm: Algorithm
    java: Result
    aot: Result
    counted: Result

    @property
    def wrong(self) -> bool:
        """True if a result is not that of the official vectors, or differs between the machines."""
        results = self.java, self.aot, self.counted
        return any(each.wrong or each.hash != self.java.hash or not each.runs for each in results)

    @property
    def cycles_per_bytecode(self) -> float:
        """Cycles of the whole program by the bytecodes that it executes."""
        return self.java.total / (self.counted.executed or 1)

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that the paper times."""
        return ("encrypt", "decrypt") if any(self.java.cycles[2:]) else ("digest",)


def programs() -> Path:
    """The jar with the classes that run the algorithms, whose sources are beside it."""
    return paths.root() / "studies" / "matsuoka2004" / "programs.jar"


def measure(algorithm: Algorithm, library: Path | None, device: Device) -> Measured:
    """Runs an algorithm on its official vectors, on each machine."""
    values = algorithm.values()
    return Measured(
        algorithm,
        run(algorithm.program, library, device, values),
        run(algorithm.program, library, device, values, aot=("all",), level="-O2"),
        run(algorithm.program, library, device, values, count=True),
    )


def run(
    program: str,
    library: Path | None,
    device: Device,
    values: Sequence[bytes],
    *,
    aot: Sequence[str] = (),
    level: str = "-Os",
    count: bool = False,
    host_initializers: bool = True,
) -> Result:
    """Runs a program of ours over Bouncy Castle's classes on a device."""
    image = build(
        program,
        library,
        device,
        values,
        aot=aot,
        level=level,
        count=count,
        host_initializers=host_initializers,
    )
    ran = measurement.run(device, image.read_bytes(), program)
    measurement.require_clean(ran)
    printed = PRINTED.fullmatch(ran.values["console"])
    assert printed is not None, ran.values["console"]
    runs, wrong, hashed, *cycles, executed = (int(each) if each else 0 for each in printed.groups())
    first, second, third, fourth = cycles
    timed = (first, second, third, fourth)
    counted = executed if count else None
    return Result(runs, wrong, hashed, timed, counted, ran.cycles, ran.rom, ran.ram)


def build(
    program: str,
    library: Path | None,
    device: Device,
    values: Sequence[bytes] = (),
    *,
    aot: Sequence[str] = (),
    level: str = "-Os",
    count: bool = False,
    host_initializers: bool = True,
) -> Path:
    """The image of a program of ours over Bouncy Castle's classes, with a table of values."""
    files = [programs(), *([library] if library else [])]
    main = f"matsuoka2004.{program}"
    found = JavaProgram.load(files, main, aot, host_initializers=host_initializers)
    settings = Settings(SETTINGS.heap, SETTINGS.stack, count=count)
    table = paths.kept("vectors.c", natives(values))
    return found.build(device, settings, (table,), (level,))


def sizes(image: Path, device: Device) -> tuple[int, int]:
    """Bytes of ROM and of RAM of an image."""
    info = measurement.placed(_native.image_info(image.read_bytes(), image.name), device)
    return measurement.rom(info), measurement.ram(info)
