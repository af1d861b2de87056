# ruff: noqa: E501 (lines of designs are as long as they are)
"""Arrays of equal parts: meshes of routers, systolic arrays, decoders, layers of neurons."""

from __future__ import annotations

from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        *(mesh(side) for side in (4, 5, 6)),
        *(distance(length) for length in (16, 32)),
        *(viterbi(memory) for memory in (4, 6)),
        *(parity(count) for count in (16, 32)),
        *(tea(rounds) for rounds in (16, 32)),
        *(neurons(count) for count in (16, 32)),
    ]


def mesh(side: int) -> Design:
    """Routers with a controller each; packets go by columns and then by rows to the last one."""
    count = side * side
    each = ["router", *(f"router_{at}" for at in range(1, count))]
    wires, uses = [], []
    for at in range(count):
        row, column = divmod(at, side)
        left = f"e{at - 1}" if column else "none"
        above = f"s{at - side}" if row else "none"
        uses.append(
            f"  use {each[at]}({at + 1}, {int(column == side - 1)}, {left}, {above}, e{at}, s{at});"
        )
        wires += [f"e{at}", f"s{at}"]
    text = lines(
        "// A packet is a number, 0 for none; it goes east, and in the last column south. One from above goes first.",
        "dp router(in id : ns(12); in last : ns(1); in west, north : ns(12); out east, south : ns(12)) {",
        "  reg held, got, e, s : ns(12); reg sent : ns(1);",
        "  always { east = e; south = s; got = west; held = north; }",
        "  sfg own { e = last ? (ns(12)) 0 : id; s = last ? id : (ns(12)) 0; }",
        "  sfg pass { e = last ? (ns(12)) 0 : got; s = (held != 0) ? held : (last ? got : (ns(12)) 0); }",
        "}",
        "fsm control(router) {",
        "  initial begin; state runs;",
        "  @begin own -> runs; @runs pass -> runs;",
        "}",
        [f"dp {name} : router" for name in each[1:]],
        "dp top(out sum : ns(24); out n : ns(12)) {",
        f"  sig {', '.join(wires)}, none : ns(12); reg total : ns(24); reg count : ns(12);",
        uses,
        f"  always {{ none = 0; total = total + s{count - 1}; count = count + (s{count - 1} != 0);",
        "    sum = total; n = count; }",
        "}",
    )
    cycles, total, seen = 40, 0, 0
    cells = [(0, 0, 0, 0)] * count
    for cycle in range(cycles - 1):
        total, seen = total + cells[-1][3], seen + (cells[-1][3] != 0)
        new = []
        for at in range(count):
            row, column = divmod(at, side)
            is_last = column == side - 1
            held, got, _, _ = cells[at]
            if cycle == 0:
                moved = (0 if is_last else at + 1, at + 1 if is_last else 0)
            else:
                moved = (0 if is_last else got, held or (got if is_last else 0))
            north = cells[at - side][3] if row else 0
            west = cells[at - 1][2] if column else 0
            new.append((north, west, *moved))
        cells = new
    return Design(f"mesh_{side}", text, cycles, {"sum": total, "n": seen})


def distance(length: int) -> Design:
    """The edit distance of two words by a systolic array, a cell for each letter of the first."""
    rng = Random(length)
    first, second = ([rng.randrange(4) for _ in range(length)] for _ in range(2))
    each = ["cell", *(f"cell_{at}" for at in range(1, length))]
    uses = [
        f"  use {name}({letter}, {at + 1}, v{at}, l{at}, d{at}, v{at + 1}, l{at + 1}, d{at + 1});"
        for at, (name, letter) in enumerate(zip(each, first, strict=True))
    ]
    text = lines(
        "dp cell(in own : ns(2); in row : ns(8); in valid : ns(1); in letter : ns(2); in above : ns(8);",
        "        out on : ns(1); out next : ns(2); out value : ns(8)) {",
        "  reg v, begun : ns(1); reg l : ns(2); reg best, corner : ns(8); sig west, slant, x, y, z : ns(8);",
        "  always { on = v; next = l; value = best; v = valid; l = letter; begun = begun | valid;",
        "    west = begun ? best : row; slant = begun ? corner : row - 1; x = west + 1; y = above + 1;",
        "    z = slant + (own != letter); corner = valid ? above : corner;",
        "    best = valid ? ((x < y) ? ((x < z) ? x : z) : ((y < z) ? y : z)) : best; }",
        "}",
        [f"dp {name} : cell" for name in each[1:]],
        "dp top(out edits : ns(8)) {",
        f"  lookup word : ns(2) = {{ {', '.join(map(str, second))} }};",
        f"  sig {', '.join(f'v{at}' for at in range(length + 1))} : ns(1);",
        f"  sig {', '.join(f'l{at}' for at in range(length + 1))} : ns(2);",
        f"  sig {', '.join(f'd{at}' for at in range(length + 1))} : ns(8); reg k : ns(8);",
        f"  always {{ v0 = (k < {length}); l0 = v0 ? word(k[4:0]) : (ns(2)) 0; d0 = k + 1;",
        f"    k = (k < 200) ? k + 1 : k; edits = d{length}; }}",
        uses,
        "}",
    )
    table = list(range(length + 1))
    for column, letter in enumerate(second, 1):
        new = [column]
        for row in range(1, length + 1):
            cheapest = min(table[row] + 1, new[row - 1] + 1)
            new.append(min(cheapest, table[row - 1] + (first[row - 1] != letter)))
        table = new
    return Design(f"distance_{length}", text, 2 * length + 4, {"edits": table[-1]})


