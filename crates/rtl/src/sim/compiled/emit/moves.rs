//! Registers take their next values, each after all that copy it: a shift register then moves word by word,
//! instead of being loaded as a whole before it is stored.

use cocrypt_codegen::Word;
use rustc_hash::FxHashMap;

use super::Emitter;
use crate::sim::plan::Commit;

/// A limb of a register, and the limb that it takes.
type Move = (u32, u32);

/// Moves that are left.
struct Moves {
    all: Vec<Move>,
    done: Vec<bool>,
    /// Of limbs: the moves that copy them and are not made yet.
    copies: FxHashMap<u32, usize>,
    /// Of limbs: the move that writes them.
    writers: FxHashMap<u32, usize>,
    /// Moves whose register nobody copies any more.
    ready: Vec<usize>,
}

impl Moves {
    /// `is_copy` tells what is read only when it is moved.
    fn new(commits: &[Commit], is_copy: impl Fn(u32) -> bool) -> Self {
        let limbs = commits.iter().flat_map(|commit| {
            (0..commit.limbs).map(move |limb| (commit.register + limb, commit.from + limb))
        });
        let moves: Vec<Move> = limbs.filter(|(register, from)| register != from).collect();
        let mut copies: FxHashMap<u32, usize> = FxHashMap::default();
        for (_, from) in moves.iter().filter(|(_, from)| is_copy(*from)) {
            *copies.entry(*from).or_default() += 1;
        }
        let writers = moves.iter().enumerate().map(|(at, (register, _))| (*register, at)).collect();
        let is_free = |at: &usize| !copies.contains_key(&moves[*at].0);
        let ready = (0..moves.len()).rev().filter(is_free).collect();
        Self { done: vec![false; moves.len()], all: moves, copies, writers, ready }
    }

    fn next(&mut self) -> Option<Move> {
        let at = self.ready.pop()?;
        self.done[at] = true;
        Some(self.all[at])
    }

    /// A limb is copied once more; the last time, its register is free to be written.
    fn copied(&mut self, limb: u32) {
        let left = self.copies.entry(limb).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 {
            let writer = self.writers.get(&limb).filter(|at| !self.done[**at]);
            self.ready.extend(writer);
        }
    }

    /// A register out of those that exchange their values, free to be written from now on.
    fn release(&mut self) -> Option<u32> {
        let at = self.done.iter().position(|is_done| !is_done)?;
        let register = self.all[at].0;
        self.copies.remove(&register);
        self.ready.push(at);
        Some(register)
    }
}

impl Emitter<'_, '_, '_> {
    /// Registers take their next values; the present and the next ones, if that is asked for, short registers
    /// first.
    pub fn commits(&mut self, commits: &[Commit], asked: bool) -> Vec<(Word, Word)> {
        if self.known.is_none() && !asked {
            self.move_registers(commits);
            return vec![];
        }
        let mut moves = vec![];
        let mut changes = vec![];
        for commit in commits {
            for limb in 0..commit.limbs {
                let value = self.limb(commit.from + limb);
                moves.push((commit.register + limb, value));
                if asked {
                    changes.push((commit.limbs, (self.limb(commit.register + limb), value)));
                }
            }
        }
        for (register, value) in moves {
            self.builder.store(register, value);
        }
        changes.sort_by_key(|(limbs, _)| *limbs);
        changes.into_iter().map(|(_, change)| change).collect()
    }

    fn move_registers(&mut self, commits: &[Commit]) {
        let mut moves = Moves::new(commits, |limb| self.is_stored(limb));
        loop {
            while let Some((register, from)) = moves.next() {
                let is_copy = self.is_stored(from);
                let value = if is_copy { self.fetch(from) } else { self.limb(from) };
                self.builder.store(register, value);
                if is_copy {
                    moves.copied(from);
                }
            }
            let Some(register) = moves.release() else { return };
            // The others take it from a host register.
            self.limb(register);
        }
    }

    /// Returns true if a limb stands in the array, and is neither constant nor at hand.
    fn is_stored(&self, limb: u32) -> bool {
        !self.cells.contains_key(&limb)
            && !self.words.contains_key(&limb)
            && !self.program.layout.constants.contains_key(&limb)
    }
}
