//! The energy classes of instructions, by the mnemonics that GNU binutils give them.

use cocrypt_isa::{CodeMemory, Frontend as _, InstructionKind as Kind};
use cocrypt_isa_riscv::{Rv32, table::TABLE};

/// The mnemonics of each kind; whatever is not named computes.
const KINDS: [(Kind, &str); 7] = [
    (Kind::Load, "lb lh lw lbu lhu"),
    (Kind::Store, "sb sh sw"),
    (Kind::Branch, "beq bne blt bge bltu bgeu beqz bnez blez bgez bltz bgtz"),
    (Kind::Jump, "jal jalr j jr ret"),
    (Kind::Multiply, "mul mulh mulhu mulhsu clmul clmulh clmulr"),
    (Kind::Divide, "div divu rem remu"),
    (Kind::Other, "ecall ebreak fence fence.i mret wfi csrrw csrrs csrrc csrrwi csrrsi csrrci"),
];

struct Word(u32);

impl CodeMemory for Word {
    fn unit(&self, address: u64) -> Option<u16> {
        Some((self.0 >> (8 * address)) as u16)
    }

    fn fetch_wait(&self, _address: u64) -> u32 {
        0
    }

    fn is_boundary(&self, _address: u64) -> bool {
        false
    }
}

#[test]
fn instructions_have_the_kind_of_their_unit() {
    let implemented = [true; TABLE.len()];
    let frontend = Rv32 { compressed: true, implemented, privileged: None, irq: None };
    let mut seen = vec![];
    let lines = include_str!("encodings.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (word, text) = line.split_once(' ').expect("a word and its text");
        let mnemonic = text.split(' ').next().expect("a mnemonic");
        let is_one = |(_, names): &&(Kind, &str)| names.split(' ').any(|name| name == mnemonic);
        let named = KINDS.iter().find(is_one);
        let wanted = named.map_or(Kind::Alu, |(kind, _)| *kind);
        let word = Word(u32::from_str_radix(word, 16).expect("a hexadecimal word"));
        if mnemonic.starts_with("csr") {
            assert_eq!(frontend.kind(&word, 0), Kind::Other, "{text}");
            continue;
        }
        assert_eq!(frontend.kind(&word, 0), wanted, "{text}");
        seen.push(wanted);
    }
    assert!(KINDS.iter().all(|(kind, _)| seen.contains(kind)));
    assert_eq!(frontend.kind(&Word(0), 0), Kind::Other, "what is no instruction");
}
