//! Lifting: what each instruction does, said once.

mod bits;
mod cipher;
mod compose;
mod system;

use cocrypt_ir::{
    Binary, Block, Condition, Counter, Exit, Insn, Op, Slot, StopKind, Transfer, Value, Width,
};
use cocrypt_isa::{
    CodeMemory, Frontend, HostCall, InstructionKind, Latch, LiftError, Lines, RegisterFile, Trap,
};

use crate::compressed::expand;
use crate::decode::{Decoded, decode};
use crate::description::{REGISTER_FILE, host_call};
use crate::disasm::disassemble;
use crate::irq::{Irq, OWN_CELLS};
use crate::privileged::{CELLS, Privileged, Unaligned};
use crate::table::{Class, Format, Opcode, REGISTERS, TABLE};
use crate::unaligned::split;
use bits::bits;
use cipher::cipher;
use compose::Composer;
use system::{Change, operand};

/// Instructions in a block at most: long blocks delay events, and few programs have longer ones.
const LONGEST: usize = 64;
/// The first temporary's cell.
const FIRST_TEMPORARY: u16 = STATE.len() as u16;
/// The cells of the guest state: the integer registers, then what traps need, then what PicoRV32's own
/// interrupts do.
const STATE: &[&str] = &STATES;
const COUNT: usize = REGISTERS.len() + CELLS.len() + 1 + OWN_CELLS.len();
const STATES: [&str; COUNT] = {
    let mut names = ["privilege"; COUNT];
    let mut at = 0;
    while at < REGISTERS.len() {
        names[at] = REGISTERS[at];
        at += 1;
    }
    let mut csr = 0;
    while csr < CELLS.len() {
        names[at + csr] = CELLS[csr].0;
        csr += 1;
    }
    let mut own = 0;
    while own < OWN_CELLS.len() {
        names[COUNT - OWN_CELLS.len() + own] = OWN_CELLS[own];
        own += 1;
    }
    names
};
/// The number of them that the longest composed instruction needs, and a few more.
const TEMPORARIES: u16 = 64;
/// The temporary that holds a jump's target while its link register is written.
const TARGET: Slot = Slot(FIRST_TEMPORARY);

/// The RV32 front end; cell n is register xn, and x0's cell stays 0.
#[derive(Clone, Debug)]
pub struct Rv32 {
    /// True if 16-bit instructions exist; without them an instruction must start at a multiple of 4.
    pub compressed: bool,
    /// The instructions of the core, by number; others are illegal.
    pub implemented: [bool; TABLE.len()],
    /// Exceptions, interrupts, and control and status registers, where the core has them.
    pub privileged: Option<Privileged>,
    /// PicoRV32's own interrupts, where the core has them; it then has nothing of the other scheme.
    pub irq: Option<Irq>,
}

/// `slti zero, rs1, 0x5ec`, one of the hints that are left to custom use (unprivileged manual, section
/// 2.9): primitives/common/bytes.h writes it where a secret is given away on purpose.
const REVEALS: u32 = 0x5ec << 20 | 0b010 << 12 | 0b001_0011;

