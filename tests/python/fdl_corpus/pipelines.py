# ruff: noqa: E501 (lines of designs are as long as they are)
"""Pipelines of signals and pictures: filters, transforms, quantisers, run lengths, edges."""

from __future__ import annotations

import math
from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        *(fir(taps) for taps in (8, 48, 96)),
        *(transform(points) for points in (8, 32)),
        *(run_lengths(block) for block in (64, 256)),
        *(edges(width) for width in (8, 64)),
        *(colours(count) for count in (1, 16, 32)),
        *(median(window) for window in (3, 7)),
    ]


def fir(taps: int) -> Design:
    """A filter with a register a tap, in the transposed form."""
    rng = Random(taps)
    weights = [rng.randrange(-100, 100) for _ in range(taps)]
    stages = [f"  reg s{at} : tc(28); sig p{at} : tc(28);" for at in range(taps)]
    sums = [
        f"  always {{ p{at} = x * (tc(9)) {weights[at] & 0x1FF}; s{at} = p{at}"
        + (f" + s{at + 1};" if at + 1 < taps else ";")
        + " }"
        for at in range(taps)
    ]
    text = lines(
        "dp top(out y : tc(28)) {",
        "  reg seed : ns(16); sig x : tc(12);",
        stages,
        sums,
        "  always { seed = seed * 4005 + 1; x = seed[11:0]; y = s0; }",
        "}",
    )
    cycles, samples, seed = 100, [], 0
    for _ in range(cycles - 1):
        x = seed & 0xFFF
        samples.append(x - 4096 if x >> 11 else x)
        seed = (seed * 4005 + 1) % 65536
    total = sum(weights[at] * samples[-1 - at] for at in range(taps) if at < len(samples))
    return Design(f"fir_{taps}", text, cycles, {"y": total & (1 << 28) - 1})


def transform(points: int) -> Design:
    """A cosine transform, a coefficient a cycle, all products at once."""
    scale = 1 << 12
    rows = [
        [round(math.cos((2 * at + 1) * row * math.pi / 2 / points) * scale) for at in range(points)]
        for row in range(points)
    ]
    samples = [Random(points * 100 + at).randrange(-128, 128) for at in range(points)]
    tables = [
        f"  lookup c{at} : tc(14) = {{ {', '.join(str(rows[row][at] & 0x3FFF) for row in range(points))} }};"
        for at in range(points)
    ]
    text = lines(
        "dp top(out row : ns(5); out y : tc(28)) {",
        tables,
        f"  reg {', '.join(f'm{at}' for at in range(points))} : tc(28); reg k, last : ns(5); reg sum : tc(28);",
        f"  always {{ k = (k == {points - 1}) ? (ns(5)) 0 : k + 1; last = k; row = last; y = {' + '.join(f'm{at}' for at in range(points))}; sum = 0; }}",
        [
            f"  always {{ m{at} = c{at}(k) * (tc(9)) {samples[at] & 0x1FF}; }}"
            for at in range(points)
        ],
        "}",
    )
    cycles = points + 4
    row = (cycles - 2) % points
    result = sum(a * b for a, b in zip(rows[row], samples, strict=True))
    return Design(f"transform_{points}", text, cycles, {"row": row, "y": result & (1 << 28) - 1})


