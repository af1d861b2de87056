//! A32 but computations (DDI 0100I, part A, chapter 3): the words of version 4, and what versions 4T and
//! 5TE add.
//!
//! Bits that should be zero or one have to be. Of what is unpredictable, only that is an instruction whose
//! result is clear (`strb` to its own base register), and nothing that would have the program counter for a
//! base register that changes, as a factor, or for a shift by a register.

use super::{
    branch, constant_shift, data, double, indexed, multiple, rotated, shift, shifted, signed,
    transfer,
};
use crate::encoding::{Encoding, Fields, Need, Pattern, encodings};
use crate::instruction::{
    AbsentCoprocessor, Access, Address, DataOp, Index, Multiple, Offset, Operand, Operation,
    Selected, Shift, Special, StatusSource,
};

encodings! { A32 |f| {
    // Data processing.
    Any     "cccc 000o ooos NNNN DDDD kkkk kzz0 MMMM" => {
        processing(f, shifted(f.reg('m'), f.get('z'), f.get('k')))
    };
    Any     "cccc 000o ooos nnnn dddd rrrr 0zz1 mmmm" => {
        processing(f, Operand::Shifted { rm: f.reg('m'), shift: shift(f.get('z')), rs: f.reg('r') })
    };
    Any     "cccc 001o ooos NNNN DDDD kkkk iiii iiii" => processing(f, immediate(f));
    // Status registers.
    Any     "cccc 0001 0b00 1111 dddd 0000 0000 0000" => {
        Operation::StatusRead { rd: f.reg('d'), special: special(f) }
    };
    Any     "cccc 0001 0b10 ffff 1111 0000 0000 nnnn" => {
        status(f, StatusSource::Register(f.reg('n')))
    };
    Any     "cccc 0011 0b10 ffff 1111 kkkk iiii iiii" => {
        status(f, StatusSource::Immediate(f.get('i').rotate_right(2 * f.get('k'))))
    };
    // Branches and calls of the system.
    Any     "cccc 101l iiii iiii iiii iiii iiii iiii" => {
        branch(signed(f.get('i'), 24) << 2, f.is('l'))
    };
    V5TE    "1111 101h iiii iiii iiii iiii iiii iiii" => Operation::Branch {
        offset: signed(f.get('i'), 24) << 2 | (f.get('h') << 1) as i32,
        link: true,
        selected: Selected::Other,
    };
    FromV4T "cccc 0001 0010 1111 1111 1111 0001 MMMM" => {
        Operation::BranchExchange { rm: f.reg('m'), link: false }
    };
    V5TE    "cccc 0001 0010 1111 1111 1111 0011 mmmm" => {
        Operation::BranchExchange { rm: f.reg('m'), link: true }
    };
    V5TE    "1110 0001 0010 iiii iiii iiii 0111 iiii" => {
        Operation::Breakpoint { number: f.get('i') as u16 }
    };
    Any     "cccc 1111 iiii iiii iiii iiii iiii iiii" => {
        Operation::SupervisorCall { number: f.get('i') }
    };
    // What is kept free for good (figure A3-1, and since version 7 `udf`).
    Any     "cccc 0111 1111 ---- ---- ---- 1111 ----" => Operation::Undefined;
    // Loads and stores.
    Any     "cccc 010p vbwl NNNN TTTT iiii iiii iiii" => single(f, constant(f, f.get('i')));
    Any     "cccc 011p vbwl NNNN TTTT kkkk kzz0 mmmm" => {
        single(f, register(f, constant_shift(f.get('z'), f.get('k'))))
    };
    Any     "cccc 000p v1wl NNNN tttt iiii 1oo1 iiii" => narrow(f, constant(f, f.get('i')));
    Any     "cccc 000p v0wl NNNN tttt 0000 1oo1 mmmm" => narrow(f, register(f, (Shift::Left, 0)));
    V5TE    "cccc 000p v1w0 NNNN ttt0 iiii 11o1 iiii" => pair(f, constant(f, f.get('i')));
    V5TE    "cccc 000p v0w0 NNNN ttt0 0000 11o1 mmmm" => pair(f, register(f, (Shift::Left, 0)));
    Any     "cccc 100p vbwl nnnn iiii iiii iiii iiii" => several(f);
    Any     "cccc 0001 0b00 nnnn tttt 0000 1001 uuuu" => {
        Operation::Swap { byte: f.is('b'), rt: f.reg('t'), rt2: f.reg('u'), rn: f.reg('n') }
    };
    V5TE    "1111 0101 -101 ---- 1111 ---- ---- ----" => Operation::Preload;
    V5TE    "1111 0111 -101 ---- 1111 ---- ---0 mmmm" => Operation::Preload;
    // Coprocessors.
    Any     "cccc 1110 ooo0 jjjj TTTT gggg hhh1 eeee" => coprocessor(f, false);
    Any     "cccc 1110 ooo1 jjjj TTTT gggg hhh1 eeee" => coprocessor(f, true);
    Any     "cccc 1110 oooo jjjj ffff gggg hhh0 eeee" => absent(AbsentCoprocessor::Process {
        coprocessor: f.byte('g'),
        op1: f.byte('o'),
        crd: f.byte('f'),
        crn: f.byte('j'),
        crm: f.byte('e'),
        op2: f.byte('h'),
    });
    Any     "cccc 1100 1b0l NNNN ffff gggg iiii iiii" => absent(AbsentCoprocessor::Option {
        loads: f.is('l'),
        long: f.is('b'),
        coprocessor: f.byte('g'),
        crd: f.byte('f'),
        rn: f.reg('n'),
        option: f.byte('i'),
    });
    V5TE    "cccc 1100 010l UUUU TTTT gggg oooo eeee" => absent(AbsentCoprocessor::Pair {
        reads: f.is('l'),
        coprocessor: f.byte('g'),
        op1: f.byte('o'),
        rt: f.reg('t'),
        rt2: f.reg('u'),
        crm: f.byte('e'),
    });
    Any     "cccc 110p vbwl NNNN ffff gggg iiii iiii" => {
        let (loads, long, coprocessor, crd) = (f.is('l'), f.is('b'), f.byte('g'), f.byte('f'));
        let memory = |address| AbsentCoprocessor::Memory { loads, long, coprocessor, crd, address };
        indexed(f, 4 * f.get('i')).and_then(kept).map(|address| absent(memory(address)))
    };
} }

