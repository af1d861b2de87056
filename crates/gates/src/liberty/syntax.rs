//! The groups and attributes of a Liberty text, without their meaning.

use std::ops::Range;

use cocrypt_diag::Diagnostic;

use super::lexer::{Kind, Token, tokens};

/// Groups within one another, at most; real libraries have six.
const DEEPEST: usize = 32;

/// A statement `name (arguments) { … }`.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The word in front.
    pub name: String,
    /// The arguments in parentheses.
    pub arguments: Vec<String>,
    /// The bytes of the word and its arguments.
    pub span: Range<usize>,
    /// The attributes within, in order.
    pub attributes: Vec<Attribute>,
    /// The groups within, in order.
    pub groups: Vec<Group>,
}

/// A statement `name : value ;` or `name (values) ;`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The word in front.
    pub name: String,
    /// The values; one of a simple attribute.
    pub values: Vec<String>,
    /// The bytes of the statement.
    pub span: Range<usize>,
}

impl Group {
    /// The last attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rev().find(|attribute| attribute.name == name)
    }

    /// The value of a simple attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        Some(self.attribute(name)?.values.first()?.as_str())
    }

    /// The number that an attribute has; an error names the place of what is no number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(attribute) = self.attribute(name) else { return Ok(None) };
        let text = attribute.values.first().map_or("", String::as_str);
        number(text).map(Some).ok_or_else(|| {
            Diagnostic::error("liberty.number", format!("`{name}` is `{text}`, which is no number"))
                .with_label(attribute.span.clone(), "a finite number is needed here")
        })
    }

    /// The groups of a kind.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Group> + 'a {
        self.groups.iter().filter(move |group| group.name == name)
    }

    /// The first argument.
    pub fn argument(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }
}

/// A finite number.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

/// The outermost group of a text.
pub fn parse(text: &str) -> Result<Group, Diagnostic> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, end: text.len() };
    let mut outer = Group::default();
    while parser.peek_statement().is_some() {
        parser.statement(&mut outer, 0)?;
    }
    let position = outer.groups.iter().position(|group| group.name == "library");
    position.map(|index| outer.groups.swap_remove(index)).ok_or_else(|| {
        Diagnostic::error("liberty.no-library", "the file has no group `library`")
            .with_help("give a cell library in Liberty's format, often named *.lib")
    })
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// The next token that is neither a line break nor a stray semicolon.
    fn peek_statement(&mut self) -> Option<&Kind> {
        while matches!(self.peek(), Some(Kind::Line | Kind::Mark(b';'))) {
            self.at += 1;
        }
        self.peek()
    }

    fn span(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.end..self.end, |token| token.span.clone())
    }

    fn wrong(&self, message: &str) -> Diagnostic {
        Diagnostic::error("liberty.syntax", message.to_owned()).with_label(self.span(), "here")
    }

    fn statement(&mut self, into: &mut Group, depth: usize) -> Result<(), Diagnostic> {
        let start = self.span().start;
        let Some(Kind::Word(name)) = self.peek_statement().cloned() else {
            return Err(self.wrong("a statement begins with a word"));
        };
        self.at += 1;
        match self.peek() {
            Some(Kind::Mark(b':')) => {
                let values = vec![self.simple()];
                into.attributes.push(Attribute { name, values, span: start..self.before() });
            }
            Some(Kind::Mark(b'(')) => {
                let values = self.arguments()?;
                let span = start..self.before();
                self.skip_lines_before_brace();
                if self.peek() == Some(&Kind::Mark(b'{')) {
                    let group = Group { name, arguments: values, span, ..Group::default() };
                    into.groups.push(self.group(group, depth + 1)?);
                } else {
                    into.attributes.push(Attribute { name, values, span });
                }
            }
            _ => {
                return Err(
                    self.wrong(&format!("`{name}` is followed by neither `:` nor parentheses"))
                );
            }
        }
        Ok(())
    }

    /// The end of the token before this one.
    fn before(&self) -> usize {
        self.tokens.get(self.at.wrapping_sub(1)).map_or(self.end, |token| token.span.end)
    }

    /// Moves over line breaks if a group's brace stands behind them.
    fn skip_lines_before_brace(&mut self) {
        let rest = &self.tokens[self.at..];
        let lines = rest.iter().take_while(|token| token.kind == Kind::Line).count();
        if rest.get(lines).is_some_and(|token| token.kind == Kind::Mark(b'{')) {
            self.at += lines;
        }
    }

    /// The value behind a colon: the words up to the semicolon, or to the end of the line or group.
    fn simple(&mut self) -> String {
        self.at += 1;
        let mut words = vec![];
        while let Some(Kind::Word(text) | Kind::Text(text)) = self.peek() {
            words.push(text.clone());
            self.at += 1;
        }
        words.join(" ")
    }

    fn arguments(&mut self) -> Result<Vec<String>, Diagnostic> {
        self.at += 1;
        let mut values: Vec<String> = vec![];
        loop {
            match self.peek() {
                Some(Kind::Word(text) | Kind::Text(text)) => values.push(text.clone()),
                Some(Kind::Mark(b',') | Kind::Line) => {}
                Some(Kind::Mark(b':')) => values.push(":".to_owned()),
                Some(Kind::Mark(b')')) => {
                    self.at += 1;
                    return Ok(values);
                }
                _ => return Err(self.wrong("a parenthesis is not closed")),
            }
            self.at += 1;
        }
    }

    fn group(&mut self, mut group: Group, depth: usize) -> Result<Group, Diagnostic> {
        if depth > DEEPEST {
            return Err(self.wrong("groups are nested too deeply"));
        }
        self.at += 1;
        loop {
            match self.peek_statement() {
                Some(Kind::Mark(b'}')) => {
                    self.at += 1;
                    return Ok(group);
                }
                Some(_) => self.statement(&mut group, depth)?,
                None => {
                    let message = format!("the group `{}` has no end", group.name);
                    return Err(Diagnostic::error("liberty.syntax", message)
                        .with_label(group.span.clone(), "it begins here")
                        .with_help("the file may be cut off; end the group with `}`"));
                }
            }
        }
    }
}
