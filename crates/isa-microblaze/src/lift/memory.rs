//! Loads and stores.

use cocrypt_ir::{Binary, Unary, Value, Width};

use super::Lifter;
use crate::cells::{CARRY, RESERVATION, register};
use crate::decode::Decoded;
use crate::table::{Format, Opcode};

impl Lifter {
    pub(super) fn load(&mut self, insn: Decoded, imm: u32) {
        let width = width(insn.opcode);
        let (base, offset) = self.address(insn, imm);
        let loaded = self.builder.load(width, false, base, offset);
        let value = if is_reversed(insn.opcode) { self.reversed(width, loaded) } else { loaded };
        if insn.opcode == Opcode::Lwx {
            self.builder.write(RESERVATION, Value::Const(1));
            self.builder.write(CARRY, Value::Const(0));
        }
        self.set(insn.d, value);
    }

    pub(super) fn store(&mut self, insn: Decoded, imm: u32) {
        let width = width(insn.opcode);
        let (base, offset) = self.address(insn, imm);
        let value = register(insn.d);
        if insn.opcode == Opcode::Swx {
            return self.store_if_reserved(value, base);
        }
        let value = if is_reversed(insn.opcode) { self.reversed(width, value) } else { value };
        self.builder.store(width, value, base, offset);
    }

    /// The store is made unless the reservation is gone, and the carry says if it was not.
    fn store_if_reserved(&mut self, value: Value, base: Value) {
        let reserved = self.builder.copy(Value::Slot(RESERVATION));
        let guard = self.builder.guard(reserved);
        self.builder.store(Width::W32, value, base, 0);
        self.builder.close(guard);
        let failed = self.builder.binary(Binary::Xor, reserved, Value::Const(1));
        self.builder.write(CARRY, failed);
        self.builder.write(RESERVATION, Value::Const(0));
    }

    /// Base and offset. Exclusive accesses ignore the lowest two bits; those in the other order of bytes reach the
    /// byte or half that another core's word has at this address.
    fn address(&mut self, insn: Decoded, imm: u32) -> (Value, i32) {
        let base = register(insn.a);
        if insn.opcode.row().format == Format::Immediate {
            return (base, imm as i32);
        }
        let index = register(insn.b);
        let sum = match (base, index) {
            (Value::Const(0), other) | (other, Value::Const(0)) => other,
            _ => self.builder.binary(Binary::Add, base, index),
        };
        let turned = |lifter: &mut Self, bits| {
            (lifter.builder.binary(Binary::Xor, sum, Value::Const(bits)), 0)
        };
        match insn.opcode {
            Opcode::Lwx | Opcode::Swx => {
                (self.builder.binary(Binary::And, sum, Value::Const(0xffff_fffc)), 0)
            }
            Opcode::Lbur | Opcode::Sbr => turned(self, 3),
            Opcode::Lhur | Opcode::Shr => turned(self, 2),
            _ => (sum, 0),
        }
    }

    fn reversed(&mut self, width: Width, value: Value) -> Value {
        match width {
            Width::W8 => value,
            _ => self.builder.wide_unary(Unary::ReverseBytes, width, value),
        }
    }
}

/// Returns true if an access has the order of bytes that the core does not have.
const fn is_reversed(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Lbur | Opcode::Lhur | Opcode::Lwr | Opcode::Sbr | Opcode::Shr | Opcode::Swr
    )
}

/// The width of an access.
pub const fn width(opcode: Opcode) -> Width {
    match opcode {
        Opcode::Lbu | Opcode::Lbur | Opcode::Lbui | Opcode::Sb | Opcode::Sbr | Opcode::Sbi => {
            Width::W8
        }
        Opcode::Lhu | Opcode::Lhur | Opcode::Lhui | Opcode::Sh | Opcode::Shr | Opcode::Shi => {
            Width::W16
        }
        _ => Width::W32,
    }
}
