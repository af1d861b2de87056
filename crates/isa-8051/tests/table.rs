//! The table: every first byte but A5 is one instruction, and is lifted to what the verifier accepts.

use cocrypt_ir::verify;
use cocrypt_isa::{CodeMemory, Frontend as _};
use cocrypt_isa_8051::table::TABLE;
use cocrypt_isa_8051::{Mcs51, Read, cells, decode};

/// The byte that the manual reserves.
const RESERVED: u8 = 0xa5;

/// One instruction and its operands, again and again.
struct Bytes([u8; 4]);

impl CodeMemory for Bytes {
    fn unit(&self, address: u64) -> Option<u16> {
        let at = address as usize & 2;
        Some(u16::from_le_bytes([self.0[at], self.0[at + 1]]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

#[test]
fn encodings_are_disjoint_and_complete() {
    for byte in 0..=u8::MAX {
        let rows = TABLE.iter().filter(|row| row.matches(byte)).count();
        assert_eq!(rows, usize::from(byte != RESERVED), "{byte:#04x}");
    }
}

#[test]
fn missing_bytes_are_named_by_their_distance() {
    let short = |bytes: &'static [u8]| decode(&|at| bytes.get(usize::from(at)).copied());
    assert_eq!(short(&[]), Read::Unmapped(0));
    assert_eq!(short(&[0x02, 0x12]), Read::Unmapped(2), "ljmp");
    assert_eq!(short(&[RESERVED]), Read::Illegal);
}

/// Operands name each direct address and bit, and the banks.
#[test]
fn all_instructions_are_well_formed() {
    let frontend = Mcs51::default();
    let all = cells::COUNT + frontend.temporaries();
    for first in 0..=u8::MAX {
        for operand in 0..=u8::MAX {
            let code = Bytes([first, operand, operand.rotate_left(3), 0]);
            let block = frontend.lift(&code, 0, u32::from(operand) & 3).expect("there are bytes");
            assert_eq!(verify(&block, cells::COUNT, all), Ok(()), "{first:#04x} {operand:#04x}");
        }
    }
}
