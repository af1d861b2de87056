//! Programs that have the values of ports and registers alone.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use cocrypt_codegen::{Ternary, TernaryCode};
use cocrypt_simd::Instructions;

use super::builder::Builder;
use super::cover::{Lookup, cover};
use super::lookup::Placement;
use super::program::{Program, Steps};
use crate::netlist::Net;

impl Builder {
    /// Covers the gates by functions that compute ports and next states.
    pub fn finish_ports(
        self,
        ports: &[Net],
        next: &[(usize, usize)],
        clock: Option<Net>,
        instructions: Instructions,
    ) -> Program {
        let wanted: Vec<_> =
            ports.iter().copied().chain(next.iter().map(|&(next, _)| next)).collect();
        let lookups = cover(&self.gates, self.signals, &wanted);
        let sources = Self::sources(&lookups, &wanted, next);
        let code =
            instructions.has_ternary().then(|| compiled(&lookups, &sources, &wanted)).flatten();
        let (steps, slot, slots) = code.unwrap_or_else(|| {
            let lasting: Vec<_> = sources.iter().chain(&wanted).copied().collect();
            let Placement { runs, slot, slots } = Placement::new(&lookups, &lasting);
            (Steps::Lookups(runs), slot, slots)
        });
        let mut nets = vec![None; self.waves.nets()];
        for net in ports {
            nets[*net] = Some(slot[net]);
        }
        Program {
            slots,
            steps,
            one: slot.get(&1).copied(),
            registers: next.iter().map(|(next, state)| (slot[next], slot[state])).collect(),
            gates: self.gates.len(),
            functions: lookups.len(),
            slot: nets,
            changing: vec![],
            kept: vec![],
            clock,
        }
    }

    /// The signals that no function drives, as far as functions read them or their values are kept.
    fn sources(lookups: &[Lookup], wanted: &[usize], next: &[(usize, usize)]) -> Vec<usize> {
        let driven: HashSet<_> = lookups.iter().map(|lookup| lookup.output).collect();
        let read = lookups.iter().flat_map(|lookup| lookup.operands);
        let states = next.iter().map(|&(_, state)| state);
        let all: BTreeSet<_> = read.chain(wanted.iter().copied()).chain(states).collect();
        all.into_iter().filter(|signal| !driven.contains(signal)).collect()
    }
}

/// Machine code, the slots of sources and `wanted` signals, and the number of slots; None without memory for code.
fn compiled(
    lookups: &[Lookup],
    sources: &[usize],
    wanted: &[usize],
) -> Option<(Steps, HashMap<usize, usize>, usize)> {
    let outputs = lookups.iter().map(|lookup| lookup.output);
    let values: HashMap<_, _> = sources
        .iter()
        .copied()
        .chain(outputs)
        .enumerate()
        .map(|(value, signal)| (signal, value))
        .collect();
    let value = |signal: usize| values[&signal];
    let steps: Vec<_> = lookups
        .iter()
        .map(|lookup| Ternary { table: lookup.table, operands: lookup.operands.map(value) })
        .collect();
    let results: Vec<_> = wanted.iter().map(|&signal| value(signal)).collect();
    let code = TernaryCode::compile(sources.len(), &steps, &results).ok()?;
    // A source that is also wanted is read where it is written.
    let results = wanted.iter().enumerate().map(|(number, &signal)| (signal, code.result(number)));
    let given = sources.iter().enumerate().map(|(number, &signal)| (signal, code.source(number)));
    let slot = results.chain(given).collect();
    let slots = code.words();
    Some((Steps::Code(Arc::new(code)), slot, slots))
}
