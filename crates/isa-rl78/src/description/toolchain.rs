//! The compiler options.
//!
//! Source: GCC, `config/rl78/rl78.opt`.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// A core of the GNU tools by the name of a device that has it; LLVM has no RL78.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "rl78",
    builder: Builder::Gnu,
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

/// The device. GCC uses the multiplier and divider unit of a G13 unless it is told otherwise; the analysis of secrets
/// follows values through memory alone.
fn target(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    let cpu = cpu(target);
    let is_alone = compiler.kind == CompilerKind::Gcc && cpu == "g13";
    let multiply = is_alone.then(|| "-mmul=g10".to_owned());
    [format!("-mcpu={cpu}")].into_iter().chain(multiply).collect()
}

fn cpu<'a>(target: &Target<'a>) -> &'a str {
    target.cpu.unwrap_or("g13")
}

fn title(target: &Target<'_>) -> String {
    cpu(target).to_owned()
}
