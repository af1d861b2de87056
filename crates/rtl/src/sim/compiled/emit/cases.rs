//! Registers of which a cycle writes few, by an address that designs compare with a constant for each of them.
//!
//! A jump goes to the case of the address, where registers take their values; all the others keep theirs, and are
//! neither loaded nor stored.

use std::ops::Range;

use cocrypt_codegen::Word;
use rustc_hash::FxHashMap;

use super::{Emitter, results, sources};
use crate::sim::code::{Code, Instr};
use crate::sim::plan::{Commit, Store};
use crate::sim::program::Program;

/// Fewer cases are not worth a jump, which the host may mispredict.
const FEWEST: usize = 6;
/// The jump's table has at most so many entries for each case, about.
const SPARSE: u64 = 4;

/// Code and registers of a cycle, divided into what each cycle does and cases.
#[derive(Debug)]
pub(in crate::sim) struct Cases {
    /// The code of every cycle.
    pub code: Vec<Instr>,
    /// The registers that every cycle writes.
    pub commits: Vec<Commit>,
    /// The limb that decides which case there is.
    by: u32,
    /// Its value in the first case; each next case has the next value.
    first: u64,
    by_value: Vec<Case>,
}

/// What is done for one value.
#[derive(Clone, Debug, Default)]
struct Case {
    code: Vec<Instr>,
    commits: Vec<Commit>,
}

/// A register that keeps its value unless a limb has a constant value.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    commit: Commit,
    by: u32,
    value: u64,
}

/// What uses a limb: instructions of the case of one value alone, or others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    Case(u64),
    Others,
}

impl Cases {
    /// Divides a cycle; nothing where no address decides about enough registers.
    pub fn divide(
        program: &Program,
        code: &[Instr],
        commits: &[Commit],
        stores: &[Store],
    ) -> Option<Self> {
        let found = candidates(program, code, commits);
        let mut groups: FxHashMap<u32, Vec<Candidate>> = FxHashMap::default();
        for candidate in found {
            groups.entry(candidate.by).or_default().push(candidate);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_unstable_by_key(|(by, group)| (std::cmp::Reverse(group.len()), *by));
        let (by, group) = groups.into_iter().next()?;
        let first = group.iter().map(|candidate| candidate.value).min()?;
        let span = group.iter().map(|candidate| candidate.value - first).max()?;
        let mut values: Vec<_> = group.iter().map(|candidate| candidate.value).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() < FEWEST || span / SPARSE > values.len() as u64 {
            return None;
        }
        Some(Self::new((code, commits, stores), &group, (by, first, span)))
    }

    fn new(
        (code, commits, stores): (&[Instr], &[Commit], &[Store]),
        group: &[Candidate],
        (by, first, span): (u32, u64, u64),
    ) -> Self {
        let mut cases = vec![Case::default(); span as usize + 1];
        let case_of: FxHashMap<u32, u64> =
            group.iter().map(|Candidate { commit, value, .. }| (commit.register, *value)).collect();
        let mut kept = vec![];
        for commit in commits {
            match case_of.get(&commit.register) {
                Some(value) => cases[(value - first) as usize].commits.push(*commit),
                None => kept.push(*commit),
            }
        }
        let owners = owners(code, &kept, stores, group);
        let mut places = vec![0; code.len() + 1];
        for (at, owner) in owners.iter().enumerate() {
            places[at + 1] = places[at] + u32::from(owner.is_none());
        }
        let mut every = vec![];
        for (instr, owner) in code.iter().zip(owners) {
            let mut instr = *instr;
            if instr.code.is_jump() {
                instr.c = places[instr.c as usize];
            }
            match owner {
                Some(value) => cases[(value - first) as usize].code.push(instr),
                None => every.push(instr),
            }
        }
        Self { code: every, commits: kept, by, first, by_value: cases }
    }

    /// Limbs that the cases read behind the code of every cycle.
    pub fn reads(&self) -> impl Iterator<Item = u32> {
        let code = self.by_value.iter().flat_map(|case| &case.code);
        code.flat_map(sources).flatten().chain([self.by])
    }
}

/// The registers that keep their values unless a limb has a constant value. None of them is copied by another one.
fn candidates(program: &Program, code: &[Instr], commits: &[Commit]) -> Vec<Candidate> {
    let mut origins: FxHashMap<u32, &Instr> = FxHashMap::default();
    for (instr, is_branched) in code.iter().zip(branched(code)) {
        if !is_branched && !instr.code.is_jump() {
            origins.insert(instr.to, instr);
        }
    }
    let copied = |register: &Commit| {
        let limbs = register.register..register.register + register.limbs;
        commits.iter().any(|commit| limbs.contains(&commit.from))
    };
    let candidate = |commit: &Commit| {
        let choice = origins.get(&commit.from)?;
        let is_choice = matches!(choice.code, Code::Mux | Code::MuxWide)
            && choice.c == commit.register
            && u32::from(choice.limbs) == commit.limbs;
        let (by, value) = required(program, &origins, choice.a).filter(|_| is_choice)?;
        (!copied(commit)).then_some(Candidate { commit: *commit, by, value })
    };
    commits.iter().filter_map(candidate).collect()
}

/// A limb, and the value that it has whenever a condition holds.
fn required(
    program: &Program,
    origins: &FxHashMap<u32, &Instr>,
    condition: u32,
) -> Option<(u32, u64)> {
    let instr = origins.get(&condition)?;
    let constant = |limb: u32| program.layout.constants.get(&limb).copied();
    match instr.code {
        Code::Equal => match (constant(instr.a), constant(instr.b)) {
            (None, Some(value)) => Some((instr.a, value)),
            (Some(value), None) => Some((instr.b, value)),
            _ => None,
        },
        Code::And => {
            required(program, origins, instr.a).or_else(|| required(program, origins, instr.b))
        }
        _ => None,
    }
}

/// Of each instruction: whether it may be jumped over.
fn branched(code: &[Instr]) -> impl Iterator<Item = bool> {
    let mut branched_to = 0;
    code.iter().enumerate().map(move |(at, instr)| {
        let is_branched = at < branched_to;
        if instr.code.is_jump() {
            branched_to = branched_to.max(instr.c as usize);
        }
        is_branched
    })
}

/// The users of limbs.
#[derive(Default)]
struct Users(FxHashMap<u32, User>);

impl Users {
    fn note(&mut self, limbs: Range<u32>, user: User) {
        for limb in limbs {
            let known = self.0.entry(limb).or_insert(user);
            if *known != user {
                *known = User::Others;
            }
        }
    }

