//! Waves of signals, as files that wave viewers read: value change dump (IEEE 1364-2005, section 18) and
//! FST, the compressed form of `GTKWave`.

use std::collections::BTreeMap;
use std::io::{Error, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use vcd::{IdCode, TimescaleUnit, Value};

/// A signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal<'a> {
    /// The scope that it lies in: names from the outermost on, with dots between them.
    pub scope: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its width in bits.
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

/// The number of bytes that an FST file buffers until it is written.
const HELD: usize = 1 << 24;

/// A file of waves in the making. Changes may come in any order behind what was written.
pub struct Waves {
    sink: Sink,
    /// Picoseconds of a cycle.
    period: u64,
    /// Bits of each signal.
    widths: Vec<u32>,
    /// The value written last, if there is one, as limbs of 64 bits.
    current: Vec<Vec<u64>>,
    /// The cycle that changes were last written for.
    told: Option<u64>,
    /// The changes that are still to be written, by cycle: signals with their values, the last counts.
    coming: BTreeMap<u64, Vec<(usize, u64)>>,
}

enum Sink {
    Vcd(vcd::Writer<Box<dyn Write + Send>>, Vec<IdCode>),
    Fst(Box<FstBodyWriter<Box<dyn File>>>, Vec<FstSignalId>),
}

/// A writer of waves.
pub trait File: Write + Seek + Send {}
impl<T: Write + Seek + Send> File for T {}

impl Waves {
    /// Begins a file for signals whose scopes follow one another, outer ones first, with a clock of so
    /// many hertz.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(
        format: Format,
        file: Box<dyn File>,
        clock: u64,
        signals: &[Signal<'_>],
    ) -> Result<Self, Error> {
        let sink = match format {
            Format::Vcd => vcd_header(Box::new(file), signals)?,
            Format::Fst => fst_header(file, signals).map_err(Error::other)?,
        };
        Ok(Self {
            sink,
            period: (1_000_000_000_000 / clock.max(1)).max(1),
            widths: signals.iter().map(|signal| signal.width).collect(),
            current: vec![vec![]; signals.len()],
            told: None,
            coming: BTreeMap::new(),
        })
    }

    /// A signal, by its index among those that the file began with, takes a value of 64 bits at most in a
    /// cycle.
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
        for (at, &(signal, value)) in changes.iter().enumerate() {
            if changes[at + 1..].iter().all(|&(later, _)| later != signal) {
                self.put(cycle, signal, &[value])?;
            }
        }
        Ok(())
    }

    /// Writes that a signal takes a value, as limbs of 64 bits, the least significant first, in a cycle that
    /// is not before what was written.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&mut self, cycle: u64, signal: usize, value: &[u64]) -> Result<(), Error> {
        if self.current[signal] == value {
            return Ok(());
        }
        let time = (self.told != Some(cycle)).then_some(cycle * self.period);
        self.told = Some(cycle);
        self.current[signal].clear();
        self.current[signal].extend_from_slice(value);
        self.sink.change(time, signal, self.widths[signal], value)
    }
}

impl Sink {
    fn change(
        &mut self,
        time: Option<u64>,
        signal: usize,
        width: u32,
        value: &[u64],
    ) -> Result<(), Error> {
        let limb = |bit: u32| value.get(bit as usize / 64).copied().unwrap_or(0);
        let bits = (0..width).rev().map(|bit| limb(bit) >> (bit % 64) & 1 != 0);
        match self {
            Self::Vcd(writer, ids) => {
                if let Some(time) = time {
                    writer.timestamp(time)?;
                }
                match width {
                    1 => writer.change_scalar(ids[signal], limb(0) & 1 != 0),
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

/// The steps from one scope to another: so many up, then down into these.
fn way<'a>(from: &[&str], to: &'a str) -> (usize, Vec<&'a str>) {
    let to: Vec<&str> = to.split('.').collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    (from.len() - common, to[common..].to_vec())
}

fn vcd_header(file: Box<dyn Write + Send>, signals: &[Signal<'_>]) -> Result<Sink, Error> {
    let mut writer = vcd::Writer::new(file);
    writer.version("cocrypt")?;
    writer.timescale(1, TimescaleUnit::PS)?;
    let (mut ids, mut open) = (vec![], vec![]);
    for signal in signals {
        let (up, down) = way(&open, signal.scope);
        for _ in 0..up {
            open.pop();
            writer.upscope()?;
        }
        for name in down {
            open.push(name);
            writer.add_module(name)?;
        }
        ids.push(writer.add_wire(signal.width, signal.name)?);
    }
    for _ in open {
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    Ok(Sink::Vcd(writer, ids))
}

fn fst_header(file: Box<dyn File>, signals: &[Signal<'_>]) -> fst_writer::Result<Sink> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -12,
        version: "cocrypt".to_owned(),
        // The same run gives the same file.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::new(file, &info)?;
    let (mut ids, mut open) = (vec![], vec![]);
    for signal in signals {
        let (up, down) = way(&open, signal.scope);
        for _ in 0..up {
            open.pop();
            header.up_scope()?;
        }
        for name in down {
            open.push(name);
            header.scope(name, "", FstScopeType::Module)?;
        }
        let kind = FstSignalType::bit_vec(signal.width);
        let (wire, direction) = (FstVarType::Wire, FstVarDirection::Implicit);
        ids.push(header.var(signal.name, kind, wire, direction, None)?);
    }
    for _ in open {
        header.up_scope()?;
    }
    Ok(Sink::Fst(Box::new(header.finish()?), ids))
}
