//! Divides long code into spans, from each of which values reach the next ones in memory only.
//!
//! Otherwise most values of a long plan are alive at its end, where registers take them, and the time that
//! Cranelift takes to allocate host registers grows with the square of their number.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{results, sources};
use crate::sim::code::Instr;

/// Code that computes no more limbs is one span: dividing it saves less compilation than memory costs it.
const WHOLE: usize = 4096;
/// The limbs that instructions of a span of longer code compute, about; one with a branch across its end is longer.
const LIMBS: usize = 512;

/// Instructions that are emitted together.
#[derive(Debug)]
pub(super) struct Span {
    pub code: Range<usize>,
    /// Limbs that it computes and that are read behind it.
    pub handed_on: Vec<u32>,
}

/// Divides code where no branch leads across; `read` are limbs that are asked for behind all of it.
pub(super) fn divide(code: &[Instr], read: &[Range<u32>]) -> Vec<Span> {
    let mut spans: Vec<Span> =
        ranges(code).into_iter().map(|code| Span { code, handed_on: vec![] }).collect();
    if spans.len() == 1 {
        return spans;
    }
    let last = last_reads(code, read);
    for span in &mut spans {
        let set = code[span.code.clone()].iter().flat_map(results);
        span.handed_on = set.filter(|limb| last.get(limb) >= Some(&span.code.end)).collect();
        span.handed_on.sort_unstable();
        span.handed_on.dedup();
    }
    spans
}

fn ranges(code: &[Instr]) -> Vec<Range<usize>> {
    let is_long = code.iter().map(|instr| results(instr).len()).sum::<usize>() > WHOLE;
    let (mut ranges, mut start, mut limbs, mut branched_to) = (vec![], 0, 0, 0);
    for (at, instr) in code.iter().enumerate() {
        if is_long && limbs >= LIMBS && branched_to <= at {
            ranges.push(start..at);
            (start, limbs) = (at, 0);
        }
        if instr.code.is_jump() {
            branched_to = branched_to.max(instr.c as usize);
        }
        limbs += results(instr).len();
    }
    ranges.push(start..code.len());
    ranges
}

/// The last instruction that reads each limb, or the end.
fn last_reads(code: &[Instr], read: &[Range<u32>]) -> FxHashMap<u32, usize> {
    let mut last = FxHashMap::default();
    for (at, instr) in code.iter().enumerate() {
        last.extend(sources(instr).into_iter().flatten().map(|limb| (limb, at)));
    }
    last.extend(read.iter().cloned().flatten().map(|limb| (limb, code.len())));
    last
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::sim::code::Code;

    fn instr(code: Code, to: u32, a: u32, target: u32) -> Instr {
        let (limbs, limbs_a, limbs_b) = (1, 1, 1);
        Instr { code, limbs, limbs_a, limbs_b, to, a, b: a, c: target, mask: u64::MAX }
    }

    /// A chain of complements: each limb is read by the next instruction only.
    fn chain(length: u32) -> Vec<Instr> {
        (0..length).map(|at| instr(Code::Not, at + 1, at, 0)).collect()
    }

    #[test]
    fn short_code_is_one_span() {
        assert_eq!(divide(&chain(WHOLE as u32), &[]).len(), 1);
    }

    #[test]
    fn a_span_hands_on_what_is_read_behind_it() {
        let code = chain(WHOLE as u32 + 1);
        let spans = divide(&code, slice::from_ref(&(7..8)));
        let ranges: Vec<Range<usize>> = spans.iter().map(|span| span.code.clone()).collect();
        assert_eq!(ranges[..2], [0..LIMBS, LIMBS..2 * LIMBS]);
        assert_eq!(ranges.last(), Some(&(WHOLE..WHOLE + 1)));
        assert_eq!(spans[0].handed_on, [7, LIMBS as u32]);
        assert_eq!(spans[1].handed_on, [2 * LIMBS as u32]);
        assert!(spans.last().is_some_and(|span| span.handed_on.is_empty()));
    }

    #[test]
    fn no_branch_leads_across_the_end_of_a_span() {
        let mut code = chain(WHOLE as u32 + 2);
        let (branch, target) = (LIMBS - 2, LIMBS + 5);
        code[branch] = instr(Code::BranchZero, 0, 0, target as u32);
        let spans = divide(&code, &[]);
        assert_eq!(spans[0].code, 0..target);
    }
}
