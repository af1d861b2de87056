//! The engine: lifts code block by block, translates each block once, and runs it.
//!
//! It knows neither instruction set nor device: the first comes in as a [`cocrypt_isa::Frontend`]
//! with its [`cocrypt_isa::TimingModel`], the second as a [`Bus`] behind a directly mapped [`Ram`].

mod access;
mod backend;
mod bus;
mod cache;
mod caches;
mod context_transition;
mod contexts;
mod fuse;
mod interpret;
mod lanes;
mod leakage;
mod mapped;
mod micro;
mod ram;
mod run;
mod source;
mod stop;
mod translate;
mod translation;
mod turns;

pub use access::{Outside, Refusal};
pub use backend::{Backend, BlockName, Blocks, Fixed, FixedRom, KnownBlock, RegionExit, State};
pub use bus::{Access, Bus, Reply};
pub use cache::{BlockProfile, Count, ObservedMemory};
pub use caches::{CacheState, LruTags, ResidentMap, Tags, lines_of, memory_of};
pub use context_transition::{ContextTransition, Jump};
pub use contexts::{Callee, ContextProfile, Contexts, Head, Open, Spent};
pub use interpret::{Cells, Clock};
pub use lanes::{Contribution, LANES, Lanes};
pub use leakage::{
    Coefficients, KindModel, Leakage, LeakageModel, MemoryAccess, Observation, SCALE, Weights,
};
pub use ram::{Ram, Rom};
pub use run::{Engine, Together, Touch, Upcoming};
pub use source::Source;
pub use stop::{Issue, Stop, StopCause};
pub use translate::marks_stack;
pub use translation::Translation;
