//! Checks that every symbol read in a cycle is assigned in it, and that there is no combinational loop.
//!
//! Each step is followed from what it must compute (outputs, registers, the inputs of children) to
//! what that depends on. A dependency in a branch of `?:`, or one that a child has in some of its
//! steps only, is possible but not certain.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::{Driver, Step};
use crate::ast::{Kind, Span};
use crate::limits;
use crate::model::{Action, Argument, Datapath, Expr, ExprKind, Moment, Sfg, Shown};
use crate::report::Report;

/// Signals of a loop that are named.
const NAMED: usize = 16;

/// The certainty of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    Perhaps,
    Yes,
}

/// The inputs, by place among the ports, that something depends on, each with its certainty.
type Inputs = HashMap<usize, Certainty>;

/// A datapath's dependencies as its users see them.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// Of each output, by place among the ports: the inputs that it depends on within a cycle.
    outputs: HashMap<usize, Inputs>,
    /// The inputs that are read in a cycle at all.
    all: Inputs,
}

/// A transition that cannot be taken, or a state that cannot be left, why, and when GEZEL finds it.
pub(super) type Stop = (Span, String, Moment);

/// Checks a datapath; children have been checked before. Where it is not strict, transitions that break a
/// rule are odd, and returned.
pub(super) fn check(
    datapath: &Datapath,
    steps: &[Step],
    summaries: &[Rc<Summary>],
    strict: bool,
    report: &mut Report,
) -> (Summary, Vec<Stop>) {
    let mut found = Findings::default();
    let mut parts = Vec::new();
    for step in steps {
        if found.spent > limits::STEPS {
            break;
        }
        let mut walk = Walk::new(datapath, step, summaries, &mut found);
        parts.push(walk.step());
    }
    found.report(datapath, strict, report);
    found.limits(datapath, report);
    let breaches = if strict { vec![] } else { found.breaches };
    (join(&parts), breaches)
}

/// A dependency is sure when it is in every step.
fn join(parts: &[Summary]) -> Summary {
    let combine = |select: &dyn Fn(&Summary) -> Inputs| {
        let each: Vec<Inputs> = parts.iter().map(select).collect();
        let keys: HashSet<usize> = each.iter().flat_map(|inputs| inputs.keys().copied()).collect();
        let sure = |key: &usize| {
            let all = each.iter().all(|inputs| inputs.get(key) == Some(&Certainty::Yes));
            if all { Certainty::Yes } else { Certainty::Perhaps }
        };
        keys.into_iter().map(|key| (key, sure(&key))).collect::<Inputs>()
    };
    let outputs: HashSet<usize> =
        parts.iter().flat_map(|part| part.outputs.keys().copied()).collect();
    let of_output =
        |port: usize| combine(&|part| part.outputs.get(&port).cloned().unwrap_or_default());
    Summary {
        outputs: outputs.into_iter().map(|port| (port, of_output(port))).collect(),
        all: combine(&|part| part.all.clone()),
    }
}

/// The mistakes, each once.
#[derive(Default)]
struct Findings {
    /// Symbols that are read but not assigned: the certainty, the place that reads them, in which transition.
    missing: Vec<(usize, Certainty, Option<Span>, Option<Span>)>,
    /// Loops, by the symbols on them.
    loops: Vec<(Vec<usize>, Certainty, Option<Span>)>,
    /// Of each transition that breaks a rule for certain: the first message.
    breaches: Vec<Stop>,
    /// The dependencies that were followed.
    spent: usize,
    /// True if a chain of them was too long.
    long: bool,
}

impl Findings {
    /// Says so where not everything was looked at.
    fn limits(&self, datapath: &Datapath, report: &mut Report) {
        let at = (datapath.span, "this datapath");
        if self.long {
            let most = limits::CHAIN;
            let what = format!("signals depend on one another over more than {most} levels");
            report.error("fdl.too-large", &what, at, "put registers into the chain");
        } else if self.spent > limits::STEPS {
            let what = format!("`{}` has too many dependencies between signals", datapath.name);
            report.error("fdl.too-large", &what, at, "split it into several datapaths");
        }
    }

    /// A transition breaks a rule for certain.
    fn stop(&mut self, step: Option<Span>, moment: Moment, message: impl FnOnce() -> String) {
        let Some(step) = step else { return };
        if self.breaches.last().is_none_or(|(known, ..)| *known != step) {
            self.breaches.push((step, message(), moment));
        }
    }

