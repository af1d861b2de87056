//! The timing of cores, held against sequences whose cycles were counted by hand from the manuals.
//!
//! `timing/<core>.txt` holds the sequences, and those that take two cores as many cycles a file named after
//! both. Each begins with `case` and its name; `asm` is its assembly
//! (for people), `code` what the GNU assembler makes of it, `cycles` how long it runs from its first
//! instruction until it leaves its last one, and `why` how that was counted. `set` gives registers, flags
//! and words of memory (`end` is the address behind the code), `with` a core's parameters, `data` and
//! `fetch` the waits of memories (1 unless given), `flash` an interface of the memory that the code is in,
//! `unmerged` that this memory merges no internal cycle with a fetch, `thumb` that it is Thumb on a core
//! that has both.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cocrypt_config::Core;
use cocrypt_ir::{Block, Counter, Environment, Exit, Fault, Insn, Outcome, Value, Width, evaluate};
use cocrypt_isa::{
    BlockCost, ClassCost, CodeMemory, Frontend, Geometry, PipelineState, STAYS, TimingModel,
};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::class::CLASSES;
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;
use cocrypt_isa_arm::timing::{Flash, Kind, Surroundings, model};

/// The start of the code.
const BASE: u64 = 0x1000;
/// Classes that need more than a core: what stops it, or comes from outside.
const LEFT_OUT: [&str; 8] = [
    "enter_fault",
    "enter_illegal",
    "enter_system",
    "illegal",
    "interrupt",
    "return",
    "system",
    "wait",
];
/// The files of two cores.
const SHARED: [(&str, [&str; 2]); 2] = [
    ("cortex-m0-and-m0plus", ["cortex-m0", "cortex-m0plus"]),
    ("cortex-m3-and-m4", ["cortex-m3", "cortex-m4"]),
];
/// Sequences that run longer than this do not end.
const LONGEST: usize = 1000;

#[derive(Clone, Debug, Default)]
struct Case {
    name: String,
    code: Vec<u16>,
    cycles: u64,
    set: Vec<(String, String)>,
    parameters: BTreeMap<String, i64>,
    flash: Option<Flash>,
    data: u32,
    fetch: u32,
    unmerged: bool,
    thumb: bool,
    /// True if each instruction is a block of its own.
    cut: bool,
}

impl Case {
    fn end(&self) -> u64 {
        BASE + 2 * self.code.len() as u64
    }

    fn number(&self, text: &str) -> u64 {
        match text {
            "end" => self.end(),
            "end_thumb" => self.end() | 1,
            hex if hex.starts_with("0x") => u64::from_str_radix(&hex[2..], 16).expect("a number"),
            decimal => u64::from(decimal.parse::<i64>().expect("a number") as u32),
        }
    }

    fn line(&mut self, line: &str) {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let pairs = || rest.split_whitespace().map(|pair| pair.split_once('=').expect("a pair"));
        match key {
            "code" => {
                let unit = |hex| u16::from_str_radix(hex, 16).expect("a unit");
                self.code.extend(rest.split_whitespace().map(unit));
            }
            "cycles" => self.cycles = rest.parse().expect("a number"),
            "set" => {
                self.set.extend(pairs().map(|(name, value)| (name.to_owned(), value.to_owned())));
            }
            "with" => self.parameters.extend(
                pairs().map(|(name, value)| (name.to_owned(), value.parse().expect("a number"))),
            ),
            "data" => self.data = rest.parse().expect("a number"),
            "fetch" => self.fetch = rest.parse().expect("a number"),
            "unmerged" => self.unmerged = true,
            "thumb" => self.thumb = true,
            "flash" => self.flash = Some(flash(rest)),
            "asm" | "why" => {}
            _ => panic!("what is {line:?}?"),
        }
    }
}

fn flash(text: &str) -> Flash {
    let mut flash = Flash {
        base: 0,
        size: 0x1000_0000,
        line: 4,
        waits: 0,
        prefetch: false,
        instruction_lines: 0,
        data_lines: 0,
    };
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, "0"));
        let value = value.parse().expect("a number");
        match key {
            "line" => flash.line = value,
            "waits" => flash.waits = value,
            "prefetch" => flash.prefetch = true,
            "instruction_lines" => flash.instruction_lines = value,
            "data_lines" => flash.data_lines = value,
            _ => panic!("what is {key:?}?"),
        }
    }
    flash
}

