//! One module: ports, declarations, controller, signals, instances, registers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use super::Design;
use super::blocks;
use super::control::Controller;
use super::expression::{Expressions, number, range};
use super::names::{UsedNames, escape};
use crate::comments::Notes;
use crate::contents::Contents;
use crate::stores::{Store, store};
use crate::{
    Assign, Control, Decision, Direction, GroupId, Memory, MemoryId, NetId, NetKind, Netlist,
    NodeId, Op, Scope, ScopeId, Write,
};

/// The writer of one scope.
pub(super) struct Module<'a> {
    design: &'a Design<'a>,
    netlist: &'a Netlist,
    scope: &'a Scope,
    id: ScopeId,
    pub taken: UsedNames,
    expressions: Expressions<'a>,
    /// Of each group that the controller activates: the signal that says so.
    active: HashMap<GroupId, String>,
    /// Those of these signals that something reads.
    heeded: HashSet<String>,
    /// Nets that an instance drives directly.
    connected: HashSet<NetId>,
    /// Of each memory: the variable that counts its words while they are set.
    counters: HashMap<MemoryId, String>,
    /// Wires for outputs of instances.
    child_wires: Vec<NetId>,
    /// Ports of the top that show less than their net holds: the port's name.
    faces: BTreeMap<NetId, String>,
    pub notes: Notes,
}

/// An assignment together with what activates it; none: always.
type Driver<'a> = (Option<String>, &'a Assign);

impl<'a> Module<'a> {
    pub fn new(design: &'a Design<'a>, id: ScopeId, notes: Notes) -> Self {
        let netlist = design.netlist;
        let mut taken = UsedNames::default();
        taken.take("clk");
        taken.take("rst");
        let mut module = Self {
            design,
            netlist,
            scope: &netlist.scopes[id.index()],
            id,
            taken,
            expressions: Expressions::new(netlist, HashMap::new()),
            active: HashMap::new(),
            heeded: HashSet::new(),
            connected: HashSet::new(),
            counters: HashMap::new(),
            child_wires: Vec::new(),
            faces: BTreeMap::new(),
            notes,
        };
        module.name_nets();
        module.name_child_outputs();
        module.name_groups();
        module.name_memories();
        module.announce();
        module.name_tables();
        module
    }

