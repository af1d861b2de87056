//! Straight-line code over a flat array of 64-bit limbs, and its interpreter.
//!
//! A value of `w` bits takes `w / 64` limbs, rounded up, least significant first; bits above `w` are 0.

use crate::bits::top_mask;

/// One instruction. Slots are indices of limbs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub code: Code,
    /// Limbs of the result (of a comparison: of its operands), and of the first and second operand
    /// where they may differ.
    pub limbs: u16,
    pub limbs_a: u16,
    pub limbs_b: u16,
    pub to: u32,
    pub a: u32,
    pub b: u32,
    /// The third operand: a slot, a bit position, a width or a jump's target.
    pub c: u32,
    /// Bits of the highest limb that the result has.
    pub mask: u64,
}

/// The operation of an instruction; names with `Wide` work on any number of limbs, the others on one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Copy,
    Not,
    Negate,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Remainder,
    Equal,
    Less,
    /// `c` is the number of unused bits of the operands.
    LessSigned,
    /// Slice: `c` is the lowest bit.
    Slice,
    /// Concatenation: `c` is the width of the right half.
    Concat,
    /// `c` is the number of unused bits of the operand.
    SignExtend,
    /// `a` is the condition, `b` and `c` are the values.
    Mux,
    /// Continues at `c` when `a` is 0.
    BranchZero,
    /// Continues at `c`.
    Jump,
    /// `c` is the table.
    Lookup,
    /// `c` is the memory.
    Read,
    CopyWide,
    NotWide,
    NegateWide,
    AndWide,
    OrWide,
    XorWide,
    AddWide,
    SubWide,
    MulWide,
    RemainderWide,
    EqualWide,
    LessWide,
    /// `c` is the width of the operands.
    LessSignedWide,
    /// Shifts: `limbs_b` says how wide the amount is, `c` is the width of the result.
    ShiftLeftWide,
    ShiftRightWide,
    ShiftRightSignedWide,
    SliceWide,
    ConcatWide,
    /// `c` is the width of the operand.
    SignExtendWide,
    MuxWide,
}

impl Code {
    /// Returns true if it has no result.
    pub const fn is_jump(self) -> bool {
        matches!(self, Self::BranchZero | Self::Jump)
    }
}

/// A lookup table or a memory among the values.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatTable {
    pub start: usize,
    pub entries: u64,
}

/// All tables and memories of a design.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub lookups: Vec<FlatTable>,
    pub memories: Vec<FlatTable>,
}

/// A table or a memory that was accessed past its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutOfBounds {
    Table(usize),
    Memory(usize),
}

/// Runs code. Returns what was read past its end, if anything.
pub(super) fn run(code: &[Instr], arena: &mut [u64], tables: &Tables) -> Option<OutOfBounds> {
    let mut fault = None;
    let mut next = 0;
    while let Some(instr) = code.get(next) {
        next += 1;
        let (to, a, b) = (instr.to as usize, instr.a as usize, instr.b as usize);
        match instr.code {
            Code::Copy => arena[to] = arena[a],
            Code::Not => arena[to] = !arena[a] & instr.mask,
            Code::Negate => arena[to] = arena[a].wrapping_neg() & instr.mask,
            Code::And => arena[to] = arena[a] & arena[b],
            Code::Or => arena[to] = arena[a] | arena[b],
            Code::Xor => arena[to] = arena[a] ^ arena[b],
            Code::Add => arena[to] = arena[a].wrapping_add(arena[b]) & instr.mask,
            Code::Sub => arena[to] = arena[a].wrapping_sub(arena[b]) & instr.mask,
            Code::Mul => arena[to] = arena[a].wrapping_mul(arena[b]) & instr.mask,
            Code::Remainder => arena[to] = arena[a].checked_rem(arena[b]).unwrap_or(0),
            Code::Equal => arena[to] = u64::from(arena[a] == arena[b]),
            Code::Less => arena[to] = u64::from(arena[a] < arena[b]),
            Code::LessSigned => {
                let (left, right) = (arena[a] << instr.c, arena[b] << instr.c);
                arena[to] = u64::from((left as i64) < right as i64);
            }
            Code::Slice => arena[to] = arena[a] >> instr.c & instr.mask,
            Code::Concat => arena[to] = arena[a] << instr.c | arena[b],
            Code::SignExtend => {
                let value = (arena[a] << instr.c) as i64 >> instr.c;
                arena[to] = value as u64 & instr.mask;
            }
            Code::Mux => arena[to] = arena[if arena[a] != 0 { b } else { instr.c as usize }],
            Code::BranchZero if arena[a] == 0 => next = instr.c as usize,
            Code::BranchZero => {}
            Code::Jump => next = instr.c as usize,
            Code::Lookup => fault = lookup(instr, arena, tables).or(fault),
            Code::Read => fault = read(instr, arena, tables).or(fault),
            _ => wide(instr, arena),
        }
    }
    fault
}

