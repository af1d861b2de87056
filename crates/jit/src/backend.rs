//! The back end that the engine sees: which regions there are, and how they are entered.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use cocrypt_codegen::{HostError, Key, Store};
use cocrypt_engine::{Backend, Blocks, Fixed, KnownBlock, RegionExit, Source, State};

use crate::choice::{Choice, Elsewhere, Feedback, Sharing};
use crate::enter::Gate;
use crate::frame::{Frame, TARGETS, Target, kind, target_index, target_key};
use crate::recipe::{ENGINE, Machine};
use crate::record::{Record, RecordedRegion};
use crate::worker::{Compiled, EXITS, Maker, Slot, Task, Worker};
use cocrypt_ir::CellSet;

/// Regions of a machine at most; an exit's number has to fit.
const REGIONS: usize = 1 << 20;

/// The options for the compilation of a machine's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Count what is spent in each block, which costs some speed.
    pub profile: bool,
    /// Compile when asked, instead of on a thread while the interpreter goes on.
    pub at_once: bool,
    /// The code that several regions may have.
    pub sharing: Sharing,
}

/// A store for the code of a machine, and the program that it runs.
#[derive(Clone)]
pub struct Keeping {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The hash of the image and of the machine that it is loaded into, by which the next run finds the regions of
    /// this one. Nothing if a run does not begin with it.
    pub image: Option<Key>,
}

/// A compiled back end for one machine.
pub struct Jit {
    machine: Machine,
    sharing: Sharing,
    gate: Gate,
    worker: Worker,
    /// Grows when all blocks are forgotten.
    age: u64,
    /// The number of regions of this age that were asked for.
    asked: u32,
    regions: Vec<Option<Compiled>>,
    /// The entries into regions, by block.
    entries: Vec<Slot>,
    /// The regions that are being compiled.
    awaited: HashSet<u32>,
    /// The region that will be entered at each block, compiled or not yet. What other regions consist of depends on
    /// it, and must not depend on when the compiler is done: else their code would not be found in a store.
    announced: HashMap<u32, u32>,
    feedback: Feedback,
    /// The blocks that lie within a region.
    covered: Vec<bool>,
    targets: Box<[Target]>,
    /// The regions that were asked for, by number.
    choices: Vec<Arc<Choice>>,
    records: Option<Records>,
}

/// The record of the image's regions.
struct Records {
    store: Arc<dyn Store>,
    key: Key,
    /// The regions of the record that was found, until they are installed.
    recalled: Vec<RecordedRegion>,
    /// The number of regions that were asked for when the record was written last.
    recorded: u32,
}

impl Jit {
    /// A back end for a machine of this kind.
    ///
    /// # Errors
    /// If no code is compiled on this host.
    pub fn new(fixed: Fixed, options: Options) -> Result<Self, HostError> {
        Self::with_store(fixed, options, None)
    }

    /// The same, which looks for code in a store before it compiles, and keeps there what it compiled and which regions
    /// the image had.
    ///
    /// # Errors
    /// If no code is compiled on this host.
    pub fn with_store(
        fixed: Fixed,
        options: Options,
        keeping: Option<Keeping>,
    ) -> Result<Self, HostError> {
        let store = keeping.as_ref().map(|keeping| Arc::clone(&keeping.store));
        let (maker, gate) = Maker::new(store)?;
        let guest = CellSet::below(fixed.guest_cells);
        let machine = Machine { fixed, guest, profile: options.profile };
        let records = keeping.and_then(|Keeping { store, image }| {
            let key = Key::of(&("regions", ENGINE, image?, machine));
            Some(Records { store, key, recalled: vec![], recorded: 0 })
        });
        Ok(Self {
            machine,
            choices: vec![],
            records,
            sharing: options.sharing,
            gate,
            worker: Worker::new(maker, options.at_once),
            age: 0,
            asked: 0,
            regions: vec![],
            entries: vec![],
            awaited: HashSet::new(),
            announced: HashMap::new(),
            feedback: Feedback::default(),
            covered: vec![],
            targets: vec![Target::NONE; TARGETS].into(),
        })
    }

    /// Returns true if a block lies within a region, compiled or not yet. Every loop in a region can be
    /// entered, so it will soon be run there.
    fn is_covered(&self, block: u32) -> bool {
        self.covered.get(block as usize).copied().unwrap_or(false)
    }

