//! Families of scopes as operations on the host's vectors.
//!
//! Their registers are in vectors of the function's own while it runs: a vector for each register of as many scopes
//! as it has lanes. Steps are told apart by masks, and all of them are computed.

use std::collections::BTreeSet;

use cocrypt_codegen::{Comparison, Lanes, Vectors, Word};
use rustc_hash::FxHashMap;

use super::Writer;
use super::values::{LaneBuilder, Value};
use crate::sim::code::{Code, Instr};
use crate::sim::compiled::emit::InLanes;
use crate::sim::divide::{Pieces, Unit, Work};
use crate::sim::divided::families::{Family, computed_commits, copies, operands};
use crate::sim::plan::{Commit, Piece};
use crate::sim::program::Choice;

/// The families of a design, and what is known of their present cycle.
#[derive(Default)]
pub(super) struct Families<'a> {
    members: &'a [Family],
    /// Eager units.
    units: &'a [Unit],
    vectors: Option<Vectors>,
    /// Of each family: its first vector.
    first: Vec<u32>,
    /// Of units: the family, and the number of the unit in it.
    of_unit: FxHashMap<usize, (usize, usize)>,
    /// Of some scopes of a family: when each choice is made.
    predicates: FxHashMap<Part, Predicates>,
    /// Vectors that were loaded before the clock edge writes them.
    saved: FxHashMap<u32, Lanes>,
}

/// A family, and one of the vectors that hold its scopes.
type Part = (usize, usize);

/// When a controller makes each of its choices: always where nothing is noted.
type Predicates = Vec<Option<Lanes>>;

/// Nets or registers, where each lane has its own, and their value of each piece that gives one.
type Given = (Vec<u32>, Vec<(usize, Value)>);

/// Scopes in which something happens.
#[derive(Clone, Copy)]
enum Activity {
    Never,
    Always,
    Sometimes(Lanes),
}

/// The origin of a lane's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Number(u64),
    Word(u32),
    /// A lane of a vector, by its position among those that are needed.
    Lane(usize, usize),
}

impl<'a> Families<'a> {
    pub fn new(families: &'a [Family], units: &'a [Unit]) -> Self {
        let (mut first, mut next, mut of_unit) = (vec![], 0, FxHashMap::default());
        for (number, family) in families.iter().enumerate() {
            first.push(next);
            next += (family.vectors() * (family.registers.len() + 1)) as u32;
            for (unit, places) in family.units.iter().enumerate() {
                of_unit.extend(places.iter().map(|place| (*place, (number, unit))));
            }
        }
        Self { members: families, units, first, of_unit, ..Self::default() }
    }

    fn count(&self) -> u32 {
        let count = |family: &Family| (family.vectors() * (family.registers.len() + 1)) as u32;
        self.members.iter().map(count).sum()
    }

    /// The vector of a register; behind all registers, of the state.
    fn vector(&self, (family, vector): Part, register: usize) -> u32 {
        self.first[family] + (register * self.members[family].vectors() + vector) as u32
    }

    /// The scopes that a vector belongs to.
    fn part(&self, at: u32) -> Part {
        let family = self.first.iter().rposition(|first| *first <= at).unwrap_or(0);
        (family, (at - self.first[family]) as usize % self.members[family].vectors())
    }

    fn parts(&self) -> Vec<Part> {
        let families = self.members.iter().enumerate();
        families
            .flat_map(|(at, family)| (0..family.vectors()).map(move |vector| (at, vector)))
            .collect()
    }
}

impl Writer<'_, '_, '_, '_> {
    /// Brings the registers of all families into vectors.
    pub(super) fn gather_families(&mut self) {
        if self.families.members.is_empty() {
            return;
        }
        let vectors = self.builder.vectors(self.families.count());
        self.families.vectors = Some(vectors);
        for (place, in_lanes) in self.places() {
            let InLanes::Stored { width, at, lane, is_mask, .. } = in_lanes else { continue };
            let mut word = self.builder.load(place);
            if is_mask {
                word = self.builder.negate(word);
            }
            self.builder.store_lane(width, vectors, at, lane, word);
            self.known.in_lanes.entry(place).or_insert(in_lanes);
        }
    }

    /// Brings the registers of all families back.
    pub(super) fn scatter_families(&mut self) {
        for (place, in_lanes) in self.places() {
            let word = in_lanes.word(self.builder);
            self.builder.store(place, word);
        }
    }

