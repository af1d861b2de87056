//! The 32-bit instructions of Thumb-2 but computations (DDI 0403, A5.3).
//!
//! The program counter where the manual calls it unpredictable is no instruction, and so are fields
//! that reach beyond a register. Coprocessors other than the floating-point extension are none of a
//! Cortex-M core; their instructions are undefined here. ARMv6-M has `bl`, status registers, barriers
//! and `udf` of it.

use super::narrow::hint;
use super::{
    at, branch, constant, data, double, indexed, multiple, rotated, shift, shifted, signed,
};
use crate::encoding::{Encoding, Fields, Need, Pattern, encodings};
use crate::instruction::{
    Access, Address, Barrier, DataOp, Hint, Index, Multiple, Offset, Operand, Operation,
    ParallelKind, ParallelOp, Register, Shift, Special, StatusSource, VectorMove, VectorRegisters,
};

const PC: Register = 15;

encodings! { WIDE |f| {
    // Branches (A5.3.4).
    M      "1111 0sii iiii iiii 11j1 kiii iiii iiii" => branch(far(f), true);
    Thumb2 "1111 0sii iiii iiii 10j1 kiii iiii iiii" => branch(far(f), false);
    Thumb2 "1111 0scc ccii iiii 10j0 kiii iiii iiii" => conditional(f);
    M      "1111 0111 1111 ---- 1010 ---- ---- ----" => Operation::Undefined;
    // Status registers, hints and barriers.
    M      "1111 0011 1000 nnnn 1000 ff00 iiii iiii" => special(f).map(|register| status_write(f, register));
    Thumb2 "1111 0011 1000 nnnn 1000 ff00 0001 00ii" => mask(f).map(|register| status_write(f, register));
    M      "1111 0011 1110 1111 1000 dddd iiii iiii" => special(f).map(|register| status_read(f, register));
    Thumb2 "1111 0011 1110 1111 1000 dddd 0001 00ii" => mask(f).map(|register| status_read(f, register));
    Thumb2 "1111 0011 1010 1111 1000 0000 iiii iiii" => Operation::Hint(far_hint(f.byte('i')));
    Thumb2 "1111 0011 1011 1111 1000 1111 0010 1111" => Operation::ClearExclusive;
    M      "1111 0011 1011 1111 1000 1111 0100 ----" => barrier(Barrier::DataSynchronization);
    M      "1111 0011 1011 1111 1000 1111 0101 ----" => barrier(Barrier::Data);
    M      "1111 0011 1011 1111 1000 1111 0110 ----" => barrier(Barrier::Instruction);
    // Data processing (A5.3.1, A5.3.3, A5.3.11, A5.3.12).
    Thumb2 "1110 101o ooos NNNN 0kkk DDDD kkzz mmmm" => {
        processing(f, shifted(f.reg('m'), f.get('z'), f.get('k')))
    };
    Thumb2 "1111 0i0o ooos NNNN 0iii DDDD iiii iiii" => processing(f, expanded(f.get('i')));
    Thumb2 "1111 0i10 0000 1111 0iii dddd iiii iiii" => address(f, f.get('i') as i32);
    Thumb2 "1111 0i10 1010 1111 0iii dddd iiii iiii" => address(f, -(f.get('i') as i32));
    Thumb2 "1111 0i10 0000 nnnn 0iii dddd iiii iiii" => plain_sum(f, DataOp::Add);
    Thumb2 "1111 0i10 1010 nnnn 0iii dddd iiii iiii" => plain_sum(f, DataOp::Sub);
    Thumb2 "1111 0i10 0100 hhhh 0iii dddd iiii iiii" => move_half(f, false);
    Thumb2 "1111 0i10 1100 hhhh 0iii dddd iiii iiii" => move_half(f, true);
    Thumb2 "1111 1010 0zzs nnnn 1111 dddd 0000 mmmm" => {
        let operand = Operand::Shifted { rm: f.reg('n'), shift: shift(f.get('z')), rs: f.reg('m') };
        data(DataOp::Mov, f.is('s'), f.reg('d'), 0, operand)
    };
    Dsp    "1111 1010 1ooo nnnn 1111 dddd 0kkk mmmm" => parallel(f);
    // Several registers, two, accesses that reserve, branches by table (A5.3.5, A5.3.6).
    Thumb2 "1110 1000 10wl nnnn iiii iiii iiii iiii" => several(f, true);
    Thumb2 "1110 1001 00wl nnnn iiii iiii iiii iiii" => several(f, false);
    Thumb2 "1110 100p v1wl NNNN tttt uuuu iiii iiii" => pair(f);
    Thumb2 "1110 1000 0100 nnnn tttt dddd iiii iiii" => store_exclusive(f, Access::Word);
    Thumb2 "1110 1000 0101 nnnn tttt 1111 iiii iiii" => load_exclusive(f, Access::Word);
    Thumb2 "1110 1000 1100 nnnn tttt 1111 0100 dddd" => store_exclusive(f, Access::Byte);
    Thumb2 "1110 1000 1100 nnnn tttt 1111 0101 dddd" => store_exclusive(f, Access::Half);
    Thumb2 "1110 1000 1101 nnnn tttt 1111 0100 1111" => load_exclusive(f, Access::Byte);
    Thumb2 "1110 1000 1101 nnnn tttt 1111 0101 1111" => load_exclusive(f, Access::Half);
    Thumb2 "1110 1000 1101 NNNN 1111 0000 000h mmmm" => {
        Operation::TableBranch { rn: f.reg('n'), rm: f.reg('m'), half: f.is('h') }
    };
    // One register, and hints about memory (A5.3.7 to A5.3.10).
    Thumb2 "1111 100z 1ool NNNN TTTT iiii iiii iiii" => {
        single(f, at(f.reg('n'), f.get('i') as i32), false)
    };
    Thumb2 "1111 100z 0ool 1111 TTTT iiii iiii iiii" => {
        single(f, at(PC, -(f.get('i') as i32)), false)
    };
    Thumb2 "1111 100z 0ool nnnn TTTT 0000 00kk mmmm" => single(f, by_register(f), false);
    Thumb2 "1111 100z 0ool nnnn TTTT 1110 iiii iiii" => {
        single(f, at(f.reg('n'), f.get('i') as i32), true)
    };
    Thumb2 "1111 100z 0ool nnnn TTTT 1pvw iiii iiii" => single_indexed(f);
    // The floating-point extension (A6): its arithmetic is not decoded.
    Vector "1110 1100 010l uuuu tttt 101b 00h1 gggg" => vector_pair(f);
    Vector "1110 1101 vf0l NNNN eeee 101b iiii iiii" => vector_single(f);
    Vector "1110 1100 1fwl nnnn eeee 101b iiii iiii" => vector_several(f, true);
    Vector "1110 1101 0f1l nnnn eeee 101b iiii iiii" => vector_several(f, false);
    Vector "1110 1110 000l jjjj tttt 1010 k001 0000" => vector_general(f, f.is('k'));
    Vector "1110 1110 00kl jjjj tttt 1011 0001 0000" => vector_general(f, f.is('k'));
    Vector "1110 1110 1111 0001 TTTT 1010 0001 0000" => {
        Operation::VectorMove(VectorMove::FromStatus { rt: f.reg('t') })
    };
    Vector "1110 1110 1110 0001 tttt 1010 0001 0000" => {
        Operation::VectorMove(VectorMove::ToStatus { rt: f.reg('t') })
    };
    Vector "1110 1110 1f11 iiii eeee 1010 0000 iiii" => {
        Operation::VectorMove(VectorMove::Immediate { sd: sd(f), bits: float(f.get('i')) })
    };
    Vector "1110 1110 1f11 0000 eeee 1010 01h0 gggg" => {
        Operation::VectorMove(VectorMove::Copy { sd: sd(f), sm: sm(f) })
    };
} }

