//! Expressions as text. What is used more than once, or must be named to take bits of it, becomes a
//! wire of its own.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::names::UsedNames;
use crate::{Bits, MemoryId, NetId, Netlist, NodeId, Op, TableId};

/// Longer operands become wires.
const LONG: usize = 90;

/// Writes the expressions of one module.
pub(super) struct Expressions<'a> {
    netlist: &'a Netlist,
    pub nets: HashMap<NetId, String>,
    /// Of each table: its function's name, and the width of its argument.
    pub tables: HashMap<TableId, (String, u32)>,
    /// Of each memory: its name.
    pub memories: HashMap<MemoryId, String>,
    uses: HashMap<NodeId, usize>,
    must_name: HashSet<NodeId>,
    wires: HashMap<NodeId, String>,
    /// Expressions that are read as a whole, and of others the bits that are.
    whole: HashSet<NodeId>,
    slices: HashMap<NodeId, Vec<(u32, u32)>>,
    /// Of nets that are read: the node that reads them.
    of_nets: HashMap<NetId, NodeId>,
    /// Memories that some expression reads.
    read_memories: HashSet<MemoryId>,
    /// Declarations of wires, in an order in which each is declared before it is used.
    pub declarations: String,
}

/// `[7:0] ` for a width of 8, nothing for a single bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// A sized number.
pub(super) fn number(bits: &Bits, width: u32) -> String {
    match bits.as_u64() {
        Some(value) if value < 10 => format!("{width}'d{value}"),
        _ => format!("{width}'h{bits:x}"),
    }
}

/// Returns true if slices, and the bits below `from`, are all bits of a word.
fn covers(slices: Option<&Vec<(u32, u32)>>, from: u32, width: u32) -> bool {
    let mut slices = slices.cloned().unwrap_or_default();
    slices.sort_unstable();
    let reached =
        slices.into_iter().fold(
            from,
            |reached, (low, high)| {
                if low <= reached { reached.max(high) } else { reached }
            },
        );
    reached >= width
}

impl<'a> Expressions<'a> {
    pub fn new(netlist: &'a Netlist, nets: HashMap<NetId, String>) -> Self {
        Self {
            netlist,
            nets,
            tables: HashMap::new(),
            memories: HashMap::new(),
            uses: HashMap::new(),
            must_name: HashSet::new(),
            wires: HashMap::new(),
            whole: HashSet::new(),
            slices: HashMap::new(),
            of_nets: HashMap::new(),
            read_memories: HashSet::new(),
            declarations: String::new(),
        }
    }

