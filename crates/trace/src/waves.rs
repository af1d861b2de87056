//! What signals did, as files that wave viewers read: value change dump (IEEE 1364-2005, section 18)
//! and FST, the compressed form of `GTKWave`.

use std::collections::BTreeMap;
use std::io::{Error, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use vcd::{IdCode, TimescaleUnit, Value};

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The scope that it lies in.
    pub scope: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many bits it has, 64 at most.
    pub width: u32,
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump, a text.
    Vcd,
    /// Compressed.
    Fst,
}

/// What an FST file holds back until it is written, in bytes.
const HELD: usize = 1 << 24;

/// A file of waves in the making. Changes may come in any order behind what was written.
pub struct Waves {
    sink: Sink,
    /// Picoseconds of a cycle.
    period: u64,
    signals: Vec<Signal>,
    /// What was written last, if anything.
    current: Vec<Option<u64>>,
    /// What is yet to be written, by cycle: signals with their values, the last counts.
    coming: BTreeMap<u64, Vec<(usize, u64)>>,
}

enum Sink {
    Vcd(vcd::Writer<Box<dyn Write + Send>>, Vec<IdCode>),
    Fst(Box<FstBodyWriter<Box<dyn File>>>, Vec<FstSignalId>),
}

/// Where waves are written.
pub trait File: Write + Seek + Send {}
impl<T: Write + Seek + Send> File for T {}

impl Waves {
    /// Begins a file for signals whose scopes follow one another, with a clock of so many hertz.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(
        format: Format,
        file: Box<dyn File>,
        clock: u64,
        signals: &[Signal],
    ) -> Result<Self, Error> {
        let sink = match format {
            Format::Vcd => vcd_header(Box::new(file), signals)?,
            Format::Fst => fst_header(file, signals).map_err(Error::other)?,
        };
        Ok(Self {
            sink,
            period: (1_000_000_000_000 / clock.max(1)).max(1),
            signals: signals.to_vec(),
            current: vec![None; signals.len()],
            coming: BTreeMap::new(),
        })
    }

    /// A signal, by its place among those that the file began with, takes a value in a cycle.
    pub fn set(&mut self, cycle: u64, signal: usize, value: u64) {
        self.coming.entry(cycle).or_default().push((signal, value));
    }

    /// Writes everything before a cycle.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn pass(&mut self, cycle: u64) -> Result<(), Error> {
        let behind = self.coming.split_off(&cycle);
        let ready = std::mem::replace(&mut self.coming, behind);
        for (at, changes) in ready {
            self.write(at, &changes)?;
        }
        Ok(())
    }

    /// Writes everything, and ends the file in a cycle.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self, cycle: u64) -> Result<(), Error> {
        self.pass(cycle)?;
        let end = cycle * self.period;
        match self.sink {
            Sink::Vcd(mut writer, _) => {
                writer.timestamp(end)?;
                writer.flush()
            }
            Sink::Fst(mut writer, _) => {
                writer.time_change(end).map_err(Error::other)?;
                writer.finish().map_err(Error::other)?.flush()
            }
        }
    }

    fn write(&mut self, cycle: u64, changes: &[(usize, u64)]) -> Result<(), Error> {
        let mut told = false;
        for (at, &(signal, value)) in changes.iter().enumerate() {
            let is_last = changes[at + 1..].iter().all(|&(later, _)| later != signal);
            if !is_last || self.current[signal] == Some(value) {
                continue;
            }
            let time = (!told).then_some(cycle * self.period);
            told = true;
            self.current[signal] = Some(value);
            self.sink.change(time, signal, self.signals[signal].width, value)?;
        }
        Ok(())
    }
}

impl Sink {
    fn change(
        &mut self,
        time: Option<u64>,
        signal: usize,
        width: u32,
        value: u64,
    ) -> Result<(), Error> {
        let bits = (0..width).rev().map(|bit| value >> bit & 1 != 0);
        match self {
            Self::Vcd(writer, ids) => {
                if let Some(time) = time {
                    writer.timestamp(time)?;
                }
                match width {
                    1 => writer.change_scalar(ids[signal], value != 0),
                    _ => writer.change_vector(ids[signal], bits.map(Value::from)),
                }
            }
            Self::Fst(writer, ids) => {
                if let Some(time) = time {
                    if writer.size() > HELD {
                        writer.flush().map_err(Error::other)?;
                    }
                    writer.time_change(time).map_err(Error::other)?;
                }
                let text: Vec<u8> = bits.map(|bit| b'0' + u8::from(bit)).collect();
                writer.signal_change(ids[signal], &text).map_err(Error::other)
            }
        }
    }
}

fn vcd_header(file: Box<dyn Write + Send>, signals: &[Signal]) -> Result<Sink, Error> {
    let mut writer = vcd::Writer::new(file);
    writer.version("cocrypt")?;
    writer.timescale(1, TimescaleUnit::PS)?;
    let mut ids = vec![];
    for group in signals.chunk_by(|a, b| a.scope == b.scope) {
        writer.add_module(group[0].scope)?;
        for signal in group {
            ids.push(writer.add_wire(signal.width, signal.name)?);
        }
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    Ok(Sink::Vcd(writer, ids))
}

fn fst_header(file: Box<dyn File>, signals: &[Signal]) -> fst_writer::Result<Sink> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -12,
        version: "cocrypt".to_owned(),
        // The same run gives the same file.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::new(file, &info)?;
    let mut ids = vec![];
    for group in signals.chunk_by(|a, b| a.scope == b.scope) {
        header.scope(group[0].scope, "", FstScopeType::Module)?;
        for signal in group {
            let kind = FstSignalType::bit_vec(signal.width);
            let (wire, way) = (FstVarType::Wire, FstVarDirection::Implicit);
            ids.push(header.var(signal.name, kind, wire, way, None)?);
        }
        header.up_scope()?;
    }
    Ok(Sink::Fst(Box::new(header.finish()?), ids))
}
