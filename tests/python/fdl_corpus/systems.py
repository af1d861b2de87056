# ruff: noqa: E501 (lines of designs are as long as they are)
"""Systems on a chip: buses with masters and slaves, links, rings, queues with handshakes."""

from __future__ import annotations

from fdl_corpus.design import Design, lines


def designs() -> list[Design]:
    """All of them."""
    return [
        *(bus(masters) for masters in (2, 8, 16, 24, 32)),
        *(queue(stages) for stages in (2, 16, 20, 31)),
        *(ring(nodes) for nodes in (4, 20, 32)),
        *(serial(divider) for divider in (8, 16)),
        copy(16),
        copy(64),
        *(boxes(count) for count in (16, 32, 64)),
    ]


def bus(masters: int) -> Design:
    """Masters that each add to a word of a slave, one after the other, by a round-robin arbiter."""
    each = ["master", *(f"master_{at}" for at in range(1, masters))]
    uses = [
        f"  use {name}(grant[{at}], {at + 1}, sum, req{at}, w{at}, v{at});"
        for at, name in enumerate(each)
    ]
    width = max(2, masters)
    mine = " | ".join(f"(grant[{at}] & w{at})" for at in range(masters))
    value = "(ns(24)) 0"
    for at in range(masters):
        value = f"grant[{at}] ? v{at} : ({value})"
    text = lines(
        "// A master asks, waits for its turn, and writes what it read plus its number.",
        "dp master(in grant : ns(1); in id : ns(8); in data : ns(24); out req, wr : ns(1); out value : ns(24)) {",
        "  reg got : ns(1); reg rest : ns(4);",
        "  always { value = data + id; }",
        "  sfg ask { req = 1; wr = 0; got = grant; }",
        "  sfg write { req = 1; wr = 1; rest = id[2:0]; got = 0; }",
        "  sfg idle { req = 0; wr = 0; rest = rest - 1; }",
        "}",
        "fsm f(master) {",
        "  initial asking; state pausing;",
        "  @asking if (grant) then write -> pausing; else ask -> asking;",
        "  @pausing if (rest == 0) then ask -> asking; else idle -> pausing;",
        "}",
        [f"dp {name} : master" for name in each[1:]],
        "dp top(out total : ns(24); out writes : ns(16)) {",
        f"  sig {', '.join(f'req{at}, w{at}' for at in range(masters))} : ns(1);",
        f"  sig {', '.join(f'v{at}' for at in range(masters))}, sum : ns(24);",
        f"  reg grant : ns({width}); reg word : ns(24); reg n : ns(16); reg begun : ns(1); sig any : ns(1);",
        "  always { sum = word; total = word; writes = n; begun = 1; }",
        uses,
        f"  always {{ any = {mine}; word = any ? ({value}) : word; n = n + any;",
        f"    grant = begun ? grant[{width - 2}:0] # grant[{width - 1}] : (ns({width})) 1; }}",
        "}",
    )
    cycles, word, count, grant, begun = 300, 0, 0, 0, False
    state, rest = [0] * masters, [0] * masters
    for _ in range(cycles - 1):
        chosen = [at for at in range(masters) if grant >> at & 1 and state[at] == 0]
        for at in range(masters):
            if state[at] == 0:
                if grant >> at & 1:
                    state[at], rest[at] = 1, (at + 1) % 8
            elif rest[at] == 0:
                state[at] = 0
            else:
                rest[at] -= 1
        for at in chosen:
            word, count = word + at + 1, count + 1
        grant = (grant << 1 | grant >> (width - 1)) & (1 << width) - 1 if begun else 1
        begun = True
    return Design(f"bus_{masters}", text, cycles, {"total": word % (1 << 24), "writes": count})


def queue(stages: int) -> Design:
    """Stages with valid and ready; each controller's conditions read its neighbours' signals."""
    each = ["stage", *(f"stage_{at}" for at in range(1, stages))]
    uses = [
        f"  use {name}(v{at}, d{at}, r{at + 1}, v{at + 1}, d{at + 1}, r{at});"
        for at, name in enumerate(each)
    ]
    text = lines(
        "// One word; it is ready where it is empty.",
        "dp stage(in valid : ns(1); in data : ns(16); in taken : ns(1); out full : ns(1); out word : ns(16); out ready : ns(1)) {",
        "  reg w : ns(16); reg f : ns(1);",
        "  always { full = f; word = w; ready = ~f; }",
        "  sfg take { w = data; f = 1; }",
        "  sfg give { f = 0; }",
        "  sfg wait { }",
        "}",
        "fsm control(stage) {",
        "  initial empty; state holds;",
        "  @empty if (valid) then take -> holds; else wait -> empty;",
        "  @holds if (taken) then give -> empty; else wait -> holds;",
        "}",
        [f"dp {name} : stage" for name in each[1:]],
        "dp top(out sum : ns(24); out n : ns(12)) {",
        f"  sig {', '.join(f'v{at}, r{at}' for at in range(stages + 1))} : ns(1);",
        f"  sig {', '.join(f'd{at}' for at in range(stages + 1))} : ns(16);",
        "  reg k : ns(16); reg total : ns(24); reg count, t : ns(12);",
        f"  always {{ v0 = 1; d0 = k * 3; k = r0 ? k + 1 : k; t = t + 1; r{stages} = (t[1:0] != 3);",
        f"    total = (v{stages} & r{stages}) ? total + d{stages} : total; count = (v{stages} & r{stages}) ? count + 1 : count;",
        "    sum = total; n = count; }",
        uses,
        "}",
    )
    cycles, full, word = 200, [False] * stages, [0] * stages
    k = total = count = 0
    for t in range(cycles - 1):
        ready = [not each for each in full] + [t % 4 != 3]
        valid = [True, *full]
        data = [k * 3 % 65536, *word]
        if valid[stages] and ready[stages]:
            total, count = total + data[stages], count + 1
        k += ready[0]
        for at in range(stages):
            if full[at]:
                full[at] = not ready[at + 1]
            elif valid[at]:
                full[at], word[at] = True, data[at]
    return Design(f"queue_{stages}", text, cycles, {"sum": total, "n": count})


