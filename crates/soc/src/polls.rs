//! Detection of poll loops: poll loops, found by what they do on the bus.
//!
//! An instruction that reads a status register again, with no other transfer to a coprocessor since but
//! further status reads, has come round its loop: the coprocessor had not been done. The same holds where
//! another instruction reads it next and finds it changed, as where a compiler has peeled the first turn
//! off a loop. What the core spent from read to read is waiting, beside what the reads themselves took on
//! the bus. Where an interrupt came in between, what passed before it still is, and what the handler took
//! is not.

use std::collections::BTreeMap;

use cocrypt_config::Role;

/// Instructions that a turn of a poll loop issues at most. A program that runs more between two reads may
/// do something else meanwhile.
pub const LONGEST_TURN: u64 = 256;
/// Status reads in a row that are remembered: those of a loop that asks several coprocessors.
const REMEMBERED: usize = 64;

/// A transfer to a coprocessor.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The coprocessor, by its number.
    pub coprocessor: usize,
    /// Address of the instruction.
    pub pc: u64,
    /// The offset in the coprocessor's window.
    pub offset: u32,
    /// The register's role.
    pub role: Role,
    /// True if it is a store.
    pub writes: bool,
    /// True if the coprocessor has a status register at all.
    pub has_status: bool,
    /// The cycle of the answer.
    pub answer: u64,
    /// The wait of the transfer on the bus.
    pub wait: u32,
    /// Instructions issued before.
    pub issued: u64,
    /// The word that was read.
    pub value: u32,
}

impl Event {
    fn key(&self) -> (usize, u64) {
        (self.coprocessor, self.pc)
    }

    fn is_again(&self, before: &Self) -> bool {
        self.key() == before.key() && self.asks_same(before)
    }

    fn asks_same(&self, before: &Self) -> bool {
        (self.coprocessor, self.offset) == (before.coprocessor, before.offset)
    }
}

/// The reason for which a program's waiting for a coprocessor is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// It has no status register, and another register is read repeatedly, which may be data.
    NoStatus,
    /// Between two reads of its status register more instructions run than a turn has: a delay, or work.
    LongTurn,
}

/// The turns of one instruction that polls a coprocessor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// The number of times that it asked again.
    pub turns: u64,
    /// Cycles from its answers to the next requests, beside transfers and handlers.
    pub cycles: u64,
    /// The same with what the status reads took on the bus: how long the core waited for the coprocessor.
    pub awaited: u64,
}

/// A status read that may be the beginning of a turn.
#[derive(Clone, Debug)]
struct StatusRead {
    event: Event,
    /// Cycle and issued instructions where the core left the program for a handler.
    left: Option<(u64, u64)>,
    /// True if what passed behind it is counted, and as waiting for whom.
    counted: bool,
    awaited: Vec<usize>,
}

impl StatusRead {
    /// Cycles and instructions from its answer to the next request, as far as the program had the core.
    fn until(&self, next: &Event) -> (u64, u64) {
        let request = next.answer - u64::from(next.wait);
        let (cycle, issued) = self.left.unwrap_or((request, next.issued));
        (cycle.saturating_sub(self.event.answer), issued.saturating_sub(self.event.issued))
    }
}

/// The poll loops of a run.
#[derive(Clone, Debug, Default)]
pub struct Polls {
    /// Status reads since the last other transfer to a coprocessor.
    recent: Vec<StatusRead>,
    found: BTreeMap<(usize, u64), Turns>,
    /// The last read of a coprocessor without status register.
    read: Option<(usize, u64, u32)>,
    /// Coprocessors that a program may wait for in a way that cannot be seen.
    unclear: BTreeMap<usize, Unclear>,
}

impl Polls {
    /// A transfer to a coprocessor was answered.
    pub fn note(&mut self, event: Event) {
        if event.role == Role::Status && !event.writes {
            self.read = None;
            return self.asked(event);
        }
        self.recent.clear();
        let read = (event.coprocessor, event.pc, event.offset);
        let again = self.read.replace(read) == Some(read);
        if event.writes || event.has_status {
            self.read = None;
        } else if again {
            self.unclear.insert(event.coprocessor, Unclear::NoStatus);
        }
    }

