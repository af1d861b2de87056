//! The multiplier: products, and their accumulation in MACH and MACL.

use cocrypt_ir::{Binary, Condition, Unary, Value, Width};

use super::Lifter;
use crate::cells::{MACH, MACL, SR, register};
use crate::decode::Decoded;
use crate::status::SATURATES;
use crate::table::Opcode;

const W64: Width = Width::W64;
/// The largest and the lowest value of an accumulator of 48 bits.
const HIGHEST48: u64 = (1 << 47) - 1;
const LOWEST48: u64 = !HIGHEST48;

impl Lifter {
    pub(super) fn multiply(&mut self, insn: Decoded) {
        let (n, m) = (register(insn.n), register(insn.m));
        match insn.opcode {
            Opcode::Muls => self.product_of(Unary::Extend16, n, m),
            Opcode::Mulu => {
                let [n, m] = [n, m].map(|value| self.and(value, 0xffff));
                let product = self.builder.binary(Binary::Mul, n, m);
                self.write(MACL, product);
            }
            Opcode::Mull => {
                let product = self.builder.binary(Binary::Mul, n, m);
                self.write(MACL, product);
            }
            _ => {
                let signed = insn.opcode == Opcode::Dmuls;
                let op = if signed { Binary::MulHighSigned } else { Binary::MulHighUnsigned };
                let high = self.builder.binary(op, n, m);
                let low = self.builder.binary(Binary::Mul, n, m);
                self.write(MACH, high);
                self.write(MACL, low);
            }
        }
    }

    fn product_of(&mut self, extend: Unary, n: Value, m: Value) {
        let [n, m] = [n, m].map(|value| self.builder.unary(extend, value));
        let product = self.builder.binary(Binary::Mul, n, m);
        self.write(MACL, product);
    }

    /// `mac.l` and `mac.w`: the product of two values in memory is added.
    pub(super) fn accumulate(&mut self, insn: Decoded) {
        let is_long = insn.opcode == Opcode::Macl;
        let (width, bytes) = if is_long { (Width::W32, 4) } else { (Width::W16, 2) };
        let (n, m) = (register(insn.n), register(insn.m));
        // The first access has moved the register already if both are the same.
        let second = if insn.n == insn.m { bytes } else { 0 };
        let a = self.builder.load(width, !is_long, n, 0);
        let b = self.builder.load(width, !is_long, m, second);
        self.step(insn.n, bytes as u32);
        self.step(insn.m, bytes as u32);
        let [a, b] = [a, b].map(|value| self.builder.wide_unary(Unary::Extend32, W64, value));
        let product = self.wide(Binary::Mul, a, b);
        if is_long { self.add_long(product) } else { self.add_word(product) }
    }

    fn add_long(&mut self, product: Value) {
        let before = self.accumulator();
        let sum = self.wide(Binary::Add, before, product);
        // With S, 48 bits are added, and the bits above them stay.
        let narrow = self.wide(Binary::Shl, before, Value::Const(16));
        let narrow = self.wide(Binary::Sar, narrow, Value::Const(16));
        let exact = self.wide(Binary::Add, narrow, product);
        let bounded = self.bounded(exact, LOWEST48, HIGHEST48);
        let low48 = self.wide(Binary::And, bounded, Value::Const(0xffff_ffff_ffff));
        let above = self.wide(Binary::And, before, Value::Const(0xffff << 48));
        let saturated = self.wide(Binary::Or, above, low48);
        let is_bounded = self.saturates();
        let result = self.builder.select(is_bounded, saturated, sum);
        self.set_accumulator(result);
    }

    fn add_word(&mut self, product: Value) {
        let before = self.accumulator();
        let sum = self.wide(Binary::Add, before, product);
        // With S, MACL alone is added to, and the lowest bit of MACH says that it was too small.
        let narrow = self.builder.wide_unary(Unary::Extend32, W64, Value::Slot(MACL));
        let exact = self.wide(Binary::Add, narrow, product);
        let bounded = self.bounded(exact, i64::from(i32::MIN) as u64, i32::MAX as u64);
        let overflows = self.builder.wide_compare(Condition::NotEqual, W64, exact, bounded);
        let marked = self.builder.binary(Binary::Or, Value::Slot(MACH), overflows);
        let low = self.wide(Binary::And, bounded, Value::Const(0xffff_ffff));
        let high = self.wide(Binary::Shl, marked, Value::Const(32));
        let saturated = self.wide(Binary::Or, high, low);
        let is_bounded = self.saturates();
        let result = self.builder.select(is_bounded, saturated, sum);
        self.set_accumulator(result);
    }

    /// A signed value, or the bound that is nearest.
    fn bounded(&mut self, value: Value, lowest: u64, highest: u64) -> Value {
        let (lowest, highest) = (Value::Const(lowest), Value::Const(highest));
        let is_low = self.builder.wide_compare(Condition::LessSigned, W64, value, lowest);
        let value = self.builder.select(is_low, lowest, value);
        let is_high = self.builder.wide_compare(Condition::LessSigned, W64, highest, value);
        self.builder.select(is_high, highest, value)
    }

    fn accumulator(&mut self) -> Value {
        let high = self.wide(Binary::Shl, Value::Slot(MACH), Value::Const(32));
        self.wide(Binary::Or, high, Value::Slot(MACL))
    }

    fn set_accumulator(&mut self, value: Value) {
        let high = self.wide(Binary::Shr, value, Value::Const(32));
        let low = self.wide(Binary::And, value, Value::Const(0xffff_ffff));
        self.write(MACH, high);
        self.write(MACL, low);
    }

    pub(super) fn saturates(&mut self) -> Value {
        self.and(Value::Slot(SR), SATURATES.into())
    }

    pub(super) fn and(&mut self, value: Value, mask: u64) -> Value {
        self.builder.binary(Binary::And, value, Value::Const(mask))
    }

    pub(super) fn wide(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, W64, a, b)
    }
}
