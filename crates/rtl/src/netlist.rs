//! The netlist: scopes with nets, groups of assignments, and the controllers that activate them.

use std::collections::HashSet;

use crate::{Bits, Block, Comments};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in the list that holds the thing.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A net in [`Netlist::nets`].
    NetId
);
id!(
    /// A node in [`Netlist::nodes`].
    NodeId
);
id!(
    /// A scope in [`Netlist::scopes`].
    ScopeId
);
id!(
    /// A table in [`Netlist::tables`].
    TableId
);
id!(
    /// A memory in [`Netlist::memories`].
    MemoryId
);
id!(
    /// A group in its scope's [`Scope::groups`].
    GroupId
);
id!(
    /// A state in its scope's [`Control::states`].
    StateId
);

/// A whole design: the tree of its scopes, flattened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Netlist {
    /// The file that the design was written in, for comments; line numbers below refer to it.
    pub file: String,
    /// Modules, each used once. The first is the top; a parent stands before its children.
    pub scopes: Vec<Scope>,
    /// Ports, signals and registers of all scopes.
    pub nets: Vec<Net>,
    /// Expressions of all scopes; a node stands after its operands.
    pub nodes: Vec<Node>,
    /// Lookup tables of all scopes.
    pub tables: Vec<Table>,
    /// Memories of all scopes.
    pub memories: Vec<Memory>,
    /// The output of the design while it runs, in its order.
    pub actions: Vec<Action>,
    /// Values that go to files in every cycle.
    pub traces: Vec<Trace>,
    /// Inputs of the top that files drive: the file's name with each.
    pub stimuli: Vec<(NetId, String)>,
    /// The faces of the design to programs on processors.
    pub faces: Vec<Face>,
    /// The scopes whose body is in another language.
    pub blocks: Vec<Block>,
    /// The scopes in the order of their definitions, in which controllers choose; empty where that is
    /// the order of [`Netlist::scopes`].
    pub defined: Vec<ScopeId>,
    /// The comments of the design's text.
    pub comments: Comments,
}

/// The part of a processor that leads to a face.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// Addresses of its machine.
    Memory,
    /// Addresses of the space that its instruction set calls so.
    Space(&'static str),
    /// The latch of the port of this name, which the program writes.
    Latch(String),
    /// The pins of the port of this name, which the program reads.
    Pins(String),
}

impl Route {
    /// An address there, in words for people.
    #[must_use]
    pub fn at(&self, base: u32) -> String {
        match self {
            Self::Memory => format!("{base:#x}"),
            Self::Space(name) => format!("{base:#x} of {name}"),
            Self::Latch(port) => format!("the latch of `{port}`"),
            Self::Pins(port) => format!("the pins of `{port}`"),
        }
    }
}

/// The face of the design to the program of a processor: registers that nothing in the design writes, to be
/// set for the cycle of an access, and what a load yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// The path of the block that it belongs to.
    pub block: String,
    /// The processor's name.
    pub core: String,
    /// The part of the processor that its addresses are in.
    pub route: Route,
    /// The processor's addresses that lead there: the first, their number, and what the design takes the
    /// first for.
    pub windows: Vec<(u32, u32, u32)>,
    /// The offset of the access in the face, 32 bits.
    pub address: NetId,
    /// The stored value, 32 bits.
    pub data: NetId,
    /// The mask of its bits that count, from the lowest on.
    pub mask: NetId,
    /// True if it is a store, one bit.
    pub write: NetId,
    /// True if it is a load, one bit.
    pub read: NetId,
    /// The result of a load, 32 bits.
    pub value: NetId,
}

/// One module of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Its name, unique in the netlist.
    pub name: String,
    /// Its name in the parent, part of paths.
    pub instance: String,
    /// The scope that instantiates it; none for the top.
    pub parent: Option<ScopeId>,
    /// The file of its definition.
    pub file: String,
    /// Line of its definition.
    pub line: usize,
    /// Its ports in order of declaration.
    pub ports: Vec<NetId>,
    /// Its groups of assignments.
    pub groups: Vec<Group>,
    /// The controller that activates its groups that are not always active.
    pub control: Option<Control>,
    /// Connections to children, active in every cycle: inputs of children, and own nets that
    /// children drive.
    pub bindings: Vec<Assign>,
}