def viterbi(memory: int) -> Design:
    """The metrics of a decoder of a convolutional code, all states in a cycle."""
    states, generators = 1 << memory, ((1 << (memory + 1)) - 1, (1 << memory) | 0b101)

    def coded(state: int, bit: int) -> int:
        window = bit << memory | state
        return sum((window & taps).bit_count() % 2 << at for at, taps in enumerate(generators))

    rng, cycles = Random(memory), 40
    received = [rng.randrange(4) for _ in range(64)]
    rows = []
    for state in range(states):
        bit, before = state >> (memory - 1), [(state << 1) & (states - 1) | low for low in (0, 1)]
        sums = [f"m{each} + c{coded(each, bit)}" for each in before]
        rows.append(
            f"  always {{ p{state} = {sums[0]}; q{state} = {sums[1]}; n{state} = (p{state} <= q{state}) ? p{state} : q{state}; }}"
        )
    least = "n0"
    for state in range(1, states):
        rows.append(
            f"  sig y{state} : ns(10); always {{ y{state} = (n{state} < {'n0' if state == 1 else f'y{state - 1}'}) ? n{state} : {'n0' if state == 1 else f'y{state - 1}'}; }}"
        )
        least = f"y{state}"
    every = range(states)
    text = lines(
        "dp top(out best : ns(10); out metric : ns(10)) {",
        f"  lookup symbols : ns(2) = {{ {', '.join(map(str, received))} }};",
        "  reg k : ns(6); sig x : ns(2); sig c0, c1, c2, c3 : ns(10);",
        f"  reg {', '.join(f'm{at}' for at in every)} : ns(10);",
        f"  sig {', '.join(f'p{at}, q{at}, n{at}' for at in every)} : ns(10);",
        "  always { x = symbols(k); k = k + 1; c0 = x[0] + (ns(10)) x[1]; c3 = 2 - c0;",
        "    c1 = (ns(10)) (~x[0] & 1) + x[1]; c2 = 2 - c1; }",
        rows,
        [f"  always {{ m{at} = n{at}; }}" for at in every],
        f"  always {{ best = {least}; metric = m{states - 1}; }}",
        "}",
    )
    metrics = [0] * states
    for cycle in range(cycles):
        old = metrics
        metrics = [
            min(
                old[each] + (received[cycle] ^ coded(each, state >> (memory - 1))).bit_count()
                for each in ((state << 1) & (states - 1), (state << 1) & (states - 1) | 1)
            )
            for state in every
        ]
    return Design(f"viterbi_{states}", text, cycles, {"best": min(metrics), "metric": old[-1]})


def _product(a: int, b: int) -> int:
    """The product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1, as codes for discs have it."""
    result = 0
    for at in range(8):
        result ^= (a << at) * (b >> at & 1)
    for at in range(14, 7, -1):
        result ^= (0x11D << (at - 8)) * (result >> at & 1)
    return result


def parity(count: int) -> Design:
    """The parity bytes of a Reed-Solomon code, a byte of the message a cycle."""
    generator, root = [1], 1
    for _ in range(count):
        shifted, scaled = [*generator, 0], [0, *(_product(root, each) for each in generator)]
        generator = [a ^ b for a, b in zip(shifted, scaled, strict=True)]
        root = _product(root, 2)
    factors = generator[:0:-1]
    message = [at * 29 + 17 & 255 for at in range(64)]

    def times(factor: int) -> str:
        bits = []
        for bit in range(7, -1, -1):
            terms = [f"f[{at}]" for at in range(8) if _product(factor, 1 << at) >> bit & 1]
            bits.append("(" + " ^ ".join(terms) + ")" if terms else "(ns(1)) 0")
        return " # ".join(bits)

    stages = [f"  always {{ g{at} = {times(factor)}; }}" for at, factor in enumerate(factors)]
    moved = [f"    r{at} = g{at}" + (f" ^ r{at - 1};" if at else ";") for at in range(count)]
    every = range(count)
    text = lines(
        f"dp top(out done : ns(1); out code : ns({8 * count})) {{",
        f"  lookup words : ns(8) = {{ {', '.join(map(str, message))} }};",
        f"  reg {', '.join(f'r{at}' for at in every)} : ns(8); reg k : ns(7); sig f : ns(8);",
        f"  sig {', '.join(f'g{at}' for at in every)} : ns(8);",
        f"  always {{ f = words(k[5:0]) ^ r{count - 1}; done = (k == 64); }}",
        stages,
        f"  always {{ code = {' # '.join(f'r{at}' for at in reversed(every))}; }}",
        "  sfg step { k = k + 1;",
        moved,
        "  }",
        "  sfg hold { }",
        "}",
        "fsm control(top) { initial s; @s if (k == 64) then hold -> s; else step -> s; }",
    )
    rest = [*message, *[0] * count]
    for at in range(len(message)):
        factor = rest[at]
        for place, each in enumerate(generator):
            rest[at + place] ^= _product(factor, each)
    code = int.from_bytes(bytes(rest[-count:]))
    return Design(f"parity_{count}", text, 68, {"done": 1, "code": code})


