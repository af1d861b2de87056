//! Products, saturating and parallel operations, those on bits, and moves and accesses of the
//! floating-point extension, as another's cores execute them: from machine code to results.
//!
//! `dsp.txt` holds a case of each instruction that QEMU 7.2 executed; it was made by
//! `cargo test -p cocrypt-isa-arm --test dsp record -- --ignored`.

#[path = "dsp/forms.rs"]
mod forms;
#[path = "dsp/qemu.rs"]
mod qemu;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cocrypt_ir::{Block, Counter, Environment, Exit, Fault, Slot, Width, evaluate};
use cocrypt_isa::{CodeMemory, Frontend};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;

use forms::Forms;
use qemu::{Case, SIZE, STUBS, Words};

const RECORDED: &str = include_str!("dsp.txt");

/// Code from an address on.
struct Code<'a> {
    start: u32,
    bytes: &'a [u8],
}

impl CodeMemory for Code<'_> {
    fn unit(&self, address: u64) -> Option<u16> {
        let at = usize::try_from(address.checked_sub(self.start.into())?).ok()?;
        Some(u16::from_le_bytes([*self.bytes.get(at)?, *self.bytes.get(at + 1)?]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        0
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

/// A memory that is 0 where nothing was written, by words.
#[derive(Default)]
struct Memory(BTreeMap<u32, u64>);

impl Environment for Memory {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        assert_eq!((width, address % 4), (Width::W32, 0));
        Ok(self.0.get(&address).copied().unwrap_or(0))
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        assert_eq!((width, address % 4), (Width::W32, 0));
        self.0.insert(address, value);
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// The front end of a core, and the bits of its status register that are compared.
fn frontend(cpu: &str) -> (Arm, u32) {
    let (version, vector, flags) = match cpu {
        "cortex-m4" => (Version::V7EM, true, 0xf80f_0000),
        "arm926ej-s" => (Version::V5TE, false, 0xf800_0000),
        _ => unreachable!("{cpu} is no core of these tests"),
    };
    (Arm::new(Architecture { version, vector }), flags)
}

/// The block of a stub, which returns behind its instructions.
fn lifted(arm: &Arm, code: &Code<'_>, pc: u32) -> Block {
    let state = State { thumb: arm.architecture.version.is_m(), ..State::default() };
    let block = arm.lift(code, pc.into(), state.number()).expect("code");
    assert!(matches!(block.exit, Exit::Indirect { .. }), "{pc:#x}: {:?}", block.exit);
    block
}

/// The registers and flags behind a block.
fn executed(arm: &Arm, block: &Block, before: &Words) -> Words {
    const FLAGS: [Slot; 5] = [cells::N, cells::Z, cells::C, cells::V, cells::Q];
    let at = |slot: Slot| usize::from(slot.0);
    let mut file = vec![0; arm.cells().len() + usize::from(arm.temporaries())];
    for (cell, value) in file.iter_mut().zip(before.r) {
        *cell = value.into();
    }
    (file[at(cells::R5)], file[at(cells::LR)]) = (0x2000_0000, 0x0001_0001);
    for (bit, flag) in FLAGS.into_iter().enumerate() {
        file[at(flag)] = u64::from(before.flags >> (31 - bit) & 1);
    }
    file[at(cells::GE)] = u64::from(before.flags >> 16 & 15);
    evaluate(block, &mut file, &mut Memory::default()).expect("memory everywhere");
    let bits = FLAGS.into_iter().zip(0..).map(|(flag, bit)| file[at(flag)] << (31 - bit));
    let flags = bits.sum::<u64>() | file[at(cells::GE)] << 16;
    Words { flags: flags as u32, r: [0, 1, 2, 3, 4].map(|register| file[register] as u32) }
}

/// Numbers that a seed gives (`SplitMix64`: Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Any word, or one of half words at the ends of their ranges.
    fn word(&mut self) -> u32 {
        const ENDS: [u32; 8] = [0, 1, 0x7f, 0x80, 0x7fff, 0x8000, 0xff80, 0xffff];
        let bits = self.next();
        let end = |from: u32| ENDS[(bits >> from & 7) as usize];
        if bits >> 40 & 1 == 0 { (bits >> 8) as u32 } else { end(32) << 16 | end(36) }
    }
}

/// So many cases of each form.
fn cases(forms: &Forms, each: usize, flags: u32) -> Vec<Case> {
    let mut random = Random(0x00c0_ffee);
    let mut cases = vec![];
    for form in 0..forms.lines.len() {
        for _ in 0..each {
            let r = [0; 5].map(|_| random.word());
            let before = Words { flags: (random.next() as u32) & flags, r };
            cases.push(Case { form, before });
        }
    }
    cases
}

/// Compares as many cases of each instruction of a core.
fn compare(forms: &Forms, each: usize) {
    let (arm, flags) = frontend(forms.cpu);
    let cases = cases(forms, each, flags);
    let ran = qemu::run(forms, &cases);
    assert_eq!(ran.after.len(), cases.len());
    let code = Code { start: STUBS, bytes: &ran.code };
    let blocks: Vec<Block> = (0..forms.lines.len() as u32)
        .map(|form| lifted(&arm, &code, STUBS + form * SIZE))
        .collect();
    for (case, after) in cases.iter().zip(ran.after) {
        let ours = executed(&arm, &blocks[case.form], &case.before);
        let theirs = Words { flags: after.flags & flags, ..after };
        assert_eq!(ours, theirs, "{}: {:x?}", forms.lines[case.form], case.before);
    }
}

#[test]
fn a_cortex_m4_gives_the_same() {
    if qemu::is_there() {
        compare(&forms::cortex_m4(), 500);
    }
}

#[test]
fn an_arm926_gives_the_same() {
    if qemu::is_there() {
        compare(&forms::arm926(), 1000);
    }
}

/// Words in hexadecimal, the flags first.
fn words(text: &str) -> Words {
    let words: Vec<u32> = text.split_whitespace().map(number).collect();
    let (flags, r) = words.split_first().expect("flags");
    Words { flags: *flags, r: r.try_into().expect("five registers") }
}

fn number(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("a number")
}

/// `core | pc | code | assembly | before | after`.
fn check(line: &str) {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [cpu, pc, code, assembly, before, after] = fields[..] else { panic!("no case: {line}") };
    let bytes: Vec<u8> = code.split_whitespace().map(|byte| number(byte) as u8).collect();
    let (arm, pc) = (frontend(cpu).0, number(pc));
    let block = lifted(&arm, &Code { start: pc, bytes: &bytes }, pc);
    assert_eq!(executed(&arm, &block, &words(before)), words(after), "{assembly}: {before}");
}

#[test]
fn recorded_cases_give_the_same() {
    let lines = RECORDED.lines().filter(|line| !line.starts_with('#'));
    assert!(lines.map(check).count() > 400);
}

/// Records a case of each instruction.
#[test]
#[ignore = "rewrites dsp.txt"]
fn record() {
    assert!(qemu::is_there());
    let mut text = String::from(
        "# core | pc | code | assembly | flags r0 to r4 before | flags r0 to r4 after, by QEMU\n",
    );
    for forms in [forms::cortex_m4(), forms::arm926()] {
        let (_, flags) = frontend(forms.cpu);
        let cases = cases(&forms, 1, flags);
        let ran = qemu::run(&forms, &cases);
        for (case, after) in cases.iter().zip(ran.after) {
            let after = Words { flags: after.flags & flags, ..after };
            let at = case.form * SIZE as usize;
            let code: Vec<String> =
                stub(&ran.code[at..]).iter().map(|byte| format!("{byte:02x}")).collect();
            let pc = STUBS as usize + at;
            let (cpu, code, line) = (forms.cpu, code.join(" "), &forms.lines[case.form]);
            let (before, after) = (listed(&case.before), listed(&after));
            let _ = writeln!(text, "{cpu} | {pc:x} | {code} | {line} | {before} | {after}");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dsp.txt");
    std::fs::write(path, text).expect("a file");
}

/// The code of a stub up to its `bx lr`, in Thumb or A32.
fn stub(code: &[u8]) -> &[u8] {
    let returns = |at: &usize| {
        code[..*at].ends_with(&[0x70, 0x47]) || code[..*at].ends_with(&[0x1e, 0xff, 0x2f, 0xe1])
    };
    let end = (2..=SIZE as usize).step_by(2).find(returns).expect("a return");
    &code[..end]
}

fn listed(words: &Words) -> String {
    let all: Vec<String> =
        [words.flags].into_iter().chain(words.r).map(|word| format!("{word:x}")).collect();
    all.join(" ")
}
