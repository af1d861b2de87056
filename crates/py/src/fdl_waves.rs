//! Waves of an FDL design: every port, register and signal, and the states of controllers.

use std::fs::File;
use std::io::{self, BufWriter};

use cocrypt_rtl::{Control, NetId, Netlist, ScopeId, Simulator};
use cocrypt_trace::{Format, Signal, Waves};

/// Hertz of the clock in files of waves: a cycle is a nanosecond.
const CLOCK: u64 = 1_000_000_000;
const LETTER: u32 = 8;

/// A file of waves, and where its signals come from.
pub struct DesignWaves {
    waves: Waves,
    /// Of each signal of the file.
    sources: Vec<Source>,
}

/// The source of a signal in a file. Controllers count in the order of scopes.
enum Source {
    Net(NetId),
    /// The number of a controller's state.
    State(usize),
    /// Its name: those of all states as words of ASCII.
    StateName(usize, Vec<Vec<u64>>),
}

/// The name of a signal in a file, and its width.
struct Named {
    scope: usize,
    name: String,
    width: u32,
    source: Source,
}

impl DesignWaves {
    /// Begins a file: nets in the scopes of the design, and two signals for each controller, the number of
    /// its state and, as `_name`, the state's name in ASCII.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(netlist: &Netlist, format: Format, file: BufWriter<File>) -> io::Result<Self> {
        let scopes = scopes(netlist);
        let mut named: Vec<Named> = (0..netlist.nets.len() as u32)
            .map(NetId)
            .map(|id| (id, netlist.net(id)))
            .map(|(id, net)| Named {
                scope: net.scope.index(),
                name: net.name.clone(),
                width: net.width,
                source: Source::Net(id),
            })
            .collect();
        let controllers = netlist.scopes.iter().enumerate();
        let controllers = controllers.filter_map(|(at, scope)| Some((at, scope.control.as_ref()?)));
        for (number, (scope, control)) in controllers.enumerate() {
            named.extend(states(scope, control, number));
        }
        // Files of waves have everything of a scope together.
        named.sort_by_key(|one| one.scope);
        let signals: Vec<Signal<'_>> = named
            .iter()
            .map(|one| Signal { scope: &scopes[one.scope], name: &one.name, width: one.width })
            .collect();
        let waves = Waves::new(format, Box::new(file), CLOCK, &signals)?;
        Ok(Self { waves, sources: named.into_iter().map(|one| one.source).collect() })
    }

    /// Writes what signals are in the present cycle.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn see(&mut self, simulator: &mut Simulator) -> io::Result<()> {
        let (cycle, taken) = (simulator.cycle(), simulator.transitions());
        for (signal, source) in self.sources.iter().enumerate() {
            match source {
                Source::Net(net) => self.waves.put(cycle, signal, &simulator.net_value(*net))?,
                Source::State(controller) => {
                    self.waves.put(cycle, signal, &[taken[*controller].from.0.into()])?;
                }
                Source::StateName(controller, names) => {
                    let state = taken[*controller].from.index();
                    self.waves.put(cycle, signal, &names[state])?;
                }
            }
        }
        Ok(())
    }

    /// Ends the file behind this cycle.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self, cycle: u64) -> io::Result<()> {
        self.waves.finish(cycle)
    }
}

/// The paths of scopes, the top's name first.
fn scopes(netlist: &Netlist) -> Vec<String> {
    let top = netlist.scopes.first().map_or("", |scope| &scope.instance);
    let path = |index| match netlist.path(ScopeId(index)) {
        path if path.is_empty() => top.to_owned(),
        path => format!("{top}.{path}"),
    };
    (0..netlist.scopes.len() as u32).map(path).collect()
}

/// The signals of a controller.
fn states(scope: usize, control: &Control, number: usize) -> [Named; 2] {
    let longest = control.states.iter().map(|state| state.name.len()).max().unwrap_or(1);
    let bits = usize::BITS - control.states.len().saturating_sub(1).leading_zeros();
    let names = control.states.iter().map(|state| ascii(&state.name)).collect();
    [
        Named {
            scope,
            name: control.name.clone(),
            width: bits.max(1),
            source: Source::State(number),
        },
        Named {
            scope,
            name: format!("{}_name", control.name),
            width: LETTER * longest as u32,
            source: Source::StateName(number, names),
        },
    ]
}

/// A text as a number, its last letter in the lowest byte, as words of 64 bits.
fn ascii(text: &str) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << LETTER | u64::from(*byte));
    text.as_bytes().rchunks(8).map(word).collect()
}
