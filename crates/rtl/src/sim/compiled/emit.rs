//! Instructions of plans as operations on words, limb by limb.

mod arithmetic;
mod cases;
mod choices;
mod known;
mod moves;
mod spans;

use std::ops::Range;

use cocrypt_codegen::{Cell, Comparison, Indexed, KernelBuilder, Label, Word};
use rustc_hash::{FxHashMap, FxHashSet};

pub(in crate::sim) use self::cases::Cases;
use self::choices::Choices;
pub(in crate::sim) use self::known::{InLanes, Known};
use super::{LEFT, PAST, PAST_LEFT};
use crate::bits::top_mask;
use crate::sim::code::{Code, Instr};
use crate::sim::divided::DOUBT;
use crate::sim::plan::{Commit, Store};
use crate::sim::program::Program;

/// Limbs of registers that are compared first where a design may have settled.
const LIKELY: usize = 2;

/// Products of more limbs are left to the interpreter: they would be long.
const WIDEST_PRODUCT: u16 = 24;

/// True if instructions can be emitted.
pub(in crate::sim) fn can(code: &[Instr]) -> bool {
    code.iter().all(|instr| instr.code != Code::MulWide || instr.limbs <= WIDEST_PRODUCT)
}

/// Emits the code of one plan, or of one condition.
pub(in crate::sim) struct Emitter<'e, 'c, 'f> {
    program: &'e Program,
    builder: &'e mut KernelBuilder<'c, 'f>,
    /// Limbs that were computed or loaded.
    words: FxHashMap<u32, Word>,
    /// Limbs that more than one instruction sets.
    cells: FxHashMap<u32, Cell>,
    /// Of limbs: which bits can be set.
    bounds: FxHashMap<u32, u64>,
    /// Of words that are some bits of others: of which, from which bit on, and how many.
    slices: FxHashMap<Word, (Word, u32, u32)>,
    /// Of words whose high bits were set to 0: what they were before, and the bits that are left.
    uncut: FxHashMap<Word, (Word, u64)>,
    choices: Choices,
    /// Of instructions that are jumped to: their labels.
    labels: FxHashMap<usize, Label>,
    /// Whether what is emitted now may be jumped over: what is loaded there is not at hand later.
    is_branched: bool,
    /// Registers that were loaded, by this code or before it, where all later code comes by.
    loaded: FxHashMap<u32, Word>,
    /// Words of the array that were computed before this code.
    known: Option<&'e Known>,
    noted: Noted,
    /// Of indices: the least end of which it is noted wherever later code comes by if they are past it.
    ends: FxHashMap<Vec<Word>, u64>,
}

/// The meaning of an access past an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum Noted {
    /// A mistake of the design in this cycle.
    Past,
    /// A mistake if the cycle needs the value, which is not known here.
    Doubt,
    /// Nothing: a controller decides by what is read there then.
    Nowhere,
}

/// The destination of an instruction.
pub(in crate::sim) fn results(instr: &Instr) -> Range<u32> {
    let limbs = match instr.code {
        Code::BranchZero | Code::Jump => 0,
        Code::Equal
        | Code::Less
        | Code::LessSigned
        | Code::EqualWide
        | Code::LessWide
        | Code::LessSignedWide => 1,
        _ => u32::from(instr.limbs),
    };
    instr.to..instr.to + limbs
}

/// The operands of an instruction.
fn sources(instr: &Instr) -> Vec<Range<u32>> {
    let limbs = |start: u32, limbs: u16| start..start + u32::from(limbs);
    let (a, b) = (limbs(instr.a, instr.limbs_a), limbs(instr.b, instr.limbs_b));
    match instr.code {
        Code::Jump => vec![],
        Code::BranchZero => vec![limbs(instr.a, 1)],
        Code::Mux | Code::MuxWide => {
            let value = |start| limbs(start, instr.limbs);
            vec![limbs(instr.a, 1), value(instr.b), value(instr.c)]
        }
        Code::Copy
        | Code::CopyWide
        | Code::Not
        | Code::NotWide
        | Code::Negate
        | Code::NegateWide
        | Code::Slice
        | Code::SliceWide
        | Code::SignExtend
        | Code::SignExtendWide
        | Code::Lookup
        | Code::Read => vec![a],
        _ => vec![a, b],
    }
}