    /// The case that alone uses these limbs.
    fn of(&self, mut limbs: Range<u32>) -> User {
        let user = |limb: u32| self.0.get(&limb).copied().unwrap_or(User::Others);
        let first = limbs.next().map_or(User::Others, user);
        if limbs.all(|limb| user(limb) == first) { first } else { User::Others }
    }
}

/// Of each instruction: the value of the case that alone needs it, if there is one.
fn owners(
    code: &[Instr],
    commits: &[Commit],
    stores: &[Store],
    group: &[Candidate],
) -> Vec<Option<u64>> {
    let limbs = |start: u32, count: u32| start..start + count;
    let mut users = Users::default();
    for commit in commits {
        users.note(limbs(commit.from, commit.limbs), User::Others);
    }
    for store in stores {
        users.note(limbs(store.index, store.index_limbs.into()), User::Others);
        users.note(limbs(store.from, store.limbs), User::Others);
    }
    for Candidate { commit, value, .. } in group {
        users.note(limbs(commit.from, commit.limbs), User::Case(*value));
    }
    let is_branched: Vec<_> = branched(code).collect();
    let mut owners = vec![None; code.len()];
    for (at, instr) in code.iter().enumerate().rev() {
        // What may note an access past an end, and what reads a memory before it is written, is done in every cycle.
        let can_wait = !is_branched[at]
            && !instr.code.is_jump()
            && !matches!(instr.code, Code::Lookup | Code::Read);
        let user = if can_wait { users.of(results(instr)) } else { User::Others };
        for limbs in sources(instr) {
            users.note(limbs, user);
        }
        if let User::Case(value) = user {
            owners[at] = Some(value);
        }
    }
    owners
}

impl Emitter<'_, '_, '_> {
    /// The registers of one case take their values, before those of every cycle do.
    pub fn cases(&mut self, cases: &Cases) {
        let (by, first) = (self.limb(cases.by), self.builder.constant(cases.first));
        let number = self.builder.subtract(by, first);
        let behind = self.builder.label();
        let labels: Vec<_> = cases
            .by_value
            .iter()
            .map(|case| if case.commits.is_empty() { behind } else { self.builder.label() })
            .collect();
        self.builder.switch(number, &labels, behind);
        for (case, label) in cases.by_value.iter().zip(labels) {
            if case.commits.is_empty() {
                continue;
            }
            self.builder.place(label);
            self.case(case, |this, moves| {
                let values: Vec<_> =
                    moves.iter().map(|(register, from)| (*register, this.limb(*from))).collect();
                for (register, value) in values {
                    this.builder.store(register, value);
                }
            });
            self.builder.jump(behind);
        }
        self.builder.place(behind);
    }

    /// Not 0 where any register of any case is to take another value than it has.
    pub(super) fn any_case_differs(&mut self, cases: &Cases) -> Word {
        let mut changed = self.builder.constant(0);
        for case in &cases.by_value {
            let differs = self.case(case, Self::differs);
            changed = self.builder.or(changed, differs);
        }
        changed
    }

    /// Emits the code of a case, and what takes its limbs: pairs of registers and new values. All of it may be
    /// jumped over.
    fn case<T>(&mut self, case: &Case, take: impl FnOnce(&mut Self, &[(u32, u32)]) -> T) -> T {
        let was_branched = std::mem::replace(&mut self.is_branched, true);
        case.code.iter().for_each(|instr| self.instruction(instr));
        let moves = case.commits.iter().flat_map(|commit| {
            (0..commit.limbs).map(|limb| (commit.register + limb, commit.from + limb))
        });
        let taken = take(self, &moves.collect::<Vec<_>>());
        for limb in case.code.iter().flat_map(results) {
            self.words.remove(&limb);
        }
        self.is_branched = was_branched;
        taken
    }
}
