# ruff: noqa: E501 (lines of designs are as long as they are)
"""Cryptography: block ciphers, stream ciphers, hashes, checksums, generators."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from random import Random

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        present(),
        speck(),
        xtea(),
        chacha(),
        *(sha2(function) for function in SHA2),
        sha1(),
        *(keccak(width) for width in (8, 16, 32, 64)),
        *(trivium(cycles) for cycles in (40, 300)),
        *(crc(width) for width in (8, 32)),
        *(registers(taps) for taps in ((16, (16, 14, 13, 11)), (128, (128, 126, 101, 99)))),
        *(feistel(rounds) for rounds in (4, 16, 32)),
        rc4(),
    ]


def fsm(datapath: str, count: int) -> list[str]:
    """A controller that begins once, and then runs while `k` is below a count."""
    return [
        f"fsm control({datapath}) {{",
        "  initial s0; state s1;",
        f"  @s0 begin -> s1; @s1 if (k == {count}) then hold -> s1; else round -> s1;",
        "}",
    ]


def present() -> Design:
    """PRESENT-80 with sixteen clones of its S-box (A. Bogdanov and others, CHES 2007, appendix I)."""
    box = (12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2)
    table = ", ".join(map(str, box))
    names = ["box", *(f"box_{at}" for at in range(1, 17))]
    clones = [f"dp {name} : box" for name in names[1:]]
    uses = [f"  use {names[at]}(x[{4 * at + 3}:{4 * at}], s{at});" for at in range(16)]
    bits = [63 if at == 63 else at * 16 % 63 for at in range(64)]
    places = {to: at for at, to in enumerate(bits)}
    joined = " # ".join(f"s{places[to] // 4}[{places[to] % 4}]" for to in range(63, -1, -1))
    text = lines(
        f"dp box(in i : ns(4); out o : ns(4)) {{ lookup t : ns(4) = {{ {table} }};"
        " always { o = t(i); } }",
        clones,
        "dp top(out done : ns(1); out cipher : ns(64)) {",
        "  reg words : ns(64); reg key : ns(80); reg k : ns(6);",
        f"  sig x : ns(64); sig turned : ns(80); sig top : ns(4); sig {', '.join(f's{at}' for at in range(16))} : ns(4);",
        uses,
        f"  use {names[16]}(turned[79:76], top);",
        "  always { x = words ^ key[79:16]; turned = key[18:0] # key[79:19]; done = (k == 32);",
        "    cipher = x; }",
        "  sfg begin { words = 0; key = 0; k = 1; }",
        f"  sfg round {{ words = {joined};",
        "    key = top # turned[75:20] # (turned[19:15] ^ k[4:0]) # turned[14:0]; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", 32),
    )
    return Design("present_80", text, 40, {"done": 1, "cipher": 0x5579C1387B228445})


def speck() -> Design:
    """Speck64/128 (R. Beaulieu and others, "The Simon and Speck Families", appendix C)."""
    text = lines(
        "dp mix(in x, y, key : ns(32); out u, v : ns(32)) {",
        "  sig s : ns(32);",
        "  always { s = ((x[7:0] # x[31:8]) + y) ^ key; u = s; v = (y[28:0] # y[31:29]) ^ s; }",
        "}",
        "dp schedule : mix",
        "dp top(out done : ns(1); out c : ns(64)) {",
        "  reg x, y, a, l0, l1, l2 : ns(32); reg k : ns(6); sig u, v, m, n, count : ns(32);",
        "  use mix(x, y, a, u, v); use schedule(l0, a, count, m, n);",
        "  always { count = k; done = (k == 27); c = x # y; }",
        "  sfg begin { x = 0x3b726574; y = 0x7475432d; a = 0x03020100; l0 = 0x0b0a0908;",
        "    l1 = 0x13121110; l2 = 0x1b1a1918; k = 0; }",
        "  sfg round { x = u; y = v; a = n; l0 = l1; l1 = l2; l2 = m; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", 27),
    )
    return Design("speck_64", text, 40, {"done": 1, "c": 0x8C6FA548454E028B})


def xtea() -> Design:
    """XTEA (R. Needham, D. Wheeler, 1997), both halves in a cycle."""
    key, (v0, v1) = (0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F), (0x41424344, 0x45464748)
    text = lines(
        "dp half(in x, sum, key : ns(32); out f : ns(32)) {",
        "  sig m : ns(32);",
        "  always { m = ((x[27:0] # (ns(4)) 0) ^ (x >> 5)) + x; f = m ^ (sum + key); }",
        "}",
        "dp other : half",
        "dp top(out done : ns(1); out c : ns(64)) {",
        f"  lookup keys : ns(32) = {{ {', '.join(map(hex, key))} }};",
        "  reg v, w, sum : ns(32); reg k : ns(6); sig f, g, a, b, next, x : ns(32);",
        "  use half(w, sum, a, f); use other(x, next, b, g);",
        "  always { a = keys(sum[1:0]); next = sum + 0x9e3779b9; b = keys(next[12:11]); x = v + f;",
        "    done = (k == 32); c = v # w; }",
        f"  sfg begin {{ v = {v0:#x}; w = {v1:#x}; sum = 0; k = 0; }}",
        "  sfg round { v = x; w = w + g; sum = next; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", 32),
    )
    total, mask = 0, 0xFFFFFFFF
    for _ in range(32):
        v0 = v0 + ((v1 << 4 ^ v1 >> 5) + v1 ^ total + key[total & 3]) & mask
        total = total + 0x9E3779B9 & mask
        v1 = v1 + ((v0 << 4 ^ v0 >> 5) + v0 ^ total + key[total >> 11 & 3]) & mask
    return Design("xtea", text, 40, {"done": 1, "c": v0 << 32 | v1})


def chacha() -> Design:
    """A ChaCha20 block, four quarter rounds a cycle (RFC 8439, section 2.3.2)."""
    words = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    words += [int.from_bytes(bytes(range(at, at + 4)), "little") for at in range(0, 32, 4)]
    words += [1, 0x09000000, 0x4A000000, 0]
    turn = "({0}[{1}:0] # {0}[31:{2}])"
    steps = [
        "a1 = a + b; t1 = d ^ a1; d1 = " + turn.format("t1", 15, 16) + ";",
        "c1 = c + d1; t2 = b ^ c1; b1 = " + turn.format("t2", 19, 20) + ";",
        "e = a1 + b1; t3 = d1 ^ e; h = " + turn.format("t3", 23, 24) + ";",
        "g = c1 + h; t4 = b1 ^ g; f = " + turn.format("t4", 24, 25) + ";",
    ]
    names = ["quarter", "quarter_1", "quarter_2", "quarter_3"]
    uses = []
    for at, name in enumerate(names):
        ports = [f"i{at + 4 * row}" for row in range(4)] + [f"o{at + 4 * row}" for row in range(4)]
        uses.append(f"  use {name}({', '.join(ports)});")
    column, diagonal = list(range(16)), [4 * (at // 4) + (at + at // 4) % 4 for at in range(16)]
    every = range(16)
    text = lines(
        "dp quarter(in a, b, c, d : ns(32); out e, f, g, h : ns(32)) {",
        "  sig a1, b1, c1, d1, t1, t2, t3, t4 : ns(32);",
        [f"  always {{ {step} }}" for step in steps],
        "}",
        [f"dp {name} : quarter" for name in names[1:]],
        "dp top(out done : ns(1); out block : ns(512)) {",
        f"  reg {', '.join(f'x{at}' for at in every)} : ns(32); reg k : ns(6);",
        f"  sig {', '.join(f'i{at}' for at in every)} : ns(32);",
        f"  sig {', '.join(f'o{at}' for at in every)} : ns(32);",
        f"  sig {', '.join(f's{at}' for at in every)} : ns(32);",
        uses,
        "  always { done = (k == 20); }",
        [f"  always {{ s{at} = x{at} + {words[at]:#x}; }}" for at in every],
        [f"  always {{ i{at} = k[0] ? x{diagonal[at]} : x{column[at]}; }}" for at in every],
        "  always { block = " + " # ".join(f"s{at}" for at in reversed(every)) + "; }",
        "  sfg begin { k = 0; " + " ".join(f"x{at} = {words[at]:#x};" for at in every) + " }",
        "  sfg round { k = k + 1; "
        + " ".join(f"x{at} = k[0] ? o{diagonal.index(at)} : o{at};" for at in every)
        + " }",
        "  sfg hold { }",
        "}",
        fsm("top", 20),
    )
    block = bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    return Design("chacha_20", text, 25, {"done": 1, "block": int.from_bytes(block, "little")})


def fractions(exponent: int, width: int, count: int) -> list[int]:
    """The first bits behind the point of roots of the first primes (FIPS 180-4, 4.2.2)."""
    primes: list[int] = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    return [_root(prime << width * exponent, exponent) & ((1 << width) - 1) for prime in primes]


def _root(value: int, exponent: int) -> int:
    """The root of a number, rounded down."""
    low, high = 0, 1 << value.bit_length()
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**exponent <= value else (low, middle - 1)
    return low


def _block(message: bytes, width: int = 32) -> list[int]:
    """The words of a message of one block, padded."""
    size, word = 2 * width, width // 8
    zeros = bytes(size - 9 - len(message))
    padded = message + b"\x80" + zeros + (8 * len(message)).to_bytes(8)
    return [int.from_bytes(padded[at : at + word]) for at in range(0, size, word)]


@dataclass(frozen=True)
class Sha2:
    """A hash function of FIPS 180-4: the bits of its words, its rounds, and by how much it rotates.

    `schedule` has two rotations and a shift for each of two words.
    """

    name: str
    width: int
    rounds: int
    sums: tuple[tuple[int, int, int], tuple[int, int, int]]
    schedule: tuple[tuple[int, int, int], tuple[int, int, int]]


SHA2 = (
    Sha2("sha256", 32, 64, ((2, 13, 22), (6, 11, 25)), ((7, 18, 3), (17, 19, 10))),
    Sha2("sha512", 64, 80, ((28, 34, 39), (14, 18, 41)), ((1, 8, 7), (19, 61, 6))),
)


def sha2(function: Sha2) -> Design:
    """The hash of a message of one block, a round a cycle, its schedule in sixteen registers."""
    width, rounds = function.width, function.rounds
    constants, start = fractions(3, width, rounds), fractions(2, width, 8)
    words, state = _block(b"abc", width), "abcdefgh"
    (first, second), index = function.schedule, (rounds - 1).bit_length()

    def turn(x: str, by: int) -> str:
        return f"({x}[{by - 1}:0] # {x}[{width - 1}:{by}])"

    def turns(x: str, *by: int) -> str:
        return " ^ ".join(turn(x, each) for each in by)

    text = lines(
        f"dp top(out done : ns(1); out digest : ns({8 * width})) {{",
        f"  lookup constants : ns({width}) = {{ {', '.join(map(hex, constants))} }};",
        f"  reg {', '.join(state)} : ns({width}); reg k : ns({index + 1});",
        f"  reg {', '.join(f'w{at}' for at in range(16))} : ns({width});",
        f"  sig s0, s1, u0, u1, choice, most, t1, t2, next : ns({width});",
        f"  sig {', '.join(f'r{at}' for at in range(8))} : ns({width});",
        f"  always {{ s0 = {turns('w1', *first[:2])} ^ (w1 >> {first[2]}); }}",
        f"  always {{ s1 = {turns('w14', *second[:2])} ^ (w14 >> {second[2]}); }}",
        f"  always {{ u0 = {turns('a', *function.sums[0])}; u1 = {turns('e', *function.sums[1])}; }}",
        "  always { choice = (e & f) ^ (~e & g); most = (a & b) ^ (a & c) ^ (b & c); }",
        f"  always {{ t1 = h + u1 + choice + constants(k[{index - 1}:0]) + w0; t2 = u0 + most; }}",
        f"  always {{ next = w0 + s0 + w9 + s1; done = (k == {rounds}); }}",
        [f"  always {{ r{at} = {state[at]} + {start[at]:#x}; }}" for at in range(8)],
        f"  always {{ digest = {' # '.join(f'r{at}' for at in range(8))}; }}",
        "  sfg begin {",
        [f"    {state[at]} = {start[at]:#x};" for at in range(8)],
        [f"    w{at} = {words[at]:#x};" for at in range(16)],
        "    k = 0;",
        "  }",
        "  sfg round {",
        "    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2; k = k + 1;",
        [f"    w{at} = w{at + 1};" for at in range(15)],
        "    w15 = next;",
        "  }",
        "  sfg hold { }",
        "}",
        fsm("top", rounds),
    )
    digest = int(hashlib.new(function.name, b"abc").hexdigest(), 16)
    return Design(function.name, text, rounds + 10, {"done": 1, "digest": digest})


def sha1() -> Design:
    """SHA-1 of a message of one block, the schedule in an array."""
    words = _block(b"The quick brown fox")
    start = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
    text = (
        lines(
            "dp top(out done : ns(1); out digest : ns(160)) {",
            f"  reg w(16) : ns(32) = {{ {', '.join(map(hex, words))} }};",
            "  reg a, b, c, d, e : ns(32); reg k : ns(7); sig x, f, q, t, word : ns(32);",
            "  always { x = w(k[3:0] + 13) ^ w(k[3:0] + 8) ^ w(k[3:0] + 2) ^ w(k[3:0]);",
            "    word = (k < 16) ? w(k[3:0]) : x[30:0] # x[31];",
            "    f = (k < 20) ? (b & c) | (~b & d)",
            "      : ((k >= 40) && (k < 60)) ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;",
            "    q = (k < 20) ? 0x5a827999 : (k < 40) ? 0x6ed9eba1 : (k < 60) ? 0x8f1bbcdc : 0xca62c1d6;",
            "    t = (a[26:0] # a[31:27]) + f + e + q + word; done = (k == 80); }",
            "  sig " + ", ".join(f"r{at}" for at in range(5)) + " : ns(32);",
            "  always { "
            + " ".join(f"r{at} = {'abcde'[at]} + {start[at]:#x};" for at in range(5))
            + " digest = r0 # r1 # r2 # r3 # r4; }",
            "  sfg begin { "
            + " ".join(f"{'abcde'[at]} = {start[at]:#x};" for at in range(5))
            + " k = 0; }",
            "  sfg round { e = d; d = c; c = b[1:0] # b[31:2]; b = a; a = t; k = k + 1; w(k[3:0]) = word; }",
            "  sfg hold { }",
            "}",
            fsm("top", 80),
        )
        .replace("w(k[3:0] + 13)", "w(at13)")
        .replace("w(k[3:0] + 8)", "w(at8)")
    )
    text = text.replace("w(k[3:0] + 2)", "w(at2)").replace(
        "  always { x =",
        "  sig at13, at8, at2 : ns(4); always { at13 = k + 13; at8 = k + 8; at2 = k + 2; }\n"
        "  always { x =",
    )
    digest = int(hashlib.sha1(b"The quick brown fox").hexdigest(), 16)
    return Design("sha1", text, 90, {"done": 1, "digest": digest})


def keccak(width: int) -> Design:
    """Keccak-f of lanes of this width on the state with one bit in its first lane, and SHA3-256's."""
    rounds = 12 + 2 * width.bit_length() - 2
    constants, register = [], 1
    for _ in range(rounds):
        constant = 0
        for j in range(7):
            if register & 1 and (1 << j) - 1 < width:
                constant |= 1 << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    lanes = [0] * 25
    if width == 64:
        lanes[0], lanes[16] = 0x06, 1 << 63
    else:
        lanes[0] = 1
    offsets, x, y = [0] * 25, 1, 0
    for t in range(24):
        offsets[x + 5 * y] = (t + 1) * (t + 2) // 2 % width
        x, y = y, (2 * x + 3 * y) % 5

    def turn(name: str, by: int) -> str:
        return (
            name if by == 0 else f"({name}[{width - by - 1}:0] # {name}[{width - 1}:{width - by}])"
        )

    cells = [(x, y) for y in range(5) for x in range(5)]
    text = lines(
        "dp top(out done : ns(1); out lanes : ns(" + str(25 * width) + ")) {",
        f"  lookup constants : ns({width}) = {{ {', '.join(map(hex, constants))} }};",
        f"  reg {', '.join(f'a{at}' for at in range(25))} : ns({width}); reg k : ns(6);",
        f"  sig {', '.join(f'b{at}' for at in range(25))} : ns({width});",
        f"  sig {', '.join(f'c{x}' for x in range(5))}, {', '.join(f'd{x}' for x in range(5))} : ns({width});",
        [
            f"  always {{ c{x} = " + " ^ ".join(f"a{x + 5 * y}" for y in range(5)) + "; }"
            for x in range(5)
        ],
        [f"  always {{ d{x} = c{(x + 4) % 5} ^ {turn(f'c{(x + 1) % 5}', 1)}; }}" for x in range(5)],
        [
            f"  sig t{x + 5 * y} : ns({width}); always {{ t{x + 5 * y} = a{x + 5 * y} ^ d{x}; }}"
            for x, y in cells
        ],
        [
            f"  always {{ b{y + 5 * ((2 * x + 3 * y) % 5)} = {turn(f't{x + 5 * y}', offsets[x + 5 * y])}; }}"
            for x, y in cells
        ],
        f"  always {{ done = (k == {rounds}); lanes = {' # '.join(f'a{at}' for at in reversed(range(25)))}; }}",
        "  sfg begin { k = 0; " + " ".join(f"a{at} = {lanes[at]:#x};" for at in range(25)) + " }",
        "  sfg round { k = k + 1;",
        [
            f"    a{x + 5 * y} = b{x + 5 * y} ^ (~b{(x + 1) % 5 + 5 * y} & b{(x + 2) % 5 + 5 * y})"
            + (" ^ constants(k);" if x == y == 0 else ";")
            for x, y in cells
        ],
        "  }",
        "  sfg hold { }",
        "}",
        fsm("top", rounds),
    )
    results = {"done": 1}
    if width == 64:
        # The digest of no bytes is the beginning of the state; the rest is not published.
        return Design(
            "keccak_64",
            text.replace("out lanes : ns(1600)", "out lanes : ns(256)"),
            30,
            results | {"lanes": int.from_bytes(hashlib.sha3_256(b"").digest(), "little")},
        )
    return Design(f"keccak_{width}", text, 30, results)


