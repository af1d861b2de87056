# ruff: noqa: E501 (lines of designs are as long as they are)
"""Whole chips: encoders of pictures in stages, and processors that share a bus."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        *(encoder(blocks, planes) for blocks, planes in ((2, 1), (6, 1), (3, 3))),
        *(processors(count) for count in (2, 8, 16, 24)),
    ]


SCALE = 12
COSINES = [
    [
        round(
            math.cos((2 * at + 1) * row * math.pi / 16)
            * (math.sqrt(0.125) if row == 0 else 0.5)
            * (1 << SCALE)
        )
        for at in range(8)
    ]
    for row in range(8)
]
STEPS = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
]  # fmt: skip
"""Quantisation of luminance (ITU-T T.81, table K.1)."""
ZIGZAG = sorted(
    range(64),
    key=lambda at: (at // 8 + at % 8, at // 8 if (at // 8 + at % 8) % 2 else at % 8),
)


def encoder(blocks: int, planes: int) -> Design:
    """Blocks of 8 by 8 samples: cosine transforms of rows and columns, quantisation, zigzag, runs.

    Stages hand values on by two banks of 64 words each; every plane is a clone of all of them.
    """
    rng = Random(8)
    samples = [128 + round(90 * math.sin(at / 11)) + rng.randrange(-8, 9) for at in range(256)]
    tables = [
        f"  lookup c{at} : tc(14) = {{ {', '.join(str(COSINES[row][at] & 0x3FFF) for row in range(8))} }};"
        for at in range(8)
    ]
    inputs = ", ".join(f"x{at}" for at in range(8))
    products = " + ".join(f"(tc(32)) (c{at}(u) * x{at})" for at in range(8))
    reads = [
        f"    i{at} = (ns(7)) bank # (ns(3)) {at} # n[2:0]; x{at} = m(i{at});" for at in range(8)
    ]
    others = ["", *(f"_{at}" for at in range(1, planes))]
    text = lines(
        "// A coefficient of a transform of eight values.",
        f"dp transform(in u : ns(3); in {inputs} : tc(16); out y : tc(16)) {{",
        tables,
        "  sig sum : tc(32);",
        f"  always {{ sum = {products}; y = sum >> {SCALE}; }}",
        "}",
        "dp transform_1 : transform",
        "// Rows: a coefficient a cycle, from samples of a picture that repeats.",
        "dp rows(in plane : ns(2); out valid : ns(1); out y : tc(16)) {",
        f"  lookup picture : ns(8) = {{ {', '.join(map(str, samples))} }};",
        "  reg n : ns(16); sig place : ns(5); sig u : ns(3);",
        f"  sig {inputs} : tc(16);",
        "  use transform(u, " + inputs + ", y);",
        "  always { u = n; place = n[7:3] + plane; valid = 1; n = n + 1;",
        [f"    x{at} = (tc(16)) picture(place # (ns(3)) {at}) - (tc(16)) 128;" for at in range(8)],
        "  }",
        "}",
        "// Columns: a bank is filled while the other one is read.",
        "dp columns(in valid : ns(1); in x : tc(16); out ready : ns(1); out y : tc(16)) {",
        "  reg m(128) : tc(16); reg n : ns(6); reg bank : ns(1); sig to : ns(7); sig u : ns(3);",
        f"  sig {inputs} : tc(16); sig {', '.join(f'i{at}' for at in range(8))} : ns(7);",
        "  use transform_1(u, " + inputs + ", y);",
        "  always { u = n[5:3]; to = (~bank) # n; m(to) = x; n = n + valid; bank = (n == 63) ? ~bank : bank;",
        [read.replace("(ns(7)) bank", "bank") for read in reads],
        "  }",
        "  sfg fill { ready = 0; }",
        "  sfg both { ready = 1; }",
        "}",
        "fsm columns_control(columns) {",
        "  initial first; state runs;",
        "  @first if (n == 63) then fill -> runs; else fill -> first;",
        "  @runs both -> runs;",
        "}",
        "// Coefficients are quantised, and runs of zeros are counted, in the order of the zigzag.",
        "dp code(in valid : ns(1); in y : tc(16); out done : ns(1); out codes : ns(16); out sum : ns(32)) {",
        f"  lookup order : ns(6) = {{ {', '.join(map(str, ZIGZAG))} }};",
        f"  lookup factor : ns(16) = {{ {', '.join(str(65536 // step) for step in STEPS)} }};",
        "  reg m(128) : tc(16); reg n, run : ns(6); reg bank, over : ns(1); reg left, count : ns(16); reg total : ns(32);",
        "  sig to, from : ns(7); sig z : ns(6); sig q : tc(16);",
        "  always { z = order(n); to = (~bank) # n; from = bank # z;",
        "    q = (m(from) * (tc(18)) factor(z)) >> (ns(5)) 16; done = over; codes = count; sum = total; }",
        "  sfg wait { }",
        "  sfg fill { m(to) = y; n = n + 1; bank = (n == 63) ? ~bank : bank; }",
        "  sfg write { run = (q == 0) ? run + 1 : (ns(6)) 0;",
        "    count = (q == 0) ? count : count + 1; left = (n == 63) ? left + 1 : left;",
        "    total = (q == 0) ? total : (total[26:0] # total[31:27]) ^ ((ns(32)) run # (ns(16)) q); }",
        "  sfg rest { over = 1; }",
        "}",
        "fsm code_control(code) {",
        "  initial idle; state first, runs, over;",
        "  @idle if (valid) then fill -> first; else wait -> idle;",
        "  @first if (n == 63) then fill -> runs; else fill -> first;",
        f"  @runs if ((n == 63) & (left == {blocks - 1})) then (fill, write) -> over; else (fill, write) -> runs;",
        "  @over rest -> over;",
        "}",
        "// A plane has all stages.",
        "dp plane(in number : ns(2); out done : ns(1); out codes : ns(16); out sum : ns(32)) {",
        "  sig v, r : ns(1); sig a, b : tc(16);",
        "  use rows(number, v, a); use columns(v, a, r, b); use code(r, b, done, codes, sum);",
        "}",
        [f"dp plane{name} : plane" for name in others[1:]],
        "dp top(out done : ns(1); out codes : ns(16); out sum : ns(32)) {",
        f"  sig {', '.join(f'd{at}' for at in range(planes))} : ns(1);",
        f"  sig {', '.join(f'n{at}' for at in range(planes))} : ns(16);",
        f"  sig {', '.join(f's{at}' for at in range(planes))} : ns(32);",
        [f"  use plane{name}({at}, d{at}, n{at}, s{at});" for at, name in enumerate(others)],
        f"  always {{ done = {' & '.join(f'd{at}' for at in range(planes))};",
        f"    codes = {' + '.join(f'n{at}' for at in range(planes))};",
        f"    sum = {' ^ '.join(f's{at}' for at in range(planes))}; }}",
        "}",
    )
    count, total = 0, 0
    for plane in range(planes):
        run, value = 0, 0
        for block in range(blocks):
            for step in _quantised(samples, block, plane):
                if step == 0:
                    run = (run + 1) % 64
                    continue
                word = (run << 16 | step & 0xFFFF) & 0xFFFFFFFF
                value = (value << 5 & 0xFFFFFFFF | value >> 27) ^ word
                count, run = count + 1, 0
        total ^= value
    name = f"encoder_{blocks}_{planes}"
    return Design(name, text, 64 * (blocks + 2) + 8, {"done": 1, "codes": count, "sum": total})


def _quantised(samples: list[int], block: int, plane: int) -> list[int]:
    """The coefficients of a block in the order of the zigzag."""
    rows = []
    for row in range(8):
        place = (8 * block + row + plane) % 32
        values = [samples[8 * place + at] - 128 for at in range(8)]
        rows.append(
            [sum(a * b for a, b in zip(line, values, strict=True)) >> SCALE for line in COSINES]
        )
    plain = [
        sum(COSINES[at // 8][row] * rows[row][at % 8] for row in range(8)) >> SCALE
        for at in range(64)
    ]
    return [plain[at] * (65536 // STEPS[at]) >> 16 for at in ZIGZAG]


LOAD, LOAD_IN, ADD, STORE = 0x8000, 0x8000, 0xA000, 0x9000
VALUE, COUNT, LOOP, HALT = 0x0000, 0x1000, 0x2000, 0x3000
TIMER, LINE, NUMBER = 64, 65, 66
PROGRAM = [
    VALUE | 5, STORE | 10, COUNT | 7,
    LOAD | 32, ADD | NUMBER, STORE | 32, ADD | 10, STORE | LINE, LOOP | 3,
    LOAD | TIMER, STORE | 33, HALT,
]  # fmt: skip
"""Adds the processor's number to a word that all of them share, seven times."""


