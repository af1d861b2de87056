# ruff: noqa: E501 (lines of designs are as long as they are)
"""What course assignments ask for: counters, machines with states, games, sorters, small processors."""

from __future__ import annotations

from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        traffic(),
        vending(),
        lock(),
        *(bubble(count) for count in (4, 16)),
        *(bitonic(count) for count in (8, 16, 32)),
        *(life(side) for side in (6, 10, 14, 24, 32)),
        *(stack_machine(number) for number in (6, 10)),
        accumulator(),
        maze(),
        histogram(),
        *(automaton(width, rule) for width, rule in ((64, 30), (512, 110))),
        hamming(),
        matrix(3),
        matrix(6),
        matrix(8),
        queens(5),
    ]


def traffic() -> Design:
    """Two crossing roads, with a sequencer and a hardwired controller besides."""
    text = lines(
        "dp lights(out north, east : ns(3)) {",
        "  reg t : ns(4);",
        "  sfg tick { t = t + 1; }",
        "  sfg restart { t = 0; }",
        "  sfg go_north { north = 4; east = 1; }",
        "  sfg slow_north { north = 2; east = 1; }",
        "  sfg go_east { north = 1; east = 4; }",
        "  sfg slow_east { north = 1; east = 2; }",
        "}",
        "fsm f(lights) {",
        "  initial n; state ny, e, ey;",
        "  @n if (t == 9) then (restart, go_north) -> ny; else (tick, go_north) -> n;",
        "  @ny if (t == 2) then (restart, slow_north) -> e; else (tick, slow_north) -> ny;",
        "  @e if (t == 5) then (restart, go_east) -> ey; else (tick, go_east) -> e;",
        "  @ey if (t == 2) then (restart, slow_east) -> n; else (tick, slow_east) -> ey;",
        "}",
        "dp blink(out o : ns(2)) { sfg on { o = 1; } sfg off { o = 2; } sfg both { o = 3; } }",
        "sequencer q(blink) { on; off; (both); }",
        "dp steady(out o : ns(4)) { reg k : ns(4); sfg a { o = k; } sfg b { k = k + 3; } }",
        "hardwired h(steady) { a; b; }",
        "dp top(out north, east : ns(3); out p : ns(2); out c : ns(4)) {",
        "  use lights(north, east); use blink(p); use steady(c);",
        "}",
    )
    # 10 + 3 + 6 + 3 cycles are a turn; the 60th cycle is the 16th of the third.
    return Design("traffic", text, 60, {"north": 1, "east": 4, "p": 3, "c": 59 * 3 % 16})


def vending() -> Design:
    """A machine that takes coins of a table and gives change."""
    coins = [5, 10, 20, 5, 0, 10, 20, 20, 0, 5, 5, 10, 50, 0, 20, 10]
    text = lines(
        "dp coins(out coin : ns(6)) {",
        f"  lookup t : ns(6) = {{ {', '.join(map(str, coins))} }};",
        "  reg n : ns(4); always { coin = t(n); n = n + 1; }",
        "}",
        "dp till(in coin : ns(6); out sold, change : ns(8)) {",
        "  reg sum, cans, back : ns(8); sig total : ns(8);",
        "  always { total = sum + coin; sold = cans; change = back; }",
        "  sfg keep { sum = total; }",
        "  sfg sell { sum = 0; cans = cans + 1; back = back + (total - 35); }",
        "}",
        "fsm f(till) { initial s; @s if (total >= 35) then sell -> s; else keep -> s; }",
        "dp top(out sold, change : ns(8)) { sig c : ns(6); use coins(c); use till(c, sold, change); }",
    )
    total = sold = change = 0
    for cycle in range(99):
        total += coins[cycle % 16]
        if total >= 35:
            total, sold, change = 0, sold + 1, change + total - 35
    return Design("vending", text, 100, {"sold": sold % 256, "change": change % 256})


