//! Several short values at a time, in a vector register of the host.

use cranelift_codegen::ir::{ConstantData, Endianness, StackSlotData, StackSlotKind};

use super::{Comparison, KernelBuilder, Word};
use crate::clif::types::{I8, I8X16, I16, I16X8, I32, I32X4, I64};
use crate::clif::{InstBuilder, IntCC, MemFlagsData, Type, Value};

/// Bytes of a vector.
pub const VECTOR: u32 = 16;

/// The bits of each lane of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaneWidth {
    /// 16 lanes of 8 bits.
    Bits8,
    /// 8 lanes of 16 bits.
    Bits16,
    /// 4 lanes of 32 bits.
    Bits32,
}

/// A vector of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lanes(Value);

/// Vectors that last as long as a call of the function, all 0 or undefined until they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors {
    start: Value,
    count: u32,
}

impl LaneWidth {
    /// The narrowest lanes that hold so many bits.
    #[must_use]
    pub fn holding(bits: u32) -> Option<Self> {
        [Self::Bits8, Self::Bits16, Self::Bits32].into_iter().find(|width| width.bits() >= bits)
    }

    /// Bits of a lane.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits8 => 8,
            Self::Bits16 => 16,
            Self::Bits32 => 32,
        }
    }

    /// The number of lanes.
    #[must_use]
    pub const fn lanes(self) -> usize {
        (8 * VECTOR / self.bits()) as usize
    }

    /// The greatest number in a lane.
    #[must_use]
    pub const fn mask(self) -> u64 {
        (1 << self.bits()) - 1
    }

    fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    fn vector(self) -> Type {
        match self {
            Self::Bits8 => I8X16,
            Self::Bits16 => I16X8,
            Self::Bits32 => I32X4,
        }
    }

    fn lane(self) -> Type {
        match self {
            Self::Bits8 => I8,
            Self::Bits16 => I16,
            Self::Bits32 => I32,
        }
    }
}

macro_rules! of_lanes {
    ($($(#[$doc:meta])* $name:ident: $instruction:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(&mut self, a: Lanes, b: Lanes) -> Lanes {
            Lanes(self.function.ins().$instruction(a.0, b.0))
        })*
    };
}

