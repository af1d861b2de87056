//! The effect of interrupts on the stages.

use cocrypt_isa::{CodeMemory, Decision, Front, InsnCost, InterruptTiming, Registers};

use super::VexRiscv;
use super::state::{Flush, InFlight, State, WrongPathEvent, WrongPathInsn};
use super::word::Word;

impl InterruptTiming for VexRiscv {
    /// It looks at lines and registers of three cycles before.
    fn sampled_before(&self) -> u64 {
        3
    }

    /// A control register is written from execute, and what follows is issued in the next cycle; a
    /// handler is three cycles from where it is sent to.
    fn counts(&self, jumps: bool) -> Option<u64> {
        Some(if jumps { 3 } else { 0 })
    }

    fn decide(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Decision {
        self.judge(front, code).unwrap_or(Decision::Issues)
    }
}

impl VexRiscv {
    /// The decision about an instruction near an interrupt: decode holds it while the stages behind run
    /// empty, as it holds what it met on a wrong path before.
    fn judge(&self, front: &Front<'_>, code: &dyn CodeMemory) -> Option<Decision> {
        let mut state = self.states.get(front.state);
        // Lines are taken in by one register, what comes of them by another.
        let seen = |cycle: i32| (front.asks)(Registers::At(cycle - 1), cycle - 2);
        let instead = state.instead.take().filter(|&(at, _)| seen(at).is_some());
        let earlier = i32::from(instead.is_some());
        if let Some((_, instead)) = instead {
            state = self.states.get(instead);
        }
        let asks = |cycle: i32| seen(cycle - earlier);
        let before = state.clone();
        // What decode held on a wrong path kept it from what is behind that, and held the jump up with it.
        state.wrong = WrongPathEvent::held(&state.wrong, &|at| asks(at).is_some());
        let absent = |meeting: &WrongPathEvent| match meeting.what {
            WrongPathInsn::Line(address) => !(front.holds)(address),
            WrongPathInsn::Flush => true,
        };
        let is_halted = state.flush.is_some_and(|flush| !flush.next);
        let misses = state.wrong.iter().any(absent) || is_halted;
        let late = state.late.take().is_some_and(|(sent, [held, there])| {
            let there = if asks(sent - 1).is_some() { held } else { there };
            there && asks(sent).is_some() && !misses
        });
        if late {
            (state.sent, state.decoded, state.held) =
                (state.sent + 1, state.decoded + 1, state.held.max(1));
        }
        let cycles = i32::from(late);
        let goes = |state: State| {
            if earlier == 0 && (State { late: None, ..before.clone() }) == state {
                return Decision::Issues;
            }
            let state = self.states.number(state.later(cycles));
            Decision::Delayed { cycles: cycles - earlier, state }
        };
        if misses || !(front.holds)(front.pc as u32) {
            // It does not reach decode before these lines are there; then this is asked again.
            return Some(goes(state));
        }
        let word = Word::at(front.pc, code)?;
        let [execute, memory, write_back] = loop {
            let ready = state.ready(word);
            let leaves = if ready > 0 { state.moves(ready - 1) } else { -1 };
            if asks(leaves).is_none() || (!word.is_legal() && state.decoded < leaves) {
                return Some(goes(state));
            }
            if !word.is_legal() {
                // Decode refuses it as soon as it is there, and is free again in the next cycle.
                let cycles = state.moves(leaves + 1) + 1;
                let state = self.states.number(state.later(cycles));
                return Some(Decision::Delayed { cycles: cycles - earlier, state });
            }
            // It waits in decode from here on, while the stages behind run empty.
            let waits = (cycles - 1..=leaves).rev().take_while(|&cycle| asks(cycle).is_some());
            let execute = state.moves(waits.last()?) + 1;
            let memory = state.moves(execute) + 1;
            let write_back = state.moves(memory) + 1;
            match (leaves + 1..=write_back).find(|&cycle| asks(cycle).is_none()) {
                // The line has gone down again; meanwhile it may have come up once more.
                Some(gone) => state.held = state.moves(gone) + 1,
                None => break [execute, memory, write_back],
            }
        };
        let number = asks(write_back)?;
        let mut behind = state.clone();
        (behind.stuck, behind.free) = (write_back - 1, write_back);
        (behind.held, behind.known, behind.wrong, behind.late) = (0, None, vec![], None);
        behind.instead = None;
        if self.flushes(word) {
            // Decode holds it until then.
            behind.flush = Some(Flush::behind(state.flush, write_back));
        }
        let passage = InFlight {
            decode: state.decoded,
            execute,
            memory,
            write_back,
            last: write_back,
            before: state,
            behind,
            cost: InsnCost::default(),
        };
        let (issue, behind) = Self::sent(&passage, write_back + 1, vec![]);
        let state = Some(self.states.number(behind));
        Some(Decision::Interrupted { number, cycles: issue - earlier, state, note: 0 })
    }
}
