//! A profile: what was spent, by call tree, function, source line and instruction.

use std::collections::{BTreeMap, HashMap};

/// Instructions and cycles spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Instructions issued.
    pub instructions: u64,
    /// Cycles, waiting included.
    pub cycles: u64,
}

impl Spent {
    /// Adds to it.
    pub const fn add(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.cycles += other.cycles;
    }
}

/// A location in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The function, or what was inlined.
    pub function: String,
    /// The file, where it is known.
    pub file: Option<String>,
    /// The line, where it is known.
    pub line: Option<u32>,
}

/// The names of addresses.
pub trait Names {
    /// The locations of an instruction: that of its function first, then what was inlined there, outer
    /// before inner; never empty.
    fn locations(&self, address: u64) -> Vec<SourceLocation>;
    /// The function that starts at an address, or that an address before all functions belongs to.
    fn function(&self, address: Option<u64>) -> String;
    /// The instruction in assembly.
    fn text(&self, address: u64) -> Option<String>;
}

/// The cost of a function in one calling context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The caller's index in the list, which comes earlier.
    pub parent: Option<usize>,
    /// Address of the call.
    pub site: u64,
    /// The address at which the function starts.
    pub function: Option<u64>,
    /// The number of times that it was called.
    pub calls: u64,
    /// The cost of each instruction.
    pub instructions: Vec<(u64, Spent)>,
}

/// A node of the call tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its caller's index in the tree, which comes earlier.
    pub parent: Option<usize>,
    /// Its name.
    pub name: String,
    /// True if it was inlined into its caller.
    pub inlined: bool,
    /// The number of times that it was called; 0 for what was inlined.
    pub calls: u64,
    /// Its cost without callees.
    pub own: Spent,
    /// Its cost with its callees.
    pub total: Spent,
}

/// The cost of a function, in all its contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRow {
    /// Its name.
    pub name: String,
    /// Its address, if that is known.
    pub address: Option<u64>,
    /// The number of times that it was called.
    pub calls: u64,
    /// Its cost without callees.
    pub own: Spent,
    /// Its cost with its callees; what a recursive function spends counts once.
    pub total: Spent,
}

/// The cost of a source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function that the line belongs to.
    pub function: String,
    /// The cost of its instructions.
    pub spent: Spent,
}

/// The cost of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionRow {
    /// Its address.
    pub address: u64,
    /// The instruction in assembly.
    pub text: Option<String>,
    /// The innermost location that it belongs to.
    pub location: SourceLocation,
    /// Its cost.
    pub spent: Spent,
}

/// The callee of a call from one instruction of one function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub calls: u64,
    pub total: Spent,
}

/// Caller, address of the call, callee; functions by the address at which they start.
pub(crate) type Edge = (Option<u64>, u64, Option<u64>);

/// The profile of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The call tree, callers before callees.
    pub tree: Vec<Node>,
    /// Functions, those that spent most first.
    pub functions: Vec<FunctionRow>,
    /// Source lines, those that spent most first; none without debug information.
    pub lines: Vec<LineRow>,
    /// Instructions, by address.
    pub instructions: Vec<InstructionRow>,
    /// Instructions of each function, by address.
    pub(crate) code: BTreeMap<Option<u64>, BTreeMap<u64, Spent>>,
    pub(crate) calls: BTreeMap<Edge, Call>,
}

impl Profile {
    /// Puts a profile together from what was spent in each context.
    #[must_use]
    pub fn new(contexts: &[Context], names: &dyn Names) -> Self {
        let locations = SourceLocations::of(contexts, names);
        let totals = totals(contexts);
        let mut profile = Self { tree: tree(contexts, names, &locations), ..Self::default() };
        for context in contexts {
            let code = profile.code.entry(context.function).or_default();
            for &(address, spent) in &context.instructions {
                code.entry(address).or_default().add(spent);
            }
        }
        profile.functions = functions(contexts, &totals, names);
        profile.calls = calls(contexts, &totals);
        profile.instructions = instructions(&profile.code, &locations, names);
        profile.lines = lines(&profile.instructions);
        profile
    }

    /// The total cost.
    #[must_use]
    pub fn total(&self) -> Spent {
        let mut total = Spent::default();
        self.functions.iter().for_each(|function| total.add(function.own));
        total
    }
}

/// The locations of every address that occurs, looked up once.
struct SourceLocations(HashMap<u64, Vec<SourceLocation>>);

impl SourceLocations {
    fn of(contexts: &[Context], names: &dyn Names) -> Self {
        let mut known = HashMap::new();
        for context in contexts {
            let spent = context.instructions.iter().map(|&(address, _)| address);
            for address in spent.chain([context.site]) {
                known.entry(address).or_insert_with(|| names.locations(address));
            }
        }
        Self(known)
    }

