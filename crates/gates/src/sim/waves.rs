//! The moments of a cycle in which nets may change, each with the signal of its value.

use crate::netlist::{Net, Netlist};

/// For each net the moments in which it may change, in ticks behind the clock's edge, with its signals.
///
/// Without delays a net has one moment, and its signal has the net's number. With delays that signal has the value
/// at the end of the cycle before, and each moment another.
#[derive(Clone, Debug)]
pub struct Waves {
    has_glitches: bool,
    moments: Vec<Vec<(u32, usize)>>,
}

impl Waves {
    /// The waves before any cell is known; inputs change at once, by signals from `signal`.
    pub fn new(netlist: &Netlist, has_glitches: bool, mut signal: impl FnMut() -> usize) -> Self {
        let mut moments = vec![vec![]; netlist.nets.len()];
        if has_glitches {
            let inputs = netlist.ports.iter().filter(|port| !port.is_output);
            for &net in inputs.flat_map(|port| &port.bits) {
                moments[net] = vec![(0, signal())];
            }
        }
        Self { has_glitches, moments }
    }

    /// The moments in which a function may change of which each input is a net that is seen so many ticks later.
    pub fn following(&self, sources: &[(Net, u32)]) -> Vec<u32> {
        let latest = sources.iter().map(|&(_, delay)| delay).max().unwrap_or(0);
        if !self.has_glitches {
            return vec![0];
        }
        let mut found: Vec<_> = sources
            .iter()
            .flat_map(|&(net, delay)| self.moments[net].iter().map(move |(at, _)| at + delay))
            .collect();
        found.sort_unstable();
        found.dedup();
        // A function of constants alone has its value in one moment.
        if found.is_empty() { vec![latest] } else { found }
    }

    /// The signal with a net's value in a moment, as it is seen so many ticks later.
    pub fn seen(&self, (net, delay): (Net, u32), moment: u32) -> usize {
        let moments = &self.moments[net];
        let past = moments.partition_point(|&(at, _)| at + delay <= moment);
        past.checked_sub(1).map_or(net, |index| moments[index].1)
    }

    /// The signal with a net's value at the end of a cycle.
    pub fn last(&self, net: Net) -> usize {
        self.moments[net].last().map_or(net, |&(_, signal)| signal)
    }

    /// The signals whose changes are those of a net.
    pub fn signals(&self, net: Net) -> Vec<usize> {
        if self.has_glitches {
            self.moments[net].iter().map(|&(_, signal)| signal).collect()
        } else {
            vec![net]
        }
    }

    /// The number of nets.
    pub fn nets(&self) -> usize {
        self.moments.len()
    }

    /// Returns true if nets have moments of their own.
    pub fn has_glitches(&self) -> bool {
        self.has_glitches
    }

    /// Adds a moment of a net behind all others. Without delays the signal is the net's own.
    pub fn push(&mut self, net: Net, moment: u32, signal: usize) {
        if self.has_glitches {
            self.moments[net].push((moment, signal));
        }
    }
}
