//! Expressions, by precedence climbing.

use num_bigint::BigInt;
use num_traits::Num;

use super::{Parse, Parser};
use crate::ast::{Binary, Expr, ExprKind, Member, Name, Repeat, Span, Type};
use crate::lexer::Token;

/// The operators with two operands: level (higher binds tighter), all left-associative.
fn binary(token: Token) -> Option<(u8, Binary)> {
    Some(match token {
        Token::OrElse => (2, Binary::OrElse),
        Token::AndAlso => (3, Binary::AndAlso),
        Token::Or => (4, Binary::Or),
        Token::Xor => (5, Binary::Xor),
        Token::And => (6, Binary::And),
        Token::Equal => (7, Binary::Equal),
        Token::NotEqual => (7, Binary::NotEqual),
        Token::Less => (7, Binary::Less),
        Token::Greater => (7, Binary::Greater),
        Token::LessEqual => (7, Binary::LessEqual),
        Token::GreaterEqual => (7, Binary::GreaterEqual),
        Token::ShiftLeft => (8, Binary::ShiftLeft),
        Token::ShiftRight => (8, Binary::ShiftRight),
        Token::Plus => (9, Binary::Add),
        Token::Minus => (9, Binary::Sub),
        Token::Hash => (9, Binary::Concat),
        Token::Star => (10, Binary::Mul),
        Token::Percent => (10, Binary::Remainder),
        Token::Slash => (10, Binary::Divide),
        _ => return None,
    })
}

const LOWEST_BINARY: u8 = 2;

/// Trees are this high at most, so that walking through one cannot exhaust the stack.
const HEIGHT: usize = 300;

