//! Library blocks between a design and programs on processors.
//!
//! Source of what they do: the library of GEZEL 2.5. Each is written in FDL, as other blocks are; what a
//! program does at its addresses arrives in registers that the machine sets for one cycle
//! ([`FACE`](crate::model::FACE)), so that a store of cycle n is seen in cycle n + 1, and a load yields what
//! stands there in the cycle of its answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cocrypt_diag::suggest;

use super::Resolver;
use super::blocks::{Block, Body, Wrong};
use super::files::{BESIDE, outside};
use crate::Dialect;
use crate::ast;
use crate::model::{Core, Face, Route, Window};

/// Blocks of GEZEL's library that are known and not available, by the beginning of their names, and why.
const REFUSED: [(&str, &str); 10] = [
    ("armsystemprobe", "let the program print what it wants to show"),
    (
        "armsfu",
        "custom instructions of SimIt-ARM have no counterpart; reach the design by addresses",
    ),
    (
        "xilinx_",
        "of the Xilinx blocks there are `xilinx_fsl` and the two FIFOs; or use `armsystemsource`",
    ),
    (
        "picoblaze",
        "there is no PicoBlaze; reach the design from another core with `armsystemsource`",
    ),
    ("atm128", "there is no AVR; reach the design from another core with `armsystemsource`"),
    ("atmega128", "there is no AVR; reach the design from another core with `armsystemsource`"),
    ("java", "drive the design by `stimulus`, or run it from Python"),
    ("systemc", "export the design as Verilog or VHDL to run it there"),
    ("nalla_", "export the design as Verilog or VHDL to run it there"),
    ("ijvm", "use `ram` and `rom`, which hold words and bytes"),
];

/// The reason for which a block of GEZEL's library is not available, with what to do instead, if its name
/// is one.
pub(super) fn refusal(kind: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(name, _)| kind.starts_with(name)).map(|(_, help)| *help)
}

/// Bytes of a register in a processor's addresses.
const WORD: u32 = 4;
/// The same of an 8051.
const BYTE: u32 = 1;
/// The external data of an 8051, and its bytes.
const EXTERNAL: Route = Route::Space("external data");
const EXTERNAL_BYTES: u32 = 0x1_0000;
/// The ports of an 8051.
const PORTS: [&str; 4] = ["P0", "P1", "P2", "P3"];
/// The port and the value with which a program of an 8051 ends.
const END: (&str, u8) = ("P3", 0x55);
/// The device that an 8051 is unless a design or the command line names another.
const USUAL_8051: &str = "i8052";

/// Bytes of an `armbuffer` that states none: a page, of which other blocks may take what they name.
const UNSHARED: u32 = 4096;

impl Resolver<'_> {
    /// Sees to it that the processors that blocks name are there.
    pub(super) fn known_cores(&mut self) {
        let Self { model, report, refused, .. } = self;
        for datapath in model.datapaths.iter().filter(|datapath| datapath.original.is_none()) {
            for face in &datapath.faces {
                let is_refused = refused.contains(&face.core);
                if is_refused || model.cores.iter().any(|core| core.name == face.core) {
                    continue;
                }
                let help = match suggest(&face.core, model.cores.iter().map(|core| &*core.name)) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => "name it in a block of its own, with `iptype \"armsystem\";` and \
                             `ipparm \"exec=program\";`"
                        .to_owned(),
                };
                let message = format!("there is no processor `{}`", face.core);
                report.error("fdl.block", &message, (datapath.span, "this block"), &help);
            }
        }
    }
}

