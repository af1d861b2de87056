//! What products, saturating and parallel operations and those on bits do, in plain arithmetic after the
//! pseudocode of DDI 0403, A7.7: integers that never overflow, one element at a time.

use crate::instruction::{
    BitOp, Extension, HalfProduct, LongHalfProduct, LongProduct, Operation, ParallelKind,
    ParallelOp, Product, Register, Shift,
};

/// What the operations read and write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub r: [u32; 15],
    pub n: bool,
    pub z: bool,
    pub q: bool,
    pub ge: u8,
    pub pc: u32,
}

/// A number out of bits, as `SInt` and `UInt`.
fn sint(value: u32) -> i128 {
    (value as i32).into()
}

fn number(value: u32, signed: bool) -> i128 {
    if signed { sint(value) } else { value.into() }
}

/// A half word, and a byte, by its place.
fn half(value: u32, place: u32, signed: bool) -> i128 {
    let bits = (value >> (16 * place)) as u16;
    if signed { (bits as i16).into() } else { bits.into() }
}

fn byte(value: u32, place: u32, signed: bool) -> i128 {
    let bits = (value >> (8 * place)) as u8;
    if signed { (bits as i8).into() } else { bits.into() }
}

/// `SignedSatQ` and `UnsignedSatQ`.
fn saturated(value: i128, signed: bool, bits: u32) -> (i128, bool) {
    let (lowest, highest) = if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    let result = value.max(lowest).min(highest);
    (result, result != value)
}

/// Elements of so many bits, put together.
fn joined(elements: &[i128], bits: u32) -> u32 {
    let mask = (1_i128 << bits) - 1;
    let place = |(place, element): (usize, &i128)| (element & mask) << (place as u32 * bits);
    elements.iter().enumerate().map(place).sum::<i128>() as u32
}

impl State {
    fn get(&self, register: Register) -> u32 {
        self.r[usize::from(register)]
    }

    fn pair(&self, lo: Register, hi: Register, signed: bool) -> i128 {
        (number(self.get(hi), signed) << 32) + i128::from(self.get(lo))
    }

    fn set_pair(&mut self, lo: Register, hi: Register, value: i128) {
        self.r[usize::from(lo)] = value as u32;
        self.r[usize::from(hi)] = (value >> 32) as u32;
    }

    /// Executes an operation that this file knows.
    pub fn execute(&mut self, operation: &Operation) {
        match *operation {
            Operation::MultiplyLong { product, sets_flags, lo, hi, rn, rm } => {
                let result = self.long(product, [lo, hi], [rn, rm]);
                self.set_pair(lo, hi, result);
                if sets_flags {
                    self.n = result >> 63 & 1 != 0;
                    self.z = result as u64 == 0;
                }
            }
            Operation::MultiplyHalfLong { product, lo, hi, rn, rm } => {
                let sum = self.pair(lo, hi, true) + self.half_long(product, [rn, rm]);
                self.set_pair(lo, hi, sum);
            }
            _ => {
                let (rd, result) = self.word(operation);
                self.r[usize::from(rd)] = result;
                if let Operation::Multiply { sets_flags: true, .. } = *operation {
                    self.n = (result as i32) < 0;
                    self.z = result == 0;
                }
            }
        }
    }

    fn word(&mut self, operation: &Operation) -> (Register, u32) {
        match *operation {
            Operation::Multiply { product, rd, rn, rm, ra, .. } => {
                let result = number(self.get(rn), true) * number(self.get(rm), true);
                let result = match product {
                    Product::Mul => result,
                    Product::Mla => sint(self.get(ra)) + result,
                    Product::Mls => sint(self.get(ra)) - result,
                };
                (rd, result as u32)
            }
            Operation::MultiplyHalf { product, rd, rn, rm, ra } => {
                (rd, self.half(product, [rn, rm], ra))
            }
            Operation::Divide { signed, rd, rn, rm } => {
                let (n, m) = (number(self.get(rn), signed), number(self.get(rm), signed));
                (rd, n.checked_div(m).unwrap_or(0) as u32)
            }
            Operation::Saturate { signed, bits, rd, rn, shift, amount } => {
                let operand = match shift {
                    Shift::Left => sint(self.get(rn) << amount),
                    _ => sint(self.get(rn)) >> amount,
                };
                let (result, q) = saturated(operand, signed, bits.into());
                self.q |= q;
                (rd, result as u32)
            }
            Operation::SaturateHalves { signed, bits, rd, rn } => {
                let n = self.get(rn);
                let elements =
                    [0, 1].map(|place| saturated(half(n, place, true), signed, bits.into()));
                self.q |= elements.iter().any(|element| element.1);
                (rd, joined(&elements.map(|element| element.0), 16))
            }
            Operation::SaturatingSum { double, subtract, rd, rm, rn } => {
                let n = sint(self.get(rn)) * if double { 2 } else { 1 };
                let (n, first) = saturated(n, true, 32);
                let m = sint(self.get(rm));
                let (result, second) = saturated(if subtract { m - n } else { m + n }, true, 32);
                self.q |= first || second;
                (rd, result as u32)
            }
            Operation::Parallel { kind, op, rd, rn, rm } => {
                (rd, self.parallel(kind, op, self.get(rn), self.get(rm)))
            }
            _ => self.of_bits(operation),
        }
    }

