//! Simulated power traces of a function, made on all cores.

use std::path::PathBuf;
use std::sync::Arc;

use cocrypt_config::Leakage;
use cocrypt_soc::{
    Contents, LeakageModel, Outcome, Sample, Sampled, Sampler, Stop, leakage_model, sample_value,
};
use cocrypt_trace::Names as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::convert::{serialized, to_python};
use crate::errors::raise;
use crate::machine::Machine;

/// Reads and checks a leakage model.
#[pyfunction]
pub fn load_leakage(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let model = Leakage::load(&path).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &model)
}

/// Memory by address and size.
type Ranges = Vec<(u32, usize)>;
/// Samples, lengths, digests and contents of several runs.
type Traces<'py> = (Bound<'py, PyBytes>, Vec<usize>, Vec<u64>, Bound<'py, PyBytes>);

/// Runs the function that a machine is about to run, from the same state each time, and samples a leakage
/// model.
#[pyclass(module = "cocrypt._native")]
pub struct LeakageSampler {
    machine: Py<Machine>,
    workers: Vec<Sampler>,
    writes: Ranges,
    reads: Ranges,
}

#[pymethods]
impl LeakageSampler {
    /// The machine stands at the function's first instruction; `model` is the path of a model's file. Each
    /// run writes the memory `writes` and reads `reads` at its end; both are addresses with sizes. A run
    /// takes `max_cycles` at most. `jobs` threads run at once. Runs of equal paths go in lock step, unless
    /// `lock_step` says that each is to be executed by a machine, which gives the same samples.
    #[new]
    #[pyo3(signature = (machine, model, writes, reads, max_cycles, jobs, lock_step = true))]
    #[allow(clippy::too_many_arguments)] // Python names them.
    fn new(
        py: Python<'_>,
        machine: Py<Machine>,
        model: PathBuf,
        writes: Ranges,
        reads: Ranges,
        max_cycles: u64,
        jobs: usize,
        lock_step: bool,
    ) -> PyResult<Self> {
        let described = Leakage::load(&model).map_err(|wrong| raise(py, &wrong))?;
        let model = Arc::new(leakage_model(&described));
        let soc = &machine.borrow(py).soc;
        let absent = |(at, size): &&(u32, usize)| soc.read(*at, *size).is_none();
        if let Some((at, size)) = writes.iter().chain(&reads).find(absent) {
            let message = format!("no memory holds {size} bytes at {at:#x}");
            return Err(PyValueError::new_err(message));
        }
        let worker = |_| {
            let mut worker = Sampler::new(soc, Arc::<LeakageModel>::clone(&model), max_cycles);
            if !lock_step {
                worker.run_alone();
            }
            worker
        };
        let workers = (0..jobs.max(1)).map(worker).collect();
        Ok(Self { machine: machine.clone_ref(py), workers, writes, reads })
    }

    /// The number of runs so far whose samples came from lock step with another run.
    fn together(&self) -> u64 {
        self.workers.iter().map(Sampler::together).sum()
    }