def trivium(cycles: int) -> Design:
    """Trivium's state in three words, a bit a cycle (C. De Canniere, B. Preneel, 2005)."""
    rng = Random(80)
    key, iv = rng.getrandbits(80), rng.getrandbits(80)
    text = lines(
        "dp top(out z : ns(1); out key1 : ns(93)) {",
        "  reg a : ns(93); reg b : ns(84); reg c : ns(111); reg begun : ns(1);",
        "  sig t1, t2, t3 : ns(1);",
        "  always { t1 = a[65] ^ a[92]; t2 = b[68] ^ b[83]; t3 = c[65] ^ c[110];",
        "    z = t1 ^ t2 ^ t3; begun = 1; key1 = a;",
        f"    a = begun ? a[91:0] # (t3 ^ (c[108] & c[109]) ^ a[68]) : (ns(93)) {key:#x};",
        f"    b = begun ? b[82:0] # (t1 ^ (a[90] & a[91]) ^ b[77]) : (ns(84)) {iv:#x};",
        "    c = begun ? c[109:0] # (t2 ^ (b[81] & b[82]) ^ c[86]) : (ns(111)) 0x7000000000000000000000000000; }",
        "}",
    )
    a, b, c = key, iv, 7 << 108

    def bit(word: int, at: int) -> int:
        return word >> at & 1

    for _ in range(cycles - 2):
        t1, t2, t3 = bit(a, 65) ^ bit(a, 92), bit(b, 68) ^ bit(b, 83), bit(c, 65) ^ bit(c, 110)
        x = t3 ^ bit(c, 108) & bit(c, 109) ^ bit(a, 68)
        y = t1 ^ bit(a, 90) & bit(a, 91) ^ bit(b, 77)
        w = t2 ^ bit(b, 81) & bit(b, 82) ^ bit(c, 86)
        a, b, c = (a << 1 | x) % (1 << 93), (b << 1 | y) % (1 << 84), (c << 1 | w) % (1 << 111)
    out = bit(a, 65) ^ bit(a, 92) ^ bit(b, 68) ^ bit(b, 83) ^ bit(c, 65) ^ bit(c, 110)
    return Design(f"trivium_{cycles}", text, cycles, {"z": out, "key1": a})


