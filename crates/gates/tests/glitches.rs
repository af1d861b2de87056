//! The simulator with delays on random netlists against an event-driven one: values, and energies with all glitches.

mod drawn;

use std::collections::{BTreeMap, BTreeSet};

use cocrypt_diag::Source;
use cocrypt_gates::sim::{Delays, Energy, Instructions, Program, Simulator, Word};
use cocrypt_gates::{Instance, Library, Net, Netlist, Port, Wires};
use drawn::{COMPARED, CYCLES, WIRES, library, netlist, set, stimulus, weights};
use proptest::prelude::*;

/// A simulation of one run that has a queue of events: values that reach pins.
struct Events<'a> {
    library: &'a Library,
    netlist: &'a Netlist,
    delays: &'a Delays,
    weights: Vec<u64>,
    /// The readers of each net: instances with the pins.
    readers: Vec<Vec<(usize, usize)>>,
    values: Vec<bool>,
    /// The value that each pin of an instance sees.
    seen: Vec<Vec<bool>>,
    states: Vec<bool>,
    /// By moment the pins that change, and what they see then.
    queue: BTreeMap<u32, Vec<(usize, usize, bool)>>,
    energy: u64,
}

impl<'a> Events<'a> {
    fn new(library: &'a Library, netlist: &'a Netlist, delays: &'a Delays) -> Self {
        let mut readers = vec![vec![]; netlist.nets.len()];
        for (index, instance) in netlist.instances.iter().enumerate() {
            for pin in library.cells[instance.cell].inputs() {
                readers[instance.pins[pin].unwrap()].push((index, pin));
            }
        }
        let seen = netlist.instances.iter().map(|instance| vec![false; instance.pins.len()]);
        let mut new = Self {
            library,
            netlist,
            delays,
            weights: weights(library, netlist),
            readers,
            values: vec![false; netlist.nets.len()],
            seen: seen.collect(),
            states: vec![false; netlist.instances.len()],
            queue: BTreeMap::new(),
            energy: 0,
        };
        // All gates see zeros, and none has its value yet.
        new.change(0, 1, true);
        for index in 0..netlist.instances.len() {
            new.evaluate(0, index);
        }
        new.run();
        new
    }

    fn output(&self, index: usize) -> usize {
        self.library.cells[self.netlist.instances[index].cell].outputs().next().unwrap()
    }

    fn is_register(&self, index: usize) -> bool {
        self.library.cells[self.netlist.instances[index].cell].register.is_some()
    }

    /// A net changes: its readers see it after their delays.
    fn change(&mut self, moment: u32, net: Net, value: bool) {
        if self.values[net] == value {
            return;
        }
        self.values[net] = value;
        self.energy += self.weights[net];
        for &(index, pin) in &self.readers[net] {
            if !self.is_register(index) {
                let ticks = self.delays.ticks(index, self.output(index), pin).unwrap();
                self.queue.entry(moment + ticks).or_default().push((index, pin, value));
            }
        }
    }

    fn evaluate(&mut self, moment: u32, index: usize) {
        let instance = &self.netlist.instances[index];
        let cell = &self.library.cells[instance.cell];
        let output = self.output(index);
        let value = if self.is_register(index) {
            self.states[index]
        } else {
            let function = cell.pins[output].function.as_ref().unwrap();
            let pins = function.inputs.iter().map(|name| cell.pin(name).unwrap());
            let bits = pins.enumerate().map(|(bit, pin)| usize::from(self.seen[index][pin]) << bit);
            function.value(bits.sum())
        };
        self.change(moment, instance.pins[output].unwrap(), value);
    }

    fn run(&mut self) {
        while let Some((moment, events)) = self.queue.pop_first() {
            let mut woken = BTreeSet::new();
            for (index, pin, value) in events {
                self.seen[index][pin] = value;
                woken.insert(index);
            }
            for index in woken {
                self.evaluate(moment, index);
            }
        }
    }

