//! The state of a simulation of `LANES` runs.

use cocrypt_simd::Instructions;

use super::columns::Energy;
use super::kernel::{LANES, Scratch, Settle, Word};
use super::program::Program;
use crate::netlist::Net;

/// Runs of a program, one in each lane. Registers begin at 0.
pub struct Simulator<'a> {
    program: &'a Program,
    energy: Option<&'a Energy>,
    instructions: Instructions,
    values: Vec<Word>,
    toggles: Vec<Word>,
    /// The next states of registers, which may be states of other ones.
    next: Vec<Word>,
    scratch: Scratch,
    sums: Box<[u64; LANES]>,
}

impl<'a> Simulator<'a> {
    /// A simulation before its first cycle; without `energy` toggles are not counted.
    #[must_use]
    pub fn new(
        program: &'a Program,
        energy: Option<&'a Energy>,
        instructions: Instructions,
    ) -> Self {
        let mut values = vec![Word::ZERO; program.slots];
        values[1] = Word([u64::MAX; LANES / 64]);
        let toggles = energy.map_or(vec![], Energy::toggles);
        let mut new = Self {
            program,
            energy,
            instructions,
            values,
            toggles,
            next: Vec::with_capacity(program.registers.len()),
            scratch: Scratch::default(),
            sums: Box::new([0; LANES]),
        };
        // Before the first cycle all nets have settled with inputs and registers at 0.
        new.settle();
        new
    }

    /// Sets an input of the design.
    pub fn set(&mut self, net: Net, value: Word) {
        self.values[self.program.slot[net]] = value;
    }

    /// The value of a net, after `settle`.
    #[must_use]
    pub fn value(&self, net: Net) -> Word {
        self.values[self.program.slot[net]]
    }

    /// Lets all nets settle; a cycle's energy in `UNIT` by lane, without the clock's, is in `energies`.
    pub fn settle(&mut self) {
        let (runs, values) = (&self.program.runs, &mut self.values);
        self.instructions.run(Settle { runs, values, toggles: &mut self.toggles });
        for &(last, kept) in &self.program.kept {
            self.values[kept] = self.values[last];
        }
        if let Some(energy) = self.energy {
            energy.sum(self.instructions, &mut self.toggles, &mut self.scratch, &mut self.sums);
        }
    }

    /// The energy of the last `settle` in each lane.
    #[must_use]
    pub fn energies(&self) -> &[u64; LANES] {
        &self.sums
    }

    /// Passes the clock's edge: registers take their next states.
    pub fn clock(&mut self) {
        let Self { program, values, next, .. } = self;
        next.clear();
        next.extend(program.registers.iter().map(|&(next, _)| values[next]));
        for (&(_, state), &next) in program.registers.iter().zip(&*next) {
            values[state] = next;
        }
    }
}