    fn add_missing(
        &mut self,
        symbol: usize,
        sure: Certainty,
        read: Option<Span>,
        step: Option<Span>,
    ) {
        if self.missing.len() >= limits::SAID {
            return;
        }
        match self.missing.iter_mut().find(|known| known.0 == symbol) {
            Some(known) if known.1 >= sure => {}
            Some(known) => *known = (symbol, sure, read, step),
            None => self.missing.push((symbol, sure, read, step)),
        }
    }

    fn add_loop(&mut self, path: &[usize], sure: Certainty, step: Option<Span>) {
        self.spent += path.len();
        if self.loops.len() >= limits::SAID {
            return;
        }
        let mut key = path.to_vec();
        key.sort_unstable();
        match self.loops.iter_mut().find(|known| sorted(&known.0) == key) {
            Some(known) if known.1 >= sure => {}
            Some(known) => *known = (path.to_vec(), sure, step),
            None => self.loops.push((path.to_vec(), sure, step)),
        }
    }

    fn report(&self, datapath: &Datapath, strict: bool, report: &mut Report) {
        for (symbol, sure, read, step) in &self.missing {
            report_missing(datapath, *symbol, (*sure, strict), *read, report);
            if let Some(step) = step {
                report.also(*step, "not assigned in this transition");
            }
        }
        for (path, sure, step) in &self.loops {
            report_loop(datapath, path, (*sure, strict), report);
            if let Some(step) = step {
                report.also(*step, "in this transition");
            }
        }
    }
}

fn sorted(path: &[usize]) -> Vec<usize> {
    let mut path = path.to_vec();
    path.sort_unstable();
    path
}

fn report_missing(
    datapath: &Datapath,
    symbol: usize,
    (sure, strict): (Certainty, bool),
    read: Option<Span>,
    report: &mut Report,
) {
    let symbol = &datapath.symbols[symbol];
    let name = &symbol.name;
    let (what, label) = match (symbol.kind, read) {
        (Kind::Out, None) => {
            (format!("the output `{name}` is not assigned in every cycle"), "this output")
        }
        _ => (format!("`{name}` is read in a cycle that does not assign it"), "read here"),
    };
    let place = (read.unwrap_or(symbol.span), label);
    let help = "assign it in that cycle too; a signal has no value of its own, a register has";
    if sure == Certainty::Yes {
        report.doubt(strict, "fdl.missing-assignment", &what, place, help);
    } else {
        let what = format!("{what}, unless the branch that reads it is not taken");
        report.warning("fdl.missing-assignment", &what, place, "it reads as 0 there; assign it");
    }
}

fn report_loop(
    datapath: &Datapath,
    path: &[usize],
    (sure, strict): (Certainty, bool),
    report: &mut Report,
) {
    let name = |symbol: &usize| datapath.symbols[*symbol].name.as_str();
    let mut names: Vec<&str> = path.iter().take(NAMED).map(name).collect();
    names.extend((path.len() > NAMED).then_some("…"));
    names.extend(path.first().map(name));
    let (first, way) = (&datapath.symbols[path[0]], names.join("` ← `"));
    let place = (first.span, "part of the loop");
    let help = "put a register into the loop";
    if sure == Certainty::Yes {
        let message = format!("a signal depends on itself: `{way}`");
        report.doubt(strict, "fdl.combinational-loop", &message, place, help);
    } else {
        let message =
            format!("a signal may depend on itself, depending on `?:` or states: `{way}`");
        report.warning("fdl.combinational-loop", &message, place, help);
    }
}

/// Follows the dependencies of one step.
struct Walk<'a> {
    datapath: &'a Datapath,
    step: &'a Step,
    summaries: &'a [Rc<Summary>],
    found: &'a mut Findings,
    /// By symbol, so that the first breach is the same in every run.
    drivers: BTreeMap<usize, Driver<'a>>,
    /// Symbols that have more than one.
    twice: HashSet<usize>,
    /// Symbols on the path from the root to here, with the certainty of each step.
    /// And with that, the certainty of the whole path.
    path: Vec<(usize, Certainty, Certainty)>,
    /// The positions of symbols on it.
    place: HashMap<usize, usize>,
    /// The inputs that a symbol depends on, with the certainty that it was asked for with.
    known: HashMap<usize, (Certainty, Inputs)>,
    /// The nesting depth of expressions here.
    depth: usize,
    /// The moment of the cycle in which GEZEL needs what is followed here.
    moment: Moment,
}