impl<'e, 'c, 'f> Emitter<'e, 'c, 'f> {
    pub fn new(program: &'e Program, builder: &'e mut KernelBuilder<'c, 'f>, noted: Noted) -> Self {
        let (words, bounds) = (FxHashMap::default(), FxHashMap::default());
        let (cells, labels) = (FxHashMap::default(), FxHashMap::default());
        let (slices, choices) = (FxHashMap::default(), Choices::default());
        let (uncut, ends) = (FxHashMap::default(), FxHashMap::default());
        let (is_branched, loaded, known) = (false, FxHashMap::default(), None);
        Self {
            program,
            builder,
            words,
            cells,
            bounds,
            slices,
            uncut,
            choices,
            labels,
            is_branched,
            loaded,
            known,
            noted,
            ends,
        }
    }

    /// The same where some words of the array have these values already, which need not stand in it.
    pub fn knowing(mut self, known: &'e Known) -> Self {
        self.known = Some(known);
        self
    }

    /// The same where some words of the array were loaded already.
    pub fn having(mut self, loaded: FxHashMap<u32, Word>) -> Self {
        self.loaded = loaded;
        self
    }

    /// The words of the array that were loaded where all later code comes by.
    pub fn loaded(self) -> FxHashMap<u32, Word> {
        self.loaded
    }

    /// Emits some code; `read` are limbs that are asked for behind it.
    pub fn code(&mut self, code: &[Instr], read: &[Range<u32>]) {
        for instr in code.iter().filter(|instr| instr.code.is_jump()) {
            let label = self.builder.label();
            self.labels.entry(instr.c as usize).or_insert(label);
        }
        let spans = spans::divide(code, read);
        for (number, span) in spans.iter().enumerate() {
            self.begin(&code[span.code.clone()], span.code.start);
            let mut branched_to = 0;
            for at in span.code.clone() {
                self.place(code, at);
                self.is_branched = at < branched_to;
                self.instruction(&code[at]);
                if code[at].code.is_jump() {
                    branched_to = branched_to.max(code[at].c as usize);
                }
            }
            self.is_branched = false;
            self.place(code, span.code.end);
            if number + 1 != spans.len() {
                self.hand_on(&span.handed_on);
            }
        }
    }

    /// Places the label of an instruction that is jumped to.
    fn place(&mut self, code: &[Instr], at: usize) {
        if let Some(label) = self.labels.remove(&at) {
            let has_gone = at != 0 && code[at - 1].code == Code::Jump;
            if !has_gone {
                self.builder.jump(label);
            }
            self.builder.place(label);
        }
    }

    /// Forgets the values before a span, which begins at an instruction, and brings in what branches read first.
    /// All else is loaded where it is needed, so that host registers hold it no longer than that.
    fn begin(&mut self, code: &[Instr], start: usize) {
        self.words.clear();
        self.cells.clear();
        let mut set = FxHashSet::default();
        for limb in code.iter().flat_map(results) {
            if !set.insert(limb) && !self.cells.contains_key(&limb) {
                let cell = self.builder.cell();
                self.cells.insert(limb, cell);
            }
        }
        let (mut read, mut branched_to) = (FxHashSet::default(), 0);
        for (at, instr) in (start..).zip(code) {
            for limb in sources(instr).into_iter().flatten() {
                if !set.contains(&limb) && read.insert(limb) && at < branched_to {
                    self.limb(limb);
                }
            }
            if instr.code.is_jump() {
                branched_to = branched_to.max(instr.c as usize);
            }
        }
    }

    /// Puts values where later spans find them.
    fn hand_on(&mut self, limbs: &[u32]) {
        for limb in limbs {
            let word = self.limb(*limb);
            self.builder.store(*limb, word);
        }
    }

