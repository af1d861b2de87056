//! Disassembly: as rl78-elf-objdump prints instructions, with one space for each gap.

use crate::ADDRESSES;
use crate::decode::Decoded;
use crate::table::{Opcode, Operand};

/// Registers of 8 bits by their numbers.
const REGISTERS: [&str; 8] = ["x", "a", "c", "b", "e", "d", "l", "h"];
/// Registers of 16 bits by their numbers.
const PAIRS: [&str; 4] = ["ax", "bc", "de", "hl"];

/// The instruction at `pc` in assembly.
#[must_use]
pub fn disassemble(decoded: &Decoded, pc: u64) -> String {
    let texts: Vec<String> = (0..2).filter_map(|index| operand(decoded, index, pc)).collect();
    let name = decoded.row.name;
    if texts.is_empty() { name.to_owned() } else { format!("{name} {}", texts.join(", ")) }
}

fn operand(decoded: &Decoded, index: usize, pc: u64) -> Option<String> {
    use Operand as O;
    let (kind, value) = (decoded.row.operands[index], decoded.values[index]);
    let (field, bit) = (usize::from(decoded.field), decoded.field & 7);
    let target = || (pc + u64::from(decoded.length)).wrapping_add_signed(value.into()) & ADDRESSES;
    let es = if decoded.prefixed && kind.takes_prefix() { "es:" } else { "" };
    Some(match kind {
        O::None => return None,
        O::X => "x".to_owned(),
        O::A => "a".to_owned(),
        O::B => "b".to_owned(),
        O::C => "c".to_owned(),
        O::Ax => "ax".to_owned(),
        O::Bc => "bc".to_owned(),
        O::Sp => "sp".to_owned(),
        O::Es => "es".to_owned(),
        O::Status => "psw".to_owned(),
        O::Carry => "cy".to_owned(),
        O::Register | O::LowRegister | O::Other | O::Others => REGISTERS[field].to_owned(),
        O::Pair | O::OtherPair => PAIRS[field].to_owned(),
        O::Bank => format!("rb{field}"),
        O::Byte | O::Word => format!("#{}", number(value)),
        O::One => "1".to_owned(),
        O::Count => field.to_string(),
        O::Absolute => absolute(decoded, value, es),
        O::Saddr | O::Sfr => named(decoded, value),
        O::AtDe => format!("{es}[de]"),
        O::AtDeByte => format!("{es}[de+{value}]"),
        O::AtHl => format!("{es}[hl]"),
        O::AtHlByte => format!("{es}[hl+{value}]"),
        O::AtHlB => format!("{es}[hl+b]"),
        O::AtHlC => format!("{es}[hl+c]"),
        O::AtSpByte => format!("[sp+{value}]"),
        O::IndexB => format!("{es}{value}[b]"),
        O::IndexC => format!("{es}{value}[c]"),
        O::IndexBc => format!("{es}{value}[bc]"),
        O::BitA => format!("a.{bit}"),
        O::BitAbsolute => format!("{es}!{value:#x}.{bit}"),
        O::BitSaddr | O::BitSfr => format!("{}.{bit}", named(decoded, value)),
        O::BitHl => format!("{es}[hl].{bit}"),
        O::Near => format!("${:#x}", target()),
        O::Relative => format!("$!{:#x}", target()),
        O::Low => format!("!{value:#x}"),
        O::Far => format!("!!{value:#x}"),
        O::Table => format!("[{:#x}]", entry(decoded.field)),
    })
}

/// The address of an entry of the table of calls.
#[must_use]
pub const fn entry(field: u8) -> u32 {
    0x80 + (field as u32 & 3) * 16 + (field as u32 >> 2) * 2
}

/// A constant, in decimal up to three digits.
fn number(value: i32) -> String {
    if value > 999 { format!("{value:#x}") } else { value.to_string() }
}

/// Memory at an address of 16 bits, which is the stack pointer's for a register of 16 bits.
fn absolute(decoded: &Decoded, value: i32, es: &str) -> String {
    let is_pair = decoded.row.operands[0] == Operand::OtherPair;
    if is_pair && value & 0xffff == 0xfff8 {
        return format!("{es}sp");
    }
    format!("{es}!{value:#x}")
}

/// A special function register that belongs to the core by its name, or an address.
fn named(decoded: &Decoded, value: i32) -> String {
    let name = match (value, decoded.opcode() == Opcode::Movw) {
        (0xf_fff8, true) => "sp",
        (_, true) => return format!("{value:#x}"),
        (0xf_fff8, _) => "spl",
        (0xf_fff9, _) => "sph",
        (0xf_fffa, _) => "psw",
        (0xf_fffc, _) => "cs",
        (0xf_fffd, _) => "es",
        (0xf_fffe, _) => "pmc",
        (0xf_ffff, _) => "mem",
        _ => return format!("{value:#x}"),
    };
    name.to_owned()
}
