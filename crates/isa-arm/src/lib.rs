//! ARM: A32 of ARMv4, ARMv4T and ARMv5TE, Thumb, and Thumb-2 of ARMv6-M, ARMv7-M and ARMv7E-M.
//!
//! Sources: "ARM Architecture Reference Manual" (DDI 0100I) for ARMv4 to ARMv5TE, "ARMv6-M Architecture
//! Reference Manual" (DDI 0419), "ARMv7-M Architecture Reference Manual" (DDI 0403). A table for each
//! instruction set has its encodings as [`encoding`] draws them, and [`mod@computation`] one row for each
//! instruction that only computes. All give one form, [`instruction::Instruction`]; disassembler, lifting
//! and timing read that form and nothing else.

pub mod architecture;
pub mod cells;
pub mod class;
pub mod computation;
pub mod decode;
mod description;
pub mod disasm;
pub mod encoding;
pub mod instruction;
pub mod lift;
mod mmu;
mod mode;
pub mod operand;
mod private;
pub mod state;
pub mod timing;

pub use description::ARM;