impl Resolver<'_> {
    /// In GEZEL's designs an address belongs to the block that names it, rather than to one that begins below
    /// and reaches up to it.
    pub(super) fn divide_addresses(&mut self) {
        if self.dialect != Dialect::Gezel {
            return;
        }
        let all = self.model.datapaths.iter().flat_map(|datapath| &datapath.faces);
        let mut bases: BTreeMap<(String, Route), BTreeSet<u32>> = BTreeMap::new();
        for face in all {
            let of_core = bases.entry((face.core.clone(), face.route.clone())).or_default();
            of_core.extend(face.windows.iter().map(|window| window.base));
        }
        for face in self.model.datapaths.iter_mut().flat_map(|datapath| &mut datapath.faces) {
            let route = (face.core.clone(), face.route.clone());
            let Some(of_core) = bases.get(&route) else { continue };
            for window in &mut face.windows {
                let above = of_core.range(window.base.saturating_add(1)..).next();
                let room = above.map_or(u32::MAX - window.base, |above| above - window.base);
                window.size = window.size.min(room);
            }
        }
    }
}

impl Block<'_, '_> {
    /// The FDL of a block at a processor; nothing if it is none.
    pub(super) fn at_processor(&self, kind: &str) -> Result<Option<Body>, Wrong> {
        let body = match kind {
            "armsystem" | "i8051system" => Body::default(),
            "armsystemsource" => self.program_to_design()?,
            "armsystemsink" => self.design_to_program()?,
            "armbuffer" => self.shared_words()?,
            "i8051systemsource" => {
                let [data] = self.ports()?;
                self.byte_face(source(&data, BYTE), Route::Latch)?
            }
            "i8051systemsink" => {
                let [data] = self.ports()?;
                self.byte_face(sink(&data, BYTE), Route::Pins)?
            }
            "i8051buffer" => self.shared_bytes()?,
            "armfslslave" => {
                let [data, exists, read] = self.ports()?;
                let text = format!("always {{ {} }}", slave(&data, &exists, &read, 0));
                self.one_face(SLAVE.to_owned() + &text, &[("write", 0), ("status", 4)])?
            }
            "armfslmaster" => {
                let [data, full, write] = self.ports()?;
                let value = "sw0_value = (sw0_address == 4) ? own_filled : own_sent;";
                let text = format!("always {{ {} {value} }}", master(&data, &full, &write, 0));
                self.one_face(MASTER.to_owned() + &text, &[("read", 0), ("status", 4)])?
            }
            "xilinx_fsl" => self.both_ways()?,
            "xilinx_ipif_rdfifo" => self.read_fifo()?,
            "xilinx_ipif_wrfifo" => self.write_fifo()?,
            "armfifo" => self.between_programs()?,
            _ => return Ok(None),
        };
        Ok(Some(body))
    }

    /// The processor that a block `armsystem` or `i8051system` is; nothing of another.
    pub(super) fn core(&self, kind: &str) -> Result<Option<Core>, Wrong> {
        let (usual, ends) = match kind {
            "armsystem" => (None, None),
            "i8051system" => (Some(USUAL_8051.to_owned()), Some((END.0.to_owned(), END.1))),
            _ => return Ok(None),
        };
        let period = if self.has("period") { self.number("period")? } else { 1 };
        Ok(Some(Core {
            name: self.written.name.text.clone(),
            program: self.program()?,
            device: if self.has("device") { Some(self.text("device")?.0) } else { usual },
            period,
            ends,
            span: self.written.name.span,
        }))
    }

    /// The file of a program with its words, below the design's folder.
    fn program(&self) -> Result<String, Wrong> {
        let (text, span) = self.text("exec")?;
        match text.split_whitespace().next().and_then(outside) {
            Some(why) => Err((format!("the program `{text}` {why}"), span, BESIDE.to_owned())),
            None => Ok(text),
        }
    }

    /// A register that the program writes.
    fn program_to_design(&self) -> Result<Body, Wrong> {
        let [data] = self.ports()?;
        let words = self.words_of_port();
        if words > 1 {
            return self.wide_source(&data, words);
        }
        self.one_face(source(&data, WORD), &[("address", 0)])
    }

    /// A value that the program reads.
    fn design_to_program(&self) -> Result<Body, Wrong> {
        let [data] = self.ports()?;
        let words = self.words_of_port();
        if words > 1 {
            let mut value = "(ns(32)) 0".to_owned();
            for word in 0..words {
                let part = format!("(ns(32)) ({data}[{}:{}])", 32 * word + 31, 32 * word);
                value = format!("(sw0_address == {}) ? {part} : ({value})", WORD * word);
            }
            return self.words_face(format!("always {{ sw0_value = {value}; }}"), words);
        }
        self.one_face(sink(&data, WORD), &[("address", 0)])
    }

