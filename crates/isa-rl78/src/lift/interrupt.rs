//! Interrupt entry, and the end of a wait for one.

use cocrypt_ir::{Block, Exit, Transfer, Value};

use super::Lifter;
use crate::cells::{ISP0, ISP1};
use crate::class::Class;

/// The vector of the first interrupt: those of reset and of debuggers are before it.
const FIRST_VECTOR: u64 = 4;

impl Lifter<'_> {
    /// The program status word and the address of what was interrupted go to the stack, and only interrupts of
    /// a higher priority than the lowest are accepted.
    pub(super) fn interrupt(mut self, number: u8) -> Block {
        self.begin();
        self.enter(self.next);
        self.builder.write(ISP1, Value::Const(1));
        self.builder.write(ISP0, Value::Const(0));
        self.note(Class::Interrupt, 0);
        let target = self.vector(FIRST_VECTOR + 2 * u64::from(number));
        self.block.exit = Exit::Jump { target };
        self.block.transfer = Transfer::Call;
        self.finish()
    }

    /// Goes on behind an instruction that waited.
    pub(super) fn waited(mut self) -> Block {
        self.begin();
        self.note(Class::Halt, 2);
        self.cut()
    }
}
