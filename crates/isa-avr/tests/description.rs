//! The description: jumps that replace functions, and what compilers are told.

use cocrypt_isa::{CodePointer, Compiler, CompilerKind, Target};
use cocrypt_isa_avr::{AVR, Features, Variant, decode, disassemble};

/// The form of a jump, on a core with so many bytes of flash memory.
fn text(variant: &str, flash: u32, from: u32, to: u32) -> (String, usize) {
    let [from, to] = [from, to].map(|address| CodePointer { address, mode: 0 });
    let jump = (AVR.jump)(variant, from, to, flash.into());
    let word = |at: usize| u16::from_le_bytes([jump.code[at], jump.code[at + 1]]);
    let second = if jump.code.len() == 4 { word(2) } else { 0 };
    let core = Features::new(Variant::named(variant).expect("a variant"), flash / 2);
    let decoded = decode(&core, word(0), second).expect("an instruction");
    (disassemble(&decoded, from.address.into()), jump.code.len())
}

#[test]
fn jumps_lead_where_they_should() {
    let long = |text: &str| (text.to_owned(), 4);
    assert_eq!(text("avre+", 1 << 23, 0x100, 0x7e_2468), long("jmp 0x7e2468 ; 0x7e2468"));
    assert_eq!(text("avrxt", 1 << 18, 0x100, 0x2_0002), long("jmp 0x20002 ; 0x20002"));
    assert_eq!(text("avre", 1 << 14, 0x100, 0x1800), long("jmp 0x1800 ; 0x1800"));
    let short = |text: &str| (text.to_owned(), 2);
    assert_eq!(text("avre", 1 << 13, 0x100, 0x180), short("rjmp .+126 ; 0x180"));
    assert_eq!(text("avrrc", 1 << 10, 0x180, 0x100), short("rjmp .-130 ; 0x100"));
}

/// Cores with 8 KiB lack `jmp`: farther than `rjmp` reaches, it goes the other way round.
#[test]
fn jumps_go_round_where_flash_memory_is_small() {
    for variant in ["avre", "avre+"] {
        let (text, bytes) = text(variant, 1 << 13, 0x10, 0x1ff0);
        // As the GNU tools have it, what is said of the target is not cut to the program counter's bits:
        // 0xfffffff0 is 0x1ff0 of 8 KiB.
        assert_eq!((text.as_str(), bytes), ("rjmp .-34 ; 0xfffffff0", 2));
    }
}

#[test]
fn compilers_are_told_the_architecture() {
    let told = |cpu, extensions: &[&str], kind| {
        let extensions: Vec<String> =
            extensions.iter().map(|&extension| extension.to_owned()).collect();
        let target = Target { extensions: &extensions, cpu: Some(cpu), encoding: "avr" };
        (AVR.toolchain.target)(&target, Compiler { kind, is_recent: false }).join(" ")
    };
    // LLD knows no relocations for relaxation.
    let gcc = |cpu, extensions: &[&str]| {
        let words = told(cpu, extensions, CompilerKind::Gcc);
        words.strip_suffix(" -Wa,-mno-link-relax").expect("the same for all").to_owned()
    };
    assert_eq!(gcc("avr25", &[]), "-mmcu=avr25");
    assert_eq!(gcc("avr5", &[]), "-mmcu=avr5");
    assert_eq!(gcc("avr5", &["elpm"]), "-mmcu=avr51");
    assert_eq!(gcc("avr5", &["eijmp", "elpm"]), "-mmcu=avr6");
    assert_eq!(gcc("avrxmega2", &["eijmp", "elpm"]), "-mmcu=avrxmega6");
    assert_eq!(gcc("avrtiny", &[]), "-mmcu=avrtiny");
    let zig = told("avr5", &["elpm"], CompilerKind::Zig);
    assert_eq!(zig, "-target avr-freestanding-eabi -mcpu=avr51");
}

#[test]
fn pointers_count_words() {
    assert_eq!(AVR.pointers.held(0x1234, 0), 0x91a);
    assert_eq!(AVR.pointers.split(0x1234), (0x1234, 0));
}
