//! One entity and its architecture: ports, signals, controller, instances, registers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use super::Standard;
use super::control::Controller;
use super::expression::{Expressions, MemoryNames, number, word};
use super::names::{UsedNames, entity_names, port_names};
use crate::comments::Notes;
use crate::contents::{Contents, contents};
use crate::families::clocked;
use crate::stores::{Store, store};
use crate::{
    Assign, Control, Direction, GroupId, NetId, NetKind, Netlist, NodeId, Op, Scope, ScopeId, Write,
};

/// Facts that all entities of a design need, found once.
pub(super) struct Design<'a> {
    netlist: &'a Netlist,
    contents: Vec<Contents>,
    /// Of each scope: its entity's name.
    pub names: Vec<String>,
    /// Of each scope: true if it has a clock and a reset.
    clocked: Vec<bool>,
    /// Of each scope: the one that is written for it.
    pub families: Vec<usize>,
}

impl<'a> Design<'a> {
    pub fn new(netlist: &'a Netlist) -> Self {
        let names = entity_names(&netlist.scopes);
        let contents = contents(netlist);
        let clocked = clocked(netlist, &contents);
        let families = (0..netlist.scopes.len()).collect();
        Self { netlist, contents, names, clocked, families }
    }
}

/// The writer of one scope.
pub(super) struct Entity<'a> {
    design: &'a Design<'a>,
    netlist: &'a Netlist,
    scope: &'a Scope,
    id: ScopeId,
    pub standard: Standard,
    pub taken: UsedNames,
    expressions: Expressions<'a>,
    /// Of each group that the controller activates: the signal that says so.
    active: HashMap<GroupId, String>,
    /// Nets that an instance drives directly.
    connected: HashSet<NetId>,
    /// Signals for outputs of instances.
    child_signals: Vec<NetId>,
    /// Ports that have a signal behind them: the port's name.
    faces: BTreeMap<NetId, String>,
    pub notes: Notes,
}

/// An assignment together with what activates it; none: always.
type Driver<'a> = (Option<String>, &'a Assign);

impl<'a> Entity<'a> {
    pub fn new(design: &'a Design<'a>, id: ScopeId, standard: Standard, notes: Notes) -> Self {
        let netlist = design.netlist;
        let mut entity = Self {
            design,
            netlist,
            scope: &netlist.scopes[id.index()],
            id,
            standard,
            taken: UsedNames::entity(),
            expressions: Expressions::new(netlist),
            active: HashMap::new(),
            connected: HashSet::new(),
            child_signals: Vec::new(),
            faces: BTreeMap::new(),
            notes,
        };
        entity.name_nets();
        entity.name_child_outputs();
        entity.name_groups();
        entity.name_memories();
        for node in entity.values() {
            entity.expressions.announce(node);
        }
        entity.name_tables();
        entity
    }

