# ruff: noqa: E501 (lines of designs are as long as they are)
"""Ciphers and hashes in the size that they have: AES, MD5, BLAKE2s, a wide hash."""

from __future__ import annotations

import hashlib
import math
from random import Random

from Crypto.Cipher import AES

from fdl_corpus.ciphers import fractions, fsm
from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [aes(), md5(), blake2s(), *(substitution(rounds) for rounds in (8, 14))]


def _table() -> list[int]:
    """The S-box of FIPS 197, section 5.1.1, from inverses in the field."""
    powers, value = [0] * 256, 1
    logs = [0] * 256
    for at in range(255):
        powers[at], logs[value] = value, at
        value ^= value << 1 ^ (0x11B if value & 0x80 else 0)
    results = []
    for byte in range(256):
        inverse = powers[-logs[byte] % 255] if byte else 0
        turned = inverse
        for by in range(1, 5):
            turned ^= (inverse << by | inverse >> (8 - by)) & 0xFF
        results.append(turned ^ 0x63)
    return results


def _box(count: int) -> tuple[list[str], list[str]]:
    """An S-box with its clones, and all their names."""
    names = ["box", *(f"box_{at}" for at in range(1, count))]
    table = ", ".join(map(str, _table()))
    text = f"dp box(in i : ns(8); out o : ns(8)) {{ lookup t : ns(8) = {{ {table} }}; always {{ o = t(i); }} }}"
    return [text, *(f"dp {name} : box" for name in names[1:])], names


def _mixed(column: list[str]) -> list[str]:
    """The expressions of a column after MixColumns (FIPS 197, section 5.1.3)."""

    def doubled(x: str) -> str:
        return f"(({x}[6:0] # (ns(1)) 0) ^ ({x}[7] ? (ns(8)) 0x1b : (ns(8)) 0))"

    results = []
    for row in range(4):
        a, b, c, d = (column[(row + by) % 4] for by in range(4))
        results.append(f"{doubled(a)} ^ {doubled(b)} ^ {b} ^ {c} ^ {d}")
    return results


