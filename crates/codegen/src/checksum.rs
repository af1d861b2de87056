//! A checksum against damage: any change of one word changes it, and others do but for one in 2^64.
//!
//! It is for what is read at the beginning of a run, where a cryptographic hash would take as long as much of the rest.

/// Bytes of a word.
const WORD: usize = size_of::<u64>();
/// Words that are taken in at once, so that their products do not wait for one another.
const LANES: usize = 4;
/// 2^64 divided by the golden ratio, made odd: a product with it can be undone, so that no word is lost.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The checksum of some bytes, behind a seed.
#[must_use]
pub fn checksum(seed: &[u8; 32], bytes: &[u8]) -> u64 {
    let mut lanes: [u64; LANES] =
        std::array::from_fn(|lane| word(&seed[WORD * lane..WORD * (lane + 1)]));
    let mut chunks = bytes.chunks_exact(LANES * WORD);
    for chunk in &mut chunks {
        for (lane, bytes) in lanes.iter_mut().zip(chunk.chunks_exact(WORD)) {
            *lane = mix(*lane, word(bytes));
        }
    }
    let rest = chunks.remainder().chunks(WORD).map(word);
    let sum = lanes.into_iter().chain(rest).fold(bytes.len() as u64, mix);
    mix(sum, 0)
}

fn mix(lane: u64, word: u64) -> u64 {
    (lane ^ word).wrapping_mul(FACTOR).rotate_left(29)
}

/// A word of up to eight bytes.
fn word(bytes: &[u8]) -> u64 {
    let mut whole = [0; WORD];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_every_byte_and_the_seed_count() {
        let bytes: Vec<u8> = (0..71).collect();
        let whole = checksum(&[0; 32], &bytes);
        assert_ne!(checksum(&[1; 32], &bytes), whole);
        assert_ne!(checksum(&[0; 32], &[&bytes[..], &[0]].concat()), whole);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&[0; 32], &changed), whole, "bit {bit}");
        }
    }
}
