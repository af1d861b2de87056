//! The reference evaluator against the host's own arithmetic, and the verifier's rules.

use cocrypt_ir::{
    Binary, Block, Builder, Condition, Counter, Environment, Exit, Fault, Insn, Invalid, Op,
    Outcome, Slot, Transfer, Unary, Value, Width, binary, condition, evaluate, print, unary,
    verify,
};
use proptest::prelude::*;

fn operand() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(u32::MAX),
        Just(1 << 31),
        Just(i32::MAX as u32),
        any::<u32>()
    ]
}

fn w32(op: Binary, a: u32, b: u32) -> u32 {
    // Bits above the width must not matter.
    let dirty = 0xdead_beef_0000_0000;
    let result = binary(op, Width::W32, u64::from(a) | dirty, u64::from(b) | dirty);
    u32::try_from(result).expect("a result within the width")
}

proptest! {
    #[test]
    fn arithmetic_is_that_of_the_host(a in operand(), b in operand()) {
        let (sa, sb) = (a as i32, b as i32);
        prop_assert_eq!(w32(Binary::Add, a, b), a.wrapping_add(b));
        prop_assert_eq!(w32(Binary::Sub, a, b), a.wrapping_sub(b));
        prop_assert_eq!(w32(Binary::Mul, a, b), a.wrapping_mul(b));
        prop_assert_eq!(w32(Binary::And, a, b), a & b);
        prop_assert_eq!(w32(Binary::Or, a, b), a | b);
        prop_assert_eq!(w32(Binary::Xor, a, b), a ^ b);
        prop_assert_eq!(w32(Binary::Shl, a, b), a.checked_shl(b).unwrap_or(0));
        prop_assert_eq!(w32(Binary::Shr, a, b), a.checked_shr(b).unwrap_or(0));
        prop_assert_eq!(w32(Binary::Sar, a, b), (sa >> b.min(31)) as u32);
        let signed = i64::from(sa) * i64::from(sb);
        let mixed = i64::from(sa) * i64::from(b);
        prop_assert_eq!(w32(Binary::MulHighSigned, a, b), (signed >> 32) as u32);
        prop_assert_eq!(w32(Binary::MulHighMixed, a, b), (mixed >> 32) as u32);
        prop_assert_eq!(
            w32(Binary::MulHighUnsigned, a, b),
            ((u64::from(a) * u64::from(b)) >> 32) as u32
        );
    }

    #[test]
    fn division_is_that_of_the_manual(a in operand(), b in operand()) {
        // Unprivileged RISC-V manual, table 7.1.
        let (sa, sb) = (a as i32, b as i32);
        let zero = b == 0;
        prop_assert_eq!(w32(Binary::DivUnsigned, a, b), if zero { u32::MAX } else { a / b });
        prop_assert_eq!(w32(Binary::RemUnsigned, a, b), if zero { a } else { a % b });
        let quotient = if zero { -1 } else { sa.wrapping_div(sb) };
        let remainder = if zero { sa } else { sa.wrapping_rem(sb) };
        prop_assert_eq!(w32(Binary::DivSigned, a, b), quotient as u32);
        prop_assert_eq!(w32(Binary::RemSigned, a, b), remainder as u32);
    }

    #[test]
    fn comparisons_are_those_of_the_host(a in operand(), b in operand()) {
        let holds = |c| condition(c, Width::W32, u64::from(a), u64::from(b));
        prop_assert_eq!(holds(Condition::Equal), a == b);
        prop_assert_eq!(holds(Condition::NotEqual), a != b);
        prop_assert_eq!(holds(Condition::LessSigned), (a as i32) < b as i32);
        prop_assert_eq!(holds(Condition::GreaterEqualSigned), a as i32 >= b as i32);
        prop_assert_eq!(holds(Condition::LessUnsigned), a < b);
        prop_assert_eq!(holds(Condition::GreaterEqualUnsigned), a >= b);
    }

    #[test]
    fn carryless_products_are_sums_of_shifts(a in operand(), b in operand(), c in operand()) {
        let product = |a: u32, b: u32| {
            let half = |op| u64::from(w32(op, a, b));
            half(Binary::CarrylessMulHigh) << 32 | half(Binary::CarrylessMul)
        };
        prop_assert_eq!(product(a, b), product(b, a));
        prop_assert_eq!(product(a, b ^ c), product(a, b) ^ product(a, c));
        for bit in 0..32 {
            prop_assert_eq!(product(a, 1 << bit), u64::from(a) << bit);
        }
        prop_assert_eq!(w32(Binary::RotateRight, a, b), a.rotate_right(b % 32));
        prop_assert_eq!(unary(Unary::ReverseBytes, Width::W32, a.into()) as u32, a.swap_bytes());
    }

    #[test]
    fn narrow_widths_are_those_of_the_host(a in any::<u8>(), b in any::<u8>()) {
        let w8 = |op| binary(op, Width::W8, u64::from(a), u64::from(b)) as u8;
        prop_assert_eq!(w8(Binary::Add), a.wrapping_add(b));
        prop_assert_eq!(w8(Binary::MulHighUnsigned), ((u16::from(a) * u16::from(b)) >> 8) as u8);
        prop_assert_eq!(w8(Binary::Sar), (a as i8 >> b.min(7)) as u8);
        prop_assert_eq!(unary(Unary::Neg, Width::W8, u64::from(a)) as u8, a.wrapping_neg());
        prop_assert_eq!(unary(Unary::LeadingZeros, Width::W8, u64::from(a)), u64::from(a.leading_zeros()));
        let mask = u32::from(b) % 8;
        prop_assert_eq!(w8(Binary::RotateRight), a.rotate_right(mask));
        let counts = |op| unary(op, Width::W8, u64::from(a));
        prop_assert_eq!(counts(Unary::TrailingZeros), u64::from(a.trailing_zeros()));
        prop_assert_eq!(counts(Unary::PopCount), u64::from(a.count_ones()));
        prop_assert_eq!(counts(Unary::ReverseBits), u64::from(a.reverse_bits()));
        prop_assert_eq!(unary(Unary::Extend8, Width::W16, u64::from(a)) as u16, a as i8 as u16);
    }
}

