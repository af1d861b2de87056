//! What gates compute, as functions of three signals: fewer steps than a netlist has cells.
//!
//! Where nobody asks for the values of inner nets, gates are covered by cuts of up to three signals, as logic is by the
//! look-up tables of FPGAs. Of the cuts of a signal the one counts whose share of all functions is the least (area
//! flow; Manohararajah, Brown and Vranesic 2006).

use super::builder::Gate;
use super::op;

/// Operands of a function.
pub const OPERANDS: usize = 3;
/// The table of a function that is its first operand.
const FIRST: u8 = 0b1010_1010;
/// Cuts that are kept of a signal.
const KEPT: usize = 6;

/// A function of signals. Its table has a bit for each of their values, the first operand the lowest bit; operands that
/// it does not depend on are signal 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    pub table: u8,
    pub operands: [usize; OPERANDS],
    pub output: usize,
}

/// Functions that compute the `wanted` signals, each directly behind what it needs as far as that is possible.
pub fn cover(gates: &[Gate], signals: usize, wanted: &[usize]) -> Vec<Lookup> {
    let (steps, signals) = divided(gates, signals);
    let mut readers = vec![0_u32; signals];
    let read = steps.iter().flat_map(|step| step.operands).chain(wanted.iter().copied());
    read.for_each(|signal| readers[signal] += 1);

    let mut cuts: Vec<Vec<Cut>> = (0..signals).map(|signal| vec![Cut::of(signal)]).collect();
    let mut flows = vec![0.0; signals];
    let mut best = vec![None; signals];
    for step in &steps {
        let mut found = merged(step, &cuts);
        let cost = |cut: &Cut| cut.cost() + cut.signals().map(|leaf| flows[leaf]).sum::<f32>();
        found.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        found.truncate(KEPT);
        let chosen = found[0];
        flows[step.output] = cost(&chosen) / readers[step.output].max(1) as f32;
        best[step.output] = Some(chosen);
        // Nothing is cheaper for a reader than a constant, another signal or its complement.
        if chosen.size < 2 {
            found.truncate(1);
        } else {
            found.push(Cut::of(step.output));
        }
        cuts[step.output] = found;
    }
    depth_first(&chosen(&steps, &best, wanted), signals, wanted)
}

/// Each gate as one function or two, each directly behind what it needs as far as that is possible.
pub fn in_order(gates: &[Gate], signals: usize, wanted: &[usize]) -> Vec<Lookup> {
    let (steps, signals) = divided(gates, signals);
    depth_first(&steps, signals, wanted)
}

/// The functions in the order in which a walk from the `wanted` signals leaves them.
fn depth_first(lookups: &[Lookup], signals: usize, wanted: &[usize]) -> Vec<Lookup> {
    let mut driver = vec![None; signals];
    for lookup in lookups {
        driver[lookup.output] = Some(lookup);
    }
    let mut ordered = vec![];
    for &signal in wanted {
        // A signal is seen twice: once to walk on to its operands, once behind them.
        let mut open = vec![(signal, false)];
        while let Some((signal, is_behind)) = open.pop() {
            if is_behind {
                ordered.extend(driver[signal].take().copied());
            } else if let Some(lookup) = driver[signal] {
                open.push((signal, true));
                open.extend(lookup.operands.map(|operand| (operand, false)));
            }
        }
    }
    ordered
}

/// The functions of the chosen cuts that `wanted` signals need.
fn chosen(steps: &[Lookup], best: &[Option<Cut>], wanted: &[usize]) -> Vec<Lookup> {
    let mut is_needed = vec![false; best.len()];
    for &signal in wanted {
        is_needed[signal] = true;
    }
    let mut found = vec![];
    for step in steps.iter().rev() {
        let Some(cut) = best[step.output].filter(|_| is_needed[step.output]) else { continue };
        cut.signals().for_each(|leaf| is_needed[leaf] = true);
        found.push(Lookup { table: cut.table, operands: cut.leaves, output: step.output });
    }
    found.reverse();
    found
}

/// The gates as functions of at most three signals, and the number of signals: a gate of four inputs becomes two
/// functions, with a signal between them.
fn divided(gates: &[Gate], mut signals: usize) -> (Vec<Lookup>, usize) {
    let mut steps = vec![];
    for &Gate { op, operands: [a, b, c, d], output, .. } in gates {
        let (inputs, table) = op::table(op);
        if inputs > OPERANDS {
            let (inner, outer) = halves(table);
            steps.push(Lookup { table: inner, operands: [a, b, 0], output: signals });
            steps.push(Lookup { table: outer, operands: [signals, c, d], output });
            signals += 1;
        } else {
            // The table of fewer inputs, once for each value of those that are not there.
            let repeated = (0..8).fold(0, |wide, row| {
                wide | ((table >> (row & ((1 << inputs) - 1)) & 1) as u8) << row
            });
            steps.push(Lookup { table: repeated, operands: [a, b, c], output });
        }
    }
    (steps, signals)
}

