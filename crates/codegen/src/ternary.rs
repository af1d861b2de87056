//! Functions of three vectors as straight-line code: each is one instruction of AVX-512, and values stay in the 32
//! vector registers of the host as long as these suffice.
//!
//! Instructions are those of Intel's manual (Software Developer's Manual, volume 2: "EVEX Prefix", `VMOVDQU64`,
//! `VPTERNLOGQ`).

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "numbers of registers are below 32, and those of places are checked"
)]

use crate::code::Code;
use crate::compiler::CompileError;

const OPERANDS: usize = 3;
const REGISTERS: usize = 32;
/// Instructions of a part of the code, most of which have seven to eleven bytes: a part and what it works on stay in
/// the caches of one core.
const PART: usize = 1 << 15;
/// What stands for the next use of a value that has none.
const NEVER: usize = usize::MAX;

/// 512 bits, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Vector(pub [u64; 8]);

impl Vector {
    /// No bit is set.
    pub const ZERO: Self = Self([0; 8]);

    /// The bit of a lane, which is below 512.
    #[must_use]
    pub fn lane(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of a lane, which is below 512.
    pub fn set(&mut self, lane: usize, bit: bool) {
        let word = &mut self.0[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(bit) << (lane % 64);
    }
}

/// A bitwise function of three values: its table has a bit for each of their bits, the first one the lowest. Values
/// are the sources, and behind them the results of all steps.
#[derive(Clone, Copy, Debug)]
pub struct Ternary {
    /// The truth table.
    pub table: u8,
    /// The operands: values of sources or earlier steps.
    pub operands: [usize; OPERANDS],
}

/// Compiled steps over an array of vectors.
#[derive(Debug)]
pub struct TernaryCode {
    /// Functions that run one behind the other. No value stays in a register from one to the next.
    parts: Vec<Code>,
    spills: usize,
    sources: usize,
    words: usize,
}

impl TernaryCode {
    /// Whether this host has the instructions.
    #[must_use]
    pub fn is_supported() -> bool {
        #[cfg(all(target_arch = "x86_64", unix))]
        return std::arch::is_x86_feature_detected!("avx512f");
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        return false;
    }

    /// Code for steps, and which values are its results.
    ///
    /// # Errors
    /// If the host gives no executable memory, lacks the instructions, or if there are more vectors than an
    /// instruction reaches.
    ///
    /// # Panics
    /// Panics if an operand or a result is no earlier value.
    pub fn compile(
        sources: usize,
        steps: &[Ternary],
        results: &[usize],
    ) -> Result<Self, CompileError> {
        if !Self::is_supported() {
            return Err(CompileError::Memory(std::io::ErrorKind::Unsupported.into()));
        }
        let mut allocation = Allocation::new(sources, steps, results);
        for (index, step) in steps.iter().enumerate() {
            allocation.step(index, step);
            if allocation.instructions.len() - allocation.ends.last().unwrap_or(&0) >= PART {
                allocation.end_part();
            }
        }
        allocation.copy_sources(results);
        allocation.ends.push(allocation.instructions.len());
        let spills = allocation.spills;
        let words = spills + sources + results.len();
        if words > MOST {
            return Err(CompileError::Memory(std::io::ErrorKind::FileTooLarge.into()));
        }
        let mut begin = 0;
        let parts = allocation.ends.iter().map(|&end| {
            let mut encoder = Encoder { bytes: vec![], spills, sources };
            encoder.function(&allocation.instructions[begin..end]);
            begin = end;
            Code::new(&encoder.bytes)
        });
        Ok(Self { parts: parts.collect::<Result<_, _>>()?, spills, sources, words })
    }

    /// The number of vectors that `run` works on.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The place of a source in them.
    #[must_use]
    pub fn source(&self, number: usize) -> usize {
        self.spills + number
    }

    /// The place of a result in them.
    #[must_use]
    pub fn result(&self, number: usize) -> usize {
        self.spills + self.sources + number
    }

    /// The size of the code in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.parts.iter().map(Code::size).sum()
    }

    /// Computes all results of the sources.
    ///
    /// # Panics
    /// Panics if there are not [`Self::words`] vectors.
    pub fn run(&self, vectors: &mut [Vector]) {
        self.run_all(&mut [vectors], |vectors| vectors);
    }

    /// Does the same for several arrays, those of `holders`. Each part of the code runs over all of them before the next
    /// one, so that the host reads large code once for all.
    ///
    /// # Panics
    /// Panics if an array has not [`Self::words`] vectors.
    pub fn run_all<T>(&self, holders: &mut [T], vectors: impl Fn(&mut T) -> &mut [Vector]) {
        for part in &self.parts {
            for holder in &mut *holders {
                let vectors = vectors(holder);
                assert_eq!(vectors.len(), self.words, "the vectors of this code");
                // SAFETY: the function follows the host's convention, and reaches these vectors alone: the encoder
                // makes each address of a place within `words`. `compile` has found that the host has its
                // instructions.
                let _ = unsafe { part.call(vectors.as_mut_ptr() as u64, 0) };
            }
        }
    }
}

/// Where a value is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Spill(usize),
    Source(usize),
    Result(usize),
}

