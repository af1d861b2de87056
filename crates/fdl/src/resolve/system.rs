//! Systems: datapaths connected by nets, resolved as a datapath without ports.

use std::collections::HashMap;

use super::Resolver;
use super::datapath::{Draft, places};
use super::expression::{Meaning, Names};
use crate::ast::{self, ExprKind as AstKind, Kind, Name, Span};
use crate::limits;
use crate::model::{Argument, Datapath, Expr, ExprKind, Stimulus, SymbolId, Type, Use};

/// The nets of a system: each with its type, and where its driver is named.
type Nets = HashMap<String, (SymbolId, Type, Span)>;

impl Resolver<'_> {
    pub(super) fn system(&mut self, system: &ast::System) -> Datapath {
        let mut draft = Draft::new(&system.name);
        let before = self.own_parts();
        let arguments: usize =
            system.uses.iter().map(|instance| 1 + instance.arguments.len()).sum();
        let _ = self.spend(arguments, system.name.span);
        draft.datapath.is_system = true;
        let claimed: Vec<Option<usize>> =
            system.uses.iter().map(|instance| self.child(instance)).collect();
        // What is not known may drive any net.
        self.unfinished = claimed.iter().any(Option::is_none);
        let mut nets = self.nets(&mut draft, &system.uses, &claimed);
        for stimulus in &system.stimuli {
            self.stimulus(&mut draft, &mut nets, stimulus, (&system.uses, &claimed));
        }
        let names = names_of(&nets);
        for (instance, child) in system.uses.iter().zip(claimed) {
            if let Some(child) = child {
                let arguments = self.connect((&nets, &names), instance, child);
                draft.datapath.uses.push(Use { child, span: instance.span, arguments });
            }
        }
        draft.datapath.size = self.own_parts().saturating_sub(before);
        draft.datapath
    }

    /// Makes a net for each name that an output drives.
    fn nets(&mut self, draft: &mut Draft, uses: &[ast::Use], claimed: &[Option<usize>]) -> Nets {
        let mut nets = Nets::new();
        for (instance, child) in uses.iter().zip(claimed) {
            let Some(child) = child else { continue };
            for (argument, (kind, ty)) in self.wired(instance, *child) {
                let AstKind::Name(name) = &argument.kind else { continue };
                if kind != Kind::Out {
                    continue;
                }
                if let Some((_, _, first)) = nets.get(name) {
                    let first = *first;
                    self.two_drivers(name, argument.span, first);
                    continue;
                }
                let net = Name { text: name.clone(), span: argument.span };
                if self.spend(limits::value(ty.width), argument.span).is_none() {
                    return nets;
                }
                let symbol = draft.symbol(&net, Kind::Sig, ty, None);
                nets.insert(name.clone(), (symbol, ty, argument.span));
            }
        }
        nets
    }

    /// A net that a file drives is an input of the system, of the type of what reads it first.
    fn stimulus(
        &mut self,
        draft: &mut Draft,
        nets: &mut Nets,
        stimulus: &ast::Stimulus,
        (uses, claimed): (&[ast::Use], &[Option<usize>]),
    ) {
        let name = &stimulus.net;
        // All that is connected is looked through for it.
        let looks: usize = uses.iter().map(|instance| 1 + instance.arguments.len() / 16).sum();
        if self.spend(looks / 4, name.span).is_none() {
            return;
        }
        if let Some((_, _, first)) = nets.get(&name.text) {
            let first = *first;
            return self.two_drivers(&name.text, name.span, first);
        }
        let reads = |argument: &ast::Expr| matches!(&argument.kind, AstKind::Name(read) if *read == name.text);
        let ty = uses.iter().zip(claimed).find_map(|(instance, child)| {
            let mut arguments = self.wired(instance, (*child)?).into_iter();
            arguments.find_map(|(argument, (_, ty))| reads(argument).then_some(ty))
        });
        let Some(ty) = ty else {
            self.report.warning(
                "fdl.unused-stimulus",
                &format!("nothing reads the net `{}`", name.text),
                (name.span, "driven for nothing"),
                "connect it to an input of a datapath",
            );
            return;
        };
        let symbol = draft.symbol(name, Kind::In, ty, None);
        draft.datapath.ports.push(symbol);
        let (file, span) = (stimulus.file.clone(), stimulus.span);
        draft.datapath.stimuli.push(Stimulus { net: symbol, file, span });
        nets.insert(name.text.clone(), (symbol, ty, name.span));
    }

    fn two_drivers(&mut self, name: &str, span: Span, first: Span) {
        self.report.error(
            "fdl.multiple-drivers",
            &format!("the net `{name}` has more than one driver"),
            (span, "driven here"),
            "give each output a net of its own",
        );
        self.report.also(first, "and here");
    }

    /// The connections of an instance's ports, each with the port's kind and type.
    fn wired<'i>(
        &self,
        instance: &'i ast::Use,
        child: usize,
    ) -> Vec<(&'i ast::Expr, (Kind, Type))> {
        let (names, types) = (self.ports(child), self.port_types(child));
        let places = places(&names);
        let wired = instance.arguments.iter().enumerate().filter_map(|(at, connection)| {
            let place = match &connection.port {
                None => at,
                Some(name) => *places.get(name.text.as_str())?,
            };
            Some((&connection.value, *types.get(place)?))
        });
        wired.collect()
    }

    fn port_types(&self, datapath: usize) -> Vec<(Kind, Type)> {
        let datapath = &self.model.datapaths[datapath];
        let ports = datapath.ports.iter().map(|port| &datapath.symbols[*port]);
        ports.map(|port| (port.kind, port.ty)).collect()
    }

    fn connect(
        &mut self,
        (nets, names): (&Nets, &Names),
        instance: &ast::Use,
        child: usize,
    ) -> Vec<Argument> {
        let mut arguments = Vec::new();
        let ports = self.ports(child);
        for (argument, (_, kind)) in self.connections(instance, &ports).into_iter().zip(ports) {
            let Some(argument) = argument else {
                arguments.push(Argument::Open);
                continue;
            };
            let resolved = match (&argument.kind, kind) {
                (AstKind::Name(name), Kind::Out) => {
                    nets.get(name).map(|(net, ..)| Argument::Output(*net, argument.span))
                }
                _ => self.net_value((nets, names), argument).map(Argument::Input),
            };
            arguments.extend(resolved);
        }
        arguments
    }

    /// A net, or some bits of it.
    fn net_value(&mut self, (nets, names): (&Nets, &Names), argument: &ast::Expr) -> Option<Expr> {
        let AstKind::Name(name) = &argument.kind else {
            return self.expression(names, argument);
        };
        let Some((symbol, ty, _)) = nets.get(name) else {
            if self.unfinished {
                return None;
            }
            self.report.error(
                "fdl.undriven-net",
                &format!("nothing drives the net `{name}`"),
                (argument.span, "read here"),
                "connect it to an output of another datapath",
            );
            return None;
        };
        Some(Expr { kind: ExprKind::Symbol(*symbol), ty: *ty, span: argument.span })
    }
}

/// The names of the nets.
fn names_of(nets: &Nets) -> Names {
    let meaning = |(name, net): (&String, &(SymbolId, Type, Span))| {
        (name.clone(), (Meaning::Symbol(net.0), net.1))
    };
    Names { meanings: nets.iter().map(meaning).collect() }
}