    /// The words of registers and states, with the lanes that they have; that of a last member comes several times if
    /// it fills lanes.
    fn places(&self) -> Vec<(u32, InLanes)> {
        let Some(vectors) = self.families.vectors else { return vec![] };
        let mut places = vec![];
        for part in self.families.parts() {
            let family = &self.families.members[part.0];
            let width = family.width;
            for (lane, member) in family.members_in(part.1).into_iter().enumerate() {
                for (number, (bound, registers)) in family.registers.iter().enumerate() {
                    let (at, is_mask) = (self.families.vector(part, number), *bound == 1);
                    let stored = InLanes::Stored { vectors, width, at, lane, is_mask };
                    places.push((registers[member], stored));
                }
                if let Some(controller) = self.controller(part.0, member) {
                    let at = self.families.vector(part, family.registers.len());
                    let is_mask = self.program.controllers[controller].states.len() == 2;
                    let stored = InLanes::Stored { vectors, width, at, lane, is_mask };
                    places.push((self.word_of(controller, 0), stored));
                }
            }
        }
        places
    }

    /// The controller of a member.
    fn controller(&self, family: usize, member: usize) -> Option<usize> {
        let mut units = self.families.members[family].units.iter();
        units.find_map(|unit| self.families.units[unit[member]].controller)
    }

    /// Returns true if a unit is evaluated together with others; evaluates them where it is the first.
    pub(super) fn family_unit(&mut self, at: usize) -> bool {
        let Some(&(family, number)) = self.families.of_unit.get(&at) else { return false };
        let described = &self.families.members[family];
        let units = self.families.units;
        if described.units[number][0] == at && matches!(units[at].work, Work::Values(_)) {
            self.family_values(family, number);
        }
        true
    }

    fn family_values(&mut self, family: usize, number: usize) {
        let described = &self.families.members[family];
        let units = self.families.units;
        for at in &described.units[number] {
            if let Some(piece) = copies(&units[*at]) {
                self.copy(piece);
            }
        }
        for vector in 0..described.vectors() {
            let mut lanes = LaneWriter::new(self, (family, vector));
            let values = lanes.values(number);
            let width = described.width;
            for (number, value) in values {
                let is_mask = matches!(value, Value::Mask(_));
                let computed = match value {
                    Value::Mask(lanes) => lanes,
                    _ => LaneBuilder { builder: self.builder, width }.bits(&value),
                };
                for (lane, place) in number.into_iter().enumerate() {
                    let in_lanes = InLanes::Computed { lanes: computed, width, lane, is_mask };
                    self.known.in_lanes.entry(place).or_insert(in_lanes);
                }
            }
        }
    }

    /// The clock edge of all families, those first whose registers no others read.
    pub(super) fn family_edges(&mut self) {
        let mut left = self.families.parts();
        let reads: FxHashMap<Part, BTreeSet<u32>> =
            left.iter().map(|part| (*part, self.reads(*part))).collect();
        while !left.is_empty() {
            let asked = |part: &Part| -> Vec<u32> {
                let others = left.iter().filter(|other| *other != part);
                let read = others.flat_map(|other| &reads[other]).copied();
                read.filter(|at| self.families.part(*at) == *part).collect()
            };
            let free = left.iter().rposition(|part| asked(part).is_empty());
            let chosen = free.unwrap_or(left.len() - 1);
            let asked = asked(&left[chosen]);
            let part = left.remove(chosen);
            let width = self.families.members[part.0].width;
            for at in asked {
                if let Some(vectors) = self.families.vectors {
                    let lanes = self.builder.load_lanes(width, vectors, at);
                    self.families.saved.entry(at).or_insert(lanes);
                }
            }
            self.family_edge(part);
        }
    }

    /// The vectors that some scopes read, but for their own.
    fn reads(&self, part: Part) -> BTreeSet<u32> {
        let family = &self.families.members[part.0];
        let mut reads = BTreeSet::new();
        for member in family.members_in(part.1) {
            for unit in &family.units {
                for place in places_read(&self.families.units[unit[member]]) {
                    let origin = self.known.origin(place);
                    if let Some(InLanes::Stored { at, .. }) = self.known.in_lanes.get(&origin) {
                        reads.insert(*at);
                    }
                }
            }
        }
        reads.retain(|at| self.families.part(*at) != part);
        reads
    }

