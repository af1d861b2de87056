//! Functions over one array of words, which cannot reach beyond it.
//!
//! A builder here has no operation that computes an address: places in the array are constants that the
//! array must have, or indices that are held below a bound; vectors beside it are of the function's own, and their
//! offsets are constants below their number. So what it builds is safe to call, whoever
//! built it.

mod lanes;

use std::collections::HashMap;
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

use crate::clif::types::{I32, I64};
use crate::clif::{
    Block, FunctionBuilder, InstBuilder, IntCC, MemFlagsData, Switch, Value, Variable,
};
use crate::{Code, CompileError, Compiler, Convention};

pub use lanes::{LaneWidth, Lanes, VECTOR, Vectors};

/// Bytes of a word.
const WORD: i64 = 8;

/// A compiled function over an array of words.
#[derive(Debug)]
pub struct Kernel {
    code: Code,
    /// Words that the array must have.
    words: usize,
}

/// A value of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word(Value);

/// A value that several places of the function set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(Variable);

/// A place of the function to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(Block);

/// The comparison of two words; both without sign unless it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal.
    Equal,
    /// The left one is below.
    Below,
    /// The left one is below, both in two's complement.
    BelowSigned,
}

impl Kernel {
    /// Builds and compiles a function over at least so many words, of one argument. `build` ends every label
    /// that it places by going elsewhere or leaving.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn new(
        compiler: &mut Compiler,
        words: usize,
        build: impl FnOnce(&mut KernelBuilder<'_, '_>, Word),
    ) -> Result<Self, CompileError> {
        let signature = compiler.signature(Convention::Host, &[I64, I64], &[I64]);
        let code = compiler.compile(signature, |function| {
            let entry = function.create_block();
            function.append_block_params_for_function_params(entry);
            function.switch_to_block(entry);
            let parameters = function.block_params(entry);
            let (array, argument) = (parameters[0], Word(parameters[1]));
            let known = HashMap::new();
            build(&mut KernelBuilder { function, array, words, known }, argument);
        })?;
        Ok(Self { code, words })
    }

    /// Calls the function.
    ///
    /// # Panics
    /// If the array has fewer words than the function was built for.
    #[must_use]
    pub fn call(&self, array: &mut [u64], argument: u64) -> u64 {
        assert!(array.len() >= self.words, "the array is too short for this function");
        // SAFETY: the function was built by a `KernelBuilder`, whose loads and stores stay within the
        // first `words` words of its array, which are here and borrowed for the time of the call, and
        // within vectors on its own stack.
        unsafe { self.code.call(array.as_mut_ptr() as u64, argument) }
    }

    /// Bytes of code.
    #[must_use]
    pub fn size(&self) -> usize {
        self.code.size()
    }
}

/// Builds a function over an array of words.
pub struct KernelBuilder<'a, 'f> {
    function: &'a mut FunctionBuilder<'f>,
    array: Value,
    words: usize,
    /// Constants of the present block.
    known: HashMap<u64, Word>,
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident: $instruction:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(&mut self, a: Word, b: Word) -> Word {
            Word(self.function.ins().$instruction(a.0, b.0))
        })*
    };
}

impl KernelBuilder<'_, '_> {
    binary! {
        /// Bitwise and.
        and: band;
        /// Bitwise or.
        or: bor;
        /// Bitwise exclusive or.
        xor: bxor;
        /// Sum, modulo 2^64.
        add: iadd;
        /// Difference, modulo 2^64.
        subtract: isub;
        /// The low word of a product.
        multiply: imul;
        /// The high word of a product.
        multiply_high: umulhi;
        /// Left shift, by an amount modulo 64.
        shift_left: ishl;
        /// Right shift, by an amount modulo 64.
        shift_right: ushr;
        /// Right shift that keeps the sign, by an amount modulo 64.
        shift_right_signed: sshr;
    }

    /// The union of two words that have no bits in common.
    pub fn join(&mut self, a: Word, b: Word) -> Word {
        // Cranelift makes a double shift of the union of two shifted words on x86-64.
        if has_slow_double_shifts() { self.add(a, b) } else { self.or(a, b) }
    }

    /// The word rotated left by fewer than 64 bits.
    pub fn rotate_left(&mut self, a: Word, by: u32) -> Word {
        let by = self.function.ins().iconst(I32, i64::from(by));
        Word(self.function.ins().rotl(a.0, by))
    }

    /// The low half of a word rotated left by fewer than 32 bits.
    pub fn rotate_half_left(&mut self, a: Word, by: u32) -> Word {
        let by = self.function.ins().iconst(I32, i64::from(by));
        let half = self.function.ins().ireduce(I32, a.0);
        let rotated = self.function.ins().rotl(half, by);
        Word(self.function.ins().uextend(I64, rotated))
    }

