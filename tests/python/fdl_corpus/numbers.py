# ruff: noqa: E501 (lines of designs are as long as they are)
"""Arithmetic: greatest common divisors, products, powers, quotients, roots, angles, digits."""

from __future__ import annotations

import math
from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        *(gcd(width) for width in (8, 32, 512)),
        *(power(width) for width in (16, 512, 1024)),
        *(montgomery(width) for width in (32, 1024, 2048)),
        *(divider(width) for width in (16, 384)),
        *(root(width) for width in (16, 64)),
        *(digits(width, count) for width, count in ((16, 5), (64, 20))),
        *(booth(width) for width in (8, 24)),
        *(
            field_product(width, poly)
            for width, poly in ((8, 0x1B), (163, 0xC9), (233, 1 << 74 | 1))
        ),
        rotation(16),
    ]


def gcd(width: int) -> Design:
    """Euclid's algorithm by subtraction."""
    rng, factor = Random(width), 1 << (width - 8)
    a, b = factor * rng.randrange(1, 200), factor * rng.randrange(1, 200)
    text = lines(
        f"dp gcd(in start : ns(1); in a, b : ns({width}); out done : ns(1); out g : ns({width})) {{",
        f"  reg m, n : ns({width}); reg running, stop : ns(1);",
        "  always { g = m; }",
        "  sfg load { m = a; n = b; running = start; stop = 0; done = 0; }",
        "  sfg reduce { m = (m > n) ? m - n : m; n = (n > m) ? n - m : n; done = 0; stop = (m == n); }",
        "  sfg ready { done = 1; }",
        "}",
        "fsm control(gcd) {",
        "  initial s0; state s1, s2;",
        "  @s0 if (running) then (reduce) -> s1; else (load) -> s0;",
        "  @s1 if (stop) then (ready) -> s2; else (reduce) -> s1;",
        "  @s2 (ready) -> s2;",
        "}",
        f"dp top(out done : ns(1); out g : ns({width})) {{",
        f"  sig a, b : ns({width}); sig one : ns(1);",
        "  use gcd(one, a, b, done, g);",
        f"  always {{ one = 1; a = {a}; b = {b}; }}",
        "}",
    )
    return Design(f"gcd_{width}", text, 700, {"done": 1, "g": math.gcd(a, b)})


def power(width: int) -> Design:
    """RSA by squaring and multiplying, each bit by bit, as courses have it."""
    rng = Random(width)
    modulus = rng.getrandbits(width) | 1 << (width - 1) | 1
    base, exponent = rng.randrange(modulus), 65537 if width >= 1024 else 0b1011
    digits = exponent.bit_length() - 1
    text = lines(
        "// Interleaved modular multiplication: a bit of x a cycle.",
        f"dp product(in start : ns(1); in x, y, n : ns({width});",
        f"           out ready : ns(1); out z : ns({width})) {{",
        f"  reg bits, sum, factor : ns({width}); reg left : ns(16);",
        f"  sig twice, once, added : ns({width + 2});",
        "  always {",
        f"    z = sum; twice = ((ns({width + 2})) sum) # (ns(1)) 0;",
        "    once = (twice >= n) ? twice - n : twice;",
        f"    added = once + (bits[{width - 1}] ? (ns({width + 2})) factor : (ns({width + 2})) 0);",
        "  }",
        f"  sfg load {{ bits = x; factor = y; sum = 0; left = {width}; ready = 0; }}",
        "  sfg step { bits = bits << (ns(1)) 1; sum = (added >= n) ? added - n : added;"
        " left = left - 1; ready = 0; }",
        "  sfg idle { ready = 1; }",
        "}",
        "fsm control(product) {",
        "  initial rest; state run;",
        "  @rest if (start) then (load) -> run; else (idle) -> rest;",
        "  @run if (left == 0) then (idle) -> rest; else (step) -> run;",
        "}",
        f"dp top(out done : ns(1); out result : ns({width})) {{",
        f"  reg value : ns({width}); reg exponent : ns({digits}); reg over : ns(1);",
        f"  reg ready : ns(1); sig start : ns(1); sig x, y, z, n : ns({width});",
        "  use product(start, x, y, n, ready, z);",
        f"  always {{ n = {modulus}; done = over; result = value; }}",
        f"  sfg first {{ value = {base}; exponent = {exponent - (1 << digits)}; start = 0; x = 0; y = 0; }}",
        "  sfg square { start = 1; x = value; y = value; }",
        f"  sfg multiply {{ start = 1; x = value; y = {base}; }}",
        "  sfg wait { start = 0; x = 0; y = 0; }",
        "  sfg take { start = 0; x = 0; y = 0; value = z; }",
        "  sfg shift { exponent = exponent << (ns(1)) 1; }",
        "  sfg end { over = 1; start = 0; x = 0; y = 0; }",
        "}",
        "fsm sequence(top) {",
        "  initial begin; state squaring, squared, product1, next, last;",
        "  @begin (first) -> squaring;",
        "  @squaring if (exponent == 0) then (end) -> last; else (square) -> squared;",
        "  @squared if (ready) then (take) -> product1; else (wait) -> squared;",
        f"  @product1 if (exponent[{digits - 1}]) then (multiply) -> next; else (wait, shift) -> squaring;",
        "  @next if (ready) then (take, shift) -> squaring; else (wait) -> next;",
        "  @last (end) -> last;",
        "}",
    )
    # The leading one of the exponent is the base; zeros behind the last one are not worked off.
    cycles = (digits + exponent.bit_count()) * (width + 6) + 40
    return Design(
        f"power_{width}", text, cycles, {"done": 1, "result": pow(base, exponent, modulus)}
    )


