//! Special registers, barriers, and what is refused by name.

use cocrypt_ir::{Binary, Exit, StopKind, Value};
use cocrypt_isa::Links;

use super::{Lifter, behind};
use crate::cells::{BTR, CACHES, CARRY, EAR, ESR, MSR, msr, register};
use crate::class::Class;
use crate::decode::Decoded;
use crate::disasm;
use crate::stream::Variant;
use crate::table::Opcode;

/// Bits of the number of `mbar` that let the core sleep (UG984, chapter 5, `mbar`).
pub const SLEEPS: u8 = 0b1_1000;

/// Numbers of special registers.
const RPC: u16 = 0;
const RMSR: u16 = 1;
const REAR: u16 = 3;
const RESR: u16 = 5;
const RBTR: u16 = 11;

/// Bits of the status register that the machine looks at: interrupts are taken by them, or caches are on.
const DECIDES: u32 = msr::IE | msr::BIP | msr::EIP | msr::CACHES;

impl Lifter {
    pub(super) fn special(&mut self, insn: Decoded) {
        let number = insn.low & 0x3fff;
        match (insn.opcode, number) {
            (Opcode::Mfs, _) => self.read_special(insn, number),
            (Opcode::Mts, RMSR) => {
                let value = register(insn.a);
                self.write_status(value);
                self.yields();
            }
            (Opcode::Mts, _) => self.end(Exit::Stop(StopKind::Unmodelled)),
            _ => self.change_bits(insn),
        }
    }

    fn read_special(&mut self, insn: Decoded, number: u16) {
        let value = match number {
            RPC => Value::Const(self.next),
            RMSR => self.status(),
            REAR => Value::Slot(EAR),
            RESR => Value::Slot(ESR),
            RBTR => Value::Slot(BTR),
            _ => return self.end(Exit::Stop(StopKind::Unmodelled)),
        };
        self.set(insn.d, value);
    }

    /// The status register with both copies of the carry.
    fn status(&mut self) -> Value {
        let carry = Value::Slot(CARRY);
        let copies = self.builder.select(carry, Value::Const(CARRIES), Value::Const(0));
        let status = self.builder.binary(Binary::Or, Value::Slot(MSR), copies);
        self.builder.binary(Binary::Or, status, Value::Slot(CACHES))
    }

    fn write_status(&mut self, value: Value) {
        let others = Value::Const((msr::WRITTEN & !msr::C & !msr::CACHES).into());
        let kept = self.builder.binary(Binary::And, value, others);
        let caches = self.builder.binary(Binary::And, value, Value::Const(msr::CACHES.into()));
        let carry = self.builder.binary(Binary::Shr, value, Value::Const(2));
        let carry = self.builder.binary(Binary::And, carry, Value::Const(1));
        self.builder.write(MSR, kept);
        self.builder.write(CACHES, caches);
        self.builder.write(CARRY, carry);
    }

    /// `msrset` and `msrclr`: rD is the status register as it was before.
    fn change_bits(&mut self, insn: Decoded) {
        let bits = u32::from(insn.low) & msr::WRITTEN;
        let sets = insn.opcode == Opcode::Msrset;
        let before = if insn.d == 0 { Value::Const(0) } else { self.status() };
        for (cell, part) in [(MSR, bits & !msr::C & !msr::CACHES), (CACHES, bits & msr::CACHES)] {
            let (set, clear) = if sets { (part, 0) } else { (0, part) };
            self.change(cell, set, clear);
        }
        if bits & msr::C != 0 {
            self.builder.write(CARRY, Value::Const(sets.into()));
        }
        self.set(insn.d, before);
        if bits & DECIDES != 0 {
            self.yields();
        }
    }

    /// `mbar`: code may have been written, which the machine shows at once; or the core sleeps.
    pub(super) fn barrier(&mut self, insn: Decoded) {
        if insn.d & SLEEPS != 0 {
            self.end(Exit::Stop(StopKind::Wait));
        }
    }

    fn yields(&mut self) {
        self.end(Exit::Yield { target: Value::Const(behind(self.next)) });
    }
}

/// The carry's two copies.
const CARRIES: u64 = 1 << 31 | msr::C as u64;

/// The status register that the cells compose.
pub fn composed(cells: &[u64]) -> u32 {
    let carry = if cells[usize::from(CARRY.0)] == 0 { 0 } else { CARRIES };
    [MSR, CACHES].iter().fold(carry as u32, |all, cell| all | cells[usize::from(cell.0)] as u32)
}

/// The reason for which an instruction ends the run.
pub fn reason(insn: Decoded, links: Option<Links>) -> String {
    let name = insn.opcode.row().name;
    match (insn.opcode.row().class, insn.opcode) {
        (Class::Stream, _) => {
            let count = links.map_or(0, |links| links.count);
            let has = if count == 1 { "1 link".to_owned() } else { format!("{count} links") };
            let number = insn.low & 15;
            format!("the device has {has}, and `{name}` accesses link {number}: {ADD_LINK}")
        }
        (Class::Unmodelled, Opcode::WdcClearEa) => {
            format!("no core here has addresses of more than 32 bits (C_ADDR_SIZE): `{name}`")
        }
        (Class::Unmodelled, _) => {
            format!("no core here has an external cache (C_INTERCONNECT = 3, ACE): `{name}`")
        }
        (Class::Special, Opcode::Mfs | Opcode::Mts) => {
            let register = disasm::special(insn.low & 0x3fff);
            let part = if insn.low & 0x1000 == 0 { "register" } else { "MMU's register" };
            format!("the {part} `{register}` is not modelled: `{name}`")
        }
        _ => format!("`{name}` may not stand in a delay slot"),
    }
}

const ADD_LINK: &str = "add a [[peripheral]] of kind \"link\" for each to the device";

/// The reason for which a core lacks an access to a link; nothing if the instruction is another.
pub fn without_links(insn: Decoded, links: Option<Links>) -> Option<String> {
    let variant = Variant::of(insn)?;
    let name = insn.opcode.row().name;
    Some(if links.is_none() {
        format!("the device has no links (FSL, AXI4-Stream) for `{name}`: {ADD_LINK}")
    } else {
        let letters = variant.letters();
        format!("`{letters}{name}` needs the parameter C_USE_EXTENDED_FSL_INSTR")
    })
}

/// The part of other cores that a word is an instruction of which no core here has.
pub const fn absent(word: u32) -> Option<&'static str> {
    match word >> 26 {
        0x16 => Some("floating-point unit (FPU)"),
        _ => None,
    }
}