    /// The words of the block's port: one, but in GEZEL's designs as many as it has bits for.
    fn words_of_port(&self) -> u32 {
        let width = self.widths.first().copied().unwrap_or(1);
        if self.files.dialect == Dialect::Gezel { width.div_ceil(8 * WORD).max(1) } else { 1 }
    }

    /// Registers that the program writes, the lowest word first, and that are one value to the design.
    fn wide_source(&self, data: &str, words: u32) -> Result<Body, Wrong> {
        let (mut text, mut value, mut parts) = (String::new(), "(ns(32)) 0".to_owned(), vec![]);
        for word in 0..words {
            let (register, at) = (format!("own_{word}"), WORD * word);
            let _ = write!(
                text,
                "{register} = (sw0_write & (sw0_address == {at})) ? sw0_data : {register}; "
            );
            value = format!("(sw0_address == {at}) ? {register} : ({value})");
            parts.insert(0, register);
        }
        let (registers, whole) = (parts.join(", "), parts.join(" # "));
        let text = format!(
            "reg {registers} : ns(32); always {{ {text} {data} = {whole}; sw0_value = {value}; }}"
        );
        self.words_face(text, words)
    }

    /// A block with so many words from its address on.
    fn words_face(&self, text: String, words: u32) -> Result<Body, Wrong> {
        let window = Window { base: self.address("address")?, size: WORD * words, offset: 0 };
        Ok(Body { text, faces: vec![self.face("core", vec![window])?], ..Body::default() })
    }

    /// A block with a byte that a program reaches at a port, or in external data.
    fn byte_face(&self, text: String, port: fn(String) -> Route) -> Result<Body, Wrong> {
        if self.has("xbus") {
            return self.external_face(text, BYTE);
        }
        let (name, span) = self.text("port")?;
        if !PORTS.contains(&&*name) {
            let help = format!("name one of {}", PORTS.join(", "));
            return Err((format!("there is no port `{name}`"), span, help));
        }
        let window = Window { base: 0, size: BYTE, offset: 0 };
        let face = Face { route: port(name), ..self.face("core", vec![window])? };
        Ok(Body { text, faces: vec![face], ..Body::default() })
    }

    /// A block with so many bytes of external data from the address on that `xbus` gives.
    fn external_face(&self, text: String, size: u32) -> Result<Body, Wrong> {
        let (written, span) = self.text("xbus")?;
        let base = super::blocks::number(&written, 10)
            .and_then(|base| u32::try_from(base).ok())
            .filter(|base| u64::from(*base) + u64::from(size) <= EXTERNAL_BYTES.into());
        let base = base.ok_or_else(|| {
            let help = format!(
                "its {EXTERNAL_BYTES:#x} bytes begin at 0; write `xbus` in hex behind `0x`"
            );
            ("this is not in external data".to_owned(), span, help)
        })?;
        let window = Window { base, size, offset: 0 };
        let face = Face { route: EXTERNAL, ..self.face("core", vec![window])? };
        Ok(Body { text, faces: vec![face], ..Body::default() })
    }

    /// Bytes of external data that both write.
    fn shared_bytes(&self) -> Result<Body, Wrong> {
        let ports = self.ports()?;
        let size = u32::try_from(self.number("xrange")?).unwrap_or(u32::MAX);
        self.external_face(shared_memory(&ports, size, BYTE), size)
    }

    /// Words that both write.
    fn shared_words(&self) -> Result<Body, Wrong> {
        let ports @ [_, odata, _, _] = &self.ports()?;
        if self.files.dialect == Dialect::Gezel && !self.has("range") {
            return self.unshared_memory(odata);
        }
        let (base, size) = (self.address("address")?, self.number("range")?);
        let size = u32::try_from(size).ok().filter(|size| size % WORD == 0).ok_or_else(|| {
            let help = "give the bytes of whole words".to_owned();
            let span = self
                .parameters
                .get("range")
                .map_or(self.written.name.span, |parameter| parameter.1);
            (format!("`range` must be a multiple of {WORD}"), span, help)
        })?;
        let text = shared_memory(ports, size, WORD);
        let window = Window { base, size, offset: 0 };
        Ok(Body { text, faces: vec![self.face("core", vec![window])?], ..Body::default() })
    }

