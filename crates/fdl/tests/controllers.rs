//! Designs with many controllers that have nothing to do with one another: their branches have as many
//! combinations as their product. Machine code of them stays small, and does what the interpreter does.

use std::fmt::Write as _;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{load, netlist};
use cocrypt_rtl::{Netlist, Simulator, Toggling};

/// Cycles that are compared, and those before a design is compiled.
const CYCLES: usize = 250;
const BEFORE: usize = 100;

/// So many controllers of two states; each asks a bit of a register of its own that shifts.
fn independent(count: usize) -> Arc<Netlist> {
    let mut text = String::new();
    for at in 0..count {
        let seed = 1 + at * 37;
        write!(
            text,
            "dp d{at}(out o : ns(16)) {{ reg s : ns(16); reg n : ns(16); reg on : ns(1);
               always {{ o = n; on = 1; s = on ? (s >> 1) ^ (s[0] ? (ns(16)) 0xb400 : (ns(16)) 0) : {seed}; }}
               sfg up {{ n = n + 1; }} sfg down {{ n = n - 3; }} }}
             fsm f{at}(d{at}) {{ initial a; state b;
               @a if (s[0]) then up -> b; else down -> a;
               @b if (s[1]) then up -> a; else down -> b; }}\n"
        )
        .unwrap();
    }
    let nets: Vec<String> = (0..count).map(|at| format!("o{at}")).collect();
    let uses: Vec<String> = (0..count).map(|at| format!("use d{at}(o{at});")).collect();
    write!(
        text,
        "dp top(out o : ns(16)) {{ sig {} : ns(16); {} always {{ o = {}; }} }}",
        nets.join(", "),
        uses.join(" "),
        nets.join(" ^ ")
    )
    .unwrap();
    let model = load(&Source::new("independent.fdl", &text)).expect("an accepted design");
    Arc::new(netlist(&model, None).expect("a top"))
}

/// The outputs of all cycles; compiled behind some of them, where that is asked for and there is room.
fn outputs(mut simulator: Simulator, compiled: bool) -> Vec<u64> {
    let output = simulator.output("o").expect("the output");
    let cycle = |at| {
        if compiled && at == BEFORE {
            simulator.compile();
        }
        let value = simulator.evaluate_output(output);
        simulator.step();
        value
    };
    (0..CYCLES).map(cycle).collect()
}

#[test]
fn independent_controllers_run_alike_compiled_and_interpreted() {
    for count in [2, 9, 13, 20] {
        let design = independent(count);
        let compiled = outputs(Simulator::new(Arc::clone(&design)), true);
        // Where bits are counted nothing is compiled.
        let mut interpreted = Simulator::new(design);
        interpreted.count_activity(Toggling::Both);
        assert_eq!(compiled, outputs(interpreted, false), "{count} controllers");
    }
}

/// A controller that waits for what another one's steps drive; its condition may read past the end of a table.
const WAITING: &str = "
    dp giver(out go : ns(1); out amount : ns(8)) {
      reg count : ns(4);
      sfg rest { go = 0; amount = count; count = count + 1; }
      sfg push { go = 1; amount = 7; count = 0; }
    }
    fsm giver_control(giver) { initial a; @a if (count == 11) then push -> a; else rest -> a; }
    dp taker(in go : ns(1); in amount : ns(8); out total : ns(16)) {
      lookup odd : ns(1) = { 0, 1, 0, 1, 0, 1 };
      reg sum : ns(16);
      always { total = sum; }
      sfg keep { sum = sum; }
      sfg take { sum = sum + amount; }
    }
    fsm taker_control(taker) {
      initial waits;
      state takes;
      @waits if (go) then take -> takes; else keep -> waits;
      @takes if (odd(amount)) then take -> takes; else if (go) then keep -> waits; else keep -> takes;
    }
    dp top(out o : ns(16)) {
      sig go : ns(1);
      sig amount : ns(8);
      use giver(go, amount);
      use taker(go, amount, o);
    }";

#[test]
fn a_controller_that_waits_for_another_runs_alike_compiled_and_interpreted() {
    let model = load(&Source::new("waiting.fdl", WAITING)).expect("an accepted design");
    let design = Arc::new(netlist(&model, None).expect("a top"));
    let mut compiled = Simulator::new(Arc::clone(&design));
    assert!(compiled.compile(), "this host compiles it");
    let mut interpreted = Simulator::new(design);
    interpreted.count_activity(Toggling::Both);
    let values = outputs(compiled, false);
    assert_eq!(values, outputs(interpreted, false));
    assert!(values.iter().any(|value| *value > 100), "it takes something");
}

#[test]
fn controllers_with_too_many_combinations_are_compiled_one_by_one() {
    // Twelve controllers that ask the same register: nothing says that they take two combinations of 2^12.
    let mut text =
        "dp clock(out t : ns(1)) { reg n : ns(8); always { n = n + 1; t = n[2]; } }\n".to_owned();
    for at in 0..12 {
        write!(
            text,
            "dp d{at}(in t : ns(1); out o : ns(16)) {{ reg n : ns(16); reg k : ns(1);
               always {{ o = n; k = t; }} sfg up {{ n = n + {at}; }} sfg down {{ n = n - 3; }} }}
             fsm f{at}(d{at}) {{ initial a; @a if (k) then up -> a; else down -> a; }}\n"
        )
        .unwrap();
    }
    let nets: Vec<String> = (0..12).map(|at| format!("o{at}")).collect();
    let uses: Vec<String> = (0..12).map(|at| format!("use d{at}(t, o{at});")).collect();
    write!(
        text,
        "dp top(out o : ns(16)) {{ sig t : ns(1); sig {} : ns(16); use clock(t); {} always {{ o = {}; }} }}",
        nets.join(", "),
        uses.join(" "),
        nets.join(" ^ ")
    )
    .unwrap();
    let model = load(&Source::new("alike.fdl", &text)).expect("an accepted design");
    let design = Arc::new(netlist(&model, None).expect("a top"));
    let mut simulator = Simulator::new(Arc::clone(&design));
    assert!(simulator.compile());
    let mut interpreted = Simulator::new(design);
    interpreted.count_activity(Toggling::Both);
    assert_eq!(outputs(simulator, false), outputs(interpreted, false));
}
