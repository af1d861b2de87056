//! The name of an encoding that no core here executes: the arithmetic of the floating-point extension, as
//! GNU binutils write it, and other coprocessors.
//!
//! Source: "ARMv7-M Architecture Reference Manual" (DDI 0403), A6.4 and A5.3.18. In A32 the encodings are the
//! same behind the condition.

use crate::decode::{bit, bits};
use crate::encoding::{Fields, Pattern};

/// Arithmetic, the first row that fits. In a text `D`, `N` and `M` are registers of the width that `F`
/// stands for, `S` and `O` a destination and an operand in single precision, `W` and `V` the same in
/// double precision. Of a register e, j and g are four bits, f, k and h a further one.
static ARITHMETIC: &[(Pattern, &str)] = &[
    (Pattern::new("---- 1110 0f00 jjjj eeee 101b k0h0 gggg"), "vmla.F D, N, M"),
    (Pattern::new("---- 1110 0f00 jjjj eeee 101b k1h0 gggg"), "vmls.F D, N, M"),
    (Pattern::new("---- 1110 0f01 jjjj eeee 101b k0h0 gggg"), "vnmls.F D, N, M"),
    (Pattern::new("---- 1110 0f01 jjjj eeee 101b k1h0 gggg"), "vnmla.F D, N, M"),
    (Pattern::new("---- 1110 0f10 jjjj eeee 101b k0h0 gggg"), "vmul.F D, N, M"),
    (Pattern::new("---- 1110 0f10 jjjj eeee 101b k1h0 gggg"), "vnmul.F D, N, M"),
    (Pattern::new("---- 1110 0f11 jjjj eeee 101b k0h0 gggg"), "vadd.F D, N, M"),
    (Pattern::new("---- 1110 0f11 jjjj eeee 101b k1h0 gggg"), "vsub.F D, N, M"),
    (Pattern::new("---- 1110 1f00 jjjj eeee 101b k-h0 gggg"), "vdiv.F D, N, M"),
    (Pattern::new("---- 1110 1f01 jjjj eeee 101b k0h0 gggg"), "vfnms.F D, N, M"),
    (Pattern::new("---- 1110 1f01 jjjj eeee 101b k1h0 gggg"), "vfnma.F D, N, M"),
    (Pattern::new("---- 1110 1f10 jjjj eeee 101b k0h0 gggg"), "vfma.F D, N, M"),
    (Pattern::new("---- 1110 1f10 jjjj eeee 101b k1h0 gggg"), "vfms.F D, N, M"),
    (Pattern::new("---- 1110 1f11 ---- eeee 101b -0-0 ----"), "vmov.F D, a constant"),
    (Pattern::new("---- 1110 1f11 0000 eeee 101b 01h0 gggg"), "vmov.F D, M"),
    (Pattern::new("---- 1110 1f11 0000 eeee 101b 11h0 gggg"), "vabs.F D, M"),
    (Pattern::new("---- 1110 1f11 0001 eeee 101b 01h0 gggg"), "vneg.F D, M"),
    (Pattern::new("---- 1110 1f11 0001 eeee 101b 11h0 gggg"), "vsqrt.F D, M"),
    (Pattern::new("---- 1110 1f11 0100 eeee 101b 01h0 gggg"), "vcmp.F D, M"),
    (Pattern::new("---- 1110 1f11 0100 eeee 101b 11h0 gggg"), "vcmpe.F D, M"),
    (Pattern::new("---- 1110 1f11 0101 eeee 101b 01-0 ----"), "vcmp.F D, #0.0"),
    (Pattern::new("---- 1110 1f11 0101 eeee 101b 11-0 ----"), "vcmpe.F D, #0.0"),
    (Pattern::new("---- 1110 1f11 0111 eeee 1011 11h0 gggg"), "vcvt.f32.f64 S, V"),
    (Pattern::new("---- 1110 1f11 0111 eeee 1010 11h0 gggg"), "vcvt.f64.f32 W, O"),
    (Pattern::new("---- 1110 1f11 1000 eeee 101b 01h0 gggg"), "vcvt.F.u32 D, O"),
    (Pattern::new("---- 1110 1f11 1000 eeee 101b 11h0 gggg"), "vcvt.F.s32 D, O"),
    (Pattern::new("---- 1110 1f11 1100 eeee 101b 01h0 gggg"), "vcvtr.u32.F S, M"),
    (Pattern::new("---- 1110 1f11 1100 eeee 101b 11h0 gggg"), "vcvt.u32.F S, M"),
    (Pattern::new("---- 1110 1f11 1101 eeee 101b 01h0 gggg"), "vcvtr.s32.F S, M"),
    (Pattern::new("---- 1110 1f11 1101 eeee 101b 11h0 gggg"), "vcvt.s32.F S, M"),
    (Pattern::new("---- 1110 1f11 ---- eeee 101b ---0 ----"), "vcvt of D"),
];

/// Returns true if this is arithmetic of the floating-point extension.
#[must_use]
pub fn is_arithmetic(word: u32) -> bool {
    bits(word, 24, 4) == 0b1110 && bits(word, 9, 3) == 0b101 && !bit(word, 4)
}

/// The name of a wide encoding.
#[must_use]
pub fn absent(word: u32) -> Option<String> {
    let arithmetic = ARITHMETIC.iter().find_map(|(pattern, text)| {
        let fields = pattern.fields(word)?;
        Some(text.chars().map(|symbol| written(&fields, symbol)).collect())
    });
    arithmetic.or_else(|| other(word))
}

fn other(word: u32) -> Option<String> {
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

fn written(f: &Fields, symbol: char) -> String {
    let double = f.is('b');
    match symbol {
        'F' => if double { "f64" } else { "f32" }.into(),
        'D' => register(f, ['e', 'f'], double),
        'N' => register(f, ['j', 'k'], double),
        'M' => register(f, ['g', 'h'], double),
        'S' => register(f, ['e', 'f'], false),
        'O' => register(f, ['g', 'h'], false),
        'W' => register(f, ['e', 'f'], true),
        'V' => register(f, ['g', 'h'], true),
        symbol => symbol.into(),
    }
}

/// A register: its further bit is the lowest in single precision, the highest in double.
fn register(f: &Fields, [four, further]: [char; 2], double: bool) -> String {
    let (number, further) = (f.get(four), f.get(further));
    if double {
        format!("d{}", further << 4 | number)
    } else {
        format!("s{}", number << 1 | further)
    }
}
