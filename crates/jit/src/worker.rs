//! Compilation, in place or on a thread of its own.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use cocrypt_codegen::clif::types::I64;
use cocrypt_codegen::{Code, Compiler, Convention, Effort, HostError, Key, Relocatable, Store};

use crate::choice::Choice;
use crate::emit::{Signatures, emit};
use crate::enter::{Bridge, Gate};
use crate::pool::pool;
use crate::region::Region;

/// A region to compile.
pub struct Task {
    /// The code that it belongs to: older regions are dropped when code changes.
    pub age: u64,
    /// Its number among the machine's regions.
    pub number: u32,
    /// The region to find or to compile.
    pub choice: Arc<Choice>,
    /// [`Compiled::resumes`] of the region that it replaces.
    pub resumed: u32,
}

/// The target of an exit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Slot {
    /// The address of a region's code; 0 for the run loop.
    pub code: u64,
    /// The number of its entry.
    pub entry: u64,
}

/// A compiled region.
pub struct Compiled {
    /// From the task.
    pub age: u64,
    /// From the task.
    pub number: u32,
    /// Its blocks; the first one is the one that it was chosen for. Their sources hold the tables that the literal pool
    /// points to.
    pub choice: Arc<Choice>,
    /// The blocks that it can be entered at, in the order of its entries.
    pub entries: Vec<u32>,
    /// Its code.
    pub code: Code,
    /// The target of each exit. The code holds their address.
    pub slots: Box<[Slot]>,
    /// The number of times that the interpreter had to go on, in regions that this one replaced too.
    resumed: u32,
    /// The code's literal pool, and what it points to.
    _literals: Box<[u64]>,
    _bridge: Arc<Bridge>,
}

/// Exits of a region at most; an exit's number is the region's times this, plus the slot's.
pub const EXITS: usize = 256;

/// The number of times that the interpreter goes on until a region is recompiled, with what it has seen. Each further
/// time takes twice as many, since what it has seen may be a reason to leave the region there always.
const OFTEN: u32 = 1000;

impl Compiled {
    /// Notes that the interpreter goes on; the block to compile again if that happens too often.
    pub fn resumed(&mut self) -> Option<u32> {
        self.resumed = self.resumed.saturating_add(1);
        let is_often =
            self.resumed.is_multiple_of(OFTEN) && (self.resumed / OFTEN).is_power_of_two();
        is_often.then_some(self.choice.blocks[0])
    }

    /// The number of times that the interpreter had to go on so far.
    pub const fn resumes(&self) -> u32 {
        self.resumed
    }
}

/// Compiles regions for one machine.
pub struct Maker {
    compiler: Compiler,
    bridge: Arc<Bridge>,
    signatures: Signatures,
    store: Option<Arc<dyn Store>>,
}

impl Maker {
    /// A maker, and the gate into what it makes.
    ///
    /// # Errors
    /// If no code is compiled on this host.
    pub fn new(store: Option<Arc<dyn Store>>) -> Result<(Self, Gate), HostError> {
        let mut compiler = Compiler::new(Effort::Good)?;
        let gate = Gate::new(&mut compiler).map_err(HostError::from)?;
        let signatures = Signatures {
            region: compiler.signature(Convention::Tail, &[I64; 4], &[]),
            four: compiler.signature(Convention::Host, &[I64; 4], &[I64]),
            five: compiler.signature(Convention::Host, &[I64; 5], &[I64]),
            bridge: Bridge::signature(&compiler),
        };
        let bridge = Bridge::new(&mut compiler, &signatures.four).map_err(HostError::from)?;
        Ok((Self { compiler, bridge: Arc::new(bridge), signatures, store }, gate))
    }

    /// Finds or compiles; nothing if that fails, and the interpreter goes on with these blocks.
    fn make(&mut self, task: Task) -> Option<Compiled> {
        match self.find(task) {
            Ok(compiled) => compiled,
            Err((task, key)) => self.compile(task, key),
        }
    }

