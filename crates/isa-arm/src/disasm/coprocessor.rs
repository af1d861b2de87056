//! A32's instructions for coprocessors that no core here has.

use super::{Text, letter, memory, register};
use crate::instruction::{AbsentCoprocessor, Instruction};

pub(super) fn text(instruction: &Instruction, absent: AbsentCoprocessor) -> Text {
    match absent {
        AbsentCoprocessor::Process { coprocessor, op1, crd, crn, crm, op2 } => {
            let operands = format!("{coprocessor}, {op1}, cr{crd}, cr{crn}, cr{crm}, {{{op2}}}");
            Text::new("cdp", operands)
        }
        AbsentCoprocessor::Memory { loads, long, coprocessor, crd, address } => {
            let address = memory::of(instruction, &address);
            Text::new(transfer(loads, long), format!("{coprocessor}, cr{crd}, {address}"))
        }
        AbsentCoprocessor::Option { loads, long, coprocessor, crd, rn, option } => {
            let address = format!("[{}], {{{option}}}", register(rn));
            Text::new(transfer(loads, long), format!("{coprocessor}, cr{crd}, {address}"))
        }
        AbsentCoprocessor::Pair { reads, coprocessor, op1, rt, rt2, crm } => {
            let (rt, rt2) = (register(rt), register(rt2));
            let name = if reads { "mrrc" } else { "mcrr" };
            Text::new(name, format!("{coprocessor}, {op1}, {rt}, {rt2}, cr{crm}"))
        }
    }
}

fn transfer(loads: bool, long: bool) -> String {
    format!("{}{}", if loads { "ldc" } else { "stc" }, letter(long, "l"))
}
