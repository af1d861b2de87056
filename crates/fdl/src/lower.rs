//! From model to netlist: instances become scopes, types become widths.

mod actions;
mod expression;
mod instances;

use std::collections::{HashMap, HashSet};

use cocrypt_diag::{Diagnostic, suggest};
use cocrypt_rtl::{
    Asked, Assign, Block, BlockPort, Builder, Control, Decision, Direction, Group, GroupId, Memory,
    MemoryId, Net, NetId, NetKind, Netlist, NodeId, Scope, ScopeId, State, StateId, Table, TableId,
    Undecided, Write,
};

use crate::Dialect;
use crate::ast::{Kind, Span};
use crate::comments::comments;
use crate::model::{self, Argument, Expr, ExprKind, Model, Route};
use crate::range::Range;
use expression::limbs;
use instances::{Instance, elaborate, tables};

/// As [`crate::netlist`], with diagnostics about the design's text as a whole.
pub(crate) fn netlist(model: &Model, top: Option<&str>) -> Result<Netlist, Diagnostic> {
    let top = find_top(model, top)?;
    let instances = elaborate(model, top)?;
    let mut lowering = Lowering::new(model, &instances);
    lowering.builder.netlist.file = model.source.name.to_string();
    lowering.declare();
    for index in 0..instances.len() {
        lowering.scope(index);
    }
    lowering.faces()?;
    lowering.blocks();
    lowering.actions();
    lowering.decided()?;
    let datapaths = instances.iter().map(|instance| instance.datapath);
    lowering.builder.netlist.comments = comments(model, datapaths);
    Ok(lowering.builder.netlist)
}

pub(crate) fn find_top(model: &Model, top: Option<&str>) -> Result<usize, Diagnostic> {
    let all = &model.datapaths;
    if let Some(name) = top {
        return model.find(name).ok_or_else(|| unknown_top(model, name));
    }
    let used: HashSet<usize> =
        all.iter().flat_map(|each| &each.uses).map(|instance| instance.child).collect();
    let system = all.iter().rposition(|datapath| datapath.is_system);
    let unused = || (0..all.len()).rev().find(|index| !used.contains(index));
    system.or_else(unused).ok_or_else(|| {
        Diagnostic::error("fdl.unknown-datapath", "the file defines no datapath")
            .with_source(&model.source)
            .with_help("write a datapath: `dp name(in a : ns(8); out b : ns(8)) { … }`")
    })
}

/// As [`crate::tops`].
pub(crate) fn tops(model: &Model) -> Vec<String> {
    let users = model.datapaths.iter().filter(|datapath| !datapath.is_system);
    let used: HashSet<usize> =
        users.flat_map(|datapath| &datapath.uses).map(|instance| instance.child).collect();
    let is_output =
        |datapath: &model::Datapath, port: &usize| datapath.symbols[*port].kind == Kind::Out;
    let free = model.datapaths.iter().enumerate().filter(|(index, datapath)| {
        !used.contains(index) && datapath.ports.iter().any(|port| is_output(datapath, port))
    });
    free.map(|(_, datapath)| datapath.name.clone()).collect()
}

fn unknown_top(model: &Model, name: &str) -> Diagnostic {
    let known = model.datapaths.iter().map(|datapath| datapath.name.as_str());
    let help = match suggest(name, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "name a datapath or system that the file defines".to_owned(),
    };
    Diagnostic::error("fdl.unknown-datapath", format!("the file defines no datapath `{name}`"))
        .with_source(&model.source)
        .with_help(help)
}

struct Lowering<'a> {
    model: &'a Model,
    instances: &'a [Instance],
    builder: Builder,
    /// The conditions of state machines, where they stand, and the instances that ask them.
    conditions: Vec<(NodeId, Span, usize)>,
    /// Of each datapath: what its tables can hold.
    tables: Vec<Vec<Range>>,
    /// The ranges of the expressions within the present one, by their addresses in memory.
    ranges: HashMap<usize, Range>,
    /// The nesting depth of expressions here.
    depth: usize,
}

impl<'a> Lowering<'a> {
    fn new(model: &'a Model, instances: &'a [Instance]) -> Self {
        let (builder, conditions, ranges) = (Builder::default(), vec![], HashMap::new());
        Self { model, instances, builder, conditions, tables: tables(model), ranges, depth: 0 }
    }
}