    /// What stands among the values: a constant, what lasts from cycle to cycle, or what an earlier span
    /// handed on.
    fn fetch(&mut self, limb: u32) -> Word {
        let layout = &self.program.layout;
        let origin = self.origin(limb);
        if let Some(value) = layout.constants.get(&origin) {
            self.bounds.insert(limb, *value);
            return self.builder.constant(*value);
        }
        if let Some(mask) = layout.masks.get(&origin) {
            self.bounds.insert(limb, *mask);
        }
        let Some(known) = self.known else { return self.load(origin) };
        match known.words.get(&origin) {
            Some(word) => *word,
            None => known.load(self.builder, origin),
        }
    }

    /// A word of the array. Cranelift does not find that a loop loads it twice in different blocks.
    fn load(&mut self, limb: u32) -> Word {
        if let Some(word) = self.loaded.get(&limb) {
            return *word;
        }
        let word = self.builder.load(limb);
        if !self.is_branched && self.program.layout.masks.contains_key(&limb) {
            self.loaded.insert(limb, word);
        }
        word
    }

    fn origin(&self, limb: u32) -> u32 {
        self.known.map_or(limb, |known| known.origin(limb))
    }

    fn is_constant(&self, limb: u32) -> bool {
        self.program.layout.constants.contains_key(&self.origin(limb))
    }

    /// A limb's value.
    pub fn limb(&mut self, limb: u32) -> Word {
        if let Some(cell) = self.cells.get(&limb) {
            return self.builder.get(*cell);
        }
        if let Some(word) = self.words.get(&limb) {
            return *word;
        }
        let word = self.fetch(limb);
        // Each block has constants of its own, so that a 0 is known as one.
        if !self.is_branched && !self.is_constant(limb) {
            self.words.insert(limb, word);
        }
        word
    }

    fn limbs(&mut self, start: u32, limbs: u16) -> Vec<Word> {
        (start..start + u32::from(limbs)).map(|limb| self.limb(limb)).collect()
    }

    fn put(&mut self, limb: u32, word: Word, bound: u64) {
        if let Some(cell) = self.cells.get(&limb) {
            self.builder.set(*cell, word);
        } else {
            self.words.insert(limb, word);
            self.bounds.insert(limb, bound);
        }
    }

    fn bound(&self, limb: u32) -> u64 {
        self.bounds.get(&limb).copied().unwrap_or(u64::MAX)
    }

    fn instruction(&mut self, instr: &Instr) {
        match instr.code {
            Code::BranchZero => {
                let condition = self.limb(instr.a);
                let (on, elsewhere) = (self.builder.label(), self.labels[&(instr.c as usize)]);
                self.builder.branch(condition, on, elsewhere);
                self.builder.place(on);
            }
            Code::Jump => {
                let label = self.labels[&(instr.c as usize)];
                self.builder.jump(label);
            }
            Code::Lookup => {
                let table = self.program.tables.lookups[instr.c as usize];
                self.entry(instr, table.start, table.entries, instr.c);
            }
            Code::Read => {
                let memory = self.program.tables.memories[instr.c as usize];
                let number = self.program.tables.lookups.len() as u32 + instr.c;
                self.entry(instr, memory.start, memory.entries, number);
            }
            _ => {
                let result = self.operation(instr);
                self.result(instr, result);
            }
        }
    }

    /// Puts a result where it belongs, without the bits that it does not have.
    fn result(&mut self, instr: &Instr, mut result: Vec<Word>) {
        let comparison = results(instr).len() == 1 && instr.limbs > 1;
        let bare = matches!(
            instr.code,
            Code::Copy
                | Code::CopyWide
                | Code::Mux
                | Code::MuxWide
                | Code::And
                | Code::AndWide
                | Code::Or
                | Code::OrWide
                | Code::Xor
                | Code::XorWide
                | Code::Remainder
                | Code::Concat
                | Code::ConcatWide
                | Code::Equal
                | Code::Less
                | Code::LessSigned
                | Code::EqualWide
                | Code::LessWide
                | Code::LessSignedWide
        );
        let last = result.len() - 1;
        let mut bound = self.narrower(instr);
        if comparison || matches!(instr.code, Code::Equal | Code::Less | Code::LessSigned) {
            bound = 1;
        } else if !bare && self.possible(instr) & !instr.mask != 0 {
            let (whole, mask) = (result[last], self.builder.constant(instr.mask));
            result[last] = self.builder.and(whole, mask);
            self.uncut.insert(result[last], (whole, instr.mask));
        }
        if instr.code == Code::Slice {
            let of = self.limb(instr.a);
            self.slices.insert(result[0], (of, instr.c, instr.mask.count_ones()));
        }
        if matches!(instr.code, Code::Not | Code::NotWide) {
            self.note_complement(instr, &result);
        }
        for (at, word) in result.into_iter().enumerate() {
            self.put(instr.to + at as u32, word, if at == last { bound } else { u64::MAX });
        }
    }