fn processing(f: &Fields, operand: Operand) -> Option<Operation> {
    let op = DataOp::ALL[f.get('o') as usize];
    let (rd, rn, sets_flags) = (f.reg('d'), f.reg('n'), f.is('s'));
    let has_unused = op.compares() && (rd != 0 || !sets_flags) || op.moves() && rn != 0;
    (!has_unused).then(|| data(op, sets_flags, rd, rn, operand))
}

/// A byte, rotated to the right by an even number of bits.
fn immediate(f: &Fields) -> Operand {
    match f.get('k') {
        0 => super::constant(f.get('i')),
        pairs => rotated(f.get('i'), 2 * pairs),
    }
}

fn status(f: &Fields, source: StatusSource) -> Operation {
    Operation::StatusWrite { special: special(f), fields: f.byte('f'), source }
}

fn special(f: &Fields) -> Special {
    if f.is('b') { Special::Saved } else { Special::Current }
}

/// A constant offset, upwards or downwards.
fn constant(f: &Fields, value: u32) -> Offset {
    let value = value as i32;
    Offset::Immediate(if f.is('v') { value } else { -value })
}

fn register(f: &Fields, (shift, amount): (Shift, u8)) -> Offset {
    Offset::Register { rm: f.reg('m'), shift, amount, subtract: !f.is('v') }
}

/// An address, unless it would change the program counter.
fn kept(address: Address) -> Option<Address> {
    (address.index == Index::Offset || address.rn != 15).then_some(address)
}

/// A load or store of a word or byte.
fn single(f: &Fields, offset: Offset) -> Option<Operation> {
    let (index, user) = match (f.is('p'), f.is('w')) {
        (true, false) => (Index::Offset, false),
        (true, true) => (Index::Before, false),
        (false, user) => (Index::After, user),
    };
    let address = kept(Address { rn: f.reg('n'), offset, index })?;
    let (access, rt) = (if f.is('b') { Access::Byte } else { Access::Word }, f.reg('t'));
    let is_jump_or_alike = access == Access::Word && !user;
    let loads = f.is('l');
    (rt != 15 || is_jump_or_alike).then_some(Operation::Transfer {
        loads,
        access,
        rt,
        address,
        user,
    })
}

/// The address of what is narrower or longer than a word.
fn near(f: &Fields, offset: Offset) -> Option<Address> {
    let index = match (f.is('p'), f.is('w')) {
        (true, false) => Index::Offset,
        (true, true) => Index::Before,
        (false, false) => Index::After,
        (false, true) => return None,
    };
    kept(Address { rn: f.reg('n'), offset, index })
}

/// A load or store of a half word or a signed byte.
fn narrow(f: &Fields, offset: Offset) -> Option<Operation> {
    let (loads, rt) = (f.is('l'), f.reg('t'));
    let access = match f.get('o') {
        0b01 => Access::Half,
        0b10 if loads => Access::SignedByte,
        0b11 if loads => Access::SignedHalf,
        _ => return None,
    };
    Some(transfer(loads, access, rt, near(f, offset)?))
}

/// A load or store of two words, of an even register and the next one.
fn pair(f: &Fields, offset: Offset) -> Option<Operation> {
    let rt = f.reg('t') << 1;
    let address = near(f, offset)?;
    (rt != 14).then(|| double(!f.is('o'), [rt, rt + 1], address))
}

/// A load or store of several registers. With the user's registers the base must not change, but on
/// the return from an exception it may.
fn several(f: &Fields) -> Option<Operation> {
    let (loads, rn, list, user, writeback) =
        (f.is('l'), f.reg('n'), f.list('i'), f.is('b'), f.is('w'));
    let returns = loads && list >> 15 != 0;
    let (up, before) = (f.is('v'), f.is('p'));
    let is_known = !(user && writeback) || returns;
    is_known.then(|| multiple(Multiple { loads, rn, list, up, before, writeback, user })).flatten()
}

/// `mcr`, `mrc`.
fn coprocessor(f: &Fields, reads: bool) -> Operation {
    Operation::Coprocessor {
        reads,
        coprocessor: f.byte('g'),
        op1: f.byte('o'),
        rt: f.reg('t'),
        crn: f.byte('j'),
        crm: f.byte('e'),
        op2: f.byte('h'),
    }
}

const fn absent(absent: AbsentCoprocessor) -> Operation {
    Operation::AbsentCoprocessor(absent)
}
