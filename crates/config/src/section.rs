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

    /// Where the table begins.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Notes that a key has to be there and is not.
    fn missing(&self, key: &str) {
        let message = format!("{} has no `{key}`", self.called());
        let help = format!("add `{key} = …`");
        self.reader.report(self.span.clone(), "missing-key", message, "in this table", help);
    }

    fn called(&self) -> String {
        if self.name.is_empty() { "the file".to_owned() } else { format!("[{}]", self.name) }
    }

    fn get(&self, key: &'static str) -> Option<Spot<&'a DeValue<'a>>> {
        self.asked.borrow_mut().push(key);
        let value = self.table.get(key)?;
        Some(Spot { value: value.get_ref(), span: value.span() })
    }

    fn wrong(&self, key: &str, value: &Spot<&DeValue<'_>>, expected: &str) {
        let found = value.value.type_str();
        let message = format!("`{key}` in {} is {expected}, not {found}", self.called());
        let help = format!("write {expected}");
        self.reader.report(value.span.clone(), "wrong-type", message, "wrong type", help);
    }

    /// A text, if the key is there.
    pub fn text(&self, key: &'static str) -> Option<Spot<String>> {
        let value = self.get(key)?;
        match value.value.as_str() {
            Some(text) => Some(Spot { value: text.to_owned(), span: value.span }),
            None => {
                self.wrong(key, &value, "a text");
                None
            }
        }
    }

    /// A text that has to be there.
    pub fn required_text(&self, key: &'static str) -> Spot<String> {
        let there = self.table.contains_key(key);
        let text = self.text(key);
        if !there {
            self.missing(key);
        }
        text.unwrap_or_else(|| Spot { value: String::new(), span: self.span.clone() })
    }

    /// A list of texts; empty if the key is absent.
    pub fn texts(&self, key: &'static str) -> Vec<Spot<String>> {
        let Some(value) = self.get(key) else { return vec![] };
        let Some(items) = value.value.as_array() else {
            self.wrong(key, &value, "a list of texts");
            return vec![];
        };
        let mut texts = vec![];
        for item in items.iter() {
            let spot = Spot { value: item.get_ref(), span: item.span() };
            match item.get_ref().as_str() {
                Some(text) => texts.push(Spot { value: text.to_owned(), span: spot.span }),
                None => self.wrong(key, &spot, "a list of texts"),
            }
        }
        texts
    }

    /// A whole number within a range.
    pub fn integer(&self, key: &'static str, range: RangeInclusive<i64>) -> Option<Spot<i64>> {
        let value = self.get(key)?;
        self.whole(key, &value, &range)
    }

    fn whole(
        &self,
        key: &str,
        value: &Spot<&DeValue<'_>>,
        range: &RangeInclusive<i64>,
    ) -> Option<Spot<i64>> {
        let Some(digits) = value.value.as_integer() else {
            self.wrong(key, value, "a whole number");
            return None;
        };
        match whole(digits).filter(|number| range.contains(number)) {
            Some(number) => Some(Spot { value: number, span: value.span.clone() }),
            None => {
                let (from, to) = (range.start(), range.end());
                let message = format!("`{key}` in {} is out of range", self.called());
                let help = format!("give a number from {from} to {to} ({from:#x} to {to:#x})");
                let span = value.span.clone();
                self.reader.report(span, "out-of-range", message, "out of range", help);
                None
            }
        }
    }

    /// A whole number that has to be there; the range's start stands in where it is wrong.
    pub fn required_integer(&self, key: &'static str, range: RangeInclusive<i64>) -> Spot<i64> {
        let instead = Spot { value: *range.start(), span: self.span.clone() };
        let there = self.table.contains_key(key);
        let number = self.integer(key, range);
        if !there {
            self.missing(key);
        }
        number.unwrap_or(instead)
    }

    /// A list of whole numbers within a range.
    pub fn integers(
        &self,
        key: &'static str,
        range: &RangeInclusive<i64>,
    ) -> Option<Spot<Vec<i64>>> {
        let value = self.get(key)?;
        let Some(items) = value.value.as_array() else {
            self.wrong(key, &value, "a list of whole numbers");
            return None;
        };
        let numbers = items.iter().filter_map(|item| {
            let spot = Spot { value: item.get_ref(), span: item.span() };
            self.whole(key, &spot, range).map(|number| number.value)
        });
        Some(Spot { value: numbers.collect(), span: value.span.clone() })
    }

    /// A number that is positive or 0, whole or not.
    pub fn number(&self, key: &'static str) -> Option<f64> {
        let value = self.get(key)?;
        let number = match value.value {
            DeValue::Float(digits) => digits.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(digits) => whole(digits).map(|number| number as f64),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
        if number.is_none() {
            self.wrong(key, &value, "a number that is not negative");
        }
        number
    }

    /// A truth value or a whole number: the value of a core's parameter.
    pub fn parameter(&self, key: &'static str) -> Option<i64> {
        let value = self.get(key)?;
        let number = parameter(value.value);
        if number.is_none() {
            self.wrong(key, &value, "true, false or a whole number");
        }
        number
    }

    /// A table, if the key is there.
    pub fn section(&self, key: &'static str) -> Option<Section<'a>> {
        let value = self.get(key)?;
        match value.value.as_table() {
            Some(table) => Some(Self::new(self.reader, table, self.below(key), value.span)),
            None => {
                self.wrong(key, &value, "a table");
                None
            }
        }
    }

    /// A table that has to be there; an empty one stands in where it is not.
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
        let Some(value) = self.get(key) else { return vec![] };
        self.tables(key, &value)
    }

    fn tables(&self, key: &str, value: &Spot<&'a DeValue<'a>>) -> Vec<Section<'a>> {
        let Some(items) = value.value.as_array() else {
            self.wrong(key, value, "a list of tables, written [[…]]");
            return vec![];
        };
        let mut sections = vec![];
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => {
                    sections.push(Self::new(self.reader, table, self.below(key), item.span()));
                }
                None => {
                    let spot = Spot { value: item.get_ref(), span: item.span() };
                    self.wrong(key, &spot, "a list of tables, written [[…]]");
                }
            }
        }
        sections
    }

    fn below(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// The entries of a table whose keys are names: each name with its value as a section.
    pub fn named_sections(&self) -> Vec<(Spot<String>, Section<'a>)> {
        let entries = self.table.iter().filter_map(|(name, value)| {
            let spot = Spot { value: value.get_ref(), span: value.span() };
            let Some(table) = value.get_ref().as_table() else {
                self.wrong(name.get_ref(), &spot, "a table");
                return None;
            };
            let section = Self::new(self.reader, table, self.below(name.get_ref()), spot.span);
            Some((Spot { value: name.get_ref().to_string(), span: name.span() }, section))
        });
        entries.collect()
    }

    /// The same where each value is a list of tables.
    pub fn named_lists(&self) -> Vec<(Spot<String>, Vec<Section<'a>>)> {
        let entries = self.table.iter().map(|(name, value)| {
            let spot = Spot { value: value.get_ref(), span: value.span() };
            let tables = self.tables(name.get_ref(), &spot);
            (Spot { value: name.get_ref().to_string(), span: name.span() }, tables)
        });
        entries.collect()
    }

    /// The entries of a table of names with parameter values.
    pub fn named_parameters(&self) -> Vec<(Spot<String>, Spot<i64>)> {
        let entries = self.table.iter().filter_map(|(name, value)| {
            let spot = Spot { value: value.get_ref(), span: value.span() };
            let Some(number) = parameter(value.get_ref()) else {
                self.wrong(name.get_ref(), &spot, "true, false or a whole number");
                return None;
            };
            let name = Spot { value: name.get_ref().to_string(), span: name.span() };
            Some((name, Spot { value: number, span: spot.span }))
        });
        entries.collect()
    }

    /// The entries of a table of names with lists of texts.
    pub fn named_texts(&self) -> Vec<(Spot<String>, Vec<Spot<String>>)> {
        let entries = self.table.iter().map(|(name, value)| {
            let spot = Spot { value: value.get_ref(), span: value.span() };
            let mut texts = vec![];
            match value.get_ref().as_array() {
                Some(items) => {
                    for item in items.iter() {
                        match item.get_ref().as_str() {
                            Some(text) => {
                                texts.push(Spot { value: text.to_owned(), span: item.span() });
                            }
                            None => self.wrong(name.get_ref(), &spot, "a list of texts"),
                        }
                    }
                }
                None => self.wrong(name.get_ref(), &spot, "a list of texts"),
            }
            (Spot { value: name.get_ref().to_string(), span: name.span() }, texts)
        });
        entries.collect()
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
}

fn whole(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(&digits.as_str().replace('_', ""), digits.radix()).ok()
}

fn parameter(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Boolean(truth) => Some(i64::from(*truth)),
        DeValue::Integer(digits) => whole(digits),
        _ => None,
    }
}
