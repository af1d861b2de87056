//! The inner loops of the simulator, compiled for each set of vector instructions and chosen at run time.

use std::fmt;

use super::op::Op;
use super::program::Run;

/// Lanes that are simulated at once.
pub const LANES: usize = 64 * WORDS;
const WORDS: usize = 8;

/// A bit of each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Word(pub [u64; WORDS]);

impl Word {
    /// A zero in each lane.
    pub const ZERO: Self = Self([0; WORDS]);

    /// The bit of a lane.
    #[must_use]
    pub fn lane(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the bit of a lane.
    pub fn set(&mut self, lane: usize, bit: bool) {
        let word = &mut self.0[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(bit) << (lane % 64);
    }
}

/// Buffers of sums, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    /// The bits of the sums, the lowest first.
    pub planes: Vec<Word>,
    carries: Vec<Word>,
    next: Vec<Word>,
}

/// A set of vector instructions that this host has.
///
/// Code that uses them runs without a further check, so that a value comes from [`Instructions::available`] alone:
/// ```compile_fail
/// let _ = cocrypt_gates::sim::Instructions::Portable;
/// ```
/// ```compile_fail
/// let _ = cocrypt_gates::sim::Instructions::Avx512;
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Instructions(Set);

/// The sets that loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Those that every host has.
    Portable,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits, with functions of three operands.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// All sets that this host has, the widest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut found = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                found.push(Self(Set::Avx2));
            }
            if std::arch::is_x86_feature_detected!("avx512f") {
                found.push(Self(Set::Avx512));
            }
        }
        found
    }

    /// The widest set that this host has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().copied().unwrap_or(Self(Set::Portable))
    }

    /// Evaluates all gates; `toggles` gets what each has changed, unless it is empty.
    pub(super) fn settle(self, runs: &[Run], values: &mut [Word], toggles: &mut [Word]) {
        match self.0 {
            Set::Portable => settle(runs, values, toggles),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` alone makes this value, where the host has these instructions.
            Set::Avx2 => unsafe { settle_avx2(runs, values, toggles) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Set::Avx512 => unsafe { settle_avx512(runs, values, toggles) },
        }
    }

    /// Sums toggles by columns of bits, as `sum` describes.
    pub(super) fn sum(self, columns: &[Vec<u32>], toggles: &[Word], scratch: &mut Scratch) {
        match self.0 {
            Set::Portable => sum(columns, toggles, scratch),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Set::Avx2 => unsafe { sum_avx2(columns, toggles, scratch) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Set::Avx512 => unsafe { sum_avx512(columns, toggles, scratch) },
        }
    }
}

impl fmt::Debug for Instructions {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn settle_avx2(runs: &[Run], values: &mut [Word], toggles: &mut [Word]) {
    settle(runs, values, toggles);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn settle_avx512(runs: &[Run], values: &mut [Word], toggles: &mut [Word]) {
    settle(runs, values, toggles);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_avx2(columns: &[Vec<u32>], toggles: &[Word], scratch: &mut Scratch) {
    sum(columns, toggles, scratch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn sum_avx512(columns: &[Vec<u32>], toggles: &[Word], scratch: &mut Scratch) {
    sum(columns, toggles, scratch);
}

#[inline(always)]
fn settle(runs: &[Run], values: &mut [Word], toggles: &mut [Word]) {
    for run in runs {
        match run.op {
            Op::Buffer => each(run, values, toggles, |a, _, _, _| a),
            Op::Invert => each(run, values, toggles, |a, _, _, _| !a),
            Op::And2 => each(run, values, toggles, |a, b, _, _| a & b),
            Op::Nand2 => each(run, values, toggles, |a, b, _, _| !(a & b)),
            Op::Or2 => each(run, values, toggles, |a, b, _, _| a | b),
            Op::Nor2 => each(run, values, toggles, |a, b, _, _| !(a | b)),
            Op::Xor2 => each(run, values, toggles, |a, b, _, _| a ^ b),
            Op::Xnor2 => each(run, values, toggles, |a, b, _, _| !(a ^ b)),
            Op::And3 => each(run, values, toggles, |a, b, c, _| a & b & c),
            Op::Nand3 => each(run, values, toggles, |a, b, c, _| !(a & b & c)),
            Op::Or3 => each(run, values, toggles, |a, b, c, _| a | b | c),
            Op::Nor3 => each(run, values, toggles, |a, b, c, _| !(a | b | c)),
            Op::Mux => each(run, values, toggles, |a, b, c, _| a & !c | b & c),
            Op::AndOr21 => each(run, values, toggles, |a, b, c, _| a & b | c),
            Op::OrAnd21 => each(run, values, toggles, |a, b, c, _| (a | b) & c),
            Op::AndOrInvert21 => each(run, values, toggles, |a, b, c, _| !(a & b | c)),
            Op::OrAndInvert21 => each(run, values, toggles, |a, b, c, _| !((a | b) & c)),
            Op::AndOr22 => each(run, values, toggles, |a, b, c, d| a & b | c & d),
            Op::OrAnd22 => each(run, values, toggles, |a, b, c, d| (a | b) & (c | d)),
            Op::AndOrInvert22 => each(run, values, toggles, |a, b, c, d| !(a & b | c & d)),
            Op::OrAndInvert22 => each(run, values, toggles, |a, b, c, d| !((a | b) & (c | d))),
        }
    }
}

/// Evaluates the gates of a run; their operands, and what they replace, stand before their outputs.
#[inline(always)]
fn each(
    run: &Run,
    values: &mut [Word],
    toggles: &mut [Word],
    apply: impl Fn(u64, u64, u64, u64) -> u64,
) {
    // Two loops, since the question within one of them would cost a tenth of its speed.
    if run.replaced.is_empty() {
        over::<false>(run, values, toggles, apply);
    } else {
        over::<true>(run, values, toggles, apply);
    }
}

/// The loop of `each`, for gates that replace their own outputs or, if `ELSEWHERE`, other values.
#[inline(always)]
fn over<const ELSEWHERE: bool>(
    run: &Run,
    values: &mut [Word],
    toggles: &mut [Word],
    apply: impl Fn(u64, u64, u64, u64) -> u64,
) {
    let (before, outputs) = values.split_at_mut(run.first);
    // Plain loops: a closure within an iterator need not be compiled with the caller's instructions.
    let counts_toggles = !toggles.is_empty();
    for (index, &[a, b, c, d]) in run.operands.iter().enumerate() {
        let (a, b) = (before[a as usize].0, before[b as usize].0);
        let (c, d) = (before[c as usize].0, before[d as usize].0);
        let old = if ELSEWHERE { before[run.replaced[index] as usize].0 } else { outputs[index].0 };
        let (mut value, mut changed) = ([0; WORDS], [0; WORDS]);
        for word in 0..WORDS {
            value[word] = apply(a[word], b[word], c[word], d[word]);
            changed[word] = old[word] ^ value[word];
        }
        outputs[index] = Word(value);
        if counts_toggles {
            toggles[run.first + index] = Word(changed);
        }
    }
}

/// Sums toggles with their weights: column `k` lists, in pairs, the slots whose weight has bit `k`.
///
/// Full adders take three bits of a column to one of it and a carry to the next; `planes` gets the bits of
/// the sums, the lowest first.
#[inline(always)]
fn sum(columns: &[Vec<u32>], toggles: &[Word], scratch: &mut Scratch) {
    let Scratch { planes, carries, next } = scratch;
    planes.clear();
    let (mut column, mut carried) = (0_usize, 0_usize);
    while column < columns.len() || carried > 0 {
        let mut total = [0; WORDS];
        let slots = columns.get(column).map_or(&[][..], Vec::as_slice);
        let count = slots.len() / 2 + carried.div_ceil(2);
        if next.len() < count {
            next.resize(count, Word::ZERO);
        }
        let (first, second) = next.split_at_mut(slots.len() / 2);
        for (pair, carry) in slots.chunks_exact(2).zip(first) {
            let (a, b) = (&toggles[pair[0] as usize], &toggles[pair[1] as usize]);
            *carry = add(&mut total, a, b);
        }
        for (pair, carry) in carries[..carried].chunks(2).zip(second) {
            *carry = add(&mut total, &pair[0], pair.get(1).unwrap_or(&Word::ZERO));
        }
        planes.push(Word(total));
        column += 1;
        // The last carries of a sum are zeros, which would go on for ever.
        let is_done =
            column >= columns.len() && next[..count].iter().all(|carry| *carry == Word::ZERO);
        carried = if is_done { 0 } else { count };
        std::mem::swap(carries, next);
    }
}

/// Full adders: adds two bits of each lane to its total, and returns the carries.
#[inline(always)]
fn add(total: &mut [u64; WORDS], a: &Word, b: &Word) -> Word {
    let mut carry = [0; WORDS];
    for word in 0..WORDS {
        let (sum, a, b) = (total[word], a.0[word], b.0[word]);
        carry[word] = sum & a | sum & b | a & b;
        total[word] = sum ^ a ^ b;
    }
    Word(carry)
}