def lock() -> Design:
    """A combination lock whose states are the digits so far."""
    code, keys = [3, 1, 4, 1, 5], Random(5).choices(range(6), k=64)
    keys[20:25], keys[41:46] = code, code
    states = ", ".join(f"s{at}" for at in range(1, 6))
    steps = [
        f"  @s{at} if (key == {digit}) then (wait) -> s{at + 1}; else (wait) -> s0;"
        for at, digit in enumerate(code)
    ]
    text = lines(
        "dp lock(in key : ns(3); out open : ns(1); out times : ns(4)) {",
        "  reg n : ns(4); always { times = n; }",
        "  sfg wait { open = 0; } sfg yes { open = 1; n = n + 1; }",
        "}",
        "fsm f(lock) {",
        f"  initial s0; state {states};",
        steps,
        "  @s5 (yes) -> s0;",
        "}",
        "dp top(out open : ns(1); out times : ns(4)) {",
        f"  lookup keys : ns(3) = {{ {', '.join(map(str, keys))} }};",
        "  reg n : ns(6); sig k : ns(3); always { k = keys(n); n = n + 1; }",
        "  use lock(k, open, times);",
        "}",
    )
    state = times = 0
    for key in keys[:-1]:
        if state == 5:
            state, times = 0, times + 1
        else:
            state = state + 1 if key == code[state] else 0
    return Design("lock", text, 64, {"times": times, "open": int(state == 5)})


def bubble(count: int) -> Design:
    """Bubble sort in an array."""
    values = Random(count).sample(range(256), count)
    text = lines(
        "dp top(out done : ns(1); out least, most : ns(8)) {",
        f"  reg m({count}) : ns(8) = {{ {', '.join(map(str, values))} }};",
        "  reg i, last, held : ns(8); reg over : ns(1); sig x : ns(8);",
        f"  always {{ done = over; least = m(0); most = m({count - 1}); }}",
        f"  sfg begin {{ i = 1; last = {count}; held = m(0); }}",
        "  sfg swap { x = m(i); m(i - 1) = (x < held) ? x : held; held = (x < held) ? held : x; i = i + 1; }",
        "  sfg end_pass { m(i - 1) = held; i = 1; last = last - 1; }",
        "  sfg again { held = m(0); }",
        "  sfg stop { over = 1; }",
        "}",
        "fsm f(top) {",
        "  initial s0; state s1, s2;",
        "  @s0 begin -> s1;",
        "  @s1 if (i == last) then end_pass -> s2; else swap -> s1;",
        "  @s2 if (last == 1) then stop -> s2; else again -> s1;",
        "}",
    )
    text = text.replace("m(i - 1)", "m(before)").replace(
        "sig x : ns(8);", "sig x, before : ns(8); always { before = i - 1; }"
    )
    results = {"done": 1, "least": min(values), "most": max(values)}
    return Design(f"bubble_{count}", text, count * (count + 3), results)


def bitonic(count: int) -> Design:
    """A sorting network of comparators, a layer a cycle."""
    values = Random(count).sample(range(1 << 12), count)
    layers: list[list[tuple[int, int]]] = []
    size = 2
    while size <= count:
        step = size // 2
        while step:
            layer = [(at, at ^ step) for at in range(count) if at ^ step > at]
            layers.append([(a, b) if a & size == 0 else (b, a) for a, b in layer])
            step //= 2
        size *= 2
    total = sum(map(len, layers))
    clones = [f"dp sort_{at} : sort" for at in range(1, total)]
    uses, at = [], 0
    for number, layer in enumerate(layers):
        for low, high in layer:
            name = f"sort_{at}" if at else "sort"
            uses.append(
                f"  use {name}(v{number}_{low}, v{number}_{high}, v{number + 1}_{low}, v{number + 1}_{high});"
            )
            at += 1
    wires = ", ".join(f"v{number}_{at}" for number in range(len(layers) + 1) for at in range(count))
    first = [f"  always {{ v0_{at} = {value}; }}" for at, value in enumerate(values)]
    text = lines(
        "dp sort(in a, b : ns(12); out low, high : ns(12)) {",
        "  reg l, h : ns(12); always { low = l; high = h; l = (a < b) ? a : b; h = (a < b) ? b : a; }",
        "}",
        clones,
        f"dp top(out all : ns({12 * count})) {{",
        f"  sig {wires} : ns(12);",
        uses,
        first,
        f"  always {{ all = {' # '.join(f'v{len(layers)}_{at}' for at in range(count))}; }}",
        "}",
    )
    result = 0
    for value in sorted(values):
        result = result << 12 | value
    return Design(f"bitonic_{count}", text, len(layers) + 2, {"all": result})


