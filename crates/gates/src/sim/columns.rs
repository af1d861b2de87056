//! The energy of toggles: the capacitance of each net as an integer weight.
//!
//! Toggles of nets that have the same weight are counted first, so that each is added once, and not as often as its
//! weight has bits.

use std::collections::BTreeMap;

use cocrypt_simd::Instructions;

use super::kernel::{COUNTED, Count, Group, LANES, Lanes, Scratch, Sum, Word};
use super::program::Program;
use crate::liberty::Library;
use crate::netlist::Netlist;
use crate::wires::{Wires, loads};

/// The capacitance of a weight of 1, farads: a tenth of a femtofarad.
pub const UNIT: f64 = 1e-16;

/// Weights of the nets that cells drive. A toggle of a net takes half of its capacitance times the square of
/// the supply.
#[derive(Clone, Debug)]
pub struct Energy {
    /// The weight of each net, in `UNIT`; 0 for inputs of the design.
    pub weights: Vec<u64>,
    /// The weight of the clock's two edges, the same in each cycle.
    pub clock: u64,
    sums: Sums,
}

/// How toggles become sums.
#[derive(Clone, Debug)]
struct Sums {
    /// Slots of the program, behind which the planes of the groups' counts stand.
    slots: usize,
    /// The number of planes of all groups.
    planes: usize,
    /// Toggles that are counted before they are weighed.
    groups: Vec<Group>,
    /// Slots and planes by the bits of their weights, each column with an even number: slot 0 never toggles.
    columns: Vec<Vec<u32>>,
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
        Self { clock: program.clock.map_or(0, |net| 2 * weigh(net)), weights, sums }
    }

    /// Room for a cycle's toggles by slot and for what is counted of them, all without toggles.
    pub(super) fn toggles(&self) -> Vec<Word> {
        vec![Word::ZERO; self.sums.slots + self.sums.planes]
    }

    /// The energy of each lane for these toggles, in `UNIT`, without the clock.
    pub(super) fn sum(
        &self,
        instructions: Instructions,
        toggles: &mut [Word],
        scratch: &mut Scratch,
        sums: &mut [u64; LANES],
    ) {
        let Sums { slots, groups, columns, .. } = &self.sums;
        instructions.run(Count { groups, slots: *slots, toggles });
        instructions.run(Sum { columns, toggles, scratch });
        instructions.run(Lanes { planes: &scratch.planes, sums });
    }
}

impl Sums {
    fn new(weights: &[u64], program: &Program) -> Self {
        let mut by_weight = BTreeMap::<u64, Vec<u32>>::new();
        for (slots, &weight) in program.changing.iter().zip(weights) {
            by_weight.entry(weight).or_default().extend(slots.iter().map(|&slot| slot as u32));
        }
        by_weight.remove(&0);
        let mut new = Self { slots: program.slots, planes: 0, groups: vec![], columns: vec![] };
        for (weight, mut slots) in by_weight {
            // In the order in which they were written.
            slots.sort_unstable();
            if is_cheaper_counted(weight, slots.len()) {
                new.count(weight, slots);
            } else {
                for slot in slots {
                    new.weigh(slot, weight);
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
    fn count(&mut self, weight: u64, mut slots: Vec<u32>) {
        slots.resize(slots.len().next_multiple_of(COUNTED), 0);
        let (first, planes) = (self.slots + self.planes, bits(slots.len() as u64));
        for plane in 0..planes {
            self.weigh((first + plane) as u32, weight << plane);
        }
        self.groups.push(Group { slots, first, planes });
        self.planes += planes;
    }

    /// Adds a slot, or a plane, to the columns of its weight.
    fn weigh(&mut self, slot: u32, weight: u64) {
        if self.columns.len() < bits(weight) {
            self.columns.resize(bits(weight), vec![]);
        }
        let columns = self.columns.iter_mut().enumerate();
        columns.filter(|(bit, _)| weight >> bit & 1 == 1).for_each(|(_, column)| column.push(slot));
    }
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
