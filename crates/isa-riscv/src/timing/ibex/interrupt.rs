//! The interrupt timing of Ibex (`ibex_controller.sv`).

use cocrypt_ir::{Block, Exit, Value};
use cocrypt_isa::{CodeMemory, Decision, Front, InterruptTiming, Registers};

use super::{Ibex, Rule, across};

/// The controller looks for interrupts in the cycle in which the next instruction would enter the ID
/// stage, and in those in which there is none in it.
const SAMPLED: i32 = 1;

/// It looks again once the ID stage is empty, and once more when it goes (`IRQ_TAKEN`). A line that goes
/// down before, as a store that is still in flight can have it, delays the instruction for nothing.
const INSISTS: i32 = 2;

impl InterruptTiming for Ibex {
    fn sampled_before(&self) -> u64 {
        SAMPLED as u64
    }

    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        let up = |cycle| (front.asks)(Registers::Now, cycle);
        let mut idles = front.previous.map_or(0, |block| self.idles(block, front, code));
        let mut issue = i32::from(idles == 0 && closed(front));
        loop {
            let last = issue - SAMPLED;
            let first = (issue - idles).min(last);
            let found = (first..=last).find_map(|seen| Some((seen, up(seen)?)));
            let Some((seen, number)) = found else { return issued(issue) };
            let further = if idles == 0 { INSISTS } else { INSISTS - 1 };
            let Some(gone) = (1..=further).find(|more| up(seen + more).is_none()) else {
                let cycles = if idles == 0 { issue } else { seen };
                return Decision::Interrupted { number, cycles, state: None, note: 0 };
            };
            issue = issue.max(seen + 1 + gone);
            idles = issue - (seen + 1 + gone);
        }
    }
}

/// An instruction that is issued in a cycle. What the pipeline held has left it in a cycle more.
const fn issued(cycles: i32) -> Decision {
    if cycles == 0 { Decision::Issues } else { Decision::Delayed { cycles, state: 0 } }
}

/// Returns true if the instruction before this one masked an interrupt that the core had already
/// noticed, which costs a cycle.
fn closed(front: &Front<'_>) -> bool {
    let asks = |registers| (front.asks)(registers, -SAMPLED);
    asks(Registers::Before).is_some() && asks(Registers::Now).is_none()
}

impl Ibex {
    /// The number of cycles for which the ID stage was empty before the issue of the instruction, so that
    /// an interrupt was taken earlier.
    fn idles(&self, previous: &Block, front: &Front<'_>, code: &dyn CodeMemory) -> i32 {
        let Some(insn) = previous.insns.last() else { return 0 };
        let (class, rule) = self.classes.of(insn);
        let across = across(code, front.pc) as i32;
        match rule {
            // Its last cycles are those of the fetch.
            Rule::Flush if matches!(previous.exit, Exit::Yield { target: Value::Const(_) }) => 1,
            Rule::Flush => 1 + across,
            Rule::Branch if front.taken => 1 + across,
            // Without an adder of its own a jump stays for a second cycle, to compute its link.
            Rule::Jump => class.per_step.unwrap_or(0) as i32 + across,
            _ => 0,
        }
    }
}
