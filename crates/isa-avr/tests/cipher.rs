//! Sixteen rounds of DES against official vectors: those of the project's primitive, which
//! `primitives/des/vectors/des.toml` holds with their source.

use cocrypt_ir::{Counter, Environment, Exact, Fault, Outcome, Width, evaluate, simplify, verify};
use cocrypt_isa::{CodeMemory, Frontend as _};
use cocrypt_isa_avr::class::CLASSES;
use cocrypt_isa_avr::{Avr, Features, Variant, cells};

/// `des 0` to `des 15`.
struct Rounds;

impl CodeMemory for Rounds {
    fn unit(&self, address: u64) -> Option<u16> {
        Some(0x940b | (address as u16 / 2) << 4)
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

struct Nothing;

impl Environment for Nothing {
    fn load(&mut self, address: u32, _: Width) -> Result<u64, Fault> {
        Err(Fault { address })
    }
    fn store(&mut self, address: u32, _: Width, _: u64) -> Result<(), Fault> {
        Err(Fault { address })
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// The effect of sixteen instructions on a block.
fn cipher(block: u64, key: u64, decrypts: bool) -> u64 {
    let frontend = Avr::new(Features::new(Variant::Avrxm, 16384), [true; CLASSES.len()]);
    let (guest, all) = (cells::COUNT, cells::COUNT + frontend.temporaries());
    let mut state = vec![0; usize::from(all)];
    for byte in 0..8 {
        state[byte] = block >> (8 * byte) & 0xff;
        state[8 + byte] = key >> (8 * byte) & 0xff;
    }
    state[usize::from(cells::H.0)] = decrypts.into();
    for round in 0..16 {
        let mut lifted = frontend.lift(&Rounds, 2 * round, 0).expect("a round");
        assert_eq!(verify(&lifted, guest, all), Ok(()));
        simplify(&mut lifted, guest, 0, Exact::default());
        let outcome = evaluate(&lifted, &mut state, &mut Nothing);
        assert_eq!(outcome, Ok(Outcome::Goto(2 * round + 2)), "a round ends its block");
    }
    (0..8).fold(0, |block, byte| block | state[byte] << (8 * byte))
}

#[test]
fn sixteen_rounds_are_the_cipher() {
    let vectors = include_str!("../../../primitives/des/vectors/des.toml");
    let values = |name: &str| -> Vec<u64> {
        let lines = vectors.lines().filter_map(|line| line.split_once(" = "));
        let named = lines.filter(|(key, _)| key.trim() == name);
        named.map(|(_, hex)| u64::from_str_radix(hex.trim_matches('"'), 16).expect("hex")).collect()
    };
    let (keys, texts, results) = (values("key"), values("text"), values("result"));
    let mut count = 0;
    for ((&key, &text), &result) in keys.iter().zip(&texts).zip(&results) {
        assert_eq!(cipher(text, key, false), result, "{text:016x} under {key:016x}");
        assert_eq!(cipher(result, key, true), text, "{result:016x} under {key:016x}, back");
        count += 1;
    }
    assert!(count >= 8 && keys.len() == results.len(), "only {count} vectors");
}