def life(side: int) -> Design:
    """Conway's game on a torus: a datapath a cell."""
    cells = [
        [Random(side * 100 + x + side * y).random() < 0.4 for x in range(side)] for y in range(side)
    ]
    names = {(x, y): f"c{x}_{y}" for y in range(side) for x in range(side)}

    def around(x: int, y: int) -> list[tuple[int, int]]:
        steps = [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j]
        return [((x + i) % side, (y + j) % side) for i, j in steps]

    uses = [
        f"  use {'cell' if at == 0 else f'cell_{at}'}(first, {int(cells[y][x])}, "
        + ", ".join(names[each] for each in around(x, y))
        + f", {names[x, y]});"
        for at, (x, y) in enumerate(names)
    ]
    text = lines(
        "dp cell(in load, start, a, b, c, d, e, f, g, h : ns(1); out o : ns(1)) {",
        "  reg alive : ns(1); sig n : ns(4);",
        "  always { n = ((ns(4)) a) + b + c + d + e + f + g + h; o = alive;",
        "    alive = load ? start : (n == 3) | (alive & (n == 2)); }",
        "}",
        [f"dp cell_{at} : cell" for at in range(1, side * side)],
        f"dp top(out row : ns({side}); out turn : ns(8)) {{",
        f"  sig {', '.join(names.values())} : ns(1); reg begun : ns(1); reg n : ns(8); sig first : ns(1);",
        "  always { begun = 1; first = ~begun; n = n + 1; turn = n; }",
        uses,
        f"  always {{ row = {' # '.join(names[x, 0] for x in range(side))}; }}",
        "}",
    )
    for _ in range(18):
        counts = [
            [sum(cells[j][i] for i, j in around(x, y)) for x in range(side)] for y in range(side)
        ]
        cells = [
            [counts[y][x] == 3 or (cells[y][x] and counts[y][x] == 2) for x in range(side)]
            for y in range(side)
        ]
    row = int("".join(str(int(cell)) for cell in cells[0]), 2)
    return Design(f"life_{side}", text, 20, {"row": row, "turn": 19})


def stack_machine(number: int) -> Design:
    """A processor with a stack in an array; its program adds the squares up to a number."""
    push, add, mul, dup, store, load, jump_if, halt, sub = range(9)
    code = [(push, number), (store, 0), (push, 0), (store, 1),
            (load, 0), (dup, 0), (mul, 0), (load, 1), (add, 0), (store, 1),
            (load, 0), (push, 1), (sub, 0), (dup, 0), (store, 0), (jump_if, 4), (halt, 0)]  # fmt: skip
    words = ", ".join(hex(op << 8 | argument) for op, argument in code)
    text = lines(
        "dp top(out done : ns(1); out sum : ns(16)) {",
        f"  lookup program : ns(12) = {{ {words} }};",
        "  reg stack(16) : ns(16); reg memory(4) : ns(16);",
        "  reg pc : ns(8); reg sp : ns(4); reg ir : ns(12); reg over : ns(1);",
        "  sig op : ns(4); sig arg : ns(8); sig a, b : ns(16); sig under, below : ns(4);",
        "  always { op = ir[11:8]; arg = ir[7:0]; under = sp - 1; below = sp - 2; a = stack(under);",
        "    b = stack(below); sum = memory(1); done = over; }",
        "  sfg fetch { ir = program(pc); pc = pc + 1; }",
        "  sfg push { stack(sp) = arg; sp = sp + 1; }",
        "  sfg add { stack(below) = a + b; sp = under; }",
        "  sfg mul { stack(below) = a * b; sp = under; }",
        "  sfg sub { stack(below) = b - a; sp = under; }",
        "  sfg dup { stack(sp) = a; sp = sp + 1; }",
        "  sfg store { memory(arg[1:0]) = a; sp = under; }",
        "  sfg load { stack(sp) = memory(arg[1:0]); sp = sp + 1; }",
        "  sfg jump { pc = (a == 0) ? pc : arg; sp = under; }",
        "  sfg halt { over = 1; }",
        "}",
        "fsm f(top) {",
        "  initial fetching; state running;",
        "  @fetching fetch -> running;",
        "  @running if (ir[11:8] == 0) then push -> fetching;",
        "    else if (ir[11:8] == 1) then add -> fetching;",
        "    else if (ir[11:8] == 2) then mul -> fetching;",
        "    else if (ir[11:8] == 3) then dup -> fetching;",
        "    else if (ir[11:8] == 4) then store -> fetching;",
        "    else if (ir[11:8] == 5) then load -> fetching;",
        "    else if (ir[11:8] == 6) then jump -> fetching;",
        "    else if (ir[11:8] == 8) then sub -> fetching;",
        "    else halt -> running;",
        "}",
    )
    result = sum(value * value for value in range(number + 1))
    return Design(f"stack_machine_{number}", text, 26 * number + 20, {"done": 1, "sum": result})