    /// The presence of a block in the regions that there are or will be, but for entries into the one that is
    /// replaced.
    fn elsewhere(&self, block: u32, replaced: Option<u32>) -> Elsewhere {
        let announced = self.announced.get(&block).copied();
        if announced.is_some() && announced != replaced {
            Elsewhere::Entry
        } else if self.is_covered(block) {
            Elsewhere::Within
        } else {
            Elsewhere::Absent
        }
    }

    /// Asks for a region: it is looked for, and compiled if it is not found.
    fn ask(&mut self, choice: Choice, replaced: Option<u32>) {
        self.cover(&choice.blocks);
        self.announce(&choice, replaced);
        let choice = Arc::new(choice);
        self.choices.push(Arc::clone(&choice));
        let before = replaced.and_then(|number| self.regions.get(number as usize)?.as_ref());
        let resumed = before.map_or(0, Compiled::resumes);
        self.worker.give(Task { age: self.age, number: self.asked, choice, resumed });
        self.asked += 1;
        self.poll();
    }

    /// The regions that are or will be entered, in the order in which they were asked for.
    fn current(&self) -> impl Iterator<Item = &Choice> {
        let numbers: BTreeSet<u32> = self.announced.values().copied().collect();
        numbers.into_iter().map(|number| &*self.choices[number as usize])
    }

    /// Returns true if a region with this entry is being compiled.
    fn is_awaited(&self, block: u32) -> bool {
        let announced = self.announced.get(&block);
        announced.is_some_and(|number| self.awaited.contains(number))
    }

    /// Notes which blocks a region will be entered at. One that was chosen for a block serves it better than one
    /// that it lies in, and one that is compiled again better than before.
    fn announce(&mut self, choice: &Choice, replaced: Option<u32>) {
        for &entry in &choice.entries {
            let block = choice.blocks[entry];
            let present = self.announced.get(&block).copied();
            if entry == 0 || present.is_none() || present == replaced {
                self.announced.insert(block, self.asked);
            }
        }
        self.awaited.insert(self.asked);
    }

    fn cover(&mut self, blocks: &[u32]) {
        for &index in blocks {
            let index = index as usize;
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
        self.awaited.remove(&compiled.number);
        let code = compiled.code.address();
        for (entry, &block) in compiled.entries.iter().enumerate() {
            // Code that is found comes before code that was asked for earlier and has to be compiled: what was
            // announced decides, not the order. Meanwhile another region serves that the block lies in.
            let is_announced = self.announced.get(&block) == Some(&compiled.number);
            if is_announced || self.entry(block).is_none() {
                self.enter_at(block, Slot { code, entry: entry as u64 });
            }
        }
        let number = compiled.number as usize;
        if self.regions.len() <= number {
            self.regions.resize_with(number + 1, || None);
        }
        self.regions[number] = Some(compiled);
    }

    fn enter_at(&mut self, block: u32, slot: Slot) {
        let block = block as usize;
        if self.entries.len() <= block {
            self.entries.resize(block + 1, Slot::default());
        }
        let before = std::mem::replace(&mut self.entries[block], slot);
        if before != Slot::default() {
            self.redirect(before, slot);
        }
    }

    /// Lets everything that leads to one entry lead to another.
    fn redirect(&mut self, from: Slot, to: Slot) {
        let slots = self.regions.iter_mut().flatten().flat_map(|region| region.slots.iter_mut());
        slots.filter(|slot| **slot == from).for_each(|slot| *slot = to);
        for target in &mut self.targets {
            if (target.code, target.entry) == (from.code, from.entry) {
                (target.code, target.entry) = (to.code, to.entry);
            }
        }
    }

    fn entry(&self, block: u32) -> Option<Slot> {
        self.entries.get(block as usize).copied().filter(|slot| slot.code != 0)
    }
}

impl Backend for Jit {
    fn compile(&mut self, blocks: &Blocks<'_>, head: u32, again: bool) {
        if !again && self.is_covered(head) {
            return;
        }
        let mut heads = vec![head];
        while let Some(head) = heads.pop() {
            if self.asked as usize == REGIONS || self.is_awaited(head) {
                continue;
            }
            let replaced = self.announced.get(&head).copied();
            let elsewhere = |block| self.elsewhere(block, replaced);
            let machine = (&self.machine, self.sharing);
            let choice = Choice::new(blocks, head, machine, &self.feedback, elsewhere);
            let Some(choice) = choice.filter(|choice| choice.slots <= EXITS) else { continue };
            // Where nothing new is known, the same code would come of it.
            if replaced.is_some_and(|number| self.choices[number as usize].is_like(&choice)) {
                continue;
            }
            heads.extend(&choice.wanted);
            self.ask(choice, replaced);
        }
    }