/// The distance of `b` and `bl`: two of its bits are encoded as whether they are the sign.
fn far(f: &Fields) -> i32 {
    let [sign, first, second] = ['s', 'j', 'k'].map(|letter| f.get(letter));
    let upper = sign << 2 | (first ^ sign ^ 1) << 1 | (second ^ sign ^ 1);
    signed(upper << 22 | f.get('i') << 1, 25)
}

fn conditional(f: &Fields) -> Option<Operation> {
    let upper = f.get('s') << 2 | f.get('k') << 1 | f.get('j');
    let offset = signed(upper << 18 | f.get('i') << 1, 21);
    (f.get('c') < 14).then(|| branch(offset, false))
}

/// A special register of any version (DDI 0403, B5.1.1; DDI 0419, B4.1.1).
fn special(f: &Fields) -> Option<Special> {
    use Special::{Basepri, BasepriMax, Faultmask};
    Special::numbered(f.get('i'))
        .filter(|special| !matches!(special, Basepri | BasepriMax | Faultmask))
}

/// One of those that ARMv6-M lacks.
fn mask(f: &Fields) -> Option<Special> {
    f.is('i').then(|| Special::numbered(16 + f.get('i'))).flatten()
}

fn status_write(f: &Fields, special: Special) -> Operation {
    let (fields, source) = (f.byte('f') << 2, StatusSource::Register(f.reg('n')));
    Operation::StatusWrite { special, fields, source }
}

