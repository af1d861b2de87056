//! Conservative parallel simulation of machines and the hardware that they share.
//!
//! A machine's lookahead lasts until it accesses the shared hardware. It then waits until no other machine
//! can access it in an earlier cycle; the hardware runs up to that cycle and answers. So the hardware sees
//! all accesses in the order of their cycles, whatever the threads do, and a machine that does not access it
//! costs nothing.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cocrypt_engine::{Stop, StopCause};

use crate::machine::Machine;

/// Something outside of a machine that its program reaches.
pub trait Outside: Send + Sync {
    /// A load; what the word there holds, or nothing if nobody answers any more.
    fn read(&self, reach: Reach) -> Option<u32>;

    /// A store of a value; whether it was taken.
    fn write(&self, reach: Reach, value: u32) -> bool;
}

/// The address and cycle of a program's access to shared hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The byte, as the outside counts.
    pub address: u32,
    /// The bits of a value that a load or store of this width has.
    pub mask: u32,
    /// The machine's cycle in which it is answered.
    pub cycle: u64,
}

/// Hardware that machines share.
pub trait Shared: Send {
    /// Runs up to a cycle, which is not run itself. False if it ends before that.
    fn advance(&mut self, cycle: u64) -> bool;

    /// A load in the present cycle, at a face by its number.
    fn load(&mut self, face: usize, reach: Reach) -> u32;

    /// A store in the present cycle. It takes effect at the end of the cycle.
    fn store(&mut self, face: usize, reach: Reach, value: u32);
}

/// A machine's part in a network.
pub struct Member {
    /// The machine.
    pub machine: Machine,
    /// Cycles of the hardware in one of the machine.
    pub period: u64,
    /// The end of its run, if there was one.
    pub stop: Option<Stop>,
    /// True if that was only because the hardware had ended.
    pub cut: bool,
}

impl Member {
    /// The hardware's cycle in which the program ended, if it did; one without end that does nothing any
    /// more has not.
    #[must_use]
    pub fn end(&self) -> Option<u64> {
        let stop = self.stop.filter(|stop| !self.cut && stop.cause != StopCause::Deadlock)?;
        Some(stop.cycles * self.period)
    }
}

/// Machines around one piece of hardware.
pub struct Network<H> {
    /// The machines.
    pub members: Vec<Member>,
    hub: Arc<Hub<H>>,
}

/// The number of times that a machine that waits looks itself before it sleeps: to wake a thread takes
/// longer than most others take to come to their next access.
const PATIENCE: u32 = 300;

/// The shared state of a network's machines.
struct Hub<H> {
    state: Mutex<State<H>>,
    /// Of each machine: where it waits until something concerns it.
    calls: Vec<Condvar>,
}

struct State<H> {
    hardware: H,
    /// Of each machine: the first cycle of the hardware in which it may still reach for it.
    earliest: Vec<u64>,
    /// Of each machine: what it does.
    doing: Vec<Activity>,
    over: bool,
}

/// The activity of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    /// It runs on its own.
    Runs,
    /// It waits for the others, so as to reach for the hardware.
    Waits,
    /// It has run as far as it was asked to.
    Rests,
    /// It was turned away, as the hardware had ended.
    Refused,
}

impl<H> State<H> {
    /// Returns true if no other machine can reach for the hardware before this one does.
    fn is_turn(&self, member: usize) -> bool {
        self.earliest.iter().all(|earliest| *earliest >= self.earliest[member])
    }

    /// Returns true if all have run as far as they were asked to.
    fn is_at_rest(&self) -> bool {
        self.doing.iter().all(|doing| matches!(doing, Activity::Rests | Activity::Refused))
    }

    /// The cycle that others wait for a machine to come to, if any do.
    fn wanted(&self, member: usize) -> Option<u64> {
        let waiting = self.doing.iter().zip(&self.earliest);
        let waiting =
            waiting.filter(|(doing, _)| **doing == Activity::Waits).map(|(_, cycle)| *cycle);
        waiting.max().filter(|cycle| *cycle > self.earliest[member])
    }
}

impl<H> Hub<H> {
    /// A lock poisoned by a panic is still good: it is changed in single steps.
    fn lock(&self) -> MutexGuard<'_, State<H>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<H: Shared> Hub<H> {
    /// Waits until a machine's turn has come to reach for the hardware in a cycle; nothing if the
    /// hardware has ended before.
    fn turn(&self, member: usize, cycle: u64) -> Option<MutexGuard<'_, State<H>>> {
        let mut state = self.lock();
        state.earliest[member] = cycle;
        if !state.over && !state.is_turn(member) {
            state.doing[member] = Activity::Waits;
            self.call(&state);
            let mut patience = PATIENCE;
            while !state.over && !state.is_turn(member) {
                if patience == 0 {
                    state = self.wait(member, state);
                } else {
                    patience -= 1;
                    drop(state);
                    std::thread::yield_now();
                    state = self.lock();
                }
            }
        }
        state.over |= !state.over && !state.hardware.advance(cycle);
        if state.over {
            state.doing[member] = Activity::Refused;
            self.calls.iter().for_each(Condvar::notify_one);
            return None;
        }
        state.doing[member] = Activity::Runs;
        Some(state)
    }

    fn wait<'a>(&self, member: usize, state: MutexGuard<'a, State<H>>) -> MutexGuard<'a, State<H>> {
        self.calls[member].wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes whom the state concerns: one whose turn has come, and those that others want to go on.
    fn call(&self, state: &State<H>) {
        for (member, doing) in state.doing.iter().enumerate() {
            let concerns = match doing {
                Activity::Waits => state.is_turn(member),
                Activity::Rests | Activity::Refused => {
                    state.wanted(member).is_some() || state.is_at_rest()
                }
                Activity::Runs => false,
            };
            if concerns {
                self.calls[member].notify_one();
            }
        }
    }

    /// Says that a machine reaches for nothing before a cycle. Returns the cycle up to which others want
    /// it to go on; nothing once all have run as far as they were asked to.
    fn rest(&self, member: usize, cycle: u64) -> Option<u64> {
        let mut state = self.lock();
        state.earliest[member] = cycle.max(state.earliest[member]);
        if state.doing[member] != Activity::Refused {
            state.doing[member] = Activity::Rests;
        }
        self.call(&state);
        loop {
            if let Some(wanted) = state.wanted(member) {
                state.doing[member] = Activity::Runs;
                return Some(wanted);
            }
            if state.is_at_rest() {
                return None;
            }
            state = self.wait(member, state);
        }
    }
}