/// The sequences of a core: those that it shares, and its own.
fn cases(core: &str) -> Vec<Case> {
    let shared = SHARED.iter().filter(|(_, cores)| cores.contains(&core)).map(|(file, _)| *file);
    shared.chain([core]).flat_map(written).collect()
}

fn written(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/timing/{file}.txt"));
    let text = fs::read_to_string(path).expect("cases");
    let mut cases: Vec<Case> = vec![];
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("case ") {
            let name = name.to_owned();
            cases.push(Case { name, data: 1, fetch: 1, ..Case::default() });
        } else if !line.is_empty() && !line.starts_with('#') {
            cases.last_mut().expect("a case").line(line);
        }
    }
    cases
}

impl CodeMemory for Case {
    fn unit(&self, address: u64) -> Option<u16> {
        let offset = address.checked_sub(BASE)?;
        self.code.get(offset as usize / 2).copied()
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        self.fetch
    }
    fn is_boundary(&self, address: u64) -> bool {
        self.cut || address == self.end()
    }
}

/// The lines that a cache holds, the one that was used last in front.
#[derive(Default)]
struct Lines(Vec<u32>);

impl Lines {
    fn misses(&mut self, geometry: Geometry, address: u32) -> bool {
        let line = address / geometry.line;
        let held = self.0.iter().position(|&held| held == line);
        if let Some(at) = held {
            self.0.remove(at);
        }
        self.0.insert(0, line);
        self.0.truncate((geometry.sets * geometry.ways) as usize);
        held.is_none()
    }
}

/// Memory that holds 0 where nothing else was said, and what was read from it.
#[derive(Default)]
struct Memory {
    words: HashMap<u32, u32>,
    loads: Vec<u32>,
    code: Vec<u16>,
}

impl Memory {
    fn byte(&self, address: u32) -> u8 {
        let word = self.words.get(&(address & !3)).copied().unwrap_or_else(|| {
            let at = |index: u32| {
                let offset = (address & !3).wrapping_sub(BASE as u32) / 2 + index;
                u32::from(self.code.get(offset as usize).copied().unwrap_or(0))
            };
            at(0) | at(1) << 16
        });
        word.to_le_bytes()[address as usize % 4]
    }
}

impl Environment for Memory {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        self.loads.push(address);
        let byte = |at: u32| u64::from(self.byte(address + at)) << (8 * at);
        Ok((0..width.bytes()).map(byte).sum())
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        if width == Width::W32 {
            self.words.insert(address, value as u32);
        }
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// A core, and what it is in the middle of.
struct Run<'a> {
    case: &'a Case,
    arm: Arm,
    timing: Arc<dyn TimingModel>,
    cells: Vec<u64>,
    memory: Memory,
    instruction_lines: Lines,
    data_lines: Lines,
    cycles: u64,
    pending: PipelineState,
    /// Classes that were met.
    met: BTreeSet<&'static str>,
}

/// The address at which a run goes on.
type CodeAddress = (u64, u32);

