//! Disassembly: what any instruction is in the unified syntax, written as GNU binutils write it.
//!
//! Left out is what the decoded form does not keep because nothing depends on it: widths (`.n`, `.w`,
//! `addw`), the address of a preload, the number of `udf`, the domain of a barrier, the sign of an
//! offset of 0, an unusual rotation of a constant.

mod absent;
mod computation;
mod coprocessor;
mod data;
mod memory;
mod system;
mod vector;

pub use absent::{absent, is_arithmetic};

use crate::instruction::{Condition, Instruction, Operation, Register, Selected, Shift};

/// The instruction at `pc` in assembly; targets are absolute.
#[must_use]
pub fn disassemble(instruction: &Instruction, pc: u64) -> String {
    let text = text(instruction, pc);
    let (stem, kind) = text.name.split_at(text.name.find('.').unwrap_or(text.name.len()));
    let condition = match instruction.condition {
        Condition::Always => "",
        condition => condition.name(),
    };
    let name = format!("{stem}{condition}{kind}");
    if text.operands.is_empty() { name } else { format!("{name} {}", text.operands) }
}

fn text(instruction: &Instruction, pc: u64) -> Text {
    match instruction.operation {
        Operation::Data { op, sets_flags, rd, rn, operand } => {
            data::processing(instruction, op, sets_flags, [rd, rn], operand)
        }
        Operation::AddressOf { rd, offset } => data::address_of(rd, offset),
        Operation::MoveHalf { rd, value, top } => {
            Text::new(if top { "movt" } else { "movw" }, format!("{}, #{value}", register(rd)))
        }
        Operation::Compute(computed) => computation::text(instruction, &computed),
        Operation::Parallel { kind, op, rd, rn, rm } => {
            Text::of_registers(format!("{}{}", kind.name(), op.name()), &[rd, rn, rm])
        }
        Operation::Transfer { loads, access, rt, address, user } => {
            memory::single(instruction, loads, rt, (access, user), &address)
        }
        Operation::TransferDouble { loads, rt, rt2, address } => {
            memory::double(instruction, loads, [rt, rt2], &address)
        }
        Operation::Multiple(transfer) => memory::multiple(instruction, transfer),
        Operation::LoadExclusive { access, rt, rn, offset } => {
            memory::exclusive("ldrex", access, &[rt], (rn, offset))
        }
        Operation::StoreExclusive { access, rd, rt, rn, offset } => {
            memory::exclusive("strex", access, &[rd, rt], (rn, offset))
        }
        Operation::ClearExclusive => Text::new("clrex", ""),
        Operation::Swap { byte, rt, rt2, rn } => {
            let [rt, rt2, rn] = [rt, rt2, rn].map(register);
            Text::new(format!("swp{}", letter(byte, "b")), format!("{rt}, {rt2}, [{rn}]"))
        }
        Operation::Preload => Text::new("pld", ""),
        Operation::Branch { offset, link, selected } => {
            let x = letter(selected == Selected::Other, "x");
            Text::new(
                format!("b{}{x}", letter(link, "l")),
                target(instruction, pc, offset, selected),
            )
        }
        Operation::BranchExchange { rm, link } => {
            Text::new(format!("b{}x", letter(link, "l")), register(rm))
        }
        Operation::BranchPrefix { offset } => {
            Text::new("bl", format!("{}, first half", near(instruction, pc, offset)))
        }
        Operation::BranchSuffix { offset, selected } => {
            let x = letter(selected == Selected::Other, "x");
            Text::new(format!("bl{x}"), format!("lr + {offset:#x}"))
        }
        Operation::CompareBranch { nonzero, rn, offset } => {
            let operands = format!("{}, {}", register(rn), near(instruction, pc, offset));
            Text::new(format!("cb{}z", letter(nonzero, "n")), operands)
        }
        Operation::TableBranch { rn, rm, half } => {
            let (name, shift) = if half { ("tbh", ", lsl #1") } else { ("tbb", "") };
            Text::new(name, format!("[{}, {}{shift}]", register(rn), register(rm)))
        }
        Operation::It { first, mask } => system::it(first, mask),
        Operation::StatusRead { rd, special } => system::status_read(rd, special),
        Operation::StatusWrite { special, fields, source } => {
            system::status_write(special, fields, source)
        }
        Operation::ChangeState { disable, primask, faultmask } => {
            let name = if disable { "cpsid" } else { "cpsie" };
            Text::new(name, format!("{}{}", letter(primask, "i"), letter(faultmask, "f")))
        }
        Operation::SupervisorCall { number } if instruction.thumb => {
            Text::new("svc", number.to_string())
        }
        Operation::SupervisorCall { number } => Text::new("svc", format!("{number:#010x}")),
        Operation::Breakpoint { number } => Text::new("bkpt", format!("{number:#06x}")),
        Operation::Hint(hint) => system::hinted(hint),
        Operation::Barrier(barrier) => Text::new(barrier.name(), "sy"),
        Operation::Coprocessor { reads, coprocessor, op1, rt, crn, crm, op2 } => {
            let rt = if reads && rt == 15 { "APSR_nzcv" } else { register(rt) };
            let operands = format!("{coprocessor}, {op1}, {rt}, cr{crn}, cr{crm}, {{{op2}}}");
            Text::new(if reads { "mrc" } else { "mcr" }, operands)
        }
        Operation::AbsentCoprocessor(absent) => coprocessor::text(instruction, absent),
        Operation::VectorMove(moved) => vector::moved(moved),
        Operation::VectorSingle { loads, registers, rn, offset } => {
            vector::single(loads, registers, rn, offset)
        }
        Operation::VectorMultiple { loads, registers, rn, up, writeback } => {
            vector::multiple(loads, registers, rn, (up, writeback))
        }
        Operation::Undefined => Text::new("udf", ""),
    }
}

