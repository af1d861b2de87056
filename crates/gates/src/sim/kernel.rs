//! The inner loops of the simulator.

/// A bit of each lane.
pub use cocrypt_codegen::Vector as Word;
use cocrypt_simd::Kernel;

use super::op::Op;
use super::program::Run;

/// Lanes that are simulated at once.
pub const LANES: usize = 64 * WORDS;
/// Words of the host that hold them.
pub const WORDS: usize = 8;
/// Toggles that are counted together.
pub const COUNTED: usize = 8;
/// Planes of a count that are kept in registers while toggles are counted.
const KEPT: usize = 3;

/// Evaluates gates; `toggles` gets what each has changed, from the slot `first` on, unless it is empty.
pub struct Settle<'a> {
    pub runs: &'a [Run],
    pub values: &'a mut [Word],
    pub toggles: &'a mut [Word],
    pub first: usize,
}

impl Kernel for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for run in self.runs {
            if self.toggles.is_empty() {
                settle::<false>(run, self.values, &mut []);
            } else {
                let toggles = &mut self.toggles[run.first - self.first..];
                settle::<true>(run, self.values, toggles);
            }
        }
    }
}

#[inline(always)]
fn settle<const TOGGLES: bool>(run: &Run, values: &mut [Word], toggles: &mut [Word]) {
    let mut each = Each::<TOGGLES> { run, values, toggles };
    match run.op {
        Op::Buffer => each.one(|a| a),
        Op::Invert => each.one(|a| !a),
        Op::And2 => each.two(|a, b| a & b),
        Op::Nand2 => each.two(|a, b| !(a & b)),
        Op::Or2 => each.two(|a, b| a | b),
        Op::Nor2 => each.two(|a, b| !(a | b)),
        Op::Xor2 => each.two(|a, b| a ^ b),
        Op::Xnor2 => each.two(|a, b| !(a ^ b)),
        Op::And3 => each.three(|a, b, c| a & b & c),
        Op::Nand3 => each.three(|a, b, c| !(a & b & c)),
        Op::Or3 => each.three(|a, b, c| a | b | c),
        Op::Nor3 => each.three(|a, b, c| !(a | b | c)),
        Op::Mux => each.three(|a, b, c| a & !c | b & c),
        Op::AndOr21 => each.three(|a, b, c| a & b | c),
        Op::OrAnd21 => each.three(|a, b, c| (a | b) & c),
        Op::AndOrInvert21 => each.three(|a, b, c| !(a & b | c)),
        Op::OrAndInvert21 => each.three(|a, b, c| !((a | b) & c)),
        Op::AndOr22 => each.four(|a, b, c, d| a & b | c & d),
        Op::OrAnd22 => each.four(|a, b, c, d| (a | b) & (c | d)),
        Op::AndOrInvert22 => each.four(|a, b, c, d| !(a & b | c & d)),
        Op::OrAndInvert22 => each.four(|a, b, c, d| !((a | b) & (c | d))),
    }
}

/// The gates of a run; their operands, and what they replace, stand before their outputs. Toggles begin with its own.
struct Each<'a, const TOGGLES: bool> {
    run: &'a Run,
    values: &'a mut [Word],
    toggles: &'a mut [Word],
}

impl<const TOGGLES: bool> Each<'_, TOGGLES> {
    #[inline(always)]
    fn one(&mut self, apply: impl Fn(u64) -> u64) {
        self.evaluate::<1>(|a, _, _, _| apply(a));
    }

    #[inline(always)]
    fn two(&mut self, apply: impl Fn(u64, u64) -> u64) {
        self.evaluate::<2>(|a, b, _, _| apply(a, b));
    }

    #[inline(always)]
    fn three(&mut self, apply: impl Fn(u64, u64, u64) -> u64) {
        self.evaluate::<3>(|a, b, c, _| apply(a, b, c));
    }

    #[inline(always)]
    fn four(&mut self, apply: impl Fn(u64, u64, u64, u64) -> u64) {
        self.evaluate::<4>(apply);
    }

    #[inline(always)]
    fn evaluate<const OPERANDS: usize>(&mut self, apply: impl Fn(u64, u64, u64, u64) -> u64) {
        // Two loops, since the question within one of them would cost a tenth of its speed.
        if self.run.replaced.is_empty() {
            self.over::<OPERANDS, false>(apply);
        } else {
            self.over::<OPERANDS, true>(apply);
        }
    }

    /// The loop, for gates that replace their own outputs or, if `ELSEWHERE`, other values.
    #[inline(always)]
    fn over<const OPERANDS: usize, const ELSEWHERE: bool>(
        &mut self,
        apply: impl Fn(u64, u64, u64, u64) -> u64,
    ) {
        let Run { first, operands, replaced, .. } = self.run;
        let (before, outputs) = self.values.split_at_mut(*first);
        let differences = &mut *self.toggles;
        // An operand that the operation lacks is not even looked up: the check of its index costs as much as a load.
        let operand = |slots: &[u32; 4], number: usize| {
            if number < OPERANDS { before[slots[number] as usize].0 } else { [0; WORDS] }
        };
        // Plain loops: a closure within an iterator need not be compiled with the caller's instructions.
        for (index, (slots, output)) in operands.iter().zip(outputs).enumerate() {
            let (a, b) = (operand(slots, 0), operand(slots, 1));
            let (c, d) = (operand(slots, 2), operand(slots, 3));
            let old = if ELSEWHERE { before[replaced[index] as usize].0 } else { output.0 };
            let (mut value, mut changed) = ([0; WORDS], [0; WORDS]);
            for word in 0..WORDS {
                value[word] = apply(a[word], b[word], c[word], d[word]);
                changed[word] = old[word] ^ value[word];
            }
            *output = Word(value);
            if TOGGLES {
                differences[index] = Word(changed);
            }
        }
    }
}

