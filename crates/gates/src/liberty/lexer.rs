//! Liberty text as tokens, each with its span.

use std::ops::Range;

use cocrypt_diag::Diagnostic;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a number or an operator of an expression.
    Word(String),
    /// A text in quotes, without them and without its line breaks.
    Text(String),
    /// One of `{ } ( ) : ; ,`.
    Mark(u8),
    /// A line break, which may end an attribute.
    Line,
}

/// A token and its bytes in the text.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Byte offsets.
    pub span: Range<usize>,
}

/// The tokens of a text. Comments and escaped line breaks are left out.
pub fn tokens(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut lexer = Lexer { bytes: text.as_bytes(), text, at: 0 };
    let mut found = vec![];
    while let Some(token) = lexer.next()? {
        found.push(token);
    }
    Ok(found)
}

struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, Diagnostic> {
        self.skip()?;
        let start = self.at;
        let Some(&byte) = self.bytes.get(start) else { return Ok(None) };
        let kind = match byte {
            b'\n' => self.single(Kind::Line),
            b'{' | b'}' | b'(' | b')' | b':' | b';' | b',' => self.single(Kind::Mark(byte)),
            b'"' => self.quoted()?,
            _ => self.word(),
        };
        Ok(Some(Token { kind, span: start..self.at }))
    }

    fn single(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    /// Moves behind spaces, comments and escaped line breaks.
    fn skip(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = &self.bytes[self.at..];
            match rest {
                [b' ' | b'\t' | b'\r' | 0x0c, ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', b'\r', b'\n', ..] => self.at += 3,
                [b'/', b'/', ..] => self.at += line_length(rest),
                [b'/', b'*', ..] => self.at += self.comment_length()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment_length(&self) -> Result<usize, Diagnostic> {
        let rest = &self.text[self.at..];
        rest[2..].find("*/").map(|length| length + 4).ok_or_else(|| {
            Diagnostic::error("liberty.comment", "a comment has no end")
                .with_label(self.at..self.at + 2, "it begins here")
                .with_help("end it with `*/`")
        })
    }

    fn quoted(&mut self) -> Result<Kind, Diagnostic> {
        let start = self.at;
        let Some(length) = self.text[start + 1..].find('"') else {
            return Err(Diagnostic::error("liberty.text", "a text in quotes has no end")
                .with_label(start..start + 1, "it begins here")
                .with_help("end it with `\"`"));
        };
        self.at = start + length + 2;
        let inside = &self.text[start + 1..=start + length];
        Ok(Kind::Text(inside.replace(['\\', '\n', '\r'], " ").trim().to_owned()))
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        let is_inside = |byte: &u8| !b" \t\r\n\x0c{}():;,\"".contains(byte);
        let length = self.bytes[start..].iter().take_while(|byte| is_inside(byte)).count();
        self.at += length.max(1);
        Kind::Word(self.text[start..self.at].to_owned())
    }
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}
