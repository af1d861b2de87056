//! The operations that gates are simulated by, and the choice of one for a truth table.

/// An operation on up to four operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Op {
    Buffer,
    Invert,
    And2,
    Nand2,
    Or2,
    Nor2,
    Xor2,
    Xnor2,
    And3,
    Nand3,
    Or3,
    Nor3,
    /// `c ? b : a`.
    Mux,
    AndOr21,
    OrAnd21,
    AndOrInvert21,
    OrAndInvert21,
    AndOr22,
    OrAnd22,
    AndOrInvert22,
    OrAndInvert22,
}

/// Each operation with its number of operands and its truth table, the first operand the lowest bit.
const TABLES: [(Op, usize, u64); 21] = [
    (Op::Buffer, 1, 0b10),
    (Op::Invert, 1, 0b01),
    (Op::And2, 2, 0x8),
    (Op::Nand2, 2, 0x7),
    (Op::Or2, 2, 0xe),
    (Op::Nor2, 2, 0x1),
    (Op::Xor2, 2, 0x6),
    (Op::Xnor2, 2, 0x9),
    (Op::And3, 3, 0x80),
    (Op::Nand3, 3, 0x7f),
    (Op::Or3, 3, 0xfe),
    (Op::Nor3, 3, 0x01),
    (Op::Mux, 3, 0xca),
    (Op::AndOr21, 3, 0xf8),
    (Op::OrAnd21, 3, 0xe0),
    (Op::AndOrInvert21, 3, 0x07),
    (Op::OrAndInvert21, 3, 0x1f),
    (Op::AndOr22, 4, 0xf888),
    (Op::OrAnd22, 4, 0xeee0),
    (Op::AndOrInvert22, 4, 0x0777),
    (Op::OrAndInvert22, 4, 0x111f),
];

/// The number of operands of an operation, and its truth table.
pub fn table(op: Op) -> (usize, u64) {
    let found = TABLES.iter().find(|(other, _, _)| *other == op);
    found.map(|&(_, operands, table)| (operands, table)).expect("each operation has a table")
}

/// The operation of a truth table of `inputs` inputs, and for each of its operands the input that it is.
pub fn find(table: u64, inputs: usize) -> Option<(Op, Vec<usize>)> {
    let fitting = TABLES.iter().filter(|(_, operands, _)| *operands == inputs);
    fitting
        .flat_map(|&(op, _, wanted)| {
            orders(inputs).into_iter().map(move |order| (op, wanted, order))
        })
        .find(|(_, wanted, order)| permuted(table, order) == *wanted)
        .map(|(op, _, order)| (op, order))
}

/// All orders of so many inputs.
pub fn orders(inputs: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for input in 0..inputs {
        orders = orders
            .iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, input);
                    longer
                })
            })
            .collect();
    }
    orders
}

/// The truth table over operands of which operand `k` is input `order[k]`.
pub fn permuted(table: u64, order: &[usize]) -> u64 {
    let source = |row: usize| {
        order
            .iter()
            .enumerate()
            .fold(0, |index, (operand, input)| index | (row >> operand & 1) << input)
    };
    (0..1 << order.len()).fold(0, |result, row| result | (table >> source(row) & 1) << row)
}

#[cfg(test)]
mod tests {
    use super::{Op, find};

    #[test]
    fn operands_are_found_in_any_order() {
        // c & b | a: the first operand pair is of inputs 1 and 2.
        let (op, order) = find(0b1110_1010, 3).unwrap();
        assert_eq!(op, Op::AndOr21);
        assert_eq!(order[2], 0);
        assert_eq!(find(0b1001_0110, 3), None);
    }
}
