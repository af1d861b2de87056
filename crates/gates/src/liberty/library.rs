//! A library: its units, its table templates and its cells, from the groups of a file.

use std::collections::HashMap;

use cocrypt_diag::{Diagnostic, Source};

use super::cells::{self, Cell};
use super::syntax::{self, Attribute, Group};
use crate::table::{Table, Variable};

/// A cell library. Times are in seconds, capacitances in farads.
#[derive(Clone, Debug)]
pub struct Library {
    /// Its name.
    pub name: String,
    /// The supply, volts; None if the file does not state it.
    pub volts: Option<f64>,
    /// Its cells, in the file's order.
    pub cells: Vec<Cell>,
    by_name: HashMap<String, usize>,
}

/// The definitions that the groups within a library refer to.
pub struct Context {
    /// Seconds of a time unit.
    pub seconds: f64,
    /// Farads of a capacitance unit.
    pub farads: f64,
    /// Farads of an input that states none.
    pub input_capacitance: f64,
    templates: HashMap<String, Group>,
}

impl Library {
    /// A library from the text of a file.
    ///
    /// # Errors
    /// A diagnostic with its place, for what is no Liberty or has no meaning.
    pub fn read(source: &Source) -> Result<Self, Diagnostic> {
        Self::from_text(&source.text).map_err(|wrong| wrong.with_source(source))
    }

    fn from_text(text: &str) -> Result<Self, Diagnostic> {
        let group = syntax::parse(text)?;
        let context = Context::of(&group)?;
        let cells: Vec<_> =
            group.all("cell").map(|cell| cells::read(cell, &context)).collect::<Result<_, _>>()?;
        let by_name =
            cells.iter().enumerate().map(|(index, cell)| (cell.name.clone(), index)).collect();
        Ok(Self { name: group.argument().to_owned(), volts: volts(&group)?, cells, by_name })
    }

    /// The index of a cell.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The area of a gate equivalent: the smallest NAND of two inputs. None if there is none.
    #[must_use]
    pub fn gate_equivalent(&self) -> Option<f64> {
        let is_nand =
            |cell: &&Cell| cell.gate().is_some_and(|f| f.inputs.len() == 2 && f.table == 7);
        let areas = self.cells.iter().filter(is_nand).map(|cell| cell.area);
        areas.filter(|area| *area > 0.0).min_by(f64::total_cmp)
    }
}

fn volts(group: &Group) -> Result<Option<f64>, Diagnostic> {
    if let Some(volts) = group.number("nom_voltage")? {
        return Ok(Some(volts));
    }
    let conditions = group.all("operating_conditions").next();
    Ok(conditions.map(|conditions| conditions.number("voltage")).transpose()?.flatten())
}

impl Context {
    fn of(library: &Group) -> Result<Self, Diagnostic> {
        let named = |group: &Group| (group.argument().to_owned(), group.clone());
        let farads = farads(library)?;
        let input = cells::capacitance(library, "default_input_pin_cap", farads)?;
        Ok(Self {
            seconds: seconds(library)?,
            farads,
            input_capacitance: input.unwrap_or(0.0),
            templates: library.all("lu_table_template").map(named).collect(),
        })
    }

    /// The table of a group `cell_rise (template) { … }` and the like.
    pub fn table(&self, group: &Group) -> Result<Table, Diagnostic> {
        let wrong = |message: String| {
            Diagnostic::error("liberty.table", message).with_label(group.span.clone(), "here")
        };
        let name = group.argument();
        let template = self.templates.get(name);
        if template.is_none() && name != "scalar" {
            let help = "declare it in the library by `lu_table_template`";
            return Err(wrong(format!("there is no table template `{name}`")).with_help(help));
        }
        let mut axes = vec![];
        for number in 1..=3 {
            let key = format!("variable_{number}");
            let Some(variable) = template.and_then(|template| template.value(&key)) else { break };
            let (variable, unit) = self.variable(variable).ok_or_else(|| {
                wrong(format!("`{variable}` is not among the variables that are understood"))
            })?;
            let key = format!("index_{number}");
            let own = group.attribute(&key);
            let index = own.or_else(|| template.and_then(|template| template.attribute(&key)));
            let points = index.map(numbers).transpose()?.unwrap_or_default();
            axes.push((variable, points.iter().map(|point| point * unit).collect()));
        }
        let values = group.attribute("values").map(numbers).transpose()?.unwrap_or_default();
        let values = values.iter().map(|value| value * self.seconds).collect();
        Table::new(axes, values).map_err(|why| wrong(format!("the table `{}`: {why}", group.name)))
    }

    fn variable(&self, name: &str) -> Option<(Variable, f64)> {
        match name {
            "input_net_transition" | "input_transition_time" | "constrained_pin_transition" => {
                Some((Variable::Slew, self.seconds))
            }
            "total_output_net_capacitance" => Some((Variable::Load, self.farads)),
            "related_pin_transition" => Some((Variable::RelatedSlew, self.seconds)),
            _ => None,
        }
    }
}

/// The numbers of a complex attribute, which may stand in several texts.
fn numbers(attribute: &Attribute) -> Result<Vec<f64>, Diagnostic> {
    let is_between = |letter: char| letter == ',' || letter.is_whitespace();
    let parts = attribute.values.iter().flat_map(|text| text.split(is_between));
    let words = parts.filter(|word| !word.is_empty());
    words
        .map(|word| {
            syntax::number(word).ok_or_else(|| {
                let message = format!("`{word}` in `{}` is no number", attribute.name);
                Diagnostic::error("liberty.number", message)
                    .with_label(attribute.span.clone(), "finite numbers are needed here")
            })
        })
        .collect()
}

/// Seconds of `time_unit : "1ns"`; Liberty's default is a nanosecond.
fn seconds(library: &Group) -> Result<f64, Diagnostic> {
    let Some(attribute) = library.attribute("time_unit") else { return Ok(1e-9) };
    let text = attribute.values.first().map_or("", String::as_str);
    unit(text, &[("ns", 1e-9), ("ps", 1e-12), ("us", 1e-6)])
        .ok_or_else(|| wrong_unit(attribute, text))
}

/// Farads of `capacitive_load_unit (1, pf)`; Liberty has no default, libraries without mean pF.
fn farads(library: &Group) -> Result<f64, Diagnostic> {
    let Some(attribute) = library.attribute("capacitive_load_unit") else { return Ok(1e-12) };
    let text = attribute.values.concat().to_lowercase();
    unit(&text, &[("pf", 1e-12), ("ff", 1e-15)]).ok_or_else(|| wrong_unit(attribute, &text))
}

fn unit(text: &str, known: &[(&str, f64)]) -> Option<f64> {
    let (ending, factor) = known.iter().find(|(ending, _)| text.trim().ends_with(ending))?;
    let value = syntax::number(text.trim().strip_suffix(ending)?)?;
    (value > 0.0).then_some(value * factor)
}

fn wrong_unit(attribute: &Attribute, text: &str) -> Diagnostic {
    let message = format!("`{text}` is no unit that `{}` may have", attribute.name);
    Diagnostic::error("liberty.unit", message)
        .with_label(attribute.span.clone(), "here")
        .with_help("write for example `time_unit : \"1ns\"` or `capacitive_load_unit (1, pf)`")
}
