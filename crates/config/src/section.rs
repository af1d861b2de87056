//! One table of a file: typed access that remembers what was asked, so that the rest is unknown.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use toml::de::{DeInteger, DeTable, DeValue};

use crate::reader::{Reader, Spot, offer};

/// A table being read.
pub struct Section<'a> {
    reader: &'a Reader,
    table: &'a DeTable<'a>,
    /// The table's name for messages; empty for the file itself.
    name: String,
    span: Range<usize>,
    asked: RefCell<Vec<&'static str>>,
}

type SpannedValue<'a> = Spot<&'a DeValue<'a>>;

impl<'a> Section<'a> {
    /// A table called `name`.
    pub fn new(
        reader: &'a Reader,
        table: &'a DeTable<'a>,
        name: String,
        span: Range<usize>,
    ) -> Self {
        Self { reader, table, name, span, asked: RefCell::default() }
    }

    /// The position of the table's first line.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// A text, if the key is there.
    pub fn text(&self, key: &'static str) -> Option<Spot<String>> {
        let value = self.get(key)?;
        self.as_text(key, &value, "a text")
    }

    /// A text that has to be there. Where it is wrong, an empty one stands in, which no file can say.
    pub fn required_text(&self, key: &'static str) -> Spot<String> {
        self.require(key);
        let instead = || Spot { value: String::new(), span: self.span.clone() };
        self.text(key).unwrap_or_else(instead)
    }

    /// A list of texts; empty if the key is absent.
    pub fn texts(&self, key: &'static str) -> Vec<Spot<String>> {
        self.get(key).map(|value| self.as_texts(key, &value)).unwrap_or_default()
    }

    /// A list of texts that has to be there, be it empty.
    pub fn required_texts(&self, key: &'static str) -> Vec<Spot<String>> {
        self.require(key);
        self.texts(key)
    }

    /// A whole number within a range.
    pub fn integer(&self, key: &'static str, range: RangeInclusive<i64>) -> Option<Spot<i64>> {
        let value = self.get(key)?;
        self.as_whole(key, &value, &range)
    }