    fn own(&self) -> &'a Contents {
        &self.design.contents[self.id.index()]
    }

    fn own_nets(&self) -> impl Iterator<Item = NetId> + use<'a> {
        self.own().nets.iter().copied()
    }

    fn name_nets(&mut self) {
        let mut has_ports = true;
        for id in self.own_nets() {
            let net = self.netlist.net(id);
            let is_port = matches!(net.kind, NetKind::Port(_));
            if has_ports && !is_port {
                // What is within a module is not called as it is; ports, which come first, may be.
                has_ports = false;
                self.taken.take(&self.scope.name);
            }
            let name = self.taken.take(&net.name);
            if is_port && self.scope.parent.is_none() && net.face < net.width {
                let inner = self.taken.take(&format!("{}_value", net.name));
                self.faces.insert(id, name);
                self.expressions.nets.insert(id, inner);
            } else {
                self.expressions.nets.insert(id, name);
            }
        }
    }

    /// An instance's output drives a signal directly where no conversion is needed.
    fn name_child_outputs(&mut self) {
        for binding in &self.scope.bindings {
            let target = self.netlist.net(binding.target);
            if target.scope != self.id {
                continue;
            }
            let value = &self.netlist.node(binding.value).op;
            if let Op::Net(port) = value
                && target.kind != NetKind::Register
                && !self.expressions.nets.contains_key(port)
            {
                let name = self.expressions.nets[&binding.target].clone();
                self.expressions.nets.insert(*port, name);
                self.connected.insert(binding.target);
            }
        }
        for binding in &self.scope.bindings {
            if self.netlist.net(binding.target).scope == self.id {
                self.name_ports_below(binding.value);
            }
        }
        for child in &self.own().instances {
            for port in &self.netlist.scopes[child.index()].ports {
                let is_output = self.netlist.net(*port).kind == NetKind::Port(Direction::Output);
                if is_output && !self.expressions.nets.contains_key(port) {
                    self.name_child_wire(*port);
                }
            }
        }
    }

    /// An output of an instance gets a wire.
    fn name_child_wire(&mut self, id: NetId) {
        let port = self.netlist.net(id);
        let child = &self.netlist.scopes[port.scope.index()].instance;
        let name = self.taken.take(&format!("{child}_{}", port.name));
        self.expressions.nets.insert(id, name);
        self.child_wires.push(id);
    }

    /// Ports of instances that an expression reads get a wire each.
    fn name_ports_below(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let op = &self.netlist.node(node).op;
            if let Op::Net(net) = op
                && !self.expressions.nets.contains_key(net)
            {
                self.name_child_wire(*net);
            }
            stack.extend(op.operands());
        }
    }

    /// Groups that are active in every cycle.
    fn permanent(&self) -> HashSet<GroupId> {
        self.scope.control.iter().flat_map(Control::permanent).collect()
    }

    fn name_groups(&mut self) {
        let permanent = self.permanent();
        // Those that some decision activates.
        let named: HashSet<GroupId> = self.scope.control.iter().flat_map(Control::groups).collect();
        for (index, group) in self.scope.groups.iter().enumerate() {
            let id = GroupId(index as u32);
            if !group.always && !permanent.contains(&id) && named.contains(&id) {
                let name = self.taken.take(&format!("sfg_{}", group.name));
                self.active.insert(id, name);
            }
        }
    }

    fn announce(&mut self) {
        let values: Vec<NodeId> =
            self.drivers().into_iter().map(|(_, assign)| assign.value).collect();
        for value in values {
            self.expressions.announce(value);
        }
        for (_, write) in self.writes() {
            let Store { enable, index, value } = store(self.netlist, write);
            if let Some(enable) = enable {
                self.expressions.announce(enable);
            }
            self.expressions.announce_index(index);
            self.expressions.announce(value);
        }
        for binding in &self.scope.bindings {
            if self.netlist.net(binding.target).scope != self.id {
                self.expressions.announce(binding.value);
            }
        }
        let control = self.scope.control.iter();
        let mut stack: Vec<&Decision> =
            control.flat_map(|c| &c.states).filter_map(|state| state.decision.as_ref()).collect();
        while let Some(decision) = stack.pop() {
            if let Decision::If { condition, yes, no } = decision {
                self.expressions.announce(*condition);
                stack.extend([yes.as_ref(), no.as_ref()]);
            }
        }
    }

    fn name_memories(&mut self) {
        for id in &self.own().memories {
            let memory = &self.netlist.memories[id.index()];
            let name = self.taken.take(&memory.name);
            self.expressions.memories.insert(*id, name);
            let counter = self.taken.take(&format!("{}_index", memory.name));
            self.counters.insert(*id, counter);
        }
    }

    fn name_tables(&mut self) {
        let mut tables: Vec<_> = self.expressions.tables.keys().copied().collect();
        tables.sort_unstable();
        for table in tables {
            let name = self.taken.take(&self.netlist.tables[table.index()].name);
            if let Some(entry) = self.expressions.tables.get_mut(&table) {
                entry.0 = name;
            }
        }
    }

    /// All writes to own memories, in order of the text, each with what activates it.
    fn writes(&self) -> Vec<(Option<String>, &'a Write)> {
        let permanent = self.permanent();
        let mut writes = Vec::new();
        for (index, group) in self.scope.groups.iter().enumerate() {
            let id = GroupId(index as u32);
            let active = self.active.get(&id).cloned();
            if group.always || permanent.contains(&id) || active.is_some() {
                writes.extend(group.writes.iter().map(|write| (active.clone(), write)));
            }
        }
        writes
    }

    /// All assignments to own nets, in order of the text; not those of groups that never run.
    fn drivers(&self) -> Vec<Driver<'a>> {
        let mut drivers = Vec::new();
        let permanent = self.permanent();
        for (index, group) in self.scope.groups.iter().enumerate() {
            let id = GroupId(index as u32);
            let active = self.active.get(&id).cloned();
            if group.always || permanent.contains(&id) || active.is_some() {
                drivers.extend(group.assigns.iter().map(|assign| (active.clone(), assign)));
            }
        }
        let own = |assign: &&Assign| {
            self.netlist.net(assign.target).scope == self.id
                && !self.connected.contains(&assign.target)
        };
        drivers.extend(self.scope.bindings.iter().filter(own).map(|assign| (None, assign)));
        drivers
    }

    /// The line of a group's definition.
    pub fn group_line(&self, group: GroupId) -> usize {
        self.scope.groups[group.index()].line
    }

    /// The signal that activates a group.
    pub fn active(&self, group: GroupId) -> &str {
        self.active.get(&group).map_or("", String::as_str)
    }

    pub fn text(&mut self, node: NodeId) -> String {
        self.expressions.text(node, &mut self.taken)
    }

    /// The text of the module under this name.
    pub fn write(mut self, name: &str) -> String {
        let header = self.header(name);
        let mut in_verilog = self.netlist.blocks.iter();
        if let Some(block) = in_verilog.find(|block| block.scope == self.id) {
            let body = blocks::body(self.netlist, block, &self.expressions.nets, &mut self.taken);
            return header + &self.notes.rest() + &body + "endmodule\n";
        }
        let mut text = String::new();
        self.declarations(&mut text);
        self.tables(&mut text);
        let scope = self.scope;
        let controller = scope.control.as_ref().map(|control| Controller::new(control, &mut self));
        let mut body = String::new();
        if let Some(controller) = &controller {
            controller.write(&mut self, &mut body);
        }
        self.signals(&mut body);
        self.instances(&mut body);
        self.registers(controller.as_ref(), &mut body);
        if !self.expressions.declarations.is_empty() {
            text.push_str(
                "\n  // Values that are used more than once, or of which bits are taken.\n",
            );
            text.push_str(&self.expressions.declarations);
        }
        text.push_str(&body);
        self.unread(&mut text);
        text.push_str("endmodule\n");
        header + &self.notes.rest() + &text
    }

    fn name(&self, net: NetId) -> &str {
        self.expressions.nets.get(&net).map_or("", String::as_str)
    }

    /// The top has a clock in any case, so that all designs can stand in one place.
    fn is_clocked(&self) -> bool {
        self.design.clocked[self.id.index()] || self.scope.parent.is_none()
    }

    /// Names what is there and not read, in part or at all, so that linters know that it is meant.
    fn unread(&mut self, text: &mut String) {
        let mut names = vec![];
        if self.scope.parent.is_none() && !self.design.clocked[self.id.index()] {
            names.extend(["clk".to_owned(), "rst".to_owned()]);
        }
        let is_output = |id: NetId| self.netlist.net(id).kind == NetKind::Port(Direction::Output);
        for id in self.own_nets() {
            let has_face = self.faces.contains_key(&id);
            if (!is_output(id) || has_face) && !self.expressions.is_read(id, has_face) {
                names.push(self.name(id).to_owned());
            }
        }
        for id in &self.own().memories {
            if !self.expressions.is_memory_read(*id) {
                names.push(format!("{}[0]", self.expressions.memories[id]));
            }
        }
        let mut groups: Vec<&GroupId> = self.active.keys().collect();
        groups.sort_unstable();
        let active = groups.into_iter().map(|group| &self.active[group]);
        names.extend(active.filter(|name| !self.heeded.contains(*name)).cloned());
        names.extend(self.expressions.unread_wires());
        names.extend(
            self.child_wires
                .iter()
                .filter(|id| !self.expressions.is_read(**id, false))
                .map(|id| self.name(*id).to_owned()),
        );
        if !names.is_empty() {
            let unused = self.taken.take("unused");
            let _ = write!(
                text,
                "\n  // Not read, or not in full.\n  wire {unused} = &{{1'b0, {}}};\n",
                names.join(", ")
            );
        }
    }

    fn header(&self, name: &str) -> String {
        let mut ports = vec![];
        if self.is_clocked() {
            ports.extend(
                ["clk", "rst"].map(|name| (format!("  input  wire {name}"), String::new())),
            );
        }
        for id in &self.scope.ports {
            let net = self.netlist.net(*id);
            let direction = match net.kind {
                NetKind::Port(Direction::Input) => "input ",
                _ => "output",
            };
            let face = self.faces.get(id);
            let name = face.map_or_else(|| self.name(*id), String::as_str);
            let width = if face.is_some() { net.face } else { net.width };
            let above = self.notes.above(net.line, "  ");
            let port = format!("{above}  {direction} wire {}{name}", range(width));
            ports.push((port, self.notes.behind(net.line)));
        }
        if ports.is_empty() {
            return format!("module {name};\n");
        }
        let last = ports.len() - 1;
        let mut text = format!("module {name}(\n");
        for (index, (port, comment)) in ports.into_iter().enumerate() {
            let comma = if index == last { "" } else { "," };
            let _ = writeln!(text, "{port}{comma}{comment}");
        }
        text + ");\n"
    }

    fn declarations(&self, text: &mut String) {
        for (kind, word) in [(NetKind::Register, "reg "), (NetKind::Signal, "wire")] {
            for id in self.own_nets() {
                let net = self.netlist.net(id);
                if net.kind == kind {
                    let (name, above) = (self.name(id), self.notes.above(net.line, "  "));
                    let (range, line) = (range(net.width), self.notes.line(net.line));
                    let _ = writeln!(text, "{above}  {word} {range}{name};  // {line}");
                }
            }
        }
        for id in &self.own().memories {
            let memory = &self.netlist.memories[id.index()];
            text.push_str(&self.notes.above(memory.line, "  "));
            let line = self.notes.line(memory.line);
            let names = (&*self.expressions.memories[id], &*self.counters[id]);
            declare_memory(memory, names, &line, text);
        }
        for id in self.child_wires.iter().chain(self.faces.keys()) {
            let _ =
                writeln!(text, "  wire {}{};", range(self.netlist.net(*id).width), self.name(*id));
        }
        for (id, port) in &self.faces {
            let _ = writeln!(
                text,
                "  assign {port} = {}{};",
                self.name(*id),
                bits(self.netlist.net(*id).face)
            );
        }
    }

    fn tables(&self, text: &mut String) {
        let mut tables: Vec<_> = self.expressions.tables.iter().collect();
        tables.sort_unstable();
        for (id, (name, width)) in tables {
            let table = &self.netlist.tables[id.index()];
            let (result, argument) = (range(table.width), range(*width));
            let above = self.notes.above(table.line, "  ");
            let _ = write!(
                text,
                "\n{above}  // Lookup table, {}.\n  function {result}{name};\n    input {argument}index;\n    case (index)\n",
                self.notes.line(table.line)
            );
            let reachable = 1u64.checked_shl(*width).unwrap_or(u64::MAX);
            for (index, entry) in (0..reachable).zip(&table.entries) {
                let value = number(entry, table.width);
                let _ = writeln!(text, "      {width}'d{index}: {name} = {value};");
            }
            let _ = write!(
                text,
                "      default: {name} = {}'d0;\n    endcase\n  endfunction\n",
                table.width
            );
        }
    }

    /// Signals and outputs: each is what the active group makes of it, and 0 when none does.
    fn signals(&mut self, text: &mut String) {
        let drivers = self.drivers();
        let mut of_nets: HashMap<NetId, Vec<&Driver>> = HashMap::new();
        for driver in &drivers {
            of_nets.entry(driver.1.target).or_default().push(driver);
        }
        for id in self.own_nets() {
            let net = self.netlist.net(id);
            let is_input = net.kind == NetKind::Port(Direction::Input);
            if net.kind == NetKind::Register || is_input || self.connected.contains(&id) {
                continue;
            }
            let of_net = of_nets.remove(&id).unwrap_or_default();
            let name = self.name(id).to_owned();
            let zero = format!("{}'d0", net.width);
            match &of_net[..] {
                [] => {
                    let _ = writeln!(text, "\n  assign {name} = {zero};");
                }
                [(None, assign), ..] => {
                    let value = self.text(assign.value);
                    let (above, line) = self.note(assign.line, "  ");
                    let _ = writeln!(text, "\n{above}  assign {name} = {value};  // {line}");
                }
                _ => {
                    let _ = writeln!(text, "\n  assign {name} =");
                    for (active, assign) in of_net {
                        self.heeded.extend(active.clone());
                        let active = active.as_deref().unwrap_or("1'b1");
                        let value = self.choice(assign.value);
                        let (above, line) = self.note(assign.line, "    ");
                        let _ = writeln!(text, "{above}    {active} ? {value} :  // {line}");
                    }
                    let _ = writeln!(text, "    {zero};");
                }
            }
        }
    }

    /// The comments above a line, as lines, and its number with the comment in it.
    fn note(&self, line: usize, indent: &str) -> (String, String) {
        (self.notes.above(line, indent), self.notes.line(line))
    }

    /// A value as a branch of `?:`.
    fn choice(&mut self, node: NodeId) -> String {
        let text = self.text(node);
        if text.contains('?') { format!("({text})") } else { text }
    }

    fn instances(&mut self, text: &mut String) {
        let mut bindings = HashMap::new();
        for binding in &self.scope.bindings {
            bindings.entry(binding.target).or_insert(binding.value);
        }
        for id in &self.own().instances {
            let child = &self.netlist.scopes[id.index()];
            let mut connections = vec![];
            if self.design.clocked[id.index()] {
                connections.extend([".clk(clk)".to_owned(), ".rst(rst)".to_owned()]);
            }
            let names = port_names(self.netlist, &self.design.contents[id.index()].nets);
            for port in &child.ports {
                let connection = self.connection(*port, bindings.get(port));
                let name = escape(&names[port]);
                connections.push(format!(".{name}({connection})"));
            }
            let family = self.design.families[id.index()];
            let module = escape(&self.netlist.scopes[family].name);
            let instance = self.taken.take(&format!("{}_instance", child.instance));
            let (above, line) = self.note(self.netlist.instance_line(self.scope, *id), "  ");
            let connections = connections.join(",\n    ");
            let _ = writeln!(
                text,
                "\n{above}  {module} {instance}(  // {line}\n    {connections}\n  );"
            );
        }
    }

    fn connection(&mut self, port: NetId, value: Option<&NodeId>) -> String {
        let net = self.netlist.net(port);
        if net.kind == NetKind::Port(Direction::Output) {
            return self.expressions.nets.get(&port).cloned().unwrap_or_default();
        }
        match value {
            Some(value) => self.text(*value),
            None => format!("{}'d0", net.width),
        }
    }

    fn registers(&mut self, controller: Option<&Controller<'a>>, text: &mut String) {
        let registers: Vec<NetId> =
            self.own_nets().filter(|id| self.netlist.net(*id).kind == NetKind::Register).collect();
        let (reset, advance) =
            (controller.and_then(Controller::reset), controller.and_then(Controller::advance));
        let writes = self.writes();
        if registers.is_empty() && reset.is_none() && writes.is_empty() {
            return;
        }
        text.push_str("\n  always @(posedge clk) begin\n    if (rst) begin\n");
        for id in registers {
            let _ = writeln!(text, "      {} <= {}'d0;", self.name(id), self.netlist.net(id).width);
        }
        if let Some(reset) = reset {
            let _ = writeln!(text, "      {reset}");
        }
        text.push_str("    end else begin\n");
        self.updates(text);
        for (active, write) in writes {
            self.store(active, write, text);
        }
        if let Some(advance) = advance {
            let _ = writeln!(text, "      {advance}");
        }
        text.push_str("    end\n  end\n");
    }

    /// A word of a memory takes a value.
    fn store(&mut self, active: Option<String>, write: &Write, text: &mut String) {
        let Store { enable, index, value } = store(self.netlist, write);
        let enable = enable.map(|enable| self.expressions.operand(enable, &mut self.taken));
        self.heeded.extend(active.clone());
        let (word, guard) = self.expressions.word(write.memory, index, &mut self.taken);
        let value = self.text(value);
        let conditions: Vec<String> = active.into_iter().chain(enable).chain(guard).collect();
        let condition = match &conditions[..] {
            [] => String::new(),
            conditions => format!("if ({}) ", conditions.join(" && ")),
        };
        let (above, line) = self.note(write.line, "      ");
        let _ = writeln!(text, "{above}      {condition}{word} <= {value};  // {line}");
    }

    /// The next values of registers, group by group.
    fn updates(&mut self, text: &mut String) {
        let drivers = self.drivers();
        let mut open: Option<String> = None;
        for (active, assign) in &drivers {
            if self.netlist.net(assign.target).kind != NetKind::Register {
                continue;
            }
            if *active != open {
                if open.is_some() {
                    text.push_str("      end\n");
                }
                if let Some(active) = active {
                    self.heeded.insert(active.clone());
                    let _ = writeln!(text, "      if ({active}) begin");
                }
                open.clone_from(active);
            }
            let indent = if open.is_some() { "        " } else { "      " };
            let (name, value) = (self.name(assign.target).to_owned(), self.text(assign.value));
            let (above, line) = self.note(assign.line, indent);
            let _ = writeln!(text, "{above}{indent}{name} <= {value};  // {line}");
        }
        if open.is_some() {
            text.push_str("      end\n");
        }
    }
}

