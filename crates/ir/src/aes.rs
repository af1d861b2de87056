//! The substitution of AES, as two tables.
//!
//! Source: FIPS 197, sections 4.2 and 5.1.1: the inverse in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1,
//! then an affine map. The tables are computed from that when the crate is compiled.

/// The image of 0 under the affine map.
const AFFINE: u8 = 0x63;

/// The substitution of each byte (FIPS 197, `SubBytes`).
pub static SUBSTITUTES: [u8; 256] = substitutes();
/// Its inverse (FIPS 197, `InvSubBytes`).
pub static ORIGINALS: [u8; 256] = originals();

const fn substitutes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = affine(inverse(byte as u8));
        byte += 1;
    }
    table
}

const fn originals() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[SUBSTITUTES[byte] as usize] = byte as u8;
        byte += 1;
    }
    table
}

/// The inverse is the 254th power, and that of 0 is 0.
const fn inverse(byte: u8) -> u8 {
    let (mut power, mut squarings) = (1, 0);
    let mut square = byte;
    while squarings < 7 {
        square = product(square, square);
        power = product(power, square);
        squarings += 1;
    }
    power
}

const fn product(a: u8, b: u8) -> u8 {
    let (mut sum, mut multiple, mut bit) = (0, a, 0);
    while bit < 8 {
        if b >> bit & 1 == 1 {
            sum ^= multiple;
        }
        multiple = (multiple << 1) ^ if multiple & 0x80 == 0 { 0 } else { 0x1b };
        bit += 1;
    }
    sum
}

const fn affine(byte: u8) -> u8 {
    let turns =
        byte.rotate_left(1) ^ byte.rotate_left(2) ^ byte.rotate_left(3) ^ byte.rotate_left(4);
    byte ^ turns ^ AFFINE
}
