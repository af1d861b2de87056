//! Exception entry and return.
//!
//! A profile: a handler runs in a mode with registers of its own, the status is saved in one of them
//! (DDI 0100I, A2.6). M profile: registers are saved on the stack, and a branch to a number that is no
//! address leads back (DDI 0403, B1.5.6 to B1.5.8). There is a handler where the vector table names
//! one. Which of the M profile's interrupts may interrupt what, its controller decides: it raises the
//! lines of those alone. Not modelled: that one handler follows another without the registers' transfer to
//! the stack and back, and that the stacking of floating-point registers is put off until a handler
//! needs them.

use cocrypt_ir::{Block, Exit, Insn, Slot, StopKind, Transfer, Value, Width};
use cocrypt_isa::{CodeMemory, Purpose, Trap};

use super::builder::Builder;
use super::lifter::{ControlFlow, Lifter};
use super::system::{FLAGS, compose, field, status, take_apart};
use super::term::of;
use super::{Arm, branch};
use crate::architecture::Architecture;
use crate::cells;
use crate::class::Class;
use crate::mmu;
use crate::mode::{ABORT, FAST, INTERRUPT, SUPERVISOR, SYSTEM, UNDEFINED, USER};
use crate::state::State;

/// The cells in which a mode's own registers wait: stack pointer, link register, saved status.
fn bank(mode: u8) -> (Slot, Slot, Option<Slot>) {
    match mode {
        FAST => (cells::SP_FIQ, cells::LR_FIQ, Some(cells::SPSR_FIQ)),
        INTERRUPT => (cells::SP_IRQ, cells::LR_IRQ, Some(cells::SPSR_IRQ)),
        SUPERVISOR => (cells::SP_SVC, cells::LR_SVC, Some(cells::SPSR_SVC)),
        ABORT => (cells::SP_ABT, cells::LR_ABT, Some(cells::SPSR_ABT)),
        UNDEFINED => (cells::SP_UND, cells::LR_UND, Some(cells::SPSR_UND)),
        _ => (cells::SP_USR, cells::LR_USR, None),
    }
}

/// Changes the mode: what is its own of the old one is put away, that of the new one brought.
pub fn change_mode(builder: &mut Builder, old: u8, new: Value) {
    let (sp, lr, spsr) = bank(old);
    builder.write(sp, Value::Slot(cells::SP));
    builder.write(lr, Value::Slot(cells::LR));
    if let Some(spsr) = spsr {
        builder.write(spsr, Value::Slot(cells::SPSR));
    }
    let [mut stack, mut link, mut saved] =
        [cells::SP_USR, cells::LR_USR, cells::SPSR].map(Value::Slot);
    for mode in [FAST, INTERRUPT, SUPERVISOR, ABORT, UNDEFINED] {
        let (sp, lr, spsr) = bank(mode);
        let is_new = is(builder, new, mode);
        stack = builder.select(is_new, Value::Slot(sp), stack);
        link = builder.select(is_new, Value::Slot(lr), link);
        saved = builder.select(is_new, spsr.map_or(saved, Value::Slot), saved);
    }
    builder.write(cells::SP, stack);
    builder.write(cells::LR, link);
    builder.write(cells::SPSR, saved);
    exchange_fast(builder, old, new);
    builder.write(cells::MODE, new);
}

fn is(builder: &mut Builder, new: Value, mode: u8) -> Value {
    builder.compare(cocrypt_ir::Condition::Equal, new, Value::Const(mode.into()))
}

/// The fast interrupt's mode has five more registers of its own.
fn exchange_fast(builder: &mut Builder, old: u8, new: Value) {
    let becomes = is(builder, new, FAST);
    let changes = builder.term(of(becomes) ^ u32::from(old == FAST));
    if changes == Value::Const(0) {
        return;
    }
    builder.guarded(changes, |builder| {
        for number in 0..5 {
            let [here, there] = [cells::R8.0 + number, cells::R8_FIQ.0 + number].map(Slot);
            let away = builder.copy(Value::Slot(here));
            builder.write(here, Value::Slot(there));
            builder.write(there, away);
        }
    });
}

