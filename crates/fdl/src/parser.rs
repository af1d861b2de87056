//! The parser: recursive descent over the words of a file. It stops at the first mistake.

mod controller;
mod datapath;
mod expression;

use cocrypt_diag::{Diagnostic, Source};

use crate::Dialect;
use crate::ast::{Block, Connection, File, Item, Name, Parameter, Span, Stimulus, System, Use};
use crate::lexer::{Token, tokens};

/// The parser recurses this deep, so that no input can exhaust the stack.
const DEPTH: usize = 600;

type Parse<T> = Result<T, Box<Diagnostic>>;

/// Reads a file.
///
/// # Errors
/// The first word that does not fit, code `fdl.syntax`, or the first extension that the dialect does not
/// have, code `fdl.extension`.
pub fn parse(source: &Source, dialect: Dialect) -> Result<File, Diagnostic> {
    let tokens = tokens(source)?;
    let mut parser = Parser { source, dialect, tokens, next: 0, depth: 0 };
    parser.file().map_err(|error| *error)
}

struct Parser<'a> {
    source: &'a Source,
    dialect: Dialect,
    tokens: Vec<(Token, Span)>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn file(&mut self) -> Parse<File> {
        let mut file = File::default();
        while self.peek() != Token::End {
            file.items.push(self.item()?);
        }
        Ok(file)
    }

    fn item(&mut self) -> Parse<Item> {
        match self.peek() {
            Token::Dp => self.dp(),
            Token::Fsm | Token::Hardwired | Token::Sequencer => {
                Ok(Item::Controller(self.controller()?))
            }
            Token::System => Ok(Item::System(self.system()?)),
            Token::Directive if self.text() == "$option" => self.option(),
            Token::Ipblock => self.block(),
            _ => {
                let expected =
                    "`dp`, `ipblock`, `fsm`, `hardwired`, `sequencer`, `system` or `$option`";
                Err(self.unexpected(expected))
            }
        }
    }

    /// `ipblock name (ports) { iptype "…"; ipparm "…"; }` or `ipblock name : original`
    fn block(&mut self) -> Parse<Item> {
        self.advance();
        let name = self.name("a name for the block")?;
        if self.take(Token::Colon) {
            let original = self.name("the name of the block to copy")?;
            return Ok(Item::Clone { name, original });
        }
        let ports = if self.peek() == Token::LeftParen { self.ports()? } else { Vec::new() };
        self.expect(Token::LeftBrace, "`(`, `:` or `{`")?;
        let (mut types, mut parameters) = (Vec::new(), Vec::new());
        while !self.take(Token::RightBrace) {
            let list = match self.peek() {
                Token::Iptype => &mut types,
                Token::Ipparm => &mut parameters,
                _ => return Err(self.unexpected("`iptype`, `ipparm` or `}`")),
            };
            self.advance();
            list.push(self.string()?);
            self.expect(Token::Semicolon, "`;`")?;
        }
        Ok(Item::Block(Block { name, ports, types, parameters }))
    }

    fn option(&mut self) -> Parse<Item> {
        let start = self.advance();
        let (text, end) = self.string()?;
        Ok(Item::Option { text, span: start.to(end) })
    }

    fn system(&mut self) -> Parse<System> {
        self.advance();
        let name = self.name("a name for the system")?;
        self.expect(Token::LeftBrace, "`{`")?;
        let (mut uses, mut stimuli) = (Vec::new(), Vec::new());
        while !self.take(Token::RightBrace) {
            if self.peek() == Token::Stimulus {
                stimuli.push(self.stimulus()?);
            } else {
                uses.push(self.instance("a datapath, `stimulus` or `}`")?);
            }
        }
        Ok(System { name, uses, stimuli })
    }

    /// `stimulus(net, "file");`
    fn stimulus(&mut self) -> Parse<Stimulus> {
        self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let net = self.name("the name of a net")?;
        self.expect(Token::Comma, "`,`")?;
        let (file, span) = self.string()?;
        self.expect(Token::RightParen, "`)`")?;
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Stimulus { net, file, span })
    }

    /// `child(…);`
    fn instance(&mut self, expected: &str) -> Parse<Use> {
        let child = self.name(expected)?;
        let parameters = self.parameters()?;
        let mut arguments = Vec::new();
        if self.take(Token::LeftParen) && !self.take(Token::RightParen) {
            arguments = self.list(Self::connection)?;
            self.expect(Token::RightParen, "`,` or `)`")?;
        }
        let span = child.span.to(self.tokens[self.next - 1].1);
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Use { child, parameters, arguments, span })
    }

    /// `#(name = value, …)`, or nothing.
    fn parameters(&mut self) -> Parse<Vec<Parameter>> {
        if self.peek() != Token::Hash {
            return Ok(Vec::new());
        }
        self.extension("a parameter")?;
        self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let parameters = self.list(|parser| {
            let name = parser.name("the name of a parameter")?;
            parser.expect(Token::Assign, "`=` and the parameter's value")?;
            Ok(Parameter { name, value: parser.expression()? })
        })?;
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(parameters)
    }

    /// A value, or `.port(value)`.
    fn connection(&mut self) -> Parse<Connection> {
        if self.peek() != Token::Dot {
            return Ok(Connection { port: None, value: self.expression()? });
        }
        self.extension("a port by name")?;
        self.advance();
        let port = Some(self.name("the name of a port")?);
        self.expect(Token::LeftParen, "`(`")?;
        let value = self.expression()?;
        self.expect(Token::RightParen, "`)`")?;
        Ok(Connection { port, value })
    }

    fn peek(&self) -> Token {
        self.tokens[self.next].0
    }

    fn peek_after(&self) -> Token {
        self.tokens.get(self.next + 1).map_or(Token::End, |token| token.0)
    }

    fn span(&self) -> Span {
        self.tokens[self.next].1
    }

    fn text(&self) -> &str {
        &self.source.text[self.span().range()]
    }

    fn advance(&mut self) -> Span {
        let span = self.span();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        span
    }

    fn take(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token, what: &str) -> Parse<Span> {
        if self.peek() == token { Ok(self.advance()) } else { Err(self.unexpected(what)) }
    }

    fn name(&mut self, what: &str) -> Parse<Name> {
        if self.peek() != Token::Name {
            return Err(self.unexpected(what));
        }
        let text = self.text().to_owned();
        Ok(Name { text, span: self.advance() })
    }

    /// A string; adjacent ones are one.
    fn string(&mut self) -> Parse<(String, Span)> {
        let mut span = self.span();
        let mut text = String::new();
        while self.peek() == Token::Text {
            text.push_str(self.text().trim_matches('"'));
            span = span.to(self.advance());
        }
        if span == self.span() { Err(self.unexpected("a string")) } else { Ok((text, span)) }
    }

    /// One or more, separated by commas.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut list = vec![element(self)?];
        while self.take(Token::Comma) {
            list.push(element(self)?);
        }
        Ok(list)
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == DEPTH {
            return Err(self.error(
                "this is nested too deeply",
                "split it up with signals, or the state machine with states",
            ));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let found = match self.peek() {
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        let message = format!("expected {expected}, found {found}");
        let help = match self.peek() {
            token if is_word(token) && expected.contains("name") => {
                format!("{found} is a word of the language; choose another name")
            }
            Token::Name | Token::Number if expected == "`;`" => {
                "an operator is missing before it; a cast is written `(ns(8)) a`".to_owned()
            }
            _ => match habit(&found, expected) {
                Some(advice) => advice.to_owned(),
                None => format!("write {expected} here"),
            },
        };
        self.error(&message, &help)
    }

    fn error(&self, message: &str, help: &str) -> Box<Diagnostic> {
        self.error_at(self.span(), message, help)
    }

    fn error_at(&self, span: Span, message: &str, help: &str) -> Box<Diagnostic> {
        self.diagnostic("fdl.syntax", span, message, help)
    }

    /// Something that FDL did not have stands here.
    fn extension(&self, what: &str) -> Parse<()> {
        self.extension_for(what, "leave `--gezel` out, or write it another way")
    }

    /// The same with advice for those who keep to FDL as it was.
    fn extension_for(&self, what: &str, help: &str) -> Parse<()> {
        if self.dialect == Dialect::Gezel {
            let message = format!("{what} is an extension, and GEZEL has none");
            return Err(self.diagnostic("fdl.extension", self.span(), &message, help));
        }
        Ok(())
    }

    fn diagnostic(&self, code: &str, span: Span, message: &str, help: &str) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::error(code, message).with_source(self.source);
        Box::new(diagnostic.with_label(span.range(), "here").with_help(help))
    }
}

