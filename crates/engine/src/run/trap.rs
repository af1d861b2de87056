//! Exceptions and interrupts: from the program to its handler.

use std::sync::Arc;

use cocrypt_ir::{Block, Exit, Outcome, StopKind, Transfer, evaluate};
use cocrypt_isa::{PipelineState, Purpose, Trap};

use super::Engine;
use super::code::{Code, UncheckedCode};
use super::exit_memo::HandlerEntry;
use super::memory::Memory;
use crate::bus::Bus;
use crate::ram::Ram;
use crate::stop::{Stop, StopCause};

impl Engine {
    /// Goes on in the handler of what stopped a run, if there is one.
    ///
    /// # Errors
    /// Why it stays stopped: as before, or for what nobody knows of the entry.
    pub fn handle(&mut self, ram: &mut Ram, bus: &mut dyn Bus, stop: &Stop) -> Result<(), Stop> {
        let (trap, since) = match stop.cause {
            StopCause::Instruction(StopKind::Wait) => return self.wait(ram, bus),
            StopCause::Instruction(kind) => (Trap::Instruction(kind), stop.cycles),
            StopCause::Unaligned { address, writes, cycle } => {
                (Trap::Unaligned { address, writes }, cycle)
            }
            StopCause::UnalignedJump { .. } => (Trap::UnalignedJump, stop.cycles),
            StopCause::Refused { address, purpose, status, cycle } => {
                (Trap::Refused { address, purpose, status }, cycle)
            }
            StopCause::FetchFault { address } if self.is_translated => {
                let purpose = Purpose::Fetch;
                let status = ram.reach(address, purpose).err();
                let Some(status) = status else { return Err(*stop) };
                (Trap::Refused { address, purpose, status }, stop.cycles)
            }
            _ => return Err(*stop),
        };
        let length = self.length_of(trap, ram, bus);
        let before = self.cells.clone();
        if !self.trap(trap, since, None, ram, bus).map_err(|stop| *stop)? {
            return Err(*stop);
        }
        let due = self.frontend.interrupt(&before[..], bus.lines(self.sampled()));
        if let (Some(number), true) = (due, self.frontend.interrupts_exceptions()) {
            let trap = Trap::Interrupt { number, note: 0 };
            self.trap(trap, self.clock.cycles, None, ram, bus).map_err(|stop| *stop)?;
        }
        self.interrupts.left_behind(length, self.clock.cycles);
        self.look(bus);
        Ok(())
    }

    /// Bytes of what stands at `pc`.
    pub(super) fn length(&self, ram: &Ram, bus: &dyn Bus) -> Option<u8> {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        self.frontend.length(&code, self.pc)
    }

    /// The same where a trap comes from. It is kept for accesses that are not aligned, which are many.
    fn length_of(&mut self, trap: Trap, ram: &Ram, bus: &dyn Bus) -> u8 {
        if !matches!(trap, Trap::Unaligned { .. }) {
            return self.length(ram, bus).unwrap_or(0);
        }
        let key = (self.pc, self.mode);
        if let Some(&known) = self.exit_memo.lengths.get(&key) {
            return known;
        }
        let found = self.length(ram, bus);
        self.exit_memo.lengths.extend(found.map(|length| (key, length)));
        found.unwrap_or(0)
    }

    /// The target and mode of a block of one instruction, made for a trap.
    fn landed(&self, block: &Block, to: u64) -> (u64, u32) {
        let mode = self.frontend.mode(&self.cells[..]);
        match block.exit {
            Exit::Next { .. } => (to, block.onward),
            Exit::Indirect { .. } => self.frontend.land(to, mode),
            _ => (to, mode),
        }
    }

