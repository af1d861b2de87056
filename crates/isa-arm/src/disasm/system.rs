//! Branches, status registers, calls of the system, and what is no instruction.

use super::{Text, letter, register};
use crate::instruction::{Barrier, Hint, Instruction, Operation, Selected, Special, StatusSource};

pub(super) fn text(instruction: &Instruction, pc: u64) -> Text {
    branch(instruction, pc).or_else(|| status(instruction)).unwrap_or_else(|| other(instruction))
}

fn branch(instruction: &Instruction, pc: u64) -> Option<Text> {
    Some(match instruction.operation {
        Operation::Branch { offset, link, selected } => {
            let x = letter(selected == Selected::Other, "x");
            let target = target(instruction, pc, offset, selected);
            Text::new(format!("b{}{x}", letter(link, "l")), target)
        }
        Operation::BranchExchange { rm, link } => {
            Text::new(format!("b{}x", letter(link, "l")), register(rm))
        }
        Operation::BranchPrefix { offset } => Text::new(
            "bl",
            format!("{}, first half", target(instruction, pc, offset, Selected::Same)),
        ),
        Operation::BranchSuffix { offset, selected } => {
            let x = letter(selected == Selected::Other, "x");
            Text::new(format!("bl{x}"), format!("lr + {offset:#x}"))
        }
        Operation::CompareBranch { nonzero, rn, offset } => {
            let target = target(instruction, pc, offset, Selected::Same);
            Text::new(format!("cb{}z", letter(nonzero, "n")), format!("{}, {target}", register(rn)))
        }
        Operation::TableBranch { rn, rm, half } => {
            let (name, shift) = if half { ("tbh", ", lsl #1") } else { ("tbb", "") };
            Text::new(name, format!("[{}, {}{shift}]", register(rn), register(rm)))
        }
        _ => return None,
    })
}

/// Where a branch goes; one that leaves Thumb counts from an address rounded down to a multiple of 4.
fn target(instruction: &Instruction, pc: u64, offset: i32, selected: Selected) -> String {
    let rounds = instruction.thumb && selected == Selected::Other;
    let base = instruction.pc_reads(pc) & if rounds { !3 } else { !0 };
    format!("{:#x}", base.wrapping_add_signed(offset))
}

fn status(instruction: &Instruction) -> Option<Text> {
    Some(match instruction.operation {
        Operation::StatusRead { rd, special } => {
            Text::new("mrs", format!("{}, {}", register(rd), special_name(special)))
        }
        Operation::StatusWrite { special, fields, source } => {
            let source = match source {
                StatusSource::Register(rn) => register(rn).to_owned(),
                StatusSource::Immediate(value) => format!("#{}", value as i32),
            };
            Text::new(
                "msr",
                format!("{}{}, {source}", special_name(special), parts(special, fields)),
            )
        }
        Operation::ChangeState { disable, primask, faultmask } => {
            let name = if disable { "cpsid" } else { "cpsie" };
            Text::new(name, format!("{}{}", letter(primask, "i"), letter(faultmask, "f")))
        }
        _ => return None,
    })
}

/// The name of a special register; GNU binutils call the flags of the M profile `CPSR` too.
fn special_name(special: Special) -> String {
    let name = match special {
        Special::Current | Special::Numbered(0) => "CPSR",
        Special::Saved => "SPSR",
        Special::Numbered(1) => "IAPSR",
        Special::Numbered(2) => "EAPSR",
        Special::Numbered(3) => "PSR",
        Special::Numbered(5) => "IPSR",
        Special::Numbered(6) => "EPSR",
        Special::Numbered(7) => "IEPSR",
        Special::Numbered(8) => "MSP",
        Special::Numbered(9) => "PSP",
        Special::Numbered(16) => "PRIMASK",
        Special::Numbered(17) => "BASEPRI",
        Special::Numbered(18) => "BASEPRI_MAX",
        Special::Numbered(19) => "FAULTMASK",
        Special::Numbered(20) => "CONTROL",
        Special::Numbered(number) => return format!("(UNDEF: {number})"),
    };
    name.to_owned()
}

/// The fields that are written, as far as the register has any.
fn parts(special: Special, fields: u8) -> String {
    if matches!(special, Special::Numbered(1..)) {
        return String::new();
    }
    let named = [(3, 'f'), (2, 's'), (1, 'x'), (0, 'c')];
    let letters = named.into_iter().filter(|(bit, _)| fields >> bit & 1 != 0);
    format!("_{}", letters.map(|(_, letter)| letter).collect::<String>())
}

fn other(instruction: &Instruction) -> Text {
    match instruction.operation {
        Operation::It { first, mask } => it(first, mask),
        Operation::SupervisorCall { number } if instruction.thumb => {
            Text::new("svc", number.to_string())
        }
        Operation::SupervisorCall { number } => Text::new("svc", format!("{number:#010x}")),
        Operation::Breakpoint { number } => Text::new("bkpt", format!("{number:#06x}")),
        Operation::Hint(hint) => hinted(hint),
        Operation::Barrier(barrier) => {
            let name = match barrier {
                Barrier::Data => "dmb",
                Barrier::DataSynchronization => "dsb",
                Barrier::Instruction => "isb",
            };
            Text::new(name, "sy")
        }
        _ => Text::new("udf", ""),
    }
}

/// `it` with a letter for each further instruction: the mask's bits equal the condition's lowest one
/// for those that are executed with the first, and its lowest 1 ends them.
fn it(first: u8, mask: u8) -> Text {
    const CONDITIONS: [&str; 16] = [
        "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al",
        "",
    ];
    let further = (mask.trailing_zeros() as u8 + 1..4).rev();
    let letters = further.map(|bit| if mask >> bit & 1 == first & 1 { 't' } else { 'e' });
    Text::new(format!("it{}", letters.collect::<String>()), CONDITIONS[usize::from(first & 15)])
}

fn hinted(hint: Hint) -> Text {
    match hint {
        Hint::Nop => Text::new("nop", ""),
        Hint::Yield => Text::new("yield", ""),
        Hint::WaitForEvent => Text::new("wfe", ""),
        Hint::WaitForInterrupt => Text::new("wfi", ""),
        Hint::SendEvent => Text::new("sev", ""),
        Hint::Other(number) => Text::new("nop", format!("{{{number}}}")),
    }
}
