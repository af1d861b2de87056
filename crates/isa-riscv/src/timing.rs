//! The timing of RISC-V cores: how a core's class table becomes the cost of a block.

mod picorv32;

pub use picorv32::{PicoRv32, UnknownRule};