/// Toggles of nets with the same weight, which are counted before the count is weighed.
#[derive(Clone, Debug)]
pub struct Group {
    /// The places of toggles, a multiple of `COUNTED`: place 0, which never toggles, fills the last.
    pub toggles: Vec<u32>,
    /// The first of the count's planes, the lowest bits first.
    pub first: usize,
    /// The number of planes, at least `KEPT`.
    pub planes: usize,
}

/// Adds the toggles of each group to its planes.
pub struct Count<'a> {
    pub groups: &'a [Group],
    pub toggles: &'a [Word],
    pub planes: &'a mut [Word],
}

impl Kernel for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for group in self.groups {
            let planes = &mut self.planes[group.first..][..group.planes];
            count(&group.toggles, self.toggles, planes);
        }
    }
}

/// Counts by carry-save adders (Harley and Seal): seven of them take eight toggles to the planes that are kept in
/// registers and one carry beyond.
#[inline(always)]
fn count(counted: &[u32], toggles: &[Word], planes: &mut [Word]) {
    let (kept, beyond) = planes.split_at_mut(KEPT);
    let (mut ones, mut twos, mut fours) = (kept[0].0, kept[1].0, kept[2].0);
    for eight in counted.chunks_exact(COUNTED) {
        let toggle = [0, 1, 2, 3, 4, 5, 6, 7].map(|index: usize| &toggles[eight[index] as usize].0);
        let mut carry = [0; WORDS];
        // One loop over the words, which the compiler turns into vectors as a whole.
        for word in 0..WORDS {
            let (mut one, mut two, mut four) = (ones[word], twos[word], fours[word]);
            let first = add(&mut one, toggle[0][word], toggle[1][word]);
            let second = add(&mut one, toggle[2][word], toggle[3][word]);
            let third = add(&mut one, toggle[4][word], toggle[5][word]);
            let fourth = add(&mut one, toggle[6][word], toggle[7][word]);
            let upper = add(&mut two, first, second);
            let other = add(&mut two, third, fourth);
            carry[word] = add(&mut four, upper, other);
            (ones[word], twos[word], fours[word]) = (one, two, four);
        }
        for plane in beyond.iter_mut() {
            for (word, carry) in plane.0.iter_mut().zip(&mut carry) {
                (*word, *carry) = (*word ^ *carry, *word & *carry);
            }
        }
    }
    kept.copy_from_slice(&[Word(ones), Word(twos), Word(fours)]);
}

/// Buffers of sums, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    /// The bits of the sums, the lowest first.
    pub planes: Vec<Word>,
    carries: Vec<Word>,
    next: Vec<Word>,
}

/// Sums bits with their weights: column `k` lists, in pairs, the places of those whose weight has bit `k`.
///
/// Full adders take three bits of a column to one of it and a carry to the next; `scratch.planes` gets the bits of
/// the sums, the lowest first.
pub struct Sum<'a> {
    pub columns: &'a [Vec<u32>],
    pub bits: &'a [Word],
    pub scratch: &'a mut Scratch,
}

impl Kernel for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { columns, bits, scratch } = self;
        let Scratch { planes, carries, next } = scratch;
        planes.clear();
        let (mut column, mut carried) = (0_usize, 0_usize);
        while column < columns.len() || carried > 0 {
            let mut total = [0; WORDS];
            let places = columns.get(column).map_or(&[][..], Vec::as_slice);
            let count = places.len() / 2 + carried.div_ceil(2);
            if next.len() < count {
                next.resize(count, Word::ZERO);
            }
            let (first, second) = next.split_at_mut(places.len() / 2);
            for (pair, carry) in places.chunks_exact(2).zip(first) {
                let (a, b) = (&bits[pair[0] as usize], &bits[pair[1] as usize]);
                *carry = add_words(&mut total, a, b);
            }
            for (pair, carry) in carries[..carried].chunks(2).zip(second) {
                *carry = add_words(&mut total, &pair[0], pair.get(1).unwrap_or(&Word::ZERO));
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
}

/// Takes the sum of each lane from planes, the lowest first.
pub struct Lanes<'a> {
    pub planes: &'a [Word],
    pub sums: &'a mut [u64; LANES],
}

impl Kernel for Lanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.sums.fill(0);
        for (bit, plane) in self.planes.iter().enumerate() {
            for (word, sums) in plane.0.iter().zip(self.sums.chunks_exact_mut(64)) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    *sum += (word >> lane & 1) << bit;
                }
            }
        }
    }
}

/// Full adders: adds two bits of each lane to its total, and returns the carries.
#[inline(always)]
fn add_words(total: &mut [u64; WORDS], a: &Word, b: &Word) -> Word {
    let mut carry = [0; WORDS];
    for word in 0..WORDS {
        carry[word] = add(&mut total[word], a.0[word], b.0[word]);
    }
    Word(carry)
}

/// The full adders of 64 lanes.
#[inline(always)]
fn add(total: &mut u64, a: u64, b: u64) -> u64 {
    let sum = *total;
    *total = sum ^ a ^ b;
    sum & a | sum & b | a & b
}
