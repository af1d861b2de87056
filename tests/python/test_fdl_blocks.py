"""Blocks of a design's own in Verilog and C++: runs, exports under Icarus, messages."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from cocrypt.design import Design
from cocrypt.errors import InputError
from cocrypt.rtl.blocks import libraries
from cocrypt.rtl.tools import RtlError
from cocrypt.trust import store
from conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Verb

EXAMPLES = ROOT / "docs" / "examples" / "blocks"
CASES = ROOT / "tests" / "cases" / "fdl" / "blocks"

# A value of 70 bits turned by one, a count with a first value, and faults on demand.
TURN = """
#include <cocrypt/block.h>
class Turn final : public cocrypt::Block {
    const cocrypt::Port x = input("x", 70), y = output("y", 70), n = output("n", 8);
    uint64_t count;
public:
    explicit Turn(const cocrypt::Parameters &given) : count(number(given, "first", 0)) {}
    void evaluate() override {
        set(y, get(x) << 1 | get(x, 1) >> 5);
        set(y, get(x, 1) << 1 | get(x) >> 63, 1);
        set(n, count);
    }
    void clock() override { if (++count == 260) throw std::runtime_error("it is full"); }
};
COCRYPT_BLOCK(Turn)
"""
DESIGN = """
ipblock turn(in x : ns(70); out y : ns(70); out n : tc(8)) { iptype "turn"; ipparm "first=254"; }
dp d(in a : ns(70); out o : ns(70); out n : tc(8)) { use turn(a, o, n); }
"""


def flat(text: str) -> str:
    """A message in one line, whatever its width was."""
    return " ".join(text.replace("│", " ").split())


@pytest.fixture
def design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A design with a block in C++, in a trusted folder."""
    (tmp_path / "turn.cpp").write_text(TURN)
    (tmp_path / "d.fdl").write_text(DESIGN)
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    return tmp_path / "d.fdl"


def test_a_class_runs_and_its_mistakes_are_named(design: Path, verb: Verb) -> None:
    values = [1, 1 << 69, (1 << 70) - 2, 0x15_5555_5555_5555_5555]
    rows = Design.load(design).simulate([{"a": value} for value in values])
    assert list(rows["o"]) == [(value << 1 | value >> 69) & ((1 << 70) - 1) for value in values]
    assert list(rows["n"]) == [254, 255, 0, 1]
    for old, new, message in (
        ("first=254", "first=x", "d.fdl:2: `turn` cannot be made: `first=x` is no number"),
        ("y : ns(70)", "z : ns(70)", "`turn` has no port `z`; it has in x (70), out y (70)"),
        ("y : ns(70)", "y : ns(8)", "`y` of `turn` has 70 bits, and is declared with 8"),
        (
            "out n : tc(8)) { iptype",
            "in n : tc(8)) { iptype",
            "`n` of `turn` is `out`, and declared",
        ),
        ("in x : ns(70); ", "", "`turn` has an input `x` of 70 bits, which is not declared"),
    ):
        design.write_text(DESIGN.split("dp d")[0].replace(old, new))
        done = verb("fdl", "sim", design, "--cycles", "2")
        assert done.code != 0
        assert message in flat(done.err)
    design.write_text(DESIGN)
    done = verb("fdl", "sim", design, "--cycles", "9")
    assert done.code != 0
    assert "cycle 5: the block `turn` stops: it is full" in done.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("always @(negedge clk) y <= x;", "`@(negedge clk)` waits for a falling edge"),
        ("always @(posedge clk or negedge clk) y <= x;", "waits for a falling edge"),
        ("always_latch if (rst) y = x;", "`always_latch` is a latch"),
        ("always @* if (rst) y = x;", "Latch inferred for signal 'y'"),
        ("always @(posedge clk) begin #1; y <= x; end", "Ignoring delay on this statement"),
    ],
)
def test_modules_that_are_not_of_one_edge_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Verb, body: str, message: str
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    ports = "input clk, input rst, input [7:0] x, output reg [7:0] y"
    (tmp_path / "keep.v").write_text(f"module keep({ports});\n  {body}\nendmodule\n")
    block = 'ipblock k(in x : ns(8); out y : ns(8)) { iptype "keep"; }\n'
    design = tmp_path / "d.fdl"
    design.write_text(block + "dp d(in a : ns(8); out o : ns(8)) { use k(a, o); }\n")
    done = verb("fdl", "sim", design, "--cycles", "2")
    assert done.code != 0
    assert message in flat(done.err)


def test_the_falling_edge_of_a_reset_is_no_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comments and strings about edges are none either."""
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    (tmp_path / "hold.v").write_text("""// @(negedge clk)
module hold(input clk, input ready, input [7:0] x, output reg [7:0] y);
  always @(posedge clk or negedge ready) if (!ready) y <= #1 0; else y <= #1 x;
  initial if (0) $display("@(negedge clk)");
