//! Runs a design that is divided into units: one after the other, each interpreted or as machine code.
//!
//! Values that several units compute are handed on in the slots of nets. A cycle in which a signal reads past an
//! end that perhaps nobody asks for is left to the simulator, which computes only what is needed; nothing
//! of it is done then.

mod emit;
mod families;

use std::ops::Range;
use std::sync::Arc;

use cocrypt_codegen::{Compiler, Effort, Kernel};

use super::code;
use super::compiled::{EXCHANGED, LEFT, PAST, PAST_LEFT, RunOutcome, SETTLED};
use super::divide::{self, Pieces, Unit, Work};
use super::program::{Choice, Program};
use super::{OutOfBounds, commit, store};
use families::Family;

/// Words that units tell one another by, behind those of [`super::compiled`]: whether a register or a
/// memory changed, and whether something was read past its end that perhaps nobody asks for.
pub(super) const CHANGED: u32 = 4;
pub(super) const DOUBT: u32 = 5;

/// Instructions of one function. Compilation takes more than linear time in the length of a function.
const FUNCTION: usize = 4000;

/// A design in units.
#[derive(Debug)]
pub(super) struct Divided {
    units: Arc<Vec<Unit>>,
    /// The units in the order of a cycle, those before the clock edge first.
    segments: Vec<Segment>,
    /// The number of segments before the clock edge.
    values: usize,
    /// Machine code of all segments, which runs cycle after cycle, where they are short enough for one function.
    cycles: Option<Kernel>,
    /// Scopes that this machine code evaluates in lanes of the host's vectors.
    pub in_lanes: usize,
    exchange: usize,
    controllers: usize,
    /// Instructions that were compiled.
    pub size: usize,
}

/// Units that one function runs, or some pieces of one.
#[derive(Debug)]
struct Segment {
    units: Range<usize>,
    /// The controller and the pieces of the unit that it is about, if not about all of them.
    only: Option<(usize, Range<usize>)>,
    /// Machine code, where there is.
    kernel: Option<Kernel>,
}

impl Divided {
    /// Divides a design; nothing where that cannot be done, see [`divide::divide`].
    pub fn new(program: &Program) -> Option<Self> {
        let units = divide::divide(program, false)?;
        let mut segments = vec![];
        for (at, unit) in units.iter().enumerate() {
            add_segments(&mut segments, &units, at, unit);
        }
        let is_edge = |segment: &Segment| is_edge(&units[segment.units.start]);
        let values = segments.iter().position(is_edge).unwrap_or(segments.len());
        Some(Self {
            units: Arc::new(units),
            segments,
            values,
            cycles: None,
            in_lanes: 0,
            exchange: program.layout.exchange as usize,
            controllers: program.controllers.len(),
            size: 0,
        })
    }

    /// The same with machine code for as many instructions as there is room for. Nothing where the host
    /// cannot run it.
    pub fn compiled(&self, program: &Program, room: usize) -> Option<Self> {
        let mut compiler = Compiler::new(Effort::Good).ok()?;
        let cycles = self.compiled_cycles(program, room, &mut compiler);
        let (cycles, in_lanes, mut size) = match cycles {
            Some((cycles, in_lanes, size)) => (Some(cycles), in_lanes, size),
            None => (None, 0, 0),
        };
        let mut segments = vec![];
        for segment in &self.segments {
            let length = self.length(segment);
            let units = &self.units[segment.units.clone()];
            // What runs in the function of whole cycles needs none of its own.
            let fits =
                cycles.is_none() && size + length <= room && units.iter().all(Unit::is_compilable);
            let kernel = if fits {
                size += length;
                let words = program.layout.initial.len();
                let pieces = segment.only.as_ref().map(|(_, pieces)| pieces.clone());
                Kernel::new(&mut compiler, words, |builder, _| {
                    emit::units(program, builder, units, pieces.as_ref());
                })
                .ok()
            } else {
                None
            };
            let (units, only) = (segment.units.clone(), segment.only.clone());
            segments.push(Segment { units, only, kernel });
        }
        let units = Arc::clone(&self.units);
        let Self { values, exchange, controllers, .. } = *self;
        Some(Self { units, segments, values, cycles, in_lanes, exchange, controllers, size })
    }