impl Frontend for Rv32 {
    fn classes(&self) -> &'static [&'static str] {
        crate::table::CLASSES
    }

    fn required(&self) -> Vec<u8> {
        let mut classes = vec![Class::Illegal];
        if self.irq.is_some() {
            classes.push(Class::Interrupt);
        }
        if let Some(privileged) = &self.privileged {
            let reads_csrs = TABLE.iter().zip(self.implemented);
            let reads_csrs = reads_csrs.into_iter().any(|(row, on)| on && row.class == Class::Csr);
            classes.extend(privileged.required());
            classes.extend(reads_csrs.then_some(Class::CsrStatus));
        }
        classes.into_iter().map(|class| class as u8).collect()
    }

    fn cells(&self) -> &'static [&'static str] {
        STATE
    }

    fn temporaries(&self) -> u16 {
        TEMPORARIES
    }

    fn stack_pointer(&self) -> Slot {
        Slot(2)
    }

    fn register_file(&self) -> RegisterFile {
        REGISTER_FILE
    }

    fn lift(&self, code: &dyn CodeMemory, pc: u64, mode: u32) -> Result<Block, LiftError> {
        if pc & if self.compressed { 1 } else { 3 } != 0 {
            return Err(LiftError::Unaligned { address: pc });
        }
        let mut lifter = Lifter::new(pc, mode, self.privileged.as_ref(), self.irq.as_ref());
        loop {
            let at = lifter.next;
            match self.read(code, at) {
                Read::Unmapped(address) if lifter.block.insns.is_empty() => {
                    return Err(LiftError::Unmapped { address });
                }
                Read::Unmapped(_) => return Ok(lifter.cut()),
                Read::Illegal { length } => return Ok(lifter.illegal(length)),
                Read::Insn(decoded) => lifter.push(&decoded),
            }
            if lifter.ended {
                return Ok(lifter.block);
            }
            if lifter.block.insns.len() == LONGEST || code.is_boundary(lifter.next) {
                return Ok(lifter.cut());
            }
        }
    }

    fn reset(&self) -> Vec<(Slot, u64)> {
        let own = self.irq.as_ref().map(|_| Irq::reset());
        own.or_else(|| self.privileged.as_ref().map(Privileged::reset)).unwrap_or_default()
    }

    fn mode(&self, cells: &[u64]) -> u32 {
        self.privileged.as_ref().map_or(0, |_| Privileged::mode(cells))
    }

    fn interrupt(&self, cells: &[u64], lines: Lines) -> Option<u8> {
        match &self.irq {
            Some(_) => Irq::interrupt(cells, lines),
            None => self.privileged.as_ref()?.interrupt(cells, lines),
        }
    }

    fn host_call(
        &self,
        stop: StopKind,
        memory: &dyn Fn(u32) -> Option<u32>,
        pc: u32,
        _mode: u32,
    ) -> Option<HostCall> {
        host_call(stop, memory, pc)
    }

    fn latch(&self) -> Option<&dyn Latch> {
        self.irq.as_ref().map(|irq| irq as &dyn Latch)
    }

    fn interrupts_exceptions(&self) -> bool {
        self.privileged.as_ref().is_some_and(Privileged::interrupts_exceptions)
    }

    fn trap(
        &self,
        trap: Trap,
        code: &dyn CodeMemory,
        pc: u64,
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        if let Some(irq) = &self.irq {
            let insn = match self.read(code, pc) {
                Read::Insn(decoded) => Some(decoded),
                Read::Illegal { .. } | Read::Unmapped(_) => None,
            };
            let length = self.length(code, pc).unwrap_or(0);
            let trap = match trap {
                Trap::Interrupt { number, .. } if !self.compressed => {
                    Trap::Interrupt { number, note: 0 }
                }
                trap => trap,
            };
            return irq.trap(trap, pc, insn.as_ref(), length, cells);
        }
        let low = code.unit(pc).unwrap_or(0);
        let high = if low & 3 == 3 { code.unit(pc + 2).unwrap_or(0) } else { 0 };
        let raw = u32::from(high) << 16 | u32::from(low);
        let word = if low & 3 == 3 { raw } else { expand(low).unwrap_or(0) };
        let privileged = self.privileged.as_ref()?;
        if let (Trap::Unaligned { address, .. }, Unaligned::Split) = (trap, privileged.unaligned) {
            return split(&decode(low, high)?, pc, address, mode);
        }
        privileged.trap(trap, pc, (word, raw), cells, mode)
    }

    fn revealed(&self, code: &dyn CodeMemory, pc: u64) -> Option<Slot> {
        let word = u32::from(code.unit(pc)?) | u32::from(code.unit(pc + 2)?) << 16;
        let source = u16::try_from(word >> 15 & 0x1f).ok()?;
        (word & !(0x1f << 15) == REVEALS).then_some(Slot(source))
    }

    fn length(&self, code: &dyn CodeMemory, pc: u64) -> Option<u8> {
        match self.read(code, pc) {
            Read::Insn(decoded) => Some(decoded.length),
            Read::Illegal { length } => Some(if self.compressed { length } else { 4 }),
            Read::Unmapped(_) => None,
        }
    }

    fn kind(&self, code: &dyn CodeMemory, pc: u64) -> InstructionKind {
        match self.read(code, pc) {
            Read::Insn(decoded) => decoded.opcode.row().class.kind(),
            Read::Illegal { .. } | Read::Unmapped(_) => InstructionKind::Other,
        }
    }

    fn disassemble(&self, code: &dyn CodeMemory, pc: u64) -> Option<(String, u8)> {
        match self.read(code, pc) {
            Read::Insn(decoded) => Some((disassemble(&decoded, pc), decoded.length)),
            Read::Illegal { .. } | Read::Unmapped(_) => None,
        }
    }

    fn explain(&self, code: &dyn CodeMemory, pc: u64) -> Option<String> {
        let low = code.unit(pc)?;
        let high = if low & 3 == 3 { code.unit(pc + 2)? } else { 0 };
        let known = decode(low, high).map(|decoded| disassemble(&decoded, pc));
        known.or_else(|| absent(low, high).map(str::to_owned))
    }
}