    /// Memory of the program of which no byte is within the design's range: the design reads 0, and the
    /// program finds there what it stored.
    fn unshared_memory(&self, odata: &str) -> Result<Body, Wrong> {
        if !self.has("address") {
            return Ok(Body { text: format!("always {{ {odata} = 0; }}"), ..Body::default() });
        }
        let text = format!(
            "reg own_m({}) : ns(32); sig own_there, own_old, own_mask : ns(32); sig own_by : ns(5); \
             always {{ {odata} = 0; own_there = sw0_address >> 2; own_old = own_m(own_there); \
             own_by = sw0_address[1:0] # (ns(3)) 0; own_mask = (ns(32)) (sw0_mask << own_by); \
             own_m(own_there) = sw0_write ? \
             (own_old & ~own_mask) | ((ns(32)) (sw0_data << own_by) & own_mask) : own_old; \
             sw0_value = own_old; }}",
            UNSHARED / WORD
        );
        let window = Window { base: self.address("address")?, size: UNSHARED, offset: 0 };
        Ok(Body { text, faces: vec![self.face("core", vec![window])?], ..Body::default() })
    }

    /// A place for one word in either direction.
    fn both_ways(&self) -> Result<Body, Wrong> {
        let [_, read, data_in, control, exists, _, write, data_out, _, full] = self.ports()?;
        let text = format!(
            "{SLAVE} {MASTER} always {{ {} {} {control} = 0; \
             sw0_value = (sw0_address == 12) ? own_filled : \
             (sw0_address == 8) ? own_sent : (sw0_address == 4) ? own_there : own_token; }}",
            slave_side(&data_in, &exists, &read, 0),
            master(&data_out, &full, &write, 8),
        );
        let places =
            [("slavewrite", 0), ("slavestatus", 4), ("masterread", 8), ("masterstatus", 12)];
        self.one_face(text, &places)
    }

    /// Words from the design to the program.
    fn read_fifo(&self) -> Result<Body, Wrong> {
        let [request, data, acknowledge, almost, full] = self.ports()?;
        let depth = self.number("depth")?;
        let text = format!(
            "{} sig own_push, own_pop : ns(1); sig own_after, own_last, own_tail : ns(32); \
             always {{ own_push = ({request} == 1) & (own_count < {depth}); {acknowledge} = own_push; \
             own_pop = sw0_read & (sw0_address == 0) & (own_count != 0); \
             own_after = own_count + own_push; {almost} = own_after == {depth} - 1; \
             {full} = own_after == {depth}; {} \
             sw0_value = (sw0_address == 4) ? own_count : \
             (own_count == 0) ? (ns(32)) 0 : own_m(own_head); }}",
            queue(depth),
            turn(depth, &data),
        );
        self.one_face(text, &[("read", 0), ("status", 4)])
    }

    /// Words from the program to the design.
    fn write_fifo(&self) -> Result<Body, Wrong> {
        let [request, data, acknowledge, almost, empty] = self.ports()?;
        let depth = self.number("depth")?;
        let text = format!(
            "{} reg own_held : ns(32); sig own_push, own_pop : ns(1); \
             sig own_last, own_tail, own_value : ns(32); \
             always {{ own_push = sw0_write & (sw0_address == 0) & (own_count < {depth}); \
             own_pop = ({request} == 1) & (own_count != 0); {acknowledge} = own_pop; \
             {almost} = own_count == 1; {empty} = own_count == 0; {} \
             own_value = own_pop ? own_m(own_head) : own_held; own_held = own_value; \
             {data} = own_value; sw0_value = (sw0_address == 4) ? own_count : (ns(32)) 0; }}",
            queue(depth),
            turn(depth, "sw0_data"),
        );
        self.one_face(text, &[("write", 0), ("status", 4)])
    }

