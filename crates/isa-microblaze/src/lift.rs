//! Lifting: what each instruction does, said once.

mod arithmetic;
mod branch;
mod cache;
mod memory;
mod special;
mod stream;

pub use memory::width;

use cocrypt_ir::{Block, Builder, Exact, Exit, Insn, Op, Slot, StopKind, Value, simplify};
use cocrypt_isa::{
    BranchCondition, ByteOrder, CodeMemory, DelaySlot, Frontend, InstructionKind, Invalidation,
    LiftError, Lines, Links, RegisterFile, Trap,
};

use crate::cells::{self, CACHES, MSR, TARGET, msr};
use crate::class::{CLASSES, Class, KINDS};
use crate::decode::{Decoded, decode, word};
use crate::description::register_file;
use crate::disasm::disassemble;
use crate::exceptions::{self, Exceptions};
use crate::mode::{self, ATOMIC, CODE, immediate, lasting, prefixed};
use crate::stream::Variant;
use crate::table::{Format, Opcode, TABLE};

/// Instructions in a block at most.
const LONGEST: usize = 64;
/// The number of temporaries that the longest instruction needs, and a few more.
const TEMPORARIES: u16 = 32;
/// Temporaries that a branch keeps for the exit behind its delay slot: its condition.
const KEPT: u16 = 1;

/// The front end.
#[derive(Clone, Debug)]
pub struct MicroBlaze {
    /// The order of a word's bytes in memory.
    pub order: ByteOrder,
    /// The instructions of the core, by number; others are illegal.
    pub implemented: [bool; TABLE.len()],
    /// The exceptions of the core, and the handlers of these and of interrupts.
    pub exceptions: Exceptions,
    /// The links to coprocessors, if there are any.
    pub links: Option<Links>,
    /// `C_USE_EXTENDED_FSL_INSTR`: the variants of `get` and `put` that test, and those that are atomic.
    pub extended_links: bool,
    /// `C_RESET_MSR`: the status register after reset.
    pub status: u32,
}

/// The contents of an address.
enum Read {
    Insn(Decoded),
    Illegal,
    Unmapped,
}

impl MicroBlaze {
    fn read(&self, code: &dyn CodeMemory, pc: u64) -> Read {
        match word(code, self.order, pc).map(decode) {
            None => Read::Unmapped,
            Some(Some(decoded)) if self.has(decoded) => Read::Insn(decoded),
            Some(_) => Read::Illegal,
        }
    }

    /// Returns true if the core has an instruction.
    fn has(&self, insn: Decoded) -> bool {
        let is_extended = Variant::of(insn).is_some_and(Variant::is_extended);
        self.implemented[insn.opcode as usize] && (self.extended_links || !is_extended)
    }

    /// The mode of an instruction that is reached by running into it: a debugger asks by address alone.
    fn prefix(&self, code: &dyn CodeMemory, pc: u64) -> u32 {
        match self.read(code, pc.wrapping_sub(4)) {
            Read::Insn(Decoded { opcode: Opcode::Imm, low, .. }) => prefixed(low),
            _ => CODE,
        }
    }
}

impl Frontend for MicroBlaze {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn required(&self) -> Vec<u8> {
        let classes = [Class::Illegal, Class::Unmodelled, Class::Exception, Class::Interrupt];
        classes.map(|class| class as u8).to_vec()
    }

