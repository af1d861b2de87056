//! Values of several scopes, a lane for each, and the operations on them.

use cocrypt_codegen::{Comparison, KernelBuilder, LaneWidth, Lanes};

use crate::sim::code::{Code, Instr};

/// The values of some scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Numbers that never change.
    Numbers(Vec<u64>),
    /// Numbers, and the bits that can be set in them.
    Bits(Lanes, u64),
    /// Truth: all bits of a lane, or none.
    Mask(Lanes),
}

impl Value {
    /// The bits that can be set.
    fn bound(&self) -> u64 {
        match self {
            Self::Numbers(numbers) => numbers.iter().fold(0, |bound, number| bound | number),
            Self::Bits(_, bound) => *bound,
            Self::Mask(_) => 1,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.bound() == 0
    }

    fn is_mask(&self) -> bool {
        matches!(self, Self::Mask(_))
    }
}

/// Operations on lanes of one width.
pub(super) struct LaneBuilder<'e, 'c, 'f> {
    pub builder: &'e mut KernelBuilder<'c, 'f>,
    pub width: LaneWidth,
}

impl LaneBuilder<'_, '_, '_> {
    pub fn splat(&mut self, number: u64) -> Lanes {
        self.builder.constant_lanes(self.width, &vec![number; self.width.lanes()])
    }

    pub fn bits(&mut self, value: &Value) -> Lanes {
        match value {
            Value::Numbers(numbers) => self.builder.constant_lanes(self.width, numbers),
            Value::Bits(lanes, _) => *lanes,
            Value::Mask(mask) => {
                let one = self.splat(1);
                self.builder.and_lanes(*mask, one)
            }
        }
    }

    /// The truth of values that are 0 or 1; nothing of others.
    pub fn mask(&mut self, value: &Value) -> Option<Lanes> {
        match value {
            Value::Mask(mask) => Some(*mask),
            _ if value.bound() > 1 => None,
            Value::Numbers(numbers) => {
                let all = self.width.mask();
                let masks: Vec<u64> = numbers.iter().map(|number| number * all).collect();
                Some(self.builder.constant_lanes(self.width, &masks))
            }
            Value::Bits(lanes, _) => Some(self.builder.negate_lanes(*lanes)),
        }
    }

    /// True where a value is not 0.
    pub fn condition(&mut self, value: &Value) -> Lanes {
        if let Some(mask) = self.mask(value) {
            return mask;
        }
        let (lanes, zero) = (self.bits(value), self.splat(0));
        let is_zero = self.builder.compare_lanes(Comparison::Equal, lanes, zero);
        self.builder.not_lanes(is_zero)
    }

    /// Masks of both values, where they are of one bit and one is a mask already.
    fn masks(&mut self, instr: &Instr, a: &Value, b: &Value) -> Option<[Lanes; 2]> {
        if instr.mask != 1 || !(a.is_mask() || b.is_mask()) {
            return None;
        }
        Some([self.mask(a)?, self.mask(b)?])
    }

    /// A result without the bits beyond its width, of which some may be set.
    fn cut(&mut self, lanes: Lanes, possible: u64, mask: u64) -> Value {
        let possible = possible & self.width.mask();
        if possible & !mask == 0 {
            return Value::Bits(lanes, possible);
        }
        let kept = self.splat(mask);
        Value::Bits(self.builder.and_lanes(lanes, kept), possible & mask)
    }

    /// The result of an instruction with these operands; `amount` is that of a shift.
    pub fn instruction(&mut self, instr: &Instr, operands: &[Value], amount: u64) -> Value {
        let a = &operands[0];
        let b = operands.get(1).unwrap_or(a);
        let full = self.width.mask();
        match instr.code {
            Code::Not if a.is_mask() && instr.mask == 1 => {
                let lanes = self.condition(a);
                Value::Mask(self.builder.not_lanes(lanes))
            }
            Code::Not => {
                let lanes = self.bits(a);
                let lanes = self.builder.not_lanes(lanes);
                self.cut(lanes, full, instr.mask)
            }
            Code::Negate => {
                let lanes = self.bits(a);
                let lanes = self.builder.negate_lanes(lanes);
                self.cut(lanes, full, instr.mask)
            }
            Code::And | Code::Or | Code::Xor => self.logic(instr, a, b),
            Code::Add | Code::Sub | Code::Mul => {
                let [a, b] = [a, b].map(|value| self.bits(value));
                let result = match instr.code {
                    Code::Add => self.builder.add_lanes(a, b),
                    Code::Sub => self.builder.subtract_lanes(a, b),
                    _ => self.builder.multiply_lanes(a, b),
                };
                self.cut(result, full, instr.mask)
            }
            Code::Equal | Code::Less | Code::LessSigned => self.comparison(instr, a, b),
            Code::Slice => {
                let lanes = self.bits(a);
                let shifted = self.shifted_right(lanes, instr.c);
                self.cut(shifted, a.bound() >> instr.c, instr.mask)
            }
            Code::Concat => {
                let bound = a.bound() << instr.c | b.bound();
                let [high, low] = [a, b].map(|value| self.bits(value));
                let high = self.shifted_left(high, instr.c);
                Value::Bits(self.builder.or_lanes(high, low), bound)
            }
            Code::SignExtend => {
                let unused = self.unused(instr);
                let lanes = self.bits(a);
                let high = self.shifted_left(lanes, unused);
                let extended = self.builder.shift_lanes_right_signed(high, unused);
                self.cut(extended, full, instr.mask)
            }
            Code::ShiftLeftWide | Code::ShiftRightWide | Code::ShiftRightSignedWide => {
                self.shift(instr, a, amount)
            }
            Code::Mux => self.choice(instr, a, b, &operands[2]),
            _ => a.clone(),
        }
    }

    fn logic(&mut self, instr: &Instr, a: &Value, b: &Value) -> Value {
        let masks = self.masks(instr, a, b);
        let [left, right] = masks.unwrap_or_else(|| [a, b].map(|value| self.bits(value)));
        let (result, bound) = match instr.code {
            Code::And => (self.builder.and_lanes(left, right), a.bound() & b.bound()),
            Code::Or => (self.builder.or_lanes(left, right), a.bound() | b.bound()),
            _ => (self.builder.xor_lanes(left, right), a.bound() | b.bound()),
        };
        if masks.is_some() { Value::Mask(result) } else { Value::Bits(result, bound) }
    }

    fn comparison(&mut self, instr: &Instr, a: &Value, b: &Value) -> Value {
        if let Some([a, b]) = self.masks(instr, a, b).filter(|_| instr.code == Code::Equal) {
            let differs = self.builder.xor_lanes(a, b);
            return Value::Mask(self.builder.not_lanes(differs));
        }
        let [mut left, mut right] = [a, b].map(|value| self.bits(value));
        let how = match instr.code {
            Code::Equal => Comparison::Equal,
            Code::Less => Comparison::Below,
            _ => {
                let unused = self.unused(instr);
                [left, right] = [left, right].map(|lanes| self.shifted_left(lanes, unused));
                Comparison::BelowSigned
            }
        };
        Value::Mask(self.builder.compare_lanes(how, left, right))
    }

    /// The bits of a lane that an operand does not have, where the instruction names those of a limb.
    fn unused(&self, instr: &Instr) -> u32 {
        instr.c - (u64::BITS - self.width.bits())
    }

    fn shifted_left(&mut self, lanes: Lanes, by: u32) -> Lanes {
        if by == 0 { lanes } else { self.builder.shift_lanes_left(lanes, by) }
    }

    fn shifted_right(&mut self, lanes: Lanes, by: u32) -> Lanes {
        if by == 0 { lanes } else { self.builder.shift_lanes_right(lanes, by) }
    }

    fn shift(&mut self, instr: &Instr, a: &Value, amount: u64) -> Value {
        let (lanes, full) = (self.bits(a), self.width.mask());
        let by = u32::try_from(amount).unwrap_or(u32::MAX).min(instr.c);
        match instr.code {
            Code::ShiftRightSignedWide => {
                let unused = self.width.bits() - instr.c;
                let high = self.shifted_left(lanes, unused);
                let by = (unused + by).min(self.width.bits() - 1);
                let shifted = self.builder.shift_lanes_right_signed(high, by);
                self.cut(shifted, full, instr.mask)
            }
            _ if by == instr.c => Value::Numbers(vec![0; self.width.lanes()]),
            Code::ShiftLeftWide => {
                let shifted = self.shifted_left(lanes, by);
                self.cut(shifted, a.bound() << by, instr.mask)
            }
            _ => {
                let shifted = self.shifted_right(lanes, by);
                self.cut(shifted, a.bound() >> by, instr.mask)
            }
        }
    }

    fn choice(&mut self, instr: &Instr, condition: &Value, yes: &Value, no: &Value) -> Value {
        let condition = self.condition(condition);
        let masks = self.masks(instr, yes, no);
        let [left, right] = masks.unwrap_or_else(|| [yes, no].map(|value| self.bits(value)));
        let taken = self.builder.and_lanes(left, condition);
        let other = self.builder.and_not_lanes(right, condition);
        let result = match (yes.is_zero(), no.is_zero()) {
            (true, _) => other,
            (_, true) => taken,
            _ => self.builder.or_lanes(taken, other),
        };
        if masks.is_some() {
            Value::Mask(result)
        } else {
            Value::Bits(result, yes.bound() | no.bound())
        }
    }
}
