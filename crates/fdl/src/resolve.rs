//! From tree to model: finds what names mean and which types expressions have.

mod actions;
mod blocks;
mod controller;
mod datapath;
mod expression;
pub(crate) mod files;
mod parameters;
mod processors;
mod repeat;
mod system;
mod user;

use std::collections::{HashMap, HashSet};

use cocrypt_diag::{Diagnostic, suggest};
use num_bigint::BigInt;

use crate::ast::{File, Item, Name, Span};
use crate::limits;
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
        if resolver.stopped() {
            break;
        }
        resolver.item(item);
    }
    resolver.known_cores();
    resolver.divide_addresses();
    resolver.named_files();
    resolver.has_system(file);
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
    /// The span of each datapath's use, so that none is used twice.
    used: HashMap<usize, Span>,
    controllers: HashMap<String, Span>,
    /// The parameters of the datapath that is being resolved, and what they stand for.
    parameters: HashMap<String, BigInt>,
    /// Datapaths with parameters, by place.
    templates: HashMap<usize, Template<'a>>,
    /// The instances made of them, by place and values.
    made: HashMap<(usize, Vec<BigInt>), usize>,
    /// Datapaths by name.
    places: HashMap<String, usize>,
    /// Of names that copies were made of: the number of the next one.
    numbers: HashMap<String, usize>,
    /// The number of the design's parts so far, and of the words of its tables and arrays.
    parts: usize,
    words: usize,
    /// The parts that were not written where they are counted: of copies, and of what parameters make.
    others: usize,
    /// The sfgs that the present controller may name.
    sfgs: HashMap<String, usize>,
    /// The number of times that something was repeated.
    turns: usize,
    /// Values that the expressions around join.
    joined: usize,
    /// Only datapaths that stand before this one are known now.
    above: Option<usize>,
    /// True if an instance of the present system is not known.
    unfinished: bool,
    /// The names of blocks that were refused; nothing more is said of them.
    refused: HashSet<String>,
}

impl<'a> Resolver<'a> {
    fn new(origins: &Origins, dialect: Dialect, files: &'a dyn Files) -> Self {
        let model = Model {
            dialect,
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
            places: HashMap::new(),
            numbers: HashMap::new(),
            parts: 0,
            words: 0,
            others: 0,
            sfgs: HashMap::new(),
            turns: 0,
            joined: 0,
            above: None,
            unfinished: false,
            refused: HashSet::new(),
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
                } else {
                    self.refused.insert(block.name.text.clone());
                }
            }
            Item::Option { text, span } => self.option(text, *span),
        }
    }

    /// GEZEL runs what a system names, and nothing where there is none.
    fn has_system(&mut self, file: &File) {
        let is_system = |item: &Item| matches!(item, Item::System(_));
        let last = self.model.datapaths.last().map(|datapath| datapath.span);
        let Some(last) = last.filter(|_| self.dialect == Dialect::Gezel) else { return };
        if !file.items.iter().any(is_system) {
            self.report.warning(
                "fdl.no-system",
                "the file has no system, and GEZEL runs nothing of it",
                (last, "the last datapath"),
                "write `system s { name(net, …); }`, choose a datapath by `--top`, or leave `--gezel` out",
            );
        }
    }

    /// Adds a datapath under its name; the place where it now stands.
    fn define(&mut self, name: &Name, datapath: Datapath) -> Option<usize> {
        if let Some(known) = self.places.get(&name.text).copied() {
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
        Some(self.place(datapath))
    }

    /// Adds a datapath under a name that is free; the place where it now stands.
    fn place(&mut self, datapath: Datapath) -> usize {
        let place = self.model.datapaths.len();
        self.places.insert(datapath.name.clone(), place);
        self.model.datapaths.push(datapath);
        place
    }

    /// A name that is free: with the next number behind it.
    fn numbered(&mut self, base: &str) -> String {
        let Self { numbers, places, .. } = self;
        let next = numbers.entry(base.to_owned()).or_insert(2);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if !places.contains_key(&name) {
                return name;
            }
        }
    }

    /// The parts that were written so far.
    fn own_parts(&self) -> usize {
        self.parts.saturating_sub(self.others)
    }

    /// Returns true if the rest of the file is not looked at.
    fn stopped(&self) -> bool {
        self.parts > limits::PARTS || self.words > limits::WORDS || self.report.is_full()
    }

    /// The design has so many more parts, here. None where that is too many, which is then reported.
    fn spend(&mut self, parts: usize, span: Span) -> Option<()> {
        if self.stopped() {
            return None;
        }
        self.parts = self.parts.saturating_add(parts);
        if self.parts > limits::PARTS {
            let message = format!("this design has more than {} parts", limits::PARTS);
            let help =
                "copy and repeat less, and keep words narrow; or split it into several designs";
            self.report.error("fdl.too-large", &message, (span, "too many from here on"), help);
            return None;
        }
        Some(())
    }

    /// The design has a table or array more. None where they are too large, which is then reported.
    fn store(&mut self, words: usize, span: Span) -> Option<()> {
        if self.stopped() {
            return None;
        }
        self.words = self.words.saturating_add(words);
        if self.words > limits::WORDS {
            let most = limits::WORDS;
            let message = format!("the tables and arrays have more than {most} words of 64 bits");
            let help = "make them shorter, or their words narrower";
            self.report.error("fdl.too-large", &message, (span, "too large"), help);
            return None;
        }
        Some(())
    }

    fn clone_datapath(&mut self, name: &Name, original: &Name) {
        let Some(index) = self.find(original) else {
            self.refused.insert(name.text.clone());
            return;
        };
        if self.copied(index, name.span).is_none() {
            return;
        }
        let mut datapath = self.model.datapaths[index].clone();
        (datapath.name, datapath.span) = (name.text.clone(), name.span);
        datapath.original = Some(index);
        self.define(name, datapath);
    }

    /// All that a datapath consists of is there once more.
    fn copied(&mut self, index: usize, span: Span) -> Option<()> {
        let size = limits::INSTANCE + self.model.datapaths[index].size;
        self.store(self.model.datapaths[index].words(), span)?;
        self.others = self.others.saturating_add(size);
        self.spend(size, span)
    }

    /// A datapath that is defined above.
    fn find(&mut self, name: &Name) -> Option<usize> {
        let above = self.above.unwrap_or(self.model.datapaths.len());
        let found = self.places.get(&name.text).copied().filter(|found| *found < above);
        if found.is_none() && !self.refused.contains(&name.text) {
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