    /// Leaves the program at `pc` for its handler, from cycle `since` on, or with `exit_state` in that
    /// cycle; says whether it has one. Stops where nobody knows what the core does.
    pub(super) fn trap(
        &mut self,
        trap: Trap,
        since: u64,
        exit_state: Option<PipelineState>,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<bool, Box<Stop>> {
        if matches!(trap, Trap::Interrupt { .. }) {
            // What comes while the core enters its handler is taken with it.
            self.take_in(since + 1, bus);
        }
        let Some(handler_entry) = self.handler_entry(trap, exit_state, ram, bus) else {
            return Ok(false);
        };
        let HandlerEntry { block, cycles, miss, exit_state } = handler_entry;
        // A handler goes back to what it interrupted, but past what asked for it.
        let length = match trap {
            Trap::Interrupt { .. } => 0,
            _ => self.length_of(trap, ram, bus).into(),
        };
        let (from, began) = (self.pc, self.clock.cycles);
        let is_handler = block.transfer == Transfer::Call;
        if is_handler {
            self.sample_unaligned(None);
        }
        let of_rom = self.caches.data_of_rom;
        // Vectors are fetched as instructions are, past a cache of constants.
        let is_access = matches!(block.exit, Exit::Next { .. });
        let tags = self.caches.data_mut().filter(|_| is_access || !of_rom);
        let accesses = self.leakage.is_some().then(Vec::new);
        let mapped = Arc::clone(&self.mapped);
        let mut memory = Memory {
            ram: &mut *ram,
            bus: &mut *bus,
            mapped: &mapped,
            to_cells: vec![],
            tags,
            of_rom,
            misses: 0,
            code: false,
            refused: None,
            accesses,
        };
        let reached = evaluate(&block, &mut self.cells[..], &mut memory);
        let cycles = cycles.wrapping_add(memory.misses * miss);
        let (refused, accesses) = (memory.refused, memory.accesses);
        let (to_cells, is_code) = (memory.to_cells, memory.code);
        for (address, width, value) in to_cells {
            mapped.write(&mut self.cells[..], address, width, value);
        }
        if is_code {
            self.forget(ram);
        }
        if let Some(refused) = refused {
            return self.trap(refused, since, None, ram, bus);
        }
        let handler = match reached {
            Ok(Outcome::Goto(handler)) => handler,
            Ok(Outcome::Stop(kind)) => return Err(self.stopped(StopCause::Instruction(kind))),
            // Nobody knows how long a peripheral takes for such an access.
            Err(_) => {
                return Err(self.stopped(StopCause::Instruction(StopKind::Unmodelled)));
            }
        };
        if !is_handler {
            self.sample_unaligned(accesses);
        }
        self.clock.cycles = since.wrapping_add(cycles);
        (self.pipeline_state, self.next) = (exit_state, None);
        (self.pc, self.mode) = self.landed(&block, handler);
        self.find_space(ram);
        self.remember(true);
        if let Trap::Interrupt { number, .. } = trap {
            bus.took(number, since, self.clock.instructions);
        }
        bus.sees(&self.cells[..]);
        if let (true, Some(leakage)) = (is_handler, &mut self.leakage) {
            leakage.interrupt(from, from + length);
        }
        let (handler, cycles) = (self.pc, self.clock.cycles.wrapping_sub(began));
        match &mut self.contexts {
            None => self.cache.spend(from, cycles),
            Some(contexts) => {
                contexts.spend(from, cycles);
                if !matches!(block.exit, Exit::Next { .. }) {
                    contexts.interrupt(from, from + length, handler);
                }
            }
        }
        Ok(true)
    }

    /// The entry into a trap's handler; nothing if there is none.
    fn handler_entry(
        &mut self,
        trap: Trap,
        exit_state: Option<PipelineState>,
        ram: &Ram,
        bus: &dyn Bus,
    ) -> Option<HandlerEntry> {
        let number =
            if exit_state.is_none() { self.frontend.alike(trap, &self.cells[..]) } else { None };
        let key = number.map(|number| (self.pc, self.mode, self.pipeline_state, number));
        if let Some(known) = key.and_then(|key| self.exit_memo.handler_entries.get(&key)) {
            return Some(known.clone());
        }
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let code = UncheckedCode(code);
        let block = self.frontend.trap(trap, &code, self.pc, &self.cells[..], self.mode)?;
        let (cycles, miss, exit_state) = exit_state
            .map_or_else(|| self.takes(&block, ram, &code), |exit_state| (0, 0, exit_state));
        let handler_entry = HandlerEntry { block: Arc::new(block), cycles, miss, exit_state };
        // What leads to a handler reads more of the program's state.
        if let (Some(key), Exit::Next { .. }) = (key, &handler_entry.block.exit) {
            self.exit_memo.handler_entries.insert(key, handler_entry.clone());
        }
        Some(handler_entry)
    }

    /// Cycles of such a block, further ones for an absent line, and the pipeline state behind it.
    fn takes(
        &self,
        block: &Block,
        ram: &Ram,
        code: &UncheckedCode<'_>,
    ) -> (u64, u64, PipelineState) {
        let cost = self.timing.cost(block, code, ram.data_wait, self.pipeline_state);
        let cycles: u64 = cost.insns.iter().map(|insn| u64::from(insn.cycles)).sum();
        // An access that is made all the same began before it was found to be wrong.
        let first = cost.insns.first();
        let [sample, miss] = first.map_or([0; 2], |insn| [insn.sample, insn.miss]);
        (cycles.wrapping_sub(sample.into()), u64::from(miss), cost.exit_states[0])
    }
}
