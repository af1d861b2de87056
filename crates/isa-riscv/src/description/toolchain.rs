//! The compiler options.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// RV32I with extensions, by ILP32.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "riscv32",
    builder: Builder::Llvm,
    places_memories: false,
    libgcc: false,
    nowhere: 0xffff_ffff,
    comment: "#",
    steady: &[("call", "jal ra,"), ("tail", "j")],
    parenthesised: false,
    machine: "riscv",
    gcc: "riscv64-unknown-elf-gcc",
    // The RV32I of the manual is without the instructions of Zicsr and Zifencei since 2019.
    probe: &["--target=riscv32", "-march=rv32i_zicsr"],
    encodings: &[Encoding { name: "riscv", title: "RISC-V", mode: 0 }],
    flags,
    target,
    title,
};

/// Nothing near gp: the start-up code leaves it alone.
const fn flags(kind: CompilerKind) -> &'static [&'static str] {
    match kind {
        CompilerKind::Gcc => &["-fno-pic", "-msmall-data-limit=0"],
        CompilerKind::Zig | CompilerKind::Clang => &[],
    }
}

fn target(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    let known = known(target.extensions);
    match compiler.kind {
        CompilerKind::Zig => zig(known),
        CompilerKind::Clang => words([
            "--target=riscv32-unknown-elf",
            &architecture(&known, compiler.is_recent),
            "-mabi=ilp32",
            "-mrelax",
        ]),
        CompilerKind::Gcc => words([&architecture(&known, compiler.is_recent), "-mabi=ilp32"]),
    }
}

/// The extensions, each once. No compiler has heard of a core's own instructions, which begin with an x.
fn known(extensions: &[String]) -> Vec<&str> {
    let mut known: Vec<&str> = vec![];
    for extension in extensions.iter().filter(|extension| !extension.starts_with('x')) {
        if !known.contains(&extension.as_str()) {
            known.push(extension);
        }
    }
    known
}

/// M comes before C, and both behind the others.
fn zig(mut known: Vec<&str>) -> Vec<String> {
    known.sort_by_key(|extension| "mc".find(extension).map_or(-1, |place| place as i32));
    let letters: String = known.iter().flat_map(|extension| ["+", extension]).collect();
    words(["-target", "riscv32-freestanding", &format!("-mcpu=generic_rv32{letters}+relax")])
}

fn architecture(known: &[&str], splits_csr: bool) -> String {
    let letters = letters(known, "mc");
    let always: &[&str] = if splits_csr { &["zicsr", "zifencei"] } else { &[] };
    let named = known.iter().filter(|extension| extension.len() > 1);
    let mut longer: Vec<&str> = always.iter().chain(named).copied().collect();
    longer.sort_unstable();
    longer.dedup();
    let first = format!("-march=rv32i{letters}");
    [first.as_str()].into_iter().chain(longer).collect::<Vec<_>>().join("_")
}

/// Those extensions of one letter that are there, in this order.
fn letters(known: &[&str], order: &str) -> String {
    order.chars().filter(|extension| known.contains(&extension.to_string().as_str())).collect()
}

fn title(target: &Target<'_>) -> String {
    let known: Vec<&str> = target.extensions.iter().map(String::as_str).collect();
    format!("RV32I{}", letters(&known, "mac").to_uppercase())
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}