def accumulator() -> Design:
    """A processor with a `ram` of the library; its program computes Fibonacci numbers."""
    text = lines(
        "ipblock m(in address : ns(4); in wr, rd : ns(1); in idata : ns(16); out odata : ns(16)) {",
        '  iptype "ram"; ipparm "size=16"; ipparm "wl=16";',
        "}",
        "dp top(out f : ns(16); out n : ns(8)) {",
        "  reg a, b : ns(16); reg k : ns(4); reg count : ns(8); reg begun : ns(1);",
        "  sig address : ns(4); sig wr, rd : ns(1); sig data, word : ns(16);",
        "  use m(address, wr, rd, data, word);",
        "  always { f = a; n = count; }",
        "  sfg begin { a = 0; b = 1; address = 0; wr = 0; rd = 0; data = 0; }",
        "  sfg store { address = k; wr = 1; rd = 0; data = b; }",
        "  sfg fetch { address = k; wr = 0; rd = 1; data = 0; k = k + 1; }",
        "  sfg use_it { address = 0; wr = 0; rd = 0; data = 0; a = word; b = a + b; count = count + 1; }",
        "}",
        "fsm c(top) {",
        "  initial s0; state s1, s2, s3;",
        "  @s0 begin -> s1; @s1 store -> s2; @s2 fetch -> s3; @s3 use_it -> s1;",
        "}",
    )
    a, b = 0, 1
    for _ in range(20):
        a, b = b, a + b
    return Design("accumulator", text, 62, {"f": a, "n": 20})


def maze() -> Design:
    """A wall follower in a maze in a table."""
    rows = [
        0b11111111,
        0b10000101,
        0b10110101,
        0b10100001,
        0b10101111,
        0b10100001,
        0b10001101,
        0b11111111,
    ]
    text = lines(
        "dp top(out x, y : ns(3); out steps : ns(8)) {",
        f"  lookup wall : ns(8) = {{ {', '.join(map(bin, rows))} }};",
        "  lookup dx : ns(3) = { 0, 1, 0, 7 }; lookup dy : ns(3) = { 7, 0, 1, 0 };",
        "  reg px, py : ns(3); reg way : ns(2); reg n : ns(8);",
        "  sig left : ns(2); sig lx, ly, fx, fy : ns(3); sig lw, fw : ns(8);",
        "  always { x = px; y = py; steps = n; left = way - 1;",
        "    lx = px + dx(left); ly = py + dy(left); fx = px + dx(way); fy = py + dy(way);",
        "    lw = wall(ly) << lx; fw = wall(fy) << fx; }",
        "  sfg init { px = 1; py = 1; way = 1; }",
        "  sfg turn_left { way = left; px = lx; py = ly; n = n + 1; }",
        "  sfg ahead { px = fx; py = fy; n = n + 1; }",
        "  sfg turn_right { way = way + 1; }",
        "}",
        "fsm f(top) {",
        "  initial s0; state s1;",
        "  @s0 init -> s1;",
        "  @s1 if (~lw[7]) then turn_left -> s1; else if (~fw[7]) then ahead -> s1; else turn_right -> s1;",
        "}",
    )
    px, py, way, n = 1, 1, 1, 0
    moves = ((0, -1), (1, 0), (0, 1), (-1, 0))

    def blocked(direction: int) -> bool:
        dx, dy = moves[direction]
        return bool(rows[py + dy] >> (7 - px - dx) & 1)

    for _ in range(98):
        if not blocked((way - 1) % 4):
            way = (way - 1) % 4
        elif blocked(way):
            way = (way + 1) % 4
            continue
        px, py, n = px + moves[way][0], py + moves[way][1], n + 1
    return Design("maze", text, 100, {"x": px, "y": py, "steps": n})


