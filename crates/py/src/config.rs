//! The checked contents of TOML files, as dictionaries.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use cocrypt_config::{Coprocessor, Core, Device, Primitive, Settings, Study};
use cocrypt_diag::Diagnostic;
use cocrypt_isa::{CoreError, InstructionSet};
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

/// Reads and checks a device with its core, which may be one of those in `home`, the workbench's folder;
/// `settings` take the place of what its file says.
#[pyfunction]
#[pyo3(signature = (path, settings = HashMap::new(), home = None))]
pub fn load_device(
    py: Python<'_>,
    path: PathBuf,
    settings: HashMap<String, i64>,
    home: Option<PathBuf>,
) -> PyResult<Bound<'_, PyAny>> {
    let device = device(&path, home.as_deref(), &settings).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &device)
}

/// A device with other values than its file says: of the bus and the coprocessors' clock by the names
/// here, all others are parameters of the core.
pub(crate) fn device(
    path: &Path,
    home: Option<&Path>,
    settings: &HashMap<String, i64>,
) -> Result<Device, Vec<Diagnostic>> {
    let device = Device::load_at(path, home)?;
    instructions(&device).map_err(|wrong| vec![wrong])?;
    if settings.is_empty() {
        return Ok(device);
    }
    let mut given = Settings::default();
    for (name, &value) in settings {
        let place = match name.as_str() {
            "bus_wait" => &mut given.bus_wait,
            "burst_wait" => &mut given.burst_wait,
            "clock_multiply" => &mut given.clock_multiply,
            "clock_divide" => &mut given.clock_divide,
            _ => {
                given.parameters.insert(name.clone(), value);
                continue;
            }
        };
        *place = Some(u32::try_from(value).unwrap_or(0));
    }
    device.with(&given)
}

/// The instruction set of a device's core.
pub(crate) fn instructions(device: &Device) -> Result<&'static InstructionSet, Diagnostic> {
    cocrypt_isa_all::of(&device.core).map_err(|wrong| told(&device.core, &wrong))
}

/// The errors of a core file, each with its position.
fn told(core: &Core, wrong: &CoreError) -> Diagnostic {
    let (kind, place) = match wrong {
        CoreError::UnknownEncoding { .. } => {
            let place = core.compiler.as_ref().and_then(|told| told.code_place.as_ref());
            ("core.unknown-encoding", place)
        }
        _ => ("core.unknown-instruction-set", core.isa_place.as_ref()),
    };
    let told = Diagnostic::error(kind, wrong.to_string()).with_help("write one of those");
    match place {
        Some(place) => told.with_source(&place.source).with_label(place.span.clone(), "not known"),
        None => told,
    }
}

/// Reads and checks a coprocessor's register map.
#[pyfunction]
pub fn load_coprocessor(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let coprocessor = Coprocessor::load(&path).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &coprocessor)
}

/// Reads and checks a primitive's file.
#[pyfunction]
pub fn load_primitive(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let primitive = Primitive::load(&path).map_err(|wrong| raise(py, &wrong))?;
    serialized(py, &primitive)
}
