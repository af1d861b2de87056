//! The state of a simulation of `LANES` runs.

use cocrypt_simd::Instructions;

use super::columns::Energy;
use super::energy_code::EnergyCode;
use super::kernel::{LANES, Lanes, Scratch, Settle, Word};
use super::lookup::Compute;
use super::program::{Program, Steps};
use crate::netlist::Net;

/// Runs of a program, one in each lane. Registers begin at 0.
pub struct Simulator<'a> {
    program: &'a Program,
    energy: Option<&'a Energy>,
    /// The energy's machine code, if there is any.
    code: Option<&'a EnergyCode>,
    instructions: Instructions,
    values: Vec<Word>,
    toggles: Vec<Word>,
    /// Where each register's next and present state are.
    registers: Vec<(usize, usize)>,
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
        let code = energy.and_then(|energy| energy.code(instructions));
        let toggles = energy.filter(|_| code.is_none()).map_or(vec![], Energy::toggles);
        let at = |slot: usize| place(code, slot).expect("code keeps the states of registers");
        let registers = program.registers.iter().map(|&(next, state)| (at(next), at(state)));
        let mut new = Self {
            program,
            energy,
            code,
            instructions,
            values: code.map_or_else(|| values(program), EnergyCode::vectors),
            toggles,
            registers: registers.collect(),
            next: Vec::with_capacity(program.registers.len()),
            scratch: Scratch::default(),
            sums: Box::new([0; LANES]),
        };
        // Before the first cycle all nets have settled with inputs and registers at 0.
        new.settle();
        new
    }

    /// Goes back to the first cycle, at which another simulation of the same program and energy still is.
    pub(super) fn restart(&mut self, fresh: &Self) {
        self.values.copy_from_slice(&fresh.values);
        self.toggles.copy_from_slice(&fresh.toggles);
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
        let slot = self.program.slot[net].and_then(|slot| place(self.code, slot));
        slot.expect("the program keeps the values of ports")
    }

    /// Lets all nets settle; a cycle's energy in `UNIT` by lane, without the clock's, is in `energies`.
    pub fn settle(&mut self) {
        Self::settle_all(std::slice::from_mut(self));
    }

    /// Does the same for several simulations of one program and energy, by machine code in less time than one behind
    /// the other: the host reads the code once for all of them.
    ///
    /// # Panics
    /// Panics if their machine code is not the same.
    pub fn settle_all(simulators: &mut [Self]) {
        let Some(code) = simulators.first().and_then(|first| first.code) else {
            return simulators.iter_mut().for_each(Self::settle_in_loops);
        };
        let has_code = |simulator: &Self| simulator.code.is_some_and(|own| std::ptr::eq(own, code));
        assert!(simulators.iter().all(has_code), "simulations of one program and energy");
        code.settle(simulators, |simulator| &mut simulator.values);
        for Self { values, sums, instructions, .. } in simulators {
            instructions.run(Lanes { planes: code.planes(values), sums });
        }
    }

    fn settle_in_loops(&mut self) {
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
        let Self { registers, values, next, .. } = self;
        next.clear();
        next.extend(registers.iter().map(|&(next, _)| values[next]));
        for (&(_, state), &next) in registers.iter().zip(&*next) {
            values[state] = next;
        }
    }
}

/// Where the value of a slot is; None where code does not keep it.
fn place(code: Option<&EnergyCode>, slot: usize) -> Option<usize> {
    code.map_or(Some(slot), |code| code.place(slot))
}

/// The values of a program's slots, all 0 but for the constant.
fn values(program: &Program) -> Vec<Word> {
    let mut values = vec![Word::ZERO; program.slots];
    if let Some(one) = program.one {
        values[one] = Word([u64::MAX; LANES / 64]);
    }
    values
}