/// Sixteen bytes of memory at 0.
struct Bytes([u8; 16]);

impl Environment for Bytes {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let at = address as usize;
        let bytes = self.0.get(at..at + width.bytes() as usize).ok_or(Fault { address })?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        let (at, size) = (address as usize, width.bytes() as usize);
        let place = self.0.get_mut(at..at + size).ok_or(Fault { address })?;
        place.copy_from_slice(&value.to_le_bytes()[..size]);
        Ok(())
    }

    fn count(&mut self, _: Counter) -> u64 {
        0x1_0000_0007
    }
}

fn block(ops: Vec<Op>, exit: Exit) -> Block {
    let insn =
        Insn { pc: 0, length: 4, mode: 0, class: 0, operand: None, lead: 0, ops: 0..ops.len() };
    Block { start: 0, mode: 0, insns: vec![insn], ops, exit, onward: 0, transfer: Transfer::Jump }
}

const A: Slot = Slot(0);
const B: Slot = Slot(1);
const T: Slot = Slot(2);

#[test]
fn guarded_operations_happen_only_under_their_condition() {
    let guarded = block(
        vec![
            Op::Guard { condition: Value::Slot(A), ops: 2 },
            Op::Move { dst: B, src: Value::Const(5) },
            Op::Store { width: Width::W16, src: Value::Slot(B), base: Value::Const(4), offset: 2 },
        ],
        Exit::Jump { target: 8 },
    );
    assert_eq!(verify(&guarded, 2, 3), Ok(()));
    for (condition, written) in [(0, 0), (7, 5)] {
        let (mut cells, mut memory) = ([condition, 0, 0], Bytes([0; 16]));
        assert_eq!(evaluate(&guarded, &mut cells, &mut memory), Ok(Outcome::Goto(8)));
        assert_eq!((cells[1], memory.0[6]), (written, written as u8));
    }
}