    fn of_bits(&self, operation: &Operation) -> (Register, u32) {
        match *operation {
            Operation::Select { rd, rn, rm } => {
                let taken = |place: u32| if self.ge >> place & 1 != 0 { rn } else { rm };
                let elements = [0, 1, 2, 3].map(|place| byte(self.get(taken(place)), place, false));
                (rd, joined(&elements, 8))
            }
            Operation::SumOfDifferences { rd, rn, rm, ra } => {
                let (n, m) = (self.get(rn), self.get(rm));
                let sum = (0..4)
                    .map(|place| (byte(n, place, false) - byte(m, place, false)).abs())
                    .sum::<i128>();
                let addend = ra.map_or(0, |ra| self.get(ra));
                (rd, (i128::from(addend) + sum) as u32)
            }
            Operation::Extend { extension, rd, rn, rm, rotation } => {
                let rotated = self.get(rm).rotate_right(rotation.into());
                (rd, extended(extension, rotated, rn.map(|rn| self.get(rn))))
            }
            Operation::Pack { top_first, rd, rn, rm, amount } => {
                let n = self.get(rn);
                let result = if top_first {
                    let shifted = (sint(self.get(rm)) >> amount) as u32;
                    [half(shifted, 0, false), half(n, 1, false)]
                } else {
                    [half(n, 0, false), half(self.get(rm) << amount, 1, false)]
                };
                (rd, joined(&result, 16))
            }
            Operation::Bits { op, rd, rm } => (rd, reordered(op, self.get(rm))),
            Operation::ExtractField { signed, rd, rn, lsb, width } => {
                let mut field = (0..width)
                    .map(|bit| i128::from(self.get(rn) >> (lsb + bit) & 1) << bit)
                    .sum::<i128>();
                if signed && field >> (width - 1) & 1 != 0 {
                    field -= 1 << width;
                }
                (rd, field as u32)
            }
            Operation::InsertField { rd, rn, lsb, width } => {
                let inserted = rn.map_or(0, |rn| self.get(rn));
                let bit = |bit: u8| {
                    let is_field = bit >= lsb && bit < lsb + width;
                    let (from, place) =
                        if is_field { (inserted, bit - lsb) } else { (self.get(rd), bit) };
                    (from >> place & 1) << bit
                };
                (rd, (0..32).map(bit).sum())
            }
            Operation::MoveHalf { rd, value, top: false } => (rd, value.into()),
            Operation::MoveHalf { rd, value, top: true } => {
                (rd, joined(&[half(self.get(rd), 0, false), value.into()], 16))
            }
            Operation::AddressOf { rd, offset } => {
                (rd, (i128::from(self.pc / 4 * 4) + i128::from(offset)) as u32)
            }
            _ => unreachable!("{operation:?} is another's"),
        }
    }

    fn long(&self, product: LongProduct, pair: [Register; 2], [rn, rm]: [Register; 2]) -> i128 {
        let signed = matches!(product, LongProduct::Smull | LongProduct::Smlal);
        let result = number(self.get(rn), signed) * number(self.get(rm), signed);
        result
            + match product {
                LongProduct::Umull | LongProduct::Smull => 0,
                LongProduct::Umlal | LongProduct::Smlal => self.pair(pair[0], pair[1], signed),
                LongProduct::Umaal => i128::from(self.get(pair[0])) + i128::from(self.get(pair[1])),
            }
    }

    /// The products of the lower and the upper halves of the first operand.
    fn dual(&self, [rn, rm]: [Register; 2], exchange: bool) -> [i128; 2] {
        let (n, m) = (self.get(rn), self.get(rm));
        let m = if exchange { m.rotate_right(16) } else { m };
        [0, 1].map(|place| half(n, place, true) * half(m, place, true))
    }

    fn half_long(&self, product: LongHalfProduct, factors: [Register; 2]) -> i128 {
        match product {
            LongHalfProduct::Smlal { top } => self.of_halves(factors, top),
            LongHalfProduct::Smlald { exchange } => self.dual(factors, exchange).iter().sum(),
            LongHalfProduct::Smlsld { exchange } => {
                let [first, second] = self.dual(factors, exchange);
                first - second
            }
        }
    }

    fn of_halves(&self, [rn, rm]: [Register; 2], top: [bool; 2]) -> i128 {
        half(self.get(rn), top[0].into(), true) * half(self.get(rm), top[1].into(), true)
    }

