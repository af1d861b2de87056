//! Prints what the bytes of each line of standard input are, in hexadecimal and at 16 times the number of the
//! line: `rl78_disassembly <variant>`; an empty line for what is no instruction.

use std::io::stdin;

use cocrypt_isa_rl78::{Variant, decode, disassemble};

fn main() {
    let variant = std::env::args().nth(1).expect("the name of a variant");
    let variant = Variant::named(&variant).expect("the name of a variant");
    for (number, line) in stdin().lines().enumerate() {
        let line = line.expect("text");
        let byte = |at: u8| {
            let at = usize::from(at) * 2;
            line.get(at..at + 2).map(|text| u8::from_str_radix(text, 16).expect("a byte"))
        };
        match decode(variant, &byte) {
            cocrypt_isa_rl78::Read::Insn(decoded) => {
                println!("{} {}", decoded.length, disassemble(&decoded, 16 * number as u64));
            }
            _ => println!(),
        }
    }
}
