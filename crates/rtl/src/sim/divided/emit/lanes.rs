//! Families of scopes as operations on the host's vectors.
//!
//! Their registers are in vectors of the function's own while it runs: a vector for each register of as many scopes
//! as it has lanes. Steps are told apart by masks, and all of them are computed.

mod activity;
mod operands;
mod scopes;

use std::collections::BTreeSet;

use cocrypt_codegen::{Lanes, Vectors};
use rustc_hash::FxHashMap;

use self::activity::Activity;
use super::Writer;
use super::values::{LaneBuilder, Value};
use crate::sim::code::Instr;
use crate::sim::compiled::emit::InLanes;
use crate::sim::divide::{Unit, Work};
use crate::sim::divided::families::{Family, copies, operands};
use crate::sim::program::Choice;

/// The families of a design, and what is known of their present cycle.
#[derive(Default)]
pub(super) struct Families<'a> {
    all: &'a [Family],
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
        Self { all: families, units, first, of_unit, ..Self::default() }
    }

    fn count(&self) -> u32 {
        let count = |family: &Family| (family.vectors() * (family.registers.len() + 1)) as u32;
        self.all.iter().map(count).sum()
    }

    /// The vector of a register; behind all registers, of the state.
    fn vector(&self, (family, vector): Part, register: usize) -> u32 {
        self.first[family] + (register * self.all[family].vectors() + vector) as u32
    }

    /// The scopes that a vector belongs to.
    fn part(&self, at: u32) -> Part {
        let family = self.first.iter().rposition(|first| *first <= at).unwrap_or(0);
        (family, (at - self.first[family]) as usize % self.all[family].vectors())
    }

    fn parts(&self) -> Vec<Part> {
        let families = self.all.iter().enumerate();
        families
            .flat_map(|(at, family)| (0..family.vectors()).map(move |vector| (at, vector)))
            .collect()
    }
}

impl Writer<'_, '_, '_, '_> {
    /// Brings the registers of all families into vectors.
    pub(super) fn gather_families(&mut self) {
        if self.families.all.is_empty() {
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
            let family = &self.families.all[part.0];
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
        let mut units = self.families.all[family].units.iter();
        units.find_map(|unit| self.families.units[unit[member]].controller)
    }

    /// Returns true if a unit is evaluated together with others; evaluates them where it is the first.
    pub(super) fn family_unit(&mut self, at: usize) -> bool {
        let Some(&(family, number)) = self.families.of_unit.get(&at) else { return false };
        let described = &self.families.all[family];
        let units = self.families.units;
        if described.units[number][0] == at && matches!(units[at].work, Work::Values(_)) {
            self.family_values(family, number);
        }
        true
    }

    fn family_values(&mut self, family: usize, number: usize) {
        let described = &self.families.all[family];
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
            let width = self.families.all[part.0].width;
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
        let family = &self.families.all[part.0];
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
        let (Some(vectors), width) = (self.families.vectors, self.families.all[part.0].width)
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
        let family = &writer.families.all[part.0];
        let members = family.members_in(part.1);
        let (loaded, results) = (FxHashMap::default(), FxHashMap::default());
        let activities = FxHashMap::default();
        Self { writer, family, part, members, loaded, results, activities }
    }

    fn builder(&mut self) -> LaneBuilder<'_, 'c, 'f> {
        LaneBuilder { builder: self.writer.builder, width: self.family.width }
    }
}