/// An operand in a register or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Register(usize),
    Memory(Place),
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Load {
        to: usize,
        from: Operand,
    },
    Store {
        to: Place,
        from: usize,
    },
    /// `table` has the register `to` as its highest bit, then `second` and `third`.
    Ternary {
        table: u8,
        to: usize,
        second: usize,
        third: Operand,
    },
}

/// Registers and places of values, step by step. The value that is needed last gives up its register (Belady).
struct Allocation {
    instructions: Vec<Instruction>,
    /// Behind the last instruction of each part that has ended.
    ends: Vec<usize>,
    /// The value in each register.
    held: [Option<usize>; REGISTERS],
    register: Vec<Option<usize>>,
    home: Vec<Option<Place>>,
    /// The step that uses each value next.
    next: Vec<usize>,
    /// For each step, the next use of its operands behind it.
    behind: Vec<[usize; OPERANDS]>,
    /// The results that each value is.
    results: Vec<Vec<usize>>,
    sources: usize,
    free: Vec<usize>,
    /// Spills that the present step may still read.
    freed: Vec<usize>,
    spills: usize,
}

impl Allocation {
    fn new(sources: usize, steps: &[Ternary], results: &[usize]) -> Self {
        let values = sources + steps.len();
        let mut next = vec![NEVER; values];
        let mut behind = vec![[NEVER; OPERANDS]; steps.len()];
        for (index, step) in steps.iter().enumerate().rev() {
            for operand in relevant(step) {
                let value = step.operands[operand];
                assert!(value < sources + index, "operands are earlier values");
                behind[index][operand] = next[value];
            }
            for operand in relevant(step) {
                next[step.operands[operand]] = index;
            }
        }
        let mut of_value = vec![vec![]; values];
        results.iter().enumerate().for_each(|(number, &value)| of_value[value].push(number));
        Self {
            instructions: vec![],
            ends: vec![],
            held: [None; REGISTERS],
            register: vec![None; values],
            home: (0..values)
                .map(|value| (value < sources).then_some(Place::Source(value)))
                .collect(),
            next,
            behind,
            results: of_value,
            sources,
            free: vec![],
            freed: vec![],
            spills: 0,
        }
    }

    fn step(&mut self, index: usize, step: &Ternary) {
        self.free.append(&mut self.freed);
        let operands = self.ordered(index, step);
        let table = arranged(step.table, &operands);
        let uses = operands.iter().map(|&at| (step.operands[at], self.behind[index][at]));
        let uses: Vec<_> = uses.collect();
        let (overwritten, second, third) = self.placed(&uses);
        for (value, after) in uses {
            self.next[value] = after;
            if after == NEVER {
                self.forget(value);
            }
        }
        let to = overwritten.unwrap_or_else(|| self.take(0));
        self.instructions.push(Instruction::Ternary {
            table,
            to,
            second: second.unwrap_or(to),
            third: third.unwrap_or(Operand::Register(to)),
        });
        self.define(self.sources + index, to);
    }

    /// The operands that a step depends on, in the order of the instruction's: the first of three is overwritten, best
    /// if nothing needs it any more, and the last may be in memory.
    fn ordered(&self, index: usize, step: &Ternary) -> Vec<usize> {
        let mut operands: Vec<_> = relevant(step).collect();
        let is_held = |at: &usize| self.register[step.operands[*at]].is_some();
        let is_last = |at: &usize| self.behind[index][*at] == NEVER;
        operands.sort_by_key(|at| (!is_held(at), is_last(at)));
        if operands.len() == OPERANDS
            && let Some(at) = operands.iter().position(|at| is_held(at) && is_last(at))
        {
            operands[..=at].rotate_right(1);
        }
        operands
    }