/// Return from an exception of the A profile: the status becomes the saved one.
pub fn restore(lifter: &mut Lifter<'_>, target: Value) -> ControlFlow {
    let mode = lifter.state.mode;
    if matches!(mode, USER | SYSTEM) {
        // There is no saved status; what happens is left open, but that nobody gets further rights.
        return branch::to_same_set(lifter, target);
    }
    let builder = &mut lifter.builder;
    let target = builder.copy(target);
    let saved = builder.copy(Value::Slot(cells::SPSR));
    take_apart(builder, saved, &FLAGS);
    take_apart(builder, saved, &[(cells::IRQ_OFF, 7), (cells::FIQ_OFF, 6)]);
    let thumb = field(builder, saved, 5, 1);
    builder.write(cells::THUMB, thumb);
    let new = builder.term(of(saved) & 0x1f);
    change_mode(builder, mode, new);
    let mask = builder.term(of(thumb).choose(0xffff_fffe, 0xffff_fffc));
    ControlFlow::Yield(builder.term(of(target) & mask))
}

/// The numbers of exceptions of the M profile.
pub const HARD_FAULT: u8 = 3;
pub const SUPERVISOR_CALL: u8 = 11;

/// Returns true if an address is no address but says how to go back from a handler.
pub const fn is_return(pc: u64) -> bool {
    pc >= 0xffff_ffe0 && pc <= 0xffff_ffff
}

/// The registers of a frame, from its lowest address on; behind them lie the address and the status.
const FRAME: [Slot; 6] = [cells::R0, cells::R1, cells::R2, cells::R3, cells::R12, cells::LR];
/// Bytes of a frame, and of what floating-point registers add to it.
const BASIC: u32 = 32;
const EXTENDED: u32 = 72;

/// Return from a handler of the M profile, by the number that was branched to.
pub fn unstack(builder: &mut Builder, number: u32, architecture: Architecture) -> ControlFlow {
    let process = number & 4 != 0;
    let extended = architecture.vector && number & 0x10 == 0;
    let size = BASIC + if extended { EXTENDED } else { 0 };
    let base = Value::Slot(if process { cells::SP_OTHER } else { cells::SP });
    let base = builder.copy(base);
    let loaded: Vec<Value> =
        (0..8).map(|word| builder.load(Width::W32, false, base, 4 * word)).collect();
    if extended {
        vector_frame(builder, |builder, cell, offset| {
            let value = builder.load(Width::W32, false, base, offset);
            builder.write(cell, value);
        });
    }
    let status = loaded[7];
    for (cell, value) in FRAME.into_iter().zip(&loaded) {
        builder.write(cell, *value);
    }
    let padding = field(builder, status, 9, 1);
    let padding = builder.term(of(padding) << 2);
    let stack = builder.term((of(base) + size) | padding);
    if process {
        builder.write(cells::SP_OTHER, Value::Slot(cells::SP));
    }
    builder.write(cells::SP, stack);
    unpack(builder, status);
    let control = u32::from(process) << 1 | u32::from(extended) << 2;
    let control = builder.term((of(cells::CONTROL) & 1) | control);
    builder.write(cells::CONTROL, control);
    builder.write(cells::FIQ_OFF, Value::Const(0));
    builder.write(cells::RESERVED, Value::Const(0));
    ControlFlow::Yield(builder.term(of(loaded[6]) & 0xffff_fffe))
}

/// The cells become what a status from a frame says.
fn unpack(builder: &mut Builder, status: Value) {
    take_apart(builder, status, &FLAGS);
    let parallel = field(builder, status, 16, 4);
    builder.write(cells::GE, parallel);
    let number = field(builder, status, 0, 9);
    builder.write(cells::IPSR, number);
    take_apart(builder, status, &[(cells::THUMB, 24)]);
    let (low, high) = (field(builder, status, 25, 2), field(builder, status, 10, 6));
    let it = builder.term(of(low) | (of(high) << 2));
    builder.write(cells::IT, it);
}

