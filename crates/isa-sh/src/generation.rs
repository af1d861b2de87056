//! The generation of a core, where the instructions that it has do not say what these do.

/// A generation, of which SH-1 is the second with fewer instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// SH-1 and SH-2: one bank of registers, no user mode, exceptions with a frame on the stack.
    Sh2,
    /// SH-3: two banks, user mode, exceptions that save PC and SR in registers.
    Sh3,
    /// SH3-DSP: as SH-3, with the bits of the DSP in the status register.
    Sh3Dsp,
    /// SH-4: as SH-3, but that an instruction which counts from the program counter is illegal in a delay slot.
    Sh4,
}
