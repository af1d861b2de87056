//! Sums of toggles with their weights, as full adders over bits of all lanes.

use std::collections::BTreeMap;

use cocrypt_codegen::Ternary;

/// The sum of three bits, and its carry.
const SUM: u8 = 0b1001_0110;
const CARRY: u8 = 0b1110_1000;
/// The same of two.
const HALF_SUM: u8 = 0b0110_0110;
const HALF_CARRY: u8 = 0b1000_1000;

/// Functions of values so far: values are sources, and behind them the results of steps.
pub struct Functions {
    pub sources: usize,
    pub steps: Vec<Ternary>,
}

impl Functions {
    /// Adds a function; returns its value.
    pub fn push(&mut self, table: u8, operands: [usize; 3]) -> usize {
        self.steps.push(Ternary { table, operands });
        self.sources + self.steps.len() - 1
    }
}

/// A sum that grows. Toggles whose weights have the same odd factor are counted together, and the count is weighed at
/// the end; but single bits of a weight are added where that takes fewer adders.
pub struct Adder {
    /// How many toggles there will be of each odd factor.
    expected: BTreeMap<u64, usize>,
    /// By odd factor, the values that are still to be added, by the position of their bit. Three of a position become
    /// one of it and one of the next.
    open: BTreeMap<u64, Vec<Vec<usize>>>,
}

impl Adder {
    /// An empty sum, for toggles of these weights.
    pub fn new(weights: impl Iterator<Item = u64>) -> Self {
        let mut expected = BTreeMap::new();
        weights.for_each(|weight| *expected.entry(odd(weight).0).or_default() += 1);
        Self { expected, open: BTreeMap::new() }
    }

    /// Adds the weight in all lanes in which the value is 1.
    pub fn add(&mut self, functions: &mut Functions, weight: u64, value: usize) {
        let (factor, position) = odd(weight);
        if self.is_counted(factor) {
            self.push(functions, factor, position, value);
        } else {
            self.weigh(functions, weight, value);
        }
    }

    /// The bits of the sum, the lowest first; None where it is 0 in all lanes.
    pub fn finish(mut self, functions: &mut Functions) -> Vec<Option<usize>> {
        let factors: Vec<_> = self.open.keys().copied().filter(|&factor| factor != 1).collect();
        for factor in factors {
            for (position, bit) in self.bits(functions, factor).into_iter().enumerate() {
                if let Some(bit) = bit {
                    self.weigh(functions, factor << position, bit);
                }
            }
        }
        self.bits(functions, 1)
    }

    /// Whether toggles of an odd factor take fewer adders if they are counted before they are weighed.
    fn is_counted(&self, factor: u64) -> bool {
        let (ones, toggles) = (factor.count_ones() as usize, self.expected[&factor]);
        let bits = (usize::BITS - toggles.leading_zeros()) as usize;
        toggles + bits * ones < toggles * ones
    }

    /// Adds a bit wherever a weight has one.
    fn weigh(&mut self, functions: &mut Functions, weight: u64, value: usize) {
        for position in (0..64).filter(|position| weight >> position & 1 == 1) {
            self.push(functions, 1, position, value);
        }
    }

    fn push(&mut self, functions: &mut Functions, factor: u64, position: usize, value: usize) {
        let (mut position, mut value) = (position, value);
        let open = self.open.entry(factor).or_default();
        loop {
            if open.len() <= position {
                open.resize(position + 1, vec![]);
            }
            open[position].push(value);
            let &[a, b, c] = open[position].as_slice() else { return };
            open[position] = vec![functions.push(SUM, [a, b, c])];
            (position, value) = (position + 1, functions.push(CARRY, [a, b, c]));
        }
    }

    /// One bit for each position of a count.
    fn bits(&mut self, functions: &mut Functions, factor: u64) -> Vec<Option<usize>> {
        let mut bits = vec![];
        while self.open.get(&factor).is_some_and(|open| bits.len() < open.len()) {
            let position = bits.len();
            let open = self.open.get_mut(&factor).map(|open| std::mem::take(&mut open[position]));
            bits.push(match open.unwrap_or_default().as_slice() {
                &[a, b] => {
                    let carry = functions.push(HALF_CARRY, [a, b, a]);
                    self.push(functions, factor, position + 1, carry);
                    Some(functions.push(HALF_SUM, [a, b, a]))
                }
                open => open.first().copied(),
            });
        }
        bits
    }
}

/// The odd factor of a weight, and the power of two beside it.
fn odd(weight: u64) -> (u64, usize) {
    let zeros = weight.trailing_zeros();
    (weight >> zeros, zeros as usize)
}