/// A table of four inputs as one of the first two, and one of that and the others.
fn halves(table: u64) -> (u8, u8) {
    let part = |row: usize| (table >> (4 * row) & 15) as u8;
    let inner = (0..4).map(part).find(|&part| part != 0 && part != 15).unwrap_or(0);
    let outer = (0..4).fold(0, |outer, row| {
        let (without, with) = match part(row) {
            15 => (1, 1),
            0 => (0, 0),
            part if part == inner => (0, 1),
            _ => (1, 0),
        };
        outer | (without | with << 1) << (2 * row)
    });
    (inner | inner << 4, outer)
}

/// A function of leaves, which are in ascending order; the last ones are signal 0 if there are fewer than three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    leaves: [usize; OPERANDS],
    size: usize,
    table: u8,
}

impl Cut {
    /// The cut that is the signal itself; signals 0 and 1 are constants.
    fn of(signal: usize) -> Self {
        match signal {
            0 => Self { leaves: [0; OPERANDS], size: 0, table: 0 },
            1 => Self { leaves: [0; OPERANDS], size: 0, table: u8::MAX },
            _ => Self { leaves: [signal, 0, 0], size: 1, table: FIRST },
        }
    }

    fn signals(&self) -> impl Iterator<Item = usize> + '_ {
        self.leaves[..self.size].iter().copied()
    }

    /// How many functions it is: what has one leaf or none becomes a part of its readers.
    fn cost(&self) -> f32 {
        if self.size < 2 { 0.0 } else { 1.0 }
    }

    /// The row of its table for a row of a table with other leaves, its own among them.
    fn row(&self, row: usize, leaves: &[usize]) -> usize {
        let bit =
            |leaf| leaves.iter().position(|&other| other == leaf).map_or(0, |at| row >> at & 1);
        self.signals().enumerate().fold(0, |mine, (at, leaf)| mine | bit(leaf) << at)
    }

    /// The same without leaves that its table does not depend on.
    fn reduced(mut self) -> Self {
        for at in (0..self.size).rev() {
            let (low, high) = halved(self.table, at);
            if low == high {
                self.table = low;
                self.leaves.copy_within(at + 1.., at);
                self.leaves[OPERANDS - 1] = 0;
                self.size -= 1;
            }
        }
        self
    }
}

/// A table without one of its operands, for both values of that one.
fn halved(table: u8, operand: usize) -> (u8, u8) {
    let part = |value: usize| {
        (0..8_usize).fold(0, |part, row| {
            // Operands behind the one that is left out move to its place.
            let below = row & ((1 << operand) - 1);
            let whole = (row & !((1 << operand) - 1)) << 1 | value << operand | below;
            part | (table >> (whole & 7) & 1) << row
        })
    };
    (part(0), part(1))
}

/// The cuts of a step: a cut of each operand, as far as these have no more than three leaves together.
fn merged(step: &Lookup, cuts: &[Vec<Cut>]) -> Vec<Cut> {
    let [a, b, c] = step.operands.map(|signal| &cuts[signal]);
    let mut found: Vec<Cut> = vec![];
    for a in a {
        for b in b {
            for c in c {
                let new = merge(step.table, [a, b, c]);
                found.extend(new.filter(|new| found.iter().all(|old| old.leaves != new.leaves)));
            }
        }
    }
    found
}

/// A table over the functions of three cuts; None if they have more than three leaves together.
fn merge(table: u8, cuts: [&Cut; OPERANDS]) -> Option<Cut> {
    let mut leaves: Vec<_> = cuts.iter().flat_map(|cut| cut.signals()).collect();
    leaves.sort_unstable();
    leaves.dedup();
    if leaves.len() > OPERANDS {
        return None;
    }
    let row = |row: usize| {
        cuts.iter()
            .enumerate()
            .fold(0, |index, (at, cut)| index | (cut.table >> cut.row(row, &leaves) & 1) << at)
    };
    let table = (0..8).fold(0, |found, at| found | (table >> row(at) & 1) << at);
    let size = leaves.len();
    leaves.resize(OPERANDS, 0);
    Some(Cut { leaves: [leaves[0], leaves[1], leaves[2]], size, table }.reduced())
}
