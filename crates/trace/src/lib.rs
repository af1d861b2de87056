//! Sinks: what a run spent where, and what its signals did, in the formats that other tools read.
//!
//! Nothing here knows who produces it, and nothing touches the host: every format is a text, or is
//! written to what the caller gives.

mod callgrind;
mod folded;
mod profile;
mod speedscope;
mod waves;

pub use callgrind::callgrind;
pub use folded::folded;
pub use profile::{
    Context, FunctionRow, InstructionRow, LineRow, Names, Node, Profile, SourceLocation, Spent,
};
pub use speedscope::speedscope;
pub use waves::{File, Format, Signal, Waves};
