//! An assembler of lines like `addik r3 r4 5`, and cores with all units.

use std::path::Path;

use cocrypt_config::{Core, Device};
use cocrypt_isa::{CodeMemory, Core as Built};
use cocrypt_isa_microblaze::MICROBLAZE;
use cocrypt_isa_microblaze::table::{Format, TABLE};

/// Code from address 0 on, with the highest byte of a word first.
pub struct Words(pub Vec<u32>);

impl CodeMemory for Words {
    fn unit(&self, address: u64) -> Option<u16> {
        let word = self.0.get(address as usize / 4)?;
        let half = if address & 2 == 0 { word >> 16 } else { *word };
        Some((half as u16).swap_bytes())
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

/// Assembles a line; operands are registers and numbers.
pub fn assemble(line: &str) -> u32 {
    let mut words = line.split_whitespace();
    let name = words.next().expect("a name");
    let row = TABLE.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name}"));
    let operands: Vec<u32> = words
        .map(|word| word.trim_start_matches('r').parse::<i32>().expect("a number") as u32)
        .collect();
    let at = |number: usize| operands[number];
    let (d, a, b, low) = (|n| at(n) << 21, |n| at(n) << 16, |n| at(n) << 11, |n| at(n) & 0xffff);
    row.bits
        | match row.format {
            Format::Registers => d(0) | a(1) | b(2),
            Format::Immediate | Format::Shift => d(0) | a(1) | low(2),
            Format::Unary => d(0) | a(1),
            Format::Cache | Format::Condition => a(0) | b(1),
            Format::Prefix | Format::Distance | Format::Address => low(0),
            Format::Target => b(0),
            Format::LinkTarget => d(0) | b(1),
            Format::LinkDistance | Format::LinkAddress | Format::FromSpecial | Format::Status => {
                d(0) | low(1)
            }
            Format::ConditionDistance | Format::Return => a(0) | low(1),
            Format::ToSpecial => low(0) | a(1),
            Format::Barrier => d(0),
            Format::Stream => {
                let last = operands.len() - 1;
                low(last) | if name == "get" { d(0) } else { a(0) }
            }
            Format::Field | Format::DynamicStream => panic!("{name} is not assembled here"),
        }
}

/// A core with all units and such further parameters.
pub fn core(parameters: &str) -> Built {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores/microblaze.toml");
    let core = Core::load(&path).expect("a good core");
    let text = format!(
        "[device]\nname = \"a\"\ntitle = \"A\"\ncore = \"microblaze\"\nclock_hz = 1\n[parameters]\n\
         C_USE_BARREL = true\nC_USE_HW_MUL = 2\nC_USE_DIV = true\n{parameters}\n\
         [[memory]]\nname = \"a\"\nbase = 0\nsize = 4\nfetch_wait = 1\ndata_wait = 1\n\
         [[peripheral]]\nkind = \"link\"\nbase = 0x80000000\nsize = 0x40\n"
    );
    let device = Device::parse("a", &text, &core).expect("a good device");
    (MICROBLAZE.build)(&device).unwrap_or_else(|wrong| panic!("{wrong}"))
}