impl Lowering<'_> {
    fn datapath(&self, instance: usize) -> &model::Datapath {
        &self.model.datapaths[self.instances[instance].datapath]
    }

    /// Adds all scopes, nets and tables, so that expressions can refer to them.
    fn declare(&mut self) {
        for (index, instance) in self.instances.iter().enumerate() {
            let datapath = &self.model.datapaths[instance.datapath];
            let scope = ScopeId(index as u32);
            let named = datapath.symbols.iter().zip(&instance.symbol_names);
            for ((symbol, name), range) in named.zip(&instance.ranges) {
                let net = Net {
                    scope,
                    name: name.clone(),
                    kind: net_kind(symbol.kind),
                    width: range.width(),
                    face: symbol.ty.width.min(range.width()),
                    signed: range.is_signed(),
                    line: self.model.line(symbol.span),
                };
                self.builder.netlist.nets.push(net);
            }
            self.builder.netlist.tables.extend(datapath.tables.iter().map(|table| Table {
                scope,
                name: table.name.clone(),
                width: table.ty.width,
                entries: table.entries.iter().map(|entry| limbs(entry, table.ty.width)).collect(),
                line: self.model.line(table.span),
            }));
            let word = |ty: model::Type, word: &_| limbs(word, ty.width);
            self.builder.netlist.memories.extend(datapath.arrays.iter().map(|array| Memory {
                scope,
                name: array.name.clone(),
                width: array.ty.width,
                initial: array.initial.iter().map(|value| word(array.ty, value)).collect(),
                line: self.model.line(array.span),
            }));
            let ports = datapath.ports.iter().map(|port| instance.net(*port)).collect();
            self.builder.netlist.scopes.push(Scope {
                name: instance.module.clone(),
                instance: datapath.name.clone(),
                parent: instance.parent.map(|parent| ScopeId(parent as u32)),
                file: self.model.file(datapath.span).to_owned(),
                line: self.model.line(datapath.span),
                ports,
                groups: Vec::new(),
                control: None,
                bindings: Vec::new(),
            });
        }
    }

    /// The faces of the instances to programs. No address of a processor may lead to two of them.
    fn faces(&mut self) -> Result<(), Diagnostic> {
        let mut taken: Vec<(&str, &Route, model::Window)> = Vec::new();
        for (index, instance) in self.instances.iter().enumerate() {
            let datapath = &self.model.datapaths[instance.datapath];
            for (number, face) in datapath.faces.iter().enumerate() {
                for window in &face.windows {
                    let clash = taken.iter().any(|(core, route, other)| {
                        *core == face.core && **route == face.route && other.overlaps(window)
                    });
                    if clash {
                        return Err(self.clash(datapath, face, window.base));
                    }
                    taken.push((&face.core, &face.route, *window));
                }
                let face = self.face(index, number, face);
                self.builder.netlist.faces.push(face);
            }
        }
        Ok(())
    }

    /// The instances whose body is in another language.
    fn blocks(&mut self) {
        for (index, instance) in self.instances.iter().enumerate() {
            let datapath = &self.model.datapaths[instance.datapath];
            let Some(user) = &datapath.user else { continue };
            let find = |name: &str| datapath.symbols.iter().position(|it| it.name == name);
            let port = |symbol: usize, net: usize| BlockPort {
                name: datapath.symbols[symbol].name.clone(),
                width: datapath.symbols[symbol].ty.width,
                port: instance.net(symbol),
                net: instance.net(net),
            };
            let inputs = datapath.ports.iter().copied();
            let inputs = inputs.filter(|symbol| datapath.symbols[*symbol].kind == Kind::In);
            let outputs = user.outputs.iter();
            let outputs = outputs.filter_map(|(name, net)| Some(port(find(name)?, find(net)?)));
            self.builder.netlist.blocks.push(Block {
                scope: ScopeId(index as u32),
                module: user.module.clone(),
                language: user.language,
                clock: user.clock,
                reset: user.reset,
                parameters: user.parameters.clone(),
                inputs: inputs.map(|symbol| port(symbol, symbol)).collect(),
                outputs: outputs.collect(),
            });
        }
    }

    fn face(&self, index: usize, number: usize, face: &model::Face) -> cocrypt_rtl::Face {
        let instance = &self.instances[index];
        let symbols = &self.model.datapaths[instance.datapath].symbols;
        let [address, data, mask, write, read, value] = model::FACE.map(|name| {
            let name = name.replace("sw0", &format!("sw{number}"));
            let symbol = symbols.iter().position(|symbol| symbol.name == name);
            instance.net(symbol.unwrap_or_default())
        });
        cocrypt_rtl::Face {
            block: self.builder.netlist.path(ScopeId(index as u32)),
            core: face.core.clone(),
            route: face.route.clone(),
            windows: face
                .windows
                .iter()
                .map(|window| (window.base, window.size, window.offset))
                .collect(),
            address,
            data,
            mask,
            write,
            read,
            value,
        }
    }

    fn clash(&self, datapath: &model::Datapath, face: &model::Face, base: u32) -> Diagnostic {
        let place = face.route.at(base);
        let message = format!("`{}` reaches something else at {place} already", face.core);
        Diagnostic::error("fdl.block", message)
            .with_source(&self.model.source)
            .with_label(datapath.span.range(), "this block")
            .with_help("give each block of a processor addresses of its own")
    }

    fn scope(&mut self, index: usize) {
        let scope = ScopeId(index as u32);
        self.builder.enter(scope);
        let groups = (0..self.datapath(index).sfgs.len()).map(|sfg| self.group(index, sfg));
        let groups = groups.collect();
        let control = self.control(index);
        let bindings = self.bindings(index);
        let scope = &mut self.builder.netlist.scopes[index];
        (scope.groups, scope.control, scope.bindings) = (groups, control, bindings);
    }

    fn group(&mut self, index: usize, sfg: usize) -> Group {
        let model = self.model;
        let sfg = &model.datapaths[self.instances[index].datapath].sfgs[sfg];
        let assigns = sfg.assigns.iter().map(|assign| {
            let line = model.line(assign.span);
            self.assign(index, assign.target, &assign.value, line)
        });
        let assigns = assigns.collect();
        let writes = sfg.writes.iter().map(|write| self.write(index, write)).collect();
        let (name, always, line) = (sfg.name.clone(), sfg.always, model.line(sfg.span));
        Group { name, always, line, assigns, writes }
    }

    /// An element of an array takes a value, converted to its type.
    fn write(&mut self, index: usize, write: &model::Write) -> Write {
        let (elements, width) = {
            let array = &self.datapath(index).arrays[write.array];
            (array.initial.len(), array.ty.width)
        };
        Write {
            memory: self.memory(index, write.array),
            index: self.position(index, &write.index, elements),
            value: self.bits(index, &write.value, width),
            line: self.model.line(write.span),
        }
    }

    /// A symbol takes a value, converted to its type.
    fn assign(&mut self, index: usize, target: usize, value: &Expr, line: usize) -> Assign {
        let ty = self.datapath(index).symbols[target].ty;
        let net = self.instances[index].net(target);
        let value = self.converted(index, value, ty, net);
        Assign { target: net, value, line }
    }

    /// An expression evaluated in one instance, converted to a type, as wide as a net.
    fn converted(
        &mut self,
        index: usize,
        value: &Expr,
        ty: model::Type,
        net: NetId,
    ) -> cocrypt_rtl::NodeId {
        let width = self.builder.netlist.net(net).width;
        if value.ty == ty {
            return self.bits(index, value, width);
        }
        let cast = ExprKind::Cast(Box::new(value.clone()));
        self.bits(index, &Expr { kind: cast, ty, span: value.span }, width)
    }

    fn control(&mut self, index: usize) -> Option<Control> {
        let model = self.model;
        let datapath = &model.datapaths[self.instances[index].datapath];
        let controller = datapath.controller.as_ref()?;
        let states = controller.states.iter().map(|state| State {
            name: state.name.clone(),
            line: model.line(state.span),
            decision: state.decision.as_ref().map(|decision| self.decision(index, decision)),
        });
        let states = states.collect();
        let (name, line) = (controller.name.clone(), model.line(controller.span));
        let (initial, is_sequencer) = (StateId(controller.initial as u32), controller.is_sequencer);
        Some(Control { name, line, states, initial, is_sequencer })
    }

    fn decision(&mut self, index: usize, decision: &model::Decision) -> Decision {
        match decision {
            model::Decision::Go { sfgs, traced, next, .. } => {
                let groups = sfgs.iter().map(|(sfg, _)| GroupId(*sfg as u32)).collect();
                Decision::Go { groups, next: StateId(*next as u32), traced: *traced }
            }
            model::Decision::If { condition, yes, no } => {
                let node = self.bits(index, condition, 1);
                self.conditions.push((node, condition.span, index));
                Decision::If {
                    condition: node,
                    yes: Box::new(self.decision(index, yes)),
                    no: Box::new(self.decision(index, no)),
                }
            }
        }
    }

    /// Sees to it that each condition depends only on what is decided before it is asked.
    fn decided(&self) -> Result<(), Diagnostic> {
        match self.builder.netlist.asked() {
            Ok(asked) if self.model.dialect == Dialect::Gezel => self.in_order(&asked),
            Ok(_) => Ok(()),
            Err(wrong) => Err(self.undecided(wrong)),
        }
    }

    fn undecided(&self, wrong: Undecided) -> Diagnostic {
        let (name, owner) = self.net_and_scope(wrong.net);
        let Some(circle) = wrong.circle else {
            let message = format!(
                "this condition depends on `{name}`, which is not decided when it is asked"
            );
            let help = format!(
                "assign `{name}` of `{owner}` in an `always` block; or keep it in a register, and ask that"
            );
            return self.condition_error(wrong.condition, &message, &help);
        };
        let (other, own) = (self.scope_name(circle), self.owner(wrong.condition));
        let message = format!(
            "this condition of `{own}` depends on `{name}` of `{other}`, whose conditions depend on what \
             `{own}` decides"
        );
        let help = format!(
            "let one of them choose first: keep `{name}` in a register and ask that, so that `{own}` \
             chooses before `{other}`"
        );
        self.condition_error(wrong.condition, &message, &help)
    }

    /// GEZEL lets controllers choose in the order of their definitions.
    fn in_order(&self, asked: &Asked) -> Result<(), Diagnostic> {
        for scope in &asked.order {
            for (before, (condition, net)) in asked.before.get(scope).into_iter().flatten() {
                let datapath = |scope: &ScopeId| self.instances[scope.index()].datapath;
                if datapath(before) <= datapath(scope) {
                    continue;
                }
                let (name, _) = self.net_and_scope(*net);
                let (own, other) = (self.scope_name(*scope), self.scope_name(*before));
                let message = format!(
                    "this condition of `{own}` depends on `{name}` of `{other}`, which is defined later"
                );
                let help = format!(
                    "define `{other}` before `{own}`, since GEZEL's controllers choose in that order; or \
                     leave `--gezel` out"
                );
                return Err(self.condition_error(*condition, &message, &help));
            }
        }
        Ok(())
    }

    fn condition_error(&self, condition: NodeId, message: &str, help: &str) -> Diagnostic {
        let place = self.conditions.iter().find(|(known, ..)| *known == condition);
        let span = place.map_or(Span::default(), |(_, span, _)| *span);
        Diagnostic::error("fdl.condition", message)
            .with_source(&self.model.source)
            .with_label(span.range(), "asked before sfgs are chosen")
            .with_help(help)
    }

    /// The name of the datapath that a condition belongs to.
    fn owner(&self, condition: NodeId) -> &str {
        let place = self.conditions.iter().find(|(known, ..)| *known == condition);
        place.map_or("", |(.., index)| self.scope_name(ScopeId(*index as u32)))
    }

    fn net_and_scope(&self, net: NetId) -> (&str, &str) {
        let net = self.builder.netlist.net(net);
        (&net.name, self.scope_name(net.scope))
    }

    fn scope_name(&self, scope: ScopeId) -> &str {
        &self.builder.netlist.scopes[scope.index()].name
    }

    /// The connections to children. Their ports come by position.
    fn bindings(&mut self, index: usize) -> Vec<Assign> {
        let model = self.model;
        let datapath = &model.datapaths[self.instances[index].datapath];
        let mut bindings = Vec::new();
        for (instance, child) in datapath.uses.iter().zip(&self.instances[index].children) {
            let child_datapath = &model.datapaths[instance.child];
            let line = model.line(instance.span);
            for (argument, port) in instance.arguments.iter().zip(&child_datapath.ports) {
                let port_net = self.instances[*child].net(*port);
                let port_type = child_datapath.symbols[*port].ty;
                bindings.push(match argument {
                    Argument::Open => continue,
                    Argument::Input(value) => {
                        let value = self.converted(index, value, port_type, port_net);
                        Assign { target: port_net, value, line }
                    }
                    Argument::Output(symbol, _) => {
                        let ty = datapath.symbols[*symbol].ty;
                        let target = self.instances[index].net(*symbol);
                        let value = self.child_output((*child, *port), (port_type, ty), target);
                        Assign { target, value, line }
                    }
                });
            }
        }
        bindings
    }

    pub(super) fn memory(&self, index: usize, array: usize) -> MemoryId {
        MemoryId((self.instances[index].first_array + array) as u32)
    }

    pub(super) fn table(&self, index: usize, table: usize) -> TableId {
        TableId((self.instances[index].first_table + table) as u32)
    }
}

fn net_kind(kind: Kind) -> NetKind {
    match kind {
        Kind::In => NetKind::Port(Direction::Input),
        Kind::Out => NetKind::Port(Direction::Output),
        Kind::Reg => NetKind::Register,
        Kind::Sig => NetKind::Signal,
    }
}
