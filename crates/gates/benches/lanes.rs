//! Gate-lane evaluations per second on one core, for each set of vector instructions: with the values of ports alone,
//! of all nets, with energies, and with energies by machine code, which AVX-512 alone has.
//!
//! `cargo bench -p cocrypt-gates [-- NETLIST.json…]`. Netlists have random gates of two to four inputs: 2,000, whose
//! values stay in the cache of the first level, and 20,000, whose values do not; those of files come before.

use std::time::Instant;

use cocrypt_diag::Source;
use cocrypt_gates::sim::{Delays, Energy, Instructions, LANES, Program, Simulator, Word};
use cocrypt_gates::{Instance, Library, Net, Netlist, Port, Wires};

const TEXT: &str = include_str!("../../../cells/generic180.lib");
/// Gates and those of a level.
const SIZES: [(usize, usize); 2] = [(2_000, 100), (20_000, 500)];
const KINDS: [&str; 6] = ["NAND2X1", "NOR2X1", "XOR2X1", "AOI21X1", "OAI22X1", "MUX2X1"];
/// Evaluations that are timed together, and how often; the quickest counts. They take a few milliseconds, as other
/// programs seldom let a longer time pass.
const TIMED: usize = 1_000_000;
const ROUNDS: usize = 200;

/// A generator of Knuth's (MMIX), enough for choosing inputs.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

fn netlist(library: &Library, gates: usize, width: usize) -> Netlist {
    let mut netlist = Netlist::new("random");
    let bits: Vec<_> = (0..width).map(|bit| netlist.net(format!("a[{bit}]"))).collect();
    let mut level = bits.clone();
    netlist.ports.push(Port { name: "a".to_owned(), is_output: false, bits });
    let mut state = 1;
    while netlist.instances.len() < gates {
        let start = netlist.nets.len();
        for _ in 0..width {
            let kind = library.cell(KINDS[random(&mut state, KINDS.len())]).expect("a cell");
            let cell = &library.cells[kind];
            let mut pins = vec![None; cell.pins.len()];
            cell.inputs().for_each(|pin| pins[pin] = Some(level[random(&mut state, width)]));
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
fn speed(program: &Program, inputs: &[Net], energy: Option<&Energy>, with: Instructions) -> f64 {
    let mut simulator = Simulator::new(program, energy, with);
    let cycles = (TIMED / program.gates).max(1);
    let mut state = 1;
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..cycles {
            for &net in inputs {
                let word = random(&mut state, usize::MAX) as u64;
                simulator.set(net, Word([word.wrapping_mul(0x9e37_79b9_7f4a_7c15); LANES / 64]));
            }
            simulator.settle();
            simulator.clock();
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    (program.gates * LANES * cycles) as f64 / fastest
}

fn show(name: &str, library: &Library, netlist: &Netlist) {
    let program = Program::new(netlist, library, &Delays::NONE).expect("gates without loops");
    let wires = Wires { base: 5e-15, fanout: 3e-15, output: 0.0 };
    let energy = Energy::new(netlist, library, &program, &wires, (0.0, 0));
    let ports = netlist.ports.iter().filter(|port| !port.is_output);
    let bits = ports.flat_map(|port| port.bits.iter().copied());
    let inputs: Vec<_> = bits.filter(|&net| Some(net) != program.clock).collect();
    println!("{name}: {} gates", program.gates);
    println!("{:>10} {:>12} {:>12} {:>12} {:>12}", "", "ports", "all nets", "energies", "as code");
    for with in Instructions::available() {
        let ports = Program::of_ports(netlist, library, with).expect("gates without loops");
        let ports = speed(&ports, &inputs, None, with);
        let values = speed(&program, &inputs, None, with);
        let energies = speed(&program, &inputs, Some(&energy), with);
        let mut coded = energy.clone();
        let coded = coded
            .compile(netlist, &program, with)
            .then(|| speed(&program, &inputs, Some(&coded), with));
        let [ports, values, energies, coded] =
            [Some(ports), Some(values), Some(energies), coded].map(figure);
        println!("{:>10} {ports:>12} {values:>12} {energies:>12} {coded:>12}", format!("{with:?}"));
    }
}

fn figure(speed: Option<f64>) -> String {
    speed.map_or("-".to_owned(), |speed| format!("{:.1} G/s", speed / 1e9))
}

fn main() {
    let library = Library::read(&Source::new("generic180.lib", TEXT)).expect("a library");
    for path in std::env::args().skip(1).filter(|word| !word.starts_with("--")) {
        let text = std::fs::read_to_string(&path).expect("a file");
        show(&path, &library, &Netlist::from_json(&text, &library).expect("a netlist"));
    }
    for (gates, width) in SIZES {
        show("random", &library, &netlist(&library, gates, width));
    }
}