/// The name of a 32-bit encoding that no core here executes ("RISC-V Unprivileged Architecture", chapters
/// 20 to 22 and 24).
fn absent(low: u16, high: u16) -> Option<&'static str> {
    let (word, width) = (u32::from(high) << 16 | u32::from(low), high >> 9 & 3);
    Some(match word & 0x7f {
        0x07 | 0x27 if word >> 12 & 7 == 2 => "an access of extension F",
        0x07 | 0x27 if word >> 12 & 7 == 3 => "an access of extension D",
        0x43 | 0x47 | 0x4b | 0x4f | 0x53 if width == 0 => "arithmetic of extension F",
        0x43 | 0x47 | 0x4b | 0x4f | 0x53 if width == 1 => "arithmetic of extension D",
        0x2f => "an instruction of extension A",
        0x57 => "an instruction of extension V",
        _ => return None,
    })
}

/// The instruction at an address.
enum Read {
    Insn(Decoded),
    Illegal { length: u8 },
    Unmapped(u64),
}

impl Rv32 {
    fn read(&self, code: &dyn CodeMemory, pc: u64) -> Read {
        let Some(low) = code.unit(pc) else { return Read::Unmapped(pc) };
        let wide = low & 3 == 3;
        let length = if wide { 4 } else { 2 };
        if !wide && !self.compressed {
            return Read::Illegal { length };
        }
        let Some(high) = (if wide { code.unit(pc + 2) } else { Some(0) }) else {
            return Read::Unmapped(pc + 2);
        };
        match decode(low, high) {
            Some(decoded) if self.implemented[decoded.opcode as usize] => Read::Insn(decoded),
            _ => Read::Illegal { length },
        }
    }
}

/// A block in the making.
struct Lifter<'a> {
    privileged: Option<&'a Privileged>,
    irq: Option<&'a Irq>,
    block: Block,
    next: u64,
    ended: bool,
}

impl<'a> Lifter<'a> {
    fn new(
        start: u64,
        mode: u32,
        privileged: Option<&'a Privileged>,
        irq: Option<&'a Irq>,
    ) -> Self {
        let block = Block::new(start, mode);
        Self { privileged, irq, block, next: start, ended: false }
    }

    fn cut(mut self) -> Block {
        self.block.exit = Exit::Next { pc: self.next };
        self.block
    }

    fn illegal(mut self, length: u8) -> Block {
        let first = self.block.ops.len();
        self.note(Class::Illegal, length, None, first);
        self.block.exit = Exit::Stop(StopKind::IllegalInstruction);
        self.block
    }

