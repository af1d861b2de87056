//! The compiler options.
//!
//! Source: GCC, `config/sh/sh.opt`.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// With the highest byte of a word first.
pub const BIG: Toolchain = Toolchain { target: big, ..COMMON };
/// With the lowest byte first.
pub const LITTLE: Toolchain = Toolchain {
    encodings: &[Encoding { name: "superhel", title: "little-endian SuperH", mode: 0 }],
    target: little,
    ..COMMON
};

const COMMON: Toolchain = Toolchain {
    builder: Builder::Gnu,
    runtime: "superh",
    places_memories: true,
    libgcc: false,
    nowhere: 0xffff_fffe,
    comment: "!",
    steady: &[],
    parenthesised: false,
    machine: "sh-elf",
    gcc: "sh-elf-gcc",
    probe: &[],
    encodings: &[Encoding { name: "superh", title: "SuperH", mode: 0 }],
    // Names of C are the same in object files, as those of GCC for Linux.
    flags: |_| &["-fno-leading-underscore"],
    target: big,
    title: |_| "SuperH".to_owned(),
};

fn big(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    options(target, compiler, "-mb")
}

fn little(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    options(target, compiler, "-ml")
}

/// Only GCC compiles for SuperH. Of the integer instructions of SH-4 it uses those of SH-3 alone.
fn options(target: &Target<'_>, compiler: Compiler, order: &str) -> Vec<String> {
    let has = |name: &str| target.extensions.iter().any(|extension| extension == name);
    let cpu = match (has("sh3"), has("sh2")) {
        (true, _) => "-m3",
        (_, true) => "-m2",
        _ => "-m1",
    };
    match compiler.kind {
        CompilerKind::Gcc => [cpu, order].map(str::to_owned).to_vec(),
        CompilerKind::Zig | CompilerKind::Clang => vec!["--target=sh-none-elf".to_owned()],
    }
}
