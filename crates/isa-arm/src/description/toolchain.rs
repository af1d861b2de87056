//! The compiler options.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// A core by name, in one encoding, without floating point: nobody switches its unit on.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "arm",
    builder: Builder::Llvm,
    places_memories: true,
    libgcc: false,
    nowhere: 0xffff_ffff,
    comment: "@",
    steady: &[],
    parenthesised: false,
    machine: "arm",
    gcc: "arm-none-eabi-gcc",
    probe: &[],
    encodings: &[
        Encoding { name: "arm", title: "A32", mode: 0 },
        Encoding { name: "thumb", title: "Thumb", mode: 1 },
    ],
    flags,
    target,
    title,
};

/// Nobody unwinds a stack, for which the ABI has tables.
const fn flags(kind: CompilerKind) -> &'static [&'static str] {
    match kind {
        CompilerKind::Gcc => &["-fno-pic"],
        CompilerKind::Zig | CompilerKind::Clang => {
            &["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
        }
    }
}

fn target(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    let (cpu, code) = (target.cpu.unwrap_or_default(), target.encoding);
    if compiler.kind == CompilerKind::Zig {
        let name = cpu.replace('-', "_");
        let chosen = format!("-mcpu={name}+soft_float");
        return vec!["-target".to_owned(), format!("{code}-freestanding-eabi"), chosen];
    }
    let words = [format!("-mcpu={cpu}"), format!("-m{code}"), "-mfloat-abi=soft".to_owned()];
    let machine =
        (compiler.kind == CompilerKind::Clang).then(|| "--target=arm-none-eabi".to_owned());
    machine.into_iter().chain(words).collect()
}

fn title(target: &Target<'_>) -> String {
    let encodings = TOOLCHAIN.encodings.iter();
    let named = encodings.into_iter().find(|encoding| encoding.name == target.encoding);
    named.map_or("ARM", |encoding| encoding.title).to_owned()
}
