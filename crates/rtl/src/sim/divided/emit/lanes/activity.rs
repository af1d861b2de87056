//! When the controllers of some scopes make each of their choices, and their next states.

use cocrypt_codegen::{Comparison, Lanes};

use super::LaneWriter;
use crate::sim::divide::Work;
use crate::sim::program::Choice;

/// Scopes in which something happens.
#[derive(Clone, Copy)]
pub(super) enum Activity {
    Never,
    Always,
    Sometimes(Lanes),
}

impl<'a> LaneWriter<'_, 'a, '_, '_, '_> {
    /// The vector of the state, and what it takes.
    pub(super) fn next_state(&mut self) -> Option<(u32, Lanes)> {
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
    pub(super) fn active(&mut self, test: &dyn Fn(u32, u32) -> bool) -> Activity {
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
            let condition = self.condition_of(choice);
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
    fn condition_of(&mut self, choice: usize) -> Lanes {
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
