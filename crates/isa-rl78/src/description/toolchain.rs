//! The compiler options.
//!
//! Source: GCC, `config/rl78/rl78.opt`.

use cocrypt_isa::{Compiler, CompilerKind, Encoding, Target, Toolchain};

/// A core of the GNU tools by the name of a device that has it; LLVM has no RL78.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "rl78",
    places_memories: true,
    libgcc: true,
    nowhere: 0x7fff_ffff,
    comment: ";",
    steady: &[],
    parenthesised: true,
    machine: "rl78",
    gcc: "rl78-elf-gcc",
    probe: &[],
    encodings: &[Encoding { name: "rl78", title: "RL78", mode: 0 }],
    flags,
    target,
    title,
};

const fn flags(_kind: CompilerKind) -> &'static [&'static str] {
    &[]
}

/// The device, for compilers and assemblers.
fn target(target: &Target<'_>, _compiler: Compiler) -> Vec<String> {
    vec![format!("-mcpu={}", cpu(target))]
}

fn cpu<'a>(target: &Target<'a>) -> &'a str {
    target.cpu.unwrap_or("g13")
}

fn title(target: &Target<'_>) -> String {
    cpu(target).to_owned()
}