endmodule
""")
    block = 'ipblock k(in ready : ns(1); in x : ns(8); out y : ns(8)) { iptype "hold"; }\n'
    top = "dp d(in r : ns(1); in a : ns(8); out o : ns(8)) { use k(r, a, o); }\n"
    (tmp_path / "d.fdl").write_text(block + top)
    given = [(1, 5), (1, 6), (0, 7), (1, 8), (1, 9)]
    rows = Design.load(tmp_path / "d.fdl").simulate([{"r": r, "a": a} for r, a in given])
    assert list(rows["o"]) == [0, 5, 0, 0, 8]


def test_a_class_stays_in_the_simulator(design: Path, verb: Verb) -> None:
    for verb_name in ("verilog", "vhdl"):
        done = verb("fdl", verb_name, design)
        assert done.code != 0
        assert "a design with the block `turn.cpp` runs in" in flat(done.err)
    (design.parent / "turn.cpp").rename(design.parent / "turn.v")
    done = verb("fdl", "vhdl", design)
    assert "`turn.v` runs in `cocrypt fdl sim` and `test`, and is written as Verilog" in flat(
        done.err
    )


def test_what_cannot_be_built_is_named(design: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "/nowhere/c++")
    with pytest.raises(RtlError, match=r"no C\+\+ compiler was found"):
        libraries(design)
    monkeypatch.delenv("CXX")
    (design.parent / "turn.cpp").write_text(TURN.replace("set(n, count)", "set(n, cont)"))
    with pytest.raises(RtlError, match=r"refuses the block turn.cpp:(.|\n)*cont"):
        libraries(design)
    (design.parent / "turn.cpp").write_text(TURN.replace("COCRYPT_BLOCK", "BLOCK"))
    with pytest.raises(InputError, match=r"turn.cpp does not name its class"):
        libraries(design)
    monkeypatch.delenv(store.VARIABLE)
    with pytest.raises(InputError, match=r"is not trusted, and asks this host for .*`turn.cpp`"):
        libraries(design)


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("- s", "- t", "Verilator refuses the block wide.v"),
        ("input clk", "input [1:0] clk", "wide.v: `clk` is no input of one bit"),
        ("output [99:0] y", "inout [99:0] y", "wide.v: the port `y` is `inout`"),
        ("module wide", "module other", "Verilator refuses the block wide.v"),
    ],
)
def test_modules_that_are_no_blocks_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    shutil.copytree(CASES, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / "wide.v").read_text()
    assert old.replace(" ", "") in text.replace(" ", "")
    (tmp_path / "wide.v").write_text(text.replace("-s", "- s").replace(old, new))
    with pytest.raises((RtlError, InputError), match=message):
        libraries(tmp_path / "network.fdl")


@pytest.mark.long
def test_modules_run_as_under_icarus(
    tmp_path: Path, verb: Verb, monkeypatch: pytest.MonkeyPatch, need_tool: Callable[[str], str]
) -> None:
    """Blocks that depend on one another at once, of many bits, with parameters and includes."""
    iverilog, vvp = need_tool("iverilog"), need_tool("vvp")
    monkeypatch.setenv(store.VARIABLE, str(CASES))
    assert verb("fdl", "export", CASES / "network.fdl", "out", "--cycles", "500").code == 0
    out = tmp_path / "out"
    page = (out / "README.md").read_text()
    command = "iverilog -g2005 -o bench wide.v inv.v d.v test_d.v"
    assert command in page
    assert {path.suffix for path in out.iterdir()} == {".v", ".vh", ".core", ".md"}
    assert "wide.vh: {is_include_file: true}" in (out / "d.core").read_text()
    words = command.split()[1:]
    subprocess.run([iverilog, *words], cwd=out, check=True)
    ran = subprocess.run([vvp, "bench"], cwd=out, check=True, capture_output=True, text=True)
    assert "PASS d: 500 cycles" in ran.stdout
    (out / "wide.v").write_text("other")
    done = verb("fdl", "verilog", CASES / "network.fdl", "-o", "out/d.v")
    assert "out/wide.v is another file" in done.err


@pytest.mark.long
def test_the_example_prints_sums_and_means(verb: Verb) -> None:
    done = verb("fdl", "sim", EXAMPLES / "filter.fdl", "--cycles", "40")
    total, values, lines = 100, [0, 0], []
    for cycle in range(40):
        n = cycle % 64
        after = total + n * ((n + 1) % 64)
        lines.append(f"{cycle} sum {total}, next {after}, mean {sum(values[-2:]) // 2}")
        values.append(after)
        total = after
    assert done.out.splitlines() == lines
