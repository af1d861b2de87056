//! Loads, stores and moves of the floating-point extension.

use super::{Text, letter, register};
use crate::instruction::{Register, VectorMove, VectorRegisters};

pub(super) fn moved(moved: VectorMove) -> Text {
    match moved {
        VectorMove::FromGeneral { sn, rt } => Text::new("vmov", format!("s{sn}, {}", register(rt))),
        VectorMove::ToGeneral { rt, sn } => Text::new("vmov", format!("{}, s{sn}", register(rt))),
        VectorMove::PairFromGeneral { sm, rt, rt2, double } => {
            Text::new("vmov", format!("{}, {}, {}", pair(sm, double), register(rt), register(rt2)))
        }
        VectorMove::PairToGeneral { rt, rt2, sm, double } => {
            Text::new("vmov", format!("{}, {}, {}", register(rt), register(rt2), pair(sm, double)))
        }
        VectorMove::Copy { sd, sm } => Text::new("vmov.f32", format!("s{sd}, s{sm}")),
        VectorMove::Immediate { sd, bits } => {
            Text::new("vmov.f32", format!("s{sd}, #{:?}", f32::from_bits(bits)))
        }
        VectorMove::FromStatus { rt: 15 } => Text::new("vmrs", "APSR_nzcv, fpscr"),
        VectorMove::FromStatus { rt } => Text::new("vmrs", format!("{}, fpscr", register(rt))),
        VectorMove::ToStatus { rt } => Text::new("vmsr", format!("fpscr, {}", register(rt))),
    }
}

fn pair(sm: u8, double: bool) -> String {
    if double { format!("d{}", sm / 2) } else { format!("s{sm}, s{}", sm + 1) }
}

/// A register, and how many registers further the last one lies, by the names of its kind.
fn named(registers: VectorRegisters) -> (char, u8, u8) {
    let VectorRegisters { first, count, double } = registers;
    let (kind, first, count) =
        if double { ('d', first / 2, count / 2) } else { ('s', first, count) };
    (kind, first, count.saturating_sub(1))
}

pub(super) fn single(loads: bool, registers: VectorRegisters, rn: Register, offset: i32) -> Text {
    let (kind, first, _) = named(registers);
    let offset = if offset == 0 { String::new() } else { format!(", #{offset}") };
    let name = if loads { "vldr" } else { "vstr" };
    Text::new(name, format!("{kind}{first}, [{}{offset}]", register(rn)))
}

pub(super) fn multiple(
    loads: bool,
    registers: VectorRegisters,
    rn: Register,
    (up, writeback): (bool, bool),
) -> Text {
    let (kind, first, further) = named(registers);
    let list = match further {
        0 => format!("{{{kind}{first}}}"),
        _ => format!("{{{kind}{first}-{kind}{}}}", first + further),
    };
    if rn == 13 && writeback && up == loads {
        return Text::new(if loads { "vpop" } else { "vpush" }, list);
    }
    let stem = if loads { "vldm" } else { "vstm" };
    let order = if up { "ia" } else { "db" };
    let base = format!("{}{}", register(rn), letter(writeback, "!"));
    Text::new(format!("{stem}{order}"), format!("{base}, {list}"))
}