    /// A whole number that has to be there.
    pub fn required_integer(
        &self,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Option<Spot<i64>> {
        self.require(key);
        self.integer(key, range)
    }

    /// The same where its place does not matter; the range's start stands in where it is wrong.
    pub fn number(&self, key: &'static str, range: RangeInclusive<i64>) -> i64 {
        let instead = *range.start();
        self.required_integer(key, range).map_or(instead, |number| number.value)
    }

    /// A list of whole numbers within a range; nothing if any of them is wrong.
    pub fn required_integers(
        &self,
        key: &'static str,
        range: &RangeInclusive<i64>,
    ) -> Option<Spot<Vec<i64>>> {
        self.require(key);
        let value = self.get(key)?;
        let Some(items) = value.value.as_array() else {
            self.wrong(key, &value, "a list of whole numbers");
            return None;
        };
        let numbers: Vec<_> = items
            .iter()
            .map(|item| {
                let spot = Spot { value: item.get_ref(), span: item.span() };
                self.as_whole(key, &spot, range).map(|number| number.value)
            })
            .collect();
        let numbers = numbers.into_iter().collect::<Option<_>>()?;
        Some(Spot { value: numbers, span: value.span })
    }

    /// The same where the key may be absent, for an empty list.
    pub fn integers(&self, key: &'static str, range: &RangeInclusive<i64>) -> Vec<i64> {
        let there = self.get(key).is_some();
        let found = there.then(|| self.required_integers(key, range)).flatten();
        found.map(|numbers| numbers.value).unwrap_or_default()
    }

    /// A switch, which is off where the key is absent.
    pub fn switch(&self, key: &'static str) -> bool {
        let Some(value) = self.get(key) else { return false };
        let DeValue::Boolean(on) = value.value else {
            self.wrong(key, &value, "true or false");
            return false;
        };
        *on
    }

    /// A positive number, whole or not. An unknown figure is left out, not 0.
    pub fn positive(&self, key: &'static str) -> Option<f64> {
        let value = self.get(key)?;
        self.as_positive(key, &value)
    }

    /// A positive number that has to be there; 0 stands in where it is wrong.
    pub fn required_positive(&self, key: &'static str) -> f64 {
        self.require(key);
        self.positive(key).unwrap_or_default()
    }

    fn as_positive(&self, key: &str, value: &SpannedValue<'_>) -> Option<f64> {
        let number = match value.value {
            DeValue::Float(digits) => digits.as_str().replace('_', "").parse().ok(),
            // No figure needs more digits than the 53 bits that survive.
            #[allow(clippy::cast_precision_loss)]
            DeValue::Integer(digits) => whole(digits).map(|number| number as f64),
            _ => {
                self.wrong(key, value, "a number");
                return None;
            }
        };
        let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
        if number.is_none() {
            let message = format!("`{key}` in {} must be above 0", self.called());
            let help = "leave the key out if the figure is not known";
            self.reader.report(value.span.clone(), "out-of-range", message, "out of range", help);
        }
        number
    }

    /// A number or a list of up to `most` numbers, none of them larger in size than `largest`; empty if the
    /// key is absent.
    pub fn weights(&self, key: &'static str, largest: f64, most: usize) -> Vec<f64> {
        let Some(value) = self.get(key) else { return vec![] };
        let numbers = match value.value {
            DeValue::Array(items) if most > 1 && (1..=most).contains(&items.len()) => {
                items.iter().map(|item| as_number(item.get_ref())).collect::<Option<Vec<_>>>()
            }
            single => as_number(single).map(|number| vec![number]),
        };
        let Some(numbers) = numbers else {
            let list =
                if most > 1 { format!(", or a list of up to {most}") } else { String::new() };
            self.wrong(key, &value, &format!("a number from -{largest} to {largest}{list}"));
            return vec![];
        };
        if numbers.iter().any(|number| !number.is_finite() || number.abs() > largest) {
            let message = format!("`{key}` in {} is out of range", self.called());
            let help = format!("give numbers from -{largest} to {largest}");
            self.reader.report(value.span.clone(), "out-of-range", message, "out of range", help);
            return vec![];
        }
        numbers
    }

    /// The value of a core's parameter, which has to be there.
    pub fn required_parameter(&self, key: &'static str) -> Option<Value> {
        self.require(key);
        let value = self.get(key)?;
        self.as_parameter(key, &value).map(|spot| spot.value)
    }

    /// A table, if the key is there.
    pub fn section(&self, key: &'static str) -> Option<Section<'a>> {
        let value = self.get(key)?;
        self.as_section(key, &value)
    }

    /// A table that has to be there.
    pub fn required_section(&self, key: &'static str) -> Option<Section<'a>> {
        if !self.table.contains_key(key) {
            let message = format!("{} has no [{}]", self.called(), self.below(key));
            let help = format!("add a table [{}]", self.below(key));
            self.reader.report(self.span.clone(), "missing-table", message, "", help);
        }
        self.section(key)
    }

    /// A list of tables; empty if the key is absent.
    pub fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        self.get(key).map(|value| self.as_sections(key, &value)).unwrap_or_default()
    }

    /// A list of tables of which there has to be at least one.
    pub fn required_sections(&self, key: &'static str) -> Vec<Section<'a>> {
        let value = self.table.get(key).map(toml::Spanned::get_ref);
        if value.is_none_or(|value| value.as_array().is_some_and(|list| list.is_empty())) {
            let (what, message) = (format!("no-{key}"), format!("{} has no {key}", self.called()));
            let help = format!("add a [[{}]]", self.below(key));
            self.reader.report(self.span.clone(), &what, message, "", help);
        }
        self.sections(key)
    }

    /// The entries of a table whose keys are names: each name with its value as a section.
    pub fn named_sections(&self) -> Vec<(Spot<String>, Section<'a>)> {
        let entries = self.entries().into_iter();
        entries
            .filter_map(|(name, value)| {
                let section = self.as_section(&name.value, &value)?;
                Some((name, section))
            })
            .collect()
    }

    /// The same where each value is a list of tables.
    pub fn named_lists(&self) -> Vec<(Spot<String>, Vec<Section<'a>>)> {
        let entries = self.entries().into_iter();
        entries
            .map(|(name, value)| {
                let tables = self.as_sections(&name.value, &value);
                (name, tables)
            })
            .collect()
    }

    /// The entries of a table of names with parameter values.
    pub fn named_parameters(&self) -> Vec<(Spot<String>, Spot<Value>)> {
        let entries = self.entries().into_iter();
        entries
            .filter_map(|(name, value)| {
                let value = self.as_parameter(&name.value, &value)?;
                Some((name, value))
            })
            .collect()
    }

    /// The entries of a table of names with lists of texts.
    pub fn named_texts(&self) -> Vec<(Spot<String>, Vec<Spot<String>>)> {
        let entries = self.entries().into_iter();
        entries
            .map(|(name, value)| {
                let texts = self.as_texts(&name.value, &value);
                (name, texts)
            })
            .collect()
    }

    /// Reports every key that nobody asked for.
    pub fn finish(&self) {
        let asked = self.asked.borrow();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if !asked.contains(&name) {
                let message = format!("there is no key `{name}` in {}", self.called());
                let help = offer(name, "key", &asked);
                self.reader.report(key.span(), "unknown-key", message, "not known", help);
            }
        }
    }

    fn get(&self, key: &'static str) -> Option<SpannedValue<'a>> {
        self.asked.borrow_mut().push(key);
        let value = self.table.get(key)?;
        Some(Spot { value: value.get_ref(), span: value.span() })
    }

    fn entries(&self) -> Vec<(Spot<String>, SpannedValue<'a>)> {
        let entries = self.table.iter().map(|(name, value)| {
            let name = Spot { value: name.get_ref().to_string(), span: name.span() };
            (name, Spot { value: value.get_ref(), span: value.span() })
        });
        entries.collect()
    }

    fn require(&self, key: &str) {
        if !self.table.contains_key(key) {
            let message = format!("{} has no `{key}`", self.called());
            let help = format!("add `{key} = …`");
            self.reader.report(self.span.clone(), "missing-key", message, "in this table", help);
        }
    }

    fn wrong(&self, key: &str, value: &SpannedValue<'_>, expected: &str) {
        let found = kind(value.value);
        let message = format!("`{key}` in {} must be {expected}, but is {found}", self.called());
        let help = format!("write {expected}");
        self.reader.report(value.span.clone(), "wrong-type", message, found, help);
    }

    fn as_text(&self, key: &str, value: &SpannedValue<'_>, expected: &str) -> Option<Spot<String>> {
        let Some(text) = value.value.as_str() else {
            self.wrong(key, value, expected);
            return None;
        };
        if text.is_empty() {
            let message = format!("`{key}` in {} is empty", self.called());
            let help = "write something, or leave the key out where it may be left out";
            self.reader.report(value.span.clone(), "empty", message, "empty", help);
            return None;
        }
        Some(Spot { value: text.to_owned(), span: value.span.clone() })
    }

    fn as_texts(&self, key: &str, value: &SpannedValue<'_>) -> Vec<Spot<String>> {
        const EXPECTED: &str = "a list of texts";
        let Some(items) = value.value.as_array() else {
            self.wrong(key, value, EXPECTED);
            return vec![];
        };
        let spots = items.iter().map(|item| Spot { value: item.get_ref(), span: item.span() });
        spots.filter_map(|spot| self.as_text(key, &spot, EXPECTED)).collect()
    }

    fn as_whole(
        &self,
        key: &str,
        value: &SpannedValue<'_>,
        range: &RangeInclusive<i64>,
    ) -> Option<Spot<i64>> {
        let Some(digits) = value.value.as_integer() else {
            self.wrong(key, value, "a whole number");
            return None;
        };
        let number = whole(digits).filter(|number| range.contains(number));
        if number.is_none() {
            let (from, to) = (range.start(), range.end());
            let message = format!("`{key}` in {} is out of range", self.called());
            let help = format!("give a number from {from} to {to} ({from:#x} to {to:#x})");
            self.reader.report(value.span.clone(), "out-of-range", message, "out of range", help);
        }
        Some(Spot { value: number?, span: value.span.clone() })
    }

    fn as_parameter(&self, key: &str, value: &SpannedValue<'_>) -> Option<Spot<Value>> {
        let parameter = match value.value {
            DeValue::Boolean(truth) => Value::Truth(*truth),
            DeValue::Integer(_) => {
                let range = i64::from(i32::MIN)..=i64::from(u32::MAX);
                Value::Number(self.as_whole(key, value, &range)?.value)
            }
            _ => {
                self.wrong(key, value, "true, false or a whole number");
                return None;
            }
        };
        Some(Spot { value: parameter, span: value.span.clone() })
    }

    fn as_section(&self, key: &str, value: &SpannedValue<'a>) -> Option<Section<'a>> {
        let Some(table) = value.value.as_table() else {
            self.wrong(key, value, "a table");
            return None;
        };
        Some(Self::new(self.reader, table, self.below(key), value.span.clone()))
    }

    fn as_sections(&self, key: &str, value: &SpannedValue<'a>) -> Vec<Section<'a>> {
        let Some(items) = value.value.as_array() else {
            let expected = format!("a list of tables, written [[{}]]", self.below(key));
            self.wrong(key, value, &expected);
            return vec![];
        };
        let spots = items.iter().map(|item| Spot { value: item.get_ref(), span: item.span() });
        spots.filter_map(|spot| self.as_section(key, &spot)).collect()
    }

    fn below(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn called(&self) -> String {
        if self.name.is_empty() { "the file".to_owned() } else { format!("[{}]", self.name) }
    }
}

/// The value of a core's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A switch.
    Truth(bool),
    /// A number.
    Number(i64),
}

impl Value {
    /// As a number; truth values are 0 and 1.
    pub const fn number(self) -> i64 {
        match self {
            Self::Truth(truth) => truth as i64,
            Self::Number(number) => number,
        }
    }
}

fn whole(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(&digits.as_str().replace('_', ""), digits.radix()).ok()
}

const fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A number, whole or not.
fn as_number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(digits) => digits.as_str().replace('_', "").parse().ok(),
        // No figure needs more digits than the 53 bits that survive.
        #[allow(clippy::cast_precision_loss)]
        DeValue::Integer(digits) => whole(digits).map(|number| number as f64),
        _ => None,
    }
}
