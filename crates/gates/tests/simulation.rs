//! The simulator on random netlists against a scalar one: values, toggles and energies, for each set of vector
//! instructions of the host.

mod drawn;

use cocrypt_gates::sim::{Delays, Energy, Instructions, Program, Simulator, random_spread};
use cocrypt_gates::{Instance, Library, Net, Netlist, Port};
use drawn::{COMPARED, CYCLES, WIRES, library, netlist, set, stimulus, weights};
use proptest::prelude::*;

/// The values of all nets in each cycle of one run, from the truth tables.
fn scalar(library: &Library, netlist: &Netlist, inputs: &[u64; CYCLES]) -> Vec<Vec<bool>> {
    let order = netlist.order(library).unwrap();
    let mut values = vec![false; netlist.nets.len()];
    values[1] = true;
    let mut states = vec![false; netlist.instances.len()];
    let mut rows = vec![];
    // The first row is that of inputs and registers at 0.
    for inputs in [0].iter().chain(inputs) {
        for (bit, &net) in netlist.ports[1].bits.iter().enumerate() {
            values[net] = inputs >> bit & 1 == 1;
        }
        for &index in &order {
            let instance = &netlist.instances[index];
            let cell = &library.cells[instance.cell];
            let output = cell.outputs().next().unwrap();
            let net = instance.pins[output].unwrap();
            values[net] = match (&cell.register, &cell.pins[output].function) {
                (None, Some(function)) => {
                    let pin =
                        |name: &String| values[instance.pins[cell.pin(name).unwrap()].unwrap()];
                    let row = function.inputs.iter().enumerate();
                    function
                        .value(row.fold(0, |row, (bit, name)| row | usize::from(pin(name)) << bit))
                }
                _ => states[index],
            };
        }
        if !rows.is_empty() {
            for (state, instance) in states.iter_mut().zip(&netlist.instances) {
                let cell = &library.cells[instance.cell];
                if cell.register.is_some() {
                    *state = values[instance.pins[cell.pin("D").unwrap()].unwrap()];
                }
            }
        }
        rows.push(values.clone());
    }
    rows
}

/// Loops have the values of all nets, machine code those of ports; both have the energies of the scalar simulator.
fn compare(library: &Library, netlist: &Netlist, seed: u64) {
    let program = Program::new(netlist, library, &Delays::NONE).unwrap();
    let energy = Energy::new(netlist, library, &program, &WIRES, (0.0, 0));
    assert_eq!(energy.weights, weights(library, netlist));
    // Weights with many different bits.
    let uneven = Energy::new(netlist, library, &program, &WIRES, (0.3, seed));
    let all: Vec<_> = (0..netlist.nets.len()).collect();
    let ports: Vec<_> = netlist.ports.iter().flat_map(|port| port.bits.clone()).collect();
    let input = |lane, cycle| stimulus(seed, lane, cycle);
    let expected = COMPARED
        .map(|lane| scalar(library, netlist, &std::array::from_fn(|cycle| input(lane, cycle))));
    for with in Instructions::available() {
        for energy in [&energy, &uneven] {
            let mut coded = energy.clone();
            assert_eq!(coded.compile(netlist, &program, with), with.has_ternary());
            for (energy, nets) in [(energy, &all), (&coded, &ports)] {
                let mut simulator = Simulator::new(&program, Some(energy), with);
                for cycle in 0..CYCLES {
                    set(&mut simulator, netlist, seed, cycle);
                    simulator.settle();
                    for (lane, rows) in COMPARED.into_iter().zip(&expected) {
                        let (old, new) = (&rows[cycle], &rows[cycle + 1]);
                        let value = |net: Net| simulator.value(net).lane(lane);
                        let is_equal = nets.iter().all(|&net| value(net) == new[net]);
                        assert!(is_equal, "{with:?} {lane} {cycle}");
                        let toggled = (0..new.len()).filter(|&net| old[net] != new[net]);
                        let sum: u64 = toggled.map(|net| energy.weights[net]).sum();
                        assert_eq!(simulator.energies()[lane], sum, "{with:?} {lane} {cycle}");
                    }
                    simulator.clock();
                }
            }
        }
    }
}

