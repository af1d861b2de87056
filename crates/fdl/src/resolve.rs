//! From tree to model: finds what names mean and which types expressions have.

mod actions;
mod blocks;
mod controller;
mod datapath;
mod expression;
mod parameters;
mod processors;
mod repeat;
mod system;

use std::collections::HashMap;

use cocrypt_diag::{Diagnostic, suggest};
use num_bigint::BigInt;

use crate::ast::{File, Item, Name};
use crate::model::{Datapath, Model, Options};
use crate::origin::Origins;
use crate::report::Report;
use crate::{Dialect, Files};
use parameters::Template;

/// Resolves a file.
///
/// # Errors
/// Everything that is wrong with names and types.
pub(crate) fn resolve(
    origins: &Origins,
    file: &File,
    dialect: Dialect,
    files: &dyn Files,
) -> Result<Model, Vec<Diagnostic>> {
    let mut resolver = Resolver::new(origins, dialect, files);
    for item in &file.items {
        resolver.item(item);
    }
    resolver.known_cores();
    if resolver.report.has_errors() {
        return Err(resolver.report.list);
    }
    resolver.model.warnings = resolver.report.list;
    Ok(resolver.model)
}

struct Resolver<'a> {
    dialect: Dialect,
    files: &'a dyn Files,
    report: Report,
    model: Model,
    /// The datapath that a controller may follow now.
    open: Option<usize>,
    /// Where each datapath was used, so that none is used twice.
    used: HashMap<usize, crate::ast::Span>,
    controllers: HashMap<String, crate::ast::Span>,
    /// The parameters of the datapath that is being resolved, and what they stand for.
    parameters: HashMap<String, BigInt>,
    /// Datapaths with parameters, by place.
    templates: HashMap<usize, Template<'a>>,
    /// What was made of them, by place and values.
    made: HashMap<(usize, Vec<BigInt>), usize>,
    /// How often something was repeated.
    turns: usize,
    /// Values that the expressions around join.
    joined: usize,
    /// Only datapaths that stand before this one are known now.
    above: Option<usize>,
}

impl<'a> Resolver<'a> {
    fn new(origins: &Origins, dialect: Dialect, files: &'a dyn Files) -> Self {
        let model = Model {
            source: origins.whole.clone(),
            origins: origins.clone(),
            datapaths: Vec::new(),
            options: Options::default(),
            cores: Vec::new(),
            warnings: Vec::new(),
        };
        Self {
            dialect,
            files,
            report: Report::new(&origins.whole),
            model,
            open: None,
            used: HashMap::new(),
            controllers: HashMap::new(),
            parameters: HashMap::new(),
            templates: HashMap::new(),
            made: HashMap::new(),
            turns: 0,
            joined: 0,
            above: None,
        }
    }

    fn item(&mut self, item: &'a Item) {
        let open = self.open.take();
        if !matches!(item, Item::Controller(_)) {
            self.parameters.clear();
        }
        match item {
            Item::Datapath(datapath) => {
                self.defaults(datapath);
                let resolved = self.datapath(datapath);
                self.open = self.define(&datapath.name, resolved);
                self.template(datapath);
            }
            Item::Clone { name, original } => self.clone_datapath(name, original),
            Item::Controller(controller) => {
                self.controller(controller, open);
                self.template_controller(controller, open);
            }
            Item::System(system) => {
                let resolved = self.system(system);
                self.define(&system.name, resolved);
            }
            Item::Block(block) => {
                if let Some(resolved) = self.block(block) {
                    self.define(&block.name, resolved);
                }
            }
            Item::Option { text, span } => self.option(text, *span),
        }
    }

    /// Adds a datapath under its name; the place where it now stands.
    fn define(&mut self, name: &Name, datapath: Datapath) -> Option<usize> {
        if let Some(known) = self.model.find(&name.text) {
            let first = self.model.datapaths[known].span;
            self.report.error(
                "fdl.duplicate-name",
                &format!("there is a datapath `{}` already", name.text),
                (name.span, "defined again"),
                "choose another name",
            );
            self.report.also(first, "first defined here");
            return None;
        }
        self.model.datapaths.push(datapath);
        Some(self.model.datapaths.len() - 1)
    }

    fn clone_datapath(&mut self, name: &Name, original: &Name) {
        let Some(index) = self.find(original) else { return };
        let mut datapath = self.model.datapaths[index].clone();
        (datapath.name, datapath.span) = (name.text.clone(), name.span);
        datapath.original = Some(index);
        self.define(name, datapath);
    }

    /// A datapath that is defined above.
    fn find(&mut self, name: &Name) -> Option<usize> {
        let above = self.above.unwrap_or(self.model.datapaths.len());
        let found = self.model.find(&name.text).filter(|found| *found < above);
        if found.is_none() {
            let known = self.model.datapaths[..above].iter().map(|datapath| datapath.name.as_str());
            let help = match suggest(&name.text, known) {
                Some(close) => format!("did you mean `{close}`?"),
                None => "define it above the place where it is used".to_owned(),
            };
            self.report.error(
                "fdl.unknown-datapath",
                &format!("no datapath `{}` is defined above", name.text),
                (name.span, "not known here"),
                &help,
            );
        }
        found
    }
}
