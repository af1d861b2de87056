//! The frame that compiled code and the run loop share, and the functions that compiled code calls.

use std::mem::offset_of;
use std::ptr::{null, null_mut};

use cocrypt_engine::{
    Access, CacheState, Clock, ContextTransition, Contexts, Count, Jump, Open, Outside, Ram,
    Refusal, State, Tags,
};
use cocrypt_ir::Width;
use cocrypt_isa::Purpose;

/// Entries of the table of computed targets.
pub const TARGETS: usize = 1024;

/// A computed target where a region begins.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Target {
    /// The address, with the pipeline state there above it.
    pub key: u64,
    /// The region's code.
    pub code: u64,
    /// The number of the region's entry that begins there.
    pub entry: u64,
    /// Cycles of a computed jump's arrival there.
    pub cycles: u32,
    /// The address without what the target's lowest bit says of the mode.
    pub pc: u32,
}

impl Target {
    /// No target: no address has all bits set.
    pub const NONE: Self = Self { key: u64::MAX, code: 0, entry: 0, cycles: 0, pc: 0 };
}

/// The key of a computed target.
pub const fn target_key(pc: u64, pipeline_state: u32) -> u64 {
    pc | (pipeline_state as u64) << 32
}

/// Its address.
pub const fn target_index(pc: u64) -> usize {
    (pc >> 1) as usize % TARGETS
}

/// The kinds of exits of compiled code.
pub mod kind {
    /// Through a fixed link, whose number is the lowest bit of `detail`; the slot's stands above it.
    pub const LINK: u64 = 0;
    /// To the address in `detail`.
    pub const COMPUTED: u64 = 1;
    /// Before a block, since the limit is near.
    pub const NEAR: u64 = 2;
    /// Within a block, at the instruction in `detail`.
    pub const BROKEN: u64 = 3;
    /// Before the instruction in `detail`.
    pub const RESUME: u64 = 4;
    /// As [`RESUME`], since what is to be read lies not in the memory that is only read.
    pub const MISPREDICTED: u64 = 5;
    /// To the address in `detail`, once the machine has looked whether something interrupts.
    pub const YIELDED: u64 = 6;
}

/// Pointers to the tags of a cache; null for those that it does not have.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Lines {
    /// Line numbers, the ways of a set behind one another.
    pub sets: *mut u32,
    /// Of a cache with LRU tags: the way of each line, and the time stamp of each way's last use.
    pub ways: *const u8,
    pub used: *mut u64,
    /// Of a cache with a resident map: its marks.
    pub marks: *const u8,
}

impl Lines {
    const NONE: Self = Self { sets: null_mut(), ways: null(), used: null_mut(), marks: null() };

    fn of(tags: Option<&mut Tags>) -> Self {
        let Some(tags) = tags else { return Self::NONE };
        if let Some(lru) = tags.lru_mut() {
            let (ways, used) = lru.share();
            return Self { ways: ways.as_ptr(), used: used.as_mut_ptr(), ..Self::NONE };
        }
        let marks = tags.resident().map_or(null(), |resident| resident.marks().as_ptr());
        Self { sets: tags.lines_mut().as_mut_ptr(), marks, ..Self::NONE }
    }
}

/// A call of a [`Touch`] by way of [`crate::enter::Bridge`]: its function, its arguments, and its result.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Asked {
    pub function: u64,
    pub address: u64,
    pub cycles: u64,
    pub pipeline_state: u64,
    pub missed: u64,
}

/// The memory that compiled code works on, besides the guest's own.
#[repr(C)]
pub struct Frame {
    pub ram: *mut u8,
    /// The memory that is only read; null if there is none.
    pub rom: *const u8,
    pub cells: *mut u64,
    pub counts: *mut Count,
    pub instruction_lines: Lines,
    pub data_lines: Lines,
    /// The addresses of the last store and the one before.
    pub stored: [u32; 2],
    pub targets: *const Target,
    pub limit: u64,
    /// The number of the first region's entry to take.
    pub entry: u64,
    pub cycles: u64,
    pub instructions: u64,
    pub lowest_stack: u32,
    /// Below this offset into memory stores are looked at, for code may have been translated there.
    pub store_from: u32,
    /// The exit of compiled code, see [`kind`].
    pub kind: u64,
    /// The number of the region that is left, and that of the block among its members.
    pub region: u64,
    pub from: u64,
    pub detail: u64,
    pub began: u64,
    /// The result of a call: cycles more than predicted, and whether the machine goes on.
    pub more: u64,
    pub broken: u64,
    /// The arguments of a call that preserves all registers.
    pub asked: Asked,
    /// An argument of a call: instructions issued before the one that makes the access.
    pub issued: u64,
    /// The current calling context, and the tables of all of them.
    pub context: u64,
    pub all_counts: u64,
    pub callees: u64,
    pub heads: u64,
    /// Open calls: where they begin, where the next one goes, where there is no more room.
    pub bottom: u64,
    pub top: u64,
    pub end: u64,
    /// Only for what is called.
    why: Option<Refusal>,
    outside: *mut Outside<'static>,
    caches: *mut CacheState,
    contexts: Option<*mut Contexts>,
}