    /// The bits that a result's highest limb can have: those of its width, or of what it is a copy of.
    fn narrower(&self, instr: &Instr) -> u64 {
        match instr.code {
            Code::Copy => instr.mask & self.bound(instr.a),
            Code::And => instr.mask & self.bound(instr.a) & self.bound(instr.b),
            Code::Or | Code::Xor => instr.mask & (self.bound(instr.a) | self.bound(instr.b)),
            Code::Mux => instr.mask & (self.bound(instr.b) | self.bound(instr.c)),
            _ => instr.mask & self.possible(instr),
        }
    }

    /// The bits that the highest limb of a slice can have before it is cut to its width; of others, all.
    fn possible(&self, instr: &Instr) -> u64 {
        if !matches!(instr.code, Code::Slice | Code::SliceWide) {
            return u64::MAX;
        }
        let (last, shift) = (instr.c / 64 + u32::from(instr.limbs) - 1, instr.c % 64);
        let bound = |at: u32| {
            if at < u32::from(instr.limbs_a) { self.bound(instr.a + at) } else { 0 }
        };
        let above = if shift == 0 { 0 } else { bound(last + 1) << (64 - shift) };
        bound(last) >> shift | above
    }

    fn operation(&mut self, instr: &Instr) -> Vec<Word> {
        let (a, b) = (self.limbs(instr.a, instr.limbs_a), || (instr.b, instr.limbs_b));
        let second = |this: &mut Self| {
            let (start, limbs) = b();
            this.limbs(start, limbs)
        };
        match instr.code {
            Code::Copy => vec![a[0]],
            Code::CopyWide => self.resize(a, instr.limbs),
            Code::Not | Code::NotWide => a.iter().map(|limb| self.builder.not(*limb)).collect(),
            Code::Negate => vec![self.builder.negate(a[0])],
            Code::NegateWide => {
                let zero = self.builder.constant(0);
                let zeros = vec![zero; a.len()];
                self.subtract(&zeros, &a)
            }
            Code::And | Code::AndWide => self.and(instr, &a),
            Code::Or | Code::OrWide => self.sum(instr, &a, KernelBuilder::or),
            Code::Xor | Code::XorWide => self.sum(instr, &a, KernelBuilder::xor),
            Code::Add | Code::AddWide => {
                let b = second(self);
                self.add(&a, &b)
            }
            Code::Sub | Code::SubWide => {
                let b = second(self);
                self.subtract(&a, &b)
            }
            Code::Mul | Code::MulWide => {
                let b = second(self);
                self.multiply(&a, &b)
            }
            Code::Remainder => {
                let b = second(self);
                vec![self.builder.remainder(a[0], b[0])]
            }
            Code::RemainderWide => {
                let b = second(self);
                self.remainder(&a, &b)
            }
            Code::Equal | Code::EqualWide => {
                let b = second(self);
                vec![self.equal(&a, &b)]
            }
            Code::Less | Code::LessWide => {
                let b = second(self);
                vec![self.below(&a, &b)]
            }
            Code::LessSigned => {
                let b = second(self);
                let unused = self.builder.constant(instr.c.into());
                let left = self.builder.shift_left(a[0], unused);
                let right = self.builder.shift_left(b[0], unused);
                vec![self.builder.compare(Comparison::BelowSigned, left, right)]
            }
            Code::LessSignedWide => {
                let b = second(self);
                let (a, b) = (self.flipped(a, instr.c), self.flipped(b, instr.c));
                vec![self.below(&a, &b)]
            }
            Code::Slice | Code::SliceWide => self.slice(&a, instr.c, instr.limbs),
            Code::Concat | Code::ConcatWide => {
                let b = second(self);
                match self.rotation(&a, &b) {
                    Some(rotated) => vec![rotated],
                    None => self.concat(instr, &a, &b),
                }
            }
            Code::SignExtend => {
                let unused = self.builder.constant(instr.c.into());
                let high = self.builder.shift_left(a[0], unused);
                vec![self.builder.shift_right_signed(high, unused)]
            }
            Code::SignExtendWide => {
                let (fill, a) = self.signed(a, instr.c);
                (0..usize::from(instr.limbs)).map(|at| *a.get(at).unwrap_or(&fill)).collect()
            }
            Code::Mux | Code::MuxWide => {
                let condition = self.limb(instr.a);
                let yes = self.limbs(instr.b, instr.limbs);
                if self.bound(instr.a) == 1 && yes.len() > 1 && self.is_zero(instr.c, instr.limbs) {
                    // Of several limbs a mask takes fewer instructions than selections.
                    let mask = self.builder.negate(condition);
                    return yes.iter().map(|limb| self.builder.and(*limb, mask)).collect();
                }
                let no = self.limbs(instr.c, instr.limbs);
                let pairs = yes.into_iter().zip(no);
                pairs.map(|(yes, no)| self.builder.select(condition, yes, no)).collect()
            }
            Code::ShiftLeftWide | Code::ShiftRightWide | Code::ShiftRightSignedWide => {
                let b = second(self);
                self.shift(instr, a, &b)
            }
            Code::BranchZero | Code::Jump | Code::Lookup | Code::Read => vec![],
        }
    }