    /// A number.
    pub fn constant(&mut self, value: u64) -> Word {
        let function = &mut *self.function;
        *self
            .known
            .entry(value)
            .or_insert_with(|| Word(function.ins().iconst(I64, value.cast_signed())))
    }

    /// Complement.
    pub fn not(&mut self, a: Word) -> Word {
        Word(self.function.ins().bnot(a.0))
    }

    /// Two's complement.
    pub fn negate(&mut self, a: Word) -> Word {
        Word(self.function.ins().ineg(a.0))
    }

    /// The sum of two double words, low word first, and of a carry, which is 0 or 1.
    pub fn add_doubles(&mut self, a: [Word; 2], b: [Word; 2], carry: Option<Word>) -> [Word; 2] {
        let [a, b] = [a, b].map(|words| self.double(words));
        let mut sum = self.function.ins().iadd(a, b);
        if let Some(carry) = carry {
            let carry = self.extended(carry);
            sum = self.function.ins().iadd(sum, carry);
        }
        self.halves(sum)
    }

    /// The same, and the carry out of it.
    pub fn add_doubles_carrying(
        &mut self,
        a: [Word; 2],
        b: [Word; 2],
        carry: Option<Word>,
    ) -> ([Word; 2], Word) {
        let [a, b] = [a, b].map(|words| self.double(words));
        let (sum, over) = self.function.ins().uadd_overflow(a, b);
        let over = self.flag(over);
        let Some(carry) = carry else { return (self.halves(sum), over) };
        let carry = self.extended(carry);
        let (sum, over_again) = self.function.ins().uadd_overflow(sum, carry);
        let over_again = self.flag(over_again);
        (self.halves(sum), self.or(over, over_again))
    }

    /// The difference of two double words, one less with a borrow, which is 0 or 1.
    pub fn subtract_doubles(
        &mut self,
        a: [Word; 2],
        b: [Word; 2],
        borrow: Option<Word>,
    ) -> [Word; 2] {
        let [a, b] = [a, b].map(|words| self.double(words));
        let mut difference = self.function.ins().isub(a, b);
        if let Some(borrow) = borrow {
            let borrow = self.extended(borrow);
            difference = self.function.ins().isub(difference, borrow);
        }
        self.halves(difference)
    }

    /// The same, and the borrow out of it.
    pub fn subtract_doubles_borrowing(
        &mut self,
        a: [Word; 2],
        b: [Word; 2],
        borrow: Option<Word>,
    ) -> ([Word; 2], Word) {
        let [a, b] = [a, b].map(|words| self.double(words));
        let (difference, under) = self.function.ins().usub_overflow(a, b);
        let under = self.flag(under);
        let Some(borrow) = borrow else { return (self.halves(difference), under) };
        let borrow = self.extended(borrow);
        let (difference, under_again) = self.function.ins().usub_overflow(difference, borrow);
        let under_again = self.flag(under_again);
        (self.halves(difference), self.or(under, under_again))
    }

    fn double(&mut self, [low, high]: [Word; 2]) -> Value {
        self.function.ins().iconcat(low.0, high.0)
    }

    /// A word as a double word.
    fn extended(&mut self, word: Word) -> Value {
        let zero = self.constant(0);
        self.double([word, zero])
    }

    /// Low and high word.
    fn halves(&mut self, double: Value) -> [Word; 2] {
        let (low, high) = self.function.ins().isplit(double);
        [Word(low), Word(high)]
    }

    /// 1 where a condition of the host holds, else 0.
    fn flag(&mut self, condition: Value) -> Word {
        Word(self.function.ins().uextend(I64, condition))
    }

    /// The remainder of a division without sign; of one by 0, 0.
    pub fn remainder(&mut self, a: Word, b: Word) -> Word {
        let one = self.constant(1);
        let zero = self.constant(0);
        let by_zero = self.compare(Comparison::Equal, b, zero);
        let divisor = self.select(by_zero, one, b);
        Word(self.function.ins().urem(a.0, divisor.0))
    }

    /// 1 where the comparison holds, else 0.
    pub fn compare(&mut self, how: Comparison, a: Word, b: Word) -> Word {
        let code = match how {
            Comparison::Equal => IntCC::Equal,
            Comparison::Below => IntCC::UnsignedLessThan,
            Comparison::BelowSigned => IntCC::SignedLessThan,
        };
        let flag = self.function.ins().icmp(code, a.0, b.0);
        Word(self.function.ins().uextend(I64, flag))
    }

    /// `yes` where a condition is not 0, else `no`.
    pub fn select(&mut self, condition: Word, yes: Word, no: Word) -> Word {
        Word(self.function.ins().select(condition.0, yes.0, no.0))
    }

