//! The 16-bit instructions of Thumb (DDI 0403, A5.2; DDI 0100, A6).
//!
//! Encodings that the manuals call unpredictable are decoded where their effect is plain; an empty list of
//! registers, and what must not stand in an IT block, are no instructions.

use super::{at, branch, constant, data, multiple, plain, shifted, signed, transfer};
use crate::computation::{Computation, Opcode};
use crate::encoding::{Encoding, Fields, Need, Pattern, encodings};
use crate::instruction::{
    Access, Address, DataOp, Hint, Index, Multiple, Offset, Operand, Operation, Register, Selected,
    Shift,
};

const SP: Register = 13;
const LR: Register = 14;
const PC: Register = 15;

encodings! { NARROW |f| {
    // Shifts, sums, comparisons and moves.
    Any    "0001 100m mmnn nddd" => sets(f, DataOp::Add, plain(f.reg('m')));
    Any    "0001 101m mmnn nddd" => sets(f, DataOp::Sub, plain(f.reg('m')));
    Any    "0001 110i iinn nddd" => sets(f, DataOp::Add, constant(f.get('i')));
    Any    "0001 111i iinn nddd" => sets(f, DataOp::Sub, constant(f.get('i')));
    Any    "000z zkkk kkmm mddd" => {
        sets(f, DataOp::Mov, shifted(f.reg('m'), f.get('z'), f.get('k')))
    };
    Any    "0010 0ddd iiii iiii" => sets(f, DataOp::Mov, constant(f.get('i')));
    Any    "0010 1nnn iiii iiii" => compares(f, DataOp::Cmp, constant(f.get('i')));
    Any    "0011 0ddd iiii iiii" => changes(f, DataOp::Add, constant(f.get('i')));
    Any    "0011 1ddd iiii iiii" => changes(f, DataOp::Sub, constant(f.get('i')));
    // Data processing.
    Any    "0100 0000 00mm mddd" => changes(f, DataOp::And, plain(f.reg('m')));
    Any    "0100 0000 01mm mddd" => changes(f, DataOp::Eor, plain(f.reg('m')));
    Any    "0100 0000 10rr rddd" => moves(f, Shift::Left);
    Any    "0100 0000 11rr rddd" => moves(f, Shift::Right);
    Any    "0100 0001 00rr rddd" => moves(f, Shift::RightArithmetic);
    Any    "0100 0001 01mm mddd" => changes(f, DataOp::Adc, plain(f.reg('m')));
    Any    "0100 0001 10mm mddd" => changes(f, DataOp::Sbc, plain(f.reg('m')));
    Any    "0100 0001 11rr rddd" => moves(f, Shift::Rotate);
    Any    "0100 0010 00mm mnnn" => compares(f, DataOp::Tst, plain(f.reg('m')));
    Any    "0100 0010 01nn nddd" => sets(f, DataOp::Rsb, constant(0));
    Any    "0100 0010 10mm mnnn" => compares(f, DataOp::Cmp, plain(f.reg('m')));
    Any    "0100 0010 11mm mnnn" => compares(f, DataOp::Cmn, plain(f.reg('m')));
    Any    "0100 0011 00mm mddd" => changes(f, DataOp::Orr, plain(f.reg('m')));
    Any    "0100 0011 01nn nddd" => product(f);
    Any    "0100 0011 10mm mddd" => changes(f, DataOp::Bic, plain(f.reg('m')));
    Any    "0100 0011 11mm mddd" => sets(f, DataOp::Mvn, plain(f.reg('m')));
    // Any registers, and branches to them.
    Any    "0100 0100 DMMM MDDD" => {
        data(DataOp::Add, false, f.reg('d'), f.reg('d'), plain(f.reg('m')))
    };
    Any    "0100 0101 NMMM MNNN" => compares(f, DataOp::Cmp, plain(f.reg('m')));
    Any    "0100 0110 DMMM MDDD" => data(DataOp::Mov, false, f.reg('d'), 0, plain(f.reg('m')));
    Any    "0100 0111 0MMM M000" => Operation::BranchExchange { rm: f.reg('m'), link: false };
    FromV5 "0100 0111 1mmm m000" => Operation::BranchExchange { rm: f.reg('m'), link: true };
    // Loads and stores.
    Any    "0100 1ttt iiii iiii" => word(f, true, PC);
    Any    "0101 ooom mmnn nttt" => by_register(f);
    Any    "0110 liii iinn nttt" => by_constant(f, Access::Word, 2);
    Any    "0111 liii iinn nttt" => by_constant(f, Access::Byte, 0);
    Any    "1000 liii iinn nttt" => by_constant(f, Access::Half, 1);
    Any    "1001 lttt iiii iiii" => word(f, f.is('l'), SP);
    // Addresses and the stack.
    Any    "1010 0ddd iiii iiii" => {
        Operation::AddressOf { rd: f.reg('d'), offset: (f.get('i') << 2) as i32 }
    };
    Any    "1010 1ddd iiii iiii" => {
        data(DataOp::Add, false, f.reg('d'), SP, constant(f.get('i') << 2))
    };
    Any    "1011 0000 0iii iiii" => data(DataOp::Add, false, SP, SP, constant(f.get('i') << 2));
    Any    "1011 0000 1iii iiii" => data(DataOp::Sub, false, SP, SP, constant(f.get('i') << 2));
    Any    "1011 010b iiii iiii" => stack(f, false, LR);
    Any    "1011 110b iiii iiii" => stack(f, true, PC);
    // What is left.
    Thumb2 "1011 o0i1 iiii innn" => Operation::CompareBranch {
        nonzero: f.is('o'),
        rn: f.reg('n'),
        offset: (f.get('i') << 1) as i32,
    };
    M      "1011 0110 011o 0010" => change_state(f, true, false);
    Thumb2 "1011 0110 011o 00p1" => change_state(f, f.is('p'), true);
    FromV5 "1011 1110 iiii iiii" => Operation::Breakpoint { number: f.get('i') as u16 };
    M      "1011 1111 oooo 0000" => Operation::Hint(hint(f.byte('o')));
    Thumb2 "1011 1111 oooo iiii" => it(f.byte('o'), f.byte('i'));
    Any    "1100 0nnn iiii iiii" => several(f, false, true);
    Any    "1100 1nnn iiii iiii" => several(f, true, f.list('i') >> f.get('n') & 1 == 0);
    Any    "1101 1110 ---- ----" => Operation::Undefined;
    Any    "1101 1111 iiii iiii" => Operation::SupervisorCall { number: f.get('i') };
    Any    "1101 cccc iiii iiii" => branch(signed(f.get('i') << 1, 9), false);
    Any    "1110 0iii iiii iiii" => branch(signed(f.get('i') << 1, 12), false);
    // The halves of `bl` and `blx`.
    Classic "1111 0iii iiii iiii" => {
        Operation::BranchPrefix { offset: signed(f.get('i'), 11) << 12 }
    };
    Classic "1111 1iii iiii iiii" => suffix(f.get('i') << 1, Selected::Same);
    V5TE   "1110 1iii iiii iii0" => suffix(f.get('i') << 2, Selected::Other);
} }