fn status_read(f: &Fields, special: Special) -> Operation {
    Operation::StatusRead { rd: f.reg('d'), special }
}

const fn far_hint(number: u8) -> Hint {
    if number < 16 { hint(number) } else { Hint::Other(number) }
}

const fn barrier(barrier: Barrier) -> Operation {
    Operation::Barrier(barrier)
}

/// A constant from its twelve bits (DDI 0403, A5.3.2).
fn expanded(twelve: u32) -> Operand {
    let byte = twelve & 0xff;
    match twelve >> 8 {
        0 => constant(byte),
        1 => constant(byte << 16 | byte),
        2 => constant((byte << 16 | byte) << 8),
        3 => constant(byte * 0x0101_0101),
        _ => rotated(byte | 0x80, twelve >> 7),
    }
}

/// Data processing by its four bits; what has no destination or no first operand is a comparison or
/// a move.
fn processing(f: &Fields, operand: Operand) -> Option<Operation> {
    let (sets_flags, rn, rd) = (f.is('s'), f.reg('n'), f.reg('d'));
    let compared = rd == PC && sets_flags;
    let op = match f.get('o') {
        0 if compared => DataOp::Tst,
        0 => DataOp::And,
        1 => DataOp::Bic,
        2 if rn == PC => DataOp::Mov,
        2 => DataOp::Orr,
        3 if rn == PC => DataOp::Mvn,
        3 => DataOp::Orn,
        4 if compared => DataOp::Teq,
        4 => DataOp::Eor,
        8 if compared => DataOp::Cmn,
        8 => DataOp::Add,
        10 => DataOp::Adc,
        11 => DataOp::Sbc,
        13 if compared => DataOp::Cmp,
        13 => DataOp::Sub,
        14 => DataOp::Rsb,
        _ => return None,
    };
    let [rd, rn] =
        [(rd, op.compares()), (rn, op.moves())].map(|(register, no)| if no { 0 } else { register });
    (rd != PC && rn != PC).then(|| data(op, sets_flags, rd, rn, operand))
}

fn address(f: &Fields, offset: i32) -> Operation {
    Operation::AddressOf { rd: f.reg('d'), offset }
}

fn plain_sum(f: &Fields, op: DataOp) -> Operation {
    data(op, false, f.reg('d'), f.reg('n'), constant(f.get('i')))
}

fn move_half(f: &Fields, top: bool) -> Operation {
    let value = (f.get('h') << 12 | f.get('i')) as u16;
    Operation::MoveHalf { rd: f.reg('d'), value, top }
}

fn parallel(f: &Fields) -> Option<Operation> {
    let (op, kind) =
        (of_three(f.get('o'), ParallelOp::ALL)?, of_three(f.get('k'), ParallelKind::ALL)?);
    Some(Operation::Parallel { kind, op, rd: f.reg('d'), rn: f.reg('n'), rm: f.reg('m') })
}

/// One of twice three, by three bits: what ends in two ones is none.
fn of_three<T: Copy>(bits: u32, all: &[T]) -> Option<T> {
    (bits & 3 != 3).then(|| all[(bits - bits / 4) as usize])
}

fn several(f: &Fields, up: bool) -> Option<Operation> {
    let (loads, rn, list, writeback) = (f.is('l'), f.reg('n'), f.list('i'), f.is('w'));
    multiple(Multiple { loads, rn, list, up, before: !up, writeback, user: false })
}

/// `ldrd`, `strd`, of which index or write-back tell that it is one.
fn pair(f: &Fields) -> Option<Operation> {
    let (loads, writeback) = (f.is('l'), f.is('w'));
    let address = indexed(f, f.get('i') << 2)?;
    let keeps_pc = address.rn != PC || loads && !writeback;
    keeps_pc.then(|| double(loads, [f.reg('t'), f.reg('u')], address))
}

fn load_exclusive(f: &Fields, access: Access) -> Operation {
    let offset = (f.get('i') << 2) as u16;
    Operation::LoadExclusive { access, rt: f.reg('t'), rn: f.reg('n'), offset }
}

fn store_exclusive(f: &Fields, access: Access) -> Operation {
    let [rd, rt, rn] = ['d', 't', 'n'].map(|letter| f.reg(letter));
    Operation::StoreExclusive { access, rd, rt, rn, offset: (f.get('i') << 2) as u16 }
}