    /// One function of all units, with the scopes that it evaluates in lanes and the number of its instructions, if
    /// these are few enough; nothing if not.
    fn compiled_cycles(
        &self,
        program: &Program,
        room: usize,
        compiler: &mut Compiler,
    ) -> Option<(Kernel, usize, usize)> {
        let units = &self.units[..];
        if !units.iter().all(Unit::is_compilable) {
            return None;
        }
        let eager = divide::divide(program, true).filter(|eager| eager.len() == units.len());
        let eager = eager.unwrap_or_default();
        let families = families::find(program, &eager);
        let words = program.layout.initial.len();
        let mut build = |families: &[Family]| {
            let size = length_in_lanes(units, families);
            if !(1..=FUNCTION.min(room)).contains(&size) {
                return None;
            }
            let kernel = Kernel::new(compiler, words, |builder, _| {
                emit::cycles(program, builder, units, (families, &eager));
            });
            let in_lanes = families.iter().map(|family| family.members).sum();
            Some((kernel.ok()?, in_lanes, size))
        };
        // A host may have no vectors that serve.
        let in_lanes = build(&families);
        if families.is_empty() { in_lanes } else { in_lanes.or_else(|| build(&[])) }
    }

    /// Returns true if there is machine code for anything that there is to do.
    pub fn is_useful(&self) -> bool {
        self.size != 0 || self.segments.is_empty()
    }

    fn length(&self, segment: &Segment) -> usize {
        match &segment.only {
            None => self.units[segment.units.clone()].iter().map(Unit::size).sum(),
            Some((_, pieces)) => match &self.units[segment.units.start].work {
                Work::Values(all) | Work::Edge(all) => {
                    all.pieces[pieces.clone()].iter().map(|piece| piece.size() + 1).sum()
                }
                Work::Choose(_) => 0,
            },
        }
    }

    /// Runs so many cycles at most; nothing where the first of them is one for the simulator.
    pub fn run(
        &self,
        program: &Program,
        arena: &mut [u64],
        states: &mut [u32],
        cycles: u64,
    ) -> Option<RunOutcome> {
        let word = |word: u32| self.exchange + word as usize;
        let first = self.exchange + EXCHANGED;
        arena[word(PAST)] = 0;
        for (at, state) in states.iter().enumerate() {
            arena[first + at] = u64::from(*state);
            // A controller without a choice stays where it is.
            arena[first + self.controllers + at] = 0;
            arena[first + 2 * self.controllers + at] = u64::from(*state);
        }
        let (left, settled) = match &self.cycles {
            Some(kernel) => self.run_cycles(kernel, arena, cycles),
            None => self.run_segments(program, arena, cycles),
        };
        if left == cycles {
            return None;
        }
        for (at, state) in states.iter_mut().enumerate() {
            *state = arena[first + at] as u32;
        }
        let past = arena[word(PAST)].checked_sub(1);
        let past = past.map(|past| (past as usize, arena[word(PAST_LEFT)]));
        Some(RunOutcome { left, settled, past })
    }

    /// Runs cycles in the function of all segments; how many are left, and whether nothing changes any more.
    fn run_cycles(&self, kernel: &Kernel, arena: &mut [u64], cycles: u64) -> (u64, bool) {
        let [left, settled, doubt] =
            [LEFT, SETTLED, DOUBT].map(|word| self.exchange + word as usize);
        (arena[left], arena[settled], arena[doubt]) = (cycles, 0, 0);
        let _ = kernel.call(arena, 0);
        (arena[left], arena[settled] != 0)
    }

    /// The same, segment by segment.
    fn run_segments(&self, program: &Program, arena: &mut [u64], cycles: u64) -> (u64, bool) {
        let word = |word: u32| self.exchange + word as usize;
        let first = self.exchange + EXCHANGED;
        let (mut left, mut settled) = (cycles, false);
        while left != 0 && !settled {
            arena[word(LEFT)] = left;
            arena[word(CHANGED)] = 0;
            arena[word(DOUBT)] = 0;
            self.segments(program, arena, 0..self.values);
            if arena[word(DOUBT)] != 0 {
                break;
            }
            self.segments(program, arena, self.values..self.segments.len());
            let mut changed = arena[word(CHANGED)] != 0;
            for at in first..first + self.controllers {
                let next = arena[at + 2 * self.controllers];
                changed |= arena[at] != next;
                arena[at] = next;
            }
            left -= 1;
            settled = !changed;
        }
        (left, settled)
    }

    fn segments(&self, program: &Program, arena: &mut [u64], range: Range<usize>) {
        for segment in &self.segments[range] {
            if let Some((controller, pieces)) = &segment.only {
                let unit = &self.units[segment.units.start];
                let piece = self.piece(arena, *controller, unit);
                if !pieces.contains(&piece) {
                    continue;
                }
            }
            match &segment.kernel {
                Some(kernel) => {
                    let _ = kernel.call(arena, 0);
                }
                None => {
                    for unit in &self.units[segment.units.clone()] {
                        self.interpret(program, arena, unit);
                    }
                }
            }
        }
    }