/// A face of the hardware, as one machine sees it.
struct Door<H> {
    hub: Arc<Hub<H>>,
    member: usize,
    period: u64,
    face: usize,
}

impl<H: Shared> Outside for Door<H> {
    fn read(&self, reach: Reach) -> Option<u32> {
        let mut state = self.hub.turn(self.member, reach.cycle * self.period)?;
        let word = state.hardware.load(self.face, reach);
        state.earliest[self.member] += self.period;
        self.hub.call(&state);
        Some(word)
    }

    fn write(&self, reach: Reach, value: u32) -> bool {
        let Some(mut state) = self.hub.turn(self.member, reach.cycle * self.period) else {
            return false;
        };
        state.hardware.store(self.face, reach, value);
        state.earliest[self.member] += self.period;
        self.hub.call(&state);
        true
    }
}

impl<H: Shared + 'static> Network<H> {
    /// Machines with their periods around a piece of hardware; nothing connects them yet.
    #[must_use]
    pub fn new(hardware: H, machines: Vec<(Machine, u64)>) -> Self {
        let earliest = vec![0; machines.len()];
        let doing = vec![Activity::Rests; machines.len()];
        let calls = machines.iter().map(|_| Condvar::new()).collect();
        let state = Mutex::new(State { hardware, earliest, doing, over: false });
        let members = machines.into_iter().map(|(machine, period)| Member {
            machine,
            period,
            stop: None,
            cut: false,
        });
        Self { members: members.collect(), hub: Arc::new(Hub { state, calls }) }
    }

    /// Lets a machine's program reach a face of the hardware; `window` is the first address, their
    /// number, and what the hardware takes the first for.
    ///
    /// # Errors
    /// Returns the name of the peripheral or memory that occupies the address.
    pub fn connect(
        &mut self,
        member: usize,
        face: usize,
        (base, size, offset): (u32, u32, u32),
    ) -> Result<(), &'static str> {
        let Member { machine, period, .. } = &mut self.members[member];
        let door = Door { hub: Arc::clone(&self.hub), member, period: *period, face };
        machine.reach(base, size, Arc::new(door), offset)
    }

    /// Runs until the hardware has come to a cycle, or has ended, or all programs have. True if there is
    /// something left to run.
    ///
    /// A machine that others wait for may run beyond that; it goes on there next time.
    pub fn run(&mut self, cycle: u64) -> bool {
        let hub = &*self.hub;
        let mut open: Vec<(usize, &mut Member)> = self
            .members
            .iter_mut()
            .enumerate()
            .filter(|(_, member)| member.stop.is_none())
            .collect();
        let mut state = hub.lock();
        for (index, _) in &open {
            state.doing[*index] = Activity::Runs;
        }
        drop(state);
        let run = |index: usize, member: &mut Member| {
            let mut until = cycle;
            loop {
                let stop = member.machine.run(until.div_ceil(member.period));
                let goes_on = stop.cause == StopCause::CycleLimit;
                member.stop = (!goes_on).then_some(stop);
                let reached = if goes_on { stop.cycles * member.period } else { u64::MAX };
                let Some(wanted) = hub.rest(index, reached) else { return };
                until = wanted;
            }
        };
        match &mut open[..] {
            // One machine alone need not be waited for.
            [(index, member)] => run(*index, member),
            several => std::thread::scope(|scope| {
                for (index, member) in several {
                    scope.spawn(|| run(*index, member));
                }
            }),
        }
        let mut state = self.hub.lock();
        for (member, doing) in self.members.iter_mut().zip(&state.doing) {
            member.cut = *doing == Activity::Refused;
        }
        // Time ends with the last program that ends; one that does nothing any more lets it go on.
        let last = self.members.iter().map(Member::end).collect::<Option<Vec<u64>>>();
        let last = last.and_then(|ends| ends.into_iter().max());
        let reached = state.earliest.iter().copied().min().unwrap_or(cycle);
        let until = last.unwrap_or(u64::MAX).min(reached).min(cycle);
        state.over |= !state.over && !state.hardware.advance(until);
        !state.over && last.is_none_or(|last| last > cycle)
    }

    /// Looks at the hardware.
    pub fn look<T>(&self, look: impl FnOnce(&mut H) -> T) -> T {
        look(&mut self.hub.lock().hardware)
    }
}