def aes() -> Design:
    """AES-128, a round a cycle, with twenty clones of its S-box."""
    key, text = bytes(range(16)), bytes(range(0, 256, 17))
    boxes, names = _box(20)
    shifted = [4 * ((at // 4 + at % 4) % 4) + at % 4 for at in range(16)]
    uses = [f"  use {names[at]}(b{at}, o{at});" for at in range(16)]
    uses += [f"  use {names[16 + at]}(k{12 + (at + 1) % 4}, w{at});" for at in range(4)]
    mixed = [
        part
        for column in range(4)
        for part in _mixed([f"o{shifted[4 * column + row]}" for row in range(4)])
    ]
    keyed = [f"k{at} ^ w{at}" + (" ^ r" if at == 0 else "") for at in range(4)]
    next_key = [f"n{at}" for at in range(16)]
    constants, value = [0], 1
    for _ in range(11):
        constants.append(value)
        value = value << 1 ^ (0x11B if value & 0x80 else 0)
    every = range(16)
    design = lines(
        boxes,
        "dp top(out done : ns(1); out cipher : ns(128)) {",
        f"  lookup constants : ns(8) = {{ {', '.join(map(str, constants))} }};",
        f"  reg {', '.join(f'b{at}' for at in every)} : ns(8);",
        f"  reg {', '.join(f'k{at}' for at in every)} : ns(8);",
        f"  sig {', '.join(f'o{at}' for at in every)}, r : ns(8);",
        f"  sig {', '.join(next_key)}, w0, w1, w2, w3 : ns(8);",
        "  reg k : ns(4); sig last : ns(1);",
        uses,
        "  always { r = constants(k); last = (k == 10); done = (k == 11); }",
        [f"  always {{ n{at} = {keyed[at]}; }}" for at in range(4)],
        [f"  always {{ n{at} = k{at} ^ n{at - 4}; }}" for at in range(4, 16)],
        f"  always {{ cipher = {' # '.join(f'b{at}' for at in every)}; }}",
        "  sfg begin { k = 1;",
        [f"    b{at} = {text[at] ^ key[at]}; k{at} = {key[at]};" for at in every],
        "  }",
        "  sfg round { k = k + 1;",
        [
            f"    b{at} = (last ? o{shifted[at]} : {mixed[at]}) ^ n{at}; k{at} = n{at};"
            for at in every
        ],
        "  }",
        "  sfg hold { }",
        "}",
        fsm("top", 11),
    )
    cipher = int.from_bytes(AES.new(key, AES.MODE_ECB).encrypt(text))
    return Design("aes_128", design, 20, {"done": 1, "cipher": cipher})


def md5() -> Design:
    """MD5 of a message of one block (RFC 1321), four steps a cycle, each by a datapath of its own."""
    message = b"message digest"
    padded = message + b"\x80" + bytes(55 - len(message)) + (8 * len(message)).to_bytes(8, "little")
    words = [int.from_bytes(padded[at : at + 4], "little") for at in range(0, 64, 4)]
    sines = [int(abs(math.sin(at + 1)) * (1 << 32)) for at in range(64)]
    start = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
    turns = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    places = [(at, 5 * at + 1, 3 * at + 5, 7 * at)[at // 16] % 16 for at in range(64)]
    steps = []
    for lane in range(4):
        turned = [
            f"(s[{31 - turns[part][lane]}:0] # s[31:{32 - turns[part][lane]}])" for part in range(4)
        ]
        added = [(words[places[at]] + sines[at]) & 0xFFFFFFFF for at in range(lane, 64, 4)]
        steps += [
            f"dp step_{lane}(in k : ns(5); in a, b, c, d : ns(32); out e : ns(32)) {{",
            f"  lookup added : ns(32) = {{ {', '.join(map(hex, added))} }};",
            "  sig f, s, t : ns(32); sig part : ns(2);",
            "  always { part = k[3:2];",
            "    f = (part == 0) ? (b & c) | (~b & d) : (part == 1) ? (d & b) | (~d & c)",
            "      : (part == 2) ? b ^ c ^ d : c ^ (b | ~d);",
            "    s = a + f + added(k[3:0]);",
            f"    t = (part == 0) ? {turned[0]} : (part == 1) ? {turned[1]}",
            f"      : (part == 2) ? {turned[2]} : {turned[3]};",
            "    e = b + t; }",
            "}",
        ]
    text = lines(
        steps,
        "dp top(out done : ns(1); out digest : ns(128)) {",
        "  reg a, b, c, d : ns(32); reg k : ns(5); sig m, n, o, p, index : ns(32);",
        "  sig " + ", ".join(f"r{at}" for at in range(4)) + " : ns(32);",
        "  use step_0(k, a, b, c, d, m); use step_1(k, d, m, b, c, n);",
        "  use step_2(k, c, n, m, b, o); use step_3(k, b, o, n, m, p);",
        "  always { index = k; done = (k == 16);",
        "    " + " ".join(f"r{at} = {'abcd'[at]} + {start[at]:#x};" for at in range(4)),
        "    digest = "
        + " # ".join(f"r{at // 4}[{8 * (at % 4) + 7}:{8 * (at % 4)}]" for at in range(16))
        + "; }",
        "  sfg begin { "
        + " ".join(f"{'abcd'[at]} = {start[at]:#x};" for at in range(4))
        + " k = 0; }",
        "  sfg round { a = m; b = p; c = o; d = n; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", 16),
    )
    digest = int(hashlib.md5(message).hexdigest(), 16)
    return Design("md5", text, 24, {"done": 1, "digest": digest})


MIXED = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
"""The order of words in rounds (RFC 7693, section 2.7)."""


def blake2s() -> Design:
    """BLAKE2s-256 of a message of one block (RFC 7693), a round a cycle by eight mixers."""
    message = b"abc"
    start = fractions(2, 32, 8)
    first = [start[0] ^ 0x01010020, *start[1:]]
    begin = [*first, *start]
    begin[12] ^= len(message)
    begin[14] ^= 0xFFFFFFFF
    padded = message + bytes(64 - len(message))
    words = [int.from_bytes(padded[at : at + 4], "little") for at in range(0, 64, 4)]
    names = ["mix", *(f"mix_{at}" for at in range(1, 8))]
    uses = []
    for at in range(8):
        shift = at // 4
        cells = [row * 4 + (at % 4 + row * shift) % 4 for row in range(4)]
        inner = "v" if at < 4 else "m"
        outer = "m" if at < 4 else "o"
        ports = [f"{inner}{cell}" for cell in cells] + [f"x{at}", f"y{at}"]
        uses.append(
            f"  use {names[at]}({', '.join(ports + [f'{outer}{cell}' for cell in cells])});"
        )

    def turned(x: str, by: int) -> str:
        return f"({x}[{by - 1}:0] # {x}[31:{by}])"

    tables = [
        f"  lookup t{at} : ns(32) = {{ {', '.join(hex(words[order[at]]) for order in MIXED)} }};"
        for at in range(16)
    ]
    every = range(16)
    text = lines(
        "dp mix(in a, b, c, d, x, y : ns(32); out e, f, g, h : ns(32)) {",
        "  sig a1, t1, d1, c1, t2, b1, t3, t4, e1, h1, g1 : ns(32);",
        f"  always {{ a1 = a + b + x; t1 = d ^ a1; d1 = {turned('t1', 16)}; c1 = c + d1; }}",
        f"  always {{ t2 = b ^ c1; b1 = {turned('t2', 12)}; e1 = a1 + b1 + y; t3 = d1 ^ e1; }}",
        f"  always {{ h1 = {turned('t3', 8)}; g1 = c1 + h1; t4 = b1 ^ g1; }}",
        f"  always {{ e = e1; f = {turned('t4', 7)}; g = g1; h = h1; }}",
        "}",
        [f"dp {name} : mix" for name in names[1:]],
        "dp top(out done : ns(1); out digest : ns(256)) {",
        tables,
        f"  reg {', '.join(f'v{at}' for at in every)} : ns(32); reg k : ns(4);",
        f"  sig {', '.join(f'm{at}, o{at}' for at in every)} : ns(32);",
        f"  sig {', '.join(f'x{at}, y{at}' for at in range(8))} : ns(32);",
        f"  sig {', '.join(f'r{at}' for at in range(8))} : ns(32);",
        uses,
        [f"  always {{ x{at} = t{2 * at}(k); y{at} = t{2 * at + 1}(k); }}" for at in range(8)],
        [f"  always {{ r{at} = {first[at]:#x} ^ v{at} ^ v{at + 8}; }}" for at in range(8)],
        "  always { done = (k == 10); digest = "
        + " # ".join(f"r{at // 4}[{8 * (at % 4) + 7}:{8 * (at % 4)}]" for at in range(32))
        + "; }",
        "  sfg begin { k = 0;",
        [f"    v{at} = {begin[at]:#x};" for at in every],
        "  }",
        "  sfg round { k = k + 1;",
        [f"    v{at} = o{at};" for at in every],
        "  }",
        "  sfg hold { }",
        "}",
        fsm("top", 10),
    )
    digest = int(hashlib.blake2s(message).hexdigest(), 16)
    return Design("blake2s", text, 16, {"done": 1, "digest": digest})


def substitution(rounds: int) -> Design:
    """A Feistel network over 512 bits, whose function is AES's round on each quarter of a half."""
    boxes, names = _box(32)
    rng = Random(rounds)
    left, right = rng.getrandbits(256), rng.getrandbits(256)
    uses = [f"  use {names[at]}(right[{8 * at + 7}:{8 * at}], o{at});" for at in range(32)]
    parts = []
    for quarter in range(2):
        for column in range(4):
            cells = [f"o{16 * quarter + 4 * ((column + row) % 4) + row}" for row in range(4)]
            parts += _mixed(cells)
    text = lines(
        boxes,
        "dp top(out done : ns(1); out halves : ns(512)) {",
        "  reg left, right : ns(256); sig f : ns(256); reg k : ns(6);",
        f"  sig {', '.join(f'o{at}, m{at}' for at in range(32))} : ns(8);",
        uses,
        [f"  always {{ m{at} = {part}; }}" for at, part in enumerate(parts)],
        f"  always {{ f = {' # '.join(f'm{at}' for at in reversed(range(32)))};",
        f"    done = (k == {rounds}); halves = left # right; }}",
        f"  sfg begin {{ left = {left:#x}; right = {right:#x}; k = 0; }}",
        "  sfg round { left = right; right = left ^ f ^ k; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", rounds),
    )
    table = _table()

    def doubled(x: int) -> int:
        return x << 1 ^ (0x11B if x & 0x80 else 0)

    for k in range(rounds):
        out = [table[right >> 8 * at & 255] for at in range(32)]
        mixed = 0
        for at in range(32):
            quarter, column, row = at // 16, at // 4 % 4, at % 4
            a, b, c, d = (
                out[16 * quarter + 4 * ((column + (row + by) % 4) % 4) + (row + by) % 4]
                for by in range(4)
            )
            mixed |= (doubled(a) ^ doubled(b) ^ b ^ c ^ d) << 8 * at
        left, right = right, left ^ mixed ^ k
    return Design(
        f"substitution_{rounds}", text, rounds + 4, {"done": 1, "halves": left << 256 | right}
    )
