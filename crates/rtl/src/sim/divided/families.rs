//! Scopes that do the same with other registers and other numbers, such as the clones of a datapath: machine code
//! evaluates several of them at a time, each in a lane of the host's vectors.
//!
//! This is superword-level parallelism over scopes. All units of a scope must have the same code as those of its
//! siblings but for the places of operands, in words that fit a lane.

use cocrypt_codegen::LaneWidth;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::sim::code::{Code, Instr};
use crate::sim::compiled::emit::results;
use crate::sim::divide::{Pieces, Unit, Work};
use crate::sim::plan::{Commit, Piece};
use crate::sim::program::{Choice, Program};

/// Scopes that a family has at least, and that share a vector.
const FEWEST: usize = 3;
/// Bits of the lanes that products need: not all hosts have others.
const PRODUCT: u32 = 16;
/// The cost of a branch that the host may mispredict, in limbs of work.
const BRANCH: usize = 16;
/// Registers and states of all families at most: a call brings each of them into a vector and back, and the vectors
/// are on the host's stack.
const WORDS: usize = 4096;

/// Scopes that are evaluated in lanes.
#[derive(Debug)]
pub(super) struct Family {
    pub width: LaneWidth,
    /// The number of scopes.
    pub members: usize,
    /// Of each unit of a scope: where it is among all units, for each member.
    pub units: Vec<Vec<usize>>,
    /// Of each register, and its width: where it is, for each member.
    pub registers: Vec<(u64, Vec<u32>)>,
}

impl Family {
    /// The number of vectors that hold one value of each member.
    pub fn vectors(&self) -> usize {
        self.members.div_ceil(self.width.lanes())
    }

    /// The members in the lanes of a vector. The last member fills lanes that would be empty, so that they change
    /// only with it.
    pub fn members_in(&self, vector: usize) -> Vec<usize> {
        let lanes = self.width.lanes();
        let members = vector * lanes..(vector + 1) * lanes;
        members.map(|member| member.min(self.members - 1)).collect()
    }
}

/// The families among eager units.
pub(super) fn find(program: &Program, units: &[Unit]) -> Vec<Family> {
    let mut of_scope: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, unit) in units.iter().enumerate() {
        of_scope.entry(unit.scope).or_default().push(at);
    }
    let mut scopes: Vec<Vec<usize>> = of_scope.into_values().collect();
    scopes.sort_unstable();
    let widths = widths(program);
    let mut order = vec![];
    let mut alike: FxHashMap<Vec<u64>, Vec<(Vec<usize>, Description<'_>)>> = FxHashMap::default();
    for scope in scopes {
        let mut description = Description::new(program, &widths);
        let described = scope.iter().try_for_each(|at| description.unit(&units[*at]));
        if described.is_none() || description.registers.is_empty() {
            continue;
        }
        let known = alike.entry(description.key.clone()).or_default();
        if known.is_empty() {
            order.push(description.key.clone());
        }
        known.push((scope, description));
    }
    let families = order.iter().filter_map(|key| family(alike.get(key)?));
    let mut words = WORDS;
    let fits = |family: &Family| {
        let count = family.vectors() * family.width.lanes() * (family.registers.len() + 1);
        let fits = count <= words;
        words -= if fits { count } else { 0 };
        fits
    };
    families.filter(fits).collect()
}

