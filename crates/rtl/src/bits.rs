//! Constants of any width: limbs of 64 bits, least significant first.

use std::fmt;

/// A number without sign; as many limbs as its width needs, unused bits 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits(Vec<u64>);

/// The number of 64-bit limbs for a width in bits.
pub(crate) fn limbs(width: u32) -> usize {
    (width as usize).div_ceil(64)
}

/// The bits of the highest limb that a width in bits uses.
pub(crate) fn top_mask(width: u32) -> u64 {
    match width % 64 {
        0 => u64::MAX,
        used => (1 << used) - 1,
    }
}

impl Bits {
    /// A number of this width from its limbs, cut or filled with zeros.
    #[must_use]
    pub fn new(width: u32, limbs_of: &[u64]) -> Self {
        let mut value = limbs_of.to_vec();
        value.resize(limbs(width), 0);
        if let Some(top) = value.last_mut() {
            *top &= top_mask(width);
        }
        Self(value)
    }

    /// The limbs, least significant first.
    #[must_use]
    pub fn limbs(&self) -> &[u64] {
        &self.0
    }

    /// Returns true if it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|limb| *limb == 0)
    }

    /// Its value where that fits 64 bits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        let (low, rest) = self.0.split_first()?;
        rest.iter().all(|limb| *limb == 0).then_some(*low)
    }

    /// The `width` bits from `low` on.
    #[must_use]
    pub fn slice(&self, low: u32, width: u32) -> Self {
        let (skip, shift) = ((low / 64) as usize, low % 64);
        let limb = |index: usize| self.0.get(index).copied().unwrap_or(0);
        let cut = (0..limbs(width)).map(|index| {
            let (here, above) = (limb(skip + index), limb(skip + index + 1));
            if shift == 0 { here } else { here >> shift | above << (64 - shift) }
        });
        Self::new(width, &cut.collect::<Vec<_>>())
    }
}

impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limbs = self.0.iter().rev().skip_while(|limb| **limb == 0);
        write!(f, "{:x}", limbs.next().unwrap_or(&0))?;
        limbs.try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}