    fn push(&mut self, decoded: &Decoded) {
        let (pc, first) = (self.next, self.block.ops.len());
        let exit = self.operations(decoded, pc);
        let class = self.class(decoded, exit.as_ref());
        let operand = match class {
            Class::ShiftImmediate | Class::ShiftRightImmediate => {
                Some(Value::Const(decoded.imm as u64))
            }
            Class::ShiftRegister
            | Class::ShiftRightRegister
            | Class::Multiply
            | Class::MultiplyHigh
            | Class::Divide
            | Class::CarrylessMultiply
            | Class::RotateRegister => Some(register(decoded.rs2)),
            _ => None,
        };
        self.note(class, decoded.length, operand, first);
        if let Some(exit) = exit {
            self.block.exit = exit;
            self.block.transfer = transfer(decoded);
            self.ended = true;
        }
    }

    fn class(&self, insn: &Decoded, exit: Option<&Exit>) -> Class {
        match (operation(insn.opcode), self.privileged) {
            (Kind::Csr(..) | Kind::Return, _) if matches!(exit, Some(Exit::Stop(_))) => {
                Class::Illegal
            }
            (Kind::Csr(change, _), Some(privileged)) if privileged.flushes(insn, change) => {
                Class::CsrStatus
            }
            _ => insn.opcode.row().class,
        }
    }

    fn note(&mut self, class: Class, length: u8, operand: Option<Value>, first: usize) {
        let ops = first..self.block.ops.len();
        self.block.insns.push(Insn {
            pc: self.next,
            length,
            mode: self.block.mode,
            class: class as u8,
            operand,
            lead: 0,
            ops,
        });
        self.next = wrap(self.next + u64::from(length));
    }

    fn operations(&mut self, insn: &Decoded, pc: u64) -> Option<Exit> {
        let (rs1, rs2) = (register(insn.rs1), register(insn.rs2));
        let imm = Value::Const(u64::from(insn.imm as u32));
        let following = behind(insn, pc);
        let target = wrap(pc.wrapping_add_signed(i64::from(insn.imm)));
        match operation(insn.opcode) {
            Kind::Register(op) => self.binary(insn, op, rs1, rs2),
            Kind::Immediate(op) => self.binary(insn, op, rs1, imm),
            Kind::ShiftRegister(op) => self.shift(insn, op, rs1, rs2),
            Kind::CompareRegister(condition) => self.compare(insn, condition, rs1, rs2),
            Kind::CompareImmediate(condition) => self.compare(insn, condition, rs1, imm),
            Kind::Load(width, signed) => self.load(insn, width, signed),
            Kind::Store(width) => {
                self.emit(Op::Store { width, src: rs2, base: rs1, offset: insn.imm });
            }
            Kind::Upper => self.set(insn, imm),
            Kind::UpperPc => self.set(insn, Value::Const(target)),
            Kind::Count(counter, shift) => self.count(insn, counter, shift),
            Kind::Bits => self.compose(insn, |c| bits(c, insn.opcode, rs1, second(insn))),
            Kind::Cipher => {
                self.compose(insn, |c| cipher(c, insn.opcode, rs1, rs2, insn.imm as u32));
            }
            // PicoRV32 gives a destination, which the manual reserves, what its adder happens to hold
            // (`alu_out` in `picorv32.v`, which no rule sets for `instr_fence`).
            Kind::Fence if insn.rd != 0 && self.privileged.is_none() => {
                return Some(Exit::Stop(StopKind::Unmodelled));
            }
            Kind::Fence => {}
            // The machine shows code as soon as it is written; the core fetches it again.
            Kind::FenceInstructions => return Some(Exit::Jump { target: following }),
            Kind::Csr(change, immediate) => {
                return self.csr(insn, change, operand(insn, immediate));
            }
            Kind::Return => return Some(self.machine_return()),
            Kind::Own => {
                let Some(irq) = self.irq else {
                    return Some(Exit::Stop(StopKind::IllegalInstruction));
                };
                let (ops, exit) = irq.lift(insn, following);
                self.block.ops.extend(ops);
                return exit;
            }
            Kind::Jump => {
                self.set(insn, Value::Const(following));
                return Some(Exit::Jump { target });
            }
            Kind::JumpRegister => return Some(self.jump_register(insn, following)),
            Kind::Branch(condition) => {
                let (width, next) = (Width::W32, following);
                return Some(Exit::Branch {
                    condition,
                    width,
                    a: rs1,
                    b: rs2,
                    taken: target,
                    next,
                });
            }
            Kind::Stop(kind) => return Some(Exit::Stop(kind)),
        }
        None
    }

