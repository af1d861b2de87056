//! The energy of toggles: the capacitance of each net as an integer weight.

use super::kernel::{Instructions, LANES, Scratch, Word};
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
        let columns = columns(&weights, program);
        Self { clock: program.clock.map_or(0, |net| 2 * weigh(net)), weights, columns }
    }

    /// The energy of each lane for these toggles by slot, in `UNIT`, without the clock.
    pub(super) fn sum(
        &self,
        instructions: Instructions,
        toggles: &[Word],
        scratch: &mut Scratch,
        sums: &mut [u64; LANES],
    ) {
        instructions.sum(&self.columns, toggles, scratch);
        sums.fill(0);
        for (bit, plane) in scratch.planes.iter().enumerate() {
            for (word, sums) in plane.0.iter().zip(sums.chunks_exact_mut(64)) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum += (word >> lane & 1) << bit;
                }
            }
        }
    }
}

/// The slots by the bits of their weights, each column with an even number: slot 0 never toggles.
fn columns(weights: &[u64], program: &Program) -> Vec<Vec<u32>> {
    let widest = weights.iter().max().map_or(0, |weight| 64 - weight.leading_zeros());
    let mut columns = vec![vec![]; widest as usize];
    for (net, weight) in weights.iter().enumerate() {
        for (bit, column) in columns.iter_mut().enumerate() {
            if weight >> bit & 1 == 1 {
                column.extend(program.changing[net].iter().map(|&slot| slot as u32));
            }
        }
    }
    for column in &mut columns {
        column.sort_unstable();
        if column.len() % 2 == 1 {
            column.push(0);
        }
    }
    columns
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
