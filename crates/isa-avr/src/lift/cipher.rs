//! DES: a round of the cipher in one instruction.
//!
//! Source: DS40002198, section 6.50; FIPS 46-3. The block is in r7 to r0, the key with its parity bits in r15
//! to r8, each with its highest byte in the highest register. Every round permutes the block first and back at
//! its end, so that sixteen of them in order are the cipher. That the key stays as it is, and what a block
//! looks like between two rounds, is an assumption, on which no result of sixteen rounds depends.

mod tables;

use cocrypt_ir::{Binary, Condition, Slot, Value, Width};

use super::Lifter;
use crate::cells::{H, register};
use tables::{BOXES, CHOICE_1, CHOICE_2, PERMUTATION, SHIFTS};

/// Rounds of the cipher.
const ROUNDS: usize = 16;
/// The number of temporaries that outlive a step.
const KEPT: u16 = 3 + 8;
/// The first register of the key.
const KEY: u8 = 8;
/// Exchanges of bits between the halves that make up the initial permutation: how far apart they are, which
/// they are, and whether the left half is the one that is shifted to the right.
const EXCHANGES: [(u64, u64, bool); 5] = [
    (4, 0x0f0f_0f0f, true),
    (16, 0x0000_ffff, true),
    (2, 0x3333_3333, false),
    (8, 0x00ff_00ff, false),
    (1, 0x5555_5555, true),
];

/// The temporaries that outlive a step: both halves, the function of the right one, and the key's bits for
/// each box.
struct RoundTemporaries {
    left: Slot,
    right: Slot,
    sum: Slot,
    keys: [Slot; 8],
}