fn by_register(f: &Fields) -> Address {
    let (rm, amount, shift) = (f.reg('m'), f.byte('k'), Shift::Left);
    let offset = Offset::Register { rm, shift, amount, subtract: false };
    Address { rn: f.reg('n'), offset, index: Index::Offset }
}

/// A base that changes, or an offset downwards.
fn single_indexed(f: &Fields) -> Option<Operation> {
    let is_upwards_alone = f.is('p') && f.is('v') && !f.is('w');
    if is_upwards_alone { None } else { single(f, indexed(f, f.get('i'))?, false) }
}

/// A load or store of one register, and a hint about memory in the place of loads of less than a word
/// to the program counter.
fn single(f: &Fields, address: Address, user: bool) -> Option<Operation> {
    let access = match (f.get('o'), f.is('z')) {
        (0, false) => Access::Byte,
        (0, true) => Access::SignedByte,
        (1, false) => Access::Half,
        (1, true) => Access::SignedHalf,
        (2, false) => Access::Word,
        _ => return None,
    };
    let (loads, rt) = (f.is('l'), f.reg('t'));
    let is_known = match (loads, rt, access) {
        (false, ..) => !f.is('z') && rt != PC && address.rn != PC,
        (true, PC, Access::Word) => !user,
        (true, PC, _) if address.index == Index::Offset && !user => {
            return Some(Operation::Preload);
        }
        (true, PC, _) => false,
        (true, ..) => true,
    };
    is_known.then_some(Operation::Transfer { loads, access, rt, address, user })
}

/// The number of single-precision registers; the 16 double-precision ones are pairs of them.
const REGISTERS: u8 = 32;

/// The single-precision registers of a destination and of an operand: four bits and a lowest one.
const fn sd(f: &Fields) -> u8 {
    f.byte('e') << 1 | f.byte('f')
}

const fn sm(f: &Fields) -> u8 {
    f.byte('g') << 1 | f.byte('h')
}

/// So many registers from the destination on. Of a double-precision one the lowest bit is the highest
/// and must be 0.
fn registers(f: &Fields, count: u8) -> Option<VectorRegisters> {
    let (double, first) = (f.is('b'), sd(f));
    let fits = count > 0 && u32::from(first) + u32::from(count) <= REGISTERS.into();
    let is_whole = !double || first & 1 == 0 && count & 1 == 0;
    (fits && is_whole).then_some(VectorRegisters { first, count, double })
}

fn vector_single(f: &Fields) -> Option<Operation> {
    let (loads, rn, distance) = (f.is('l'), f.reg('n'), (f.get('i') << 2) as i32);
    let registers = registers(f, 1 + f.byte('b'))?;
    let offset = if f.is('v') { distance } else { -distance };
    (loads || rn != PC).then_some(Operation::VectorSingle { loads, registers, rn, offset })
}

/// `vldm`, `vstm`. What is written as an odd number of words in double precision (`fldmx`) is left
/// out.
fn vector_several(f: &Fields, up: bool) -> Option<Operation> {
    let (loads, rn, writeback) = (f.is('l'), f.reg('n'), f.is('w') || !up);
    let registers = registers(f, f.byte('i'))?;
    Some(Operation::VectorMultiple { loads, registers, rn, up, writeback })
}

/// Moves of two registers at once.
fn vector_pair(f: &Fields) -> Option<Operation> {
    let (rt, rt2, sm, double) = (f.reg('t'), f.reg('u'), sm(f), f.is('b'));
    let is_there = sm + 1 < REGISTERS && !(double && f.is('h'));
    let moved = if f.is('l') {
        VectorMove::PairToGeneral { rt, rt2, sm, double }
    } else {
        VectorMove::PairFromGeneral { sm, rt, rt2, double }
    };
    is_there.then_some(Operation::VectorMove(moved))
}

/// Moves from and to one general register. Half of a double-precision register is a
/// single-precision one.
fn vector_general(f: &Fields, odd: bool) -> Operation {
    let (rt, sn) = (f.reg('t'), f.byte('j') << 1 | u8::from(odd));
    Operation::VectorMove(if f.is('l') {
        VectorMove::ToGeneral { rt, sn }
    } else {
        VectorMove::FromGeneral { sn, rt }
    })
}

/// A constant of `vmov.f32` (DDI 0403, A6.4.1): a sign, three bits of exponent, four of fraction.
const fn float(byte: u32) -> u32 {
    let exponent = byte >> 4 & 3 | if byte & 0x40 != 0 { 0x7c } else { 0x80 };
    (byte >> 7) << 31 | exponent << 23 | (byte & 15) << 19
}
