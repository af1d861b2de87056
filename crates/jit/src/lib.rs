//! The engine's compiled back end: regions of hot blocks become functions of this host.
//!
//! A region is a piece of the guest's control flow: loops, their inner loops, and the functions that
//! they call. Within it guest registers live in values of the compiler, the cycles
//! of a block are one addition, and jumps go straight to their targets. Regions jump to one another
//! through slots that are filled once the exit was taken; the run loop is entered only for what is not
//! compiled, for events, and for stops. Compilation happens on a thread of its own while the
//! interpreter goes on, so that nobody waits for it.
//!
//! The semantics of an operation comes from `ir`, its cost from the timing model; both come in with the
//! blocks. `frame` and `enter` hold the crate's unsafe code.

mod backend;
mod bounds;
mod cells;
mod choice;
mod deferred;
mod emit;
mod enter;
mod frame;
mod homes;
mod pool;
mod proof;
mod recipe;
mod record;
mod region;
mod words;
mod worker;

pub use backend::{Jit, Keeping, Options};
pub use choice::Sharing;
pub use cocrypt_codegen::{Key, Store};
