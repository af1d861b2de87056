//! Library blocks: each becomes a datapath, written in FDL.
//!
//! Source of what the blocks do: the library of GEZEL 2.5, for all of its simulators.

use std::collections::HashMap;
use std::fmt::Write as _;

use cocrypt_diag::{Source, suggest};
use num_bigint::{BigInt, Sign};

use super::Resolver;
use super::files::{BESIDE, outside};
use super::processors::{face_symbols, is_own, refusal};
use crate::Dialect;
use crate::ast::{self, Item, Kind, Span};
use crate::limits;
use crate::model::{Action, Datapath, Expr, ExprKind, Face, Shown, Trace, Type, UserBlock};
use crate::parser::parse;
use crate::value::MAX_WIDTH;

/// A block's ports, in order: direction, and name in the library.
type Ports = &'static [(Kind, &'static str)];
/// A block of the library: its name, its ports, and the parameters that it knows.
type Entry = (&'static str, Ports, &'static [&'static str]);

const MEMORY: Ports = &[
    (Kind::In, "address"),
    (Kind::In, "wr"),
    (Kind::In, "rd"),
    (Kind::In, "idata"),
    (Kind::Out, "odata"),
    (Kind::Out, "wodata"),
];

const BUFFER: Ports =
    &[(Kind::In, "idata"), (Kind::Out, "odata"), (Kind::In, "address"), (Kind::In, "wr")];

const LIBRARY: [Entry; 23] = [
    ("ram", MEMORY.split_at(5).0, &["size", "wl", "file", "base"]),
    ("wideram", MEMORY, &["size", "wl", "width"]),
    (
        "rom",
        &[(Kind::In, "address"), (Kind::In, "rd"), (Kind::Out, "odata")],
        &["size", "wl", "file", "startbyte"],
    ),
    ("ctr32", &[(Kind::Out, "ctrvalue")], &[]),
    ("gctr32", &[(Kind::In, "enable"), (Kind::Out, "ctrvalue")], &[]),
    ("gfmul16", &[(Kind::In, "a"), (Kind::In, "b"), (Kind::Out, "o")], &[]),
    ("rand16", &[(Kind::Out, "o")], &[]),
    ("tracer", &[(Kind::In, "data")], &["file", "wl"]),
    ("filesource", &[], &["file", "wl", "base"]),
    ("armsystem", &[], &["exec", "fpe_name", "verbose", "period", "device"]),
    ("armsystemsource", &[(Kind::Out, "data")], &["core", "address"]),
    ("armsystemsink", &[(Kind::In, "data")], &["core", "address"]),
    ("armbuffer", BUFFER, &["core", "address", "range"]),
    (
        "armfslslave",
        &[(Kind::Out, "data"), (Kind::Out, "exists"), (Kind::In, "read")],
        &["core", "write", "status"],
    ),
    (
        "armfslmaster",
        &[(Kind::In, "data"), (Kind::Out, "full"), (Kind::In, "write")],
        &["core", "read", "status"],
    ),
    ("armfifo", &[], &["sendcore", "receivecore", "size", "sendbase", "receivebase"]),
    (
        "xilinx_fsl",
        &[
            (Kind::In, "FSL_S_Clk"),
            (Kind::In, "FSL_S_Read"),
            (Kind::Out, "FSL_S_Data"),
            (Kind::Out, "FSL_S_Control"),
            (Kind::Out, "FSL_S_Exists"),
            (Kind::In, "FSL_M_Clk"),
            (Kind::In, "FSL_M_Write"),
            (Kind::In, "FSL_M_Data"),
            (Kind::In, "FSL_M_Control"),
            (Kind::Out, "FSL_M_Full"),
        ],
        &["core", "slavewrite", "slavestatus", "masterread", "masterstatus"],
    ),
    ("i8051system", &[], &["exec", "verbose", "period", "device"]),
    ("i8051systemsource", &[(Kind::Out, "data")], &["core", "port", "xbus"]),
    ("i8051systemsink", &[(Kind::In, "data")], &["core", "port", "xbus"]),
    ("i8051buffer", BUFFER, &["core", "xbus", "xrange"]),
    (
        "xilinx_ipif_rdfifo",
        &[
            (Kind::In, "IP2RFIFO_WrReq"),
            (Kind::In, "IP2RFIFO_Data"),
            (Kind::Out, "RFIFO2IP_WrAck"),
            (Kind::Out, "RFIFO2IP_AlmostFull"),
            (Kind::Out, "RFIFO2IP_Full"),
        ],
        &["core", "depth", "read", "status"],
    ),
    (
        "xilinx_ipif_wrfifo",
        &[
            (Kind::In, "IP2WFIFO_RdReq"),
            (Kind::Out, "WFIFO2IP_Data"),
            (Kind::Out, "WFIFO2IP_RdAck"),
            (Kind::Out, "WFIFO2IP_AlmostEmpty"),
            (Kind::Out, "WFIFO2IP_Empty"),
        ],
        &["core", "depth", "write", "status"],
    ),
];

/// Bits of the widest value of a library block.
const WIDEST: u64 = 4096;

/// The largest number that a parameter may be.
const LARGEST: u64 = 1 << 24;

/// Values of `ipparm`, each with its place.
pub(super) type Parameters = HashMap<String, (String, Span)>;

/// A mistake in a block: the message, its span and what to do.
pub(super) type Wrong = (String, Span, String);

impl Resolver<'_> {
    /// The datapath that a library block is; none after a mistake.
    pub(super) fn block(&mut self, block: &ast::Block) -> Option<Datapath> {
        let [(kind, place)] = &block.types[..] else {
            let help = "say which block of the library it is, once: `iptype \"ram\";`";
            let message = format!("the block `{}` needs one `iptype`", block.name.text);
            self.report.error("fdl.block", &message, (block.name.span, "this block"), help);
            return None;
        };
        let Some((kind, ports, known)) = LIBRARY.iter().find(|entry| entry.0 == kind) else {
            return self.own_block(block, kind, *place);
        };
        self.check_ports(block, kind, ports);
        if self.has_own_name(block) {
            return None;
        }
        let parameters = self.parameters(block, Some(known));
        let widths = self.port_widths(block);
        let made = Block { written: block, parameters, widths, files: self };
        match made.core(kind).and_then(|core| Ok((core, made.body(kind)?))) {
            Ok((core, body)) => {
                if let Some((message, span, help)) = &body.doubt {
                    self.report.warning("fdl.block", message, (*span, "this block"), help);
                }
                self.model.cores.extend(core);
                Some(self.library_block(block, body))
            }
            Err(wrong) => self.wrong_block(wrong),
        }
    }

    /// The datapath that a block of the design's own is.
    fn own_block(&mut self, block: &ast::Block, kind: &str, place: Span) -> Option<Datapath> {
        let Some(user) = self.user_block(kind, place) else {
            self.unknown_block(kind, place);
            return None;
        };
        if self.has_own_name(block) {
            return None;
        }
        let parameters = self.parameters(block, None);
        let types = self.types_of_ports(block);
        let names = |ty: &Type| format!("{}({})", if ty.signed { "tc" } else { "ns" }, ty.width);
        let types: Vec<String> = types.iter().map(names).collect();
        let made = Block { written: block, parameters, widths: vec![], files: self };
        match user.and_then(|user| made.around(user, &types)) {
            Ok(body) => Some(self.library_block(block, body)),
            Err(wrong) => self.wrong_block(wrong),
        }
    }

    fn wrong_block(&mut self, (message, span, help): Wrong) -> Option<Datapath> {
        self.report.error("fdl.block", &message, (span, "this block"), &help);
        None
    }

    /// Returns true if a port has a name that blocks use inside, and reports it.
    fn has_own_name(&mut self, block: &ast::Block) -> bool {
        if let Some(port) = block
            .ports
            .iter()
            .flat_map(|declaration| &declaration.names)
            .find(|port| is_own(&port.name))
        {
            let help = "give the port the name that it has in the library";
            let message = format!("`{}` is a name inside the block", port.name.text);
            self.report.error("fdl.block", &message, (port.name.span, "taken"), help);
            return true;
        }
        false
    }

    /// The widths of a block's ports, in order, which only GEZEL's blocks go by.
    fn port_widths(&mut self, block: &ast::Block) -> Vec<u32> {
        if self.dialect == Dialect::Extended {
            return vec![];
        }
        self.types_of_ports(block).iter().map(|ty| ty.width).collect()
    }

    /// The types of a block's ports, in order. What is wrong with them is said where they are declared.
    fn types_of_ports(&mut self, block: &ast::Block) -> Vec<Type> {
        let said = self.report.list.len();
        let mut types = vec![];
        for declaration in &block.ports {
            let ty = self.ty(&declaration.ty).unwrap_or(Type { width: 1, signed: false });
            types.extend(declaration.names.iter().map(|_| ty));
        }
        self.report.list.truncate(said);
        types
    }

    fn unknown_block(&mut self, kind: &str, place: Span) {
        let names = LIBRARY.map(|entry| entry.0);
        let help = match (refusal(kind), suggest(kind, names)) {
            (Some(instead), _) => instead.to_owned(),
            (_, Some(close)) => format!("did you mean `{close}`?"),
            _ => format!(
                "there are {}; a block of your own is in `{kind}.v` or `{kind}.cpp` beside the design",
                names.join(", ")
            ),
        };
        let message = match refusal(kind) {
            Some(_) => format!("GEZEL's block `{kind}` is not available here"),
            None => format!("the library has no block `{kind}`"),
        };
        self.report.error("fdl.block", &message, (place, "not known"), &help);
    }

    /// Blocks are matched by position; a name that is another is odd.
    fn check_ports(&mut self, block: &ast::Block, kind: &str, ports: &[(Kind, &str)]) {
        let declared = block
            .ports
            .iter()
            .flat_map(|declaration| declaration.names.iter().map(|n| (declaration.kind, &n.name)));
        for ((direction, name), (expected, as_named)) in declared.zip(ports) {
            if direction == *expected && name.text == *as_named {
                continue;
            }
            let word = if *expected == Kind::In { "in" } else { "out" };
            self.report.warning(
                "fdl.block",
                &format!("a `{kind}` calls this port `{word} {as_named}`"),
                (name.span, "matched by position"),
                "declare the ports in the library's order, with its names",
            );
        }
    }

    fn parameters(&mut self, block: &ast::Block, known: Option<&[&str]>) -> Parameters {
        let mut values = HashMap::new();
        for (text, span) in &block.parameters {
            let Some((key, value)) = text.split_once('=') else {
                let message = format!("\"{text}\" sets no parameter");
                let help = "write `ipparm \"key=value\";`";
                self.report.error("fdl.block", &message, (*span, "no `=`"), help);
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            if key == "device" && known.is_some() && self.dialect == Dialect::Gezel {
                let help = "leave `--gezel` out, or say `--device` to `cocrypt fdl sim`";
                let message = "GEZEL has no devices";
                self.report.error("fdl.extension", message, (*span, "an extension"), help);
            } else if known.is_none_or(|known| known.contains(&key)) {
                values.insert(key.to_owned(), (value.to_owned(), *span));
            } else {
                let message = format!("this block has no parameter `{key}`");
                let help = match known.unwrap_or_default() {
                    [] => "remove it".to_owned(),
                    known => format!("it has {}", known.join(", ")),
                };
                self.report.warning("fdl.block", &message, (*span, "ignored"), &help);
            }
        }
        values
    }

    /// Resolves a block that is written in FDL. What is in there stands where the block is named.
    fn library_block(&mut self, block: &ast::Block, body: Body) -> Datapath {
        let faces: String = (0..body.faces.len()).map(face_symbols).collect();
        let text = format!("dp block {{ {faces} {} }}", body.text);
        let file = parse(&Source::new("block", &text), Dialect::Extended).unwrap_or_default();
        let items = file.items.into_iter().find_map(|item| match item {
            Item::Datapath(datapath) => Some(datapath.items),
            _ => None,
        });
        let (name, ports) = (block.name.clone(), block.ports.clone());
        let items = items.unwrap_or_default();
        let parameters = Vec::new();
        let before = self.report.list.len();
        let mut datapath = self.datapath(&ast::Datapath { name, parameters, ports, items });
        // What is said about the text of the block is said about the place where it is named.
        for diagnostic in &mut self.report.list[before..] {
            diagnostic.labels.truncate(1);
            diagnostic.labels.iter_mut().for_each(|label| label.span = block.name.span.range());
        }
        place(&mut datapath, block.name.span);
        self.fill(&mut datapath, body.contents);
        (datapath.faces, datapath.user) = (body.faces, body.user);
        if let Some((port, file)) = &body.trace {
            let symbol = datapath.symbols.iter().position(|symbol| symbol.name == *port);
            datapath.traces.extend(symbol.map(|symbol| {
                let (kind, ty) = (ExprKind::Symbol(symbol), datapath.symbols[symbol].ty);
                let span = block.name.span;
                Trace { value: Expr { kind, ty, span }, file: file.clone(), span }
            }));
        }
        datapath
    }
}

/// The FDL of a block.
#[derive(Default)]
pub(super) struct Body {
    pub text: String,
    /// The contents of the table or array of this name; zeros follow.
    pub contents: Option<(&'static str, Vec<BigInt>)>,
    /// An input that goes to a file.
    pub trace: Option<(String, String)>,
    /// Its face to programs.
    pub faces: Vec<Face>,
    /// The block of another language that it stands for.
    pub user: Option<UserBlock>,
    /// Something about it that is only odd.
    pub doubt: Option<Wrong>,
}

impl Resolver<'_> {
    /// Puts what a file holds into a table or array.
    fn fill(&mut self, datapath: &mut Datapath, contents: Option<(&'static str, Vec<BigInt>)>) {
        let Some((name, values)) = contents else { return };
        for table in datapath.tables.iter_mut().filter(|table| table.name == name) {
            let words = limits::words(values.len(), table.ty.width);
            if self.store(words, datapath.span).is_some() {
                table.entries = values.iter().map(|value| table.ty.wrap(value)).collect();
            }
        }
        for array in datapath.arrays.iter_mut().filter(|array| array.name == name) {
            for (place, value) in array.initial.iter_mut().zip(&values) {
                *place = array.ty.wrap(value);
            }
        }
    }
}

/// A block with what its parameters say.
pub(super) struct Block<'a, 'b> {
    pub written: &'a ast::Block,
    pub parameters: Parameters,
    /// The widths of its ports, in order.
    pub widths: Vec<u32>,
    pub files: &'a Resolver<'b>,
}

impl Block<'_, '_> {
    fn body(&self, kind: &str) -> Result<Body, Wrong> {
        if let Some(body) = self.at_processor(kind)? {
            return Ok(body);
        }
        let text = match kind {
            "ram" => return self.ram(),
            "wideram" => self.wide()?,
            "rom" => return self.rom(),
            "filesource" => return self.source(),
            "ctr32" => {
                let [value] = self.ports()?;
                format!("reg n : ns(32); always {{ n = n + 1; {value} = n + 1; }}")
            }
            "gctr32" => {
                let [enable, value] = self.ports()?;
                format!(
                    "reg n : ns(32); sig next : ns(32); \
                     always {{ next = {enable} ? n + 1 : n; n = next; {value} = next; }}"
                )
            }
            "gfmul16" => self.product()?,
            "rand16" => self.random()?,
            _ => {
                let [data] = self.ports()?;
                let trace = Some((data, self.text("file")?.0));
                return Ok(Body { text: "always { }".to_owned(), trace, ..Body::default() });
            }
        };
        Ok(Body { text, ..Body::default() })
    }

    /// A synchronous memory with one port: what is written is read at once, and held until the next read.
    fn ram(&self) -> Result<Body, Wrong> {
        let [address, wr, rd, idata, odata] = self.ports()?;
        let (size, wl) = self.memory()?;
        let has_file = self.parameters.contains_key("file");
        let given = if has_file { Some(self.pairs(size)) } else { None };
        let (words, doubt) = self.initial(given.transpose())?;
        let contents = words.map(|words| ("m", words));
        let text = format!(
            "reg m({size}) : ns({wl}); reg held : ns({wl}); \
             always {{ m({wr} ? {address} : 0) = {wr} ? (ns({wl})) {idata} : m(0); \
             held = {rd} ? ({wr} ? (ns({wl})) {idata} : m({rd} ? {address} : 0)) : held; \
             {odata} = held; }}"
        );
        Ok(Body { text, contents, doubt, ..Body::default() })
    }

    /// The words that a memory holds at first. What cannot be read is odd to GEZEL, and the words are 0.
    fn initial<T>(
        &self,
        given: Result<Option<T>, Wrong>,
    ) -> Result<(Option<T>, Option<Wrong>), Wrong> {
        match given {
            Ok(words) => Ok((words, None)),
            Err((message, span, help)) if self.files.dialect == Dialect::Gezel => {
                Ok((None, Some((format!("{message}; the memory starts with zeros"), span, help))))
            }
            Err(wrong) => Err(wrong),
        }
    }

    /// The words of a memory, and their bits.
    fn memory(&self) -> Result<(u64, u64), Wrong> {
        let (size, wl) = (self.number("size")?, self.number("wl")?);
        let words = limits::words(size as usize, wl.min(u32::MAX.into()) as u32);
        if wl > u64::from(MAX_WIDTH) || words > limits::WORDS {
            let most = limits::WORDS;
            let message = format!("this memory has more than {most} words of 64 bits");
            let help = "make `size` or `wl` smaller".to_owned();
            return Err((message, self.written.name.span, help));
        }
        Ok((size, wl))
    }

    /// A memory that is read at once, a word and several from there on, the first of them the highest;
    /// where it ends, so do they.
    fn wide(&self) -> Result<String, Wrong> {
        let [address, wr, rd, idata, odata, wodata] = self.ports()?;
        let (size, wl) = self.memory()?;
        let width = if self.parameters.contains_key("width") { self.number("width")? } else { 1 };
        if width.saturating_mul(wl) > WIDEST {
            let help = format!("keep `width` times `wl` at {WIDEST} bits or less");
            return Err(("the wide output is too wide".to_owned(), self.written.name.span, help));
        }
        let mut text = format!(
            "reg own_m({size}) : ns({wl}); reg own_word : ns({wl}); reg own_words : ns({}); \
             sig own_reads, own_writes : ns(1); sig own_at : ns(32); ",
            width * wl
        );
        let mut reads = "own_0 = own_m(own_at); ".to_owned();
        for at in 0..width {
            write!(text, "sig own_{at} : ns({}); ", (at + 1) * wl).unwrap_or_default();
            if let Some(below) = at.checked_sub(1) {
                write!(
                    reads,
                    "own_{at} = (own_at + {at} < {size}) ? \
                     own_{below} # own_m((own_at + {at} < {size}) ? own_at + {at} : 0) : own_{below}; "
                )
                .unwrap_or_default();
            }
        }
        let last = width - 1;
        write!(
            text,
            "sig own_odata : ns({wl}); sig own_wodata : ns({}); \
             always {{ own_reads = {rd} == 1; own_writes = {wr} == 1; \
             own_at = (own_reads | own_writes) ? {address} : 0; {reads} \
             own_odata = own_reads ? own_0 : own_word; own_word = own_odata; {odata} = own_odata; \
             own_wodata = own_reads ? own_{last} : own_words; own_words = own_wodata; \
             {wodata} = own_wodata; \
             own_m(own_at) = own_writes ? (ns({wl})) {idata} : own_m(own_at); }}",
            width * wl
        )
        .unwrap_or_default();
        Ok(text)
    }

    /// A memory that is read at once and never written; its words stand in a file, most significant
    /// byte first, behind a few bytes that are skipped.
    fn rom(&self) -> Result<Body, Wrong> {
        let [address, rd, odata] = self.ports()?;
        let (size, wl) = self.memory()?;
        self.text("file")?;
        let (bytes, doubt) = self.initial(self.whole_file().map(Some))?;
        let bytes = bytes.unwrap_or_default();
        let skipped = match self.parameters.get("startbyte") {
            None => 4,
            Some((text, span)) => number(text, 10).ok_or_else(|| {
                let help = "write how many bytes of the file to skip".to_owned();
                ("`startbyte` must be a number".to_owned(), *span, help)
            })?,
        };
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX).min(bytes.len());
        let word_bytes = usize::try_from(wl.div_ceil(8)).unwrap_or(usize::MAX);
        let word = |bytes: &[u8]| BigInt::from_bytes_be(Sign::Plus, bytes);
        let mut words: Vec<BigInt> =
            bytes[skipped..].chunks(word_bytes).take(size as usize).map(word).collect();
        words.resize(size as usize, BigInt::ZERO);
        let text = format!(
            "lookup own_t : ns({wl}) = {{ 0 }}; reg own_held : ns({wl}); sig own_value : ns({wl}); \
             always {{ own_value = ({rd} == 1) ? own_t(({rd} == 1) ? {address} : 0) : own_held; \
             own_held = own_value; {odata} = own_value; }}"
        );
        Ok(Body { text, contents: Some(("own_t", words)), doubt, ..Body::default() })
    }

    /// The bytes of the block's file.
    fn whole_file(&self) -> Result<Vec<u8>, Wrong> {
        let (name, span) = self.file()?;
        self.files.files.bytes(&name).map_err(|why| {
            (format!("`{name}` cannot be read: {why}"), span, "put it beside the design".to_owned())
        })
    }

    /// The words that a file of addresses and values gives a memory.
    fn pairs(&self, size: u64) -> Result<Vec<BigInt>, Wrong> {
        let base = if self.parameters.contains_key("base") { self.number("base")? } else { 16 };
        let (numbers, span) = self.numbers(base as u32)?;
        let wrong = |what: &str| {
            let help = format!("write pairs of address and value, of base {base}");
            (format!("the file {what}"), span, help)
        };
        let mut words = vec![BigInt::ZERO; usize::try_from(size).unwrap_or_default()];
        for pair in numbers.chunks(2) {
            let [address, value] = pair else { return Err(wrong("ends with an address")) };
            let word = usize::try_from(*address).ok().and_then(|address| words.get_mut(address));
            *word.ok_or_else(|| wrong("goes past the memory's end"))? = BigInt::from(*value);
        }
        Ok(words)
    }

    /// The product in GF(2^16) modulo 0x1100b.
    fn product(&self) -> Result<String, Wrong> {
        let [a, b, o] = self.ports()?;
        let names: Vec<String> = (0..16).map(|bit| format!("t{bit}")).collect();
        let mut text = format!("sig {} : ns(16); always {{ t0 = {a}; ", names.join(", "));
        for bit in 1..16 {
            let below = bit - 1;
            write!(text, "t{bit} = (t{below}[14:0] # (ns(1)) 0) ^ (t{below}[15] ? 0x100b : 0); ")
                .unwrap_or_default();
        }
        let terms: Vec<String> =
            (0..16).map(|bit| format!("({b}[{bit}] ? t{bit} : (ns(16)) 0)")).collect();
        write!(text, "{o} = {}; }}", terms.join(" ^ ")).unwrap_or_default();
        Ok(text)
    }

    /// The low bits of what `rand` of the GNU C library yields with its first seed: an additive
    /// feedback generator over 31 words.
    fn random(&self) -> Result<String, Wrong> {
        let [o] = self.ports()?;
        let mut words = vec![1i64];
        for at in 1..31 {
            words.push(16_807 * words[at - 1] % 2_147_483_647);
        }
        words.extend_from_within(..3);
        for at in 34..344 {
            words.push((words[at - 3] + words[at - 31]) & 0xffff_ffff);
        }
        let last: Vec<String> = words[313..].iter().map(ToString::to_string).collect();
        Ok(format!(
            "reg r(31) : ns(32) = {{ {} }}; reg p : ns(5); sig n : ns(32); \
             always {{ n = r(p) + r((p + (ns(6)) 28) % 31); r(p) = n; \
             p = (p == 30) ? 0 : p + 1; {o} = n[16:1]; }}",
            last.join(", ")
        ))
    }

    /// Numbers from a file, one for each port in each cycle.
    fn source(&self) -> Result<Body, Wrong> {
        let base = if self.parameters.contains_key("base") { self.number("base")? } else { 16 };
        let (numbers, span) = self.numbers(base as u32)?;
        let ports: Vec<&str> = self.names().collect();
        if ports.is_empty() || numbers.is_empty() {
            let help = "declare an output for each number of a cycle".to_owned();
            return Err(("there is nothing to give, or nobody to take it".to_owned(), span, help));
        }
        let wl = if self.parameters.contains_key("wl") { self.number("wl")? } else { 32 };
        let entries = numbers.into_iter().map(BigInt::from).collect();
        let mut text = format!(
            "lookup t : ns({wl}) = {{ 0 }}; reg n : ns(32); always {{ n = n + {}; ",
            ports.len()
        );
        for (at, port) in ports.iter().enumerate() {
            write!(text, "{port} = t(n + {at}); ").unwrap_or_default();
        }
        text.push('}');
        Ok(Body { text, contents: Some(("t", entries)), ..Body::default() })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.written
            .ports
            .iter()
            .flat_map(|declaration| declaration.names.iter().map(|name| name.name.text.as_str()))
    }

    /// The names of the ports, which must be so many.
    pub(super) fn ports<const COUNT: usize>(&self) -> Result<[String; COUNT], Wrong> {
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        let given = names.len();
        names.try_into().map_err(|_| {
            let message = format!("this block has {COUNT} ports, not {given}");
            (message, self.written.name.span, "declare the library's ports in order".to_owned())
        })
    }

    pub(super) fn text(&self, key: &str) -> Result<(String, Span), Wrong> {
        self.parameters.get(key).cloned().ok_or_else(|| {
            let message = format!("this block needs the parameter `{key}`");
            (message, self.written.name.span, format!("add `ipparm \"{key}=…\";`"))
        })
    }

    /// The name of the block's file, which lies below the design's folder.
    fn file(&self) -> Result<(String, Span), Wrong> {
        let (name, span) = self.text("file")?;
        match outside(&name) {
            Some(why) => Err((format!("`{name}` {why}"), span, BESIDE.to_owned())),
            None => Ok((name, span)),
        }
    }

    pub(super) fn number(&self, key: &str) -> Result<u64, Wrong> {
        let (text, span) = self.text(key)?;
        number(&text, 10).filter(|number| (1..=LARGEST).contains(number)).ok_or_else(|| {
            let message = format!("`{key}` must be a number from 1 to {LARGEST}");
            (message, span, "write it in decimal".to_owned())
        })
    }

    /// The numbers in the file of the parameter `file`.
    fn numbers(&self, base: u32) -> Result<(Vec<u64>, Span), Wrong> {
        let (name, span) = self.file()?;
        let text = self.files.files.read(&name).map_err(|why| {
            (format!("`{name}` cannot be read: {why}"), span, "put it beside the design".to_owned())
        })?;
        let words = text.split_whitespace().map(|word| {
            number(word, base).ok_or_else(|| {
                let help = format!("write numbers of base {base}, separated by white space");
                (format!("`{word}` in `{name}` is no number"), span, help)
            })
        });
        Ok((words.collect::<Result<_, _>>()?, span))
    }
}

/// A number in some base, or in hex behind `0x`.
pub(super) fn number(text: &str, base: u32) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if (2..=36).contains(&base) => u64::from_str_radix(text, base).ok(),
        None => None,
    }
}

/// Puts everything that a datapath consists of at one place of the file.
fn place(datapath: &mut Datapath, span: Span) {
    let ports = datapath.ports.len();
    datapath.symbols[ports..].iter_mut().for_each(|symbol| symbol.span = span);
    datapath.tables.iter_mut().for_each(|table| table.span = span);
    datapath.arrays.iter_mut().for_each(|array| array.span = span);
    for sfg in &mut datapath.sfgs {
        sfg.span = span;
        for assign in &mut sfg.assigns {
            assign.span = span;
            assign.value.place(span);
        }
        for write in &mut sfg.writes {
            write.span = span;
            write.index.place(span);
            write.value.place(span);
        }
        for action in &mut sfg.actions {
            let Action::Display(shown) = action else { continue };
            for part in shown {
                if let Shown::Value(value, _) = part {
                    value.place(span);
                }
            }
        }
    }
}
