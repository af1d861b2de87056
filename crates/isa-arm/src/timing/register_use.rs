//! The registers that an instruction reads and writes, by kind of use.

use crate::computation::Computation;
use crate::instruction::{
    Address, DataOp, Index, Instruction, Multiple, Offset, Operand, Operation, Register,
    StatusSource, VectorMove,
};

/// General registers as bits.
pub(super) type Registers = u16;

/// The effect of an instruction on the general registers, as far as pipelines care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a property of its own.
pub(super) struct RegisterUse {
    /// Read for anything.
    pub reads: Registers,
    /// Read for the address of an access.
    pub address: Registers,
    /// Read as what a product is added to.
    pub accumulates: Registers,
    /// Written with what was computed.
    pub results: Registers,
    /// Written with what was loaded.
    pub loaded: Registers,
    /// The last of these.
    pub last: Option<Register>,
    /// A base register that is changed.
    pub base: Registers,
    /// The number of registers that go to or come from memory.
    pub accesses: u32,
    /// True if it stores, and nothing else.
    pub stores: bool,
    /// True if the address has a register as its offset.
    pub indexed: bool,
    /// True if that register is shifted.
    pub scaled: bool,
    /// True if a register is shifted by another.
    pub shifts: bool,
    /// True if the program counter is written.
    pub jumps: bool,
    /// True if flags are set by a product.
    pub flags: bool,
}

const fn bit(register: Register) -> Registers {
    1 << register
}

impl RegisterUse {
    /// The operation of an instruction.
    pub fn of(instruction: &Instruction) -> Self {
        let mut register_use = Self::default();
        register_use.follow(&instruction.operation);
        register_use.jumps |= (register_use.results | register_use.loaded) & bit(15) != 0;
        register_use
    }

    fn follow(&mut self, operation: &Operation) {
        match *operation {
            Operation::Data { op, rd, rn, operand, .. } => self.data(op, rd, rn, operand),
            Operation::AddressOf { rd, .. } | Operation::StatusRead { rd, .. } => {
                self.results = bit(rd);
            }
            Operation::MoveHalf { rd, top, .. } => {
                self.compute(bit(rd), if top { bit(rd) } else { 0 });
            }
            Operation::Compute(computation) => self.computation(&computation),
            Operation::Parallel { rd, rn, rm, .. } => self.compute(bit(rd), bit(rn) | bit(rm)),
            Operation::Transfer { loads, rt, address, .. } => {
                self.at(address);
                self.transfer(loads, bit(rt), Some(rt));
            }
            Operation::TransferDouble { loads, rt, rt2, address } => {
                self.at(address);
                self.transfer(loads, bit(rt) | bit(rt2), Some(rt2));
            }
            Operation::Multiple(Multiple { loads, rn, list, writeback, .. }) => {
                self.based_on(rn, writeback);
                self.transfer(loads, list, list.checked_ilog2().map(|last| last as Register));
            }
            Operation::LoadExclusive { rt, rn, .. } => {
                self.based_on(rn, false);
                self.transfer(true, bit(rt), Some(rt));
            }
            Operation::StoreExclusive { rd, rt, rn, .. } => {
                self.based_on(rn, false);
                self.transfer(false, bit(rt), None);
                (self.loaded, self.last, self.stores) = (bit(rd), Some(rd), false);
            }
            Operation::Swap { rt, rt2, rn, .. } => {
                self.based_on(rn, false);
                self.transfer(false, bit(rt2), None);
                self.transfer(true, bit(rt), Some(rt));
                self.accesses = 2;
            }
            Operation::Branch { link, .. } => self.branch(0, link),
            Operation::BranchExchange { rm, link } => self.branch(bit(rm), link),
            Operation::BranchPrefix { .. } => self.results = bit(14),
            Operation::BranchSuffix { .. } => self.branch(bit(14), true),
            Operation::CompareBranch { rn, .. } => self.branch(bit(rn), false),
            Operation::TableBranch { rn, rm, .. } => {
                self.branch(bit(rn) | bit(rm), false);
                (self.address, self.accesses) = (self.reads, 1);
            }
            Operation::StatusWrite { source: StatusSource::Register(rm), .. } => {
                self.reads = bit(rm);
            }
            // 15 stands for the flags.
            Operation::Coprocessor { reads: true, rt, .. } => self.results = bit(rt) & !bit(15),
            Operation::Coprocessor { rt, .. } => self.reads = bit(rt),
            Operation::VectorMove(moved) => self.vector_move(moved),
            Operation::VectorSingle { loads, registers, rn, .. } => {
                self.based_on(rn, false);
                (self.accesses, self.stores) = (registers.count.into(), !loads);
            }
            Operation::VectorMultiple { loads, registers, rn, writeback, .. } => {
                self.based_on(rn, writeback);
                (self.accesses, self.stores) = (registers.count.into(), !loads);
            }
            Operation::StatusWrite { source: StatusSource::Immediate(_), .. }
            | Operation::ClearExclusive
            | Operation::Preload
            | Operation::It { .. }
            | Operation::ChangeState { .. }
            | Operation::SupervisorCall { .. }
            | Operation::Breakpoint { .. }
            | Operation::Hint(_)
            | Operation::Barrier(_)
            | Operation::AbsentCoprocessor(_)
            | Operation::Undefined => {}
        }
    }