impl Run<'_> {
    /// Runs a block up to where it is left.
    fn block(&mut self, (pc, mode): CodeAddress) -> CodeAddress {
        let block = self.arm.lift(self.case, pc, mode).expect("code");
        let cost = self.timing.cost(&block, self.case, self.case.data, self.pending);
        for (at, insn) in block.insns.iter().enumerate() {
            self.met.insert(CLASSES[usize::from(insn.class)]);
            for line in cost.lines.iter().filter(|line| usize::from(line.at) == at) {
                let geometry = self.timing.caches().instruction.expect("a cache");
                if self.instruction_lines.misses(geometry, line.address) {
                    self.cycles += line.miss as u64;
                }
            }
            self.evaluate(&block, insn.ops.start, insn.ops.start + usize::from(insn.lead));
            if let Some(pending) = self.extra(insn, at, &cost) {
                self.pending = pending;
                return (insn.pc, insn.mode);
            }
            let behind = insn.ops.start + usize::from(insn.lead);
            let outcome = self.evaluate(&block, behind, insn.ops.end);
            self.missed(&cost, at);
            if at + 1 == block.insns.len() {
                return self.leave(&block, &cost, outcome);
            }
            self.cycles += u64::from(cost.insns[at].cycles);
        }
        unreachable!("a block has instructions")
    }

    /// Adds what the operand decides; what is pending if the block is left for it.
    fn extra(&mut self, insn: &Insn, at: usize, cost: &BlockCost) -> Option<PipelineState> {
        let extra = cost.insns[at].extra.as_ref()?;
        let operand = match extra.operand(insn)? {
            Value::Const(value) => value,
            Value::Slot(slot) => self.cells[usize::from(slot.0)],
        };
        let entry = extra.select.index(operand as u32, extra.table.len());
        let exit_state = extra.exit_states.get(entry).copied().unwrap_or(STAYS);
        if exit_state != STAYS {
            return Some(exit_state);
        }
        self.cycles += u64::from(extra.table[entry]);
        None
    }

    fn missed(&mut self, cost: &BlockCost, at: usize) {
        for address in std::mem::take(&mut self.memory.loads) {
            let Some(geometry) = self.timing.caches().data else { continue };
            if self.data_lines.misses(geometry, address) {
                self.cycles += u64::from(cost.insns[at].miss);
            }
        }
    }

    fn evaluate(&mut self, block: &Block, from: usize, to: usize) -> Outcome {
        let ops = block.ops[from..to].to_vec();
        let part = Block { ops, ..block.clone() };
        evaluate(&part, &mut self.cells, &mut self.memory).expect("no fault")
    }

    fn leave(&mut self, block: &Block, cost: &BlockCost, outcome: Outcome) -> CodeAddress {
        let Outcome::Goto(target) = outcome else { panic!("{}: it stopped", self.case.name) };
        let last = cost.insns.last().expect("a cost").cycles;
        let taken = matches!(block.exit, Exit::Branch { taken, next, .. } if target == taken && taken != next);
        self.cycles += u64::from(if taken { cost.taken } else { last });
        self.pending = cost.exit_states[usize::from(taken)];
        match block.exit {
            Exit::Indirect { .. } => self.arm.land(target, block.onward),
            Exit::Yield { target: Value::Const(_) } => (target, block.onward),
            Exit::Yield { .. } => (target, self.arm.mode(&self.cells)),
            _ => (target, block.onward),
        }
    }
}

fn cell(name: &str) -> usize {
    cells::NAMES.iter().position(|known| *known == name).expect("a cell")
}

fn timing(core: &Core, case: &Case, architecture: Architecture) -> Arc<dyn TimingModel> {
    let defaults =
        core.parameters.iter().map(|(name, parameter)| (name.clone(), parameter.default));
    let parameters: BTreeMap<_, _> = defaults.chain(case.parameters.clone()).collect();
    let class = |(name, class): (String, cocrypt_config::ResolvedClass)| {
        (name, ClassCost { ask: class.ask, rule: class.rule, per_step: class.per_step })
    };
    let table = core.resolve(&parameters).into_iter().map(class).collect();
    let nonsequential = parameters.get("NONSEQUENTIAL").copied().unwrap_or(0) as u32;
    let kind = Kind::named(&core.timing).expect("a timing model");
    let unmerged = if case.unmerged { vec![(0, u32::MAX)] } else { vec![] };
    let surroundings = Surroundings { flash: case.flash, nonsequential, unmerged };
    model(kind, architecture, &table, surroundings).expect("known rules")
}

fn run(core: &Core, case: &Case) -> (u64, BTreeSet<&'static str>) {
    let version = Version::named(&core.isa).expect("a version");
    let vector = case.parameters.get("FPU").is_some_and(|&on| on != 0);
    let architecture = Architecture { version, vector };
    let arm = Arm::new(architecture);
    let mut cells = vec![0; usize::from(cells::COUNT + arm.temporaries())];
    let mut memory = Memory { code: case.code.clone(), ..Memory::default() };
    for (slot, value) in arm.reset() {
        cells[usize::from(slot.0)] = value;
    }
    for (name, value) in &case.set {
        let value = case.number(value);
        match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(address) => {
                memory.words.insert(case.number(address) as u32, value as u32);
            }
            None => cells[cell(name)] = value,
        }
    }
    let thumb = case.thumb || version.is_m();
    let mode = if version.is_m() { 0 } else { 0x13 };
    let mut place = (BASE, State { thumb, mode, ..State::default() }.number());
    let timing = timing(core, case, architecture);
    let (instruction_lines, data_lines) = Default::default();
    let (cycles, pending, met) = (0, 0, BTreeSet::new());
    let mut run = Run {
        case,
        arm,
        timing,
        cells,
        memory,
        instruction_lines,
        data_lines,
        cycles,
        pending,
        met,
    };
    for _ in 0..LONGEST {
        if place.0 == case.end() {
            return (run.cycles, run.met);
        }
        place = run.block(place);
    }
    panic!("{}: it does not end", case.name)
}