    /// Words from one program to another; no hardware has part in it.
    fn between_programs(&self) -> Result<Body, Wrong> {
        let size = self.number("size")?;
        let text = format!(
            "{} sig own_push, own_pop : ns(1); sig own_last, own_tail : ns(32); \
             always {{ own_push = sw0_write & (sw0_address == 0) & (own_count < {size}); \
             own_pop = sw1_read & (sw1_address == 0) & (own_count != 0); {} \
             sw0_value = (sw0_address == 4) ? (ns(32)) ({size} - own_count) : (ns(32)) 0; \
             sw1_value = (sw1_address == 4) ? own_count : own_m(own_head); }}",
            queue(size),
            turn(size, "sw0_data"),
        );
        let face = |core, base| {
            let window = Window { base: self.address(base)?, size: 2 * WORD, offset: 0 };
            self.face(core, vec![window])
        };
        let faces = vec![face("sendcore", "sendbase")?, face("receivecore", "receivebase")?];
        Ok(Body { text, faces, ..Body::default() })
    }

    /// A block with registers at the addresses that parameters give.
    fn one_face(&self, text: String, places: &[(&str, u32)]) -> Result<Body, Wrong> {
        // GEZEL's programs need not ask whether a word is there.
        let is_left_out = |key: &str| {
            self.files.dialect == Dialect::Gezel && key.ends_with("status") && !self.has(key)
        };
        let window = |(key, offset): &(&str, u32)| {
            Ok(Window { base: self.address(key)?, size: WORD, offset: *offset })
        };
        let places = places.iter().filter(|(key, _)| !is_left_out(key));
        let windows = places.map(window).collect::<Result<_, Wrong>>()?;
        Ok(Body { text, faces: vec![self.face("core", windows)?], ..Body::default() })
    }

    fn face(&self, core: &str, windows: Vec<Window>) -> Result<Face, Wrong> {
        Ok(Face { core: self.text(core)?.0, route: Route::Memory, windows })
    }

    /// An address of a word.
    fn address(&self, key: &str) -> Result<u32, Wrong> {
        let (text, span) = self.text(key)?;
        let number = super::blocks::number(&text, 10).and_then(|number| u32::try_from(number).ok());
        number.filter(|address| address % WORD == 0).ok_or_else(|| {
            let help = format!("write it in hex behind `0x`, as a multiple of {WORD}");
            (format!("`{key}` is no address of a word"), span, help)
        })
    }

    fn has(&self, key: &str) -> bool {
        self.parameters.contains_key(key)
    }
}

/// The declarations that each face brings along.
pub(super) fn face_symbols(number: usize) -> String {
    format!(
        "reg sw{number}_address, sw{number}_data, sw{number}_mask : ns(32); \
         reg sw{number}_write, sw{number}_read : ns(1); sig sw{number}_value : ns(32); "
    )
}

/// A value of so many bytes on each part of a word of that width, as a program reads any of them.
fn on_all_lanes(value: &str, bytes: u32) -> String {
    let lane = format!("((ns({})) ({value}))", 8 * bytes);
    vec![lane; (WORD / bytes) as usize].join(" # ")
}

/// A register of so many bytes that the program writes.
fn source(data: &str, bytes: u32) -> String {
    let (bits, value) = (8 * bytes, on_all_lanes("own_value", bytes));
    format!(
        "reg own_value : ns({bits}); \
         always {{ own_value = sw0_write ? sw0_data : own_value; {data} = own_value; \
         sw0_value = {value}; }}"
    )
}

/// A value of so many bytes that the program reads.
fn sink(data: &str, bytes: u32) -> String {
    format!("always {{ sw0_value = {}; }}", on_all_lanes(data, bytes))
}