    /// One run with these contents, one behind the other: its instructions, and what they are called in
    /// the sources. A dictionary with `stop` alone if the function did not return.
    fn first<'py>(&mut self, py: Python<'py>, contents: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let Self { workers, writes, reads, machine } = self;
        let first = py.detach(|| run(&mut workers[0], writes, reads, contents, true));
        let sampled = match first {
            Ok(sampled) => sampled,
            Err(stop) => return machine.borrow(py).result(py, &stop, 0.0),
        };
        to_python(py, &describe(&machine.borrow(py), &sampled))
    }

    /// Makes `count` runs with contents that stand one behind the other. Returns `length` samples of each as
    /// floating-point numbers of 32 bits, row by row; how many samples each run had; a digest of the cycles
    /// and addresses of its instructions; and what was read at its end, row by row. Shorter runs are filled
    /// with 0. The stop of a run that did not return is an error's argument.
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        contents: &[u8],
        count: usize,
        length: usize,
    ) -> PyResult<Traces<'py>> {
        let Self { workers, writes, reads, machine } = self;
        let size = total(writes);
        if contents.len() != size * count {
            let message = format!("{count} runs need {size} bytes each");
            return Err(PyValueError::new_err(message));
        }
        let rows: Vec<&[u8]> = (0..count).map(|run| &contents[run * size..][..size]).collect();
        let share = rows.len().div_ceil(workers.len()).max(1);
        let row_size = size_of::<Sample>() * length.max(1);
        let mut parts: Vec<Result<Vec<Outcome>, Stop>> = vec![];
        // Runs write into the memory of the result, which may be large.
        let samples = PyBytes::new_with(py, row_size * rows.len(), |samples| {
            let chunks = samples.chunks_mut(row_size * share);
            let shares = workers.iter_mut().zip(rows.chunks(share).zip(chunks));
            parts = py.detach(|| {
                std::thread::scope(|scope| {
                    let threads: Vec<_> = shares
                        .map(|(worker, (rows, to))| {
                            let (writes, reads) = (&*writes, &*reads);
                            scope.spawn(move || part(worker, (writes, reads), rows, to, row_size))
                        })
                        .collect();
                    let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
                    joined.map(|part| part.expect("a run does not panic")).collect()
                })
            });
            Ok(())
        })?;
        let runs = parts.into_iter().collect::<Result<Vec<_>, _>>().map_err(|stop| {
            let values = machine.borrow(py).result(py, &stop, 0.0);
            values.map_or_else(|error| error, |values| PyValueError::new_err((values.unbind(),)))
        })?;
        let runs = runs.concat();
        let read: Vec<u8> = runs.iter().flat_map(|run| run.contents.concat()).collect();
        Ok((
            samples,
            runs.iter().map(|run| run.length).collect(),
            runs.iter().map(|run| run.digest).collect(),
            PyBytes::new(py, &read),
        ))
    }
}

fn total(ranges: &Ranges) -> usize {
    ranges.iter().map(|(_, size)| size).sum()
}

/// Runs with some of the contents; the samples of each go to the next row.
fn part(
    worker: &mut Sampler,
    (writes, reads): (&Ranges, &Ranges),
    rows: &[&[u8]],
    to: &mut [u8],
    row_size: usize,
) -> Result<Vec<Outcome>, Stop> {
    let contents: Vec<_> = rows.iter().map(|row| split(writes, row)).collect();
    let mut to: Vec<&mut [Sample]> =
        to.chunks_mut(row_size).map(|row| row.as_chunks_mut().0).collect();
    worker.run_all(&contents, reads, &mut to)
}

fn run(
    worker: &mut Sampler,
    writes: &Ranges,
    reads: &Ranges,
    contents: &[u8],
    issues: bool,
) -> Result<Sampled, Stop> {
    worker.run(&split(writes, contents), reads, issues)
}

/// Contents that stand one behind the other, by address.
fn split<'a>(writes: &Ranges, contents: &'a [u8]) -> Contents<'a> {
    let mut rest = contents;
    let mut parts = vec![];
    for &(address, size) in writes {
        let (part, behind) = rest.split_at(size.min(rest.len()));
        parts.push((address, part));
        rest = behind;
    }
    parts
}

/// A run's instructions with their cycles in the window and the bytes that each accessed, and what is said of each
/// address.
fn describe(machine: &Machine, sampled: &Sampled) -> Value {
    let named = machine.named();
    let began = sampled.issues.first().map_or(0, |issue| issue.cycle);
    let mut addresses: Vec<u64> = sampled.issues.iter().map(|issue| issue.pc).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let code = addresses.iter().map(|&pc| {
        let location = named.locations(pc).pop().unwrap_or_default();
        json!({
            "address": pc,
            "text": named.text(pc),
            "function": location.function,
            "file": location.file,
            "line": location.line,
        })
    });
    json!({
        "cycles": sampled.samples.len(),
        "instructions": sampled.instructions,
        "digest": sampled.digest,
        "samples": sampled.samples.iter().map(|&sample| sample_value(sample)).collect::<Vec<_>>(),
        "issues": sampled.issues.iter().map(|issue| (issue.cycle - began, issue.pc)).collect::<Vec<_>>(),
        "accessed": sampled.accessed,
        "code": code.collect::<Vec<_>>(),
    })
}
