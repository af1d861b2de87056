//! The energy of a design that gets random inputs, over many runs on several cores.

use std::panic::resume_unwind;
use std::thread;

use cocrypt_simd::Instructions;

use super::columns::{Energy, mix};
use super::kernel::{LANES, Word};
use super::program::Program;
use super::run::Simulator;
use crate::netlist::{Net, Netlist};

/// The input that is 1 in the first cycle and 0 behind it, as exported designs have it.
const RESET: &str = "rst";
/// Simulations that settle together by machine code. In loops over gates one is done after the other, so that its values
/// stay in the host's caches.
const TOGETHER: usize = 8;

/// Energies of a cycle in `UNIT`, with the clock's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

/// The energy of `cycles` cycles in each of `batches` times `LANES` runs with random inputs, which depend on
/// `seed` alone, not on the number of threads, `workers`. The cycle of the reset and the one behind it are not counted.
///
/// # Panics
/// Panics if `program` and `energy` are not those of the netlist.
#[must_use]
pub fn random_spread(
    netlist: &Netlist,
    program: &Program,
    energy: &Energy,
    (cycles, batches, seed): (usize, usize, u64),
    workers: usize,
) -> Spread {
    let workers = workers.clamp(1, batches.max(1));
    let run = |worker: usize| {
        let with = Instructions::widest();
        let new = || Simulator::new(program, Some(energy), with);
        let numbers: Vec<_> = (worker..batches).step_by(workers).collect();
        let together = if energy.code(with).is_some() { TOGETHER } else { 1 };
        let mut simulators: Vec<_> = numbers.iter().take(together).map(|_| new()).collect();
        let fresh = new();
        let sums = numbers.chunks(together).map(|numbers| {
            let seeds: Vec<_> =
                numbers.iter().map(|&number| mix(seed ^ mix(number as u64))).collect();
            let simulators = &mut simulators[..seeds.len()];
            for simulator in &mut *simulators {
                simulator.restart(&fresh);
            }
            run_together(netlist, program, simulators, (cycles, seeds))
        });
        sums.fold((0, 0), |all: (u64, u128), part| (all.0 + part.0, all.1 + part.1))
    };
    let run = &run;
    let parts: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
        let joined = started.into_iter().map(thread::ScopedJoinHandle::join);
        // The runs of a worker that panics would be missing from the sums.
        joined.map(|part| part.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let count = (cycles * batches * LANES).max(1) as f64;
    let sum: u64 = parts.iter().map(|part| part.0).sum();
    let squares: u128 = parts.iter().map(|part| part.1).sum();
    let mean = sum as f64 / count;
    let variance = squares as f64 / count - mean * mean;
    Spread { mean: mean + energy.clock as f64, deviation: variance.max(0.0).sqrt() }
}

/// The sum and the sum of squares of the energies of `LANES` runs in each of some simulations, which are at their first
/// cycle and have seeds of their own.
fn run_together(
    netlist: &Netlist,
    program: &Program,
    simulators: &mut [Simulator<'_>],
    (cycles, mut states): (usize, Vec<u64>),
) -> (u64, u128) {
    let inputs = netlist.ports.iter().filter(|port| !port.is_output);
    let (resets, others): (Vec<_>, Vec<_>) = inputs.partition(|port| port.name == RESET);
    let nets: Vec<Net> = others.iter().flat_map(|port| port.bits.iter().copied()).collect();
    let (mut sum, mut squares) = (0, 0);
    for cycle in 0..cycles + 2 {
        let reset = Word([if cycle == 0 { u64::MAX } else { 0 }; LANES / 64]);
        for (simulator, state) in simulators.iter_mut().zip(&mut states) {
            resets.iter().flat_map(|port| &port.bits).for_each(|&net| simulator.set(net, reset));
            for &net in nets.iter().filter(|&&net| Some(net) != program.clock) {
                let word = std::array::from_fn(|_| {
                    *state = state.wrapping_add(1);
                    mix(*state)
                });
                simulator.set(net, Word(word));
            }
        }
        Simulator::settle_all(simulators);
        for simulator in &mut *simulators {
            if cycle >= 2 {
                let energies = simulator.energies().iter();
                sum += energies.clone().sum::<u64>();
                squares += energies.map(|&value| u128::from(value).pow(2)).sum::<u128>();
            }
            simulator.clock();
        }
    }
    (sum, squares)
}
