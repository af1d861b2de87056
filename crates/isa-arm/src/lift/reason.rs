//! The explanation of a stop on entry into a handler, with what to do: by the vector table, as it
//! stands.
//!
//! M profile: DDI 0403, B1.5.2 (numbers and names) and B1.5.3 (bit 0 of a vector). A profile: DDI 0100I,
//! A2.6.

use cocrypt_isa::CodeMemory;

use super::exceptions::{FAST_LINE, HARD_FAULT, SUPERVISOR_CALL, table, vector};
use crate::cells;

/// The program has no handler for the exception of this number, or for this line of the A profile.
pub fn no_handler(is_m: bool, number: u8, code: &dyn CodeMemory, cells_now: &[u64]) -> String {
    let at = address(is_m, number, cells_now);
    let name = name(is_m, number);
    let (to_put, to_prevent) = if is_m {
        ("the handler's address, with bit 0 set,", "do not enable it")
    } else {
        ("a branch to the handler", "keep it masked in the CPSR")
    };
    match vector(code, at) {
        Some(word) => format!(
            "{name} has no handler: its vector at {at:#010x} holds {word:#010x}; put {to_put} there, or \
             {to_prevent}"
        ),
        None => format!(
            "{name} has no handler: no memory answers at {at:#010x}, where its vector is; have the table of \
             vectors in memory{}, or {to_prevent}",
            if is_m { " and its address in VTOR" } else { "" }
        ),
    }
}

/// The core, which is of the M profile, goes on at `pc` with the Thumb bit clear.
pub fn no_thumb(pc: u32, code: &dyn CodeMemory, cells_now: &[u64]) -> String {
    let number = cells_now[usize::from(cells::IPSR.0)] as u8;
    let at = address(true, number, cells_now);
    match vector(code, at) {
        Some(word) if number != 0 && word == pc => format!(
            "the vector of {} at {at:#010x} holds {word:#010x}, whose bit 0, the Thumb bit, is clear, and the \
             core executes Thumb alone; declare the handler as a Thumb function (`.thumb_func`, or \
             `.type NAME, %function`), so that the linker sets the bit",
            name(true, number)
        ),
        _ => format!(
            "the core is to go on at {pc:#010x} with the Thumb bit clear, and executes Thumb alone; set bit 0 \
             of the address that is jumped to, or bit 24 of the xPSR that a handler goes back to"
        ),
    }
}

/// The address of an exception's vector.
fn address(is_m: bool, number: u8, cells_now: &[u64]) -> u64 {
    let offset = match (is_m, number) {
        (true, _) => 4 * u64::from(number),
        (false, FAST_LINE) => 0x1c,
        (false, _) => 0x18,
    };
    (table(is_m, cells_now) + offset) & 0xffff_ffff
}

fn name(is_m: bool, number: u8) -> String {
    let name = match (is_m, number) {
        (false, FAST_LINE) => return "the FIQ".to_owned(),
        (false, _) => return "the IRQ".to_owned(),
        (true, 2) => "NMI",
        (true, HARD_FAULT) => "HardFault",
        (true, SUPERVISOR_CALL) => "SVCall",
        (true, 14) => "PendSV",
        (true, 15) => "SysTick",
        (true, 16..) => return format!("the interrupt {} (exception {number})", number - 16),
        (true, _) => return format!("the exception {number}"),
    };
    format!("{name} (exception {number})")
}