/// Advice for what people write by habit of other languages, given what was found and expected.
fn habit(found: &str, expected: &str) -> Option<&'static str> {
    let (found, item) = (found.trim_matches('`'), expected.contains("`sig`"));
    Some(match found {
        "the end of the file" => "close what is still open with `}`",
        "}" if expected.contains("`dp`") => "remove it; everything is closed already",
        ";" if item => "remove it; nothing stands behind a block",
        "module" | "entity" => "a datapath begins with `dp`",
        "begin" => "blocks stand in braces: `{ … }`",
        "if" => "choose between values with `?:`, and between sfgs in the controller",
        "ns" | "tc" => "a cast is written in parentheses: `(ns(8)) a`",
        "[" if expected == "`(`" => "write the number of bits: `ns(8)`",
        "," if expected.contains("`;`") => "separate declarations by `;`",
        "=" if expected == "`;`" => {
            "registers begin with 0; let an sfg of the first state set them"
        }
        "=" if expected.ends_with("first number") => "repeat like this: `for (i : 0..3) { … }`",
        "=" if expected == "`)`" => "compare with `==`; an assignment is a statement of its own",
        "=" | "+" | "-" if expected == "an expression" => {
            "assign the whole expression: `r = r + 1`"
        }
        "#" if expected.contains("`dp`") || item => {
            "include files by `$include \"part.fdl\";`; run other directives of a preprocessor before, by `cpp -P`"
        }
        _ if found.starts_with('$') && expected.contains("`dp`") => {
            "the directives here are `$option` and `$include`"
        }
        _ if item => "put assignments into an sfg or an `always` block",
        _ => return None,
    })
}

/// Returns true if a token is a reserved word.
fn is_word(token: Token) -> bool {
    (Token::Ipblock as u8..=Token::Always as u8).contains(&(token as u8))
}