def processors(count: int) -> Design:
    """Processors with an accumulator and a program, a bus with priorities, memory and peripherals."""
    each = ["cpu", *(f"cpu_{at}" for at in range(1, count))]
    uses = [
        f"  use {name}(grant[{at}], data, req{at}, w{at}, a{at}, v{at});"
        for at, name in enumerate(each)
    ]
    lower = ["(ns(1)) 1", *(f"f{at}" for at in range(count - 1))]
    width = max(2, count)
    text = lines(
        "dp cpu(in grant : ns(1); in data : ns(16); out req, wr : ns(1); out address : ns(8); out value : ns(16)) {",
        f"  lookup program : ns(16) = {{ {', '.join(map(hex, PROGRAM))} }};",
        "  reg pc : ns(4); reg word, acc : ns(16); reg x : ns(8); sig op : ns(2); sig left : ns(8);",
        "  always { address = word; value = acc; op = word[13:12]; left = x - 1; }",
        "  sfg fetch { req = 0; wr = 0; word = program(pc); pc = pc + 1; }",
        "  sfg ask { req = 1; wr = 0; }",
        "  sfg access { req = 0; wr = word[12]; acc = word[12] ? acc : word[13] ? acc + data : data; }",
        "  sfg set { req = 0; wr = 0; acc = (op == 0) ? word[7:0] : acc;",
        "    x = (op == 1) ? word[7:0] : (op == 2) ? left : x;",
        "    pc = (op == 3) ? pc - 1 : ((op == 2) & (left != 0)) ? word[3:0] : pc; }",
        "}",
        "fsm f(cpu) {",
        "  initial fetching; state decoding, waiting;",
        "  @fetching fetch -> decoding;",
        "  @decoding if (word[15]) then ask -> waiting; else set -> fetching;",
        "  @waiting if (grant) then access -> fetching; else ask -> waiting;",
        "}",
        [f"dp {name} : cpu" for name in each[1:]],
        "dp top(out shared, seen, sent : ns(16)) {",
        "  reg m(64) : ns(16); reg timer, line : ns(16); sig data, value, kept : ns(16); sig address : ns(8);",
        f"  reg grant : ns({width}); sig wr : ns(1); sig number : ns(16); sig place : ns(6);",
        f"  sig {', '.join(f'req{at}, w{at}, f{at}' for at in range(count))} : ns(1);",
        f"  sig {', '.join(f'a{at}' for at in range(count))} : ns(8);",
        f"  sig {', '.join(f'v{at}' for at in range(count))} : ns(16);",
        "  reg copy, last : ns(16);",
        uses,
        [f"  always {{ f{at} = {lower[at]} & ~req{at}; }}" for at in range(count)],
        "  always { grant = "
        + " # ".join(f"(req{at} & {lower[at]})" for at in reversed(range(count)))
        + "; }",
        f"  always {{ wr = {' | '.join(f'(grant[{at}] & w{at})' for at in range(count))}; }}",
        "  always { address = "
        + " | ".join(f"(grant[{at}] ? a{at} : (ns(8)) 0)" for at in range(count))
        + "; }",
        "  always { value = "
        + " | ".join(f"(grant[{at}] ? v{at} : (ns(16)) 0)" for at in range(count))
        + "; }",
        "  always { number = "
        + " | ".join(f"(grant[{at}] ? (ns(16)) {at + 1} : (ns(16)) 0)" for at in range(count))
        + "; }",
        "  always { place = address; kept = m(place);",
        f"    data = (address == {TIMER}) ? timer : (address == {NUMBER}) ? number : kept;",
        "    m(place) = (wr & (address < 64)) ? value : kept; timer = timer + 1;",
        f"    line = (wr & (address == {LINE})) ? line * 3 + value : line;",
        "    copy = (wr & (address == 32)) ? value : copy; last = (wr & (address == 33)) ? value : last;",
        "    shared = copy; seen = last; sent = line; }",
        "}",
    )
    cycles = 120 * count + 60
    return Design(f"processors_{count}", text, cycles, _after(count, cycles))