impl Netlist {
    /// The line in which an instance is named within a scope.
    pub(crate) fn instance_line(&self, parent: &Scope, child: ScopeId) -> usize {
        let Scope { ports, line, .. } = &self.scopes[child.index()];
        let mut bindings = parent.bindings.iter();
        let of_child = |binding: &&Assign| {
            ports.contains(&binding.target)
                || matches!(&self.node(binding.value).op, Op::Net(net) if ports.contains(net))
        };
        bindings.find(of_child).map_or(*line, |found| found.line)
    }

    /// The source location of a scope's definition, for a comment; the file is named where it is not the
    /// netlist's.
    #[must_use]
    pub fn origin(&self, scope: &Scope) -> String {
        if scope.file == self.file {
            return format!("Line {}", scope.line);
        }
        format!("Line {} of {}", scope.line, shown(&scope.file))
    }

    /// The name of the netlist's file, for a comment.
    #[must_use]
    pub fn file_name(&self) -> String {
        shown(&self.file)
    }
}

/// A file's name without its folders, in one line: what stood behind a line's end would be no comment any
/// more, but code that tools run.
fn shown(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
            text.extend(letter.escape_unicode());
        } else {
            text.push(letter);
        }
    }
    text
}

/// The role of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetKind {
    /// A port.
    Port(Direction),
    /// A combinational signal.
    Signal,
    /// A register, 0 at first.
    Register,
}

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven from inside.
    Output,
}

/// A named word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// The scope that declares it.
    pub scope: ScopeId,
    /// Its name, unique in its scope.
    pub name: String,
    /// Its kind.
    pub kind: NetKind,
    /// Bits that hold its value.
    pub width: u32,
    /// Bits that the outside sees of a top port; at most `width`.
    pub face: u32,
    /// True if its value is read as two's complement. Nodes say so themselves; this is for people.
    pub signed: bool,
    /// Line of its declaration.
    pub line: usize,
}

/// Assignments that are active together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name; unique in its scope, but for groups that are always active.
    pub name: String,
    /// True if it is active in every cycle, whatever the controller does.
    pub always: bool,
    /// Line of its definition.
    pub line: usize,
    /// Its assignments.
    pub assigns: Vec<Assign>,
    /// Its writes to memories.
    pub writes: Vec<Write>,
}

/// One assignment: the target takes the node's value (a register: at the clock's edge).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assign {
    /// A signal, output or register of the scope; as binding also an input of a child.
    pub target: NetId,
    /// A node of the target's width.
    pub value: NodeId,
    /// Its line.
    pub line: usize,
}

/// A word of a memory takes a node's value at the clock's edge; nothing does past its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The memory.
    pub memory: MemoryId,
    /// The index of the word: unsigned, of any width.
    pub index: NodeId,
    /// A node of the memory's width.
    pub value: NodeId,
    /// Its line.
    pub line: usize,
}

/// A controller: a state machine that picks groups and the next state in each cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its name.
    pub name: String,
    /// Line of its definition.
    pub line: usize,
    /// Its states; a single one needs no register.
    pub states: Vec<State>,
    /// Its start state.
    pub initial: StateId,
    /// True if its states are steps, one after the other.
    pub is_sequencer: bool,
}

impl Control {
    /// The groups that are active in every cycle: those of a controller that has no choice.
    #[must_use]
    pub fn permanent(&self) -> Vec<GroupId> {
        match &self.states[..] {
            [State { decision: Some(Decision::Go { groups, .. }), .. }] => groups.clone(),
            _ => Vec::new(),
        }
    }

    /// The groups that some decision names, each once, in order of the text.
    #[must_use]
    pub fn groups(&self) -> Vec<GroupId> {
        let (mut seen, mut groups) = (HashSet::new(), Vec::new());
        self.visit(|decision| {
            if let Decision::Go { groups: named, .. } = decision {
                groups.extend(named.iter().copied().filter(|group| seen.insert(*group)));
            }
        });
        groups
    }

    /// The conditions of all decisions, in order of the text.
    #[must_use]
    pub fn conditions(&self) -> Vec<NodeId> {
        let mut conditions = Vec::new();
        self.visit(|decision| {
            if let Decision::If { condition, .. } = decision {
                conditions.push(*condition);
            }
        });
        conditions
    }