    fn cells(&self) -> &'static [&'static str] {
        cells::STATE
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        Slot(1)
    }

    fn register_file(&self) -> RegisterFile {
        register_file(self.order)
    }

    fn status(&self, cells: &[u64], _mode: u32) -> u32 {
        special::composed(cells)
    }

    fn with_status(&self, status: u32) -> Vec<(Slot, u64)> {
        // Caches stay on or off: a debugger's write is no instruction that switches them.
        let others = status & msr::WRITTEN & !msr::C & !msr::CACHES;
        vec![(MSR, others.into()), (cells::CARRY, (status & msr::C != 0).into())]
    }

    fn reset(&self) -> Vec<(Slot, u64)> {
        let (caches, others) = (self.status & msr::CACHES, self.status & !msr::CACHES);
        vec![(MSR, others.into()), (CACHES, caches.into())]
    }

    /// What an instruction belongs to is never behind a yield.
    fn mode(&self, cells: &[u64]) -> u32 {
        mode::of_status(cells[usize::from(CACHES.0)] as u32)
    }

    fn invalidation(&self, cells: &mut [u64]) -> Option<Invalidation> {
        cache::taken(cells)
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        if pc & 3 != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        let mut lifter = Lifter::new(self.order, self.links, pc, mode);
        loop {
            match self.read(code, lifter.next) {
                Read::Unmapped if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address: pc });
                }
                Read::Unmapped => return Ok(lifter.cut()),
                Read::Illegal => return Ok(lifter.illegal()),
                Read::Insn(decoded) => lifter.push(decoded),
            }
            if lifter.ended {
                return Ok(lifter.finish());
            }
            // What belongs to the instruction behind it stays with that.
            let is_full = lifter.block.insns.len() >= LONGEST && !mode::binds(lifter.mode);
            if is_full || lifter.next <= pc || code.is_boundary(lifter.next) {
                return Ok(lifter.cut());
            }
        }
    }

    fn interrupt(&self, cells: &[u64], lines: Lines) -> Option<u8> {
        let mask = msr::IE | msr::BIP | msr::EIP;
        let open = cells[usize::from(MSR.0)] as u32 & mask == msr::IE;
        (open && lines != 0).then_some(0)
    }

    /// No computed target leads into a delay slot or behind a prefix; caches stay on or off.
    fn reach(&self, pc: u64, mode: u32) -> u64 {
        pc | u64::from(mode ^ lasting(mode)) << 32
    }

    fn trap(
        &self,
        trap: Trap,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        let insn = match self.read(code, pc) {
            Read::Insn(decoded) => Some(decoded),
            Read::Illegal | Read::Unmapped => None,
        };
        exceptions::entry(self.exceptions, trap, pc, insn, cells, mode)
    }

    fn reason(
        &self,
        kind: StopKind,
        code: &dyn CodeMemory,
        pc: u64,
        _cells: &[u64],
    ) -> Option<String> {
        match (kind, self.read(code, pc)) {
            (StopKind::Unmodelled, Read::Insn(insn)) => Some(special::reason(insn, self.links)),
            (StopKind::IllegalInstruction, Read::Illegal) => {
                let found = word(code, self.order, pc)?;
                let part =
                    special::absent(found).map(|part| format!("the core here has no {part}"));
                part.or_else(|| special::without_links(decode(found)?, self.links))
            }
            _ => None,
        }
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        word(code, self.order, pc).map(|_| 4)
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        match self.read(code, pc) {
            Read::Insn(insn) => KINDS[insn.opcode.row().class as usize].1,
            Read::Illegal | Read::Unmapped => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        match self.read(code, pc) {
            Read::Insn(insn) => Some((disassemble(insn, pc, self.prefix(code, pc)), 4)),
            Read::Illegal | Read::Unmapped => None,
        }
    }

    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        let found = word(code, self.order, pc)?;
        let known = decode(found).map(|insn| disassemble(insn, pc, self.prefix(code, pc)));
        known.or_else(|| special::absent(found).map(|part| format!("an instruction of the {part}")))
    }
}

/// The address behind the instruction at `pc`.
const fn behind(pc: u64) -> u64 {
    (pc + 4) & 0xffff_ffff
}

/// A block in the making.
struct Lifter {
    builder: Builder,
    block: Block,
    /// Address and mode of the next instruction.
    next: u64,
    mode: u32,
    ended: bool,
    links: Option<Links>,
    /// The exit behind the delay slot that comes next, where both are in the block.
    exit: Option<Exit>,
    /// Of the current instruction: the value that its time depends on, and the number of its first operations,
    /// which only compute that.
    operand: Option<Value>,
    lead: u16,
    /// That of a branch with a delay slot, should the block not end by the branch: it ends in front of the slot, or
    /// the slot lets interrupts in or ends the run.
    condition: Option<BranchCondition>,
}

impl Lifter {
    fn new(order: ByteOrder, links: Option<Links>, start: u64, mode: u32) -> Self {
        let builder = Builder::new(cells::COUNT, TEMPORARIES);
        Self {
            builder: if order == ByteOrder::Big { builder.big_endian() } else { builder },
            block: Block::new(start, mode),
            next: start,
            mode,
            ended: false,
            links,
            exit: None,
            operand: None,
            lead: 0,
            condition: None,
        }
    }