/// The floating-point registers of a frame and their offsets.
fn vector_frame(builder: &mut Builder, mut each: impl FnMut(&mut Builder, Slot, i32)) {
    for number in 0..16 {
        each(builder, Slot(cells::S0.0 + number), BASIC as i32 + 4 * i32::from(number));
    }
    each(builder, cells::FPSCR, BASIC as i32 + 64);
}

/// The parameters of an exception's entry.
struct ExceptionEntry {
    class: Class,
    /// Mode bits (A profile), or the exception's number.
    number: u8,
    /// Offset in the vector table.
    vector: u32,
    /// The return address of the handler: the link register, or the address on the stack.
    back: u32,
}

/// The entry to the handler at `pc`, whose instruction has `length` bytes; nothing if there is none.
pub fn trap(
    arm: &Arm,
    trap: Trap,
    code: &dyn CodeMemory,
    pc: u64,
    length: u8,
    cells_now: &[u64],
    mode: u32,
) -> Option<Block> {
    if trap == Trap::Instruction(StopKind::Wait) {
        return Some(waited(pc, length, mode));
    }
    let is_m = arm.architecture.version.is_m();
    let here = pc as u32;
    let behind = here.wrapping_add(length.into());
    let entry = if is_m {
        entry_m(trap, here, behind, cells_now)?
    } else {
        entry_a(trap, here, behind, cells_now)?
    };
    let at = (table(is_m, cells_now) + u64::from(entry.vector)) & 0xffff_ffff;
    let word = vector(code, at).unwrap_or(0);
    if word == 0 {
        let Trap::Interrupt { number, .. } = trap else { return None };
        return Some(no_handler(number, pc, mode));
    }
    let mut lifter = Lifter::new(arm, pc, mode);
    lifter.builder.begin(0);
    let exit = if is_m {
        stack(&mut lifter, &entry, cells_now);
        Exit::Jump { target: (word & !1).into() }
    } else {
        let process = cells_now[usize::from(cells::PROCESS.0)] as u32;
        enter(&mut lifter, &entry, trap, process);
        Exit::Jump { target: at }
    };
    let thumb = if is_m { word & 1 != 0 } else { false };
    let builder = &mut lifter.builder;
    builder.write(cells::THUMB, Value::Const(thumb.into()));
    builder.write(cells::IT, Value::Const(0));
    let onward = State { thumb, it: 0, mode: if is_m { 0 } else { entry.number }, holds: false };
    let ops = std::mem::take(&mut lifter.builder.ops);
    let block = Block::single(Insn::new(pc, 0, mode, entry.class as u8), ops, exit);
    Some(Block { onward: onward.number(), transfer: Transfer::Call, ..block })
}

/// The word at an address of the vector table, if a memory answers there.
pub fn vector(code: &dyn CodeMemory, at: u64) -> Option<u32> {
    let (low, high) = code.unit(at).zip(code.unit(at + 2))?;
    Some(u32::from(high) << 16 | u32::from(low))
}

/// The address of the vector table. Where addresses are translated, a program has put it where the
/// architecture has it, wherever the device's memory is.
pub fn table(is_m: bool, cells_now: &[u64]) -> u64 {
    let control = cells_now[usize::from(cells::SYSTEM_CONTROL.0)];
    let (is_high, is_translated) = (control >> 13 & 1 != 0, control & 1 != 0);
    match (is_m, is_high, is_translated) {
        (false, true, _) => 0xffff_0000,
        (false, false, true) => 0,
        _ => cells_now[usize::from(cells::VECTORS.0)],
    }
}

/// The end of an instruction that waited.
fn waited(pc: u64, length: u8, mode: u32) -> Block {
    let insn = Insn::new(pc, length, mode, Class::Wait as u8);
    let exit = Exit::Next { pc: (pc + u64::from(length)) & 0xffff_ffff };
    let onward = State::from_number(mode).advanced().number();
    Block { onward, ..Block::single(insn, vec![], exit) }
}

