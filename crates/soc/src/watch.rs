//! The events of a run that show from outside: issues, and what the core asks of memories and peripherals.

use cocrypt_engine::{Stop, StopCause, Upcoming};
use cocrypt_ir::Width;

use crate::machine::Machine;

/// One transfer between the core and what it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The first cycle of the request.
    pub request: u64,
    /// The cycle of the answer.
    pub answer: u64,
    /// Byte address.
    pub address: u32,
    /// Width.
    pub width: Width,
    /// The value written or read.
    pub value: u64,
    /// True if it is a write.
    pub writes: bool,
}

/// An observable event of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// An instruction was issued.
    Issue {
        /// The cycle.
        cycle: u64,
        /// Its address.
        pc: u32,
    },
    /// A load or store, of the memory that the core fetches from as well as of everything else.
    Transfer(Transfer),
}

/// Collects what is seen of one instruction until it is sure that it was executed.
#[derive(Default)]
struct Watcher {
    seen: Vec<RunEvent>,
    /// The number of instructions issued before the last one, and its index among the events.
    last: Option<(u64, usize)>,
    wait: u64,
}

impl Watcher {
    fn look(&mut self, upcoming: &Upcoming<'_>, memory: impl Fn(u32, Width) -> Option<u64>) {
        // One whose line was missed starts again.
        match self.last {
            Some((issued, at)) if issued == upcoming.issued => self.seen.truncate(at),
            _ => {}
        }
        self.last = Some((upcoming.issued, self.seen.len()));
        self.seen.push(RunEvent::Issue { cycle: upcoming.cycle, pc: upcoming.pc as u32 });
        for touch in upcoming.touches() {
            // What the bus answers it says itself.
            let Some(there) = memory(touch.address, touch.width) else { continue };
            self.seen.push(RunEvent::Transfer(Transfer {
                request: upcoming.unwaited,
                answer: upcoming.unwaited + self.wait,
                address: touch.address,
                width: touch.width,
                value: touch.written.unwrap_or(there),
                writes: touch.written.is_some(),
            }));
        }
    }
}

impl Machine {
    /// Runs as `run` does, instruction by instruction, and says what is to be seen. Transfers to
    /// peripherals come behind the issues of the same call.
    pub fn watch(&mut self, limit: u64) -> (Stop, Vec<RunEvent>) {
        self.cut(true, &[]);
        self.record_transfers();
        let mut watcher = Watcher { wait: self.data_wait(), ..Watcher::default() };
        let stop = self.debug(limit, &mut |upcoming| {
            watcher.look(upcoming, |address, width| upcoming.peek(address, width));
            false
        });
        if stop.cause == StopCause::CycleLimit {
            // What comes next was seen, but did not happen yet.
            if let Some((issued, at)) = watcher.last
                && issued == stop.instructions
            {
                watcher.seen.truncate(at);
            }
        }
        let mut seen = watcher.seen;
        seen.extend(self.recorded().into_iter().map(RunEvent::Transfer));
        (stop, seen)
    }
}