def crc(width: int) -> Design:
    """A checksum of the bytes 0, 1, 2 …, eight bits a cycle, unrolled."""
    poly, count = (0xEDB88320 if width == 32 else 0xE0), 60
    steps = [
        f"  sig s{at} : ns({width}); always {{ s{at} = "
        + (
            f"r ^ (ns({width})) n"
            if at == 0
            else f"(s{at - 1} >> 1) ^ (s{at - 1}[0] ? (ns({width})) {poly:#x} : (ns({width})) 0)"
        )
        + "; }"
        for at in range(9)
    ]
    first = (1 << width) - 1 if width == 32 else 0
    text = lines(
        f"dp top(out sum : ns({width}); out done : ns(1)) {{",
        f"  reg r : ns({width}); reg n, k : ns(8);",
        steps,
        f"  always {{ sum = {'~r' if width == 32 else 'r'}; done = (k == {count}); }}",
        f"  sfg begin {{ r = {first:#x}; n = 0; k = 0; }}",
        "  sfg round { r = s8; n = n + 1; k = k + 1; }",
        "  sfg hold { }",
        "}",
        fsm("top", count),
    )
    data, value = bytes(range(count)), first
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (poly if value & 1 else 0)
    result = zlib.crc32(data) if width == 32 else value
    return Design(f"crc_{width}", text, count + 5, {"done": 1, "sum": result})


