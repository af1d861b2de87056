//! Designs of several files: `$include "file";` puts a file where it stands, and what is said about the
//! whole is said about the file that it comes from.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use cocrypt_diag::{Diagnostic, Source};

use crate::ast::Span;
use crate::lexer::{Token, tokens};
use crate::limits;
use crate::resolve::files::outside;
use crate::{Dialect, Files};

/// Places within so many lines of the first one are shown with it.
const NEAR: usize = 8;

/// The files of a design as one text.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The text as a whole, under the name of the file that includes the others.
    pub whole: Source,
    /// The files that it was put together from, in order.
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    /// Its address in the whole.
    start: usize,
    source: Source,
    /// Its address in its file.
    offset: usize,
    /// The offsets of its file's lines, but for the first.
    lines: Arc<[usize]>,
}

/// Puts a file together with all that it includes, each once.
///
/// # Errors
/// A file cannot be read (`fdl.unreadable`), is no sequence of words, or includes something inside of
/// braces (`fdl.syntax`); the dialect includes nothing (`fdl.extension`).
pub(crate) fn gather(
    source: &Source,
    dialect: Dialect,
    files: &dyn Files,
) -> Result<Origins, Diagnostic> {
    let mut gatherer = Gatherer {
        dialect,
        files,
        taken: HashSet::from([split(&source.name).1.to_owned()]),
        folder: split(&source.name).0.to_owned(),
        text: String::new(),
        pieces: vec![],
        depth: 0,
    };
    gatherer.file(source, "")?;
    let Gatherer { text, pieces, .. } = gatherer;
    // What stands alone is its own whole, so that nothing is copied.
    let whole = if pieces.len() == 1 { source.clone() } else { Source::new(&source.name, &text) };
    Ok(Origins { whole, pieces })
}

/// The folder of a path, with the separator, and the rest.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind(['/', '\\']).map_or(0, |at| at + 1))
}

/// A path without `.` and without folders that are left again, so that a file has one path.
fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = vec![];
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

struct Gatherer<'a> {
    dialect: Dialect,
    files: &'a dyn Files,
    /// Files that are in already, as paths from the folder of the first.
    taken: HashSet<String>,
    /// The folder of the first file as its name says it, for the names of the others.
    folder: String,
    text: String,
    pieces: Vec<Piece>,
    /// The nesting depth of includes here.
    depth: usize,
}

/// `$include "file";` in a text.
struct Include {
    start: usize,
    end: usize,
    name: String,
}