    /// A word of the array.
    ///
    /// # Panics
    /// If the array need not have it.
    pub fn load(&mut self, place: u32) -> Word {
        let offset = self.offset(place as usize);
        let flags = MemFlagsData::trusted();
        Word(self.function.ins().load(I64, flags, self.array, offset))
    }

    /// A word of the array takes a value.
    ///
    /// # Panics
    /// If the array need not have it.
    pub fn store(&mut self, place: u32, value: Word) {
        let offset = self.offset(place as usize);
        self.function.ins().store(MemFlagsData::trusted(), value.0, self.array, offset);
    }

    /// The word `first + stride * index + within`; an index that is not below `count` acts like another.
    ///
    /// # Panics
    /// If the array need not have such words.
    pub fn load_at(&mut self, indexed: Indexed, index: Word) -> Word {
        let (address, offset) = self.indexed(indexed, index);
        let flags = MemFlagsData::trusted();
        Word(self.function.ins().load(I64, flags, address, offset))
    }

    /// The same word takes a value.
    ///
    /// # Panics
    /// If the array need not have such words.
    pub fn store_at(&mut self, indexed: Indexed, index: Word, value: Word) {
        let (address, offset) = self.indexed(indexed, index);
        self.function.ins().store(MemFlagsData::trusted(), value.0, address, offset);
    }

    fn indexed(&mut self, indexed: Indexed, index: Word) -> (Value, i32) {
        let Indexed { first, count, stride, within } = indexed;
        assert!(count > 0 && within < stride, "no words are meant");
        let last = first as usize + stride as usize * (count as usize - 1) + within as usize;
        self.offset(last);
        let offset = self.offset(first as usize + within as usize);
        let highest = self.constant(u64::from(count) - 1);
        let held = if count.is_power_of_two() {
            self.function.ins().band(index.0, highest.0)
        } else {
            self.function.ins().umin(index.0, highest.0)
        };
        let bytes = WORD * i64::from(stride);
        let scaled = self.function.ins().imul_imm_s(held, bytes);
        (self.function.ins().iadd(self.array, scaled), offset)
    }

    /// The offset of a word, in bytes.
    fn offset(&self, place: usize) -> i32 {
        assert!(place < self.words, "a word beyond the array");
        i32::try_from(place * 8).expect("arrays of functions are small")
    }

    /// A cell that nothing has set yet; it must be set before it is read.
    pub fn cell(&mut self) -> Cell {
        Cell(self.function.declare_var(I64))
    }

    /// A cell takes a value.
    pub fn set(&mut self, cell: Cell, value: Word) {
        self.function.def_var(cell.0, value.0);
    }

    /// A cell's value.
    pub fn get(&mut self, cell: Cell) -> Word {
        Word(self.function.use_var(cell.0))
    }

    /// A label that stands nowhere yet.
    pub fn label(&mut self) -> Label {
        Label(self.function.create_block())
    }

    /// The function goes on here with what is at a label.
    pub fn place(&mut self, label: Label) {
        self.known.clear();
        self.function.switch_to_block(label.0);
    }

    /// The same where that seldom happens: what is there stands apart from the rest of the function.
    pub fn place_rare(&mut self, label: Label) {
        self.function.set_cold_block(label.0);
        self.place(label);
    }

    /// Goes to a label.
    pub fn jump(&mut self, label: Label) {
        self.function.ins().jump(label.0, &[]);
    }

    /// Goes to one of two labels, the first where a condition is not 0.
    pub fn branch(&mut self, condition: Word, yes: Label, no: Label) {
        self.function.ins().brif(condition.0, yes.0, &[], no.0, &[]);
    }

    /// Goes to the label of a number, or to another one.
    pub fn switch(&mut self, number: Word, labels: &[Label], otherwise: Label) {
        let mut switch = Switch::new();
        for (number, label) in labels.iter().enumerate() {
            switch.set_entry(number as u128, label.0);
        }
        switch.emit(self.function, number.0, otherwise.0);
    }

    /// Returns a word.
    pub fn leave(&mut self, value: Word) {
        self.function.ins().return_(&[value.0]);
    }
}