    /// Returns true if any transition is to be printed.
    #[must_use]
    pub fn is_traced(&self) -> bool {
        let mut traced = false;
        self.visit(|decision| {
            traced |= matches!(decision, Decision::Go { traced: true, .. });
        });
        traced
    }

    fn visit(&self, mut look: impl FnMut(&Decision)) {
        let decisions = self.states.iter().rev().filter_map(|state| state.decision.as_ref());
        let mut stack: Vec<&Decision> = decisions.collect();
        while let Some(decision) = stack.pop() {
            look(decision);
            if let Decision::If { yes, no, .. } = decision {
                stack.extend([no.as_ref(), yes.as_ref()]);
            }
        }
    }
}

/// A state of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name, unique in its controller.
    pub name: String,
    /// Line of its transitions.
    pub line: usize,
    /// Its transitions; none in a state that is never reached.
    pub decision: Option<Decision>,
}

/// The transitions of a controller in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Activates groups and goes to a state.
    Go {
        /// The groups, beside those that are always active.
        groups: Vec<GroupId>,
        /// The next state.
        next: StateId,
        /// True if the transition is printed.
        traced: bool,
    },
    /// Asks a condition.
    If {
        /// A node of width 1 that does not depend on this decision; see [`Netlist::asked`].
        condition: NodeId,
        /// Taken when it is 1.
        yes: Box<Decision>,
        /// Taken when it is 0.
        no: Box<Decision>,
    },
}

/// A lookup table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The scope that declares it.
    pub scope: ScopeId,
    /// Its name, unique in its scope.
    pub name: String,
    /// Bits of each entry.
    pub width: u32,
    /// Its entries.
    pub entries: Vec<Bits>,
    /// Line of its declaration.
    pub line: usize,
}

/// Words that are read by an index in any cycle, and written at the clock's edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The scope that declares it.
    pub scope: ScopeId,
    /// Its name, unique in its scope.
    pub name: String,
    /// Bits of each word.
    pub width: u32,
    /// The initial contents of the words: as many as there are. A reset leaves them alone.
    pub initial: Vec<Bits>,
    /// Line of its declaration.
    pub line: usize,
}

/// Something that a group does in a cycle in which it is active, and that is no hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The group's scope.
    pub scope: ScopeId,
    /// The group.
    pub group: GroupId,
    /// The effect.
    pub what: Effect,
}

/// The effect of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Prints a line of these parts.
    Print(Vec<Part>),
    /// Ends the simulation.
    Finish,
    /// Ends the simulation with a fault, with this message.
    Stop(String, Phase),
}

/// The phase of a cycle in which a simulation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// When the controller chooses its transition, after those that are defined before it.
    Choice,
    /// When registers and outputs are computed, before any line of the cycle.
    Evaluation,
    /// At the action's place among the lines of the cycle.
    Output,
    /// After the lines of the cycle, when its traces are written.
    Traces,
}

/// A part of a printed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A text as it is.
    Text(String),
    /// A number.
    Value(Printed),
    /// The number of the cycle.
    Cycle,
    /// A figure about the bits of this cycle.
    Activity(Activity),
}

/// A number that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The number.
    pub value: NodeId,
    /// True if it is two's complement.
    pub signed: bool,
    /// Bits that a negative number is shown with, and digits of a binary one.
    pub width: u32,
    /// 2, 10 or 16.
    pub base: u32,
    /// A register, whose next value is printed as well.
    pub register: Option<NetId>,
}

/// Figures about the bits of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Bits that differ from the cycle before.
    Toggles,
    /// Bits that are 1.
    Ones,
    /// Bits that are 0.
    Zeroes,
}

/// A value that goes to a file in every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The scope that declares it.
    pub scope: ScopeId,
    /// The value.
    pub value: NodeId,
    /// Bits of it that are written.
    pub width: u32,
    /// The file.
    pub file: String,
    /// Its name.
    pub name: String,
}

/// An expression: an operator and the width of its result in bits, at least 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// Bits of the result.
    pub width: u32,
}