    fn family_edge(&mut self, part: Part) {
        let (Some(vectors), width) = (self.families.vectors, self.families.members[part.0].width)
        else {
            return;
        };
        let next = LaneWriter::new(self, part).edge();
        let so_far = self.changed();
        let [asks, on] = [self.builder.label(), self.builder.label()];
        self.builder.branch(so_far, on, asks);
        self.builder.place(asks);
        let mut changed = None;
        for (at, value) in &next {
            let before = self.builder.load_lanes(width, vectors, *at);
            let differs = self.builder.xor_lanes(before, *value);
            changed = Some(match changed {
                None => differs,
                Some(others) => self.builder.or_lanes(others, differs),
            });
        }
        let changed = match changed {
            Some(lanes) => self.builder.any_lane(lanes),
            None => so_far,
        };
        self.set_changed(changed);
        self.builder.jump(on);
        self.builder.place(on);
        for (at, value) in next {
            self.builder.store_lanes(vectors, at, value);
        }
    }
}

/// All places that a unit reads, results of its own among them.
fn places_read(unit: &Unit) -> Vec<u32> {
    let of_code =
        |code: &[Instr]| -> Vec<u32> { code.iter().filter_map(operands).flatten().collect() };
    match &unit.work {
        Work::Choose(choices) => choices
            .iter()
            .flat_map(|choice| match choice {
                Choice::If { code, slot, .. } => [of_code(code), vec![*slot]].concat(),
                Choice::Go { .. } => vec![],
            })
            .collect(),
        Work::Values(pieces) | Work::Edge(pieces) => pieces
            .pieces
            .iter()
            .flat_map(|piece| {
                let taken = piece.commits.iter().map(|commit| commit.from);
                of_code(&piece.code).into_iter().chain(taken)
            })
            .collect(),
    }
}

/// Writes the code of some scopes of a family.
struct LaneWriter<'w, 'a, 'b, 'c, 'f> {
    writer: &'w mut Writer<'a, 'b, 'c, 'f>,
    family: &'a Family,
    part: Part,
    members: Vec<usize>,
    /// Vectors that were loaded.
    loaded: FxHashMap<u32, Lanes>,
    /// Results of the present piece, by the place that they have in the first scope.
    results: FxHashMap<u32, Value>,
    /// When the choices of a set are made, by the transitions that it has.
    activities: FxHashMap<Vec<bool>, Activity>,
}

impl<'w, 'a, 'b, 'c, 'f> LaneWriter<'w, 'a, 'b, 'c, 'f> {
    fn new(writer: &'w mut Writer<'a, 'b, 'c, 'f>, part: Part) -> Self {
        let family = &writer.families.members[part.0];
        let members = family.members_in(part.1);
        let (loaded, results) = (FxHashMap::default(), FxHashMap::default());
        let activities = FxHashMap::default();
        Self { writer, family, part, members, loaded, results, activities }
    }