    fn own(&self) -> &'a Contents {
        &self.design.contents[self.id.index()]
    }

    fn own_nets(&self) -> impl Iterator<Item = NetId> + use<'a> {
        self.own().nets.iter().copied()
    }

    /// Every expression that the architecture needs.
    fn values(&self) -> Vec<NodeId> {
        let mut values: Vec<NodeId> =
            self.drivers().into_iter().map(|(_, assign)| assign.value).collect();
        let below =
            self.scope.bindings.iter().filter(|b| self.netlist.net(b.target).scope != self.id);
        values.extend(below.map(|binding| binding.value));
        values.extend(self.scope.control.iter().flat_map(Control::conditions));
        for (_, write) in self.writes() {
            let Store { enable, index, value } = store(self.netlist, write);
            values.extend(enable.into_iter().chain([index, value]));
        }
        values
    }

    /// The nets that some expression reads.
    fn read(&self) -> HashSet<NetId> {
        let mut stack = self.values();
        let (mut seen, mut nets) = (HashSet::new(), HashSet::new());
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                let op = &self.netlist.node(node).op;
                nets.extend(if let Op::Net(net) = op { Some(*net) } else { None });
                stack.extend(op.operands());
            }
        }
        nets
    }

    /// Names of all nets; ports first, since others name them too.
    fn name_nets(&mut self) {
        let read = self.read();
        let names: Vec<(NetId, String)> =
            self.own_nets().map(|id| (id, self.taken.take(&self.netlist.net(id).name))).collect();
        for (id, name) in names {
            let net = self.netlist.net(id);
            let narrowed = self.scope.parent.is_none() && net.face < net.width;
            let is_output = net.kind == NetKind::Port(Direction::Output);
            let is_read = self.standard == Standard::Vhdl93 && read.contains(&id);
            if is_output && (narrowed || is_read) {
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
        let scope = self.scope;
        let own = |binding: &&Assign| self.netlist.net(binding.target).scope == self.id;
        let own: Vec<&Assign> = scope.bindings.iter().filter(own).collect();
        for binding in &own {
            if let Op::Net(port) = &self.netlist.node(binding.value).op
                && self.netlist.net(binding.target).kind != NetKind::Register
                && !self.expressions.nets.contains_key(port)
            {
                let name = self.expressions.nets[&binding.target].clone();
                self.expressions.nets.insert(*port, name);
                self.connected.insert(binding.target);
            }
        }
        for binding in own {
            self.name_ports_below(binding.value);
        }
    }

    /// Ports of instances that an expression reads get a signal each.
    fn name_ports_below(&mut self, node: NodeId) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let op = &self.netlist.node(node).op;
            if let Op::Net(net) = op
                && !self.expressions.nets.contains_key(net)
            {
                let port = self.netlist.net(*net);
                let child = &self.netlist.scopes[port.scope.index()].instance;
                let name = self.taken.take(&format!("{child}_{}", port.name));
                self.expressions.nets.insert(*net, name);
                self.child_signals.push(*net);
            }
            stack.extend(op.operands());
        }
    }

    fn name_groups(&mut self) {
        let Some(control) = &self.scope.control else { return };
        if !control.permanent().is_empty() {
            return;
        }
        for group in control.groups() {
            let name = format!("sfg_{}", self.scope.groups[group.index()].name);
            let name = self.taken.take(&name);
            self.active.insert(group, name);
        }
    }

    fn name_memories(&mut self) {
        for id in &self.own().memories {
            let memory = &self.netlist.memories[id.index()];
            let names = MemoryNames {
                signal: self.taken.take(&memory.name),
                array: self.taken.take(&format!("{}_words", memory.name)),
                read: self.taken.take(&format!("read_{}", memory.name)),
            };
            self.expressions.memories.insert(*id, names);
        }
    }

    fn name_tables(&mut self) {
        for (table, function) in &mut self.expressions.tables {
            *function = self.taken.take(&self.netlist.tables[table.index()].name);
        }
    }

    /// The groups that the controller activates at some time. Those of every cycle are among them.
    fn running(&self) -> HashSet<GroupId> {
        self.scope.control.iter().flat_map(Control::groups).collect()
    }

    /// All writes to own memories, in order of the text, each with what activates it.
    fn writes(&self) -> Vec<(Option<String>, &'a Write)> {
        let running = self.running();
        let mut writes = Vec::new();
        for (index, group) in self.scope.groups.iter().enumerate() {
            let id = GroupId(index as u32);
            if group.always || running.contains(&id) {
                let active = self.active.get(&id).filter(|_| !group.always).cloned();
                writes.extend(group.writes.iter().map(|write| (active.clone(), write)));
            }
        }
        writes
    }

    /// All assignments to own nets, in order of the text; not those of groups that never run.
    fn drivers(&self) -> Vec<Driver<'a>> {
        let mut drivers = Vec::new();
        let running = self.running();
        for (index, group) in self.scope.groups.iter().enumerate() {
            let id = GroupId(index as u32);
            if group.always || running.contains(&id) {
                let active = self.active.get(&id).filter(|_| !group.always).cloned();
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

    /// The signal that activates a group.
    pub fn active(&self, group: GroupId) -> &str {
        self.active.get(&group).map_or("", String::as_str)
    }

    /// The source location of a group's definition.
    pub fn group_line(&self, group: GroupId) -> usize {
        self.scope.groups[group.index()].line
    }

    /// A condition, and the signals that it reads.
    pub fn condition(&mut self, node: NodeId, reads: &mut BTreeSet<String>) -> String {
        let text = self.expressions.condition(node, &mut self.taken);
        self.expressions.read_by(node, reads);
        text
    }

    /// The text of the entity under this name.
    pub fn write(mut self, name: &str) -> String {
        let scope = self.scope;
        let controller = scope.control.as_ref().and_then(|c| Controller::new(c, &mut self));
        let mut body = String::new();
        if let Some(controller) = &controller {
            controller.write(&mut self, &mut body);
        }
        self.signals(&mut body);
        self.instances(&mut body);
        self.registers(controller.as_ref(), &mut body);
        let header = self.header(name);
        let mut text = String::new();
        self.tables(&mut text);
        self.memories(&mut text);
        self.declarations(&mut text);
        if let Some(controller) = &controller {
            controller.declare(&self, &mut text);
        }
        if !self.expressions.declarations.is_empty() {
            text.push_str(
                "\n  -- Values that are used more than once, or of which bits are taken.\n",
            );
            text.push_str(&self.expressions.declarations);
        }
        for helper in self.expressions.helpers() {
            let _ = write!(text, "\n{helper}");
        }
        text.push_str("begin\n");
        text.push_str(&self.expressions.drivers);
        text.push_str(&body);
        text.push_str("end architecture;\n");
        format!("{header}\narchitecture rtl of {name} is\n{}{text}", self.notes.rest())
    }

    fn name(&self, net: NetId) -> &str {
        self.expressions.nets.get(&net).map_or("", String::as_str)
    }

    fn header(&self, name: &str) -> String {
        let mut ports = vec![];
        // The top has a clock in any case, so that all designs can stand in one place.
        if self.design.clocked[self.id.index()] || self.scope.parent.is_none() {
            ports.extend(
                ["clk", "rst"].map(|name| (format!("    {name} : in std_logic"), String::new())),
            );
        }
        for id in &self.scope.ports {
            let net = self.netlist.net(*id);
            let direction = match net.kind {
                NetKind::Port(Direction::Input) => "in",
                _ => "out",
            };
            let face = self.faces.get(id);
            let name = face.map_or_else(|| self.name(*id), String::as_str);
            let width = if self.scope.parent.is_none() { net.face } else { net.width };
            let above = self.notes.above(net.line, "    ");
            let port = format!("{above}    {name} : {direction} {}", word(width));
            ports.push((port, self.notes.behind(net.line)));
        }
        let count = ports.len();
        let mut list = String::new();
        for (index, (port, comment)) in ports.into_iter().enumerate() {
            let end = if index + 1 == count { "" } else { ";" };
            let _ = writeln!(list, "{port}{end}{comment}");
        }
        let ports = if count == 0 { String::new() } else { format!("  port (\n{list}  );\n") };
        format!(
            "library ieee;\nuse ieee.std_logic_1164.all;\n\
             use ieee.numeric_std.all;\n\nentity {name} is\n{ports}end entity;\n"
        )
    }

    fn declarations(&self, text: &mut String) {
        for kind in [NetKind::Register, NetKind::Signal] {
            for id in self.own_nets() {
                let net = self.netlist.net(id);
                if net.kind == kind {
                    let (name, word) = (self.name(id), word(net.width));
                    // What is unknown before the reset would make `numeric_std` complain.
                    let start = if kind == NetKind::Register { " := (others => '0')" } else { "" };
                    let (above, line) = self.note(net.line, "  ");
                    let _ = writeln!(text, "{above}  signal {name} : {word}{start};  -- {line}");
                }
            }
        }
        for id in self.child_signals.iter().chain(self.faces.keys()) {
            let word = word(self.netlist.net(*id).width);
            let _ = writeln!(text, "  signal {} : {word};", self.name(*id));
        }
    }

    /// A table is a function, which knows what stands past its end.
    fn tables(&self, text: &mut String) {
        for (id, name) in &self.expressions.tables {
            let table = &self.netlist.tables[id.index()];
            let (count, word) = (table.entries.len(), word(table.width));
            let (above, line) = self.note(table.line, "  ");
            let _ = write!(
                text,
                "\n{above}  -- Lookup table, {line}.\n  function {name}(index : unsigned) return unsigned is\n    \
                 type entries is array (0 to {}) of {word};\n    constant words : entries := (\n",
                count - 1
            );
            for (index, entry) in table.entries.iter().enumerate() {
                let comma = if index + 1 == count { "" } else { "," };
                let value = number(entry, table.width);
                let _ = writeln!(text, "      {index} => {value}{comma}");
            }
            let _ = write!(
                text,
                "    );\n  begin\n    if index < {count} then return words(to_integer(index)); end if;\n    \
                 return to_unsigned(0, {});\n  end function;\n\n",
                table.width
            );
        }
    }

    /// Memories, which a reset leaves alone. A function reads one, and knows what stands past its end.
    fn memories(&self, text: &mut String) {
        for (id, MemoryNames { signal, array, read }) in &self.expressions.memories {
            let memory = &self.netlist.memories[id.index()];
            let (count, word, width) = (memory.initial.len(), word(memory.width), memory.width);
            let words = memory.initial.iter().enumerate().filter(|(_, word)| !word.is_zero());
            let mut start: Vec<String> =
                words.map(|(index, word)| format!("{index} => {}", number(word, width))).collect();
            start.push("others => (others => '0')".to_owned());
            let (above, line) = self.note(memory.line, "  ");
            let _ = write!(
                text,
                "\n{above}  -- Array, {line}.\n  type {array} is array (0 to {}) of {word};\n  \
                 signal {signal} : {array} := (\n    {});\n  \
                 function {read}(words : {array}; index : unsigned) return unsigned is\n  \
                 begin\n    if index < {count} then return words(to_integer(index)); end if;\n    \
                 return to_unsigned(0, {width});\n  end function;\n\n",
                count - 1,
                start.join(",\n    ")
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
            self.signal(id, &of_nets.remove(&id).unwrap_or_default(), text);
        }
        for (id, port) in &self.faces {
            let (name, high) = (self.name(*id), self.netlist.net(*id).face - 1);
            let inside = self.scope.parent.is_some();
            let bits = if inside { String::new() } else { format!("({high} downto 0)") };
            let _ = writeln!(text, "\n  {port} <= {name}{bits};");
        }
    }

    fn signal(&mut self, id: NetId, drivers: &[&Driver<'a>], text: &mut String) {
        let name = self.name(id).to_owned();
        match drivers {
            [] => {
                let _ = writeln!(text, "\n  {name} <= (others => '0');");
            }
            [(None, assign), ..] => {
                let value = self.expressions.driver(assign.value, &mut self.taken);
                let (above, line) = self.note(assign.line, "  ");
                let _ = writeln!(text, "\n{above}  {name} <= {value};  -- {line}");
            }
            _ => {
                let _ = writeln!(text, "\n  {name} <=");
                for (active, assign) in drivers {
                    let active = active.as_deref().unwrap_or("true");
                    let value = self.expressions.text(assign.value, &mut self.taken);
                    let (above, line) = self.note(assign.line, "    ");
                    let _ = writeln!(text, "{above}    {value} when {active} else  -- {line}");
                }
                let _ = writeln!(text, "    (others => '0');");
            }
        }
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
                connections.extend(["clk => clk".to_owned(), "rst => rst".to_owned()]);
            }
            let names = port_names(self.netlist, &self.design.contents[id.index()].nets);
            for port in &child.ports {
                let connection = self.connection(*port, bindings.get(port));
                connections.push(format!("{} => {connection}", names[port]));
            }
            let entity = &self.design.names[self.design.families[id.index()]];
            let label = self.taken.take(&format!("{}_instance", child.instance));
            let connections = match connections.join(",\n    ") {
                none if none.is_empty() => none,
                connections => format!(" port map (\n    {connections}\n  )"),
            };
            let (above, line) = self.note(self.netlist.instance_line(self.scope, *id), "  ");
            let _ = write!(
                text,
                "\n{above}  -- Instance, {line}.\n  {label} : entity work.{entity}{connections};\n"
            );
        }
    }

    /// The comments above a line, as lines, and its number with the comment in it.
    pub fn note(&self, line: usize, indent: &str) -> (String, String) {
        (self.notes.above(line, indent), self.notes.line(line))
    }

    /// The connection of an instance's port: a name always, as VHDL-93 asks.
    fn connection(&mut self, port: NetId, value: Option<&NodeId>) -> String {
        let net = self.netlist.net(port);
        if net.kind == NetKind::Port(Direction::Output) {
            return self.expressions.nets.get(&port).cloned().unwrap_or_else(|| "open".into());
        }
        match value {
            Some(value) => self.expressions.named(*value, &mut self.taken),
            None => format!("\"{}\"", "0".repeat(net.width as usize)),
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
        text.push_str(
            "\n  process (clk)\n  begin\n    if rising_edge(clk) then\n      if rst = '1' then\n",
        );
        for id in registers {
            let _ = writeln!(text, "        {} <= (others => '0');", self.name(id));
        }
        if let Some(reset) = reset {
            let _ = writeln!(text, "        {reset}");
        }
        text.push_str("      else\n");
        self.updates(text);
        for (active, write) in writes {
            self.store(active, write, text);
        }
        if let Some(advance) = advance {
            let _ = writeln!(text, "        {advance}");
        }
        text.push_str("      end if;\n    end if;\n  end process;\n");
    }

    /// A word of a memory takes a value.
    fn store(&mut self, active: Option<String>, write: &Write, text: &mut String) {
        let Store { enable, index, value } = store(self.netlist, write);
        let enable = enable.map(|enable| self.expressions.condition(enable, &mut self.taken));
        let index = self.expressions.named(index, &mut self.taken);
        let value = self.expressions.text(value, &mut self.taken);
        let name = self.expressions.memories.get(&write.memory).map_or("", |names| &names.signal);
        let count = self.netlist.memories[write.memory.index()].initial.len();
        let enable = enable.map(|enable| format!("({enable})"));
        let conditions: Vec<String> = active.into_iter().chain(enable).collect();
        let active = conditions.iter().fold(String::new(), |text, next| text + next + " and ");
        let (above, line) = self.note(write.line, "        ");
        let _ = writeln!(
            text,
            "{above}        if {active}{index} < {count} then {name}(to_integer({index})) <= {value}; end if;  \
             -- {line}"
        );
    }

    /// The next values of registers, group by group.
    fn updates(&mut self, text: &mut String) {
        let drivers = self.drivers();
        let of_register = |d: &&Driver| self.netlist.net(d.1.target).kind == NetKind::Register;
        let drivers: Vec<&Driver> = drivers.iter().filter(of_register).collect();
        for group in drivers.chunk_by(|a, b| a.0 == b.0) {
            let indent = if let (Some(active), _) = group[0] {
                let _ = writeln!(text, "        if {active} then");
                "          "
            } else {
                "        "
            };
            for (_, assign) in group {
                let value = self.expressions.text(assign.value, &mut self.taken);
                let name = self.name(assign.target);
                let (above, line) = self.note(assign.line, indent);
                let _ = writeln!(text, "{above}{indent}{name} <= {value};  -- {line}");
            }
            if group[0].0.is_some() {
                text.push_str("        end if;\n");
            }
        }
    }
}