def tea(rounds: int) -> Design:
    """TEA (D. Wheeler, R. Needham, 1994) as a pipeline, a stage for each round."""
    key, delta, mask = (0x00112233, 0x44556677, 0x8899AABB, 0xCCDDEEFF), 0x9E3779B9, 0xFFFFFFFF
    each = ["stage", *(f"stage_{at}" for at in range(1, rounds))]
    uses = [
        f"  use {name}(a{at}, b{at}, {delta * (at + 1) & mask:#x}, a{at + 1}, b{at + 1});"
        for at, name in enumerate(each)
    ]
    wires = ", ".join(f"a{at}, b{at}" for at in range(rounds + 1))
    half = "((({0}[27:0] # (ns(4)) 0) + {1:#x}) ^ ({0} + sum) ^ (({0} >> 5) + {2:#x}))"
    text = lines(
        "dp stage(in a, b, sum : ns(32); out c, d : ns(32)) {",
        "  reg x, y : ns(32); sig m, n : ns(32);",
        f"  always {{ m = a + {half.format('b', key[0], key[1])}; n = b + {half.format('m', key[2], key[3])}; }}",
        "  always { x = m; y = n; c = x; d = y; }",
        "}",
        [f"dp {name} : stage" for name in each[1:]],
        "dp top(out cipher : ns(64)) {",
        f"  reg k : ns(32); sig {wires} : ns(32);",
        uses,
        f"  always {{ k = k + 1; a0 = k; b0 = ~k; cipher = a{rounds} # b{rounds}; }}",
        "}",
    )
    cycles = rounds + 9
    a, b = 8, ~8 & mask
    for at in range(rounds):
        total = delta * (at + 1) & mask
        a = a + ((b << 4) + key[0] ^ b + total ^ (b >> 5) + key[1]) & mask
        b = b + ((a << 4) + key[2] ^ a + total ^ (a >> 5) + key[3]) & mask
    return Design(f"tea_{rounds}", text, cycles, {"cipher": a << 32 | b})


def neurons(count: int) -> Design:
    """A layer of neurons that add products and clip the sum, an input for all of them a cycle."""
    rng = Random(count)
    weights = [[rng.randrange(-128, 128) for _ in range(32)] for _ in range(count)]
    inputs = [rng.randrange(-128, 128) for _ in range(32)]
    each = [f"neuron_{at}" for at in range(count)]
    parts = []
    for name, row in zip(each, weights, strict=True):
        parts += [
            f"dp {name}(in k : ns(5); in x : tc(8); in clear, add : ns(1); out y : ns(8)) {{",
            f"  lookup w : tc(8) = {{ {', '.join(str(weight & 255) for weight in row)} }};",
            "  reg sum : tc(24); sig s : tc(24);",
            "  always { sum = clear ? (tc(24)) 0 : add ? sum + w(k) * x : sum; s = sum >> 6;",
            "    y = (s < 0) ? (ns(8)) 0 : (s > 255) ? (ns(8)) 255 : s; }",
            "}",
        ]
    text = lines(
        parts,
        f"dp top(out done : ns(1); out layer : ns({8 * count})) {{",
        f"  lookup inputs : tc(8) = {{ {', '.join(str(value & 255) for value in inputs)} }};",
        "  reg k : ns(6); sig at : ns(5); sig x : tc(8); sig clear, add : ns(1);",
        f"  sig {', '.join(f'y{at}' for at in range(count))} : ns(8);",
        [f"  use {name}(at, x, clear, add, y{at});" for at, name in enumerate(each)],
        "  always { at = k; x = inputs(k[4:0]);",
        f"    layer = {' # '.join(f'y{at}' for at in reversed(range(count)))}; }}",
        "  sfg start { clear = 1; add = 0; done = 0; k = 0; }",
        "  sfg run { clear = 0; add = 1; done = 0; k = k + 1; }",
        "  sfg rest { clear = 0; add = 0; done = 1; }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1;",
        "  @s0 start -> s1; @s1 if (k == 32) then rest -> s1; else run -> s1;",
        "}",
    )
    result = 0
    for at, row in enumerate(weights):
        total = sum(a * b for a, b in zip(row, inputs, strict=True)) >> 6
        result |= min(max(total, 0), 255) << 8 * at
    return Design(f"neurons_{count}", text, 40, {"done": 1, "layer": result})