    /// Everything that is written.
    pub const fn writes(&self) -> Registers {
        self.results | self.loaded | self.base
    }

    fn compute(&mut self, results: Registers, reads: Registers) {
        (self.results, self.reads) = (results, reads);
    }

    fn data(&mut self, op: DataOp, rd: Register, rn: Register, operand: Operand) {
        let second = match operand {
            Operand::Immediate { .. } => 0,
            Operand::Register { rm, .. } => bit(rm),
            Operand::Shifted { rm, rs, .. } => bit(rm) | bit(rs),
        };
        self.shifts = matches!(operand, Operand::Shifted { .. });
        let first = if op.moves() { 0 } else { bit(rn) };
        self.compute(if op.compares() { 0 } else { bit(rd) }, first | second);
    }

    fn computation(&mut self, computation: &Computation) {
        self.flags = computation.sets_flags;
        self.accumulates = computation.registers("aLH");
        self.compute(computation.registers("dDlLhH"), computation.registers("nmaDLH"));
    }

    fn branch(&mut self, reads: Registers, link: bool) {
        self.jumps = true;
        self.compute(if link { bit(14) } else { 0 }, reads);
    }

    fn vector_move(&mut self, moved: VectorMove) {
        match moved {
            VectorMove::FromGeneral { rt, .. } | VectorMove::ToStatus { rt } => {
                self.reads |= bit(rt);
            }
            VectorMove::ToGeneral { rt, .. } => self.results |= bit(rt),
            // 15 stands for the flags.
            VectorMove::FromStatus { rt } => self.results |= bit(rt) & !bit(15),
            VectorMove::PairFromGeneral { rt, rt2, .. } => self.reads |= bit(rt) | bit(rt2),
            VectorMove::PairToGeneral { rt, rt2, .. } => self.results |= bit(rt) | bit(rt2),
            VectorMove::Copy { .. } | VectorMove::Immediate { .. } => {}
        }
    }

    fn at(&mut self, address: Address) {
        self.based_on(address.rn, address.index != Index::Offset);
        if let Offset::Register { rm, amount, .. } = address.offset {
            self.address |= bit(rm);
            self.reads |= bit(rm);
            self.indexed = true;
            self.scaled = amount != 0;
        }
    }

    fn based_on(&mut self, rn: Register, writeback: bool) {
        // A literal's address is known.
        self.address = bit(rn) & !bit(15);
        self.reads |= self.address;
        self.base = if writeback { bit(rn) } else { 0 };
    }

    fn transfer(&mut self, loads: bool, list: Registers, final_one: Option<Register>) {
        if loads {
            (self.loaded, self.last) = (list, final_one);
        } else {
            self.reads |= list;
        }
        (self.accesses, self.stores) = (list.count_ones(), !loads);
    }
}
