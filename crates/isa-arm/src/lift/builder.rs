//! Operations in the making, and what ARM's instructions write beside values: registers and flags.

use std::ops::{Deref, DerefMut};

use cocrypt_ir::{Binary, Condition, Value};

use super::flags::{KEPT, Setter};
use crate::cells::{self, COUNT};
use crate::instruction::Register;

/// Temporaries that a block may use beyond the guest state.
pub const TEMPORARIES: u16 = 144;

/// The operations of a block so far.
#[derive(Debug)]
pub struct Builder {
    /// Helpers that know nothing of registers and flags.
    plain: cocrypt_ir::Builder,
    /// The value of the program counter read in the current instruction.
    pub pc: u32,
    /// True if the stack pointer is always a multiple of 4 (M profile).
    pub aligned_stack: bool,
    /// The values that the current instruction sets flags by, as far as it says.
    pub(super) setter: Option<Setter>,
}

impl Default for Builder {
    fn default() -> Self {
        let plain = cocrypt_ir::Builder::new(COUNT, TEMPORARIES);
        Self { plain, pc: 0, aligned_stack: false, setter: None }
    }
}

impl Deref for Builder {
    type Target = cocrypt_ir::Builder;

    fn deref(&self) -> &Self::Target {
        &self.plain
    }
}

impl DerefMut for Builder {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.plain
    }
}

impl Builder {
    /// Begins an instruction in which the program counter reads as `pc`; its temporaries are free again,
    /// but the first, which hold what the flags stand for.
    pub fn begin(&mut self, pc: u32) {
        self.pc = pc;
        self.plain.begin(KEPT);
    }

    /// The value of a general register; of 15, what it reads as.
    #[must_use]
    pub fn register(&self, register: Register) -> Value {
        if register == 15 {
            Value::Const(self.pc.into())
        } else {
            Value::Slot(cells::general(register))
        }
    }

    /// Writes a general register other than 15.
    pub fn write_register(&mut self, register: Register, value: Value) {
        let aligned = match (register, self.aligned_stack) {
            (13, true) => self.binary(Binary::And, value, Value::Const(0xffff_fffc)),
            _ => value,
        };
        self.write(cells::general(register), aligned);
    }

    /// Makes the operations that `body` writes depend on a condition.
    pub fn guarded(&mut self, condition: Value, body: impl FnOnce(&mut Self)) {
        let guard = self.guard(condition);
        body(self);
        self.close(guard);
    }

    /// Sets N and Z by a 32-bit result.
    pub fn set_nz(&mut self, result: Value) {
        let negative = self.binary(Binary::Shr, result, Value::Const(31));
        let zero = self.compare(Condition::Equal, result, Value::Const(0));
        self.write(cells::N, negative);
        self.write(cells::Z, zero);
    }

    /// Sets Q where a condition is not 0; it stays set otherwise.
    pub fn set_q_if(&mut self, condition: Value) {
        let set = self.binary(Binary::Or, Value::Slot(cells::Q), condition);
        self.write(cells::Q, set);
    }
}
