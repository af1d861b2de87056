//! RISC-V: RV32I with M, C, the counter instructions, bit manipulation and scalar cryptography;
//! exceptions and interrupts by the privileged architecture, and PicoRV32's own.
//!
//! Source: "The RISC-V Instruction Set Manual, Volume I: Unprivileged ISA", 20191213, chapters 2, 7,
//! 10, 16 and 24; "RISC-V Bit-Manipulation ISA-extensions", 1.0.0; "RISC-V Cryptography Extensions
//! Volume I", 1.0.1. The [`table`] is the one list of instructions; decoder, disassembler, lifting and
//! timing classes all read it.

mod compressed;
mod decode;
mod description;
mod disasm;
mod irq;
mod lift;
mod privileged;
pub mod table;
mod timing;
mod unaligned;

pub use decode::{Decoded, decode};
pub use description::RISC_V;
pub use disasm::disassemble;
pub use irq::Irq;
pub use lift::Rv32;
pub use privileged::{Absent, CELLS, Csr, CsrStorage, Exception, Privileged, Unaligned};
pub use timing::{Ibex, PicoRv32, Serv, UnknownRule, Variant, VexRiscv};