    fn half(&mut self, product: HalfProduct, factors: [Register; 2], ra: Register) -> u32 {
        let [n, m] = factors.map(|register| self.get(register));
        let a = || sint(self.get(ra));
        let (dual, words) = (|exchange| self.dual(factors, exchange), sint(n) * sint(m));
        let rounded = |round: bool| if round { 1_i128 << 31 } else { 0 };
        let mut may_overflow = true;
        let result = match product {
            HalfProduct::Smul { top } => self.of_halves(factors, top),
            HalfProduct::Smla { top } => self.of_halves(factors, top) + a(),
            HalfProduct::Smulw { top } => (sint(n) * half(m, top.into(), true)) >> 16,
            HalfProduct::Smlaw { top } => (sint(n) * half(m, top.into(), true) + (a() << 16)) >> 16,
            HalfProduct::Smuad { exchange } => dual(exchange)[0] + dual(exchange)[1],
            HalfProduct::Smusd { exchange } => dual(exchange)[0] - dual(exchange)[1],
            HalfProduct::Smlad { exchange } => dual(exchange)[0] + dual(exchange)[1] + a(),
            HalfProduct::Smlsd { exchange } => dual(exchange)[0] - dual(exchange)[1] + a(),
            HalfProduct::Smmul { round } => (words + rounded(round)) >> 32,
            HalfProduct::Smmla { round } => {
                may_overflow = false;
                ((a() << 32) + words + rounded(round)) >> 32
            }
            HalfProduct::Smmls { round } => {
                may_overflow = false;
                ((a() << 32) - words + rounded(round)) >> 32
            }
        };
        self.q |= may_overflow && result != sint(result as u32);
        result as u32
    }

    fn parallel(&mut self, kind: ParallelKind, op: ParallelOp, n: u32, m: u32) -> u32 {
        let signed = matches!(
            kind,
            ParallelKind::Signed | ParallelKind::SignedSaturating | ParallelKind::SignedHalving
        );
        let (bits, count) = match op {
            ParallelOp::Add8 | ParallelOp::Sub8 => (8, 4),
            _ => (16, 2),
        };
        let mut elements = vec![];
        let mut ge = 0;
        for place in 0..count {
            let (a, b, subtract) = match op {
                ParallelOp::Add16 => (half(n, place, signed), half(m, place, signed), false),
                ParallelOp::Sub16 => (half(n, place, signed), half(m, place, signed), true),
                ParallelOp::Asx => (half(n, place, signed), half(m, 1 - place, signed), place == 0),
                ParallelOp::Sax => (half(n, place, signed), half(m, 1 - place, signed), place == 1),
                ParallelOp::Add8 => (byte(n, place, signed), byte(m, place, signed), false),
                ParallelOp::Sub8 => (byte(n, place, signed), byte(m, place, signed), true),
            };
            let result = if subtract { a - b } else { a + b };
            let is_set = if signed || subtract { result >= 0 } else { result >= 1 << bits };
            let all = if bits == 8 { 1 } else { 3 };
            ge |= if is_set { all << (place * bits / 8) } else { 0 };
            elements.push(match kind {
                ParallelKind::Signed | ParallelKind::Unsigned => result,
                ParallelKind::SignedHalving | ParallelKind::UnsignedHalving => result >> 1,
                ParallelKind::SignedSaturating | ParallelKind::UnsignedSaturating => {
                    saturated(result, signed, bits).0
                }
            });
        }
        if matches!(kind, ParallelKind::Signed | ParallelKind::Unsigned) {
            self.ge = ge;
        }
        joined(&elements, bits)
    }
}

fn extended(extension: Extension, rotated: u32, addend: Option<u32>) -> u32 {
    let addend = addend.unwrap_or(0);
    let word = |value: i128| (i128::from(addend) + value) as u32;
    let halves = |signed: bool| {
        let sum = |place| half(addend, place, false) + byte(rotated, 2 * place, signed);
        joined(&[0, 1].map(sum), 16)
    };
    match extension {
        Extension::SignedByte => word(byte(rotated, 0, true)),
        Extension::Byte => word(byte(rotated, 0, false)),
        Extension::SignedHalf => word(half(rotated, 0, true)),
        Extension::Half => word(half(rotated, 0, false)),
        Extension::SignedBytes => halves(true),
        Extension::Bytes => halves(false),
    }
}

fn reordered(op: BitOp, value: u32) -> u32 {
    let of_bytes = |places: [u32; 4]| joined(&places.map(|place| byte(value, place, false)), 8);
    match op {
        BitOp::LeadingZeros => {
            (0..32).take_while(|bit| value >> (31 - bit) & 1 == 0).count() as u32
        }
        BitOp::ReverseBits => (0..32).map(|bit| (value >> bit & 1) << (31 - bit)).sum(),
        BitOp::ReverseBytes => of_bytes([3, 2, 1, 0]),
        BitOp::ReverseHalves => of_bytes([1, 0, 3, 2]),
        BitOp::ReverseSigned => (byte(value, 0, true) << 8 | byte(value, 1, false)) as u32,
    }
}
