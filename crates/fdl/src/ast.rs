//! The text as a tree, before names and types mean anything.

use std::ops::Range;

use num_bigint::BigInt;

/// Bytes of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

impl Span {
    /// Bytes from `start` up to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// From the start of this span to the end of another.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        Self { start: self.start, end: end.end }
    }

    /// As a range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// The location.
    pub span: Span,
}

/// A name, or one of a family: `b`, `b.3`, `b.(i + 1)`.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name, or the family's.
    pub name: Name,
    /// The member of the family, as compile-time expressions; none for a plain name.
    pub index: Vec<Expr>,
    /// The span of all of it.
    pub span: Span,
}

impl Member {
    /// Levels of the highest index.
    fn height(&self) -> usize {
        self.index.iter().map(|index| index.height).max().unwrap_or(0)
    }
}

/// The repeated element: `for (i : first..last)`.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The name that stands for the numbers from `first` up to `last`.
    pub name: Name,
    /// The first number, a compile-time expression.
    pub first: Expr,
    /// The last one; nothing is repeated where it is below the first.
    pub last: Expr,
    /// The location.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its parts in order.
    pub items: Vec<Item>,
}

/// The contents of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// `dp name (ports) { … }`
    Datapath(Datapath),
    /// `dp name : original`
    Clone {
        /// The new datapath.
        name: Name,
        /// The original that it copies.
        original: Name,
    },
    /// `fsm`, `hardwired` or `sequencer`.
    Controller(Controller),
    /// `system name { … }`
    System(System),
    /// `ipblock name (ports) { … }`
    Block(Block),
    /// `$option "…"`
    Option {
        /// The text.
        text: String,
        /// The location.
        span: Span,
    },
}

/// A library block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its name.
    pub name: Name,
    /// Its ports in order.
    pub ports: Vec<Declaration>,
    /// `iptype "…"`: which block of the library it is.
    pub types: Vec<(String, Span)>,
    /// `ipparm "key=value"`, in order.
    pub parameters: Vec<(String, Span)>,
}

/// A datapath.
#[derive(Clone, Debug)]
pub struct Datapath {
    /// Its name.
    pub name: Name,
    /// Its parameters, each with the value that it has where no instance gives another.
    pub parameters: Vec<Parameter>,
    /// Its ports in order.
    pub ports: Vec<Declaration>,
    /// Its parts in order.
    pub items: Vec<DatapathItem>,
}

/// A parameter with a value, a compile-time expression.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// The value.
    pub value: Expr,
}

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An input port.
    In,
    /// An output port.
    Out,
    /// A register.
    Reg,
    /// A signal.
    Sig,
}

/// Names of one kind and type.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The kind.
    pub kind: Kind,
    /// The names.
    pub names: Vec<Member>,
    /// The type.
    pub ty: Type,
}

/// `ns(width)` or `tc(width)`.
#[derive(Clone, Debug)]
pub struct Type {
    /// True if it is `tc`.
    pub signed: bool,
    /// The width, a compile-time expression.
    pub width: Box<Expr>,
    /// The location.
    pub span: Span,
}

/// The contents of a datapath.
#[derive(Clone, Debug)]
pub enum DatapathItem {
    /// `reg …;` or `sig …;`
    Declaration(Declaration),
    /// `reg name(length) : …;`
    Array(Array),
    /// `lookup …;`
    Lookup(Lookup),
    /// `sfg name { … }` or `always { … }`
    Sfg(Sfg),
    /// `use child(…);`
    Use(Use),
    /// `$trace(value, "file");`
    Trace(Trace),
    /// `for (i : first..last) { … }`
    For(Repeat, Vec<DatapathItem>),
}

/// A value that is written to a file in every cycle.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The value.
    pub value: Expr,
    /// The file.
    pub file: String,
    /// The location.
    pub span: Span,
}

/// Arrays of registers, of one type and content.
#[derive(Clone, Debug)]
pub struct Array {
    /// The arrays' names, each with its length, a compile-time expression.
    pub names: Vec<(Member, Expr)>,
    /// The elements' type.
    pub ty: Type,
    /// The initial values of the first elements, compile-time expressions.
    pub initial: Vec<Expr>,
}

/// Lookup tables of one type and content.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// The tables' names.
    pub names: Vec<Member>,
    /// The entries' type.
    pub ty: Type,
    /// The entries, compile-time expressions.
    pub entries: Vec<Expr>,
}

/// A signal flow graph.
#[derive(Clone, Debug)]
pub struct Sfg {
    /// Its name; none for `always`.
    pub name: Option<Member>,
    /// Its address.
    pub span: Span,
    /// The local declaration, if there is one.
    pub local: Option<Declaration>,
    /// Its statements.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Expressions, assignments as a rule.
    Expressions(Vec<Expr>),
    /// `$display(…)`
    Display {
        /// The items that it prints.
        items: Vec<Display>,
        /// The location.
        span: Span,
    },
    /// `$finish`
    Finish(Span),
    /// `for (i : first..last) { … }`
    For(Repeat, Vec<Statement>),
}

