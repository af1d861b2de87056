//! Which entries of a timing table an operand can select, whatever its secret bits are.

use cocrypt_ir::Width;
use cocrypt_isa::{Extra, STAYS, Select};

use crate::shadow::Shadowed;

/// Returns true if the secret bits of an operand alone can select different costs.
#[must_use]
pub fn varies(extra: &Extra, operand: Shadowed) -> bool {
    let mut possible = entries(extra.select, operand, extra.table.len()).map(|at| cost(extra, at));
    let Some(first) = possible.next() else { return false };
    possible.any(|other| other != first)
}

/// The pipeline state if the block is left there, and else the further cycles.
fn cost(extra: &Extra, at: usize) -> (u32, u32) {
    match extra.exit_states.get(at) {
        Some(&pipeline_state) if pipeline_state != STAYS => (pipeline_state, 0),
        _ => (STAYS, extra.table[at]),
    }
}

/// The entries, of so many (a power of two), that [`Select::index`] can give.
pub fn entries(select: Select, operand: Shadowed, entries: usize) -> impl Iterator<Item = usize> {
    let word = operand.cut(Width::W32);
    (0..entries).filter(move |&at| can_select(select, word, at, entries))
}

/// Returns true if a word can select an entry.
fn can_select(select: Select, word: Shadowed, at: usize, entries: usize) -> bool {
    let wraps = |length: u32| length as usize & (entries - 1) == at;
    match select {
        Select::Low => (at as u64 ^ word.value) & !word.secret & (entries as u64 - 1) == 0,
        Select::NonZero if at == 0 => !word.is_surely_set(),
        Select::NonZero => at == 1 && word.value | word.secret != 0,
        Select::Length => (0..=32).any(|length| wraps(length) && has_length(word, length)),
        Select::SignedLength => (0..=31).any(|length| {
            wraps(length) && signs(word).any(|magnitude| has_length(magnitude, length))
        }),
    }
}

/// A word whose sign bit is cleared, or of whose complement it is, for each sign that it can have.
fn signs(word: Shadowed) -> impl Iterator<Item = Shadowed> {
    let is_possible = move |negative: u64| word.secret >> 31 != 0 || word.value >> 31 == negative;
    (0..2).filter(move |&negative| is_possible(negative)).map(move |negative| {
        let magnitude = (word.value ^ (negative * 0xffff_ffff)) & 0x7fff_ffff;
        Shadowed::new(magnitude, word.secret & 0x7fff_ffff)
    })
}

/// Returns true if a word's highest set bit can be at this position, counted from 1; 0 means that none is set.
fn has_length(word: Shadowed, length: u32) -> bool {
    let (least, most) = word.range();
    let top = length == 0 || most >> (length - 1) & 1 != 0;
    top && least >> length == 0
}
