//! Compiled code against the interpreter, on random programs of random blocks with random costs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cocrypt_engine::{Access, Bus, ContextProfile, Engine, Ram, Reply, Rom, Stop, StopCause};
use cocrypt_ir::strategies::{comparison, op, value};
use cocrypt_ir::{Block, Exit, Insn, Op, Slot, StopKind, Transfer, Value, Width};
use cocrypt_isa::{
    BlockCost, Caches, CodeMemory, Collision, Extra, Frontend, Geometry, InsnCost, LiftError, Line,
    PipelineState, Replacement, STAYS, Select, TimingModel,
};
use cocrypt_jit::{Jit, Keeping, Key, Options, Sharing, Store};
use proptest::prelude::*;

/// Guest state cells of the made-up instruction set; a temporary for targets follows, and others.
const STATE: u16 = 6;
const TEMPORARY: u16 = STATE + 1;
const BLOCKS: usize = 6;
/// Bytes from one block to the next; an instruction has two.
const PITCH: u64 = 32;
const CODE: u64 = 0x200;
const MEMORY: u32 = 0x400;
/// A memory that is only read, and that waits longer.
const ROM: u32 = 0x4000;
/// The addresses to which the first base may point: before the code, where stores are looked at, and behind
/// it.
const FIRST: [u32; 2] = [0x40, 0x340];
/// The addresses to which the second base may point.
const SECOND: [u32; 2] = [0x100, ROM + 0x40];
const DEVICE: u32 = 0x8000_0000;

/// A program with what its blocks cost.
#[derive(Clone, Debug)]
struct Program {
    blocks: Vec<(Block, BlockCost)>,
    caches: Caches,
}

impl Program {
    /// The block that begins at an address, or the rest of one.
    fn at(&self, pc: u64) -> Option<(Block, BlockCost)> {
        let offset = pc.checked_sub(CODE)?;
        let (block, cost) = self.blocks.get((offset / PITCH) as usize)?;
        let first = (offset % PITCH / 2) as usize;
        let (mut block, mut cost) = (block.clone(), cost.clone());
        if first >= block.insns.len() || offset % 2 != 0 {
            return None;
        }
        block.start = pc;
        block.insns.drain(..first);
        cost.insns.drain(..first);
        cost.lines.retain(|line| usize::from(line.at) >= first);
        cost.lines.iter_mut().for_each(|line| line.at -= first as u8);
        Some((block, cost))
    }
}

impl Frontend for Program {
    fn classes(&self) -> &'static [&'static str] {
        &["any"]
    }
    fn cells(&self) -> &'static [&'static str] {
        &["a", "b", "c", "d", "e", "f"]
    }
    fn temporaries(&self) -> u16 {
        6
    }
    fn stack_pointer(&self) -> Slot {
        Slot(5)
    }
    fn lift(&self, _: &dyn CodeMemory, pc: u64, _: u32) -> Result<Block, LiftError> {
        self.at(pc).map(|(block, _)| block).ok_or(LiftError::Unaligned { address: pc })
    }
    fn land(&self, target: u64, onward: u32) -> (u64, u32) {
        (target & !1, onward)
    }
    fn reach(&self, pc: u64, _: u32) -> u64 {
        pc | 1
    }
    fn disassemble(&self, _: &dyn CodeMemory, _: u64) -> Option<(String, u8)> {
        None
    }
}

impl TimingModel for Program {
    /// The pipeline state adds to the first instruction's cost.
    fn cost(
        &self,
        block: &Block,
        _: &dyn CodeMemory,
        _: u32,
        pipeline_state: PipelineState,
    ) -> BlockCost {
        let mut cost = self.at(block.start).map(|(_, cost)| cost).unwrap_or_default();
        cost.insns[0].cycles += 7 * pipeline_state;
        if !self.caches.stores_collide {
            cost.insns.iter_mut().for_each(|insn| insn.collisions.clear());
        }
        for (insn, cost) in block.insns.iter().zip(&mut cost.insns) {
            if insn.ops.len() != 1 {
                // What may be replayed does nothing before it loads.
                (cost.miss_exit_state, cost.elsewhere) = (None, None);
                cost.collisions.clear();
            }
        }
        if pipeline_state > 1 {
            // What a block was left for is known now.
            cost.lines.retain(|line| !line.clears);
            cost.lines.iter_mut().for_each(|line| line.exit_state = None);
            for insn in &mut cost.insns {
                (insn.miss_exit_state, insn.elsewhere) = (None, None);
                insn.collisions.clear();
                insn.extra.iter_mut().for_each(|extra| extra.exit_states.clear());
            }
        }
        cost
    }
    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        1
    }
    fn fetches_ahead(&self) -> bool {
        false
    }
    fn caches(&self) -> Caches {
        self.caches
    }
    fn implements(&self, _: u8) -> bool {
        true
    }
}