    /// The places of ordered operands, each with its next use: the register that is overwritten if there are three, the
    /// second one, and the third.
    fn placed(
        &mut self,
        uses: &[(usize, usize)],
    ) -> (Option<usize>, Option<usize>, Option<Operand>) {
        let mut behind = uses.iter().rev();
        let mut locked = 0;
        let third = behind.next().map(|&(value, after)| {
            let operand = self.operand(value, after);
            if let Operand::Register(register) = operand {
                locked |= 1 << register;
            }
            operand
        });
        let second = behind.next().map(|&(value, _)| {
            let register = self.in_register(value, locked);
            locked |= 1 << register;
            register
        });
        let overwritten = behind.next().map(|&(value, after)| self.copied(value, after, locked));
        (overwritten, second, third)
    }

    /// A register gets the result of a step, which is also stored if it is a result of all.
    fn define(&mut self, value: usize, register: usize) {
        self.held[register] = Some(value);
        self.register[value] = Some(register);
        for number in std::mem::take(&mut self.results[value]) {
            let place = Place::Result(number);
            self.instructions.push(Instruction::Store { to: place, from: register });
            self.home[value] = Some(place);
        }
        if self.next[value] == NEVER {
            self.forget(value);
        }
    }

    /// Sources that are results too.
    fn copy_sources(&mut self, results: &[usize]) {
        for (number, &value) in
            results.iter().enumerate().filter(|(_, value)| **value < self.sources)
        {
            let from = Operand::Memory(Place::Source(value));
            self.instructions.push(Instruction::Load { to: 0, from });
            self.instructions.push(Instruction::Store { to: Place::Result(number), from: 0 });
        }
    }

    /// A value as the operand that may be in memory: it is loaded if it is used before what it would evict.
    fn operand(&mut self, value: usize, after: usize) -> Operand {
        let place = match (self.register[value], self.home[value]) {
            (Some(register), _) => return Operand::Register(register),
            (None, Some(place)) => place,
            (None, None) => unreachable!("a value is in a register or in memory"),
        };
        let is_sooner = self.victim(0).is_none_or(|(_, next)| after < next);
        if after != NEVER && is_sooner {
            Operand::Register(self.in_register(value, 0))
        } else {
            Operand::Memory(place)
        }
    }

    /// The register of a value, which is loaded if it has none.
    fn in_register(&mut self, value: usize, locked: u32) -> usize {
        if let Some(register) = self.register[value] {
            return register;
        }
        let register = self.take(locked);
        self.load(value, register);
        self.held[register] = Some(value);
        self.register[value] = Some(register);
        register
    }

    /// A register with a value that is overwritten: its own if nothing needs it any more.
    fn copied(&mut self, value: usize, after: usize, locked: u32) -> usize {
        let own = self.register[value];
        if let (Some(register), NEVER) = (own, after) {
            self.held[register] = None;
            self.register[value] = None;
            return register;
        }
        let register = self.take(locked | own.map_or(0, |register| 1 << register));
        match own {
            Some(own) => {
                let from = Operand::Register(own);
                self.instructions.push(Instruction::Load { to: register, from });
            }
            None => self.load(value, register),
        }
        register
    }

    fn load(&mut self, value: usize, register: usize) {
        let place = self.home[value].expect("a value is in a register or in memory");
        self.instructions.push(Instruction::Load { to: register, from: Operand::Memory(place) });
    }

    /// A register that is free, or that another value gives up.
    fn take(&mut self, locked: u32) -> usize {
        let is_free =
            |register: &usize| self.held[*register].is_none() && locked >> register & 1 == 0;
        if let Some(register) = (0..REGISTERS).find(is_free) {
            return register;
        }
        let (register, _) = self.victim(locked).expect("a step locks few registers");
        self.evict(register);
        register
    }

    /// The value in a register gives it up, and is stored unless it has a place in memory.
    fn evict(&mut self, register: usize) {
        let Some(value) = self.held[register].take() else { return };
        self.register[value] = None;
        if self.home[value].is_none() {
            let spill = self.free.pop().unwrap_or_else(|| {
                self.spills += 1;
                self.spills - 1
            });
            let place = Place::Spill(spill);
            self.home[value] = Some(place);
            self.instructions.push(Instruction::Store { to: place, from: register });
        }
    }

