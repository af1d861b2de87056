//! The energy of toggles: the capacitance of each net as an integer weight.
//!
//! Toggles of nets that have the same weight are counted first, so that each is added once, and not as often as its
//! weight has bits.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use cocrypt_simd::Instructions;

use super::energy_code::EnergyCode;
use super::kernel::{COUNTED, Count, Group, LANES, Lanes, Scratch, Settle, Sum, Word};
use super::program::{Program, Run};
use crate::liberty::Library;
use crate::netlist::Netlist;
use crate::wires::{Wires, loads};

/// The capacitance of a weight of 1, farads: a tenth of a femtofarad.
pub const UNIT: f64 = 1e-16;

/// Gates whose toggles are counted together, so that these are still in the host's caches: 128 KiB.
const PART: usize = 2048;

/// Cycles of simulations behind which machine code has saved the time of its compilation.
pub const WORTHWHILE: usize = 2000;

/// Weights of the nets that cells drive. A toggle of a net takes half of its capacitance times the square of
/// the supply.
#[derive(Clone, Debug)]
pub struct Energy {
    /// The weight of each net, in `UNIT`; 0 for inputs of the design.
    pub weights: Vec<u64>,
    /// The weight of the clock's two edges, the same in each cycle.
    pub clock: u64,
    sums: Sums,
    /// The same as machine code, if it was asked for.
    code: Option<Arc<EnergyCode>>,
}

/// How toggles become sums.
#[derive(Clone, Debug)]
struct Sums {
    parts: Vec<Part>,
    /// Places for the toggles of a part, behind place 0, which never toggles. Planes of the groups' counts follow.
    places: usize,
    /// The number of planes of all groups.
    planes: usize,
    /// Places by the bits of their weights, each column with an even number: those of planes, and of toggles that are
    /// not counted before they are weighed, if there is one part.
    columns: Vec<Vec<u32>>,
}

/// Consecutive runs of a program, whose toggles are counted before those of the next ones take their places.
#[derive(Clone, Debug)]
struct Part {
    runs: Range<usize>,
    /// The slots of their outputs.
    slots: Range<usize>,
    groups: Vec<Group>,
}

impl Energy {
    /// The energy of a program's nets. Wires differ from their model by a normal distribution of the relative
    /// deviation `mismatch`, drawn with `seed`.
    #[must_use]
    pub fn new(
        netlist: &Netlist,
        library: &Library,
        program: &Program,
        wires: &Wires,
        (mismatch, seed): (f64, u64),
    ) -> Self {
        let pins = loads(netlist, library, &Wires { output: wires.output, ..Wires::default() });
        let both = loads(netlist, library, wires);
        let weigh = |net: usize| {
            let wire = both[net][0] - pins[net][0];
            let factor = (1.0 + mismatch * normal(seed, net as u64)).max(0.0);
            let pin = f64::midpoint(pins[net][0], pins[net][1]);
            ((pin + wire * factor) / UNIT).round() as u64
        };
        let drivers = netlist.drivers(library);
        let is_driven = |net: usize| drivers[net].is_some();
        let weights: Vec<_> = (0..netlist.nets.len())
            .map(|net| if is_driven(net) { weigh(net) } else { 0 })
            .collect();
        let sums = Sums::new(&weights, program);
        let clock = program.clock.map_or(0, |net| 2 * weigh(net));
        Self { weights, clock, sums, code: None }
    }

    /// Makes machine code of AVX-512 for the energies of a program of the netlist, where that is possible: the host has
    /// these instructions and memory for code, and the program no delays. Simulations then keep the values of ports
    /// and of outputs of registers alone. Returns whether there is code. To compile it takes the time that it saves in some
    /// [`WORTHWHILE`] cycles.
    pub fn compile(
        &mut self,
        netlist: &Netlist,
        program: &Program,
        instructions: Instructions,
    ) -> bool {
        if instructions.has_ternary() && !program.has_delays() {
            let ports = netlist.ports.iter().flat_map(|port| &port.bits);
            let kept: Vec<_> = ports.filter_map(|&net| program.slot[net]).collect();
            self.code = EnergyCode::compile(program, &self.weights, &kept).ok().map(Arc::new);
        }
        self.code.is_some()
    }

    /// The machine code for simulations by these instructions.
    pub(super) fn code(&self, instructions: Instructions) -> Option<&EnergyCode> {
        self.code.as_deref().filter(|_| instructions.has_ternary())
    }

    /// Room for toggles and for what is counted of them, all without toggles.
    pub(super) fn toggles(&self) -> Vec<Word> {
        vec![Word::ZERO; self.sums.places + self.sums.planes]
    }