/// A device that answers by the cycle and remembers every write; its last word ends the run.
#[derive(Debug, Default, PartialEq)]
struct Device {
    written: Vec<(u32, u64, u64)>,
}

impl Bus for Device {
    fn read(&mut self, access: &Access) -> Reply {
        if access.address < DEVICE {
            return Reply::Refused;
        }
        let value = access.width.truncate(access.unwaited * 3 + access.issued * 7);
        Reply::Done { value, wait: 5 }
    }
    fn write(&mut self, access: &Access, value: u64) -> Reply {
        match access.address {
            0..DEVICE => Reply::Refused,
            address if address & 0xff == 0xfc => Reply::Exit { code: value as u32, wait: 2 },
            address => {
                self.written.push((address, value, access.unwaited));
                Reply::Done { value: 0, wait: 3 }
            }
        }
    }
    fn code_unit(&self, _: u32) -> Option<u16> {
        None
    }
    fn fetch_wait(&self, _: u32) -> u32 {
        0
    }
}

/// An access that meets memory, the device, code, or nothing.
fn access() -> impl Strategy<Value = Op> {
    let width = || prop_oneof![Just(Width::W8), Just(Width::W16), Just(Width::W32)];
    let offset = || prop_oneof![6 => (-4i32..16).prop_map(|word| 4 * word), 1 => -8i32..40];
    let base =
        || prop_oneof![6 => (0u16..3).prop_map(|slot| Value::Slot(Slot(slot))), 1 => value(STATE)];
    let dst = || (2..STATE).prop_map(Slot);
    prop_oneof![
        (width(), any::<bool>(), dst(), base(), offset()).prop_map(
            |(width, signed, dst, base, offset)| Op::Load { width, signed, dst, base, offset }
        ),
        (width(), value(STATE), base(), offset())
            .prop_map(|(width, src, base, offset)| Op::Store { width, src, base, offset }),
    ]
}

fn any_op() -> impl Strategy<Value = Op> {
    let width = prop_oneof![
        4 => Just(Width::W32), 1 => Just(Width::W64), 3 => Just(Width::W16), 3 => Just(Width::W8)
    ];
    let aligned = (0u32..16).prop_map(|word| Value::Const(u64::from(word) * 4));
    let kept = op(STATE, width, aligned).prop_map(keep_bases);
    prop_oneof![30 => kept, 20 => access(), 3 => Just(other_memory())]
}

/// Lets the second base go from one memory to the other.
fn other_memory() -> Op {
    let base = Slot(1);
    let terminator = Value::Const(u64::from(SECOND[0] ^ SECOND[1]));
    Op::Binary {
        op: cocrypt_ir::Binary::Xor,
        width: Width::W32,
        dst: base,
        a: Value::Slot(base),
        b: terminator,
    }
}

/// The first two cells are bases, which most operations leave alone, so that programs live longer.
fn keep_bases(op: Op) -> Op {
    match op {
        Op::Binary { op, width, dst: Slot(0 | 1), a, b } => {
            Op::Binary { op, width, dst: Slot(2), a, b }
        }
        Op::Load { width, signed, dst: Slot(0 | 1), base, offset } => {
            Op::Load { width, signed, dst: Slot(3), base, offset }
        }
        Op::Move { dst: Slot(0 | 1), src } => Op::Move { dst: Slot(4), src },
        other => other,
    }
}

/// The operations of one instruction, and how many of them lead it.
type Instruction = (Vec<Op>, u16);

fn instruction() -> impl Strategy<Value = Instruction> {
    prop_oneof![4 => simple().prop_map(|ops| (ops, 0)), 1 => whole()]
}

