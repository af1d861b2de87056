//! The cause and the place of a run's end.

use cocrypt_ir::StopKind;
use cocrypt_isa::{LiftError, Purpose};

/// The cause of a stop, with the cycle in which the core shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// The program wrote to the exit device.
    Exit {
        /// The exit code.
        code: u32,
        /// Cycle in which the write was answered.
        cycle: u64,
    },
    /// An access that nobody answers.
    BusFault {
        /// The address.
        address: u32,
        /// Cycle in which the request stood on the bus.
        cycle: u64,
    },
    /// An access at an address that its width does not allow.
    Unaligned {
        /// The address.
        address: u32,
        /// Cycle in which the request stood on the bus, or would have.
        cycle: u64,
        /// True if it is a store.
        writes: bool,
    },
    /// An access to which the program has no right, or that leads nowhere.
    Refused {
        /// The address.
        address: u32,
        /// Its purpose.
        purpose: Purpose,
        /// The core's fault status.
        status: u32,
        /// Cycle in which the request would have stood on the bus.
        cycle: u64,
    },
    /// A jump to an address that no instruction can start at.
    UnalignedJump {
        /// The address.
        address: u32,
    },
    /// A jump to where there is no memory.
    FetchFault {
        /// The address.
        address: u32,
    },
    /// The core met an instruction that stops it.
    Instruction(StopKind),
    /// The cycle limit was reached.
    CycleLimit,
    /// An empty endless loop, or a wait that nothing ends: nothing can ever happen again.
    Deadlock,
    /// A debugger halted it.
    Halted,
    /// Something on the bus holds the core until the host lets it go on.
    Held,
}

/// The place and cause of a run's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The reason.
    pub cause: StopCause,
    /// Address of the instruction at which it ended.
    pub pc: u64,
    /// Clock cycles from the release of reset, the one in which the machine stopped included.
    pub cycles: u64,
    /// Instructions issued.
    pub instructions: u64,
}

/// One issued instruction of a traced run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Cycle of the issue.
    pub cycle: u64,
    /// Address of the instruction.
    pub pc: u64,
}

/// The number of cycles that have passed when the machine shows that it stopped.
pub fn shown(cause: StopCause) -> Option<u64> {
    match cause {
        StopCause::Exit { cycle, .. }
        | StopCause::BusFault { cycle, .. }
        | StopCause::Refused { cycle, .. } => Some(cycle + 1),
        // The core's `trap` output rises one cycle after the request.
        StopCause::Unaligned { cycle, .. } => Some(cycle + 2),
        _ => None,
    }
}

/// The cause of a stop where no instruction can be fetched.
pub fn lift_cause(error: LiftError) -> StopCause {
    match error {
        LiftError::Unmapped { address } => StopCause::FetchFault { address: address as u32 },
        LiftError::Unaligned { address } => StopCause::UnalignedJump { address: address as u32 },
    }
}