/// Returns true if this host takes longer for a double shift than for two shifts and a sum: of the processors of
/// x86-64 all but Intel's do (Fog, Instruction tables: one micro-operation there, six on Zen).
#[cfg(target_arch = "x86_64")]
fn has_slow_double_shifts() -> bool {
    static SLOW: LazyLock<bool> = LazyLock::new(|| {
        let vendor = std::arch::x86_64::__cpuid(0);
        let letters = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        letters.as_flattened() != b"GenuineIntel"
    });
    *SLOW
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_slow_double_shifts() -> bool {
    false
}

/// Words of the array that an index chooses among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The offset of the first of them.
    pub first: u32,
    /// The number of indices.
    pub count: u32,
    /// Words from one index to the next.
    pub stride: u32,
    /// The index of the word.
    pub within: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;

    fn build(words: usize, build: impl FnOnce(&mut KernelBuilder<'_, '_>, Word)) -> Kernel {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        Kernel::new(&mut compiler, words, build).expect("a function that compiles")
    }

    #[test]
    fn indices_stay_within_their_bounds() {
        for count in [3, 4] {
            let indexed = Indexed { first: 1, count, stride: 2, within: 1 };
            let kernel = build(16, |b, index| {
                let value = b.load_at(indexed, index);
                b.leave(value);
            });
            let mut array: Vec<u64> = (0..16).collect();
            for index in [0, 1, 2, 3, 4, 1000, u64::MAX] {
                let reached = kernel.call(&mut array, index);
                assert!(reached % 2 == 0 && reached < 2 + 2 * u64::from(count), "{reached}");
            }
            assert_eq!(kernel.call(&mut array, 2), 6);
        }
    }

    #[test]
    fn words_and_their_halves_rotate() {
        let kernel = build(2, |b, argument| {
            let (word, half) = (b.rotate_left(argument, 12), b.rotate_half_left(argument, 12));
            b.store(0, word);
            b.store(1, half);
            b.leave(argument);
        });
        let mut array = [0; 2];
        let _ = kernel.call(&mut array, 0x0123_4567_89ab_cdef);
        assert_eq!(array, [0x3456_789a_bcde_f012, 0xbcde_f89a]);
    }

    #[test]
    #[should_panic(expected = "a word beyond the array")]
    fn places_beyond_the_array_are_refused() {
        build(4, |b, argument| {
            b.store(4, argument);
            b.leave(argument);
        });
    }

    #[test]
    #[should_panic(expected = "too short")]
    fn an_array_that_is_too_short_is_refused() {
        let kernel = build(4, |b, argument| {
            b.store(3, argument);
            b.leave(argument);
        });
        let _ = kernel.call(&mut [0; 3], 0);
    }

    #[test]
    fn carries_and_borrows_pass_on() {
        let kernel = build(12, |b, carry| {
            let a = [b.load(0), b.load(1)];
            let other = [b.load(2), b.load(3)];
            let sum = b.add_doubles(a, other, Some(carry));
            let (sum_again, over) = b.add_doubles_carrying(a, other, Some(carry));
            let difference = b.subtract_doubles(a, other, Some(carry));
            let (difference_again, under) = b.subtract_doubles_borrowing(a, other, Some(carry));
            let words = [sum, sum_again, difference, difference_again];
            for (place, word) in (4..).zip(words.into_iter().flatten()) {
                b.store(place, word);
            }
            let out = b.add(under, under);
            let out = b.add(out, over);
            b.leave(out);
        });
        let some = [0, 1, 2, 1 << 63, u64::MAX - 1, u64::MAX];
        let low = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
        let halves = |number: u128| [low(number), low(number >> 64)];
        let numbers: Vec<u128> =
            some.iter().flat_map(|a| some.map(|b| u128::from(*a) << 64 | u128::from(b))).collect();
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            for carry in [0, 1] {
                let mut array = [0; 12];
                array[..4].copy_from_slice(&[halves(a), halves(b)].concat());
                let out = kernel.call(&mut array, carry);
                let (sum, over) = a.overflowing_add(b);
                let (sum, again) = sum.overflowing_add(carry.into());
                let (difference, under) = a.overflowing_sub(b);
                let (difference, under_again) = difference.overflowing_sub(carry.into());
                let (sum, difference) = (halves(sum), halves(difference));
                assert_eq!(array[4..], [sum, sum, difference, difference].concat());
                assert_eq!(out, u64::from(over | again) + 2 * u64::from(under | under_again));
            }
        }
    }

    #[test]
    fn loops_and_cells_work() {
        let kernel = build(1, |b, argument| {
            let (sum, left) = (b.cell(), b.cell());
            let zero = b.constant(0);
            b.set(sum, zero);
            b.set(left, argument);
            let [head, body, end] = [b.label(), b.label(), b.label()];
            b.jump(head);
            b.place(head);
            let now = b.get(left);
            b.branch(now, body, end);
            b.place(body);
            let (one, so_far) = (b.constant(1), b.get(sum));
            let more = b.add(so_far, now);
            b.set(sum, more);
            let fewer = b.subtract(now, one);
            b.set(left, fewer);
            b.jump(head);
            b.place(end);
            let total = b.get(sum);
            b.leave(total);
        });
        assert_eq!(kernel.call(&mut [0], 100), 5050);
    }
}
