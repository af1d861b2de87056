//! Expressions as nodes: every value becomes as many bits as are asked for.
//!
//! [`Lowering::bits`] yields the low `n` bits of a value's two's complement. Most operators need
//! only as many bits of their operands, so that what an assignment cuts off is never built.

use cocrypt_rtl::{Bits, NetId, NodeId, Op};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::Lowering;
use crate::ast::Binary;
use crate::model::{Expr, ExprKind, Type};
use crate::range::{Range, range_by};
use crate::value::{self, Nothing};

/// The low bits of a number's two's complement.
pub(super) fn limbs(number: &BigInt, width: u32) -> Bits {
    let (_, digits) = Type::ns(width).wrap(number).to_u64_digits();
    Bits::new(width, &digits)
}

impl Lowering<'_> {
    /// The range of an expression. Within another one this is asked at every level, and kept.
    pub(super) fn range(&mut self, index: usize, expr: &Expr) -> Range {
        let address = std::ptr::from_ref(expr) as usize;
        if self.depth > 0
            && let Some(known) = self.ranges.get(&address)
        {
            return known.clone();
        }
        let instance = &self.instances[index];
        let tables = std::mem::take(&mut self.tables[instance.datapath]);
        let found = self.range_within((&instance.ranges, &tables), expr);
        self.tables[instance.datapath] = tables;
        found
    }

    fn range_within(&mut self, known: (&[Range], &[Range]), expr: &Expr) -> Range {
        let address = std::ptr::from_ref(expr) as usize;
        let (symbols, tables) = known;
        let found = range_by(expr, symbols, tables, &mut |inner| self.range_within(known, inner));
        if self.depth > 0 {
            self.ranges.insert(address, found.clone());
        }
        found
    }

    /// The low `width` bits of an expression's value in an instance.
    pub(super) fn bits(&mut self, index: usize, expr: &Expr, width: u32) -> NodeId {
        if expr.is_constant() {
            return self.number(&value::evaluate(expr, &Nothing), width);
        }
        self.depth += 1;
        let range = self.range(index, expr);
        let own = range.width();
        let node = self.few_bits(index, expr, width.min(own));
        self.depth -= 1;
        if self.depth == 0 {
            self.ranges.clear();
        }
        self.builder.extend(node, width, range.is_signed())
    }

    fn number(&mut self, number: &BigInt, width: u32) -> NodeId {
        self.builder.constant(width, limbs(number, width).limbs())
    }

    /// The same for at most as many bits as the value has.
    fn few_bits(&mut self, index: usize, expr: &Expr, width: u32) -> NodeId {
        match &expr.kind {
            ExprKind::Constant(number) => self.number(number, width),
            ExprKind::Symbol(symbol) => {
                let node = self.builder.net(self.instances[index].net(*symbol));
                self.builder.slice(node, 0, width)
            }
            ExprKind::Lookup(table, entry) => self.entry(index, *table, entry, width),
            ExprKind::Element(array, element) => self.element(index, *array, element, width),
            ExprKind::Negate(inner) => {
                let inner = self.bits(index, inner, width);
                self.builder.node(Op::Negate(inner), width)
            }
            ExprKind::Not(inner) => {
                let inner = self.bits(index, inner, width);
                self.builder.not(inner)
            }
            ExprKind::Cast(inner) => self.bits(index, inner, width),
            ExprKind::Select(inner, low) => self.select(index, inner, *low, width),
            ExprKind::Choose(condition, yes, no) => {
                let condition = self.truth(index, condition);
                let (yes, no) = (self.bits(index, yes, width), self.bits(index, no, width));
                self.builder.mux(condition, yes, no)
            }
            ExprKind::Binary(operator, a, b) => self.binary(index, *operator, (a, b), width),
        }
    }

    /// True if any bit of a value is 1.
    fn truth(&mut self, index: usize, expr: &Expr) -> NodeId {
        let width = self.range(index, expr).width();
        let node = self.bits(index, expr, width);
        self.builder.any(node)
    }

    /// A table's entry. A negative index is past the table's end like one that is too large.
    fn entry(&mut self, index: usize, table: usize, entry: &Expr, width: u32) -> NodeId {
        let (entries, ty) = {
            let table = &self.datapath(index).tables[table];
            (table.entries.len(), table.ty)
        };
        let position = self.position(index, entry, entries);
        let table = self.table(index, table);
        let node = self.builder.lookup(table, position);
        self.resized(node, ty, width)
    }

    /// An array's element.
    fn element(&mut self, index: usize, array: usize, element: &Expr, width: u32) -> NodeId {
        let (elements, ty) = {
            let array = &self.datapath(index).arrays[array];
            (array.initial.len(), array.ty)
        };
        let position = self.position(index, element, elements);
        let memory = self.memory(index, array);
        let node = self.builder.read(memory, position);
        self.resized(node, ty, width)
    }

    /// An index among so many entries: wide enough that a negative one is past the end.
    pub(super) fn position(&mut self, index: usize, entry: &Expr, entries: usize) -> NodeId {
        let values = self.range(index, entry);
        let room = usize::BITS - entries.leading_zeros() + 1;
        let wide = if values.is_signed() { values.width().max(room) } else { values.width() };
        self.bits(index, entry, wide)
    }

    /// A value of some type with more bits, or with fewer.
    fn resized(&mut self, node: NodeId, ty: Type, width: u32) -> NodeId {
        if width > ty.width {
            return self.builder.extend(node, width, ty.signed);
        }
        self.builder.slice(node, 0, width)
    }

    /// The bits from `low` on.
    fn select(&mut self, index: usize, inner: &Expr, low: u32, width: u32) -> NodeId {
        let node = self.bits(index, inner, low + width);
        self.builder.slice(node, low, width)
    }

    fn binary(
        &mut self,
        index: usize,
        operator: Binary,
        (a, b): (&Expr, &Expr),
        width: u32,
    ) -> NodeId {
        let same_width: fn(NodeId, NodeId) -> Op = match operator {
            Binary::Add => Op::Add,
            Binary::Sub => Op::Sub,
            Binary::Mul => Op::Mul,
            Binary::And => Op::And,
            Binary::Or => Op::Or,
            Binary::Xor => Op::Xor,
            Binary::Concat => return self.concat(index, (a, b), width),
            Binary::ShiftLeft => return self.shift_left(index, (a, b), width),
            Binary::ShiftRight => return self.shift_right(index, (a, b), width),
            Binary::Remainder => return self.remainder(index, (a, b), width),
            Binary::Divide => return self.quotient(index, (a, b), width),
            _ => return self.compare(index, operator, (a, b)),
        };
        let (a, b) = (self.bits(index, a, width), self.bits(index, b, width));
        self.builder.node(same_width(a, b), width)
    }

    /// A quotient by a number: a product by its inverse with so many bits that what is cut off is right.
    /// A dividend that may be negative is first made positive, by a multiple of the divisor.
    fn quotient(&mut self, index: usize, (a, b): (&Expr, &Expr), width: u32) -> NodeId {
        let divisor = value::evaluate(b, &Nothing);
        let values = self.range(index, a);
        let below =
            if values.is_signed() { (-&values.low + &divisor) / &divisor } else { 0.into() };
        let offset = &below * &divisor;
        let bits = (&values.high + &offset).bits().max(1) as u32;
        let word = self.bits(index, a, bits);
        let offset = self.number(&offset, bits);
        let word = self.builder.node(Op::Add(word, offset), bits);
        let shift = bits + divisor.bits() as u32;
        let inverse: BigInt = ((BigInt::from(1) << shift) + &divisor - 1) / &divisor;
        let wide = bits + inverse.bits() as u32;
        let word = self.builder.extend(word, wide, false);
        let inverse = self.number(&inverse, wide);
        let product = self.builder.node(Op::Mul(word, inverse), wide);
        let whole = match wide.saturating_sub(shift) {
            // The divisor is above all values.
            0 => self.number(&BigInt::ZERO, width),
            kept if kept < width => {
                let whole = self.builder.slice(product, shift, kept);
                self.builder.extend(whole, width, false)
            }
            _ => self.builder.slice(product, shift, width),
        };
        let below = self.number(&below, width);
        self.builder.node(Op::Sub(whole, below), width)
    }

    fn compare(&mut self, index: usize, operator: Binary, (a, b): (&Expr, &Expr)) -> NodeId {
        let both = self.range(index, a).union(&self.range(index, b));
        let (left, right) = (self.bits(index, a, both.width()), self.bits(index, b, both.width()));
        let less = if both.is_signed() { Op::LessSigned } else { Op::Less };
        let (op, inverted) = match operator {
            Binary::Equal => (Op::Equal(left, right), false),
            Binary::NotEqual => (Op::Equal(left, right), true),
            Binary::Less => (less(left, right), false),
            Binary::GreaterEqual => (less(left, right), true),
            Binary::Greater => (less(right, left), false),
            _ => (less(right, left), true),
        };
        let node = self.builder.node(op, 1);
        if inverted { self.builder.not(node) } else { node }
    }

    /// `(a << width of b) | b`, which is more than putting the two side by side when b lies outside
    /// its type or is negative.
    fn concat(&mut self, index: usize, (a, b): (&Expr, &Expr), width: u32) -> NodeId {
        let border = b.ty.width;
        if width <= border && a.ty.width > 0 {
            return self.bits(index, b, width);
        }
        let high = self.bits(index, a, width - border);
        if Range::of(Type::ns(border)).contains(&self.range(index, b)) {
            let low = self.bits(index, b, border);
            return self.builder.concat(high, low);
        }
        let zeros = self.builder.constant(border, &[]);
        let shifted = self.builder.concat(high, zeros);
        let low = self.bits(index, b, width);
        self.builder.node(Op::Or(shifted, low), width)
    }

    fn shift_left(&mut self, index: usize, (a, b): (&Expr, &Expr), width: u32) -> NodeId {
        if let Some(amount) = constant_amount(b) {
            if amount == 0 {
                return self.bits(index, a, width);
            }
            let zeros = self.builder.constant(amount.min(width), &[]);
            if amount >= width {
                return zeros;
            }
            let high = self.bits(index, a, width - amount);
            return self.builder.concat(high, zeros);
        }
        let value = self.bits(index, a, width);
        let amount = self.bits(index, b, b.ty.width);
        self.builder.node(Op::ShiftLeft(value, amount), width)
    }

    fn shift_right(&mut self, index: usize, (a, b): (&Expr, &Expr), width: u32) -> NodeId {
        let values = self.range(index, a);
        if let Some(amount) = constant_amount(b) {
            // Beyond the highest bit there are only copies of the sign.
            return self.select(index, a, amount.min(values.width()), width);
        }
        let value = self.bits(index, a, values.width());
        let amount = self.bits(index, b, b.ty.width);
        let signed = values.is_signed();
        let shift = if signed { Op::ShiftRightSigned } else { Op::ShiftRight };
        let node = self.builder.node(shift(value, amount), values.width());
        self.fit(node, signed, width)
    }

    /// The mathematical remainder, 0 or above, of operands of any sign.
    fn remainder(&mut self, index: usize, (a, b): (&Expr, &Expr), width: u32) -> NodeId {
        let (values_a, values_b) = (self.range(index, a), self.range(index, b));
        let wide = values_a.union(&values_b).width();
        let (left, right) = (self.bits(index, a, wide), self.bits(index, b, wide));
        let divisor = self.absolute(right, values_b.is_signed());
        let dividend = self.absolute(left, values_a.is_signed());
        let mut rest = self.builder.node(Op::Remainder(dividend, divisor), wide);
        if values_a.is_signed() {
            let sign = self.builder.slice(left, wide - 1, 1);
            let some = self.builder.any(rest);
            let negative = self.builder.node(Op::And(sign, some), 1);
            let complement = self.builder.node(Op::Sub(divisor, rest), wide);
            rest = self.builder.mux(negative, complement, rest);
        }
        self.fit(rest, false, width)
    }

    fn absolute(&mut self, node: NodeId, signed: bool) -> NodeId {
        if !signed {
            return node;
        }
        let width = self.builder.width(node);
        let sign = self.builder.slice(node, width - 1, 1);
        let negated = self.builder.node(Op::Negate(node), width);
        self.builder.mux(sign, negated, node)
    }

    fn fit(&mut self, node: NodeId, signed: bool, width: u32) -> NodeId {
        if width <= self.builder.width(node) {
            return self.builder.slice(node, 0, width);
        }
        self.builder.extend(node, width, signed)
    }

    /// The target of a child's output, converted from the port's type to the target's.
    pub(super) fn child_output(
        &mut self,
        (child, port): (usize, usize),
        (from, to): (Type, Type),
        target: NetId,
    ) -> NodeId {
        let values = self.instances[child].ranges[port].clone();
        let node = self.builder.net(self.instances[child].net(port));
        let result = values.clone().converted(from, to);
        let node = self.fit(node, values.is_signed(), result.width());
        let width = self.builder.netlist.net(target).width;
        self.fit(node, result.is_signed(), width)
    }
}

/// The amount of a shift by a compile-time expression.
fn constant_amount(b: &Expr) -> Option<u32> {
    if !b.is_constant() {
        return None;
    }
    let amount = Type::ns(b.ty.width).wrap(&value::evaluate(b, &Nothing));
    debug_assert!(amount.sign() != Sign::Minus, "wrapping to ns leaves no sign");
    Some(amount.to_u32().unwrap_or(u32::MAX))
}
