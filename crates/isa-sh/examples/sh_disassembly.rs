//! Prints what each of the 65,536 encodings is, one a line, at twice its number as address; an empty line for what is no
//! instruction.

use cocrypt_isa_sh::{decode, disassemble};

fn main() {
    for word in 0..=u16::MAX {
        let text = decode(word).map(|insn| disassemble(insn, 2 * u64::from(word)));
        println!("{}", text.unwrap_or_default());
    }
}
