//! Accesses that the directly mapped memory does not simply take.

use cocrypt_ir::{StopKind, Width};
use cocrypt_isa::{PipelineState, Purpose};

use crate::bus::{Access, Bus, Reply};
use crate::mapped::Mapped;
use crate::ram::Ram;
use crate::stop::StopCause;

/// The reasons for which an access does not go on to the next operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The machine stops.
    Stop(StopCause),
    /// Code was translated from where the write goes; it was not made yet.
    CodeWritten {
        /// The address.
        address: u32,
        /// Bytes to write.
        width: Width,
        /// Their new values.
        value: u64,
    },
    /// The access goes to guest state, which the interpreter alone reaches; it was not made.
    Mapped,
    /// The write was made, after `more` cycles than predicted, and interrupt lines may have changed.
    Changed {
        /// Further cycles.
        more: i64,
    },
    /// A cache lacked a line, and the core's pipeline holds something else now than predicted. The
    /// instruction was not begun; the line is there by now.
    Missed {
        /// Cycles from the instruction's issue to its re-issue.
        cycles: i32,
        /// The pipeline state then.
        pipeline_state: PipelineState,
    },
}

/// Everything that an access can reach.
pub struct Outside<'a> {
    /// The directly mapped memory.
    pub ram: &'a mut Ram,
    /// Everything else.
    pub bus: &'a mut dyn Bus,
    /// The guest state that is memory too.
    pub mapped: &'a Mapped,
}

impl Outside<'_> {
    /// Reads; the value, and how many cycles more it took than a block's cost assumes.
    ///
    /// # Errors
    /// If the machine stops there.
    pub fn read(&mut self, access: &Access) -> Result<(u64, i64), Refusal> {
        aligned(access, false)?;
        let access = self.led(access, Purpose::Read)?;
        self.answered(&access)
    }

    /// The value read at a physical address.
    fn answered(&mut self, access: &Access) -> Result<(u64, i64), Refusal> {
        if let Some(value) = self.ram.value(access.address, access.width) {
            return Ok((value, self.ram.rom_more(access.address).unwrap_or(0)));
        }
        if self.mapped.holds(access.address, access.width) {
            return Err(Refusal::Mapped);
        }
        match self.bus.read(access) {
            Reply::Done { value, wait } => Ok((value, self.more(wait))),
            Reply::Changed { wait } => Ok((0, self.more(wait))),
            Reply::Exit { code, wait } => Err(exit(access, code, wait)),
            Reply::Never => Err(NEVER),
            Reply::Copy { .. } | Reply::Refused => Err(refused(access)),
            Reply::Unmodelled => Err(UNMODELLED),
        }
    }

    /// Writes the low bits of `value`; how many cycles more it took than a block's cost assumes.
    ///
    /// # Errors
    /// If the machine stops there, or the write goes to translated code.
    pub fn write(&mut self, access: &Access, value: u64) -> Result<i64, Refusal> {
        self.write_for(access, value, true)
    }

    /// The same; only the core can make a controller copy, and only its addresses are translated.
    fn write_for(&mut self, access: &Access, value: u64, core: bool) -> Result<i64, Refusal> {
        aligned(access, true)?;
        let guest_address = access.address;
        let access = &if core { self.led(access, Purpose::Write)? } else { *access };
        let Access { address, width, .. } = *access;
        if self.ram.holds(address) && self.ram.is_code(address, width.bytes()) {
            return Err(Refusal::CodeWritten { address: guest_address, width, value });
        }
        if self.ram.set(address, width, value) {
            return Ok(0);
        }
        if self.mapped.holds(address, width) {
            return Err(if core { Refusal::Mapped } else { refused(access) });
        }
        match self.bus.write(access, width.truncate(value)) {
            Reply::Done { wait, .. } => Ok(self.more(wait)),
            Reply::Changed { wait } => Err(Refusal::Changed { more: self.more(wait) }),
            Reply::Exit { code, wait } => Err(exit(access, code, wait)),
            Reply::Copy { source, target, words, wait } if core => {
                let begins = access.unwaited + u64::from(wait);
                let ends = self.copy(access, (source, target), words, begins)?;
                let waited = (ends - access.unwaited) as i64;
                Err(Refusal::Changed { more: waited - i64::from(self.ram.data_wait) })
            }
            Reply::Never => Err(NEVER),
            Reply::Copy { .. } | Reply::Refused => Err(refused(access)),
            Reply::Unmodelled => Err(UNMODELLED),
        }
    }

    /// An access as memory sees it, where addresses are translated.
    fn led(&mut self, access: &Access, purpose: Purpose) -> Result<Access, Refusal> {
        let Access { address, unwaited: cycle, .. } = *access;
        match self.ram.reach(address, purpose) {
            Ok(address) => Ok(Access { address, ..*access }),
            Err(status) => {
                Err(Refusal::Stop(StopCause::Refused { address, purpose, status, cycle }))
            }
        }
    }

    /// Copies words one by one, each read and then written, as a controller on the bus does that has it
    /// for itself: a request in the cycle behind the answer before. The cycle of the last answer.
    fn copy(
        &mut self,
        access: &Access,
        (source, target): (u32, u32),
        words: u32,
        begins: u64,
    ) -> Result<u64, Refusal> {
        let mut answered = begins;
        for word in 0..words {
            let at = |first: u32, unwaited| Access {
                address: first.wrapping_add(4 * word),
                width: Width::W32,
                unwaited,
                pc: access.pc,
                issued: access.issued,
            };
            let from = at(source, answered + 1);
            aligned(&from, false)?;
            let (value, more) = self.answered(&from).map_err(|why| match why {
                // Guest state is no memory to anybody but the core.
                Refusal::Mapped => refused(&from),
                other => other,
            })?;
            answered = self.answer(&from, more);
            let to = at(target, answered + 1);
            let more = match self.write_for(&to, value, false) {
                Ok(more) | Err(Refusal::Changed { more }) => more,
                // What was translated cannot be written by anybody but the core.
                Err(Refusal::CodeWritten { .. }) => return Err(refused(&to)),
                Err(other) => return Err(other),
            };
            answered = self.answer(&to, more);
        }
        Ok(answered)
    }

    /// The cycle in which an access is answered that takes so many cycles more than the memory.
    fn answer(&self, access: &Access, more: i64) -> u64 {
        let wait = more + i64::from(self.ram.data_wait);
        access.unwaited + wait as u64
    }

    /// A block's cost assumes the directly mapped memory's wait.
    fn more(&self, wait: u32) -> i64 {
        i64::from(wait) - i64::from(self.ram.data_wait)
    }
}

fn aligned(access: &Access, writes: bool) -> Result<(), Refusal> {
    if access.address & (access.width.bytes() - 1) == 0 {
        return Ok(());
    }
    let Access { address, unwaited: cycle, .. } = *access;
    Err(Refusal::Stop(StopCause::Unaligned { address, cycle, writes }))
}

fn exit(access: &Access, code: u32, wait: u32) -> Refusal {
    let cycle = access.unwaited + u64::from(wait);
    Refusal::Stop(StopCause::Exit { code, cycle })
}

/// The machine does something that its model does not know.
const UNMODELLED: Refusal = Refusal::Stop(StopCause::Instruction(StopKind::Unmodelled));

/// The core waits for good.
const NEVER: Refusal = Refusal::Stop(StopCause::Deadlock);

fn refused(access: &Access) -> Refusal {
    let Access { address, unwaited: cycle, .. } = *access;
    Refusal::Stop(StopCause::BusFault { address, cycle })
}