@dataclass
class _Processor:
    """A model of a processor: its state, and what the next cycle makes of it."""

    number: int
    state: str = "fetch"
    pc: int = 0
    word: int = 0
    acc: int = 0
    x: int = 0

    def step(
        self, granted: bool, timer: int, memory: list[int]
    ) -> tuple[bool, tuple[int, int] | None]:
        """Whether it asks for the bus, and what it writes."""
        if self.state == "fetch":
            self.word, self.pc, self.state = PROGRAM[self.pc], (self.pc + 1) % 16, "decode"
        elif self.state == "decode" and not self.word & LOAD:
            self.state = "fetch"
            self.compute(self.word >> 12 & 3, self.word & 0xFF)
        elif self.state == "wait" and granted:
            self.state = "fetch"
            return False, self.access(self.word & 0xFF, timer, memory)
        else:
            self.state = "wait"
            return True, None
        return False, None

    def compute(self, operation: int, low: int) -> None:
        """An instruction without memory."""
        if operation == 0:
            self.acc = low
        elif operation == 1:
            self.x = low
        elif operation == 2:
            self.x = (self.x - 1) % 256
            self.pc = low & 15 if self.x else self.pc
        else:
            self.pc = (self.pc - 1) % 16

    def access(self, address: int, timer: int, memory: list[int]) -> tuple[int, int] | None:
        """An instruction that the bus has been granted to."""
        if self.word & 0x1000:
            return address, self.acc
        data = {TIMER: timer, NUMBER: self.number}.get(address, memory[address % 64])
        self.acc = (self.acc + data if self.word & 0x2000 else data) % 65536
        return None


def _after(count: int, cycles: int) -> dict[str, int]:
    """What the processors have written."""
    memory, timer, line, granted = [0] * 64, 0, 0, -1
    every = [_Processor(at + 1) for at in range(count)]
    for _ in range(cycles - 1):
        done = [each.step(at == granted, timer, memory) for at, each in enumerate(every)]
        asking = [at for at, (asks, _) in enumerate(done) if asks]
        granted, timer = asking[0] if asking else -1, (timer + 1) % 65536
        for address, value in (write for _, write in done if write):
            if address < 64:
                memory[address] = value
            elif address == LINE:
                line = (line * 3 + value) % 65536
    return {"shared": memory[32], "seen": memory[33], "sent": line}
