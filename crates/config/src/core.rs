//! Cores: an instruction set with its timing table.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use cocrypt_diag::{Diagnostic, Source};
use serde::Serialize;

use crate::names::file_name;
use crate::privileged::{Irq, Privileged, csr, irq, privileged};
use crate::reader::{Reader, Spot};
use crate::section::{Section, Value};

/// A core file's contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Core {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The variant of an instruction set.
    pub isa: String,
    /// Its position in the file, for checks against the known names.
    #[serde(skip)]
    pub isa_place: Option<SourceRange>,
    /// The named timing model of that front end.
    pub timing: String,
    /// The source of the table.
    pub source: String,
    /// The parameters that a device may set.
    pub parameters: BTreeMap<String, Parameter>,
    /// Extensions of the instruction set, each with the parameters of which any switches it on; always
    /// on where there are none.
    pub extensions: BTreeMap<String, Vec<String>>,
    /// Exceptions, interrupts, and control and status registers, where the core has them.
    pub privileged: Option<Privileged>,
    /// Interrupts by PicoRV32's own scheme, where the core has them.
    pub irq: Option<Irq>,
    /// The compiler's options for it, where its extensions are not enough.
    pub compiler: Option<Target>,
    /// Alternatives by timing class; the first that holds is taken.
    pub classes: BTreeMap<String, Vec<ClassRule>>,
}

/// The compiler's options for a core.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Target {
    /// The core's name, as `-mcpu` has it.
    pub cpu: String,
    /// The encoding that programs are compiled to, where the instruction set has several.
    pub code: Option<String>,
    /// Its position in the file, for checks against the known names.
    #[serde(skip)]
    pub code_place: Option<SourceRange>,
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRange {
    /// The file.
    pub source: Source,
    /// Byte offsets.
    pub span: Range<usize>,
}

/// A parameter of a core; truth values are 0 and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Parameter {
    /// Its value unless a device says otherwise.
    pub default: i64,
    /// True for a switch, which a device sets to true or false.
    pub boolean: bool,
    /// Its effect.
    pub doc: String,
}

/// One alternative of a timing class.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClassRule {
    /// Parameters that must be on, with `!` off, or with `=` and a number have that value.
    pub when: Vec<String>,
    /// Cycles from issue until the core asks for the next instruction.
    pub ask: u32,
    /// Conditions as in `when`, one further cycle for each that holds.
    pub plus: Vec<String>,
    /// The named dynamic rule.
    pub rule: Option<String>,
    /// The rule's number.
    pub per_step: Option<u32>,
    /// The source of the row, if not that of the core.
    pub source: Option<String>,
}

/// A timing class of a configured core.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResolvedClass {
    /// Cycles from issue until the core asks for the next instruction.
    pub ask: u32,
    /// The named dynamic rule.
    pub rule: Option<String>,
    /// The rule's number.
    pub per_step: Option<u32>,
}

impl Core {
    /// Reads a core file.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        Reader::file("core", path, read)
    }

    /// Reads a core from a text.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("core", name, text, Path::new(""), read)
    }

    /// The extensions of the base instruction set that a core with these parameters has, whole. M is
    /// whole where every multiplication and division has a class.
    #[must_use]
    pub fn has(&self, parameters: &BTreeMap<String, i64>) -> Vec<String> {
        let classes = self.resolve(parameters);
        let all = ["multiply", "multiply_high", "divide"];
        let is_whole = |name: &String| name != "m" || all.iter().all(|&c| classes.contains_key(c));
        self.offers(parameters).into_iter().filter(is_whole).collect()
    }

    /// The extensions of which a core with these parameters has something: those that are switched
    /// on, less what has no class.
    #[must_use]
    pub fn offers(&self, parameters: &BTreeMap<String, i64>) -> Vec<String> {
        let is_on = |switches: &[String]| {
            switches.is_empty() || switches.iter().any(|switch| holds(switch, parameters))
        };
        let extensions = self.extensions.iter();
        extensions.filter(|(_, on)| is_on(on)).map(|(name, _)| name.clone()).collect()
    }

    /// Exceptions, interrupts, and control and status registers of a core with these parameters.
    #[must_use]
    pub fn privileged(&self, parameters: &BTreeMap<String, i64>) -> Option<&Privileged> {
        let there = |rules: &&Privileged| rules.when.iter().all(|when| holds(when, parameters));
        self.privileged.as_ref().filter(there)
    }

    /// PicoRV32's own interrupts of a core with these parameters, and whether it has registers for them.
    #[must_use]
    pub fn irq(&self, parameters: &BTreeMap<String, i64>) -> Option<(&Irq, bool)> {
        let hold =
            |conditions: &[String]| conditions.iter().all(|condition| holds(condition, parameters));
        let there = self.irq.as_ref().filter(|irq| hold(&irq.when))?;
        Some((there, hold(&there.registers)))
    }

    /// The classes that a core with these parameters has.
    #[must_use]
    pub fn resolve(&self, parameters: &BTreeMap<String, i64>) -> BTreeMap<String, ResolvedClass> {
        let holds = |condition: &String| holds(condition, parameters);
        let resolve = |alternatives: &Vec<ClassRule>| {
            let rule = alternatives.iter().find(|rule| rule.when.iter().all(holds))?;
            let plus = rule.plus.iter().filter(|condition| holds(condition)).count() as u32;
            let ClassRule { ask, rule, per_step, .. } = rule.clone();
            Some(ResolvedClass { ask: ask + plus, rule, per_step })
        };
        let classes = self.classes.iter();
        classes.filter_map(|(name, all)| Some((name.clone(), resolve(all)?))).collect()
    }
}