/// The target of a branch; one that leaves Thumb counts from an address rounded down to a multiple of 4.
fn target(instruction: &Instruction, pc: u64, offset: i32, selected: Selected) -> String {
    let rounds = instruction.thumb && selected == Selected::Other;
    let base = instruction.pc_reads(pc) & if rounds { !3 } else { !0 };
    format!("{:#x}", base.wrapping_add_signed(offset))
}

fn near(instruction: &Instruction, pc: u64, offset: i32) -> String {
    target(instruction, pc, offset, Selected::Same)
}

/// An instruction without its condition, which belongs behind the name and before the type of data
/// (`.f32`).
struct Text {
    name: String,
    operands: String,
}

impl Text {
    fn new(name: impl Into<String>, operands: impl Into<String>) -> Self {
        Self { name: name.into(), operands: operands.into() }
    }

    /// Of an instruction with registers as its operands.
    fn of_registers(name: impl Into<String>, registers: &[Register]) -> Self {
        Self::new(
            name,
            registers.iter().map(|&number| register(number)).collect::<Vec<_>>().join(", "),
        )
    }
}

fn register(number: Register) -> &'static str {
    const NAMES: [&str; 16] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp", "ip", "sp", "lr",
        "pc",
    ];
    NAMES[usize::from(number & 15)]
}

/// Registers of a list in braces.
fn list(registers: u16) -> String {
    let named = (0..16).filter(|number| registers >> number & 1 != 0).map(register);
    format!("{{{}}}", named.collect::<Vec<_>>().join(", "))
}

/// A register that is shifted by a constant.
fn shifted(rm: Register, shift: Shift, amount: u8) -> String {
    match (shift, amount) {
        (Shift::RotateExtended, _) => format!("{}, rrx", register(rm)),
        (_, 0) => register(rm).to_owned(),
        _ => format!("{}, {} #{amount}", register(rm), shift.name()),
    }
}

/// The half of an operand that counts.
fn half(top: bool) -> char {
    if top { 't' } else { 'b' }
}

/// A letter, where it applies.
fn letter(applies: bool, letter: &'static str) -> &'static str {
    if applies { letter } else { "" }
}