    /// Says that this expression will be written.
    pub fn announce(&mut self, node: NodeId) {
        self.whole.insert(node);
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let uses = self.uses.entry(node).or_insert(0);
            *uses += 1;
            if *uses > 1 {
                continue;
            }
            let op = &self.netlist.node(node).op;
            if let Op::Slice { of, low } = op {
                let bits = (*low, low + self.netlist.node(node).width);
                self.slices.entry(*of).or_default().push(bits);
            } else {
                self.whole.extend(op.operands());
            }
            if let Op::Net(net) = op {
                self.of_nets.insert(*net, node);
            }
            match op {
                Op::Slice { of, .. } | Op::SignExtend(of) => {
                    self.must_name.insert(*of);
                }
                Op::Remainder(_, divisor) => {
                    self.must_name.insert(*divisor);
                }
                Op::Lookup { table, index } => self.widen_table(*table, *index),
                Op::Read { memory, index } => {
                    // A word within an expression is more than some simulators can take.
                    self.must_name.insert(node);
                    self.name_index(*index);
                    self.read_memories.insert(*memory);
                }
                _ => {}
            }
            stack.extend(op.operands());
        }
    }

    /// Says that this expression will be written as an index into a memory.
    pub fn announce_index(&mut self, index: NodeId) {
        self.announce(index);
        self.name_index(index);
    }

    /// An index is a name or a number: some simulators compute another one with more bits than it has.
    fn name_index(&mut self, index: NodeId) {
        if !matches!(self.netlist.node(index).op, Op::Constant(_)) {
            self.must_name.insert(index);
        }
    }

    /// The bound of an index that may go past a memory's end.
    fn guard(&self, memory: MemoryId, index: NodeId) -> Option<String> {
        let width = self.netlist.node(index).width;
        let words = self.netlist.memories[memory.index()].initial.len() as u64;
        let reach = 1u64.checked_shl(width).unwrap_or(u64::MAX);
        (reach > words).then(|| format!("{width}'d{words}"))
    }

    /// A memory's word, and the condition under which there is one, if it may not be.
    pub fn word(
        &mut self,
        memory: MemoryId,
        index: NodeId,
        taken: &mut UsedNames,
    ) -> (String, Option<String>) {
        let name = self.memories.get(&memory).cloned().unwrap_or_default();
        let words = self.netlist.memories[memory.index()].initial.len() as u64;
        let bits = u64::BITS - (words - 1).max(1).leading_zeros();
        if let Op::Constant(number) = &self.netlist.node(index).op {
            // A number needs no comparison: it is known whether there is such a word.
            let low = number.limbs().first().copied().unwrap_or(0);
            let is_there = low < words && number.limbs().iter().skip(1).all(|limb| *limb == 0);
            let guard = (!is_there).then(|| "1'b0".to_owned());
            return (format!("{name}[{bits}'d{}]", if is_there { low } else { 0 }), guard);
        }
        let text = self.text(index, taken);
        let guard = self.guard(memory, index).map(|words| format!("{text} < {words}"));
        // An index has the bits that tell the words apart, neither more nor fewer.
        let index = match self.netlist.node(index).width {
            width if width > bits => format!("{text}[{}:0]", bits - 1),
            width if width < bits => format!("{{{}'d0, {text}}}", bits - width),
            _ => text,
        };
        (format!("{name}[{index}]"), guard)
    }

    /// Returns true if some expression reads a memory.
    pub fn is_memory_read(&self, memory: MemoryId) -> bool {
        self.read_memories.contains(&memory)
    }

    /// Returns true if every bit of a net is read; of one that a port shows, `shown` says that its lower bits
    /// are.
    pub fn is_read(&self, net: NetId, shown: bool) -> bool {
        let width = self.netlist.net(net).width;
        let face = if shown { self.netlist.net(net).face } else { 0 };
        let node = self.of_nets.get(&net);
        node.is_some_and(|node| self.whole.contains(node))
            || covers(node.and_then(|node| self.slices.get(node)), face, width)
    }

    /// The wires of which some bits are not read.
    pub fn unread_wires(&self) -> Vec<String> {
        let is_read = |node: &NodeId| {
            let width = self.netlist.node(*node).width;
            self.whole.contains(node) || covers(self.slices.get(node), 0, width)
        };
        let mut unread: Vec<_> = self.wires.iter().filter(|(node, _)| !is_read(node)).collect();
        unread.sort_unstable();
        unread.into_iter().map(|(_, name)| name.clone()).collect()
    }

    /// A table's function takes an argument as wide as the widest index.
    fn widen_table(&mut self, table: TableId, index: NodeId) {
        let width = self.netlist.node(index).width;
        let entry = self.tables.entry(table).or_default();
        entry.1 = entry.1.max(width);
    }

    /// The text of an announced expression, for a place that asks for exactly its width.
    pub fn text(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        if let Some(name) = self.name(node) {
            return name;
        }
        if self.is_wire(node) {
            return self.wire(node, taken);
        }
        self.operator(node, taken)
    }

    /// The name of a net, or of a wire that exists already.
    fn name(&self, node: NodeId) -> Option<String> {
        match &self.netlist.node(node).op {
            Op::Net(net) => self.nets.get(net).cloned(),
            _ => self.wires.get(&node).cloned(),
        }
    }

    /// Returns true if an expression is worth a wire of its own.
    fn is_wire(&self, node: NodeId) -> bool {
        let op = &self.netlist.node(node).op;
        let simple = match op {
            Op::Constant(_) => true,
            Op::Slice { of, .. } | Op::ZeroExtend(of) | Op::Not(of) => {
                matches!(self.netlist.node(*of).op, Op::Net(_))
            }
            _ => false,
        };
        let shared = self.uses.get(&node).is_some_and(|uses| *uses > 1);
        self.must_name.contains(&node) || (shared && !simple)
    }

    fn wire(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let value = self.operator(node, taken);
        self.declare(node, &value, taken)
    }

    fn declare(&mut self, node: NodeId, value: &str, taken: &mut UsedNames) -> String {
        let name = taken.take(&format!("w{}", self.wires.len() + 1));
        let range = range(self.netlist.node(node).width);
        let _ = writeln!(self.declarations, "  wire {range}{name} = {value};");
        self.wires.insert(node, name.clone());
        name
    }

    /// An operand: a name, a number, or something that brackets hold together.
    pub fn operand(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let text = self.text(node, taken);
        let op = &self.netlist.node(node).op;
        let closed = matches!(
            op,
            Op::Constant(_)
                | Op::Net(_)
                | Op::Slice { .. }
                | Op::Concat(..)
                | Op::ZeroExtend(_)
                | Op::SignExtend(_)
                | Op::Lookup { .. }
        );
        if closed || self.wires.contains_key(&node) {
            text
        } else if text.len() > LONG {
            self.declare(node, &text, taken)
        } else {
            format!("({text})")
        }
    }

    fn operator(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let width = self.netlist.node(node).width;
        match self.netlist.node(node).op.clone() {
            Op::Constant(bits) => number(&bits, width),
            Op::Net(net) => self.nets.get(&net).cloned().unwrap_or_default(),
            Op::Not(a) => self.complement(a, taken),
            Op::Negate(a) => format!("-{}", self.operand(a, taken)),
            Op::And(a, b) => self.infix(a, "&", b, taken),
            Op::Or(a, b) => self.infix(a, "|", b, taken),
            Op::Xor(a, b) => self.infix(a, "^", b, taken),
            Op::Add(a, b) => self.infix(a, "+", b, taken),
            Op::Sub(a, b) => self.infix(a, "-", b, taken),
            Op::Mul(a, b) => self.infix(a, "*", b, taken),
            Op::Equal(a, b) => self.infix(a, "==", b, taken),
            Op::Less(a, b) => self.infix(a, "<", b, taken),
            Op::LessSigned(a, b) => self.signed(a, "<", b, taken),
            Op::ShiftLeft(a, b) => self.infix(a, "<<", b, taken),
            Op::ShiftRight(a, b) => self.infix(a, ">>", b, taken),
            Op::ShiftRightSigned(a, b) => {
                format!(
                    "$unsigned($signed({}) >>> {})",
                    self.text(a, taken),
                    self.operand(b, taken)
                )
            }
            Op::Remainder(a, b) => {
                let (a, b) = (self.operand(a, taken), self.operand(b, taken));
                format!("({b} == {width}'d0) ? {width}'d0 : ({a} % {b})")
            }
            Op::Slice { of, low } => {
                let of = self.text(of, taken);
                let high = low + width - 1;
                if width == 1 { format!("{of}[{low}]") } else { format!("{of}[{high}:{low}]") }
            }
            Op::Concat(..) => {
                let parts = self.parts(node, taken);
                format!("{{{}}}", parts.join(", "))
            }
            Op::ZeroExtend(a) => {
                let room = width - self.netlist.node(a).width;
                format!("{{{room}'d0, {}}}", self.text(a, taken))
            }
            Op::SignExtend(a) => self.sign_extend(a, width, taken),
            Op::Mux { condition, yes, no } => {
                let condition = self.operand(condition, taken);
                let (yes, no) = (self.operand(yes, taken), self.operand(no, taken));
                format!("{condition} ? {yes} : {no}")
            }
            Op::Lookup { table, index } => self.lookup(table, index, taken),
            Op::Read { memory, index } => {
                let (word, guard) = self.word(memory, index, taken);
                match guard {
                    Some(guard) => format!("({guard}) ? {word} : {width}'d0"),
                    None => word,
                }
            }
        }
    }

    fn infix(&mut self, a: NodeId, operator: &str, b: NodeId, taken: &mut UsedNames) -> String {
        let (a, b) = (self.operand(a, taken), self.operand(b, taken));
        format!("{a} {operator} {b}")
    }

    fn signed(&mut self, a: NodeId, operator: &str, b: NodeId, taken: &mut UsedNames) -> String {
        let (a, b) = (self.text(a, taken), self.text(b, taken));
        format!("$signed({a}) {operator} $signed({b})")
    }

    /// A complement; that of a comparison is another comparison.
    fn complement(&mut self, a: NodeId, taken: &mut UsedNames) -> String {
        if !self.is_wire(a) {
            match self.netlist.node(a).op {
                Op::Equal(left, right) => return self.infix(left, "!=", right, taken),
                Op::Less(left, right) => return self.infix(left, ">=", right, taken),
                Op::LessSigned(left, right) => return self.signed(left, ">=", right, taken),
                _ => {}
            }
        }
        format!("~{}", self.operand(a, taken))
    }

    /// The parts of nested concatenations, highest first.
    fn parts(&mut self, node: NodeId, taken: &mut UsedNames) -> Vec<String> {
        let mut parts = Vec::new();
        let mut stack = vec![(node, true)];
        while let Some((part, open)) = stack.pop() {
            match self.netlist.node(part).op {
                Op::Concat(high, low) if open || !self.is_wire(part) => {
                    stack.push((low, false));
                    stack.push((high, false));
                }
                _ => parts.push(self.text(part, taken)),
            }
        }
        parts
    }

    fn sign_extend(&mut self, a: NodeId, width: u32, taken: &mut UsedNames) -> String {
        let own = self.netlist.node(a).width;
        let name = self.text(a, taken);
        match own {
            1 => format!("{{{width}{{{name}}}}}"),
            _ => format!("{{{{{}{{{name}[{}]}}}}, {name}}}", width - own, own - 1),
        }
    }

    fn lookup(&mut self, table: TableId, index: NodeId, taken: &mut UsedNames) -> String {
        let (name, width) = self.tables.get(&table).cloned().unwrap_or_default();
        let own = self.netlist.node(index).width;
        let index = self.text(index, taken);
        if own < width {
            format!("{name}({{{}'d0, {index}}})", width - own)
        } else {
            format!("{name}({index})")
        }
    }
}
