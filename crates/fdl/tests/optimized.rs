//! Random designs in the style that machine code rewrites run alike as machine code and interpreted: logic
//! bit by bit, choices between words, small boxes of logic, signals that a step makes constant, shift registers
//! and exchanges.

mod alike;
mod random;

use std::fmt::Write as _;

use alike::{count, run_alike};
use cocrypt_rtl::Simulator;
use random::Random;

/// Cycles that are compared in each design.
const CYCLES: usize = 40;

/// Designs that are compared, and the variable that names another number for a longer campaign.
const DESIGNS: u64 = 40;
const VARIABLE: &str = "COCRYPT_OPTIMIZED_DESIGNS";

/// Bits of the registers, more than a limb.
const WIDTH: usize = 80;

/// A datapath of logic on the bits of a byte and half a byte, with a smaller one in it, and perhaps a table
/// that is shorter than its index.
fn logic(random: &mut Random) -> String {
    let count = 6 + random.below(20);
    let mut text = "dp inner(in a, b : ns(2); out y : ns(2)) {
        always { y = ((a[1] & b[0]) ^ b[1]) # (a[0] ^ (b[0] & ~b[1])); } }
      dp logic(in x : ns(8); in k : ns(4); out y : ns(8)) {
        lookup T : ns(4) = { 3, 9, 14, 1, 8, 15, 2 };
        sig pair : ns(2); use inner(x[4:3], k[1:0], pair);\n"
        .to_owned();
    let table = if random.below(3) == 0 { "(k[3] ? T(x[7:5])[0] : x[1])" } else { "x[3]" };
    for at in 0..count {
        let mut term = || match random.below(5) {
            0 => format!("x[{}]", random.below(8)),
            1 => format!("k[{}]", random.below(4)),
            2 => random.pick(&["pair[0]", "pair[1]", table]).to_owned(),
            _ if at == 0 => "x[0]".to_owned(),
            _ => format!("s{}", random.below(at)),
        };
        let (a, b, c) = (term(), term(), term());
        let operator = random.pick(&["^", "&", "|"]);
        let value = match random.below(4) {
            0 => format!("({a}) ? {b} : {c}"),
            1 => format!("~{a} {operator} {b}"),
            _ => format!("{a} {operator} {b}"),
        };
        writeln!(text, "  sig s{at} : ns(1); always {{ s{at} = {value}; }}").unwrap();
    }
    let bits: Vec<String> = (0..8).map(|_| format!("s{}", random.below(count))).collect();
    let end = if random.below(2) == 0 { "" } else { " ^ (x + 1)" };
    writeln!(text, "  always {{ y = ({}){end}; }} }}", bits.join(" # ")).unwrap();
    text
}

/// So many bits of expressions on bits of registers, one after the other, in either order.
fn bits(random: &mut Random, count: usize) -> String {
    let mut text = String::new();
    for _ in 0..2 {
        let register = random.pick(&["a", "b", "c"]);
        let from = random.below(WIDTH - count);
        let place = if random.below(4) == 0 {
            format!("{from} + i")
        } else {
            format!("{} - i", from + count - 1)
        };
        if text.is_empty() {
            text = format!("{register}[{place}]");
        } else {
            let operator = random.pick(&["^", "&", "|"]);
            let inverse = random.pick(&["", "~"]);
            text = match random.below(2) {
                0 => format!("({text} {operator} {inverse}{register}[{place}])"),
                _ => format!("({inverse}{register}[{place}] {operator} {text} ^ flag)"),
            };
        }
    }
    format!("(for (i : 0..{}, #) {text})", count - 1)
}

/// A choice between words bit by bit, or nearly one: the words may have different widths, in any order.
fn choice(random: &mut Random) -> String {
    let mut word = || {
        random.pick(&["a", "b", "c", "kept", "given", "a[20:0]", "(b[40:0] # c[60:0])", "w0", "w1"])
    };
    let (by, other, yes, no) = (word(), word(), word(), word());
    let by_again = if random.below(4) == 0 { other } else { by };
    let mut product = |x: &str, y: &str| match random.below(2) {
        0 => format!("({x} & {y})"),
        _ => format!("({y} & {x})"),
    };
    let (taken, left) = (product(by, yes), product(&format!("~{by_again}"), no));
    let operator = random.pick(&["^", "|"]);
    match random.below(2) {
        0 => format!("({taken} {operator} {left})"),
        _ => format!("({left} {operator} {taken})"),
    }
}

fn design(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = logic(&mut random);
    write!(
        text,
        "dp top(in given : ns({WIDTH}); out o, p : ns({WIDTH})) {{
           reg a, b, c, kept : ns({WIDTH}); reg flag : ns(1);
           reg long : ns(128);
           reg w0, w1, w2, w3, w4 : ns(32);
           sig write : ns(1); sig y0, y1 : ns(8);
           use logic(a[11:4], b[7:4], y0); use logic(y0 ^ c[70:63], a[79:76], y1);
           always {{
             o = a ^ (b << 1) ^ y1; p = (w0 # w3) ^ kept ^ c ^ long[127:48];
             kept = (write & a[3]) ? given : kept; flag = a[5] ^ b[9];
           }}\n"
    )
    .unwrap();
    let groups = 3;
    for group in 0..groups {
        let count = 4 + random.below(WIDTH - 8);
        let part = bits(&mut random, count);
        let other = bits(&mut random, 1 + count / 2);
        let chosen = choice(&mut random);
        let rest = random.pick(&["a[3:0]", "b[40:1]", "y0", "y1", "(write ? b[9:0] : a[9:0])"]);
        let write = random.pick(&["0", "1", "a[0]", "0"]);
        let joined = random.pick(&[
            "(a[62:0] # b[64:0])",
            "(long[88:0] # long[127:89])",
            "(((ns(63)) kept[40:0]) # c[64:0])",
            "(long[40:0] # a # flag # b[5:0])",
        ]);
        let moves = random.pick(&[
            "w0 = w1; w1 = w2; w2 = w3; w3 = w4; w4 = a[31:0] ^ w0;",
            "w0 = w1; w1 = w0; w2 = w0; w3 = w2; w4 = w4 + 1;",
            "w0 = w2; w1 = w0; w2 = w1; w3 = y1; w4 = w3;",
            "w0 = w0 ^ y0; w1 = w1; w2 = write ? w3 : w2; w3 = w0; w4 = w0;",
        ]);
        write!(
            text,
            "  sfg g{group} {{ write = {write}; a = {part} # {rest}; b = given ^ {other} ^ {chosen};
                 c = (c << 3) ^ y1; long = {joined} ^ (long << 1); {moves} }}\n"
        )
        .unwrap();
    }
    write!(text, "}}\nfsm control(top) {{ initial s0; state s1;").unwrap();
    for state in 0..2 {
        let mut go = || format!("g{} -> s{}", random.below(groups), random.below(2));
        let (first, second) = (go(), go());
        write!(text, "\n  @s{state} if (a[2]) then {first}; else {second};").unwrap();
    }
    text + "\n}\n"
}

/// The outputs of all cycles, and the first fault.
type Outcome = (Vec<[Vec<u64>; 2]>, Option<String>);

fn run(mut simulator: Simulator, seed: u64) -> Outcome {
    let mut random = Random(seed ^ 1);
    let input = simulator.input("given").expect("an input");
    let outputs = ["o", "p"].map(|name| simulator.output(name).expect("an output"));
    let mut values = vec![];
    for _ in 0..CYCLES {
        simulator.set_input_wide(input, &[random.next(), random.next()]);
        values.push(outputs.map(|output| simulator.output_wide(output)));
        simulator.run_idle(1 + random.below(3) as u64);
    }
    (values, simulator.fault().map(ToString::to_string))
}

#[test]
fn rewritten_designs_run_as_they_are_written() {
    let designs = count(VARIABLE, DESIGNS);
    let faults = (0..designs).filter(|&seed| run_alike(seed, &design(seed), run).1.is_some());
    let faults = faults.count() as u64;
    // Reads past the end of the table show where they are asked for, and only there.
    assert!(faults > 0 && faults < designs, "{faults} of {designs} designs have a fault");
}