macro_rules! shifts_of_lanes {
    ($($(#[$doc:meta])* $name:ident: $instruction:ident;)*) => {
        $($(#[$doc])*
        pub fn $name(&mut self, a: Lanes, by: u32) -> Lanes {
            let by = self.function.ins().iconst(I32, i64::from(by));
            Lanes(self.function.ins().$instruction(a.0, by))
        })*
    };
}

impl KernelBuilder<'_, '_> {
    of_lanes! {
        /// Bitwise and, lane by lane.
        and_lanes: band;
        /// The bits of the first that the second does not have, lane by lane.
        and_not_lanes: band_not;
        /// Bitwise or, lane by lane.
        or_lanes: bor;
        /// Bitwise exclusive or, lane by lane.
        xor_lanes: bxor;
        /// Sums, modulo 2 to the width of a lane.
        add_lanes: iadd;
        /// Differences, modulo 2 to the width of a lane.
        subtract_lanes: isub;
        /// Products, modulo 2 to the width of a lane, which has 16 bits at least: processors of x86 have no others.
        multiply_lanes: imul;
    }

    shifts_of_lanes! {
        /// Left shift of each lane, by less than its width.
        shift_lanes_left: ishl;
        /// Right shift of each lane, by less than its width.
        shift_lanes_right: ushr;
        /// Right shift of each lane that keeps its sign, by less than its width.
        shift_lanes_right_signed: sshr;
    }

    /// Complement.
    pub fn not_lanes(&mut self, a: Lanes) -> Lanes {
        Lanes(self.function.ins().bnot(a.0))
    }

    /// Two's complement of each lane.
    pub fn negate_lanes(&mut self, a: Lanes) -> Lanes {
        Lanes(self.function.ins().ineg(a.0))
    }

    /// A number in each lane.
    ///
    /// # Panics
    /// If there are not as many numbers as lanes.
    pub fn constant_lanes(&mut self, width: LaneWidth, numbers: &[u64]) -> Lanes {
        assert_eq!(numbers.len(), width.lanes(), "a number for each lane");
        let bytes =
            numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width.bytes()));
        let data = ConstantData::from(&bytes.collect::<Vec<u8>>()[..]);
        let constant = self.function.func.dfg.constants.insert(data);
        Lanes(self.function.ins().vconst(width.vector(), constant))
    }

    /// All bits set in lanes where the comparison holds, none in others.
    pub fn compare_lanes(&mut self, how: Comparison, a: Lanes, b: Lanes) -> Lanes {
        let code = match how {
            Comparison::Equal => IntCC::Equal,
            Comparison::Below => IntCC::UnsignedLessThan,
            Comparison::BelowSigned => IntCC::SignedLessThan,
        };
        Lanes(self.function.ins().icmp(code, a.0, b.0))
    }

    /// Lanes of two vectors: each number picks one of the first vector, or of the second one if it is not below the
    /// number of lanes.
    ///
    /// # Panics
    /// If there are not as many numbers as lanes, or a number is none of a lane.
    pub fn pick_lanes(&mut self, width: LaneWidth, a: Lanes, b: Lanes, picks: &[usize]) -> Lanes {
        let lanes = width.lanes();
        assert!(
            picks.len() == lanes && picks.iter().all(|pick| *pick < 2 * lanes),
            "lanes that are not there"
        );
        let bytes = picks.iter().flat_map(|pick| {
            (0..width.bytes()).map(move |byte| small(pick * width.bytes() + byte))
        });
        let mask = ConstantData::from(&bytes.collect::<Vec<u8>>()[..]);
        let mask = self.function.func.dfg.immediates.push(mask);
        let [a, b] = [a, b].map(|lanes| self.cast(lanes.0, I8X16));
        let picked = self.function.ins().shuffle(a, b, mask);
        Lanes(self.cast(picked, width.vector()))
    }

    fn cast(&mut self, vector: Value, to: Type) -> Value {
        if self.function.func.dfg.value_type(vector) == to {
            return vector;
        }
        let flags = MemFlagsData::new().with_endianness(Endianness::Little);
        self.function.ins().bitcast(to, flags, vector)
    }

    /// The number in a lane.
    pub fn lane(&mut self, a: Lanes, lane: usize) -> Word {
        let number = self.function.ins().extractlane(a.0, small(lane));
        Word(self.function.ins().uextend(I64, number))
    }

    /// The vector with another number, the low bits of a word, in a lane.
    pub fn with_lane(&mut self, width: LaneWidth, a: Lanes, lane: usize, word: Word) -> Lanes {
        let number = self.function.ins().ireduce(width.lane(), word.0);
        Lanes(self.function.ins().insertlane(a.0, number, small(lane)))
    }

    /// The low bits of a word in every lane.
    pub fn in_all_lanes(&mut self, width: LaneWidth, word: Word) -> Lanes {
        let number = self.function.ins().ireduce(width.lane(), word.0);
        Lanes(self.function.ins().splat(width.vector(), number))
    }

    /// Not 0 where any bit of any lane is set.
    pub fn any_lane(&mut self, a: Lanes) -> Word {
        let any = self.function.ins().vany_true(a.0);
        Word(self.function.ins().uextend(I64, any))
    }

    /// So many vectors beside the array. Whoever reads one must have written it.
    pub fn vectors(&mut self, count: u32) -> Vectors {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, VECTOR * count, 4);
        let slot = self.function.create_sized_stack_slot(data);
        Vectors { start: self.function.ins().stack_addr(I64, slot, 0), count }
    }

    /// One of the vectors.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn load_lanes(&mut self, width: LaneWidth, vectors: Vectors, at: u32) -> Lanes {
        let offset = vectors.offset(at);
        let flags = MemFlagsData::trusted();
        Lanes(self.function.ins().load(width.vector(), flags, vectors.start, offset))
    }

    /// One of the vectors takes a value.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn store_lanes(&mut self, vectors: Vectors, at: u32, value: Lanes) {
        let offset = vectors.offset(at);
        self.function.ins().store(MemFlagsData::trusted(), value.0, vectors.start, offset);
    }

    /// The number in a lane of one of the vectors.
    ///
    /// # Panics
    /// If there are fewer, or fewer lanes.
    pub fn load_lane(&mut self, width: LaneWidth, vectors: Vectors, at: u32, lane: usize) -> Word {
        let offset = vectors.lane(width, at, lane);
        let flags = MemFlagsData::trusted();
        let number = self.function.ins().load(width.lane(), flags, vectors.start, offset);
        Word(self.function.ins().uextend(I64, number))
    }

    /// A lane of one of the vectors takes the low bits of a word.
    ///
    /// # Panics
    /// If there are fewer, or fewer lanes.
    pub fn store_lane(
        &mut self,
        width: LaneWidth,
        vectors: Vectors,
        at: u32,
        lane: usize,
        word: Word,
    ) {
        let offset = vectors.lane(width, at, lane);
        let number = self.function.ins().ireduce(width.lane(), word.0);
        self.function.ins().store(MemFlagsData::trusted(), number, vectors.start, offset);
    }
}

