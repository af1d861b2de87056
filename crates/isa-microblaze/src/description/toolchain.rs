//! The compiler options.
//!
//! Source: GCC, `config/microblaze/microblaze.opt`.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// With the highest byte of a word first.
pub const BIG: Toolchain = Toolchain { target: big, ..COMMON };
/// With the lowest byte first.
pub const LITTLE: Toolchain = Toolchain {
    encodings: &[Encoding { name: "microblazeel", title: "little-endian MicroBlaze", mode: 0 }],
    target: little,
    ..COMMON
};

const COMMON: Toolchain = Toolchain {
    runtime: "microblaze",
    builder: Builder::Gnu,
    places_memories: false,
    libgcc: true,
    nowhere: 0xffff_ffff,
    comment: "#",
    steady: &[],
    parenthesised: false,
    machine: "microblaze",
    gcc: "microblaze-elf-gcc",
    probe: &[],
    encodings: &[Encoding { name: "microblaze", title: "MicroBlaze", mode: 0 }],
    flags: |_| &[],
    target: big,
    title: |_| "MicroBlaze".to_owned(),
};

/// The extensions of which the compiler asks nothing, and its options with and without each of the others.
const OPTIONS: [(&str, &str, &str); 6] = [
    ("mul", "-mno-xl-soft-mul", "-mxl-soft-mul"),
    ("mul64", "-mxl-multiply-high", "-mno-xl-multiply-high"),
    ("div", "-mno-xl-soft-div", "-mxl-soft-div"),
    ("barrel", "-mxl-barrel-shift", "-mno-xl-barrel-shift"),
    ("pcmp", "-mxl-pattern-compare", "-mno-xl-pattern-compare"),
    ("reorder", "-mxl-reorder", "-mno-xl-reorder"),
];

fn big(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    options(target, compiler, "-mbig-endian")
}

fn little(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    options(target, compiler, "-mlittle-endian")
}

/// Only GCC compiles for MicroBlaze.
fn options(target: &Target<'_>, compiler: Compiler, order: &str) -> Vec<String> {
    let has = |name: &str| target.extensions.iter().any(|extension| extension == name);
    let option =
        |&(name, on, off): &(&str, &str, &str)| if has(name) { on } else { off }.to_owned();
    match compiler.kind {
        CompilerKind::Gcc => {
            let of_extensions = OPTIONS.iter().map(option);
            of_extensions.chain([order, "-mcpu=v9.60.a"].map(str::to_owned)).collect()
        }
        CompilerKind::Zig | CompilerKind::Clang => vec!["--target=microblaze-none-elf".to_owned()],
    }
}
