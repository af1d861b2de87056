//! Random designs of many controllers that depend on one another run alike as a whole and in units.

mod random;

use std::fmt::Write as _;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{load, netlist};
use cocrypt_rtl::{Netlist, PortId, Simulator, Toggling};
use random::Random;

/// Cycles that are compared in each design.
const CYCLES: usize = 60;

/// Designs that are compared, and the variable that names another number for a longer campaign.
const DESIGNS: u64 = 8;
const VARIABLE: &str = "COCRYPT_UNITS_DESIGNS";

/// A datapath with its controller: `i` and `j` come from earlier datapaths, `back` from a later one. Outputs
/// are registers, or follow the inputs within the cycle. Registers and a memory that are assigned in every
/// cycle take what the steps assign to `t`, at once or by way of `u`.
fn module(at: usize, width: usize, random: &mut Random) -> String {
    let operands = [
        "i",
        "j",
        "a",
        "b",
        "s",
        "t",
        "u",
        "r",
        "late",
        "later",
        "m(a[1:0])",
        "n(b[1:0])",
        "T(b[3:0])",
    ];
    let term = |random: &mut Random| {
        let (x, y) = (random.pick(&operands), random.pick(&operands));
        let operator = random.pick(&["+", "-", "^", "&", "|", "*"]);
        match random.below(4) {
            0 => format!("((b[0]) ? {x} : {y} {operator} {at})"),
            1 => format!("({x} {operator} ({y} >> (ns(2)) {}))", random.below(4)),
            _ => format!("({x} {operator} {y})"),
        }
    };
    // A lookup past the end of its table happens only where the value is asked for.
    let entries: Vec<String> = (0..16).map(|_| random.below(250).to_string()).collect();
    let mut text = format!(
        "dp d{at}(in i, j, back : ns({width}); out o, p : ns({width}); out seen : ns({width})) {{
           reg a, b, r, q, late, later : ns({width}); sig s, t, u : ns({width});
           reg m(4), n(4) : ns({width}); lookup T : ns(8) = {{ {} }};
           always {{ q = back; seen = r; s = i ^ j ^ a; u = t ^ q; late = t; later = {}; n(a[1:0]) = {}; }}\n",
        entries.join(", "),
        term(random),
        random.pick(&["t", "u", "late"])
    );
    let groups = 2 + random.below(4);
    for group in 0..groups {
        let mut assigns =
            format!("o = {}; p = {};", random.pick(&["a", "s", "i + b", "r"]), term(random));
        write!(assigns, " t = {};", random.pick(&["i", "a - b", "q", "j + 1"])).unwrap();
        for register in ["a", "b", "r"] {
            if random.below(3) != 0 {
                write!(assigns, " {register} = {};", term(random)).unwrap();
            }
        }
        if random.below(2) == 0 {
            write!(assigns, " m(b[1:0]) = {};", term(random)).unwrap();
        }
        writeln!(text, "  sfg g{group} {{ {assigns} }}").unwrap();
    }
    let states = 1 + random.below(4);
    write!(text, "}}\nfsm f{at}(d{at}) {{ initial s0;").unwrap();
    for state in 1..states {
        write!(text, " state s{state};").unwrap();
    }
    for state in 0..states {
        let mut go = || format!("g{} -> s{};", random.below(groups), random.below(states));
        let (first, second, third) = (go(), go(), go());
        let (bit, other) = (random.below(width), random.pick(&["a", "b", "q", "i", "j"]));
        write!(
            text,
            "\n  @s{state} if (r[{bit}]) then {first} else if ({other}[0]) then {second} else {third}"
        )
        .unwrap();
    }
    text + "\n}\n"
}