    /// An entry of a table, or a word of a memory; 0 past the end, which is noted.
    fn entry(&mut self, instr: &Instr, start: usize, entries: u64, number: u32) {
        let index = self.limbs(instr.a, instr.limbs_a);
        let within = self.within(&index, self.bound(instr.a), entries);
        if let Some(within) = within {
            self.note(&index, entries, within, number);
        }
        for limb in 0..instr.limbs {
            let indexed = Indexed {
                first: start as u32,
                count: entries as u32,
                stride: instr.limbs.into(),
                within: limb.into(),
            };
            let mut value = self.builder.load_at(indexed, index[0]);
            if let Some(within) = within {
                let zero = self.builder.constant(0);
                value = self.builder.select(within, value, zero);
            }
            let bound = if limb + 1 == instr.limbs { instr.mask } else { u64::MAX };
            self.put(instr.to + u32::from(limb), value, bound);
        }
    }

    /// True if an index is below a bound; nothing where it always is.
    fn within(&mut self, index: &[Word], bound: u64, entries: u64) -> Option<Word> {
        if index.len() == 1 && bound < entries {
            return None;
        }
        let entries = self.builder.constant(entries);
        let mut within = self.builder.compare(Comparison::Below, index[0], entries);
        for high in &index[1..] {
            let zero = self.builder.constant(0);
            let none = self.builder.compare(Comparison::Equal, *high, zero);
            within = self.builder.and(within, none);
        }
        Some(within)
    }

    /// Notes the first access past an end by an index, and how many cycles were left then.
    fn note(&mut self, index: &[Word], entries: u64, within: Word, number: u32) {
        let is_noted = |noted: &u64| *noted <= entries;
        if self.noted == Noted::Nowhere || self.ends.get(index).is_some_and(is_noted) {
            return;
        }
        if !self.is_branched {
            self.ends.insert(index.to_vec(), entries);
        }
        let exchange = self.program.layout.exchange;
        let [goes_on, is_past] = [(); 2].map(|()| self.builder.label());
        self.builder.branch(within, goes_on, is_past);
        self.builder.place_rare(is_past);
        if self.noted == Noted::Doubt {
            let one = self.builder.constant(1);
            self.builder.store(exchange + DOUBT, one);
        } else {
            let (past, at) = (exchange + PAST, exchange + PAST_LEFT);
            let known = self.builder.load(past);
            let (before, left) = (self.builder.load(at), self.builder.load(exchange + LEFT));
            let number = self.builder.constant(u64::from(number) + 1);
            let noted = self.builder.select(known, known, number);
            let when = self.builder.select(known, before, left);
            self.builder.store(past, noted);
            self.builder.store(at, when);
        }
        self.builder.jump(goes_on);
        self.builder.place(goes_on);
    }