def registers(taps: tuple[int, tuple[int, ...]]) -> Design:
    """A linear-feedback shift register."""
    width, positions = taps
    feed = " ^ ".join(f"r[{at - 1}]" for at in positions)
    text = lines(
        f"dp top(out o : ns({width})) {{",
        f"  reg r : ns({width}); reg begun : ns(1);",
        f"  always {{ begun = 1; r = begun ? r[{width - 2}:0] # ({feed}) : (ns({width})) 1; o = r; }}",
        "}",
    )
    cycles, value = 200, 1
    for _ in range(cycles - 2):
        new = 0
        for at in positions:
            new ^= value >> (at - 1) & 1
        value = (value << 1 | new) & (1 << width) - 1
    return Design(f"register_{width}", text, cycles, {"o": value})


def feistel(rounds: int) -> Design:
    """A pipeline of rounds, each a datapath of its own with a table that differs."""
    rng = Random(rounds)
    tables = [[rng.getrandbits(8) for _ in range(256)] for _ in range(rounds)]
    stages = [
        line
        for at in range(rounds)
        for line in (
            f"dp round{at}(in l, r : ns(8); out m, s : ns(8)) {{",
            f"  lookup t : ns(8) = {{ {', '.join(map(str, tables[at]))} }};",
            "  reg a, b : ns(8);",
            "  always { a = r; b = l ^ t(r); m = a; s = b; }",
            "}",
        )
    ]
    uses = [f"  use round{at}(l{at}, r{at}, l{at + 1}, r{at + 1});" for at in range(rounds)]
    wires = ", ".join(f"l{at}, r{at}" for at in range(rounds + 1))
    text = lines(
        stages,
        "dp top(out o : ns(16)) {",
        f"  sig {wires} : ns(8); reg n : ns(8);",
        uses,
        f"  always {{ n = n + 1; l0 = n; r0 = n ^ 0x5a; o = l{rounds} # r{rounds}; }}",
        "}",
    )
    left, right = 3, 3 ^ 0x5A
    for table in tables:
        left, right = right, left ^ table[right]
    return Design(f"feistel_{rounds}", text, rounds + 4, {"o": left << 8 | right})


