"""A kernel and a program in user mode under tables of pages, beside QEMU's boards of its cores.

The firmware is `tests/firmware/user_mode/`: calls print, pages come when they are needed, and what
the program may not do is skipped. The kernel logs the calls and the faults that it gets: fault
status, fault address, the instruction's address, the mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arm_boards import BOARDS, Board, Emulator
from cocrypt import Device, Machine, _native
from cocrypt.toolchain import Toolchain, Unit
from host import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIRMWARE = ROOT / "tests/firmware/user_mode"
GCC = "arm-none-eabi-gcc"
TRANSLATING = [board for board in BOARDS if board.core in {"sa1110", "arm926ej-s"}]
LOGGED, PRINTED = 4 * 256, 1024
WORDS = 3000


def sorted_sum() -> int:
    """The sum of the program's sorted words, from Marsaglia's xorshift with 13, 17 and 5."""
    state, words = 2463534242, []
    for _ in range(WORDS):
        state ^= state << 13 & 0xFFFF_FFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFF_FFFF
        words.append(state)
    total = 0
    for word in sorted(words):
        total = (total * 31 + word) & 0xFFFF_FFFF
    return total


def expected_text() -> str:
    """The output that C defines for the program; a skipped access leaves 77 in its register."""
    lines = ["mode 10", f"sorted {sorted_sum():x}", f"depth {200 * 201 // 2:x}"]
    lines += ["moved 10", "across 4321", f"filled {(5 << 24) + 0x0706:x}"]
    lines += [f"{name} {77:x}" for name in ("hidden", "none", "domain", "vectors")]
    return "\n".join([*lines, "dropped 0", ""])


def linked(device: Device, compiled_by: str, *flags: str) -> Path:
    """The firmware for a device."""
    chain = Toolchain(device, compiled_by)
    sources = sorted(path for path in FIRMWARE.iterdir() if path.suffix != ".h")
    units = [*chain.runtime(("-O2",)), *(Unit(path, ("-O2", *flags)) for path in sources)]
    objects = chain.compile_needed(units)
    return chain.link([*objects.values()], f"user_mode-{device.name}")


def symbols(image: Path) -> dict[str, int]:
    info = _native.image_info(image.read_bytes(), str(image))
    return {symbol["name"]: int(symbol["address"]) for symbol in info["symbols"]}


def words(content: bytes) -> list[str]:
    return [content[at : at + 4][::-1].hex() for at in range(0, len(content), 4)]


@pytest.mark.parametrize("compiled_by", ["zig", GCC])
@pytest.mark.parametrize("board", TRANSLATING, ids=lambda board: board.core)
def test_kernel_and_user_do_what_they_do_under_qemu(
    board: Board, compiled_by: str, need_tool: Callable[[str], str], tmp_path: Path
) -> None:
    need_tool("qemu-system-arm")
    if compiled_by == GCC:
        need_tool(GCC)
    device = board.device(tmp_path)
    image = linked(device, compiled_by)
    addresses = symbols(image)
    emulator = Emulator(board, device, image, [])
    try:
        assert emulator.code() == 0
        theirs = [
            emulator.read(addresses["output32"], LOGGED, tmp_path),
            emulator.read(addresses["printed"], PRINTED, tmp_path),
        ]
    finally:
        emulator.stop()
    machine = Machine(device, image)
    stop = machine.run().values["stop"]
    assert (stop["kind"], stop["exit_code"]) == ("exit", 0)
    ours = [
        machine.read(addresses["output32"], LOGGED),
        machine.read(addresses["printed"], PRINTED),
    ]
    assert ours[1].rstrip(b"\0").decode() == theirs[1].rstrip(b"\0").decode()
    assert ours[1].decode().startswith(expected_text())
    assert words(ours[0]) == words(theirs[0])
    assert f"{0xE4D0_002A:08x}" in words(ours[0])


@pytest.mark.parametrize("compiled_by", ["zig", GCC])
@pytest.mark.parametrize("name", ["at91sam9", "sa1110"])
def test_a_user_prints_over_the_console(
    name: str, compiled_by: str, need_tool: Callable[[str], str]
) -> None:
    if compiled_by == GCC:
        need_tool(GCC)
    device = Device.load(name)
    image = linked(device, compiled_by, "-DCONSOLE")
    values = Machine(device, image).run().values
    assert (values["stop"]["kind"], values["stop"]["exit_code"]) == ("exit", 0)
    text = values["console"].decode()
    assert text.startswith(expected_text())
    last = text.removeprefix(expected_text()).splitlines()
    # Heap, stack, words written across pages, dropped accesses.
    assert last[0].startswith("pages ")
    assert last[1:] == ["mode 10"]
