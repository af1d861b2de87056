//! Designs that run alike as machine code and interpreted.

use std::fmt::Debug;
use std::sync::Arc;

use cocrypt_diag::Source;
use cocrypt_fdl::{load, netlist};
use cocrypt_rtl::{Netlist, Simulator};

/// The number of designs: the one that a variable of the environment names, or else this one.
pub fn count(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |count| count.parse().expect("a number"))
}

/// Runs a design interpreted, as one function of machine code, and in units; returns what all of them do.
///
/// # Panics
/// If they do not do the same, or if the design has faults or cannot be compiled.
pub fn run_alike<T: PartialEq + Debug>(
    seed: u64,
    text: &str,
    run: impl Fn(Simulator, u64) -> T,
) -> T {
    let simulator = Simulator::new(build(seed, text));
    let expected = run(simulator.clone(), seed);
    let mut compiled = simulator.clone();
    assert!(compiled.compile(), "design {seed} is not compiled");
    assert_eq!(run(compiled, seed), expected, "design {seed}\n{text}");
    let mut units = simulator;
    assert!(units.compile_units(), "design {seed} is not divided");
    assert_eq!(run(units, seed), expected, "design {seed} in units\n{text}");
    expected
}

fn build(seed: u64, text: &str) -> Arc<Netlist> {
    let model = load(&Source::new("random.fdl", text)).unwrap_or_else(|list| {
        let messages: Vec<String> = list.iter().map(|wrong| wrong.render(false)).collect();
        panic!("design {seed}: {}\n{text}", messages.join("\n"))
    });
    Arc::new(netlist(&model, None).expect("a top"))
}
