//! Random netlists over a small library, their stimuli, and the weights of their nets.

#![allow(dead_code, reason = "each test uses its part")]

use cocrypt_diag::Source;
use cocrypt_gates::sim::{Simulator, UNIT, Word};
use cocrypt_gates::{Instance, Library, Netlist, Port, Wires, loads};

pub const TEXT: &str = include_str!("../../../../cells/generic180.lib");
pub const WIRES: Wires = Wires { base: 5e-15, fanout: 3e-15, output: 20e-15 };
pub const CYCLES: usize = 6;
/// Lanes that are compared: at both ends of the words.
pub const COMPARED: [usize; 4] = [0, 1, 64, 511];

pub fn library() -> Library {
    // A function that has no operation of its own is expanded. Its input C has edges of different capacitances, whose
    // mean is another number than that of both.
    let cell = r#"cell (ODD) { area : 9;
        pin (A) { direction : input; capacitance : 0.01; }
        pin (B) { direction : input; capacitance : 0.01; }
        pin (C) { direction : input; capacitance : 0.01; rise_capacitance : 0.014; fall_capacitance : 0.008; }
        pin (Y) { direction : output; function : "A ^ B ^ C"; TIMING }
    } }"#;
    // Each input has a delay of its own.
    let timing = [("A", 0.03), ("B", 0.08), ("C", 0.17)].map(|(pin, delay)| {
        let groups = ["cell_rise", "cell_fall", "rise_transition", "fall_transition"]
            .map(|name| format!(r#"{name} (scalar) {{ values ("{delay}"); }}"#));
        format!(
            r#"timing () {{ related_pin : "{pin}"; timing_sense : non_unate; {} }}"#,
            groups.concat()
        )
    });
    let cell = cell.replace("TIMING", &timing.concat());
    let text = format!("{}{cell}", TEXT.trim_end().trim_end_matches('}'));
    Library::read(&Source::new("test.lib", &text)).unwrap()
}

/// A netlist whose gates and registers are picked by numbers.
pub fn netlist(library: &Library, picks: &[(usize, [usize; 4])]) -> Netlist {
    let mut netlist = Netlist::new("random");
    let clock = netlist.net("clk".to_owned());
    let inputs: Vec<_> = (0..8).map(|bit| netlist.net(format!("a[{bit}]"))).collect();
    let mut known = vec![0, 1];
    known.extend(&inputs);
    netlist.ports.push(Port { name: "clk".to_owned(), is_output: false, bits: vec![clock] });
    netlist.ports.push(Port { name: "a".to_owned(), is_output: false, bits: inputs });
    let usable: Vec<_> =
        (0..library.cells.len()).filter(|&cell| library.cells[cell].name != "DFFRX1").collect();
    for (number, (kind, from)) in picks.iter().enumerate() {
        let index = usable[kind % usable.len()];
        let cell = &library.cells[index];
        let mut pins = vec![None; cell.pins.len()];
        for (pin, from) in cell.inputs().zip(from) {
            let is_clock = cell.pins[pin].name == "CLK";
            pins[pin] = Some(if is_clock { clock } else { known[from % known.len()] });
        }
        let output = netlist.net(format!("n[{number}]"));
        cell.outputs().for_each(|pin| pins[pin] = Some(output));
        known.push(output);
        netlist.instances.push(Instance { name: format!("g{number}"), cell: index, pins });
    }
    let last = known.iter().rev().take(4).copied().collect();
    netlist.ports.push(Port { name: "y".to_owned(), is_output: true, bits: last });
    netlist
}

/// The weight of each net that a gate drives, as the wires' model says: the mean of both edges.
pub fn weights(library: &Library, netlist: &Netlist) -> Vec<u64> {
    let drivers = netlist.drivers(library);
    let loads = loads(netlist, library, &WIRES);
    (0..netlist.nets.len())
        .map(|net| {
            drivers[net]
                .map_or(0, |_| (f64::midpoint(loads[net][0], loads[net][1]) / UNIT).round() as u64)
        })
        .collect()
}

/// The inputs of a lane in a cycle.
pub fn stimulus(seed: u64, lane: usize, cycle: usize) -> u64 {
    (seed ^ (lane * 31 + cycle) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// Sets the inputs of all lanes for a cycle.
pub fn set(simulator: &mut Simulator, netlist: &Netlist, seed: u64, cycle: usize) {
    for (bit, &net) in netlist.ports[1].bits.iter().enumerate() {
        let mut word = Word::ZERO;
        (0..512).for_each(|lane| word.set(lane, stimulus(seed, lane, cycle) >> bit & 1 == 1));
        simulator.set(net, word);
    }
}
