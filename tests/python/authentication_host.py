"""The firmware of studies/authentication as a program of the host, one process for each node."""

from __future__ import annotations

import struct
import subprocess
import tempfile
import tomllib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cocrypt import paths
from cocrypt.authenticate.layout import Identity, Outcome, Parameters, Role, Suite
from cocrypt.authenticate.model import Authority, Server, Terminal
from host import ROOT, WARNINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cocrypt.authenticate.party import Packets

STUDY = ROOT / "studies/authentication.toml"
STAND_IN = ROOT / "tests/authentication"
# A loader that looks functions up while the program runs has registers on the stack meanwhile.
PLAIN = ("-O2", "-Wl,-z,now")
SANITIZED = ("-O1", "-g", "-DSANITIZED", "-fsanitize=address,undefined", "-fno-sanitize-recover")
SESSIONS, OUTPUT = 1024, 40
CLOCK = 50_000_000
FOR_EVER = 0xFFFF_FFFF
NOW, EXPIRY = 1_300_000_000, 1_400_000_000


@cache
def built(*flags: str) -> Path:
    """The program, compiled without a warning; made once for the sources as they are."""
    study = tomllib.loads(STUDY.read_text())
    folder = STUDY.parent
    names = [*study["sources"]["common"], study["workload"][0]["source"]]
    names += [candidate["software"] for candidate in study["candidate"]]
    include = [STAND_IN, *(folder / path for path in study["sources"]["include"])]
    sources = [*(folder / name for name in names), STAND_IN / "host.c"]
    command = [
        "cc",
        *WARNINGS,
        *flags,
        "-Dmain=firmware_main",
        *(f"-I{folder}" for folder in include),
    ]
    command += map(str, sources)
    headers = [
        header
        for folder in (*include, STAND_IN / "cocrypt")
        for header in sorted(folder.glob("*.h"))
    ]
    times = [str(path.stat().st_mtime_ns) for path in (*sources, *headers)]
    program = paths.kept("authentication.key", "\0".join([*command, *times])).with_suffix("")
    if not program.exists():
        # Other tests may run it at the same time, so it is moved into place as a whole.
        with tempfile.TemporaryDirectory(dir=program.parent) as partial:
            subprocess.run([*command, "-o", f"{partial}/node"], check=True)
            Path(partial, "node").replace(program)
    return program


