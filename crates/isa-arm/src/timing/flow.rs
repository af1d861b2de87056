//! Which registers an instruction reads and writes, and in which way.

use crate::instruction::{
    Address, Index, Instruction, Offset, Operand, Operation, Product, Register, StatusSource,
    VectorMove,
};

/// General registers as bits.
pub(super) type Registers = u16;

/// What an instruction does to the general registers, as far as pipelines care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a property of its own.
pub(super) struct Flow {
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
    /// How many registers go to or come from memory.
    pub accesses: u32,
    /// Whether it stores, and nothing else.
    pub stores: bool,
    /// Whether the address has a register as its offset.
    pub indexed: bool,
    /// Whether that register is shifted.
    pub scaled: bool,
    /// Whether a register is shifted by another.
    pub shifts: bool,
    /// Whether the program counter is written.
    pub jumps: bool,
    /// Whether flags are set by a product.
    pub flags: bool,
}

const fn bit(register: Register) -> Registers {
    1 << register
}

impl Flow {
    /// What an instruction does.
    pub fn of(instruction: &Instruction) -> Self {
        let mut flow = Self::default();
        let operation = &instruction.operation;
        let known = flow.data(operation)
            || flow.products(operation)
            || flow.bits(operation)
            || flow.memory(operation)
            || flow.exclusive(operation)
            || flow.vector(operation);
        if !known {
            flow.control(operation);
        }
        flow.jumps |= (flow.results | flow.loaded) & bit(15) != 0;
        flow
    }

    /// Everything that is written.
    pub const fn writes(&self) -> Registers {
        self.results | self.loaded | self.base
    }

    fn compute(&mut self, rd: Register, reads: Registers) -> bool {
        self.results |= bit(rd);
        self.reads |= reads;
        true
    }

    fn data(&mut self, operation: &Operation) -> bool {
        use crate::instruction::DataOp::{Cmn, Cmp, Mov, Mvn, Teq, Tst};
        match *operation {
            Operation::Data { op, rd, rn, operand, .. } => {
                let mut reads = self.operand(operand);
                if !matches!(op, Mov | Mvn) {
                    reads |= bit(rn);
                }
                self.reads |= reads;
                if !matches!(op, Tst | Teq | Cmp | Cmn) {
                    self.results |= bit(rd);
                }
                true
            }
            Operation::AddressOf { rd, .. } => self.compute(rd, 0),
            Operation::MoveHalf { rd, top, .. } => self.compute(rd, if top { bit(rd) } else { 0 }),
            _ => false,
        }
    }

    fn operand(&mut self, operand: Operand) -> Registers {
        match operand {
            Operand::Immediate { .. } => 0,
            Operand::Register { rm, .. } => bit(rm),
            Operand::Shifted { rm, rs, .. } => {
                self.shifts = true;
                bit(rm) | bit(rs)
            }
        }
    }

    fn products(&mut self, operation: &Operation) -> bool {
        let (rd, hi, rn, rm, ra) = match *operation {
            Operation::Multiply { product, sets_flags, rd, rn, rm, ra } => {
                self.flags = sets_flags;
                let ra = if product == Product::Mul { 0 } else { bit(ra) };
                (rd, rd, rn, rm, ra)
            }
            Operation::MultiplyLong { product, sets_flags, lo, hi, rn, rm } => {
                use crate::instruction::LongProduct::{Smlal, Umaal, Umlal};
                self.flags = sets_flags;
                let adds = matches!(product, Umlal | Smlal | Umaal);
                (lo, hi, rn, rm, if adds { bit(lo) | bit(hi) } else { 0 })
            }
            Operation::MultiplyHalf { product, rd, rn, rm, ra } => {
                use crate::instruction::HalfProduct::{Smmul, Smuad, Smul, Smulw, Smusd};
                let adds = !matches!(
                    product,
                    Smul { .. } | Smulw { .. } | Smuad { .. } | Smusd { .. } | Smmul { .. }
                );
                (rd, rd, rn, rm, if adds { bit(ra) } else { 0 })
            }
            Operation::MultiplyHalfLong { lo, hi, rn, rm, .. } => {
                (lo, hi, rn, rm, bit(lo) | bit(hi))
            }
            _ => return false,
        };
        self.accumulates = ra;
        self.results |= bit(hi);
        self.compute(rd, bit(rn) | bit(rm) | ra)
    }

