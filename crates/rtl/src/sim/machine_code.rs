//! Machine code of a running design: when it is made, shared with clones, and run.

use std::sync::{Arc, PoisonError};

use super::Simulator;
use super::code::OutOfBounds;
use super::compiled::{Compiled, Extent, RunOutcome};
use super::divided::Divided;
use super::optimize;
use super::program::Program;

/// Interpreted cycles behind which a design is worth compiling, and functions that it becomes at most.
const HOT: u64 = 2048;
/// Interpreted cycles between two looks at what clones have compiled.
const LOOK: u64 = 64;
const KERNELS: usize = 64;

/// Instructions that all machine code of one simulator is made of.
const COMPILED: usize = 120_000;

/// Combinations of steps whose clock edges are planned as a whole. A design that takes more of them is
/// divided into units, which have no combinations.
const EDGES: usize = 64;

impl Simulator {
    /// Runs so many cycles at most as machine code; how many are left, and whether anything can change in
    /// them. Nothing where the design is not, or not yet, compiled.
    pub(super) fn run_compiled(&mut self, cycles: u64) -> Option<(u64, bool)> {
        if self.settled || self.counting.is_some() {
            return None;
        }
        let Self { compiled, arena, states, .. } = self;
        let ran = compiled.iter().find_map(|compiled| compiled.run(arena, states, cycles));
        let Some(ran) = ran.or_else(|| self.run_divided(cycles)) else {
            self.heat();
            return None;
        };
        if let Some((place, left)) = ran.past {
            let tables = self.optimized().tables.lookups.len();
            let memory = |place: usize| OutOfBounds::Memory(place - tables);
            let past = if place < tables { OutOfBounds::Table(place) } else { memory(place) };
            let now = self.cycle;
            self.cycle += cycles - left;
            self.note(Some(past), false);
            self.cycle = now;
        }
        self.cycle += cycles - ran.left;
        (self.chosen, self.settled) = (None, ran.settled);
        Some((ran.left, !ran.settled))
    }

    /// The program that machine code is made of, which has more values than the one that is interpreted.
    fn optimized(&mut self) -> Arc<Program> {
        let Self { program, shared, optimized, .. } = self;
        let optimized = optimized.get_or_insert_with(|| {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(optimize::optimized(program));
            Arc::clone(shared.optimized.get_or_insert_with(new))
        });
        let further = optimized.layout.initial.get(self.arena.len()..).unwrap_or_default();
        self.arena.extend_from_slice(further);
        Arc::clone(optimized)
    }

    /// The same unit by unit. Machine code is made of what ran often.
    fn run_divided(&mut self, cycles: u64) -> Option<RunOutcome> {
        let divided = Arc::clone(self.divided.as_ref()?);
        let cold = divided.size == 0 && self.divided_cycles < HOT;
        let cycles_now = if cold { cycles.min(HOT) } else { cycles };
        let program = self.optimized();
        let Self { arena, states, .. } = self;
        let mut ran = divided.run(&program, arena, states, cycles_now)?;
        let skipped = cycles - cycles_now;
        ran.left += skipped;
        ran.past = ran.past.map(|(place, left)| (place, left + skipped));
        self.divided_cycles += cycles - ran.left;
        if cold && self.divided_cycles >= HOT {
            self.compile_divided();
        }
        Some(ran)
    }

    /// Machine code of the units, which a clone may have made already.
    fn compile_divided(&mut self) -> bool {
        let program = self.optimized();
        let Some(divided) = &self.divided else { return false };
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let made: usize = self.compiled.iter().map(|compiled| compiled.size).sum();
        let room = COMPILED.saturating_sub(made);
        let new = || divided.compiled(&program, room).map(Arc::new);
        let compiled = shared.units.clone().or_else(new).filter(|compiled| compiled.is_useful());
        shared.units.clone_from(&compiled);
        drop(shared);
        let is_there = compiled.is_some();
        if is_there {
            self.divided = compiled;
        }
        is_there
    }

    /// Divides the design into units, one for each controller, which happens by itself to a design whose
    /// controllers take many combinations of steps. False where signals depend on one another so that it is
    /// run as a whole.
    pub fn divide(&mut self) -> bool {
        if !self.division_tried {
            self.division_tried = true;
            self.divided = Divided::new(&self.optimized()).map(Arc::new);
        }
        self.divided.is_some()
    }

    /// The same, and makes machine code of the units.
    pub fn compile_units(&mut self) -> bool {
        self.divide() && self.compile_divided()
    }

    /// The number of scopes that machine code evaluates several at a time, in lanes of the host's vectors.
    #[must_use]
    pub fn scopes_in_lanes(&self) -> usize {
        self.divided.as_ref().map_or(0, |divided| divided.in_lanes)
    }

    /// Another cycle is interpreted; compiles what runs where that was often so.
    fn heat(&mut self) {
        self.interpreted += 1;
        if self.edges >= EDGES {
            self.divide();
        }
        let looks = self.interpreted.is_multiple_of(LOOK) && self.interpreted < HOT;
        let found = (looks && self.adopt()) || (self.interpreted == HOT && self.compile());
        if found {
            self.interpreted = 0;
        }
    }

    /// Takes over what a clone has compiled for the present states, if one has.
    fn adopt(&mut self) -> bool {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let found = shared.kernels.iter().find(|compiled| compiled.knows(&self.states)).cloned();
        let units = shared.units.clone();
        drop(shared);
        if found.is_some() || units.is_some() {
            self.optimized();
        }
        if let Some(found) = found.filter(|_| self.compiled.len() < KERNELS) {
            self.compiled.push(found);
            return true;
        }
        let is_new = self.divided.as_ref().is_none_or(|divided| divided.size == 0);
        let adopts = is_new && units.is_some();
        if adopts {
            (self.divided, self.division_tried) = (units, true);
        }
        adopts
    }

    /// Makes machine code of what the controllers reach from their present states, which happens by itself
    /// to what runs long. False where this host or this design has none: it is interpreted then.
    pub fn compile(&mut self) -> bool {
        let made: usize = self.compiled.iter().map(|compiled| compiled.size).sum();
        let room = if self.compiled.len() < KERNELS { COMPILED.saturating_sub(made) } else { 0 };
        let program = self.optimized();
        let new = |states: &[u32], how| Compiled::new(&program, states, room, how).map(Arc::new);
        let compiled = match new(&self.states, Extent::Whole) {
            None if self.divide() => return self.compile_divided(),
            None => new(&self.states, Extent::Part),
            whole => whole,
        };
        let Some(compiled) = compiled else { return false };
        self.shared
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .kernels
            .push(Arc::clone(&compiled));
        self.compiled.push(compiled);
        true
    }
}
