//! Expressions as text. What is used more than once, or must be named to take bits of it, becomes a
//! signal of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use super::names::UsedNames;
use crate::{Bits, MemoryId, NetId, Netlist, NodeId, Op, TableId};

/// Longer operands become signals.
const LONG: usize = 90;

/// Functions that `numeric_std` lacks, by name; each is written where it is called.
const HELPERS: [(&str, &str); 6] = [
    (
        "flag",
        "  function flag(condition : boolean) return unsigned is
  begin
    if condition then return \"1\"; else return \"0\"; end if;
  end function;
",
    ),
    (
        "choose",
        "  function choose(condition : boolean; yes, no : unsigned) return unsigned is
  begin
    if condition then return yes; else return no; end if;
  end function;
",
    ),
    (
        "remainder",
        "  function remainder(a, b : unsigned) return unsigned is
    constant zero : unsigned(b'length - 1 downto 0) := (others => '0');
  begin
    if b = 0 then return zero; else return a rem b; end if;
  end function;
",
    ),
    (
        "shift_left_by",
        "  function shift_left_by(a, amount : unsigned) return unsigned is
    constant zero : unsigned(a'length - 1 downto 0) := (others => '0');
  begin
    if amount >= a'length then return zero; end if;
    return shift_left(a, to_integer(amount));
  end function;
",
    ),
    (
        "shift_right_by",
        "  function shift_right_by(a, amount : unsigned) return unsigned is
    constant zero : unsigned(a'length - 1 downto 0) := (others => '0');
  begin
    if amount >= a'length then return zero; end if;
    return shift_right(a, to_integer(amount));
  end function;
",
    ),
    (
        "shift_right_signed_by",
        "  function shift_right_signed_by(a, amount : unsigned) return unsigned is
  begin
    if amount >= a'length then return unsigned(shift_right(signed(a), a'length)); end if;
    return unsigned(shift_right(signed(a), to_integer(amount)));
  end function;
",
    ),
];

/// The names that stand for a memory in an entity.
#[derive(Clone, Default)]
pub(super) struct MemoryNames {
    pub signal: String,
    /// The type of the signal, an array.
    pub array: String,
    /// The function that reads a word.
    pub read: String,
}

/// Writes the expressions of one entity.
pub(super) struct Expressions<'a> {
    netlist: &'a Netlist,
    pub nets: HashMap<NetId, String>,
    /// Of each table: its function's name.
    pub tables: BTreeMap<TableId, String>,
    pub memories: BTreeMap<MemoryId, MemoryNames>,
    uses: HashMap<NodeId, usize>,
    must_name: HashSet<NodeId>,
    wires: HashMap<NodeId, String>,
    called: BTreeSet<&'static str>,
    /// Declarations of the signals, and what drives them.
    pub declarations: String,
    pub drivers: String,
}

/// The type of a word.
pub(super) fn word(width: u32) -> String {
    format!("unsigned({} downto 0)", width - 1)
}

/// Numbers from here on are written with base 16: GHDL 2.0 holds 2147483628 for too large an integer.
const LARGE: u64 = 1 << 16;

/// A number of some width.
pub(super) fn number(bits: &Bits, width: u32) -> String {
    match bits.as_u64() {
        Some(value) if value < LARGE => format!("to_unsigned({value}, {width})"),
        _ => format!("resize(unsigned'(x\"{bits:x}\"), {width})"),
    }
}

impl<'a> Expressions<'a> {
    pub fn new(netlist: &'a Netlist) -> Self {
        Self {
            netlist,
            nets: HashMap::new(),
            tables: BTreeMap::new(),
            memories: BTreeMap::new(),
            uses: HashMap::new(),
            must_name: HashSet::new(),
            wires: HashMap::new(),
            called: BTreeSet::new(),
            declarations: String::new(),
            drivers: String::new(),
        }
    }

