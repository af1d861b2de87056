//! Words of the language.

use cocrypt_diag::{Diagnostic, Source};
use logos::{Logos, Skip};

use crate::ast::Span;
use crate::limits;

/// A word.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"(//|#!)[^\n]*", allow_greedy = true))]
#[logos(skip("/\\*", comment))]
pub(crate) enum Token {
    #[regex("[A-Za-z_][A-Za-z_0-9]*")]
    Name,
    #[regex("[0-9]+|0x[0-9a-fA-F]+|0b[01]+")]
    Number,
    #[regex("\"[^\"\n]*\"")]
    Text,
    #[regex(r"\$[A-Za-z_]+")]
    Directive,
    #[token("ipblock")]
    Ipblock,
    #[token("iptype")]
    Iptype,
    #[token("ipparm")]
    Ipparm,
    #[token("fsm")]
    Fsm,
    #[token("hardwired")]
    Hardwired,
    #[token("sequencer")]
    Sequencer,
    #[token("system")]
    System,
    #[token("stimulus")]
    Stimulus,
    #[token("state")]
    State,
    #[token("initial")]
    Initial,
    #[token("lookup")]
    Lookup,
    #[token("use")]
    Use,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("dp")]
    Dp,
    #[token("tc")]
    Tc,
    #[token("ns")]
    Ns,
    #[token("in")]
    In,
    #[token("out")]
    Out,
    #[token("sig")]
    Sig,
    #[token("reg")]
    Reg,
    #[token("sfg")]
    Sfg,
    #[token("always")]
    Always,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    To,
    #[token("->")]
    Arrow,
    #[token("=")]
    Assign,
    #[token("?")]
    Question,
    #[token("@")]
    At,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("&&")]
    AndAlso,
    #[token("||")]
    OrElse,
    #[token("!")]
    Bang,
    #[token("/")]
    Slash,
    #[token(">>")]
    ShiftRight,
    #[token("<<")]
    ShiftLeft,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("#")]
    Hash,
    #[token("*")]
    Star,
    #[token("%")]
    Percent,
    #[token("~")]
    Tilde,
    #[token("==")]
    Equal,
    #[token(">=")]
    GreaterEqual,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token("<")]
    Less,
    #[token("!=")]
    NotEqual,
    /// The end of the text.
    End,
}

/// Skips the rest of a comment. A pattern would look for the end of each comment that has none again.
fn comment(lexer: &mut logos::Lexer<'_, Token>) -> Result<Skip, ()> {
    let length = lexer.remainder().find("*/").ok_or(())?;
    lexer.bump(length + 2);
    Ok(Skip)
}

/// Splits a text into words; the last is [`Token::End`].
pub(crate) fn tokens(source: &Source) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let text: &str = &source.text;
    let mut tokens = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span::new(range.start, range.end);
        match token {
            Ok(token) if range.len() > longest(token) => {
                return Err(too_long(source, token, span));
            }
            Ok(token) => tokens.push((token, span)),
            Err(()) => return Err(foreign(source, range.start)),
        }
    }
    tokens.push((Token::End, Span::new(text.len(), text.len())));
    Ok(tokens)
}

/// The characters that a word may have.
fn longest(token: Token) -> usize {
    match token {
        Token::Number => limits::NUMBER,
        Token::Text => limits::STRING,
        _ => limits::NAME,
    }
}

fn too_long(source: &Source, token: Token, span: Span) -> Diagnostic {
    let (what, most) = match token {
        Token::Number => ("number", limits::NUMBER),
        Token::Text => ("string", limits::STRING),
        _ => ("name", limits::NAME),
    };
    Diagnostic::error("fdl.too-large", format!("this {what} has more than {most} characters"))
        .with_source(source)
        .with_label(span.start..span.start + 1, "begins here")
        .with_help("make it shorter")
}

/// The message for text that is no word, with advice for what people write by habit.
fn foreign(source: &Source, at: usize) -> Diagnostic {
    let rest = &source.text[at..];
    let length = rest.chars().next().map_or(0, char::len_utf8);
    let (what, help) = match rest {
        _ if rest.starts_with("/*") => ("this comment is never closed", "end it with `*/`"),
        _ if rest.starts_with('"') => {
            ("this string is never closed", "end it with `\"` on the same line")
        }
        _ if rest.starts_with('\'') => (
            "FDL has no sized numbers",
            "write the number alone, `3`, or give it a type: `(ns(8)) 3`",
        ),
        _ => ("this character has no meaning in FDL", "remove it"),
    };
    Diagnostic::error("fdl.syntax", what)
        .with_source(source)
        .with_label(at..at + length, "here")
        .with_help(help)
}
