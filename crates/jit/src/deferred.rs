//! Values that compiled code need not compute where the guest does.
//!
//! Cranelift computes a value without side effects where it is first needed. What only an exit stores is
//! computed in the exit, which suits flags: they cost nothing unless an exit is taken. What grows from
//! instruction to instruction without being needed in between, as a carry that each rotation passes on,
//! is computed again in every exit, from its beginning, so that code and compile time grow with the square
//! of the region. The emitter asks here how much an exit would have to compute.

use cocrypt_ir::{Op, Slot, Value};

/// Operations that an exit may compute for a cell at most.
const MOST: usize = 8;
/// Cells of a machine at most, temporaries included.
pub const CELLS: usize = 256;

/// The expression of a value, by number. All that the code has computed, or loaded, is `COMPUTED`.
type Number = u32;
const COMPUTED: Number = 0;

/// The operation that yields a value.
#[derive(Clone, Copy, Debug)]
struct Expression {
    operands: [Number; 3],
    is_computed: bool,
}

/// The expressions of the cells at one point of the code.
pub type Cells = [Number; CELLS];
/// All cells are computed, as where paths meet.
pub const ALL_COMPUTED: Cells = [COMPUTED; CELLS];

/// The values of a region that the code has not computed yet.
#[derive(Debug)]
pub struct Deferred {
    expressions: Vec<Expression>,
    /// The expression of each cell where the emitter stands.
    pub cells: Cells,
}

impl Deferred {
    /// Nothing is deferred where a region begins.
    pub fn new() -> Self {
        let computed = Expression { operands: [COMPUTED; 3], is_computed: true };
        Self { expressions: vec![computed], cells: ALL_COMPUTED }
    }

    /// Notes an operation that the code contains. Accesses compute their operands.
    pub fn note(&mut self, op: &Op) {
        if op.is_access() {
            for operand in op.operands() {
                self.compute(operand);
            }
        }
        let Some(dst) = op.dst() else { return };
        let is_placed = op.is_access() || matches!(op, Op::Count { .. });
        self.cells[usize::from(dst.0)] = if is_placed { COMPUTED } else { self.expression(op) };
    }

    /// Notes an operation that is skipped on some paths: its value is computed where they meet.
    pub fn note_guarded(&mut self, op: &Op) {
        if let Some(dst) = op.dst() {
            self.cells[usize::from(dst.0)] = COMPUTED;
        }
    }

    /// Notes that the code computes an operand here.
    pub fn compute(&mut self, operand: Value) {
        let Some(slot) = operand.slot() else { return };
        let mut pending = vec![self.cells[usize::from(slot.0)]];
        while let Some(number) = pending.pop() {
            let expression = &mut self.expressions[number as usize];
            if !expression.is_computed {
                expression.is_computed = true;
                pending.extend(expression.operands);
            }
        }
    }

    /// Returns true if an exit would compute too much for a cell.
    pub fn is_deep(&self, slot: Slot) -> bool {
        let mut met = vec![self.cells[usize::from(slot.0)]];
        met.retain(|&number| !self.expressions[number as usize].is_computed);
        let mut next = 0;
        while next < met.len() && met.len() <= MOST {
            for operand in self.expressions[met[next] as usize].operands {
                let is_computed = self.expressions[operand as usize].is_computed;
                if !is_computed && !met.contains(&operand) {
                    met.push(operand);
                }
            }
            next += 1;
        }
        met.len() > MOST
    }

    fn expression(&mut self, op: &Op) -> Number {
        let mut operands = [COMPUTED; 3];
        for (operand, value) in operands.iter_mut().zip(op.operands()) {
            *operand = value.slot().map_or(COMPUTED, |slot| self.cells[usize::from(slot.0)]);
        }
        let number = self.expressions.len() as Number;
        self.expressions.push(Expression { operands, is_computed: false });
        number
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::{Binary, Width};

    use super::*;

    const SUM: Slot = Slot(1);

    fn add(dst: Slot, a: Slot, b: Slot) -> Op {
        let (a, b) = (Value::Slot(a), Value::Slot(b));
        Op::Binary { op: Binary::Add, width: Width::W32, dst, a, b }
    }

    fn add_often(deferred: &mut Deferred, additions: usize) {
        for _ in 0..additions {
            deferred.note(&add(SUM, SUM, Slot(2)));
        }
    }

    fn after(additions: usize) -> Deferred {
        let mut deferred = Deferred::new();
        add_often(&mut deferred, additions);
        deferred
    }

    #[test]
    fn sums_that_nobody_needs_get_deep() {
        assert!(!after(MOST).is_deep(SUM));
        assert!(after(MOST + 1).is_deep(SUM));
    }

    #[test]
    fn a_sum_that_is_computed_begins_again() {
        let mut deferred = after(MOST + 1);
        deferred.compute(Value::Slot(SUM));
        assert!(!deferred.is_deep(SUM));
        add_often(&mut deferred, MOST);
        assert!(!deferred.is_deep(SUM));
        deferred.note(&add(SUM, SUM, Slot(2)));
        assert!(deferred.is_deep(SUM));
    }

    #[test]
    fn doubling_counts_each_operation_once() {
        let mut deferred = Deferred::new();
        for _ in 0..MOST {
            deferred.note(&add(SUM, SUM, SUM));
        }
        assert!(!deferred.is_deep(SUM));
    }

    #[test]
    fn an_access_computes_its_address_and_loads_its_value() {
        let (mut deferred, loaded) = (after(MOST + 1), Slot(3));
        for _ in 0..=MOST {
            deferred.note(&add(loaded, loaded, Slot(2)));
        }
        assert!(deferred.is_deep(loaded));
        let base = Value::Slot(SUM);
        deferred.note(&Op::Load { width: Width::W32, signed: false, dst: loaded, base, offset: 0 });
        assert!(!deferred.is_deep(SUM) && !deferred.is_deep(loaded));
    }

    #[test]
    fn a_guarded_value_is_computed_where_paths_meet() {
        let mut deferred = after(MOST + 1);
        deferred.note_guarded(&add(SUM, SUM, Slot(2)));
        assert!(!deferred.is_deep(SUM));
    }
}
