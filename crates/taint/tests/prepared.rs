//! Prepared operations give what the functions of `shadow` give, and write their destination alone.

use cocrypt_ir::strategies::{binary, comparison, slot, value, width};
use cocrypt_ir::{Binary, Op, Slot, Value, condition};
use cocrypt_sample::cases;
use cocrypt_taint::cells::Cells;
use cocrypt_taint::prepared::Prepared;
use cocrypt_taint::shadow::{self, Shadowed};
use proptest::prelude::*;

const CELLS: u16 = 4;

/// Small numbers reach what amounts of shifts, divisions by zero and equal operands do.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), 0_u64..70, Just(u64::MAX)]
}

fn shadowed() -> impl Strategy<Value = Shadowed> {
    (number(), prop_oneof![Just(0), number()])
        .prop_map(|(value, secret)| Shadowed::new(value, secret))
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        1 => (slot(CELLS), value(CELLS)).prop_map(|(dst, src)| Op::Move { dst, src }),
        6 => (binary(), width(), slot(CELLS), slot(CELLS), value(CELLS))
            .prop_map(|(op, width, dst, a, b)| Op::Binary { op, width, dst, a: Value::Slot(a), b }),
        3 => (comparison(), width(), slot(CELLS), slot(CELLS), value(CELLS)).prop_map(
            |(condition, width, dst, a, b)| {
                Op::Compare { condition, width, dst, a: Value::Slot(a), b }
            }
        ),
    ]
}

/// What an operation gives by the definitions.
fn expected(op: &Op, get: impl Fn(Value) -> Shadowed) -> Shadowed {
    match *op {
        Op::Move { src, .. } => get(src),
        Op::Binary { op: Binary::Xor | Binary::Sub, a, b, .. } if a == b => Shadowed::public(0),
        Op::Binary { op, width, a, b, .. } => shadow::binary(op, width, get(a), get(b)),
        Op::Compare { condition: which, width, a, b, .. } => {
            let (a, b) = (get(a), get(b));
            let value = condition(which, width, a.value, b.value);
            Shadowed::new(value.into(), shadow::compare(which, width, a, b).into())
        }
        _ => unreachable!("not drawn"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20_000)))]
    #[test]
    fn prepared_operations_give_what_their_definitions_give(
        op in op(), contents in prop::collection::vec(shadowed(), usize::from(CELLS)),
    ) {
        let mut cells = Cells::new(&[]);
        for (slot, &content) in (0..CELLS).map(Slot).zip(&contents) {
            cells.set(slot, content);
        }
        let get = |value| match value {
            Value::Slot(slot) => contents[usize::from(slot.0)],
            Value::Const(value) => Shadowed::public(value),
        };
        let result = expected(&op, get);
        let dst = op.dst().expect("each of them writes a cell");
        Prepared::new(&op).expect("each of them is prepared").run(&mut cells);
        for slot in (0..CELLS).map(Slot) {
            let content = if slot == dst { result } else { get(Value::Slot(slot)) };
            prop_assert_eq!(cells.get(slot), content, "{:?} of {:?}", slot, op);
        }
    }
}
