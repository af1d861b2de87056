//! Loops compiled for each set of vector instructions, one of which is chosen at run time.
//!
//! A loop is a [`Kernel`]: its inputs are fields, its body is `run`. [`Instructions::run`] holds the body once for each
//! set, so that the compiler turns its plain loops into instructions that the host of the build may lack. Results
//! are the same on all sets: whole numbers are exact, and the compiler neither fuses nor reorders floating point.

use std::fmt;

/// A loop, and all that it works on.
pub trait Kernel {
    /// What it computes.
    type Output;

    /// Runs the loop. Implementations are `#[inline(always)]`, and so are the functions that they call: only what is
    /// inlined is compiled for the chosen instructions.
    fn run(self) -> Self::Output;
}

/// A set of vector instructions that this host has.
///
/// Code that uses them runs without a further check, so that a value comes from this crate's functions alone:
/// ```compile_fail
/// let _ = cocrypt_simd::Instructions::Portable;
/// ```
/// ```compile_fail
/// let _ = cocrypt_simd::Instructions(cocrypt_simd::Set::Avx512);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Instructions(Set);

/// The sets that loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Those that every host has.
    Portable,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits, with functions of three operands.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// All sets that this host has, the widest last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut found = vec![Self(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") {
                found.push(Self(Set::Avx2));
            }
            if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                found.push(Self(Set::Avx512));
            }
        }
        found
    }

    /// The widest set that this host has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().copied().unwrap_or(Self(Set::Portable))
    }

    /// Whether these are those of AVX-512, with functions of three operands.
    #[must_use]
    pub fn has_ternary(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.0 == Set::Avx512;
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// Runs a loop by these instructions.
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Set::Portable => kernel.run(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` alone makes this value, where the host has these instructions.
            Set::Avx2 => unsafe { run_avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            Set::Avx512 => unsafe { run_avx512(kernel) },
        }
    }
}

impl fmt::Debug for Instructions {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::{Instructions, Kernel};

    /// The sum of squares, which the compiler turns into vector instructions.
    struct Squares<'a>(&'a [u32]);

    impl Kernel for Squares<'_> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().map(|&value| u64::from(value).pow(2)).sum()
        }
    }

    #[test]
    fn all_sets_compute_the_same() {
        let values: Vec<u32> = (0..1000).map(|index| index * 65_537).collect();
        let expected = values.iter().map(|&value| u64::from(value).pow(2)).sum();
        for instructions in Instructions::available() {
            assert_eq!(instructions.run(Squares(&values)), expected, "{instructions:?}");
        }
    }

    #[test]
    fn the_widest_set_is_the_last() {
        assert_eq!(Instructions::available().last(), Some(&Instructions::widest()));
    }
}