def montgomery(width: int) -> Design:
    """Montgomery's product, a bit a cycle, in GEZEL's language alone."""
    rng = Random(width)
    n = rng.getrandbits(width) | 1 << (width - 1) | 1
    x, y = rng.randrange(n), rng.randrange(n)
    text = lines(
        f"dp top(out done : ns(1); out s : ns({width})) {{",
        f"  reg sum : ns({width + 2}); reg bits : ns({width}); reg left : ns(16); reg over : ns(1);",
        f"  sig a, b : ns({width + 2}); sig x, y, n : ns({width});",
        f"  always {{ x = {x}; y = {y}; n = {n}; done = over;",
        f"    a = sum + (bits[0] ? y : (ns({width})) 0);",
        "    b = (a[0] ? a + n : a) >> 1; s = (sum >= n) ? sum - n : sum; }",
        f"  sfg load {{ bits = x; left = {width}; sum = 0; }}",
        "  sfg step { bits = bits >> 1; sum = b; left = left - 1; }",
        "  sfg stop { over = 1; }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1, s2;",
        "  @s0 (load) -> s1;",
        "  @s1 if (left == 0) then (stop) -> s2; else (step) -> s1;",
        "  @s2 (stop) -> s2;",
        "}",
    )
    result = x * y * pow(2, -width, n) % n
    return Design(f"montgomery_{width}", text, width + 5, {"done": 1, "s": result})


