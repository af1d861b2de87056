//! Entry from the run loop into compiled code, and return.

use cocrypt_codegen::clif::{InstBuilder, MemFlagsData, types::I64};
use cocrypt_codegen::{Code, CompileError, Compiler, Convention};

use crate::frame::{Frame, at};

/// Compiled once: calls a region as the host's functions are called.
#[derive(Debug)]
pub struct Gate(Code);

impl Gate {
    /// Compiles it.
    pub fn new(compiler: &mut Compiler) -> Result<Self, CompileError> {
        let region = compiler.signature(Convention::Tail, &[I64; 4], &[]);
        let signature = compiler.signature(Convention::Host, &[I64; 2], &[I64]);
        let code = compiler.compile(signature, |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let (frame, code) = (builder.block_params(block)[0], builder.block_params(block)[1]);
            let flags = MemFlagsData::trusted();
            let cycles = builder.ins().load(I64, flags, frame, at::CYCLES);
            let instructions = builder.ins().load(I64, flags, frame, at::INSTRUCTIONS);
            let entry = builder.ins().load(I64, flags, frame, at::ENTRY);
            let region = builder.import_signature(region);
            builder.ins().call_indirect(region, code, &[frame, cycles, instructions, entry]);
            let nothing = builder.ins().iconst(I64, 0);
            builder.ins().return_(&[nothing]);
        })?;
        Ok(Self(code))
    }

    /// Runs the region whose code is at this address until it, or one that it leads to, is left. The
    /// address must be one of a region of the machine from whose state the frame was made.
    pub fn run(&self, frame: &mut Frame, code: u64) {
        // SAFETY: the gate was compiled with this type, and the back end names only regions that it
        // holds, in heads, slots and targets alike. A region writes guest memory within its bounds,
        // cells, counts and lines by numbers that the engine gave, and its frame.
        let nothing = unsafe { self.0.call(&raw mut *frame as u64, code) };
        debug_assert_eq!(nothing, 0);
    }
}
