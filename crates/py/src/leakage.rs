//! Statistics over trace sets. Arrays go in and out as bytes, in the host's and NumPy's little-endian order.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cocrypt_leak::{Error, Outcome, Part, Statistic, Target, Term, TraceSet};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::traces::failed;

/// The class of each trace (16 bits), the number of guesses, and for each term the classes (16 bits), their
/// number and the table (floating point).
type GivenTarget = (PyBackedBytes, usize, Vec<(PyBackedBytes, usize, PyBackedBytes)>);
/// Peaks, positions and curves of a target.
type GivenOutcome<'py> = (Bound<'py, PyBytes>, Vec<usize>, BTreeMap<usize, Bound<'py, PyBytes>>);
type Bounds = (usize, usize);

/// An attack on each target, with the outcomes after each number of traces; see `cocrypt_leak::attack`.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python names them.
pub fn leak_attack(
    py: Python<'_>,
    path: PathBuf,
    traces: Bounds,
    samples: Bounds,
    targets: Vec<GivenTarget>,
    difference: bool,
    after: Vec<usize>,
    asked: Vec<Option<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Vec<GivenOutcome<'_>>>> {
    let targets: Vec<_> = targets.iter().map(target).collect();
    let statistic = if difference { Statistic::Difference } else { Statistic::Correlation };
    let outcomes = over(py, path, traces, samples, progress, |set, part, step| {
        cocrypt_leak::attack(set, part, &targets, statistic, &after, &asked, step)
    })?;
    let each =
        |outcomes: Vec<Outcome>| outcomes.into_iter().map(|outcome| given(py, outcome)).collect();
    Ok(outcomes.into_iter().map(each).collect())
}

/// The share of each sample's variance that the classes of each target explain.
#[pyfunction]
pub fn leak_explained(
    py: Python<'_>,
    path: PathBuf,
    traces: Bounds,
    samples: Bounds,
    targets: Vec<GivenTarget>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Bound<'_, PyBytes>>> {
    let targets: Vec<_> = targets.iter().map(target).collect();
    let shares = over(py, path, traces, samples, progress, |set, part, step| {
        cocrypt_leak::explained(set, part, &targets, step)
    })?;
    Ok(shares.iter().map(|share| bytes(py, share)).collect())
}

/// Welch's t-test of two groups: their sizes, and the statistic over samples for each order.
#[pyfunction]
pub fn leak_welch(
    py: Python<'_>,
    path: PathBuf,
    traces: Bounds,
    samples: Bounds,
    groups: PyBackedBytes,
    orders: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<([u64; 2], Vec<Bound<'_, PyBytes>>)> {
    let found = over(py, path, traces, samples, progress, |set, part, step| {
        cocrypt_leak::welch(set, part, &groups, orders, step)
    })?;
    Ok((found.counts, found.t.iter().map(|order| bytes(py, order)).collect()))
}

/// Opens a set and works on a part of it without the interpreter lock; Ctrl-C and what `progress` raises
/// stop the work.
fn over<R: Send>(
    py: Python<'_>,
    path: PathBuf,
    traces: Bounds,
    samples: Bounds,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&TraceSet, &Part, &mut dyn FnMut(usize) -> Result<(), Error>) -> Result<R, Error>
    + Send,
) -> PyResult<R> {
    let part = Part { traces: traces.0..traces.1, samples: samples.0..samples.1 };
    let mut raised = None;
    let mut step = |done: usize| {
        let told = Python::attach(|py| {
            py.check_signals()?;
            progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))
        });
        told.map_err(|error| {
            raised = Some(error);
            Error::Stopped
        })
    };
    let result = py.detach(|| work(&TraceSet::open(&path)?, &part, &mut step));
    result.map_err(|error| raised.unwrap_or_else(|| failed(py, &error)))
}

fn target((classes, guesses, terms): &GivenTarget) -> Target {
    let terms = terms.iter().map(|(class, classes, table)| Term {
        class: words(class),
        classes: *classes,
        table: table
            .chunks_exact(8)
            .map(|bytes| f64::from_le_bytes(bytes.try_into().expect("8 bytes")))
            .collect(),
    });
    Target { classes: words(classes), guesses: *guesses, terms: terms.collect() }
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

fn given(py: Python<'_>, outcome: Outcome) -> GivenOutcome<'_> {
    let curves = outcome.curves.iter().map(|(guess, curve)| (*guess, bytes(py, curve)));
    (bytes(py, &outcome.peaks), outcome.positions, curves.collect())
}

fn bytes<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    PyBytes::new(py, &bytes)
}