/// Memory of so many bytes that both write, in words of `unit` bytes. Two arrays with a port to write each, of
/// which every word is the sum modulo 2, are a memory with two such ports; where both write one word, the
/// program wins.
fn shared_memory([idata, odata, address, wr]: &[String; 4], size: u32, unit: u32) -> String {
    let (bits, words) = (8 * unit, size / unit);
    let (at, there, by) = match unit {
        BYTE => (address.clone(), "sw0_address", "0"),
        _ => (format!("({address} >> 2)"), "sw0_address >> 2", "sw0_address[1:0] # (ns(3)) 0"),
    };
    let read = on_all_lanes("own_old", unit);
    format!(
        "reg own_a({words}) : ns({bits}); reg own_b({words}) : ns({bits}); reg own_held : ns({bits}); \
         sig own_in, own_writes : ns(1); sig own_at, own_there : ns(32); sig own_by : ns(5); \
         sig own_old, own_new, own_value : ns({bits}); sig own_mask : ns(32); \
         always {{ own_in = {at} < {words}; own_at = own_in ? {at} : 0; \
         own_there = {there}; own_by = {by}; \
         own_mask = (ns(32)) (sw0_mask << own_by); \
         own_old = own_a(own_there) ^ own_b(own_there); \
         own_new = (own_old & ~own_mask) | ((ns(32)) (sw0_data << own_by) & own_mask); \
         own_b(own_there) = sw0_write ? own_new ^ own_a(own_there) : own_b(own_there); \
         own_writes = ({wr} == 1) & own_in & ~(sw0_write & (own_at == own_there)); \
         own_a(own_at) = own_writes ? (ns({bits})) {idata} ^ own_b(own_at) : own_a(own_at); \
         own_value = (({wr} == 0) & own_in) ? own_a(own_at) ^ own_b(own_at) : own_held; \
         own_held = own_value; {odata} = own_value; sw0_value = {read}; }}"
    )
}

/// A place for one word from program to design.
const SLAVE: &str =
    "reg own_token : ns(32); reg own_full : ns(1); sig own_there, own_put : ns(1); ";
/// The same in the other direction.
const MASTER: &str =
    "reg own_sent : ns(32); reg own_filled : ns(1); sig own_any, own_taken : ns(1); ";

/// A reader takes the word away in the same cycle, so that it is not available any more.
fn slave_side(data: &str, exists: &str, read: &str, offset: u32) -> String {
    format!(
        "own_there = own_full & ({read} != 1); {exists} = own_there; {data} = own_token; \
         own_put = sw0_write & (sw0_address == {offset}); \
         own_token = own_put ? sw0_data : own_token; own_full = own_put | own_there;"
    )
}

fn slave(data: &str, exists: &str, read: &str, offset: u32) -> String {
    let side = slave_side(data, exists, read, offset);
    format!("{side} sw0_value = (sw0_address == 4) ? own_there : own_token;")
}

/// It is full from the cycle on in which a word comes; a word that comes before that is not kept.
fn master(data: &str, full: &str, write: &str, offset: u32) -> String {
    format!(
        "own_any = own_filled | ({write} == 1); {full} = own_any; \
         own_taken = own_filled & sw0_read & (sw0_address == {offset}); \
         own_sent = own_filled ? own_sent : (ns(32)) {data}; own_filled = own_any & ~own_taken;"
    )
}

fn queue(size: u64) -> String {
    format!("reg own_m({size}) : ns(32); reg own_head, own_count : ns(32); ")
}

/// The next state of a queue by `own_push` and `own_pop`.
fn turn(size: u64, data: &str) -> String {
    format!(
        "own_last = own_head + own_count; own_tail = (own_last < {size}) ? own_last : own_last - {size}; \
         own_m(own_push ? own_tail : 0) = own_push ? (ns(32)) {data} : own_m(0); \
         own_head = own_pop ? ((own_head == {size} - 1) ? (ns(32)) 0 : own_head + 1) : own_head; \
         own_count = own_count + own_push - own_pop;"
    )
}

/// True if a port is called as what stands inside of a block.
pub(super) fn is_own(port: &ast::Name) -> bool {
    ["own_", "sw0_", "sw1_"].iter().any(|prefix| port.text.starts_with(prefix))
}
