//! The speed of the simulator on the busy modular arithmetic processor, in cycles per second.
//!
//! `cargo bench -p cocrypt-fdl`.

use std::sync::Arc;
use std::time::Instant;

use cocrypt_diag::Source;
use cocrypt_rtl::Simulator;

/// p of secp160r1, and two numbers below it.
const MODULUS: [u64; 6] = [0x7fff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0];
const LEFT: [u64; 6] = [0x13cb_fc82, 0x68c3_8bb9, 0x4664_6989, 0x8ef5_7328, 0x4a96_b568, 0];
const RIGHT: [u64; 6] = [0x7ac5_fb32, 0x0431_6877, 0x5913_1255, 0x3dcc_7a5f, 0x23a6_2855, 0];

/// Operations that are timed together, and how often; the quickest counts.
const OPERATIONS: usize = 100;
const RUNS: usize = 20;

fn transfer(simulator: &mut Simulator, address: u64, value: u64) {
    for (name, value) in [("address", address), ("wdata", value), ("write", 1)] {
        if let Some(port) = simulator.input(name) {
            simulator.set_input(port, value);
        }
    }
    simulator.step();
    for name in ["address", "wdata", "write"] {
        if let Some(port) = simulator.input(name) {
            simulator.set_input(port, 0);
        }
    }
}

fn processor() -> Simulator {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../coprocessors/map/map.fdl");
    let text = std::fs::read_to_string(path).expect("the design is in the repository");
    let model = cocrypt_fdl::load(&Source::new(path, &text)).expect("the design is right");
    let netlist = cocrypt_fdl::netlist(&model, Some("map")).expect("the design has a `map`");
    Simulator::new(Arc::new(netlist))
}

/// One whole operation: 18 operand words, start, and all cycles until it is done. Returns the cycles.
fn operation(simulator: &mut Simulator, opcode: u64) -> u64 {
    let begin = simulator.cycle();
    for (base, words) in [(0x40, RIGHT), (0x60, LEFT), (0x80, MODULUS)] {
        for (index, word) in (0..).zip(words) {
            transfer(simulator, base + 4 * index, word);
        }
    }
    transfer(simulator, 0, 4 | opcode);
    while simulator.step() {}
    simulator.cycle() - begin
}

/// Cycles per second.
fn speed(opcode: u64) -> f64 {
    let mut simulator = processor();
    let mut timed = || {
        let start = Instant::now();
        let cycles: u64 = (0..OPERATIONS).map(|_| operation(&mut simulator, opcode)).sum();
        f64::from(cycles as u32) / start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| timed()).fold(0.0, f64::max)
}

fn main() {
    for (name, opcode) in [("multiply", 2), ("divide", 3)] {
        println!("{name:>10} {:>8.1} M/s", speed(opcode) / 1e6);
    }
}
