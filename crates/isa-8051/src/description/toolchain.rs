//! The compiler options.
//!
//! Neither LLVM nor GCC has an MCS-51: programs come from SDCC, which links them by itself, and the runtime has
//! no part for it.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// Marks for messages; there is no compiler of these kinds.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "8051",
    builder: Builder::Gnu,
    places_memories: true,
    libgcc: false,
    nowhere: 0x7fff_ffff,
    comment: ";",
    steady: &[],
    parenthesised: false,
    machine: "mcs51",
    gcc: "sdcc",
    probe: &[],
    encodings: &[Encoding { name: "mcs51", title: "MCS-51", mode: 0 }],
    flags,
    target,
    title,
};

const fn flags(_kind: CompilerKind) -> &'static [&'static str] {
    &[]
}

fn target(_target: &Target<'_>, _compiler: Compiler) -> Vec<String> {
    vec!["-mmcs51".to_owned()]
}

fn title(_target: &Target<'_>) -> String {
    "mcs51".to_owned()
}
