//! The reset of a core that starts by its vector table.

use super::Machine;

impl Machine {
    /// Lets the core start at an address, with what its vector table gives it: the initial stack pointer,
    /// and where the table is.
    pub fn start(&mut self, entry: u32, stack: Option<u32>, vectors: Option<u32>) {
        if let Some(stack) = stack {
            self.set_cell(self.engine.frontend().stack_pointer(), stack);
        }
        if let (Some(vectors), Some(cell)) = (vectors, self.engine.frontend().vectors()) {
            self.set_cell(cell, vectors);
            self.bus.set_vectors(vectors);
        }
        self.go_on_at(entry.into());
    }

    /// Keeps what a person should know of the start, if the program does not end well.
    pub fn note_start(&mut self, note: Option<String>) {
        self.note = note;
    }

    /// Notes for people about the start.
    #[must_use]
    pub fn start_note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn set_cell(&mut self, cell: cocrypt_ir::Slot, value: u32) {
        self.engine.set_cell(cell.0.into(), value.into());
    }

    /// The address of the core's vector table after reset, if it starts by one.
    #[must_use]
    pub fn vectors(&self) -> Option<u32> {
        let cell = self.engine.frontend().vectors()?;
        Some(*self.engine.cells().get(usize::from(cell.0))? as u32)
    }
}
