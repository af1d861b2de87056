//! How a core of Arm's M profile comes out of reset.

use cocrypt_isa_arm::cells;

use super::Machine;

impl Machine {
    /// Lets the core start at an address, with what its table of vectors gives it: the initial stack pointer,
    /// and where the table is.
    pub fn start(&mut self, entry: u32, stack: Option<u32>, vectors: Option<u32>) {
        if let Some(stack) = stack {
            self.set_cell(self.engine.frontend().stack_pointer(), stack);
        }
        if let Some(vectors) = vectors {
            self.set_cell(cells::VECTORS, vectors);
            self.bus.set_vectors(vectors);
        }
        self.go_on_at(entry.into());
    }

    /// Keeps what a person should know of the start, if the program does not end well.
    pub fn note_start(&mut self, note: Option<String>) {
        self.note = note;
    }

    /// What a person should know of the start.
    #[must_use]
    pub fn start_note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn set_cell(&mut self, cell: cocrypt_ir::Slot, value: u32) {
        self.engine.set_cell(cell.0.into(), value.into());
    }

    /// Where the core finds its table of vectors after reset, if it is of the M profile.
    #[must_use]
    pub fn vectors(&self) -> Option<u32> {
        let vectors = self.engine.cells().get(usize::from(cells::VECTORS.0));
        self.facts.is_m.then_some(*vectors? as u32)
    }
}
