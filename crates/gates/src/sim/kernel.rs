//! The inner loops of the simulator, compiled for each set of vector instructions and chosen at run time.

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

    #[inline(always)]
    fn map(operands: [&Self; 4], apply: impl Fn(u64, u64, u64, u64) -> u64) -> Self {
        let [a, b, c, d] = operands;
        let mut result = [0; WORDS];
        for (index, word) in result.iter_mut().enumerate() {
            *word = apply(a.0[index], b.0[index], c.0[index], d.0[index]);
        }
        Self(result)
    }
}

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
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
        let mut found = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                found.push(Self::Avx2);
            }
            if std::arch::is_x86_feature_detected!("avx512f") {
                found.push(Self::Avx512);
            }
        }
        found
    }

    /// The widest set that this host has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().copied().unwrap_or(Self::Portable)
    }

    /// Evaluates all gates; `toggles` gets what each has changed, unless it is empty.
    pub(super) fn settle(self, runs: &[Run], values: &mut [Word], toggles: &mut [Word]) {
        match self {
            Self::Portable => settle(runs, values, toggles),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this value exists only where the host has these instructions.
            Self::Avx2 => unsafe { settle_avx2(runs, values, toggles) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Self::Avx512 => unsafe { settle_avx512(runs, values, toggles) },
        }
    }

    /// Sums toggles by columns of bits, as `sum` describes.
    pub(super) fn sum(self, columns: &[Vec<u32>], toggles: &[Word], planes: &mut Vec<Word>) {
        match self {
            Self::Portable => sum(columns, toggles, planes),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Self::Avx2 => unsafe { sum_avx2(columns, toggles, planes) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Self::Avx512 => unsafe { sum_avx512(columns, toggles, planes) },
        }
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
fn sum_avx2(columns: &[Vec<u32>], toggles: &[Word], planes: &mut Vec<Word>) {
    sum(columns, toggles, planes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn sum_avx512(columns: &[Vec<u32>], toggles: &[Word], planes: &mut Vec<Word>) {
    sum(columns, toggles, planes);
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

/// Evaluates the gates of a run; their operands stand before their outputs.
#[inline(always)]
fn each(
    run: &Run,
    values: &mut [Word],
    toggles: &mut [Word],
    apply: impl Fn(u64, u64, u64, u64) -> u64,
) {
    let (before, outputs) = values.split_at_mut(run.first);
    let new = |operands: &[u32; 4]| Word::map(operands.map(|slot| &before[slot as usize]), &apply);
    if toggles.is_empty() {
        outputs
            .iter_mut()
            .zip(&run.operands)
            .for_each(|(output, operands)| *output = new(operands));
        return;
    }
    let toggles = &mut toggles[run.first..];
    for ((output, operands), toggle) in outputs.iter_mut().zip(&run.operands).zip(toggles) {
        let value = new(operands);
        *toggle = Word::map([output, &value, &value, &value], |old, new, _, _| old ^ new);
        *output = value;
    }
}

/// Sums toggles with their weights: column `k` lists, in pairs, the slots whose weight has bit `k`.
///
/// Full adders take three bits of a column to one of it and a carry to the next; `planes` gets the bits of
/// the sums, the lowest first.
#[inline(always)]
fn sum(columns: &[Vec<u32>], toggles: &[Word], planes: &mut Vec<Word>) {
    planes.clear();
    let (mut carries, mut next) = (vec![], vec![]);
    let mut column = 0;
    while column < columns.len() || !carries.is_empty() {
        let mut total = Word::ZERO;
        let slots = columns.get(column).map_or(&[][..], Vec::as_slice);
        let mut add = |a: &Word, b: &Word| {
            let operands = [&total, a, b, b];
            let carry = Word::map(operands, |a, b, c, _| a & b | a & c | b & c);
            next.push(carry);
            total = Word::map(operands, |a, b, c, _| a ^ b ^ c);
        };
        for pair in slots.chunks_exact(2) {
            add(&toggles[pair[0] as usize], &toggles[pair[1] as usize]);
        }
        for pair in carries.chunks(2) {
            add(&pair[0], pair.get(1).unwrap_or(&Word::ZERO));
        }
        planes.push(total);
        carries.clear();
        // The last carries of a sum are zeros, which would go on for ever.
        if column + 1 >= columns.len() && next.iter().all(|carry| *carry == Word::ZERO) {
            next.clear();
        }
        std::mem::swap(&mut carries, &mut next);
        column += 1;
    }
}
