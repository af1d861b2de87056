//! Entry from the run loop into compiled code, and return; calls of the host's functions from there.

use cocrypt_codegen::clif::{InstBuilder, MemFlagsData, Signature, types::I64};
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

/// Compiled once: calls the host's function that the frame names, and leaves all registers as they were, so that a
/// rare call between frequent instructions takes no register from them.
#[derive(Debug)]
pub struct Bridge(Code);

impl Bridge {
    /// Compiles it, for functions of this type.
    pub fn new(compiler: &mut Compiler, called: &Signature) -> Result<Self, CompileError> {
        let code = compiler.compile(Self::signature(compiler), |builder| {
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            let frame = builder.block_params(block)[0];
            let flags = MemFlagsData::trusted();
            let mut asked = |at: i32| builder.ins().load(I64, flags, frame, at);
            let function = asked(at::ASKED_FUNCTION);
            let [address, cycles, pipeline_state] =
                [at::ASKED_ADDRESS, at::ASKED_CYCLES, at::ASKED_STATE].map(asked);
            let called = builder.import_signature(called.clone());
            let arguments = [frame, address, cycles, pipeline_state];
            let call = builder.ins().call_indirect(called, function, &arguments);
            let missed = builder.inst_results(call)[0];
            builder.ins().store(flags, missed, frame, at::MISSED);
            builder.ins().return_(&[]);
        })?;
        Ok(Self(code))
    }

    /// Its type: of the frame.
    pub fn signature(compiler: &Compiler) -> Signature {
        compiler.signature(Convention::Preserving, &[I64], &[])
    }

    /// Its address.
    pub fn address(&self) -> u64 {
        self.0.address()
    }
}
