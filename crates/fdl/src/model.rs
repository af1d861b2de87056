//! A file with its names resolved and its types known.

use cocrypt_diag::{Diagnostic, Source};
pub use cocrypt_rtl::{Language, Route};
use num_bigint::BigInt;

use crate::Dialect;
use crate::ast::Span;
pub use crate::ast::{Binary, Kind};
use crate::limits::words;
use crate::origin::Origins;

/// A type: `ns(width)`, or `tc(width)` when signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Bits.
    pub width: u32,
    /// True if it is two's complement.
    pub signed: bool,
}

/// A symbol of a datapath, by place in [`Datapath::symbols`].
pub type SymbolId = usize;

/// Everything that a file defines.
#[derive(Clone, Debug)]
pub struct Model {
    /// The dialect that it is read in.
    pub dialect: Dialect,
    /// The file, with all that it includes.
    pub source: Source,
    /// The parts of it by the files that they come from.
    pub origins: Origins,
    /// Datapaths in order of definition, clones among them, and systems as datapaths without ports.
    pub datapaths: Vec<Datapath>,
    /// The options of `$option`.
    pub options: Options,
    /// The processors that the file names.
    pub cores: Vec<Core>,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
}

/// A processor that a design names: a block `armsystem` or `i8051system`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// Its name in the file.
    pub name: String,
    /// The program that it runs, and perhaps words for it.
    pub program: String,
    /// The device that it is, where the file says so.
    pub device: Option<String>,
    /// Cycles of the design in one of its own.
    pub period: u64,
    /// The port and the value whose store there ends its program, if there is one.
    pub ends: Option<(String, u8)>,
    /// Its span.
    pub span: Span,
}

/// The face of a block to the program of a processor. The block's side of it are registers that nothing in
/// the design writes, and a signal; see [`FACE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Face {
    /// The processor's name.
    pub core: String,
    /// The part of the processor that the addresses are in.
    pub route: Route,
    /// The addresses.
    pub windows: Vec<Window>,
}

/// A block of the design's own in another language: what the datapath's registers are driven by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserBlock {
    /// The name of its module or class, and of its file.
    pub module: String,
    /// Its language.
    pub language: Language,
    /// True if the module has an input `clk`.
    pub clock: bool,
    /// True if the module has an input `rst`.
    pub reset: bool,
    /// Its parameters.
    pub parameters: Vec<(String, String)>,
    /// Of each output: its name, and that of the register that the block drives.
    pub outputs: Vec<(String, String)>,
}

/// A range of a processor's addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// The offset in the block of the first address.
    pub offset: u32,
}

impl Window {
    /// Returns true if an address is in both.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let end = |window: &Self| u64::from(window.base) + u64::from(window.size);
        u64::from(self.base) < end(other) && u64::from(other.base) < end(self)
    }
}

/// The symbols of the first face in its block: where the program reaches, what it stores, which bits
/// of that count, whether it stores, whether it loads; and last, what a load yields. Those of the second
/// face begin with `sw1` instead.
pub const FACE: [&str; 6] =
    ["sw0_address", "sw0_data", "sw0_mask", "sw0_write", "sw0_read", "sw0_value"];

/// The options of a simulation that `$option` sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every transition of every controller is printed.
    pub debug: bool,
    /// The signals of `$trace` go into a wave file as well.
    pub waves: bool,
    /// The nets whose toggles `$toggle` counts.
    pub toggles: Option<Toggles>,
}

/// The changes of a bit that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggles {
    /// All.
    Both,
    /// From 0 to 1.
    Rising,
}

/// A datapath with its controller.
#[derive(Clone, Debug)]
pub struct Datapath {
    /// Its name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// True if it was written as `system`.
    pub is_system: bool,
    /// The datapath that it was cloned from.
    pub original: Option<usize>,
    /// Ports, registers and signals.
    pub symbols: Vec<Symbol>,
    /// The ports among them, in order.
    pub ports: Vec<SymbolId>,
    /// Lookup tables.
    pub tables: Vec<Table>,
    /// Arrays of registers.
    pub arrays: Vec<Array>,
    /// Signal flow graphs.
    pub sfgs: Vec<Sfg>,
    /// Instances.
    pub uses: Vec<Use>,
    /// Its controller.
    pub controller: Option<Controller>,
    /// The values written to files in every cycle.
    pub traces: Vec<Trace>,
    /// Inputs that files drive, of a system.
    pub stimuli: Vec<Stimulus>,
    /// Its face to programs.
    pub faces: Vec<Face>,
    /// The block of another language that is its body.
    pub user: Option<UserBlock>,
    /// The number of its parts.
    pub size: usize,
}

