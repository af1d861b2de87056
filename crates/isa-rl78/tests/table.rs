//! The table: forms that fit the same bytes differ in how many bits they fix, and every row is lifted.

use cocrypt_ir::{Exit, StopKind, verify};
use cocrypt_isa::{CodeMemory, Frontend as _, InstructionKind as Kind};
use cocrypt_isa_rl78::class::CLASSES;
use cocrypt_isa_rl78::table::{Row, TABLE};
use cocrypt_isa_rl78::{Read, Rl78, Variant, decode};

/// Code that begins with some bytes, and of which every instruction is a block.
struct Bytes(Vec<u8>);

impl CodeMemory for Bytes {
    fn unit(&self, address: u64) -> Option<u16> {
        let byte = |at: u64| self.0.get(at as usize).copied().unwrap_or(0);
        Some(u16::from_le_bytes([byte(address), byte(address + 1)]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

/// The beginnings of all forms: a byte, or one of the bytes that begin a page and another.
fn heads() -> impl Iterator<Item = Vec<u8>> {
    let pages = [
        vec![],
        vec![0x61],
        vec![0x71],
        vec![0x31],
        vec![0xce, 0xfb],
        vec![0x71, 0x7a],
        vec![0x71, 0x7b],
    ];
    pages.into_iter().flat_map(|page| (0..=u8::MAX).map(move |byte| [&page[..], &[byte]].concat()))
}

/// The same with operands, without the prefix and behind it.
fn all() -> impl Iterator<Item = Vec<u8>> {
    heads().flat_map(|head| {
        let code = [&head[..], &[0x25, 0x12, 0x34, 0x56]].concat();
        [code.clone(), [vec![0x11], code].concat()]
    })
}

#[test]
fn one_row_of_those_that_fit_has_the_most_fixed_bits() {
    for core in Variant::NAMES.map(|(_, core)| core) {
        for head in heads() {
            let byte = |at: usize| u32::from(head.get(at).copied().unwrap_or(0x25));
            let bytes = byte(0) << 16 | byte(1) << 8 | byte(2);
            let fits = |row: &&Row| row.has.holds(core) && row.matches(bytes);
            let mut fixed: Vec<u32> =
                TABLE.iter().filter(fits).map(|row| row.mask.count_ones()).collect();
            fixed.sort_unstable();
            assert!(
                fixed.len() < 2 || fixed[fixed.len() - 1] > fixed[fixed.len() - 2],
                "{head:x?}"
            );
        }
    }
}

#[test]
fn every_row_is_reached_and_lifted_in_every_bank() {
    let mut reached = vec![];
    for code in all() {
        for (_, core) in Variant::NAMES {
            let frontend = Rl78::new(core, [true; CLASSES.len()]);
            let byte = |at: u8| Some(code.get(usize::from(at)).copied().unwrap_or(0));
            let block = frontend.lift(&Bytes(code.clone()), 0, u32::from(core != Variant::S1) * 3);
            let block = block.expect("memory everywhere");
            let state = frontend.cells().len() as u16;
            verify(&block, state, state + frontend.temporaries())
                .unwrap_or_else(|wrong| panic!("{code:x?}: {wrong:?}"));
            let is_illegal = block.exit == Exit::Stop(StopKind::IllegalInstruction);
            match decode(core, &byte) {
                Read::Insn(decoded) => {
                    assert!(!is_illegal, "{code:x?}");
                    reached.push(std::ptr::from_ref(decoded.row));
                }
                other => assert!(is_illegal, "{code:x?}: {other:?}"),
            }
        }
    }
    let missing: Vec<_> =
        TABLE.iter().filter(|row| !reached.contains(&std::ptr::from_ref(*row))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn instructions_that_only_compute_are_those_without_memory() {
    let jumps = TABLE.iter().filter(|row| row.class.kind() == Kind::Jump);
    assert!(jumps.into_iter().all(|row| {
        ["br", "call", "callt", "ret", "reti", "retb", "brk", "brk1"].contains(&row.name)
    }));
    let mul = TABLE.iter().filter(|row| row.class.kind() == Kind::Multiply).map(|row| row.name);
    assert_eq!(mul.collect::<Vec<_>>(), ["mulu", "mulhu", "mulh", "machu", "mach"]);
}