    /// The number of the piece that a unit runs in this cycle.
    fn piece(&self, arena: &[u64], controller: usize, unit: &Unit) -> usize {
        let step = arena[self.exchange + EXCHANGED + self.controllers + controller] as usize;
        match &unit.work {
            Work::Values(pieces) | Work::Edge(pieces) => {
                pieces.of_step.get(step).copied().unwrap_or(0)
            }
            Work::Choose(_) => 0,
        }
    }

    fn interpret(&self, program: &Program, arena: &mut [u64], unit: &Unit) {
        let at = unit.controller.map_or(0, |controller| self.piece(arena, controller, unit));
        match &unit.work {
            Work::Choose(choices) => {
                let Some(controller) = unit.controller else { return };
                self.choose(program, arena, controller, choices);
            }
            Work::Values(pieces) => {
                let piece = &pieces.pieces[at];
                let past = code::run(&piece.code, arena, &program.tables);
                if piece.looped || past.is_some() {
                    arena[self.exchange + DOUBT as usize] = 1;
                }
                commit(piece, arena);
            }
            Work::Edge(pieces) => self.edge(program, arena, &pieces.pieces[at]),
        }
    }

    fn edge(&self, program: &Program, arena: &mut [u64], piece: &super::plan::Piece) {
        let word = |word: u32| self.exchange + word as usize;
        let read = code::run(&piece.code, arena, &program.tables);
        let (stored, written) = store(piece, arena, &program.tables);
        let changed = commit(piece, arena) | stored;
        arena[word(CHANGED)] |= u64::from(changed);
        if let Some(past) = read.or(written).filter(|_| arena[word(PAST)] == 0) {
            let number = match past {
                OutOfBounds::Table(table) => table,
                OutOfBounds::Memory(memory) => program.tables.lookups.len() + memory,
            };
            (arena[word(PAST)], arena[word(PAST_LEFT)]) = (number as u64 + 1, arena[word(LEFT)]);
        }
    }

    fn choose(&self, program: &Program, arena: &mut [u64], controller: usize, choices: &[Choice]) {
        let state = self.exchange + EXCHANGED + controller;
        let states = &program.controllers[controller].states;
        let mut choice = states[arena[state] as usize];
        loop {
            match &choices[choice] {
                Choice::Go { step, next } => {
                    arena[state + self.controllers] = u64::from(*step);
                    arena[state + 2 * self.controllers] = u64::from(*next);
                    return;
                }
                Choice::If { code, slot, yes, no, .. } => {
                    code::run(code, arena, &program.tables);
                    choice = if arena[*slot as usize] != 0 { *yes } else { *no };
                }
            }
        }
    }
}

/// Instructions of all units, where some are evaluated in lanes.
fn length_in_lanes(units: &[Unit], families: &[Family]) -> usize {
    let all: usize = units.iter().map(Unit::size).sum();
    let spared = families.iter().flat_map(|family| {
        let spared = family.members - family.vectors();
        family.units.iter().map(move |places| spared * units[places[0]].size())
    });
    all.saturating_sub(spared.sum())
}

fn is_edge(unit: &Unit) -> bool {
    matches!(unit.work, Work::Edge(_))
}

/// Adds a unit to the last segment while that is short; one that is long alone gets several.
fn add_segments(segments: &mut Vec<Segment>, units: &[Unit], at: usize, unit: &Unit) {
    let length = unit.size();
    if let (Some(controller), Work::Values(pieces) | Work::Edge(pieces)) =
        (unit.controller, &unit.work)
        && length > FUNCTION
    {
        let only = |range| Some((controller, range));
        let ranges = ranges(pieces).into_iter();
        let segment = |range| Segment { units: at..at + 1, only: only(range), kernel: None };
        segments.extend(ranges.map(segment));
        return;
    }
    if let Some(last) = segments.last_mut() {
        let so_far: usize = units[last.units.clone()].iter().map(Unit::size).sum();
        let alike = is_edge(&units[last.units.start]) == is_edge(unit);
        let compilable = units[last.units.start].is_compilable() == unit.is_compilable();
        if last.only.is_none() && alike && compilable && so_far + length <= FUNCTION {
            last.units.end = at + 1;
            return;
        }
    }
    segments.push(Segment { units: at..at + 1, only: None, kernel: None });
}

/// Ranges of pieces that are short enough for one function.
fn ranges(pieces: &Pieces) -> Vec<Range<usize>> {
    let (mut ranges, mut start, mut length) = (vec![], 0, 0);
    for (at, piece) in pieces.pieces.iter().enumerate() {
        if length > 0 && length + piece.size() > FUNCTION {
            ranges.push(start..at);
            (start, length) = (at, 0);
        }
        length += piece.size() + 1;
    }
    ranges.push(start..pieces.pieces.len());
    ranges
}
