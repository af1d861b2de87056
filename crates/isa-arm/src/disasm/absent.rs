//! What an encoding is that no core here executes: the arithmetic of the floating-point extension, as GNU
//! binutils write it, and other coprocessors.
//!
//! Source: "ARMv7-M Architecture Reference Manual" (DDI 0403), A6.4 and A5.3.18. In A32 the encodings are the
//! same behind the condition.

use crate::decode::{bit, bits};

/// Whether this is arithmetic of the floating-point extension.
#[must_use]
pub fn is_arithmetic(word: u32) -> bool {
    bits(word, 24, 4) == 0b1110 && bits(word, 9, 3) == 0b101 && !bit(word, 4)
}

/// What a wide encoding is, by name.
#[must_use]
pub fn absent(word: u32) -> Option<String> {
    if is_arithmetic(word) {
        return Some(arithmetic(word));
    }
    let (coprocessor, kind) = (bits(word, 8, 4), bits(word, 24, 4));
    let name = match (kind, bit(word, 20), bit(word, 4)) {
        (0b1110, _, false) => "cdp",
        (0b1110, false, true) => "mcr",
        (0b1110, true, true) => "mrc",
        (0b1100, false, _) if bits(word, 21, 4) == 0b0010 => "mcrr",
        (0b1100, true, _) if bits(word, 21, 4) == 0b0010 => "mrrc",
        (0b1100 | 0b1101, false, _) => "stc",
        (0b1100 | 0b1101, true, _) => "ldc",
        _ => return None,
    };
    Some(format!("{name} of coprocessor {coprocessor}"))
}

/// A register of the extension: four bits and a further one, lowest in single precision, highest in double.
fn operand(word: u32, four: u32, one: u32, double: bool) -> String {
    let (number, further) = (bits(word, four, 4), bits(word, one, 1));
    if double {
        format!("d{}", further << 4 | number)
    } else {
        format!("s{}", number << 1 | further)
    }
}

fn arithmetic(word: u32) -> String {
    let double = bit(word, 8);
    let width = if double { "f64" } else { "f32" };
    let (first, second) = (bit(word, 23), bit(word, 6));
    let name = match (first, bits(word, 20, 2), second) {
        (false, 0, false) => "vmla",
        (false, 0, true) => "vmls",
        (false, 1, false) => "vnmls",
        (false, 1, true) => "vnmla",
        (false, 2, false) => "vmul",
        (false, 2, true) => "vnmul",
        (false, _, false) => "vadd",
        (false, _, true) => "vsub",
        (true, 0, _) => "vdiv",
        (true, 1, false) => "vfnms",
        (true, 1, true) => "vfnma",
        (true, 2, false) => "vfma",
        (true, 2, true) => "vfms",
        (true, ..) => return of_one(word, double, width),
    };
    let [d, n, m] = [(12, 22), (16, 7), (0, 5)].map(|(four, one)| operand(word, four, one, double));
    format!("{name}.{width} {d}, {n}, {m}")
}

/// Arithmetic of one operand: comparisons, conversions, roots.
fn of_one(word: u32, double: bool, width: &str) -> String {
    let [d, m] = [(12, 22), (0, 5)].map(|(four, one)| operand(word, four, one, double));
    let [single_d, single_m] =
        [(12, 22), (0, 5)].map(|(four, one)| operand(word, four, one, false));
    let (kind, further) = (bits(word, 16, 4), bit(word, 7));
    if !bit(word, 6) {
        return format!("vmov.{width} {d}, a constant");
    }
    match (kind, further) {
        (0, false) => format!("vmov.{width} {d}, {m}"),
        (0, true) => format!("vabs.{width} {d}, {m}"),
        (1, false) => format!("vneg.{width} {d}, {m}"),
        (1, true) => format!("vsqrt.{width} {d}, {m}"),
        (4, false) => format!("vcmp.{width} {d}, {m}"),
        (4, true) => format!("vcmpe.{width} {d}, {m}"),
        (5, false) => format!("vcmp.{width} {d}, #0.0"),
        (5, true) => format!("vcmpe.{width} {d}, #0.0"),
        (7, true) if double => format!("vcvt.f32.f64 {single_d}, {m}"),
        (7, true) => format!("vcvt.f64.f32 {}, {single_m}", operand(word, 12, 22, true)),
        (8, _) => {
            let sign = if further { 's' } else { 'u' };
            format!("vcvt.{width}.{sign}32 {d}, {single_m}")
        }
        (12 | 13, _) => {
            let (name, sign) =
                (if further { "vcvt" } else { "vcvtr" }, if kind == 13 { 's' } else { 'u' });
            format!("{name}.{sign}32.{width} {single_d}, {m}")
        }
        _ => format!("vcvt of {d}"),
    }
}