    fn bits(&mut self, operation: &Operation) -> bool {
        match *operation {
            Operation::Divide { rd, rn, rm, .. }
            | Operation::SaturatingSum { rd, rm, rn, .. }
            | Operation::Parallel { rd, rn, rm, .. }
            | Operation::Select { rd, rn, rm }
            | Operation::Pack { rd, rn, rm, .. } => self.compute(rd, bit(rn) | bit(rm)),
            Operation::SumOfDifferences { rd, rn, rm, ra } => {
                self.compute(rd, bit(rn) | bit(rm) | ra.map_or(0, bit))
            }
            Operation::Saturate { rd, rn, .. }
            | Operation::SaturateHalves { rd, rn, .. }
            | Operation::ExtractField { rd, rn, .. } => self.compute(rd, bit(rn)),
            Operation::Extend { rd, rn, rm, .. } => self.compute(rd, bit(rm) | rn.map_or(0, bit)),
            Operation::Bits { rd, rm, .. } => self.compute(rd, bit(rm)),
            Operation::InsertField { rd, rn, .. } => self.compute(rd, bit(rd) | rn.map_or(0, bit)),
            _ => false,
        }
    }

    fn memory(&mut self, operation: &Operation) -> bool {
        match *operation {
            Operation::Load { rt, address, .. } => {
                self.at(address);
                self.load(bit(rt), Some(rt));
            }
            Operation::Store { rt, address, .. } => {
                self.at(address);
                self.store(bit(rt));
            }
            Operation::LoadDouble { rt, rt2, address } => {
                self.at(address);
                self.load(bit(rt) | bit(rt2), Some(rt2));
            }
            Operation::StoreDouble { rt, rt2, address } => {
                self.at(address);
                self.store(bit(rt) | bit(rt2));
            }
            Operation::LoadMultiple { rn, list, writeback, .. } => {
                self.based_on(rn, writeback);
                self.load(list, (0..16).rev().find(|&register| list & bit(register) != 0));
            }
            Operation::StoreMultiple { rn, list, writeback, .. } => {
                self.based_on(rn, writeback);
                self.store(list);
            }
            _ => return false,
        }
        true
    }

    fn exclusive(&mut self, operation: &Operation) -> bool {
        match *operation {
            Operation::LoadExclusive { rt, rn, .. } => {
                self.based_on(rn, false);
                self.load(bit(rt), Some(rt));
            }
            Operation::StoreExclusive { rd, rt, rn, .. } => {
                self.based_on(rn, false);
                self.store(bit(rt));
                (self.loaded, self.last, self.stores) = (bit(rd), Some(rd), false);
            }
            Operation::Swap { rt, rt2, rn, .. } => {
                self.based_on(rn, false);
                self.store(bit(rt2));
                self.load(bit(rt), Some(rt));
                self.accesses = 2;
            }
            _ => return false,
        }
        true
    }

    fn vector(&mut self, operation: &Operation) -> bool {
        match *operation {
            Operation::VectorMove(it) => self.vector_move(it),
            Operation::VectorLoad { registers, rn, .. } => {
                self.based_on(rn, false);
                self.accesses = registers.count.into();
            }
            Operation::VectorStore { registers, rn, .. } => {
                self.based_on(rn, false);
                (self.accesses, self.stores) = (registers.count.into(), true);
            }
            Operation::VectorLoadMultiple { registers, rn, writeback, .. } => {
                self.based_on(rn, writeback);
                self.accesses = registers.count.into();
            }
            Operation::VectorStoreMultiple { registers, rn, writeback, .. } => {
                self.based_on(rn, writeback);
                (self.accesses, self.stores) = (registers.count.into(), true);
            }
            _ => return false,
        }
        true
    }

    fn vector_move(&mut self, it: VectorMove) {
        match it {
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

    fn control(&mut self, operation: &Operation) {
        match *operation {
            Operation::Branch { link, .. } => {
                self.jumps = true;
                self.results |= if link { bit(14) } else { 0 };
            }
            Operation::BranchExchange { rm, link } => {
                self.jumps = true;
                self.reads |= bit(rm);
                self.results |= if link { bit(14) } else { 0 };
            }
            Operation::BranchPrefix { .. } => self.results |= bit(14),
            Operation::BranchSuffix { .. } => {
                self.jumps = true;
                self.reads |= bit(14);
                self.results |= bit(14);
            }
            Operation::CompareBranch { rn, .. } => {
                self.jumps = true;
                self.reads |= bit(rn);
            }
            Operation::TableBranch { rn, rm, .. } => {
                self.jumps = true;
                self.accesses = 1;
                self.address = bit(rn) | bit(rm);
                self.reads |= self.address;
            }
            Operation::StatusRead { rd, .. } => self.results |= bit(rd),
            Operation::StatusWrite { source: StatusSource::Register(rm), .. } => {
                self.reads |= bit(rm);
            }
            // 15 stands for the flags.
            Operation::Coprocessor { reads: true, rt, .. } => self.results |= bit(rt) & !bit(15),
            Operation::Coprocessor { rt, .. } => self.reads |= bit(rt),
            _ => {}
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

    fn load(&mut self, list: Registers, final_one: Option<Register>) {
        (self.loaded, self.last) = (list, final_one);
        self.accesses = list.count_ones();
        self.stores = false;
    }

    fn store(&mut self, list: Registers) {
        self.reads |= list;
        self.accesses = list.count_ones();
        self.stores = true;
    }
}