/// An index of so many limbs; too large ones all act alike.
pub(super) fn index(arena: &[u64], at: u32, limbs: u16) -> u64 {
    let index = &arena[at as usize..at as usize + usize::from(limbs)];
    if index[1..].iter().all(|limb| *limb == 0) { index[0] } else { u64::MAX }
}

fn lookup(instr: &Instr, arena: &mut [u64], tables: &Tables) -> Option<OutOfBounds> {
    let number = instr.c as usize;
    fetch(instr, arena, tables.lookups[number]).then_some(OutOfBounds::Table(number))
}

fn read(instr: &Instr, arena: &mut [u64], tables: &Tables) -> Option<OutOfBounds> {
    let number = instr.c as usize;
    fetch(instr, arena, tables.memories[number]).then_some(OutOfBounds::Memory(number))
}

/// Takes an entry, or 0 past the end; whether it was past the end.
fn fetch(instr: &Instr, arena: &mut [u64], table: FlatTable) -> bool {
    let (to, limbs) = (instr.to as usize, instr.limbs as usize);
    let index = index(arena, instr.a, instr.limbs_a);
    let past = index >= table.entries;
    if past {
        arena[to..to + limbs].fill(0);
    } else {
        let from = table.start + index as usize * limbs;
        arena.copy_within(from..from + limbs, to);
    }
    past
}

fn wide(instr: &Instr, arena: &mut [u64]) {
    let (to, a, b) = (instr.to as usize, instr.a as usize, instr.b as usize);
    let (limbs, c) = (instr.limbs as usize, instr.c as usize);
    match instr.code {
        Code::CopyWide => {
            let copied = instr.limbs_a as usize;
            arena.copy_within(a..a + copied, to);
            arena[to + copied..to + limbs].fill(0);
        }
        Code::MuxWide => {
            let from = if arena[a] != 0 { b } else { c };
            arena.copy_within(from..from + limbs, to);
        }
        Code::NotWide => (0..limbs).for_each(|i| arena[to + i] = !arena[a + i]),
        Code::AndWide => (0..limbs).for_each(|i| arena[to + i] = arena[a + i] & arena[b + i]),
        Code::OrWide => (0..limbs).for_each(|i| arena[to + i] = arena[a + i] | arena[b + i]),
        Code::XorWide => (0..limbs).for_each(|i| arena[to + i] = arena[a + i] ^ arena[b + i]),
        Code::AddWide => add(arena, limbs, to, a, b),
        Code::SubWide => subtract(arena, limbs, to, a, b),
        Code::NegateWide => negate(arena, limbs, to, a),
        Code::MulWide => multiply(arena, limbs, to, a, b),
        Code::RemainderWide => remainder(arena, limbs, to, a, b),
        Code::EqualWide => arena[to] = u64::from((0..limbs).all(|i| arena[a + i] == arena[b + i])),
        Code::LessWide => arena[to] = u64::from(less(arena, limbs, a, b)),
        Code::LessSignedWide => arena[to] = u64::from(less_signed(arena, limbs, a, b, c)),
        Code::SliceWide => slice(arena, instr),
        Code::ConcatWide => concat(arena, instr),
        Code::SignExtendWide => sign_extend(arena, instr),
        _ => shift(arena, instr),
    }
    let comparison = matches!(instr.code, Code::EqualWide | Code::LessWide | Code::LessSignedWide);
    if !comparison {
        arena[to + limbs - 1] &= instr.mask;
    }
}

fn add(arena: &mut [u64], limbs: usize, to: usize, a: usize, b: usize) {
    let mut carry = false;
    for i in 0..limbs {
        let (sum, over) = arena[a + i].overflowing_add(arena[b + i]);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        arena[to + i] = sum;
        carry = over | over_again;
    }
}

fn subtract(arena: &mut [u64], limbs: usize, to: usize, a: usize, b: usize) {
    let mut borrow = false;
    for i in 0..limbs {
        let (difference, under) = arena[a + i].overflowing_sub(arena[b + i]);
        let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
        arena[to + i] = difference;
        borrow = under | under_again;
    }
}

fn negate(arena: &mut [u64], limbs: usize, to: usize, a: usize) {
    let mut carry = true;
    for i in 0..limbs {
        (arena[to + i], carry) = (!arena[a + i]).overflowing_add(u64::from(carry));
    }
}

