//! The energy classes of instructions, by the mnemonics that GNU binutils give them.

use cocrypt_isa::{CodeMemory, Frontend as _, InstructionKind as Kind};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::lift::Arm;

/// Mnemonics as the data have them, without what says a width.
const KINDS: [(&str, Kind); 38] = [
    ("adds", Kind::Alu),
    ("bics", Kind::Alu),
    ("movs", Kind::Alu),
    ("ssat", Kind::Alu),
    ("usad8", Kind::Alu),
    ("sel", Kind::Alu),
    ("vmov", Kind::Alu),
    ("ldr", Kind::Load),
    ("ldrsb", Kind::Load),
    ("pop", Kind::Load),
    ("ldrex", Kind::Load),
    ("vldr", Kind::Load),
    ("swpb", Kind::Load),
    ("str", Kind::Store),
    ("push", Kind::Store),
    ("stmdb", Kind::Store),
    ("strexb", Kind::Store),
    ("beq", Kind::Branch),
    ("cbz", Kind::Branch),
    ("b", Kind::Jump),
    ("bl", Kind::Jump),
    ("bx", Kind::Jump),
    ("blx", Kind::Jump),
    ("tbb", Kind::Jump),
    ("muls", Kind::Multiply),
    ("mls", Kind::Multiply),
    ("umaal", Kind::Multiply),
    ("smmlar", Kind::Multiply),
    ("smlabb", Kind::Multiply),
    ("udiv", Kind::Divide),
    ("sdiv", Kind::Divide),
    ("svc", Kind::Other),
    ("bkpt", Kind::Other),
    ("nop", Kind::Other),
    ("mrs", Kind::Other),
    ("dmb", Kind::Other),
    ("vmrs", Kind::Other),
    ("vmsr", Kind::Other),
];

struct Units(Vec<u16>);

impl CodeMemory for Units {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address as usize / 2).copied()
    }

    fn fetch_wait(&self, _address: u64) -> u32 {
        0
    }

    fn is_boundary(&self, _address: u64) -> bool {
        false
    }
}

/// Code, its text, and the core and address to ask: an odd one is that of Thumb.
fn cases() -> Vec<(Units, &'static str, Version, u64)> {
    let rows = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
    let split = |line: &'static str| {
        let mut fields = line.splitn(3, ' ');
        let mut field = || fields.next().expect("three fields");
        (field(), field(), field())
    };
    let a32 = rows(include_str!("a32.txt")).map(move |line| {
        let (_, word, text) = split(line);
        let word = u32::from_str_radix(word, 16).expect("a word");
        (Units(vec![word as u16, (word >> 16) as u16]), text, Version::V5TE, 0)
    });
    let thumb = rows(include_str!("thumb.txt")).map(move |line| {
        let (cores, digits, text) = split(line);
        let unit = |at| u16::from_str_radix(&digits[at..at + 4], 16).expect("four digits");
        let units = (0..digits.len()).step_by(4).map(unit).collect();
        let is_m = cores.contains(['0', '3', '4', 'f']);
        (Units(units), text, if is_m { Version::V7EM } else { Version::V5TE }, 1)
    });
    a32.chain(thumb).collect()
}

#[test]
fn instructions_have_the_kind_of_their_unit() {
    let cases = cases();
    for (mnemonic, kind) in KINDS {
        let is_one = |text: &str| text.split([' ', '.']).next() == Some(mnemonic);
        let rows = cases.iter().filter(|(_, text, ..)| is_one(text));
        let mut count = 0;
        for (code, text, version, pc) in rows {
            let arm = Arm::new(Architecture { version: *version, vector: version.is_m() });
            assert_eq!(arm.kind(code, *pc), kind, "{text}");
            count += 1;
        }
        assert!(count > 0, "the data have no `{mnemonic}`");
    }
    let arm = Arm::new(Architecture { version: Version::V7M, vector: false });
    assert_eq!(arm.kind(&Units(vec![0xbf1b]), 1), Kind::Other, "ittet ne");
    assert_eq!(arm.kind(&Units(vec![]), 1), Kind::Other, "what is nothing");
}
