"""The GNU debugger on a machine: it reads and writes state, and does not change the timing."""

from __future__ import annotations

import contextlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cocrypt import Machine
from cocrypt.fuzz.cores import CORES
from cocrypt.fuzz.generate import generate
from elf import elf_image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cocrypt

PROGRAM = """
#include <cocrypt/device.h>
volatile uint32_t total, other;
__attribute__((noinline)) static uint32_t square(uint32_t value)
{
    return value * value;
}
__attribute__((noinline)) static void after(void)
{
    other = total;
}
int main(void)
{
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t found = square(i);
        total += found;
        device_write(COCRYPT_MARKS, i);
        other = found ^ total;
    }
    device_write(COCRYPT_CONSOLE, 'k');
    device_write(COCRYPT_CONSOLE, '\\n');
    after();
    return total == 30 ? 0 : 1;
}
"""

# The limit in seconds for an answer that should come at once, on a busy host.
PATIENCE = 60

LOOP = "int main(void) { for (volatile int i = 0;; i++) { } }"


class Session:
    """A machine served on a thread, and gdb's output after it has run a script."""

    def __init__(self, gdb: str, image: Path, *script: str, device: str = "picorv32") -> None:
        self.machine = Machine(device, image)
        self.printed = b""
        self.end = ""
        address: list[str] = []
        ready = threading.Event()

        def listening(host: str, port: int) -> None:
            address.append(f"{host}:{port}")
            ready.set()

        def console(text: bytes) -> None:
            self.printed += text

        def serve() -> None:
            self.end, _ = self.machine.debug("127.0.0.1", 0, listening, console)

        server = threading.Thread(target=serve)
        server.start()
        assert ready.wait(PATIENCE)
        commands = ["set confirm off", "set pagination off", f"target remote {address[0]}", *script]
        words = [word for command in commands for word in ("-ex", command)]
        call = [gdb, "-nx", "-q", "-batch", *words, str(image)]
        process = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
        self.said = process.stdout + process.stderr
        server.join(30)
        assert not server.is_alive(), self.said

    def finds(self, pattern: str) -> list[tuple[str, ...]]:
        """The groups of every match of a pattern in gdb's output."""
        return [match.groups() for match in re.finditer(pattern, self.said, re.MULTILINE)]

    def figures(self, pattern: str) -> list[int]:
        """The numbers that a pattern's one group matches in gdb's output."""
        return [int(number) for (number,) in self.finds(pattern)]


@pytest.fixture
def gdb(need_tool: Callable[[str], str]) -> str:
    """The debugger, for any instruction set."""
    return need_tool("gdb-multiarch")


def test_breakpoints_steps_and_registers(gdb: str, firmware: Callable[[str], Path]) -> None:
    script = (
        *("break square", "continue", "continue", "continue", "info registers a0", "backtrace"),
        *("stepi", "print $pc > (unsigned) &square", "finish", "print $a0", "print total"),
        *("delete", "next", "next", "print total", "continue"),
    )
    session = Session(gdb, firmware(PROGRAM), *script)
    halts = session.figures(r"^Breakpoint 1, square \(value=(?:value@entry=)?(\d+)\)")
    assert halts == [0, 1, 2], session.said
    assert session.finds(r"^a0\s+0x2\s+2$")
    assert session.finds(r"^#1 .* main \(\)")
    assert session.finds(r"^\$(\d) = (\d+)$") == [("1", "1"), ("3", "4"), ("4", "1"), ("5", "5")]
    assert "exited normally" in session.said
    assert session.end == "ended"


def test_watchpoints_tell_old_and_new_values(gdb: str, firmware: Callable[[str], Path]) -> None:
    script = ("watch total", "continue", "continue", "rwatch other", "delete 1", "continue")
    session = Session(gdb, firmware(PROGRAM), *script, "kill")
    # The first square is 0, which writes but changes nothing, and is no event for a `watch`.
    assert session.finds(r"^Old value = (\d+)\nNew value = (\d+)") == [("0", "1"), ("1", "5")]
    assert "exited normally" in session.said
    assert session.end == "ended"