impl Gatherer<'_> {
    /// Adds a file that lies in this folder.
    fn file(&mut self, source: &Source, folder: &str) -> Result<(), Diagnostic> {
        if self.text.len() + source.text.len() > limits::SOURCE {
            return Err(Self::too_large(source));
        }
        let lines: Vec<usize> = source.text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let lines: Arc<[usize]> = lines.into();
        let mut done = 0;
        for include in self.includes(source)? {
            self.piece((source, &lines), done, include.start);
            done = include.end;
            let path = normalised(&format!("{folder}{}", include.name));
            if !self.taken.insert(path.clone()) {
                continue;
            }
            self.allowed(source, &include)?;
            let text = self.files.read(&path).map_err(|why| {
                let message = format!("`{}` cannot be read: {why}", include.name);
                Diagnostic::error("fdl.unreadable", message)
                    .with_source(source)
                    .with_label(include.start..include.end, "included here")
                    .with_help("name a file beside the one that includes it")
            })?;
            let included = Source::new(&format!("{}{path}", self.folder), &text);
            self.depth += 1;
            self.file(&included, split(&path).0)?;
            self.depth -= 1;
            // A comment at its end must not swallow what follows.
            self.text.push('\n');
        }
        self.piece((source, &lines), done, source.text.len());
        Ok(())
    }

    /// True if a file may be included here. Parts of designs are called `.fdl`, wherever they lie.
    fn allowed(&self, source: &Source, include: &Include) -> Result<(), Diagnostic> {
        let name = &include.name;
        let refused = |code: &str, what: String, help: &str| {
            let here = include.start..include.end;
            let diagnostic = Diagnostic::error(code, what).with_source(source);
            Err(diagnostic.with_label(here, "included here").with_help(help))
        };
        if self.depth == limits::INCLUDES || self.taken.len() > limits::FILES {
            let (files, deep) = (limits::FILES, limits::INCLUDES);
            let what = format!("a design has {files} files at most, included {deep} deep");
            return refused("fdl.too-large", what, "join some of them");
        }
        let plain = name.replace("../", "").replace("..\\", "");
        let part = Path::new(name).extension().is_some_and(|end| end == "fdl");
        match outside(if part { &plain } else { name }) {
            Some(why) => {
                let help = "include a file `.fdl` by its path from the file that includes it";
                refused("fdl.file", format!("`{name}` {why}"), help)
            }
            None => Ok(()),
        }
    }

    fn too_large(source: &Source) -> Diagnostic {
        let message = format!("this design has more than {} bytes", limits::SOURCE);
        let help = "split it into several designs; large tables can be files of `rom` or `ram`";
        let diagnostic = Diagnostic::error("fdl.too-large", message).with_source(source);
        diagnostic.with_label(0..0, "too large").with_help(help)
    }

    fn piece(&mut self, (source, lines): (&Source, &Arc<[usize]>), from: usize, to: usize) {
        let (start, source, lines) = (self.text.len(), source.clone(), Arc::clone(lines));
        self.pieces.push(Piece { start, source: source.clone(), offset: from, lines });
        self.text.push_str(&source.text[from..to]);
    }

    /// The includes of a file, in order.
    fn includes(&self, source: &Source) -> Result<Vec<Include>, Diagnostic> {
        let mut includes = vec![];
        if !source.text.contains("$include") {
            return Ok(includes);
        }
        let words = tokens(source)?;
        let mut open = 0_usize;
        for (at, (token, span)) in words.iter().enumerate() {
            match token {
                Token::LeftBrace => open += 1,
                Token::RightBrace => open = open.saturating_sub(1),
                Token::Directive if &source.text[span.range()] == "$include" => {
                    let rest = &words[at + 1..];
                    includes.push(self.include(source, *span, rest, open).map_err(|wrong| *wrong)?);
                }
                _ => {}
            }
        }
        Ok(includes)
    }

    /// An `$include` here, given the words behind it and how many braces are open.
    fn include(
        &self,
        source: &Source,
        here: Span,
        rest: &[(Token, Span)],
        open: usize,
    ) -> Result<Include, Box<Diagnostic>> {
        let wrong = |code: &str, message: &str, help: &str| {
            let diagnostic = Diagnostic::error(code, message).with_source(source);
            Err(Box::new(diagnostic.with_label(here.range(), "here").with_help(help)))
        };
        if self.dialect == Dialect::Gezel {
            let message = "`$include` is an extension, and GEZEL has none";
            return wrong("fdl.extension", message, "leave `--gezel` out, or join the files");
        }
        if open != 0 {
            let help = "move it in front of the datapath; files hold whole datapaths";
            return wrong("fdl.syntax", "a file is included inside of braces", help);
        }
        let help = "write `$include \"file.fdl\";`";
        match rest {
            [(Token::Text, name), (Token::Semicolon, end), ..] => {
                let name = source.text[name.range()].trim_matches('"').to_owned();
                Ok(Include { start: here.start, end: end.end, name })
            }
            [(Token::Text, _), ..] => {
                wrong("fdl.syntax", "expected `;` behind the name of the file", help)
            }
            _ => wrong("fdl.syntax", "`$include` names no file", help),
        }
    }
}

impl Origins {
    /// The file that a byte of the whole comes from, and its place there.
    #[must_use]
    pub fn place(&self, at: usize) -> (&Source, usize) {
        let piece = self.piece(at);
        (&piece.source, (piece.offset + at - piece.start).min(piece.source.text.len()))
    }

    fn piece(&self, at: usize) -> &Piece {
        let after = self.pieces.partition_point(|piece| piece.start <= at);
        &self.pieces[after.max(1) - 1]
    }

    /// The 1-based line of a byte of the whole in its file.
    #[must_use]
    pub fn line(&self, at: usize) -> usize {
        let piece = self.piece(at);
        let at = (piece.offset + at - piece.start).min(piece.source.text.len());
        1 + piece.lines.partition_point(|start| *start <= at)
    }

    /// A diagnostic about the whole as one about the file of its first place. Further places that are far
    /// away, or in other files, are named in the advice: everything in between would be printed otherwise.
    #[must_use]
    pub fn settle(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let whole = |source: &Source| Arc::ptr_eq(&source.text, &self.whole.text);
        if !diagnostic.source.as_ref().is_some_and(whole) {
            return diagnostic;
        }
        let labels = std::mem::take(&mut diagnostic.labels);
        let main = labels.first().map_or(0, |label| label.span.start);
        let (source, line) = (self.place(main).0.clone(), self.line(main));
        for label in labels {
            let (here, start) = self.place(label.span.start);
            let at = self.line(label.span.start);
            let end = start + label.span.len();
            if here.name != source.name {
                remark(&mut diagnostic, &format!("{}, line {at}: {}", here.name, label.text));
            } else if at.abs_diff(line) > NEAR {
                remark(&mut diagnostic, &format!("line {at}: {}", label.text));
            } else {
                diagnostic = diagnostic.with_label(start..end, label.text);
            }
        }
        diagnostic.with_source(&source)
    }
}

fn remark(diagnostic: &mut Diagnostic, text: &str) {
    let help = diagnostic.help.take().unwrap_or_default();
    diagnostic.help = Some(format!("{help} ({text})").trim_start().to_owned());
}