    fn of_address(&self, address: u64) -> &[SourceLocation] {
        self.0.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The functions inlined at an address, outer before inner.
    fn inlined(&self, address: u64) -> impl Iterator<Item = &str> {
        self.of_address(address).iter().skip(1).map(|location| location.function.as_str())
    }
}

/// The cost of each context with its callees.
fn totals(contexts: &[Context]) -> Vec<Spent> {
    let mut totals = vec![Spent::default(); contexts.len()];
    for (number, context) in contexts.iter().enumerate().rev() {
        context.instructions.iter().for_each(|&(_, spent)| totals[number].add(spent));
        if let Some(parent) = context.parent {
            let total = totals[number];
            totals[parent].add(total);
        }
    }
    totals
}

fn tree(contexts: &[Context], names: &dyn Names, locations: &SourceLocations) -> Vec<Node> {
    let mut tree = Tree::default();
    let mut homes = Vec::with_capacity(contexts.len());
    for context in contexts {
        let parent =
            context.parent.map(|parent| tree.inner(homes[parent], context.site, locations));
        let name = names.function(context.function);
        let home = tree.node(parent, &name, false);
        tree.nodes[home].calls += context.calls;
        homes.push(home);
        for &(address, spent) in &context.instructions {
            let inner = tree.inner(home, address, locations);
            tree.nodes[inner].own.add(spent);
        }
    }
    for number in (0..tree.nodes.len()).rev() {
        let own = tree.nodes[number].own;
        tree.nodes[number].total.add(own);
        if let Some(parent) = tree.nodes[number].parent {
            let total = tree.nodes[number].total;
            tree.nodes[parent].total.add(total);
        }
    }
    tree.nodes
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    known: HashMap<(Option<usize>, String, bool), usize>,
}

impl Tree {
    /// The node of an instruction: its function's, or what was inlined there.
    fn inner(&mut self, home: usize, address: u64, locations: &SourceLocations) -> usize {
        locations.inlined(address).fold(home, |node, name| self.node(Some(node), name, true))
    }

    fn node(&mut self, parent: Option<usize>, name: &str, inlined: bool) -> usize {
        let key = (parent, name.to_owned(), inlined);
        *self.known.entry(key).or_insert_with(|| {
            let (name, nothing) = (name.to_owned(), Spent::default());
            self.nodes.push(Node { parent, name, inlined, calls: 0, own: nothing, total: nothing });
            self.nodes.len() - 1
        })
    }
}

/// Returns true if a caller of a context is one of the same function.
fn is_recursive(contexts: &[Context], number: usize) -> bool {
    let mut above = contexts[number].parent;
    while let Some(caller) = above {
        if contexts[caller].function == contexts[number].function {
            return true;
        }
        above = contexts[caller].parent;
    }
    false
}

fn functions(contexts: &[Context], totals: &[Spent], names: &dyn Names) -> Vec<FunctionRow> {
    let mut rows: BTreeMap<Option<u64>, FunctionRow> = BTreeMap::new();
    for (number, context) in contexts.iter().enumerate() {
        let (name, address) = (names.function(context.function), context.function);
        let nothing = Spent::default();
        let row = rows.entry(context.function).or_insert_with(|| FunctionRow {
            name,
            address,
            calls: 0,
            own: nothing,
            total: nothing,
        });
        row.calls += context.calls;
        context.instructions.iter().for_each(|&(_, spent)| row.own.add(spent));
        if !is_recursive(contexts, number) {
            row.total.add(totals[number]);
        }
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.own.cycles), row.address));
    rows
}

fn calls(contexts: &[Context], totals: &[Spent]) -> BTreeMap<Edge, Call> {
    let mut calls: BTreeMap<Edge, Call> = BTreeMap::new();
    for (context, &total) in contexts.iter().zip(totals) {
        if let Some(parent) = context.parent {
            let edge = (contexts[parent].function, context.site, context.function);
            let call = calls.entry(edge).or_default();
            call.calls += context.calls;
            call.total.add(total);
        }
    }
    calls
}

fn instructions(
    code: &BTreeMap<Option<u64>, BTreeMap<u64, Spent>>,
    locations: &SourceLocations,
    names: &dyn Names,
) -> Vec<InstructionRow> {
    let mut all: BTreeMap<u64, Spent> = BTreeMap::new();
    for (&address, &spent) in code.values().flatten() {
        all.entry(address).or_default().add(spent);
    }
    let row = |(address, spent)| InstructionRow {
        address,
        text: names.text(address),
        location: locations.of_address(address).last().cloned().unwrap_or_default(),
        spent,
    };
    all.into_iter().map(row).collect()
}

fn lines(instructions: &[InstructionRow]) -> Vec<LineRow> {
    let mut rows: BTreeMap<(&str, u32), LineRow> = BTreeMap::new();
    for row in instructions {
        let (Some(file), Some(line)) = (&row.location.file, row.location.line) else { continue };
        let entry = rows.entry((file, line)).or_insert_with(|| LineRow {
            file: file.clone(),
            line,
            function: row.location.function.clone(),
            spent: Spent::default(),
        });
        entry.spent.add(row.spent);
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by(|a, b| (b.spent.cycles, &a.file, a.line).cmp(&(a.spent.cycles, &b.file, b.line)));
    rows
}
