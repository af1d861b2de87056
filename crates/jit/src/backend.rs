//! The back end that the engine sees: which regions there are, and how they are entered.

use cocrypt_codegen::HostError;
use cocrypt_engine::{Backend, Blocks, Fixed, Left, State};

use crate::cells::CellSet;
use crate::emit::EXITS;
use crate::enter::Gate;
use crate::frame::{Frame, TARGETS, Target, kind, target_key, target_place};
use crate::region::Region;
use crate::worker::{Compiled, Maker, Task, Worker};

/// Regions of a machine at most; an exit's number has to fit.
const REGIONS: usize = 1 << 20;

/// How many times as often as others a block must run to begin a region if it lies within one.
const PATIENCE: u32 = 16;

/// How a machine's code is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Count what is spent in each block, which costs some speed.
    pub profile: bool,
    /// Compile when asked, instead of on a thread while the interpreter goes on.
    pub at_once: bool,
}

/// A compiled back end for one machine.
pub struct Jit {
    fixed: Fixed,
    guest: CellSet,
    gate: Gate,
    worker: Worker,
    /// Grows when all blocks are forgotten.
    age: u64,
    /// How many regions of this age were asked for.
    asked: u32,
    regions: Vec<Option<Compiled>>,
    /// Code addresses of the regions by the block that they begin with; 0 where there is none.
    heads: Vec<u64>,
    /// Which blocks lie within a region.
    covered: Vec<bool>,
    /// How often the engine lets a block run before it offers it.
    hot: u32,
    targets: Box<[Target]>,
}

impl Jit {
    /// A back end for a machine of this kind, whose engine offers blocks that ran `hot` times.
    ///
    /// # Errors
    /// If no code is compiled on this host.
    pub fn new(fixed: Fixed, options: Options, hot: u32) -> Result<Self, HostError> {
        let (maker, gate) = Maker::new(fixed, options.profile)?;
        Ok(Self {
            fixed,
            guest: CellSet::below(fixed.guest_cells),
            gate,
            worker: Worker::new(maker, options.at_once),
            age: 0,
            asked: 0,
            regions: vec![],
            heads: vec![],
            covered: vec![],
            hot,
            targets: vec![Target::NONE; TARGETS].into(),
        })
    }

    /// Whether a block lies within a region, so that it will soon be run there.
    fn is_covered(&self, block: u32) -> bool {
        self.covered.get(block as usize).copied().unwrap_or(false)
    }

    fn cover(&mut self, region: &Region) {
        for member in &region.members {
            let index = member.index as usize;
            if self.covered.len() <= index {
                self.covered.resize(index + 1, false);
            }
            self.covered[index] = true;
        }
    }

    fn take_in(&mut self, compiled: Compiled) {
        if compiled.age != self.age {
            return;
        }
        let (number, head) = (compiled.number as usize, compiled.head as usize);
        if self.heads.len() <= head {
            self.heads.resize(head + 1, 0);
        }
        let before = std::mem::replace(&mut self.heads[head], compiled.code.address());
        if before != 0 {
            self.redirect(before, compiled.code.address());
        }
        if self.regions.len() <= number {
            self.regions.resize_with(number + 1, || None);
        }
        self.regions[number] = Some(compiled);
    }

    /// Lets everything that leads to one region lead to another.
    fn redirect(&mut self, from: u64, to: u64) {
        let slots = self.regions.iter_mut().flatten().flat_map(|region| region.slots.iter_mut());
        slots.filter(|slot| **slot == from).for_each(|slot| *slot = to);
        let targets = self.targets.iter_mut().filter(|target| target.code == from);
        targets.for_each(|target| target.code = to);
    }

    fn code(&self, block: u32) -> Option<u64> {
        self.heads.get(block as usize).copied().filter(|&code| code != 0)
    }
}

impl Backend for Jit {
    fn compile(&mut self, blocks: &Blocks<'_>, head: u32, again: bool) {
        if self.asked as usize == REGIONS {
            return;
        }
        if !again && self.is_covered(head) && blocks.heat(head) < PATIENCE * self.hot {
            return;
        }
        if let Some(region) = Region::choose(blocks, head, &self.fixed, &self.guest) {
            self.cover(&region);
            self.worker.give(Task { age: self.age, number: self.asked, region });
            self.asked += 1;
            self.poll();
        }
    }

    fn poll(&mut self) {
        while let Some(compiled) = self.worker.take() {
            self.take_in(compiled);
        }
    }

    fn begins(&self, block: u32) -> bool {
        self.code(block).is_some()
    }

    fn run(&mut self, block: u32, state: &mut State<'_>) -> Left {
        let Some(code) = self.code(block) else { return Left::Near { block } };
        let mut frame = Frame::new(state, &self.targets);
        self.gate.run(&mut frame, code);
        *state.clock = frame.clock();
        let from = frame.from as u32;
        match frame.kind {
            kind::LINK => {
                let link = (frame.detail & 1) as u8;
                Left::Link { from, link, exit: (frame.detail >> 1) as u32 }
            }
            kind::COMPUTED => Left::Computed { from, target: frame.detail },
            kind::RESUME => {
                let (number, at) = ((frame.detail >> 8) as usize, frame.detail as u8);
                let again = self.regions.get_mut(number).and_then(Option::as_mut);
                let again = again.and_then(Compiled::resumed);
                Left::Resume { block: from, at, began: frame.began, again }
            }
            kind::BROKEN if let Some(why) = frame.why() => {
                Left::Broken { block: from, at: frame.detail as u8, began: frame.began, why }
            }
            _ => Left::Near { block: from },
        }
    }

    fn link(&mut self, exit: u32, block: u32) {
        let Some(code) = self.code(block) else { return };
        let region = self.regions.get_mut((exit / EXITS) as usize);
        if let Some(Some(region)) = region {
            region.slots[(exit % EXITS) as usize] = code;
        }
    }

    fn computed(&mut self, pending: u32, target: u64, block: u32, entry: u32) {
        if let Some(code) = self.code(block) {
            let key = target_key(target, pending);
            self.targets[target_place(target)] =
                Target { key, code, entry: u64::from(entry), unused: 0 };
        }
    }

    fn forget(&mut self) {
        self.age += 1;
        self.asked = 0;
        self.regions.clear();
        self.heads.clear();
        self.covered.clear();
        self.targets.fill(Target::NONE);
    }
}
