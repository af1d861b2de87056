//! The operations of the DSP, by the second half of their encodings.

use super::Register;
use super::registers::{DG, DU, SE, SF, SX, SY};
use crate::table::encoding;

/// What an operation computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    PshlImmediate,
    PshaImmediate,
    Pmuls,
    PsubPmuls,
    PaddPmuls,
    Psubc,
    Paddc,
    Pcmp,
    Pabs,
    Prnd,
    Pshl,
    Psha,
    Psub,
    Padd,
    Pand,
    Pxor,
    Por,
    Pdec,
    Pinc,
    Pclr,
    Pdmsb,
    Pneg,
    Pcopy,
    PstsMach,
    PstsMacl,
    PldsMach,
    PldsMacl,
}

/// The condition under which an operation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// None; the operation changes the flags.
    Always,
    /// DC is 1.
    True,
    /// DC is 0.
    False,
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it computes.
    pub kind: Kind,
    /// Its name in assembly.
    pub name: &'static str,
    /// The condition.
    pub condition: Condition,
    /// The first operand, or the only one.
    pub a: Option<Register>,
    /// The second one.
    pub b: Option<Register>,
    /// The result.
    pub to: Option<Register>,
    /// The factors of a product, and where it goes.
    pub product: Option<[Register; 3]>,
    /// The amount of a shift.
    pub amount: i8,
}

/// Names, kinds and encodings. Of an encoding `c` is the condition, `x` and `y` the operands, `z` and `u` the result, `e`, `f`
/// and `g` factors and product, `i` an amount.
const OPERATIONS: &[(Kind, &str, &str)] = &[
    (Kind::PshlImmediate, "pshl", "00000iiiiiiizzzz"),
    (Kind::PshaImmediate, "psha", "00010iiiiiiizzzz"),
    (Kind::Pmuls, "pmuls", "0100eeff0000gg00"),
    (Kind::PsubPmuls, "psub", "0110eeffxxyygguu"),
    (Kind::PaddPmuls, "padd", "0111eeffxxyygguu"),
    (Kind::Psubc, "psubc", "10100000xxyyzzzz"),
    (Kind::Paddc, "paddc", "10110000xxyyzzzz"),
    (Kind::Pcmp, "pcmp", "10000100xxyy0000"),
    (Kind::Pabs, "pabs", "10001000xx00zzzz"),
    (Kind::Pabs, "pabs", "1010100000yyzzzz"),
    (Kind::Prnd, "prnd", "10011000xx00zzzz"),
    (Kind::Prnd, "prnd", "1011100000yyzzzz"),
    (Kind::Pshl, "pshl", "100000ccxxyyzzzz"),
    (Kind::Psha, "psha", "100100ccxxyyzzzz"),
    (Kind::Psub, "psub", "101000ccxxyyzzzz"),
    (Kind::Padd, "padd", "101100ccxxyyzzzz"),
    (Kind::Pand, "pand", "100101ccxxyyzzzz"),
    (Kind::Pxor, "pxor", "101001ccxxyyzzzz"),
    (Kind::Por, "por", "101101ccxxyyzzzz"),
    (Kind::Pdec, "pdec", "100010ccxx00zzzz"),
    (Kind::Pdec, "pdec", "101010cc00yyzzzz"),
    (Kind::Pinc, "pinc", "100110ccxx00zzzz"),
    (Kind::Pinc, "pinc", "101110cc00yyzzzz"),
    (Kind::Pclr, "pclr", "100011cc0000zzzz"),
    (Kind::Pdmsb, "pdmsb", "100111ccxx00zzzz"),
    (Kind::Pdmsb, "pdmsb", "101111cc00yyzzzz"),
    (Kind::Pneg, "pneg", "110010ccxx00zzzz"),
    (Kind::Pneg, "pneg", "111010cc00yyzzzz"),
    (Kind::Pcopy, "pcopy", "110110ccxx00zzzz"),
    (Kind::Pcopy, "pcopy", "111110cc00yyzzzz"),
    (Kind::PstsMach, "psts", "110011cc0000zzzz"),
    (Kind::PstsMacl, "psts", "110111cc0000zzzz"),
    (Kind::PldsMach, "plds", "111011cc0000zzzz"),
    (Kind::PldsMacl, "plds", "111111cc0000zzzz"),
];

/// The operation of 16 bits; nothing if they mean nothing.
pub fn operation(word: u16) -> Option<Operation> {
    OPERATIONS.iter().find_map(|&(kind, name, pattern)| {
        let (mask, bits) = encoding(pattern);
        (word & mask == bits).then(|| decoded(word, kind, name, pattern))?
    })
}

fn decoded(word: u16, kind: Kind, name: &'static str, pattern: &str) -> Option<Operation> {
    let has = |letter: char| pattern.contains(letter);
    let pair = |set: [Register; 4], at: u32| set[usize::from(word >> at & 3)];
    let condition = match word >> 8 & 3 {
        _ if !has('c') => Condition::Always,
        0 => return None,
        1 => Condition::Always,
        2 => Condition::True,
        _ => Condition::False,
    };
    let x = has('x').then(|| pair(SX, 6));
    let y = has('y').then(|| pair(SY, 4));
    let to = match (has('z'), has('u')) {
        (true, _) => Some(Register::of(word).filter(|to| !to.is_guard())?),
        (_, true) => Some(pair(DU, 0)),
        _ => None,
    };
    let product = has('g').then(|| [pair(SE, 10), pair(SF, 8), pair(DG, 2)]);
    let amount = ((word >> 3) as i8) >> 1;
    let longest = if kind == Kind::PshlImmediate { 16 } else { 32 };
    if has('i') && !(-longest..=longest).contains(&amount) {
        return None;
    }
    let b = if x.is_some() { y } else { None };
    Some(Operation { kind, name, condition, a: x.or(y), b, to, product, amount })
}

impl Operation {
    /// Its text, as the GNU tools print it.
    pub fn text(&self) -> String {
        let prefix = match self.condition {
            Condition::Always => "",
            Condition::True => "dct ",
            Condition::False => "dcf ",
        };
        let mut operands: Vec<String> = match self.kind {
            Kind::PshlImmediate | Kind::PshaImmediate => vec![format!("#{}", self.amount & 0x7f)],
            Kind::PstsMach => vec!["mach".to_owned()],
            Kind::PstsMacl => vec!["macl".to_owned()],
            _ => vec![],
        };
        operands.extend([self.a, self.b, self.to].into_iter().flatten().map(named));
        match self.kind {
            Kind::PldsMach => operands.push("mach".to_owned()),
            Kind::PldsMacl => operands.push("macl".to_owned()),
            _ => {}
        }
        let product =
            self.product.map(|[a, b, to]| format!("pmuls {},{},{}", a.name(), b.name(), to.name()));
        if self.kind == Kind::Pmuls {
            return product.unwrap_or_default();
        }
        let own = format!("{prefix}{} {}", self.name, operands.join(","));
        product.map_or_else(|| own.clone(), |product| format!("{own} {product}"))
    }
}

fn named(register: Register) -> String {
    register.name().to_owned()
}
