//! Datapaths: ports, declarations, lookup tables, signal flow graphs, instances.

use super::{Parse, Parser};
use crate::ast::{
    Array, Datapath, DatapathItem, Declaration, Display, Item, Kind, Lookup, Name, Repeat, Sfg,
    Statement, Trace,
};
use crate::lexer::Token;

impl Parser<'_> {
    /// `dp name #(parameters) (ports) { … }` or `dp name : original`
    pub(super) fn dp(&mut self) -> Parse<Item> {
        self.advance();
        let name = self.name("a name for the datapath")?;
        if self.take(Token::Colon) {
            let original = self.name("the name of the datapath to copy")?;
            return Ok(Item::Clone { name, original });
        }
        let parameters = self.parameters()?;
        let ports = if self.peek() == Token::LeftParen { self.ports()? } else { Vec::new() };
        self.expect(Token::LeftBrace, "`(`, `:` or `{`")?;
        let items = self.datapath_items()?;
        Ok(Item::Datapath(Datapath { name, parameters, ports, items }))
    }

    /// Parts up to the brace that ends them.
    fn datapath_items(&mut self) -> Parse<Vec<DatapathItem>> {
        let mut items = Vec::new();
        while !self.take(Token::RightBrace) {
            items.push(self.datapath_item()?);
        }
        Ok(items)
    }

    pub(super) fn ports(&mut self) -> Parse<Vec<Declaration>> {
        self.advance();
        let mut ports = Vec::new();
        while self.peek() != Token::RightParen {
            ports.push(self.declaration("`in`, `out` or `)`", &[Kind::In, Kind::Out])?);
            if !self.take(Token::Semicolon) {
                break;
            }
        }
        self.expect(Token::RightParen, "`;` or `)`")?;
        Ok(ports)
    }

    /// `kind a, b : type`
    fn declaration(&mut self, expected: &str, kinds: &[Kind]) -> Parse<Declaration> {
        let kind = match self.peek() {
            Token::In => Kind::In,
            Token::Out => Kind::Out,
            Token::Reg => Kind::Reg,
            Token::Sig => Kind::Sig,
            _ => return Err(self.unexpected(expected)),
        };
        if !kinds.contains(&kind) {
            return Err(self.unexpected(expected));
        }
        self.advance();
        let names = self.list(|parser| parser.member("a name"))?;
        self.expect(Token::Colon, "`,` or `:`")?;
        Ok(Declaration { kind, names, ty: self.ty()? })
    }

    fn datapath_item(&mut self) -> Parse<DatapathItem> {
        match self.peek() {
            Token::Reg if self.begins_array() => Ok(DatapathItem::Array(self.array()?)),
            Token::Reg | Token::Sig => {
                let declaration = self.declaration("`reg` or `sig`", &[Kind::Reg, Kind::Sig])?;
                self.expect(Token::Semicolon, "`;`")?;
                Ok(DatapathItem::Declaration(declaration))
            }
            Token::Lookup => Ok(DatapathItem::Lookup(self.lookup()?)),
            Token::Sfg | Token::Always => Ok(DatapathItem::Sfg(self.sfg()?)),
            Token::Use => {
                self.advance();
                Ok(DatapathItem::Use(self.instance("the name of a datapath")?))
            }
            Token::Directive if self.text() == "$trace" => Ok(DatapathItem::Trace(self.trace()?)),
            _ if self.repeats() => self.nested(|parser| {
                let repeat = parser.repeated()?;
                Ok(DatapathItem::For(repeat, parser.datapath_items()?))
            }),
            Token::Directive => Err(self.error(
                &format!("`{}` cannot stand here", self.text()),
                "put it into an sfg or an `always` block",
            )),
            _ => Err(self.unexpected("`reg`, `sig`, `lookup`, `use`, `sfg`, `always` or `}`")),
        }
    }

    /// Returns true if `reg name(` stands here.
    fn begins_array(&self) -> bool {
        let next = |ahead: usize| self.tokens.get(self.next + ahead).map(|token| token.0);
        next(1) == Some(Token::Name) && next(2) == Some(Token::LeftParen)
    }

    /// `reg name(length), … : type;`, perhaps with ` = { … }` before the semicolon.
    fn array(&mut self) -> Parse<Array> {
        self.extension("an array of registers")?;
        self.advance();
        let names = self.list(|parser| {
            let name = parser.member("a name for the array")?;
            parser.expect(Token::LeftParen, "`(` and the array's length")?;
            let length = parser.expression()?;
            parser.expect(Token::RightParen, "`)`")?;
            Ok((name, length))
        })?;
        self.expect(Token::Colon, "`,` or `:`")?;
        let ty = self.ty()?;
        let mut initial = Vec::new();
        if self.take(Token::Assign) {
            self.expect(Token::LeftBrace, "`{`")?;
            initial = self.list(Self::expression)?;
            self.expect(Token::RightBrace, "`,` or `}`")?;
        }
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Array { names, ty, initial })
    }

    /// `$trace(value, "file");`
    fn trace(&mut self) -> Parse<Trace> {
        let start = self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let value = self.expression()?;
        self.expect(Token::Comma, "`,`")?;
        let (file, _) = self.string()?;
        let span = start.to(self.expect(Token::RightParen, "`)`")?);
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Trace { value, file, span })
    }

    fn lookup(&mut self) -> Parse<Lookup> {
        self.advance();
        let names = self.list(|parser| parser.member("a name for the table"))?;
        self.expect(Token::Colon, "`,` or `:`")?;
        let ty = self.ty()?;
        self.expect(Token::Assign, "`=`")?;
        self.expect(Token::LeftBrace, "`{`")?;
        let entries = self.list(Self::expression)?;
        self.expect(Token::RightBrace, "`,` or `}`")?;
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Lookup { names, ty, entries })
    }

    /// `sfg name { … }`, `always { … }` or `sfg always { … }`
    fn sfg(&mut self) -> Parse<Sfg> {
        let span = self.span();
        let named = self.take(Token::Sfg) && self.peek() != Token::Always;
        let name = if named { Some(self.member("a name for the sfg")?) } else { None };
        if !named {
            self.expect(Token::Always, "`always`")?;
        }
        self.expect(Token::LeftBrace, "`{`")?;
        let local = self.local()?;
        Ok(Sfg { name, span, local, statements: self.statements()? })
    }

    /// Statements up to the brace that ends them.
    fn statements(&mut self) -> Parse<Vec<Statement>> {
        let mut statements = Vec::new();
        while !self.take(Token::RightBrace) {
            if self.repeats() {
                let repeated = self.nested(|parser| {
                    let repeat = parser.repeated()?;
                    Ok(Statement::For(repeat, parser.statements()?))
                });
                statements.push(repeated?);
            } else {
                statements.push(self.statement()?);
                self.expect(Token::Semicolon, "`;`")?;
            }
        }
        Ok(statements)
    }

    /// `for (i : first..last) {`
    fn repeated(&mut self) -> Parse<Repeat> {
        let repeat = self.repeat()?;
        self.expect(Token::RightParen, "`)`")?;
        self.expect(Token::LeftBrace, "`{`")?;
        Ok(repeat)
    }

    /// At most one declaration, before the statements.
    fn local(&mut self) -> Parse<Option<Declaration>> {
        if !matches!(self.peek(), Token::Reg | Token::Sig) {
            return Ok(None);
        }
        let local = self.declaration("`reg` or `sig`", &[Kind::Reg, Kind::Sig])?;
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Some(local))
    }

    fn statement(&mut self) -> Parse<Statement> {
        match self.peek() {
            Token::Reg | Token::Sig => Err(self.error(
                "an sfg has at most one local declaration, before its statements",
                "move this declaration into the datapath, or name more signals in the first one",
            )),
            Token::Directive if self.text() == "$display" => self.display(),
            Token::Directive if self.text() == "$finish" => Ok(Statement::Finish(self.advance())),
            _ => Ok(Statement::Expressions(self.list(Self::assignment)?)),
        }
    }

    fn display(&mut self) -> Parse<Statement> {
        let span = self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let items = self.list(Self::display_item)?;
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(Statement::Display { items, span })
    }

    fn display_item(&mut self) -> Parse<Display> {
        match self.peek() {
            Token::Text => Ok(Display::Text(self.string()?.0)),
            Token::Directive => {
                let text = self.text().to_owned();
                Ok(Display::Directive(Name { text, span: self.advance() }))
            }
            _ => Ok(Display::Value(self.expression()?)),
        }
    }
}
