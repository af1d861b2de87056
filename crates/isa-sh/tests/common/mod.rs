//! An assembler of lines like `add r3,r4`, and cores.

use std::path::Path;

use cocrypt_config::{Core, Device};
use cocrypt_isa::{CodeMemory, Core as Built, CoreError};
use cocrypt_isa_sh::SUPERH;
use cocrypt_isa_sh::table::{Row, TABLE};

/// Code from address 0 on, with the highest byte of a word first.
pub struct Code(pub Vec<u16>);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address as usize / 2).map(|unit| unit.swap_bytes())
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

/// Assembles a line; distances are given as the field has them, and targets as distances of branches.
pub fn assemble(line: &str) -> u16 {
    let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
    let rows = TABLE.iter().filter(|row| row.name == name);
    let mut words = rows.filter_map(|row| fields(row, operands).map(|bits| row.bits | bits));
    words.next().unwrap_or_else(|| panic!("`{line}` is no instruction"))
}

/// The fields of operands, if they are of the row's form.
fn fields(row: &Row, text: &str) -> Option<u16> {
    let (mut form, mut text, mut bits) = (row.operands, text, 0);
    while let Some((before, behind)) = form.split_once('{') {
        text = text.strip_prefix(before)?;
        let (field, rest) = behind.split_once('}')?;
        let is_register = matches!(field, "n" | "m" | "b");
        text = if is_register { text.strip_prefix('r')? } else { text };
        let length = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
        let number = text[..length].parse::<i16>().ok()? as u16;
        bits |= match field {
            "n" => number << 8,
            "m" => number << 4,
            "b" => (number | 8) << 4,
            _ => number & !row.mask & 0xff,
        };
        text = &text[length..];
        text = if field == "b" { text.strip_prefix("_bank")? } else { text };
        form = rest;
    }
    (form == text).then_some(bits)
}

/// A core with such further parameters.
pub fn core(parameters: &str) -> Built {
    built(&core_file("sh3"), parameters).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The text of a core's file.
pub fn core_file(name: &str) -> String {
    let cores = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores");
    std::fs::read_to_string(cores.join(name).with_extension("toml")).expect("a core's file")
}

/// A core made from the text of its file, with such further parameters of the device.
pub fn built(file: &str, parameters: &str) -> Result<Built, CoreError> {
    let core = Core::parse("core", file).expect("a good core");
    let text = format!(
        "[device]\nname = \"a\"\ntitle = \"A\"\ncore = \"{}\"\nclock_hz = 1\n[parameters]\n{parameters}\n\
         [[memory]]\nname = \"a\"\nbase = 0\nsize = 4\nfetch_wait = 1\ndata_wait = 1\n",
        core.name
    );
    let device = Device::parse("a", &text, &core).expect("a good device");
    (SUPERH.build)(&device)
}
