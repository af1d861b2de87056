//! Prints what each of all first words is on a core, with 0x1234 behind it, at four times its value:
//! `avr_disassembly <variant> <words of flash memory> [wide]`; what is no instruction is left out.

use std::fmt::Write as _;

use cocrypt_isa_avr::{Features, Variant, decode, disassemble};

/// The instruction of each word.
const SECOND: u16 = 0x1234;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, words, rest @ ..] = &arguments[..] else { panic!("no variant and no size") };
    let variant = Variant::named(variant).expect("the name of a variant");
    let words = words.parse().expect("a number of words");
    let core = Features { wide_counter: !rest.is_empty(), ..Features::new(variant, words) };
    let mut text = String::new();
    for first in 0..=u16::MAX {
        if let Some(decoded) = decode(&core, first, SECOND) {
            let line = disassemble(&decoded, 4 * u64::from(first));
            writeln!(text, "{first:04x} {line}").expect("room");
        }
    }
    print!("{text}");
}
