//! The leakage model over the values of all lanes.

use super::{LANES, Row};
use crate::leakage::{Coefficients, KindModel, Weights};

/// The last value of each shared source, in each lane.
#[derive(Clone, Debug)]
pub struct LaneLatches {
    operands: [Row; 2],
    result: Row,
    address: Row,
    data: Row,
}

impl Default for LaneLatches {
    fn default() -> Self {
        let zero = [0; LANES];
        Self { operands: [zero; 2], result: zero, address: zero, data: zero }
    }
}

/// Sums of contributions, one for each lane.
pub type Sums = [i64; LANES];

impl LaneLatches {
    /// The register that an instruction reads as its `number`th.
    #[inline(always)]
    pub fn operand(&mut self, model: &KindModel, number: usize, values: &Row, sums: &mut Sums) {
        let port = number % 2;
        weigh(&model.operands[port], values, &self.operands[port], sums);
        self.operands[port] = *values;
    }

    /// An access, and for a write the previous content of memory.
    #[inline(always)]
    pub fn access(
        &mut self,
        model: &KindModel,
        [addresses, values]: [&Row; 2],
        replaced: Option<&Row>,
        sums: &mut Sums,
    ) {
        weigh(&model.address, addresses, &self.address, sums);
        weigh(&model.data, values, &self.data, sums);
        if let Some(replaced) = replaced {
            weigh(&model.memory, values, replaced, sums);
        }
        (self.address, self.data) = (*addresses, *values);
    }

    /// A register takes a value.
    #[inline(always)]
    pub fn write(&mut self, model: &KindModel, values: &Row, before: &Row, sums: &mut Sums) {
        weigh(&model.result, values, &self.result, sums);
        weigh(&model.register, values, before, sums);
        self.result = *values;
    }
}

/// Adds the contributions of values that replace others, as [`Weights::of`] has them.
#[inline(always)]
fn weigh(weights: &Weights, values: &Row, replaced: &Row, sums: &mut Sums) {
    add(&weights.weight, values, sums);
    if weights.distance != Coefficients::Each(0) {
        let mut changed = *values;
        for (bits, &before) in changed.iter_mut().zip(replaced) {
            *bits ^= before;
        }
        add(&weights.distance, &changed, sums);
    }
    if weights.identity != 0 {
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum = sum.wrapping_add(weights.identity.wrapping_mul(value as i64));
        }
    }
}

#[inline(always)]
fn add(coefficients: &Coefficients, values: &Row, sums: &mut Sums) {
    match *coefficients {
        Coefficients::Each(0) => {}
        Coefficients::Each(weight) => {
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum = sum.wrapping_add(weight.wrapping_mul(i64::from(value.count_ones())));
            }
        }
        Coefficients::Bits(_) => {
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum = sum.wrapping_add(coefficients.sum(value));
            }
        }
    }
}