/// Operators. Words are bit vectors; unless said otherwise, operands have the result's width and
/// results wrap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A number.
    Constant(Bits),
    /// A net of the same scope, or in a binding an output of a child.
    Net(NetId),
    /// Bitwise complement.
    Not(NodeId),
    /// Two's complement.
    Negate(NodeId),
    /// Bitwise and.
    And(NodeId, NodeId),
    /// Bitwise or.
    Or(NodeId, NodeId),
    /// Bitwise exclusive or.
    Xor(NodeId, NodeId),
    /// Sum.
    Add(NodeId, NodeId),
    /// Difference.
    Sub(NodeId, NodeId),
    /// Product.
    Mul(NodeId, NodeId),
    /// Unsigned remainder; 0 when the right operand is 0.
    Remainder(NodeId, NodeId),
    /// True if two words of one width are equal; 1 bit.
    Equal(NodeId, NodeId),
    /// True if left is below right, both unsigned and of one width; 1 bit.
    Less(NodeId, NodeId),
    /// The same for two's complement.
    LessSigned(NodeId, NodeId),
    /// Left shift; the amount is unsigned and of any width.
    ShiftLeft(NodeId, NodeId),
    /// Logical right shift; the amount is unsigned and of any width.
    ShiftRight(NodeId, NodeId),
    /// Arithmetic right shift; the amount is unsigned and of any width.
    ShiftRightSigned(NodeId, NodeId),
    /// The bits from `low` on of a word that has them all.
    Slice {
        /// The word.
        of: NodeId,
        /// Its lowest bit that counts.
        low: u32,
    },
    /// Left above right; widths add up.
    Concat(NodeId, NodeId),
    /// A narrower word with zeros above.
    ZeroExtend(NodeId),
    /// A narrower word with copies of its highest bit above.
    SignExtend(NodeId),
    /// One of two words.
    Mux {
        /// 1 bit.
        condition: NodeId,
        /// The value when it is 1.
        yes: NodeId,
        /// The value when it is 0.
        no: NodeId,
    },
    /// A table's entry; an index past its end is a fault and gives 0.
    Lookup {
        /// The table.
        table: TableId,
        /// Unsigned index of any width.
        index: NodeId,
    },
    /// A memory's word; an index past its end is a fault and gives 0.
    Read {
        /// The memory.
        memory: MemoryId,
        /// Unsigned index of any width.
        index: NodeId,
    },
}

impl Op {
    /// The operands, in order.
    #[must_use]
    pub fn operands(&self) -> Vec<NodeId> {
        match *self {
            Self::Constant(_) | Self::Net(_) => Vec::new(),
            Self::Not(a) | Self::Negate(a) | Self::ZeroExtend(a) | Self::SignExtend(a) => vec![a],
            Self::Slice { of, .. } => vec![of],
            Self::Lookup { index, .. } | Self::Read { index, .. } => vec![index],
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Xor(a, b)
            | Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Remainder(a, b)
            | Self::Equal(a, b)
            | Self::Less(a, b)
            | Self::LessSigned(a, b)
            | Self::ShiftLeft(a, b)
            | Self::ShiftRight(a, b)
            | Self::ShiftRightSigned(a, b)
            | Self::Concat(a, b) => vec![a, b],
            Self::Mux { condition, yes, no } => vec![condition, yes, no],
        }
    }
}

impl Netlist {
    /// The net behind an id.
    #[must_use]
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.index()]
    }

    /// The node behind an id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All assignments, those of groups that are not always active among them.
    pub(crate) fn assigns(&self) -> impl Iterator<Item = &Assign> {
        self.scopes.iter().flat_map(|scope| {
            let groups = scope.groups.iter().flat_map(|group| &group.assigns);
            groups.chain(&scope.bindings)
        })
    }

    /// A scope's path from the top, without the top's own name: empty, or names joined by dots.
    #[must_use]
    pub fn path(&self, scope: ScopeId) -> String {
        let scope = &self.scopes[scope.index()];
        match scope.parent {
            None => String::new(),
            Some(parent) => match self.path(parent) {
                path if path.is_empty() => scope.instance.clone(),
                path => format!("{path}.{}", scope.instance),
            },
        }
    }

    /// A net by its path from the top: `z`, or `map_core.z`.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<NetId> {
        let (scope, name) = path.rsplit_once('.').unwrap_or(("", path));
        let found = |net: &Net| net.name == name && self.path(net.scope) == scope;
        self.nets.iter().position(found).map(|index| NetId(index as u32))
    }
}
