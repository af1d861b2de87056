//! Runs that leave their waves in a file.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::time::Instant;

use cocrypt_soc::{RunEvent, Stop, StopCause, Transfer};
use cocrypt_trace::{Format, Signal, Waves};
use pyo3::prelude::*;

use crate::machine::Machine;

/// Cycles between two looks at signals and progress.
const SLICE: u64 = 200_000;

/// The signals, and their places below.
const SIGNALS: [Signal<'static>; 10] = [
    signal("core", "issue", 1),
    signal("core", "pc", 32),
    signal("bus", "request", 1),
    signal("bus", "write", 1),
    signal("bus", "address", 32),
    signal("bus", "bytes", 4),
    signal("bus", "wdata", 32),
    signal("bus", "rdata", 32),
    signal("bus", "answer", 1),
    signal("device", "marks", 32),
];
const ISSUE: usize = 0;
const PC: usize = 1;
const REQUEST: usize = 2;
const WRITE: usize = 3;
const ADDRESS: usize = 4;
const BYTES: usize = 5;
const WDATA: usize = 6;
const RDATA: usize = 7;
const ANSWER: usize = 8;
const MARKS: usize = 9;

const fn signal(scope: &'static str, name: &'static str, width: u32) -> Signal<'static> {
    Signal { scope, name, width }
}

/// Runs as `Machine.run` does, and writes what core and bus did to a file, in the format `vcd` or
/// `fst`, with a clock of so many hertz.
#[pyfunction]
#[pyo3(signature = (machine, path, format, clock_hz, max_cycles, progress = None))]
pub fn waves<'py>(
    py: Python<'py>,
    machine: &mut Machine,
    path: PathBuf,
    format: &str,
    clock_hz: u64,
    max_cycles: u64,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let started = Instant::now();
    let format = if format == "fst" { Format::Fst } else { Format::Vcd };
    let file = Box::new(BufWriter::new(File::create(&path)?));
    let mut waves = Waves::new(format, file, clock_hz, &SIGNALS)?;
    for signal in [ISSUE, REQUEST, WRITE, ANSWER, MARKS] {
        waves.set(0, signal, 0);
    }
    let mut marked = machine.soc.marks().len();
    let (mut limit, _) = machine.soc.counted();
    let stop = loop {
        limit = limit.saturating_add(SLICE).min(max_cycles);
        let stop = py.detach(|| slice(&mut machine.soc, limit, &mut waves, &mut marked))?;
        if stop.cause != StopCause::CycleLimit || limit == max_cycles {
            break stop;
        }
        limit = limit.max(stop.cycles);
        py.check_signals()?;
        if let Some(progress) = &progress {
            progress.call1((stop.cycles,))?;
        }
    };
    machine.soc.cut(false, &[]);
    py.detach(|| waves.finish(stop.cycles))?;
    machine.result(py, &stop, started.elapsed().as_secs_f64())
}

fn slice(
    soc: &mut cocrypt_soc::Machine,
    limit: u64,
    waves: &mut Waves,
    marked: &mut usize,
) -> io::Result<Stop> {
    let (stop, mut seen) = soc.watch(limit);
    // Where a transfer ends and the next begins, the next comes last.
    seen.sort_by_key(|event| match event {
        RunEvent::Issue { cycle, .. } => *cycle,
        RunEvent::Transfer(transfer) => transfer.request,
    });
    for event in seen {
        match event {
            RunEvent::Issue { cycle, pc } => {
                pulse(waves, ISSUE, cycle, cycle);
                waves.set(cycle, PC, pc.into());
            }
            RunEvent::Transfer(transfer) => show(waves, &transfer),
        }
    }
    let marks = soc.marks();
    for &(cycle, value) in &marks[(*marked).min(marks.len())..] {
        // The device's outputs change behind the cycle of the write.
        waves.set(cycle + 1, MARKS, value.into());
    }
    *marked = marks.len();
    waves.pass(stop.cycles)?;
    Ok(stop)
}

fn show(waves: &mut Waves, transfer: &Transfer) {
    let Transfer { request, answer, address, width, value, writes } = *transfer;
    pulse(waves, REQUEST, request, answer);
    pulse(waves, ANSWER, answer, answer);
    waves.set(request, WRITE, writes.into());
    waves.set(request, ADDRESS, address.into());
    waves.set(request, BYTES, width.bytes().into());
    let data = width.truncate(value);
    if writes {
        waves.set(request, WDATA, data);
    } else {
        waves.set(answer, RDATA, data);
    }
}

/// A signal is up from one cycle to another. Where it falls another may raise it again.
fn pulse(waves: &mut Waves, signal: usize, from: u64, to: u64) {
    waves.set(from, signal, 1);
    waves.set(to + 1, signal, 0);
}
