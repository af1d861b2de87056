//! How many random cases a test runs: all of them, or a share where somebody waits for the result.

use proptest::test_runner::{Config as ProptestConfig, RngSeed};

/// Names the share: `COCRYPT_SHARE=8` runs one case of eight.
const VARIABLE: &str = "COCRYPT_SHARE";

/// The number of cases of a test that has so many when it runs whole, at least one.
///
/// # Panics
///
/// Panics where the variable is no positive number, since a test must not run less than it was asked to.
#[must_use]
pub fn cases(whole: u32) -> u32 {
    let share = std::env::var(VARIABLE).map_or(1, |text| {
        text.parse().ok().filter(|&share: &u32| share > 0).unwrap_or_else(|| {
            panic!("{VARIABLE}={text}: write a positive number, the share of the cases that run")
        })
    });
    whole.div_ceil(share)
}

/// The configuration of half of a long test, so that two processors share it: half of the cases, and of
/// another seed than the other half.
#[must_use]
pub fn half(whole: u32, number: u64) -> ProptestConfig {
    let cases = cases(whole).div_ceil(2);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match config.rng_seed {
        RngSeed::Fixed(seed) => RngSeed::Fixed(seed ^ number << 32),
        RngSeed::Random => RngSeed::Random,
    };
    ProptestConfig { rng_seed, ..config }
}
