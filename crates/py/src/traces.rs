//! Trace sets that Python writes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cocrypt_leak::{Column, Description, Dtype, Error, TraceSet, Writer};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::convert::serialized;
use crate::errors::raise;

/// The exception for a failure.
pub fn failed(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Input(diagnostics) => raise(py, diagnostics),
        _ => PyOSError::new_err(error.to_string()),
    }
}

fn type_named(name: &str) -> PyResult<Dtype> {
    let known = || Dtype::ALL.map(Dtype::name).join(", ");
    Dtype::named(name).ok_or_else(|| {
        PyValueError::new_err(format!("there is no type `{name}` in trace sets, but {}", known()))
    })
}

/// A trace set: the description as a dictionary, and each chunk as its folder and number of traces.
#[pyfunction]
pub fn trace_set(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let set = py.detach(|| TraceSet::open(&path)).map_err(|error| failed(py, &error))?;
    let chunks: Vec<_> =
        set.chunks.iter().map(|chunk| (chunk.path.display().to_string(), chunk.traces)).collect();
    serialized(py, &(&set.description, chunks))
}

/// A trace set that is written chunk by chunk.
#[pyclass]
pub struct TraceWriter(Writer);

#[pymethods]
impl TraceWriter {
    /// Makes a set in a new folder; columns are types and shapes by name.
    #[staticmethod]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        samples: usize,
        dtype: &str,
        columns: BTreeMap<String, (String, Vec<usize>)>,
        source: String,
    ) -> PyResult<Self> {
        let columns = columns.into_iter().map(|(name, (named, shape))| {
            type_named(&named).map(|dtype| Column { name, dtype, shape })
        });
        let columns = columns.collect::<PyResult<_>>()?;
        let description = Description { samples, dtype: type_named(dtype)?, source, columns };
        let writer = Writer::create(&path, description).map_err(|error| failed(py, &error))?;
        Ok(Self(writer))
    }

    /// Opens a set to add chunks to it.
    #[staticmethod]
    fn resume(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Writer::resume(&path).map(Self).map_err(|error| failed(py, &error))
    }

    /// Traces written so far.
    #[getter]
    fn traces(&self) -> usize {
        self.0.traces()
    }

    /// Writes a chunk: the samples of `count` traces, and the values of every column by name.
    fn append(
        &mut self,
        py: Python<'_>,
        count: usize,
        traces: PyBackedBytes,
        columns: BTreeMap<String, PyBackedBytes>,
    ) -> PyResult<()> {
        self.check(count, &traces, &columns).map_err(PyValueError::new_err)?;
        let columns: Vec<(&str, &[u8])> =
            columns.iter().map(|(name, content)| (name.as_str(), &**content)).collect();
        let written = py.detach(|| self.0.append(count, &traces, &columns));
        written.map_err(|error| failed(py, &error))
    }
}

impl TraceWriter {
    /// Checks the lengths of a chunk's parts.
    fn check(
        &self,
        count: usize,
        traces: &[u8],
        columns: &BTreeMap<String, PyBackedBytes>,
    ) -> Result<(), String> {
        let description = self.0.description();
        let fits = |found: usize, row: usize| Some(found) == count.checked_mul(row);
        if !fits(traces.len(), description.row_size()) {
            return Err(format!("the samples of {count} traces have another size"));
        }
        for column in &description.columns {
            let content = columns.get(&column.name);
            if !content.is_some_and(|content| fits(content.len(), column.row_size())) {
                let name = &column.name;
                return Err(format!("the column {name} of {count} traces is missing or too short"));
            }
        }
        Ok(())
    }
}
