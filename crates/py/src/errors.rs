//! A user's mistake as a Python exception.

use cocrypt_diag::Diagnostic;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::convert::to_python;

/// A mistake in what the user gave: `rendered` is the text for a person, `diagnostics` the list of
/// what is wrong, each as a dictionary.
#[pyclass(extends = PyException, module = "cocrypt._native")]
pub struct DiagnosticError {
    #[pyo3(get)]
    rendered: String,
    #[pyo3(get)]
    diagnostics: Py<PyAny>,
}

#[pymethods]
impl DiagnosticError {
    #[new]
    fn new(rendered: String, diagnostics: Py<PyAny>) -> Self {
        Self { rendered, diagnostics }
    }

    fn __str__(&self) -> &str {
        &self.rendered
    }
}

/// The exception for these diagnostics.
pub fn raise(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    let rendered: Vec<_> = diagnostics.iter().map(|one| one.render(false)).collect();
    let list: Vec<_> = diagnostics.iter().map(Diagnostic::to_json).collect();
    let exception = to_python(py, &serde_json::Value::Array(list)).and_then(|list| {
        let rendered = rendered.join("\n");
        py.get_type::<DiagnosticError>().call1((rendered, list))
    });
    exception.map_or_else(|error| error, PyErr::from_value)
}