def histogram() -> Design:
    """Counts the values of a generator in an array of 64 words."""
    text = lines(
        "dp top(out c : ns(12); out at : ns(6)) {",
        "  reg m(64) : ns(12); reg x : ns(16); reg begun : ns(1); sig v : ns(6);",
        "  always { begun = 1; x = begun ? x * 25173 + 13849 : (ns(16)) 1; v = x[15:10]; m(v) = m(v) + 1;",
        "    at = v; c = m(v); }",
        "}",
    )
    counts, x = [0] * 64, 1
    counts[0] += 1
    for _ in range(398):
        counts[x >> 10] += 1
        x = (x * 25173 + 13849) % 65536
    return Design("histogram", text, 400, {"at": x >> 10, "c": counts[x >> 10]})


def automaton(width: int, rule: int) -> Design:
    """A cellular automaton of one dimension, in one word."""
    left, right = f"r[{width - 2}:0] # r[{width - 1}]", f"r[0] # r[{width - 1}:1]"
    terms = []
    for at in range(8):
        if rule >> at & 1:
            parts = [
                name if at >> place & 1 else f"~{name}"
                for place, name in ((2, "right"), (1, "r"), (0, "left"))
            ]
            terms.append("(" + " & ".join(parts) + ")")
    text = lines(
        f"dp top(out o : ns({width})) {{",
        f"  reg r : ns({width}); reg begun : ns(1); sig left, right : ns({width});",
        f"  always {{ left = {left}; right = {right}; begun = 1; o = r;",
        f"    r = begun ? {' | '.join(terms)} : (ns({width})) {1 << width // 2:#x}; }}",
        "}",
    )
    mask, cells = (1 << width) - 1, 1 << width // 2
    for _ in range(58):
        up = (cells << 1 | cells >> (width - 1)) & mask
        down = (cells >> 1 | cells << (width - 1)) & mask
        new = 0
        for bit in range(width):
            index = (down >> bit & 1) << 2 | (cells >> bit & 1) << 1 | up >> bit & 1
            new |= (rule >> index & 1) << bit
        cells = new
    return Design(f"automaton_{width}", text, 60, {"o": cells})


def hamming() -> Design:
    """Hamming's code: encodes a counter, flips a bit, decodes and counts what is not mended."""
    text = lines(
        "dp encode(in d : ns(4); out c : ns(7)) {",
        "  sig p, q, r : ns(1); always { p = d[0] ^ d[1] ^ d[3]; q = d[0] ^ d[2] ^ d[3];",
        "    r = d[1] ^ d[2] ^ d[3]; c = d[3:1] # r # d[0] # q # p; }",
        "}",
        "dp decode(in c : ns(7); out d : ns(4)) {",
        "  sig s : ns(3); sig m : ns(8); sig f : ns(7);",
        "  always { s = (c[3] ^ c[4] ^ c[5] ^ c[6]) # (c[1] ^ c[2] ^ c[5] ^ c[6]) # (c[0] ^ c[2] ^ c[4] ^ c[6]);",
        "    m = ((ns(1)) 1) << s; f = c ^ m[7:1]; d = f[6:4] # f[2]; }",
        "}",
        "dp top(out wrong, n : ns(8)) {",
        "  reg k, bad : ns(8); reg at : ns(3); sig d, e : ns(4); sig c, b : ns(7); sig m : ns(8);",
        "  use encode(d, c); use decode(b, e);",
        "  always { d = k[3:0]; m = ((ns(1)) 1) << at; b = c ^ m[7:1]; k = k + 1; at = at + 3;",
        "    bad = bad + (d != e); wrong = bad; n = k; }",
        "}",
    )
    return Design("hamming", text, 201, {"wrong": 0, "n": 200})