/// An instruction that loads and stores several times and writes registers last; its first operation
/// makes what its cost looks at. Where its accesses go, words follow one another, so that none of them
/// takes another's line from a cache: all of it may run again.
fn whole() -> impl Strategy<Value = Instruction> {
    let reads = prop::collection::vec(any::<bool>(), 0..3);
    let stores = prop::collection::vec(value(STATE), 0..3);
    let place = (0u16..3, -2i32..6);
    let first = (value(STATE), value(STATE), any::<bool>());
    (reads, stores, place, first, 2..STATE, any::<bool>()).prop_map(
        |(loads, stores, (base, first_word), first, dst, moves)| {
            let mut words = first_word..;
            let (a, b, guards) = first;
            let cost = Slot(TEMPORARY + 4);
            let op = cocrypt_ir::Binary::Xor;
            let mut ops = vec![Op::Binary { op, width: Width::W32, dst: cost, a, b }];
            let count = loads.len() as u16;
            let base = Value::Slot(Slot(base));
            let mut offset = || 4 * words.next().unwrap_or_default();
            for (number, signed) in loads.into_iter().enumerate() {
                let offset = offset();
                let dst = Slot(TEMPORARY + number as u16);
                ops.push(Op::Load { width: Width::W32, signed, dst, base, offset });
            }
            for src in stores {
                let offset = offset();
                ops.push(Op::Store { width: Width::W32, src, base, offset });
            }
            for number in 0..count {
                let dst = Slot((dst + number - 2) % (STATE - 2) + 2);
                ops.push(Op::Move { dst, src: Value::Slot(Slot(TEMPORARY + number)) });
            }
            // An instruction writes each register once.
            if moves && ops.iter().all(|op| op.dst() != Some(Slot(5))) {
                let (op, a, b) = (cocrypt_ir::Binary::Add, Value::Slot(Slot(5)), Value::Const(4));
                ops.push(Op::Binary { op, width: Width::W32, dst: Slot(5), a, b });
            }
            if guards {
                let skipped = ops.len() as u16 - 1;
                ops.insert(1, Op::Guard { condition: Value::Slot(cost), ops: skipped });
            }
            (ops, 1)
        },
    )
}

/// Any operations, guarded now and then. At most one accesses memory: where an instruction makes several
/// accesses, as in [`whole`], they follow one another, and one check tells whether all can be made.
fn simple() -> impl Strategy<Value = Vec<Op>> {
    let guard = prop::option::weighted(0.15, value(STATE));
    (prop::collection::vec(any_op(), 1..3), guard).prop_map(|(mut ops, guard)| {
        let is_access = |op: &Op| matches!(op, Op::Load { .. } | Op::Store { .. });
        if ops.iter().filter(|op| is_access(op)).count() > 1 {
            ops.pop();
        }
        if let Some(condition) = guard {
            let skipped = ops.len() as u16;
            ops.insert(0, Op::Guard { condition, ops: skipped });
        }
        ops
    })
}

fn select() -> impl Strategy<Value = Select> {
    prop::sample::select(vec![Select::Low, Select::Length, Select::SignedLength, Select::NonZero])
}

fn cost() -> impl Strategy<Value = InsnCost> {
    let table = prop::collection::vec(0u32..9, 64);
    let known = prop_oneof![3 => Just(STAYS), 1 => 2u32..4];
    let exit_states = prop_oneof![2 => Just(vec![]), 1 => prop::collection::vec(known, 64)];
    let of = prop::option::weighted(0.3, (0..STATE).prop_map(Slot));
    let extra = (select(), table, exit_states, of)
        .prop_map(|(select, table, exit_states, of)| Extra { select, table, exit_states, of });
    let extra = prop::option::weighted(0.3, extra);
    let miss = prop_oneof![1 => Just(0), 2 => 1u32..20];
    (1u32..9, 0u32..3, extra, miss, [known_later(), known_later()], collisions()).prop_map(
        |(cycles, sample, extra, miss, [miss_exit_state, elsewhere], collisions)| InsnCost {
            cycles,
            sample,
            extra,
            miss,
            miss_exit_state,
            elsewhere,
            collisions,
        },
    )
}

fn collisions() -> impl Strategy<Value = Vec<Collision>> {
    let width = prop::sample::select(vec![1u32, 2, 4]);
    let collision =
        (0u8..2, width, 1i32..9, 2u32..4).prop_map(|(recent, bytes, cycles, exit_state)| {
            Collision { recent, bytes, cycles, exit_state }
        });
    prop::collection::vec(collision, 0..3)
}

/// The pipeline state behind a miss for which a block is left.
fn known_later() -> impl Strategy<Value = Option<PipelineState>> {
    prop::option::weighted(0.4, 2u32..4)
}

/// The block's successors, by number.
#[derive(Clone, Debug)]
enum Terminator {
    Next(usize),
    Branch(cocrypt_ir::Condition, Value, Value, usize, usize),
    Computed(Value, usize, usize),
    Stop,
}

