//! Side-channel analysis: trace sets, and statistics over them that read a set chunk by chunk.

mod error;
pub mod npy;
mod set;
mod writer;

pub use cocrypt_config::{Column, Dtype, TraceSet as Description};
pub use error::Error;
pub use set::{Chunk, TraceSet};
pub use writer::Writer;