/// Offsets of the fields that compiled code reads and writes.
pub mod at {
    use super::{Asked, Frame, Lines, offset_of};

    pub const RAM: i32 = offset_of!(Frame, ram) as i32;
    pub const ROM: i32 = offset_of!(Frame, rom) as i32;
    pub const CELLS: i32 = offset_of!(Frame, cells) as i32;
    pub const COUNTS: i32 = offset_of!(Frame, counts) as i32;
    pub const INSTRUCTION_LINES: i32 = offset_of!(Frame, instruction_lines) as i32;
    pub const DATA_LINES: i32 = offset_of!(Frame, data_lines) as i32;
    /// Within those.
    pub const SETS: i32 = offset_of!(Lines, sets) as i32;
    pub const WAYS: i32 = offset_of!(Lines, ways) as i32;
    pub const USED: i32 = offset_of!(Lines, used) as i32;
    pub const MARKS: i32 = offset_of!(Lines, marks) as i32;
    pub const STORED: i32 = offset_of!(Frame, stored) as i32;
    pub const TARGETS: i32 = offset_of!(Frame, targets) as i32;
    pub const ENTRY: i32 = offset_of!(Frame, entry) as i32;
    pub const LIMIT: i32 = offset_of!(Frame, limit) as i32;
    pub const CYCLES: i32 = offset_of!(Frame, cycles) as i32;
    pub const INSTRUCTIONS: i32 = offset_of!(Frame, instructions) as i32;
    pub const LOWEST_STACK: i32 = offset_of!(Frame, lowest_stack) as i32;
    pub const STORE_FROM: i32 = offset_of!(Frame, store_from) as i32;
    pub const KIND: i32 = offset_of!(Frame, kind) as i32;
    pub const REGION: i32 = offset_of!(Frame, region) as i32;
    pub const FROM: i32 = offset_of!(Frame, from) as i32;
    pub const DETAIL: i32 = offset_of!(Frame, detail) as i32;
    pub const BEGAN: i32 = offset_of!(Frame, began) as i32;
    pub const MORE: i32 = offset_of!(Frame, more) as i32;
    pub const BROKEN: i32 = offset_of!(Frame, broken) as i32;
    pub const ASKED_FUNCTION: i32 = (offset_of!(Frame, asked) + offset_of!(Asked, function)) as i32;
    pub const ASKED_ADDRESS: i32 = (offset_of!(Frame, asked) + offset_of!(Asked, address)) as i32;
    pub const ASKED_CYCLES: i32 = (offset_of!(Frame, asked) + offset_of!(Asked, cycles)) as i32;
    pub const ASKED_STATE: i32 =
        (offset_of!(Frame, asked) + offset_of!(Asked, pipeline_state)) as i32;
    pub const MISSED: i32 = (offset_of!(Frame, asked) + offset_of!(Asked, missed)) as i32;
    pub const ISSUED: i32 = offset_of!(Frame, issued) as i32;
    pub const CONTEXT: i32 = offset_of!(Frame, context) as i32;
    pub const ALL_COUNTS: i32 = offset_of!(Frame, all_counts) as i32;
    pub const CALLEES: i32 = offset_of!(Frame, callees) as i32;
    pub const HEADS: i32 = offset_of!(Frame, heads) as i32;
    pub const BOTTOM: i32 = offset_of!(Frame, bottom) as i32;
    pub const TOP: i32 = offset_of!(Frame, top) as i32;
    pub const END: i32 = offset_of!(Frame, end) as i32;
}

