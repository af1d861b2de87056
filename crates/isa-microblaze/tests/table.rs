//! The table: encodings are disjoint, and each is decoded as itself.

use cocrypt_isa_microblaze::decode;
use cocrypt_isa_microblaze::table::TABLE;

#[test]
fn encodings_are_disjoint() {
    for (number, row) in TABLE.iter().enumerate() {
        assert_eq!(row.bits & !row.mask, 0, "{}", row.name);
        for other in &TABLE[number + 1..] {
            let common = row.mask & other.mask;
            assert_ne!(row.bits & common, other.bits & common, "{} {}", row.name, other.name);
        }
    }
}

#[test]
fn what_is_encoded_is_decoded() {
    for row in TABLE {
        for free in [0, 0xffff_ffff, 0x5555_5555, 0xaaaa_aaaa] {
            let decoded = decode(row.bits | free & !row.mask).expect("an instruction");
            assert_eq!(decoded.opcode, row.opcode, "{}", row.name);
        }
    }
}
