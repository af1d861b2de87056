//! Random operations of the families, and states with corner values among them.

use proptest::prelude::*;
use proptest::sample::select;

use super::reference::State;
use crate::instruction::{
    BitOp, Extension, HalfProduct, LongHalfProduct, LongProduct, Operation, ParallelKind,
    ParallelOp, Product, Register, Shift, VectorRegisters,
};

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

pub fn product() -> impl Strategy<Value = Operation> {
    prop_oneof![
        (select(vec![Product::Mul, Product::Mla, Product::Mls]), any::<bool>(), registers())
            .prop_map(|(product, sets_flags, [rd, rn, rm, ra])| Operation::Multiply {
                product,
                sets_flags,
                rd,
                rn,
                rm,
                ra
            }),
        long_product(),
        (half_product(), registers()).prop_map(|(product, [rd, rn, rm, ra])| {
            Operation::MultiplyHalf { product, rd, rn, rm, ra }
        }),
        (long_half_product(), registers())
            .prop_filter("two destinations", |(_, [lo, hi, ..])| lo != hi)
            .prop_map(|(product, [lo, hi, rn, rm])| {
                Operation::MultiplyHalfLong { product, lo, hi, rn, rm }
            }),
        (any::<bool>(), registers()).prop_map(|(signed, [rd, rn, rm, _])| Operation::Divide {
            signed,
            rd,
            rn,
            rm
        }),
    ]
}

fn long_product() -> impl Strategy<Value = Operation> {
    let products = vec![
        LongProduct::Umull,
        LongProduct::Smull,
        LongProduct::Umlal,
        LongProduct::Smlal,
        LongProduct::Umaal,
    ];
    (select(products), any::<bool>(), registers())
        .prop_filter("two destinations", |(_, _, [lo, hi, ..])| lo != hi)
        .prop_map(|(product, sets_flags, [lo, hi, rn, rm])| Operation::MultiplyLong {
            product,
            sets_flags,
            lo,
            hi,
            rn,
            rm,
        })
}

fn half_product() -> impl Strategy<Value = HalfProduct> {
    prop_oneof![
        any::<[bool; 2]>().prop_map(|top| HalfProduct::Smul { top }),
        any::<[bool; 2]>().prop_map(|top| HalfProduct::Smla { top }),
        any::<bool>().prop_map(|top| HalfProduct::Smulw { top }),
        any::<bool>().prop_map(|top| HalfProduct::Smlaw { top }),
        any::<bool>().prop_map(|exchange| HalfProduct::Smuad { exchange }),
        any::<bool>().prop_map(|exchange| HalfProduct::Smusd { exchange }),
        any::<bool>().prop_map(|exchange| HalfProduct::Smlad { exchange }),
        any::<bool>().prop_map(|exchange| HalfProduct::Smlsd { exchange }),
        any::<bool>().prop_map(|round| HalfProduct::Smmul { round }),
        any::<bool>().prop_map(|round| HalfProduct::Smmla { round }),
        any::<bool>().prop_map(|round| HalfProduct::Smmls { round }),
    ]
}

fn long_half_product() -> impl Strategy<Value = LongHalfProduct> {
    prop_oneof![
        any::<[bool; 2]>().prop_map(|top| LongHalfProduct::Smlal { top }),
        any::<bool>().prop_map(|exchange| LongHalfProduct::Smlald { exchange }),
        any::<bool>().prop_map(|exchange| LongHalfProduct::Smlsld { exchange }),
    ]
}

pub fn saturation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        (any::<bool>(), 0_u8..32, registers(), any::<bool>(), 0_u8..32).prop_map(
            |(signed, bits, [rd, rn, ..], left, amount)| {
                let (shift, amount) =
                    if left { (Shift::Left, amount) } else { (Shift::RightArithmetic, amount + 1) };
                let bits = bits + u8::from(signed);
                Operation::Saturate { signed, bits, rd, rn, shift, amount }
            }
        ),
        (any::<bool>(), 0_u8..16, registers()).prop_map(|(signed, bits, [rd, rn, ..])| {
            Operation::SaturateHalves { signed, bits: bits + u8::from(signed), rd, rn }
        }),
        (any::<[bool; 2]>(), registers()).prop_map(|([double, subtract], [rd, rm, rn, _])| {
            Operation::SaturatingSum { double, subtract, rd, rm, rn }
        }),
    ]
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
        1 => registers().prop_map(|[rd, rn, rm, _]| Operation::Select { rd, rn, rm }),
        1 => (registers(), any::<bool>()).prop_map(|([rd, rn, rm, ra], adds)| {
            Operation::SumOfDifferences { rd, rn, rm, ra: adds.then_some(ra) }
        }),
    ]
}

pub fn bits() -> impl Strategy<Value = Operation> {
    prop_oneof![extend(), pack(), reordered(), field(), constant()]
}

fn extend() -> impl Strategy<Value = Operation> {
    let extensions = vec![
        Extension::SignedByte,
        Extension::SignedHalf,
        Extension::SignedBytes,
        Extension::Byte,
        Extension::Half,
        Extension::Bytes,
    ];
    (select(extensions), registers(), any::<bool>(), select(vec![0, 8, 16, 24])).prop_map(
        |(extension, [rd, rn, rm, _], adds, rotation)| Operation::Extend {
            extension,
            rd,
            rn: adds.then_some(rn),
            rm,
            rotation,
        },
    )
}

fn pack() -> impl Strategy<Value = Operation> {
    (any::<bool>(), registers(), 0_u8..32).prop_map(|(top_first, [rd, rn, rm, _], amount)| {
        Operation::Pack { top_first, rd, rn, rm, amount: amount + u8::from(top_first) }
    })
}

fn reordered() -> impl Strategy<Value = Operation> {
    let ops = vec![
        BitOp::LeadingZeros,
        BitOp::ReverseBits,
        BitOp::ReverseBytes,
        BitOp::ReverseHalves,
        BitOp::ReverseSigned,
    ];
    (select(ops), registers()).prop_map(|(op, [rd, rm, ..])| Operation::Bits { op, rd, rm })
}

fn field() -> impl Strategy<Value = Operation> {
    let place = (0_u8..32).prop_flat_map(|lsb| (Just(lsb), 1..=32 - lsb));
    (place, registers(), any::<[bool; 2]>()).prop_map(
        |((lsb, width), [rd, rn, ..], [extracts, second])| {
            if extracts {
                Operation::ExtractField { signed: second, rd, rn, lsb, width }
            } else {
                Operation::InsertField { rd, rn: second.then_some(rn), lsb, width }
            }
        },
    )
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
        |(mut registers, rn, words, [is_load, is_multiple, up, writeback])| {
            let writeback = writeback && rn != 15;
            if is_multiple && is_load {
                return Operation::VectorLoadMultiple { registers, rn, up, writeback };
            }
            if is_multiple {
                return Operation::VectorStoreMultiple { registers, rn, up, writeback };
            }
            registers.count = registers.count.min(2);
            let offset = words * 4;
            if is_load {
                Operation::VectorLoad { registers, rn, offset }
            } else {
                Operation::VectorStore { registers, rn, offset }
            }
        },
    )
}