    /// Memories take what a plan writes to them; whether any word changed, if that is asked for.
    pub fn stores(&mut self, stores: &[Store], asked: bool) -> Word {
        let mut changed = self.builder.constant(0);
        for store in stores {
            let memory = self.program.tables.memories[store.memory as usize];
            let index = self.limbs(store.index, store.index_limbs);
            let within = self.within(&index, self.bound(store.index), memory.entries);
            if let Some(within) = within {
                let number = self.program.tables.lookups.len() as u32 + store.memory;
                self.note(&index, memory.entries, within, number);
            }
            for limb in 0..store.limbs {
                let indexed = Indexed {
                    first: memory.start as u32,
                    count: memory.entries as u32,
                    stride: store.limbs,
                    within: limb,
                };
                let mut value = self.limb(store.from + limb);
                if within.is_some() || asked {
                    // What is past the end is held within; nothing changes there then.
                    let before = self.builder.load_at(indexed, index[0]);
                    if let Some(within) = within {
                        value = self.builder.select(within, value, before);
                    }
                    let differs = self.builder.xor(before, value);
                    changed = self.builder.or(changed, differs);
                }
                self.builder.store_at(indexed, index[0], value);
            }
        }
        changed
    }

    /// Asks whether anything changes in this cycle, where memories may have (`stored`): goes to the label that is
    /// returned where nothing does. As a rule the first registers do, short ones, and the others are not asked.
    pub fn ask(&mut self, commits: &[Commit], cases: Option<&Cases>, stored: Word) -> Label {
        let mut commits: Vec<&Commit> = commits.iter().collect();
        commits.sort_by_key(|commit| commit.limbs);
        let limbs = commits.iter().flat_map(|commit| {
            (0..commit.limbs).map(|limb| (commit.register + limb, commit.from + limb))
        });
        let limbs: Vec<(u32, u32)> = limbs.collect();
        let (first, others) = limbs.split_at(limbs.len().min(LIKELY));
        let [goes_on, asks, settles] = [(); 3].map(|()| self.builder.label());
        let changed = self.differs(first);
        self.builder.branch(changed, goes_on, asks);
        self.builder.place(asks);
        self.is_branched = true;
        let changed = self.differs(others);
        let mut changed = self.builder.or(stored, changed);
        if let Some(cases) = cases {
            let differs = self.any_case_differs(cases);
            changed = self.builder.or(changed, differs);
        }
        self.is_branched = false;
        self.builder.branch(changed, goes_on, settles);
        self.builder.place(goes_on);
        settles
    }

    /// Not 0 where any of these registers is to take another value than it has.
    fn differs(&mut self, limbs: &[(u32, u32)]) -> Word {
        let pairs: Vec<(Word, Word)> =
            limbs.iter().map(|(register, from)| (self.limb(*register), self.limb(*from))).collect();
        differing(self.builder, &pairs)
    }
}

/// Not 0 where any of these pairs of words differs.
pub(in crate::sim) fn differing(
    builder: &mut KernelBuilder<'_, '_>,
    pairs: &[(Word, Word)],
) -> Word {
    let mut differing = builder.constant(0);
    for (left, right) in pairs.iter().filter(|(left, right)| left != right) {
        let differs = builder.xor(*left, *right);
        differing = builder.or(differing, differs);
    }
    differing
}

/// The bits of the highest limb that a width has, by limb from the start of a value.
pub(in crate::sim) fn limb_masks(start: u32, width: u32) -> impl Iterator<Item = (u32, u64)> {
    let limbs = crate::bits::limbs(width) as u32;
    let mask = move |limb: u32| if limb + 1 == limbs { top_mask(width) } else { u64::MAX };
    (0..limbs).map(move |limb| (start + limb, mask(limb)))
}
