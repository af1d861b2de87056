//! The leakage model: weights of the bits, transitions and values of each source.

/// The weight 1, as the integer that samples are summed in.
pub const SCALE: i64 = 1 << 16;
/// The number of kinds of instructions.
const KINDS: usize = 8;

/// The weights of a value's bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coefficients {
    /// The same for each bit.
    Each(i64),
    /// One for each bit, from the lowest on; bits beyond the last have none.
    Bits(Box<[i64]>),
}

impl Default for Coefficients {
    fn default() -> Self {
        Self::Each(0)
    }
}

impl Coefficients {
    /// The sum of the weights of the bits that are set.
    #[must_use]
    pub fn sum(&self, bits: u64) -> i64 {
        match self {
            Self::Each(weight) => weight * i64::from(bits.count_ones()),
            Self::Bits(weights) => {
                let set = |&(bit, _): &(usize, &i64)| bit < 64 && bits >> bit & 1 != 0;
                weights.iter().enumerate().filter(set).map(|(_, weight)| weight).sum()
            }
        }
    }
}

/// The weights of a source of leakage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// Those of the bits that are set (Hamming weight).
    pub weight: Coefficients,
    /// Those of the bits that differ from the replaced value (Hamming distance).
    pub distance: Coefficients,
    /// That of the value itself.
    pub identity: i64,
}

impl Weights {
    /// The contribution of a value that replaces another.
    #[must_use]
    pub fn of(&self, value: u64, replaced: u64) -> i64 {
        // A value has up to 64 bits; the product must not overflow in a debug build either.
        let identity = self.identity.wrapping_mul(value as i64);
        let bits = self.weight.sum(value).wrapping_add(self.distance.sum(value ^ replaced));
        bits.wrapping_add(identity)
    }
}

/// The model of one kind of instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindModel {
    /// The contribution of the instruction itself.
    pub constant: i64,
    /// A value written to a register, after the previous such value.
    pub result: Weights,
    /// The same, after the content of the register.
    pub register: Weights,
    /// Registers read on the first port and on the second, after the previous value there.
    pub operands: [Weights; 2],
    /// The address of an access, after the previous one.
    pub address: Weights,
    /// The value of an access, after the previous one.
    pub data: Weights,
    /// A value written to memory, after the content of the memory.
    pub memory: Weights,
}

/// A leakage model, by the kinds of instructions in the order of [`cocrypt_isa::InstructionKind`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeakageModel {
    /// The model of each kind.
    pub kinds: [KindModel; KINDS],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_apply_to_bits_transitions_and_values() {
        let weights = Weights {
            weight: Coefficients::Each(2),
            distance: Coefficients::Bits([1, 10, 100].into()),
            identity: 1000,
        };
        // 0b101 has two bits set, and differs from 0b110 in the lowest two.
        assert_eq!(weights.of(0b101, 0b110), 2 * 2 + 11 + 5000);
    }

    #[test]
    fn bits_beyond_the_last_weight_have_none() {
        assert_eq!(Coefficients::Bits([3].into()).sum(u64::MAX), 3);
    }
}
