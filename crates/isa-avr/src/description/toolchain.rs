//! The compiler options.
//!
//! Source: GCC, `config/avr/avr-arch.h` and `avr-devices.c`; LLVM, `AVRDevices.td`.

use cocrypt_isa::{Builder, Compiler, CompilerKind, Encoding, Target, Toolchain};

/// An architecture of the GNU tools by name, which LLVM has too.
pub const TOOLCHAIN: Toolchain = Toolchain {
    runtime: "avr",
    builder: Builder::Llvm,
    places_memories: true,
    libgcc: true,
    nowhere: 0x7fff_ffff,
    comment: ";",
    steady: &[],
    // For others LLVM writes relocations that LLD does not know.
    parenthesised: true,
    machine: "avr",
    gcc: "avr-gcc",
    probe: &[],
    encodings: &[Encoding { name: "avr", title: "AVR", mode: 0 }],
    flags,
    target,
    title,
};

/// A GCC of those days writes its debug information as stabs unless it is told otherwise, which nobody
/// reads.
const fn flags(kind: CompilerKind) -> &'static [&'static str] {
    match kind {
        CompilerKind::Gcc => &["-gdwarf-4"],
        CompilerKind::Zig | CompilerKind::Clang => &[],
    }
}

fn target(target: &Target<'_>, compiler: Compiler) -> Vec<String> {
    let cpu = architecture(target);
    match compiler.kind {
        // LLD does not relax, and does not know the relocations that are there for that.
        CompilerKind::Gcc => vec![format!("-mmcu={cpu}"), "-Wa,-mno-link-relax".to_owned()],
        CompilerKind::Clang => vec!["--target=avr-none-elf".to_owned(), format!("-mmcu={cpu}")],
        CompilerKind::Zig => {
            let place = ["-target", "avr-freestanding-eabi"].map(str::to_owned);
            place.into_iter().chain([format!("-mcpu={cpu}")]).collect()
        }
    }
}

/// The architecture of a core: that of its file, or of a larger one of its family where its flash memory
/// has more than 64 KiB (`elpm`) or the program counter more than 16 bits (`eijmp`).
fn architecture<'a>(target: &Target<'a>) -> &'a str {
    let has = |name: &str| target.extensions.iter().any(|extension| extension == name);
    match (target.cpu.unwrap_or("avr2"), has("eijmp"), has("elpm")) {
        ("avr5", true, _) => "avr6",
        ("avr5", _, true) => "avr51",
        ("avrxmega2", true, _) => "avrxmega6",
        ("avrxmega2" | "avrxmega3", _, true) => "avrxmega4",
        (cpu, ..) => cpu,
    }
}

fn title(target: &Target<'_>) -> String {
    architecture(target).to_owned()
}
