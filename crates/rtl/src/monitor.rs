//! Runs a design and hands out what it says: printed lines, traced values, the end.
//!
//! Source of the order within a cycle, and of how numbers are printed: the simulator of GEZEL 2.5.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};

use crate::netlist::{Effect, Part, Phase, Printed};
use crate::{
    Control, Direction, Fault, NetId, NetKind, Netlist, NodeId, ScopeId, Simulator, Transition,
};

/// A design that runs, and what is done with what it says.
pub struct Monitor {
    /// The design. Its inputs may be set between cycles.
    pub simulator: Simulator,
    netlist: Arc<Netlist>,
    /// True if every transition is printed.
    pub transitions: bool,
    /// True if a cycle is computed before its lines are printed, so that a fault in it leaves them out.
    pub computes_first: bool,
    /// Of each scope: its place in the order of definitions.
    places: Vec<usize>,
    /// The phases in which some action ends the run.
    stops: Vec<Phase>,
    /// Of each input that a file drives: its values, one a cycle.
    stimuli: Vec<Vec<Vec<u64>>>,
    /// True if the design said something in the present cycle.
    spoke: bool,
}

/// Something that a design says in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputEvent {
    /// A line.
    Line(String),
    /// The value of a trace, by its place in [`Netlist::traces`], as binary digits.
    Trace(usize, String),
}

/// The cause of a run's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The design says so.
    Finished,
    /// It cannot go on.
    Fault(Fault),
    /// A file has no value for this cycle, by its place in [`Netlist::stimuli`].
    Exhausted(usize),
    /// Nothing changes any more from this cycle on, and nothing is said.
    Settled(u64),
}

impl Monitor {
    /// A design at its start. Files that drive inputs are fed by [`Monitor::feed`].
    #[must_use]
    pub fn new(netlist: Arc<Netlist>) -> Self {
        let stimuli = vec![vec![]; netlist.stimuli.len()];
        let simulator = Simulator::new(Arc::clone(&netlist));
        let mut places: Vec<usize> = (0..netlist.scopes.len()).collect();
        for (place, scope) in netlist.defined.iter().enumerate() {
            places[scope.index()] = place;
        }
        let stops = netlist.actions.iter().filter_map(|action| match &action.what {
            Effect::Stop(_, phase) => Some(*phase),
            _ => None,
        });
        let mut stops: Vec<Phase> = stops.collect();
        stops.sort_unstable();
        stops.dedup();
        let (transitions, computes_first, spoke) = (false, false, false);
        Self { simulator, netlist, transitions, computes_first, places, stops, stimuli, spoke }
    }

    /// Gives an input, by its place in [`Netlist::stimuli`], its values for the cycles from the first on,
    /// as limbs of 64 bits.
    pub fn feed(&mut self, stimulus: usize, values: Vec<Vec<u64>>) {
        self.stimuli[stimulus] = values;
    }