def rc4() -> Design:
    """RC4 with its state in an array, three cycles a byte (vector of the key `Key`)."""
    key = b"Key"
    text = lines(
        "dp top(out done : ns(1); out stream : ns(80)) {",
        f"  lookup key : ns(8) = {{ {', '.join(map(str, key))} }};",
        "  reg s(256) : ns(8); reg i, j, x, n : ns(8); reg m : ns(2); reg bytes : ns(80); reg k : ns(4);",
        "  sig y, at, sum : ns(8);",
        "  always { done = (k == 10); stream = bytes; }",
        "  sfg fill { s(i) = i; i = i + 1; }",
        f"  sfg look {{ j = j + s(i) + key(m); x = s(i); m = (m == {len(key) - 1}) ? (ns(2)) 0 : m + 1; }}",
        "  sfg put { s(i) = s(j); n = s(j); }",
        "  sfg back { s(j) = x; i = i + 1; }",
        "  sfg again { i = 1; j = 0; }",
        "  sfg seek { j = j + s(i); x = s(i); }",
        "  sfg give { s(j) = x; sum = n + x; bytes = bytes[71:0] # ((sum == i) ? n : (sum == j) ? x : s(sum));",
        "    i = i + 1; k = k + 1; }",
        "  sfg hold { }",
        "}",
        "fsm control(top) {",
        "  initial s0; state s1, s2, s3, s4, s5, s6;",
        "  @s0 if (i == 255) then fill -> s1; else fill -> s0;",
        "  @s1 look -> s2; @s2 put -> s3;",
        "  @s3 if (i == 255) then (back) -> s4; else back -> s1;",
        "  @s4 again -> s5;",
        "  @s5 if (k == 10) then hold -> s5; else seek -> s6;",
        "  @s6 (put) -> s7; state s7; @s7 give -> s5;",
        "}",
    )
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    stream, j = 0, 0
    for i in range(1, 11):
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        stream = stream << 8 | state[(state[i] + state[j]) % 256]
    return Design("rc4", text, 256 + 3 * 256 + 40, {"done": 1, "stream": stream})
