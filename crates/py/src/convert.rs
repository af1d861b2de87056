//! JSON values as Python objects.

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

/// The Python object of a JSON value.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => value.into_bound_py_any(py),
            (_, Some(value)) => value.into_bound_py_any(py),
            _ => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            Ok(list.into_any())
        }
        Value::Object(entries) => {
            let dictionary = PyDict::new(py);
            entries
                .iter()
                .try_for_each(|(key, item)| dictionary.set_item(key, to_python(py, item)?))?;
            Ok(dictionary.into_any())
        }
    }
}

/// The Python object of anything that can be written as JSON.
pub fn serialized<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value =
        serde_json::to_value(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    to_python(py, &value)
}
