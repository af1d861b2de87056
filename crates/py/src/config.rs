//! The checked contents of TOML files, as dictionaries.

use std::path::PathBuf;

use cocrypt_config::{Coprocessor, Device, Study};
use pyo3::prelude::*;

use crate::convert::serialized;
use crate::errors::raise;

/// Reads and checks a study, which may name what is in `home`, the workbench's folder; raises
/// `DiagnosticError` with everything that is wrong in it.
#[pyfunction]
#[pyo3(signature = (path, home = None))]
pub fn load_study(
    py: Python<'_>,
    path: PathBuf,
    home: Option<PathBuf>,
) -> PyResult<Bound<'_, PyAny>> {
    let study = Study::load_at(&path, home.as_deref()).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &study)
}

/// Reads and checks a device with its core.
#[pyfunction]
pub fn load_device(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let device = Device::load(&path).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &device)
}

/// Reads and checks a coprocessor's register map.
#[pyfunction]
pub fn load_coprocessor(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let coprocessor = Coprocessor::load(&path).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &coprocessor)
}