/// Runs all sequences of a core, in blocks as long as can be and of one instruction, and compares their
/// cycles with those counted by hand.
fn check(name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../devices/cores");
    let core = Core::load(&folder.join(format!("{name}.toml"))).expect("a core");
    let cases = cases(name);
    assert!(cases.len() >= 40, "{name} has {} sequences", cases.len());
    let cut = cases.iter().map(|case| Case { cut: true, ..case.clone() });
    let all: Vec<_> = cases.iter().cloned().chain(cut).collect();
    let mut met = BTreeSet::new();
    let mut cycles = |case| {
        let (cycles, classes) = run(&core, case);
        met.extend(classes);
        cycles
    };
    let wrong: Vec<_> = all
        .iter()
        .map(|case| (case, cycles(case)))
        .filter(|(case, cycles)| case.cycles != *cycles)
        .map(|(case, cycles)| {
            let cut = if case.cut { " (in blocks of one instruction)" } else { "" };
            format!("{}{cut}: {cycles}, but {} by hand", case.name, case.cycles)
        })
        .collect();
    let classes = core.classes.keys().map(String::as_str).filter(|class| !LEFT_OUT.contains(class));
    let unmet: Vec<_> = classes.filter(|class| !met.contains(class)).collect();
    assert!(unmet.is_empty(), "{name} has no sequence with {unmet:?}");
    assert!(wrong.is_empty(), "{name}: {} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn cortex_m0() {
    check("cortex-m0");
}

#[test]
fn cortex_m0plus() {
    check("cortex-m0plus");
}

#[test]
fn cortex_m3() {
    check("cortex-m3");
}

#[test]
fn cortex_m4() {
    check("cortex-m4");
}

#[test]
fn arm7tdmi() {
    check("arm7tdmi");
}

#[test]
fn arm926ej_s() {
    check("arm926ej-s");
}

#[test]
fn sa1110() {
    check("sa1110");
}

/// The names of sequences in the documentation: the last column of a core's tables.
fn documented(text: &str) -> Vec<(String, String)> {
    let mut core = String::new();
    let mut names = vec![];
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.split('`').nth(1).unwrap_or_default().clone_into(&mut core);
        }
        let Some(row) = line.strip_prefix("| ").filter(|_| !core.is_empty()) else { continue };
        let last = row.trim_end_matches('|').rsplit(" | ").next().expect("a column");
        if last.trim() != "sequence" {
            let each = last.split(';').map(str::trim).filter(|name| !name.is_empty());
            names.extend(each.map(|name| (core.clone(), name.to_owned())));
        }
    }
    names
}

#[test]
fn the_documentation_names_all_sequences() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/timing-arm.md");
    let text = fs::read_to_string(path).expect("the documentation");
    let all = documented(&text);
    let mut wrong = vec![];
    for core in
        ["cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m4", "arm7tdmi", "arm926ej-s", "sa1110"]
    {
        let known: BTreeSet<_> = cases(core).into_iter().map(|case| case.name).collect();
        // Cortex-M3 has the rules of Cortex-M4, and its sequences.
        let shared = |of: &str| of == core || (core == "cortex-m3" && of == "cortex-m4");
        let named: BTreeSet<_> =
            all.iter().filter(|(of, _)| shared(of)).map(|(_, name)| name.clone()).collect();
        wrong.extend(known.difference(&named).map(|name| format!("{core}: {name} is not named")));
        let own = all.iter().filter(|(of, name)| of == core && !known.contains(name));
        wrong.extend(own.map(|(_, name)| format!("{core}: there is no {name}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