fn terminator() -> impl Strategy<Value = Terminator> {
    let block = || 0..BLOCKS;
    prop_oneof![
        3 => block().prop_map(Terminator::Next),
        6 => (comparison(), value(STATE), value(STATE), block(), block())
            .prop_map(|(condition, a, b, taken, next)| Terminator::Branch(condition, a, b, taken, next)),
        3 => (value(STATE), block(), block()).prop_map(|(on, a, b)| Terminator::Computed(on, a, b)),
        1 => Just(Terminator::Stop),
    ]
}

fn address(number: usize) -> u64 {
    CODE + PITCH * number as u64
}

type Parts = (Vec<Instruction>, Vec<InsnCost>, Terminator, BlockCost, Value, Transfer);

fn transfer() -> impl Strategy<Value = Transfer> {
    prop_oneof![Just(Transfer::Jump), Just(Transfer::Call), Just(Transfer::Return)]
}

fn block() -> impl Strategy<Value = Parts> {
    let insns = prop::collection::vec(instruction(), 1..9);
    let costs = prop::collection::vec(cost(), 10);
    let clears = prop::bool::weighted(0.1);
    // Instructions are thought of as lying in either memory, for their caches.
    let memory = prop::sample::select(vec![CODE as u32, ROM]);
    let address = (memory, 0u32..24).prop_map(|(memory, line)| memory + 16 * line);
    let line = (0u8..1, address, 1i32..30, clears, known_later()).prop_map(
        |(at, address, miss, clears, exit_state)| Line { at, address, clears, miss, exit_state },
    );
    let whole =
        (1u32..9, 0u32..4, prop::array::uniform2(0u32..2), prop::collection::vec(line, 0..3))
            .prop_map(|(taken, entry, exit_states, lines)| BlockCost {
                taken,
                entry,
                refused: 2,
                exit_states,
                lines,
                ..BlockCost::default()
            });
    (insns, costs, terminator(), whole, value(STATE), transfer())
}

fn assemble(number: usize, parts: Parts) -> (Block, BlockCost) {
    let (mut listed, costs, terminator, mut cost, operand, transfer) = parts;
    let target = Slot(STATE);
    if let Terminator::Computed(condition, a, b) = terminator {
        let (a, b) = (Value::Const(address(a) | 1), Value::Const(address(b) | 1));
        listed.push((vec![Op::Select { dst: target, condition, a, b }], 0));
    }
    // What a branch looks at where an instruction has left something to look at.
    let mut kept = None;
    let (mut ops, mut insns) = (vec![], vec![]);
    for (at, (insn_ops, lead)) in listed.into_iter().enumerate() {
        let first = ops.len();
        ops.extend(insn_ops);
        let led = Value::Slot(Slot(TEMPORARY + 4));
        let operand = if lead != 0 { Some(led) } else { (at % 2 == 0).then_some(operand) };
        kept = kept.or((lead != 0).then_some(led));
        let pc = address(number) + 2 * at as u64;
        insns.push(Insn { pc, length: 2, mode: 0, class: 0, operand, lead, ops: first..ops.len() });
    }
    let exit = match terminator {
        Terminator::Next(block) => Exit::Jump { target: address(block) },
        Terminator::Branch(condition, a, b, taken, next) => Exit::Branch {
            condition,
            width: Width::W32,
            a: kept.unwrap_or(a),
            b,
            taken: address(taken),
            next: address(next),
        },
        Terminator::Computed(..) => Exit::Indirect { target: Value::Slot(target) },
        Terminator::Stop => Exit::Stop(StopKind::Breakpoint),
    };
    cost.insns = costs.into_iter().take(insns.len()).collect();
    (Block { start: address(number), mode: 0, insns, ops, exit, onward: 0, transfer }, cost)
}

fn caches() -> impl Strategy<Value = Caches> {
    let geometry = |((sets, ways), replacement)| Geometry {
        sets,
        ways,
        line: 16,
        replacement,
        allocate_on_write: ways == 2,
    };
    let replacement = || prop::sample::select(vec![Replacement::LeastRecent, Replacement::FirstIn]);
    // Few lines in one set are what flash memories keep.
    let size = || prop_oneof![(Just(4u32), 1u32..3), (Just(1), 2u32..6)];
    let cache = move || prop::option::of((size(), replacement()).prop_map(geometry));
    let flags = (any::<bool>(), prop::bool::weighted(0.3), any::<bool>());
    (cache(), cache(), flags).prop_map(|(instruction, data, flags)| {
        let (data_of_rom, unified, stores_collide) = flags;
        let rest = Caches { stores_collide, ..Caches::default() };
        // One cache for both has several sets.
        match instruction.filter(|shape| unified && shape.sets > 1) {
            None => Caches { instruction, data, data_of_rom, ..rest },
            both => Caches { instruction: both, data: both, unified, ..rest },
        }
    })
}