    fn emit(&mut self, op: Op) {
        self.block.ops.push(op);
    }

    fn set(&mut self, insn: &Decoded, src: Value) {
        if let Some(dst) = destination(insn) {
            self.emit(Op::Move { dst, src });
        }
    }

    fn binary(&mut self, insn: &Decoded, op: Binary, a: Value, b: Value) {
        let Some(dst) = destination(insn) else { return };
        match (op, a, b) {
            // `mv`, `li` and the like are moves, which back ends treat better than sums with zero.
            (Binary::Add, Value::Const(0), src) | (Binary::Add, src, Value::Const(0)) => {
                self.emit(Op::Move { dst, src });
            }
            _ => self.emit(Op::Binary { op, width: Width::W32, dst, a, b }),
        }
    }

    fn shift(&mut self, insn: &Decoded, op: Binary, a: Value, amount: Value) {
        let Some(dst) = destination(insn) else { return };
        let (width, mask) = (Width::W32, Value::Const(31));
        self.emit(Op::Binary { op: Binary::And, width, dst: TARGET, a: amount, b: mask });
        self.emit(Op::Binary { op, width, dst, a, b: Value::Slot(TARGET) });
    }

    fn compose(&mut self, insn: &Decoded, of: impl FnOnce(&mut Composer) -> Option<Value>) {
        let Some(dst) = destination(insn) else { return };
        let mut composer = Composer::new();
        let value = of(&mut composer).expect("every instruction of this kind is composed there");
        self.block.ops.extend(composer.finish(value, dst));
    }

    fn compare(&mut self, insn: &Decoded, condition: Condition, a: Value, b: Value) {
        if let Some(dst) = destination(insn) {
            self.emit(Op::Compare { condition, width: Width::W32, dst, a, b });
        }
    }

    fn load(&mut self, insn: &Decoded, width: Width, signed: bool) {
        // A load to x0 still happens on the bus; its value goes to the temporary.
        let dst = destination(insn).unwrap_or(TARGET);
        self.emit(Op::Load { width, signed, dst, base: register(insn.rs1), offset: insn.imm });
    }

    fn count(&mut self, insn: &Decoded, counter: Counter, shift: u8) {
        if let Some(dst) = destination(insn) {
            self.emit(Op::Count { counter, dst, shift });
        }
    }

    fn jump_register(&mut self, insn: &Decoded, following: u64) -> Exit {
        let (width, a) = (Width::W32, register(insn.rs1));
        let b = Value::Const(u64::from(insn.imm as u32));
        self.emit(Op::Binary { op: Binary::Add, width, dst: TARGET, a, b });
        let (a, b) = (Value::Slot(TARGET), Value::Const(0xffff_fffe));
        self.emit(Op::Binary { op: Binary::And, width, dst: TARGET, a, b });
        self.set(insn, Value::Const(following));
        Exit::Indirect { target: Value::Slot(TARGET) }
    }
}

/// The meaning of a jump for calls, by the hints of the calling convention: registers 1 and 5 hold return
/// addresses (unprivileged manual, section 2.5.1, table 3).
const fn transfer(insn: &Decoded) -> Transfer {
    match insn.opcode {
        Opcode::Jal | Opcode::Jalr if holds_return(insn.rd) => Transfer::Call,
        Opcode::Jalr if holds_return(insn.rs1) => Transfer::Return,
        Opcode::Mret | Opcode::Retirq => Transfer::Return,
        _ => Transfer::Jump,
    }
}

const fn holds_return(register: u8) -> bool {
    matches!(register, 1 | 5)
}