/// An interrupt for which the program named no handler.
fn no_handler(number: u8, pc: u64, mode: u32) -> Block {
    let insn = Insn::new(pc, 0, mode, Class::Interrupt as u8);
    Block::single(insn, vec![], Exit::Stop(StopKind::NoHandler { number }))
}

/// DDI 0100I, A2.6.
fn entry_a(trap: Trap, here: u32, behind: u32, cells_now: &[u64]) -> Option<ExceptionEntry> {
    let checks = cells_now[usize::from(cells::SYSTEM_CONTROL.0)] & 2 != 0;
    let entry = |class, number, vector, back| Some(ExceptionEntry { class, number, vector, back });
    match trap {
        Trap::Instruction(StopKind::EnvironmentCall) => {
            entry(Class::EnterSystem, SUPERVISOR, 0x08, behind)
        }
        Trap::Instruction(StopKind::IllegalInstruction) => {
            entry(Class::EnterIllegal, UNDEFINED, 0x04, behind)
        }
        Trap::Instruction(StopKind::Breakpoint) => {
            entry(Class::EnterSystem, ABORT, 0x0c, here.wrapping_add(4))
        }
        Trap::Refused { purpose: Purpose::Fetch, .. } => {
            entry(Class::EnterFault, ABORT, 0x0c, here.wrapping_add(4))
        }
        Trap::Refused { .. } => entry(Class::EnterFault, ABORT, 0x10, here.wrapping_add(8)),
        Trap::Unaligned { .. } if checks => {
            entry(Class::EnterFault, ABORT, 0x10, here.wrapping_add(8))
        }
        Trap::Interrupt { number: FAST_LINE, .. } => {
            entry(Class::Interrupt, FAST, 0x1c, here.wrapping_add(4))
        }
        Trap::Interrupt { .. } => entry(Class::Interrupt, INTERRUPT, 0x18, here.wrapping_add(4)),
        _ => None,
    }
}

/// DDI 0403, B1.5.2. Faults with handlers of their own are taken as hard faults, as they are until a
/// program asks for something else; one within a hard fault's handler stops the core.
fn entry_m(trap: Trap, here: u32, behind: u32, cells_now: &[u64]) -> Option<ExceptionEntry> {
    let current = cells_now[usize::from(cells::IPSR.0)];
    let held = cells_now[usize::from(cells::IRQ_OFF.0)] | cells_now[usize::from(cells::FIQ_OFF.0)];
    let (class, number, back) = match trap {
        Trap::Instruction(StopKind::EnvironmentCall) if held == 0 => {
            (Class::EnterSystem, SUPERVISOR_CALL, behind)
        }
        Trap::Instruction(StopKind::EnvironmentCall | StopKind::Breakpoint) => {
            (Class::EnterSystem, HARD_FAULT, here)
        }
        Trap::Instruction(StopKind::IllegalInstruction | StopKind::InvalidState) => {
            (Class::EnterIllegal, HARD_FAULT, here)
        }
        Trap::Unaligned { .. } => (Class::EnterFault, HARD_FAULT, here),
        Trap::Interrupt { number, .. } => (Class::Interrupt, number, here),
        _ => return None,
    };
    if number == HARD_FAULT && matches!(current, 2 | 3) {
        return None;
    }
    Some(ExceptionEntry { class, number, vector: 4 * u32::from(number), back })
}