impl Vectors {
    /// The offset of a vector, in bytes.
    fn offset(self, at: u32) -> i32 {
        assert!(at < self.count, "a vector beyond those that there are");
        (at * VECTOR).cast_signed()
    }

    /// The offset of a lane, in bytes.
    fn lane(self, width: LaneWidth, at: u32, lane: usize) -> i32 {
        assert!(lane < width.lanes(), "a lane beyond those that there are");
        self.offset(at) + i32::from(small(lane * width.bytes()))
    }
}

/// A number of bytes of vectors.
fn small(number: usize) -> u8 {
    u8::try_from(number).expect("vectors have few bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compiler, Effort, Kernel};

    const WIDTHS: [LaneWidth; 3] = [LaneWidth::Bits8, LaneWidth::Bits16, LaneWidth::Bits32];

    /// The number of the case that multiplies.
    const PRODUCT: usize = 2;

    fn place(at: usize) -> u32 {
        u32::try_from(at).expect("a short array")
    }

    /// Runs a function of two vectors, whose lanes are in the array; its result goes behind them.
    fn run(
        width: LaneWidth,
        numbers: [&[u64]; 2],
        operation: impl Fn(&mut KernelBuilder<'_, '_>, Lanes, Lanes) -> Lanes,
    ) -> Vec<u64> {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let lanes = width.lanes();
        let kernel = Kernel::new(&mut compiler, 3 * lanes, |b, argument| {
            let vectors = b.vectors(2);
            for at in 0..2 * lanes {
                let word = b.load(place(at));
                b.store_lane(width, vectors, place(at / lanes), at % lanes, word);
            }
            let [left, right] = [0, 1].map(|at| b.load_lanes(width, vectors, at));
            let result = operation(b, left, right);
            b.store_lanes(vectors, 0, result);
            for lane in 0..lanes {
                let word = b.load_lane(width, vectors, 0, lane);
                let same = b.lane(result, lane);
                let differs = b.subtract(word, same);
                let sum = b.add(word, differs);
                b.store(place(2 * lanes + lane), sum);
            }
            b.leave(argument);
        });
        let mut array = [numbers[0], numbers[1], &vec![0; lanes]].concat();
        let _ = kernel.expect("a function that compiles").call(&mut array, 0);
        array.split_off(2 * lanes)
    }

    fn numbers(width: LaneWidth) -> [Vec<u64>; 2] {
        let number = |at: usize, by: u64| (at as u64 + 3).wrapping_mul(by) >> 7 & width.mask();
        [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f]
            .map(|by| (0..width.lanes()).map(|at| number(at, by)).collect())
    }

    #[test]
    fn lanes_do_not_reach_into_one_another() {
        type Model = fn(u64, u64, LaneWidth) -> u64;
        type Operation = fn(&mut KernelBuilder<'_, '_>, Lanes, Lanes) -> Lanes;
        let cases: [(Operation, Model); 10] = [
            (|b, x, y| b.add_lanes(x, y), |a, b, _| a.wrapping_add(b)),
            (|b, x, y| b.subtract_lanes(x, y), |a, b, _| a.wrapping_sub(b)),
            (|b, x, y| b.multiply_lanes(x, y), |a, b, _| a.wrapping_mul(b)),
            (|b, x, y| b.and_not_lanes(x, y), |a, b, _| a & !b),
            (|b, x, _| b.negate_lanes(x), |a, _, _| a.wrapping_neg()),
            (|b, x, _| b.shift_lanes_left(x, 3), |a, _, _| a << 3),
            (|b, x, _| b.shift_lanes_right(x, 5), |a, _, _| a >> 5),
            (
                |b, x, _| b.shift_lanes_right_signed(x, 5),
                |a, _, width| {
                    ((a << (64 - width.bits())).cast_signed() >> (69 - width.bits()))
                        .cast_unsigned()
                },
            ),
            (
                |b, x, y| b.compare_lanes(Comparison::Below, x, y),
                |a, b, _| if a < b { u64::MAX } else { 0 },
            ),
            (
                |b, x, y| b.compare_lanes(Comparison::BelowSigned, x, y),
                |a, b, width| {
                    let [a, b] = [a, b].map(|x| (x << (64 - width.bits())).cast_signed());
                    if a < b { u64::MAX } else { 0 }
                },
            ),
        ];
        for width in WIDTHS {
            let [left, right] = numbers(width);
            for (number, (operation, model)) in cases.iter().enumerate() {
                if width == LaneWidth::Bits8 && number == PRODUCT {
                    continue;
                }
                let results = run(width, [&left, &right], operation);
                for ((a, b), result) in left.iter().zip(&right).zip(results) {
                    assert_eq!(
                        result,
                        model(*a, *b, width) & width.mask(),
                        "{width:?}, case {number}"
                    );
                }
            }
        }
    }

    #[test]
    fn lanes_are_picked_and_set() {
        for width in WIDTHS {
            let [left, right] = numbers(width);
            let lanes = width.lanes();
            let both = [&left[..], &right[..]].concat();
            for first in 0..lanes {
                let picks: Vec<usize> = (first..first + lanes).collect();
                let results =
                    run(width, [&left, &right], |b, x, y| b.pick_lanes(width, x, y, &picks));
                assert_eq!(results, both[first..first + lanes]);
                let results = run(width, [&left, &right], |b, x, y| {
                    let word = b.lane(y, first);
                    let splat = b.in_all_lanes(width, word);
                    let numbers = b.constant_lanes(width, &left);
                    let sum = b.add_lanes(splat, numbers);
                    let any = b.any_lane(x);
                    b.with_lane(width, sum, first, any)
                });
                for (lane, result) in results.into_iter().enumerate() {
                    let sum = (right[first] + left[lane]) & width.mask();
                    assert_eq!(result, if lane == first { 1 } else { sum });
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a vector beyond")]
    fn vectors_beyond_those_that_there_are_are_refused() {
        let mut compiler = Compiler::new(Effort::Good).expect("a host that code is compiled for");
        let _ = Kernel::new(&mut compiler, 1, |b, argument| {
            let vectors = b.vectors(2);
            b.load_lanes(LaneWidth::Bits8, vectors, 2);
            b.leave(argument);
        });
    }
}