def parameters(role: Role, suite: Suite = Suite.XOR, **changes: int | bytes) -> Parameters:
    """The usual parameters of a node, with changes: the CA is node 0, the server node 1."""
    usual = Parameters(
        role=role,
        suite=suite,
        ca=0,
        peer=1,
        patience=CLOCK,
        idle=FOR_EVER,
        sessions=1,
        now=NOW,
        clock_hz=CLOCK,
        expiry=EXPIRY,
        size=64,
        start=0,
        provisioned=0,
        seed=f"seed of a test {role:05}".encode(),
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


def model(number: int, parameters: Parameters, identity: Identity | None = None) -> Party:
    """The model's party with these parameters."""
    kinds: dict[Role, Callable[..., Party]] = {
        Role.CA: Authority,
        Role.SERVER: Server,
        Role.TERMINAL: Terminal,
    }
    return kinds[Role(parameters.role)](number, parameters, identity)


@cache
def identity(role: Role) -> Identity:
    """The identity that the CA gives to a server, node 1, or a terminal, node 2."""
    ca = Authority(0, parameters(Role.CA))
    party = {Role.SERVER: Server, Role.TERMINAL: Terminal}[role](role, parameters(role))
    begin({0: ca, role: party}, role)
    return party.identity


def makers() -> Iterator[Make]:
    """Yields a maker of nodes of firmware under sanitizers; they end with the generator."""
    nodes: list[Firmware] = []

    def make(number: int, parameters: Parameters, identity: Identity | None = None) -> Firmware:
        nodes.append(Firmware(built(*SANITIZED), number, parameters, identity))
        return nodes[-1]

    yield make
    for node in nodes:
        node.close()


class Party(Protocol):
    """The interface that model and firmware have in common."""

    done: bool

    @property
    def outcomes(self) -> list[Outcome]: ...
    def start(self) -> Packets: ...
    def receive(self, content: bytes, sender: int, seconds: float) -> Packets: ...
    def timeout(self, seconds: float) -> Packets: ...


@dataclass
class Firmware:
    """A node of firmware; it runs until it waits for a packet."""

    program: Path
    number: int
    parameters: Parameters
    identity: Identity | None = None
    done: bool = False
    code: int | None = None
    waits: int = 0
    """The cycles that the node waits at most."""
    marks: list[int] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    output: bytes = b""
    left: list[bytes] = field(default_factory=list)
    """The memory that it leaves: the stack below its own, repeatedly, and variables at the end.

    Empty where a sanitizer watches.
    """
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> Packets:
        """Sends the parameters and the identity to the process."""
        self._process = subprocess.Popen(
            [self.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Nothing is on a heap that could leak, and looking for it takes longer than the rest.
            env={"ASAN_OPTIONS": "detect_leaks=0"},
        )
        parameters = replace(self.parameters, provisioned=int(self.identity is not None))
        identity = self.identity.pack() if self.identity else bytes(Identity.size())
        return self._after(parameters.pack() + identity)

    def receive(self, content: bytes, sender: int, seconds: float) -> Packets:
        """Delivers a packet to the node."""
        cycle = round(seconds * self.parameters.clock_hz)
        return self._after(struct.pack("<QII", cycle, sender, len(content)) + content)

    def timeout(self, seconds: float) -> Packets:
        """Tells the node that no packet came."""
        return self.receive(b"", 0, seconds)

    def close(self) -> None:
        """Ends the process, whatever it does."""
        if self._process:
            self._process.kill()
            self._process.communicate()

    def _after(self, content: bytes) -> Packets:
        assert self._process
        assert self._process.stdin
        self._process.stdin.write(content)
        self._process.stdin.flush()
        sent: Packets = []
        while (letter := self._take(1)) not in b"WX":
            if letter == b"M":
                self.marks.append(self._number())
            elif letter == b"L":
                self.left.append(self._take(self._number()))
            else:
                to, size = self._number(), self._number()
                sent.append((to, self._take(size)))
        if letter == b"W":
            self.waits = self._number()
        else:
            self._end()
        return sent

    def _end(self) -> None:
        self.done, self.code = True, self._number()
        self.identity = Identity.unpack(self._take(Identity.size()))
        size = Outcome.size()
        content = self._take(SESSIONS * size)
        used = (content[at : at + size] for at in range(0, len(content), size) if content[at])
        self.outcomes = [Outcome.unpack(record) for record in used]
        self.output = self._take(OUTPUT)
        self.close()

    def _number(self) -> int:
        return int(struct.unpack("<I", self._take(4))[0])

    def _take(self, size: int) -> bytes:
        assert self._process
        assert self._process.stdout
        assert self._process.stderr
        content = self._process.stdout.read(size)
        assert len(content) == size, f"it broke off: {self._process.stderr.read().decode()}"
        return content


Make = Callable[..., Firmware]

Sent = tuple[int, int, bytes]
"""Sender, receiver, packet."""

Tamper = Callable[[int, bytes], bytes]
"""Returns what arrives of the packet with a number."""


def untouched(_number: int, content: bytes) -> bytes:
    """Returns the packet as it was sent."""
    return content


def exchange(
    parties: Mapping[int, Party],
    packets: Iterable[Sent],
    tamper: Tamper = untouched,
    seconds: float = 0.0,
) -> list[Sent]:
    """Delivers packets and all answers in order; returns what was delivered, these included."""
    waiting, delivered = deque(packets), list[Sent]()
    while waiting:
        sender, to, content = waiting.popleft()
        content = tamper(len(delivered), content)
        delivered.append((sender, to, content))
        if to in parties and not parties[to].done:
            waiting += ((to, *packet) for packet in parties[to].receive(content, sender, seconds))
    return delivered


def begin(parties: Mapping[int, Party], number: int, tamper: Tamper = untouched) -> list[Sent]:
    """Starts one of the parties, and delivers the packets that follow."""
    first = [(number, *packet) for packet in parties[number].start()]
    return exchange(parties, first, tamper)
