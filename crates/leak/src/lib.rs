//! Side-channel analysis: trace sets, and statistics over them that read a set chunk by chunk.

mod attack;
mod error;
mod kernel;
pub mod npy;
mod sample;
mod set;
mod stream;
mod welch;
mod writer;

pub use attack::{Outcome, Statistic, Target, Term, attack, explained};
pub use cocrypt_config::{Column, Dtype, TraceSet as Description};
pub use error::Error;
pub use set::{Chunk, TraceSet};
pub use stream::Part;
pub use welch::{ORDERS, Welch, welch};
pub use writer::Writer;