    /// Returns true if there is nothing that the design could say, or that a file drives.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let Netlist { actions, traces, stimuli, .. } = &*self.netlist;
        actions.is_empty() && traces.is_empty() && stimuli.is_empty() && !self.may_announce()
    }

    fn may_announce(&self) -> bool {
        let controls = self.netlist.scopes.iter().filter_map(|scope| scope.control.as_ref());
        self.transitions || controls.into_iter().any(Control::is_traced)
    }

    /// Runs so many cycles of a design that says nothing.
    ///
    /// # Errors
    /// Why there are no more of them.
    pub fn run(&mut self, cycles: u64) -> Result<(), End> {
        let saved = self.simulator.run_idle(cycles);
        match self.simulator.fault() {
            Some(fault) => Err(End::Fault(fault.clone())),
            None if saved != 0 => Err(End::Settled(self.simulator.cycle() - saved)),
            None => Ok(()),
        }
    }

    /// Hands out what the design says in the present cycle, with its inputs driven.
    ///
    /// # Errors
    /// Why this is the last cycle.
    pub fn look(&mut self, say: &mut dyn FnMut(OutputEvent)) -> Result<(), End> {
        self.drive()?;
        let mut spoke = false;
        let mut say = |event| {
            spoke = true;
            say(event);
        };
        let ends = self.cycle(&mut say);
        self.spoke = spoke;
        ends
    }

    /// The phases of a cycle, in the order of GEZEL's.
    fn cycle(&mut self, say: &mut dyn FnMut(OutputEvent)) -> Result<(), End> {
        self.announce(say)?;
        self.obey(Phase::Evaluation, None)?;
        self.compute()?;
        self.act(say)?;
        self.obey(Phase::Traces, None)?;
        self.trace(say);
        Ok(())
    }

    /// Goes to the next cycle.
    ///
    /// # Errors
    /// Why there is none.
    pub fn step(&mut self) -> Result<(), End> {
        // What is said in a cycle that changes nothing is said again in the next one.
        let goes_on = self.simulator.step() || !self.stimuli.is_empty() || self.spoke;
        if let Some(fault) = self.simulator.fault() {
            return Err(End::Fault(fault.clone()));
        }
        if goes_on { Ok(()) } else { Err(End::Settled(self.simulator.cycle())) }
    }

    /// Sets the inputs that files drive.
    fn drive(&mut self) -> Result<(), End> {
        let cycle = usize::try_from(self.simulator.cycle()).unwrap_or(usize::MAX);
        for (index, values) in self.stimuli.iter().enumerate() {
            let value = values.get(cycle).ok_or(End::Exhausted(index))?;
            let name = &self.netlist.net(self.netlist.stimuli[index].0).name;
            if let Some(port) = self.simulator.input(name) {
                self.simulator.set_input_wide(port, value);
            }
        }
        Ok(())
    }

    /// Prints the transitions that the design asks for.
    fn announce(&mut self, say: &mut dyn FnMut(OutputEvent)) -> Result<(), End> {
        let stops = self.stops.contains(&Phase::Choice);
        if !stops && !self.may_announce() {
            return Ok(());
        }
        let mut transitions = self.simulator.transitions();
        transitions.sort_by_key(|transition| self.places[transition.scope.index()]);
        for transition in transitions {
            if stops {
                self.obey(Phase::Choice, Some(transition.scope))?;
            }
            if transition.traced || self.transitions {
                say(OutputEvent::Line(self.transition(transition)));
            }
        }
        Ok(())
    }

    fn transition(&self, Transition { scope, from, to, .. }: Transition) -> String {
        let Some(control) = &self.netlist.scopes[scope.index()].control else {
            return String::new();
        };
        let (name, state) = (&control.name, |at: usize| &control.states[at].name);
        if control.is_sequencer {
            return format!("Sequencer step {}", from.index());
        }
        format!("{name}: {name}.{} -> {name}.{}", state(from.index()), state(to.index()))
    }

    /// Ends in a cycle that breaks a rule in this phase, in any scope or in this one.
    fn obey(&mut self, phase: Phase, scope: Option<ScopeId>) -> Result<(), End> {
        if !self.stops.contains(&phase) {
            return Ok(());
        }
        for action in &self.netlist.actions {
            if let Effect::Stop(message, when) = &action.what
                && *when == phase
                && scope.is_none_or(|scope| scope == action.scope)
                && self.simulator.is_active(action.scope, action.group)
            {
                return Err(self.broken(message));
            }
        }
        Ok(())
    }

    fn broken(&self, message: &str) -> End {
        let (message, cycle) = (message.to_owned(), self.simulator.cycle());
        End::Fault(Fault::Rule { message, cycle })
    }

    /// Computes the cycle, if a fault in it shall leave out its lines. Accesses past an end are the only
    /// faults that are found in that way.
    fn compute(&mut self) -> Result<(), End> {
        let netlist = Arc::clone(&self.netlist);
        let may_fail = !netlist.tables.is_empty() || !netlist.memories.is_empty();
        let mut actions = netlist.actions.iter();
        let speaks = self.computes_first
            && may_fail
            && actions.any(|action| self.simulator.is_active(action.scope, action.group));
        if !speaks {
            return Ok(());
        }
        self.simulator.try_step();
        let is_output = |net: &NetId| netlist.net(*net).kind == NetKind::Port(Direction::Output);
        for output in
            netlist.scopes.iter().flat_map(|scope| &scope.ports).copied().filter(is_output)
        {
            self.simulator.net_value(output);
        }
        self.fault()
    }

    fn fault(&self) -> Result<(), End> {
        self.simulator.fault().map_or(Ok(()), |fault| Err(End::Fault(fault.clone())))
    }

    fn act(&mut self, say: &mut dyn FnMut(OutputEvent)) -> Result<(), End> {
        let netlist = Arc::clone(&self.netlist);
        for action in &netlist.actions {
            if !self.simulator.is_active(action.scope, action.group) {
                continue;
            }
            match &action.what {
                Effect::Finish => {
                    say(OutputEvent::Line("finish reached !".to_owned()));
                    return Err(End::Finished);
                }
                Effect::Stop(message, Phase::Output) => return Err(self.broken(message)),
                Effect::Stop(..) => {}
                Effect::Print(parts) => {
                    let line = parts.iter().map(|part| self.part(part)).collect();
                    if self.computes_first {
                        self.fault()?;
                    }
                    say(OutputEvent::Line(line));
                }
            }
        }
        Ok(())
    }

    fn part(&mut self, part: &Part) -> String {
        match part {
            Part::Text(text) => text.clone(),
            Part::Cycle => self.simulator.cycle().to_string(),
            Part::Activity(activity) => {
                self.simulator.activity(*activity).map_or("NA".to_owned(), |n| n.to_string())
            }
            Part::Value(printed) => self.value(*printed),
        }
    }

    fn value(&mut self, printed: Printed) -> String {
        let value = self.simulator.value(printed.value);
        let now = number(&value, self.netlist.node(printed.value).width, printed);
        match printed.register {
            None => now,
            Some(register) => {
                let next = self.simulator.next_value(register);
                debug_assert_eq!(self.netlist.net(register).kind, NetKind::Register);
                let width = self.netlist.net(register).width;
                format!("{now}/{}", number(&next, width, printed))
            }
        }
    }

    fn trace(&mut self, say: &mut dyn FnMut(OutputEvent)) {
        let netlist = Arc::clone(&self.netlist);
        for (index, trace) in netlist.traces.iter().enumerate() {
            say(OutputEvent::Trace(index, self.digits(trace.value, trace.width)));
        }
    }

    fn digits(&mut self, node: NodeId, width: u32) -> String {
        let value = BigInt::from(unsigned(&self.simulator.value(node)));
        pad(&value.to_str_radix(2), width)
    }
}

/// A word in print.
fn number(limbs: &[u64], bits: u32, printed: Printed) -> String {
    let word = BigInt::from(unsigned(limbs));
    let is_negative = printed.signed && word.bit(u64::from(bits) - 1);
    let value = if is_negative { word - (BigInt::from(1) << bits) } else { word };
    if printed.base == 10 {
        return value.to_string();
    }
    let modulus = BigInt::from(1) << printed.width;
    let shown = if value.sign() == Sign::Minus {
        let rest = value % &modulus;
        if rest.sign() == Sign::Minus { rest + modulus } else { rest }
    } else {
        value
    };
    let digits = shown.to_str_radix(printed.base);
    if printed.base == 2 { pad(&digits, printed.width) } else { digits }
}

fn pad(digits: &str, width: u32) -> String {
    format!("{digits:0>width$}", width = width as usize)
}

fn unsigned(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]).collect())
}
