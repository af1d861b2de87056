//! Prints what each of the 65,536 encodings is, one a line, at twice its number as address; an empty line for what is no
//! instruction. With `dsp` as argument it prints those of an SH3-DSP, and then the 65,536 operations of the DSP beside no move.

use cocrypt_isa_sh::{decode, decode_both, disassemble};

/// The extensions of a core with a DSP.
const DSP: [&str; 4] = ["", "sh2", "sh3", "dsp"];

fn main() {
    let is_dsp = std::env::args().nth(1).is_some_and(|word| word == "dsp");
    for word in 0..=u16::MAX {
        let insn = if is_dsp { decode_both(word, None) } else { decode(word) };
        let own = insn.filter(|insn| {
            let extension = insn.opcode.row().extension;
            if is_dsp { DSP.contains(&extension) } else { extension != "dsp" }
        });
        let text = own.map(|insn| disassemble(insn, 2 * u64::from(word)));
        println!("{}", text.unwrap_or_default());
    }
    for second in (0..=u16::MAX).filter(|_| is_dsp) {
        let text = decode_both(0xf800, Some(second)).map(|insn| disassemble(insn, 0));
        println!("{}", text.unwrap_or_default());
    }
}