/// Into a mode of the A profile.
fn enter(lifter: &mut Lifter<'_>, entry: &ExceptionEntry, trap: Trap, process: u32) {
    let old = lifter.state.mode;
    let status = status(lifter);
    let builder = &mut lifter.builder;
    let status = builder.copy(status);
    change_mode(builder, old, Value::Const(entry.number.into()));
    builder.write(cells::SPSR, status);
    builder.write(cells::LR, Value::Const(entry.back.into()));
    builder.write(cells::IRQ_OFF, Value::Const(1));
    if entry.number == FAST {
        builder.write(cells::FIQ_OFF, Value::Const(1));
    }
    let (status, address) = match trap {
        Trap::Unaligned { address, .. } => (1, address),
        // Where the instruction is that was refused, the handler knows by the link register
        // (DDI 0198E, 2.3.7 and 2.3.8).
        Trap::Refused { status, purpose: Purpose::Fetch, .. } => {
            return builder.write(cells::FETCH_STATUS, Value::Const(status.into()));
        }
        Trap::Refused { status, address, .. } => (status, address),
        _ => return,
    };
    let address = mmu::modified(process, address);
    builder.write(cells::FAULT_STATUS, Value::Const(status.into()));
    builder.write(cells::FAULT_ADDRESS, Value::Const(address.into()));
}

/// Onto the stack, and into a handler of the M profile.
fn stack(lifter: &mut Lifter<'_>, entry: &ExceptionEntry, cells_now: &[u64]) {
    let now = |cell: Slot| cells_now[usize::from(cell.0)] as u32;
    // What is left of an IT block where the handler goes back to.
    let there = if entry.back == lifter.pc { lifter.state } else { lifter.state.advanced() };
    let (it, vector) = (u32::from(there.it), lifter.arm.architecture.vector);
    let control = now(cells::CONTROL);
    let (process, extended) = (control & 2 != 0, vector && control & 4 != 0);
    let size = BASIC + if extended { EXTENDED } else { 0 };
    let top = now(cells::SP);
    let frame = top.wrapping_sub(size) & !7;
    let it = (it & 3) << 25 | (it >> 2) << 10;
    let padding = (top >> 2 & 1) << 9;
    let rest = it | padding | 1 << 24 | now(cells::IPSR);
    let builder = &mut lifter.builder;
    let parts = [&FLAGS[..], &[(cells::GE, 16)]].concat();
    let status = compose(builder, rest.into(), &parts);
    let base = Value::Const(frame.into());
    for (word, cell) in FRAME.into_iter().enumerate() {
        builder.store(Width::W32, Value::Slot(cell), base, 4 * word as i32);
    }
    builder.store(Width::W32, Value::Const(entry.back.into()), base, 24);
    builder.store(Width::W32, status, base, 28);
    if extended {
        vector_frame(builder, |builder, cell, offset| {
            builder.store(Width::W32, Value::Slot(cell), base, offset);
        });
    }
    if process {
        builder.write(cells::SP, Value::Slot(cells::SP_OTHER));
        builder.write(cells::SP_OTHER, base);
    } else {
        builder.write(cells::SP, base);
    }
    let kind = match (now(cells::IPSR), process) {
        (0, false) => 0xffff_fff9_u32,
        (0, true) => 0xffff_fffd,
        _ => 0xffff_fff1,
    };
    let back = if extended { kind & !0x10 } else { kind };
    builder.write(cells::LR, Value::Const(back.into()));
    builder.write(cells::IPSR, Value::Const(entry.number.into()));
    builder.write(cells::CONTROL, Value::Const((control & 1).into()));
    builder.write(cells::RESERVED, Value::Const(0));
}

/// The line of the fast interrupt of the A profile; the other one is 0.
pub const FAST_LINE: u8 = 1;

/// The interrupt that is taken next, of the lines that are up.
pub fn interrupt(is_m: bool, cells_now: &[u64], lines: u32) -> Option<u8> {
    let set = |cell: Slot| cells_now[usize::from(cell.0)] != 0;
    if !is_m {
        let fast = lines & 2 != 0 && !set(cells::FIQ_OFF);
        let interrupted = lines & 1 != 0 && !set(cells::IRQ_OFF);
        return if fast { Some(FAST_LINE) } else { interrupted.then_some(0) };
    }
    let held = [cells::IRQ_OFF, cells::FIQ_OFF].into_iter().any(set);
    (!held && lines != 0).then(|| lines.trailing_zeros() as u8)
}