fn program() -> impl Strategy<Value = Program> {
    (prop::collection::vec(block(), BLOCKS), caches()).prop_map(|(parts, caches)| {
        let blocks = parts.into_iter().enumerate().map(|(number, parts)| assemble(number, parts));
        Program { blocks: blocks.collect(), caches }
    })
}

/// Everything that a run can be told apart by.
#[derive(Debug, PartialEq)]
struct Seen {
    stops: Vec<Stop>,
    cells: Vec<u64>,
    memory: Vec<u8>,
    device: Device,
    lowest_stack: Option<u32>,
    profile: Vec<cocrypt_engine::BlockProfile>,
    contexts: Vec<ContextProfile>,
    misses: [Option<u64>; 2],
}

/// The options of a run.
#[derive(Clone, Copy, Default)]
struct Asked<'a> {
    compiled: Option<Options>,
    contexts: bool,
    store: Option<&'a Arc<Kept>>,
}

/// Compiled code in memory.
#[derive(Default)]
struct Kept {
    entries: Mutex<HashMap<Key, Vec<u8>>>,
    made: AtomicUsize,
}

impl Kept {
    /// The number of functions that were compiled since this was asked last.
    fn made(&self) -> usize {
        self.made.swap(0, Ordering::Relaxed)
    }

    /// Changes a byte of each entry, another one in each.
    fn damage(&self) {
        for (number, entry) in self.entries.lock().expect("no panic").values_mut().enumerate() {
            let at = number * 7 % entry.len();
            entry[at] ^= 0x10;
        }
    }
}

impl Store for Kept {
    fn find(&self, key: &Key) -> Option<Vec<u8>> {
        self.entries.lock().expect("no panic").get(key).cloned()
    }

    fn keep(&self, key: &Key, entry: &[u8]) {
        self.made.fetch_add(1, Ordering::Relaxed);
        self.entries.lock().expect("no panic").insert(*key, entry.to_vec());
    }
}

fn run(program: &Program, start: &[u32; 6], limits: &[u64], asked: Asked<'_>) -> Seen {
    let mut ram = Ram::new(0, MEMORY, 1, 1).beside(Some(Rom::new(ROM, MEMORY, 1, 4)));
    let constants = ram.at_mut(ROM, MEMORY as usize).expect("the whole memory");
    constants.iter_mut().zip((0u8..=255).cycle()).for_each(|(byte, value)| *byte = value);
    let (frontend, timing) = (Arc::new(program.clone()), Arc::new(program.clone()));
    // Every second block begins a function, and the first ones belong to none.
    let functions: Vec<u64> = (1..BLOCKS).step_by(2).map(address).collect();
    let mut engine = Engine::new(frontend, timing, functions.into(), CODE);
    if asked.contexts {
        engine.trace_contexts();
    }
    for (index, &value) in start.iter().enumerate() {
        engine.set_cell(index, u64::from(value));
    }
    if let Some(options) = asked.compiled {
        let fixed = engine.fixed(&ram, 5);
        let keeping = asked.store.map(|store| {
            let store = Arc::clone(store) as Arc<dyn Store>;
            Keeping { store, image: Some(Key::of(&"the program")) }
        });
        let jit =
            Jit::with_store(fixed, options, keeping).expect("a host that code is compiled for");
        engine.set_backend(Box::new(jit), 1);
    }
    let mut device = Device::default();
    let mut stops: Vec<Stop> = vec![];
    for &limit in limits {
        // After any other stop there is nothing to go on with.
        if stops.last().is_none_or(|stop| stop.cause == StopCause::CycleLimit) {
            stops.push(engine.run(&mut ram, &mut device, limit));
        }
    }
    let caches = engine.caches();
    let misses = [caches.instruction.as_ref(), caches.data()]
        .map(|tags| tags.map(cocrypt_engine::Tags::misses));
    Seen {
        stops,
        cells: engine.cells().to_vec(),
        memory: ram.get(0, MEMORY as usize).expect("the whole memory").to_vec(),
        device,
        lowest_stack: engine.lowest_stack(),
        profile: engine.profile(),
        contexts: engine.contexts(),
        misses,
    }
}

