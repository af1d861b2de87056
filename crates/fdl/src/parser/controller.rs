//! Controllers: `fsm`, `hardwired`, `sequencer`.

use super::{Parse, Parser};
use crate::ast::{Controller, ControllerBody, SfgSet, Transition};
use crate::lexer::Token;

impl Parser<'_> {
    pub(super) fn controller(&mut self) -> Parse<Controller> {
        let kind = self.peek();
        self.advance();
        let name = self.name("a name for the controller")?;
        self.expect(Token::LeftParen, "`(`")?;
        let datapath = self.name("the name of the datapath")?;
        self.expect(Token::RightParen, "`)`")?;
        self.expect(Token::LeftBrace, "`{`")?;
        let body = match kind {
            Token::Fsm => self.fsm()?,
            Token::Hardwired => self.hardwired()?,
            _ => self.sequencer()?,
        };
        Ok(Controller { name, datapath, body })
    }

    fn fsm(&mut self) -> Parse<ControllerBody> {
        let (mut states, mut initial, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match self.peek() {
                Token::State => {
                    self.advance();
                    states.extend(self.list(|parser| parser.name("the name of a state"))?);
                    self.expect(Token::Semicolon, "`,` or `;`")?;
                }
                Token::Initial => {
                    self.advance();
                    initial.push(self.name("the name of a state")?);
                    self.expect(Token::Semicolon, "`;`")?;
                }
                Token::At => {
                    self.advance();
                    let state = self.name("the name of a state")?;
                    transitions.push((state, self.transition()?));
                }
                Token::RightBrace => break,
                _ => return Err(self.unexpected("`state`, `initial`, `@` or `}`")),
            }
        }
        self.advance();
        Ok(ControllerBody::Fsm { states, initial, transitions })
    }

    fn transition(&mut self) -> Parse<Transition> {
        self.nested(
            |parser| {
                if parser.peek() == Token::If { parser.conditional() } else { parser.go() }
            },
        )
    }

    fn conditional(&mut self) -> Parse<Transition> {
        self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let condition = self.expression()?;
        self.expect(Token::RightParen, "`)`")?;
        self.expect(Token::Then, "`then`")?;
        let yes = Box::new(self.transition()?);
        self.expect(Token::Else, "`else` (a state must say what happens in every case)")?;
        let no = Box::new(self.transition()?);
        Ok(Transition::If { condition, yes, no })
    }

    fn go(&mut self) -> Parse<Transition> {
        let sfgs = self.sfg_set()?;
        self.expect(Token::Arrow, "`->`")?;
        let next = self.name("the name of the next state")?;
        self.expect(Token::Semicolon, "`;`")?;
        Ok(Transition::Go { sfgs, next })
    }

    /// `sfg` or `(sfg, sfg, …)`
    fn sfg_set(&mut self) -> Parse<SfgSet> {
        let mut set = SfgSet::default();
        if !self.take(Token::LeftParen) {
            self.sfg_name(&mut set, "`if`, `(` or the name of an sfg")?;
            return Ok(set);
        }
        self.list(|parser| parser.sfg_name(&mut set, "the name of an sfg"))?;
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(set)
    }

    /// The name of an sfg, or `$trace`.
    fn sfg_name(&mut self, set: &mut SfgSet, expected: &str) -> Parse<()> {
        if self.peek() == Token::Directive && self.text() == "$trace" {
            self.advance();
            set.traced = true;
        } else {
            set.names.push(self.name(expected)?);
        }
        Ok(())
    }

    fn hardwired(&mut self) -> Parse<ControllerBody> {
        let mut set = SfgSet::default();
        while !self.take(Token::RightBrace) {
            self.sfg_name(&mut set, "the name of an sfg or `}`")?;
            self.expect(Token::Semicolon, "`;`")?;
        }
        Ok(ControllerBody::Hardwired(set))
    }

    fn sequencer(&mut self) -> Parse<ControllerBody> {
        let mut steps = Vec::new();
        while !self.take(Token::RightBrace) {
            steps.push(self.sfg_set()?);
            self.expect(Token::Semicolon, "`;`")?;
        }
        Ok(ControllerBody::Sequencer(steps))
    }
}
