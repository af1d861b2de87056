//! Functions of three values: their order, their slots and the loops that compute them.

use std::collections::HashMap;

use cocrypt_simd::Kernel;

use super::cover::{Lookup, OPERANDS};
use super::kernel::{WORDS, Word};
use super::op;

/// Functions with one table.
#[derive(Clone, Debug)]
pub struct Run {
    /// One of `CLASSES`.
    table: u8,
    /// The slots of the operands of each, and of its output.
    slots: Vec<[u32; OPERANDS + 1]>,
}

/// Functions as runs, with a slot for each signal that they read or write.
pub struct Placement {
    pub runs: Vec<Run>,
    /// The slots of lasting signals.
    pub slot: HashMap<usize, usize>,
    /// The number of slots.
    pub slots: usize,
}

impl Placement {
    /// Places functions that stand in an order in which operands come before their uses. Lasting signals keep their
    /// slots; all others give them to later ones, so that few slots are in use, and these stay in the host's caches.
    pub fn new(lookups: &[Lookup], lasting: &[usize]) -> Self {
        let outputs = lookups.iter().map(|lookup| lookup.output);
        let signals = outputs.chain(lasting.iter().copied()).max().map_or(0, |signal| signal + 1);
        let ordered = sorted(lookups, signals);
        let mut last = vec![0; signals];
        for (index, lookup) in ordered.iter().enumerate() {
            lookup.operands.iter().for_each(|&signal| last[signal] = index);
        }
        let mut slots = Slots::default();
        let mut slot = HashMap::new();
        for &signal in lasting {
            last[signal] = usize::MAX;
            slot.entry(signal).or_insert_with(|| slots.take());
        }
        let mut placement = Self { runs: vec![], slot: slot.clone(), slots: 0 };
        for (index, lookup) in ordered.iter().enumerate() {
            let operands = lookup.operands.map(|signal| slot.get(&signal).copied().unwrap_or(0));
            for signal in lookup.operands {
                if last[signal] == index {
                    slots.free.extend(slot.remove(&signal));
                }
            }
            let output = *slot.entry(lookup.output).or_insert_with(|| slots.take());
            placement.push(lookup.table, operands, output);
        }
        placement.slots = slots.count;
        placement
    }

    fn push(&mut self, table: u8, operands: [usize; OPERANDS], output: usize) {
        if self.runs.last().is_none_or(|run| run.table != table) {
            self.runs.push(Run { table, slots: vec![] });
        }
        if let Some(run) = self.runs.last_mut() {
            let [a, b, c] = operands;
            run.slots.push([a, b, c, output].map(|slot| slot as u32));
        }
    }
}

/// Slots that are in use, and those that are free again.
#[derive(Default)]
struct Slots {
    free: Vec<usize>,
    count: usize,
}

impl Slots {
    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// The functions by level and table, each with its operands in the order of its class.
fn sorted(lookups: &[Lookup], signals: usize) -> Vec<Lookup> {
    let classes: Vec<_> = (0..=u8::MAX).map(class).collect();
    let mut levels = vec![0_usize; signals];
    let mut ordered = vec![];
    for &Lookup { table, operands, output } in lookups {
        let deepest = operands.iter().map(|&signal| levels[signal]).max();
        levels[output] = 1 + deepest.unwrap_or(0);
        let (table, order) = &classes[usize::from(table)];
        let operands = [0, 1, 2].map(|operand: usize| operands[order[operand]]);
        ordered.push(Lookup { table: *table, operands, output });
    }
    ordered.sort_by_key(|lookup| (levels[lookup.output], lookup.table));
    ordered
}

/// The class of a table, and for each operand of the class which one of the table it is.
fn class(table: u8) -> (u8, Vec<usize>) {
    let orders = op::orders(OPERANDS).into_iter();
    let mut tables = orders.map(|order| (op::permuted(u64::from(table), &order) as u8, order));
    tables.find(|(table, _)| CLASSES.contains(table)).expect("each table is of a class")
}

/// Computes functions.
pub struct Compute<'a> {
    pub runs: &'a [Run],
    pub values: &'a mut [Word],
}

impl Kernel for Compute<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for run in self.runs {
            compute(run, self.values);
        }
    }
}

