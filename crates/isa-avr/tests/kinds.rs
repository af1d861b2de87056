//! The energy classes of instructions, by their mnemonics.

use cocrypt_isa::InstructionKind as Kind;
use cocrypt_isa_avr::table::TABLE;

/// The mnemonics of each kind; whatever is not named computes.
const KINDS: [(Kind, &str); 6] = [
    (Kind::Load, "ld ldd lds lpm elpm in pop xch las lac lat"),
    (Kind::Store, "st std sts out push sbi cbi spm"),
    (
        Kind::Branch,
        "brcs breq brmi brvs brlt brhs brts brie brcc brne brpl brvc brge brhc brtc brid cpse sbrc sbrs \
         sbic sbis",
    ),
    (Kind::Jump, "rjmp jmp ijmp eijmp rcall call icall eicall ret reti"),
    (Kind::Multiply, "mul muls mulsu fmul fmuls fmulsu"),
    (Kind::Other, "sei sleep wdr break"),
];

#[test]
fn instructions_have_the_kind_of_their_mnemonic() {
    let mut seen = vec![];
    for row in TABLE {
        let is_one = |(_, names): &&(Kind, &str)| names.split(' ').any(|name| name == row.name);
        let wanted = KINDS.iter().find(is_one).map_or(Kind::Alu, |(kind, _)| *kind);
        assert_eq!(row.class.kind(), wanted, "{}", row.name);
        seen.push(row.name);
    }
    let named = KINDS.iter().flat_map(|(_, names)| names.split(' '));
    assert!(named.into_iter().all(|name| seen.contains(&name)), "a mnemonic that is none");
}
