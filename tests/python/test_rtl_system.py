"""The RTL system on hand-made programs: timing, counters, bus, coprocessor port, stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cocrypt.fuzz.encoder import Data, Insn, Item, Label, assemble
from cocrypt.rtl import Configuration, Job, RtlError, RtlResult, Waits, build, run_batch

if TYPE_CHECKING:
    from pathlib import Path

DUAL = Configuration("picorv32")
SINGLE = Configuration.of("picorv32", ENABLE_REGS_DUALPORT=False)
NO_WAIT = Waits(0, 0, 1)
DEVICES, SCRATCH, ZERO = 4, 9, 0
CONSOLE, COUNTER, EXIT = 0x00, 0x10, 0x20
DATA = 0x400
PROBE_WINDOW = 0x80010

SET_UP: list[Item] = [
    Insn("lui", rd=DEVICES, imm=0x80000),
    Insn("addi", rd=SCRATCH, imm=DATA),
]
END: list[Item] = [Insn("sw", rs1=DEVICES, rs2=ZERO, imm=EXIT), Data(bytes(16))]


@pytest.fixture(scope="module")
def simulator() -> Path:
    return build([DUAL, SINGLE])


def run(
    simulator: Path, items: list[Item], waits: Waits = NO_WAIT, on: Configuration = DUAL
) -> RtlResult:
    image, _ = assemble([*SET_UP, *items, *END])
    dumps = ((DATA, 32),)
    return run_batch(simulator, [Job(image, on, waits, 10_000, dumps, trace=True)])[0]


def cost(result: RtlResult, number: int = 0) -> int:
    """Count the cycles from the issue of an instruction behind SET_UP to the next issue."""
    assert result.issues is not None
    first, second = result.issues[len(SET_UP) + number : len(SET_UP) + number + 2]
    return second[0] - first[0]


# Source: README of PicoRV32, "Cycles per Instruction Performance": cycles with a dual-port and
# with a single-port register file, on a memory that answers through the look-ahead interface.
README = [
    ("direct jump", Insn("jal", imm=4), 3, 3),
    ("ALU reg + immediate", Insn("addi", rd=5, imm=1), 3, 3),
    ("ALU reg + reg", Insn("add", rd=5, rs1=4, rs2=9), 3, 4),
    ("branch (not taken)", Insn("bne", imm=8), 3, 4),
    ("memory load", Insn("lw", rd=5, rs1=SCRATCH), 5, 5),
    ("memory store", Insn("sw", rs1=SCRATCH), 5, 6),
    ("branch (taken)", Insn("beq", imm=8), 5, 6),
    ("indirect jump", Insn("jalr", imm=12), 6, 6),
    ("shortest shift", Insn("slli", rd=5, rs1=5, imm=0), 4, 4),
    ("longest shift", Insn("srai", rd=5, rs1=5, imm=31), 14, 14),
]


@pytest.mark.parametrize(("insn", "dual", "single"), [row[1:] for row in README])
def test_cycles_are_those_of_the_readme(
    simulator: Path, insn: Insn, dual: int, single: int
) -> None:
    items: list[Item] = [insn, Insn("addi"), Insn("addi")]
    assert cost(run(simulator, items)) == dual
    assert cost(run(simulator, items, on=SINGLE)) == single


@pytest.mark.parametrize("fetch", range(4))
@pytest.mark.parametrize("data", range(4))
def test_each_transfer_waits_as_told(simulator: Path, fetch: int, data: int) -> None:
    items: list[Item] = [
        Insn("addi", rd=5, imm=1),
        Insn("lw", rd=5, rs1=SCRATCH),
        Insn("lw", rd=5, rs1=DEVICES, imm=COUNTER),
        Insn("sw", rs1=DEVICES, imm=CONSOLE),
    ]
    result = run(simulator, items, Waits(fetch, data, 7))
    costs = [cost(result, number) for number in range(4)]
    assert costs == [3 + fetch, 5 + fetch + data, 5 + fetch + 7, 5 + fetch + 7]


@pytest.mark.parametrize("waits", [NO_WAIT, Waits(1, 1, 19), Waits(3, 1, 2)], ids=str)
def test_counters_and_trace_show_the_same_cycles(simulator: Path, waits: Waits) -> None:
    items: list[Item] = [
        Insn("rdcycle", rd=5),
        Insn("lw", rd=6, rs1=DEVICES, imm=COUNTER),
        Insn("rdinstret", rd=7),
        Insn("lw", rd=8, rs1=DEVICES, imm=COUNTER + 4),
    ]
    result = run(simulator, items, waits)
    assert result.issues is not None
    starts = [cycle for cycle, _ in result.issues[len(SET_UP) :]]
    # The core takes rdcycle's value one cycle after the issue, and goes on one cycle after a load
    # was answered, which is the cycle that the device shows.
    assert result.registers[5] == starts[0] + 1
    assert result.registers[6] == starts[2] - 1
    assert result.registers[7] == len(SET_UP) + 3
    assert result.registers[8] == 0
    last = starts[-1]
    assert result.cycles == last + 4 + waits.fetch + waits.bus + 1
    assert result.instructions == len(SET_UP) + 5


def test_console_takes_the_low_byte_of_every_write(simulator: Path) -> None:
    items: list[Item] = []
    for name, letter in (("sw", "a"), ("sh", "b"), ("sb", "c")):
        items.append(Insn("addi", rd=5, imm=ord(letter) + 0x100))
        items.append(Insn(name, rs1=DEVICES, rs2=5, imm=CONSOLE))
    assert run(simulator, items).console == b"abc"


def test_the_exit_device_takes_the_code(simulator: Path) -> None:
    result = run(simulator, [Insn("addi", rd=5, imm=-3), Insn("sw", rs1=DEVICES, rs2=5, imm=EXIT)])
    assert (result.stop, result.exit_code) == ("exit", 0xFFFF_FFFD)


@pytest.mark.parametrize(
    ("items", "stop", "address"),
    [
        ([Insn("ebreak")], "trap", None),
        ([Data(bytes(4))], "trap", None),
        ([Insn("lw", rd=5, rs1=SCRATCH, imm=2)], "trap", None),
        ([Insn("lui", rd=5, imm=0x40000), Insn("lw", rs1=5, imm=8)], "fault", 0x4000_0008),
        ([Insn("lui", rd=5, imm=0x40000), Insn("sb", rs1=5)], "fault", 0x4000_0000),
        ([Insn("lui", rd=5, imm=0x40000), Insn("lw", rs1=5, imm=1)], "trap", None),
        ([Insn("lui", rd=5, imm=0x40000), Insn("jalr", rs1=5)], "fault", 0x4000_0000),
        ([Insn("jalr", rs1=DEVICES)], "fault", 0x8000_0000),
        ([Insn("lui", rd=5, imm=PROBE_WINDOW), Insn("lw", rs1=5)], "fault", 0x8001_0000),
        ([Insn("jal")], "cycle_limit", None),
    ],
    ids=[
        "breakpoint", "illegal", "misaligned", "load", "store", "misaligned-nowhere", "jump",
        "jump-to-device", "no-coprocessor", "endless",
    ],
)  # fmt: skip
def test_a_run_stops_with_its_cause(
    simulator: Path, items: list[Item], stop: str, address: int | None
) -> None:
    result = run(simulator, items)
    assert (result.stop, result.address) == (stop, address)


def test_what_the_simulator_cannot_do_is_an_error(simulator: Path) -> None:
    with pytest.raises(RtlError, match="no configuration"):
        run_batch(simulator, [Job(b"", Configuration.of("picorv32", BARREL_SHIFTER=True))])
    with pytest.raises(RtlError, match="outside the memory"):
        run_batch(simulator, [Job(bytes(4), DUAL, dumps=((DUAL.memory_size, 4),))])
    with pytest.raises(RtlError, match="larger than the memory"):
        run_batch(simulator, [Job(bytes(DUAL.memory_size + 1), DUAL)])


PROBE = """
// Counts what it sees on the register face.
module probe(
    input clk, input rst, input [11:0] address, input [31:0] wdata, input write, input read,
    output [31:0] rdata
);
    reg [7:0] reads, writes, both, noise;
    reg [31:0] cycle, written;
    assign rdata = address == 0 ? {noise, both, writes, reads} : address == 4 ? cycle : written;
    always @(posedge clk) begin
        cycle <= cycle + 1;
        reads <= reads + read;
        writes <= writes + write;
        both <= both + (read && write);
        if (!read && !write && (address != 0 || wdata != 0)) noise <= noise + 1;
        if (write) written <= {address, wdata[19:0]};
        if (rst) begin
            reads <= 0; writes <= 0; both <= 0; noise <= 0; cycle <= 0; written <= 0;
        end
    end
endmodule
"""


@pytest.mark.parametrize("waits", [NO_WAIT, Waits(1, 1, 19)], ids=str)
def test_a_coprocessor_sees_each_transfer_in_one_cycle(tmp_path: Path, waits: Waits) -> None:
    verilog = tmp_path / "probe.v"
    verilog.write_text(PROBE)
    simulator = build([DUAL], verilog, "probe")
    window = 6
    result = run(
        simulator,
        [
            Insn("lui", rd=window, imm=PROBE_WINDOW),
            Label("transfers"),
            Insn("lui", rd=5, imm=0x12345),
            Insn("sw", rs1=window, rs2=5, imm=0x7F8),
            Insn("lw", rd=10, rs1=window, imm=0x7FC),
            Insn("lw", rd=11, rs1=window, imm=4),
            Insn("lw", rd=12, rs1=window, imm=0),
        ],
        waits,
    )
    assert result.stop == "exit"
    assert result.registers[10] == 0x7F8 << 20 | 0x45000
    # One write and, before this third read, two reads; never both at once, zeros in between.
    assert result.registers[12] == 1 << 8 | 2
    assert result.issues is not None
    assert result.registers[11] == result.issues[len(SET_UP) + 5][0] - 1