impl Frame {
    /// A frame over a machine's state. It holds pointers into it, so it must not outlive the borrow,
    /// and nothing else may use the state before the frame was used for the last time.
    pub fn new(state: &mut State<'_>, targets: &[Target]) -> Self {
        debug_assert_eq!(targets.len(), TARGETS);
        let caches: &mut CacheState = state.caches;
        let Clock { cycles, instructions, lowest_stack, .. } = *state.clock;
        let mut frame = Self {
            ram: state.outside.ram.bytes_mut().as_mut_ptr(),
            rom: state.outside.ram.rom().map_or(null(), |rom| rom.bytes().as_ptr()),
            cells: state.cells.as_mut_ptr(),
            counts: match &mut state.contexts {
                None => state.counts.as_mut_ptr(),
                Some(contexts) => contexts.current_counts().as_mut_ptr(),
            },
            instruction_lines: Lines::of(caches.instruction.as_mut()),
            data_lines: Lines::of(caches.data_mut()),
            stored: caches.stored,
            targets: targets.as_ptr(),
            limit: state.limit,
            entry: 0,
            cycles,
            instructions,
            lowest_stack,
            store_from: state.outside.ram.unwatched_from(),
            kind: kind::LINK,
            region: 0,
            from: 0,
            detail: 0,
            began: 0,
            more: 0,
            broken: 0,
            asked: Asked::default(),
            issued: 0,
            context: 0,
            all_counts: 0,
            callees: 0,
            heads: 0,
            bottom: 0,
            top: 0,
            end: 0,
            why: None,
            outside: (&raw mut state.outside).cast(),
            caches,
            contexts: state.contexts.as_deref_mut().map(std::ptr::from_mut),
        };
        frame.ask_contexts();
        frame
    }

    /// The counters, as compiled code left them.
    pub const fn clock(&self) -> Clock {
        Clock {
            cycles: self.cycles,
            instructions: self.instructions,
            lowest_stack: self.lowest_stack,
            report: None,
        }
    }

    /// The reason for an exit within a block.
    pub const fn why(&self) -> Option<Refusal> {
        self.why
    }
}

/// The description of an access for a call, beside its address and cycle, in one number.
pub const fn describe(pc: u64, width: Width, miss: u32) -> u64 {
    let bits = match width {
        Width::W8 => 0,
        Width::W16 => 1,
        Width::W32 => 2,
        Width::W64 => 3,
    };
    pc & 0xffff_ffff | bits << 32 | (miss as u64) << 34
}

fn access(address: u64, unwaited: u64, described: u64, issued: u64) -> (Access, u32) {
    let width = match described >> 32 & 3 {
        0 => Width::W8,
        1 => Width::W16,
        2 => Width::W32,
        _ => Width::W64,
    };
    let pc = described & 0xffff_ffff;
    let access = Access { address: address as u32, width, unwaited, pc, issued };
    (access, (described >> 34) as u32)
}

/// The slow path of a load: the value.
pub extern "C" fn load(frame: *mut Frame, address: u64, unwaited: u64, described: u64) -> u64 {
    // SAFETY: compiled code passes the frame that it was given, which its run loop keeps alive.
    let frame = unsafe { &mut *frame };
    let (mut access, miss) = access(address, unwaited, described, frame.issued);
    // What is refused waits for no line.
    let is_aligned = access.address & (access.width.bytes() - 1) == 0;
    let missed = if is_aligned { frame.missed(&access, false, miss) } else { 0 };
    access.unwaited += missed;
    let (value, more) = frame.outside().read(&access).unwrap_or_else(|why| {
        (frame.why, frame.broken) = (Some(why), 1);
        (0, 0)
    });
    frame.waited(&access, missed, more);
    value
}

/// The same for a store.
pub extern "C" fn store(
    frame: *mut Frame,
    address: u64,
    unwaited: u64,
    described: u64,
    value: u64,
) -> u64 {
    // SAFETY: as above.
    let frame = unsafe { &mut *frame };
    let (mut access, miss) = access(address, unwaited, described, frame.issued);
    frame.stored = [access.address, frame.stored[0]];
    let missed = frame.missed(&access, true, miss);
    access.unwaited += missed;
    let more = frame.outside().write(&access, value).unwrap_or_else(|why| {
        (frame.why, frame.broken) = (Some(why), 1);
        0
    });
    frame.waited(&access, missed, more);
    0
}

/// The slow path of a jump from one function to another: to `target`, by the jump at the end of a block.
/// Gives the counts of the context that it leads to.
pub extern "C" fn transfer(frame: *mut Frame, transition: u64, jump: u64, target: u64) -> u64 {
    // SAFETY: as above; the region that the jump belongs to holds its source.
    let (frame, jump) = unsafe { (&mut *frame, &*(jump as *const Jump)) };
    frame.tell_contexts();
    if let Some(contexts) = frame.contexts() {
        contexts.go(ContextTransition::of(transition), *jump, target);
        frame.ask_contexts();
    }
    frame.counts as u64
}

/// The slow path of a look-up where the first way of a set does not hold a line: 1 if none does. It then
/// leaves the block if it was compiled to do so, for the reason that is kept here.
pub type Touch =
    extern "C" fn(frame: *mut Frame, address: u64, cycles: u64, pipeline_state: u64) -> u64;