/// A design of so many datapaths, some of them clones of the one before.
fn design(seed: u64) -> String {
    let mut random = Random(seed);
    let count = 2 + random.below(31);
    let spread = if random.below(4) == 0 { 300 } else { 57 };
    let width = 8 + random.below(spread);
    let mut text = String::new();
    for at in 0..count {
        if at > 0 && random.below(4) == 0 {
            writeln!(text, "dp d{at} : d{}", at - 1).unwrap();
        } else {
            text += &module(at, width, &mut random);
        }
    }
    let names =
        |letter: &str| (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ");
    write!(
        text,
        "dp top(in i : ns({width}); out o : ns({width}); out p : ns({width})) {{
           sig {}, {}, {}, none : ns({width});\n",
        names("o"),
        names("p"),
        names("z")
    )
    .unwrap();
    for at in 0..count {
        let mut earlier = |letter: &str| match at {
            0 => "i".to_owned(),
            _ => format!("{letter}{}", random.below(at)),
        };
        let (first, second) = (earlier("o"), earlier("p"));
        let later = at + random.below(count - at);
        writeln!(text, "  use d{at}({first}, {second}, z{later}, o{at}, p{at}, z{at});").unwrap();
    }
    let mix = |letter: &str| names(letter).replace(", ", " ^ ");
    write!(text, "  always {{ none = 0; o = {}; p = {} ^ none; }} }}", mix("o"), mix("p")).unwrap();
    text
}

/// A datapath with its controller, in words that fit lanes: `k` is a number of each clone, `i`, `f` and `back` come
/// from others. What others read follows the step within the cycle, or conditions ask for what they read.
fn clone(width: usize, random: &mut Random) -> String {
    let follows = random.below(2) == 0;
    let inputs = |inputs: &'static str| if follows { "a" } else { inputs };
    let bit = |random: &mut Random| match random.below(7) {
        0 if !follows => "f".to_owned(),
        0 | 1 => "g".to_owned(),
        2 => format!(
            "({} < {})",
            random.pick(&["a", inputs("i"), "s"]),
            random.pick(&["b", "k", "c"])
        ),
        3 => format!("({} == {})", random.pick(&["a", "b"]), random.pick(&[inputs("i"), "r"])),
        4 => format!("a[{}]", random.below(width)),
        5 => "~g".to_owned(),
        _ => "(c < d)".to_owned(),
    };
    let term = |random: &mut Random| {
        let operands = ["i", "a", "b", "r", "s", "k", "late", "back", "c", "d", "7"];
        let (x, y) = (random.pick(&operands), random.pick(&operands));
        let low = random.below(width - 1) + 1;
        match random.below(10) {
            0 => format!("(({}) ? {x} : {y})", bit(random)),
            1 => format!("({x} >> {})", random.below(width + 3)),
            2 => format!("({x} << {})", random.below(width + 3)),
            3 => format!("(c >> {})", random.below(width)),
            4 => format!("(a[{}:0] # a[{}:{low}])", low - 1, width - 1),
            5 => format!("(~{x} ^ {y})"),
            6 => format!("(b[{low}] # b[{low}:0])"),
            _ => format!("({x} {} {y})", random.pick(&["+", "-", "^", "&", "|", "*"])),
        }
    };
    let mut text = format!(
        "dp unit #(k = 1) (in i : ns({width}); in f : ns(1); in back : ns({width});
                          out o, p : ns({width}); out h : ns(1)) {{
           reg a, b, r, late : ns({width}); reg c, d : tc({width}); reg g : ns(1);
           sig s, t : ns({width});
           always {{ s = {}; late = t; h = g; }}\n",
        random.pick(&["r ^ a", "a + b", "a - k", "b"])
    );
    if !follows {
        text += "  always { o = a ^ s; p = late; }\n";
    }
    let groups = 2 + random.below(4);
    for group in 0..groups {
        let mut assigns = format!("t = {};", term(random));
        if follows {
            let (first, second) = (random.pick(&["a", "s", "b ^ k"]), random.pick(&["r", "a + r"]));
            write!(assigns, " o = {first}; p = {second};").unwrap();
        }
        for register in ["a", "b", "r", "c", "d"] {
            if random.below(3) != 0 {
                let value = if random.below(8) == 0 { "t".to_owned() } else { term(random) };
                write!(assigns, " {register} = {value};").unwrap();
            }
        }
        if random.below(3) != 0 {
            write!(assigns, " g = {};", bit(random)).unwrap();
        }
        writeln!(text, "  sfg g{group} {{ {assigns} }}").unwrap();
    }
    let states = 1 + random.below(4);
    text += "}\nfsm control(unit) { initial s0;";
    for state in 1..states {
        write!(text, " state s{state};").unwrap();
    }
    for state in 0..states {
        let (first, second) = (bit(random), bit(random));
        let mut go = || format!("g{} -> s{};", random.below(groups), random.below(states));
        let (one, two, three) = (go(), go(), go());
        write!(
            text,
            "\n  @s{state} if ({first}) then {one} else if ({second}) then {two} else {three}"
        )
        .unwrap();
    }
    text + "\n}\n"
}

/// A design of so many clones, each of which reads another one, or two.
fn clones(seed: u64) -> String {
    let mut random = Random(seed);
    let (count, width) = (3 + random.below(30), 2 + random.below(31));
    let mut text = clone(width, &mut random);
    write!(
        text,
        "dp top(in i : ns({width}); out o : ns({width}); out p : ns({width})) {{
           for (n : 0..{count}) {{ sig x.n, y.n : ns({width}); sig h.n : ns(1); }}
           always {{ x.{count} = i; y.{count} = i + 3; h.{count} = i[0]; }}\n"
    )
    .unwrap();
    let is_ring = random.below(2) == 0;
    for at in 0..count {
        let mut other = || if is_ring { (at + 1) % count } else { random.below(count + 1) };
        let (second, third) = (other(), other());
        let first = match at {
            _ if !is_ring => random.below(count + 1),
            0 => count,
            _ => at - 1,
        };
        writeln!(
            text,
            "  use unit #(k = {}) (y.{first}, h.{second}, y.{third}, x.{at}, y.{at}, h.{at});",
            7 * at + 5
        )
        .unwrap();
    }
    let last = count - 1;
    write!(
        text,
        "  always {{ o = for (n : 0..{last}, ^) x.n; p = for (n : 0..{last}, +) y.n; }} }}"
    )
    .unwrap();
    text
}

/// So many datapaths with a register that takes, in every cycle, a signal that the steps assign.
fn taken_by_registers(count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        let add = 2 * at + 1;
        write!(
            text,
            "dp d{at}(out o : ns(8)) {{
               reg c, r : ns(8); sig s : ns(8);
               always {{ o = r; c = c * 5 + {add}; r = s; }}
               sfg up {{ s = 7; }}
               sfg down {{ s = 9; }}
             }}
             fsm f{at}(d{at}) {{
               initial a;
               @a if (c[3]) then up -> a; else down -> a;
             }}\n"
        )
        .unwrap();
    }
    let ports = (0..count).map(|at| format!("out o{at} : ns(8)")).collect::<Vec<_>>().join("; ");
    write!(text, "dp top({ports}) {{").unwrap();
    for at in 0..count {
        write!(text, " use d{at}(o{at});").unwrap();
    }
    text + " }"
}

