//! A debugger's view of a machine: breakpoints, watchpoints, steps, snapshots.

use std::collections::BTreeSet;

use cocrypt_engine::{Stop, StopCause, Upcoming};

use crate::machine::Machine;

/// The kind of accesses that a watchpoint waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Its first byte.
    pub address: u32,
    /// The size in bytes.
    pub size: u32,
    /// True if reading counts.
    pub reads: bool,
    /// True if writing counts.
    pub writes: bool,
}

/// The reason for which a machine under a debugger is halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A step was made.
    Step,
    /// It is about to execute what a breakpoint stands on.
    Breakpoint,
    /// It has just made an access that is watched.
    Watch(Watch),
    /// The machine has stopped for good, unless the debugger changes something.
    Stop(Stop),
}

/// A machine with what a debugger set.
pub struct Debugger<'a> {
    machine: &'a mut Machine,
    breakpoints: BTreeSet<u32>,
    watches: Vec<Watch>,
    /// The machine as it was at first, and as it was when a snapshot was taken.
    first: Machine,
    snapshot: Option<Machine>,
    /// The present cuts of the machine's code: into instructions, or at breakpoints, as far as they are
    /// known.
    cut: Option<bool>,
}

impl<'a> Debugger<'a> {
    /// Takes a machine.
    #[must_use]
    pub fn new(machine: &'a mut Machine) -> Self {
        let first = machine.fork();
        let (breakpoints, watches) = (BTreeSet::new(), vec![]);
        Self { machine, breakpoints, watches, first, snapshot: None, cut: None }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        self.machine
    }

    /// The machine, to be changed; its program through `write` alone.
    pub fn machine_mut(&mut self) -> &mut Machine {
        self.machine
    }

    /// Sets or removes a breakpoint.
    pub fn set_breakpoint(&mut self, address: u32, on: bool) {
        if on {
            self.breakpoints.insert(address);
        } else {
            self.breakpoints.remove(&address);
        }
        self.cut = None;
    }

    /// Sets a watchpoint.
    pub fn add_watch(&mut self, watch: Watch) {
        self.watches.push(watch);
    }

    /// Removes one like this; whether there was one.
    pub fn remove_watch(&mut self, watch: Watch) -> bool {
        let place = self.watches.iter().position(|set| *set == watch);
        place.map(|place| self.watches.remove(place)).is_some()
    }

    /// Keeps the machine as it is now.
    pub fn take_snapshot(&mut self) {
        self.snapshot = Some(self.machine.fork());
    }

    /// Makes the machine what it was when the last snapshot was taken; whether there was one.
    pub fn restore(&mut self) -> bool {
        let Some(snapshot) = &self.snapshot else { return false };
        *self.machine = snapshot.fork();
        self.cut = None;
        true
    }

    /// Makes the machine what it was at first.
    pub fn reset(&mut self) {
        *self.machine = self.first.fork();
        self.cut = None;
    }

    /// Executes one instruction.
    pub fn step(&mut self) -> Halt {
        self.cut(true);
        let watched = self.watched();
        let stop = self.machine.debug(u64::MAX, &mut |_| true);
        match (stop.cause, watched) {
            (StopCause::Halted, Some(watch)) => Halt::Watch(watch),
            (StopCause::Halted, None) => Halt::Step,
            _ => Halt::Stop(stop),
        }
    }

    /// Steps while the program stays between two addresses.
    pub fn step_within(&mut self, from: u32, to: u32, most: u64) -> Option<Halt> {
        for _ in 0..most {
            let halt = self.step();
            let pc = self.machine.pc() as u32;
            let stays = (from..to).contains(&pc) && !self.breakpoints.contains(&pc);
            if halt != Halt::Step || !stays {
                return Some(halt);
            }
        }
        None
    }

    /// Runs until something halts it, or for about so many cycles.
    pub fn resume(&mut self, cycles: u64) -> Option<Halt> {
        let limit = self.machine.counted().0.saturating_add(cycles);
        if self.watches.is_empty() {
            self.cut(false);
        } else {
            self.cut(true);
            if let Some(watch) = self.watched() {
                let halt = self.step();
                return Some(if halt == Halt::Step { Halt::Watch(watch) } else { halt });
            }
        }
        let (breakpoints, watches) = (&self.breakpoints, &self.watches);
        let mut breaks = false;
        let stop = self.machine.debug(limit, &mut |upcoming| {
            breaks = breakpoints.contains(&(upcoming.pc as u32));
            breaks || touched(watches, upcoming).is_some()
        });
        match stop.cause {
            StopCause::CycleLimit => None,
            StopCause::Halted if breaks => Some(Halt::Breakpoint),
            StopCause::Halted => Some(self.step()),
            _ => Some(Halt::Stop(stop)),
        }
    }

    /// The watchpoint that the next instruction runs into.
    fn watched(&mut self) -> Option<Watch> {
        if self.watches.is_empty() {
            return None;
        }
        self.machine.upcoming(|upcoming| touched(&self.watches, upcoming)).flatten()
    }

    fn cut(&mut self, everywhere: bool) {
        if self.cut != Some(everywhere) {
            let at: Vec<u64> = self.breakpoints.iter().map(|&address| address.into()).collect();
            self.machine.cut(everywhere, &at);
            self.cut = Some(everywhere);
        }
    }
}

fn touched(watches: &[Watch], upcoming: &Upcoming<'_>) -> Option<Watch> {
    if watches.is_empty() {
        return None;
    }
    let touches = upcoming.touches();
    let hit = |watch: &&Watch| {
        touches.iter().any(|touch| {
            let kind = if touch.written.is_some() { watch.writes } else { watch.reads };
            let before = touch.address.wrapping_sub(watch.address) < watch.size;
            let over = watch.address.wrapping_sub(touch.address) < touch.width.bytes();
            kind && (before || over)
        })
    };
    watches.iter().find(hit).copied()
}

/// Without a debugger the machine runs whole blocks again.
impl Drop for Debugger<'_> {
    fn drop(&mut self) {
        self.machine.cut(false, &[]);
    }
}