/// A thing to print.
#[derive(Clone, Debug)]
pub enum Display {
    /// A text as it is.
    Text(String),
    /// A value.
    Value(Expr),
    /// `$cycle` and the like, with the `$`.
    Directive(Name),
}

/// An instance of another datapath.
#[derive(Clone, Debug)]
pub struct Use {
    /// The datapath.
    pub child: Name,
    /// Parameters of it that are not as they are by default.
    pub parameters: Vec<Parameter>,
    /// The connections of its ports: by position, or by name.
    pub arguments: Vec<Connection>,
    /// The location.
    pub span: Span,
}

/// The connection of a port.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The port's name, where it is said: `.port(value)`.
    pub port: Option<Name>,
    /// The value, or what is driven.
    pub value: Expr,
}

/// A controller.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Its name.
    pub name: Name,
    /// The datapath that it drives.
    pub datapath: Name,
    /// Its directive.
    pub body: ControllerBody,
}

/// The kinds of controllers.
#[derive(Clone, Debug)]
pub enum ControllerBody {
    /// A state machine.
    Fsm {
        /// States other than initial ones.
        states: Vec<Name>,
        /// Initial states; one is right.
        initial: Vec<Name>,
        /// `@state transition`.
        transitions: Vec<(Name, Transition)>,
    },
    /// All sfgs in every cycle.
    Hardwired(SfgSet),
    /// One step after the other, again and again.
    Sequencer(Vec<SfgSet>),
}

/// The sfgs of a step.
#[derive(Clone, Debug, Default)]
pub struct SfgSet {
    /// Their names.
    pub names: Vec<Name>,
    /// True if `$trace` stands among them: the step is printed.
    pub traced: bool,
}

/// The transitions of a state.
#[derive(Clone, Debug)]
pub enum Transition {
    /// `(sfgs) -> next;`
    Go {
        /// The sfgs.
        sfgs: SfgSet,
        /// The next state.
        next: Name,
    },
    /// `if (condition) then yes else no`
    If {
        /// The condition.
        condition: Expr,
        /// Taken when it is true.
        yes: Box<Transition>,
        /// Taken when it is not.
        no: Box<Transition>,
    },
}

/// A system: datapaths connected by nets.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name.
    pub name: Name,
    /// Its instances.
    pub uses: Vec<Use>,
    /// Its nets that files drive.
    pub stimuli: Vec<Stimulus>,
}

/// `stimulus(net, "file");`
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// The net.
    pub net: Name,
    /// The file, a hexadecimal number a cycle.
    pub file: String,
    /// The span of the file's name.
    pub span: Span,
}

/// An expression where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The location.
    pub span: Span,
    /// Levels of the tree; 1 for a name or a number.
    pub height: usize,
}

impl Expr {
    /// An expression; its height follows from what it is.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let height = 1 + match &kind {
            ExprKind::Name(_) | ExprKind::Number(_) => 0,
            ExprKind::Member(member) => member.height(),
            ExprKind::Negate(a) | ExprKind::Not(a) | ExprKind::IsZero(a) => a.height,
            ExprKind::Cast(ty, a) => ty.width.height.max(a.height),
            ExprKind::Select(a, b, c) => {
                a.height.max(b.height).max(c.as_ref().map_or(0, |c| c.height))
            }
            ExprKind::Lookup(member, a) => member.height().max(a.height),
            ExprKind::Fold(repeat, _, a) => {
                a.height.max(repeat.first.height).max(repeat.last.height)
            }
            ExprKind::Binary(_, a, b) | ExprKind::Assign(a, b) => a.height.max(b.height),
            ExprKind::Choose(a, b, c) => a.height.max(b.height).max(c.height),
        };
        Self { kind, span, height }
    }
}

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// One of a family of names.
    Member(Box<Member>),
    /// A number.
    Number(BigInt),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `~e`
    Not(Box<Expr>),
    /// `!e`
    IsZero(Box<Expr>),
    /// `(type) e`
    Cast(Type, Box<Expr>),
    /// `e[first]` or `e[first:second]`
    Select(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `table(index)`
    Lookup(Box<Member>, Box<Expr>),
    /// `condition ? yes : no`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `for (i : first..last, operator) e`: the values joined by the operator, from left to right.
    Fold(Box<Repeat>, Binary, Box<Expr>),
    /// `target = value`
    Assign(Box<Expr>, Box<Expr>),
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `#`
    Concat,
    /// `*`
    Mul,
    /// `%`
    Remainder,
    /// `/`
    Divide,
    /// `&&`
    AndAlso,
    /// `||`
    OrElse,
}
