//! Comments of a design's text, carried over into what is written of it.
//!
//! Each stands behind `FDL:` or the number of its line, so that no tool takes it for one of its directives,
//! which are comments that begin with the tool's name.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::{Netlist, ScopeId};

/// The comments of a design's text, by the definitions that they belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// Of each definition: its comments, in order of the text.
    pub definitions: Vec<Vec<Comment>>,
    /// Of each scope: the definitions that it was made from.
    pub scopes: Vec<Vec<usize>>,
}

/// A comment: one line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its text, without the marks of the language.
    pub text: String,
    /// The line of the declaration or assignment that it belongs to.
    pub line: usize,
    /// Its position there.
    pub position: Position,
}

/// The position of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// In lines of its own, above what it belongs to.
    Above,
    /// Behind it, in the same line.
    Beside,
    /// Among the transitions of the state that is declared in its line.
    Transitions,
}

/// The comments of one scope while it is written; each is written once.
#[derive(Debug)]
pub(crate) struct Notes {
    /// The beginning of a comment in the language that is written.
    mark: &'static str,
    waiting: RefCell<BTreeMap<(usize, Position), Vec<String>>>,
}

impl Notes {
    /// No comments.
    pub fn none(mark: &'static str) -> Self {
        Self { mark, waiting: RefCell::default() }
    }

    /// The comments of scopes that are written as one, of definitions that are not written already.
    pub fn new(
        netlist: &Netlist,
        alike: &[ScopeId],
        mark: &'static str,
        written: &mut HashSet<usize>,
    ) -> Self {
        let mut waiting: BTreeMap<_, Vec<String>> = BTreeMap::new();
        let Comments { definitions, scopes } = &netlist.comments;
        let own = alike.iter().filter_map(|scope| scopes.get(scope.index())).flatten();
        for definition in own.filter(|definition| written.insert(**definition)) {
            for comment in &definitions[*definition] {
                let text = shown(&comment.text, mark == "--");
                waiting.entry((comment.line, comment.position)).or_default().push(text);
            }
        }
        Self { mark, waiting: RefCell::new(waiting) }
    }

    fn take(&self, line: usize, position: Position) -> Vec<String> {
        self.waiting.borrow_mut().remove(&(line, position)).unwrap_or_default()
    }

    fn lines(&self, line: usize, position: Position, indent: &str) -> String {
        let mut text = String::new();
        for comment in self.take(line, position) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{indent}{} FDL: {comment}", self.mark);
        }
        text
    }

    /// The comments above a line, as lines.
    pub fn above(&self, line: usize, indent: &str) -> String {
        self.lines(line, Position::Above, indent)
    }

    /// The comments among the transitions of a state, as lines.
    pub fn transitions(&self, line: usize, indent: &str) -> String {
        self.lines(line, Position::Transitions, indent)
    }

    /// The number of a line, with the comment in it.
    pub fn line(&self, line: usize) -> String {
        let beside = self.take(line, Position::Beside);
        if beside.is_empty() {
            return format!("line {line}");
        }
        format!("line {line}: {}", beside.join("; "))
    }

    /// A comment behind a port, if its line has one.
    pub fn behind(&self, line: usize) -> String {
        let beside = self.take(line, Position::Beside);
        if beside.is_empty() {
            return String::new();
        }
        format!("  {} FDL: {}", self.mark, beside.join("; "))
    }

    /// The comments that found no place, as lines.
    pub fn rest(&self) -> String {
        let mut text = String::new();
        for ((line, _), comments) in self.waiting.take() {
            for comment in comments {
                let _ = writeln!(text, "  {} FDL, line {line}: {comment}", self.mark);
            }
        }
        text
    }
}

/// A comment without what would end its line or change its direction; VHDL-93 knows no more than ASCII.
fn shown(comment: &str, is_ascii: bool) -> String {
    let mut text = String::with_capacity(comment.len());
    for letter in comment.chars() {
        let code = u32::from(letter);
        let turns = matches!(code, 0x200e | 0x200f | 0x2028..=0x202e | 0x2066..=0x2069);
        if letter.is_control() || turns || (is_ascii && !letter.is_ascii()) {
            text.extend(letter.escape_unicode());
        } else {
            text.push(letter);
        }
    }
    text
}