def ring(nodes: int) -> Design:
    """A ring of routers that hand a token on, each holding it for a time of its own."""
    each = ["node", *(f"node_{at}" for at in range(1, nodes))]
    uses = [
        f"  use {name}({at}, {'last' if at == 0 else f't{at - 1}'}, {1 if at == 0 else 0}, t{at}, s{at});"
        for at, name in enumerate(each)
    ]
    text = lines(
        "dp node(in id : ns(8); in token, first : ns(1); out pass : ns(1); out seen : ns(8)) {",
        "  reg left : ns(8); reg n : ns(8); reg fresh : ns(1);",
        "  always { seen = n; }",
        "  sfg wait { pass = 0; left = id[1:0]; fresh = 1; }",
        "  sfg hold { pass = 0; left = left - 1; }",
        "  sfg hand { pass = 1; n = n + 1; }",
        "}",
        "fsm f(node) {",
        "  initial idle; state holding;",
        "  @idle if (token | (first & ~fresh)) then wait -> holding; else wait -> idle;",
        "  @holding if (left == 0) then hand -> idle; else hold -> holding;",
        "}",
        [f"dp {name} : node" for name in each[1:]],
        "dp top(out a, b : ns(8)) {",
        f"  reg last, {', '.join(f't{at}' for at in range(nodes))} : ns(1);",
        f"  sig {', '.join(f's{at}' for at in range(nodes))} : ns(8);",
        uses,
        f"  always {{ last = t{nodes - 1}; a = s0; b = s{nodes - 1}; }}",
        "}",
    )
    cycles = 220
    state, left, seen, fresh = [0] * nodes, [0] * nodes, [0] * nodes, [0] * nodes
    tokens, last = [0] * nodes, 0
    for _ in range(cycles - 1):
        given = [last, *tokens[:-1]]
        passed = [0] * nodes
        for at in range(nodes):
            if state[at] == 0:
                state[at] = int(bool(given[at]) or (at == 0 and not fresh[at]))
                left[at], fresh[at] = at % 4, 1
            elif left[at] == 0:
                state[at], passed[at], seen[at] = 0, 1, seen[at] + 1
            else:
                left[at] -= 1
        last, tokens = tokens[-1], passed
    return Design(f"ring_{nodes}", text, cycles, {"a": seen[0], "b": seen[-1]})


def serial(divider: int) -> Design:
    """A transmitter and a receiver of bytes, ten bits each, looped back."""
    text = lines(
        "dp send(in data : ns(8); out line, next : ns(1)) {",
        "  reg bits : ns(10); reg t, k : ns(8);",
        "  always { line = ~bits[0]; }",
        "  sfg load { bits = ~((ns(1)) 1 # data # (ns(1)) 0); k = 9; t = 0; next = 1; }",
        "  sfg wait { t = t + 1; next = 0; }",
        "  sfg shift { bits = bits >> 1; k = k - 1; t = 0; next = 0; }",
        "}",
        "fsm f(send) {",
        "  initial s0; state s1;",
        "  @s0 load -> s1;",
        f"  @s1 if (t == {divider - 1}) then if (k == 0) then load -> s1; else shift -> s1; else wait -> s1;",
        "}",
        "dp receive(in line : ns(1); out byte : ns(8); out sum : ns(16)) {",
        "  reg bits, b : ns(8); reg t, k : ns(8); reg total : ns(16); reg l : ns(1);",
        "  always { byte = b; sum = total; l = line; }",
        "  sfg idle { t = 0; k = 0; }",
        "  sfg wait { t = t + 1; }",
        "  sfg sample { bits = l # bits[7:1]; t = 0; k = k + 1; }",
        "  sfg done { b = bits; total = total + bits; t = 0; k = 0; }",
        "}",
        "fsm g(receive) {",
        "  initial rest; state start, data;",
        "  @rest if (l) then idle -> rest; else idle -> start;",
        f"  @start if (t == {divider + divider // 2 - 3}) then sample -> data; else wait -> start;",
        f"  @data if (t == {divider - 1}) then if (k == 8) then done -> rest; else sample -> data; else wait -> data;",
        "}",
        "dp top(out byte : ns(8); out sum : ns(16)) {",
        "  reg k : ns(8); sig line, next : ns(1); sig data : ns(8);",
        "  use send(data, line, next); use receive(line, byte, sum);",
        "  always { data = k * 37 + 5; k = k + next; }",
        "}",
    )
    count = 6
    sent = [(at * 37 + 5) % 256 for at in range(count)]
    return Design(
        f"serial_{divider}", text, 10 * divider * count + 4, {"byte": sent[-1], "sum": sum(sent)}
    )