/// The operation of an instruction, without its registers.
enum Kind {
    Register(Binary),
    Immediate(Binary),
    ShiftRegister(Binary),
    CompareRegister(Condition),
    CompareImmediate(Condition),
    Load(Width, bool),
    Store(Width),
    Upper,
    UpperPc,
    Count(Counter, u8),
    Bits,
    Cipher,
    Fence,
    FenceInstructions,
    Csr(Change, bool),
    Return,
    Own,
    Jump,
    JumpRegister,
    Branch(Condition),
    Stop(StopKind),
}

#[rustfmt::skip]
const fn operation(opcode: Opcode) -> Kind {
    match opcode {
        Opcode::Lui        => Kind::Upper,
        Opcode::Auipc      => Kind::UpperPc,
        Opcode::Jal        => Kind::Jump,
        Opcode::Jalr       => Kind::JumpRegister,
        Opcode::Beq        => Kind::Branch(Condition::Equal),
        Opcode::Bne        => Kind::Branch(Condition::NotEqual),
        Opcode::Blt        => Kind::Branch(Condition::LessSigned),
        Opcode::Bge        => Kind::Branch(Condition::GreaterEqualSigned),
        Opcode::Bltu       => Kind::Branch(Condition::LessUnsigned),
        Opcode::Bgeu       => Kind::Branch(Condition::GreaterEqualUnsigned),
        Opcode::Lb         => Kind::Load(Width::W8, true),
        Opcode::Lh         => Kind::Load(Width::W16, true),
        Opcode::Lw         => Kind::Load(Width::W32, false),
        Opcode::Lbu        => Kind::Load(Width::W8, false),
        Opcode::Lhu        => Kind::Load(Width::W16, false),
        Opcode::Sb         => Kind::Store(Width::W8),
        Opcode::Sh         => Kind::Store(Width::W16),
        Opcode::Sw         => Kind::Store(Width::W32),
        Opcode::Addi       => Kind::Immediate(Binary::Add),
        Opcode::Slti       => Kind::CompareImmediate(Condition::LessSigned),
        Opcode::Sltiu      => Kind::CompareImmediate(Condition::LessUnsigned),
        Opcode::Xori       => Kind::Immediate(Binary::Xor),
        Opcode::Ori        => Kind::Immediate(Binary::Or),
        Opcode::Andi       => Kind::Immediate(Binary::And),
        Opcode::Slli       => Kind::Immediate(Binary::Shl),
        Opcode::Srli       => Kind::Immediate(Binary::Shr),
        Opcode::Srai       => Kind::Immediate(Binary::Sar),
        Opcode::Add        => Kind::Register(Binary::Add),
        Opcode::Sub        => Kind::Register(Binary::Sub),
        Opcode::Sll        => Kind::ShiftRegister(Binary::Shl),
        Opcode::Slt        => Kind::CompareRegister(Condition::LessSigned),
        Opcode::Sltu       => Kind::CompareRegister(Condition::LessUnsigned),
        Opcode::Xor        => Kind::Register(Binary::Xor),
        Opcode::Srl        => Kind::ShiftRegister(Binary::Shr),
        Opcode::Sra        => Kind::ShiftRegister(Binary::Sar),
        Opcode::Or         => Kind::Register(Binary::Or),
        Opcode::And        => Kind::Register(Binary::And),
        Opcode::Fence      => Kind::Fence,
        Opcode::FenceI     => Kind::FenceInstructions,
        Opcode::Csrrw      => Kind::Csr(Change::Write, false),
        Opcode::Csrrs      => Kind::Csr(Change::Set, false),
        Opcode::Csrrc      => Kind::Csr(Change::Clear, false),
        Opcode::Csrrwi     => Kind::Csr(Change::Write, true),
        Opcode::Csrrsi     => Kind::Csr(Change::Set, true),
        Opcode::Csrrci     => Kind::Csr(Change::Clear, true),
        Opcode::Mret       => Kind::Return,
        Opcode::Getq | Opcode::Setq | Opcode::Retirq | Opcode::Maskirq | Opcode::Waitirq
        | Opcode::Timer => Kind::Own,
        Opcode::Ecall      => Kind::Stop(StopKind::EnvironmentCall),
        Opcode::Ebreak     => Kind::Stop(StopKind::Breakpoint),
        Opcode::Wfi        => Kind::Stop(StopKind::Unmodelled),
        // The core's time is its cycle count (picorv32.v, instr_rdcycle).
        Opcode::Rdcycle    | Opcode::Rdtime  => Kind::Count(Counter::Cycles, 0),
        Opcode::Rdcycleh   | Opcode::Rdtimeh => Kind::Count(Counter::Cycles, 32),
        Opcode::Rdinstret  => Kind::Count(Counter::Instructions, 0),
        Opcode::Rdinstreth => Kind::Count(Counter::Instructions, 32),
        Opcode::Mul        => Kind::Register(Binary::Mul),
        Opcode::Mulh       => Kind::Register(Binary::MulHighSigned),
        Opcode::Mulhsu     => Kind::Register(Binary::MulHighMixed),
        Opcode::Mulhu      => Kind::Register(Binary::MulHighUnsigned),
        Opcode::Div        => Kind::Register(Binary::DivSigned),
        Opcode::Divu       => Kind::Register(Binary::DivUnsigned),
        Opcode::Rem        => Kind::Register(Binary::RemSigned),
        Opcode::Remu       => Kind::Register(Binary::RemUnsigned),
        Opcode::Sh1add | Opcode::Sh2add | Opcode::Sh3add | Opcode::Andn | Opcode::Orn | Opcode::Xnor
        | Opcode::Rol | Opcode::Ror | Opcode::Rori | Opcode::Rev8 | Opcode::ZextH | Opcode::Clz
        | Opcode::Ctz | Opcode::Cpop | Opcode::SextB | Opcode::SextH | Opcode::OrcB | Opcode::Min
        | Opcode::Minu | Opcode::Max | Opcode::Maxu | Opcode::Bclr | Opcode::Bclri | Opcode::Bext
        | Opcode::Bexti | Opcode::Binv | Opcode::Binvi | Opcode::Bset | Opcode::Bseti | Opcode::Pack
        | Opcode::Packh | Opcode::Brev8 | Opcode::Zip | Opcode::Unzip | Opcode::Clmul
        | Opcode::Clmulh | Opcode::Clmulr | Opcode::Xperm4 | Opcode::Xperm8 => Kind::Bits,
        Opcode::Aes32esi | Opcode::Aes32esmi | Opcode::Aes32dsi | Opcode::Aes32dsmi
        | Opcode::Sha256Sum0 | Opcode::Sha256Sum1 | Opcode::Sha256Sig0 | Opcode::Sha256Sig1
        | Opcode::Sha512Sum0r | Opcode::Sha512Sum1r | Opcode::Sha512Sig0l | Opcode::Sha512Sig1l
        | Opcode::Sha512Sig0h | Opcode::Sha512Sig1h => Kind::Cipher,
    }
}

const fn register(number: u8) -> Value {
    if number == 0 { Value::Const(0) } else { Value::Slot(Slot(number as u16)) }
}

fn destination(insn: &Decoded) -> Option<Slot> {
    (insn.rd != 0).then_some(Slot(u16::from(insn.rd)))
}

/// The second operand: an immediate where there is one.
fn second(insn: &Decoded) -> Value {
    match insn.opcode.row().format {
        Format::Shift => Value::Const(insn.imm as u64),
        _ => register(insn.rs2),
    }
}

/// A temporary, by number.
pub(crate) const fn temporary(number: u16) -> Slot {
    Slot(FIRST_TEMPORARY + number)
}

/// The address behind an instruction.
fn behind(insn: &Decoded, pc: u64) -> u64 {
    wrap(pc + u64::from(insn.length))
}

/// Addresses have 32 bits.
const fn wrap(address: u64) -> u64 {
    address & 0xffff_ffff
}