/// Data processing that sets flags outside of IT blocks.
fn sets(f: &Fields, op: DataOp, operand: Operand) -> Operation {
    data(op, f.sets_flags(), f.reg('d'), f.reg('n'), operand)
}

/// The same on its own destination.
fn changes(f: &Fields, op: DataOp, operand: Operand) -> Operation {
    data(op, f.sets_flags(), f.reg('d'), f.reg('d'), operand)
}

fn compares(f: &Fields, op: DataOp, operand: Operand) -> Operation {
    data(op, true, 0, f.reg('n'), operand)
}

/// A register shifted by another.
fn moves(f: &Fields, shift: Shift) -> Operation {
    let operand = Operand::Shifted { rm: f.reg('d'), shift, rs: f.reg('r') };
    data(DataOp::Mov, f.sets_flags(), f.reg('d'), 0, operand)
}

fn product(f: &Fields) -> Operation {
    let (rd, rn, sets_flags) = (f.reg('d'), f.reg('n'), f.sets_flags());
    let product = Computation { rd, rn, rm: rd, sets_flags, ..Computation::new(Opcode::Mul) };
    Operation::Compute(product)
}

fn word(f: &Fields, loads: bool, rn: Register) -> Operation {
    transfer(loads, Access::Word, f.reg('t'), at(rn, (f.get('i') << 2) as i32))
}

fn by_register(f: &Fields) -> Operation {
    let (loads, access) = match f.get('o') {
        0 => (false, Access::Word),
        1 => (false, Access::Half),
        2 => (false, Access::Byte),
        3 => (true, Access::SignedByte),
        4 => (true, Access::Word),
        5 => (true, Access::Half),
        6 => (true, Access::Byte),
        _ => (true, Access::SignedHalf),
    };
    let offset =
        Offset::Register { rm: f.reg('m'), shift: Shift::Left, amount: 0, subtract: false };
    transfer(loads, access, f.reg('t'), Address { rn: f.reg('n'), offset, index: Index::Offset })
}

fn by_constant(f: &Fields, access: Access, scale: u32) -> Operation {
    transfer(f.is('l'), access, f.reg('t'), at(f.reg('n'), (f.get('i') << scale) as i32))
}

/// `push` and `pop`, with a further register.
fn stack(f: &Fields, loads: bool, further: Register) -> Option<Operation> {
    let list = f.list('i') | f.list('b') << further;
    multiple(Multiple {
        loads,
        rn: SP,
        list,
        up: loads,
        before: !loads,
        writeback: true,
        user: false,
    })
}

/// `stm` and `ldm`. A base that is loaded too is not written back.
fn several(f: &Fields, loads: bool, writeback: bool) -> Option<Operation> {
    let (rn, list) = (f.reg('n'), f.list('i'));
    multiple(Multiple { loads, rn, list, up: true, before: false, writeback, user: false })
}

/// `cpsie`, `cpsid`.
fn change_state(f: &Fields, primask: bool, faultmask: bool) -> Operation {
    Operation::ChangeState { disable: f.is('o'), primask, faultmask }
}

/// `it`. A condition of which an "else" is never, is none.
fn it(first: u8, mask: u8) -> Option<Operation> {
    let known = mask != 0 && (first < 14 || first == 14 && mask.is_power_of_two());
    known.then_some(Operation::It { first, mask })
}

/// A hint by its number.
pub(super) const fn hint(number: u8) -> Hint {
    match number {
        0 => Hint::Nop,
        1 => Hint::Yield,
        2 => Hint::WaitForEvent,
        3 => Hint::WaitForInterrupt,
        4 => Hint::SendEvent,
        number => Hint::Other(number),
    }
}

const fn suffix(offset: u32, selected: Selected) -> Operation {
    Operation::BranchSuffix { offset: offset as u16, selected }
}
