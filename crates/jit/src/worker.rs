//! Compilation, in place or on a thread of its own.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use cocrypt_codegen::clif::types::I64;
use cocrypt_codegen::{
    Code, Compiler, Convention, Effort, Found, HostError, Pending, Relocatable, Store,
};
use cocrypt_engine::{Fixed, Source};

use crate::emit::{Setting, Signatures, emit};
use crate::enter::{Bridge, Gate};
use crate::region::Region;
use cocrypt_ir::CellSet;

/// A region to compile.
pub struct Task {
    /// The code that it belongs to: older regions are dropped when code changes.
    pub age: u64,
    /// Its number among the machine's regions.
    pub number: u32,
    /// The region to compile.
    pub region: Region,
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
    /// The block that it was chosen for.
    pub head: u32,
    /// Its blocks.
    pub blocks: Vec<u32>,
    /// The blocks that it can be entered at, in the order of its entries.
    pub entries: Vec<u32>,
    /// Its code.
    pub code: Code,
    /// The target of each exit. The code holds their address.
    pub slots: Box<[Slot]>,
    /// The number of times that the interpreter had to go on.
    resumed: u32,
    /// The code's literal pool, and what it points to.
    _literals: Box<[u64]>,
    _bridge: Arc<Bridge>,
    _sources: Vec<Arc<Source>>,
}

/// Exits of a region at most; an exit's number is the region's times this, plus the slot's.
pub const EXITS: usize = 256;

/// The number of times that the interpreter goes on until a region is recompiled, with what it has seen.
const OFTEN: u32 = 1000;

impl Compiled {
    /// Notes that the interpreter goes on; the block to compile again if that happens too often.
    pub fn resumed(&mut self) -> Option<u32> {
        self.resumed = self.resumed.saturating_add(1);
        (self.resumed == OFTEN).then_some(self.head)
    }
}

/// The machine that regions are compiled for, and where their code is kept.
struct Target {
    bridge: Arc<Bridge>,
    signatures: Signatures,
    fixed: Fixed,
    profile: bool,
    store: Option<Arc<dyn Store>>,
}

/// A region whose function was built, without code.
struct Planned {
    task: Task,
    literals: Box<[u64]>,
}

impl Target {
    /// Builds a region's function, and looks for its code.
    fn look_up(&self, compiler: &mut Compiler, task: Task) -> (Planned, Found) {
        let setting = Setting {
            fixed: &self.fixed,
            guest: CellSet::below(self.fixed.guest_cells),
            profile: self.profile,
            number: task.number,
            signatures: self.signatures.clone(),
            bridge: self.bridge.address(),
        };
        let signature = self.signatures.region.clone();
        let mut literals = vec![];
        let found = compiler.look_up(signature, self.store.as_deref(), |builder| {
            literals = emit(builder, &task.region, &setting);
        });
        (Planned { task, literals: literals.into_boxed_slice() }, found)
    }

    /// Compiles; nothing if that fails, and the interpreter goes on with these blocks.
    fn compile(
        &self,
        compiler: &mut Compiler,
        planned: Planned,
        pending: Pending,
    ) -> Option<Compiled> {
        let code = compiler.obtain(pending, self.store.as_deref()).ok()?;
        self.link(planned, code)
    }

    fn link(&self, Planned { task, literals }: Planned, code: Relocatable) -> Option<Compiled> {
        let Task { age, number, region } = task;
        let slots = vec![Slot::default(); region.slots].into_boxed_slice();
        let symbols = [slots.as_ptr() as u64, literals.as_ptr() as u64];
        let code = code.link(&symbols).ok()?;
        let blocks: Vec<u32> = region.members.iter().map(|member| member.index).collect();
        let entries = region.entries.iter().map(|&entry| blocks[entry]).collect();
        let sources = region.members.into_iter().map(|member| member.source).collect();
        Some(Compiled {
            age,
            number,
            head: blocks[0],
            blocks,
            entries,
            code,
            slots,
            resumed: 0,
            _literals: literals,
            _bridge: Arc::clone(&self.bridge),
            _sources: sources,
        })
    }
}

/// Compiles regions for one machine.
pub struct Maker {
    target: Target,
    compiler: Compiler,
}

impl Maker {
    /// A maker, and the gate into what it makes.
    ///
    /// # Errors
    /// If no code is compiled on this host.
    pub fn new(
        fixed: Fixed,
        profile: bool,
        store: Option<Arc<dyn Store>>,
    ) -> Result<(Self, Gate), HostError> {
        let mut compiler = Compiler::new(Effort::Good)?;
        let gate = Gate::new(&mut compiler).map_err(HostError::from)?;
        let signatures = Signatures {
            region: compiler.signature(Convention::Tail, &[I64; 4], &[]),
            four: compiler.signature(Convention::Host, &[I64; 4], &[I64]),
            five: compiler.signature(Convention::Host, &[I64; 5], &[I64]),
            bridge: Bridge::signature(&compiler),
        };
        let bridge = Bridge::new(&mut compiler, &signatures.four).map_err(HostError::from)?;
        let bridge = Arc::new(bridge);
        let target = Target { bridge, signatures, fixed, profile, store };
        Ok((Self { target, compiler }, gate))
    }

    /// Finds or compiles; nothing if that fails, and the interpreter goes on with these blocks.
    fn make(&mut self, task: Task) -> Option<Compiled> {
        let (planned, found) = self.target.look_up(&mut self.compiler, task);
        match found {
            Found::Kept(code) => self.target.link(planned, code),
            Found::Missing(pending) => self.target.compile(&mut self.compiler, planned, *pending),
        }
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
                Ok(task) => match self.target.look_up(&mut self.compiler, task) {
                    (planned, Found::Kept(code)) => self.target.link(planned, code),
                    (planned, Found::Missing(pending)) => {
                        missing.push_back((planned, pending));
                        None
                    }
                },
                Err(TryRecvError::Empty) => missing.pop_front().and_then(|(planned, pending)| {
                    self.target.compile(&mut self.compiler, planned, *pending)
                }),
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