/// A memory, which a reset leaves alone: what it holds at first is set before time begins.
fn declare_memory(memory: &Memory, (name, counter): (&str, &str), line: &str, text: &mut String) {
    let (range, last) = (range(memory.width), memory.initial.len() - 1);
    let _ = writeln!(text, "  reg {range}{name} [0:{last}];  // {line}");
    let _ = write!(
        text,
        "  integer {counter};\n  initial begin\n    for ({counter} = 0; {counter} <= {last}; {counter} = \
         {counter} + 1) {name}[{counter}] = {}'d0;\n",
        memory.width
    );
    for (index, word) in memory.initial.iter().enumerate().filter(|(_, word)| !word.is_zero()) {
        let _ = writeln!(text, "    {name}[{index}] = {};", number(word, memory.width));
    }
    text.push_str("  end\n");
}

/// `[7:0]` for 8 bits of something wider.
fn bits(width: u32) -> String {
    if width == 1 { "[0]".to_owned() } else { format!("[{}:0]", width - 1) }
}

/// The names of all nets in the module that they belong to: `clk` and `rst` are taken there.
pub(super) fn port_names(netlist: &Netlist, nets: &[NetId]) -> HashMap<NetId, String> {
    let mut taken = UsedNames::default();
    taken.take("clk");
    taken.take("rst");
    nets.iter().map(|id| (*id, taken.take_plain(&netlist.net(*id).name))).collect()
}