    /// Ends a part of the code: all values leave their registers.
    fn end_part(&mut self) {
        (0..REGISTERS).for_each(|register| self.evict(register));
        self.ends.push(self.instructions.len());
    }

    /// The register whose value is needed last, and when; None while one is free.
    fn victim(&self, locked: u32) -> Option<(usize, usize)> {
        let open = (0..REGISTERS).filter(|register| locked >> register & 1 == 0);
        let mut last = None;
        for register in open {
            let next = self.next[self.held[register]?];
            if last.is_none_or(|(_, latest)| next > latest) {
                last = Some((register, next));
            }
        }
        last
    }

    /// A value that nothing needs any more.
    fn forget(&mut self, value: usize) {
        if let Some(register) = self.register[value].take() {
            self.held[register] = None;
        }
        if let Some(Place::Spill(spill)) = self.home[value].take() {
            self.freed.push(spill);
        }
    }
}

/// The operands that a step depends on.
fn relevant(step: &Ternary) -> impl Iterator<Item = usize> + use<> {
    let table = step.table;
    (0..OPERANDS).filter(move |&operand| {
        let ones = [0b1010_1010, 0b1100_1100, 0b1111_0000_u8][operand];
        (table & ones) >> (1 << operand) != table & !ones
    })
}

/// The table of an instruction whose operands are these of a step. The instruction has its third operand as the lowest
/// bit; where there are fewer, it does not depend on the first ones.
fn arranged(table: u8, operands: &[usize]) -> u8 {
    (0..8).fold(0, |arranged, row| {
        let bits = operands.iter().rev().enumerate();
        let old = bits.fold(0, |old, (bit, operand)| old | (row >> bit & 1) << operand);
        arranged | (table >> old & 1) << row
    })
}

/// Writes instructions. The array's address is in `rdi`.
struct Encoder {
    bytes: Vec<u8>,
    spills: usize,
    sources: usize,
}

/// Words before the one that `rdi` points at: displacements of 8 bits reach as many before it as behind it.
const BIAS: usize = 128;
/// Vectors that displacements of 32 bits reach.
const MOST: usize = 1 << 24;
/// The size of a vector in bytes.
const SIZE: i32 = 64;
/// The maps of opcodes 0F and 0F3A, and the prefixes 66 and F3, as EVEX has them.
const MAP_0F: u8 = 1;
const MAP_0F3A: u8 = 3;
const PREFIX_66: u8 = 1;
const PREFIX_F3: u8 = 2;
/// `rdi` in the field `rm`.
const RDI: u8 = 7;

impl Encoder {
    fn function(&mut self, instructions: &[Instruction]) {
        // add rdi, BIAS * SIZE
        self.bytes.extend([0x48, 0x81, 0xc7]);
        self.bytes.extend((BIAS as i32 * SIZE).to_le_bytes());
        for instruction in instructions {
            match *instruction {
                Instruction::Load { to, from } => {
                    self.evex((MAP_0F, PREFIX_F3), 0x6f, to, 0, from);
                }
                Instruction::Store { to, from } => {
                    self.evex((MAP_0F, PREFIX_F3), 0x7f, from, 0, Operand::Memory(to));
                }
                Instruction::Ternary { table, to, second, third } => {
                    self.evex((MAP_0F3A, PREFIX_66), 0x25, to, second, third);
                    self.bytes.push(table);
                }
            }
        }
        // vzeroupper; xor eax, eax; ret
        self.bytes.extend([0xc5, 0xf8, 0x77, 0x31, 0xc0, 0xc3]);
    }