/// Makes `CLASSES`, and a loop for each of them.
macro_rules! classes {
    ($($table:literal)*) => {
        /// A table for each function of three operands but for their order. Those that a function does not depend on
        /// are the last.
        const CLASSES: &[u8] = &[$($table),*];

        #[inline(always)]
        fn compute(run: &Run, values: &mut [Word]) {
            match run.table {
                $($table => over::<$table>(&run.slots, values),)*
                _ => unreachable!("runs have tables of classes"),
            }
        }
    };
}

classes! {
    0 1 2 6 7 8 9 11 14 17 22 23 24 25 26 27 30 31 34 40 41 42 43 44 45 46 47 61 62 85 102 104 105 106 107 110 111 119
    126 127 128 129 130 131 134 135 136 137 138 139 142 143 150 151 152 153 154 155 158 159 168 169 170 171 172 173
    174 187 188 189 190 191 232 233 234 235 238 239 254 255
}

/// The loop of a table.
#[inline(always)]
fn over<const TABLE: u8>(slots: &[[u32; OPERANDS + 1]], values: &mut [Word]) {
    for &[a, b, c, output] in slots {
        // Operands that do not matter are not even looked up: the check of an index costs as much as a load.
        let a = if const { depends(TABLE, 0) } { values[a as usize].0 } else { [0; WORDS] };
        let b = if const { depends(TABLE, 1) } { values[b as usize].0 } else { [0; WORDS] };
        let c = if const { depends(TABLE, 2) } { values[c as usize].0 } else { [0; WORDS] };
        let mut value = [0; WORDS];
        for word in 0..WORDS {
            let low = pair(TABLE & 15, a[word], b[word]);
            let change = pair(TABLE & 15 ^ TABLE >> 4, a[word], b[word]);
            value[word] = low ^ change & c[word];
        }
        values[output as usize] = Word(value);
    }
}

/// Whether a function depends on an operand.
pub const fn depends(table: u8, operand: usize) -> bool {
    // The rows in which the operand is 1, and the same with 0 in their place.
    let ones = [0b1010_1010, 0b1100_1100, 0b1111_0000_u8][operand];
    (table & ones) >> (1 << operand) != table & !ones
}

/// The function of two operands with a table.
#[inline(always)]
fn pair(table: u8, a: u64, b: u64) -> u64 {
    match table {
        0b0000 => 0,
        0b0001 => !(a | b),
        0b0010 => a & !b,
        0b0011 => !b,
        0b0100 => !a & b,
        0b0101 => !a,
        0b0110 => a ^ b,
        0b0111 => !(a & b),
        0b1000 => a & b,
        0b1001 => !(a ^ b),
        0b1010 => a,
        0b1011 => a | !b,
        0b1100 => b,
        0b1101 => !a | b,
        0b1110 => a | b,
        _ => !0,
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_simd::Instructions;

    use super::{CLASSES, Compute, Run, Word, class, depends};
    use crate::sim::op;

    #[test]
    fn each_table_is_computed_as_it_is_looked_up() {
        // Lane r has row r of the table.
        let operands = [0b1010_1010, 0b1100_1100, 0b1111_0000].map(|rows| Word([rows; 8]));
        for table in 0..=u8::MAX {
            let (of_class, order) = class(table);
            let [a, b, c] = [0, 1, 2].map(|operand: usize| order[operand] as u32);
            let runs = [Run { table: of_class, slots: vec![[a, b, c, 3]] }];
            for with in Instructions::available() {
                let mut values = [operands[0], operands[1], operands[2], Word::ZERO];
                with.run(Compute { runs: &runs, values: &mut values });
                assert_eq!(values[3].0[5] as u8, table, "{with:?}");
            }
        }
    }

    #[test]
    fn classes_have_one_table_each() {
        for &table in CLASSES {
            let is_permuted = |other: &&u8| {
                let mut orders = op::orders(3).into_iter();
                orders.any(|order| op::permuted(u64::from(table), &order) as u8 == **other)
            };
            assert_eq!(CLASSES.iter().filter(is_permuted).count(), 1, "{table}");
            let depending = [0, 1, 2].map(|operand| depends(table, operand));
            assert!(depending.is_sorted_by(|a, b| a >= b), "{table}");
        }
    }
}