    /// Ends the block in front of the next instruction, whose mode says what this one began.
    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.block.onward = self.mode;
        self.finish()
    }

    fn illegal(mut self) -> Block {
        self.begin();
        self.note(Class::Illegal, self.builder.ops.len());
        self.end(Exit::Stop(StopKind::IllegalInstruction));
        self.finish()
    }

    fn finish(mut self) -> Block {
        if let Some(condition) = self.condition {
            condition.apply(&mut self.block.insns, &self.block.exit);
        }
        self.block.ops = self.builder.ops;
        simplify(&mut self.block, cells::COUNT, KEPT, Exact { operands: true, line: None });
        self.block
    }

    fn begin(&mut self) {
        self.builder.begin(KEPT);
        (self.operand, self.lead) = (None, 0);
    }

    fn push(&mut self, insn: Decoded) {
        let first = self.builder.ops.len();
        self.begin();
        let slot = mode::slot(self.mode);
        let mode = self.mode;
        let following = following(insn) | lasting(mode);
        if slot.is_some() && !fits_slot(insn) {
            self.end(Exit::Stop(StopKind::Unmodelled));
        } else {
            self.mode = following;
            self.operations(insn, mode, first);
        }
        let class = if matches!(self.block.exit, Exit::Stop(StopKind::Unmodelled)) {
            Class::Unmodelled
        } else {
            insn.opcode.row().class
        };
        let next = std::mem::replace(&mut self.mode, mode);
        self.note(class, first);
        self.mode = next;
        if let Some(slot) = slot.filter(|_| !matches!(self.block.exit, Exit::Stop(_))) {
            self.leave(slot);
        }
        if following & ATOMIC != 0 {
            self.block.onward = following;
        }
    }

    /// Goes where the branch leads in whose delay slot the last instruction is.
    fn leave(&mut self, slot: DelaySlot) {
        let exit = slot.exit(self.exit.take(), Value::Slot(TARGET), &self.block.exit);
        self.end(exit);
        self.block.transfer = slot.transfer();
    }

    fn end(&mut self, exit: Exit) {
        self.block.exit = exit;
        self.block.onward = lasting(self.mode);
        self.ended = true;
    }

    /// Notes the instruction whose operations are those from `first` on.
    fn note(&mut self, class: Class, first: usize) {
        let ops = first..self.builder.ops.len();
        let (operand, lead) = (self.operand, self.lead);
        let insn = Insn::new(self.next, 4, self.mode, class as u8);
        self.block.insns.push(Insn { ops, operand, lead, ..insn });
        self.next = behind(self.next);
    }

    fn operations(&mut self, insn: Decoded, mode: u32, first: usize) {
        let imm = immediate(mode, insn.low);
        match insn.opcode.row().class {
            Class::Alu | Class::Compare | Class::Barrel | Class::Multiply | Class::MultiplyHigh => {
                self.compute(insn, imm);
            }
            Class::Divide => self.divide(insn),
            Class::Load => self.load(insn, imm),
            Class::Store => self.store(insn, imm),
            Class::Branch | Class::BranchDelayed => self.branch(insn, imm, first),
            Class::Jump | Class::JumpDelayed | Class::Break => self.jump(insn, imm),
            Class::Return => self.give_back(insn, imm),
            Class::Special => self.special(insn),
            Class::Barrier => self.barrier(insn),
            Class::Stream => self.stream(insn),
            Class::Invalidate | Class::InvalidateSet => self.invalidate(insn),
            Class::Unmodelled | Class::Illegal | Class::Exception | Class::Interrupt => {
                self.end(Exit::Stop(StopKind::Unmodelled));
            }
        }
    }

    /// Writes rD, of which r0 keeps nothing.
    fn set(&mut self, d: u8, value: Value) {
        if d != 0 {
            self.builder.write(Slot(d.into()), value);
        }
    }

    /// The second operand: rB, or the immediate.
    const fn second(insn: Decoded, imm: u32) -> Value {
        match insn.opcode.row().format {
            Format::Immediate | Format::Return => Value::Const(imm as u64),
            Format::Shift => Value::Const((insn.low & 31) as u64),
            _ => cells::register(insn.b),
        }
    }

    /// The operations since `first` only compute what an instruction's time depends on.
    fn leads(&self, first: usize) -> u16 {
        debug_assert!(self.builder.ops[first..].iter().all(|op| !Op::is_access(op)));
        (self.builder.ops.len() - first) as u16
    }
}

/// The mode of the instruction behind one that is no branch.
fn following(insn: Decoded) -> u32 {
    match insn.opcode {
        Opcode::Imm => prefixed(insn.low),
        _ if Variant::of(insn).is_some_and(|variant| variant.atomic) => ATOMIC,
        _ => CODE,
    }
}

/// Returns true if an instruction may stand in a delay slot: all may but `imm`, branches and breaks (UG984,
/// chapter 2, "Delay Slots").
fn fits_slot(insn: Decoded) -> bool {
    let waits = insn.opcode == Opcode::Mbar && insn.d & special::SLEEPS != 0;
    let class = insn.opcode.row().class;
    let jumps = matches!(
        class,
        Class::Branch
            | Class::BranchDelayed
            | Class::Jump
            | Class::JumpDelayed
            | Class::Return
            | Class::Break
    );
    !jumps && !waits && insn.opcode != Opcode::Imm
}