    /// The core leaves the program for a handler.
    pub fn left(&mut self, cycle: u64, issued: u64) {
        if let Some(last) = self.recent.last_mut() {
            last.left.get_or_insert((cycle, issued));
        }
    }

    /// The turns of each instruction that polled, by coprocessor and address.
    pub fn found(&self) -> impl Iterator<Item = ((usize, u64), Turns)> + '_ {
        self.found.iter().map(|(&key, &turns)| (key, turns))
    }

    /// The reason for which the program's waiting for a coprocessor is unknown; nothing where one can.
    pub fn unclear(&self, coprocessor: usize) -> Option<Unclear> {
        self.unclear.get(&coprocessor).copied()
    }

    fn asked(&mut self, event: Event) {
        if let Some(from) = self.begin(&event) {
            self.turn(from, &event);
            self.recent.drain(..=from);
        } else if self.recent.len() == REMEMBERED {
            self.recent.remove(0);
        }
        self.recent.push(StatusRead { event, left: None, counted: false, awaited: vec![] });
    }

    /// The read at which the turn began that ends with this one: the last of the same instruction, or the
    /// last at all where this one finds its register changed.
    fn begin(&self, event: &Event) -> Option<usize> {
        let again = self.recent.iter().rposition(|asked| event.is_again(&asked.event));
        let last = self.recent.len().checked_sub(1);
        let changed = last.filter(|&last| {
            let before = &self.recent[last].event;
            event.asks_same(before) && event.value != before.value
        });
        let from = again.or(changed)?;
        // Reads of the register right before were in vain too, whichever instructions they were of.
        let before = self.recent[..from].iter().rev();
        Some(from - before.take_while(|asked| event.asks_same(&asked.event)).count())
    }

    /// Counts a turn, which began with a recent read and ends with this one. Turns overlap where a loop
    /// has several reads; what passed between two of them counts once.
    fn turn(&mut self, from: usize, event: &Event) {
        let ends: Vec<_> = self.recent[from + 1..].iter().map(|asked| asked.event).collect();
        let parts = self.recent[from..].iter_mut().zip(ends.into_iter().chain([*event]));
        let mut parts: Vec<_> = parts.collect();
        let instructions: u64 = parts.iter().map(|(asked, end)| asked.until(end).1).sum();
        if instructions > LONGEST_TURN {
            self.unclear.entry(event.coprocessor).or_insert(Unclear::LongTurn);
            return;
        }
        let (mut again, mut awaited) = (0, 0);
        for (asked, end) in &mut parts {
            let (cycles, _) = asked.until(end);
            // A read of the same register by an instruction of its own is none of a loop.
            let asks_same = asked.event.asks_same(event);
            if !std::mem::replace(&mut asked.counted, true) {
                let key = if asks_same { event.key() } else { asked.event.key() };
                self.found.entry(key).or_default().cycles += cycles;
            }
            if !asked.awaited.contains(&event.coprocessor) {
                asked.awaited.push(event.coprocessor);
                awaited += cycles + u64::from(end.wait);
                again += u64::from(asks_same);
            }
        }
        let turns = self.found.entry(event.key()).or_default();
        turns.turns += again;
        turns.awaited += awaited;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A status read that is answered in a cycle after waiting 2, each instruction a cycle.
    fn ask(coprocessor: usize, pc: u64, answer: u64) -> Event {
        let (role, offset) = (Role::Status, 4);
        let (writes, has_status, wait) = (false, true, 2);
        let (issued, value) = (answer, 0);
        Event { coprocessor, pc, offset, role, writes, has_status, answer, wait, issued, value }
    }

    fn counted(events: impl IntoIterator<Item = Event>) -> Vec<((usize, u64), Turns)> {
        let mut polls = Polls::default();
        events.into_iter().for_each(|event| polls.note(event));
        polls.found().collect()
    }

    #[test]
    fn reads_of_one_instruction_wait_from_answer_to_request() {
        let found = counted([ask(0, 8, 100), ask(0, 8, 110), ask(0, 8, 120)]);
        assert_eq!(found, [((0, 8), Turns { turns: 2, cycles: 16, awaited: 20 })]);
    }

    #[test]
    fn another_transfer_or_another_instruction_ends_a_turn() {
        let write = Event { role: Role::Control, writes: true, ..ask(0, 20, 105) };
        assert_eq!(counted([ask(0, 8, 100), write, ask(0, 8, 110)]), []);
        assert_eq!(counted([ask(0, 8, 100), ask(0, 12, 110)]), []);
        let elsewhere = Event { role: Role::Output, ..ask(1, 20, 105) };
        assert_eq!(counted([ask(0, 8, 100), elsewhere, ask(0, 8, 110)]), []);
    }

    #[test]
    fn a_turn_with_too_many_instructions_is_unclear() {
        let turn = |instructions| {
            let mut polls = Polls::default();
            polls.note(ask(0, 8, 100));
            polls.note(ask(0, 8, 100 + instructions));
            (polls.found().count(), polls.unclear(0))
        };
        assert_eq!(turn(LONGEST_TURN + 1), (0, Some(Unclear::LongTurn)));
        assert_eq!(turn(LONGEST_TURN), (1, None));
    }

    #[test]
    fn another_instruction_that_finds_the_status_changed_ends_a_turn() {
        let done = Event { value: 1, ..ask(0, 12, 110) };
        let turn = Turns { turns: 1, cycles: 8, awaited: 10 };
        assert_eq!(counted([ask(0, 8, 100), done]), [((0, 12), turn)]);
        let elsewhere = Event { offset: 8, ..done };
        assert_eq!(counted([ask(0, 8, 100), elsewhere]), []);
    }

    #[test]
    fn the_first_read_of_a_loop_may_stand_before_it() {
        let found = counted([ask(0, 8, 100), ask(0, 12, 110), ask(0, 12, 120)]);
        assert_eq!(found, [((0, 12), Turns { turns: 2, cycles: 16, awaited: 20 })]);
    }

    #[test]
    fn a_loop_over_two_coprocessors_waits_once_and_both_work() {
        let found = counted([ask(0, 8, 100), ask(1, 16, 110), ask(0, 8, 120), ask(1, 16, 130)]);
        let [first, second] = [(16, 20), (8, 20)];
        let turns = |(cycles, awaited)| Turns { turns: 1, cycles, awaited };
        assert_eq!(found, [((0, 8), turns(first)), ((1, 16), turns(second))]);
    }

    #[test]
    fn a_loop_with_two_reads_of_one_coprocessor_waits_once() {
        let found = counted([ask(0, 8, 100), ask(0, 16, 110), ask(0, 8, 120), ask(0, 16, 130)]);
        let cycles: u64 = found.iter().map(|(_, turns)| turns.cycles).sum();
        let awaited: u64 = found.iter().map(|(_, turns)| turns.awaited).sum();
        assert_eq!((cycles, awaited), (24, 30));
    }

    #[test]
    fn a_handler_ends_what_is_waiting_in_its_turn() {
        let mut polls = Polls::default();
        polls.note(ask(0, 8, 100));
        polls.left(103, 103);
        polls.left(500, 500);
        polls.note(ask(0, 8, 1000));
        let found: Vec<_> = polls.found().collect();
        assert_eq!(found, [((0, 8), Turns { turns: 1, cycles: 3, awaited: 5 })]);
    }

    #[test]
    fn without_a_status_register_a_read_again_and_again_is_unclear() {
        let read =
            |offset| Event { role: Role::Output, has_status: false, offset, ..ask(0, 8, 100) };
        let mut polls = Polls::default();
        polls.note(read(0));
        polls.note(read(4));
        assert_eq!(polls.unclear(0), None);
        polls.note(read(4));
        assert_eq!(polls.unclear(0), Some(Unclear::NoStatus));
    }
}