/// Touches a line of the instruction cache.
pub extern "C" fn fetch_line(
    frame: *mut Frame,
    address: u64,
    cycles: u64,
    pipeline_state: u64,
) -> u64 {
    // SAFETY: as above.
    let frame = unsafe { &mut *frame };
    let tags = frame.caches().instruction.as_mut();
    let missed = tags.is_some_and(|tags| !tags.touch_between(address as u32, false, true));
    if missed {
        frame.note_miss(cycles, pipeline_state);
    }
    u64::from(missed)
}

/// Lets the instruction cache forget all lines.
pub extern "C" fn clear_lines(frame: *mut Frame, _: u64, cycles: u64, pipeline_state: u64) -> u64 {
    // SAFETY: as above.
    let frame = unsafe { &mut *frame };
    if let Some(tags) = &mut frame.caches().instruction {
        tags.clear();
    }
    frame.note_miss(cycles, pipeline_state);
    1
}

/// Touches a line of the data cache; bit 32 of the address says that it is written.
pub extern "C" fn data_line(
    frame: *mut Frame,
    address: u64,
    cycles: u64,
    pipeline_state: u64,
) -> u64 {
    // SAFETY: as above.
    let frame = unsafe { &mut *frame };
    let missed = !frame.touch(address as u32, address >> 32 != 0, true);
    if missed {
        frame.note_miss(cycles, pipeline_state);
    }
    u64::from(missed)
}

/// The function that compiled code calls before a side exit for an operand.
pub extern "C" fn note_known(frame: *mut Frame, _: u64, cycles: u64, pipeline_state: u64) -> u64 {
    // SAFETY: as above.
    unsafe { &mut *frame }.note_miss(cycles, pipeline_state);
    0
}

impl Frame {
    fn outside(&mut self) -> &mut Outside<'static> {
        // SAFETY: the state outlives the frame, and nobody else uses it meanwhile (see `new`).
        unsafe { &mut *self.outside }
    }

    fn caches(&mut self) -> &mut CacheState {
        // SAFETY: as above.
        unsafe { &mut *self.caches }
    }

    /// Lets contexts know what compiled code did with them.
    pub fn tell_contexts(&mut self) {
        let (context, top, bottom) = (self.context, self.top, self.bottom);
        if let Some(contexts) = self.contexts() {
            contexts.current = context as u32;
            contexts.open = (top - bottom) as usize / size_of::<Open>();
        }
    }

    /// Lets compiled code know where the contexts' tables are.
    fn ask_contexts(&mut self) {
        let Some(contexts) = self.contexts() else { return };
        self.context = contexts.current.into();
        self.counts = contexts.current_counts().as_mut_ptr();
        self.all_counts = contexts.counts.as_mut_ptr() as u64;
        self.callees = contexts.callees.as_mut_ptr() as u64;
        self.heads = contexts.heads.as_mut_ptr() as u64;
        self.bottom = contexts.calls.as_mut_ptr() as u64;
        let size = size_of::<Open>() as u64;
        self.top = self.bottom + contexts.open as u64 * size;
        self.end = self.bottom + contexts.calls.len() as u64 * size;
    }

    fn contexts(&mut self) -> Option<&'static mut Contexts> {
        // SAFETY: as above.
        self.contexts.map(|contexts| unsafe { &mut *contexts })
    }

    /// The cycles that an access took longer than its block predicted.
    fn waited(&mut self, access: &Access, missed: u64, more: i64) {
        self.more = missed.wrapping_add_signed(more);
        self.tell_contexts();
        if let Some(contexts) = self.contexts() {
            contexts.wait(access.pc, more);
        }
    }

    /// Remembers why a block is left, if compiled code leaves it now.
    fn note_miss(&mut self, cycles: u64, pipeline_state: u64) {
        let (cycles, pipeline_state) = (cycles as i32, pipeline_state as u32);
        self.why = Some(Refusal::Missed { cycles, pipeline_state });
    }

    /// Touches a line of the data cache; whether it was there.
    fn touch(&mut self, address: u32, write: bool, is_noted: bool) -> bool {
        let tags = self.caches().data_mut();
        tags.is_none_or(|tags| tags.touch_between(address, write, is_noted))
    }

    /// Cycles that an access to cached memory takes longer for its line.
    fn missed(&mut self, access: &Access, write: bool, miss: u32) -> u64 {
        let purpose = if write { Purpose::Write } else { Purpose::Read };
        let ram: *const Ram = self.outside().ram;
        // SAFETY: as above; memory and caches are apart.
        let cached = self.caches().covers(unsafe { &*ram }, access.address, purpose);
        if cached && !self.touch(access.address, write, false) { u64::from(miss) } else { 0 }
    }
}