def run_lengths(block: int) -> Design:
    """Quantises a block, reads it in zigzag order, and counts and sums its runs of zeros."""
    side = math.isqrt(block)
    rng = Random(block)
    values = [rng.randrange(-255, 256) // (1 + at // side + at % side) for at in range(block)]
    order = sorted(
        range(block),
        key=lambda at: (
            at // side + at % side,
            at // side if (at // side + at % side) % 2 else at % side,
        ),
    )
    text = lines(
        "dp scan(out v : tc(10); out at : ns(9)) {",
        f"  lookup order : ns(9) = {{ {', '.join(map(str, order))} }};",
        f"  lookup block : tc(10) = {{ {', '.join(str(value & 0x3FF) for value in values)} }};",
        f"  reg k : ns(9); always {{ at = order(k); v = block(order(k)); k = (k == {block - 1}) ? (ns(9)) 0 : k + 1; }}",
        "}",
        "dp quantise(in v : tc(10); in at : ns(9); out q : tc(10)) {",
        "  reg r : tc(10); sig m : ns(10); sig d : ns(4); sig n : ns(10);",
        "  always { d = 3 + ((ns(9)) at % 7); m = v[9] ? (ns(10)) (-v) : (ns(10)) v; q = r;",
        "    n = (m >= d) ? ((m >= (ns(12)) d # (ns(1)) 0) ? 2 : 1) : 0; r = v[9] ? -(tc(10)) n : (tc(10)) n; }",
        "}",
        "dp runs(in q : tc(10); out count, longest : ns(9)) {",
        "  reg zeros, n, most : ns(9);",
        "  always { count = n; longest = most; }",
        "  sfg zero { zeros = zeros + 1; most = (zeros + 1 > most) ? zeros + 1 : most; }",
        "  sfg other { zeros = 0; n = n + 1; }",
        "}",
        "fsm f(runs) { initial s; @s if (q == 0) then zero -> s; else other -> s; }",
        "dp top(out count, longest : ns(9)) {",
        "  sig v, q : tc(10); sig at : ns(9);",
        "  use scan(v, at); use quantise(v, at, q); use runs(q, count, longest);",
        "}",
    )
    zeros = count = most = 0
    stream = [0, *(values[at] for at in order)]
    places = [0, *order]
    for step in range(block):
        value = abs(stream[step])
        divisor = 3 + places[step] % 7
        level = 0 if step == 0 else (value >= divisor) + (value >= 2 * divisor)
        if level == 0:
            zeros += 1
            most = max(most, zeros)
        else:
            zeros, count = 0, count + 1
    return Design(f"run_lengths_{block}", text, block + 1, {"count": count, "longest": most})


def edges(width: int) -> Design:
    """Sobel's operator over a picture that a generator makes, with two lines in arrays."""
    text = lines(
        "dp top(out edge, x : ns(12)) {",
        f"  reg a({width}), b({width}) : ns(8); reg p, q, r, s, t, u, v, w, z : ns(8);",
        "  reg seed : ns(16); reg column : ns(12); sig pixel, above, top : ns(8); sig gx, gy : tc(12);",
        "  always { seed = seed * 25173 + 13849; pixel = seed[15:8]; above = a(column); top = b(column);",
        f"    a(column) = pixel; b(column) = above; column = (column == {width - 1}) ? (ns(12)) 0 : column + 1;",
        "    p = top; q = p; r = q; s = above; t = s; u = t; v = pixel; w = v; z = w; x = column;",
        "    gx = ((tc(12)) r + (tc(12)) u + (tc(12)) u + (tc(12)) z) - ((tc(12)) p + (tc(12)) s + (tc(12)) s + (tc(12)) v);",
        "    gy = ((tc(12)) p + (tc(12)) q + (tc(12)) q + (tc(12)) r) - ((tc(12)) v + (tc(12)) w + (tc(12)) w + (tc(12)) z);",
        "    edge = (gx[11] ? (ns(12)) (-gx) : (ns(12)) gx) + (gy[11] ? (ns(12)) (-gy) : (ns(12)) gy); }",
        "}",
    )
    cycles = 3 * width + 7
    pixels, seed = [], 0
    for _ in range(cycles):
        pixels.append(seed >> 8)
        seed = (seed * 25173 + 13849) % 65536

    def pixel(row: int, back: int) -> int:
        at = cycles - 2 - back - row * width
        return pixels[at] if at >= 0 else 0

    p, q, r = (pixel(2, back) for back in range(3))
    s, _, u = (pixel(1, back) for back in range(3))
    v, w, z = (pixel(0, back) for back in range(3))
    edge = abs(r + 2 * u + z - p - 2 * s - v) + abs(p + 2 * q + r - v - 2 * w - z)
    return Design(f"edges_{width}", text, cycles, {"edge": edge, "x": (cycles - 1) % width})


def colours(count: int) -> Design:
    """Red, green and blue to luma, in several lanes."""
    lanes = [
        line
        for lane in range(count)
        for line in (
            f"  reg r{lane}, g{lane}, b{lane}, y{lane} : ns(8); sig s{lane} : ns(18);",
            f"  always {{ r{lane} = n + {3 * lane}; g{lane} = n * {2 * lane + 1}; b{lane} = ~n; }}",
            f"  always {{ s{lane} = ((ns(18)) r{lane}) * 77 + ((ns(18)) g{lane}) * 150 + ((ns(18)) b{lane}) * 29; y{lane} = s{lane}[15:8]; }}",
        )
    ]
    text = lines(
        f"dp top(out y : ns({8 * count})) {{",
        "  reg n : ns(8);",
        lanes,
        f"  always {{ n = n + 1; y = {' # '.join(f'y{lane}' for lane in range(count))}; }}",
        "}",
    )
    cycles, result = 90, 0
    n = cycles - 3
    for lane in range(count):
        r, g, b = (n + 3 * lane) % 256, n * (2 * lane + 1) % 256, ~n % 256
        result = result << 8 | (77 * r + 150 * g + 29 * b) >> 8 & 255
    return Design(f"colours_{count}", text, cycles, {"y": result})


def median(window: int) -> Design:
    """The median of the last values, by counting how many are less."""
    names = [f"v{at}" for at in range(window)]
    ranks = []
    for at in range(window):
        terms = [
            f"(ns(4)) ({names[other]} {'<=' if other < at else '<'} {names[at]})"
            for other in range(window)
            if other != at
        ]
        ranks.append(f"  sig k{at} : ns(4); always {{ k{at} = {' + '.join(terms)}; }}")
    choice = "(ns(8)) 0"
    for at in range(window):
        choice = f"(k{at} == {window // 2}) ? {names[at]} : ({choice})"
    text = lines(
        "dp top(out m : ns(8)) {",
        f"  reg {', '.join(names)} : ns(8); reg seed : ns(16);",
        ranks,
        "  always { seed = seed * 25173 + 13849; v0 = seed[15:8]; "
        + " ".join(f"v{at} = v{at - 1};" for at in range(1, window))
        + f" m = {choice}; }}",
        "}",
    )
    cycles, seed, values = 80, 0, []
    for _ in range(cycles - 1):
        values.append(seed >> 8)
        seed = (seed * 25173 + 13849) % 65536
    return Design(f"median_{window}", text, cycles, {"m": sorted(values[-window:])[window // 2]})
