//! Random operations of the families, and states with corner values among them.

use proptest::prelude::*;
use proptest::sample::select;

use super::reference::State;
use crate::computation::{Computation, Opcode};
use crate::instruction::{Operation, ParallelKind, ParallelOp, Register, Shift, VectorRegisters};

/// Words, those at the ends of ranges of words, half words and bytes more often.
fn word() -> impl Strategy<Value = u32> {
    let half =
        || prop_oneof![any::<u16>(), select(vec![0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff])];
    prop_oneof![
        2 => any::<u32>(),
        2 => [half(), half()].prop_map(|[low, high]| u32::from(high) << 16 | u32::from(low)),
        1 => (0_u32..32).prop_map(|bit| 1 << bit),
    ]
}

pub fn state(pc: u32) -> impl Strategy<Value = State> {
    (prop::array::uniform15(word()), any::<[bool; 3]>(), 0_u8..16)
        .prop_map(move |(r, [n, z, q], ge)| State { r, n, z, q, ge, pc })
}

fn register() -> std::ops::Range<Register> {
    0..15
}

fn registers() -> [std::ops::Range<Register>; 4] {
    [0..15, 0..15, 0..15, 0..15]
}

/// Some computations, on any registers; both words of a destination of two are different ones.
fn computations(ops: &'static [Opcode]) -> impl Strategy<Value = Computation> {
    let is_pair = |op: Opcode| op.row().operands.starts_with(['l', 'L']);
    (select(ops), any::<[bool; 3]>(), registers())
        .prop_filter("two destinations", move |(op, _, [rd, _, _, ra])| !is_pair(*op) || rd != ra)
        .prop_map(|(op, [x, y, sets_flags], [rd, rn, rm, ra])| {
            let sets_flags = sets_flags && op.row().name.ends_with('S');
            Computation { sets_flags, x, y, rd, rn, rm, ra, ..Computation::new(op) }
        })
}

pub fn product() -> impl Strategy<Value = Operation> {
    let until = Opcode::Udiv as usize + 1;
    computations(&Opcode::ALL[..until]).prop_map(Operation::Compute)
}

pub fn saturation() -> impl Strategy<Value = Operation> {
    use Opcode::{Qadd, Qdadd, Qdsub, Qsub, Ssat, Ssat16, Usat, Usat16};
    let words = (computations(&[Ssat, Usat]), 0_u8..32, any::<bool>(), 0_u8..32);
    let halves = (computations(&[Ssat16, Usat16]), 0_u8..16);
    prop_oneof![
        words.prop_map(|(computation, bits, left, amount)| {
            let (shift, amount) =
                if left { (Shift::Left, amount) } else { (Shift::RightArithmetic, amount + 1) };
            let width = bits + u8::from(computation.op == Ssat);
            Computation { shift, amount, width, ..computation }
        }),
        halves.prop_map(|(computation, bits)| {
            Computation { width: bits + u8::from(computation.op == Ssat16), ..computation }
        }),
        computations(&[Qadd, Qdadd, Qsub, Qdsub]),
    ]
    .prop_map(Operation::Compute)
}

pub fn parallel() -> impl Strategy<Value = Operation> {
    let kinds = vec![
        ParallelKind::Signed,
        ParallelKind::SignedSaturating,
        ParallelKind::SignedHalving,
        ParallelKind::Unsigned,
        ParallelKind::UnsignedSaturating,
        ParallelKind::UnsignedHalving,
    ];
    let ops = vec![
        ParallelOp::Add16,
        ParallelOp::Asx,
        ParallelOp::Sax,
        ParallelOp::Sub16,
        ParallelOp::Add8,
        ParallelOp::Sub8,
    ];
    prop_oneof![
        8 => (select(kinds), select(ops), registers())
            .prop_map(|(kind, op, [rd, rn, rm, _])| Operation::Parallel { kind, op, rd, rn, rm }),
        2 => computations(&[Opcode::Sel, Opcode::Usad8, Opcode::Usada8])
            .prop_map(Operation::Compute),
    ]
}

pub fn bits() -> impl Strategy<Value = Operation> {
    prop_oneof![extend(), pack(), reordered(), field(), constant()]
}

fn extend() -> impl Strategy<Value = Operation> {
    let extensions = &Opcode::ALL[Opcode::Sxtb as usize..=Opcode::Uxtab16 as usize];
    (computations(extensions), select(vec![0, 8, 16, 24])).prop_map(|(computation, amount)| {
        Operation::Compute(Computation { shift: Shift::Rotate, amount, ..computation })
    })
}

fn pack() -> impl Strategy<Value = Operation> {
    (computations(&[Opcode::Pkhbt, Opcode::Pkhtb]), 0_u8..32).prop_map(|(computation, amount)| {
        let (shift, amount) = match computation.op {
            Opcode::Pkhbt => (Shift::Left, amount),
            _ => (Shift::RightArithmetic, amount + 1),
        };
        Operation::Compute(Computation { shift, amount, ..computation })
    })
}

fn reordered() -> impl Strategy<Value = Operation> {
    use Opcode::{Clz, Rbit, Rev, Rev16, Revsh};
    computations(&[Clz, Rbit, Rev, Rev16, Revsh]).prop_map(Operation::Compute)
}

fn field() -> impl Strategy<Value = Operation> {
    use Opcode::{Bfc, Bfi, Sbfx, Ubfx};
    let place = (0_u8..32).prop_flat_map(|lsb| (Just(lsb), 1..=32 - lsb));
    (place, computations(&[Sbfx, Ubfx, Bfi, Bfc])).prop_map(|((amount, width), computation)| {
        Operation::Compute(Computation { amount, width, ..computation })
    })
}

fn constant() -> impl Strategy<Value = Operation> {
    prop_oneof![
        (register(), any::<u16>(), any::<bool>())
            .prop_map(|(rd, value, top)| Operation::MoveHalf { rd, value, top }),
        (register(), -4095_i32..4096).prop_map(|(rd, offset)| Operation::AddressOf { rd, offset }),
    ]
}

pub fn vector_access() -> impl Strategy<Value = Operation> {
    let registers = (0_u8..32).prop_flat_map(|first| (Just(first), 1..=32 - first));
    let registers = registers.prop_map(|(first, count)| VectorRegisters {
        first,
        count,
        double: count % 2 == 0,
    });
    let flags = any::<[bool; 4]>();
    (registers, 0_u8..16, -255_i32..256, flags).prop_map(
        |(mut registers, rn, words, [loads, is_multiple, up, writeback])| {
            let writeback = writeback && rn != 15;
            if is_multiple {
                return Operation::VectorMultiple { loads, registers, rn, up, writeback };
            }
            registers.count = registers.count.min(2);
            Operation::VectorSingle { loads, registers, rn, offset: words * 4 }
        },
    )
}
