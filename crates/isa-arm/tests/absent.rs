//! Encodings that no core here executes have GNU binutils' names (`arm-none-eabi-objdump` 2.40).

use cocrypt_ir::{Exit, StopKind};
use cocrypt_isa::{CodeMemory, Frontend as _};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::lift::Arm;

/// Units of code from address 0 on.
struct Code(Vec<u16>);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address as usize / 2).copied()
    }

    fn fetch_wait(&self, _address: u64) -> u32 {
        1
    }

    fn is_boundary(&self, _address: u64) -> bool {
        false
    }
}

fn listing() -> Vec<(Code, &'static str)> {
    let lines = include_str!("absent.txt").lines();
    let unit = |hex: &str| u16::from_str_radix(hex, 16).expect("a unit");
    let line = |line: &'static str| {
        let (units, text) = line.split_once('\t').expect("units and text");
        (Code(units.split(' ').map(unit).collect()), text)
    };
    lines.map(line).collect()
}

fn core(version: Version, vector: bool) -> Arm {
    Arm::new(Architecture { version, vector })
}

#[test]
fn arithmetic_of_the_floating_point_extension_has_its_name() {
    for (code, text) in listing() {
        let core = core(Version::V7EM, false);
        assert_eq!(core.explain(&code, 1).as_deref(), Some(text));
        let Code(units) = code;
        let turned = Code(vec![units[1], units[0]]);
        let classic = Arm::new(Architecture { version: Version::V5TE, vector: false });
        assert_eq!(classic.explain(&turned, 0).as_deref(), Some(text));
    }
}

#[test]
fn it_is_no_instruction_without_the_extension_and_not_modelled_with_it() {
    for (vector, kind) in [(false, StopKind::IllegalInstruction), (true, StopKind::Unmodelled)] {
        let (code, _) = listing().remove(0);
        let block = core(Version::V7EM, vector).draft(&code, 0, 1).expect("a block");
        assert_eq!(block.exit, Exit::Stop(kind));
    }
}

#[test]
fn what_a_larger_core_has_is_named_on_a_smaller_one() {
    // `sdiv r0, r1, r2` of ARMv7-M, `mcr` of a coprocessor that nobody has, and what is none at all.
    let explained = |units: [u16; 2]| core(Version::V6M, false).explain(&Code(units.to_vec()), 1);
    assert_eq!(explained([0xfb91, 0xf0f2]).as_deref(), Some("sdiv r0, r1, r2"));
    assert_eq!(explained([0xee00, 0x0310]).as_deref(), Some("mcr of coprocessor 3"));
    assert_eq!(explained([0xb7ff, 0]), None);
}