impl Lifter<'_> {
    pub(super) fn cipher_round(&mut self, round: usize) {
        let kept = RoundTemporaries {
            left: self.builder.temporary(),
            right: self.builder.temporary(),
            sum: self.builder.temporary(),
            keys: std::array::from_fn(|_| self.builder.temporary()),
        };
        self.gather(kept.left, 4);
        self.gather(kept.right, 0);
        for exchange in &EXCHANGES {
            self.exchange_bits(&kept, exchange);
        }
        self.choose_keys(&kept, round);
        self.builder.write(kept.sum, Value::Const(0));
        for number in 0..8 {
            self.substitute(&kept, number);
        }
        self.join_halves(&kept, round + 1 == ROUNDS);
        for exchange in EXCHANGES.iter().rev() {
            self.exchange_bits(&kept, exchange);
        }
        self.scatter(kept.left, 4);
        self.scatter(kept.right, 0);
    }

    /// The temporaries of a step are free for the next.
    fn step(&mut self, operations: impl FnOnce(&mut Self)) {
        self.builder.begin(KEPT);
        operations(self);
    }

    /// Four registers make a half.
    fn gather(&mut self, half: Slot, first: u8) {
        self.step(|lifter| {
            let mut word = register(first);
            for byte in 1..4 {
                let shift = Value::Const(8 * u64::from(byte));
                let byte = lifter.builder.binary(Binary::Shl, register(first + byte), shift);
                word = lifter.builder.binary(Binary::Or, word, byte);
            }
            lifter.builder.write(half, word);
        });
    }

    /// A half goes to four registers.
    fn scatter(&mut self, half: Slot, first: u8) {
        self.step(|lifter| {
            for byte in 0..4 {
                let shift = Value::Const(8 * u64::from(byte));
                let shifted = lifter.builder.binary(Binary::Shr, Value::Slot(half), shift);
                let value = lifter.bytes(Binary::And, shifted, Value::Const(0xff));
                lifter.builder.write(Slot((first + byte).into()), value);
            }
        });
    }

    /// Exchanges bits between the halves; twice is as they were.
    fn exchange_bits(
        &mut self,
        kept: &RoundTemporaries,
        &(distance, bits, is_left): &(u64, u64, bool),
    ) {
        let (high, low) = if is_left { (kept.left, kept.right) } else { (kept.right, kept.left) };
        self.step(|lifter| {
            let [distance, bits] = [distance, bits].map(Value::Const);
            let near = lifter.builder.binary(Binary::Shr, Value::Slot(high), distance);
            let differ = lifter.builder.binary(Binary::Xor, near, Value::Slot(low));
            let turned = lifter.builder.binary(Binary::And, differ, bits);
            let lower = lifter.builder.binary(Binary::Xor, Value::Slot(low), turned);
            let far = lifter.builder.binary(Binary::Shl, turned, distance);
            let higher = lifter.builder.binary(Binary::Xor, Value::Slot(high), far);
            lifter.builder.write(low, lower);
            lifter.builder.write(high, higher);
        });
    }

    /// The key's bits for each box: those of the round, or where H is set, of its counterpart from the end.
    fn choose_keys(&mut self, kept: &RoundTemporaries, round: usize) {
        for (round, backward) in [(round, 0), (ROUNDS - 1 - round, 1)] {
            self.step(|lifter| {
                let (width, flag) = (Width::W8, Value::Slot(H));
                let wanted = Value::Const(backward);
                let holds = lifter.builder.wide_compare(Condition::Equal, width, flag, wanted);
                let guard = lifter.builder.guard(holds);
                for (number, &key) in kept.keys.iter().enumerate() {
                    let bits = lifter.key_bits(round, number);
                    lifter.builder.write(key, bits);
                    lifter.builder.begin(KEPT);
                }
                lifter.builder.close(guard);
            });
        }
    }

    /// Six bits of a round's key, each of which is a bit of the key.
    fn key_bits(&mut self, round: usize, number: usize) -> Value {
        let mut bits = Value::Const(0);
        for place in 0..6 {
            let from = key_bit(round, 6 * number + place);
            let moved = self.moved_bit(register(KEY + from / 8), from % 8, 5 - place as u8);
            bits = self.builder.binary(Binary::Or, bits, moved);
        }
        bits
    }

    /// A bit of a value at another place.
    fn moved_bit(&mut self, value: Value, from: u8, to: u8) -> Value {
        let (op, by) = if to >= from { (Binary::Shl, to - from) } else { (Binary::Shr, from - to) };
        let shifted = self.builder.binary(op, value, Value::Const(by.into()));
        self.builder.binary(Binary::And, shifted, Value::Const(1 << to))
    }

    /// The output of a box for six bits of the right half and of the key, at its places in the sum.
    fn substitute(&mut self, kept: &RoundTemporaries, number: usize) {
        self.step(|lifter| {
            // The bits of neighbours belong to it, too.
            let turn = Value::Const((32 + 27 - 4 * number as u64) % 32);
            let right = Value::Slot(kept.right);
            let turned = lifter.builder.binary(Binary::RotateRight, right, turn);
            let mixed = lifter.builder.binary(Binary::Xor, turned, Value::Slot(kept.keys[number]));
            let found = lifter.look_up(mixed, number);
            let mut sum = Value::Slot(kept.sum);
            for (place, &from) in PERMUTATION.iter().enumerate() {
                let from = usize::from(from) - 1;
                if from / 4 == number {
                    let moved = lifter.moved_bit(found, 3 - from as u8 % 4, 31 - place as u8);
                    sum = lifter.builder.binary(Binary::Or, sum, moved);
                }
            }
            lifter.builder.write(kept.sum, sum);
        });
    }

    /// The entry of a box that the lowest six bits of a value choose, beyond whose four bits there is more.
    fn look_up(&mut self, index: Value, number: usize) -> Value {
        let quarters: [Value; 4] = std::array::from_fn(|at| Value::Const(quarter(number, at)));
        let [higher, highest] =
            [16, 32].map(|bit| self.builder.binary(Binary::And, index, Value::Const(bit)));
        let lower_half = self.builder.select(higher, quarters[1], quarters[0]);
        let upper_half = self.builder.select(higher, quarters[3], quarters[2]);
        let entries = self.builder.select(highest, upper_half, lower_half);
        let place = self.builder.binary(Binary::And, index, Value::Const(15));
        let shift = self.builder.binary(Binary::Shl, place, Value::Const(2));
        self.builder.wide_binary(Binary::Shr, Width::W64, entries, shift)
    }

    /// The left half takes the sum; then they change sides, but not in the last round.
    fn join_halves(&mut self, kept: &RoundTemporaries, is_last: bool) {
        self.step(|lifter| {
            let (left, sum) = (Value::Slot(kept.left), Value::Slot(kept.sum));
            let joined = lifter.builder.binary(Binary::Xor, left, sum);
            if is_last {
                lifter.builder.write(kept.left, joined);
            } else {
                lifter.builder.write(kept.left, Value::Slot(kept.right));
                lifter.builder.write(kept.right, joined);
            }
        });
    }
}

/// The bit of the key, counted from the lowest, behind each bit of a round's key, counted from the first.
fn key_bit(round: usize, place: usize) -> u8 {
    let shifts: usize = SHIFTS[..=round].iter().map(|&by| usize::from(by)).sum();
    let chosen = usize::from(CHOICE_2[place]) - 1;
    // Each half of 28 bits is rotated by itself.
    let half = chosen / 28 * 28;
    let before = half + (chosen - half + shifts) % 28;
    64 - CHOICE_1[before]
}

/// Sixteen entries of a box, four bits each, by its input's six bits: the outer two are a row's number.
fn quarter(number: usize, at: usize) -> u64 {
    let entry = |index: usize| {
        let (row, column) = (index >> 4 & 2 | index & 1, index >> 1 & 15);
        u64::from(BOXES[number][16 * row + column])
    };
    (0..16).fold(0, |word, place| word | entry(16 * at + place) << (4 * place))
}
