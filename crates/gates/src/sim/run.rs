//! The state of a simulation of `LANES` runs.

use cocrypt_simd::Instructions;

use super::columns::Energy;
use super::kernel::{LANES, Scratch, Settle, Word};
use super::lookup::Compute;
use super::program::{Program, Steps};
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
    ///
    /// # Panics
    /// Panics if there is an energy for a program of ports alone.
    #[must_use]
    pub fn new(
        program: &'a Program,
        energy: Option<&'a Energy>,
        instructions: Instructions,
    ) -> Self {
        let has_toggles = matches!(program.steps, Steps::Gates(_));
        assert!(energy.is_none() || has_toggles, "a program of ports alone counts no toggles");
        let mut values = vec![Word::ZERO; program.slots];
        if let Some(one) = program.one {
            values[one] = Word([u64::MAX; LANES / 64]);
        }
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
    ///
    /// # Panics
    /// Panics if the program does not keep the net's value.
    pub fn set(&mut self, net: Net, value: Word) {
        let slot = self.slot(net);
        self.values[slot] = value;
    }

    /// The value of a net, after `settle`.
    ///
    /// # Panics
    /// Panics if the program does not keep the net's value.
    #[must_use]
    pub fn value(&self, net: Net) -> Word {
        self.values[self.slot(net)]
    }

    fn slot(&self, net: Net) -> usize {
        self.program.slot[net].expect("the program keeps the values of ports")
    }

    /// Lets all nets settle; a cycle's energy in `UNIT` by lane, without the clock's, is in `energies`.
    pub fn settle(&mut self) {
        let (values, with) = (&mut self.values, self.instructions);
        match (&self.program.steps, self.energy) {
            (Steps::Gates(runs), Some(energy)) => {
                energy.settle(with, runs, values, &mut self.toggles);
            }
            (Steps::Gates(runs), None) => {
                with.run(Settle { runs, values, toggles: &mut [], first: 0 });
            }
            (Steps::Lookups(runs), _) => with.run(Compute { runs, values }),
            (Steps::Code(code), _) => code.run(values),
        }
        for &(last, kept) in &self.program.kept {
            self.values[kept] = self.values[last];
        }
        if let Some(energy) = self.energy {
            energy.sum(self.instructions, &self.toggles, &mut self.scratch, &mut self.sums);
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
