//! The core files against the manual's tables, which `cycles.txt` holds as they stand there.

use std::path::Path;

use cocrypt_config::{Core, Device};
use cocrypt_ir::Exit;
use cocrypt_isa::{CodeMemory, Core as Built, InsnCost};
use cocrypt_isa_avr::{AVR, DATA, cells, class::Class};

/// A core file, with what a device says of it, and its column in the table.
const CORES: [(&str, &str, usize); 7] = [
    ("avre", "FLASH_WORDS = 8192", 0),
    ("avre-plus", "FLASH_WORDS = 65536", 0),
    ("avre-plus", "FLASH_WORDS = 131072\nPC_BITS = 22", 0),
    ("avrxm", "FLASH_WORDS = 65536", 1),
    ("avrxm", "FLASH_WORDS = 131072\nPC_BITS = 22", 1),
    ("avrxt", "FLASH_WORDS = 65536", 2),
    ("avrrc", "FLASH_WORDS = 512", 3),
];
/// The rows of instructions that a variant lacks where the manual counts cycles for others like it.
const LACKING: [(&str, &[&str]); 2] =
    [("FLASH_WORDS = 8192", &["elpm", "mul", "muls", "mulsu", "fmul"]), ("", &["eijmp", "eicall"])];

struct Words([u16; 2]);

