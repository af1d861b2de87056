//! Energies as machine code of AVX-512.
//!
//! Gates are evaluated for a cycle and once more for the one before it, so that no value of an inner net is kept from
//! one cycle to the next: what would be read back from the host's caches takes longer than what is computed again. Their
//! toggles go to full adders at once, while they are in registers.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use cocrypt_codegen::{CompileError, TernaryCode};

use super::adder::{Adder, Functions};
use super::builder::Gate;
use super::cover::{self, Lookup, OPERANDS};
use super::kernel::Word;
use super::lookup::depends;
use super::op::Op;
use super::program::Program;

/// A toggle: a value differs from that of the cycle before.
const DIFFERENT: u8 = 0b0110_0110;
/// The complement of a function's first operand.
const NOT: u8 = 0b0101_0101;

/// Code that settles a program's gates and adds up the weights of nets that toggle.
#[derive(Debug)]
pub struct EnergyCode {
    code: TernaryCode,
    /// The places of sources. Their values in the cycle before are behind them.
    sources: Range<usize>,
    /// The place of the constant 1.
    one: usize,
    /// Where the values of slots are, of those that are kept.
    place: HashMap<usize, usize>,
    /// The bits of each lane's energy, the lowest first.
    planes: Range<usize>,
}

impl EnergyCode {
    /// Code for a program without delays that keeps the values of some slots, and of the outputs of registers.
    ///
    /// # Errors
    /// If the host has no memory for code, or lacks the instructions.
    pub fn compile(
        program: &Program,
        weights: &[u64],
        kept: &[usize],
    ) -> Result<Self, CompileError> {
        let gates: Vec<_> = gates(program).collect();
        let next = program.registers.iter().map(|&(next, _)| next);
        let states: BTreeSet<_> = program.registers.iter().map(|&(_, state)| state).collect();
        let is_state = |gate: &&Gate| {
            matches!(gate.op, Op::Buffer | Op::Invert) && states.contains(&gate.operands[0])
        };
        let outputs = gates.iter().filter(is_state).map(|gate| gate.output);
        let kept: BTreeSet<_> = kept.iter().copied().chain(next).chain(outputs).collect();
        let wanted: Vec<_> =
            kept.iter().copied().chain(gates.iter().map(|gate| gate.output)).collect();
        let lookups = cover::in_order(&gates, program.slots, &wanted);
        let mut weight = vec![0; program.slots];
        for (slots, &of_net) in program.changing.iter().zip(weights) {
            for &slot in slots {
                weight[slot] = of_net;
            }
        }
        let mut writer = Writer::new(program, &lookups, weight);
        let planes = writer.add_up(&lookups);
        writer.finish(planes, &kept)
    }

    /// The number of vectors of a simulation.
    pub fn words(&self) -> usize {
        self.code.words()
    }

    /// The vectors of a simulation before its first cycle, in which all sources are 0.
    pub fn vectors(&self) -> Vec<Word> {
        let mut vectors = vec![Word::ZERO; self.words()];
        for one in [self.one, self.one + self.sources.len()] {
            vectors[one] = Word([u64::MAX; 8]);
        }
        vectors
    }

    /// Where the value of a slot is; None where it is not kept.
    pub fn place(&self, slot: usize) -> Option<usize> {
        self.place.get(&slot).copied()
    }

    /// Lets the gates of several simulations settle, whose vectors `holders` have.
    pub fn settle<T>(&self, holders: &mut [T], vectors: impl Fn(&mut T) -> &mut [Word]) {
        self.code.run_all(holders, vectors);
    }

    /// The bits of energies, behind `settle`. The sources become those of the cycle before.
    pub fn planes<'a>(&self, vectors: &'a mut [Word]) -> &'a [Word] {
        vectors.copy_within(self.sources.clone(), self.sources.end);
        &vectors[self.planes.clone()]
    }
}

/// The gates of a program, over its slots.
fn gates(program: &Program) -> impl Iterator<Item = Gate> + '_ {
    program.runs().iter().flat_map(|run| {
        run.operands.iter().enumerate().map(|(index, operands)| Gate {
            op: run.op,
            operands: operands.map(|operand| operand as usize),
            output: run.first + index,
            replaced: None,
        })
    })
}

/// What a signal is: a constant, or a value in this cycle and in the one before, or the complements of these.
#[derive(Clone, Copy)]
enum Meaning {
    Constant(bool),
    Values { new: usize, old: usize, is_inverted: bool },
}

/// The functions of the code, as they are found.
struct Writer {
    functions: Functions,
    /// The slots of sources: their values are the first ones, and behind these are those of the cycle before.
    sources: Vec<usize>,
    meanings: HashMap<usize, Meaning>,
    weight: Vec<u64>,
    /// The toggles of each value.
    toggles: HashMap<usize, usize>,
}

impl Writer {
    fn new(program: &Program, lookups: &[Lookup], weight: Vec<u64>) -> Self {
        let driven: BTreeSet<_> = lookups.iter().map(|lookup| lookup.output).collect();
        let one = program.one.unwrap_or(program.slots);
        // Slots of inputs and states come before those of gates.
        let mut sources: Vec<_> =
            (0..program.slots).filter(|slot| !driven.contains(slot) && *slot != one).collect();
        // The constant 1 is the last one.
        sources.push(one);
        let count = sources.len();
        let mut meanings: HashMap<_, _> = sources
            .iter()
            .enumerate()
            .map(|(new, &slot)| {
                (slot, Meaning::Values { new, old: count + new, is_inverted: false })
            })
            .collect();
        meanings.insert(0, Meaning::Constant(false));
        meanings.insert(one, Meaning::Constant(true));
        let functions = Functions { sources: 2 * count, steps: vec![] };
        Self { functions, sources, meanings, weight, toggles: HashMap::new() }
    }

