//! The operands of code in lanes: results, registers and nets of other scopes, words and numbers.

use cocrypt_codegen::{Lanes, Word};

use super::LaneWriter;
use crate::sim::compiled::emit::InLanes;
use crate::sim::divided::emit::Writer;
use crate::sim::divided::emit::values::Value;

/// The origin of a lane's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Number(u64),
    Word(u32),
    /// A lane of a vector, by its position among those that are needed.
    Lane(usize, usize),
}

impl LaneWriter<'_, '_, '_, '_, '_> {
    /// The value whose places in all lanes these are.
    pub(super) fn operand(&mut self, places: &[u32]) -> Value {
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
}