    /// Looks for the code of a region; gives the task back with its key if the store does not have it.
    fn find(&self, task: Task) -> Result<Option<Compiled>, (Task, Option<Key>)> {
        let Some(store) = &self.store else { return Err((task, None)) };
        let key = self.compiler.key(&task.choice.recipe);
        match Relocatable::find(&**store, &key) {
            Some(code) => Ok(self.link(task, code)),
            None => Err((task, Some(key))),
        }
    }

    /// Builds and compiles a region.
    fn compile(&mut self, task: Task, key: Option<Key>) -> Option<Compiled> {
        let recipe = &task.choice.recipe;
        let region = Region::new(recipe);
        let signatures = &self.signatures;
        let code = self.compiler.make(signatures.region.clone(), |builder| {
            emit(builder, &region, &recipe.machine, signatures);
        });
        let code = code.ok()?;
        if let Some((store, key)) = self.store.as_ref().zip(key) {
            code.keep(&**store, &key);
        }
        self.link(task, code)
    }

    fn link(&self, task: Task, code: Relocatable) -> Option<Compiled> {
        let Task { age, number, choice, resumed } = task;
        let Choice { recipe, blocks, entries, slots, .. } = &*choice;
        let slots = vec![Slot::default(); *slots].into_boxed_slice();
        let sources = recipe.parts.iter().map(|part| &*part.source);
        let literals = pool(sources, recipe.machine.profile, (number, self.bridge.address()));
        let symbols = [slots.as_ptr() as u64, literals.as_ptr() as u64];
        let code = code.link(&symbols).ok()?;
        Some(Compiled {
            age,
            number,
            entries: entries.iter().map(|&entry| blocks[entry]).collect(),
            choice,
            code,
            slots,
            resumed,
            _literals: literals,
            _bridge: Arc::clone(&self.bridge),
        })
    }

    /// Works until one of the others' ends is gone. To compile takes a hundred times as long as to find code, so
    /// that all new regions are looked for before the next one is compiled.
    fn serve(&mut self, work: &Receiver<Task>, done: &Sender<Compiled>) {
        let mut missing = VecDeque::new();
        loop {
            let task = if missing.is_empty() {
                work.recv().map_err(|_| TryRecvError::Disconnected)
            } else {
                work.try_recv()
            };
            let made = match task {
                Ok(task) => self.find(task).unwrap_or_else(|task| {
                    missing.push_back(task);
                    None
                }),
                Err(TryRecvError::Empty) => {
                    missing.pop_front().and_then(|(task, key)| self.compile(task, key))
                }
                Err(TryRecvError::Disconnected) => return,
            };
            if made.is_some_and(|made| done.send(made).is_err()) {
                return;
            }
        }
    }
}

/// The compiler: here or on a thread.
pub enum Worker {
    /// The caller, at once.
    Here(Box<Maker>, Vec<Compiled>),
    /// A thread, which ends when this is dropped.
    Thread(Sender<Task>, Mutex<Receiver<Compiled>>),
}

impl Worker {
    /// A worker: at once, or on a thread that is started now.
    pub fn new(mut maker: Maker, at_once: bool) -> Self {
        if at_once {
            return Self::Here(Box::new(maker), vec![]);
        }
        let (tasks, work) = channel::<Task>();
        let (done, results) = channel();
        thread::spawn(move || maker.serve(&work, &done));
        Self::Thread(tasks, Mutex::new(results))
    }

    pub fn give(&mut self, task: Task) {
        match self {
            Self::Here(maker, done) => done.extend(maker.make(task)),
            // A thread that is gone compiles nothing, and the interpreter goes on.
            Self::Thread(tasks, _) => drop(tasks.send(task)),
        }
    }

    pub fn take(&mut self) -> Option<Compiled> {
        match self {
            Self::Here(_, done) => done.pop(),
            Self::Thread(_, results) => results.get_mut().ok()?.try_recv().ok(),
        }
    }
}