    /// Evaluates a function; its meaning is that of its output.
    fn evaluate(&mut self, lookup: &Lookup) {
        let (mut table, mut new, mut old) = (lookup.table, [0; OPERANDS], [0; OPERANDS]);
        for (at, operand) in lookup.operands.iter().enumerate() {
            match self.meanings[operand] {
                Meaning::Constant(value) => table = fixed(table, at, value),
                Meaning::Values { new: now, old: before, is_inverted } => {
                    (new[at], old[at]) = (now, before);
                    table = if is_inverted { exchanged(table, at) } else { table };
                }
            }
        }
        let relevant: Vec<_> = (0..OPERANDS).filter(|&at| depends(table, at)).collect();
        let meaning = match *relevant.as_slice() {
            [] => Meaning::Constant(table & 1 == 1),
            [at] => Meaning::Values { new: new[at], old: old[at], is_inverted: table & 1 == 1 },
            _ => Meaning::Values {
                new: self.functions.push(table, new),
                old: self.functions.push(table, old),
                is_inverted: false,
            },
        };
        self.meanings.insert(lookup.output, meaning);
    }

    /// The toggles of a signal; None if it has none.
    fn toggles(&mut self, signal: usize) -> Option<usize> {
        let Meaning::Values { new, old, .. } = self.meanings[&signal] else { return None };
        let functions = &mut self.functions;
        let toggles = self.toggles.entry(new);
        Some(*toggles.or_insert_with(|| functions.push(DIFFERENT, [new, old, new])))
    }

    /// The source that is the constant 1.
    fn one(&self) -> usize {
        self.sources.len() - 1
    }

    /// The value of a signal.
    fn value(&mut self, signal: usize) -> usize {
        let one = self.one();
        match self.meanings[&signal] {
            Meaning::Constant(true) => one,
            Meaning::Constant(false) => self.functions.push(NOT, [one; OPERANDS]),
            Meaning::Values { new, is_inverted: true, .. } => {
                self.functions.push(NOT, [new; OPERANDS])
            }
            Meaning::Values { new, .. } => new,
        }
    }

    /// Evaluates all functions and adds up what toggles; returns the bits of the sum, the lowest first.
    fn add_up(&mut self, lookups: &[Lookup]) -> Vec<usize> {
        let mut adder = Adder::new(self.weight.iter().copied().filter(|&weight| weight > 0));
        for lookup in lookups {
            self.evaluate(lookup);
            // Signals within a cell have no weight.
            let weight = self.weight.get(lookup.output).copied().unwrap_or(0);
            if weight > 0
                && let Some(toggles) = self.toggles(lookup.output)
            {
                adder.add(&mut self.functions, weight, toggles);
            }
        }
        let bits = adder.finish(&mut self.functions);
        let zero = self.functions.push(NOT, [self.one(); OPERANDS]);
        bits.into_iter().map(|bit| bit.unwrap_or(zero)).collect()
    }

    /// Code for the functions so far, which keeps the bits of energies and the values of slots.
    fn finish(
        mut self,
        planes: Vec<usize>,
        kept: &BTreeSet<usize>,
    ) -> Result<EnergyCode, CompileError> {
        let (count, bits, one) = (self.sources.len(), planes.len(), self.one());
        let mut place = self.sources();
        // Results are behind sources and those of the cycle before.
        let mut results = planes;
        for &slot in kept {
            let value = self.value(slot);
            place.entry(slot).or_insert_with(|| {
                results.push(value);
                2 * count + results.len() - 1
            });
        }
        let code = TernaryCode::compile(2 * count, &self.functions.steps, &results)?;
        let at = |place: usize| code.source(place);
        Ok(EnergyCode {
            sources: at(0)..at(count),
            one: at(one),
            place: place.into_iter().map(|(slot, place)| (slot, at(place))).collect(),
            planes: at(2 * count)..at(2 * count + bits),
            code,
        })
    }

    /// The source of each slot that is one, or that always has the value of one.
    fn sources(&self) -> HashMap<usize, usize> {
        let own = self.sources.iter().enumerate().map(|(source, &slot)| (slot, source));
        let same = self.meanings.iter().filter_map(|(&slot, meaning)| match *meaning {
            Meaning::Values { new, is_inverted: false, .. } if new < self.sources.len() => {
                Some((slot, new))
            }
            _ => None,
        });
        own.chain(same).collect()
    }
}

/// A table with one of its operands complemented.
fn exchanged(table: u8, operand: usize) -> u8 {
    (0..8).fold(0, |found, row| found | (table >> (row ^ 1 << operand) & 1) << row)
}

/// A table with one of its operands constant.
fn fixed(table: u8, operand: usize, value: bool) -> u8 {
    (0..8).fold(0, |found, row| {
        let with = row & !(1 << operand) | u8::from(value) << operand;
        found | (table >> with & 1) << row
    })
}