impl<'a> Walk<'a> {
    fn new(
        datapath: &'a Datapath,
        step: &'a Step,
        summaries: &'a [Rc<Summary>],
        found: &'a mut Findings,
    ) -> Self {
        let mut drivers = BTreeMap::new();
        for (place, used) in datapath.uses.iter().enumerate() {
            for (port, argument) in used.arguments.iter().enumerate() {
                if let Argument::Output(symbol, _) = argument {
                    drivers.insert(*symbol, Driver::Child(place, port));
                }
            }
        }
        let mut twice = HashSet::new();
        for assign in step.sfgs.iter().flat_map(|sfg| &datapath.sfgs[*sfg].assigns) {
            if drivers.insert(assign.target, Driver::Sfg(&assign.value)).is_some() {
                twice.insert(assign.target);
            }
        }
        let (path, place, known) = (Vec::new(), HashMap::new(), HashMap::new());
        let (depth, moment) = (0, Moment::Evaluation);
        Self { datapath, step, summaries, found, drivers, twice, path, place, known, depth, moment }
    }

    /// Follows everything that the step must compute.
    fn step(&mut self) -> Summary {
        let mut summary = Summary::default();
        for (place, port) in self.datapath.ports.iter().enumerate() {
            if self.datapath.symbols[*port].kind == Kind::Out {
                let inputs = self.symbol(*port, Certainty::Yes, None);
                merge(&mut summary.all, &inputs, Certainty::Yes);
                summary.outputs.insert(place, inputs);
            }
        }
        for (symbol, driver) in self.drivers.clone() {
            if self.datapath.symbols[symbol].kind == Kind::Reg {
                self.once(symbol, Certainty::Yes);
                let inputs = self.driver(driver);
                merge(&mut summary.all, &inputs, Certainty::Yes);
            }
        }
        let datapath = self.datapath;
        let active: Vec<&Sfg> = self.step.sfgs.iter().map(|sfg| &datapath.sfgs[*sfg]).collect();
        let written = active.iter().flat_map(|sfg| &sfg.writes);
        let written = written.flat_map(|write| [&write.index, &write.value]);
        for value in written {
            let inputs = self.expression(value, Certainty::Yes);
            merge(&mut summary.all, &inputs, Certainty::Yes);
        }
        for (place, used) in self.datapath.uses.iter().enumerate() {
            let needs = self.summaries[used.child].all.clone();
            let inputs = self.child_inputs(place, &needs);
            merge(&mut summary.all, &inputs, Certainty::Yes);
        }
        self.output(&mut summary);
        summary
    }

    /// Follows what is printed and traced, in the order of the file.
    fn output(&mut self, summary: &mut Summary) {
        let datapath = self.datapath;
        let mut sfgs = self.step.sfgs.clone();
        sfgs.sort_unstable();
        let mut values = vec![];
        for sfg in sfgs {
            for (place, action) in datapath.sfgs[sfg].actions.iter().enumerate() {
                let moment = Moment::Action(sfg, place);
                values.extend(printed(action).into_iter().map(|value| (moment, value)));
            }
        }
        values.extend(datapath.traces.iter().map(|trace| (Moment::Traces, &trace.value)));
        for (moment, value) in values {
            self.moment = moment;
            let inputs = self.expression(value, Certainty::Yes);
            merge(&mut summary.all, &inputs, Certainty::Yes);
        }
    }

    fn symbol(&mut self, symbol: usize, sure: Certainty, read: Option<Span>) -> Inputs {
        match self.datapath.symbols[symbol].kind {
            Kind::Reg => return Inputs::new(),
            Kind::In => {
                // The ports of a datapath are its first symbols.
                let ports = &self.datapath.ports;
                let place = Some(symbol).filter(|place| ports.get(*place) == Some(&symbol));
                let place = place.or_else(|| ports.iter().position(|port| *port == symbol));
                return place.map(|place| (place, Certainty::Yes)).into_iter().collect();
            }
            _ => {}
        }
        if let Some(start) = self.place.get(&symbol).copied() {
            self.close_loop(start, sure);
            return Inputs::new();
        }
        let way = self.path.last().map_or(sure, |(_, _, way)| sure.min(*way));
        let Some(driver) = self.drivers.get(&symbol).copied() else {
            self.found.add_missing(symbol, way, read, self.step.span);
            self.breach(way, symbol, "is read in a cycle that does not assign it");
            return Inputs::new();
        };
        self.once(symbol, way);
        if let Some(known) = self.known.get(&symbol).filter(|known| known.0 >= way) {
            self.found.spent += known.1.len();
            return known.1.clone();
        }
        self.place.insert(symbol, self.path.len());
        self.path.push((symbol, sure, way));
        let inputs = self.driver(driver);
        self.path.pop();
        self.place.remove(&symbol);
        self.known.insert(symbol, (way, inputs.clone()));
        inputs
    }