/// A program of ports alone has the values at ports that the whole one has.
fn compare_ports(library: &Library, netlist: &Netlist, seed: u64) {
    let program = Program::new(netlist, library, &Delays::NONE).unwrap();
    let ports = netlist.ports.iter().flat_map(|port| &port.bits);
    let nets: Vec<Net> = ports.copied().collect();
    for with in Instructions::available() {
        let alone = Program::of_ports(netlist, library, with).unwrap();
        assert!(alone.functions <= 2 * program.gates && alone.gates == program.gates);
        let mut simulators = [&program, &alone].map(|program| Simulator::new(program, None, with));
        for cycle in 0..CYCLES {
            let [whole, alone] = simulators.each_mut().map(|simulator| {
                set(simulator, netlist, seed, cycle);
                simulator.settle();
                nets.iter().map(|&net| simulator.value(net)).collect::<Vec<_>>()
            });
            assert_eq!(whole, alone, "{with:?} {cycle}");
            simulators.iter_mut().for_each(Simulator::clock);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_netlists_are_as_a_scalar_simulator_finds_them(
        picks in prop::collection::vec((any::<usize>(), any::<[usize; 4]>()), 1..120),
        seed in any::<u64>(),
    ) {
        let library = library();
        let netlist = netlist(&library, &picks);
        compare(&library, &netlist, seed);
        compare_ports(&library, &netlist, seed);
    }
}

#[test]
fn toggles_of_many_gates_are_counted_in_parts() {
    let library = library();
    let pick = |pick: usize| (pick, [pick.wrapping_mul(7919), pick / 2, pick * 31, pick + 3]);
    let picks: Vec<_> = (0..9000).map(pick).collect();
    compare(&library, &netlist(&library, &picks), 5);
}

#[test]
fn wires_that_differ_do_so_by_their_seed() {
    let library = library();
    let picks: Vec<_> = (0..200).map(|pick| (pick, [pick + 3, 2 * pick, pick + 1, 5])).collect();
    let netlist = netlist(&library, &picks);
    let program = Program::new(&netlist, &library, &Delays::NONE).unwrap();
    let weights = |mismatch, seed| {
        Energy::new(&netlist, &library, &program, &WIRES, (mismatch, seed)).weights
    };
    assert_eq!(weights(0.15, 1), weights(0.15, 1));
    assert_ne!(weights(0.15, 1), weights(0.15, 2));
    assert_eq!(weights(0.0, 1), weights(0.0, 2));
    // 200 draws of a deviation of 15 % of wires of at least 5 fF have a mean within 4 standard errors.
    let (exact, drawn) = (weights(0.0, 1), weights(0.15, 1));
    let sum = |weights: &[u64]| weights.iter().sum::<u64>() as f64;
    assert!((sum(&drawn) / sum(&exact) - 1.0).abs() < 4.0 * 0.15 / 200_f64.sqrt());
}

#[test]
fn energies_do_not_depend_on_threads() {
    let library = library();
    let picks: Vec<_> = (0..60).map(|pick| (pick, [pick, pick + 7, pick + 2, pick + 9])).collect();
    let netlist = netlist(&library, &picks);
    let program = Program::new(&netlist, &library, &Delays::NONE).unwrap();
    let energy = Energy::new(&netlist, &library, &program, &WIRES, (0.0, 0));
    let spread = |seed, workers| random_spread(&netlist, &program, &energy, (4, 19, seed), workers);
    for workers in [0, 2, 3, 7] {
        assert_eq!(spread(1, workers), spread(1, 1), "{workers}");
    }
    assert_ne!(spread(1, 2), spread(2, 2));
    let mut coded = energy.clone();
    coded.compile(&netlist, &program, Instructions::widest());
    assert_eq!(random_spread(&netlist, &program, &coded, (4, 19, 1), 2), spread(1, 1));
    assert!(spread(1, 1).mean > energy.clock as f64 && energy.clock > 0);
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_panic_of_a_thread_is_not_lost() {
    let library = library();
    let picks: Vec<_> = (0..60).map(|pick| (pick, [pick, pick + 7, pick + 2, pick + 9])).collect();
    let (small, mut large) = (netlist(&library, &picks), netlist(&library, &picks));
    let program = Program::new(&small, &library, &Delays::NONE).unwrap();
    let energy = Energy::new(&small, &library, &program, &WIRES, (0.0, 0));
    // The program has no slot for this input.
    let net = large.net("more".to_owned());
    large.ports.push(Port { name: "more".to_owned(), is_output: false, bits: vec![net] });
    let _ = random_spread(&large, &program, &energy, (1, 2, 1), 2);
}

#[test]
fn a_toggle_weighs_the_mean_of_both_edges() {
    let library = library();
    let inverter = library.cell("INVX1").unwrap();
    let odd = library.cell("ODD").unwrap();
    let mut netlist = Netlist::new("edges");
    let nets: Vec<_> = ["a", "b", "y"].map(|name| netlist.net(name.to_owned())).to_vec();
    let mut connect = |cell: usize, wanted: &[(&str, Net)]| {
        let mut pins = vec![None; library.cells[cell].pins.len()];
        for (name, net) in wanted {
            pins[library.cells[cell].pin(name).unwrap()] = Some(*net);
        }
        netlist.instances.push(Instance { name: String::new(), cell, pins });
    };
    connect(inverter, &[("A", nets[0]), ("Y", nets[1])]);
    connect(odd, &[("A", 0), ("B", 1), ("C", nets[1]), ("Y", nets[2])]);
    netlist.ports.push(Port { name: "a".to_owned(), is_output: false, bits: vec![nets[0]] });
    let program = Program::new(&netlist, &library, &Delays::NONE).unwrap();
    let energy = Energy::new(&netlist, &library, &program, &WIRES, (0.0, 0));
    // 5 fF of wire, 3 fF of a pin, and 11 fF between 14 and 8, in tenths of femtofarads.
    assert_eq!(energy.weights[nets[1]], 50 + 30 + 110);
}
