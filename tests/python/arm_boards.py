"""Boards of QEMU with ARM cores, as devices of ours, and calls of primitives' functions on them.

The device's peripherals are memory there: `caller.S` writes its marks and its exit code to
the end of the board's RAM, from which the latter is read.
"""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.device import Device
from cocrypt.primitives.calling import Calling
from cocrypt.primitives.images import CONTEXT, context_size
from cocrypt.primitives.script import Outcome
from cocrypt.target import EXIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cocrypt.primitives.script import Step
    from cocrypt.primitives.subject import Subject

PERIPHERALS = 0x400
"""Bytes at the end of RAM that stand for peripherals."""
RUNNING = 0xFFFF_FFFF
"""The value at the exit code's address before the program writes it."""
SECONDS = 60


@dataclass(frozen=True)
class Board:
    """A machine of QEMU and its core; addresses and sizes of RAM, and of flash if there is any."""

    machine: str
    core: str
    ram: tuple[int, int]
    flash: tuple[int, int] | None = None

    def device(self, folder: Path) -> Device:
        """Returns the board as one of our devices."""
        cores = folder / "cores"
        if not cores.exists():
            cores.symlink_to(paths.root() / "devices" / "cores")
        path = folder / f"{self.machine}-{self.core}.toml"
        path.write_text(self._description(path.stem), encoding="utf-8")
        return Device.load(path)

    def _description(self, name: str) -> str:
        head = f'[device]\nname = "{name}"\ntitle = "QEMU"\ncore = "{self.core}"\nclock_hz = 1\n'
        base, size = self.ram
        memories = [("rom", *self.flash)] if self.flash else []
        memories.append(("ram", base, size - PERIPHERALS))
        text = [
            f'[[memory]]\nname = "{kind}"\nkind = "{kind}"\nbase = {at}\nsize = {bytes_}\n'
            "fetch_wait = 1\ndata_wait = 1\n"
            for kind, at, bytes_ in memories
        ]
        exit_base = base + size - PERIPHERALS + EXIT
        end = f'[[peripheral]]\nkind = "exit"\nbase = {exit_base}\nsize = 16\n'
        return head + "".join(text) + end


BOARDS = (
    Board("collie", "sa1110", (0xC000_0000, 0x40_0000)),
    Board("versatilepb", "arm926ej-s", (0x10_0000, 0x40_0000)),
    Board("versatilepb", "arm7tdmi", (0x10_0000, 0x40_0000)),
    Board("microbit", "cortex-m0", (0x2000_0000, 0x4000), (0, 0x4_0000)),
    Board("microbit", "cortex-m0plus", (0x2000_0000, 0x4000), (0, 0x4_0000)),
    Board("mps2-an385", "cortex-m3", (0x2000_0000, 0x4_0000), (0, 0x40_0000)),
    Board("mps2-an386", "cortex-m4", (0x2000_0000, 0x4_0000), (0, 0x40_0000)),
)


class Emulator:
    """A board that runs an image, controlled by QEMU's own protocol (QMP)."""

    def __init__(self, board: Board, device: Device, image: Path, loads: Sequence[str]) -> None:
        self._exit = device.peripherals_base + EXIT
        preset = f"loader,addr={self._exit:#x},data={RUNNING:#x},data-len=4"
        command = ["qemu-system-arm", "-M", board.machine, "-kernel", str(image)]
        command += ["-display", "none", "-serial", "none", "-audiodev", "none,id=silent"]
        command += [word for argument in (*loads, preset) for word in ("-device", argument)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [*command, "-qmp", "stdio"], stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        self._receive()
        self._ask("qmp_capabilities")

    def code(self) -> int:
        """Waits for the exit code."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            line = {"command-line": f"xp /1wx {self._exit:#x}"}
            answer = self._ask("human-monitor-command", **line)
            code = int(str(answer).split(":")[1], 16)
            if code != RUNNING:
                return code
            time.sleep(0.02)
        raise AssertionError("the program does not end")

    def read(self, address: int, size: int, scratch: Path) -> bytes:
        """Reads bytes of the board's memory."""
        path = scratch / "memory"
        self._ask("memsave", val=address, size=size, filename=str(path))
        return path.read_bytes()

    def stop(self) -> None:
        """Ends the emulator."""
        self._process.kill()
        self._process.communicate()

    def _ask(self, command: str, **arguments: object) -> object:
        assert self._process.stdin is not None
        text = json.dumps({"execute": command, "arguments": arguments})
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        while True:
            answer = self._receive()
            if "error" in answer:
                raise AssertionError(answer["error"])
            if "return" in answer:
                return answer["return"]

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"QEMU ended: {self._process.communicate()[1]}")
        answer: dict[str, Any] = json.loads(line)
        return answer


class CallingOnBoard(Calling):
    """A subject's image on a board, whose functions can be called; the calls are not timed."""

    def __init__(self, board: Board, subject: Subject, image: Path, scratch: Path) -> None:
        self.board, self.image, self.scratch = board, image, scratch
        self.device, self.subject = board.device(scratch), subject
        self.convention = self.device.target.instructions.convention
        info = _native.image_info(image.read_bytes(), str(image))
        addresses = {symbol["name"]: int(symbol["address"]) for symbol in info["symbols"]}
        self._table, self._top = addresses["_stack_limit"], addresses["_stack_top"]
        self._parameters = {}
        self._functions = {
            operation: addresses[function.name] for operation, function in subject.functions.items()
        }
        constant, declared = addresses.get(CONTEXT), context_size(image, subject) or 0
        self.context_size = declared if constant is None else self._word(constant)

    def run(self, steps: Sequence[Step]) -> Outcome:
        """Makes the calls in their order."""
        layout = self._layout(steps)
        table = self.scratch / "table"
        table.write_bytes(layout.content)
        load = f"loader,file={table},addr={layout.table:#x},force-raw=on"
        emulator = Emulator(self.board, self.device, self.image, [load])
        try:
            assert emulator.code() == 0
            memory = emulator.read(layout.table, layout.end - layout.table, self.scratch)
        finally:
            emulator.stop()
        offsets = {buffer: address - layout.table for buffer, address in layout.places.items()}
        contents = {
            buffer: memory[address : address + buffer.size] for buffer, address in offsets.items()
        }
        results = {
            step: _signed(memory, layout.result(index) - layout.table)
            for index, step in enumerate(steps)
        }
        return Outcome(contents, results)

    def _word(self, address: int) -> int:
        """Reads a constant from the board before anything else has run."""
        table = self.scratch / "table"
        table.write_bytes(bytes(16))
        load = f"loader,file={table},addr={self._table:#x},force-raw=on"
        emulator = Emulator(self.board, self.device, self.image, [load])
        try:
            return int.from_bytes(emulator.read(address, 4, self.scratch), "little")
        finally:
            emulator.stop()


def _signed(memory: bytes, at: int) -> int:
    return int.from_bytes(memory[at : at + 4], "little", signed=True)
