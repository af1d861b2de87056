//! Datapaths: declarations, tables, sfgs and instances.

use std::collections::HashMap;

use cocrypt_diag::suggest;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::Resolver;
use super::expression::{Meaning, Names, brief};
use super::repeat::is_name;
use crate::Dialect;
use crate::ast::{self, DatapathItem, ExprKind as AstKind, Kind, Member, Name, Span, Statement};
use crate::limits;
use crate::model::{
    Action, Argument, Array, Assign, Datapath, Expr, ExprKind, Sfg, Symbol, SymbolId, Table, Type,
    Use, Write,
};

/// Elements that an array has at most.
const LONGEST: usize = 1 << 24;

/// A datapath while it is being resolved.
pub(super) struct Draft {
    pub datapath: Datapath,
    pub names: Names,
    /// The indices of named sfgs.
    sfgs: HashMap<String, usize>,
}

impl Draft {
    pub fn new(name: &Name) -> Self {
        let datapath = Datapath {
            name: name.text.clone(),
            span: name.span,
            is_system: false,
            original: None,
            symbols: Vec::new(),
            ports: Vec::new(),
            tables: Vec::new(),
            arrays: Vec::new(),
            sfgs: Vec::new(),
            uses: Vec::new(),
            controller: None,
            traces: Vec::new(),
            stimuli: Vec::new(),
            faces: Vec::new(),
            user: None,
            size: 0,
        };
        Self { datapath, names: Names::default(), sfgs: HashMap::new() }
    }

    pub fn symbol(&mut self, name: &Name, kind: Kind, ty: Type, local: Option<usize>) -> SymbolId {
        let symbol = Symbol { name: name.text.clone(), span: name.span, kind, ty, local };
        self.datapath.symbols.push(symbol);
        self.datapath.symbols.len() - 1
    }

    /// An array by name, with the type of its elements.
    fn array(&self, name: &str) -> Option<(usize, Type)> {
        match self.names.meanings.get(name)? {
            (Meaning::Array(array), ty) => Some((*array, *ty)),
            _ => None,
        }
    }

    /// The span of a name's declaration.
    fn declared(&self, name: &str) -> Option<Span> {
        Some(match self.names.meanings.get(name)?.0 {
            Meaning::Symbol(symbol) => self.datapath.symbols[symbol].span,
            Meaning::Table(table) => self.datapath.tables[table].span,
            Meaning::Array(array) => self.datapath.arrays[array].span,
        })
    }
}

