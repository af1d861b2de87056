//! Interrupt entry, and the end of a wait for one.

use cocrypt_ir::{Block, Exit, Transfer, Value};

use super::Lifter;
use crate::cells::{EXECUTING, I};
use crate::class::Class;

impl Lifter<'_> {
    /// The address of what was interrupted goes to the stack, and the handler is that of the line's vector.
    pub(super) fn interrupt(mut self, number: u8) -> Block {
        self.begin();
        self.push_counter(self.next);
        if self.core.variant.keeps_enable() {
            self.builder.write(EXECUTING, Value::Const(1));
        } else {
            self.builder.write(I, Value::Const(0));
        }
        self.note(Class::Interrupt, 0);
        self.block.exit = Exit::Jump { target: self.core.vector(number) };
        self.block.transfer = Transfer::Call;
        self.finish()
    }

    /// Goes on behind an instruction that waited.
    pub(super) fn waited(mut self) -> Block {
        self.begin();
        self.note(Class::Sleep, 2);
        self.cut()
    }
}