    /// Evaluates the gates of a program and counts toggles.
    pub(super) fn settle(
        &self,
        instructions: Instructions,
        runs: &[Run],
        values: &mut [Word],
        toggles: &mut [Word],
    ) {
        let (toggles, planes) = toggles.split_at_mut(self.sums.places);
        planes.fill(Word::ZERO);
        for Part { runs: chosen, slots, groups } in &self.sums.parts {
            let (runs, first) = (&runs[chosen.clone()], slots.start);
            instructions.run(Settle { runs, values, toggles: &mut toggles[1..], first });
            instructions.run(Count { groups, toggles, planes });
        }
    }

    /// The energy of each lane for these toggles, in `UNIT`, without the clock.
    pub(super) fn sum(
        &self,
        instructions: Instructions,
        toggles: &[Word],
        scratch: &mut Scratch,
        sums: &mut [u64; LANES],
    ) {
        instructions.run(Sum { columns: &self.sums.columns, bits: toggles, scratch });
        instructions.run(Lanes { planes: &scratch.planes, sums });
    }
}

impl Sums {
    fn new(weights: &[u64], program: &Program) -> Self {
        let mut by_weight = BTreeMap::<u64, Vec<usize>>::new();
        for (slots, &weight) in program.changing.iter().zip(weights) {
            by_weight.entry(weight).or_default().extend(slots);
        }
        by_weight.remove(&0);
        let runs = program.runs();
        let divided = parts(runs, PART);
        // In each part a group is filled to a multiple of toggles that are counted together.
        let filled = by_weight.len() * divided.len() * COUNTED / 2;
        let is_divided = filled <= program.gates;
        let parts = if is_divided { divided } else { parts(runs, usize::MAX) };
        let places = 1 + parts.iter().map(|part| part.slots.len()).max().unwrap_or(0);
        let mut new = Self { parts, places, planes: 0, columns: vec![] };
        for (weight, mut slots) in by_weight {
            // In the order in which they were written.
            slots.sort_unstable();
            if is_divided || is_cheaper_counted(weight, slots.len()) {
                new.count(weight, &slots);
            } else {
                let first = new.parts[0].slots.start;
                for slot in slots {
                    new.weigh(place(slot, first), weight);
                }
            }
        }
        for column in &mut new.columns {
            column.sort_unstable();
            if column.len() % 2 == 1 {
                column.push(0);
            }
        }
        new
    }

    /// Counts the toggles of slots of the same weight, and weighs the count.
    fn count(&mut self, weight: u64, slots: &[usize]) {
        let (first, planes) = (self.planes, bits(slots.len().next_multiple_of(COUNTED) as u64));
        for plane in 0..planes {
            self.weigh((self.places + first + plane) as u32, weight << plane);
        }
        for part in &mut self.parts {
            let chosen = slots.iter().filter(|slot| part.slots.contains(slot));
            let mut toggles: Vec<_> = chosen.map(|slot| place(*slot, part.slots.start)).collect();
            toggles.resize(toggles.len().next_multiple_of(COUNTED), 0);
            if !toggles.is_empty() {
                part.groups.push(Group { toggles, first, planes });
            }
        }
        self.planes += planes;
    }

    /// Adds the place of a toggle or of a plane to the columns of its weight.
    fn weigh(&mut self, place: u32, weight: u64) {
        if self.columns.len() < bits(weight) {
            self.columns.resize(bits(weight), vec![]);
        }
        let columns = self.columns.iter_mut().enumerate();
        columns
            .filter(|(bit, _)| weight >> bit & 1 == 1)
            .for_each(|(_, column)| column.push(place));
    }
}

/// The place of a slot's toggles in a part whose slots begin with `first`.
fn place(slot: usize, first: usize) -> u32 {
    (slot - first + 1) as u32
}

/// Runs in parts of at least so many gates, but for the last.
fn parts(runs: &[Run], gates: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![];
    for (index, run) in runs.iter().enumerate() {
        let end = run.first + run.operands.len();
        match parts.last_mut() {
            Some(part) if part.slots.len() < gates => {
                (part.runs.end, part.slots.end) = (index + 1, end);
            }
            _ => parts.push(Part { runs: index..index + 1, slots: run.first..end, groups: vec![] }),
        }
    }
    parts
}

/// Whether so many toggles of the same weight take fewer additions if they are counted first.
fn is_cheaper_counted(weight: u64, toggles: usize) -> bool {
    let (ones, filled) = (weight.count_ones() as usize, toggles.next_multiple_of(COUNTED));
    filled + bits(filled as u64) * ones < toggles * ones
}

/// The number of bits of a value.
fn bits(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()) as usize
}

/// A value of the standard normal distribution for a net, as the sum of twelve uniform ones.
fn normal(seed: u64, net: u64) -> f64 {
    let uniform = |draw: u64| {
        let mixed = mix(seed ^ mix(net.wrapping_mul(12).wrapping_add(draw)));
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..12).map(uniform).sum::<f64>() - 6.0
}

/// The output function of the generator `SplitMix64` (Steele, Lea and Flood 2014).
pub fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}