impl Datapath {
    /// The words of 64 bits of its tables and arrays.
    #[must_use]
    pub fn words(&self) -> usize {
        let tables = self.tables.iter().map(|table| words(table.entries.len(), table.ty.width));
        let arrays = self.arrays.iter().map(|array| words(array.initial.len(), array.ty.width));
        tables.chain(arrays).fold(0, usize::saturating_add)
    }
}

/// A value that is written to a file in every cycle.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The value.
    pub value: Expr,
    /// The file.
    pub file: String,
    /// The span of the file's name.
    pub span: Span,
}

/// An input that a file drives.
#[derive(Clone, Debug)]
pub struct Stimulus {
    /// The input.
    pub net: SymbolId,
    /// The file, a hexadecimal number a cycle.
    pub file: String,
    /// The span of the file's name.
    pub span: Span,
}

/// A port, register or signal.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The scope that declares it.
    pub span: Span,
    /// Its kind.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// The sfg that it is local to.
    pub local: Option<usize>,
}

/// A lookup table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The scope that declares it.
    pub span: Span,
    /// Type of the entries.
    pub ty: Type,
    /// The entries, wrapped to that type.
    pub entries: Vec<BigInt>,
}

/// Registers by number.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// The scope that declares it.
    pub span: Span,
    /// Type of the elements.
    pub ty: Type,
    /// Their initial values, wrapped to that type: as many as there are.
    pub initial: Vec<BigInt>,
}

/// A signal flow graph.
#[derive(Clone, Debug)]
pub struct Sfg {
    /// Its name; `always` for those that are always active.
    pub name: String,
    /// Its address.
    pub span: Span,
    /// True if it is active in every cycle.
    pub always: bool,
    /// Its assignments.
    pub assigns: Vec<Assign>,
    /// Its assignments to elements of arrays.
    pub writes: Vec<Write>,
    /// The items that it prints, in order.
    pub actions: Vec<Action>,
}

/// An element of an array takes a value.
#[derive(Clone, Debug)]
pub struct Write {
    /// The array, by place in [`Datapath::arrays`].
    pub array: usize,
    /// The span of its name.
    pub span: Span,
    /// The index of the element.
    pub index: Expr,
    /// The value, not yet converted to the elements' type.
    pub value: Expr,
}

/// The directives of an sfg, once a cycle.
#[derive(Clone, Debug)]
pub enum Action {
    /// Prints a line.
    Display(Vec<Shown>),
    /// Ends the simulation.
    Finish,
    /// Ends the simulation with this message: the design breaks a rule here.
    Stop(String, Moment),
}

/// The moment of a cycle in which GEZEL finds a breach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// When the controller chooses its transition.
    Choice,
    /// When registers, outputs and instances are computed.
    Evaluation,
    /// At an action, by the places of its sfg and of itself in that.
    Action(usize, usize),
    /// When traces are written.
    Traces,
}

/// A part of a line.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A text as it is.
    Text(String),
    /// A value.
    Value(Expr, Base),
    /// The datapath's name.
    Datapath,
    /// The sfg's name.
    Sfg,
    /// The number of the cycle.
    Cycle,
    /// Bits that changed in this cycle.
    Toggles,
    /// Bits that are 1.
    Ones,
    /// Bits that are 0.
    Zeroes,
}

/// The base of a number in print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// Two, as many digits as the type has bits.
    Binary,
    /// Ten, with a sign.
    Decimal,
    /// Sixteen.
    #[default]
    Hexadecimal,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assign {
    /// The value assigned.
    pub target: SymbolId,
    /// The span of the target.
    pub span: Span,
    /// The value, not yet converted to the target's type.
    pub value: Expr,
}

/// An instance of another datapath.
#[derive(Clone, Debug)]
pub struct Use {
    /// The datapath, by its index in [`Model::datapaths`].
    pub child: usize,
    /// The location.
    pub span: Span,
    /// The connections of the first ports.
    pub arguments: Vec<Argument>,
}

