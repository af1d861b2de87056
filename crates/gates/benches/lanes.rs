//! Gate-lane evaluations per second on one core, for each set of vector instructions, with and without energies.
//!
//! `cargo bench -p cocrypt-gates`. The netlist has 20,000 random gates of two to four inputs in levels of 500.

use std::time::Instant;

use cocrypt_diag::Source;
use cocrypt_gates::sim::{Delays, Energy, Instructions, LANES, Program, Simulator, Word};
use cocrypt_gates::{Instance, Library, Netlist, Port, Wires};

const TEXT: &str = include_str!("../../../cells/generic180.lib");
const GATES: usize = 20_000;
const LEVEL: usize = 500;
const KINDS: [&str; 6] = ["NAND2X1", "NOR2X1", "XOR2X1", "AOI21X1", "OAI22X1", "MUX2X1"];
/// Cycles that are timed, and how often; the quickest counts.
const CYCLES: usize = 200;
const ROUNDS: usize = 5;

/// A generator of Knuth's (MMIX), enough for choosing inputs.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

fn netlist(library: &Library) -> Netlist {
    let mut netlist = Netlist::new("random");
    let bits: Vec<_> = (0..LEVEL).map(|bit| netlist.net(format!("a[{bit}]"))).collect();
    let mut level = bits.clone();
    netlist.ports.push(Port { name: "a".to_owned(), is_output: false, bits });
    let mut state = 1;
    while netlist.instances.len() < GATES {
        let start = netlist.nets.len();
        for _ in 0..LEVEL {
            let kind = library.cell(KINDS[random(&mut state, KINDS.len())]).expect("a cell");
            let cell = &library.cells[kind];
            let mut pins = vec![None; cell.pins.len()];
            cell.inputs().for_each(|pin| pins[pin] = Some(level[random(&mut state, LEVEL)]));
            let output = netlist.net(String::new());
            cell.outputs().for_each(|pin| pins[pin] = Some(output));
            netlist.instances.push(Instance { name: String::new(), cell: kind, pins });
        }
        level = (start..netlist.nets.len()).collect();
    }
    netlist.ports.push(Port { name: "y".to_owned(), is_output: true, bits: level });
    netlist
}

/// Gate-lane evaluations per second.
fn speed(program: &Program, input: &Port, energy: Option<&Energy>, with: Instructions) -> f64 {
    let mut simulator = Simulator::new(program, energy, with);
    let mut state = 1;
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CYCLES {
            for &net in &input.bits {
                let word = random(&mut state, usize::MAX) as u64;
                simulator.set(net, Word([word.wrapping_mul(0x9e37_79b9_7f4a_7c15); LANES / 64]));
            }
            simulator.settle();
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    (program.gates * LANES * CYCLES) as f64 / fastest
}

fn main() {
    let library = Library::read(&Source::new("generic180.lib", TEXT)).expect("a library");
    let netlist = netlist(&library);
    let program = Program::new(&netlist, &library, &Delays::NONE).expect("gates without loops");
    let wires = Wires { base: 5e-15, fanout: 3e-15, output: 0.0 };
    let energy = Energy::new(&netlist, &library, &program, &wires, (0.0, 0));
    println!("{:>10} {:>16} {:>16}", "", "values", "with energies");
    for with in Instructions::available() {
        let values = speed(&program, &netlist.ports[0], None, with) / 1e9;
        let energies = speed(&program, &netlist.ports[0], Some(&energy), with) / 1e9;
        println!("{:>10} {values:>12.1} G/s {energies:>12.1} G/s", format!("{with:?}"));
    }
}
