//! Systems: datapaths connected by nets, resolved as a datapath without ports.

use std::collections::HashMap;

use super::Resolver;
use super::datapath::Draft;
use crate::ast::{self, ExprKind as AstKind, Kind, Name, Span};
use crate::model::{Argument, Datapath, Expr, ExprKind, SymbolId, Type, Use};

impl Resolver {
    pub(super) fn system(&mut self, system: &ast::System) -> Datapath {
        let mut draft = Draft::new(&system.name);
        draft.datapath.is_system = true;
        let claimed: Vec<Option<usize>> =
            system.uses.iter().map(|instance| self.claim(&instance.child)).collect();
        let nets = self.nets(&mut draft, &system.uses, &claimed);
        for (instance, child) in system.uses.iter().zip(claimed) {
            if let Some(child) = child {
                self.count_arguments(instance, self.ports(child).len());
                let arguments = self.connect(&nets, instance, child);
                draft.datapath.uses.push(Use { child, span: instance.span, arguments });
            }
        }
        draft.datapath
    }

    /// Makes a net for each name that an output drives.
    fn nets(
        &mut self,
        draft: &mut Draft,
        uses: &[ast::Use],
        claimed: &[Option<usize>],
    ) -> HashMap<String, (SymbolId, Type, Span)> {
        let mut nets: HashMap<String, (SymbolId, Type, Span)> = HashMap::new();
        for (instance, child) in uses.iter().zip(claimed) {
            let Some(child) = child else { continue };
            for (argument, (kind, ty)) in instance.arguments.iter().zip(self.port_types(*child)) {
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
                let symbol = draft.symbol(&net, Kind::Sig, ty, None);
                nets.insert(name.clone(), (symbol, ty, argument.span));
            }
        }
        nets
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

    fn port_types(&self, datapath: usize) -> Vec<(Kind, Type)> {
        let datapath = &self.model.datapaths[datapath];
        let ports = datapath.ports.iter().map(|port| &datapath.symbols[*port]);
        ports.map(|port| (port.kind, port.ty)).collect()
    }

    fn connect(
        &mut self,
        nets: &HashMap<String, (SymbolId, Type, Span)>,
        instance: &ast::Use,
        child: usize,
    ) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (argument, (kind, _)) in instance.arguments.iter().zip(self.port_types(child)) {
            let resolved = match (&argument.kind, kind) {
                (AstKind::Name(name), Kind::Out) => {
                    nets.get(name).map(|(net, ..)| Argument::Output(*net, argument.span))
                }
                _ => self.net_value(nets, argument).map(Argument::Input),
            };
            arguments.extend(resolved);
        }
        arguments
    }

    /// A net, or some bits of it.
    fn net_value(
        &mut self,
        nets: &HashMap<String, (SymbolId, Type, Span)>,
        argument: &ast::Expr,
    ) -> Option<Expr> {
        let mut names = super::expression::Names::default();
        for (name, (symbol, ty, _)) in nets {
            let meaning = super::expression::Meaning::Symbol(*symbol);
            names.meanings.insert(name.clone(), (meaning, *ty));
        }
        let AstKind::Name(name) = &argument.kind else {
            return self.expression(&names, argument);
        };
        let Some((symbol, ty, _)) = nets.get(name) else {
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