    /// Says that this expression will be written.
    pub fn announce(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let uses = self.uses.entry(node).or_insert(0);
            *uses += 1;
            if *uses > 1 {
                continue;
            }
            let op = &self.netlist.node(node).op;
            match op {
                Op::Slice { of, .. } => {
                    self.must_name.insert(*of);
                }
                Op::Lookup { table, .. } => {
                    self.tables.entry(*table).or_default();
                }
                _ => {}
            }
            stack.extend(op.operands());
        }
    }

    /// The functions that the written text calls.
    pub fn helpers(&self) -> impl Iterator<Item = &'static str> + '_ {
        HELPERS.iter().filter(|(name, _)| self.called.contains(name)).map(|(_, text)| *text)
    }

    /// The text of an announced expression.
    pub fn text(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        match self.name(node) {
            Some(name) => name,
            None if self.is_wire(node) => self.wire(node, taken),
            None => self.operator(node, taken),
        }
    }

    /// An expression as a signal's name, for places that take nothing else.
    pub fn named(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        self.name(node).unwrap_or_else(|| self.wire(node, taken))
    }

    /// An expression on the right of a concurrent assignment, where a choice may stand as `when`.
    pub fn driver(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        if self.name(node).is_none() && !self.is_wire(node) {
            return self.alternatives(node, taken);
        }
        self.text(node, taken)
    }

    fn alternatives(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        match self.netlist.node(node).op {
            Op::Mux { condition, yes, no } => {
                let condition = self.condition(condition, taken);
                let (yes, no) = (self.text(yes, taken), self.driver(no, taken));
                format!("{yes} when {condition} else {no}")
            }
            _ => self.operator(node, taken),
        }
    }

    /// The name of a net, or of a signal that exists already.
    fn name(&self, node: NodeId) -> Option<String> {
        match &self.netlist.node(node).op {
            Op::Net(net) => self.nets.get(net).cloned(),
            _ => self.wires.get(&node).cloned(),
        }
    }

    /// Returns true if an expression is worth a signal of its own.
    fn is_wire(&self, node: NodeId) -> bool {
        let op = &self.netlist.node(node).op;
        let simple = match op {
            Op::Constant(_) | Op::Net(_) => true,
            Op::Slice { of, .. } | Op::ZeroExtend(of) | Op::Not(of) => {
                matches!(self.netlist.node(*of).op, Op::Net(_))
            }
            _ => false,
        };
        let shared = self.uses.get(&node).is_some_and(|uses| *uses > 1);
        self.must_name.contains(&node) || (shared && !simple)
    }

    fn wire(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let value = self.alternatives(node, taken);
        self.declare(node, &value, taken)
    }

    fn declare(&mut self, node: NodeId, value: &str, taken: &mut UsedNames) -> String {
        let name = taken.take(&format!("w{}", self.wires.len() + 1));
        let word = word(self.netlist.node(node).width);
        let _ = writeln!(self.declarations, "  signal {name} : {word};");
        let _ = writeln!(self.drivers, "  {name} <= {value};");
        self.wires.insert(node, name.clone());
        name
    }

    /// An operand: a name, a call, or something that brackets hold together.
    fn operand(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let text = self.text(node, taken);
        let op = &self.netlist.node(node).op;
        let open = matches!(
            op,
            Op::Not(_)
                | Op::Negate(_)
                | Op::And(..)
                | Op::Or(..)
                | Op::Xor(..)
                | Op::Add(..)
                | Op::Sub(..)
        );
        if self.wires.contains_key(&node) || matches!(op, Op::Net(_)) {
            text
        } else if text.len() > LONG {
            self.declare(node, &text, taken)
        } else if open {
            format!("({text})")
        } else {
            text
        }
    }

    fn call(&mut self, function: &'static str, arguments: &str) -> String {
        self.called.insert(function);
        format!("{function}({arguments})")
    }

    fn operator(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        let width = self.netlist.node(node).width;
        match self.netlist.node(node).op.clone() {
            Op::Constant(bits) => number(&bits, width),
            Op::Net(net) => self.nets.get(&net).cloned().unwrap_or_default(),
            Op::Not(a) => format!("not {}", self.operand(a, taken)),
            Op::Negate(a) => format!("0 - {}", self.operand(a, taken)),
            Op::And(a, b) => self.infix(a, "and", b, taken),
            Op::Or(a, b) => self.infix(a, "or", b, taken),
            Op::Xor(a, b) => self.infix(a, "xor", b, taken),
            Op::Add(a, b) => self.infix(a, "+", b, taken),
            Op::Sub(a, b) => self.infix(a, "-", b, taken),
            Op::Mul(a, b) => format!("resize({}, {width})", self.infix(a, "*", b, taken)),
            Op::Equal(..) | Op::Less(..) | Op::LessSigned(..) => {
                let condition = self.comparison(node, false, taken);
                self.call("flag", &condition)
            }
            Op::ShiftLeft(a, b) => self.shift("shift_left_by", a, b, taken),
            Op::ShiftRight(a, b) => self.shift("shift_right_by", a, b, taken),
            Op::ShiftRightSigned(a, b) => self.shift("shift_right_signed_by", a, b, taken),
            Op::Remainder(a, b) => {
                let arguments = format!("{}, {}", self.text(a, taken), self.text(b, taken));
                self.call("remainder", &arguments)
            }
            Op::Slice { of, low } => {
                let of = self.named(of, taken);
                format!("{of}({} downto {low})", low + width - 1)
            }
            // Without its type a concatenation of words could also be a list of words.
            Op::Concat(..) => format!("unsigned'({})", self.parts(node, taken).join(" & ")),
            Op::ZeroExtend(a) => format!("resize({}, {width})", self.text(a, taken)),
            Op::SignExtend(a) => {
                format!("unsigned(resize(signed({}), {width}))", self.text(a, taken))
            }
            Op::Mux { condition, yes, no } => {
                let condition = self.condition(condition, taken);
                let (yes, no) = (self.text(yes, taken), self.text(no, taken));
                self.call("choose", &format!("{condition}, {yes}, {no}"))
            }
            Op::Lookup { table, index } => {
                let name = self.tables.get(&table).cloned().unwrap_or_default();
                format!("{name}({})", self.text(index, taken))
            }
            Op::Read { memory, index } => {
                let MemoryNames { signal, read, .. } =
                    self.memories.get(&memory).cloned().unwrap_or_default();
                format!("{read}({signal}, {})", self.text(index, taken))
            }
        }
    }

    fn infix(&mut self, a: NodeId, operator: &str, b: NodeId, taken: &mut UsedNames) -> String {
        let (a, b) = (self.operand(a, taken), self.operand(b, taken));
        format!("{a} {operator} {b}")
    }

    /// A shift; a constant amount needs no function of our own.
    fn shift(
        &mut self,
        function: &'static str,
        a: NodeId,
        amount: NodeId,
        taken: &mut UsedNames,
    ) -> String {
        let value = self.text(a, taken);
        let width = u64::from(self.netlist.node(a).width);
        let constant = match &self.netlist.node(amount).op {
            Op::Constant(bits) => Some(bits.as_u64().unwrap_or(width).min(width)),
            _ => None,
        };
        match (constant, function) {
            (Some(by), "shift_left_by") => format!("shift_left({value}, {by})"),
            (Some(by), "shift_right_by") => format!("shift_right({value}, {by})"),
            (Some(by), _) => format!("unsigned(shift_right(signed({value}), {by}))"),
            (None, _) => {
                let arguments = format!("{value}, {}", self.text(amount, taken));
                self.call(function, &arguments)
            }
        }
    }

    /// A single bit as a condition, without brackets around it.
    pub fn condition(&mut self, node: NodeId, taken: &mut UsedNames) -> String {
        if self.name(node).is_none() && !self.is_wire(node) {
            match self.netlist.node(node).op {
                Op::Equal(..) | Op::Less(..) | Op::LessSigned(..) => {
                    return self.comparison(node, false, taken);
                }
                Op::Not(inner) if self.name(inner).is_none() && !self.is_wire(inner) => {
                    let op = &self.netlist.node(inner).op;
                    if matches!(op, Op::Equal(..) | Op::Less(..) | Op::LessSigned(..)) {
                        return self.comparison(inner, true, taken);
                    }
                }
                _ => {}
            }
        }
        format!("{} = \"1\"", self.operand(node, taken))
    }

    /// A comparison of words, or its contrary.
    fn comparison(&mut self, node: NodeId, contrary: bool, taken: &mut UsedNames) -> String {
        match self.netlist.node(node).op {
            Op::Equal(a, b) => self.compare(a, if contrary { "/=" } else { "=" }, b, taken),
            Op::Less(a, b) => self.compare(a, if contrary { ">=" } else { "<" }, b, taken),
            Op::LessSigned(a, b) => {
                let (a, b) = (self.text(a, taken), self.text(b, taken));
                let operator = if contrary { ">=" } else { "<" };
                format!("signed({a}) {operator} signed({b})")
            }
            _ => self.condition(node, taken),
        }
    }

    /// A comparison without signs; small numbers on the right stand as they are.
    fn compare(&mut self, a: NodeId, operator: &str, b: NodeId, taken: &mut UsedNames) -> String {
        if let Op::Constant(bits) = &self.netlist.node(b).op
            && !matches!(self.netlist.node(a).op, Op::Constant(_))
            && let Some(value) = bits.as_u64().filter(|value| *value < 1 << 31)
        {
            return format!("{} {operator} {value}", self.operand(a, taken));
        }
        self.infix(a, operator, b, taken)
    }

    /// The parts of nested concatenations, highest first.
    fn parts(&mut self, node: NodeId, taken: &mut UsedNames) -> Vec<String> {
        let mut parts = Vec::new();
        let mut stack = vec![(node, true)];
        while let Some((part, open)) = stack.pop() {
            match self.netlist.node(part).op {
                Op::Concat(high, low)
                    if open || (self.name(part).is_none() && !self.is_wire(part)) =>
                {
                    stack.push((low, false));
                    stack.push((high, false));
                }
                _ => parts.push(self.operand(part, taken)),
            }
        }
        parts
    }

    /// The signals that a condition reads, for a sensitivity list.
    pub fn read_by(&self, node: NodeId, into: &mut BTreeSet<String>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if let Some(name) = self.name(node) {
                into.insert(name);
                continue;
            }
            let op = &self.netlist.node(node).op;
            if let Op::Read { memory, .. } = op {
                into.extend(self.memories.get(memory).map(|names| names.signal.clone()));
            }
            stack.extend(op.operands());
        }
    }
}