def divider(width: int) -> Design:
    """Restoring division."""
    rng = Random(width)
    a, b = rng.getrandbits(width), rng.getrandbits(width // 2) | 1
    text = lines(
        f"dp top(out done : ns(1); out quotient, remainder : ns({width})) {{",
        f"  reg q, r : ns({width}); reg k : ns(9); reg over : ns(1);",
        f"  sig t : ns({width + 1}); sig b : ns({width});",
        f"  always {{ b = {b}; quotient = q; remainder = r; done = over; t = r # q[{width - 1}]; }}",
        f"  sfg init {{ q = {a}; r = 0; k = {width}; }}",
        "  sfg fits { q = q # (ns(1)) 1; r = t - b; k = k - 1; }",
        "  sfg over1 { q = q # (ns(1)) 0; r = t; k = k - 1; }",
        "  sfg end { over = 1; }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1;",
        "  @s0 (init) -> s1;",
        "  @s1 if (k == 0) then (end) -> s1; else if (t >= b) then (fits) -> s1; else (over1) -> s1;",
        "}",
    )
    results = {"done": 1, "quotient": a // b, "remainder": a % b}
    return Design(f"divider_{width}", text, width + 4, results)


def root(width: int) -> Design:
    """The integer square root, digit by digit."""
    n = Random(width).getrandbits(width)
    text = lines(
        f"dp top(out done : ns(1); out x : ns({width})) {{",
        f"  reg rest, part, mask : ns({width}); sig trial : ns({width});",
        "  always { done = (mask == 0) & (part != 0 | rest == 0); x = part; trial = part | mask; }",
        f"  sfg init {{ rest = {n}; part = 0; mask = {1 << (width - 2):#x}; }}",
        "  sfg take { rest = rest - trial; part = (part >> 1) | mask; mask = mask >> 2; }",
        "  sfg leave { part = part >> 1; mask = mask >> 2; }",
        "  sfg hold { }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1;",
        "  @s0 init -> s1;",
        "  @s1 if (mask == 0) then hold -> s1; else if (rest >= trial) then take -> s1; else leave -> s1;",
        "}",
    )
    return Design(f"root_{width}", text, width, {"done": 1, "x": math.isqrt(n)})


def digits(width: int, count: int) -> Design:
    """Decimal digits by doubling and adding three, a digit a datapath."""
    n = Random(width).getrandbits(width)
    digit = [
        "dp digit(in carry : ns(1); out over : ns(1); out d : ns(4)) {",
        "  reg v : ns(4); sig w : ns(4);",
        "  always { w = (v >= 5) ? v + 3 : v; over = w[3]; v = w[2:0] # carry; d = v; }",
        "}",
    ]
    clones = [f"dp digit_{at} : digit" for at in range(1, count)]
    names = ["digit", *(f"digit_{at}" for at in range(1, count))]
    uses = [
        f"  use {name}({'first' if at == 0 else f'c{at - 1}'}, c{at}, d{at});"
        for at, name in enumerate(names)
    ]
    wires = ", ".join(f"c{at}" for at in range(count))
    values = ", ".join(f"d{at}" for at in range(count))
    joined = " # ".join(f"d{at}" for at in reversed(range(count)))
    text = lines(
        digit,
        clones,
        f"dp top(out bcd : ns({4 * count})) {{",
        f"  reg word : ns({width + 1}); reg begun : ns(1); sig first, {wires} : ns(1);"
        f" sig {values} : ns(4);",
        uses,
        f"  always {{ begun = 1; word = begun ? word << (ns(1)) 1 : (ns({width + 1})) {n};",
        f"    first = begun & word[{width - 1}]; bcd = {joined}; }}",
        "}",
    )
    return Design(f"digits_{width}", text, width + 2, {"bcd": int(str(n), 16)})


def booth(width: int) -> Design:
    """Booth's product of signed numbers."""
    rng = Random(width)
    a, b = (rng.randrange(-(1 << (width - 1)), 1 << (width - 1)) for _ in range(2))
    mask = (1 << 2 * width) - 1
    text = lines(
        f"dp top(out p : ns({2 * width}); out done : ns(1)) {{",
        f"  reg acc : tc({width + 1}); reg q : ns({width}); reg last : ns(1); reg k : ns(8);",
        f"  sig sum : tc({width + 1});",
        f"  always {{ done = (k == {width + 1});",
        f"    p = acc[{width - 1}:0] # q; }}",
        f"  sfg init {{ q = {b & (1 << width) - 1}; acc = 0; last = 0; k = 1; sum = 0; }}",
        "  sfg plus { sum = acc + factor; }",
        "  sfg minus { sum = acc - factor; }",
        "  sfg none { sum = acc; }",
        f"  sfg shift {{ acc = sum >> 1; q = sum[0] # q[{width - 1}:1]; last = q[0]; k = k + 1; }}",
        "  sfg hold { sum = 0; }",
        f"  sig factor : tc({width + 1});",
        f"  always {{ factor = (tc({width})) {a & (1 << width) - 1}; }}",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1;",
        "  @s0 init -> s1;",
        f"  @s1 if (k == {width + 1}) then hold -> s1;",
        "      else if (q[0] & ~last) then (minus, shift) -> s1;",
        "      else if (~q[0] & last) then (plus, shift) -> s1;",
        "      else (none, shift) -> s1;",
        "}",
    )
    return Design(f"booth_{width}", text, width + 3, {"done": 1, "p": a * b & mask})


def field_product(width: int, poly: int) -> Design:
    """A product in GF(2^m), two bits a cycle."""
    rng = Random(width)
    a, b = rng.getrandbits(width), rng.getrandbits(width)
    steps = (width + 1) // 2
    text = lines(
        f"dp times_x(in i : ns({width}); out o : ns({width})) {{",
        f"  always {{ o = (i << (ns(1)) 1) ^ (i[{width - 1}] ? (ns({width})) {poly:#x} : (ns({width})) 0); }}",
        "}",
        "dp times_x2 : times_x",
        f"dp top(out c : ns({width}); out done : ns(1)) {{",
        f"  reg sum : ns({width}); reg bits : ns({2 * steps}); reg k : ns(9);",
        f"  sig one, two, x1, x2, a : ns({width});",
        "  use times_x(x1, one); use times_x2(x2, two);",
        f"  always {{ a = {a:#x}; done = (k == {steps + 1}); c = sum;",
        f"    x1 = sum; x2 = one ^ (bits[{2 * steps - 1}] ? a : (ns({width})) 0); }}",
        f"  sfg init {{ bits = {b:#x}; sum = 0; k = 1; }}",
        f"  sfg step {{ sum = two ^ (bits[{2 * steps - 2}] ? a : (ns({width})) 0);"
        " bits = bits << (ns(2)) 2; k = k + 1; }",
        "  sfg hold { }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1;",
        f"  @s0 init -> s1; @s1 if (k == {steps + 1}) then hold -> s1; else step -> s1;",
        "}",
    )
    product = 0
    for bit in range(2 * steps - 1, -1, -1):
        product <<= 1
        if product >> width:
            product ^= 1 << width | poly
        product ^= a if b >> bit & 1 else 0
    return Design(f"field_{width}", text, steps + 3, {"done": 1, "c": product})


def rotation(steps: int) -> Design:
    """CORDIC: sine and cosine of an angle, unrolled into a stage a cycle."""
    scale, angle = 1 << 24, 0.6
    table = [round(math.atan(2.0**-k) * scale) for k in range(steps)]
    x, y, z = round(0.6072529350088813 * scale), 0, round(angle * scale)
    start = (x, y, z)
    for k in range(steps):
        move = 1 if z >= 0 else -1
        x, y, z = x - move * (y >> k), y + move * (x >> k), z - move * table[k]
    declared = ", ".join(f"{axis}{k}" for k in range(steps + 1) for axis in "xyz")
    stage = [
        line
        for k in range(steps)
        for line in (
            f"  always {{ x{k + 1} = z{k}[31] ? x{k} + (y{k} >> {k}) : x{k} - (y{k} >> {k}); }}",
            f"  always {{ y{k + 1} = z{k}[31] ? y{k} - (x{k} >> {k}) : y{k} + (x{k} >> {k}); }}",
            f"  always {{ z{k + 1} = z{k}[31] ? z{k} + (tc(32)) {table[k]} : z{k} - (tc(32)) {table[k]}; }}",
        )
    ]
    text = lines(
        "dp top(out cosine, sine : tc(32)) {",
        f"  reg {declared} : tc(32);",
        f"  always {{ x0 = {start[0]}; y0 = {start[1]}; z0 = {start[2]}; }}",
        stage,
        f"  always {{ cosine = x{steps}; sine = y{steps}; }}",
        "}",
    )
    mask = (1 << 32) - 1
    return Design(f"cordic_{steps}", text, steps + 2, {"cosine": x & mask, "sine": y & mask})
