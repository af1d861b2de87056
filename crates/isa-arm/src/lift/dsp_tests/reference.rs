//! The results of products, saturating and parallel operations and those on bits, in plain arithmetic after
//! the pseudocode of DDI 0403, A7.7: integers that never overflow, one element at a time.

use crate::computation::{Computation, Opcode};
use crate::instruction::{Operation, ParallelKind, ParallelOp, Register, Shift};

/// The cells that the operations read and write.
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
        let (rd, result) = match *operation {
            Operation::Compute(computation)
                if computation.op.row().operands.starts_with(['l', 'L']) =>
            {
                return self.execute_long(&computation);
            }
            Operation::Compute(computation) => (computation.rd, self.word(&computation)),
            Operation::Parallel { kind, op, rd, rn, rm } => {
                (rd, self.parallel(kind, op, self.get(rn), self.get(rm)))
            }
            Operation::MoveHalf { rd, value, top: false } => (rd, value.into()),
            Operation::MoveHalf { rd, value, top: true } => {
                (rd, joined(&[half(self.get(rd), 0, false), value.into()], 16))
            }
            Operation::AddressOf { rd, offset } => {
                (rd, (i128::from(self.pc / 4 * 4) + i128::from(offset)) as u32)
            }
            _ => unreachable!("{operation:?} is another's"),
        };
        self.r[usize::from(rd)] = result;
        if matches!(operation, Operation::Compute(computation) if computation.sets_flags) {
            (self.n, self.z) = ((result as i32) < 0, result == 0);
        }
    }

    fn execute_long(&mut self, computation: &Computation) {
        let (lo, hi) = (computation.ra, computation.rd);
        let result = self.long(computation, [lo, hi]);
        self.set_pair(lo, hi, result);
        if computation.sets_flags {
            self.n = result >> 63 & 1 != 0;
            self.z = result as u64 == 0;
        }
    }

    fn word(&mut self, computation: &Computation) -> u32 {
        use Opcode::{Mla, Mls, Mul, Qadd, Qdadd, Qdsub, Qsub, Sdiv, Ssat, Ssat16, Udiv};
        use Opcode::{Usat, Usat16};
        let [n, m, a] =
            [computation.rn, computation.rm, computation.ra].map(|register| self.get(register));
        match computation.op {
            Mul => (sint(n) * sint(m)) as u32,
            Mla => (sint(a) + sint(n) * sint(m)) as u32,
            Mls => (sint(a) - sint(n) * sint(m)) as u32,
            Sdiv => sint(n).checked_div(sint(m)).unwrap_or(0) as u32,
            Udiv => n.checked_div(m).unwrap_or(0),
            Ssat | Usat => {
                let operand = match computation.shift {
                    Shift::Left => sint(n << computation.amount),
                    _ => sint(n) >> computation.amount,
                };
                let (result, q) =
                    saturated(operand, computation.op == Ssat, computation.width.into());
                self.q |= q;
                result as u32
            }
            Ssat16 | Usat16 => {
                let signed = computation.op == Ssat16;
                let elements = [0, 1]
                    .map(|place| saturated(half(n, place, true), signed, computation.width.into()));
                self.q |= elements.iter().any(|element| element.1);
                joined(&elements.map(|element| element.0), 16)
            }
            Qadd | Qdadd | Qsub | Qdsub => {
                let double = matches!(computation.op, Qdadd | Qdsub);
                let (n, first) = saturated(sint(n) * if double { 2 } else { 1 }, true, 32);
                let subtract = matches!(computation.op, Qsub | Qdsub);
                let m = sint(m);
                let (result, second) = saturated(if subtract { m - n } else { m + n }, true, 32);
                self.q |= first || second;
                result as u32
            }
            _ if computation.op as u8 <= Opcode::Smmls as u8 => self.half(computation),
            _ => self.of_bits(computation),
        }
    }

    fn of_bits(&self, computation: &Computation) -> u32 {
        use Opcode::{Bfc, Bfi, Pkhbt, Pkhtb, Sbfx, Sel, Ubfx, Usad8, Usada8};
        let [n, m, a] =
            [computation.rn, computation.rm, computation.ra].map(|register| self.get(register));
        match computation.op {
            Sel => {
                let taken = |place: u32| if self.ge >> place & 1 != 0 { n } else { m };
                joined(&[0, 1, 2, 3].map(|place| byte(taken(place), place, false)), 8)
            }
            Usad8 | Usada8 => {
                let sum = (0..4)
                    .map(|place| (byte(n, place, false) - byte(m, place, false)).abs())
                    .sum::<i128>();
                (sum + if computation.op == Usada8 { i128::from(a) } else { 0 }) as u32
            }
            Pkhbt => joined(&[half(n, 0, false), half(m << computation.amount, 1, false)], 16),
            Pkhtb => {
                let shifted = (sint(m) >> computation.amount) as u32;
                joined(&[half(shifted, 0, false), half(n, 1, false)], 16)
            }
            Sbfx | Ubfx => {
                let width = computation.width;
                let mut field: i128 = (0..width)
                    .map(|bit| i128::from(n >> (computation.amount + bit) & 1) << bit)
                    .sum();
                if computation.op == Sbfx && field >> (width - 1) & 1 != 0 {
                    field -= 1_i128 << width;
                }
                field as u32
            }
            Bfi | Bfc => {
                let (lsb, inserted) =
                    (computation.amount, if computation.op == Bfi { n } else { 0 });
                let bit = |bit: u8| {
                    let is_field = bit >= lsb && bit < lsb + computation.width;
                    let (from, place) = if is_field {
                        (inserted, bit - lsb)
                    } else {
                        (self.get(computation.rd), bit)
                    };
                    (from >> place & 1) << bit
                };
                (0..32).map(bit).sum()
            }
            op if op.extends() => extended(op, m.rotate_right(computation.amount.into()), n),
            op => reordered(op, m),
        }
    }

    fn long(&self, computation: &Computation, pair: [Register; 2]) -> i128 {
        use Opcode::{Smlal, Smlald, Smlalxy, Smlsld, Smull, Umaal, Umlal, Umull};
        let signed = matches!(computation.op, Smull | Smlal);
        let factors = [computation.rn, computation.rm];
        let product =
            number(self.get(computation.rn), signed) * number(self.get(computation.rm), signed);
        match computation.op {
            Umull | Smull => product,
            Umlal | Smlal => product + self.pair(pair[0], pair[1], signed),
            Umaal => product + i128::from(self.get(pair[0])) + i128::from(self.get(pair[1])),
            op => {
                let [first, second] = self.dual(factors, computation.y);
                let product = match op {
                    Smlalxy => self.of_halves(factors, [computation.x, computation.y]),
                    Smlald => first + second,
                    Smlsld => first - second,
                    _ => unreachable!("{op:?} has one word"),
                };
                self.pair(pair[0], pair[1], true) + product
            }
        }
    }

    /// The products of the lower and the upper halves of the first operand.
    fn dual(&self, [rn, rm]: [Register; 2], exchange: bool) -> [i128; 2] {
        let (n, m) = (self.get(rn), self.get(rm));
        let m = if exchange { m.rotate_right(16) } else { m };
        [0, 1].map(|place| half(n, place, true) * half(m, place, true))
    }

    fn of_halves(&self, [rn, rm]: [Register; 2], top: [bool; 2]) -> i128 {
        half(self.get(rn), top[0].into(), true) * half(self.get(rm), top[1].into(), true)
    }

    fn half(&mut self, computation: &Computation) -> u32 {
        let factors = [computation.rn, computation.rm];
        let [n, m, a] =
            [computation.rn, computation.rm, computation.ra].map(|register| self.get(register));
        let [first, second] = self.dual(factors, computation.y);
        let (a, words) = (sint(a), sint(n) * sint(m));
        let rounding = if computation.y { 1_i128 << 31 } else { 0 };
        let by_half = sint(n) * half(m, computation.y.into(), true);
        let result = match computation.op {
            Opcode::Smulxy => self.of_halves(factors, [computation.x, computation.y]),
            Opcode::Smlaxy => self.of_halves(factors, [computation.x, computation.y]) + a,
            Opcode::Smulwy => by_half >> 16,
            Opcode::Smlawy => (by_half + (a << 16)) >> 16,
            Opcode::Smuad => first + second,
            Opcode::Smusd => first - second,
            Opcode::Smlad => first + second + a,
            Opcode::Smlsd => first - second + a,
            Opcode::Smmul => (words + rounding) >> 32,
            Opcode::Smmla => ((a << 32) + words + rounding) >> 32,
            Opcode::Smmls => ((a << 32) - words + rounding) >> 32,
            op => unreachable!("{op:?} is no product of halves"),
        };
        let may_overflow = !matches!(computation.op, Opcode::Smmla | Opcode::Smmls);
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

fn extended(op: Opcode, rotated: u32, n: u32) -> u32 {
    use Opcode::{
        Sxtab, Sxtab16, Sxtah, Sxtb, Sxtb16, Sxth, Uxtab, Uxtab16, Uxtah, Uxtb, Uxtb16, Uxth,
    };
    let addend = if op.row().operands.contains('n') { n } else { 0 };
    let word = |value: i128| (i128::from(addend) + value) as u32;
    let halves = |signed: bool| {
        let sum = |place| half(addend, place, false) + byte(rotated, 2 * place, signed);
        joined(&[0, 1].map(sum), 16)
    };
    match op {
        Sxtb | Sxtab => word(byte(rotated, 0, true)),
        Uxtb | Uxtab => word(byte(rotated, 0, false)),
        Sxth | Sxtah => word(half(rotated, 0, true)),
        Uxth | Uxtah => word(half(rotated, 0, false)),
        Sxtb16 | Sxtab16 => halves(true),
        Uxtb16 | Uxtab16 => halves(false),
        _ => unreachable!("{op:?} extends nothing"),
    }
}

fn reordered(op: Opcode, value: u32) -> u32 {
    let of_bytes = |places: [u32; 4]| joined(&places.map(|place| byte(value, place, false)), 8);
    match op {
        Opcode::Clz => (0..32).take_while(|bit| value >> (31 - bit) & 1 == 0).count() as u32,
        Opcode::Rbit => (0..32).map(|bit| (value >> bit & 1) << (31 - bit)).sum(),
        Opcode::Rev => of_bytes([3, 2, 1, 0]),
        Opcode::Rev16 => of_bytes([1, 0, 3, 2]),
        Opcode::Revsh => (byte(value, 0, true) << 8 | byte(value, 1, false)) as u32,
        _ => unreachable!("{op:?} reorders nothing"),
    }
}