impl CodeMemory for Words {
    fn unit(&self, address: u64) -> Option<u16> {
        Some(*self.0.get(address as usize / 2).unwrap_or(&0))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

fn build(name: &str, parameters: &str) -> Built {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores");
    let core = Core::load(&path.join(format!("{name}.toml"))).expect("a good core");
    let text = format!(
        "[device]\nname = \"a\"\ntitle = \"A\"\ncore = \"{name}\"\nclock_hz = 1\n[parameters]\n{parameters}\n\
         [[memory]]\nname = \"a\"\nbase = 0\nsize = 4\nfetch_wait = 1\ndata_wait = 1\n"
    );
    let device = Device::parse("a", &text, &core).expect("a good device");
    (AVR.build)(&device).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The cycles of an instruction, taken too where it may be; nothing if the word is none or another.
fn cycles(core: &Built, word: u16, mnemonic: &str, beyond: bool) -> Option<String> {
    let words = Words([word, 0x2100]);
    let (text, _) = core.frontend.disassemble(&words, 0)?;
    if text.split(' ').next() != Some(mnemonic) {
        return None;
    }
    let block = core.frontend.lift(&words, 0, 0).expect("there are words");
    let cost = core.timing.cost(&block, &words, 1, 0);
    let InsnCost { cycles, extra, .. } = &cost.insns[0];
    let cycles = cycles + extra.as_ref().map_or(0, |extra| extra.table[usize::from(beyond)]);
    Some(match block.exit {
        Exit::Branch { .. } => format!("{cycles}/{}", cost.taken),
        _ => cycles.to_string(),
    })
}

/// A call, a return or an interrupt takes a cycle more with three bytes of the program counter.
fn counts_wide(name: &str) -> bool {
    matches!(name, "call" | "rcall" | "icall" | "ret" | "reti")
}

#[test]
fn instructions_take_what_the_manual_says() {
    let lines = include_str!("cycles.txt").lines().filter(|line| !line.starts_with('#'));
    for (name, parameters, column) in CORES {
        let core = build(name, parameters);
        let wide = parameters.contains("PC_BITS");
        for line in lines.clone() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let word = u16::from_str_radix(fields[0], 16).expect("a word");
            let mnemonic = fields[6];
            let lacks = |when: &str| (when.is_empty() && !wide) || when == parameters;
            let lacking =
                LACKING.iter().any(|(when, names)| lacks(when) && names.contains(&mnemonic));
            let is_far = mnemonic == "elpm" && column == 3;
            let wanted = match fields[2 + column] {
                "-" => None,
                _ if lacking || is_far => None,
                cycles if wide && counts_wide(mnemonic) => {
                    Some((cycles.parse::<u32>().expect("a number") + 1).to_string())
                }
                cycles => Some(cycles.to_owned()),
            };
            // Internal SRAM is beyond the boundary of XMEGA alone.
            assert_eq!(
                cycles(&core, word, mnemonic, column == 1),
                wanted,
                "{name} {parameters}: {line}"
            );
        }
    }
}

#[test]
fn accesses_beyond_the_boundary_take_one_more() {
    for (name, word, mnemonic, near, far) in [
        ("avrxm", 0x910c, "ld", "1", "2"),
        ("avrxt", 0x910c, "ld", "2", "3"),
        ("avrxt", 0x930c, "st", "1", "2"),
        ("avrrc", 0x910c, "ld", "1", "2"),
        ("avrrc", 0x910d, "ld", "2", "3"),
        ("avrrc", 0x930c, "st", "1", "1"),
    ] {
        let core = build(name, "");
        let [below, above] = [false, true].map(|beyond| cycles(&core, word, mnemonic, beyond));
        assert_eq!(
            (below.as_deref(), above.as_deref()),
            (Some(near), Some(far)),
            "{name} {word:#x}"
        );
    }
}

#[test]
fn a_skip_takes_one_for_each_word() {
    let core = build("avre-plus", "");
    // `cpse r16, r17` in front of `call`.
    let words = Words([0x1301, 0x940e]);
    let block = core.frontend.lift(&words, 0, 0).expect("there are words");
    let cost = core.timing.cost(&block, &words, 1, 0);
    assert_eq!((cost.insns[0].cycles, cost.taken), (1, 3));
}

#[test]
fn each_access_waits_for_itself() {
    let core = build("avre-plus", "");
    let wait = |word, wait| {
        let words = Words([word, 0x0100]);
        let block = core.frontend.lift(&words, 0, 0).expect("there are words");
        core.timing.cost(&block, &words, wait, 0).insns[0].cycles
    };
    assert_eq!((wait(0x910c, 1), wait(0x910c, 3)), (2, 4), "ld");
    assert_eq!((wait(0x940e, 1), wait(0x940e, 3)), (4, 8), "call, which pushes two bytes");
}

#[test]
fn interrupts_take_what_data_sheets_say() {
    let taken = |name, parameters| {
        let core = build(name, parameters);
        let trap = cocrypt_isa::Trap::Interrupt { number: 1, note: 0 };
        let state = vec![0; core.frontend.cells().len()];
        let block = core.frontend.trap(trap, &Words([0; 2]), 0, &state, 0).expect("a way");
        assert_eq!(block.insns[0].class, Class::Interrupt as u8);
        core.timing.cost(&block, &Words([0; 2]), 1, 0).insns[0].cycles
    };
    assert_eq!(taken("avre", ""), 4);
    assert_eq!(taken("avre-plus", ""), 4);
    assert_eq!(taken("avre-plus", "FLASH_WORDS = 131072\nPC_BITS = 22"), 5);
    assert_eq!(taken("avrxt", ""), 2);
}

#[test]
fn rounds_of_des_in_a_row_take_one_each() {
    let core = build("avrxm", "");
    let words = Words([0x940b, 0x941b]);
    let cost = |pc, state| {
        let block = core.frontend.lift(&words, pc, 0).expect("there are words");
        let cost = core.timing.cost(&block, &words, 1, state);
        (cost.insns[0].cycles, cost.exit_states)
    };
    let (first, [behind, _]) = cost(0, 0);
    let (second, _) = cost(2, behind);
    assert_eq!((first, second), (2, 1));
    assert_eq!(cost(4, behind), (1, [0; 2]), "nop");
    assert_eq!(cost(0, 0).0, 2, "and from the beginning");
}

#[test]
fn the_stack_begins_at_the_end_of_sram() {
    for (name, last) in [
        ("attiny85", 0x25f),
        ("atmega328p", 0x8ff),
        ("atmega2560", 0x21ff),
        ("atxmega32a4u", 0x2fff),
        ("avr128da48", 0x7fff),
        ("attiny10", 0x5f),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
        let device = Device::load(&folder.join(format!("{name}.toml"))).expect("a good device");
        let core = (AVR.build)(&device).unwrap_or_else(|wrong| panic!("{wrong}"));
        let wanted = u64::from(DATA | last);
        assert_eq!(core.frontend.reset(), [(cells::SP, wanted)], "{name}, RAMEND of avr-libc");
    }
}