def test_a_watched_read_halts_behind_it(gdb: str, firmware: Callable[[str], Path]) -> None:
    session = Session(gdb, firmware(PROGRAM), "rwatch total", "continue", "kill")
    assert session.finds(r"^Hardware read watchpoint 1: total\n\nValue = 0$"), session.said
    assert session.end == "killed"


def test_memory_and_registers_can_be_set(gdb: str, firmware: Callable[[str], Path]) -> None:
    script = ("break square", "continue", "set var total = 100", "set $a0 = 7", "delete", "finish")
    session = Session(gdb, firmware(PROGRAM), *script, "print total", "detach")
    assert session.finds(r"^Value returned is \$1 = 49$"), session.said
    assert session.finds(r"^\$2 = 100$")
    assert session.end == "detached"
    result = session.machine.run()
    assert result.values["stop"]["kind"] == "exit"
    assert int.from_bytes(session.machine.read("total", 4), "little") == 100 + 49 + 30


def test_watching_changes_no_cycle(gdb: str, firmware: Callable[[str], Path]) -> None:
    image = firmware(PROGRAM)
    alone = Machine("picorv32", image)
    expected = alone.run()
    script = ("break square", "watch total", *["continue"] * 4, "stepi", "stepi", "detach")
    session = Session(gdb, image, *script)
    result = session.machine.run()
    assert session.end == "detached"
    assert result.cycles == expected.cycles
    assert result.values["instructions"] == expected.values["instructions"]
    assert session.machine.marks() == alone.marks()
    assert session.machine.registers() == alone.registers()
    assert result.values["console"] == b"k\n"


def test_a_step_is_an_instruction_where_caches_miss(gdb: str, tmp_path: Path) -> None:
    core = CORES["vexriscv"]
    # The debugger treats the path through a handler as one step.
    features = replace(core.features(core.configurations[0]), privileged=None)
    program = generate(3, 1, features)
    image = tmp_path / "program.elf"
    image.write_bytes(elf_image(program.image))
    script = ("stepi 150", "monitor instructions", "monitor cycles", "detach")
    session = Session(gdb, image, *script, device="vexriscv")
    instructions, cycles = session.figures(r"^(\d+)$")
    assert instructions == 150
    assert cycles > instructions
    assert session.machine.run().cycles == Machine("vexriscv", image).run().cycles


def test_the_monitor_tells_cycles_and_keeps_snapshots(
    gdb: str, firmware: Callable[[str], Path]
) -> None:
    script = (
        *("break square", "continue", "continue", "monitor cycles", "monitor snapshot"),
        *("continue", "continue", "monitor cycles", "monitor restore", "monitor cycles"),
        *("maintenance flush register-cache", "print $a0", "monitor marks", "monitor nonsense"),
        *("monitor reset", "monitor cycles", "monitor instructions", "kill"),
    )
    session = Session(gdb, firmware(PROGRAM), *script)
    first, later, restored, reset, instructions = session.figures(r"^(\d+)$")
    assert first == restored < later
    assert reset < first
    assert instructions == 0
    assert session.finds(r"^\$1 = 1$")
    assert session.finds(r"^ +\d+  0x00000000$")
    assert "`nonsense` is not known" in session.said
    assert session.end == "killed"


def test_a_running_program_can_be_interrupted(gdb: str, firmware: Callable[[str], Path]) -> None:
    script = ("set mi-async on", "maintenance set target-async on", "continue &", "shell sleep 1")
    session = Session(gdb, firmware(LOOP), *script, "interrupt", "shell sleep 1", "kill")
    assert session.end in {"killed", "lost"}, session.said
    assert session.machine.run(1_000).cycles > 1_000_000