impl Resolver<'_> {
    pub(super) fn datapath(&mut self, datapath: &ast::Datapath) -> Datapath {
        let mut draft = Draft::new(&datapath.name);
        let before = self.own_parts();
        let _ = self.spend(limits::INSTANCE, datapath.name.span);
        for port in &datapath.ports {
            self.declaration(&mut draft, port);
        }
        draft.datapath.ports = (0..draft.datapath.symbols.len()).collect();
        self.declared(&mut draft, &datapath.items);
        self.described(&mut draft, &datapath.items);
        draft.datapath.size = self.own_parts().saturating_sub(before);
        draft.datapath
    }

    /// Everything that has a name, but for sfgs.
    fn declared(&mut self, draft: &mut Draft, items: &[DatapathItem]) {
        for item in items {
            if self.stopped() {
                return;
            }
            match item {
                DatapathItem::Declaration(declaration) => self.declaration(draft, declaration),
                DatapathItem::Lookup(lookup) => self.lookup(draft, lookup),
                DatapathItem::Use(instance) => self.instance(draft, instance),
                DatapathItem::Array(array) => self.array(draft, array),
                DatapathItem::For(repeat, items) => {
                    self.repeat(repeat, |resolver| resolver.declared(draft, items));
                }
                DatapathItem::Sfg(_) | DatapathItem::Trace(_) => {}
            }
        }
    }

    /// Signal flow graphs and traces, whose texts use the declared names.
    fn described(&mut self, draft: &mut Draft, items: &[DatapathItem]) {
        for item in items {
            if self.stopped() {
                return;
            }
            match item {
                DatapathItem::Sfg(sfg) => self.sfg(draft, sfg),
                DatapathItem::Trace(trace) => self.trace(draft, trace),
                DatapathItem::For(repeat, items) => {
                    self.unshadowed(&draft.names, repeat);
                    self.repeat(repeat, |resolver| resolver.described(draft, items));
                }
                _ => {}
            }
        }
    }

    fn declaration(&mut self, draft: &mut Draft, declaration: &ast::Declaration) {
        let Some(ty) = self.ty(&declaration.ty) else {
            // The names are known all the same, so that their uses are not called mistakes.
            return self.declare_all(draft, declaration, Type::ns(1));
        };
        self.declare_all(draft, declaration, ty);
    }

    fn declare_all(&mut self, draft: &mut Draft, declaration: &ast::Declaration, ty: Type) {
        for member in &declaration.names {
            if self.spend(limits::value(ty.width), member.span).is_none() {
                return;
            }
            let Some(name) = self.free(draft, member) else { continue };
            let symbol = draft.symbol(&name, declaration.kind, ty, None);
            draft.names.meanings.insert(name.text, (Meaning::Symbol(symbol), ty));
        }
    }

    /// The name of something new. None where it is no new one, which is then reported.
    fn free(&mut self, draft: &Draft, member: &Member) -> Option<Name> {
        let name = self.name(member)?;
        if let Some(first) = draft.declared(&name.text) {
            self.report.error(
                "fdl.duplicate-name",
                &format!("`{}` is declared already", name.text),
                (name.span, "declared again"),
                "choose another name",
            );
            self.report.also(first, "first declared here");
            return None;
        }
        if self.parameters.contains_key(&name.text) {
            let message = format!("`{}` is a parameter already", name.text);
            let at = (name.span, "declared again");
            self.report.error("fdl.duplicate-name", &message, at, "choose another name");
            return None;
        }
        Some(name)
    }

    fn lookup(&mut self, draft: &mut Draft, lookup: &ast::Lookup) {
        let ty = self.ty(&lookup.ty);
        let entries: Vec<_> = lookup.entries.iter().map(|entry| self.constant(entry)).collect();
        let ty = ty.unwrap_or(Type::ns(1));
        let entries: Vec<_> = entries.into_iter().flatten().map(|entry| ty.wrap(&entry)).collect();
        for member in &lookup.names {
            let words = limits::words(entries.len(), ty.width);
            if self.store(words, member.span).and(self.spend(1, member.span)).is_none() {
                return;
            }
            let Some(Name { text: name, span }) = self.free(draft, member) else { continue };
            let meaning = (Meaning::Table(draft.datapath.tables.len()), ty);
            draft.names.meanings.insert(name.clone(), meaning);
            draft.datapath.tables.push(Table { name, span, ty, entries: entries.clone() });
        }
    }

    fn array(&mut self, draft: &mut Draft, array: &ast::Array) {
        let ty = self.ty(&array.ty).unwrap_or(Type::ns(1));
        let given: Vec<_> = array.initial.iter().map(|entry| self.constant(entry)).collect();
        let given: Vec<_> = given.into_iter().flatten().map(|entry| ty.wrap(&entry)).collect();
        for (member, length) in &array.names {
            let length = self.length(length, given.len());
            let length = length.unwrap_or(1).max(given.len());
            let words = limits::words(length, ty.width);
            if self.store(words, member.span).and(self.spend(1, member.span)).is_none() {
                return;
            }
            let Some(Name { text: name, span }) = self.free(draft, member) else { continue };
            let meaning = (Meaning::Array(draft.datapath.arrays.len()), ty);
            draft.names.meanings.insert(name.clone(), meaning);
            let mut initial = given.clone();
            initial.resize(length, BigInt::default());
            draft.datapath.arrays.push(Array { name, span, ty, initial });
        }
    }

    /// The number of elements of an array, of which some are given a value.
    fn length(&mut self, expr: &ast::Expr, given: usize) -> Option<usize> {
        let length = self.constant(expr)?;
        let fits = length.to_usize().filter(|length| (1..=LONGEST).contains(length));
        if fits.is_none() {
            self.report.error(
                "fdl.length",
                &format!("an array cannot have {} elements", brief(&length)),
                (expr.span, "this length"),
                &format!("lengths are 1 to {LONGEST}"),
            );
        } else if fits.is_some_and(|length| length < given) {
            self.report.error(
                "fdl.length",
                &format!("{given} values are given for {length} elements"),
                (expr.span, "this length"),
                "leave some out, or make the array longer",
            );
        }
        fits
    }

    fn instance(&mut self, draft: &mut Draft, instance: &ast::Use) {
        if self.spend(1 + instance.arguments.len(), instance.span).is_none() {
            return;
        }
        let Some(child) = self.child(instance) else { return };
        let ports = self.ports(child);
        let connections = self.connections(instance, &ports);
        let mut arguments = Vec::new();
        for (argument, (name, kind)) in connections.into_iter().zip(&ports) {
            let Some(argument) = argument else {
                arguments.push(Argument::Open);
                continue;
            };
            let resolved = match kind {
                Kind::In => self.expression(&draft.names, argument).map(Argument::Input),
                _ => self.driven(draft, argument, name),
            };
            arguments.extend(resolved);
        }
        draft.datapath.uses.push(Use { child, span: instance.span, arguments });
    }

    /// Names and kinds of a datapath's ports.
    pub(super) fn ports(&self, datapath: usize) -> Vec<(String, Kind)> {
        let datapath = &self.model.datapaths[datapath];
        let ports = datapath.ports.iter().map(|port| &datapath.symbols[*port]);
        ports.map(|port| (port.name.clone(), port.kind)).collect()
    }

    /// Takes a datapath as instance. One that is used already is copied, which GEZEL left to its users.
    pub(super) fn claim(&mut self, name: &Name, child: usize) -> usize {
        let Some(first) = self.used.get(&child).copied() else {
            self.used.insert(child, name.span);
            return child;
        };
        if self.dialect == Dialect::Extended {
            return self.copy(child, name.span);
        }
        self.report.error(
            "fdl.used-twice",
            &format!("the datapath `{}` is used more than once", name.text),
            (name.span, "used again"),
            &format!("make a copy: `dp {0}_2 : {0}`, and use that", name.text),
        );
        self.report.also(first, "first used here");
        child
    }

    /// A further instance of a datapath: a copy under a name of its own, and of what it uses.
    fn copy(&mut self, original: usize, span: Span) -> usize {
        if self.copied(original, span).is_none() {
            return original;
        }
        let mut datapath = self.model.datapaths[original].clone();
        datapath.name = self.numbered(&datapath.name);
        datapath.original = Some(original);
        let copy = self.place(datapath);
        self.used.insert(copy, span);
        copy
    }

    /// Of each port: what it is connected to, by position or by name.
    pub(super) fn connections<'i>(
        &mut self,
        instance: &'i ast::Use,
        ports: &[(String, Kind)],
    ) -> Vec<Option<&'i ast::Expr>> {
        let mut connected: Vec<Option<&ast::Expr>> = vec![None; ports.len()];
        // An instance stands for all ports of its datapath, however few are connected.
        if self.spend(ports.len(), instance.span).is_none() {
            return connected;
        }
        let places = places(ports);
        for (at, connection) in instance.arguments.iter().enumerate() {
            let place = match &connection.port {
                None => Some(at),
                Some(name) => match places.get(name.text.as_str()) {
                    Some(place) => Some(*place),
                    None => self.unknown_port(instance, name, ports),
                },
            };
            let Some(slot) = place.and_then(|place| connected.get_mut(place)) else { continue };
            if slot.replace(&connection.value).is_some() {
                self.report.error(
                    "fdl.argument-count",
                    "this port is connected already",
                    (connection.value.span, "connected again"),
                    "connect each port once",
                );
            }
        }
        self.count_arguments(instance, &connected);
        connected
    }

    fn unknown_port(
        &mut self,
        instance: &ast::Use,
        name: &Name,
        ports: &[(String, Kind)],
    ) -> Option<usize> {
        if self.stopped() {
            return None;
        }
        let help = match suggest(&name.text, ports.iter().map(|(port, _)| port.as_str())) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "name a port that it declares".to_owned(),
        };
        let message = format!("`{}` has no port `{}`", instance.child.text, name.text);
        self.report.error("fdl.unknown-port", &message, (name.span, "not known"), &help);
        None
    }

    fn count_arguments(&mut self, instance: &ast::Use, connected: &[Option<&ast::Expr>]) {
        let (given, ports) = (instance.arguments.len(), connected.len());
        let extra = instance.arguments.get(ports).filter(|extra| extra.port.is_none());
        if let Some(extra) = extra {
            self.report.error(
                "fdl.argument-count",
                &format!("`{}` has {ports} ports, not {given}", instance.child.text),
                (extra.value.span, "no port for this"),
                "remove it",
            );
        } else if connected.iter().any(Option::is_none) {
            let there = connected.iter().flatten().count();
            let message = format!("only {there} of {ports} ports are connected");
            let help = "inputs that are not connected are 0";
            self.report.warning(
                "fdl.argument-count",
                &message,
                (instance.span, "this instance"),
                help,
            );
        }
    }

    /// The signal, register or output that a child's output drives.
    fn driven(&mut self, draft: &Draft, argument: &ast::Expr, port: &str) -> Option<Argument> {
        if !is_name(argument) {
            self.report.error(
                "fdl.output-argument",
                &format!("the output `{port}` must drive a signal, register or output"),
                (argument.span, "not a plain name"),
                "declare a `sig`, name it here, and take bits of it where they are used",
            );
            return None;
        }
        let name = self.plain(argument)?;
        let symbol = self.target(draft, &name.text, argument.span)?;
        Some(Argument::Output(symbol, argument.span))
    }

    /// A name that may be assigned.
    fn target(&mut self, draft: &Draft, name: &str, span: Span) -> Option<SymbolId> {
        let Some((Meaning::Symbol(symbol), _)) = draft.names.meanings.get(name) else {
            if self.parameters.contains_key(name) {
                let message = format!("`{name}` is a parameter and cannot be assigned");
                let help = "a parameter stands for a number; assign a `sig`, a `reg` or an output";
                self.report.error("fdl.not-assignable", &message, (span, "assigned here"), help);
                return None;
            }
            self.unknown(&draft.names, name, span);
            return None;
        };
        if draft.datapath.symbols[*symbol].kind == Kind::In {
            self.report.error(
                "fdl.input-assignment",
                &format!("`{name}` is an input and cannot be assigned"),
                (span, "assigned here"),
                "assign a `sig`, a `reg` or an output",
            );
            return None;
        }
        Some(*symbol)
    }

    fn sfg(&mut self, draft: &mut Draft, sfg: &ast::Sfg) {
        let index = draft.datapath.sfgs.len();
        if self.spend(2, sfg.span).is_none() {
            return;
        }
        let named = sfg.name.as_ref().and_then(|member| self.name(member));
        let name = named.as_ref().map_or("always", |name| &name.text).to_owned();
        let span = named.as_ref().map_or(sfg.span, |name| name.span);
        self.unique_sfg(draft, named.as_ref());
        if let Some(name) = &named {
            draft.sfgs.entry(name.text.clone()).or_insert(index);
        }
        let mut outer = Vec::new();
        if let Some(local) = &sfg.local {
            let ty = self.ty(&local.ty).unwrap_or(Type::ns(1));
            for member in &local.names {
                let Some(name) = self.name(member) else { continue };
                let symbol = draft.symbol(&name, local.kind, ty, Some(index));
                let meaning = (Meaning::Symbol(symbol), ty);
                let before = draft.names.meanings.insert(name.text.clone(), meaning);
                outer.push((name.text, before));
            }
        }
        let always = sfg.name.is_none();
        let (assigns, writes, actions) = (Vec::new(), Vec::new(), Vec::new());
        let mut resolved = Sfg { name, span, always, assigns, writes, actions };
        for statement in &sfg.statements {
            self.statement(draft, statement, &mut resolved);
        }
        for (name, before) in outer.into_iter().rev() {
            match before {
                Some(meaning) => draft.names.meanings.insert(name, meaning),
                None => draft.names.meanings.remove(&name),
            };
        }
        draft.datapath.sfgs.push(resolved);
    }

    fn unique_sfg(&mut self, draft: &Draft, name: Option<&Name>) {
        let Some(name) = name else { return };
        let known = draft.sfgs.get(&name.text).map(|index| &draft.datapath.sfgs[*index]);
        if let Some(first) = known {
            self.report.error(
                "fdl.duplicate-name",
                &format!("there is an sfg `{}` already", name.text),
                (name.span, "defined again"),
                "choose another name",
            );
            self.report.also(first.span, "first defined here");
        }
    }

    fn statement(&mut self, draft: &Draft, statement: &Statement, sfg: &mut Sfg) {
        if self.spend(1, sfg.span).is_none() {
            return;
        }
        match statement {
            Statement::Expressions(expressions) => {
                for expression in expressions {
                    self.effect(draft, expression, sfg);
                }
            }
            Statement::Display { items, span } => {
                sfg.actions.extend(self.display(draft, (items, *span)));
            }
            Statement::Finish(_) => sfg.actions.push(Action::Finish),
            Statement::For(repeat, statements) => {
                self.unshadowed(&draft.names, repeat);
                self.repeat(repeat, |resolver| {
                    for statement in statements {
                        resolver.statement(draft, statement, sfg);
                    }
                });
            }
        }
    }

    /// An expression as statement; its value is of no use, its assignments are.
    fn effect(&mut self, draft: &Draft, expr: &ast::Expr, sfg: &mut Sfg) {
        if let AstKind::Assign(target, value) = &expr.kind {
            self.assign(draft, target, value, sfg);
        } else if self.expression(&draft.names, expr).is_some() {
            self.report.warning(
                "fdl.no-effect",
                "this expression has no effect",
                (expr.span, "computed for nothing"),
                "assign it, or remove it",
            );
        }
    }

    /// Resolves one assignment of a chain; what it yields is its value in the target's type.
    fn assign(
        &mut self,
        draft: &Draft,
        target: &ast::Expr,
        value: &ast::Expr,
        sfg: &mut Sfg,
    ) -> Option<Expr> {
        let chained = matches!(value.kind, AstKind::Assign(..));
        let value = match &value.kind {
            AstKind::Assign(inner, last) => self.assign(draft, inner, last, sfg),
            _ => self.expression(&draft.names, value),
        };
        if is_name(target) {
            let name = self.plain(target)?;
            let symbol = self.target(draft, &name.text, target.span)?;
            let value = value?;
            let ty = draft.datapath.symbols[symbol].ty;
            let span = target.span;
            self.lost_carry(&value, ty);
            if chained {
                self.repeated(&value)?;
            }
            sfg.assigns.push(Assign { target: symbol, span, value: value.clone() });
            return Some(Expr { span: value.span, kind: ExprKind::Cast(Box::new(value)), ty });
        }
        let AstKind::Lookup(member, index) = &target.kind else {
            self.not_assignable(target);
            return None;
        };
        if let Some(value) = value.as_ref().filter(|_| chained) {
            self.repeated(value)?;
        }
        self.write(draft, (member, index), value, target.span, sfg)
    }

    /// Writes an element of an array; what it yields is the element's new value.
    fn write(
        &mut self,
        draft: &Draft,
        (member, index): (&Member, &ast::Expr),
        value: Option<Expr>,
        target: Span,
        sfg: &mut Sfg,
    ) -> Option<Expr> {
        let name = self.name(member)?;
        let Some((array, ty)) = draft.array(&name.text) else {
            self.report.warning(
                "fdl.table-assignment",
                &format!("the lookup table `{}` cannot be written", name.text),
                (target, "this assignment is ignored"),
                "keep values that change in an array: `reg name(length) : type;`",
            );
            return value;
        };
        let index = self.expression(&draft.names, index);
        let (index, value) = (index?, value?);
        sfg.writes.push(Write { array, span: name.span, index, value: value.clone() });
        Some(Expr { span: value.span, kind: ExprKind::Cast(Box::new(value)), ty })
    }

    /// The value of a chain of assignments is there once for each target.
    fn repeated(&mut self, value: &Expr) -> Option<()> {
        let mut parts = 0;
        value.each(&mut |inner| parts += limits::value(inner.ty.width));
        self.spend(parts, value.span)
    }

    /// A sum is as wide as its operands: what is carried out is lost, however wide the target is.
    fn lost_carry(&mut self, value: &Expr, target: Type) {
        let ExprKind::Binary(ast::Binary::Add, a, b) = &value.kind else { return };
        if target.width <= value.ty.width || a.is_constant() || b.is_constant() {
            return;
        }
        self.report.warning(
            "fdl.lost-carry",
            &format!(
                "this sum has {} bits, so that its carry does not reach the {} bits that are assigned",
                value.ty.width, target.width
            ),
            (value.span, "wraps here"),
            "widen an operand first, such as `a + (ns(9)) b`; or assign fewer bits",
        );
    }

    fn not_assignable(&mut self, target: &ast::Expr) {
        if let AstKind::Select(..) = target.kind {
            self.report.error(
                "fdl.subvector-assignment",
                "bits of a word cannot be assigned",
                (target.span, "only some bits"),
                "assign the whole word: `a = a[7:4] # new_low`",
            );
        } else {
            self.report.error(
                "fdl.not-assignable",
                "this cannot be assigned",
                (target.span, "not a name"),
                "assign a signal, register or output",
            );
        }
    }
}

/// The indices of ports by name.
pub(super) fn places(ports: &[(String, Kind)]) -> HashMap<&str, usize> {
    // Of ports with one name the first counts.
    ports.iter().enumerate().rev().map(|(place, (name, _))| (name.as_str(), place)).collect()
}