fn build(name: &str, text: &str) -> Arc<Netlist> {
    let model = load(&Source::new("random.fdl", text)).unwrap_or_else(|list| {
        let messages: Vec<String> = list.iter().map(|wrong| wrong.render(false)).collect();
        panic!("{name}: {}\n{text}", messages.join("\n"))
    });
    Arc::new(netlist(&model, None).expect("a top"))
}

/// The values of the outputs in each cycle, and where a fault was first noted.
type Outcome = (Vec<Vec<u64>>, Option<String>);

fn run(mut simulator: Simulator, outputs: &[String], seed: u64) -> Outcome {
    let mut random = Random(seed ^ 1);
    let input = simulator.input("i");
    let outputs: Vec<PortId> =
        outputs.iter().map(|name| simulator.output(name).expect("an output")).collect();
    let mut values = vec![];
    for _ in 0..CYCLES {
        let limbs = [random.next(), random.next(), random.next(), random.next(), random.next()];
        if let Some(input) = input {
            simulator.set_input_wide(input, &limbs);
        }
        values.extend(outputs.iter().map(|output| simulator.output_wide(*output)));
        // Some cycles pass without a look at the outputs.
        let passed = 1 + random.below(3) as u64;
        simulator.run_idle(passed);
    }
    (values, simulator.fault().map(ToString::to_string))
}

/// Compares a design as a whole with its units; returns what it does.
fn compare(name: &str, text: &str, outputs: &[String], seed: u64) -> Outcome {
    let design = build(name, text);
    // Where bits are counted a design runs as a whole, without machine code.
    let mut interpreted = Simulator::new(Arc::clone(&design));
    interpreted.count_activity(Toggling::Both);
    let whole = run(interpreted, outputs, seed);
    let mut units = Simulator::new(Arc::clone(&design));
    assert!(units.divide(), "{name} is not divided");
    assert_eq!(run(units, outputs, seed), whole, "{name}, interpreted units");
    let mut compiled = Simulator::new(design);
    assert!(compiled.compile_units(), "{name} is not compiled");
    assert_eq!(run(compiled, outputs, seed), whole, "{name}, compiled units");
    whole
}

#[test]
fn designs_in_units_do_what_they_do_as_a_whole() {
    let count = std::env::var(VARIABLE).map_or(DESIGNS, |text| text.parse().expect("a number"));
    let outputs = ["o".to_owned(), "p".to_owned()];
    for seed in 0..count {
        compare(&format!("seed {seed}"), &design(seed), &outputs, seed);
    }
}

#[test]
fn clones_do_in_lanes_what_they_do_as_a_whole() {
    let count = std::env::var(VARIABLE).map_or(DESIGNS, |text| text.parse().expect("a number"));
    let outputs = ["o".to_owned(), "p".to_owned()];
    let mut in_lanes = 0;
    for seed in 0..count {
        let text = clones(seed);
        compare(&format!("clones, seed {seed}"), &text, &outputs, seed);
        let mut compiled = Simulator::new(build("clones", &text));
        assert!(compiled.compile_units());
        in_lanes += usize::from(compiled.scopes_in_lanes() > 0);
    }
    assert!(in_lanes as u64 * 2 > count, "{in_lanes} of {count} are evaluated in lanes");
}

#[test]
fn registers_of_every_cycle_take_signals_that_steps_assign() {
    let count = 8;
    let outputs: Vec<String> = (0..count).map(|at| format!("o{at}")).collect();
    let (values, fault) = compare("registers", &taken_by_registers(count), &outputs, 0);
    assert_eq!(fault, None);
    // All registers are 0 before the first clock edge only.
    let (first, later) = values.split_at(count);
    assert!(first.iter().all(|value| value == &[0]));
    assert!(later.iter().all(|value| value == &[7] || value == &[9]), "{later:?}");
    assert!(later.contains(&vec![7]) && later.contains(&vec![9]));
}