/// Scopes of one description as a family, if that is worth it.
fn family(members: &[(Vec<usize>, Description<'_>)]) -> Option<Family> {
    let bits = members.iter().map(|(_, description)| description.bits).max()?;
    let (_, first) = &members[0];
    let width = LaneWidth::holding(bits)?;
    let together = members.len() / members.len().div_ceil(width.lanes());
    let apart = first.work / first.branches.max(1) + BRANCH;
    if together < FEWEST || first.work > together * apart {
        return None;
    }
    let of_members = |number: usize| members.iter().map(|(units, _)| units[number]).collect();
    let units = (0..members[0].0.len()).map(of_members).collect();
    let registers = (0..first.registers.len()).map(|number| {
        let places: Vec<u32> =
            members.iter().map(|(_, description)| description.registers[number]).collect();
        (first.widths.get(&places[0]).copied().unwrap_or(u64::MAX), places)
    });
    let registers = registers.collect();
    Some(Family { width, members: members.len(), units, registers })
}

/// Of limbs of nets and of their shadows: the bits that can be set.
fn widths(program: &Program) -> FxHashMap<u32, u64> {
    let layout = &program.layout;
    let mut widths: FxHashMap<u32, u64> =
        layout.masks.iter().map(|(limb, mask)| (*limb, *mask)).collect();
    for (net, shadow) in layout.nets.iter().zip(&layout.shadows) {
        if let Some(mask) = layout.masks.get(net).filter(|_| *shadow != layout.zero) {
            widths.insert(*shadow, *mask);
        }
    }
    widths
}

/// The code of a piece of Values without what it merely copies.
pub(super) fn computed_commits(piece: &Piece) -> Vec<Commit> {
    let computed: FxHashSet<u32> = piece.code.iter().flat_map(results).collect();
    let is_computed = |commit: &&Commit| {
        (commit.from..commit.from + commit.limbs).any(|limb| computed.contains(&limb))
    };
    piece.commits.iter().filter(is_computed).copied().collect()
}

/// Returns true if a unit's single piece may merely copy values, which then have their origins' places.
pub(super) fn copies(unit: &Unit) -> Option<&Piece> {
    match &unit.work {
        Work::Values(Pieces { pieces, .. }) if pieces.len() == 1 => pieces.first(),
        _ => None,
    }
}

/// What a scope does, without the places of its operands.
struct Description<'a> {
    program: &'a Program,
    widths: &'a FxHashMap<u32, u64>,
    key: Vec<u64>,
    /// The bits that a lane needs.
    bits: u32,
    /// Limbs of work, and the pieces among which a step chooses.
    work: usize,
    branches: usize,
    /// The registers that the clock edge sets.
    registers: Vec<u32>,
    /// Of instructions of the present piece: their number, by the place of their result.
    results: FxHashMap<u32, u64>,
}

impl<'a> Description<'a> {
    fn new(program: &'a Program, widths: &'a FxHashMap<u32, u64>) -> Self {
        Self {
            program,
            widths,
            key: vec![],
            bits: 1,
            work: 0,
            branches: 1,
            registers: vec![],
            results: FxHashMap::default(),
        }
    }

    /// Adds a unit; nothing where it cannot be evaluated in lanes.
    fn unit(&mut self, unit: &Unit) -> Option<()> {
        self.key.extend([unit.phase as u64, u64::from(unit.controller.is_some())]);
        match &unit.work {
            Work::Choose(choices) => {
                self.key.push(0);
                self.choices(unit.controller?, choices)
            }
            Work::Values(pieces) => {
                self.key.push(1);
                self.pieces(pieces, |piece| match copies(unit) {
                    Some(_) => computed_commits(piece),
                    None => piece.commits.clone(),
                })?;
                sets_all(pieces).then_some(())
            }
            Work::Edge(pieces) => {
                self.key.push(2);
                self.pieces(pieces, |piece| piece.commits.clone())?;
                self.registers(pieces);
                Some(())
            }
        }
    }

    fn choices(&mut self, controller: usize, choices: &[Choice]) -> Option<()> {
        let states = &self.program.controllers[controller].states;
        self.needs(u32::BITS - (states.len() as u32).leading_zeros());
        self.key.push(states.len() as u64);
        self.key.extend(states.iter().map(|state| *state as u64));
        for choice in choices {
            self.work += 1;
            match choice {
                Choice::Go { step, next } => {
                    self.key.extend([0, u64::from(*step), u64::from(*next)]);
                }
                Choice::If { code, slot, yes, no, .. } => {
                    self.key.extend([1, *yes as u64, *no as u64]);
                    self.code(code)?;
                    self.operand(*slot)?;
                }
            }
        }
        Some(())
    }

    fn pieces(&mut self, pieces: &Pieces, commits: impl Fn(&Piece) -> Vec<Commit>) -> Option<()> {
        self.branches = self.branches.max(pieces.pieces.len());
        self.key.push(pieces.pieces.len() as u64);
        self.key.extend(pieces.of_step.iter().map(|set| *set as u64));
        let mut targets: FxHashMap<u32, u64> = FxHashMap::default();
        for piece in &pieces.pieces {
            if piece.looped || !piece.stores.is_empty() {
                return None;
            }
            let commits = commits(piece);
            self.code(&piece.code)?;
            self.key.push(commits.len() as u64);
            for commit in commits {
                let known = targets.len() as u64;
                let target = *targets.entry(commit.register).or_insert(known);
                let width = self.widths.get(&commit.register).copied()?;
                self.key.extend([target, width]);
                self.operand(commit.from)?;
                (commit.limbs == 1).then_some(())?;
            }
        }
        Some(())
    }

    fn registers(&mut self, pieces: &Pieces) {
        let mut known = FxHashSet::default();
        let commits = pieces.pieces.iter().flat_map(|piece| &piece.commits);
        let new = commits.map(|commit| commit.register).filter(|register| known.insert(*register));
        self.registers.extend(new);
    }

    fn code(&mut self, code: &[Instr]) -> Option<()> {
        self.results.clear();
        self.key.push(code.len() as u64);
        for instr in code {
            let operands = operands(instr)?;
            self.work += 1;
            self.key.extend([instr.code as u64, instr.mask]);
            self.needs(u64::BITS - instr.mask.leading_zeros());
            self.immediate(instr)?;
            for operand in operands {
                self.operand(operand)?;
            }
            let number = self.results.len() as u64;
            self.results.insert(instr.to, number);
        }
        Some(())
    }

    /// What an instruction names beside its operands.
    fn immediate(&mut self, instr: &Instr) -> Option<()> {
        match instr.code {
            Code::ShiftLeftWide | Code::ShiftRightWide | Code::ShiftRightSignedWide => {
                let amount = self.program.layout.constants.get(&instr.b).copied()?;
                self.needs(instr.c);
                self.key.extend([u64::from(instr.c), amount]);
            }
            Code::LessSigned | Code::SignExtend => {
                self.needs(u64::BITS - instr.c);
                self.key.push(instr.c.into());
            }
            Code::Mul => self.needs(PRODUCT),
            Code::Slice | Code::Concat => {
                self.needs(instr.c + 1);
                self.key.push(instr.c.into());
            }
            _ => {}
        }
        Some(())
    }

    /// An operand: the result of an earlier instruction, or a value of whatever place.
    fn operand(&mut self, place: u32) -> Option<()> {
        if let Some(number) = self.results.get(&place) {
            self.key.push(number + 1);
            return Some(());
        }
        let constant = self.program.layout.constants.get(&place);
        let bound = constant.or_else(|| self.widths.get(&place)).copied()?;
        self.needs(u64::BITS - bound.leading_zeros());
        self.key.push(0);
        Some(())
    }

    fn needs(&mut self, bits: u32) {
        self.bits = self.bits.max(bits);
    }
}

/// Returns true if nets take a value from each piece, whatever the step.
fn sets_all(pieces: &Pieces) -> bool {
    let sets = |piece: &Piece| -> FxHashSet<u32> {
        piece.commits.iter().map(|commit| commit.register).collect()
    };
    let mut sets = pieces.pieces.iter().map(sets);
    let first = sets.next();
    sets.all(|others| Some(&others) == first.as_ref())
}

/// The places of an instruction's operands; nothing where it cannot be evaluated in lanes.
pub(super) fn operands(instr: &Instr) -> Option<Vec<u32>> {
    if instr.limbs != 1 || instr.limbs_a != 1 || instr.limbs_b != 1 {
        return None;
    }
    match instr.code {
        Code::Copy
        | Code::CopyWide
        | Code::Not
        | Code::Negate
        | Code::Slice
        | Code::SignExtend
        | Code::ShiftLeftWide
        | Code::ShiftRightWide
        | Code::ShiftRightSignedWide => Some(vec![instr.a]),
        Code::And
        | Code::Or
        | Code::Xor
        | Code::Add
        | Code::Sub
        | Code::Mul
        | Code::Equal
        | Code::Less
        | Code::LessSigned
        | Code::Concat => Some(vec![instr.a, instr.b]),
        Code::Mux => Some(vec![instr.a, instr.b, instr.c]),
        _ => None,
    }
}
