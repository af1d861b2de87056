//! Accesses to links: `get`, `put` and their variants, as loads and stores at the places of the core's links.
//!
//! Source: UG984 (2026.1), chapter 5, `get`, `getd`, `put`, `putd`; chapter 2, "Stream Link Interfaces".

use cocrypt_ir::{Binary, Condition, Exit, StopKind, Value, Width};
use cocrypt_isa::Links;

use super::{Lifter, behind};
use crate::cells::{CARRY, MSR, msr, register};
use crate::decode::Decoded;
use crate::stream::Variant;
use crate::table::{Format, Opcode};

/// The number of a link is in the lowest four bits of a register.
const NUMBERS: u64 = 15;
/// An address where nothing is.
const NOWHERE: u32 = 0xffff_fffc;

impl Lifter {
    pub(super) fn stream(&mut self, insn: Decoded) {
        let (Some(links), Some(variant)) = (self.links, Variant::of(insn)) else {
            return self.end(Exit::Stop(StopKind::Unmodelled));
        };
        let Some(link) = self.link(insn, links) else {
            return self.end(Exit::Stop(StopKind::Unmodelled));
        };
        if matches!(insn.opcode, Opcode::Get | Opcode::Getd) {
            self.get(insn, variant, link);
        } else {
            self.put(insn, variant, link);
        }
        // The core may have waited long, and the machine looks whether an interrupt came meanwhile.
        if !variant.tries {
            self.end(Exit::Yield { target: Value::Const(behind(self.next)) });
        }
    }

    /// The address of an instruction's link; nothing if its number is none of the core.
    fn link(&mut self, insn: Decoded, links: Links) -> Option<Value> {
        if insn.opcode.row().format == Format::Stream {
            let number = u32::from(insn.low) & NUMBERS as u32;
            let address = links.base + number * Links::STRIDE;
            return (number < links.count).then_some(Value::Const(address.into()));
        }
        let number = self.builder.binary(Binary::And, register(insn.b), Value::Const(NUMBERS));
        let distance = self.builder.binary(Binary::Mul, number, Value::Const(Links::STRIDE.into()));
        let address = self.builder.binary(Binary::Add, distance, Value::Const(links.base.into()));
        let count = Value::Const(links.count.into());
        let is_there = self.builder.compare(Condition::LessUnsigned, number, count);
        Some(self.builder.select(is_there, address, Value::Const(NOWHERE.into())))
    }

    fn get(&mut self, insn: Decoded, variant: Variant, link: Value) {
        let look = if variant.tries { Links::COME } else { Links::AWAIT };
        let found = self.at_link(link, look);
        let come = self.builder.binary(Binary::And, found, Value::Const(1));
        let expected = if variant.control { 3 } else { 1 };
        let is_other = self.builder.compare(Condition::NotEqual, found, Value::Const(expected));
        let differs = self.builder.binary(Binary::And, is_other, come);
        let word = self.word(variant, link, come, insn.d);
        let error = self.builder.select(differs, Value::Const(msr::FSL.into()), Value::Const(0));
        let status = self.builder.binary(Binary::Or, Value::Slot(MSR), error);
        self.builder.write(MSR, status);
        self.tell(variant, come);
        self.set(insn.d, word);
    }

    /// The word that has come. What rD has if none has come is undefined: here it stays as it is.
    fn word(&mut self, variant: Variant, link: Value, come: Value, d: u8) -> Value {
        let offset = if variant.tests { Links::PEEK } else { Links::TAKE };
        let result = self.builder.temporary();
        self.builder.write(result, register(d));
        let guard = self.builder.guard(come);
        let word = self.at_link(link, offset);
        self.builder.write(result, word);
        self.builder.close(guard);
        Value::Slot(result)
    }

    fn put(&mut self, insn: Decoded, variant: Variant, link: Value) {
        let look = if variant.tries { Links::ROOM } else { Links::AWAIT_ROOM };
        let room = self.at_link(link, look);
        if !variant.tests {
            let send = if variant.control { Links::SEND_CONTROL } else { Links::SEND };
            let guard = self.builder.guard(room);
            self.builder.store(Width::W32, register(insn.a), link, send as i32);
            self.builder.close(guard);
        }
        self.tell(variant, room);
    }

    fn at_link(&mut self, link: Value, offset: u32) -> Value {
        self.builder.load(Width::W32, false, link, offset as i32)
    }

    /// The carry of an access that does not wait: 0 if it succeeded.
    fn tell(&mut self, variant: Variant, succeeded: Value) {
        if variant.tries {
            let failed = self.builder.binary(Binary::Xor, succeeded, Value::Const(1));
            self.builder.write(CARRY, failed);
        }
    }
}