    fn builder(&mut self) -> LaneBuilder<'_, 'c, 'f> {
        LaneBuilder { builder: self.writer.builder, width: self.family.width }
    }

    /// A unit of the scope in each lane.
    fn units(&self, number: usize) -> Vec<&'a Unit> {
        let units = self.writer.families.units;
        self.members.iter().map(|member| &units[self.family.units[number][*member]]).collect()
    }

    /// The nets that a unit computes: where each is, and its values.
    fn values(&mut self, number: usize) -> Vec<(Vec<u32>, Value)> {
        let units = self.units(number);
        let pieces: Vec<&Pieces> = units.iter().filter_map(|unit| pieces_of(unit)).collect();
        let given = self.given(&pieces, |piece| match copies(units[0]) {
            Some(_) => computed_commits(piece),
            None => piece.commits.clone(),
        });
        let zero = Value::Numbers(vec![0; self.members.len()]);
        given
            .into_iter()
            .map(|(places, values)| {
                let is_bit = self.writer.is_bit(places[0]);
                let value = self.taken(&pieces, &values, &zero, is_bit);
                (places, value)
            })
            .collect()
    }

    /// The vectors that take values at the clock edge.
    fn edge(&mut self) -> Vec<(u32, Lanes)> {
        let mut next = vec![];
        for number in 0..self.family.units.len() {
            let units = self.units(number);
            if !matches!(units[0].work, Work::Edge(_)) {
                continue;
            }
            let pieces: Vec<&Pieces> = units.iter().filter_map(|unit| pieces_of(unit)).collect();
            for (places, values) in self.given(&pieces, |piece| piece.commits.clone()) {
                let member = self.members[0];
                let sought = |register: &(u64, Vec<u32>)| register.1[member] == places[0];
                let Some(number) = self.family.registers.iter().position(sought) else { continue };
                let is_bit = self.family.registers[number].0 == 1;
                let at = self.writer.families.vector(self.part, number);
                let before = self.register(number);
                let value = self.taken(&pieces, &values, &before, is_bit);
                next.push((at, self.lanes(&value, is_bit)));
            }
        }
        next.extend(self.next_state());
        next
    }

    /// A value in the form that it is kept in.
    fn lanes(&mut self, value: &Value, is_bit: bool) -> Lanes {
        let mut builder = self.builder();
        if is_bit { builder.condition(value) } else { builder.bits(value) }
    }

    /// What each piece gives to nets or registers: where each is, and its value of each piece that gives one.
    fn given(&mut self, pieces: &[&Pieces], commits: impl Fn(&Piece) -> Vec<Commit>) -> Vec<Given> {
        let mut given: Vec<Given> = vec![];
        for at in 0..pieces[0].pieces.len() {
            let codes: Vec<&[Instr]> =
                pieces.iter().map(|pieces| &pieces.pieces[at].code[..]).collect();
            self.code(&codes);
            let commits: Vec<Vec<Commit>> =
                pieces.iter().map(|pieces| commits(&pieces.pieces[at])).collect();
            for number in 0..commits[0].len() {
                let places = commits.iter().map(|commits| commits[number].register).collect();
                let from: Vec<u32> = commits.iter().map(|commits| commits[number].from).collect();
                let value = self.operand(&from);
                match given.iter_mut().find(|(known, _)| *known == places) {
                    Some((_, values)) => values.push((at, value)),
                    None => given.push((places, vec![(at, value)])),
                }
            }
        }
        given
    }

    /// What a net or a register takes, given its value of each piece; pieces that give none keep what it had.
    fn taken(
        &mut self,
        pieces: &[&Pieces],
        given: &[(usize, Value)],
        before: &Value,
        is_bit: bool,
    ) -> Value {
        let count = pieces[0].pieces.len();
        let mut classes: Vec<(Value, Vec<bool>)> = vec![];
        for at in 0..count {
            let value = given.iter().rev().find(|(piece, _)| *piece == at);
            let value = value.map_or(before, |(_, value)| value);
            let class = classes.iter().position(|(known, _)| known == value);
            let class = class.unwrap_or_else(|| {
                classes.push((value.clone(), vec![false; count]));
                classes.len() - 1
            });
            classes[class].1[at] = true;
        }
        if classes.len() == 1 {
            return classes.remove(0).0;
        }
        let mut taken: Option<Lanes> = None;
        for (value, of) in classes.into_iter().filter(|(value, _)| !value.is_zero()) {
            let of_step = &pieces[0].of_step;
            let mask = match self.active(&|step, _| of[of_step[step as usize]]) {
                Activity::Never => continue,
                Activity::Always => return value,
                Activity::Sometimes(mask) => mask,
            };
            let lanes = self.lanes(&value, is_bit);
            let term = self.writer.builder.and_lanes(lanes, mask);
            taken = Some(match taken {
                None => term,
                Some(others) => self.writer.builder.or_lanes(others, term),
            });
        }
        match taken {
            None => Value::Numbers(vec![0; self.members.len()]),
            Some(lanes) if is_bit => Value::Mask(lanes),
            Some(lanes) => Value::Bits(lanes, u64::MAX),
        }
    }

    /// A register's present value.
    fn register(&mut self, number: usize) -> Value {
        let at = self.writer.families.vector(self.part, number);
        let (bound, lanes) = (self.family.registers[number].0, self.vector(at));
        if bound == 1 { Value::Mask(lanes) } else { Value::Bits(lanes, bound) }
    }

    /// A vector as it was before the clock edge.
    fn vector(&mut self, at: u32) -> Lanes {
        let Writer { families, builder, .. } = &mut *self.writer;
        if let Some(saved) = families.saved.get(&at) {
            return *saved;
        }
        let (width, vectors) = (self.family.width, families.vectors);
        *self.loaded.entry(at).or_insert_with(|| {
            let vectors = vectors.unwrap_or_else(|| builder.vectors(at + 1));
            builder.load_lanes(width, vectors, at)
        })
    }

    /// Evaluates code, of which each lane has its own operands.
    fn code(&mut self, codes: &[&[Instr]]) {
        self.results.clear();
        for (number, instr) in codes[0].iter().enumerate() {
            let of_lanes: Vec<Vec<u32>> =
                codes.iter().filter_map(|code| operands(&code[number])).collect();
            let values: Vec<Value> = (0..of_lanes[0].len())
                .map(|at| {
                    let places: Vec<u32> = of_lanes.iter().map(|places| places[at]).collect();
                    self.operand(&places)
                })
                .collect();
            let amount = self.writer.program.layout.constants.get(&instr.b).copied();
            let amount = amount.filter(|_| is_shift(instr)).unwrap_or(0);
            let result = self.builder().instruction(instr, &values, amount);
            self.results.insert(instr.to, result);
        }
    }

    /// The value whose places in all lanes these are.
    fn operand(&mut self, places: &[u32]) -> Value {
        if let Some(result) = self.results.get(&places[0]) {
            return result.clone();
        }
        let Writer { known, program, .. } = &*self.writer;
        let origins: Vec<u32> = places.iter().map(|place| known.origin(*place)).collect();
        let numbers = origins.iter().map(|origin| program.layout.constants.get(origin).copied());
        match numbers.collect::<Option<Vec<u64>>>() {
            Some(numbers) => Value::Numbers(numbers),
            None => self.gathered(&origins),
        }
    }

    /// Values from other lanes, words and numbers.
    fn gathered(&mut self, origins: &[u32]) -> Value {
        let (mut sources, mut picks) = (vec![], vec![]);
        let mut is_mask = true;
        for origin in origins {
            let Writer { known, program, .. } = &*self.writer;
            let number = program.layout.constants.get(origin).copied();
            let in_lanes = known.in_lanes.get(origin).filter(|at| at.width() == self.family.width);
            let is_bit = self.writer.is_bit(*origin);
            let (pick, is_truth) = match (number, in_lanes) {
                (Some(number), _) => (Pick::Number(number), number <= 1),
                (None, Some(in_lanes)) => {
                    let source = in_lanes.in_lane(0);
                    let known = sources.iter().position(|known| *known == source);
                    let known = known.unwrap_or(sources.len());
                    if known == sources.len() {
                        sources.push(source);
                    }
                    (Pick::Lane(known, in_lanes.lane()), source.is_mask())
                }
                (None, None) => (Pick::Word(*origin), is_bit),
            };
            is_mask &= is_truth;
            picks.push(pick);
        }
        let sources: Vec<Lanes> =
            sources.into_iter().map(|source| self.source(source, is_mask)).collect();
        let lanes = self.picked(&sources, &picks, is_mask);
        if is_mask { Value::Mask(lanes) } else { Value::Bits(lanes, self.bound(origins)) }
    }

    /// The bits that can be set in nets.
    fn bound(&self, places: &[u32]) -> u64 {
        let layout = &self.writer.program.layout;
        let bound =
            |place: &u32| layout.constants.get(place).or_else(|| layout.masks.get(place)).copied();
        places.iter().map(|place| bound(place).unwrap_or(u64::MAX)).fold(0, |all, one| all | one)
    }

    /// A vector whose lanes are needed, as truth or as numbers.
    fn source(&mut self, source: InLanes, as_mask: bool) -> Lanes {
        let lanes = match source {
            InLanes::Computed { lanes, .. } => lanes,
            InLanes::Stored { at, .. } => self.vector(at),
        };
        if source.is_mask() && !as_mask {
            return self.builder().bits(&Value::Mask(lanes));
        }
        lanes
    }

    /// A vector of lanes of others, words and numbers.
    fn picked(&mut self, sources: &[Lanes], picks: &[Pick], is_mask: bool) -> Lanes {
        let width = self.family.width;
        if let (Pick::Word(place), []) = (picks[0], sources)
            && picks.iter().all(|pick| *pick == picks[0])
        {
            let word = self.word(place, is_mask);
            return self.writer.builder.in_all_lanes(width, word);
        }
        let factor = if is_mask { width.mask() } else { 1 };
        let mut lanes = match sources {
            [] => {
                let number = |pick: &Pick| match pick {
                    Pick::Number(number) => number * factor,
                    _ => 0,
                };
                let numbers: Vec<u64> = picks.iter().map(number).collect();
                self.writer.builder.constant_lanes(width, &numbers)
            }
            [first, others @ ..] => self.joined(*first, others, picks),
        };
        for (lane, pick) in picks.iter().enumerate() {
            let word = match pick {
                Pick::Number(number) if !sources.is_empty() => {
                    self.writer.builder.constant(number * factor)
                }
                Pick::Word(place) => self.word(*place, is_mask),
                _ => continue,
            };
            lanes = self.writer.builder.with_lane(width, lanes, lane, word);
        }
        lanes
    }

    fn word(&mut self, place: u32, as_mask: bool) -> Word {
        let word = self.writer.word(place);
        if as_mask { self.writer.builder.negate(word) } else { word }
    }

    /// Lanes of several vectors, each in its place; other lanes may have anything.
    fn joined(&mut self, first: Lanes, others: &[Lanes], picks: &[Pick]) -> Lanes {
        let width = self.family.width;
        let lanes = width.lanes();
        let pick = |source: usize, at: usize| match picks[at] {
            Pick::Lane(from, lane) if from == source => Some(lane),
            _ => None,
        };
        let second = others.first();
        let positions: Vec<usize> = (0..lanes)
            .map(|at| pick(0, at).or_else(|| Some(pick(1, at)? + lanes)).unwrap_or(at))
            .collect();
        let is_as_it_is = positions.iter().enumerate().all(|(at, from)| at == *from);
        let builder = &mut *self.writer.builder;
        let mut joined = match second {
            None if is_as_it_is => first,
            _ => builder.pick_lanes(width, first, *second.unwrap_or(&first), &positions),
        };
        for (number, other) in others.iter().enumerate().skip(1) {
            let position = |at| pick(number + 1, at).map_or(at, |lane| lane + lanes);
            let positions: Vec<usize> = (0..lanes).map(position).collect();
            joined = builder.pick_lanes(width, joined, *other, &positions);
        }
        joined
    }

    /// The vector of the state, and what it takes.
    fn next_state(&mut self) -> Option<(u32, Lanes)> {
        let controller = self.writer.controller(self.part.0, self.members[0])?;
        let states = self.writer.program.controllers[controller].states.len();
        let at = self.writer.families.vector(self.part, self.family.registers.len());
        if states == 1 {
            return None;
        }
        let mut next: Option<Lanes> = None;
        for state in 1..states {
            let mut term = match self.active(&|_, next| next as usize == state) {
                Activity::Never => continue,
                Activity::Always => self.builder().splat(u64::MAX),
                Activity::Sometimes(mask) => mask,
            };
            if states != 2 {
                let number = self.builder().splat(state as u64);
                term = self.writer.builder.and_lanes(term, number);
            }
            next = Some(match next {
                None => term,
                Some(others) => self.writer.builder.or_lanes(others, term),
            });
        }
        let next = next.unwrap_or_else(|| self.builder().splat(0));
        Some((at, next))
    }

    /// The scopes in which a transition is taken that a test, of step and next state, holds for.
    fn active(&mut self, test: &dyn Fn(u32, u32) -> bool) -> Activity {
        let Some((choices, controller)) = self.choices() else { return Activity::Always };
        let held: Vec<bool> = choices
            .iter()
            .map(|choice| match choice {
                Choice::Go { step, next } => test(*step, *next),
                Choice::If { .. } => false,
            })
            .collect();
        if let Some(known) = self.activities.get(&held) {
            return *known;
        }
        self.predict();
        let predicates = self.writer.families.predicates[&self.part].clone();
        let (mut parts, mut is_always) = (vec![], true);
        for start in &self.writer.program.controllers[controller].states {
            is_always &= covered(choices, &held, *start) == Some(true);
            collect(choices, &held, *start, &mut parts);
        }
        let mut active = None;
        for part in parts.into_iter().filter_map(|part| predicates[part]) {
            active = Some(match active {
                None => part,
                Some(others) => self.writer.builder.or_lanes(others, part),
            });
        }
        let known = match active {
            _ if is_always => Activity::Always,
            Some(mask) => Activity::Sometimes(mask),
            None => Activity::Never,
        };
        self.activities.insert(held, known);
        known
    }

    /// The choices of the first scope's controller, and the controller.
    fn choices(&self) -> Option<(&'a [Choice], usize)> {
        let units = self.writer.families.units;
        self.family.units.iter().find_map(|unit| {
            let unit = &units[unit[self.members[0]]];
            match &unit.work {
                Work::Choose(choices) => Some((&choices[..], unit.controller?)),
                _ => None,
            }
        })
    }

    /// Computes when each choice is made, unless that is known.
    fn predict(&mut self) {
        if self.writer.families.predicates.contains_key(&self.part) {
            return;
        }
        let Some((choices, controller)) = self.choices() else { return };
        let mut predicates = vec![None; choices.len()];
        let starts = &self.writer.program.controllers[controller].states;
        let at = self.writer.families.vector(self.part, self.family.registers.len());
        let mut stack = vec![];
        for (state, start) in starts.iter().enumerate() {
            predicates[*start] = match starts.len() {
                1 => None,
                2 if state == 1 => Some(self.vector(at)),
                2 => {
                    let second = self.vector(at);
                    Some(self.writer.builder.not_lanes(second))
                }
                _ => {
                    let (now, number) = (self.vector(at), self.builder().splat(state as u64));
                    Some(self.writer.builder.compare_lanes(Comparison::Equal, now, number))
                }
            };
            stack.push(*start);
        }
        while let Some(choice) = stack.pop() {
            let Choice::If { yes, no, .. } = &choices[choice] else { continue };
            let condition = self.asked(choice);
            let builder = &mut *self.writer.builder;
            [predicates[*yes], predicates[*no]] = match predicates[choice] {
                None => [Some(condition), Some(builder.not_lanes(condition))],
                Some(here) => [
                    Some(builder.and_lanes(here, condition)),
                    Some(builder.and_not_lanes(here, condition)),
                ],
            };
            stack.extend([*yes, *no]);
        }
        self.writer.families.predicates.insert(self.part, predicates);
    }

    /// The scopes in which the condition of a choice holds.
    fn asked(&mut self, choice: usize) -> Lanes {
        let number = self.family.units.iter().position(|unit| {
            let unit = &self.writer.families.units[unit[self.members[0]]];
            matches!(unit.work, Work::Choose(_))
        });
        let (mut codes, mut slots) = (vec![], vec![]);
        for unit in self.units(number.unwrap_or(0)) {
            if let Work::Choose(choices) = &unit.work
                && let Choice::If { code, slot, .. } = &choices[choice]
            {
                codes.push(&code[..]);
                slots.push(*slot);
            }
        }
        let results = std::mem::take(&mut self.results);
        self.code(&codes);
        let value = self.operand(&slots);
        self.results = results;
        self.builder().condition(&value)
    }
}

fn pieces_of(unit: &Unit) -> Option<&Pieces> {
    match &unit.work {
        Work::Values(pieces) | Work::Edge(pieces) => Some(pieces),
        Work::Choose(_) => None,
    }
}

fn is_shift(instr: &Instr) -> bool {
    matches!(instr.code, Code::ShiftLeftWide | Code::ShiftRightWide | Code::ShiftRightSignedWide)
}

/// True if all transitions below a choice are held, false if none are; nothing where some are.
fn covered(choices: &[Choice], held: &[bool], choice: usize) -> Option<bool> {
    match &choices[choice] {
        Choice::Go { .. } => Some(held[choice]),
        Choice::If { yes, no, .. } => {
            let yes = covered(choices, held, *yes)?;
            (covered(choices, held, *no)? == yes).then_some(yes)
        }
    }
}

/// The choices, as high as can be, below which all transitions are held.
fn collect(choices: &[Choice], held: &[bool], choice: usize, parts: &mut Vec<usize>) {
    match (covered(choices, held, choice), &choices[choice]) {
        (Some(true), _) => parts.push(choice),
        (None, Choice::If { yes, no, .. }) => {
            collect(choices, held, *yes, parts);
            collect(choices, held, *no, parts);
        }
        _ => {}
    }
}
