//! Lifting: what each instruction does.

use cocrypt_ir::{
    Binary, Block, Builder, Condition, Exit, Insn, Slot, StopKind, Transfer, Value, Width,
};
use cocrypt_isa::{CodeMemory, Frontend, InstructionKind, LiftError, RegisterFile};

use crate::description::REGISTER_FILE;
use crate::table::{CLASSES, Class, Decoded, KINDS, Opcode, behind, decode, disassemble};

/// The cells: the registers, and where the jump goes whose delay slot is executed next.
pub const NAMES: &[&str] = &["r0", "r1", "r2", "r3", "r4", "r5", "sp", "ra", "target"];
/// How many of them are registers.
pub const REGISTERS: usize = 8;
/// The stack pointer's number, and that of the register with return addresses.
pub const STACK: u8 = 6;
pub const LINK: u8 = 7;

const TARGET: Slot = Slot(REGISTERS as u16);

/// Decode modes: of code, and of an instruction in the delay slot of a jump or of a return.
const CODE: u32 = 0;
const SLOT_OF_JUMP: u32 = 1;
const SLOT_OF_RETURN: u32 = 2;

const LONGEST: usize = 64;
const TEMPORARIES: u16 = 8;

/// The front end.
#[derive(Debug)]
pub struct Toy;

impl Frontend for Toy {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn required(&self) -> Vec<u8> {
        vec![Class::Illegal as u8]
    }

    fn cells(&self) -> &'static [&'static str] {
        NAMES
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        Slot(STACK.into())
    }

    fn register_file(&self) -> RegisterFile {
        REGISTER_FILE
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        if pc & 1 != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        let mut lifter = Lifter::new(pc, mode);
        loop {
            match code.unit(lifter.next) {
                None if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address: pc });
                }
                None => return Ok(lifter.cut()),
                Some(word) => lifter.push(word),
            }
            if lifter.block.exit != OPEN {
                return Ok(lifter.finish());
            }
            let is_full = lifter.block.insns.len() == LONGEST;
            if is_full || lifter.next <= pc || code.is_boundary(lifter.next) {
                return Ok(lifter.cut());
            }
        }
    }

    /// No computed target leads into a delay slot.
    fn reach(&self, pc: u64, mode: u32) -> u64 {
        pc | u64::from(mode) << 32
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        code.unit(pc).map(|_| 2)
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        let class = code.unit(pc).and_then(decode).map_or(Class::Illegal, |insn| insn.row.class);
        KINDS[class as usize].1
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        Some((disassemble(&decode(code.unit(pc)?)?, pc), 2))
    }
}

/// The exit of a block that goes on.
const OPEN: Exit = Exit::Next { pc: u64::MAX };

/// A block in the making.
struct Lifter {
    builder: Builder,
    block: Block,
    next: u64,
    /// That of the next instruction.
    mode: u32,
}

impl Lifter {
    fn new(start: u64, mode: u32) -> Self {
        let mut block = Block::new(start, mode);
        block.exit = OPEN;
        Self { builder: Builder::new(NAMES.len() as u16, TEMPORARIES), block, next: start, mode }
    }

    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.block.onward = self.mode;
        self.finish()
    }

    fn finish(mut self) -> Block {
        self.block.ops = self.builder.ops;
        self.block
    }

    fn push(&mut self, word: u16) {
        self.builder.begin(0);
        let first = self.builder.ops.len();
        let mode = self.mode;
        let insn = decode(word).filter(|insn| mode == CODE || !insn.row.is_jump());
        match &insn {
            Some(insn) => self.operations(insn),
            None => self.block.exit = Exit::Stop(StopKind::IllegalInstruction),
        }
        let class = insn.map_or(Class::Illegal, |insn| insn.row.class);
        let ops = first..self.builder.ops.len();
        self.block.insns.push(Insn { ops, ..Insn::new(self.next, 2, mode, class as u8) });
        self.next = behind(self.next, 0);
        if mode != CODE && insn.is_some() {
            self.leave(mode);
        }
    }

    /// Goes where the jump goes in whose delay slot the last instruction is.
    fn leave(&mut self, mode: u32) {
        self.block.exit = Exit::Indirect { target: Value::Slot(TARGET) };
        self.block.transfer =
            if mode == SLOT_OF_RETURN { Transfer::Return } else { Transfer::Jump };
        self.block.onward = CODE;
    }

    fn operations(&mut self, insn: &Decoded) {
        let (d, s) = (Slot(insn.d.into()), Value::Slot(Slot(insn.s.into())));
        let constant = Value::Const(insn.constant as u64);
        match insn.row.opcode {
            Opcode::Ldi => self.builder.write(d, constant),
            Opcode::Ldh => {
                let low = self.words(Binary::And, Value::Slot(d), Value::Const(0xff));
                let high = Value::Const((insn.constant as u64) << 8);
                self.compute(d, Binary::Or, low, high);
            }
            Opcode::Add => self.compute(d, Binary::Add, Value::Slot(d), s),
            Opcode::Xor => self.compute(d, Binary::Xor, Value::Slot(d), s),
            Opcode::Shr => self.compute(d, Binary::Shr, Value::Slot(d), constant),
            Opcode::Lw => {
                let address = self.even(s);
                let loaded = self.builder.load(Width::W16, false, address, 0);
                self.builder.write(d, loaded);
            }
            Opcode::Sw => {
                let address = self.even(s);
                self.builder.store(Width::W16, Value::Slot(d), address, 0);
            }
            Opcode::Bz => self.branch(insn, d),
            Opcode::Call => self.call(insn),
            Opcode::Jr => self.jump(insn, s),
        }
    }

    fn branch(&mut self, insn: &Decoded, d: Slot) {
        self.block.exit = Exit::Branch {
            condition: Condition::Equal,
            width: Width::W16,
            a: Value::Slot(d),
            b: Value::Const(0),
            taken: behind(self.next, insn.constant),
            next: behind(self.next, 0),
        };
    }

    fn call(&mut self, insn: &Decoded) {
        self.builder.write(Slot(LINK.into()), Value::Const(behind(self.next, 0)));
        self.block.exit = Exit::Jump { target: behind(self.next, insn.constant) };
        self.block.transfer = Transfer::Call;
    }

    /// The instruction behind it, which may change the register, is executed first.
    fn jump(&mut self, insn: &Decoded, s: Value) {
        self.builder.write(TARGET, s);
        self.mode = if insn.s == LINK { SLOT_OF_RETURN } else { SLOT_OF_JUMP };
    }

    fn even(&mut self, address: Value) -> Value {
        self.words(Binary::And, address, Value::Const(0xfffe))
    }

    fn compute(&mut self, d: Slot, op: Binary, a: Value, b: Value) {
        let result = self.words(op, a, b);
        self.builder.write(d, result);
    }

    fn words(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.wide_binary(op, Width::W16, a, b)
    }
}