fn holds(condition: &str, parameters: &BTreeMap<String, i64>) -> bool {
    let value = |name: &str| parameters.get(name).copied().unwrap_or(0);
    if let Some((name, wanted)) = condition.split_once('=') {
        return wanted.parse() == Ok(value(name));
    }
    condition.strip_prefix('!').map_or_else(|| value(condition) != 0, |name| value(name) == 0)
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Core {
    let mut core = Core::default();
    if let Some(section) = top.required_section("core") {
        let name = section.required_text("name");
        file_name(reader, &name, "core");
        core.name = name.value;
        core.title = section.required_text("title").value;
        let isa = section.required_text("isa");
        core.isa_place = Some(reader.place(&isa));
        core.isa = isa.value;
        core.timing = section.required_text("timing").value;
        core.source = section.required_text("source").value;
        section.finish();
    }
    if let Some(section) = top.section("parameters") {
        let parameters = section.named_sections().into_iter();
        core.parameters =
            parameters.map(|(name, section)| (name.value, parameter(&section))).collect();
    }
    if let Some(section) = top.section("extensions") {
        for (extension, switches) in section.named_texts() {
            for switch in &switches {
                known(reader, &core, &parameter_of(switch));
            }
            core.extensions.insert(extension.value, values(switches));
        }
    }
    if let Some(section) = top.section("traps") {
        let when = section.texts("when");
        for condition in &when {
            known(reader, &core, &positive(condition));
        }
        if let Some(name) = section.text("late") {
            known(reader, &core, &name);
        }
        let mut traps = privileged(reader, &section, values(when));
        section.finish();
        if let Some(section) = top.section("csr") {
            let csrs = section.named_sections().into_iter();
            traps.csrs = csrs.map(|(name, one)| (name.value, csr(reader, &one))).collect();
        }
        core.privileged = Some(traps);
    }
    if let Some(section) = top.section("irq") {
        let conditions = |key| {
            let conditions = section.texts(key);
            for condition in &conditions {
                known(reader, &core, &positive(condition));
            }
            values(conditions)
        };
        let own = irq(&section, conditions("when"), conditions("registers"));
        section.finish();
        core.irq = Some(own);
    }
    core.compiler = top.section("compiler").map(|section| target(reader, &section));
    if let Some(section) = top.required_section("class") {
        for (class, alternatives) in section.named_lists() {
            let rules: Vec<_> =
                alternatives.iter().map(|rule| class_rule(reader, &core, rule)).collect();
            reachable(reader, &class.value, &alternatives, &rules);
            core.classes.insert(class.value, rules);
        }
    }
    core
}

fn target(reader: &Reader, section: &Section<'_>) -> Target {
    let cpu = section.required_text("cpu").value;
    let code = section.text("code");
    section.finish();
    let code_place = code.as_ref().map(|code| reader.place(code));
    Target { cpu, code: code.map(|code| code.value), code_place }
}

fn parameter(section: &Section<'_>) -> Parameter {
    let default = section.required_parameter("default").unwrap_or(Value::Number(0));
    let doc = section.required_text("doc").value;
    section.finish();
    Parameter { default: default.number(), boolean: matches!(default, Value::Truth(_)), doc }
}

fn class_rule(reader: &Reader, core: &Core, section: &Section<'_>) -> ClassRule {
    let conditions = |key| {
        let conditions = section.texts(key);
        for condition in &conditions {
            known(reader, core, &positive(condition));
        }
        values(conditions)
    };
    let rule = ClassRule {
        when: conditions("when"),
        ask: section.number("ask", 1..=10_000) as u32,
        plus: conditions("plus"),
        rule: section.text("rule").map(|rule| rule.value),
        per_step: section.integer("per_step", 1..=64).map(|number| number.value as u32),
        source: section.text("source").map(|source| source.value),
    };
    section.finish();
    rule
}

/// The parameter that a condition looks at.
fn positive(condition: &Spot<String>) -> Spot<String> {
    let name = parameter_of(condition);
    let value = name.value.strip_prefix('!').unwrap_or(&name.value).to_owned();
    Spot { value, span: name.span }
}

/// The parameter that a switch looks at, which may ask for a value.
fn parameter_of(switch: &Spot<String>) -> Spot<String> {
    let name = switch.value.split('=').next().unwrap_or_default();
    Spot { value: name.to_owned(), span: switch.span.clone() }
}

/// A parameter must be one of the core's.
fn known(reader: &Reader, core: &Core, name: &Spot<String>) {
    if !core.parameters.contains_key(&name.value) {
        reader.unknown(name, "parameter", core.parameters.keys().map(String::as_str));
    }
}

/// An alternative behind one that always holds is never taken.
fn reachable(reader: &Reader, class: &str, sections: &[Section<'_>], rules: &[ClassRule]) {
    let Some(always) = rules.iter().position(|rule| rule.when.is_empty()) else { return };
    if let Some(section) = sections.get(always + 1) {
        let message = format!("an alternative of `{class}` is never taken");
        let help = "put the alternative without `when` last";
        reader.conflict(section.span(), sections[always].span(), "never-taken", message, help);
    }
}

fn values(spots: Vec<Spot<String>>) -> Vec<String> {
    spots.into_iter().map(|spot| spot.value).collect()
}
