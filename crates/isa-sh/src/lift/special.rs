//! Special registers, and what is refused by name.

use cocrypt_ir::{Binary, Exit, Slot, Value};

use super::parallel::guard_of;
use super::{Lifter, behind};
use crate::cells::{
    A0, DBR, DSR, GBR, MACH, MACL, MOD, PR, RE, RS, SGR, SPC, SR, SSR, VBR, X0, X1, Y0, Y1, banked,
    register,
};
use crate::decode::{Decoded, target};
use crate::mode::{DSP, USER};
use crate::status::{self, REPEAT_MASK, REPEATS};
use crate::table::{Address, Opcode};

/// The explanation of a trap that has no handler on an SH-1 or SH-2.
pub const NO_STACK: &str = "R15 is no multiple of 4, so that an exception has no place on the stack; set the stack pointer before";
/// The explanation of one on an SH-3 or later.
pub const BLOCKED: &str = "exceptions are blocked (SR.BL), and one would reset the core; clear the bit, and set VBR, before";

impl Lifter {
    /// Moves, loads and stores of special registers.
    pub(super) fn special(&mut self, insn: Decoded) {
        let row = insn.opcode.row();
        if insn.opcode == Opcode::Clrmac {
            self.write(MACH, Value::Const(0));
            return self.write(MACL, Value::Const(0));
        }
        let loads = row.name.starts_with("ld");
        let cell = special_register(insn);
        match (loads, row.address) {
            (true, Address::Increment) => {
                let value = self.pop(insn);
                self.write_special(cell, value);
            }
            (true, _) => self.write_special(cell, register(insn.n)),
            (false, Address::Decrement) => {
                let value = self.read_special(cell);
                self.push_word(insn, value);
            }
            (false, _) => {
                let value = self.read_special(cell);
                self.set(insn.n, value);
            }
        }
    }

    fn read_special(&mut self, cell: Option<Slot>) -> Value {
        match cell {
            Some(cell) => Value::Slot(cell),
            None => status::read(&mut self.builder),
        }
    }

    /// Behind SR, an interrupt may come, or code may be that of a user.
    fn write_special(&mut self, cell: Option<Slot>, value: Value) {
        let Some(cell) = cell else {
            status::write(&mut self.builder, self.generation, value);
            return self.end(Exit::Yield { target: Value::Const(behind(self.next)) });
        };
        if let Some(guard) = guard_of(cell) {
            let sign = self.builder.binary(Binary::Sar, value, Value::Const(31));
            let sign = self.and(sign, 0xff);
            self.write(guard, sign);
        }
        self.write(cell, value);
    }

    /// What a repeat loop begins with: where it starts and ends, and how often it is gone through.
    pub(super) fn repeat(&mut self, insn: Decoded) {
        let at = Value::Const(target(insn, self.next).into());
        match insn.opcode {
            Opcode::Ldrs => return self.write(RS, at),
            Opcode::Ldre => return self.write(RE, at),
            _ => {}
        }
        let count = match insn.opcode {
            Opcode::Setrc => self.and(register(insn.n), 0xfff),
            _ => Value::Const(insn.unsigned().into()),
        };
        let count = self.builder.binary(Binary::Shl, count, Value::Const(REPEATS.into()));
        let kept = self.and(Value::Slot(SR), !u64::from(REPEAT_MASK) & 0xffff_ffff);
        let status = self.builder.binary(Binary::Or, kept, count);
        self.write(SR, status);
        self.end(Exit::Yield { target: Value::Const(behind(self.next)) });
    }
}

/// The cell of the special register that an instruction names; none for the status register, which has several.
fn special_register(insn: Decoded) -> Option<Slot> {
    let operands = insn.opcode.row().operands;
    let named = [
        ("{b}", banked(insn.banked())),
        ("mach", MACH),
        ("macl", MACL),
        ("pr", PR),
        ("gbr", GBR),
        ("vbr", VBR),
        ("dbr", DBR),
        ("ssr", SSR),
        ("spc", SPC),
        ("sgr", SGR),
        ("mod", MOD),
        ("rs", RS),
        ("re", RE),
        ("dsr", DSR),
        ("a0", A0),
        ("x0", X0),
        ("x1", X1),
        ("y0", Y0),
        ("y1", Y1),
    ];
    named.into_iter().find(|(name, _)| operands.contains(name)).map(|(_, cell)| cell)
}

/// The reason for which an instruction ends the run.
pub fn reason(insn: Decoded) -> String {
    let name = insn.opcode.row().name;
    if insn.opcode == Opcode::Ldtlb {
        return format!("the MMU is not modelled: `{name}`");
    }
    format!("cores differ in what `{name}` does in a delay slot; it is not modelled there")
}

/// The reason for which an instruction is illegal where it stands.
pub fn refusal(insn: Decoded, mode: u32) -> String {
    let row = insn.opcode.row();
    if mode & USER != 0 && row.privileged {
        return format!("`{}` is illegal in user mode", row.name);
    }
    if row.extension == "dsp" && mode & DSP == 0 {
        return "the DSP is off (SR.DSP); set the bit before".to_owned();
    }
    format!("`{}` may not stand in a delay slot", row.name)
}

/// The part of other cores that 16 bits are an instruction of.
pub const fn absent(word: u16) -> Option<&'static str> {
    match (word >> 12, word & 0xff) {
        (0xf, _) | (0x0 | 0x4, 0x5a | 0x6a) | (0x4, 0x52 | 0x56 | 0x62 | 0x66) => {
            Some("floating-point unit (FPU) or DSP")
        }
        _ => None,
    }
}