/// A program, what its registers hold at first, and the cycle at which it is stopped.
type Case = (Program, [u32; 3], u64, u32, u32);

fn case() -> impl Strategy<Value = Case> {
    let rest = prop::array::uniform3(any::<u32>());
    let (first, second) =
        (prop::sample::select(FIRST.to_vec()), prop::sample::select(SECOND.to_vec()));
    (program(), rest, 200u64..20_000, first, second)
}

/// Limits so far away that a run recalls something, and leaves something to the next one.
const LONG: [u64; 2] = [5_000, 20_000];

/// Runs a program so long that it leaves a record of its regions, again by that, and by a damaged one.
fn recall(program: &Program, start: &[u32; 6], profile: bool) -> Result<(), TestCaseError> {
    let options = Options { profile, at_once: true, ..Options::default() };
    let store = Arc::default();
    let asked = Asked { compiled: Some(options), store: Some(&store), ..Asked::default() };
    let interpreted = run(program, start, &LONG, Asked::default());
    for is_damaged in [false, false, true, false] {
        if is_damaged {
            store.damage();
        }
        let recalled = run(program, start, &LONG, asked);
        if profile {
            prop_assert_eq!(&recalled, &interpreted);
        }
        prop_assert_eq!(&recalled.stops, &interpreted.stops);
        prop_assert_eq!(&recalled.cells, &interpreted.cells);
        prop_assert_eq!(&recalled.memory, &interpreted.memory);
        prop_assert_eq!(&recalled.device, &interpreted.device);
    }
    Ok(())
}

/// Runs a case on both engines, with profile, in calling contexts by new, kept and damaged code, with and without
/// profile by regions of an earlier run, and without profile in regions that have no code in common.
fn agree((program, rest, far, first, second): Case) -> Result<(), TestCaseError> {
    // Two bases in memories and one at the device.
    let start = [first, second, DEVICE + 0x10, rest[0], rest[1], rest[2]];
    let limits = [far / 3, far / 2, far];
    let interpreted = run(&program, &start, &limits, Asked::default());
    let options = Options { profile: true, at_once: true, ..Options::default() };
    let compiled = Asked { compiled: Some(options), ..Asked::default() };
    prop_assert_eq!(&run(&program, &start, &limits, compiled), &interpreted);
    let told_apart = run(&program, &start, &limits, Asked { contexts: true, ..Asked::default() });
    let store = Arc::default();
    let compiled = Asked { contexts: true, store: Some(&store), ..compiled };
    prop_assert_eq!(&run(&program, &start, &limits, compiled), &told_apart);
    let made = store.made();
    prop_assert_eq!(&run(&program, &start, &limits, compiled), &told_apart);
    prop_assert_eq!(store.made(), 0, "the second run finds what the first one compiled");
    store.damage();
    prop_assert_eq!(&run(&program, &start, &limits, compiled), &told_apart);
    prop_assert_eq!(store.made(), made, "damaged code is compiled again");
    prop_assert_eq!(&told_apart.stops, &interpreted.stops);
    for profile in [true, false] {
        recall(&program, &start, profile)?;
    }
    let spent: u64 = interpreted.profile.iter().map(|block| block.cycles).sum();
    let shares = told_apart.contexts.iter().flat_map(|context| context.instructions.values());
    prop_assert_eq!(shares.map(|share| share.cycles).sum::<u64>(), spent);
    let options = Options { profile: false, sharing: Sharing::Nothing, ..options };
    let unprofiled = Asked { compiled: Some(options), ..Asked::default() };
    let unprofiled = run(&program, &start, &limits, unprofiled);
    prop_assert_eq!((unprofiled.stops, unprofiled.cells), (interpreted.stops, interpreted.cells));
    prop_assert_eq!(
        (unprofiled.memory, unprofiled.device),
        (interpreted.memory, interpreted.device)
    );
    Ok(())
}

proptest! {
    #![proptest_config(cocrypt_sample::half(1000, 0))]
    #[test]
    fn compiled_programs_do_what_interpreted_ones_do(case in case()) {
        agree(case)?;
    }
}

proptest! {
    #![proptest_config(cocrypt_sample::half(1000, 1))]
    #[test]
    fn compiled_programs_do_what_interpreted_ones_do_with_another_seed(case in case()) {
        agree(case)?;
    }
}