#[test]
fn loads_extend_and_counters_are_cut() {
    let loads = block(
        vec![
            Op::Load { width: Width::W8, signed: true, dst: A, base: Value::Const(0), offset: 1 },
            Op::Count { counter: Counter::Cycles, dst: B, shift: 32 },
            Op::Select { dst: T, condition: Value::Slot(B), a: Value::Slot(A), b: Value::Const(0) },
        ],
        Exit::Indirect { target: Value::Slot(T) },
    );
    let (mut cells, mut memory) = ([0; 3], Bytes([0x80; 16]));
    assert_eq!(evaluate(&loads, &mut cells, &mut memory), Ok(Outcome::Goto(0xffff_ff80)));
    assert_eq!(cells[1], 1);
    let beyond =
        Op::Load { width: Width::W32, signed: false, dst: A, base: Value::Const(14), offset: 0 };
    let faulty = block(vec![beyond], Exit::Next { pc: 4 });
    assert_eq!(evaluate(&faulty, &mut cells, &mut memory), Err(Fault { address: 14 }));
}

#[test]
fn the_verifier_names_the_broken_rule() {
    let copy = |dst, src| vec![Op::Move { dst, src: Value::Slot(src) }];
    let next = Exit::Next { pc: 4 };
    assert_eq!(verify(&block(copy(A, B), next), 2, 3), Ok(()));
    assert_eq!(verify(&block(copy(A, T), next), 2, 3), Err(Invalid::Unwritten { op: 0, slot: 2 }));
    assert_eq!(
        verify(&block(copy(Slot(3), A), next), 2, 3),
        Err(Invalid::Cell { op: 0, slot: 3, cells: 3 })
    );
    let guard = vec![Op::Guard { condition: Value::Slot(A), ops: 1 }];
    assert_eq!(verify(&block(guard, next), 2, 3), Err(Invalid::Guard(0)));
    let mut gap = block(copy(A, B), next);
    gap.insns[0].ops = 0..0;
    assert_eq!(verify(&gap, 2, 3), Err(Invalid::Ranges(0)));
    gap.insns.clear();
    assert_eq!(verify(&gap, 2, 3), Err(Invalid::Empty(0)));
}

#[test]
fn the_text_form_shows_every_part() {
    let ops = vec![Op::Binary {
        op: Binary::Add,
        width: Width::W32,
        dst: A,
        a: Value::Slot(B),
        b: Value::Const(16),
    }];
    let text = print(&block(ops, Exit::Indirect { target: Value::Slot(A) }));
    assert_eq!(text, "0x0: class 0 length 4\n    %0 = Add.32 %1, 0x10\n    jump %0\n");
}

#[test]
fn the_substitution_is_that_of_fips_197() {
    // FIPS 197, figures 7 and 14: the first and last entries, and the example of section 5.1.1.
    for (byte, substitute) in [(0x00, 0x63), (0x01, 0x7c), (0x53, 0xed), (0xf0, 0x8c), (0xff, 0x16)]
    {
        assert_eq!(unary(Unary::AesSubstitute, Width::W32, 0x5500 | byte), substitute);
        assert_eq!(unary(Unary::AesOriginal, Width::W32, substitute), byte);
    }
}

/// The contents of memory and of the first cell behind some operations.
fn evaluated(builder: Builder, memory: [u8; 16]) -> ([u8; 16], u64) {
    let block = block(builder.ops, Exit::Jump { target: 0 });
    let (mut cells, mut environment) = ([0; 16], Bytes(memory));
    evaluate(&block, &mut cells, &mut environment).expect("memory is there");
    (environment.0, cells[0])
}

#[test]
fn a_big_endian_core_has_the_highest_byte_first() {
    let bytes = std::array::from_fn(|at| 0x81 + at as u8);
    for (width, signed, expected) in [
        (Width::W8, false, 0x81),
        (Width::W8, true, 0xffff_ff81),
        (Width::W16, false, 0x8182),
        (Width::W16, true, 0xffff_8182),
        (Width::W32, false, 0x8182_8384),
    ] {
        let mut builder = Builder::new(1, 8).big_endian();
        let loaded = builder.load(width, signed, Value::Const(0), 0);
        builder.write(Slot(0), loaded);
        assert_eq!(evaluated(builder, bytes).1, expected, "{width:?}, signed: {signed}");

        let mut builder = Builder::new(1, 8).big_endian();
        builder.store(width, Value::Const(0x0102_0304), Value::Const(0), 0);
        let size = width.bits() as usize / 8;
        let stored = 0x0102_0304u32.to_be_bytes();
        assert_eq!(evaluated(builder, [0; 16]).0[..size], stored[4 - size..], "{width:?}");
    }
}
