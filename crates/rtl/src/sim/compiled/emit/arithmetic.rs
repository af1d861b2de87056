//! Arithmetic on values of several limbs, least significant first.

use cocrypt_codegen::{Cell, Comparison, Word};

use super::Emitter;
use crate::sim::code::{Code, Instr};

impl Emitter<'_, '_, '_> {
    pub(super) fn resize(&mut self, mut words: Vec<Word>, limbs: u16) -> Vec<Word> {
        let zero = self.builder.constant(0);
        words.resize(limbs.into(), zero);
        words
    }

    pub(super) fn add(&mut self, a: &[Word], b: &[Word]) -> Vec<Word> {
        let zero = self.builder.constant(0);
        let pairs = a.iter().zip(b);
        // Where one operand has nothing, the other stays as it is.
        let kept = pairs.take_while(|(a, b)| [**a, **b].contains(&zero));
        let mut sums: Vec<Word> = kept.map(|(a, b)| if *a == zero { *b } else { *a }).collect();
        let mut carry = None;
        while sums.len() < a.len() {
            let at = sums.len();
            match (&a[at..], &b[at..]) {
                (&[a], &[b]) => {
                    let sum = self.builder.add(a, b);
                    sums.push(carry.map_or(sum, |carry| self.builder.add(sum, carry)));
                }
                (&[a0, a1], &[b0, b1]) => {
                    sums.extend(self.builder.add_doubles([a0, a1], [b0, b1], carry));
                }
                (a, b) => {
                    let [a, b] = [a, b].map(|limbs| [limbs[0], limbs[1]]);
                    let (sum, over) = self.builder.add_doubles_carrying(a, b, carry);
                    sums.extend(sum);
                    carry = Some(over);
                }
            }
        }
        sums
    }

    pub(super) fn subtract(&mut self, a: &[Word], b: &[Word]) -> Vec<Word> {
        let (mut differences, mut borrow) = (vec![], None);
        while differences.len() < a.len() {
            let at = differences.len();
            match (&a[at..], &b[at..]) {
                (&[a], &[b]) => {
                    let difference = self.builder.subtract(a, b);
                    let less = |borrow| self.builder.subtract(difference, borrow);
                    differences.push(borrow.map_or(difference, less));
                }
                (&[a0, a1], &[b0, b1]) => {
                    differences.extend(self.builder.subtract_doubles([a0, a1], [b0, b1], borrow));
                }
                (a, b) => {
                    let [a, b] = [a, b].map(|limbs| [limbs[0], limbs[1]]);
                    let (difference, under) = self.builder.subtract_doubles_borrowing(a, b, borrow);
                    differences.extend(difference);
                    borrow = Some(under);
                }
            }
        }
        differences
    }

    pub(super) fn multiply(&mut self, a: &[Word], b: &[Word]) -> Vec<Word> {
        let zero = self.builder.constant(0);
        let mut sums = vec![zero; a.len()];
        for at in 0..a.len() {
            let mut carry = zero;
            for (by, b) in b.iter().enumerate().take(a.len() - at) {
                let low = self.builder.multiply(a[at], *b);
                if at + by + 1 == a.len() {
                    let sum = self.builder.add(sums[at + by], low);
                    sums[at + by] = self.builder.add(sum, carry);
                    continue;
                }
                let high = self.builder.multiply_high(a[at], *b);
                let sum = self.builder.add(sums[at + by], low);
                let over = self.builder.compare(Comparison::Below, sum, low);
                let total = self.builder.add(sum, carry);
                let again = self.builder.compare(Comparison::Below, total, carry);
                sums[at + by] = total;
                let high = self.builder.add(high, over);
                carry = self.builder.add(high, again);
            }
        }
        sums
    }

    /// The remainder of a division, bit by bit; of one by 0, 0.
    pub(super) fn remainder(&mut self, a: &[Word], b: &[Word]) -> Vec<Word> {
        let cells =
            |this: &mut Self| -> Vec<Cell> { a.iter().map(|_| this.builder.cell()).collect() };
        let (dividend, rest, left) = (cells(self), cells(self), self.builder.cell());
        let (zero, bits) = (self.builder.constant(0), self.builder.constant(64 * a.len() as u64));
        for ((cell, word), rest) in dividend.iter().zip(a).zip(&rest) {
            self.builder.set(*cell, *word);
            self.builder.set(*rest, zero);
        }
        self.builder.set(left, bits);
        let [head, body, end] = [self.builder.label(), self.builder.label(), self.builder.label()];
        self.builder.jump(head);
        self.builder.place(head);
        let now = self.builder.get(left);
        self.builder.branch(now, body, end);
        self.builder.place(body);
        let one = self.builder.constant(1);
        let fewer = self.builder.subtract(now, one);
        self.builder.set(left, fewer);
        let nothing = self.builder.constant(0);
        let highest = self.shift_cells(&dividend, nothing);
        let over = self.shift_cells(&rest, highest);
        let reached: Vec<Word> = rest.iter().map(|cell| self.builder.get(*cell)).collect();
        let below = self.below(&reached, b);
        let less = self.subtract(&reached, b);
        let stays = self.builder.select(over, nothing, below);
        for ((cell, kept), less) in rest.iter().zip(reached).zip(less) {
            let next = self.builder.select(stays, kept, less);
            self.builder.set(*cell, next);
        }
        self.builder.jump(head);
        self.builder.place(end);
        let none = self.builder.constant(0);
        let zeros = vec![none; b.len()];
        let by_zero = self.equal(b, &zeros);
        let rest = rest.into_iter().map(|cell| self.builder.get(cell)).collect::<Vec<_>>();
        rest.into_iter().map(|word| self.builder.select(by_zero, none, word)).collect()
    }

    /// Shifts cells left by a bit, which comes in below; returns the one that goes out.
    fn shift_cells(&mut self, cells: &[Cell], mut incoming: Word) -> Word {
        for cell in cells {
            let (one, last) = (self.builder.constant(1), self.builder.constant(63));
            let word = self.builder.get(*cell);
            let up = self.builder.shift_left(word, one);
            let shifted = self.builder.or(up, incoming);
            self.builder.set(*cell, shifted);
            incoming = self.builder.shift_right(word, last);
        }
        incoming
    }

    pub(super) fn equal(&mut self, a: &[Word], b: &[Word]) -> Word {
        let mut differs: Option<Word> = None;
        if let ([a], [b]) = (a, b) {
            return self.builder.compare(Comparison::Equal, *a, *b);
        }
        for (a, b) in a.iter().zip(b) {
            let here = self.builder.xor(*a, *b);
            differs = Some(match differs {
                Some(differs) => self.builder.or(differs, here),
                None => here,
            });
        }
        let zero = self.builder.constant(0);
        self.builder.compare(Comparison::Equal, differs.unwrap_or(zero), zero)
    }

    /// True if a is below b.
    pub(super) fn below(&mut self, a: &[Word], b: &[Word]) -> Word {
        if let ([a], [b]) = (a, b) {
            return self.builder.compare(Comparison::Below, *a, *b);
        }
        let zero = self.builder.constant(0);
        let double = |limbs: &[Word]| [limbs[0], limbs.get(1).copied().unwrap_or(zero)];
        let mut borrow = None;
        for (a, b) in a.chunks(2).zip(b.chunks(2)) {
            let [a, b] = [a, b].map(double);
            borrow = Some(self.builder.subtract_doubles_borrowing(a, b, borrow).1);
        }
        borrow.unwrap_or(zero)
    }

    /// A word of some width with its highest bit turned over, so that signed order becomes unsigned.
    pub(super) fn flipped(&mut self, mut words: Vec<Word>, width: u32) -> Vec<Word> {
        let bit = self.builder.constant(1 << ((width - 1) % 64));
        if let Some(top) = words.last_mut() {
            *top = self.builder.xor(*top, bit);
        }
        words
    }

    /// All bits of a word of some width as its sign says, and the word with its highest limb filled so.
    pub(super) fn signed(&mut self, mut words: Vec<Word>, width: u32) -> (Word, Vec<Word>) {
        let unused = self.builder.constant(u64::from((64 - width % 64) % 64));
        let last = words.len() - 1;
        let high = self.builder.shift_left(words[last], unused);
        words[last] = self.builder.shift_right_signed(high, unused);
        let all = self.builder.constant(63);
        (self.builder.shift_right_signed(words[last], all), words)
    }

    pub(super) fn slice(&mut self, words: &[Word], low: u32, limbs: u16) -> Vec<Word> {
        let (skip, shift) = ((low / 64) as usize, u64::from(low % 64));
        let zero = self.builder.constant(0);
        let mut cut = vec![];
        for at in 0..usize::from(limbs) {
            let here = words.get(skip + at).copied().unwrap_or(zero);
            let above = words.get(skip + at + 1).copied();
            cut.push(if shift == 0 { here } else { self.straddle(here, above, shift) });
        }
        cut
    }

    /// Bits from `shift` on of two limbs, one above the other.
    fn straddle(&mut self, here: Word, above: Option<Word>, shift: u64) -> Word {
        let (down, zero) = (self.builder.constant(shift), self.builder.constant(0));
        let low = self.builder.shift_right(here, down);
        let Some(above) = above.filter(|above| *above != zero) else { return low };
        let up = self.builder.constant(64 - shift);
        let high = self.builder.shift_left(above, up);
        if here == above { self.builder.or(low, high) } else { self.builder.join(low, high) }
    }

    /// The rotation of a word, or of its low half, that two words are, the one above the other.
    pub(super) fn rotation(&mut self, a: &[Word], b: &[Word]) -> Option<Word> {
        let (&[a], &[b]) = (a, b) else { return None };
        let ((of, 0, low), (same, border, high)) = (*self.slices.get(&a)?, *self.slices.get(&b)?)
        else {
            return None;
        };
        match low + high {
            64 if of == same && border == low => Some(self.builder.rotate_left(of, high)),
            32 if of == same && border == low => Some(self.builder.rotate_half_left(of, high)),
            _ => None,
        }
    }

    /// `a` above `b`, as an instruction has it.
    pub(super) fn concat(&mut self, instr: &Instr, a: &[Word], b: &[Word]) -> Vec<Word> {
        let (skip, shift) = ((instr.c / 64) as usize, u64::from(instr.c % 64));
        let mut joined = self.resize(b.to_vec(), instr.limbs);
        for (at, word) in a.iter().enumerate() {
            let place = skip + at;
            let up = self.builder.constant(shift);
            // What the shift drops need not be 0.
            let kept = u64::MAX >> shift;
            let uncut = self.uncut.get(word).filter(|(_, mask)| mask & kept == kept);
            let whole = uncut.map_or(*word, |(whole, _)| *whole);
            let low = if shift == 0 { *word } else { self.builder.shift_left(whole, up) };
            joined[place] = if instr.limbs == 1 {
                self.builder.or(joined[place], low)
            } else {
                self.builder.join(joined[place], low)
            };
            if shift != 0 && place + 1 < joined.len() {
                let down = self.builder.constant(64 - shift);
                joined[place + 1] = self.builder.shift_right(*word, down);
            }
        }
        joined
    }

    pub(super) fn shift(&mut self, instr: &Instr, a: Vec<Word>, b: &[Word]) -> Vec<Word> {
        if let Some(by) = self.constant(instr.b, instr.limbs_b) {
            return self.shift_by(instr, a, by);
        }
        let width = self.builder.constant(instr.c.into());
        let mut fits = self.builder.compare(Comparison::Below, b[0], width);
        for high in &b[1..] {
            let zero = self.builder.constant(0);
            let none = self.builder.compare(Comparison::Equal, *high, zero);
            fits = self.builder.and(fits, none);
        }
        let zero = self.builder.constant(0);
        let (fill, a) = match instr.code {
            Code::ShiftRightSignedWide => self.signed(a, instr.c),
            _ => (zero, a),
        };
        let is_left = instr.code == Code::ShiftLeftWide;
        let words = self.shift_words(a, b[0], fill, is_left);
        let shifted = self.shift_bits(&words, b[0], fill, instr.code);
        shifted.into_iter().map(|word| self.builder.select(fits, word, fill)).collect()
    }

    /// A value that does not depend on the cycle; all bits are set where it has more than one limb.
    fn constant(&self, start: u32, limbs: u16) -> Option<u64> {
        let value = |limb: u32| self.program.layout.constants.get(&self.origin(limb)).copied();
        let limbs = (start..start + u32::from(limbs)).map(value).collect::<Option<Vec<u64>>>()?;
        let is_short = limbs[1..].iter().all(|limb| *limb == 0);
        Some(if is_short { limbs[0] } else { u64::MAX })
    }

    /// Returns true if a value of so many limbs is always 0.
    pub(super) fn is_zero(&self, start: u32, limbs: u16) -> bool {
        self.constant(start, limbs) == Some(0)
    }

    /// Shifts by a constant amount.
    fn shift_by(&mut self, instr: &Instr, a: Vec<Word>, by: u64) -> Vec<Word> {
        let zero = self.builder.constant(0);
        let (fill, a) = match instr.code {
            Code::ShiftRightSignedWide => self.signed(a, instr.c),
            _ => (zero, a),
        };
        if by >= u64::from(instr.c) {
            return vec![fill; a.len()];
        }
        let (skip, bits) = ((by / 64) as usize, by % 64);
        let limbs = 0..a.len();
        let moved = |at: usize| a.get(at).copied().unwrap_or(fill);
        match (instr.code, bits) {
            (Code::ShiftLeftWide, 0) => {
                limbs.map(|at| at.checked_sub(skip).map_or(zero, moved)).collect()
            }
            (Code::ShiftLeftWide, _) => {
                let pairs = limbs.map(|at| [1, 0].map(|by| at.checked_sub(skip + by)));
                pairs
                    .map(|[low, high]| {
                        let Some(high) = high.map(moved) else { return zero };
                        self.straddle(low.map_or(zero, moved), Some(high), 64 - bits)
                    })
                    .collect()
            }
            (_, 0) => limbs.map(|at| moved(at + skip)).collect(),
            _ => {
                let pairs = limbs.map(|at| [moved(at + skip), moved(at + skip + 1)]);
                pairs.map(|[here, above]| self.straddle(here, Some(above), bits)).collect()
            }
        }
    }

    /// Shifts by whole limbs, as the amount divided by 64 says, a power of two after the other.
    fn shift_words(&mut self, mut words: Vec<Word>, by: Word, fill: Word, left: bool) -> Vec<Word> {
        let mut distance = 1;
        while distance < words.len() {
            let bit = self.builder.constant(64 * distance as u64);
            let set = self.builder.and(by, bit);
            let moved =
                |at: usize| if left { at.checked_sub(distance) } else { Some(at + distance) };
            let from: Vec<Word> = (0..words.len())
                .map(|at| moved(at).and_then(|at| words.get(at).copied()).unwrap_or(fill))
                .collect();
            for (word, from) in words.iter_mut().zip(from) {
                *word = self.builder.select(set, from, *word);
            }
            distance *= 2;
        }
        words
    }

    /// Shifts by the amount modulo 64.
    fn shift_bits(&mut self, words: &[Word], by: Word, fill: Word, code: Code) -> Vec<Word> {
        let count = words.len();
        let (one, most) = (self.builder.constant(1), self.builder.constant(63));
        let mut shifted = vec![];
        for at in 0..count {
            let here = match code {
                Code::ShiftLeftWide => self.builder.shift_left(words[at], by),
                Code::ShiftRightSignedWide if count == 1 => {
                    self.builder.shift_right_signed(words[at], by)
                }
                _ => self.builder.shift_right(words[at], by),
            };
            if count == 1 {
                return vec![here];
            }
            // What comes in from the neighbour is shifted in two steps, so that 0 stays 0.
            let within = self.builder.and(by, most);
            let rest = self.builder.subtract(most, within);
            let incoming = if code == Code::ShiftLeftWide {
                let zero = self.builder.constant(0);
                let below = if at == 0 { zero } else { words[at - 1] };
                let first = self.builder.shift_right(below, one);
                self.builder.shift_right(first, rest)
            } else {
                let above = words.get(at + 1).copied().unwrap_or(fill);
                let first = self.builder.shift_left(above, one);
                self.builder.shift_left(first, rest)
            };
            shifted.push(self.builder.or(here, incoming));
        }
        shifted
    }
}
