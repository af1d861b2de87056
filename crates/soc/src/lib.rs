//! The machine: a core with memories, bus, peripherals and coprocessors, made from a device.
//!
//! Peripherals are advanced lazily, when the core looks at them; what they then show is what they
//! would show had they run all along.

mod bridge;
mod bus;
mod cached;
mod chip;
mod coprocessor;
mod core;
mod debugger;
mod fifos;
mod guest;
mod leakage;
mod link;
mod machine;
mod multiplier;
mod network;
mod peripheral;
mod polls;
mod secrets;
mod semihosting;
mod stub;
mod timer;
mod trial;
mod visits;
mod watch;
mod window;

pub use cocrypt_engine::{
    ContextProfile, Issue, LeakageModel, Spent, Stop, StopCause, Touch, Upcoming,
};
pub use cocrypt_ir::StopKind;
pub use cocrypt_isa::{
    ByteOrder, CoreError, InstructionKind, InstructionSet, Register, RegisterFile,
    Role as RegisterRole,
};
pub use cocrypt_jit::{Keeping, Key, Options, Store};
pub use coprocessor::{Access, AttachError, Coprocessor, Fsmd, Hardware, Polling, Transfers};
pub use debugger::{Debugger, Halt, Watch};
pub use fifos::Fifos;
pub use guest::{GuestCode, GuestInstruction, GuestMethod, GuestSpent};
pub use leakage::{Contents, Outcome, Sample, Sampled, Sampler, leakage_model, sample_value};
pub use link::{Packet, Sent};
pub use machine::{BuildError, Fault, LoadError, Machine, PollProfile, RegionProfile};
pub use network::{Member, Network, Outside, Reach, Shared};
pub use polls::{LONGEST_TURN, Turns, Unclear};
pub use secrets::{Followed, Pursuit};
pub use semihosting::{Errno, File, Files, Mode, Offers, name as call_name};
pub use stub::Stub;
pub use trial::{Trial, Tried};
pub use visits::{Visit, Visits};
pub use watch::{RunEvent, Transfer};