@pytest.mark.parametrize(
    ("script", "seen"),
    [
        (["break square", "continue"], "k\n"),
        # Output that a restored snapshot prints again is shown again.
        (
            [
                *("tbreak main", "continue", "monitor snapshot"),
                *("break after", "continue", "monitor restore", "delete"),
            ],
            "k\nk\n",
        ),
    ],
    ids=["a breakpoint", "a restored snapshot"],
)
def test_run_waits_for_a_debugger_and_goes_on_behind_it(
    gdb: str, firmware: Callable[[str], Path], script: list[str], seen: str
) -> None:
    image = firmware(PROGRAM)
    call = [sys.executable, "-c", "from cocrypt.cli import main; main()", "run", str(image)]
    server = subprocess.Popen(
        [*call, "--device", "picorv32", "--gdb", ":0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    line = server.stderr.readline()
    match = re.search(r"target remote (127\.0\.0\.1:\d+)", line)
    assert match, line
    commands = [f"target remote {match[1]}", *script, "detach"]
    words = [word for command in commands for word in ("-ex", command)]
    subprocess.run(
        [gdb, "-nx", "-q", "-batch", *words, str(image)],
        capture_output=True,
        timeout=120,
        check=True,
    )
    out, _ = server.communicate(timeout=60)
    assert server.returncode == 0
    assert out.startswith(seen)
    assert out.count("k\n") == seen.count("k\n")
    assert f"{Machine('picorv32', image).run().cycles:,}" in out


def test_a_wrong_place_gets_a_clear_message(
    process: Cocrypt, firmware: Callable[[str], Path]
) -> None:
    image = firmware(LOOP)
    for address, code, expected in (
        ("3333", 1, "write it as :3333"),
        (":99999", 1, "no address for a debugger"),
        ("203.0.113.1:3333", 2, "cannot serve a debugger at 203.0.113.1:3333"),
    ):
        result = process("run", image, "--device", "picorv32", "--gdb", address)
        assert (result.returncode, expected in result.stderr) == (code, True), result.stderr
        assert "Traceback" not in result.stderr


def test_waiting_for_a_debugger_can_be_interrupted(firmware: Callable[[str], Path]) -> None:
    call = [sys.executable, "-c", "from cocrypt.cli import main; main()", "run"]
    call += [str(firmware(LOOP)), "--device", "picorv32", "--gdb", ":0"]
    # Whoever runs tests in the background ignores Ctrl-C, and so would what they start.
    server = subprocess.Popen(
        call,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert server.stderr is not None
    assert "waiting" in server.stderr.readline()
    time.sleep(0.2)
    server.send_signal(signal.SIGINT)
    assert server.wait(PATIENCE) == 130


def packet(body: bytes) -> bytes:
    return b"$" + body + b"#%02x" % (sum(body) % 256)


PACKETS = re.compile(rb"\$([^#]*)#..")


def is_console_output(body: bytes) -> bool:
    """Returns whether a packet is console output, which comes before an answer."""
    return body.startswith(b"O") and body != b"OK"


class Client:
    """A debugger of our own, which can send packets that the GNU debugger does not send."""

    def __init__(self, machine: Machine) -> None:
        self.end: list[str] = []
        ports: list[int] = []
        listening = threading.Event()

        def heard(_host: str, port: int) -> None:
            ports.append(port)
            listening.set()

        def serve() -> None:
            self.end.append(machine.debug("127.0.0.1", 0, heard).end)

        self.thread = threading.Thread(target=serve)
        self.thread.start()
        assert listening.wait(PATIENCE)
        self.port = ports[0]
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, raw: bytes) -> bytes:
        """The body of the next packet that comes back after console output (`O`)."""
        self.socket.sendall(raw)
        heard = b""
        while not (
            answers := [
                packet for packet in PACKETS.findall(heard) if not is_console_output(packet)
            ]
        ):
            more = self.socket.recv(4096)
            assert more, f"the server went after {raw!r}"
            heard += more
        return bytes(answers[0])

    def kill(self) -> None:
        self.socket.sendall(packet(b"k"))
        self.thread.join(10)
        assert self.end == ["killed"]


MALFORMED = [
    b"$g#00",
    b"$g#zz",
    packet(b"m"),
    packet(b"m0"),
    packet(b"mzz,4"),
    packet(b"M0,4:1"),
    packet(b"P0"),
    packet(b"Hgzz"),
    packet(b"Z0,"),
    packet(b"Z9,0,0"),
    packet(b"qRcmd,1"),
    packet(b"qRcmd,7a7a"),
    packet(b"qXfer:features:read:target.xml:zz,1"),
    packet(b"vCont;z"),
    packet(b"\xff\xfe\x00"),
    packet(b"X0,ffffffff:"),
    packet(b"mffffffff,ffffffff"),
    b"-",
    packet(b"m0," + b"0" * 10_000),
]


def test_registers_come_as_the_debugger_counts_them(tmp_path: Path) -> None:
    """AVR's registers: r0 to r31, SREG, the stack pointer and the program counter (avr-tdep.c)."""
    loop = tmp_path / "loop.bin"
    loop.write_bytes(b"\xff\xcf" * 64)
    machine = Machine("atmega328p", loop, load_address=0)
    client = Client(machine)
    values = bytes(range(32)) + b"\x81" + b"\xf3\x04" + b"\x10\0\0\0"
    assert client.ask(packet(b"G" + values.hex().encode())) == b"OK"
    client.kill()
    registers = machine.registers()
    assert [registers[f"r{number}"] for number in range(32)] == list(range(32))
    assert registers["SP"] == 0x8004F3


@pytest.mark.parametrize("raw", MALFORMED, ids=lambda raw: repr(raw[:24]))
def test_a_malformed_packet_ends_nothing(raw: bytes, firmware: Callable[[str], Path]) -> None:
    client = Client(Machine("picorv32", firmware(PROGRAM)))
    registers = client.ask(packet(b"g"))
    client.ask(raw)
    assert client.ask(packet(b"g")) == registers
    client.kill()


def test_random_packets_end_nothing(firmware: Callable[[str], Path]) -> None:
    """Random packets, without those that kill, detach or run the program."""
    draw = random.Random(3)
    client = Client(Machine("picorv32", firmware(PROGRAM)))
    for _ in range(500):
        body = bytes(draw.choices(b"mMgGpPXZzqQvHTd:,;0123456789abcdef", k=draw.randrange(1, 24)))
        damaged = bytearray(packet(body))
        if draw.random() < 0.3:
            damaged[draw.randrange(len(damaged) - 2)] = draw.randrange(256)
        client.ask(bytes(damaged) + packet(b"qC"))
    client.socket.settimeout(0.2)
    with contextlib.suppress(TimeoutError):
        while client.socket.recv(4096):
            pass
    client.socket.settimeout(10)
    assert not client.ask(packet(b"g")).startswith(b"E")
    client.kill()


def test_a_second_debugger_is_refused_at_once(firmware: Callable[[str], Path]) -> None:
    client = Client(Machine("picorv32", firmware(PROGRAM)))
    client.ask(packet(b"?"))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", client.port), timeout=2)
    client.kill()


@pytest.mark.parametrize(("place", "warned"), [("0.0.0.0:0", True), (":0", False)])
def test_listening_beyond_this_host_warns(
    firmware: Callable[[str], Path], place: str, warned: bool
) -> None:
    command = [sys.executable, "-c", "import cocrypt.cli; cocrypt.cli.main()", "run"]
    words = [*command, str(firmware(PROGRAM)), "--device", "picorv32", "--gdb", place]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        assert "waiting for" in line
        port = int(re.search(r":(\d+)", line)[1])  # type: ignore[index]
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as debugger:
            debugger.sendall(packet(b"k"))
            remainder = process.stderr.read()
    assert ("warning" in remainder) == warned