    fn poll(&mut self) {
        while let Some(compiled) = self.worker.take() {
            self.take_in(compiled);
        }
    }

    fn begins(&self, block: u32) -> bool {
        self.entry(block).is_some()
    }

    fn run(&mut self, block: u32, state: &mut State<'_>) -> RegionExit {
        let Some(slot) = self.entry(block) else { return RegionExit::Near { block } };
        let mut frame = Frame::new(state, &self.targets);
        frame.entry = slot.entry;
        self.gate.run(&mut frame, slot.code);
        *state.clock = frame.clock();
        frame.tell_contexts();
        let stored = frame.stored;
        state.caches.stored = stored;
        let left = frame.region as usize;
        // Compiled code names only regions that are held here, and their members.
        let from = self.regions[left]
            .as_ref()
            .map_or(block, |left| left.choice.blocks[frame.from as usize]);
        match frame.kind {
            kind::LINK => {
                let link = (frame.detail & 1) as u8;
                let exit = left * EXITS + (frame.detail >> 1) as usize;
                RegionExit::Link { from, link, exit: exit as u32 }
            }
            kind::YIELDED => RegionExit::Yielded { from, next: frame.detail },
            kind::COMPUTED => RegionExit::Computed { from, target: frame.detail },
            kind @ (kind::RESUME | kind::MISPREDICTED) => {
                let at = frame.detail as u8;
                let again = self.regions[left].as_mut();
                let again = again.and_then(Compiled::resumed);
                if kind == kind::MISPREDICTED {
                    self.feedback.note_mispredicted(from);
                } else if again.is_some() {
                    // What its checks ask does not hold as a rule, so they should ask for less.
                    self.feedback.note_plain(from);
                }
                RegionExit::Resume { block: from, at, began: frame.began, again }
            }
            kind::BROKEN if let Some(why) = frame.why() => {
                RegionExit::Broken { block: from, at: frame.detail as u8, began: frame.began, why }
            }
            _ => RegionExit::Near { block: from },
        }
    }

    fn link(&mut self, exit: u32, block: u32) {
        let Some(slot) = self.entry(block) else { return };
        let region = self.regions.get_mut(exit as usize / EXITS);
        if let Some(Some(region)) = region {
            region.slots[exit as usize % EXITS] = slot;
        }
    }

    fn computed(&mut self, pipeline_state: u32, source: &Source, block: u32, cycles: u32) {
        if let Some(Slot { code, entry }) = self.entry(block) {
            let key = target_key(source.reached, pipeline_state);
            let pc = source.block.start as u32;
            self.targets[target_index(source.reached)] = Target { key, code, entry, cycles, pc };
        }
    }

    fn forget(&mut self) {
        self.age += 1;
        self.asked = 0;
        self.regions.clear();
        self.entries.clear();
        self.awaited.clear();
        self.announced.clear();
        self.feedback.clear();
        self.covered.clear();
        self.targets.fill(Target::NONE);
        self.choices.clear();
    }

    fn recall(&mut self) -> Option<Vec<KnownBlock>> {
        let Records { store, key, recalled, .. } = self.records.as_mut()?;
        let Record { blocks, regions } = Record::from_entry(key, &store.find(key)?)?;
        *recalled = regions;
        Some(blocks)
    }

    fn install(&mut self, blocks: &Blocks<'_>, numbers: &[Option<u32>]) {
        let Some(records) = &mut self.records else { return };
        for recorded in std::mem::take(&mut records.recalled) {
            let choice = Choice::recorded(blocks, &recorded, numbers, &self.machine);
            let Some(choice) = choice.filter(|choice| choice.slots <= EXITS) else { continue };
            self.feedback.note(&choice);
            let replaced = self.announced.get(&choice.blocks[0]).copied();
            self.ask(choice, replaced);
        }
        if let Some(records) = &mut self.records {
            records.recorded = self.asked;
        }
    }

    fn has_more(&self, is_over: bool) -> bool {
        let Some(Records { recorded, .. }) = self.records else { return false };
        let more = if is_over { 1 } else { recorded / 4 + 1 };
        self.asked >= recorded + more
    }

    fn remember(&mut self, blocks: Vec<KnownBlock>, places: &[Option<u32>]) {
        let regions = self.current().filter_map(|choice| choice.record(places)).collect();
        let Some(Records { store, key, recorded, .. }) = &mut self.records else { return };
        *recorded = self.asked;
        if let Some(entry) = (Record { blocks, regions }).to_entry(key) {
            store.keep(key, &entry);
        }
    }
}