/// The connection of an instance's port.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An input: a value.
    Input(Expr),
    /// An output: what it drives.
    Output(SymbolId, Span),
    /// Nothing: an input is 0, an output goes nowhere.
    Open,
}

/// A controller.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Its name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// Its states. Hardwired controllers have one, sequencers one per step.
    pub states: Vec<State>,
    /// The initial state.
    pub initial: usize,
    /// True if it was written as `sequencer` or `hardwired`.
    pub is_sequencer: bool,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// The scope that declares it.
    pub span: Span,
    /// Its transitions.
    pub decision: Option<Decision>,
}

/// The transitions of a state.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Sfgs run, and the next state is entered.
    Go {
        /// The sfgs, each with the place where it is named.
        sfgs: Vec<(usize, Span)>,
        /// True if `$trace` prints the transition.
        traced: bool,
        /// The next state.
        next: usize,
        /// The location.
        span: Span,
    },
    /// A condition is asked; its bit 0 counts.
    If {
        /// The condition.
        condition: Expr,
        /// Taken when it is 1.
        yes: Box<Decision>,
        /// Taken when it is 0.
        no: Box<Decision>,
    },
}

impl Decision {
    /// Calls back for every `Go` below.
    pub fn each_go<'a>(&'a self, visit: &mut impl FnMut(&'a [(usize, Span)], usize, Span)) {
        match self {
            Self::Go { sfgs, next, span, .. } => visit(sfgs, *next, *span),
            Self::If { yes, no, .. } => {
                yes.each_go(visit);
                no.each_go(visit);
            }
        }
    }
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The type of its value. Values of some operators may lie outside; see [`crate::value`].
    pub ty: Type,
    /// The location.
    pub span: Span,
}

/// Typed expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Constant(BigInt),
    /// A symbol's value.
    Symbol(SymbolId),
    /// A table's entry: the table's place, the index.
    Lookup(usize, Box<Expr>),
    /// An array's element: the array's place, the index.
    Element(usize, Box<Expr>),
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `~e`
    Not(Box<Expr>),
    /// Conversion to the expression's type.
    Cast(Box<Expr>),
    /// As many bits as the type has, from this one on.
    Select(Box<Expr>, u32),
    /// `condition ? yes : no`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Calls back for this expression and all below.
    pub fn each<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Symbol(_) => {}
            ExprKind::Lookup(_, a)
            | ExprKind::Element(_, a)
            | ExprKind::Negate(a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Select(a, _) => a.each(visit),
            ExprKind::Binary(_, a, b) => {
                a.each(visit);
                b.each(visit);
            }
            ExprKind::Choose(a, b, c) => {
                a.each(visit);
                b.each(visit);
                c.each(visit);
            }
        }
    }

    /// The operands, in order.
    fn operands_mut(&mut self) -> Vec<&mut Self> {
        match &mut self.kind {
            ExprKind::Constant(_) | ExprKind::Symbol(_) => vec![],
            ExprKind::Lookup(_, a)
            | ExprKind::Element(_, a)
            | ExprKind::Negate(a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Select(a, _) => vec![a],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Choose(a, b, c) => vec![a, b, c],
        }
    }

    /// Says of this expression and all below that it stands here.
    pub fn place(&mut self, span: Span) {
        self.span = span;
        self.operands_mut().into_iter().for_each(|operand| operand.place(span));
    }

    /// Returns true if no symbol, table or array occurs in it.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Symbol(_) | ExprKind::Lookup(..) | ExprKind::Element(..) => false,
            ExprKind::Negate(a) | ExprKind::Not(a) | ExprKind::Cast(a) | ExprKind::Select(a, _) => {
                a.is_constant()
            }
            ExprKind::Binary(_, a, b) => a.is_constant() && b.is_constant(),
            ExprKind::Choose(a, b, c) => a.is_constant() && b.is_constant() && c.is_constant(),
        }
    }
}

impl Model {
    /// A datapath (or system) by name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.datapaths.iter().position(|datapath| datapath.name == name)
    }

    /// The 1-based line of a place in its file.
    #[must_use]
    pub fn line(&self, span: Span) -> usize {
        self.origins.line(span.start)
    }

    /// The file of a place.
    #[must_use]
    pub fn file(&self, span: Span) -> &str {
        &self.origins.place(span.start).0.name
    }
}