fn multiply(arena: &mut [u64], limbs: usize, to: usize, a: usize, b: usize) {
    arena[to..to + limbs].fill(0);
    for i in 0..limbs {
        let mut carry = 0u128;
        for j in 0..limbs - i {
            let product = u128::from(arena[a + i]) * u128::from(arena[b + j]);
            let sum = product + u128::from(arena[to + i + j]) + carry;
            arena[to + i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
}

/// Restoring division, bit by bit; a design that divides wide words is rare.
fn remainder(arena: &mut [u64], limbs: usize, to: usize, a: usize, b: usize) {
    arena[to..to + limbs].fill(0);
    if arena[b..b + limbs].iter().all(|limb| *limb == 0) {
        return;
    }
    for bit in (0..limbs * 64).rev() {
        let mut carry = arena[a + bit / 64] >> (bit % 64) & 1;
        for i in 0..limbs {
            let limb = arena[to + i];
            arena[to + i] = limb << 1 | carry;
            carry = limb >> 63;
        }
        if carry == 1 || !less(arena, limbs, to, b) {
            subtract(arena, limbs, to, to, b);
        }
    }
}

fn less(arena: &[u64], limbs: usize, a: usize, b: usize) -> bool {
    let differs = (0..limbs).rev().find(|i| arena[a + i] != arena[b + i]);
    differs.is_some_and(|i| arena[a + i] < arena[b + i])
}

fn less_signed(arena: &[u64], limbs: usize, a: usize, b: usize, width: usize) -> bool {
    let negative = |slot: usize| arena[slot + limbs - 1] >> ((width - 1) % 64) & 1 == 1;
    match (negative(a), negative(b)) {
        (left, right) if left != right => left,
        _ => less(arena, limbs, a, b),
    }
}

fn slice(arena: &mut [u64], instr: &Instr) {
    let (to, a) = (instr.to as usize, instr.a as usize);
    let (skip, shift) = ((instr.c / 64) as usize, instr.c % 64);
    let end = instr.limbs_a as usize;
    for i in 0..instr.limbs as usize {
        let limb = |at: usize| if at < end { arena[a + at] } else { 0 };
        let (here, above) = (limb(skip + i), limb(skip + i + 1));
        arena[to + i] = if shift == 0 { here } else { here >> shift | above << (64 - shift) };
    }
}

fn concat(arena: &mut [u64], instr: &Instr) {
    let (to, a, b) = (instr.to as usize, instr.a as usize, instr.b as usize);
    let (limbs, limbs_a, limbs_b) =
        (instr.limbs as usize, instr.limbs_a as usize, instr.limbs_b as usize);
    arena.copy_within(b..b + limbs_b, to);
    arena[to + limbs_b..to + limbs].fill(0);
    let (skip, shift) = ((instr.c / 64) as usize, instr.c % 64);
    for i in 0..limbs_a {
        arena[to + skip + i] |= arena[a + i] << shift;
        if shift != 0 && skip + i + 1 < limbs {
            arena[to + skip + i + 1] |= arena[a + i] >> (64 - shift);
        }
    }
}

fn sign_extend(arena: &mut [u64], instr: &Instr) {
    let (to, a, limbs_a) = (instr.to as usize, instr.a as usize, instr.limbs_a as usize);
    arena.copy_within(a..a + limbs_a, to);
    let top = to + limbs_a - 1;
    let negative = arena[top] >> ((instr.c - 1) % 64) & 1 == 1;
    arena[to + limbs_a..to + instr.limbs as usize].fill(if negative { u64::MAX } else { 0 });
    if negative {
        arena[top] |= !top_mask(instr.c);
    }
}

fn shift(arena: &mut [u64], instr: &Instr) {
    let (to, a, limbs) = (instr.to as usize, instr.a as usize, instr.limbs as usize);
    let width = instr.c as usize;
    let negative = arena[a + limbs - 1] >> ((width - 1) % 64) & 1 == 1;
    let amount = shift_amount(arena, instr).min(width);
    let (skip, shift) = (amount / 64, amount % 64);
    if instr.code == Code::ShiftLeftWide {
        for i in (0..limbs).rev() {
            let limb = |back: usize| if i >= back { arena[a + i - back] } else { 0 };
            let (here, below) = (limb(skip), limb(skip + 1));
            arena[to + i] = if shift == 0 { here } else { here << shift | below >> (64 - shift) };
        }
        return;
    }
    let fill = if negative && instr.code == Code::ShiftRightSignedWide { u64::MAX } else { 0 };
    let limb = |arena: &[u64], at: usize| match at {
        _ if at + 1 < limbs => arena[a + at],
        _ if at + 1 == limbs => arena[a + at] | fill & !top_mask(instr.c),
        _ => fill,
    };
    for i in 0..limbs {
        let (here, above) = (limb(arena, i + skip), limb(arena, i + skip + 1));
        arena[to + i] = if shift == 0 { here } else { here >> shift | above << (64 - shift) };
    }
}

/// A shift amount of any width; too large ones all act alike.
fn shift_amount(arena: &[u64], instr: &Instr) -> usize {
    let amount = &arena[instr.b as usize..instr.b as usize + instr.limbs_b as usize];
    let fits = amount[1..].iter().all(|limb| *limb == 0);
    if fits { usize::try_from(amount[0]).unwrap_or(usize::MAX) } else { usize::MAX }
}
