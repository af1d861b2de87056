//! What the units of some scopes compute, and what their registers take.

use cocrypt_codegen::Lanes;

use super::LaneWriter;
use super::activity::Activity;
use crate::sim::code::{Code, Instr};
use crate::sim::divide::{Pieces, Unit, Work};
use crate::sim::divided::emit::Writer;
use crate::sim::divided::emit::values::Value;
use crate::sim::divided::families::{computed_commits, copies, operands};
use crate::sim::plan::{Commit, Piece};

/// Nets or registers, where each lane has its own, and their value of each piece that gives one.
type Given = (Vec<u32>, Vec<(usize, Value)>);

impl<'a> LaneWriter<'_, 'a, '_, '_, '_> {
    /// A unit of the scope in each lane.
    pub(super) fn units(&self, number: usize) -> Vec<&'a Unit> {
        let units = self.writer.families.units;
        self.members.iter().map(|member| &units[self.family.units[number][*member]]).collect()
    }

    /// The nets that a unit computes: where each is, and its values.
    pub(super) fn values(&mut self, number: usize) -> Vec<(Vec<u32>, Value)> {
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
    pub(super) fn edge(&mut self) -> Vec<(u32, Lanes)> {
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
    pub(super) fn vector(&mut self, at: u32) -> Lanes {
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
    pub(super) fn code(&mut self, codes: &[&[Instr]]) {
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