impl Parser<'_> {
    /// `target = value`, which may chain, or any other expression.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        self.nested(|parser| {
            let target = parser.expression()?;
            if !parser.take(Token::Assign) {
                return Ok(target);
            }
            let value = parser.assignment()?;
            let span = target.span.to(value.span);
            parser.expr(ExprKind::Assign(Box::new(target), Box::new(value)), span)
        })
    }

    /// Everything that binds tighter than an assignment.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.nested(|parser| {
            let condition = parser.binary(LOWEST_BINARY)?;
            if !parser.take(Token::Question) {
                return Ok(condition);
            }
            let yes = parser.expression()?;
            parser.expect(Token::Colon, "`:`")?;
            let no = parser.expression()?;
            let span = condition.span.to(no.span);
            let kind = ExprKind::Choose(Box::new(condition), Box::new(yes), Box::new(no));
            parser.expr(kind, span)
        })
    }

    /// An expression, if its tree is not too high.
    fn expr(&self, kind: ExprKind, span: Span) -> Parse<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height <= HEIGHT {
            return Ok(expr);
        }
        let message = format!("this expression has more than {HEIGHT} levels");
        Err(self.error_at(span, &message, "split it up with signals"))
    }

    fn binary(&mut self, level: u8) -> Parse<Expr> {
        let mut left = self.unary()?;
        while let Some((found, operator)) = binary(self.peek()).filter(|(found, _)| *found >= level)
        {
            self.extended_operator()?;
            self.advance();
            let right = self.nested(|parser| parser.binary(found + 1))?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.expr(kind, span)?;
        }
        Ok(left)
    }

    /// Operators that FDL did not have.
    fn extended_operator(&self) -> Parse<()> {
        match self.peek() {
            Token::AndAlso => self.extension_for("`&&`", "write `&` between conditions of one bit"),
            Token::OrElse => self.extension_for("`||`", "write `|` between conditions of one bit"),
            Token::Bang => self.extension_for("`!`", "write `~c` for one bit, or `c == 0`"),
            Token::Slash => self.extension_for(
                "division",
                "shift right by a power of two, or write a divider as an FSMD",
            ),
            _ => Ok(()),
        }
    }

    fn unary(&mut self) -> Parse<Expr> {
        self.nested(|parser| match parser.peek() {
            Token::Minus => parser.prefix(ExprKind::Negate),
            Token::Tilde => parser.prefix(ExprKind::Not),
            Token::Bang => {
                parser.extended_operator()?;
                parser.prefix(ExprKind::IsZero)
            }
            Token::LeftParen if matches!(parser.peek_after(), Token::Ns | Token::Tc) => {
                parser.cast()
            }
            _ => parser.postfix(),
        })
    }

    fn prefix(&mut self, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Parse<Expr> {
        let start = self.advance();
        let operand = self.unary()?;
        let span = start.to(operand.span);
        self.expr(kind(Box::new(operand)), span)
    }

    fn cast(&mut self) -> Parse<Expr> {
        let start = self.advance();
        let ty = self.ty()?;
        self.expect(Token::RightParen, "`)`")?;
        let operand = self.unary()?;
        let span = start.to(operand.span);
        self.expr(ExprKind::Cast(ty, Box::new(operand)), span)
    }

    /// `ns(width)` or `tc(width)`
    pub(super) fn ty(&mut self) -> Parse<Type> {
        let signed = match self.peek() {
            Token::Ns => false,
            Token::Tc => true,
            _ => return Err(self.unexpected("`ns(width)` or `tc(width)`")),
        };
        let start = self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let width = Box::new(self.expression()?);
        let end = self.expect(Token::RightParen, "`)`")?;
        Ok(Type { signed, width, span: start.to(end) })
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let mut value = self.primary()?;
        while self.take(Token::LeftBracket) {
            let first = Box::new(self.expression()?);
            let colon = self.take(Token::Colon);
            let second = if colon { Some(Box::new(self.expression()?)) } else { None };
            let end = self.expect(Token::RightBracket, "`]`")?;
            let span = value.span.to(end);
            value = self.expr(ExprKind::Select(Box::new(value), first, second), span)?;
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parse<Expr> {
        match self.peek() {
            Token::Number => self.number(),
            Token::Name => self.name_or_lookup(),
            Token::LeftParen => {
                let start = self.advance();
                // An assignment has no place here, which is said better once its names are known.
                let inner = self.assignment()?;
                let end = self.expect(Token::RightParen, "`)`")?;
                Ok(Expr { span: start.to(end), ..inner })
            }
            Token::Directive => Err(self.error(
                &format!("`{}` has no value", self.text()),
                "use registers and signals; `$display` can print it as it is",
            )),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn number(&mut self) -> Parse<Expr> {
        let (following, next) = self.tokens[(self.next + 1).min(self.tokens.len() - 1)];
        if next.start == self.span().end && matches!(following, Token::Name | Token::Number) {
            let span = self.span().to(next);
            let message = format!("`{}` is no number", &self.source.text[span.range()]);
            let help = "write `10`, `0x1f` or `0b101`, without underscores and without a size";
            return Err(self.error_at(span, &message, help));
        }
        let text = self.text();
        let (digits, radix) = match text.get(..2) {
            Some("0x") => (&text[2..], 16),
            Some("0b") => (&text[2..], 2),
            _ => (text, 10),
        };
        // The word consists of digits of that base, so that reading it cannot fail.
        let number = BigInt::from_str_radix(digits, radix).unwrap_or_default();
        Ok(Expr::new(ExprKind::Number(number), self.advance()))
    }

    fn name_or_lookup(&mut self) -> Parse<Expr> {
        if self.repeats() {
            return self.nested(Self::fold);
        }
        let member = self.member("a name")?;
        let span = member.span;
        if !self.take(Token::LeftParen) {
            let kind = if member.index.is_empty() {
                ExprKind::Name(member.name.text)
            } else {
                ExprKind::Member(Box::new(member))
            };
            return self.expr(kind, span);
        }
        let index = self.expression()?;
        let end = self.expect(Token::RightParen, "`)`")?;
        let kind = ExprKind::Lookup(Box::new(member), Box::new(index));
        self.expr(kind, span.to(end))
    }

    /// A name, or one of a family: `b.3`, `b.i`, `b.(i + 1).0`.
    pub(super) fn member(&mut self, what: &str) -> Parse<Member> {
        let name = self.name(what)?;
        let (mut index, mut span) = (Vec::new(), name.span);
        while self.peek() == Token::Dot {
            self.extension("a family of names")?;
            self.advance();
            let which = match self.peek() {
                Token::Number => self.number()?,
                Token::Name => {
                    let Name { text, span } = self.name("a name")?;
                    Expr::new(ExprKind::Name(text), span)
                }
                Token::LeftParen => self.primary()?,
                _ => return Err(self.unexpected("a number, a name, or `(` and which one is meant")),
            };
            span = span.to(which.span);
            index.push(which);
        }
        Ok(Member { name, index, span })
    }

    /// True if `for (i :` stands here, or `for (i =` by habit; `for` alone is a name like others.
    pub(super) fn repeats(&self) -> bool {
        let next = |ahead: usize| self.tokens.get(self.next + ahead).map(|token| token.0);
        let opens = [next(1), next(2)] == [Some(Token::LeftParen), Some(Token::Name)];
        let goes_on = matches!(next(3), Some(Token::Colon | Token::Assign));
        self.peek() == Token::Name && self.text() == "for" && opens && goes_on
    }

    /// `for (i : first..last`
    pub(super) fn repeat(&mut self) -> Parse<Repeat> {
        self.extension("a repetition")?;
        let start = self.advance();
        self.expect(Token::LeftParen, "`(`")?;
        let name = self.name("a name for the number")?;
        self.expect(Token::Colon, "`:` and the first number")?;
        let first = self.expression()?;
        self.expect(Token::To, "`..` and the last number")?;
        let last = self.expression()?;
        let span = start.to(last.span);
        Ok(Repeat { name, first, last, span })
    }

    /// `for (i : first..last, operator) e`
    fn fold(&mut self) -> Parse<Expr> {
        let repeat = self.repeat()?;
        self.expect(Token::Comma, "`,` and the operator that joins the values")?;
        let Some((_, operator)) = binary(self.peek()) else {
            return Err(self.unexpected("an operator such as `#` or `^`"));
        };
        self.advance();
        self.expect(Token::RightParen, "`)`")?;
        let value = self.unary()?;
        let span = repeat.span.to(value.span);
        self.expr(ExprKind::Fold(Box::new(repeat), operator, Box::new(value)), span)
    }
}