    /// A cycle with these inputs: registers show what they took at its edge; returns its energy.
    fn cycle(&mut self, inputs: u64) -> u64 {
        self.energy = 0;
        for (bit, &net) in self.netlist.ports[1].bits.iter().enumerate() {
            self.change(0, net, inputs >> bit & 1 == 1);
        }
        let registers: Vec<_> =
            (0..self.states.len()).filter(|&index| self.is_register(index)).collect();
        for index in registers {
            let cell = &self.library.cells[self.netlist.instances[index].cell];
            let clock = cell.pin("CLK").unwrap();
            let ticks = self.delays.ticks(index, self.output(index), clock).unwrap();
            self.queue.entry(ticks).or_default().push((index, clock, true));
        }
        self.run();
        self.energy
    }

    fn clock(&mut self) {
        for (state, instance) in self.states.iter_mut().zip(&self.netlist.instances) {
            let cell = &self.library.cells[instance.cell];
            if cell.register.is_some() {
                *state = self.values[instance.pins[cell.pin("D").unwrap()].unwrap()];
            }
        }
    }
}

/// Compares all lanes of a simulation with events, and its values with a simulation without delays.
fn compare(library: &Library, netlist: &Netlist, delays: &Delays, seed: u64) {
    let program = Program::new(netlist, library, delays).unwrap();
    let settled = Program::new(netlist, library, &Delays::NONE).unwrap();
    let energy = Energy::new(netlist, library, &program, &WIRES, (0.0, 0));
    let quiet = Energy::new(netlist, library, &settled, &WIRES, (0.0, 0));
    assert_eq!(energy.weights, quiet.weights);
    for with in Instructions::available() {
        let mut lanes = Simulator::new(&program, Some(&energy), with);
        let mut without = Simulator::new(&settled, Some(&quiet), with);
        let mut runs = COMPARED.map(|_| Events::new(library, netlist, delays));
        for cycle in 0..CYCLES {
            for simulator in [&mut lanes, &mut without] {
                set(simulator, netlist, seed, cycle);
                simulator.settle();
            }
            for net in 0..netlist.nets.len() {
                assert_eq!(lanes.value(net), without.value(net), "{with:?} {cycle}");
            }
            // A glitch is two changes, so that it only adds.
            let pairs = lanes.energies().iter().zip(without.energies());
            assert!(pairs.into_iter().all(|(all, settled)| all >= settled));
            for (lane, run) in COMPARED.into_iter().zip(&mut runs) {
                let expected = run.cycle(stimulus(seed, lane, cycle));
                let found = (0..netlist.nets.len()).map(|net| lanes.value(net).lane(lane));
                assert!(found.eq(run.values.iter().copied()), "{with:?} {lane} {cycle}");
                assert_eq!(lanes.energies()[lane], expected, "{with:?} {lane} {cycle}");
                run.clock();
            }
            lanes.clock();
            without.clock();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_netlists_glitch_as_a_queue_of_events_finds(
        picks in prop::collection::vec((any::<usize>(), any::<[usize; 4]>()), 1..100),
        seed in any::<u64>(),
        tick in 5_u32..200,
    ) {
        let library = library();
        let netlist = netlist(&library, &picks);
        compare(&library, &netlist, &Delays::UNIT, seed);
        let tick = f64::from(tick) * 1e-12;
        let delays = Delays::library(&netlist, &library, &WIRES, tick).unwrap();
        compare(&library, &netlist, &delays, seed);
    }
}

/// A netlist of one input `a` and these gates, each with its cell, the nets at its inputs, and its own net.
fn written(library: &Library, gates: &[(&str, &[Net])]) -> Netlist {
    let mut netlist = Netlist::new("written");
    let input = netlist.net("a".to_owned());
    netlist.ports.push(Port { name: "a".to_owned(), is_output: false, bits: vec![input] });
    for (name, from) in gates {
        let index = library.cell(name).unwrap();
        let cell = &library.cells[index];
        let mut pins = vec![None; cell.pins.len()];
        cell.inputs().zip(*from).for_each(|(pin, &net)| pins[pin] = Some(net));
        let output = netlist.net(format!("y{}", netlist.instances.len()));
        cell.outputs().for_each(|pin| pins[pin] = Some(output));
        netlist.instances.push(Instance { name: (*name).to_owned(), cell: index, pins });
    }
    netlist
}

/// The energies of cycles in which the input has these values.
fn energies(library: &Library, netlist: &Netlist, delays: &Delays, inputs: &[bool]) -> Vec<u64> {
    let program = Program::new(netlist, library, delays).unwrap();
    let energy = Energy::new(netlist, library, &program, &WIRES, (0.0, 0));
    let mut simulator = Simulator::new(&program, Some(&energy), Instructions::widest());
    let cycle = |&input: &bool| {
        simulator
            .set(netlist.ports[0].bits[0], if input { Word([u64::MAX; 8]) } else { Word::ZERO });
        simulator.settle();
        simulator.energies()[7]
    };
    inputs.iter().map(cycle).collect()
}

#[test]
fn a_gate_sees_an_input_before_its_complement() {
    let library = library();
    // 2 is the input, 3 its complement, and 4 is always 1 once all have settled.
    let netlist = written(&library, &[("INVX1", &[2]), ("NAND2X1", &[2, 3])]);
    let weights = weights(&library, &netlist);
    let found = energies(&library, &netlist, &Delays::UNIT, &[true, false, true, true]);
    let pulse = weights[3] + 2 * weights[4];
    assert_eq!(found, [pulse, weights[3], pulse, 0]);
    let quiet = energies(&library, &netlist, &Delays::NONE, &[true, false, true, true]);
    assert_eq!(quiet, [weights[3], weights[3], weights[3], 0]);
}

#[test]
fn a_chain_has_no_glitches() {
    let library = library();
    let gates: Vec<_> = (2..40).map(|net| ("INVX1", vec![net])).collect();
    let gates: Vec<_> = gates.iter().map(|(name, from)| (*name, &from[..])).collect();
    let netlist = written(&library, &gates);
    let inputs = [true, false, false, true];
    let settled = energies(&library, &netlist, &Delays::NONE, &inputs);
    let delays = Delays::library(&netlist, &library, &WIRES, 1e-12).unwrap();
    for delays in [Delays::UNIT, delays] {
        assert_eq!(energies(&library, &netlist, &delays, &inputs), settled);
    }
}

#[test]
fn too_many_moments_are_refused() {
    let library = library();
    // Behind n gates with delays of 30, 80 and 170 ps there are about 14 n moments.
    let gates: Vec<_> = (2..1000).map(|net| [net; 3]).collect();
    let gates: Vec<_> = gates.iter().map(|from| ("ODD", &from[..])).collect();
    let netlist = written(&library, &gates);
    let delays = Delays::library(&netlist, &library, &Wires::default(), 1e-12).unwrap();
    assert_eq!(Program::new(&netlist, &library, &delays).unwrap_err().code, "gates.moments");
    assert!(Program::new(&netlist, &library, &Delays::UNIT).is_ok());
}

#[test]
fn delays_that_the_library_lacks_are_refused() {
    let text = r#"library (bare) { cell (BARE) { area : 1;
        pin (A) { direction : input; capacitance : 0.01; }
        pin (Y) { direction : output; function : "!A"; }
    } }"#;
    let library = Library::read(&Source::new("bare.lib", text)).unwrap();
    let netlist = written(&library, &[("BARE", &[2])]);
    let delays = Delays::library(&netlist, &library, &WIRES, 1e-12).unwrap();
    assert_eq!(Program::new(&netlist, &library, &delays).unwrap_err().code, "gates.delay");
}