    fn close_loop(&mut self, start: usize, sure: Certainty) {
        let on_loop = &self.path[start..];
        let surest = on_loop[1..].iter().map(|(_, sure, _)| *sure).chain([sure]).min();
        let symbols: Vec<usize> = on_loop.iter().map(|(symbol, _, _)| *symbol).collect();
        let surest = surest.unwrap_or(sure);
        self.found.add_loop(&symbols, surest, self.step.span);
        let way = self.path.last().map_or(sure, |(_, _, way)| surest.min(*way));
        self.breach(way, symbols[0], "depends on itself");
    }

    /// A symbol that is needed has one driver.
    fn once(&mut self, symbol: usize, way: Certainty) {
        if self.twice.contains(&symbol) {
            self.breach(way, symbol, "is assigned by two sfgs in one cycle");
        }
    }

    /// A rule is broken in this step, if what breaks it is needed for certain.
    fn breach(&mut self, way: Certainty, symbol: usize, what: &str) {
        if way == Certainty::Yes {
            let name = &self.datapath.symbols[symbol].name;
            self.found.stop(self.step.span, self.moment, || format!("`{name}` {what}"));
        }
    }

    fn driver(&mut self, driver: Driver<'a>) -> Inputs {
        match driver {
            Driver::Sfg(value) => self.expression(value, Certainty::Yes),
            Driver::Child(place, port) => {
                let child = self.datapath.uses[place].child;
                let needs = self.summaries[child].outputs.get(&port).cloned().unwrap_or_default();
                self.child_inputs(place, &needs)
            }
        }
    }

    /// The dependencies of the values at some of a child's inputs.
    fn child_inputs(&mut self, place: usize, needs: &Inputs) -> Inputs {
        let mut inputs = Inputs::new();
        let datapath = self.datapath;
        let mut needs: Vec<_> = needs.iter().collect();
        needs.sort_unstable();
        for (port, sure) in needs {
            if let Some(Argument::Input(value)) = datapath.uses[place].arguments.get(*port) {
                let found = self.expression(value, *sure);
                merge(&mut inputs, &found, *sure);
            }
        }
        inputs
    }

    fn expression(&mut self, expr: &Expr, sure: Certainty) -> Inputs {
        self.found.long |= self.depth >= limits::CHAIN;
        if self.found.long || self.found.spent > limits::STEPS {
            return Inputs::new();
        }
        self.depth += 1;
        let inputs = self.operands(expr, sure);
        self.depth -= 1;
        self.found.spent += 1 + inputs.len();
        inputs
    }

    fn operands(&mut self, expr: &Expr, sure: Certainty) -> Inputs {
        let mut inputs = Inputs::new();
        let operands: Vec<(&Expr, Certainty)> = match &expr.kind {
            ExprKind::Constant(_) => Vec::new(),
            ExprKind::Symbol(symbol) => return self.symbol(*symbol, sure, Some(expr.span)),
            ExprKind::Lookup(_, a)
            | ExprKind::Element(_, a)
            | ExprKind::Negate(a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Select(a, _) => vec![(a, sure)],
            ExprKind::Binary(_, a, b) => vec![(a, sure), (b, sure)],
            ExprKind::Choose(condition, yes, no) => {
                vec![(condition, sure), (yes, Certainty::Perhaps), (no, Certainty::Perhaps)]
            }
        };
        for (operand, sure) in operands {
            let found = self.expression(operand, sure);
            merge(&mut inputs, &found, sure);
        }
        inputs
    }
}

/// The values that an action prints.
fn printed(action: &Action) -> Vec<&Expr> {
    let Action::Display(shown) = action else { return vec![] };
    let mut values = vec![];
    for part in shown {
        if let Shown::Value(value, _) = part {
            values.push(value);
        }
    }
    values
}

/// Adds dependencies that come through something so sure.
fn merge(inputs: &mut Inputs, found: &Inputs, sure: Certainty) {
    for (port, own) in found {
        let sure = sure.min(*own);
        let entry = inputs.entry(*port).or_insert(sure);
        *entry = (*entry).max(sure);
    }
}