def matrix(size: int) -> Design:
    """A product of matrices in a systolic array: a datapath an element."""
    rng = Random(size)
    a, b = ([[rng.randrange(100) for _ in range(size)] for _ in range(size)] for _ in range(2))
    cells = [(row, column) for row in range(size) for column in range(size)]
    uses = [
        f"  use {f'cell_{at}' if at else 'cell'}(a{r}_{c}, b{r}_{c}, a{r}_{c + 1}, b{r + 1}_{c}, s{r}_{c});"
        for at, (r, c) in enumerate(cells)
    ]
    wires = [f"a{r}_{c}" for r in range(size) for c in range(size + 1)]
    wires += [f"b{r}_{c}" for r in range(size + 1) for c in range(size)]
    feeds = []
    for line in range(size):
        row = [0] * line + a[line] + [0] * (2 * size)
        column = [0] * line + [b[k][line] for k in range(size)] + [0] * (2 * size)
        feeds += [
            f"  lookup ra{line} : ns(8) = {{ {', '.join(map(str, row))} }};",
            f"  lookup cb{line} : ns(8) = {{ {', '.join(map(str, column))} }};",
            f"  always {{ a{line}_0 = ra{line}(at); b0_{line} = cb{line}(at); }}",
        ]
    text = lines(
        "dp cell(in a, b : ns(8); out right, down : ns(8); out s : ns(20)) {",
        "  reg x, y : ns(8); reg sum : ns(20);",
        "  always { x = a; y = b; right = x; down = y; sum = sum + a * b; s = sum; }",
        "}",
        [f"dp cell_{at} : cell" for at in range(1, size * size)],
        f"dp top(out all : ns({20 * size * size})) {{",
        f"  sig {', '.join(wires)} : ns(8); sig {', '.join(f's{r}_{c}' for r, c in cells)} : ns(20);",
        f"  reg k : ns(6); sig at : ns(6); always {{ k = (k == {3 * size - 1}) ? k : k + 1; at = k; }}",
        feeds,
        uses,
        f"  always {{ all = {' # '.join(f's{r}_{c}' for r, c in cells)}; }}",
        "}",
    )
    result = 0
    for r, c in cells:
        result = result << 20 | sum(a[r][k] * b[k][c] for k in range(size))
    return Design(f"matrix_{size}", text, 3 * size + 3, {"all": result})


def queens(size: int) -> Design:
    """The queens' problem by backtracking, with a stack of columns."""
    text = lines(
        "dp top(out done : ns(1); out count : ns(8)) {",
        f"  reg place({size}) : ns(4); reg row, column, k : ns(4); reg n : ns(8); reg over, bad : ns(1);",
        "  sig other, gap, far : ns(4); sig hit : ns(1);",
        "  always { done = over; count = n; other = place(k); gap = (column > other) ? column - other : other - column;",
        "    far = row - k; hit = (other == column) | (gap == far); }",
        "  sfg start_check { k = 0; bad = 0; }",
        "  sfg check { bad = bad | hit; k = k + 1; }",
        "  sfg put { place(row) = column; row = row + 1; column = 0; }",
        "  sfg next_column { column = column + 1; }",
        "  sfg found { n = n + 1; }",
        "  sfg back { row = row - 1; }",
        "  sfg back2 { column = place(row) + 1; }",
        "  sfg stop { over = 1; }",
        "}",
        "fsm f(top) {",
        "  initial begin; state checking, fetch, ended;",
        f"  @begin if (column == {size}) then if (row == 0) then stop -> ended; else back -> fetch;",
        f"    else if (row == {size}) then (found, back) -> fetch; else start_check -> checking;",
        "  @checking if (k == row) then if (bad) then next_column -> begin; else put -> begin;",
        "    else check -> checking;",
        "  @fetch back2 -> begin;",
        "  @ended stop -> ended;",
        "}",
    )
    return Design(f"queens_{size}", text, 3000, {"done": 1, "count": {4: 2, 5: 10, 6: 4}[size]})