def copy(size: int) -> Design:
    """A DMA controller between two `ram`s of the library, and a checker behind it."""
    bits = size.bit_length() - 1
    memory = [
        f"ipblock {name}(in address : ns({bits}); in wr, rd : ns(1); in idata : ns(16); out odata : ns(16)) {{\n"
        f'  iptype "ram"; ipparm "size={size}"; ipparm "wl=16"; }}'
        for name in ("source", "target")
    ]
    text = lines(
        memory,
        "dp top(out sum : ns(24); out done : ns(1)) {",
        f"  sig a, b : ns({bits}); sig wa, ra, wb, rb : ns(1); sig da, qa, db, qb : ns(16);",
        "  use source(a, wa, ra, da, qa); use target(b, wb, rb, db, qb);",
        "  reg k : ns(8); reg total : ns(24); reg over : ns(1);",
        "  always { sum = total; done = over; }",
        "  sfg fill { a = k; wa = 1; ra = 0; da = k * k + 7; b = 0; wb = 0; rb = 0; db = 0; k = k + 1; }",
        "  sfg clear { a = 0; wa = 0; ra = 0; da = 0; b = 0; wb = 0; rb = 0; db = 0; k = 0; }",
        "  sfg read { a = k; wa = 0; ra = 1; da = 0; b = 0; wb = 0; rb = 0; db = 0; }",
        "  sfg write { a = 0; wa = 0; ra = 0; da = 0; b = ~k; wb = 1; rb = 0; db = qa; k = k + 1; }",
        "  sfg check { a = 0; wa = 0; ra = 0; da = 0; b = k; wb = 0; rb = 1; db = 0; }",
        "  sfg add { a = 0; wa = 0; ra = 0; da = 0; b = 0; wb = 0; rb = 0; db = 0; total = total + qb * k; k = k + 1; }",
        "  sfg stop { over = 1; }",
        "}",
        "fsm f(top) {",
        "  initial s0; state s1, s2, s3, s4, s5, s6;",
        f"  @s0 if (k == {size - 1}) then fill -> s1; else fill -> s0;",
        "  @s1 clear -> s2; @s2 read -> s3;",
        f"  @s3 if (k == {size - 1}) then write -> s4; else write -> s2;",
        "  @s4 clear -> s5; @s5 check -> s6;",
        f"  @s6 if (k == {size - 1}) then (add, stop) -> s7; else add -> s5;",
        "  state s7; @s7 clear -> s7;",
        "}",
    )
    words = [(at * at + 7) % 65536 for at in range(size)]
    total = sum(at * words[size - 1 - at] for at in range(size)) % (1 << 24)
    return Design(f"copy_{size}", text, 5 * size + 8, {"sum": total, "done": 1})


def boxes(count: int) -> Design:
    """Clones of one table around a wide word, as in a layer of substitution."""
    table = [(at * 7 + at // 16 * 5 + 99) % 256 for at in range(256)]
    uses = [
        f"  use {f'box_{at}' if at else 'box'}(w[{8 * at + 7}:{8 * at}], o{at});"
        for at in range(count)
    ]
    width = 8 * count
    joined = " # ".join(f"o{at}" for at in reversed(range(count)))
    text = lines(
        f"dp box(in i : ns(8); out o : ns(8)) {{ lookup t : ns(8) = {{ {', '.join(map(str, table))} }}; always {{ o = t(i); }} }}",
        [f"dp box_{at} : box" for at in range(1, count)],
        f"dp top(out x : ns({width})) {{",
        f"  reg w : ns({width}); reg k : ns(8); sig all : ns({width}); sig {', '.join(f'o{at}' for at in range(count))} : ns(8);",
        uses,
        f"  always {{ k = k + 1; all = {joined}; w = (all[{width - 4}:0] # all[{width - 1}:{width - 3}]) ^ k; x = w; }}",
        "}",
    )
    word, mask = 0, (1 << width) - 1
    for cycle in range(29):
        new = sum(table[word >> 8 * at & 255] << 8 * at for at in range(count))
        word = ((new << 3 | new >> (width - 3)) & mask) ^ cycle
    return Design(f"boxes_{count}", text, 30, {"x": word})
