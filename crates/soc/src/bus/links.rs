//! The core's links to coprocessors, which loads and stores at their own addresses reach.

use cocrypt_engine::{Access, Reply};
use cocrypt_ir::Width;
use cocrypt_isa::Links;

use super::{SystemBus, Target};
use crate::coprocessor::Answer;

impl SystemBus {
    /// Puts links on the core, which answer after so many cycles; each has the number of its coprocessor, if it has
    /// one.
    pub fn link_up(&mut self, links: Links, wait: u32, ends: &[Option<usize>]) {
        self.link_wait = wait;
        for (base, end) in (links.base..).step_by(Links::STRIDE as usize).zip(ends) {
            self.map(base, Links::STRIDE, Target::CoreLink(*end));
        }
    }

    /// The link that an access goes to, as the number of the coprocessor at its end, and the offset there.
    pub(super) fn link_of(&self, access: &Access) -> Option<(Option<usize>, u32)> {
        let window = self.window(access.address).filter(|_| access.width == Width::W32)?;
        let Target::CoreLink(end) = window.target else { return None };
        Some((end, access.address - window.base))
    }

    /// A link without anybody at its end has no word and no room, ever.
    pub(super) fn reads_link(&mut self, end: Option<usize>, offset: u32, access: &Access) -> Reply {
        let waits = matches!(offset, Links::AWAIT | Links::AWAIT_ROOM);
        let Some(index) = end else {
            return if waits { Reply::Never } else { self.linked(access, 0, access.unwaited) };
        };
        let coprocessor = &mut self.coprocessors[index];
        if matches!(offset, Links::TAKE | Links::PEEK) {
            let word = coprocessor.read(offset, at_once(access), access.pc);
            return self.linked(access, word, access.unwaited);
        }
        match coprocessor.look(offset, access.unwaited, access.pc) {
            Some((cycle, found)) => self.linked(access, found, cycle),
            None => Reply::Never,
        }
    }

    /// Nobody takes a word from a link without anybody at its end.
    pub(super) fn writes_link(
        &mut self,
        end: Option<usize>,
        offset: u32,
        access: &Access,
        value: u64,
    ) -> Reply {
        let Some(index) = end else { return Reply::Never };
        let word = self.laid_out(value as u32);
        self.coprocessors[index].write(offset, word, at_once(access), access.pc);
        Reply::Done { value: 0, wait: self.link_wait }
    }

    /// The answer of a link in a cycle.
    fn linked(&self, access: &Access, word: u32, cycle: u64) -> Reply {
        let stall = u32::try_from(cycle - access.unwaited).unwrap_or(u32::MAX);
        let wait = self.link_wait.saturating_add(stall);
        Reply::Done { value: self.laid_out(word).into(), wait }
    }
}

/// A word moves over a link in the cycle of its instruction.
const fn at_once(access: &Access) -> Answer {
    Answer { cycle: access.unwaited, wait: 0, goes_on: false }
}
