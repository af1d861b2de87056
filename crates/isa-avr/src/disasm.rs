//! Disassembly: the table's formats, as avr-objdump prints them, with one space for each gap.

use crate::DATA;
use crate::decode::Decoded;
use crate::table::Format;

/// The instruction at `pc` in assembly; behind a semicolon what else its constant is.
#[must_use]
pub fn disassemble(decoded: &Decoded, pc: u64) -> String {
    let row = decoded.opcode.row();
    match operands(decoded, row.format, pc) {
        Some(operands) => format!("{} {operands}", row.name),
        None => row.name.to_owned(),
    }
}

fn operands(decoded: &Decoded, format: Format, pc: u64) -> Option<String> {
    let Decoded { d, r, bit, constant, length, .. } = *decoded;
    Some(match format {
        Format::None => return None,
        Format::Register => format!("r{d}"),
        Format::Registers | Format::Pairs | Format::UpperRegisters | Format::MiddleRegisters => {
            format!("r{d}, r{r}")
        }
        Format::Immediate => format!("r{d}, 0x{constant:02X} ; {constant}"),
        Format::WordImmediate | Format::In => format!("r{d}, {constant:#04x} ; {constant}"),
        Format::RegisterBit => format!("r{d}, {bit}"),
        Format::IoBit => format!("{constant:#04x}, {bit} ; {constant}"),
        Format::Out => format!("{constant:#04x}, r{r} ; {constant}"),
        Format::Load(pointer) => format!("r{d}, {pointer}{}", meeting(pointer, d)),
        Format::Store(pointer) => format!("{pointer}, r{r}{}", meeting(pointer, r)),
        Format::LoadDisplaced(pointer) => {
            format!("r{d}, {pointer}+{constant} ; {constant:#04x}")
        }
        Format::StoreDisplaced(pointer) => {
            format!("{pointer}+{constant}, r{r} ; {constant:#04x}")
        }
        Format::LoadDirect => format!("r{d}, {constant:#06x} ; {:#x}", data(constant)),
        Format::StoreDirect => format!("{constant:#06x}, r{r} ; {:#x}", data(constant)),
        Format::LoadShort => format!("r{d}, {constant:#04x} ; {:#x}", data(constant)),
        Format::StoreShort => format!("{constant:#04x}, r{r} ; {:#x}", data(constant)),
        Format::Exchange => format!("Z, r{d}"),
        Format::Pointer(pointer) => pointer.to_owned(),
        Format::Round => constant.to_string(),
        Format::Relative => {
            let target = (pc as i64 + i64::from(length) + i64::from(constant)) as u32;
            format!(".{constant:+} ; {target:#x}")
        }
        Format::Absolute => format!("{constant:#x} ; {constant:#x}"),
    })
}

/// An address of the data space in the machine's.
const fn data(address: i32) -> u32 {
    DATA + address as u32
}

/// The message about a register that is part of the pointer which changes: the manual leaves the result
/// open.
fn meeting(pointer: &str, register: u8) -> &'static str {
    let low = match pointer.trim_matches(['+', '-']) {
        "X" => 26,
        "Y" => 28,
        _ => 30,
    };
    let changes = pointer.len() > 1;
    if changes && register & !1 == low { " ; undefined" } else { "" }
}
