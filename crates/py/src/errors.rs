//! A user's mistake as a Python exception.

use cocrypt_diag::Diagnostic;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::convert::to_python;

pyo3::create_exception!(
    cocrypt._native,
    DiagnosticError,
    PyException,
    "A mistake in what the user gave: `rendered` is the text for a person, `diagnostics` the list of\n\
     what is wrong, each as a dictionary."
);

/// Diagnostics that are shown as text; JSON has all of them.
const SHOWN: usize = 4;

/// The exception for these diagnostics.
pub fn raise(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    exception(py, diagnostics).unwrap_or_else(|error| error)
}

/// The first diagnostics as text, and how many more there are: in a file of another kind nearly every line is
/// wrong, and the first says so.
fn render(diagnostics: &[Diagnostic]) -> String {
    let mut parts: Vec<_> =
        diagnostics.iter().take(SHOWN).map(|diagnostic| diagnostic.render(false)).collect();
    if diagnostics.len() > SHOWN {
        parts.push(format!("and {} more in this file\n", diagnostics.len() - SHOWN));
    }
    parts.join("\n")
}

/// Its attributes are set from here: the stable ABI of Python 3.11 has no classes of ours that extend
/// one of Python's.
fn exception(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyResult<PyErr> {
    let rendered = render(diagnostics);
    let list = diagnostics.iter().map(Diagnostic::to_json).collect();
    let raised = py.get_type::<DiagnosticError>().call1((rendered.as_str(),))?;
    raised.setattr("rendered", rendered)?;
    raised.setattr("diagnostics", to_python(py, &serde_json::Value::Array(list))?)?;
    Ok(PyErr::from_value(raised))
}
