//! Machine code for this host: Cranelift and executable memory, behind a narrow interface.
//!
//! This is the only crate that names Cranelift. Who compiles what is its users' business: they build
//! a function with [`clif::FunctionBuilder`] and get [`Code`]. Every function has memory of its own,
//! written once and then executable, never both, and given back when it is dropped. Straight-line
//! code on vectors, [`TernaryCode`], is written without Cranelift.

mod checksum;
mod code;
mod coherence;
mod compiler;
mod kernel;
mod relocatable;
mod store;
mod ternary;

pub use checksum::checksum;
pub use code::Code;
pub use compiler::{CompileError, Compiler, Convention, Effort, HostError, symbol_address};
pub use kernel::{
    Cell, Comparison, Indexed, Kernel, KernelBuilder, Label, LaneWidth, Lanes, VECTOR, Vectors,
    Word,
};
pub use relocatable::Relocatable;
pub use store::{Key, Store};
pub use ternary::{Ternary, TernaryCode, Vector};

/// The builder of a function.
pub mod clif {
    pub use cranelift_codegen::ir::condcodes::IntCC;
    pub use cranelift_codegen::ir::{
        AbiParam, AliasRegion, AliasRegionData, Block, BlockArg, InstBuilder, MemFlagsData, SigRef,
        Signature, Type, Value, types,
    };
    pub use cranelift_frontend::{FunctionBuilder, Switch, Variable};
}
