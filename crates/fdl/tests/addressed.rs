//! Random designs whose registers are written by an address run alike as machine code and interpreted, also where
//! nothing changes any more.

mod alike;
mod random;

use std::fmt::Write as _;

use alike::{count, run_alike};
use cocrypt_rtl::Simulator;
use random::Random;

/// Inputs that each design gets one after the other.
const INPUTS: usize = 60;

/// Designs that are compared, and the variable that names another number for a longer campaign.
const DESIGNS: u64 = 60;
const VARIABLE: &str = "COCRYPT_ADDRESSED_DESIGNS";

const WIDTHS: [usize; 5] = [8, 16, 64, 80, 130];

/// What one of `count` registers takes.
fn value(random: &mut Random, at: usize, count: usize) -> String {
    let other = random.below(count);
    match random.below(8) {
        0 => "given".to_owned(),
        1 => format!("r{at} ^ given"),
        2 => format!("r{other} + r{at}"),
        3 => format!("(given[0] ? r{other} : ~r{at})"),
        4 => format!("T(given[10:8]) ^ r{at}"),
        5 => "short(given[14:12]) ^ turn".to_owned(),
        6 => format!("shared ^ r{at}"),
        _ => "turn # given[20:3]".to_owned(),
    }
}

/// When a register is written, as a rule at one address.
fn condition(random: &mut Random, address: usize) -> String {
    let address = match random.below(3) {
        0 => format!("({address} == address)"),
        _ => format!("(address == {address})"),
    };
    match random.below(8) {
        0 => format!("write & {address}"),
        1 => format!("{address} & write & given[2]"),
        2 => format!("{address} | given[7:5] == 3"),
        _ => address,
    }
}

fn design(seed: u64) -> String {
    let mut random = Random(seed);
    let count = 5 + random.below(20);
    let bits = 4 + random.below(4);
    let first = random.below(9);
    let source = random.pick(&["given", "turn # given", "last"]);
    // Two registers that share a choice between long values, and nobody else does.
    let is_pair = random.below(3) == 0;
    let gap = 1 + random.below(4) / 3;
    let mut text = format!(
        "dp top(in given : ns(80); out o, p : ns(80)) {{
           lookup T : ns(16) = {{ 3, 9, 14, 1, 8, 15, 2, 7 }};
           lookup short : ns(16) = {{ 1, 2, 4, 8, 16, 32, 64 }};
           reg last : ns(80); reg turn, copy : ns(8); reg alone : ns(64);
           sig address : ns({bits}); sig write : ns(1); sig shared, deep : ns(64);\n"
    );
    for at in 0..count {
        writeln!(text, "  reg r{at} : ns({});", WIDTHS[random.below(WIDTHS.len())]).unwrap();
    }
    let sum: Vec<_> = (0..count).map(|at| format!("(r{at} << {})", at % 7)).collect();
    let copied = random.below(count);
    let target = random.pick(&["copy", "turn", "copy"]);
    write!(
        text,
        "  always {{
             address = ({source})[{high}:0]; shared = given ^ (given << 3) ^ alone;
             deep = given[3] ? ((given + last) ^ (given - alone)) + (last ^ turn) : given;
             o = {}; p = last ^ copy ^ shared; last = given;
             {} = r{copied};\n",
        sum.join(" ^ "),
        if target == "copy" { "copy" } else { "alone" },
        high = bits - 1,
    )
    .unwrap();
    for at in 0..count {
        let twin = usize::from(random.below(12) == 0);
        let mut condition = condition(&mut random, first + gap * at.saturating_sub(twin));
        let mut value = value(&mut random, at, count);
        if is_pair && at < 2 {
            (condition, value) = (format!("address == {first}"), format!("deep ^ r{at}"));
        }
        match random.below(10) {
            0 => writeln!(text, "    r{at} = ~({condition}) ? r{at} : {value};").unwrap(),
            1 => writeln!(text, "    r{at} = {value};").unwrap(),
            _ => writeln!(text, "    r{at} = ({condition}) ? {value} : r{at};").unwrap(),
        }
    }
    text += "  }\n  sfg rest { write = 1; }\n";
    text += "  sfg count { write = given[1]; turn = turn + 1; }\n";
    text += "  sfg stay { write = 0; }\n}\nfsm control(top) { initial s0; state s1;\n";
    for state in 0..2 {
        let mut go = || {
            format!("({}) -> s{}", random.pick(&["rest", "count", "stay"]), {
                if random.below(3) == 0 { 1 - state } else { state }
            })
        };
        let (first, second) = (go(), go());
        writeln!(text, "  @s{state} if (last[4]) then {first}; else {second};").unwrap();
    }
    text + "}\n"
}

/// The outputs behind each input with the cycles that were saved since nothing changed, and the first fault.
type Outcome = (Vec<([Vec<u64>; 2], u64)>, Option<String>);

fn run(mut simulator: Simulator, seed: u64) -> Outcome {
    let mut random = Random(seed ^ 1);
    let input = simulator.input("given").expect("an input");
    let outputs = ["o", "p"].map(|name| simulator.output(name).expect("an output"));
    let mut run = |_| {
        simulator.set_input_wide(input, &[random.next(), random.next() & 0xffff]);
        let saved = simulator.run_idle([1, 1, 2, 9][random.below(4)]);
        (outputs.map(|output| simulator.output_wide(output)), saved)
    };
    let values = (0..INPUTS).map(&mut run).collect();
    (values, simulator.fault().map(ToString::to_string))
}

#[test]
fn registers_that_an_address_chooses_take_the_values_of_the_interpreter() {
    let settled = (0..count(VARIABLE, DESIGNS)).filter(|&seed| {
        let (values, _) = run_alike(seed, &design(seed), run);
        values.iter().any(|(_, saved)| *saved > 0)
    });
    assert!(settled.count() > 0, "no design comes to rest");
}