    /// An instruction on vectors of 512 bits, with W set: its fields `reg`, `vvvv` and `rm`. High bits of registers are
    /// inverted in the prefix.
    fn evex(&mut self, (map, prefix): (u8, u8), opcode: u8, reg: usize, vvvv: usize, rm: Operand) {
        let inverted = |register: usize, from: usize, to: u8| ((!register >> from & 1) as u8) << to;
        let (low, high) = match rm {
            Operand::Register(register) => (inverted(register, 3, 5), inverted(register, 4, 6)),
            Operand::Memory(_) => (1 << 5, 1 << 6),
        };
        self.bytes.extend([
            0x62,
            inverted(reg, 3, 7) | high | low | inverted(reg, 4, 4) | map,
            0x80 | ((!vvvv & 15) as u8) << 3 | 4 | prefix,
            0x40 | inverted(vvvv, 4, 3),
            opcode,
        ]);
        let reg = ((reg & 7) as u8) << 3;
        match rm {
            Operand::Register(register) => self.bytes.push(0xc0 | reg | (register & 7) as u8),
            Operand::Memory(place) => {
                let words = self.word(place) as i32 - BIAS as i32;
                if let Ok(near) = i8::try_from(words) {
                    // In units of the vector's size.
                    self.bytes.extend([0x40 | reg | RDI, near.cast_unsigned()]);
                } else {
                    self.bytes.push(0x80 | reg | RDI);
                    self.bytes.extend((words * SIZE).to_le_bytes());
                }
            }
        }
    }

    fn word(&self, place: Place) -> usize {
        match place {
            Place::Spill(number) => number,
            Place::Source(number) => self.spills + number,
            Place::Result(number) => self.spills + self.sources + number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Allocation, OPERANDS, PART, Ternary, TernaryCode, Vector};

    /// The next number of a generator (Marsaglia's xorshift).
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// All values, bit by bit from the tables.
    fn expected(sources: &[Vector], steps: &[Ternary]) -> Vec<Vector> {
        let mut values = sources.to_vec();
        for step in steps {
            let operands = step.operands.map(|operand| values[operand].0);
            let word = |index: usize| {
                (0..64).fold(0, |word, bit| {
                    let row = (0..OPERANDS).fold(0, |row, operand| {
                        row | (operands[operand][index] >> bit & 1) << operand
                    });
                    word | u64::from(step.table >> row & 1) << bit
                })
            };
            values.push(Vector(std::array::from_fn(word)));
        }
        values
    }

    /// Random steps whose operands are among the last `reach` values.
    fn check(sources: usize, count: usize, reach: usize, state: &mut u64) {
        let mut below = |limit: usize| (random(state) >> 20) as usize % limit;
        let steps: Vec<_> = (sources..sources + count)
            .map(|value| Ternary {
                table: below(256) as u8,
                operands: [0; OPERANDS].map(|_| value - 1 - below(reach.min(value))),
            })
            .collect();
        let results: Vec<_> = (0..20).map(|_| below(sources + count)).collect();
        let code = TernaryCode::compile(sources, &steps, &results).expect("executable memory");
        assert!(code.parts.len() > count / PART, "parts are not longer than they should be");
        let mut runs: Vec<_> = (0..3)
            .map(|_| {
                let mut random = || Vector([0; 8].map(|_| random(state)));
                let given: Vec<_> = (0..sources).map(|_| random()).collect();
                let mut vectors = vec![random(); code.words()];
                for (number, source) in given.iter().enumerate() {
                    vectors[code.source(number)] = *source;
                }
                (given, vectors)
            })
            .collect();
        code.run_all(&mut runs, |(_, vectors)| vectors);
        for (given, vectors) in runs {
            let values = expected(&given, &steps);
            for (number, &value) in results.iter().enumerate() {
                assert_eq!(
                    vectors[code.result(number)],
                    values[value],
                    "{number} of {count} steps"
                );
            }
            for (number, source) in given.iter().enumerate() {
                assert_eq!(vectors[code.source(number)], *source);
            }
        }
    }

    #[test]
    fn random_steps_are_as_their_tables_say() {
        if !TernaryCode::is_supported() {
            assert!(TernaryCode::compile(1, &[], &[]).is_err());
            eprintln!("not compared: the host has no AVX-512");
            return;
        }
        let state = &mut 0x9e37_79b9_7f4a_7c15;
        for (sources, count, reach) in
            [(1, 0, 1), (3, 40, 3), (40, 400, 50), (200, 2000, 1000), (700, 3000, 4000)]
        {
            for _ in 0..8 {
                check(sources, count, reach, state);
            }
        }
        // Three parts or more, with more values between them than there are registers.
        check(40, 5 * PART / 2, 60, state);
    }

    #[test]
    #[should_panic(expected = "operands are earlier values")]
    fn operands_of_the_future_are_refused() {
        let step = Ternary { table: 0x80, operands: [0, 1, 2] };
        let _ = Allocation::new(2, &[step], &[2]);
    }
}
